//! `measure`: the information loss of a release, compared with its original.

use std::collections::BTreeMap;

use hedgerow::classify::{self, Classification};
use hedgerow::measure::partition;
use hedgerow::publish;
use hedgerow::table::Columns;
use hedgerow::utility::{self, Utility};
use pyo3::prelude::*;
use serde::Serialize;

use crate::arguments::{job, json};
use crate::opened::{Given, borrowed, opened, opened_release, reading_of_release, trees};
use crate::running::run;

#[derive(Serialize)]
struct Measurement {
    rows: u64,
    released: u64,
    suppressed: u64,
    classes: usize,
    smallest_class: u64,
    k: u64,
    losses: BTreeMap<&'static str, f64>,
    utility: Utility,
    #[serde(skip_serializing_if = "Option::is_none")]
    classification: Option<Classification>,
}

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
        let original = first.read(&columns, &job.reading(false), progress)?;
        let reading = reading_of_release(&job, false);
        let release = publish::read_release(&second, &columns, reading, progress)?;
        let trees = trees(&job, &given, &original)?;
        let k = Some(job.k).filter(|&k| k > 0);
        let found = partition(&original, &release, &trees, k)?;
        let is_asked = job.class.is_some();
        let learned = is_asked.then(|| classify::release(&original, &release, job.seed));
        let smallest = found.sizes.iter().copied().min().unwrap_or(0);
        Ok(Measurement {
            rows: original.cohorts().n_records(),
            released: release.n_rows(),
            suppressed: found.n_suppressed,
            classes: found.sizes.len(),
            smallest_class: smallest,
            k: k.unwrap_or(smallest),
            losses: found.losses(),
            utility: utility::compare(&original, &release, &borrowed(&trees), job.seed),
            classification: learned.transpose()?,
        })
    })?;
    json(&measurement)
}
