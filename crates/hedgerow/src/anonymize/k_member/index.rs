//! Cohorts in a tree of boxes, to find the nearest or furthest without visiting all of them.

use super::TIE;
use super::rows::{LowestRow, RowsOf};
use crate::anonymize::cluster::Cluster;
use crate::box_tree::{BOX_SIZE, BoxTree, Span};
use crate::hierarchy::LeafOrAny;
use crate::problem::Problem;
use crate::table::Cohort;

/// All cohorts in nested boxes; those without rows left are skipped.
#[derive(Debug)]
pub(super) struct Index {
    /// The boxes, each with the lowest row left in any of its cohorts.
    tree: BoxTree<LowestRow>,
    /// The leaves of the cohorts, in the order of the boxes.
    leaves: Vec<LeafOrAny>,
    /// The lowest row left in each cohort, in the same order.
    rows: Vec<LowestRow>,
    /// The place of each cohort in that order.
    places: Vec<u32>,
}

/// The target of a search.
#[derive(Clone, Copy, PartialEq)]
enum Aim {
    Nearest,
    Furthest,
}

impl Index {
    pub(super) fn new(problem: &Problem, rows: &RowsOf) -> Self {
        let n_cohorts = problem.cohorts().len();
        let width = problem.attributes().len();
        let divide =
            |cohorts: &mut [Cohort], spans: &mut Vec<Span>| divide(problem, cohorts, spans);
        let tree = BoxTree::new(n_cohorts, width, LowestRow::NONE, divide);
        let mut leaves = Vec::with_capacity(n_cohorts * width);
        let mut places = vec![0; n_cohorts];
        for (place, &cohort) in (0..).zip(tree.cohorts()) {
            leaves.extend(problem.attributes().iter().map(|a| a.leaves()[cohort.index()]));
            places[cohort.index()] = place;
        }
        let rows: Vec<LowestRow> =
            tree.cohorts().iter().map(|&cohort| rows.lowest(cohort)).collect();
        let mut index = Self { tree, leaves, rows, places };
        // Children have higher numbers than their parents, so they are noted first.
        for number in (0..index.tree.n_boxes() as u32).rev() {
            index.tree.set_note(number, lowest_row_in(&index.tree, &index.rows, number));
        }
        index
    }

    /// Returns the cohort of the lowest row that is left.
    pub(super) fn lowest_row(&self) -> Cohort {
        let lowest = (0..self.rows.len()).min_by_key(|&place| self.rows[place]);
        self.tree.cohorts()[lowest.expect("a problem has records")]
    }

    /// Sets the lowest row left in a cohort, if there is one.
    pub(super) fn set_row(&mut self, cohort: Cohort, row: LowestRow) {
        let Self { tree, rows, places, .. } = self;
        rows[places[cohort.index()] as usize] = row;
        // Stops at the first box whose lowest row does not change.
        tree.climb(cohort, |tree, number| {
            let lowest = lowest_row_in(tree, rows, number);
            (tree.note(number) != lowest).then_some(lowest)
        });
    }

    /// Returns the cohort that adds least to the cost of a cluster; the lowest row wins ties.
    pub(super) fn nearest(&self, problem: &Problem, cluster: &Cluster) -> Cohort {
        self.search(problem, cluster, Aim::Nearest)
    }

    /// Returns the cohort that adds most to the cost of a cluster; the lowest row wins ties.
    pub(super) fn furthest(&self, problem: &Problem, cluster: &Cluster) -> Cohort {
        self.search(problem, cluster, Aim::Furthest)
    }

    /// Returns the cohort of least cost; among those within [`TIE`] of the least, the one with the
    /// lowest row.
    fn search(&self, problem: &Problem, cluster: &Cluster, aim: Aim) -> Cohort {
        let mut best = Best::default();
        self.walk(problem, cluster, aim, &mut best);
        if best.is_close {
            // Other costs are near the least but not equal to it: search again for the lowest row
            // among them.
            best = Best { least: Some(best.cost), ..Best::default() };
            self.walk(problem, cluster, aim, &mut best);
        }
        self.tree.cohorts()[best.place]
    }

    /// Opens boxes that may contain something better, the more promising first. Costs of a furthest
    /// search are negated, so that less is always better.
    fn walk(&self, problem: &Problem, cluster: &Cluster, aim: Aim, best: &mut Best) {
        let width = problem.attributes().len();
        let mut open = vec![(self.bound(problem, cluster, aim, 0), 0u32)];
        while let Some((bound, number)) = open.pop() {
            if !best.may_lose_to(bound, self.tree.note(number)) {
                continue;
            }
            if let Some(halves) = self.tree.halves(number) {
                let bound = |number| (self.bound(problem, cluster, aim, number), number);
                let [first, second] = halves.map(bound);
                // Of equal bounds, the box with the lower row comes first, because it may win the
                // tie.
                let is_first_sooner = if (first.0 - second.0).abs() <= ROUNDING {
                    self.tree.note(first.1) <= self.tree.note(second.1)
                } else {
                    first.0 < second.0
                };
                open.extend(if is_first_sooner { [second, first] } else { [first, second] });
                continue;
            }
            for place in self.tree.places(number) {
                let row = self.rows[place];
                if row == LowestRow::NONE {
                    continue;
                }
                let leaves = self.leaves[place * width..][..width].iter().copied();
                let cost = cluster.cost_with(problem, leaves);
                best.meet(if aim == Aim::Furthest { -cost } else { cost }, row, place);
            }
        }
    }

    fn bound(&self, problem: &Problem, cluster: &Cluster, aim: Aim, number: u32) -> f64 {
        let attributes = problem.attributes().iter().zip(cluster.spans());
        let spans = attributes.zip(self.tree.spans(number));
        let sum = spans.fold((0.0, 0.0), |sum, ((attribute, span), &(low, high))| {
            let (least, most) = span.bounds(attribute.costs(), low, high);
            (sum.0 + least, sum.1 + most)
        });
        if aim == Aim::Furthest { -sum.1 } else { sum.0 }
    }
}

/// Returns the lowest row left in a box; the notes of its halves must be up to date.
fn lowest_row_in(tree: &BoxTree<LowestRow>, rows: &[LowestRow], number: u32) -> LowestRow {
    match tree.halves(number) {
        Some([first, second]) => tree.note(first).min(tree.note(second)),
        None => rows[tree.places(number)].iter().copied().min().unwrap_or(LowestRow::NONE),
    }
}

/// Halves a box at the median of its widest attribute, relative to the number of leaves.
fn divide(problem: &Problem, cohorts: &mut [Cohort], spans: &mut Vec<Span>) -> Option<usize> {
    let mut widest = (0.0, 0);
    for (place, attribute) in problem.attributes().iter().enumerate() {
        let leaves = cohorts.iter().map(|&cohort| attribute.leaves()[cohort.index()]);
        let span = span_of(leaves, (attribute.n_leaves() as u32).saturating_sub(1));
        spans.push(span);
        let share = f64::from(span.1 - span.0) / attribute.n_leaves() as f64;
        if share > widest.0 {
            widest = (share, place);
        }
    }
    if cohorts.len() <= BOX_SIZE || widest.0 == 0.0 {
        return None;
    }
    let by = problem.attributes()[widest.1].leaves();
    let middle = cohorts.len() / 2;
    // The cohort number makes the order total, so the division is deterministic.
    cohorts.select_nth_unstable_by_key(middle, |&cohort| (by[cohort.index()], cohort));
    Some(middle)
}

/// Sums of the same costs in a different order differ by less than this.
const ROUNDING: f64 = 1e-14;

/// The best cohort so far.
struct Best {
    cost: f64,
    row: LowestRow,
    place: usize,
    /// Whether another cost was close: too far apart for rounding, too near to be worse.
    is_close: bool,
    /// The least cost if it is known; then only rows are compared.
    least: Option<f64>,
}

impl Default for Best {
    fn default() -> Self {
        Self { cost: f64::INFINITY, row: LowestRow::NONE, place: 0, is_close: false, least: None }
    }
}

impl Best {
    /// Whether a candidate with at least this cost and row could still win.
    fn may_lose_to(&self, cost: f64, row: LowestRow) -> bool {
        match self.least {
            _ if row == LowestRow::NONE => false,
            Some(least) => cost <= least + TIE && row < self.row,
            None if cost < self.cost - ROUNDING => true,
            None => cost <= self.cost + 2.0 * TIE && row < self.row,
        }
    }

    fn meet(&mut self, cost: f64, row: LowestRow, place: usize) {
        let apart = (cost - self.cost).abs();
        self.is_close |= (ROUNDING..=2.0 * TIE).contains(&apart);
        let wins = match self.least {
            Some(_) => self.may_lose_to(cost, row),
            None if apart < ROUNDING => row < self.row,
            None => cost < self.cost,
        };
        if wins {
            (self.cost, self.row, self.place) = (cost, row, place);
        }
    }
}

/// Returns the least and the greatest leaf, or `0..=last` if some leaf matches anything.
fn span_of(leaves: impl Iterator<Item = LeafOrAny> + Clone, last: u32) -> Span {
    let ends = leaves.clone().min().zip(leaves.max());
    match ends.map(|(first, last)| (first.known(), last.known())) {
        Some((Some(first), Some(last))) => (first.get(), last.get()),
        _ => (0, last),
    }
}
