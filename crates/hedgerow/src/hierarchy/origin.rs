//! Where the nodes of a hierarchy come from.

use crate::how::How;

/// Concept and history of a node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// Name of the concept that the node represents, such as `nurse.n.01`.
    pub concept: Option<Box<str>>,
    /// How the value of a leaf was understood.
    pub how: Option<How>,
    /// How the node came to have its position.
    pub note: Option<Box<str>>,
}

impl Origin {
    /// Whether nothing is known about the node.
    pub fn is_empty(&self) -> bool {
        self.concept.is_none() && self.how.is_none() && self.note.is_none()
    }

    /// Builds an origin from the fields of a file.
    ///
    /// Files of earlier versions have no `how`; the first word of their notes replaces it.
    pub(crate) fn from_file(
        concept: Option<Box<str>>,
        how: Option<&str>,
        note: Option<Box<str>>,
    ) -> Self {
        let of_note = || note.as_deref().and_then(|note| note.split([',', ';']).next());
        let how = how.or_else(of_note).and_then(How::named);
        Self { concept, how, note }
    }
}
