//! Where the nodes of a hierarchy come from.

/// What is known of a node besides its label.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The concept it stands for, by its name: `nurse.n.01`.
    pub concept: Option<Box<str>>,
    /// How it came to stand where it does.
    pub note: Option<Box<str>>,
}

impl Origin {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.concept.is_none() && self.note.is_none()
    }
}
