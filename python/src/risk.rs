//! `risk`: the re-identification risk of a table and of its release.

use hedgerow::io::Source;
use hedgerow::job::Job;
use hedgerow::population::Population;
use hedgerow::progress::Progress;
use hedgerow::risk::{Depth, Extent, Request, assess};
use hedgerow::table::{Column, Columns, Encoding, Table};
use hedgerow::{Result, publish, schema};
use pyo3::prelude::*;

use crate::arguments::{job, json};
use crate::opened::{Given, borrowed, opened, opened_release, reading_of_release, trees};
use crate::running::run;

/// Knowledge about the table: its release, and the people from whom it is a sample.
#[derive(FromPyObject)]
pub(crate) struct Known<'py> {
    #[pyo3(item)]
    release: Option<Bound<'py, PyAny>>,
    #[pyo3(item)]
    population: Option<Bound<'py, PyAny>>,
    #[pyo3(item)]
    sampling_fraction: Option<f64>,
    #[pyo3(item)]
    weights: Option<String>,
    #[pyo3(item)]
    thresholds: Vec<f64>,
    #[pyo3(item)]
    models: Vec<String>,
}

/// Assesses the risk, and returns an assessment as JSON.
#[pyfunction]
#[pyo3(signature = (table, known, options, given, listener=None))]
pub(crate) fn risk(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    known: Known<'_>,
    options: &str,
    given: Given,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let job = job(py, options)?;
    let Known { release, population, sampling_fraction, weights, thresholds, models } = known;
    let source = opened(table, &job)?;
    let release = release.map(|table| opened_release(&table, &job)).transpose()?;
    let population = population.map(|table| opened(&table, &job)).transpose()?;
    let found = run(py, listener, |progress| {
        let original = read_original(&job, &source, progress)?;
        let trees = trees(&job, &given, &original)?;
        let release = release.map(|of| read_release(&job, &source, &of, progress));
        let release = release.transpose()?;
        let population = population.map(|of| read_population(&job, &of, &original, progress));
        let population = population.transpose()?;
        let extent = Extent::known(population.as_ref(), sampling_fraction, weights.as_deref());
        let request = Request::new(&original)
            .release(release.as_ref())
            .extent(extent)
            .hierarchies(borrowed(&trees))
            .thresholds(&thresholds)
            .sensitive(&job.sensitive)
            .models(&models)
            .depth(Depth::Columns);
        assess(&request)
    })?;
    json(&found)
}

/// Reads all columns of the original, to compute what each would contribute.
fn read_original(job: &Job, source: &Source, progress: &dyn Progress) -> Result<Table> {
    for name in job.quasi.iter().chain(&job.sensitive).chain(&job.person) {
        schema::find(source.header(), name)?;
    }
    let names = source.header().iter().enumerate();
    let others = names.filter(|(place, name)| {
        !job.quasi.contains(name)
            && job.person.as_ref() != Some(*name)
            && source.unusable(*place).is_none()
    });
    let beside = others.map(|(_, name)| name.clone()).collect();
    let columns = Columns { quasi: job.quasi.clone(), beside, person: job.person.clone() };
    source.read(&columns, &job.reading(false), progress)
}

/// Reads all columns of the release that the original has, to check whether it comes from it.
fn read_release(
    job: &Job,
    original: &Source,
    source: &Source,
    progress: &dyn Progress,
) -> Result<Table> {
    let header = |source: &Source| -> Vec<String> {
        let names = source.header().iter().enumerate();
        let usable = names.filter(|(place, _)| source.unusable(*place).is_none());
        usable.map(|(_, name)| name.clone()).collect()
    };
    let known = header(original);
    let is_other = |name: &String| {
        known.contains(name) && !job.quasi.contains(name) && job.person.as_ref() != Some(name)
    };
    let beside = header(source).into_iter().filter(is_other).collect();
    let columns = Columns { quasi: job.quasi.clone(), beside, person: None };
    publish::read_release(source, &columns, reading_of_release(job, false), progress)
}

/// Reads the population in the way the original was read.
fn read_population(
    job: &Job,
    source: &Source,
    original: &Table,
    progress: &dyn Progress,
) -> Result<Population> {
    let columns: Vec<&Column> = original.columns().iter().collect();
    let mut reading = job.reading(false);
    reading.encoding = Encoding { missing: job.missing, ..Encoding::like(&columns, &job.na) };
    Ok(Population::new(source.read(&Columns::quasi(&job.quasi), &reading, progress)?))
}
