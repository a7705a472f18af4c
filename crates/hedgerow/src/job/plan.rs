//! What a job asks of its table, known before the table is read.

use super::{Job, asked, check};
use crate::anonymize::{self, Anonymizer};
use crate::error::Advice;
use crate::method::{Need, Spec};
use crate::study::Demands;
use crate::table::Columns;
use crate::{Error, Result};

/// The method of a job, its demands, and the columns that it needs.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) method: Spec,
    /// The hierarchy that the method requires.
    pub(super) own: Option<Spec>,
    pub(super) demands: Demands,
    pub(super) columns: Columns,
    /// Whether the method needs the cohort of every row.
    pub(super) needs_rows: bool,
}

impl Plan {
    /// Checks a job and plans it. A job that is only measured needs no output.
    pub(super) fn of(job: &Job, needs_output: bool) -> Result<Self> {
        check::is_complete(job, needs_output)?;
        let method = asked::method(job)?;
        let named = anonymize::named(&method)?;
        let needs = |need| named.as_deref().is_some_and(|method| method.needs(need));
        let own = own_hierarchy(job, named.as_deref())?;
        let demands = job.demands(&method, own.as_ref(), needs(Need::Levels));
        let beside = demands.beside(job.population.is_some())?;
        let columns = Columns { quasi: job.quasi.clone(), beside, person: job.person.clone() };
        let needs_rows = needs(Need::Rows);
        Ok(Self { method, own, demands, columns, needs_rows })
    }
}

/// Returns the hierarchy that the method requires, if any. It is an error if the job requests
/// another.
fn own_hierarchy(job: &Job, anonymizer: Option<&dyn Anonymizer>) -> Result<Option<Spec>> {
    let own = anonymizer.and_then(Anonymizer::hierarchy);
    let mut asked = job.hierarchy.iter().filter(|(column, _)| job.quasi.contains(column));
    match (&own, asked.next()) {
        (Some(own), Some((column, asked))) => {
            let problem = format!(
                "builds its own hierarchy, '{own}', but '{asked}' is given as the hierarchy of column \
                 '{column}'"
            );
            Err(Error::method(&job.method.to_string(), problem).advise([
                Advice::LeaveOut { key: "hierarchy", column: Some(column.clone()) },
                Advice::ChooseMethod { method: "k-member".to_owned() },
            ]))
        }
        _ => Ok(own),
    }
}
