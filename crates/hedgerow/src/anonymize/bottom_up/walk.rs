//! The steps of a search, one by one.

use super::cut::{Cut, Step};
use super::naive::Recount;
use super::tea::Tea;
use super::{BottomUp, Counts, Search, Vids};
use crate::Result;
use crate::anonymize::information::rank;
use crate::problem::{Attribute, Problem};

/// One generalization and its effect.
pub(super) struct Stride {
    pub(super) step: Step,
    /// I(G).
    pub(super) loss: f64,
    /// P(G): the records that the smallest vid gained, up to k.
    pub(super) gain: u64,
    pub(super) smallest: u64,
    pub(super) n_vids: usize,
    /// Number of generalizations that were valid.
    pub(super) n_valid: usize,
    /// Number of those that merge every smallest vid with another.
    pub(super) n_candidates: usize,
    /// Number of those that are critical: P(G) > 0.
    pub(super) n_critical: usize,
}

/// The state of a search.
pub(super) struct Walk<'a> {
    problem: &'a Problem,
    search: Search,
    pub(super) cut: Cut<'a>,
    table: Table<'a>,
}

/// The vids, in the data structure that the search uses.
enum Table<'a> {
    Naive(Recount<'a>),
    Index(Tea<'a>),
}

impl<'a> Walk<'a> {
    /// Starts with the cut of all leaves.
    pub(super) fn new(method: &BottomUp, problem: &'a Problem) -> Result<Self> {
        let cut = method.cut(problem)?;
        let vids = Vids::of(problem, &cut);
        let table = match method.search {
            Search::Naive => Table::Naive(Recount::new(&vids, cut.trees())),
            Search::Index | Search::Pruning => Table::Index(Tea::new(&vids, cut.trees())),
        };
        Ok(Self { problem, search: method.search, cut, table })
    }

    /// The vids.
    pub(super) fn counts(&self) -> &(dyn Counts + 'a) {
        match &self.table {
            Table::Naive(counts) => counts,
            Table::Index(counts) => counts,
        }
    }

    fn counts_mut(&mut self) -> &mut (dyn Counts + 'a) {
        match &mut self.table {
            Table::Naive(counts) => counts,
            Table::Index(counts) => counts,
        }
    }

    /// The index, if the search uses one.
    pub(super) fn index(&self) -> Option<&Tea<'a>> {
        match &self.table {
            Table::Naive(_) => None,
            Table::Index(tea) => Some(tea),
        }
    }

    /// Returns the valid generalizations that merge every smallest vid with another. Once the
    /// smallest vid has k records, P(G) is 0 for all, and there are none.
    pub(super) fn candidates(&self) -> Vec<Step> {
        if self.counts().smallest() >= self.problem.least_size() {
            return Vec::new();
        }
        self.counts().candidates(&self.cut)
    }

    /// Returns P(G): the records that the smallest vid would gain, up to k.
    pub(super) fn gain(&self, step: &Step) -> u64 {
        let (k, counts) = (self.problem.least_size(), self.counts());
        counts.smallest_after(step).min(k).saturating_sub(counts.smallest())
    }

    /// Chooses and applies the next generalization; returns `None` if everything is at the roots.
    pub(super) fn stride(&mut self) -> Option<Stride> {
        let before = self.counts().smallest();
        let (n_valid, candidates) = (self.cut.open().count(), self.candidates());
        let n_candidates = candidates.len();
        let tried = match self.search {
            Search::Pruning => candidates,
            _ if before >= self.problem.least_size() => Vec::new(),
            _ => self.cut.open().collect(),
        };
        // IP(G) = I(G) / P(G) for every critical G, that is, with P(G) > 0.
        let critical = tried.into_iter().filter_map(|step| {
            let gain = self.gain(&step);
            (gain > 0).then(|| (rank(self.cut.loss(&step) / gain as f64), step))
        });
        let critical: Vec<(u64, Step)> = critical.collect();
        let best = critical.iter().min().map(|&(_, step)| step);
        let step = best.or_else(|| self.cut.open().next())?;
        let loss = self.cut.loss(&step);
        self.cut.apply(&step);
        self.counts_mut().apply(&step);
        let (smallest, n_vids) = (self.counts().smallest(), self.counts().len());
        let gain = smallest.min(self.problem.least_size()).saturating_sub(before);
        let n_critical = critical.len();
        Some(Stride { step, loss, gain, smallest, n_vids, n_valid, n_candidates, n_critical })
    }

    /// Whether the records in classes that are not private are no more than may be suppressed.
    pub(super) fn is_met(&self) -> bool {
        let (k, most) = (self.problem.least_size(), self.problem.most_suppressed());
        // The sizes are cheap to check; the other models are evaluated only if these suffice.
        let mut n_small = 0;
        let is_too_small = self.counts().sizes().filter(|&size| size < k).any(|size| {
            n_small += size;
            n_small > most
        });
        let goal = self.problem.goal();
        !is_too_small && (goal.looks_only_at_sizes() || self.cut.n_failing(self.problem) <= most)
    }
}

/// Formats the replacing node; for a single child, `child > node`.
pub(super) fn label(attribute: &Attribute, step: &Step) -> String {
    let of =
        |node| attribute.generalization().hierarchy().map(|tree| tree.label(node).into_owned());
    let to = of(step.to).unwrap_or_default();
    match step.child.and_then(of) {
        Some(child) => format!("{child} > {to}"),
        None => to,
    }
}
