//! The risk of the input and of the release that a job made from it.

use super::Job;
use super::sampled::{Unweighted, Weighted};
use crate::Result;
use crate::progress::Silent;
use crate::publish::Publication;
use crate::release::Release;
use crate::risk::{self, Assessment, Request, Side};
use crate::table::Table;

/// A release whose risk is assessed.
#[derive(Clone, Copy)]
pub(super) struct Assessed<'a> {
    pub(super) publication: &'a Publication<'a>,
    pub(super) release: &'a Release,
    /// Its cells as a reader sees them.
    pub(super) shown: &'a Table,
    /// The risk of the input, if it is known.
    pub(super) before: Option<&'a Side>,
}

impl Assessed<'_> {
    /// Assesses the risk.
    ///
    /// Only figures that need one pass over the distinct records are computed; see
    /// [`Depth`](crate::risk::Depth).
    pub(super) fn assess(&self, job: &Job) -> Result<Assessment> {
        let study = self.publication.study;
        let table = study.problem().table();
        // A file does not say whose records are whose; the release in memory does.
        let named = match (table.person(), self.shown.person()) {
            (Some(_), None) => Some(self.publication.shown(self.release, &Silent)?),
            _ => None,
        };
        let weighted = job.weights.as_ref().map(|name| self.weighted(job, name)).transpose()?;
        let (table, shown) = match &weighted {
            Some(Weighted { original, release }) => (original, release),
            None => (table, named.as_ref().unwrap_or(self.shown)),
        };
        // A sensitive column that is not read with the release cannot be guessed from it.
        let is_shown = |name: &&String| shown.beside().iter().any(|column| column.name == **name);
        let (sensitive, unread): (Vec<String>, Vec<String>) =
            job.sensitive.iter().cloned().partition(|name| is_shown(&name));
        let trees = study.problem().attributes().iter().filter_map(|attribute| {
            Some((attribute.name().to_owned(), attribute.generalization().hierarchy()?))
        });
        let request = Request::new(table)
            .own_release(shown)
            .known(self.before)
            .sensitive(&sensitive)
            .unread(unread)
            .extent(job.extent(study.population()))
            .thresholds(&job.threshold)
            .hierarchies(trees.collect());
        risk::assess(&request)
    }

    /// The table and the release with the sampling weights in the column `name`.
    fn weighted(&self, job: &Job, name: &str) -> Result<Weighted> {
        let release = self.release;
        let has_suppressed = !(job.drop_suppressed || release.drops_suppressed());
        let unweighted =
            Unweighted { job, source: self.publication.source, release, has_suppressed };
        unweighted.weighted(name, &Silent)
    }
}
