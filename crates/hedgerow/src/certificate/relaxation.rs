//! Approaches the best prices of the relaxation.

use super::boxes::Collected;
use crate::Result;
use crate::problem::Problem;
use crate::progress::{Progress, stop_if_cancelled};
use crate::table::Cohort;

/// Maximum number of steps. More of them gain less than 0.1% on Adult.
const STEPS: u64 = 300;

/// Expected gain of the next value over the best one so far, as a share, at first.
const EXPECTED_GAIN: f64 = 0.02;

/// Number of steps without a gain after which steps become shorter.
const PATIENCE: u32 = 10;

/// Factor by which steps become shorter.
const SHORTER: f64 = 0.7;

/// The part of the direction of a step that the next one keeps.
const MOMENTUM: f64 = 0.7;

/// A gain that is smaller than this share of the value counts as none.
const LEAST_GAIN: f64 = 1e-6;

/// The dual function of the relaxation (METHODS 9.3): the sum of all prices, less their excess over
/// the costs of boxes.
///
/// For *any* prices this is a lower bound of the total loss, so prices need not respect the boxes.
/// Let `v` be the least value, over all sets of at least `k` records of a box with cost `c`, of the
/// sum of `c` less the price. A class in this box loses at least its prices plus `v`, and a
/// negative `v` counts once for each box, because classes with the same box can be merged.
pub(super) struct Relaxation<'a> {
    counts: &'a [u64],
    k: u64,
    boxes: &'a Collected,
    prices: Vec<f64>,
    /// The derivative of the value with respect to the price of each cohort.
    slopes: Vec<f64>,
    /// The cohorts of a box whose prices do not exceed its cost.
    cheap: Vec<Cohort>,
}

impl<'a> Relaxation<'a> {
    /// Starts with some prices below their ceilings.
    pub(super) fn new(problem: &'a Problem, boxes: &'a Collected, prices: &[f64]) -> Self {
        Self {
            counts: &problem.cohorts().counts,
            k: problem.least_size(),
            boxes,
            prices: prices.to_vec(),
            slopes: vec![0.0; prices.len()],
            cheap: Vec::new(),
        }
    }

    /// Moves the prices in the direction in which the value grows, a subgradient with momentum, and
    /// returns the highest value. The effort is the number of records that may be looked at.
    pub(super) fn climb(mut self, effort: u64, progress: &dyn Progress) -> Result<f64> {
        let n_steps = (effort / self.boxes.members.len().max(1) as u64).min(STEPS);
        let mut best = (f64::NEG_INFINITY, self.prices.clone());
        let mut direction = vec![0.0; self.prices.len()];
        let (mut share, mut n_failed) = (1.0, 0);
        for _ in 0..n_steps {
            stop_if_cancelled(progress)?;
            let value = self.value();
            n_failed = if value > best.0 + best.0.abs() * LEAST_GAIN { 0 } else { n_failed + 1 };
            if value > best.0 {
                best = (value, self.prices.clone());
            }
            if n_failed == PATIENCE {
                (share, n_failed) = (share * SHORTER, 0);
                self.prices.copy_from_slice(&best.1);
                direction.fill(0.0);
                continue;
            }
            let goal = best.0 * (1.0 + EXPECTED_GAIN * share);
            self.step(&mut direction, goal - value);
        }
        Ok(best.0)
    }

    /// Moves the prices so far that the value would grow by `gain` if it were linear.
    fn step(&mut self, direction: &mut [f64], gain: f64) {
        let ceilings = &self.boxes.ceilings;
        let mut slope = 0.0;
        for (place, moved) in direction.iter_mut().enumerate() {
            // Per record, so that frequent tuples do not move faster than others.
            *moved = self.slopes[place] / self.counts[place] as f64 + MOMENTUM * *moved;
            let price = self.prices[place];
            let is_free =
                if *moved > 0.0 { price < ceilings[place] } else { *moved < 0.0 && price > 0.0 };
            if is_free {
                slope += self.counts[place] as f64 * *moved * *moved;
            }
        }
        if slope > 0.0 {
            for (place, moved) in direction.iter().enumerate() {
                let price = self.prices[place] + gain / slope * moved;
                self.prices[place] = price.clamp(0.0, ceilings[place]);
            }
        }
    }

    /// The value of the dual function; also computes its slopes.
    pub(super) fn value(&mut self) -> f64 {
        let mut value = 0.0;
        for (place, &count) in self.counts.iter().enumerate() {
            value += count as f64 * self.prices[place];
            self.slopes[place] = count as f64;
        }
        for number in 0..self.boxes.costs.len() {
            value += self.charge(number);
        }
        value
    }

    /// The excess of the prices over the cost of a box, as a negative number, or 0.
    fn charge(&mut self, number: usize) -> f64 {
        let boxes = self.boxes;
        let (cost, members) = (boxes.costs[number], boxes.members_of(number));
        let (mut size, mut value) = (0, 0.0);
        for &member in members {
            let (price, count) = (self.prices[member.index()], self.counts[member.index()]);
            if price > cost {
                size += count;
                value += count as f64 * (cost - price);
            }
        }
        if size == 0 {
            return 0.0;
        }
        let more = self.fill(number, self.k.saturating_sub(size), value);
        let Some((value, n_more)) = more else { return 0.0 };
        for &member in members {
            if self.prices[member.index()] > cost {
                self.slopes[member.index()] -= self.counts[member.index()] as f64;
            }
        }
        let mut need = self.k.saturating_sub(size);
        for &member in &self.cheap[..n_more] {
            let count = self.counts[member.index()].min(need);
            self.slopes[member.index()] -= count as f64;
            need -= count;
        }
        value
    }

    /// Adds the records with the highest of the prices below the cost of a box until `need` of them
    /// are added. Returns the value and the number of cohorts of `cheap` that were used, or `None`
    /// if the value is not negative.
    fn fill(&mut self, number: usize, mut need: u64, mut value: f64) -> Option<(f64, usize)> {
        let (cost, prices) = (self.boxes.costs[number], &self.prices);
        self.cheap.clear();
        if need == 0 {
            return Some((value, 0));
        }
        let members = self.boxes.members_of(number).iter().copied();
        self.cheap.extend(members.filter(|member| prices[member.index()] <= cost));
        let highest = self.cheap.iter().map(|member| prices[member.index()]).fold(0.0, f64::max);
        // Most boxes are far from being too cheap.
        if value + need as f64 * (cost - highest) >= 0.0 {
            return None;
        }
        let by_price =
            |a: &Cohort, b: &Cohort| prices[b.index()].total_cmp(&prices[a.index()]).then(a.cmp(b));
        // Every cohort has a record, so no more cohorts than records are needed.
        if self.cheap.len() as u64 > need {
            self.cheap.select_nth_unstable_by(need as usize - 1, by_price);
            self.cheap.truncate(need as usize);
        }
        self.cheap.sort_unstable_by(by_price);
        for (place, &member) in self.cheap.iter().enumerate() {
            let count = self.counts[member.index()].min(need);
            value += count as f64 * (cost - prices[member.index()]);
            need -= count;
            if value >= 0.0 {
                return None;
            }
            if need == 0 {
                return Some((value, place + 1));
            }
        }
        None
    }
}
