//! `anonymize`: a release of a table in memory, and of a file.

use std::collections::BTreeMap;
use std::sync::Arc;

use hedgerow::error::Warning;
use hedgerow::job::{self, Audience, InMemory, Kept};
use hedgerow::publish::Placed;
use hedgerow::report::Format;
use hedgerow::schema::Schema;
use hedgerow::study::Study;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;

use crate::advice;
use crate::arguments::{job, json};
use crate::frame::ArrowFrame;
use crate::hierarchy::NativeHierarchy;
use crate::published::{Found, NativeRecords};
use crate::running::run;

/// A release in memory.
#[pyclass(module = "hedgerow._hedgerow", frozen)]
pub(crate) struct NativeRelease {
    pub(crate) frame: Arc<ArrowFrame>,
    pub(crate) found: Arc<InMemory>,
}

/// Anonymizes a table in memory. `options` is a job as JSON, and `given` are hierarchies by column.
#[pyfunction]
#[pyo3(signature = (table, options, given, listener=None))]
pub(crate) fn anonymize(
    py: Python<'_>,
    table: AnyRecordBatch,
    options: &str,
    given: BTreeMap<String, Py<NativeHierarchy>>,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<NativeRelease> {
    let job = job(py, options)?;
    let frame = Arc::new(ArrowFrame::of(table)?);
    let given = given.into_iter().map(|(name, of)| (name, of.get().generalization()));
    let given: BTreeMap<_, _> = given.collect();
    let found =
        run(py, listener, |progress| job::run_in_memory(&job, given, || frame.opened(), progress))?;
    Ok(NativeRelease { frame, found: Arc::new(found) })
}

/// A release that was written to a file.
#[pyclass(module = "hedgerow._hedgerow", frozen)]
pub(crate) struct NativeFileRelease {
    kept: Kept,
}

/// Anonymizes a file as the command line does.
#[pyfunction]
#[pyo3(signature = (options, listener=None))]
pub(crate) fn anonymize_file(
    py: Python<'_>,
    options: &str,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<NativeFileRelease> {
    let job = job(py, options)?;
    let kept = run(py, listener, |progress| job::run_and_keep(&job, progress))?;
    Ok(NativeFileRelease { kept })
}

/// Warnings with keyword arguments.
pub(crate) fn told(warnings: &[Warning]) -> Vec<String> {
    warnings.iter().map(|warning| warning.message(&advice::spell)).collect()
}

impl Found for InMemory {
    fn schema(&self) -> &Schema {
        self.schema()
    }

    fn placed(&self) -> &Placed {
        &self.placed
    }
}

#[pymethods]
impl NativeRelease {
    /// The figures as JSON.
    fn outcome(&self) -> PyResult<String> {
        json(&self.found.outcome)
    }

    /// The warnings.
    fn warnings(&self) -> Vec<String> {
        told(&self.found.outcome.warnings)
    }

    /// The job as the text of a job file.
    fn job(&self) -> String {
        self.found.job().to_toml()
    }

    /// The records of the release.
    fn records(&self) -> NativeRecords {
        let found = Arc::clone(&self.found) as Arc<dyn Found>;
        NativeRecords { frame: Arc::clone(&self.frame), found }
    }

    /// The hierarchies by column. Columns that are generalized without one have none.
    fn hierarchies(&self) -> BTreeMap<String, NativeHierarchy> {
        hierarchies_of(self.found.study())
    }

    /// The rules of the release for the next table, as text, and the warnings about them.
    fn recipe(&self, py: Python<'_>) -> PyResult<(String, Vec<String>)> {
        let text = run(py, None, |progress| self.found.recipe(progress))?;
        Ok((text, told(self.found.recipe_warning().as_slice())))
    }

    /// The report, as a page or as JSON, for those who have the original or for the public.
    #[pyo3(signature = (is_page, is_public, listener=None))]
    fn report(
        &self,
        py: Python<'_>,
        is_page: bool,
        is_public: bool,
        listener: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let audience = if is_public { Audience::Public } else { Audience::Internal };
        run(py, listener, |progress| self.found.report(format(is_page), audience, progress))
    }
}

#[pymethods]
impl NativeFileRelease {
    /// The figures as JSON.
    fn outcome(&self) -> PyResult<String> {
        json(self.kept.outcome())
    }

    /// The warnings.
    fn warnings(&self) -> Vec<String> {
        told(&self.kept.outcome().warnings)
    }

    /// The job as the text of a job file.
    fn job(&self) -> String {
        self.kept.job().to_toml()
    }

    /// The published columns that replace the quasi-identifiers.
    fn quasi(&self) -> Vec<String> {
        let places = 0..self.kept.study().problem().attributes().len();
        places.flat_map(|place| self.kept.release().columns(place)).cloned().collect()
    }

    /// The hierarchies by column. Columns that are generalized without one have none.
    fn hierarchies(&self) -> BTreeMap<String, NativeHierarchy> {
        hierarchies_of(self.kept.study())
    }

    /// The rules of the release for the next table, as text, and the warnings about them.
    fn recipe(&self, py: Python<'_>) -> PyResult<(String, Vec<String>)> {
        let text = run(py, None, |progress| self.kept.recipe(progress))?;
        Ok((text, told(self.kept.recipe_warning().as_slice())))
    }

    /// The report, as a page or as JSON, for those who have the original or for the public.
    ///
    /// The release is written again, to a file without a name in the folder of temporary files.
    #[pyo3(signature = (is_page, is_public, listener=None))]
    fn report(
        &self,
        py: Python<'_>,
        is_page: bool,
        is_public: bool,
        listener: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let folder = std::env::temp_dir();
        let sides = run(py, listener, |progress| self.kept.evidence(&folder, progress))?;
        let evidence = if is_public { &sides.public } else { &sides.internal };
        Ok(format(is_page).write(evidence))
    }
}

fn format(is_page: bool) -> Format {
    if is_page { Format::Html } else { Format::Json }
}

/// The hierarchies of a release by column.
fn hierarchies_of(study: &Study) -> BTreeMap<String, NativeHierarchy> {
    let attributes = study.problem().attributes().iter();
    let trees = attributes.filter_map(|attribute| {
        let tree = NativeHierarchy::of(attribute.generalization())?;
        Some((attribute.name().to_owned(), tree))
    });
    trees.collect()
}
