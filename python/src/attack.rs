//! `attack`: tries to find people and their sensitive values in a release.

use hedgerow::Result;
use hedgerow::attack as library;
use hedgerow::attack::{Attack, Evidence, Scene};
use hedgerow::method::Spec;
use hedgerow::publish::{AttackFiles, AttackInputs};
use pyo3::prelude::*;
use serde::Serialize;

use crate::anonymize::told;
use crate::arguments::{job, json};
use crate::errors::raised;
use crate::opened::{Given, opened, opened_one, opened_release, trees};
use crate::running::run;

/// The attacks to run, and what the attacker has.
#[derive(FromPyObject)]
pub(crate) struct Asked<'py> {
    #[pyo3(item)]
    attacks: Vec<String>,
    #[pyo3(item)]
    known: Vec<String>,
    /// Other releases.
    #[pyo3(item)]
    other: Vec<Bound<'py, PyAny>>,
    /// A table of people.
    #[pyo3(item)]
    external: Option<Bound<'py, PyAny>>,
}

/// The results of attacks, with warnings about columns of the release that they do not read.
#[derive(Serialize)]
struct Found {
    #[serde(flatten)]
    evidence: Evidence,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// Attacks a release, and returns the evidence as JSON. Without `attacks`, all are run.
#[pyfunction]
#[pyo3(signature = (original, release, asked, options, given, listener=None))]
pub(crate) fn attack(
    py: Python<'_>,
    original: &Bound<'_, PyAny>,
    release: &Bound<'_, PyAny>,
    asked: Asked<'_>,
    options: &str,
    given: Given,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let job = job(py, options)?;
    let attacks = chosen(&asked.attacks).map_err(|error| raised(py, &error))?;
    let others = asked.other.iter().enumerate().map(|(place, table)| {
        // A path is its own name; a table in memory has none.
        let name = table.extract().unwrap_or_else(|_| format!("other[{place}]"));
        Ok((name, opened_release(table, &job)?))
    });
    let files = AttackFiles {
        original: opened(original, &job)?,
        release: opened_release(release, &job)?,
        others: others.collect::<PyResult<_>>()?,
        external: asked.external.map(|table| opened_one(&table, &job)).transpose()?,
        quasi: job.quasi.clone(),
        known: asked.known,
        sensitive: job.sensitive.clone(),
        person: job.person.clone(),
        reading: job.reading(true),
        is_guarded: job.spreadsheet_safe,
    };
    let found = run(py, listener, |progress| {
        let AttackInputs { given: mut tables, doubts, .. } = files.read(&attacks, progress)?;
        tables.hierarchies = trees(&job, &given, &tables.original)?;
        let evidence = library::run(&Scene::new(tables)?, &attacks, progress)?;
        Ok(Found { evidence, warnings: told(&doubts) })
    })?;
    json(&found)
}

fn chosen(names: &[String]) -> Result<Vec<Box<dyn Attack>>> {
    if names.is_empty() {
        return library::all();
    }
    names.iter().map(|name| library::from_spec(&name.parse::<Spec>()?)).collect()
}
