//! The path of a search: the sequence of generalizations, and where the goal is met.

use super::cut::{Cut, Step};
use super::naive::Recount;
use super::tea::Tea;
use super::{BottomUp, Counts, Search, Until, Vids};
use crate::anonymize::information::rank;
use crate::anonymize::trace;
use crate::error::Advice;
use crate::noun::counted;
use crate::problem::{Attribute, Problem};
use crate::progress::{Progress, stop_if_cancelled};
use crate::{Error, Result};

/// One generalization and its effect.
struct Stride {
    step: Step,
    /// I(G).
    loss: f64,
    /// P(G): the records that the smallest vid gained, up to k.
    gain: u64,
    smallest: u64,
    n_vids: usize,
}

/// The sequence of generalizations.
pub(super) struct Path {
    /// The size of the smallest vid and the number of vids at the start.
    start: (u64, usize),
    strides: Vec<Stride>,
    /// Number of steps after which the goal is first met.
    met: Option<usize>,
    /// Number of steps to the requested stopping point, and a description of what fails there if
    /// the goal is not met.
    point: Option<(usize, Option<String>)>,
}

/// The state of a search.
struct Walk<'a> {
    problem: &'a Problem,
    search: Search,
    cut: Cut<'a>,
    counts: Table<'a>,
}

/// The vids, in the data structure that the search uses.
enum Table<'a> {
    Naive(Recount<'a>),
    Index(Tea<'a>),
}

impl<'a> Table<'a> {
    fn counts(&self) -> &(dyn Counts + 'a) {
        match self {
            Self::Naive(counts) => counts,
            Self::Index(counts) => counts,
        }
    }

    fn counts_mut(&mut self) -> &mut (dyn Counts + 'a) {
        match self {
            Self::Naive(counts) => counts,
            Self::Index(counts) => counts,
        }
    }
}

impl Path {
    /// Generalizes until the goal is met and the stopping point of the method is reached.
    pub(super) fn search(
        method: &BottomUp,
        problem: &Problem,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let cut = method.cut(problem)?;
        let vids = Vids::of(problem, &cut);
        let counts = match method.search {
            Search::Naive => Table::Naive(Recount::new(&vids, cut.trees())),
            Search::Index | Search::Pruning => Table::Index(Tea::new(&vids, cut.trees())),
        };
        drop(vids);
        let mut walk = Walk { problem, search: method.search, cut, counts };
        let counts = walk.counts.counts();
        let start = (counts.smallest(), counts.len());
        // One step for each inner node, more if `partial`; used only to show progress.
        let n_steps: usize = walk.cut.trees().iter().map(|tree| tree.len() - tree.n_leaves()).sum();
        let mut path = Self { start, strides: Vec::new(), met: None, point: None };
        loop {
            stop_if_cancelled(progress)?;
            let is_met = walk.is_met();
            if is_met {
                path.met.get_or_insert(path.strides.len());
            }
            let is_point = |until: Until| {
                until.is_reached(path.strides.len(), walk.counts.counts().smallest())
            };
            if method.until.map_or(is_met, is_point) {
                // The search goes on after a point that fails, so that the error can name one that
                // will do.
                let failure = || (!is_met).then(|| walk.cut.failure(problem));
                path.point.get_or_insert_with(|| (path.strides.len(), failure()));
            }
            if path.met.is_some() && path.point.is_some() {
                return Ok(path);
            }
            let Some(stride) = walk.stride() else { return Ok(path) };
            path.strides.push(stride);
            progress.advance(path.strides.len() as u64, n_steps as u64);
        }
    }

    pub(super) fn steps(&self) -> impl Iterator<Item = Step> {
        self.strides.iter().map(|stride| stride.step)
    }

    /// Returns the number of steps after which the release is taken.
    pub(super) fn n_steps_of(&self, method: &BottomUp, problem: &Problem) -> Result<usize> {
        let n_steps = self.strides.len();
        match (self.met, &self.point) {
            // The requested point meets the goal.
            (_, Some((n_steps, None))) => Ok(*n_steps),
            (None, _) => Err(Error::unreachable(format!(
                "method 'bottom-up' generalized everything to the roots, in {}, and even then the \
                 privacy models do not hold",
                counted(n_steps, "step")
            ))
            .advise([Advice::less(), Advice::AllowSuppression { records: None }])),
            (Some(met), Some((n_steps, Some(failure)))) => Err(Error::unreachable(format!(
                "until={} is after {}, where {failure} and {} may be suppressed",
                method.until.map_or_else(String::new, |until| until.to_string()),
                counted(*n_steps, "generalization"),
                problem.most_suppressed()
            ))
            .advise([
                Advice::words(format!("choose until={met}, the first point that meets the goal")),
                Advice::AllowSuppression { records: None },
            ])),
            (Some(_), None) => Err(Error::unreachable(format!(
                "until={} is never reached: after {} everything is at the roots",
                method.until.map_or_else(String::new, |until| until.to_string()),
                counted(n_steps, "generalization"),
            ))
            .advise([Advice::words("choose an earlier point")])),
        }
    }

    /// Summarizes the result in one line.
    pub(super) fn note(&self, n_steps: usize) -> String {
        let (smallest, n_vids) = match n_steps {
            0 => self.start,
            n => (self.strides[n - 1].smallest, self.strides[n - 1].n_vids),
        };
        format!(
            "{} {} {n_vids} of {} of values, the smallest of {}",
            counted(n_steps, "generalization"),
            if n_steps == 1 { "leaves" } else { "leave" },
            counted(self.start.1, "combination"),
            counted(smallest, "record")
        )
    }

    /// Formats the path as CSV, with the start as step 0.
    pub(super) fn trace(&self, problem: &Problem) -> Result<String> {
        let header = ["step", "attribute", "node", "a-before", "a-after", "i", "p", "ip", "vids"];
        let text = |number: u64| number.to_string();
        let (mut before, n_vids) = self.start;
        let mut rows = vec![[const { String::new() }; 9]];
        (rows[0][0], rows[0][4], rows[0][8]) = (text(0), text(before), text(n_vids as u64));
        for (number, stride) in (1..).zip(&self.strides) {
            let Stride { step, loss, gain, smallest, n_vids } = stride;
            let attribute = &problem.attributes()[step.attribute];
            // Wang2004: information lost per unit of anonymity gained.
            let ip = if *gain > 0 { format!("{:.6}", loss / *gain as f64) } else { "inf".into() };
            rows.push([
                text(number),
                attribute.name().to_owned(),
                label(attribute, step),
                text(before),
                text(*smallest),
                format!("{loss:.6}"),
                text(*gain),
                ip,
                text(*n_vids as u64),
            ]);
            before = *smallest;
        }
        trace::csv(header, &rows)
    }
}

/// Formats the replacing node; for a single child, `child > node`.
fn label(attribute: &Attribute, step: &Step) -> String {
    let of =
        |node| attribute.generalization().hierarchy().map(|tree| tree.label(node).into_owned());
    let to = of(step.to).unwrap_or_default();
    match step.child.and_then(of) {
        Some(child) => format!("{child} > {to}"),
        None => to,
    }
}

impl Walk<'_> {
    /// Chooses and applies the next generalization; returns `None` if everything is at the roots.
    fn stride(&mut self) -> Option<Stride> {
        let counts = self.counts.counts();
        let (k, before) = (self.problem.least_size(), counts.smallest());
        // Once the smallest vid has k records, P(G) is 0 for all, and none is critical.
        let tried = match &self.counts {
            _ if before >= k => Vec::new(),
            Table::Index(tea) if self.search == Search::Pruning => tea.candidates(&self.cut),
            _ => self.cut.open().collect(),
        };
        // IP(G) = I(G) / P(G) for every critical G, that is, with P(G) > 0.
        let critical = tried.into_iter().filter_map(|step| {
            let gain = counts.smallest_after(&step).min(k) - before;
            (gain > 0).then(|| (rank(self.cut.loss(&step) / gain as f64), step))
        });
        let step = critical.min().map(|(_, step)| step).or_else(|| self.cut.open().next())?;
        let loss = self.cut.loss(&step);
        self.cut.apply(&step);
        self.counts.counts_mut().apply(&step);
        let counts = self.counts.counts();
        let (smallest, n_vids) = (counts.smallest(), counts.len());
        let gain = smallest.min(k).saturating_sub(before);
        Some(Stride { step, loss, gain, smallest, n_vids })
    }

    /// Whether the records in classes that are not private are no more than may be suppressed.
    fn is_met(&self) -> bool {
        let (k, most) = (self.problem.least_size(), self.problem.most_suppressed());
        // The sizes are cheap to check; the other models are evaluated only if these suffice.
        let mut n_small = 0;
        let is_too_small = self.counts.counts().sizes().filter(|&size| size < k).any(|size| {
            n_small += size;
            n_small > most
        });
        let goal = self.problem.goal();
        !is_too_small && (goal.looks_only_at_sizes() || self.cut.n_failing(self.problem) <= most)
    }
}
