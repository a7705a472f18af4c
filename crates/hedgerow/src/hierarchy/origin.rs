//! The origin of the nodes of a hierarchy.

use crate::how::How;

/// Concept and history of a node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// Name of the concept that the node represents, such as `nurse.n.01`.
    pub concept: Option<Box<str>>,
    /// The source that has the concept, unless it is WordNet and the only source.
    pub source: Option<Box<str>>,
    /// Other sources that know the value of a leaf, but come later.
    pub also: Option<Box<str>>,
    /// The way in which the value of a leaf was understood.
    pub how: Option<How>,
    /// Explanation of the position of the node.
    pub note: Option<Box<str>>,
}

impl Origin {
    /// Whether nothing is known about the node.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Sets how the value was understood, as a file states it.
    #[must_use]
    pub(crate) fn understood(self, how: Option<&str>) -> Self {
        Self { how: how.and_then(How::named), ..self }
    }
}
