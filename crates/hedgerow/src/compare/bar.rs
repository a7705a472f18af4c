//! The progress of a grid: every run of a cell counts as a hundred parts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::progress::{Progress, Stage};

/// Number of parts of a run.
const PARTS: u64 = 100;

/// The progress of all cells.
pub(super) struct Bar<'a> {
    progress: &'a dyn Progress,
    /// Number of runs of each cell.
    n_runs: u64,
    /// Number of parts of all cells.
    total: u64,
    done: Mutex<u64>,
}

impl<'a> Bar<'a> {
    /// Begins the bar of a number of cells.
    pub(super) fn begin(progress: &'a dyn Progress, n_cells: u64, n_runs: u64) -> Self {
        let total = n_cells * n_runs * PARTS;
        progress.stage(Stage::Compare);
        progress.advance(0, total);
        Self { progress, n_runs, total, done: Mutex::default() }
    }

    /// The share of a cell.
    pub(super) fn share(&self) -> Share<'_> {
        Share { bar: self, n_begun: AtomicU64::new(0), filled: AtomicU64::new(0) }
    }

    fn add(&self, parts: u64) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        *done += parts;
        // Reported while locked, so that no thread reports an older number after a newer one.
        self.progress.advance(*done, self.total);
    }
}

/// The share of a cell in the bar.
pub(super) struct Share<'a> {
    bar: &'a Bar<'a>,
    n_begun: AtomicU64,
    /// Number of its parts that are done.
    filled: AtomicU64,
}

impl Share<'_> {
    /// Begins a run, and returns its number.
    pub(super) fn begin(&self) -> u64 {
        self.n_begun.fetch_add(1, Ordering::Relaxed)
    }

    /// A run has done `done` of `total` units of a stage.
    pub(super) fn advance(&self, run: u64, stage: Stage, [done, total]: [u64; 2]) {
        // Choosing and searching take most of the time of most runs.
        let (start, end) = match stage {
            Stage::Read | Stage::Hierarchies => (0, 30),
            Stage::Search => (30, 90),
            _ => (90, PARTS),
        };
        let share = (end - start) as f64 * done.min(total) as f64 / total.max(1) as f64;
        self.fill(run * PARTS + start + share as u64);
    }

    /// A run is done.
    pub(super) fn end(&self, run: u64) {
        self.fill((run + 1) * PARTS);
    }

    /// The cell is done, perhaps with fewer runs than others.
    pub(super) fn finish(&self) {
        self.fill(self.bar.n_runs * PARTS);
    }

    /// A stage can begin again, for example if `auto` tries methods; the bar does not go back then.
    fn fill(&self, parts: u64) {
        let before = self.filled.fetch_max(parts, Ordering::Relaxed);
        if parts > before {
            self.bar.add(parts - before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps the numbers that it is told.
    #[derive(Default)]
    struct Told(Mutex<Vec<[u64; 2]>>);

    impl Progress for Told {
        fn advance(&self, done: u64, total: u64) {
            self.0.lock().unwrap().push([done, total]);
        }
    }

    #[test]
    fn a_run_fills_its_share_step_by_step() {
        let told = Told::default();
        let bar = Bar::begin(&told, 2, 3);
        let share = bar.share();
        let run = share.begin();
        share.advance(run, Stage::Hierarchies, [0, 0]);
        share.advance(run, Stage::Search, [1, 2]);
        // A second trial of a method.
        share.advance(run, Stage::Search, [0, 2]);
        share.advance(run, Stage::Verify, [0, 0]);
        share.end(run);
        let second = share.begin();
        share.advance(second, Stage::Search, [5, 2]);
        // The third run is not made.
        share.finish();
        bar.share().finish();
        let told = told.0.into_inner().unwrap();
        assert_eq!(
            told.iter().map(|[done, _]| *done).collect::<Vec<_>>(),
            [0, 60, 90, 100, 190, 300, 600]
        );
        assert!(told.iter().all(|[_, total]| *total == 600));
    }
}
