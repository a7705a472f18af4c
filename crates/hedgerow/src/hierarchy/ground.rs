//! The leaves of a hierarchy, independent of its shape.

use std::borrow::Cow;

use super::leaf::{Leaf, LeafRange};
use crate::method::Spec;
use crate::table::{Domain, Values};
use crate::{Error, Result};

/// The components of a hierarchy besides its shape.
#[derive(Debug, Clone)]
pub struct Leaves {
    /// Name of the attribute.
    pub attribute: String,
    /// The leaves in tree order.
    pub values: Values,
    /// Number of records of each leaf; empty if unknown.
    pub counts: Vec<u64>,
}

impl Leaves {
    /// Uses the values and counts of a column.
    pub fn of(attribute: &str, domain: &Domain) -> Self {
        let (values, counts) = (domain.values.clone(), domain.counts.clone());
        Self { attribute: attribute.to_owned(), values, counts }
    }
}

/// Leaves in order, with their attribute, builder and counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Ground {
    attribute: String,
    builder: Option<Spec>,
    values: Values,
    /// Label of an additional last leaf that represents missing values.
    missing: Option<Box<str>>,
    /// Prefix sums of the number of records per leaf; all zero if unknown.
    running_counts: Vec<u64>,
}

impl Ground {
    pub(super) fn new(leaves: Leaves) -> Self {
        let Leaves { attribute, values, counts } = leaves;
        let mut running_counts = vec![0; values.len() + 1];
        for (leaf, count) in counts.iter().enumerate() {
            // Counts in a hierarchy file are not checked, so they must not overflow here.
            running_counts[leaf + 1] = u64::saturating_add(running_counts[leaf], *count);
        }
        Self { attribute, builder: None, values, missing: None, running_counts }
    }

    pub(super) fn set_builder(&mut self, builder: Spec) {
        self.builder = Some(builder);
    }

    /// Adds a last leaf that represents missing values.
    pub(super) fn add_missing(&mut self, label: &str, count: u64) {
        let total = self.running_counts[self.running_counts.len() - 1];
        self.running_counts.push(total + count);
        self.missing = Some(label.into());
    }

    /// Name of the attribute.
    pub fn attribute(&self) -> &str {
        &self.attribute
    }

    /// The builder of the hierarchy, if known.
    pub fn builder(&self) -> Option<&Spec> {
        self.builder.as_ref()
    }

    /// The values of the leaves in order; the leaf for missing values comes after them.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Number of leaves, including the one for missing values.
    pub fn len(&self) -> usize {
        self.running_counts.len() - 1
    }

    /// Whether there are no leaves.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of records with one of these leaves; 0 if counts are unknown.
    pub fn count(&self, leaves: &LeafRange) -> u64 {
        self.running_counts[leaves.end.index()] - self.running_counts[leaves.start.index()]
    }

    /// Returns the spelling of a leaf.
    pub fn spelling(&self, leaf: Leaf) -> Cow<'_, str> {
        match &self.missing {
            Some(label) if leaf.index() == self.values.len() => Cow::Borrowed(label),
            _ => self.values.spelling(leaf.index()),
        }
    }

    /// Returns the leaf of every code of a column, or an error that names the first value without a
    /// leaf.
    pub fn bind(&self, domain: &Domain) -> Result<Vec<Leaf>> {
        let found = self.leaves_for(domain);
        let lost =
            found.iter().enumerate().filter(|(_, leaf)| leaf.is_none()).map(|(code, _)| code);
        let n_lost = lost.clone().count();
        // The value that occurs first in the file, not the first in sorted order.
        if let Some(first) = lost.min_by_key(|&code| domain.first_rows[code]) {
            return Err(Error::NotInHierarchy {
                column: self.attribute.clone(),
                value: domain.values.spelling(first).into_owned(),
                row: domain.first_rows[first] + 1,
                more: n_lost - 1,
            });
        }
        Ok(found.into_iter().flatten().collect())
    }

    /// Returns the leaf of every code of a column, or `None` for values without a leaf.
    pub(crate) fn leaves_for(&self, domain: &Domain) -> Vec<Option<Leaf>> {
        // Numbers and dates are compared as values if both sides have the same kind, so that `12`
        // finds `12.0`. The map is needed only where spellings are compared.
        let by_spelling: hashbrown::HashMap<Cow<'_, str>, Leaf> = match &self.values {
            values if values.scale().is_some() && values.kind() == domain.values.kind() => {
                hashbrown::HashMap::new()
            }
            _ => Leaf::first(self.len()).map(|leaf| (self.spelling(leaf), leaf)).collect(),
        };
        let leaf_of = |spelling: &str| match (self.values.scale(), self.values.read(spelling)) {
            (Some(scale), Some(reading)) => scale.place_of(reading).map(Leaf::new),
            _ => by_spelling.get(spelling).copied(),
        };
        (0..domain.len()).map(|code| leaf_of(&domain.values.spelling(code))).collect()
    }

    /// Returns the leaf with this spelling, or `None`.
    pub fn leaf_spelt(&self, spelling: &str) -> Option<Leaf> {
        Leaf::first(self.len()).find(|&leaf| self.spelling(leaf) == spelling)
    }
}
