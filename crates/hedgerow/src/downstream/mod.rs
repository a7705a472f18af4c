//! Losses and risks of releases made with one hierarchy, to validate rankings of hierarchies.

mod terms;
mod sse;
mod linkage;
mod outcome;
mod spearman;
mod agreement;

pub use agreement::{Agreement, Blank, Correlations, agreement, releases, untouched};
pub use linkage::linkage;
pub use outcome::{METRICS, Metric, Outcome, Suppression, Trials, outcomes};
pub use spearman::{correlation, spearman};
pub use sse::{Distance, Sse, semantic_sse};
pub use terms::Terms;

use crate::hierarchy::Node;

/// Equal records: their original values, their published values, and their number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The node of the original value of each attribute.
    pub original: Box<[Node]>,
    /// The published node of each attribute.
    pub published: Box<[Node]>,
    /// Number of records.
    pub count: u64,
}

fn n_records(groups: &[Group]) -> u64 {
    groups.iter().map(|group| group.count).sum()
}

#[cfg(test)]
mod tests;
