//! `apply`: the rules of a release on the next table.

use std::sync::Arc;

use hedgerow::apply::{Differently, InMemory, Request, run_in_memory, run_on};
use hedgerow::io::Source;
use hedgerow::job::Job;
use hedgerow::publish::Placed;
use hedgerow::recipe::{Policy, Recipe};
use hedgerow::schema::Schema;
use hedgerow::table::NaDetect;
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
    let request = request(py, job, policy)?;
    let recipe = Recipe::from_text(recipe).map_err(|error| raised(py, &error))?;
    let frame = Arc::new(ArrowFrame::of(table)?);
    let found = run(py, listener, |progress| {
        run_in_memory(&request, &recipe, || frame.opened(), progress)
    })?;
    Ok(NativeApplied { frame, found: Arc::new(found) })
}

/// Applies a recipe to a file as the command line does. `options` is a job whose input and output
/// are those of the request, and whose recipe is the file that the text is from, if it is from one.
/// Returns the figures as JSON, and the warnings.
#[pyfunction]
#[pyo3(signature = (recipe, policy, options, listener=None))]
pub(crate) fn apply_file(
    py: Python<'_>,
    recipe: &str,
    policy: (Option<String>, Option<String>),
    options: &str,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, Vec<String>)> {
    let request = request(py, job(py, options)?, policy)?;
    let recipe = Recipe::from_text(recipe).map_err(|error| raised(py, &error))?;
    let outcome = run(py, listener, |progress| {
        let opening = request.opening(&recipe)?;
        let open = || {
            let source = Source::open_with(&request.input, &opening)?;
            Ok(source.with_max_record(request.reading.max_record))
        };
        run_on(&request, &recipe, open, progress)
    })?;
    Ok((json(&outcome)?, told(&outcome.warnings)))
}

/// The request of a job. Options that the job does not state are those of the recipe.
fn request(
    py: Python<'_>,
    job: Job,
    (unseen, repair): (Option<String>, Option<String>),
) -> PyResult<Request> {
    let is_detecting = job.na_detect != NaDetect::default();
    let reading = Differently {
        na: job.na,
        na_detect: is_detecting.then_some(job.na_detect),
        decimal: job.decimal,
        kind: job.kind,
        date_format: job.date_format,
        delimiter: job.delimiter,
        encoding: job.encoding,
        no_header: job.no_header,
        header: job.header,
        sheet: job.sheet,
        max_record: job.max_record,
    };
    Ok(Request {
        recipe: job.recipe.unwrap_or_default(),
        input: job.input,
        output: job.output,
        policy: policy_of(unseen, repair).map_err(|error| raised(py, &error))?,
        keep: job.keep,
        drop: job.drop,
        hierarchy: job.hierarchy,
        drop_suppressed: job.drop_suppressed,
        keep_order: job.keep_order,
        spreadsheet_safe: job.spreadsheet_safe,
        output_encoding: job.output_encoding,
        reading,
        force: job.force,
        seed: job.seed,
        threads: job.threads,
        ..Request::default()
    })
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
