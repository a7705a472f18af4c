//! The information about a quasi-identifier that another column restores.
//!
//! Everything is predicted from *other* records only (leave one out), and only for records that
//! share their value with another one. So a column of unique values does not determine anything
//! trivially, a quasi-identifier with one dominant value is not predicted by it, and small groups
//! do not agree by chance.

use serde::Serialize;

use super::exact::{self, EXACT};
use super::series::{Groups, Series};

/// The part of a quasi-identifier that a column restores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Restored {
    /// The value itself: `education` reveals `education-num`.
    Value,
    /// The value up to a narrow range: a year of birth reveals an age.
    Range,
    /// The value itself, in part of the records: a date of death that is often the date of the last
    /// visit.
    Exactly,
    /// The group of the value: an age group. Or most of the information about it: a rate that few
    /// villages share.
    Group,
}

/// The information about a quasi-identifier that a column reveals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Leak {
    pub(crate) restored: Restored,
    /// The share of the unknown information that the column reveals, from 0 to 1.
    pub(crate) share: f64,
}

/// The least share of wrong guesses that knowing the column must correct.
pub(super) const VALUE: f64 = 0.9;
/// The least share of the variance of ranks that the column must explain.
pub(super) const RANGE: f64 = 0.9;
/// The same for a column that is a coarser version of the quasi-identifier.
const GROUPED_RANGE: f64 = 0.6;
/// The least share of a quasi-identifier's entropy that a coarser version must have.
const GROUPED_VALUE: f64 = 0.2;
/// The same for numbers, which may be codes.
const GROUPED_CODES: f64 = 0.5;
/// The least share of a quasi-identifier's entropy that any other column must remove.
const INFORMED: f64 = 0.5;
/// The least share of a quasi-identifier's entropy that a kept column removes to narrow it.
const NARROWED: f64 = 0.1;
/// The least accuracy with which a quasi-identifier predicts a coarser version of itself.
pub(super) const COARSER: f64 = 0.95;

/// A column with its groups.
pub(crate) struct Grouped {
    pub(super) series: Series,
    groups: Groups,
    neighbours: Option<Groups>,
}

impl Grouped {
    pub(crate) fn new(series: Series) -> Self {
        let (groups, neighbours) = (series.groups(), series.neighbours());
        Self { series, groups, neighbours }
    }

    /// Returns the better result of the groups of equal and of neighbouring values.
    pub(super) fn best(&self, measure: impl Fn(&Groups) -> f64) -> f64 {
        let neighbours = self.neighbours.as_ref().map_or(0.0, &measure);
        measure(&self.groups).max(neighbours)
    }

    /// Number of records in which this column is compared with a quasi-identifier: those that share
    /// their value, or all if neighbouring values are compared.
    pub(crate) fn n_compared(&self, quasi: &Self) -> u64 {
        let groups = self.neighbours.as_ref().unwrap_or(&self.groups);
        groups.n_sharing(&quasi.series)
    }

    /// Returns the information about a quasi-identifier that this column reveals, or `None` if that
    /// is little.
    pub(crate) fn gives_away(&self, quasi: &Self) -> Option<Leak> {
        let share = self.best(|groups| groups.predicts(&quasi.series));
        if share >= VALUE {
            return Some(Leak { restored: Restored::Value, share });
        }
        let is_scale = quasi.series.is_ordered() && quasi.series.n_codes > 2;
        let explained = if is_scale {
            let explained = self.best(|groups| groups.explains(&quasi.series));
            explained.max(self.series.agrees(&quasi.series))
        } else {
            0.0
        };
        if explained >= RANGE {
            return Some(Leak { restored: Restored::Range, share: explained });
        }
        // Tested after the range, which concerns all records and not a part of them.
        let exact = exact::share_of_one(&self.series, &quasi.series);
        if exact >= EXACT {
            return Some(Leak { restored: Restored::Exactly, share: exact });
        }
        // Words have no variance: a coarser version is measured by the information that it keeps.
        // Numbers can be codes, too: the size of a class can identify one of many classes.
        let kept = self.series.entropy() / quasi.series.entropy().max(f64::MIN_POSITIVE);
        let share = explained.max(kept);
        let least = if is_scale { GROUPED_CODES } else { GROUPED_VALUE };
        let is_much = explained >= GROUPED_RANGE || kept >= least;
        let is_coarser = self.series.n_codes > 2
            && is_much
            && quasi.best(|groups| groups.predicts(&self.series)) >= COARSER;
        if is_coarser {
            return Some(Leak { restored: Restored::Group, share: share.min(1.0) });
        }
        let share = self.informs(quasi);
        let is_much = self.series.n_codes > 2 && share >= INFORMED;
        is_much.then_some(Leak { restored: Restored::Group, share })
    }

    /// Whether the order of this column's values is that of a quasi-identifier, so that a value
    /// reveals it even if no other record has that value: a date of birth and its year.
    pub(crate) fn orders(&self, quasi: &Self) -> bool {
        self.series.orders(&quasi.series)
    }

    /// The share of a quasi-identifier's entropy that this column removes.
    pub(crate) fn informs(&self, quasi: &Self) -> f64 {
        self.groups.informs(&quasi.series)
    }

    /// Whether this column leaves fewer values of a quasi-identifier than are published, even if it
    /// does not reveal it.
    pub(crate) fn narrows(&self, quasi: &Self) -> bool {
        self.series.n_codes > 1 && self.informs(quasi) >= NARROWED
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
        let numbers =
            if is_ordered { distinct.iter().map(|&n| f64::from(n)).collect() } else { vec![] };
        Grouped::new(Series { codes, n_codes, numbers })
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
    fn a_few_pairs_of_equal_values_are_not_evidence() {
        // Eight pairs of twins among 700 people have the same salary and the same year of birth.
        let salaries: Vec<u32> = (0..700).map(|row| if row < 16 { row / 2 } else { row }).collect();
        let salaries: Vec<u32> =
            salaries.iter().map(|&person| random(u64::from(person), 1 << 30, 9)[8]).collect();
        let years: Vec<u32> = (0..700u32)
            .map(|row| random(u64::from(if row < 16 { row / 2 } else { row }) + 900, 40, 9)[8])
            .collect();
        assert_eq!(leak(&grouped(&salaries, true), &grouped(&years, true)), None);
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
        // Being of age reveals little about an age.
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
    fn the_size_of_a_class_tells_which_of_many_classes_it_is() {
        let classes = random(11, 120, 3000);
        let size_of = random(12, 30, 120);
        let sizes: Vec<u32> = classes.iter().map(|&class| size_of[class as usize]).collect();
        let quasi = grouped(&classes, true);
        assert_eq!(leak(&grouped(&sizes, true), &quasi), Some(Restored::Group));
    }

    #[test]
    fn a_column_that_leaves_few_values_is_found_although_neither_determines_the_other() {
        let villages = random(13, 40, 1500);
        // Two rates for each village, each of which two or three other villages have, too.
        let rates: Vec<u32> = (villages.iter().zip(random(14, 2, 1500)))
            .map(|(village, half)| (village * 7 + half * 11) % 30)
            .collect();
        let quasi = grouped(&villages, false);
        let column = grouped(&rates, true);
        assert_eq!(leak(&column, &quasi), Some(Restored::Group));
        assert!(column.narrows(&quasi));
        let coin = grouped(&random(15, 2, 1500), false);
        assert!(leak(&coin, &quasi).is_none() && !coin.narrows(&quasi));
    }

    #[test]
    fn a_threshold_narrows_a_number() {
        let nodes = random(16, 20, 1500);
        let many: Vec<u32> = nodes.iter().map(|&nodes| u32::from(nodes > 4)).collect();
        let (quasi, column) = (grouped(&nodes, true), grouped(&many, true));
        assert!(column.narrows(&quasi) && leak(&column, &quasi).is_none());
    }

    #[test]
    fn a_column_that_is_the_same_in_part_of_the_records_is_found() {
        let days = random(17, 3000, 600);
        let later = random(18, 900, 600);
        let ends: Vec<u32> = (days.iter().zip(later).zip(random(19, 10, 600)))
            .map(|((day, later), lot)| if lot < 6 { *day } else { day + 400 + later })
            .collect();
        let found = leak(&grouped(&ends, true), &grouped(&days, true));
        assert!(matches!(found, Some(Restored::Exactly | Restored::Range)), "{found:?}");
    }

    #[test]
    fn a_date_orders_its_year_and_a_random_number_does_not() {
        let days = random(21, 20_000, 200);
        let years: Vec<u32> = days.iter().map(|day| day / 365).collect();
        let (years, days) = (grouped(&years, true), grouped(&days, true));
        assert!(days.orders(&years) && !grouped(&random(22, 20_000, 200), true).orders(&years));
    }

    #[test]
    fn missing_values_are_left_out() {
        let quasi = random(9, 9, 400);
        let mut column = grouped(&quasi, false).series;
        (0..400).step_by(3).for_each(|row| column.codes[row] = None);
        assert_eq!(leak(&Grouped::new(column), &grouped(&quasi, false)), Some(Restored::Value));
    }
}
