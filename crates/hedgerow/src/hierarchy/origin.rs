//! Where the nodes of a hierarchy come from.

/// Concept and history of a node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// Name of the concept that the node represents, such as `nurse.n.01`.
    pub concept: Option<Box<str>>,
    /// How the node came to have its position.
    pub note: Option<Box<str>>,
}

impl Origin {
    /// Whether nothing is known about the node.
    pub fn is_empty(&self) -> bool {
        self.concept.is_none() && self.note.is_none()
    }
}
