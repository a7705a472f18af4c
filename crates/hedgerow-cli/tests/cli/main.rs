//! The real binary: exit code, stdout and stderr.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[path = "../archive/mod.rs"]
mod archive;
#[cfg(not(all(feature = "excel", feature = "parquet", feature = "studio", feature = "wordnet")))]
mod absent;
mod support;
mod apply;
mod attack;
mod bad_input;
#[cfg(all(unix, feature = "wordnet"))]
mod book;
#[cfg(feature = "wordnet")]
mod candidates;
mod certificate;
mod classes;
mod compare;
mod edits;
mod exposure;
#[cfg(unix)]
mod faults;
mod files;
mod formats;
mod full_domain;
mod guard;
mod help;
mod init;
mod inputs;
#[cfg(unix)]
mod kill;
mod kinds;
#[cfg(feature = "wordnet")]
mod knowledge;
mod lattice;
mod order;
mod manual;
mod measure;
mod person;
#[cfg(feature = "parquet")]
mod plan;
mod privacy;
mod public;
#[cfg(feature = "wordnet")]
mod rank;
mod rare;
mod reading;
mod readme;
mod report;
mod reproduce;
mod risk;
#[cfg(feature = "wordnet")]
mod sources;
#[cfg(all(unix, feature = "studio"))]
mod studio;
mod summary;
#[cfg(unix)]
mod terminal;
mod trace;
mod understood;
mod walk;
mod whole_path;
#[cfg(feature = "excel")]
mod workbook;
