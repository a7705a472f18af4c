//! The risk of the input and of the release that a job made from it.

use super::Job;
use crate::Result;
use crate::publish::Publication;
use crate::release::Release;
use crate::risk::{self, Assessment, Extent, Request, Side};
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
            (Some(_), None) => Some(self.publication.shown(self.release)?),
            _ => None,
        };
        let shown = named.as_ref().unwrap_or(self.shown);
        // A sensitive column that is not read with the release cannot be guessed from it.
        let is_shown = |name: &&String| shown.beside().iter().any(|column| column.name == **name);
        let (sensitive, unread): (Vec<String>, Vec<String>) =
            job.sensitive.iter().cloned().partition(|name| is_shown(&name));
        let trees = study.problem().attributes().iter().filter_map(|attribute| {
            Some((attribute.name().to_owned(), attribute.generalization().hierarchy()?))
        });
        let extent = study.population().map_or(Extent::Unknown, Extent::Table);
        let request = Request::new(table)
            .own_release(shown)
            .known(self.before)
            .sensitive(&sensitive)
            .unread(unread)
            .extent(extent)
            .hierarchies(trees.collect());
        risk::assess(&request)
    }
}
