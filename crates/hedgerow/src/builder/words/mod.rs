//! Hierarchies of words, grouped by meaning.

mod vgh;
mod base;
mod abstractness;
mod outliers;
mod levels;
mod perspectives;
mod pins;
mod constructor;
mod sound;
mod sources;
mod wordnet;
mod taken;
mod index;

pub use constructor::Candidate;
pub(crate) use constructor::Constructor;
pub use pins::Pins;
pub(super) use sound::are_sound;
pub(crate) use sources::Sources;
pub(super) use taken::doubts;
pub use taken::{TakenFor, taken_for};
pub use wordnet::{Constructed, Wordnet};

use super::{HierarchyBuilder, method};
use crate::method::{Make, Method};

/// The methods for words.
pub(super) const ALL: &[Method<Make<dyn HierarchyBuilder>>] = &[method::<Wordnet>()];
