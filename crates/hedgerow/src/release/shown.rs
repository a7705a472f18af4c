//! What a reader sees as one class: records that have the same text.

use std::collections::{BTreeMap, BTreeSet};

use super::Release;
use crate::error::Advice;
use crate::problem::Tally;
use crate::proposal::Take;
use crate::{Error, Result};

impl Release {
    /// Whether suppressed records are left out whatever a caller asks for: if a model looks at
    /// sensitive values, these records would show theirs outside of any class.
    pub fn drops_suppressed(&self) -> bool {
        self.recoding.problem().goal().looks_at_secrets()
    }

    /// What is in the records that have the same text, by the numbers of their cells' labels.
    pub(crate) fn shown(&self, has_suppressed: bool) -> BTreeMap<&[u32], Tally> {
        let goal = self.recoding.problem().goal();
        let mut classes: BTreeMap<&[u32], Tally> = BTreeMap::new();
        for take in self.recoding.takes() {
            if take.class != Take::SUPPRESSED || has_suppressed {
                let class = classes.entry(self.numbers(take.class));
                goal.add(class.or_insert_with(|| goal.tally()), take.cohort, take.count);
            }
        }
        classes
    }

    /// An error if classes that have the same text in this style fail together: models that are not
    /// monotone may hold for each and not for both.
    pub(super) fn check_shown(&self) -> Result<()> {
        let goal = self.recoding.problem().goal();
        if goal.is_monotone() {
            return Ok(());
        }
        let nothing = self.numbers(Take::SUPPRESSED);
        let shown = self.shown(false).into_iter().filter(|(cells, _)| *cells != nothing);
        let tallies: Vec<Tally> = shown.map(|(_, tally)| tally).collect();
        let models = goal.models().iter().enumerate();
        let failing = models.filter(|(place, model)| {
            tallies.iter().any(|tally| !model.holds(&goal.view(tally, *place)))
        });
        let failing: BTreeSet<&str> = failing.map(|(_, model)| model.name()).collect();
        if failing.is_empty() {
            return Ok(());
        }
        let problem = format!(
            "the privacy models hold for each class, but not for classes that have the same text in the \
             release ({})",
            Vec::from_iter(failing).join(", ")
        );
        Err(Error::unreachable(problem).advise([
            Advice::OtherIntervalStyle { styles: Vec::new() },
            Advice::words("give the groups of a hierarchy different names"),
        ]))
    }
}
