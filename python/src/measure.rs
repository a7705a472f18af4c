//! `measure`: the information loss of a release, compared with its original.

use hedgerow::publish;
use hedgerow::report::Measured;
use hedgerow::table::Columns;
use pyo3::prelude::*;

use crate::arguments::{job, json};
use crate::opened::{Given, opened, opened_release, trees};
use crate::running::run;

/// Measures a release, and returns a measurement as JSON. With a class column, a decision tree is
/// trained to predict it.
#[pyfunction]
#[pyo3(signature = (original, release, options, given, listener=None))]
pub(crate) fn measure(
    py: Python<'_>,
    original: &Bound<'_, PyAny>,
    release: &Bound<'_, PyAny>,
    options: &str,
    given: Given,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let job = job(py, options)?;
    let (first, second) = (opened(original, &job)?, opened_release(release, &job)?);
    let measurement = run(py, listener, |progress| {
        let class: Vec<String> = job.class.iter().cloned().collect();
        let columns = Columns::quasi(&job.quasi).and_beside(&class);
        let pair = publish::Pair {
            original: &first,
            release: &second,
            columns: &columns,
            reading: &job.reading(false),
            is_guarded: job.spreadsheet_safe,
        };
        let (original, release) = pair.read(progress)?;
        let warnings = pair.doubts(progress)?;
        let trees = trees(&job, &given, &original)?;
        let k = Some(job.k).filter(|&k| k > 0);
        let measured = Measured { original: &original, release: &release, hierarchies: &trees, k };
        let mut found = measured.measure(job.class.is_some(), job.seed)?;
        found.warnings = warnings;
        if job.certificate {
            found.certificate = Some(measured.certify(&found, progress)?);
        }
        Ok(found)
    })?;
    json(&measurement)
}
