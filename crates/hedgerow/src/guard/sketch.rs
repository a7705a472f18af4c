//! Estimates of the number of different values of a column and of records with a unique value, in
//! one pass.

use hashbrown::HashMap;

/// The values with the smallest hashes, each with whether it has one record or more.
///
/// A value that is kept at the end was kept from its first record on, so nothing is missed. The
/// result does not depend on the order of the records or on how they are divided among threads.
#[derive(Debug, Clone)]
pub(super) struct Sketch {
    /// Number of records of each value, up to 2 or more.
    counts: HashMap<u64, u64>,
    /// Hashes of values that have two records or more, in the order of their last bits. Most values
    /// of most columns are among them, and need no further look.
    common: [Option<u64>; COMMON],
    /// Hashes at or above it are not kept; `None` while all are.
    bound: Option<u64>,
    n_present: u64,
}

/// Number of values that are kept; the error of estimates is about 3%.
const KEPT: usize = 1024;
/// Number of common values that are remembered.
const COMMON: usize = 64;

impl Default for Sketch {
    fn default() -> Self {
        Self { counts: HashMap::new(), common: [None; COMMON], bound: None, n_present: 0 }
    }
}

impl Sketch {
    /// Counts a value by its hash.
    pub(super) fn push(&mut self, hash: u64) {
        self.n_present += 1;
        // A value that is known to repeat changes no estimate.
        if self.common[hash as usize % COMMON] != Some(hash) {
            self.add(hash, 1);
        }
    }

    /// Adds the counts of another sketch.
    pub(super) fn absorb(&mut self, other: &Self) {
        self.n_present += other.n_present;
        // Values above the lesser bound were dropped by one of the two, so they cannot be compared.
        self.bound = lesser(self.bound, other.bound);
        let mut counts: Vec<(u64, u64)> = other.counts.iter().map(|(&h, &n)| (h, n)).collect();
        counts.sort_unstable();
        counts.into_iter().for_each(|(hash, count)| self.add(hash, count));
        self.prune();
    }

    fn add(&mut self, hash: u64, count: u64) {
        if self.bound.is_some_and(|bound| hash >= bound) {
            return;
        }
        let total = self.counts.entry(hash).or_insert(0);
        *total += count;
        if *total > 1 {
            self.common[hash as usize % COMMON] = Some(hash);
        }
        if self.counts.len() >= 2 * KEPT {
            self.prune();
        }
    }

    /// Keeps the smallest hashes.
    fn prune(&mut self) {
        let mut hashes: Vec<u64> = self.counts.keys().copied().collect();
        if hashes.len() > KEPT {
            // Everything below the bound is kept, so kept values are a random share of all values.
            let (_, &mut bound, _) = hashes.select_nth_unstable(KEPT);
            self.bound = lesser(self.bound, Some(bound));
        }
        if let Some(bound) = self.bound {
            self.counts.retain(|&hash, _| hash < bound);
        }
    }

    /// Number of records that have a value.
    pub(super) fn n_present(&self) -> u64 {
        self.n_present
    }

    /// Whether every value was kept, so that nothing is estimated.
    pub(super) fn is_exact(&self) -> bool {
        self.bound.is_none()
    }

    /// Number of different values, at most the number of records.
    pub(super) fn n_distinct(&self) -> u64 {
        let others = self.counts.len() - self.n_kept_alone();
        // Every value that is not alone has two records or more.
        let most = self.n_present - self.scaled(others).min(self.n_present);
        self.scaled(self.counts.len()).min(most.max(self.n_alone()))
    }

    /// Number of values that one record has, at most the number of records.
    pub(super) fn n_alone(&self) -> u64 {
        let others = self.counts.len() - self.n_kept_alone();
        let taken = (2 * self.scaled(others)).min(self.n_present);
        self.scaled(self.n_kept_alone()).min(self.n_present - taken)
    }

    fn n_kept_alone(&self) -> usize {
        self.counts.values().filter(|&&count| count == 1).count()
    }

    /// Scales a number of kept values up to all values.
    fn scaled(&self, kept: usize) -> u64 {
        match self.bound {
            None => kept as u64,
            // Hashes are uniform, so `bound / 2^64` is the share of values that is kept.
            Some(bound) => (kept as f64 * (u64::MAX as f64 / bound as f64)).round() as u64,
        }
    }
}

/// The lesser of two bounds.
fn lesser(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.into_iter().chain(other).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hash_is_counted() {
        let mut sketch = Sketch::default();
        [0, u64::MAX].into_iter().for_each(|hash| sketch.push(hash));
        assert_eq!((sketch.n_present(), sketch.n_distinct(), sketch.n_alone()), (2, 2, 2));
        assert!(sketch.is_exact());
    }

    fn hash(value: u64) -> u64 {
        (value + 1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(31)
            .wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }

    #[test]
    fn few_values_are_counted_exactly() {
        let mut sketch = Sketch::default();
        (0..1000u64).for_each(|row| sketch.push(hash(row % 7)));
        sketch.push(hash(99));
        assert_eq!((sketch.n_present(), sketch.n_distinct(), sketch.n_alone()), (1001, 8, 1));
    }

    #[test]
    fn many_values_are_estimated_and_threads_do_not_matter() {
        let mut whole = Sketch::default();
        let mut parts = [Sketch::default(), Sketch::default()];
        for row in 0..100_000u64 {
            // Half of the records have unique values, the others are pairs.
            let value = if row % 2 == 0 { row } else { 1_000_000 + row / 4 };
            whole.push(hash(value));
            parts[(row / 1000 % 2) as usize].push(hash(value));
        }
        assert!((47_000..53_000).contains(&whole.n_alone()), "{}", whole.n_alone());
        assert!((70_000..80_000).contains(&whole.n_distinct()), "{}", whole.n_distinct());
        let [mut first, second] = parts;
        first.absorb(&second);
        whole.absorb(&Sketch::default());
        assert_eq!((first.n_distinct(), first.n_alone()), (whole.n_distinct(), whole.n_alone()));
    }

    #[test]
    fn estimates_never_exceed_the_number_of_records() {
        for salt in 0..40 {
            let mut sketch = Sketch::default();
            (0..30_000u64).for_each(|row| sketch.push(hash(row + 1_000_000 * salt)));
            let (present, distinct, alone) =
                (sketch.n_present(), sketch.n_distinct(), sketch.n_alone());
            assert!(alone <= distinct && distinct <= present, "{alone}, {distinct} of {present}");
        }
    }
}
