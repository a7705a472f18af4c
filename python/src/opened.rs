//! Tables that are given as a path or in memory, and hierarchies that are given with them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hedgerow::Result;
use hedgerow::builder::Asked;
use hedgerow::format;
use hedgerow::hierarchy::{Hierarchy, tree_of};
use hedgerow::io::{Header, OpenOptions, ReadOptions, Source};
use hedgerow::job::Job;
use hedgerow::table::{Encoding, MissingPolicy, Table};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;

use crate::errors::raised;
use crate::frame::ArrowFrame;
use crate::hierarchy::NativeHierarchy;

/// Hierarchies in memory, by column.
pub(crate) type Given = BTreeMap<String, Py<NativeHierarchy>>;

/// Opens a table: a path as the job says, or anything that exports Arrow data.
pub(crate) fn opened(table: &Bound<'_, PyAny>, job: &Job) -> PyResult<Source> {
    let open = |path: PathBuf| {
        Ok(Source::open_with(&path, &job.opening()?)?.with_max_record(job.max_record))
    };
    with(table, open)
}

/// Opens one of several tables of a call, of which only workbooks have sheets.
pub(crate) fn opened_one(table: &Bound<'_, PyAny>, job: &Job) -> PyResult<Source> {
    let open = |path: PathBuf| {
        let options = job.opening()?.for_one_of_several(&path);
        Ok(Source::open_with(&path, &options)?.with_max_record(job.max_record))
    };
    with(table, open)
}

/// Opens a release, which has its own header and encoding, and the delimiter of its original.
pub(crate) fn opened_release(table: &Bound<'_, PyAny>, job: &Job) -> PyResult<Source> {
    let open = |path: PathBuf| {
        let (charset, header) = (job.output_encoding, Header::FirstLine);
        let options = OpenOptions { charset, header, ..job.opening()? };
        let source = Source::open_with(&path, &options.for_one_of_several(&path))?
            .with_max_record(job.max_record);
        Ok(if job.spreadsheet_safe { source.without_guards() } else { source })
    };
    with(table, open)
}

fn with(
    table: &Bound<'_, PyAny>,
    open: impl FnOnce(PathBuf) -> Result<Source> + Send,
) -> PyResult<Source> {
    let py = table.py();
    match table.extract::<String>() {
        Ok(path) => py.detach(|| open(path.into())).map_err(|error| raised(py, &error)),
        Err(_) => Arc::new(ArrowFrame::of(table.extract::<AnyRecordBatch>()?)?).source(py),
    }
}

/// Options for reading a release, in which an empty cell is a value of its own.
pub(crate) fn reading_of_release(job: &Job, keep_rows: bool) -> ReadOptions {
    let own = job.reading(keep_rows);
    let is_guarded = job.spreadsheet_safe;
    let encoding = Encoding { missing: MissingPolicy::Own, is_guarded, ..own.encoding };
    ReadOptions { encoding, ..own }
}

/// The given hierarchies and those that the job names by file, for columns of a table.
pub(crate) fn trees(
    job: &Job,
    given: &Given,
    table: &Table,
) -> Result<BTreeMap<String, Hierarchy>> {
    let mut trees = BTreeMap::new();
    for column in table.columns() {
        let name = &column.name;
        if let Some(tree) = given.get(name) {
            trees.insert(name.clone(), tree_of(tree.get().generalization())?);
        } else if let Some(spec) = job.hierarchy.get(name) {
            let tree = format::read_file_of(Path::new(&spec.to_string()), column)?;
            trees.insert(name.clone(), tree);
        }
    }
    Ok(trees)
}

/// The given hierarchies and those that the job names, for models.
pub(crate) fn asked(job: &Job, given: &Given) -> BTreeMap<String, Asked> {
    let named = job.hierarchy.iter().map(|(name, spec)| (name.clone(), spec.clone().into()));
    let given =
        given.iter().map(|(name, of)| (name.clone(), Asked::Given(of.get().generalization())));
    named.chain(given).collect()
}

/// References to trees, as the library takes them.
pub(crate) fn borrowed(trees: &BTreeMap<String, Hierarchy>) -> BTreeMap<String, &Hierarchy> {
    trees.iter().map(|(name, tree)| (name.clone(), tree)).collect()
}
