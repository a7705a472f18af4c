//! The records that combinations are tried on.

use crate::problem::Problem;
use crate::table::Cohort;

/// Minimum number of records of a sample, and minimum number of smallest classes that fit into it.
/// Smaller samples are not informative.
const FEWEST_RECORDS: u64 = 400;
const FEWEST_CLASSES: u64 = 50;

/// The work for a distinct record that is private as it is, in relation to any other.
const PRIVATE: f64 = 0.1;

/// The least `k` of a sample.
const LEAST_K: u64 = 2;

/// The greatest `k` of a sample, relative to the same share of the table's `k` as the sample has of
/// its records, up to which losses of the sample are like those of the table.
const ALIKE: f64 = 1.25;

/// Some or all records of a problem.
///
/// Records of a sample are farther apart than those of the table, so that the same `k` would need
/// wider classes. A part of the records therefore gets that part of `k`, as far as possible.
#[derive(Debug)]
pub(super) struct Sample {
    pub(super) problem: Problem,
    /// Whether these are all records.
    pub(super) is_all: bool,
    /// Whether methods are run as drafts.
    pub(super) is_draft: bool,
    /// The `k` of the sample in relation to that of the table.
    pub(super) part_of_k: f64,
    /// Whether classes are about as wide as those of the table.
    pub(super) is_alike: bool,
}

impl Sample {
    /// All records, for methods as they are.
    pub(super) fn all(problem: &Problem) -> Self {
        let problem = problem.clone();
        Self { problem, is_all: true, is_draft: false, part_of_k: 1.0, is_alike: true }
    }

    /// Some records, for drafts.
    fn of(problem: &Problem, drawn: &[(Cohort, u64)], n_sampled: u64) -> Self {
        let share = n_sampled as f64 / problem.cohorts().n_records() as f64;
        let k = problem.least_size();
        let wanted = ((k as f64 * share).round() as u64).max(LEAST_K).min(k);
        let part = part(problem, drawn, n_sampled);
        let (problem, wanted) = part.with_k(wanted).map_or((part, k), |thin| (thin, wanted));
        let part_of_k = wanted as f64 / k as f64;
        let is_alike = part_of_k <= ALIKE * share;
        Self { problem, is_all: false, is_draft: true, part_of_k, is_alike }
    }

    /// Draws a sample that takes about this much work, and has at least [`fewest`] records.
    pub(super) fn draw(problem: &Problem, work: f64) -> Self {
        let n_records = problem.cohorts().n_records();
        let fewest = fewest(problem).min(n_records);
        let per_record = effort(problem, &problem.cohorts().counts) / n_records as f64;
        let mut wanted = ((work / per_record) as u64).clamp(fewest, n_records);
        loop {
            if wanted == n_records {
                return Self { is_draft: true, ..Self::all(problem) };
            }
            let drawn = problem.table().draw(wanted, problem.seed());
            let counts: Vec<u64> = drawn.iter().map(|&(_, count)| count).collect();
            // A part of the records has more than that part of the distinct ones.
            if effort(problem, &counts) <= 1.1 * work || wanted == fewest {
                return Self::of(problem, &drawn, wanted);
            }
            wanted = (wanted * 4 / 5).max(fewest);
        }
    }

    pub(super) fn n_records(&self) -> u64 {
        self.problem.cohorts().n_records()
    }
}

/// The work that a search takes for distinct records with these counts.
pub(super) fn effort(problem: &Problem, counts: &[u64]) -> f64 {
    let least = problem.least_size();
    counts.iter().map(|&count| if count < least { 1.0 } else { PRIVATE }).sum()
}

/// Minimum number of records of a sample.
pub(super) fn fewest(problem: &Problem) -> u64 {
    problem.least_size().saturating_mul(FEWEST_CLASSES).max(FEWEST_RECORDS)
}

/// Restricts a problem to the drawn records. They may suppress the same share of records as the
/// whole table.
fn part(problem: &Problem, drawn: &[(Cohort, u64)], n_sampled: u64) -> Problem {
    let table = problem.table().with_rows(drawn.iter().copied());
    let cohorts: Vec<Cohort> = drawn.iter().map(|&(cohort, _)| cohort).collect();
    // 128 bits, because the product of two counts can exceed 64.
    let n_records = u128::from(problem.cohorts().n_records());
    let share = u128::from(problem.most_suppressed()) * u128::from(n_sampled) / n_records;
    problem.part(&table, &cohorts, share as u64)
}
