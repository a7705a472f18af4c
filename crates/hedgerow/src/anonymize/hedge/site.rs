//! Classes that are improved piece by piece, on any number of threads.

use super::class::Class;
use super::index::{Aim, Index};
use crate::Result;
use crate::box_tree::{Space, Span};
use crate::parallel::in_parallel;
use crate::problem::Problem;
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::{self, Proposal, Take};

/// Classes are planned in batches of one of this number of all classes, so that few plans concern
/// the same classes.
const BATCHES: usize = 64;

/// Maximum number of classes of a batch.
const MOST_PLANNED: usize = 4096;

/// Least number of plans for which a thread is started.
const LEAST_OF_THREAD: usize = 32;

/// All classes, and where to find them.
pub(super) struct Site<'a> {
    pub(super) space: &'a Space<'a>,
    pub(super) classes: Vec<Class>,
    pub(super) index: Index,
    /// Whether each class has changed since it was planned the last time.
    has_changed: Vec<bool>,
    /// The last batch in which each class was replaced.
    replaced: Vec<u32>,
    n_batches: u32,
    /// Number of plans that were carried out.
    n_changes: u64,
}

/// A change that lowers the loss.
pub(super) struct Plan {
    /// The classes that the plan is made from.
    pub(super) seen: Vec<proposal::Class>,
    /// Those that change, by their place in `seen`.
    pub(super) changed: Vec<(usize, Class)>,
    /// Classes that are added.
    pub(super) added: Vec<Class>,
}

impl<'a> Site<'a> {
    pub(super) fn new(space: &'a Space<'a>, classes: Vec<Class>, index: Index) -> Self {
        let (has_changed, replaced) = (vec![true; classes.len()], vec![0; classes.len()]);
        Self { space, classes, index, has_changed, replaced, n_batches: 0, n_changes: 0 }
    }

    pub(super) fn class(&self, number: proposal::Class) -> &Class {
        &self.classes[number.index()]
    }

    /// The classes as a proposal.
    pub(super) fn proposal(&self, problem: &Problem) -> Result<Proposal> {
        let classes: Vec<&Class> = self.classes.iter().filter(|class| !class.is_empty()).collect();
        debug_assert!(classes.iter().all(|class| self.space.need(class.size) == 0), "too small");
        let numbers = proposal::Class::first(classes.len()).map(Some);
        let takes = numbers.zip(&classes).flat_map(|(class, found)| {
            let members = found.members.iter();
            members.map(move |&(cohort, count)| Take { cohort, class, count })
        });
        Proposal::new(problem, classes.len(), takes.collect())
    }

    /// Number of plans that were carried out; the classes are the same as long as it is.
    pub(super) fn n_changes(&self) -> u64 {
        self.n_changes
    }

    /// Total loss of all classes.
    pub(super) fn loss(&self) -> f64 {
        self.classes.iter().map(Class::loss).sum()
    }

    /// Whether some class has changed since it was planned the last time.
    pub(super) fn has_changed(&self) -> bool {
        self.has_changed.contains(&true)
    }

    /// Marks all classes as changed.
    pub(super) fn touch_all(&mut self) {
        self.has_changed.fill(true);
    }

    /// Returns a class followed by up to `most` others that are nearest to it by the cost of
    /// merging, as long as these have at most `most_members` members together.
    pub(super) fn nearest(
        &self,
        number: proposal::Class,
        most: usize,
        most_members: usize,
    ) -> Vec<proposal::Class> {
        let (space, classes) = (self.space, self.classes.as_slice());
        let spans = &self.class(number).spans;
        // One more than requested, because the search also finds the class itself.
        let mut found = Nearest { space, classes, spans, most: most + 1, found: Vec::new() };
        self.index.search(space, spans, &mut found);
        let mut n_members = 0;
        let others = found.found.iter().map(|&(_, c)| c).filter(|&c| c != number);
        let near = others.take(most).take_while(|&c| {
            n_members += classes[c.index()].members.len();
            n_members <= most_members
        });
        [number].into_iter().chain(near).collect()
    }

    /// Plans every class that has changed, and carries the plans out. Classes that a plan changes
    /// are planned again if their turn is still to come.
    ///
    /// The plans of a batch are made from the same classes, by several threads. They are carried
    /// out in the order of the classes. A plan that concerns a class which the batch has changed is
    /// made again in the next batch, so the number of threads does not matter. Returns whether the
    /// time sufficed.
    pub(super) fn improve(
        &mut self,
        plan: impl Fn(&Self, proposal::Class) -> Option<Plan> + Sync,
        progress: &dyn Progress,
    ) -> Result<bool> {
        let size = (self.classes.len() / BATCHES).clamp(1, MOST_PLANNED);
        let mut next = 0;
        let mut again: Vec<proposal::Class> = Vec::new();
        while next < self.classes.len() || !again.is_empty() {
            stop_if_cancelled(progress)?;
            if progress.out_of_time() {
                return Ok(false);
            }
            let mut batch = std::mem::take(&mut again);
            while batch.len() < size && next < self.classes.len() {
                if std::mem::take(&mut self.has_changed[next]) {
                    batch.push(proposal::Class::new(next));
                }
                next += 1;
            }
            let site = &*self;
            let plans = in_parallel(progress.threads(), batch.len(), LEAST_OF_THREAD, |range| {
                batch[range].iter().map(|&class| plan(site, class)).collect()
            });
            self.n_batches += 1;
            for (class, plan) in batch.into_iter().zip(plans) {
                if plan.is_some_and(|plan| !self.carry_out(plan)) {
                    again.push(class);
                }
            }
        }
        Ok(true)
    }

    /// Carries out a plan, unless one of the classes that it was made from was replaced in this
    /// batch. Returns whether it did.
    fn carry_out(&mut self, plan: Plan) -> bool {
        if plan.seen.iter().any(|class| self.replaced[class.index()] == self.n_batches) {
            return false;
        }
        self.n_changes += 1;
        for (place, class) in plan.changed {
            self.replace(plan.seen[place], class);
        }
        for class in plan.added {
            let number = proposal::Class::new(self.classes.len());
            self.classes.push(Class::empty(self.space));
            self.has_changed.push(true);
            self.replaced.push(0);
            self.replace(number, class);
        }
        true
    }

    fn replace(&mut self, number: proposal::Class, class: Class) {
        self.index.note(number, &class);
        self.has_changed[number.index()] = true;
        self.replaced[number.index()] = self.n_batches;
        self.classes[number.index()] = class;
    }
}

/// The search for the nearest classes.
struct Nearest<'a> {
    space: &'a Space<'a>,
    classes: &'a [Class],
    spans: &'a [Span],
    most: usize,
    /// Costs and classes, in ascending order.
    found: Vec<(f64, proposal::Class)>,
}

impl Aim for Nearest<'_> {
    fn wants(&self, least_cost: f64, _: f64) -> bool {
        self.found.len() < self.most || self.found.last().is_some_and(|last| least_cost < last.0)
    }

    fn may_end(&self) -> bool {
        true
    }

    fn meet(&mut self, number: proposal::Class) {
        let cost = self.space.cost_together(self.spans, &self.classes[number.index()].spans);
        if self.wants(cost, 0.0) {
            self.found.truncate(self.most - 1);
            let place = self.found.partition_point(|other| other.0 <= cost);
            self.found.insert(place, (cost, number));
        }
    }
}
