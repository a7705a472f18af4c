//! The results of a grid: rows, the best of them, and their output in several formats.

use serde::Serialize;

use super::lists::distinct;
use super::{Grid, Row, Verdict, Weights, front, page, plots, tidy};
use crate::Result;
use crate::chart::Svg;
use crate::io::Source;
use crate::job::Prepared;
use crate::report::File;

/// The results of all cells of a grid.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Comparison {
    /// Version of this format.
    pub schema: u32,
    /// Version of hedgerow.
    pub hedgerow: &'static str,
    /// The input.
    pub input: File,
    /// Number of records in it, without those that were dropped.
    pub records: u64,
    /// The quasi-identifiers.
    pub quasi: Vec<String>,
    /// Number of repetitions of each cell.
    pub repeat: u32,
    /// Weights that decide which cell is best.
    pub weights: Weights,
    /// The best cell for each set of models.
    pub verdicts: Vec<Verdict>,
    /// The cells, in the order of the grid.
    pub cells: Vec<Row>,
    /// Number of cells that were done before.
    #[serde(skip)]
    pub n_kept: usize,
}

impl Comparison {
    /// Version of the format of `cells.json` and `cells.csv`. It changes if a name or a meaning
    /// does.
    pub const SCHEMA: u32 = 1;

    pub(super) fn new(
        grid: &Grid,
        prepared: &Prepared,
        cells: Vec<Row>,
        n_kept: usize,
    ) -> Result<Self> {
        let source = prepared.source();
        Ok(Self {
            input: File::new(name_of(source, grid), source.sha256()?),
            records: prepared.table().cohorts().n_records(),
            quasi: grid.base.quasi.clone(),
            repeat: grid.repeat,
            n_kept,
            ..Self::of_rows(cells, grid.weights)
        })
    }

    /// Compares rows of runs that were made one by one. The input is not named.
    pub fn of_rows(mut cells: Vec<Row>, weights: Weights) -> Self {
        // Seconds have no natural upper bound, so the slowest cell of this grid counts as 1.
        let slowest = cells.iter().map(Row::search_seconds).fold(0.0, f64::max);
        for row in &mut cells {
            row.score = weights.of_row(row, slowest);
            // Score and mark depend on all rows of the grid, so they are never taken from a file.
            row.on_front = false;
        }
        // Cells with different models promise different things, so only cells of one set are
        // compared.
        let models: Vec<String> = distinct(cells.iter().map(|row| row.models.clone()));
        for models in &models {
            mark_front(cells.iter_mut().filter(|row| row.models == *models).collect());
        }
        let verdict = |models: &String| {
            let rows: Vec<&Row> = cells.iter().filter(|row| row.models == *models).collect();
            Verdict::on(models, &rows, &weights)
        };
        let verdicts = models.iter().map(verdict).collect();
        Self {
            schema: Self::SCHEMA,
            hedgerow: env!("CARGO_PKG_VERSION"),
            input: File::default(),
            records: 0,
            quasi: Vec::new(),
            repeat: 0,
            weights,
            verdicts,
            cells,
            n_kept: 0,
        }
    }

    /// Number of cells with figures.
    pub fn n_done(&self) -> usize {
        self.cells.iter().filter(|row| row.figures.is_some()).count()
    }

    /// A cell by its number.
    pub fn cell(&self, number: usize) -> Option<&Row> {
        self.cells.iter().find(|row| row.cell == number)
    }

    /// The reasons that cells are impossible, each with the names of its cells.
    pub fn reasons(&self) -> Vec<(&str, Vec<String>)> {
        let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
        for row in &self.cells {
            let Some(reason) = row.impossible.as_deref() else { continue };
            // Without the models: the same reason usually holds for all sets of them.
            let cell = format!("{}, k = {}", row.way(), row.k);
            // In the order of the grid; a method that fails at every k is one line, not twenty.
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, cells)) => cells.push(cell),
                None => reasons.push((reason, vec![cell])),
            }
        }
        reasons
    }

    /// The results as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The results as CSV: a row for each cell.
    pub fn csv(&self) -> String {
        tidy::csv(self)
    }

    /// The charts, with their file names without an ending.
    pub fn charts(&self) -> Vec<(String, Svg)> {
        plots::charts(self).into_iter().map(|chart| (chart.name, chart.drawn.svg())).collect()
    }

    /// The results as one page without scripts.
    pub fn page(&self, grid: &Grid) -> String {
        page::page(self, grid)
    }
}

/// Marks the cells that no other beats in both loss and average risk.
fn mark_front(rows: Vec<&mut Row>) {
    let (mut done, mut points) = (Vec::new(), Vec::new());
    for row in rows {
        // Impossible cells have no point, and stay off the front.
        let Some(figures) = &row.figures else { continue };
        points.push((figures.ntil(), figures.risk.average));
        done.push(row);
    }
    for (row, is_on) in done.into_iter().zip(front::front(&points)) {
        row.on_front = is_on;
    }
}

/// The name of the input without its folders.
fn name_of(source: &Source, grid: &Grid) -> String {
    let path =
        if grid.base.input.as_os_str().is_empty() { source.path() } else { &grid.base.input };
    match path.to_str() {
        // The path of the source would be that of a temporary copy.
        Some("-") => "standard input".to_owned(),
        _ => path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
    }
}
