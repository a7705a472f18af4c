//! One file for each command.

pub(crate) mod anonymize;
mod candidates;
pub(crate) mod generate;
pub(crate) mod help;
pub(crate) mod import;
pub(crate) mod hierarchy;
pub(crate) mod inspect;
pub(crate) mod knowledge;
pub(crate) mod lattice;
pub(crate) mod measure;
pub(crate) mod methods;
mod outcomes;
pub(crate) mod rank;
pub(crate) mod verify;
