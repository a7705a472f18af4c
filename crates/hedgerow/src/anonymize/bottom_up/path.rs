//! The path of a search: the sequence of generalizations, and where the goal is met.

use super::cut::Step;
use super::walk::{Stride, Walk, label};
use super::{BottomUp, Until};
use crate::anonymize::trace;
use crate::error::Advice;
use crate::noun::counted;
use crate::problem::Problem;
use crate::progress::{Progress, stop_if_cancelled};
use crate::{Error, Result};

/// The columns of a trace. The last three count the generalizations that were valid, those of them
/// that merge every smallest vid (the only ones that can be critical), and those that are critical.
const HEADER: [&str; 12] = [
    "step",
    "attribute",
    "node",
    "a-before",
    "a-after",
    "i",
    "p",
    "ip",
    "vids",
    "valid",
    "candidates",
    "critical",
];

/// The sequence of generalizations.
pub(super) struct Path {
    /// The size of the smallest vid and the number of vids at the start.
    start: (u64, usize),
    strides: Vec<Stride>,
    /// Number of steps after which the goal is first met.
    met: Option<usize>,
    /// Number of steps to the requested stopping point, and a description of the failure there if
    /// the goal is not met.
    point: Option<(usize, Option<String>)>,
}

impl Path {
    /// Generalizes until the goal is met and the stopping point of the method is reached.
    pub(super) fn search(
        method: &BottomUp,
        problem: &Problem,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let mut walk = Walk::new(method, problem)?;
        let counts = walk.counts();
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
            let is_point =
                |until: Until| until.is_reached(path.strides.len(), walk.counts().smallest());
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

    pub(super) fn strides(&self) -> &[Stride] {
        &self.strides
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
            .advise([Advice::less(), Advice::AllowSuppression { least: None }])),
            (Some(met), Some((n_steps, Some(failure)))) => Err(Error::unreachable(format!(
                "until={} is after {}, where {failure} and {} may be suppressed",
                method.until.map_or_else(String::new, |until| until.to_string()),
                counted(*n_steps, "generalization"),
                problem.most_suppressed()
            ))
            .advise([
                Advice::words(format!("choose until={met}, the first point that meets the goal")),
                Advice::AllowSuppression { least: None },
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
        let text = |number: u64| number.to_string();
        let (mut before, n_vids) = self.start;
        let mut rows = vec![[const { String::new() }; HEADER.len()]];
        (rows[0][0], rows[0][4], rows[0][8]) = (text(0), text(before), text(n_vids as u64));
        for (number, stride) in (1..).zip(&self.strides) {
            let Stride { step, loss, gain, smallest, n_vids, .. } = stride;
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
                text(stride.n_valid as u64),
                text(stride.n_candidates as u64),
                text(stride.n_critical as u64),
            ]);
            before = *smallest;
        }
        trace::csv(HEADER, &rows)
    }
}
