//! Cohorts in a tree of boxes, to find the nearest or furthest without looking at all.

use super::TIE;
use super::rows::RowsOf;
use crate::anonymize::cluster::Cluster;
use crate::problem::{ANY_LEAF, Problem};

/// How many cohorts share a box that is not divided further.
const BOX_SIZE: usize = 8;

/// A box: its cohorts, the leaves they span, and the lowest row that any of them has left.
#[derive(Debug, Clone)]
struct Box {
    start: u32,
    end: u32,
    /// Where its second half is; the first half is the next box. 0 for a box that is not divided.
    second: u32,
    parent: u32,
    lowest_row: u64,
}

/// All cohorts that have records left, in nested boxes.
#[derive(Debug)]
pub(super) struct Index {
    boxes: Vec<Box>,
    /// The least and greatest leaf of each attribute in each box.
    spans: Vec<(u32, u32)>,
    /// The cohorts, box by box.
    cohorts: Vec<u32>,
    /// Their leaves, cohort by cohort.
    leaves: Vec<u32>,
    /// The lowest row that each of them has left.
    rows: Vec<u64>,
    /// The place of each cohort, and the smallest box it is in.
    places: Vec<(u32, u32)>,
}

/// What a search looks for.
#[derive(Clone, Copy, PartialEq)]
enum Aim {
    Nearest,
    Furthest,
}

impl Index {
    pub(super) fn new(problem: &Problem, rows: &RowsOf) -> Self {
        let n_cohorts = problem.cohorts().len();
        let mut index = Self {
            boxes: Vec::with_capacity(2 * n_cohorts / BOX_SIZE + 1),
            spans: Vec::new(),
            cohorts: (0..n_cohorts as u32).collect(),
            leaves: Vec::new(),
            rows: Vec::new(),
            places: vec![(0, 0); n_cohorts],
        };
        index.divide(problem);
        for (place, &cohort) in index.cohorts.iter().enumerate() {
            let leaves = problem.attributes().iter().map(|a| a.leaves()[cohort as usize]);
            index.leaves.extend(leaves);
            index.rows.push(rows.lowest(cohort));
            index.places[cohort as usize].0 = place as u32;
        }
        for number in (0..index.boxes.len()).rev() {
            index.boxes[number].lowest_row = index.lowest_row_in(number);
        }
        index
    }

    /// Halves boxes at the median of the attribute that is widest, relative to its leaves.
    fn divide(&mut self, problem: &Problem) {
        let mut open = vec![(0, self.cohorts.len(), u32::MAX)];
        while let Some((start, end, parent)) = open.pop() {
            let number = self.boxes.len() as u32;
            if parent != u32::MAX && parent + 1 != number {
                self.boxes[parent as usize].second = number;
            }
            let (start_u32, end_u32) = (start as u32, end as u32);
            self.boxes.push(Box {
                start: start_u32,
                end: end_u32,
                second: 0,
                parent,
                lowest_row: u64::MAX,
            });
            let members = &mut self.cohorts[start..end];
            let mut widest = (0.0, 0);
            for (place, attribute) in problem.attributes().iter().enumerate() {
                let leaves = members.iter().map(|&cohort| attribute.leaves()[cohort as usize]);
                let span = span_of(leaves, (attribute.n_leaves() as u32).saturating_sub(1));
                self.spans.push(span);
                let share = f64::from(span.1 - span.0) / attribute.n_leaves() as f64;
                if share > widest.0 {
                    widest = (share, place);
                }
            }
            if end - start <= BOX_SIZE || widest.0 == 0.0 {
                for &cohort in &self.cohorts[start..end] {
                    self.places[cohort as usize].1 = number;
                }
                continue;
            }
            let by = problem.attributes()[widest.1].leaves();
            let middle = members.len() / 2;
            members.select_nth_unstable_by_key(middle, |&cohort| (by[cohort as usize], cohort));
            open.push((start + middle, end, number));
            open.push((start, start + middle, number));
        }
    }

    /// The cohort of the lowest row that is left.
    pub(super) fn lowest_row(&self) -> u32 {
        let lowest = (0..self.rows.len()).min_by_key(|&place| self.rows[place]);
        self.cohorts[lowest.expect("a problem has records")]
    }

    /// Notes the lowest row that a cohort has left; `u64::MAX` when it has none.
    pub(super) fn set_row(&mut self, cohort: u32, row: u64) {
        let (place, mut number) = self.places[cohort as usize];
        self.rows[place as usize] = row;
        while number != u32::MAX {
            let lowest = self.lowest_row_in(number as usize);
            let known = &mut self.boxes[number as usize];
            if known.lowest_row == lowest {
                break;
            }
            known.lowest_row = lowest;
            number = known.parent;
        }
    }

    fn lowest_row_in(&self, number: usize) -> u64 {
        let Box { start, end, second, .. } = self.boxes[number];
        if second == 0 {
            let rows = &self.rows[start as usize..end as usize];
            return rows.iter().copied().min().unwrap_or(u64::MAX);
        }
        self.boxes[number + 1].lowest_row.min(self.boxes[second as usize].lowest_row)
    }

    /// The cohort that adds least to a cluster's cost; the lowest row wins ties.
    pub(super) fn nearest(&self, problem: &Problem, cluster: &Cluster) -> u32 {
        self.search(problem, cluster, Aim::Nearest)
    }

    /// The cohort that adds most to a cluster's cost; the lowest row wins ties.
    pub(super) fn furthest(&self, problem: &Problem, cluster: &Cluster) -> u32 {
        self.search(problem, cluster, Aim::Furthest)
    }

    /// The cohort of least cost; of those within [`TIE`] of the least, the one of the lowest row.
    fn search(&self, problem: &Problem, cluster: &Cluster, aim: Aim) -> u32 {
        let mut best = Best::default();
        self.walk(problem, cluster, aim, &mut best);
        if best.is_close {
            // Costs near the least, but not equal to it: look again for the lowest row among them.
            best = Best { least: Some(best.cost), ..Best::default() };
            self.walk(problem, cluster, aim, &mut best);
        }
        self.cohorts[best.place]
    }

    /// Opens boxes, the more promising first, while they may hold something better. Costs of a
    /// furthest search are negated, so that less is better either way.
    fn walk(&self, problem: &Problem, cluster: &Cluster, aim: Aim, best: &mut Best) {
        let width = problem.attributes().len();
        let mut open = vec![(self.bound(problem, cluster, aim, 0), 0u32)];
        while let Some((bound, number)) = open.pop() {
            let Box { start, end, second, lowest_row, .. } = self.boxes[number as usize];
            if !best.may_lose_to(bound, lowest_row) {
                continue;
            }
            if second > 0 {
                let bound = |number| (self.bound(problem, cluster, aim, number), number);
                let (first, second) = (bound(number + 1), bound(second));
                let is_first_sooner = if (first.0 - second.0).abs() <= ROUNDING {
                    self.boxes[first.1 as usize].lowest_row
                        <= self.boxes[second.1 as usize].lowest_row
                } else {
                    first.0 < second.0
                };
                open.extend(if is_first_sooner { [second, first] } else { [first, second] });
                continue;
            }
            for place in start as usize..end as usize {
                let row = self.rows[place];
                if row == u64::MAX {
                    continue;
                }
                let leaves = self.leaves[place * width..][..width].iter().copied();
                let cost = cluster.cost_with(problem, leaves);
                best.meet(if aim == Aim::Furthest { -cost } else { cost }, row, place);
            }
        }
    }

    fn bound(&self, problem: &Problem, cluster: &Cluster, aim: Aim, number: u32) -> f64 {
        let width = problem.attributes().len();
        let spans = &self.spans[number as usize * width..][..width];
        let attributes = problem.attributes().iter().zip(cluster.spans());
        let sum = attributes.zip(spans).fold((0.0, 0.0), |sum, ((attribute, span), &leaves)| {
            let (least, most) = span.bounds(attribute.costs(), leaves);
            (sum.0 + least, sum.1 + most)
        });
        if aim == Aim::Furthest { -sum.1 } else { sum.0 }
    }
}

/// Sums of the same costs in another order differ by less than this.
const ROUNDING: f64 = 1e-14;

/// The best cohort so far.
struct Best {
    cost: f64,
    row: u64,
    place: usize,
    /// Whether another cost came near, too far for rounding and too near to be worse.
    is_close: bool,
    /// The least cost, once it is known; then only rows count.
    least: Option<f64>,
}

impl Default for Best {
    fn default() -> Self {
        Self { cost: f64::INFINITY, row: u64::MAX, place: 0, is_close: false, least: None }
    }
}

impl Best {
    /// Whether something with at least this cost and row could still win.
    fn may_lose_to(&self, cost: f64, row: u64) -> bool {
        match self.least {
            _ if row == u64::MAX => false,
            Some(least) => cost <= least + TIE && row < self.row,
            None if cost < self.cost - ROUNDING => true,
            None => cost <= self.cost + 2.0 * TIE && row < self.row,
        }
    }

    fn meet(&mut self, cost: f64, row: u64, place: usize) {
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

/// The least and greatest leaf; everything up to `last` when some leaf matches anything.
fn span_of(leaves: impl Iterator<Item = u32>, last: u32) -> (u32, u32) {
    let span = leaves.fold((u32::MAX, 0), |(low, high), leaf| (low.min(leaf), high.max(leaf)));
    if span.1 == ANY_LEAF { (0, last) } else { span }
}
