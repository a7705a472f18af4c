//! Runs the cells of a grid on several threads.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::bar::{Bar, Share};
use super::folder::Begun;
use super::{Cell, Comparison, Figures, Folder, Grid, Repeat, Row};
use crate::anonymize;
use crate::io::Source;
use crate::job::{Job, Prepared};
use crate::method::Spec;
use crate::progress::{Progress, Silent, Stage, stop_if_cancelled};
use crate::report::Outcome;
use crate::{Error, Result};

/// A runner of the cells of a grid.
///
/// # Examples
///
/// ```
/// use hedgerow::compare::{Grid, Runner};
/// use hedgerow::io::Source;
/// use hedgerow::job::Job;
/// use hedgerow::progress::Silent;
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("people.csv");
/// std::fs::write(&path, "age,sex\n31,F\n32,F\n40,M\n41,M\n45,F\n").unwrap();
/// let base = Job { quasi: vec!["age".into(), "sex".into()], ..Job::default() };
/// let grid = Grid { k: "2..3".parse()?, ..Grid::new(base) };
/// let start = std::time::Instant::now();
/// let clock = || start.elapsed().as_secs_f64();
/// let runner = Runner { threads: 2, clock: &clock, progress: &Silent, folder: None };
/// let comparison = runner.run(&grid, Source::open(&path, None)?)?;
/// assert_eq!(comparison.cells.len(), 6);
/// println!("{}", comparison.verdicts[0].sentence);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Runner<'a> {
    /// Number of threads, which cells that run at the same time share; 0 means 1. The figures do
    /// not depend on it.
    pub threads: usize,
    /// Seconds since any moment. The library itself reads no clock.
    pub clock: &'a (dyn Fn() -> f64 + Sync),
    /// Receives how much of all runs is done, where each counts as a hundred units, and can stop the
    /// rest.
    pub progress: &'a dyn Progress,
    /// The folder that keeps results, so that a second run does only the missing cells.
    pub folder: Option<&'a Folder>,
}

/// Follows the cells of a grid one by one, and can cancel each.
pub trait Cells: Sync {
    /// Called before a cell is run. Returns the progress of the cell, which can stop it while the
    /// others go on, or `None` if the cell is not wanted any more.
    fn begin(&self, _cell: &Cell) -> Option<Box<dyn Progress + '_>> {
        Some(Box::new(Silent))
    }

    /// Called with the result of a cell that was begun. The row of a cancelled cell has no figures.
    fn end(&self, _cell: &Cell, _row: &Row, _is_cancelled: bool) {}
}

/// Follows no cell.
struct Unfollowed;

impl Cells for Unfollowed {}

/// A cell with the job of all its runs, and the name of its result.
struct Task<'a> {
    cell: &'a Cell,
    job: Job,
}

impl Runner<'_> {
    /// Runs every cell that the folder does not have, and compares all of them.
    ///
    /// The table is read once. Hierarchies, the population, and the risk of the original are
    /// computed once. The row of an impossible cell has the reason, and the others go on.
    ///
    /// # Errors
    ///
    /// Those of [`Grid::cells`] and of reading; [`Error::Cancelled`] if `progress` is cancelled,
    /// after the cells that are done were kept; and [`Error::File`] if the folder has another grid.
    pub fn run(&self, grid: &Grid, source: Source) -> Result<Comparison> {
        self.run_each(grid, source, &Unfollowed)
    }

    /// The same, and notifies `each` when a cell begins and ends.
    ///
    /// # Errors
    ///
    /// Those of [`Runner::run`].
    pub fn run_each(&self, grid: &Grid, source: Source, each: &dyn Cells) -> Result<Comparison> {
        let cells = grid.cells()?;
        // A folder of hierarchies that does not exist is a mistake, not an impossible cell.
        grid.hierarchies
            .iter()
            .try_for_each(|setting| setting.files(&grid.base.quasi).map(drop))?;
        let tasks: Vec<Task> =
            cells.iter().map(|cell| Task { cell, job: cell.job(&grid.base) }).collect();
        // The folder is checked before the table is read: its mistakes are cheaper to report.
        let begin = |folder: &Folder| folder.begin(grid, &cells, &source, self.progress);
        let begun = self.folder.map(begin).transpose()?;
        let kept = |task: &Task| begun.as_ref().and_then(|begun| begun.kept(task.cell));
        let mut rows: Vec<Option<Row>> = tasks.iter().map(kept).collect();
        let n_kept = rows.iter().flatten().count();
        // All jobs, also those that are done: together they determine the columns and hierarchies
        // to read.
        let jobs: Vec<Job> = tasks.iter().map(|task| task.job.clone()).collect();
        let prepared = Prepared::read(&jobs, source, self.progress)?;
        // Nothing is written until the table could be read.
        begun.as_ref().map_or(Ok(()), Begun::create)?;
        let todo: Vec<usize> = (0..tasks.len()).filter(|&place| rows[place].is_none()).collect();
        let begun = begun.as_ref();
        let work = Work { runner: self, grid, prepared: &prepared, begun, each };
        for (place, row) in work.run(&tasks, &todo)? {
            rows[place] = Some(row);
        }
        let rows: Vec<Row> = rows.into_iter().flatten().collect();
        Comparison::new(grid, &prepared, rows, n_kept)
    }
}

/// The data that all threads share.
struct Work<'a> {
    runner: &'a Runner<'a>,
    grid: &'a Grid,
    prepared: &'a Prepared,
    begun: Option<&'a Begun>,
    each: &'a dyn Cells,
}

/// The tasks that threads take one by one, and their results.
#[derive(Default)]
struct Queue<'a> {
    /// The places of the tasks that are to be run.
    todo: &'a [usize],
    /// Number of threads of each task.
    threads: usize,
    next: AtomicUsize,
    done: Mutex<Vec<(usize, Row)>>,
    /// The first error.
    failed: Mutex<Option<Error>>,
}

impl Work<'_> {
    /// Runs the tasks at some places and returns their rows.
    fn run(&self, tasks: &[Task<'_>], todo: &[usize]) -> Result<Vec<(usize, Row)>> {
        let n_workers = self.runner.threads.clamp(1, todo.len().max(1));
        // Cells that run at the same time share the threads; a method may use several.
        let threads = (self.runner.threads / n_workers).max(1);
        let queue = Queue { todo, threads, ..Queue::default() };
        // Each cell runs once, and for each repetition once with a seed and once on a sample.
        let n_runs = 1 + 2 * u64::from(self.grid.repeat);
        let bar = Bar::begin(self.runner.progress, todo.len() as u64, n_runs);
        std::thread::scope(|scope| {
            for _ in 0..n_workers {
                scope.spawn(|| self.run_next(tasks, &queue, &bar));
            }
        });
        match queue.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(queue.done.into_inner().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    /// Runs one task after the other until none is left or one fails.
    fn run_next(&self, tasks: &[Task<'_>], queue: &Queue<'_>, bar: &Bar<'_>) {
        loop {
            let next = queue.next.fetch_add(1, Ordering::Relaxed);
            let Some(&place) = queue.todo.get(next) else { return };
            let share = bar.share();
            let done = self.cell(&tasks[place], queue.threads, &share);
            share.finish();
            match done {
                Ok(row) => lock(&queue.done).push((place, row)),
                Err(error) => {
                    // The other threads stop after their current cell.
                    queue.next.store(queue.todo.len(), Ordering::Relaxed);
                    lock(&queue.failed).get_or_insert(error);
                    return;
                }
            }
        }
    }

    /// Runs a cell with all its repetitions, and keeps its row.
    fn cell(&self, task: &Task<'_>, threads: usize, share: &Share<'_>) -> Result<Row> {
        self.runner.progress.trying(&task.cell.name());
        let mut row = Row::of(task.cell);
        let Some(own) = self.each.begin(task.cell) else {
            row.impossible = Some(Error::Cancelled.to_string());
            return Ok(row);
        };
        let task = &Task { cell: task.cell, job: Job { threads, ..task.job.clone() } };
        let turn = Turn { runner: self.runner, own: &*own, share };
        let done = self.figures(task, &mut row, &turn);
        // A cancelled search may still return its best so far, which is not the result of the cell.
        stop_if_cancelled(self.runner.progress)?;
        let is_cancelled = own.cancelled() || matches!(done, Err(Error::Cancelled));
        if is_cancelled {
            row = Row { impossible: Some(Error::Cancelled.to_string()), ..Row::of(task.cell) };
        } else {
            // The failure of one cell is a result; only cancelling ends the comparison.
            row.impossible = done.err().map(|error| error.to_string());
            self.begun.map_or(Ok(()), |begun| begun.keep(task.cell, &row))?;
        }
        self.each.end(task.cell, &row, is_cancelled);
        Ok(row)
    }

    fn figures(&self, task: &Task<'_>, row: &mut Row, own: &Turn<'_>) -> Result<()> {
        let watch = Watch::new(own);
        let Task { cell, job } = task;
        let basis = self.prepared.basis();
        // Before the first stage, so that building shared hierarchies slows no single cell.
        let resolved = cell.hierarchies.resolve(basis, &job.hierarchy, cell.k)?;
        row.notes = resolved.notes;
        let mut job = job.clone();
        // Edits are for one hierarchy, which their script names, so other ones are not tried.
        let is_open = |(name, _): &(String, Spec)| !job.edits.contains_key(name);
        let open: Vec<(String, Spec)> = resolved.hierarchy.into_iter().filter(is_open).collect();
        job.hierarchy.extend(open);
        let outcome = self.prepared.run(&job, &watch);
        // Before the error is returned, because the seconds of a failed cell are informative too.
        row.seconds = watch.seconds();
        drop(watch);
        let outcome = outcome?;
        row.figures = Figures::of(&outcome);
        if row.figures.is_none() {
            return Err(Error::invalid("the release has no record whose risk could be assessed"));
        }
        let n = u64::from(self.grid.repeat);
        // Without a random choice all repetitions would be equal, and seem to confirm each other.
        if n > 0 && uses_seed(&outcome) {
            let run = |turn| {
                let job = Job { seed: job.seed.wrapping_add(turn), ..job.clone() };
                self.prepared.run(&job, &Watch::new(own))
            };
            row.seeds = Some(repeats(n, run)?);
        }
        if n > 0 {
            let run = |turn| {
                let seed = job.seed.wrapping_add(turn);
                // The same seeds for all cells, so that cells of the same models get the same
                // samples.
                self.prepared.run_on_sample(&job, seed, &Watch::new(own))
            };
            row.samples = Some(repeats(n, run)?);
        }
        Ok(())
    }
}

/// Runs a cell again `n` times. A repetition that is impossible has no figures.
fn repeats(n: u64, run: impl Fn(u64) -> Result<Outcome>) -> Result<Vec<Option<Repeat>>> {
    let once = |turn| match run(turn) {
        Err(Error::Cancelled) => Err(Error::Cancelled),
        // A repetition may fail on a sample that lacks a value; the others still count.
        done => Ok(done.ok().and_then(|outcome| Some(Figures::of(&outcome)?.repeat()))),
    };
    (1..=n).map(once).collect()
}

/// Whether another seed could give other figures: trials of `auto` are on random samples, and some
/// methods search at random.
fn uses_seed(outcome: &Outcome) -> bool {
    let method = outcome.method.parse().and_then(|spec| anonymize::from_spec(&spec));
    outcome.choosing.is_some() || method.is_ok_and(|method| method.is_seeded())
}

/// The turn of a cell.
struct Turn<'a> {
    runner: &'a Runner<'a>,
    /// Follows the cell alone.
    own: &'a dyn Progress,
    share: &'a Share<'a>,
}

/// Measures the stages of one run, and advances the share of its cell.
struct Watch<'a> {
    turn: &'a Turn<'a>,
    /// Its number among the runs of the cell.
    run: u64,
    stages: Mutex<Vec<(Stage, f64)>>,
}

impl<'a> Watch<'a> {
    fn new(turn: &'a Turn<'a>) -> Self {
        Self { turn, run: turn.share.begin(), stages: Mutex::default() }
    }

    /// Seconds of each stage and of all together. A stage ends when the next one begins.
    fn seconds(&self) -> BTreeMap<String, f64> {
        let end = (self.turn.runner.clock)();
        let stages = lock(&self.stages);
        // A stage can occur several times, for example if `auto` tries methods; its seconds add up.
        let ends = stages.iter().skip(1).map(|(_, start)| *start).chain([end]);
        let mut seconds: BTreeMap<String, f64> = BTreeMap::new();
        for ((stage, start), end) in stages.iter().zip(ends) {
            *seconds.entry(stage.name().to_owned()).or_default() += end - start;
        }
        let total = seconds.values().sum();
        seconds.insert("total".to_owned(), total);
        seconds
    }
}

impl Drop for Watch<'_> {
    /// The run is over, whether it has figures or not.
    fn drop(&mut self) {
        self.turn.share.end(self.run);
    }
}

impl Progress for Watch<'_> {
    fn stage(&self, stage: Stage) {
        let now = (self.turn.runner.clock)();
        lock(&self.stages).push((stage, now));
        self.turn.own.stage(stage);
        self.turn.share.advance(self.run, stage, [0, 0]);
    }

    fn trying(&self, method: &str) {
        self.turn.own.trying(method);
    }

    fn advance(&self, done: u64, total: u64) {
        self.turn.own.advance(done, total);
        let stage = lock(&self.stages).last().map(|(stage, _)| *stage);
        if let Some(stage) = stage {
            self.turn.share.advance(self.run, stage, [done, total]);
        }
    }

    fn cancelled(&self) -> bool {
        self.turn.own.cancelled() || self.turn.runner.progress.cancelled()
    }

    fn out_of_time(&self) -> bool {
        self.turn.runner.progress.out_of_time()
    }

    fn has_time_limit(&self) -> bool {
        self.turn.runner.progress.has_time_limit()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
