//! The commands, one file each.

#[cfg(not(all(feature = "studio", feature = "wordnet")))]
pub(crate) mod absent;
pub(crate) mod anonymize;
pub(crate) mod apply;
pub(crate) mod attack;
#[cfg(feature = "wordnet")]
mod candidates;
pub(crate) mod compare;
pub(crate) mod generate;
pub(crate) mod help;
pub(crate) mod import;
pub(crate) mod hierarchy;
pub(crate) mod init;
pub(crate) mod inspect;
#[cfg(feature = "wordnet")]
pub(crate) mod knowledge;
pub(crate) mod lattice;
pub(crate) mod measure;
pub(crate) mod plan;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod manual;
pub(crate) mod methods;
mod summary;
mod page;
mod people;
mod population;
mod verify_command;
#[cfg(feature = "wordnet")]
mod rank;
pub(crate) mod risk;
#[cfg(feature = "studio")]
pub(crate) mod studio;
pub(crate) mod verify;

#[cfg(not(feature = "wordnet"))]
pub(crate) use self::absent as knowledge;
#[cfg(not(feature = "wordnet"))]
use self::{absent as candidates, absent as rank};
