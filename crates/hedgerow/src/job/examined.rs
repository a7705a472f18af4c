//! Examines the columns of a table, or of a sample of it, without making a release.

use super::plan::Plan;
use super::{Job, guarded};
use crate::Result;
use crate::error::Warning;
use crate::io::Source;
use crate::progress::Progress;

/// Examines the columns that a release of this job would publish, and returns warnings about them.
///
/// For callers who publish records elsewhere, with the mapping of
/// [`run_on_counts`](super::run_on_counts): `source` is then a sample of the records, with all
/// columns.
///
/// # Errors
///
/// [`Error::Undecided`](crate::Error::Undecided) if columns without a role should not be published
/// as they are, and errors of reading.
pub fn examine(job: &Job, source: &Source, progress: &dyn Progress) -> Result<Vec<Warning>> {
    let plan = Plan::of(job)?;
    let schema = job.schema(source.header(), &plan.claims())?;
    source.check_usable(&schema.read_or_undecided())?;
    // A sample may have fewer records than a class of the whole table.
    let columns = plan.columns(&schema);
    let guarded = guarded::Guarded { source, columns: &columns, k: 1 };
    let admitted = guarded.read(schema, &job.reading(false), progress)?;
    Ok(guarded::warnings(admitted.looked.findings(), &admitted.schema))
}
