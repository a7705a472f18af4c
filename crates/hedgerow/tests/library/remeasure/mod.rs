//! The losses of a run, measured from its files.

use std::collections::BTreeMap;

use hedgerow::hierarchy::Hierarchy;
use hedgerow::io::{ReadOptions, Source};
use hedgerow::job::Job;
use hedgerow::measure;
use hedgerow::progress::Silent;
use hedgerow::publish;
use hedgerow::table::{Columns, Encoding, MissingPolicy, Table};

/// Reads the table in the way that both a job and a measurement do.
pub(crate) fn original(job: &Job) -> hedgerow::Result<Table> {
    let options = ReadOptions { encoding: encoding(job), threads: 1, ..ReadOptions::default() };
    let source = Source::open(&job.input, Some(b','))?;
    source.read(&columns(job), &options, &Silent)
}

fn columns(job: &Job) -> Columns {
    Columns {
        quasi: job.quasi.clone(),
        beside: job.class.iter().cloned().collect(),
        ..Columns::default()
    }
}

fn encoding(job: &Job) -> Encoding {
    let (na, date_formats) = (job.na.clone(), job.date_format.clone());
    Encoding { missing: job.missing, na, date_formats, ..Encoding::default() }
}

/// Returns the losses measured from the files of a job. `trees` are the hierarchies in their files,
/// and `k` is the `k` of losses that depend on one.
pub(crate) fn measured(
    job: &Job,
    trees: &BTreeMap<String, Hierarchy>,
    k: u64,
) -> BTreeMap<&'static str, f64> {
    let mut source = Source::open(&job.output, Some(b',')).unwrap();
    if job.spreadsheet_safe {
        source = source.without_guards();
    }
    let is_guarded = job.spreadsheet_safe;
    let encoding = Encoding { missing: MissingPolicy::Own, is_guarded, ..encoding(job) };
    let options = ReadOptions { encoding, ..ReadOptions::default() };
    let release = publish::read_release(&source, &columns(job), options, &Silent).unwrap();
    let original = original(job).unwrap();
    measure::partition(&original, &release, trees, Some(k)).unwrap().losses()
}
