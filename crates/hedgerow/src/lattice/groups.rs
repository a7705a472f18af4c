//! Distinct tuples of leaves with their counts, and what is left of them one level higher.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::problem::Problem;

/// Classes of equal tuples; a group of leaves is known by its first.
#[derive(Debug, Clone)]
pub(super) struct Groups {
    width: usize,
    tuples: Vec<u32>,
    counts: Vec<u64>,
}

impl Groups {
    /// The cohorts of a problem, as leaves.
    pub(super) fn of(problem: &Problem<'_>) -> Self {
        let attributes = problem.attributes();
        let cohorts = problem.cohorts();
        let leaves = |cohort: usize| attributes.iter().map(move |a| a.leaves()[cohort]);
        let tuples = (0..cohorts.len()).flat_map(leaves).collect();
        Self { width: attributes.len(), tuples, counts: cohorts.counts.clone() }
    }

    /// How many records each has.
    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The groups left when an attribute's leaves become the first of their groups.
    pub(super) fn coarsened(&self, attribute: usize, firsts: &[u32]) -> Self {
        let hasher = DefaultHashBuilder::default();
        let mut found: HashTable<u32> = HashTable::new();
        let mut tuples: Vec<u32> = Vec::new();
        let mut counts: Vec<u64> = Vec::new();
        let width = self.width;
        let mut tuple = vec![0; width];
        for (from, count) in self.tuples.chunks(width).zip(&self.counts) {
            tuple.copy_from_slice(from);
            tuple[attribute] = firsts[tuple[attribute] as usize];
            let of = |place: u32| &tuples[place as usize * width..][..width];
            let hash = hasher.hash_one(tuple.as_slice());
            if let Some(&place) = found.find(hash, |&place| of(place) == tuple) {
                counts[place as usize] += count;
            } else {
                let rehash = |&place: &u32| hasher.hash_one(of(place));
                found.insert_unique(hash, counts.len() as u32, rehash);
                tuples.extend_from_slice(&tuple);
                counts.push(*count);
            }
        }
        Self { width, tuples, counts }
    }
}
