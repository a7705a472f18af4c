//! The real binary: exit code, stdout and stderr.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[path = "../../../hedgerow/tests/archive/mod.rs"]
mod archive;
mod support;
mod bad_input;
mod candidates;
mod exposure;
#[cfg(unix)]
mod faults;
mod files;
mod formats;
mod full_domain;
mod help;
mod inputs;
#[cfg(unix)]
mod kill;
mod kinds;
mod knowledge;
mod lattice;
mod order;
mod measure;
mod privacy;
mod rank;
mod rare;
mod trace;
mod whole_path;
