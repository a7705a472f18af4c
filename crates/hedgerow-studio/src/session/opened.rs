//! An open table: its columns as codes, one for each record, so that every question about it is
//! answered without reading the file again.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use hedgerow::guard::Glance;
use hedgerow::inspect::{Inspection, Look};
use hedgerow::io::{ReadOptions, Source};
use hedgerow::job::Job;
use hedgerow::progress::Progress;
use hedgerow::table::{Code, Column, Columns, MissingPolicy, Table};
use hedgerow::{Error, Result};
use tempfile::TempDir;

use crate::advice::sentence;

/// A table in memory.
pub(crate) struct Opened {
    /// The file.
    pub(crate) path: PathBuf,
    /// Its name without folders.
    pub(crate) name: String,
    /// The folder of a table that the browser sent, which is removed with it.
    pub(crate) upload: Option<Arc<TempDir>>,
    pub(crate) bytes: u64,
    pub(crate) stamp: Stamp,
    pub(crate) rows: u64,
    pub(crate) header: Vec<String>,
    /// The columns in the order of the file.
    pub(crate) columns: Vec<Stored>,
    pub(crate) inspection: Inspection,
    pub(crate) glance: Glance,
    /// The options that it was read with.
    pub(crate) read_like: Job,
    pub(crate) seconds: f64,
}

/// A column with the code of every record.
pub(crate) struct Stored {
    pub(crate) name: String,
    /// The distinct values; `None` for a column that cannot be read as text.
    pub(crate) column: Option<Column>,
    /// The code of each record; the code after the last value is a missing value.
    pub(crate) codes: Vec<u32>,
}

/// Size and time of a file, which show whether it changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let data = std::fs::metadata(path).ok()?;
        Some(Self { bytes: data.len(), modified: data.modified().ok() })
    }
}

/// Options for opening a table.
pub(crate) struct Opening<'a> {
    pub(crate) path: &'a Path,
    pub(crate) name: String,
    pub(crate) upload: Option<Arc<TempDir>>,
    /// The job that says how the file is read.
    pub(crate) job: &'a Job,
    pub(crate) threads: usize,
}

impl Opened {
    /// Reads a table: every column by itself, in one pass.
    pub(crate) fn read(opening: &Opening<'_>, progress: &dyn Progress) -> Result<Self> {
        let start = Instant::now();
        let &Opening { path, job, .. } = opening;
        let stamp = Stamp::of(path)
            .ok_or_else(|| Error::file(path, "the file cannot be read; is it still there?"))?;
        let source = Source::open_with(path, &job.opening()?)?.with_max_record(job.max_record);
        let header = source.header().to_vec();
        let usable: Vec<usize> =
            (0..header.len()).filter(|&place| source.unusable(place).is_none()).collect();
        if usable.is_empty() {
            let problem = "every column is nested or binary; flatten the columns to use";
            return Err(Error::file(path, problem));
        }
        let each: Vec<Columns> =
            usable.iter().map(|&place| Columns::quasi(&[&header[place]])).collect();
        let options = reading(job, opening.threads);
        let (mut tables, glance) = source.read_and_look(&each, &usable, &options, progress)?;
        let look = Look { reading: options, person: None, k: None, spell: &sentence };
        let inspection = Inspection::of_columns(&source, &tables, &glance, &look)?;
        let rows = inspection.rows;
        tables.reverse();
        let mut columns = Vec::with_capacity(header.len());
        for (place, name) in header.iter().enumerate() {
            // One table after the other is dropped, so that memory holds codes instead of cohorts.
            let table = if usable.contains(&place) { tables.pop() } else { None };
            columns.push(Stored::new(name, table));
        }
        Ok(Self {
            path: path.to_owned(),
            name: opening.name.clone(),
            upload: opening.upload.clone(),
            bytes: stamp.bytes,
            stamp,
            rows,
            header,
            columns,
            inspection,
            glance,
            read_like: read_like(job),
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// Whether the file is not the one that was read.
    pub(crate) fn is_stale(&self) -> bool {
        Stamp::of(&self.path) != Some(self.stamp)
    }

    /// Whether a job reads the same values.
    pub(crate) fn is_read_like(&self, job: &Job) -> bool {
        read_like(job) == self.read_like
    }

    /// A column by its name.
    pub(crate) fn column(&self, name: &str) -> Option<&Stored> {
        self.columns.iter().find(|stored| stored.name == name)
    }
}

impl Stored {
    fn new(name: &str, table: Option<Table>) -> Self {
        let name = name.to_owned();
        let Some(table) = table else { return Self { name, column: None, codes: Vec::new() } };
        let cohorts = table.cohorts();
        let column = table.columns()[0].clone();
        let missing = column.domain.len() as u32;
        let code_of = |cohort| cohorts.tuple(cohort).first().map_or(missing, |code| code.get());
        let rows = table.rows().unwrap_or_default();
        let codes = rows.iter().map(|cohort| cohort.map_or(missing, code_of)).collect();
        Self { name, column: Some(column), codes }
    }

    /// The text of a record's value.
    pub(crate) fn text(&self, row: usize) -> String {
        let (Some(column), Some(&code)) = (&self.column, self.codes.get(row)) else {
            return String::new();
        };
        if code as usize >= column.domain.n_codes() {
            return String::new();
        }
        column.domain.spelling(Code::from(code)).into_owned()
    }

    /// Number of different codes.
    pub(crate) fn n_codes(&self) -> usize {
        self.column.as_ref().map_or(1, |column| column.domain.n_codes())
    }
}

/// Everything is read, whatever the job does with missing values.
fn reading(job: &Job, threads: usize) -> ReadOptions {
    let mut options = job.reading(true);
    options.threads = threads;
    options.keep_nan = true;
    options.encoding.missing = MissingPolicy::Own;
    options
}

/// Only the options of a job that decide how values are read.
fn read_like(job: &Job) -> Job {
    let job = job.clone();
    Job {
        kind: job.kind,
        date_format: job.date_format,
        na: job.na,
        na_detect: job.na_detect,
        decimal: job.decimal,
        delimiter: job.delimiter,
        encoding: job.encoding,
        no_header: job.no_header,
        header: job.header,
        sheet: job.sheet,
        max_record: job.max_record,
        ..Job::default()
    }
}
