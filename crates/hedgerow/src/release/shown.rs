//! Classes as a reader sees them: records with the same text.

use std::collections::{BTreeMap, BTreeSet};

use super::Release;
use crate::error::Advice;
use crate::problem::Tally;
use crate::progress::{Progress, stop_if_cancelled};
use crate::{Error, Result};

impl Release {
    /// Whether suppressed records are left out of the release, whatever a caller asks for. If a
    /// model looks at sensitive values, these records would disclose theirs outside of any class.
    pub fn drops_suppressed(&self) -> bool {
        self.recoding.problem().goal().looks_at_secrets()
    }

    /// The tallies of records with the same text, keyed by the label numbers of their cells.
    pub(crate) fn shown(&self, has_suppressed: bool) -> BTreeMap<&[u32], Tally> {
        let goal = self.recoding.problem().goal();
        let mut classes: BTreeMap<&[u32], Tally> = BTreeMap::new();
        for take in self.recoding.takes() {
            if take.class.is_some() || has_suppressed {
                let class = classes.entry(self.numbers(take.class));
                goal.add(class.or_insert_with(|| goal.tally()), take.cohort, take.count);
            }
        }
        classes
    }

    /// Returns an error if classes with the same text fail together. Models that are not monotone
    /// can accept each of two classes but not their union.
    pub(super) fn check_shown(&self, progress: &dyn Progress) -> Result<()> {
        let goal = self.recoding.problem().goal();
        // The union of classes that hold then holds too.
        if goal.is_monotone() {
            return Ok(());
        }
        stop_if_cancelled(progress)?;
        // Records that show nothing count as suppressed, not as a class.
        let nothing = self.numbers(None);
        let shown = self.shown(false).into_iter().filter(|(cells, _)| *cells != nothing);
        let tallies: Vec<Tally> = shown.map(|(_, tally)| tally).collect();
        let models = goal.models().iter().enumerate();
        let failing: BTreeSet<&str> = models
            .filter(|(place, model)| {
                tallies.iter().any(|tally| !model.holds(&goal.view(tally, *place)))
            })
            .map(|(_, model)| model.name())
            .collect();
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
