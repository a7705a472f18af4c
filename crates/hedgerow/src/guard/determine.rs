//! How much of a quasi-identifier another column restores.
//!
//! Everything is predicted from *other* records only (leave one out), and only for records that
//! share their value with another one. So a column of unique values does not determine anything
//! trivially, a quasi-identifier with one dominant value is not predicted by it, and small groups
//! do not agree by chance.

use serde::Serialize;

/// What a column restores of a quasi-identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Restored {
    /// The value itself: `education` gives away `education-num`.
    Value,
    /// The value up to a narrow range: a year of birth gives away an age.
    Range,
    /// The group of the value: an age group.
    Group,
}

/// What a column gives away of a quasi-identifier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Leak {
    pub(super) restored: Restored,
    /// The share of what is not known without the column, from 0 to 1.
    pub(super) share: f64,
}

/// The least share of wrong guesses that knowing the column must correct.
const VALUE: f64 = 0.9;
/// The least share of the variance of ranks that the column must explain.
const RANGE: f64 = 0.9;
/// The same for a column that is a coarser version of the quasi-identifier.
const GROUPED_RANGE: f64 = 0.6;
/// The least share of a quasi-identifier's entropy that a coarser version must have.
const GROUPED_VALUE: f64 = 0.2;
/// The least accuracy with which a quasi-identifier predicts a coarser version of itself.
const COARSER: f64 = 0.95;
/// Number of guesses that must be corrected, and of records with a rank, so that chance cannot do it.
const LEAST_CORRECTED: u64 = 10;
const LEAST_RANKED: u64 = 30;
/// Number of records in a group of neighbouring numbers, where most numbers differ.
const NEIGHBOURS: usize = 10;

/// The values of a column in sampled records, as codes in the order of the values.
#[derive(Debug, Clone)]
pub(super) struct Series {
    /// The code of each record, or `None` if the value is missing.
    pub(super) codes: Vec<Option<u32>>,
    /// Number of different codes.
    pub(super) n_codes: usize,
    /// Whether the values are numbers or dates.
    pub(super) is_ordered: bool,
}

impl Series {
    fn n_present(&self) -> usize {
        self.codes.iter().flatten().count()
    }

    /// Groups the records by value.
    pub(super) fn groups(&self) -> Groups {
        self.grouped(1)
    }

    /// Groups the records by neighbouring values if these are numbers that rarely repeat.
    pub(super) fn neighbours(&self) -> Option<Groups> {
        let is_sparse = self.n_codes * 5 > self.n_present();
        let is_enough = self.n_present() >= 5 * NEIGHBOURS;
        (self.is_ordered && is_sparse && is_enough).then(|| self.grouped(NEIGHBOURS))
    }

    /// Groups records of equal value, and neighbouring values until a group has `least` records.
    fn grouped(&self, least: usize) -> Groups {
        let present = |(row, code): (usize, &Option<u32>)| Some(((*code)?, row as u32));
        let mut order: Vec<(u32, u32)> =
            self.codes.iter().enumerate().filter_map(present).collect();
        order.sort_unstable();
        let mut ends = Vec::new();
        let mut start = 0;
        for place in 1..=order.len() {
            let is_last = place == order.len() || order[place].0 != order[place - 1].0;
            if is_last && (place - start >= least || place == order.len()) {
                ends.push(place);
                start = place;
            }
        }
        Groups { rows: order.into_iter().map(|(_, row)| row).collect(), ends }
    }

    /// The rank of each code in the middle of its records, from 0 to 1.
    fn ranks(&self) -> Vec<f64> {
        let mut counts = vec![0u64; self.n_codes];
        self.codes.iter().flatten().for_each(|&code| counts[code as usize] += 1);
        let total = counts.iter().sum::<u64>().max(1) as f64;
        let mut before = 0;
        let rank = |count: u64| {
            let middle = before as f64 + count as f64 / 2.0;
            before += count;
            middle / total
        };
        counts.into_iter().map(rank).collect()
    }

    /// Entropy of the values in bits.
    fn entropy(&self) -> f64 {
        let mut counts = vec![0u64; self.n_codes];
        self.codes.iter().flatten().for_each(|&code| counts[code as usize] += 1);
        let total = counts.iter().sum::<u64>() as f64;
        let share = |&count: &u64| count as f64 / total;
        -counts.iter().filter(|&&count| count > 0).map(share).map(|p| p * p.log2()).sum::<f64>()
    }
}

/// Records with the same value of a column.
pub(super) struct Groups {
    rows: Vec<u32>,
    ends: Vec<usize>,
}

impl Groups {
    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.rows[start..end])
    }

    /// The groups as codes of `target`, without missing values and groups of one record.
    fn codes_of<'a>(&'a self, target: &'a Series) -> impl Iterator<Item = Vec<u32>> + 'a {
        let codes = |group: &[u32]| -> Vec<u32> {
            group.iter().filter_map(|&row| target.codes[row as usize]).collect()
        };
        self.iter().map(codes).filter(|codes| codes.len() > 1)
    }

    /// Returns the share of wrong guesses of `target` that knowing the group corrects.
    ///
    /// Without the group the guess is the most frequent value; with it, the value that most other
    /// records of the group have. This is Goodman and Kruskal's lambda, leaving one out.
    fn predicts(&self, target: &Series) -> f64 {
        let mut overall = vec![0u64; target.n_codes];
        self.codes_of(target).flatten().for_each(|code| overall[code as usize] += 1);
        let mode = (0..overall.len()).rev().max_by_key(|&code| overall[code]).unwrap_or(0);
        let (mut right, mut corrected) = (0, 0);
        for mut codes in self.codes_of(target) {
            codes.sort_unstable();
            let runs = || codes.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64));
            let (mut first, mut second) = (0, 0);
            for (_, count) in runs() {
                second = second.max(count.min(first));
                first = first.max(count);
            }
            for (code, count) in runs() {
                let others = if count == first { second } else { first };
                if count > others + 1 {
                    right += count;
                    corrected += if code as usize == mode { 0 } else { count };
                }
            }
        }
        let known = overall.get(mode).copied().unwrap_or(0);
        let unknown = overall.iter().sum::<u64>() - known;
        if corrected < LEAST_CORRECTED {
            return 0.0;
        }
        (right as f64 - known as f64) / unknown as f64
    }

    /// Returns the share of the variance of `target`'s ranks that the groups explain, leaving one
    /// out.
    fn explains(&self, target: &Series) -> f64 {
        let ranks = target.ranks();
        let (mut n, mut n_groups, mut sum, mut squares, mut left) = (0u64, 0, 0.0, 0.0, 0.0);
        for codes in self.codes_of(target) {
            let size = codes.len() as f64;
            let of_group = || codes.iter().map(|&code| ranks[code as usize]);
            let mean = of_group().sum::<f64>() / size;
            // Without the record itself, the mean is further away by this factor.
            let factor = size / (size - 1.0);
            left += of_group().map(|rank| (factor * (rank - mean)).powi(2)).sum::<f64>();
            sum += mean * size;
            squares += of_group().map(|rank| rank * rank).sum::<f64>();
            n += codes.len() as u64;
            n_groups += 1;
        }
        let variance = squares - sum * sum / n.max(1) as f64;
        if n < LEAST_RANKED || n_groups < 3 || variance <= 0.0 {
            return 0.0;
        }
        1.0 - left / variance
    }
}

/// A column with its groups.
pub(super) struct Grouped {
    pub(super) series: Series,
    groups: Groups,
    neighbours: Option<Groups>,
}

impl Grouped {
    pub(super) fn new(series: Series) -> Self {
        let (groups, neighbours) = (series.groups(), series.neighbours());
        Self { series, groups, neighbours }
    }

    /// Returns the better result of the groups of equal and of neighbouring values.
    fn best(&self, measure: impl Fn(&Groups) -> f64) -> f64 {
        let neighbours = self.neighbours.as_ref().map_or(0.0, &measure);
        measure(&self.groups).max(neighbours)
    }

    /// Returns what this column gives away of a quasi-identifier, or `None` if that is little.
    pub(super) fn gives_away(&self, quasi: &Self) -> Option<Leak> {
        let share = self.best(|groups| groups.predicts(&quasi.series));
        if share >= VALUE {
            return Some(Leak { restored: Restored::Value, share });
        }
        let is_scale = quasi.series.is_ordered && quasi.series.n_codes > 2;
        let explained =
            if is_scale { self.best(|groups| groups.explains(&quasi.series)) } else { 0.0 };
        if explained >= RANGE {
            return Some(Leak { restored: Restored::Range, share: explained });
        }
        let share = if is_scale {
            explained
        } else {
            self.series.entropy() / quasi.series.entropy().max(f64::MIN_POSITIVE)
        };
        let least = if is_scale { GROUPED_RANGE } else { GROUPED_VALUE };
        let is_coarser = self.series.n_codes > 2
            && share >= least
            && quasi.best(|groups| groups.predicts(&self.series)) >= COARSER;
        is_coarser.then_some(Leak { restored: Restored::Group, share: share.min(1.0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random numbers below `n`, the same ones for the same `seed`.
    fn random(seed: u64, n: u64, len: usize) -> Vec<u32> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            ((u128::from(state.wrapping_mul(0x2545_f491_4f6c_dd1d)) * u128::from(n)) >> 64) as u32
        };
        (0..len).map(|_| next()).collect()
    }

    fn grouped(codes: &[u32], is_ordered: bool) -> Grouped {
        let mut distinct = codes.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let code = |code: &u32| distinct.binary_search(code).ok().map(|place| place as u32);
        let (codes, n_codes) = (codes.iter().map(code).collect(), distinct.len());
        Grouped::new(Series { codes, n_codes, is_ordered })
    }

    fn leak(column: &Grouped, quasi: &Grouped) -> Option<Restored> {
        column.gives_away(quasi).map(|leak| leak.restored)
    }

    #[test]
    fn the_same_information_under_other_names_is_always_found() {
        for seed in 0..300 {
            let n_values = 2 + seed % 40;
            let len = 60 + 40 * (seed as usize % 20);
            let quasi = random(seed, n_values, len);
            let names = random(seed + 1000, 1 << 30, n_values as usize);
            let renamed: Vec<u32> = quasi.iter().map(|&code| names[code as usize]).collect();
            for (of_column, of_quasi) in
                [(false, false), (true, true), (false, true), (true, false)]
            {
                let found = leak(&grouped(&renamed, of_column), &grouped(&quasi, of_quasi));
                assert_eq!(found, Some(Restored::Value), "seed {seed}, {n_values} in {len}");
            }
        }
    }

    #[test]
    fn independent_columns_are_hardly_ever_flagged() {
        let mut flagged = 0;
        for seed in 0..1000 {
            let len = 20 + (seed as usize * 7) % 400;
            let column = random(seed, 1 + seed % 60, len);
            let quasi = random(seed + 5000, 1 + seed % 23, len);
            let (column, quasi) = (grouped(&column, seed % 2 == 0), grouped(&quasi, seed % 3 == 0));
            flagged += u32::from(column.gives_away(&quasi).is_some());
        }
        assert!(flagged < 10, "{flagged} of 1000");
    }

    #[test]
    fn unique_values_determine_nothing() {
        let quasi = random(3, 5, 500);
        let unique: Vec<u32> = random(4, u64::from(u32::MAX), 500);
        assert_eq!(leak(&grouped(&unique, false), &grouped(&quasi, false)), None);
        assert_eq!(leak(&grouped(&unique, true), &grouped(&quasi, true)), None);
    }

    #[test]
    fn one_dominant_value_is_not_predicted_by_anything() {
        let quasi: Vec<u32> = (0..1000).map(|row| u32::from(row % 100 == 0)).collect();
        let column = random(5, 4, 1000);
        assert_eq!(leak(&grouped(&column, false), &grouped(&quasi, false)), None);
    }

    #[test]
    fn a_group_of_ages_and_a_date_of_birth_are_found() {
        let ages: Vec<u32> = random(6, 70, 2000).iter().map(|age| age + 20).collect();
        let decades: Vec<u32> = ages.iter().map(|age| age / 10).collect();
        let thirds: Vec<u32> = ages.iter().map(|age| age / 25).collect();
        let births: Vec<u32> = ages
            .iter()
            .zip(random(7, 365, 2000))
            .map(|(age, day)| 40_000 - age * 365 - day)
            .collect();
        let quasi = grouped(&ages, true);
        assert_eq!(leak(&grouped(&decades, false), &quasi), Some(Restored::Range));
        assert_eq!(leak(&grouped(&thirds, false), &quasi), Some(Restored::Group));
        assert!(leak(&grouped(&births, true), &quasi).is_some());
        // Being of age tells little about an age.
        let halves: Vec<u32> = ages.iter().map(|age| age / 55).collect();
        assert_eq!(leak(&grouped(&halves, false), &quasi), None);
    }

    #[test]
    fn the_region_of_a_state_is_found() {
        let states = random(8, 50, 3000);
        let regions: Vec<u32> = states.iter().map(|state| state / 13).collect();
        let quasi = grouped(&states, false);
        assert_eq!(leak(&grouped(&regions, false), &quasi), Some(Restored::Group));
        assert_eq!(leak(&quasi, &grouped(&regions, false)), Some(Restored::Value));
    }

    #[test]
    fn missing_values_are_left_out() {
        let quasi = random(9, 9, 400);
        let mut column = grouped(&quasi, false).series;
        (0..400).step_by(3).for_each(|row| column.codes[row] = None);
        assert_eq!(leak(&Grouped::new(column), &grouped(&quasi, false)), Some(Restored::Value));
    }
}
