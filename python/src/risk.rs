//! `risk`: the re-identification risk of a table and of its release.

use hedgerow::error::Warning;
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
        let shown = |of: Source| read_release(&job, &source, &of, weights.as_deref(), progress);
        let (release, doubts) = release.map(shown).transpose()?.unzip();
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
        let mut found = assess(&request)?;
        found.notes.extend(doubts.iter().flatten().map(ToString::to_string));
        Ok(found)
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

/// Reads the columns of the release from which figures are computed. Also returns warnings about
/// the others that the original has, too.
fn read_release(
    job: &Job,
    original: &Source,
    source: &Source,
    weights: Option<&str>,
    progress: &dyn Progress,
) -> Result<(Table, Vec<Warning>)> {
    let reading = reading_of_release(job, false);
    let used = job.sensitive.iter().map(String::as_str).chain(weights);
    let is_there = |name: &&str| source.header().iter().any(|shown| shown == name);
    let beside: Vec<&str> = used.filter(is_there).collect();
    let columns = Columns::quasi(&job.quasi).and_beside(&beside);
    let pair = publish::Pair {
        original,
        release: source,
        columns: &Columns { person: job.person.clone(), ..columns.clone() },
        reading: &reading,
        is_guarded: job.spreadsheet_safe,
    };
    let doubts = pair.doubts(progress)?;
    Ok((publish::read_release(source, &columns, reading, progress)?, doubts))
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
