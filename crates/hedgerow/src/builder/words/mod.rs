//! Hierarchies of words: what they mean decides what stands together.

mod vgh;
mod base;
mod abstractness;
mod outliers;
mod levels;
mod perspectives;
mod pins;
mod constructor;
mod wordnet;
mod index;

pub use constructor::{Candidate, Constructor};
pub use pins::Pins;
pub(super) use wordnet::are_known;
pub use wordnet::{Constructed, Wordnet, doubts};

use super::HierarchyBuilder;
use crate::method::Method;

/// The methods for words.
pub(super) const ALL: &[Method<dyn HierarchyBuilder>] = &[Method {
    name: "wordnet",
    about: "words: what they mean, in WordNet or another source",
    make: |spec| Ok(Box::new(spec.read::<Wordnet>()?)),
}];
