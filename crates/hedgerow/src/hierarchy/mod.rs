//! Generalization hierarchies: trees and their leaves, levels that need not nest, and the notation
//! of published values.

mod node;
mod leaf;
mod gaps;
mod ground;
mod origin;
mod tree;
mod levels;
mod labels;
mod generalization;
mod period;
mod notation;
mod masked;
mod ends;
mod spelt;
mod members;
mod rare;

pub use crate::how::How;
pub(crate) use ends::End;
pub use generalization::{Generalization, tree_of};
pub use ground::{Ground, Leaves};
pub use labels::{Label, Labels, Tag};
pub use leaf::{Leaf, LeafOrAny, LeafRange};
pub use levels::{Band, Levels};
pub(crate) use masked::{Masks, has_lost_zeros};
pub(crate) use members::set_label;
pub use node::{Entry, Group, Level, LevelFunction, Node};
pub use notation::Notation;
pub(crate) use notation::write_set;
pub(crate) use notation::{Excluded, excluded_ends, finite_range, open_ends, write_partial_set};
pub use origin::Origin;
pub(crate) use period::{Period, Span};
pub(crate) use rare::Rare;
pub use rare::RareValues;
pub(crate) use spelt::{Spelt, periods_at_ends};
pub use tree::Hierarchy;
pub(crate) use tree::Stored;
