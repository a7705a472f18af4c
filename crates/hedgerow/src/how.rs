//! Ways in which a value of a column of words was matched with a concept.

/// Way in which a value was matched with words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum How {
    /// The senses file defines the meaning.
    Given,
    /// The whole value is a word.
    Whole,
    /// The value is a word if text in parentheses is ignored.
    WithoutParenthesis,
    /// The value consists of several words; it means their lowest common ancestor.
    Together,
    /// Only the end of the value is a word, so its meaning is approximate.
    Head,
    /// The value is a label for everything else; it becomes a child of the root.
    Residual,
    /// No word was found; the value becomes a child of the root.
    Unknown,
}

impl How {
    const ALL: [Self; 7] = [
        Self::Given,
        Self::Whole,
        Self::WithoutParenthesis,
        Self::Together,
        Self::Head,
        Self::Residual,
        Self::Unknown,
    ];

    /// Returns the name of the variant.
    pub fn name(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Whole => "whole",
            Self::WithoutParenthesis => "without-parenthesis",
            Self::Together => "together",
            Self::Head => "head",
            Self::Residual => "residual",
            Self::Unknown => "unknown",
        }
    }

    /// Returns the variant with a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|how| how.name() == name)
    }
}
