//! `attack`: tries to find people and their sensitive values in a release.

use std::path::Path;

use hedgerow::attack as library;
use hedgerow::attack::{Attack, Evidence, Other, Scene};
use hedgerow::error::Warning;
use hedgerow::io::{ReadOptions, Source};
use hedgerow::job::Job;
use hedgerow::method::Spec;
use hedgerow::noun::listed;
use hedgerow::progress::Progress;
use hedgerow::table::{Columns, Encoding, MissingPolicy, Table};
use hedgerow::{Error, Result, publish, schema};
use pyo3::prelude::*;
use serde::Serialize;

use crate::anonymize::told;
use crate::arguments::{job, json};
use crate::errors::raised;
use crate::opened::{Given, opened, opened_one, opened_release, reading_of_release, trees};
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
    let tables = Tables {
        original: opened(original, &job)?,
        release: opened_release(release, &job)?,
        others: others.collect::<PyResult<_>>()?,
        external: asked.external.map(|table| opened_one(&table, &job)).transpose()?,
    };
    let known = asked.known;
    let found = run(py, listener, |progress| {
        let (scene, doubts) = tables.scene(&job, &known, &given, progress)?;
        let evidence = library::run(&scene, &attacks, progress)?;
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

/// The opened tables.
struct Tables {
    original: Source,
    release: Source,
    /// Other releases by name.
    others: Vec<(String, Source)>,
    external: Option<Source>,
}

impl Tables {
    /// Reads everything that attacks are given. Also returns warnings about columns that no attack is
    /// told of.
    fn scene(
        &self,
        job: &Job,
        known: &[String],
        given: &Given,
        progress: &dyn Progress,
    ) -> Result<(Scene, Vec<Warning>)> {
        let Self { original, release, .. } = self;
        let is_shared =
            |name: &&String| original.header().contains(name) && job.person.as_ref() != Some(*name);
        let shared: Vec<String> = release.header().iter().filter(is_shared).cloned().collect();
        if shared.is_empty() {
            return Err(Error::invalid(format!(
                "the release does not belong to the original: they have no column in common; the \
                 original has {}, the release {}",
                listed(original.header()),
                listed(release.header())
            )));
        }
        for name in [job.quasi.as_slice(), known, &job.sensitive].concat() {
            schema::find(original.header(), &name)?;
            schema::find(release.header(), &name)?;
        }
        let quasi = self.quasi(job, known, &shared, progress)?;
        let others: Vec<String> =
            shared.iter().filter(|name| !quasi.contains(name)).cloned().collect();
        let columns = Columns::quasi(&quasi).and_beside(&others);
        let shown =
            publish::read_release(release, &columns, reading_of_release(job, true), progress)?;
        let columns = match &job.person {
            Some(person) => columns.and_person(person),
            None => columns,
        };
        let reading = job.reading(true);
        let table = original.read(&columns, &reading, progress)?;
        let used = [known, job.sensitive.as_slice()].concat();
        let used = Columns { person: job.person.clone(), ..Columns::quasi(&quasi).and_beside(&used) };
        let pair = publish::Pair {
            original,
            release,
            columns: &used,
            reading: &reading,
            is_guarded: job.spreadsheet_safe,
        };
        let doubts = pair.doubts(progress)?;
        let mut all = library::Given::new(table, shown);
        all.hierarchies = trees(job, given, &all.original)?;
        all.known = known.to_vec();
        all.sensitive.clone_from(&job.sensitive);
        all.threads = job.threads;
        for (name, source) in &self.others {
            let common = source.header().iter().filter(|name| shared.contains(name));
            let columns = Columns::quasi(&common.cloned().collect::<Vec<_>>());
            let reading = reading_of_release(job, true);
            let table = publish::read_release(source, &columns, reading, progress);
            let table = table.map_err(|error| error.in_file(Path::new(name)))?;
            all.others.push(Other { name: name.clone(), table });
        }
        let known = if known.is_empty() { quasi.as_slice() } else { known };
        let external = self.external.as_ref();
        let external = external.map(|of| read_external(of, known, (&all.original, job), progress));
        all.external = external.transpose()?;
        Ok((Scene::new(all)?, doubts))
    }

    /// The generalized columns: those that are named, or those in which the release has other cells
    /// than the original.
    fn quasi(
        &self,
        job: &Job,
        known: &[String],
        shared: &[String],
        progress: &dyn Progress,
    ) -> Result<Vec<String>> {
        if !job.quasi.is_empty() {
            return Ok(job.quasi.clone());
        }
        let columns = Columns::quasi(shared);
        let mut reading = job.reading(false);
        reading.encoding.missing = MissingPolicy::Own;
        let original: Table = self.original.read(&columns, &reading, progress)?;
        let release = publish::read_release(&self.release, &columns, reading, progress)?;
        let found = library::generalized(&original, &release);
        let found: Vec<String> =
            found.into_iter().filter(|name| !job.sensitive.contains(name)).collect();
        Ok(if found.is_empty() { known.to_vec() } else { found })
    }
}

/// Reads the known columns of a table that the attacker has, in the notation of the original.
fn read_external(
    source: &Source,
    known: &[String],
    (original, job): (&Table, &Job),
    progress: &dyn Progress,
) -> Result<Table> {
    let names: Vec<String> =
        known.iter().filter(|name| source.header().contains(name)).cloned().collect();
    if names.is_empty() {
        return Err(Error::file(
            source.path(),
            format!(
                "has none of the columns that the attacker knows ({}); it has {}",
                listed(known),
                listed(source.header())
            ),
        ));
    }
    let columns = original.columns().iter().chain(original.beside());
    let columns: Vec<_> = columns.filter(|column| names.contains(&column.name)).collect();
    // The same text must mean the same value in both tables.
    let encoding = Encoding::like(&columns, &job.na);
    let reading = ReadOptions { encoding, ..job.reading(true) };
    let table = source.read(&Columns::quasi(&names), &reading, progress);
    table.map_err(|error| error.in_file(source.path()))
}
