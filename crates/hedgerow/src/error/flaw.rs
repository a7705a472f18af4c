//! Reasons that a proposal must not be published.

/// A reason that a proposal must not be published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// A take refers to a cohort that the problem does not have, or to a class that the proposal
    /// does not have.
    #[error("a take refers to a cohort or a class that does not exist")]
    UnknownIndex,
    /// A class has a value that the problem's attributes do not have.
    #[error("it was made for a problem with other attributes")]
    OtherProblem,
    /// More records of a cohort are taken than it has.
    #[error("a record has two classes")]
    TakenTwice,
    /// Fewer records of a cohort are taken than it has.
    #[error("a record has no class")]
    NotTaken,
    /// More records are suppressed than the limits allow.
    #[error("more records are suppressed than may be")]
    TooManySuppressed,
    /// The published values of a class do not cover one of its records.
    #[error("a class does not cover one of its records")]
    NotCovered,
    /// A value is generalized further than its limit.
    #[error("a value is generalized further than its limit")]
    BeyondLimit,
    /// A class spells out a value that is too rare to be shown.
    #[error("a class spells out a rare value, which must be hidden")]
    RareValue,
    /// A class does not satisfy the privacy models.
    #[error("a class is not private")]
    NotPrivate,
    /// Values are recoded less uniformly than the limits allow.
    #[error("the recoding is {found}, but it must be {asked}")]
    LessUniform {
        /// The least uniform recoding that is allowed.
        asked: &'static str,
        /// The recoding of the proposal.
        found: &'static str,
    },
}
