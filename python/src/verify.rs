//! `verify`: recounts the privacy of a release.

use std::collections::BTreeMap;

use hedgerow::io::Source;
use hedgerow::job::Job;
use hedgerow::measure::{Attained, Recount};
use hedgerow::method::Spec;
use hedgerow::population::Population;
use hedgerow::privacy::{PrivacyModel, look_at_population};
use hedgerow::progress::Progress;
use hedgerow::study::Claims;
use hedgerow::table::{Columns, Table};
use hedgerow::{Result, publish, schema};
use pyo3::prelude::*;
use serde::Serialize;

use crate::arguments::{job, json};
use crate::errors::raised;
use crate::opened::{Given, asked, borrowed, opened, opened_release, reading_of_release, trees};
use crate::running::run;

/// Published labels that cover no record of the population, by column.
type Unplaced = BTreeMap<String, Vec<String>>;

#[derive(Serialize)]
struct Verification {
    rows: u64,
    suppressed: u64,
    classes: usize,
    smallest_class: u64,
    holds: bool,
    privacy: Vec<Attained>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    unplaced: Unplaced,
}

/// Verifies a release against the `k` and the models of a job, and returns a verification as JSON.
/// `population` is the table that the original is a sample of.
#[pyfunction]
#[pyo3(signature = (release, population, options, given, listener=None))]
pub(crate) fn verify(
    py: Python<'_>,
    release: &Bound<'_, PyAny>,
    population: Option<&Bound<'_, PyAny>>,
    options: &str,
    given: Given,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let job = job(py, options)?;
    let source = opened_release(release, &job)?;
    let population = population.map(|table| opened(table, &job)).transpose()?;
    let hierarchy = asked(&job, &given);
    let verification = run(py, listener, |progress| {
        // The release must have them, or models would be checked on nothing.
        for name in &job.sensitive {
            schema::find(source.header(), name)?;
        }
        let claims = Claims {
            k: job.k,
            privacy: &job.privacy,
            sensitive: &job.sensitive,
            hierarchy: &hierarchy,
            has_population: population.is_some(),
        };
        let columns = Columns::quasi(&job.quasi).and_beside(&claims.columns()?);
        // After the columns, so that an unknown model is reported as such.
        claims.check_population()?;
        let reading = reading_of_release(&job, false);
        let table = publish::read_release(&source, &columns, reading, progress)?;
        let built = claims.models(&table)?;
        let models: Vec<&dyn PrivacyModel> = built.iter().map(AsRef::as_ref).collect();
        let (covered, unplaced) = match &population {
            Some(source) => covered(&job, &given, source, &table, progress)?,
            None => Default::default(),
        };
        let recount = Recount::among(&table, &models, &covered)?;
        Ok(Verification {
            rows: recount.n_rows,
            suppressed: recount.n_suppressed,
            classes: recount.sizes.len(),
            smallest_class: recount.smallest(),
            holds: recount.holds(),
            privacy: recount.privacy.clone(),
            unplaced,
        })
    })?;
    json(&verification)
}

/// Whether one of these models looks at a population.
#[pyfunction]
pub(crate) fn looks_at_population(py: Python<'_>, privacy: Vec<String>) -> PyResult<bool> {
    let specs: Result<Vec<Spec>> = privacy.iter().map(|text| text.parse()).collect();
    specs.and_then(|specs| look_at_population(&specs)).map_err(|error| raised(py, &error))
}

/// Returns the number of records of the population that each cohort of the release covers, and the
/// labels that cover none because nothing explains them.
fn covered(
    job: &Job,
    given: &Given,
    source: &Source,
    release: &Table,
    progress: &dyn Progress,
) -> Result<(Vec<u64>, Unplaced)> {
    let mut reading = job.reading(false);
    // Only these are read.
    reading.encoding.kinds.retain(|name, _| job.quasi.contains(name));
    reading.encoding.date_formats.retain(|name, _| job.quasi.contains(name));
    let table = source.read(&Columns::quasi(&job.quasi), &reading, progress)?;
    let trees = trees(job, given, &table)?;
    let (population, trees) = (Population::new(table), borrowed(&trees));
    Ok((population.covered(release, &trees)?, population.unplaced(release, &trees)))
}
