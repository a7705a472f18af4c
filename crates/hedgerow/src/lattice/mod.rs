//! The lattice of full-domain generalizations: one level per attribute, the same for all records.

mod ladder;
mod chunks;
mod groups;
mod grid;
mod witness;
mod nodes;

use serde::Serialize;

pub(crate) use self::grid::{Grid, Vertex};
pub(crate) use self::groups::by_values;
use self::groups::{Counted, Groups, Merger, Packing};
pub(crate) use self::ladder::Rung;
pub use self::ladder::{Ladder, LevelFacts};
pub(crate) use self::nodes::Nodes;
use crate::error::Advice;
use crate::hierarchy::Level;
use crate::problem::{Attribute, Problem, Tallies};
use crate::progress::Progress;
use crate::table::Cohort;
use crate::{Error, Result};

/// Lattices with more nodes than this can be searched but not listed.
const MOST_NODES: u64 = 1_000_000;

/// One full-domain generalization: a level for each attribute, and its properties.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Point {
    /// The level of each attribute.
    pub levels: Vec<Level>,
    /// The size of the smallest class: the table is k-anonymous for this `k`.
    pub k: u64,
    /// Number of classes.
    pub classes: usize,
    /// The distortion ratio: the distortion of all cells, as a share of that of the top levels.
    pub distortion: f64,
    /// The mean cost of a cell, 0 to 1.
    pub ntil: f64,
    /// The discernibility penalty: the sum of squared class sizes.
    pub dcp: u64,
}

/// Every full-domain generalization of a problem.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Lattice {
    /// The levels of each attribute.
    #[serde(rename = "columns")]
    pub ladders: Vec<Ladder>,
    /// The generalizations; the level of the last attribute varies fastest.
    #[serde(rename = "nodes")]
    pub points: Vec<Point>,
}

impl Lattice {
    /// Evaluates every node of a problem's lattice.
    ///
    /// Classes are counted from those of the node one level below in one attribute, so most nodes
    /// cost no more than their classes. If levels are not nested, classes are counted from the
    /// values themselves.
    ///
    /// # Complexity
    ///
    /// `O(N c)` for `N` nodes of `c` cohorts, less if classes merge; `O(c)` memory for each
    /// attribute.
    ///
    /// # Guarantees
    ///
    /// Exact and deterministic; no node is skipped. Lattices of more than a million nodes and
    /// columns without levels are errors.
    ///
    /// # References
    ///
    /// \[Yaseen2018\] definitions 8 and 9, and its experiment; METHODS 7.
    ///
    /// # Examples
    ///
    /// ```
    /// use hedgerow::builder::{HierarchyBuilder, Iotf};
    /// use hedgerow::lattice::Lattice;
    /// use hedgerow::privacy::KAnonymity;
    /// use hedgerow::problem::Problem;
    /// use hedgerow::progress::Silent;
    /// use hedgerow::table::Table;
    /// let table = Table::from_rows(&["age"], &[["23"], ["25"], ["41"], ["44"]])?;
    /// let tree = Iotf.build(&table.columns()[0])?;
    /// let problem = Problem::new(&table, vec![tree], vec![Box::new(KAnonymity::new(1)?)])?;
    /// let lattice = Lattice::evaluate(&problem, &Silent)?;
    /// let attained: Vec<u64> = lattice.points.iter().map(|point| point.k).collect();
    /// assert_eq!(attained, [1, 2, 4]);
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn evaluate(problem: &Problem, progress: &dyn Progress) -> Result<Self> {
        if let Some(obstacle) = obstacle(problem, Some(MOST_NODES)) {
            return Err(obstacle);
        }
        let members: Vec<(Cohort, u64)> = problem.cohorts().counted().collect();
        let ladders = ladders(problem, &members);
        let n_points = Grid::new(&ladders).len() as u64;
        let mut points = Vec::with_capacity(n_points as usize);
        let mut walk = Walk::new(problem, &members, &ladders);
        while let Some((levels, groups)) = walk.next() {
            if progress.cancelled() {
                return Err(Error::Cancelled);
            }
            points.push(point(&ladders, levels, groups));
            progress.advance(points.len() as u64, n_points);
        }
        Ok(Self { ladders, points })
    }

    /// The k-minimal generalizations: points that attain `k` while no point below them does.
    pub fn minimal(&self, k: u64) -> Vec<&Point> {
        // Points are in order of their levels, so every point below another one comes before it.
        let mut is_met_below: Vec<bool> = Vec::with_capacity(self.points.len());
        let mut minimal = Vec::new();
        for (place, point) in self.points.iter().enumerate() {
            let mut stride = 1;
            let mut is_met = false;
            for (ladder, &level) in self.ladders.iter().zip(&point.levels).rev() {
                // The neighbour one level below in this attribute attains k, or a point below it
                // does.
                is_met |= level > Level::VALUES
                    && (is_met_below[place - stride] || self.points[place - stride].k >= k);
                stride *= ladder.levels.len();
            }
            if point.k >= k && !is_met {
                minimal.push(point);
            }
            is_met_below.push(is_met);
        }
        minimal
    }

    /// The Pareto front: points that no other point beats in both k and distortion, by ascending k.
    pub fn front(&self) -> Vec<&Point> {
        let mut order: Vec<&Point> = self.points.iter().collect();
        // In descending order of k, a point is on the front if it distorts less than all before it.
        // Of points with equal k, the one that distorts least comes first and keeps the others out.
        order.sort_by(|a, b| b.k.cmp(&a.k).then(a.distortion.total_cmp(&b.distortion)));
        let mut front: Vec<&Point> = Vec::new();
        for point in order {
            if front.last().is_none_or(|last| point.distortion < last.distortion) {
                front.push(point);
            }
        }
        front.reverse();
        front
    }
}

/// Returns why a problem has no lattice, or none with at most `most_nodes` nodes, or `None`.
pub(crate) fn obstacle(problem: &Problem, most_nodes: Option<u64>) -> Option<Error> {
    let attributes = problem.attributes();
    let ladders = attributes.iter().find_map(Ladder::obstacle);
    ladders.or_else(|| too_large(attributes, most_nodes?)).or_else(|| too_wide(attributes))
}

/// The ladders of a problem without an [`obstacle`], over the given numbers of records of cohorts.
fn ladders(problem: &Problem, members: &[(Cohort, u64)]) -> Vec<Ladder> {
    let least = problem.least_size();
    problem.attributes().iter().map(|attribute| Ladder::of(attribute, members, least)).collect()
}

/// Number of nodes of a lattice, or `None` if it does not fit.
pub(crate) fn n_nodes(attributes: &[Attribute]) -> Option<u64> {
    let mut n_levels = attributes.iter().map(|a| u64::from(a.generalization().n_levels()));
    n_levels.try_fold(1, u64::checked_mul)
}

/// Returns an error if the lattice has more than `most_nodes` nodes.
fn too_large(attributes: &[Attribute], most_nodes: u64) -> Option<Error> {
    if n_nodes(attributes).is_some_and(|n| n <= most_nodes) {
        return None;
    }
    let n_levels = attributes.iter().map(|a| a.generalization().n_levels());
    let levels: Vec<String> = n_levels.map(|levels| levels.to_string()).collect();
    let problem = format!("the lattice has {} nodes, more than {most_nodes}", levels.join(" x "));
    let fewer_levels = Advice::words("choose hierarchies with fewer levels");
    Some(Error::invalid(problem).advise([Advice::FewerQuasi, fewer_levels]))
}

/// Returns an error if a tuple of leaves does not fit into the words of a key.
fn too_wide(attributes: &[Attribute]) -> Option<Error> {
    if Packing::new(attributes).fits() {
        return None;
    }
    let problem = "all columns together have too many values for a lattice";
    Some(Error::invalid(problem).advise([Advice::FewerQuasi]))
}

/// The properties of a node, given its levels and its classes.
fn point(ladders: &[Ladder], levels: &[Level], groups: &Groups) -> Point {
    let at = || ladders.iter().zip(levels).map(|(ladder, &level)| ladder.levels[level.index()]);
    let tops = ladders.iter().filter_map(|ladder| ladder.levels.last());
    // The distortion ratio is relative to the distortion with every column at its top level.
    let top: f64 = tops.map(|level| level.distortion).sum();
    let distortion: f64 = at().map(|level| level.distortion).sum();
    // The discernibility penalty sums the squares of class sizes.
    let squares = groups.counts.iter().map(|count| count.saturating_mul(*count));
    Point {
        levels: levels.to_vec(),
        k: groups.counts.iter().copied().min().unwrap_or(0),
        classes: groups.counts.len(),
        distortion: if top > 0.0 { distortion / top } else { 0.0 },
        ntil: at().map(|level| level.cost).sum::<f64>() / ladders.len() as f64,
        dcp: squares.fold(0, u64::saturating_add),
    }
}

/// Visits all nodes of a lattice, the last attribute fastest, and counts their classes.
struct Walk<'a> {
    ladders: &'a [Ladder],
    merger: Merger,
    levels: Option<Vec<Level>>,
    /// `groups[a]` has the attributes before `a` at their levels and the others at level 0.
    groups: Vec<Groups>,
    is_begun: bool,
}

impl<'a> Walk<'a> {
    fn new(problem: &Problem, members: &[(Cohort, u64)], ladders: &'a [Ladder]) -> Self {
        let mut merger = Merger::new(problem);
        let (mut base, _) = merger.base(problem, members);
        // Points show only sizes, so the tallies need not be copied.
        base.tallies = Tallies::default();
        let groups = vec![base; ladders.len() + 1];
        let levels = Some(vec![Level::VALUES; ladders.len()]);
        Self { ladders, merger, levels, groups, is_begun: false }
    }

    /// The levels and the classes of the next node.
    fn next(&mut self) -> Option<(&[Level], &Groups)> {
        if std::mem::replace(&mut self.is_begun, true) {
            self.advance();
        }
        Some((self.levels.as_deref()?, &self.groups[self.ladders.len()]))
    }

    fn advance(&mut self) {
        let Some(levels) = &mut self.levels else { return };
        let can_rise = |a: &usize| levels[*a] < self.ladders[*a].top();
        // Count up like an odometer: the last attribute that can rise does, those after it restart.
        let Some(rising) = (0..levels.len()).rev().find(can_rise) else {
            self.levels = None;
            return;
        };
        levels[rising + 1..].fill(Level::VALUES);
        let mut at = levels.clone();
        levels[rising] = levels[rising].above();
        // Classes of a nested level are unions of those one level below; others start from level 0.
        let from = if self.ladders[rising].nested { rising + 1 } else { rising };
        at[rising] = if self.ladders[rising].nested { at[rising] } else { Level::VALUES };
        let mut risen = Groups::default();
        let from = Counted { groups: &self.groups[from], levels: &at };
        self.merger.raise(&from, self.ladders, levels, &mut risen);
        // All later attributes are at level 0, so they share these groups.
        self.groups[rising + 1..].fill(risen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder;
    use crate::privacy::KAnonymity;
    use crate::progress::Silent;
    use crate::table::Table;

    fn lattice(rows: &[[&str; 2]], specs: [&str; 2]) -> Lattice {
        let table = Table::from_rows(&["a", "b"], rows).unwrap();
        let built = (table.columns().iter().zip(specs))
            .map(|(column, spec)| builder::build(&spec.parse().unwrap(), column, None).unwrap())
            .collect();
        let model = Box::new(KAnonymity::new(1).unwrap());
        let problem = Problem::new(&table, built, vec![model]).unwrap();
        Lattice::evaluate(&problem, &Silent).unwrap()
    }

    fn levels(levels: [usize; 2]) -> Vec<Level> {
        levels.map(Level::new).to_vec()
    }

    const ROWS: &[[&str; 2]] =
        &[["1", "7"], ["2", "7"], ["3", "8"], ["4", "8"], ["1", "9"], ["4", "9"]];

    #[test]
    fn every_node_attains_what_counting_by_hand_gives() {
        let lattice = lattice(ROWS, ["iotf", "iotf"]);
        let found: Vec<_> = lattice
            .points
            .iter()
            .map(|point| (point.levels.as_slice(), point.k, point.classes, point.dcp))
            .collect();
        // a: 1 2 3 4 -> [1-2] [3-4] -> *; b: 7 8 9 -> [7-8] 9 -> *
        assert_eq!(found[0], (&levels([0, 0])[..], 1, 6, 6));
        assert_eq!(found[3], (&levels([1, 0])[..], 1, 4, 10));
        assert_eq!(found[4], (&levels([1, 1])[..], 1, 4, 10));
        assert_eq!(found[5], (&levels([1, 2])[..], 3, 2, 18));
        assert_eq!(found[6], (&levels([2, 0])[..], 2, 3, 12));
        assert_eq!(found[8], (&levels([2, 2])[..], 6, 1, 36));
        assert!((lattice.points[8].distortion - 1.0).abs() < 1e-12);
        assert!((lattice.points[4].distortion - (1.0 + 2.0 / 3.0) / 4.0).abs() < 1e-12);
        assert!((lattice.points[5].ntil - f64::midpoint(1.0 / 3.0, 1.0)).abs() < 1e-12);
    }

    #[test]
    fn minimal_points_have_none_below_that_attains_k() {
        let lattice = lattice(ROWS, ["iotf", "iotf"]);
        let minimal: Vec<_> = lattice.minimal(2).iter().map(|p| p.levels.clone()).collect();
        assert_eq!(minimal, [levels([1, 2]), levels([2, 0])]);
        let front: Vec<_> = lattice.front().iter().map(|p| (p.k, p.levels.clone())).collect();
        assert_eq!(front[0], (1, levels([0, 0])));
        assert_eq!(front.last().unwrap(), &(6, levels([2, 2])));
    }

    /// Rolling up levels that are not nested would count 21..40 inside 1..25.
    #[test]
    fn levels_that_are_not_nested_are_counted_from_the_values() {
        let rows: Vec<[&str; 2]> = ["1", "22", "24", "38"].map(|a| [a, "1"]).to_vec();
        let lattice = lattice(&rows, ["dbgh:hi=100,min-width=20", "iotf"]);
        let found: Vec<_> = lattice.points.iter().map(|p| (p.k, p.classes)).collect();
        // 20: 1 | 22 24 38; 25: 1 22 24 | 38; 50 and 100: all.
        assert_eq!(found, [(1, 4), (1, 2), (1, 2), (4, 1), (4, 1)]);
        assert!(!lattice.ladders[0].nested);
    }
}
