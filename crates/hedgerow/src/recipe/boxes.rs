//! An index of regions: finds the regions that a tuple fits, and the region nearest to it.

use std::ops::Range;

use super::joins::{Ends, Joins};

/// Number of regions below which a node is not divided.
const LEAF: usize = 8;

/// A binary tree of regions. Every node has the least box around its regions and the least of their
/// costs, so a search visits only nodes that can contain a better region.
#[derive(Debug)]
pub(super) struct Boxes {
    width: usize,
    /// The leaves of each region and attribute; `None` for a label that covers no value of this
    /// table.
    ends: Vec<Option<Ends>>,
    /// The sum of the costs of the labels of each region.
    costs: Vec<f64>,
    nodes: Vec<Node>,
    hulls: Vec<Option<Ends>>,
    /// The regions in the order of the tree.
    order: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    start: u32,
    end: u32,
    /// The first of two children, which follow each other; 0 for a leaf.
    children: u32,
    /// The least cost of a region below.
    floor: f64,
}

impl Boxes {
    /// Indexes regions, given the label of each attribute.
    pub(super) fn new(regions: &[Vec<u32>], joins: &[Joins<'_>]) -> Self {
        let mut ends = Vec::with_capacity(regions.len() * joins.len());
        let mut costs = Vec::with_capacity(regions.len());
        for region in regions {
            for (&label, joins) in region.iter().zip(joins) {
                ends.push(joins.ends(label));
            }
            costs.push(region.iter().zip(joins).map(|(&label, joins)| joins.cost(label)).sum());
        }
        let order: Vec<u32> = (0..regions.len() as u32).collect();
        let (nodes, hulls) = (Vec::new(), Vec::new());
        let mut boxes = Self { width: joins.len(), ends, costs, nodes, hulls, order };
        boxes.push(0, regions.len());
        let mut place = 0;
        // Breadth first without recursion: nodes that are pushed are divided later in the same
        // loop.
        while place < boxes.nodes.len() {
            let Node { start, end, .. } = boxes.nodes[place];
            if let Some(middle) = boxes.divide(start as usize, end as usize) {
                boxes.nodes[place].children = boxes.nodes.len() as u32;
                boxes.push(start as usize, middle);
                boxes.push(middle, end as usize);
            }
            place += 1;
        }
        boxes
    }

    /// The region of least cost that `fits`, among those whose boxes contain the point; the first
    /// of several.
    pub(super) fn find(&self, point: &[Option<u32>], fits: impl Fn(u32) -> bool) -> Option<u32> {
        let mut best: Option<(f64, u32)> = None;
        let mut open = vec![0u32];
        while let Some(place) = open.pop() {
            let Node { start, end, children, floor } = self.nodes[place as usize];
            // Strictly greater, because an equal cost can still win by the lower number.
            let is_beaten = best.is_some_and(|(cost, _)| floor > cost);
            if is_beaten || !contains(self.hull(place), point) {
                continue;
            }
            if children > 0 {
                // The cheaper child is searched first, so it goes on top.
                let [a, b] = [children, children + 1];
                let is_first = self.nodes[a as usize].floor <= self.nodes[b as usize].floor;
                open.extend(if is_first { [b, a] } else { [a, b] });
                continue;
            }
            for &region in &self.order[start as usize..end as usize] {
                let cost = self.costs[region as usize];
                let is_better = best.is_none_or(|(least, first)| {
                    cost.total_cmp(&least).then(region.cmp(&first)).is_lt()
                });
                // The box is only necessary: labels may have gaps, which `fits` tests at greater
                // expense.
                if is_better && contains(self.ends(region), point) && fits(region) {
                    best = Some((cost, region));
                }
            }
        }
        best.map(|(_, region)| region)
    }

    /// The region of least `cost`, given a lower bound for the cost of regions in a box; the first
    /// of several.
    pub(super) fn nearest(
        &self,
        bound: impl Fn(&[Option<Ends>]) -> f64,
        mut cost: impl FnMut(u32) -> f64,
    ) -> Option<u32> {
        let mut best: Option<(f64, u32)> = None;
        let mut open = vec![(bound(self.hull(0)), 0u32)];
        while let Some((least, place)) = open.pop() {
            let Node { start, end, children, .. } = self.nodes[place as usize];
            if best.is_some_and(|(cost, _)| least > cost) {
                continue;
            }
            if children > 0 {
                let mut next =
                    [children, children + 1].map(|child| (bound(self.hull(child)), child));
                // The nearer child goes on top of the stack, so that a good cost prunes the other
                // one early.
                next.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
                open.extend(next);
                continue;
            }
            for &region in &self.order[start as usize..end as usize] {
                let cost = cost(region);
                let is_better = best.is_none_or(|(least, first)| {
                    cost.total_cmp(&least).then(region.cmp(&first)).is_lt()
                });
                if is_better {
                    best = Some((cost, region));
                }
            }
        }
        best.map(|(_, region)| region)
    }

    fn ends(&self, region: u32) -> &[Option<Ends>] {
        &self.ends[region as usize * self.width..][..self.width]
    }

    fn hull(&self, node: u32) -> &[Option<Ends>] {
        &self.hulls[node as usize * self.width..][..self.width]
    }

    fn push(&mut self, start: usize, end: usize) {
        let mut hull: Vec<Option<Ends>> = vec![None; self.width];
        let mut floor = f64::INFINITY;
        for &region in &self.order[start..end] {
            floor = floor.min(self.costs[region as usize]);
            for (hull, &ends) in hull.iter_mut().zip(self.ends(region)) {
                *hull = join(*hull, ends);
            }
        }
        self.hulls.extend(hull);
        let (start, end) = (start as u32, end as u32);
        self.nodes.push(Node { start, end, children: 0, floor });
    }

    /// Sorts regions by their middle in the attribute in which they are spread most, relative to
    /// the widths of their boxes. Returns the place of the median.
    fn divide(&mut self, start: usize, end: usize) -> Option<usize> {
        if end - start <= LEAF {
            return None;
        }
        // The first of several.
        let best = (0..self.width).rev().max_by_key(|&at| self.spread(start..end, at))?;
        let mut part = self.order[start..end].to_vec();
        part.sort_by_cached_key(|&region| (self.middle(region, best), region));
        self.order[start..end].copy_from_slice(&part);
        Some(start + (end - start) / 2)
    }

    /// The distance between the outermost middles of regions, divided by their mean width.
    fn spread(&self, part: Range<usize>, at: usize) -> u64 {
        let part = &self.order[part];
        let middles = || part.iter().map(|&region| self.middle(region, at));
        let widths: u64 = part.iter().map(|&region| width(self.ends(region)[at])).sum();
        let range = middles().max().unwrap_or(0) - middles().min().unwrap_or(0);
        // In thousandths, because integers have a total order and are equal on every machine.
        1000 * range * part.len() as u64 / widths.max(1)
    }

    /// Twice the middle of a region in an attribute, which is always whole. Regions without leaves
    /// are placed at the beginning.
    fn middle(&self, region: u32, at: usize) -> u64 {
        self.ends(region)[at].map_or(1, |ends| u64::from(ends.first) + u64::from(ends.last))
    }
}

/// The leaves from the first to the last of both; those of one if the other has none.
fn join(one: Option<Ends>, other: Option<Ends>) -> Option<Ends> {
    match (one, other) {
        (Some(a), Some(b)) => Some(Ends { first: a.first.min(b.first), last: a.last.max(b.last) }),
        _ => one.or(other),
    }
}

/// Number of leaves, and at least 1.
fn width(ends: Option<Ends>) -> u64 {
    ends.map_or(1, |ends| u64::from(ends.last - ends.first) + 1)
}

/// Whether a box contains a point. A missing value, which matches any leaf, is in every box.
fn contains(ends: &[Option<Ends>], point: &[Option<u32>]) -> bool {
    let has = |ends: &Option<Ends>, leaf: u32| {
        ends.is_some_and(|ends| (ends.first..=ends.last).contains(&leaf))
    };
    ends.iter().zip(point).all(|(ends, leaf)| leaf.is_none_or(|leaf| has(ends, leaf)))
}
