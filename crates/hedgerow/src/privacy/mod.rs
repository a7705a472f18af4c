//! Privacy models: what must hold of every class of a release.

mod k_anonymity;

pub use k_anonymity::KAnonymity;

/// A demand on every class of a release; a search is given one or several.
pub trait PrivacyModel: std::fmt::Debug + Send + Sync {
    /// The one word users write.
    fn name(&self) -> &'static str;

    /// The parameter that was asked for, as reports show it.
    fn asked(&self) -> u64;

    /// The fewest records a class must have for the demand to be met at all.
    fn least_size(&self) -> u64;

    /// Whether one class meets the demand.
    fn holds(&self, class: ClassView) -> bool;

    /// The strictest parameter that all classes meet.
    fn attained(&self, classes: &mut dyn Iterator<Item = ClassView>) -> u64;
}

/// What a model sees of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassView {
    /// How many records it has.
    pub size: u64,
}
