//! `compare`: runs every combination of a grid, and says which is best.

use std::path::PathBuf;
use std::time::Instant;

use hedgerow::Result;
use hedgerow::compare::{Folder, Grid, Models, Runner, Setting};
use pyo3::prelude::*;

use crate::arguments::job;
use crate::errors::raised;
use crate::opened::opened;
use crate::running::run;

/// The settings that are compared, as texts of the command line.
#[derive(FromPyObject)]
pub(crate) struct Choices {
    #[pyo3(item)]
    k: Option<String>,
    #[pyo3(item)]
    methods: Vec<String>,
    #[pyo3(item)]
    models: Vec<String>,
    #[pyo3(item)]
    settings: Vec<String>,
    #[pyo3(item)]
    repeat: u32,
    #[pyo3(item)]
    weights: Option<String>,
    #[pyo3(item)]
    folder: Option<PathBuf>,
    #[pyo3(item)]
    force: bool,
}

/// Compares, and returns the comparison as JSON, as CSV and as a page. With a folder, results are
/// written there, and cells that are done are not run again.
#[pyfunction]
#[pyo3(signature = (table, choices, options, listener=None))]
pub(crate) fn compare(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    choices: Choices,
    options: &str,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, String, String)> {
    let force = choices.force;
    let grid = choices.grid(Grid::new(job(py, options)?)).map_err(|error| raised(py, &error))?;
    // Before any file is read, so that a mistake in a range costs nothing.
    grid.cells().map_err(|error| raised(py, &error))?;
    let source = opened(table, &grid.base)?;
    run(py, listener, |progress| {
        let start = Instant::now();
        let clock = || start.elapsed().as_secs_f64();
        let folder = match &grid.output {
            Some(path) => Some(Folder::open(path, force, &grid.inputs())?),
            None => None,
        };
        let folder = folder.as_ref();
        let runner = Runner { threads: grid.base.threads, clock: &clock, progress, folder };
        let comparison = runner.run(&grid, source)?;
        folder.map_or(Ok(()), |folder| folder.write(&grid, &comparison))?;
        Ok((comparison.json(), comparison.csv(), comparison.page(&grid)))
    })
}

impl Choices {
    fn grid(self, usual: Grid) -> Result<Grid> {
        let mut grid = Grid { repeat: self.repeat, output: self.folder, ..usual };
        if let Some(k) = self.k {
            grid.k = k.parse()?;
        }
        if !self.methods.is_empty() {
            grid.methods = self.methods.iter().map(|name| name.parse()).collect::<Result<_>>()?;
        }
        if !self.models.is_empty() {
            let models = self.models.iter().map(|text| text.parse::<Models>());
            grid.models = models.collect::<Result<_>>()?;
        }
        if !self.settings.is_empty() {
            let settings = self.settings.iter().map(|text| text.parse::<Setting>());
            grid.hierarchies = settings.collect::<Result<_>>()?;
        }
        if let Some(weights) = self.weights {
            grid.weights = weights.parse()?;
        }
        Ok(grid)
    }
}
