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
/// a longer search. So a search that uses up a time limit keeps the best of the states that a
/// longer search also passes through.
pub(super) struct Best<'a> {
    problem: &'a Problem,
    leaders: Option<&'a Leaders>,
    progress: &'a dyn Progress,
    /// Whether states are considered at all.
    is_needed: bool,
    /// The number of changes before the state that was considered last.
    n_changes: Option<u64>,
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
        Self { problem, leaders, progress, is_needed, n_changes: None, found: None }
    }

    /// Keeps the present classes if they lose less than the best so far.
    pub(super) fn consider(&mut self, site: &Site<'_>) -> Result<()> {
        if !self.is_needed || self.n_changes == Some(site.n_changes()) {
            return Ok(());
        }
        // The present classes are the result then, and are mended later.
        if self.found.is_none() && self.progress.out_of_time() {
            return Ok(());
        }
        self.n_changes = Some(site.n_changes());
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::anonymize::hedge::class::Class;
    use crate::anonymize::hedge::index::Index;
    use crate::anonymize::hedge::{Hedge, mend, merge};
    use crate::box_tree::Space;
    use crate::builder::{Free, HierarchyBuilder};
    use crate::privacy::{Diversity, KAnonymity, LDiversity, PrivacyModel, Secret};
    use crate::progress::Silent;
    use crate::proposal;
    use crate::table::{Columns, Encoding, Table};

    /// A caller whose time is to be used up.
    struct Patient {
        is_over: bool,
    }

    impl Progress for Patient {
        fn out_of_time(&self) -> bool {
            self.is_over
        }

        fn goes_on(&self) -> bool {
            true
        }
    }

    fn problem() -> Problem {
        let row = |i: u32| [i * i % 211, i * 37 % 101, i % 3].map(|x| x.to_string());
        let rows: Vec<[String; 3]> = (0..200).map(row).collect();
        let columns = Columns::quasi(&["a", "b"]).and_beside(&["ill"]);
        let table = Table::encode(&columns, &rows, &Encoding::default()).unwrap();
        let secret = Arc::new(Secret::of(&table, "ill").unwrap());
        let asked = Diversity { l: 2.0, ..Diversity::default() };
        let models: Vec<Box<dyn PrivacyModel>> = vec![
            Box::new(KAnonymity::new(3).unwrap()),
            Box::new(LDiversity::new(asked, &secret).unwrap()),
        ];
        let built = table.columns().iter().map(|column| Free.build(column).unwrap()).collect();
        Problem::new(&table, built, models).unwrap()
    }

    /// The classes after merging.
    fn merged<'a>(problem: &Problem, space: &'a Space<'a>) -> Site<'a> {
        let mut index = Index::new(space);
        let cohorts = problem.cohorts().counted();
        let mut classes: Vec<Class> = cohorts.map(|(c, n)| Class::of(space, c, n)).collect();
        let numbers = proposal::Class::first(classes.len());
        numbers.zip(problem.cohorts().all()).for_each(|(class, home)| index.settle(class, home));
        merge::merge(space, &mut classes, &mut index, &Silent).unwrap();
        Site::new(space, classes, index)
    }

    #[test]
    fn the_same_classes_are_mended_only_once() {
        let problem = problem();
        let space = Space::new(&problem);
        let mut site = merged(&problem, &space);
        let progress = Patient { is_over: false };
        let mut best = Best::new(&problem, None, &progress);
        best.consider(&site).unwrap();
        // A state that is mended again would be found again.
        assert!(best.found.take().is_some());
        best.consider(&site).unwrap();
        assert!(best.found.is_none());
        assert!(mend::mend(&mut site, Hedge::default(), &progress).unwrap());
        best.consider(&site).unwrap();
        assert!(best.found.is_some());
    }

    #[test]
    fn the_only_classes_are_not_mended_when_the_time_is_over() {
        let problem = problem();
        let space = Space::new(&problem);
        let site = merged(&problem, &space);
        let progress = Patient { is_over: true };
        let mut best = Best::new(&problem, None, &progress);
        best.consider(&site).unwrap();
        assert!(best.found.is_none());
        assert_eq!(best.into_proposal(&site).unwrap(), site.proposal(&problem).unwrap());
    }
}
