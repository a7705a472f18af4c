//! Samples of a table.

use std::collections::BTreeSet;

use twox_hash::XxHash3_64;

use super::{Cohorts, Counter, Table};

impl Table {
    /// Some of the records, drawn without replacement, or all if there are no more; columns keep all
    /// their values. The same seed draws the same records.
    #[must_use]
    pub fn sample(&self, n_records: u64, seed: u64) -> Self {
        let total = self.cohorts.n_records();
        let mut drawn: BTreeSet<u64> = BTreeSet::new();
        if n_records >= total {
            drawn.extend(0..total);
        } else {
            let draws = (0..u64::MAX).map(|turn| {
                let random = XxHash3_64::oneshot_with_seed(seed, &turn.to_le_bytes());
                ((u128::from(random) * u128::from(total)) >> 64) as u64
            });
            for record in draws {
                if drawn.len() as u64 == n_records {
                    break;
                }
                drawn.insert(record);
            }
        }
        let mut cohorts = Cohorts { width: self.cohorts.width, ..Cohorts::default() };
        let mut rows = Vec::with_capacity(drawn.len());
        let mut drawn = drawn.into_iter().peekable();
        let mut end = 0;
        for (cohort, count) in self.cohorts.counts.iter().enumerate() {
            end += count;
            let first_row = rows.len();
            while drawn.next_if(|&record| record < end).is_some() {
                rows.push(cohorts.len() as u32);
            }
            if rows.len() > first_row {
                cohorts.codes.extend_from_slice(self.cohorts.tuple(cohort));
                cohorts.counts.push((rows.len() - first_row) as u64);
                cohorts.first_rows.push(first_row as u64);
            }
        }
        Self {
            columns: self.columns.clone(),
            n_rows: rows.len() as u64,
            rows,
            cohorts,
            missing: self.missing,
            raw: Counter::default(),
            cohort_of_raw: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_so_many_records_and_the_same_ones_again() {
        let rows: Vec<[String; 1]> = (0..1000).map(|row| [(row % 7).to_string()]).collect();
        let table = Table::from_rows(&["x"], &rows).unwrap();
        let sample = table.sample(70, 3);
        assert_eq!((sample.n_rows(), sample.cohorts().n_records()), (70, 70));
        assert_eq!(sample.rows().map(<[u32]>::len), Some(70));
        assert_eq!(sample.cohorts(), table.sample(70, 3).cohorts());
        assert_ne!(sample.cohorts(), table.sample(70, 4).cohorts());
        assert_eq!(table.sample(5000, 0).cohorts().counts, table.cohorts().counts);
    }
}
