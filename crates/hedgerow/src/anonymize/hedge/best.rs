//! The best of the states that a search passes through, once all models are met.

use super::site::Site;
use crate::anonymize::people::Leaders;
use crate::anonymize::suppression;
use crate::loss::Choice;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::proposal::Proposal;
use crate::{Error, Result};

/// Keeps the proposal that loses least after mending.
///
/// A search lowers the loss of classes that are large enough. Where models ask for more than that,
/// classes that fail are merged with others or suppressed afterwards, and this can cost more after
/// a longer search. So a search that uses up a time limit keeps the best of the states that it
/// surely reaches again if it has more time.
pub(super) struct Best<'a> {
    problem: &'a Problem,
    leaders: Option<&'a Leaders>,
    progress: &'a dyn Progress,
    /// Whether states are considered at all.
    is_needed: bool,
    /// The least loss so far, and a proposal from which mending makes it.
    found: Option<(f64, Proposal)>,
}

impl<'a> Best<'a> {
    pub(super) fn new(
        problem: &'a Problem,
        leaders: Option<&'a Leaders>,
        progress: &'a dyn Progress,
    ) -> Self {
        let is_needed = progress.goes_on() && !problem.goal().looks_only_at_sizes();
        Self { problem, leaders, progress, is_needed, found: None }
    }

    /// Keeps the present classes if they lose less than the best so far.
    pub(super) fn consider(&mut self, site: &Site<'_>) -> Result<()> {
        if !self.is_needed {
            return Ok(());
        }
        let raw = self.all_records(site)?;
        let loss = Choice::default();
        let mended = match suppression::settled(loss, self.problem, raw.clone(), self.progress) {
            Err(Error::Unreachable { .. }) => return Ok(()),
            mended => mended?,
        };
        let lost = loss.published_penalty(self.problem, &mended)?;
        if self.found.as_ref().is_none_or(|(least, _)| lost < *least) {
            // A proposal that suppresses records would be compared with another search.
            let kept = if mended.n_suppressed() == 0 { mended } else { raw };
            self.found = Some((lost, kept));
        }
        Ok(())
    }

    /// The best proposal for all records, or the present classes if nothing was considered or
    /// reached the goal.
    pub(super) fn into_proposal(mut self, site: &Site<'_>) -> Result<Proposal> {
        match self.found.take() {
            Some((_, found)) => Ok(found),
            None => self.all_records(site),
        }
    }

    fn all_records(&self, site: &Site<'_>) -> Result<Proposal> {
        match self.leaders {
            None => site.proposal(self.problem),
            Some(leaders) => leaders.followed(self.problem, site.proposal(leaders.problem())?),
        }
    }
}
