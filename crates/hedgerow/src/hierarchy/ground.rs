//! The leaves that a hierarchy stands on, whatever its shape.

use std::borrow::Cow;

use super::leaf::{Leaf, LeafRange};
use crate::method::Spec;
use crate::table::{Domain, Values};
use crate::{Error, Result};

/// What a hierarchy is made of, besides its shape.
#[derive(Debug, Clone)]
pub struct Leaves {
    /// The attribute's name.
    pub attribute: String,
    /// The leaves in tree order.
    pub values: Values,
    /// Records per leaf; empty when unknown.
    pub counts: Vec<u64>,
}

impl Leaves {
    /// The values of a column.
    pub fn of(attribute: &str, domain: &Domain) -> Self {
        let (values, counts) = (domain.values.clone(), domain.counts.clone());
        Self { attribute: attribute.to_owned(), values, counts }
    }
}

/// Leaves in their order, with what is known about them.
#[derive(Debug, Clone, PartialEq)]
pub struct Ground {
    attribute: String,
    builder: Option<Spec>,
    values: Values,
    /// The label of an additional last leaf that stands for missing values.
    missing: Option<Box<str>>,
    /// Records per leaf, as running sums; all zero when unknown.
    running_counts: Vec<u64>,
}

impl Ground {
    pub(super) fn new(leaves: Leaves) -> Self {
        let Leaves { attribute, values, counts } = leaves;
        let mut running_counts = vec![0; values.len() + 1];
        for (leaf, count) in counts.iter().enumerate() {
            running_counts[leaf + 1] = u64::saturating_add(running_counts[leaf], *count);
        }
        Self { attribute, builder: None, values, missing: None, running_counts }
    }

    pub(super) fn set_builder(&mut self, builder: Spec) {
        self.builder = Some(builder);
    }

    /// Adds a last leaf that stands for missing values.
    pub(super) fn add_missing(&mut self, label: &str, count: u64) {
        let total = self.running_counts[self.running_counts.len() - 1];
        self.running_counts.push(total + count);
        self.missing = Some(label.into());
    }

    /// The attribute's name.
    pub fn attribute(&self) -> &str {
        &self.attribute
    }

    /// How the hierarchy was made, where that is known.
    pub fn builder(&self) -> Option<&Spec> {
        self.builder.as_ref()
    }

    /// The values of the leaves in order; the leaf for missing values comes after them.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// How many leaves, that for missing values included.
    pub fn len(&self) -> usize {
        self.running_counts.len() - 1
    }

    /// Whether there is no leaf.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many records have one of these leaves; 0 when counts are unknown.
    pub fn count(&self, leaves: &LeafRange) -> u64 {
        self.running_counts[leaves.end.index()] - self.running_counts[leaves.start.index()]
    }

    /// How a leaf is written.
    pub fn spelling(&self, leaf: Leaf) -> Cow<'_, str> {
        match &self.missing {
            Some(label) if leaf.index() == self.values.len() => Cow::Borrowed(label),
            _ => self.values.spelling(leaf.index()),
        }
    }

    /// The leaf of every code of a column, or the first value that the tree does not have.
    pub fn bind(&self, domain: &Domain) -> Result<Vec<Leaf>> {
        let found = self.leaves_for(domain);
        let lost =
            found.iter().enumerate().filter(|(_, leaf)| leaf.is_none()).map(|(code, _)| code);
        let n_lost = lost.clone().count();
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

    /// The leaf of every code of a column, where there is one.
    pub(crate) fn leaves_for(&self, domain: &Domain) -> Vec<Option<Leaf>> {
        let by_spelling: hashbrown::HashMap<Cow<'_, str>, Leaf> = match &self.values {
            values if values.scale().is_some() && values.kind() == domain.values.kind() => {
                hashbrown::HashMap::new()
            }
            _ => Leaf::first(self.len()).map(|leaf| (self.spelling(leaf), leaf)).collect(),
        };
        let leaf_of = |code: usize| {
            let spelling = domain.values.spelling(code);
            match (self.values().scale(), self.values().read(&spelling)) {
                (Some(scale), Some(reading)) => scale.place_of(reading).map(Leaf::new),
                _ => by_spelling.get(&spelling).copied(),
            }
        };
        (0..domain.len()).map(leaf_of).collect()
    }

    /// The leaf with this spelling, if there is one.
    pub fn leaf_spelt(&self, spelling: &str) -> Option<Leaf> {
        Leaf::first(self.len()).find(|&leaf| self.spelling(leaf) == spelling)
    }
}
