//! How a value of a column of words was understood.

/// How a value was understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum How {
    /// The senses file says it.
    Given,
    /// The whole value is a word.
    Whole,
    /// It is one without what stands in parentheses.
    WithoutParenthesis,
    /// Several words that stand for what they have in common.
    Together,
    /// Only its last part is a word: what it means is near.
    Head,
    /// A label for what is left over; it stands directly below the root.
    Residual,
    /// Not at all; it stands directly below the root.
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

    /// One word for it.
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

    /// The one with a name, if there is one.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|how| how.name() == name)
    }
}
