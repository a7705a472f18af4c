//! What a release by one hierarchy costs and risks, so that a ranking of hierarchies can be believed.

mod terms;
mod sse;
mod linkage;
mod outcome;
mod spearman;
mod agreement;

pub use agreement::{Agreement, Trials, agreement, releases};
pub use linkage::linkage;
pub use outcome::{METRICS, Metric, Outcome, outcomes};
pub use spearman::{correlation, spearman};
pub use sse::{Distance, Sse, semantic_sse};
pub use terms::Terms;

use crate::hierarchy::Node;

/// Records that are alike: what they were, what is published of them, and how many there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The node of the original value, attribute by attribute.
    pub original: Box<[Node]>,
    /// The node that is published instead, attribute by attribute.
    pub published: Box<[Node]>,
    /// How many records.
    pub count: u64,
}

fn n_records(groups: &[Group]) -> u64 {
    groups.iter().map(|group| group.count).sum()
}

#[cfg(test)]
mod tests;
