//! `verify`: recounts the privacy of a release.

use hedgerow::measure::{Attained, Recount};
use hedgerow::privacy::PrivacyModel;
use hedgerow::study::Claims;
use hedgerow::table::Columns;
use hedgerow::{publish, schema};
use pyo3::prelude::*;
use serde::Serialize;

use crate::arguments::{job, json};
use crate::opened::{Given, asked, opened_release, reading_of_release};
use crate::running::run;

#[derive(Serialize)]
struct Verification {
    rows: u64,
    suppressed: u64,
    classes: usize,
    smallest_class: u64,
    holds: bool,
    privacy: Vec<Attained>,
}

/// Verifies a release against the `k` and the models of a job, and returns a verification as JSON.
#[pyfunction]
#[pyo3(signature = (release, options, given, listener=None))]
pub(crate) fn verify(
    py: Python<'_>,
    release: &Bound<'_, PyAny>,
    options: &str,
    given: Given,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let job = job(py, options)?;
    let source = opened_release(release, &job)?;
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
            has_population: false,
        };
        let columns = Columns::quasi(&job.quasi).and_beside(&claims.columns()?);
        let reading = reading_of_release(&job, false);
        let table = publish::read_release(&source, &columns, reading, progress)?;
        let built = claims.models(&table)?;
        let models: Vec<&dyn PrivacyModel> = built.iter().map(AsRef::as_ref).collect();
        let recount = Recount::among(&table, &models, &[])?;
        Ok(Verification {
            rows: recount.n_rows,
            suppressed: recount.n_suppressed,
            classes: recount.sizes.len(),
            smallest_class: recount.smallest(),
            holds: recount.holds(),
            privacy: recount.privacy.clone(),
        })
    })?;
    json(&verification)
}
