//! `attack`: tries to find people and their sensitive values in a release.

use hedgerow::attack as library;
use hedgerow::attack::{Attack, Evidence, Scene};
use hedgerow::io::Source;
use hedgerow::job::Job;
use hedgerow::method::Spec;
use hedgerow::noun::listed;
use hedgerow::progress::Progress;
use hedgerow::table::{Columns, MissingPolicy, Table};
use hedgerow::{Error, Result, publish, schema};
use pyo3::prelude::*;

use crate::arguments::{job, json};
use crate::errors::raised;
use crate::opened::{Given, opened, opened_release, reading_of_release, trees};
use crate::running::run;

/// Attacks a release, and returns the evidence as JSON. Without `attacks`, all are run.
#[pyfunction]
#[pyo3(signature = (original, release, asked, options, given, listener=None))]
pub(crate) fn attack(
    py: Python<'_>,
    original: &Bound<'_, PyAny>,
    release: &Bound<'_, PyAny>,
    asked: (Vec<String>, Vec<String>),
    options: &str,
    given: Given,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let (names, known) = asked;
    let job = job(py, options)?;
    let attacks = chosen(&names).map_err(|error| raised(py, &error))?;
    let pair = Pair { original: opened(original, &job)?, release: opened_release(release, &job)? };
    let evidence: Evidence = run(py, listener, |progress| {
        let scene = pair.scene(&job, &known, &given, progress)?;
        library::run(&scene, &attacks, progress)
    })?;
    json(&evidence)
}

fn chosen(names: &[String]) -> Result<Vec<Box<dyn Attack>>> {
    if names.is_empty() {
        return library::all();
    }
    names.iter().map(|name| library::from_spec(&name.parse::<Spec>()?)).collect()
}

struct Pair {
    original: Source,
    release: Source,
}

impl Pair {
    /// Reads everything that attacks are given.
    fn scene(
        &self,
        job: &Job,
        known: &[String],
        given: &Given,
        progress: &dyn Progress,
    ) -> Result<Scene> {
        let Self { original, release } = self;
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
        let table = original.read(&columns, &job.reading(true), progress)?;
        let mut all = library::Given::new(table, shown);
        all.hierarchies = trees(job, given, &all.original)?;
        all.known = known.to_vec();
        all.sensitive.clone_from(&job.sensitive);
        all.threads = job.threads;
        Scene::new(all)
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
