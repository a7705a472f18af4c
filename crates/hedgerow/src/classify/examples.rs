//! Records to learn from.

/// Records to learn from, with equal ones merged: a code for each attribute, and a label.
#[derive(Debug, Clone, Default)]
pub struct Examples {
    /// For each attribute, whether its codes are ordered. Ordered attributes are split at a
    /// threshold, others into all their values.
    pub is_ordered: Vec<bool>,
    /// The codes of all examples, one after another.
    pub codes: Vec<u32>,
    /// The label of each example.
    pub labels: Vec<u32>,
    /// Number of records that each example represents.
    pub weights: Vec<u64>,
}

impl Examples {
    /// The codes of an example.
    pub fn row(&self, example: usize) -> &[u32] {
        let width = self.is_ordered.len();
        &self.codes[example * width..][..width]
    }

    /// Number of records.
    pub fn n_records(&self) -> u64 {
        self.weights.iter().sum()
    }

    /// The same examples with other weights.
    pub(super) fn weighted(&self, weights: Vec<u64>) -> Self {
        Self { weights, ..self.clone() }
    }

    /// Some of the examples.
    pub(super) fn among(&self, places: &[usize]) -> Self {
        Self {
            is_ordered: self.is_ordered.clone(),
            codes: places.iter().flat_map(|&place| self.row(place)).copied().collect(),
            labels: places.iter().map(|&place| self.labels[place]).collect(),
            weights: places.iter().map(|&place| self.weights[place]).collect(),
        }
    }

    /// Number of records of some examples with each of `n_labels` labels.
    pub(super) fn label_counts(&self, members: &[u32], n_labels: usize) -> Vec<u64> {
        let mut counts = vec![0; n_labels];
        for &member in members {
            counts[self.labels[member as usize] as usize] += self.weights[member as usize];
        }
        counts
    }
}
