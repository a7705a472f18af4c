//! `apply`: the rules of a release on the next table.

use std::sync::Arc;

use hedgerow::apply::{InMemory, Request, run_in_memory};
use hedgerow::recipe::{Policy, Recipe};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3_arrow::input::AnyRecordBatch;

use crate::anonymize::told;
use crate::arguments::{job, json};
use crate::errors::raised;
use crate::frame::ArrowFrame;
use crate::published::{self, Shown};
use crate::running::{bug, run};
use crate::table::ArrowTable;

/// A release of the next table, in memory.
#[pyclass(module = "hedgerow._hedgerow", frozen)]
pub(crate) struct NativeApplied {
    frame: Arc<ArrowFrame>,
    found: InMemory,
}

/// Applies a recipe to a table in memory. `unseen` and `repair` are the texts of the command line.
#[pyfunction]
#[pyo3(signature = (table, recipe, policy, options, listener=None))]
pub(crate) fn apply(
    py: Python<'_>,
    table: AnyRecordBatch,
    recipe: &str,
    policy: (Option<String>, Option<String>),
    options: &str,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<NativeApplied> {
    let job = job(py, options)?;
    let policy = policy_of(policy).map_err(|error| raised(py, &error))?;
    let recipe = Recipe::from_text(recipe).map_err(|error| raised(py, &error))?;
    let frame = Arc::new(ArrowFrame::of(table)?);
    let request = Request {
        policy,
        keep: job.keep,
        drop: job.drop,
        hierarchy: job.hierarchy,
        drop_suppressed: job.drop_suppressed,
        keep_order: job.keep_order,
        seed: job.seed,
        threads: job.threads,
        ..Request::default()
    };
    let found = run(py, listener, |progress| {
        run_in_memory(&request, &recipe, || frame.opened(), progress)
    })?;
    Ok(NativeApplied { frame, found })
}

fn policy_of((unseen, repair): (Option<String>, Option<String>)) -> hedgerow::Result<Policy> {
    let mut policy = Policy::default();
    if let Some(unseen) = unseen {
        policy.unseen = unseen.parse()?;
    }
    if let Some(repair) = repair {
        policy.repair = repair.parse()?;
    }
    Ok(policy)
}

impl NativeApplied {
    fn shown(&self) -> Shown<'_> {
        Shown { frame: &self.frame, schema: &self.found.schema, placed: &self.found.placed }
    }
}

#[pymethods]
impl NativeApplied {
    /// The figures as JSON.
    fn outcome(&self) -> PyResult<String> {
        json(&self.found.outcome)
    }

    /// The warnings.
    fn warnings(&self) -> Vec<String> {
        told(&self.found.outcome.warnings)
    }

    /// The published columns in their order: the name, and the index in the table if the column is
    /// unchanged.
    fn columns(&self) -> Vec<(String, Option<usize>)> {
        self.shown().columns()
    }

    /// The row of the table that each published row comes from, as bytes of 64-bit integers.
    fn rows<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.shown().rows())
    }

    /// The distinct labels of a published column, the code of each row as bytes of 32-bit integers,
    /// and whether the labels are numbers.
    fn labels<'py>(
        &self,
        py: Python<'py>,
        column: usize,
    ) -> PyResult<(Vec<String>, Bound<'py, PyBytes>, bool)> {
        let found = self.shown().labels(column).ok_or_else(|| bug("this column has no labels"))?;
        let (labels, codes, is_numeric) = found;
        Ok((labels, PyBytes::new(py, &codes), is_numeric))
    }

    /// The release as an Arrow table.
    fn table(&self, py: Python<'_>) -> PyResult<ArrowTable> {
        let shown = self.shown();
        py.detach(|| published::table(&shown)).map_err(|error| bug(&error.to_string()))
    }
}
