//! Mondrian: recursively cuts the space of the quasi-identifiers.

mod cut;
mod profile;
mod parts;

use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use self::cut::{Cut, Cutter};
use self::parts::{Item, Part, Parts};
use self::profile::{Profile, Profiler};
use super::Anonymizer;
use crate::Result;
use crate::hierarchy::Generalization;
use crate::method::{Described, Description, Parameter, Scope, Type};
use crate::parallel::one_by_one;
use crate::problem::{Attribute, Problem};
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::{Class, Proposal, Take};

/// Divides the records by the values of one attribute, then each side again, as long as every side
/// keeps enough records.
///
/// For every part, each attribute proposes a cut: at the median of its values, between the children
/// of the node that holds them, or where the loss falls most. The part takes the cut of the widest
/// attribute, or the one that saves most. A part that cannot be cut any more becomes a class, and
/// each class is generalized no further than necessary (local recoding; the regions do not overlap
/// if the variant is `strict`).
///
/// Words without a tree have no order, so they are cut in descending order of their frequency in
/// the part. This order is the best one, because a side with few values should have many records. A
/// missing value that matches anything goes to the smaller side.
///
/// Parts are cut on several threads.
///
/// # Complexity
///
/// `O(p c log c)` for `c` cohorts and `p` attributes if the cuts are balanced; memory `O(c)`. A
/// long sequence of unbalanced cuts costs more, at worst `c / k` times `p c`.
///
/// # Guarantees
///
/// Every class has at least `k` records. Not optimal. Deterministic, on any number of threads: ties
/// go to the first attribute, then to the more balanced cut, then to the lower one.
///
/// # References
///
/// \[LeFevre2006\] K. LeFevre, D. J. DeWitt, R. Ramakrishnan: Mondrian Multidimensional
/// K-Anonymity, ICDE 2006, sections 3 and 4; METHODS 6.4. Deviations: the width of an attribute is
/// the cost of its smallest region, for trees too; children of a node with fewer than `k` records
/// are put together and, if they are still too few, added to the smallest of the others; words
/// without a tree; and cuts by loss, which are our own.
///
/// # Examples
///
/// ```
/// use hedgerow::anonymize::Mondrian;
/// use hedgerow::builder::{Free, HierarchyBuilder};
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::table::Table;
/// let ages = [["20"], ["21"], ["25"], ["30"], ["31"], ["38"], ["60"]];
/// let table = Table::from_rows(&["age"], &ages)?;
/// let free = Free.build(&table.columns()[0])?;
/// let problem = Problem::new(&table, vec![free], vec![Box::new(KAnonymity::new(3)?)])?;
/// let recoding = problem.solve(&Mondrian::default(), &Silent)?;
/// assert_eq!(recoding.sizes(), [4, 3]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Mondrian {
    /// Whether all records with the same value stay together.
    pub variant: Variant,
    /// The point at which an attribute is cut.
    pub cut: Place,
    /// The rule that chooses the attribute to cut; by default `Loss` if `cut` is `Loss`, else
    /// `Width`.
    pub choose: Option<Choose>,
}

impl Described for Mondrian {
    const RECODING: Option<Scope> = Some(Scope::Local);

    const DESCRIPTION: Description = Description {
        name: "mondrian",
        about: "cuts at medians, or where the loss falls most; fast on millions of records",
        reference: Some("LeFevre2006"),
        needs: &[],
        parameters: &[
            Parameter::new(
                "variant",
                Type::Choice(&["strict", "relaxed"]),
                "whether all records with the same value stay together (strict)",
            )
            .or("strict"),
            Parameter::new(
                "cut",
                Type::Choice(&["children", "median", "loss"]),
                "where an attribute is cut",
            )
            .or("children"),
            Parameter::new(
                "choose",
                Type::Choice(&["width", "loss"]),
                "which attribute is cut; by default loss if cut=loss, otherwise width",
            ),
        ],
    };
}

/// Whether all records with the same value stay together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// All records with a value go to the same side.
    #[default]
    Strict,
    /// Records with the value at a cut may go to either side.
    Relaxed,
}

/// The point at which an attribute is cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// Between the children of a node of the tree; at the median if there is no tree.
    #[default]
    Children,
    /// At the least value such that at least half of the records do not exceed it, in leaf order.
    Median,
    /// At the point where the loss falls most.
    Loss,
}

/// The rule that chooses the attribute to cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choose {
    /// The widest attribute.
    Width,
    /// The attribute whose cut lowers the loss most.
    Loss,
}

/// With several threads, parts are cut one after another until there are about this many for each.
const PARTS_PER_THREAD: usize = 4;

impl Anonymizer for Mondrian {
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        let n_threads = progress.threads().max(1);
        let n_parts = if n_threads == 1 { 1 } else { n_threads * PARTS_PER_THREAD };
        let most = problem.cohorts().len().div_ceil(n_parts);
        let mut knife = Knife::new(*self, problem);
        let mut parts = Parts::new(problem, self.variant == Variant::Relaxed);
        let mut small = Vec::new();
        while let Some(part) = parts.last() {
            stop_if_cancelled(progress)?;
            if part.items.len() <= most || !knife.cut_last(&mut parts) {
                small.push(parts.take_last());
            }
        }
        // Parts are cut independently of each other, so the number of threads does not matter.
        let n_done = AtomicU64::new(0);
        let found = one_by_one(n_threads, small, |part| {
            Knife::new(*self, problem).classes(part, &n_done, progress)
        });
        let mut takes = Vec::with_capacity(problem.cohorts().len());
        let mut n_classes = 0;
        for part in found {
            let Classes { items, ends } = part?;
            let mut start = 0;
            for end in ends {
                let class = Some(Class::new(n_classes));
                let items = items[start..end].iter();
                takes.extend(items.map(|&Item { cohort, count }| Take { cohort, class, count }));
                (start, n_classes) = (end, n_classes + 1);
            }
        }
        Proposal::new(problem, n_classes, takes)
    }
}

/// Cuts parts, reusing its memory.
struct Knife<'a> {
    mondrian: Mondrian,
    problem: &'a Problem,
    profiler: Profiler,
    /// The attributes whose cuts of the current part fail a model.
    refused: Vec<bool>,
}

/// The classes of a part, one after another.
#[derive(Default)]
struct Classes {
    items: Vec<Item>,
    /// The place in `items` at which each class ends.
    ends: Vec<usize>,
}

impl<'a> Knife<'a> {
    fn new(mondrian: Mondrian, problem: &'a Problem) -> Self {
        let refused = vec![false; problem.attributes().len()];
        Self { mondrian, problem, profiler: Profiler::new(problem), refused }
    }

    /// Cuts the last part. Returns `false` if it cannot be cut.
    fn cut_last(&mut self, parts: &mut Parts) -> bool {
        let Self { mondrian, problem, profiler, refused } = self;
        refused.fill(false);
        while let Some(part) = parts.last()
            && let Some((place, cut)) = mondrian.best_cut(problem, part, refused, profiler)
        {
            // A cut that fails a model is refused, and the part tries its next best attribute.
            if parts.divide(problem.goal(), place, profiler.kept(), &cut) {
                return true;
            }
            refused[place] = true;
        }
        false
    }

    /// Cuts parts as long as that is possible. `n_done` is the number of records in classes.
    fn classes(
        mut self,
        mut parts: Parts,
        n_done: &AtomicU64,
        progress: &dyn Progress,
    ) -> Result<Classes> {
        let n_records = self.problem.cohorts().n_records();
        let mut found = Classes::default();
        let mut n_new = 0;
        while parts.last().is_some() {
            // Not only when a class is done: the first cuts go through all records.
            stop_if_cancelled(progress)?;
            if self.cut_last(&mut parts) {
                continue;
            }
            let items = parts.last().map_or(&[][..], |part| part.items);
            n_new += items.iter().map(|item| item.count).sum::<u64>();
            found.items.extend_from_slice(items);
            found.ends.push(found.items.len());
            parts.close();
            // Reporting every class would cost more than small classes do.
            if found.ends.len().is_multiple_of(256) {
                let n_before = n_done.fetch_add(std::mem::take(&mut n_new), Ordering::Relaxed);
                progress.advance(n_before, n_records);
            }
        }
        Ok(found)
    }
}

impl Mondrian {
    /// Returns the best cut that the attributes propose for a part, except for the refused ones.
    /// The profiler keeps the profile that belongs to this cut.
    fn best_cut(
        self,
        problem: &Problem,
        part: Part<'_>,
        refused: &[bool],
        profiler: &mut Profiler,
    ) -> Option<(usize, Cut)> {
        let least = problem.least_size();
        let size: u64 = part.items.iter().map(|item| item.count).sum();
        // No cut can leave `least` records on both sides.
        if size < 2 * least {
            return None;
        }
        profiler.look_at(part);
        let attributes = problem.attributes();
        // An attribute with a single value in this part cannot be cut.
        let is_open = |&place: &usize| !refused[place] && profiler.span(place).is_some();
        let mut open: Vec<usize> = (0..attributes.len()).filter(is_open).collect();
        let is_by_width =
            !matches!((self.choose, self.cut), (Some(Choose::Loss), _) | (None, Place::Loss));
        if is_by_width {
            // The widest attribute comes first, so the first cut that is found is the best.
            let width = |&place: &usize| profiler.width(part, place, &attributes[place]);
            let mut widths: Vec<(f64, usize)> =
                open.iter().map(width).zip(open.iter().copied()).collect();
            widths.sort_by(|a, b| b.0.total_cmp(&a.0));
            open = widths.into_iter().map(|(_, place)| place).collect();
        }
        let mut best = None;
        let mut most = f64::NEG_INFINITY;
        for place in open {
            let profile = profiler.profile(part, place, &attributes[place]);
            let Some(cut) = self.propose(&attributes[place], profile, least) else { continue };
            if cut.saved > most || is_by_width {
                most = cut.saved;
                best = Some((place, cut));
                profiler.keep();
            }
            if is_by_width {
                break;
            }
        }
        best
    }

    /// Returns the cut of one attribute, or `None` if none leaves enough records on every side.
    fn propose(self, attribute: &Attribute, profile: &Profile, least: u64) -> Option<Cut> {
        if profile.leaves.len() < 2 {
            return None;
        }
        let cutter = Cutter::new(attribute, profile, least);
        let is_relaxed = self.variant == Variant::Relaxed;
        match (self.cut, attribute.generalization()) {
            (Place::Loss, _) => cutter.least_loss(is_relaxed),
            (Place::Children, Generalization::Tree(tree)) => cutter.children(tree),
            _ if is_relaxed => cutter.half(),
            _ => cutter.median(),
        }
    }
}
