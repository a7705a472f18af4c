//! `apply`: the rules of a release on the next table.

use std::sync::Arc;

use hedgerow::apply::{InMemory, Request, run_in_memory};
use hedgerow::publish::Placed;
use hedgerow::recipe::{Policy, Recipe};
use hedgerow::schema::Schema;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;

use crate::anonymize::told;
use crate::arguments::{job, json};
use crate::errors::raised;
use crate::frame::ArrowFrame;
use crate::published::{Found, NativeRecords};
use crate::running::run;

/// A release of the next table, in memory.
#[pyclass(module = "hedgerow._hedgerow", frozen)]
pub(crate) struct NativeApplied {
    frame: Arc<ArrowFrame>,
    found: Arc<InMemory>,
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
    let policy = policy_of(policy.0, policy.1).map_err(|error| raised(py, &error))?;
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
    Ok(NativeApplied { frame, found: Arc::new(found) })
}

fn policy_of(unseen: Option<String>, repair: Option<String>) -> hedgerow::Result<Policy> {
    let mut policy = Policy::default();
    if let Some(unseen) = unseen {
        policy.unseen = unseen.parse()?;
    }
    if let Some(repair) = repair {
        policy.repair = repair.parse()?;
    }
    Ok(policy)
}

impl Found for InMemory {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn placed(&self) -> &Placed {
        &self.placed
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

    /// The records of the release.
    fn records(&self) -> NativeRecords {
        let found = Arc::clone(&self.found) as Arc<dyn Found>;
        NativeRecords { frame: Arc::clone(&self.frame), found }
    }
}
