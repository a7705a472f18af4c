//! The method and the demands of a job, which are known before its input is read.

use super::{Job, asked};
use crate::anonymize::{self, Anonymizer};
use crate::error::Advice;
use crate::method::{Need, Spec};
use crate::schema::Schema;
use crate::study::{Claims, Demands};
use crate::table::Columns;
use crate::{Error, Result};

/// The method of a job, and the demands on its release.
pub(super) struct Plan {
    pub(super) method: Spec,
    pub(super) demands: Demands,
    /// Whether the method looks at the records one by one.
    pub(super) needs_rows: bool,
    /// Whether the method builds the only hierarchy that it uses.
    pub(super) has_own_hierarchy: bool,
    has_population: bool,
    /// Columns that are counted together with the quasi-identifiers.
    beside: Vec<String>,
}

impl Plan {
    pub(super) fn of(job: &Job) -> Result<Self> {
        let method = asked::method(job)?;
        // `None` for `auto`, whose needs are known only when it has chosen.
        let named = anonymize::named(&method)?;
        let anonymizer = named.as_deref();
        let needs = |need| anonymizer.is_some_and(|method| method.needs(need));
        let own = own_hierarchy(job, anonymizer)?;
        let demands = job.demands(&method, own.as_ref(), needs(Need::Levels))?;
        let beside = demands.beside()?;
        Ok(Self {
            needs_rows: needs(Need::Rows),
            has_own_hierarchy: own.is_some(),
            method,
            demands,
            has_population: job.population.is_some(),
            beside,
        })
    }

    /// The columns to read from a table with these roles.
    pub(super) fn columns(&self, schema: &Schema) -> Columns {
        schema.columns(&self.beside)
    }

    /// The requested privacy.
    pub(super) fn claims(&self) -> Claims<'_> {
        self.demands.claims(self.has_population)
    }
}

/// Returns the hierarchy that the method requires, if any. It is an error if the job requests
/// another.
fn own_hierarchy(job: &Job, anonymizer: Option<&dyn Anonymizer>) -> Result<Option<Spec>> {
    let own = anonymizer.and_then(Anonymizer::hierarchy);
    // Hierarchies of sensitive columns are for models, and do not concern the method.
    let mut asked = job.hierarchy.iter().filter(|(column, _)| job.quasi.contains(column));
    let mut edited = job.edits.keys().filter(|column| job.quasi.contains(column));
    if let Some((own, column)) = own.as_ref().zip(edited.next()) {
        let problem = format!("builds its own hierarchy, '{own}', which cannot be edited");
        return Err(Error::method(&job.method.to_string(), problem).advise([
            Advice::LeaveOut { key: "edits", column: Some(column.clone()) },
            Advice::ChooseMethod { method: "k-member".to_owned() },
        ]));
    }
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
