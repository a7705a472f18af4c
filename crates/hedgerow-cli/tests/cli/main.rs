//! The real binary: exit code, stdout and stderr.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;
mod bad_input;
mod candidates;
mod files;
mod formats;
mod full_domain;
mod kinds;
mod knowledge;
mod lattice;
mod measure;
mod privacy;
mod rank;
mod trace;
mod whole_path;
