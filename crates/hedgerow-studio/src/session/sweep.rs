//! A sweep: the cells of a grid, which share the table, each a run of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use hedgerow::compare::{Cell, Cells, Grid, Row, Runner};
use hedgerow::io::Source;
use hedgerow::progress::{Progress, Stage};

use super::opened::Stamp;
use super::runs::{Ended, begin, end, failed, panicked};
use super::{RunState, Watcher};
use crate::fault::Fault;
use crate::studio::Studio;

/// Runs the cells of a grid. Each begins, ends and is cancelled by itself.
pub(super) fn sweep(studio: &Studio, grid: &Grid, ids: &[u64]) {
    let start = Instant::now();
    let clock = || start.elapsed().as_secs_f64();
    let flags = {
        let session = studio.session();
        let ours = session.runs.iter().filter(|run| ids.contains(&run.id));
        ours.map(|run| Arc::clone(&run.is_cancelled)).collect()
    };
    let reading = Watcher::new(studio, "sweep");
    // Taken before the table is opened, which all cells share.
    let stamp = Stamp::of(&grid.base.input);
    let sweeping = Sweeping { studio, ids, flags, stamp, reading };
    let work = || -> hedgerow::Result<()> {
        let source = Source::open_with(&grid.base.input, &grid.base.opening()?)?;
        let threads = studio.run_threads();
        let runner = Runner { threads, clock: &clock, progress: &sweeping, folder: None };
        runner.run_each(grid, source, &sweeping).map(drop)
    };
    let left = || sweeping.unfinished();
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            left().into_iter().for_each(|id| end(studio, id, failed(&error, None)));
        }
        Err(_) => left().into_iter().for_each(|id| end(studio, id, panicked())),
    }
    sweeping.reading.end();
}

/// The runs of a sweep while its cells are run.
struct Sweeping<'a> {
    studio: &'a Studio,
    /// The runs, in the order of the cells.
    ids: &'a [u64],
    /// For each run, whether it is cancelled.
    flags: Vec<Arc<AtomicBool>>,
    /// The table that all cells read.
    stamp: Option<Stamp>,
    /// Follows the work that all cells share: reading the table.
    reading: Watcher<'a>,
}

impl Sweeping<'_> {
    fn id(&self, cell: &Cell) -> Option<u64> {
        self.ids.get(cell.number.checked_sub(1)?).copied()
    }

    /// The runs that have not ended.
    fn unfinished(&self) -> Vec<u64> {
        let session = self.studio.session();
        let is_open = |id: &&u64| {
            let run = session.runs.iter().find(|run| run.id == **id);
            run.is_some_and(|run| matches!(run.state, RunState::Queued | RunState::Running))
        };
        self.ids.iter().filter(is_open).copied().collect()
    }
}

impl Cells for Sweeping<'_> {
    fn begin(&self, cell: &Cell) -> Option<Box<dyn Progress + '_>> {
        let id = self.id(cell)?;
        let (_, is_cancelled) = begin(self.studio, id, |_| self.stamp)?;
        Some(Box::new(Watcher::of_run(self.studio, "run", Some(id), is_cancelled)))
    }

    fn end(&self, cell: &Cell, row: &Row, is_cancelled: bool) {
        let Some(id) = self.id(cell) else { return };
        let problem = row
            .impossible
            .clone()
            .filter(|_| !is_cancelled)
            .map(|reason| Fault::refused(422, "unreachable", reason).refusal().problem);
        let figures = row.figures.clone().filter(|_| !is_cancelled);
        end(self.studio, id, Ended { figures, detail: None, problem, is_cancelled });
    }
}

/// Progress of the work that all cells share. It is cancelled once no cell is wanted.
impl Progress for Sweeping<'_> {
    fn stage(&self, stage: Stage) {
        self.reading.stage(stage);
    }

    fn advance(&self, done: u64, total: u64) {
        self.reading.advance(done, total);
    }

    fn cancelled(&self) -> bool {
        // Asked at every step of a search, so without a lock.
        self.reading.cancelled() || self.flags.iter().all(|flag| flag.load(Ordering::Relaxed))
    }
}
