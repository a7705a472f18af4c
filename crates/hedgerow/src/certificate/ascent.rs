//! Raises prices as far as boxes allow.

use super::boxes::Collected;
use crate::Result;
use crate::problem::Problem;
use crate::progress::{Progress, stop_at};
use crate::table::Cohort;

/// The part of the way to its limit by which each pass raises a price. Early passes leave room for
/// others; the last one raises it to the limit.
const PASSES: [f64; 7] = [0.1, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0];

/// Prices of records, raised one cohort after another (METHODS 9.3).
pub(super) struct Ascent<'a> {
    counts: &'a [u64],
    k: u64,
    boxes: Collected,
    /// The place in `of_cohort` at which the boxes of each cohort begin; one more at the end.
    starts: Vec<usize>,
    of_cohort: Vec<u32>,
    /// For each box, an upper bound of the sum of its `k` highest prices.
    highest: Vec<f64>,
    prices: Vec<f64>,
}

impl<'a> Ascent<'a> {
    /// Starts with prices that all boxes allow.
    pub(super) fn new(problem: &'a Problem, boxes: Collected, prices: &[f64]) -> Self {
        let n_cohorts = prices.len();
        // Counting sort: the boxes of each cohort, one cohort after another.
        let mut starts = vec![0; n_cohorts + 1];
        boxes.members.iter().for_each(|member| starts[member.index() + 1] += 1);
        for place in 0..n_cohorts {
            starts[place + 1] += starts[place];
        }
        let mut next = starts.clone();
        let mut of_cohort = vec![0; boxes.members.len()];
        for number in 0..boxes.costs.len() {
            for member in boxes.members_of(number) {
                of_cohort[next[member.index()]] = number as u32;
                next[member.index()] += 1;
            }
        }
        Self {
            counts: &problem.cohorts().counts,
            k: problem.least_size(),
            // Nothing is known of the sums before they are computed for the first time.
            highest: vec![f64::INFINITY; boxes.costs.len()],
            boxes,
            starts,
            of_cohort,
            prices: prices.to_vec(),
        }
    }

    pub(super) fn prices(&self) -> &[f64] {
        &self.prices
    }

    /// The boxes that limit the prices.
    pub(super) fn boxes(&self) -> &Collected {
        &self.boxes
    }

    /// Raises all prices.
    pub(super) fn run(&mut self, progress: &dyn Progress) -> Result<()> {
        let mut order: Vec<Cohort> = Cohort::first(self.prices.len())
            .filter(|&cohort| self.boxes.ceilings[cohort.index()] > self.prices[cohort.index()])
            .collect();
        let mut sums = Vec::new();
        for share in PASSES {
            order.sort_by(|a, b| {
                self.prices[a.index()].total_cmp(&self.prices[b.index()]).then(a.cmp(b))
            });
            for (place, &cohort) in order.iter().enumerate() {
                stop_at(place, progress)?;
                let limit = self.limit(cohort, &mut sums);
                self.raise(cohort, (limit - self.prices[cohort.index()]) * share);
            }
        }
        Ok(())
    }

    fn of(&self, cohort: Cohort) -> std::ops::Range<usize> {
        self.starts[cohort.index()]..self.starts[cohort.index() + 1]
    }

    /// Raises a price.
    fn raise(&mut self, cohort: Cohort, by: f64) {
        if by > 0.0 {
            self.prices[cohort.index()] += by;
            // A sum of `k` prices has the price of a cohort at most `k` times.
            let most = self.counts[cohort.index()].min(self.k) as f64 * by;
            for place in self.of(cohort) {
                self.highest[self.of_cohort[place] as usize] += most;
            }
        }
    }

    /// The highest price of a cohort that its ceiling and all its boxes allow.
    fn limit(&mut self, cohort: Cohort, sums: &mut Vec<f64>) -> f64 {
        let price = self.prices[cohort.index()];
        let n_records = self.counts[cohort.index()].min(self.k);
        let mut limit = self.boxes.ceilings[cohort.index()];
        for place in self.of(cohort) {
            let number = self.of_cohort[place] as usize;
            let room = self.k as f64 * self.boxes.costs[number];
            // This box cannot limit the price.
            if self.highest[number] + n_records as f64 * (limit - price) <= room {
                continue;
            }
            self.sum_others(number, cohort, sums);
            // Any number j of the `k` highest prices can belong to the cohort.
            let mut highest = sums[self.k as usize];
            for j in 1..=n_records as usize {
                let others = sums[self.k as usize - j];
                limit = limit.min((room - others) / j as f64);
                highest = highest.max(others + j as f64 * price);
            }
            self.highest[number] = highest;
            if limit <= price {
                return price;
            }
        }
        limit
    }

    /// Sums of the 0, 1, ... `k` highest prices of the records of other cohorts in a box.
    fn sum_others(&self, number: usize, cohort: Cohort, sums: &mut Vec<f64>) {
        let members = self.boxes.members_of(number);
        // The highest prices, descending, with their records: at least `k` of them, or all.
        let mut top: Vec<(f64, u64)> = Vec::new();
        let mut size = 0;
        for &other in members.iter().filter(|&&other| other != cohort) {
            let (price, count) = (self.prices[other.index()], self.counts[other.index()]);
            if size >= self.k && top.last().is_some_and(|&(lowest, _)| price <= lowest) {
                continue;
            }
            let place = top.partition_point(|&(higher, _)| higher >= price);
            top.insert(place, (price, count));
            size += count;
            while top.last().is_some_and(|&(_, last)| size - last >= self.k) {
                size -= top.pop().map_or(0, |(_, last)| last);
            }
        }
        sums.clear();
        sums.push(0.0);
        let mut total = 0.0;
        for (price, count) in top {
            for _ in 0..count.min(self.k) {
                total += price;
                sums.push(total);
            }
        }
        // If there are fewer records, more of them add nothing.
        sums.resize((self.k as usize + 1).max(sums.len()), total);
    }
}
