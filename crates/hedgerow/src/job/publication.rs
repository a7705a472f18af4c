//! Writing a release and counting what was written, before the file gets its name.

use super::Job;
use crate::io::{Output, ReadOptions, Source, Written, write_release};
use crate::measure::Recount;
use crate::privacy::PrivacyModel;
use crate::progress::{Progress, Stage};
use crate::release::Release;
use crate::schema::Schema;
use crate::table::{Encoding, Kind, Table};
use crate::{Error, Result};

/// What the writing of a release goes by.
pub(super) struct Publication<'a> {
    pub(super) job: &'a Job,
    pub(super) source: &'a Source,
    pub(super) schema: &'a Schema,
    pub(super) table: &'a Table,
}

impl Publication<'_> {
    /// A quasi-identifier in two columns must not get the name of another.
    fn check_names(&self, release: &Release<'_>) -> Result<()> {
        let mut new = (0..self.job.quasi.len()).flat_map(|i| release.columns(i));
        let is_taken =
            |name: &&String| !self.job.quasi.contains(name) && self.schema.names().contains(name);
        match new.find(is_taken) {
            None => Ok(()),
            Some(name) => Err(Error::invalid(format!(
                "the input has a column '{name}' already, which --interval-style bounds would write; \
                 rename it, or choose another style"
            ))),
        }
    }

    /// Writes a release, counts what was written, and only then gives the file its name.
    pub(super) fn publish(
        &self,
        release: &Release<'_>,
        models: &[Box<dyn PrivacyModel>],
        mut output: Output,
        progress: &dyn Progress,
    ) -> Result<(Table, Recount)> {
        let Self { job, source, schema, table } = *self;
        progress.stage(Stage::Write);
        self.check_names(release)?;
        let options = job.writing();
        let written =
            write_release((source, schema), (table, release), &options, &mut output, progress)?;

        progress.stage(Stage::Verify);
        let columns: Vec<String> =
            (0..job.quasi.len()).flat_map(|i| release.columns(i).to_vec()).collect();
        let written_file = Source::open(output.temporary_path(), Some(source.delimiter()))?;
        let beside: Vec<String> = table.beside().iter().map(|column| column.name.clone()).collect();
        let reading = ReleaseColumns { quasi: &columns, beside: &beside };
        let shown = read_release(&written_file, reading, job.threads, progress)?;
        let recount = Recount::of(&shown, models)?;
        check_written(&recount, written)?;
        output.finish()?;
        Ok((shown, recount))
    }
}

/// An error if the written file is not what was meant to be written.
fn check_written(recount: &Recount, written: Written) -> Result<()> {
    let is_whole = recount.n_rows == written.n_rows && recount.n_suppressed <= written.n_suppressed;
    if recount.holds() && is_whole {
        return Ok(());
    }
    let unmet = recount.privacy.iter().filter(|claim| !claim.holds);
    let unmet: Vec<String> = unmet
        .map(|claim| format!("{} of {}, not {}", claim.model, claim.attained, claim.asked))
        .collect();
    Err(Error::Internal(format!(
        "the written file has {} records of {}, and {}",
        recount.n_rows,
        written.n_rows,
        unmet.join(", ")
    )))
}

/// The columns that are read of a release.
#[derive(Debug, Clone, Copy)]
pub struct ReleaseColumns<'a> {
    /// The quasi-identifiers, read as the texts that they show.
    pub quasi: &'a [String],
    /// The columns that models look at.
    pub beside: &'a [String],
}

/// Reads columns of a release.
pub fn read_release(
    source: &Source,
    columns: ReleaseColumns<'_>,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Table> {
    let ReleaseColumns { quasi, beside } = columns;
    let kinds = quasi.iter().map(|name| (name.clone(), Kind::Text)).collect();
    let encoding = Encoding { kinds, n_beside: beside.len(), ..Encoding::default() };
    let options = ReadOptions { encoding, keep_rows: false, threads };
    source.read(&[quasi, beside].concat(), &options, progress)
}
