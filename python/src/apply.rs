//! `apply`: the rules of a release on the next table.

use std::path::PathBuf;
use std::sync::Arc;

use hedgerow::apply::{Differently, Earlier, InMemory, Request, Tables, run_in_memory, run_on};
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

/// Choices about records that the recipe did not foresee, and about earlier releases. Texts are
/// those of the command line.
#[derive(FromPyObject)]
pub(crate) struct Choices<'py> {
    #[pyo3(item)]
    unseen: Option<String>,
    #[pyo3(item)]
    repair: Option<String>,
    #[pyo3(item)]
    suppress: Option<String>,
    #[pyo3(item)]
    previous: Vec<Bound<'py, PyAny>>,
    #[pyo3(item)]
    max_success: Option<f64>,
}

impl Choices<'_> {
    fn policy(&self) -> hedgerow::Result<Policy> {
        let mut policy = Policy::default();
        if let Some(unseen) = &self.unseen {
            policy.unseen = unseen.parse()?;
        }
        if let Some(repair) = &self.repair {
            policy.repair = repair.parse()?;
        }
        policy.suppress = self.suppress.as_ref().map(|share| share.parse()).transpose()?;
        Ok(policy)
    }

    /// The paths among the earlier releases.
    fn paths(&self) -> Vec<PathBuf> {
        self.previous.iter().filter_map(|table| table.extract::<PathBuf>().ok()).collect()
    }

    /// The earlier releases in memory, named by their places.
    fn earlier(&self, py: Python<'_>) -> PyResult<Vec<Earlier>> {
        let mut earlier = Vec::new();
        for (place, table) in self.previous.iter().enumerate() {
            if table.extract::<PathBuf>().is_err() {
                let source = Arc::new(ArrowFrame::of(table.extract()?)?).source(py)?;
                earlier.push(Earlier { name: format!("previous[{place}]"), source });
            }
        }
        Ok(earlier)
    }
}

/// Applies a recipe to a table in memory.
#[pyfunction]
#[pyo3(signature = (table, recipe, choices, options, listener=None))]
pub(crate) fn apply(
    py: Python<'_>,
    table: AnyRecordBatch,
    recipe: &str,
    choices: Choices<'_>,
    options: &str,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<NativeApplied> {
    let job = job(py, options)?;
    let (request, earlier) = (request(py, job, &choices)?, choices.earlier(py)?);
    let recipe = Recipe::from_text(recipe).map_err(|error| raised(py, &error))?;
    let frame = Arc::new(ArrowFrame::of(table)?);
    let found = run(py, listener, |progress| {
        let open = || Ok(Tables { next: frame.opened()?, earlier });
        run_in_memory(&request, &recipe, open, progress)
    })?;
    Ok(NativeApplied { frame, found: Arc::new(found) })
}

/// Applies a recipe to a file as the command line does. `options` is a job whose input and output
/// are those of the request, and whose recipe is the file that the text is from, if it is from one.
/// Returns the figures as JSON, and the warnings.
#[pyfunction]
#[pyo3(signature = (recipe, choices, options, listener=None))]
pub(crate) fn apply_file(
    py: Python<'_>,
    recipe: &str,
    choices: Choices<'_>,
    options: &str,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, Vec<String>)> {
    let request = request(py, job(py, options)?, &choices)?;
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
fn request(py: Python<'_>, job: Job, choices: &Choices<'_>) -> PyResult<Request> {
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
        policy: choices.policy().map_err(|error| raised(py, &error))?,
        keep: job.keep,
        drop: job.drop,
        hierarchy: job.hierarchy,
        previous: choices.paths(),
        max_success: choices.max_success,
        drop_suppressed: job.drop_suppressed,
        keep_order: job.keep_order,
        spreadsheet_safe: job.spreadsheet_safe,
        output_encoding: job.output_encoding,
        reading,
        force: job.force,
        seed: job.seed,
        threads: job.threads,
    })
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
