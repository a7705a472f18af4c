//! The lattice of full-domain generalizations: one level for each attribute, the same for everyone.

mod groups;

use serde::Serialize;

use self::groups::Groups;
use crate::problem::{ANY_LEAF, Attribute, Problem};
use crate::progress::Progress;
use crate::{Error, Result};

/// A lattice with more nodes than this is for a search, not for a list.
const MOST_NODES: u64 = 1_000_000;

/// Levels times leaves of one attribute; more would fill the memory.
const MOST_CELLS: u64 = 100_000_000;

/// What is known about the levels of one attribute.
#[derive(Debug, Clone, Serialize)]
pub struct Ladder {
    /// The column's name.
    #[serde(rename = "name")]
    pub column: String,
    /// The levels; 0 are the values themselves.
    pub levels: Vec<Level>,
    /// Whether each level is nested in the next.
    pub nested: bool,
    /// For each level, the first leaf of the group that each leaf is in.
    #[serde(skip)]
    firsts: Vec<Vec<u32>>,
}

/// One level of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Level {
    /// How many groups have values.
    pub groups: usize,
    /// The mean distortion of a record.
    pub distortion: f64,
    /// The mean cost of a record, 0 to 1.
    pub cost: f64,
}

/// One full-domain generalization: a level for each attribute, and what it attains.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// The level of each attribute.
    pub levels: Vec<u32>,
    /// The records of the smallest class: the table is k-anonymous for this `k`.
    pub k: u64,
    /// How many classes.
    pub classes: usize,
    /// The distortion ratio: the distortion of all cells, as a share of that at the top.
    pub distortion: f64,
    /// The mean cost of a cell, 0 to 1.
    pub ntil: f64,
    /// The discernibility penalty: the sum of squared class sizes.
    pub dcp: u64,
}

/// Every full-domain generalization of a problem.
#[derive(Debug, Clone, Serialize)]
pub struct Lattice {
    /// The levels of each attribute.
    #[serde(rename = "columns")]
    pub ladders: Vec<Ladder>,
    /// The generalizations, the last attribute's level running fastest.
    #[serde(rename = "nodes")]
    pub points: Vec<Point>,
}

impl Lattice {
    /// Evaluates every node of a problem's lattice.
    ///
    /// Counts are taken from the node one level below in one attribute, so most nodes cost no more
    /// than their classes; where levels are not nested, from the values themselves.
    ///
    /// # Complexity
    ///
    /// `O(N c)` for `N` nodes of `c` cohorts, less where classes merge; `O(c)` memory for each
    /// attribute.
    ///
    /// # References
    ///
    /// \[Yaseen2018\] definitions 8 and 9, and its experiment; METHODS 7.
    pub fn evaluate(problem: &Problem<'_>, progress: &dyn Progress) -> Result<Self> {
        let counts = &problem.cohorts().counts;
        let n_points = n_points(problem.attributes())?;
        let ladders = problem.attributes().iter().map(|attribute| Ladder::of(attribute, counts));
        let ladders: Vec<Ladder> = ladders.collect::<Result<_>>()?;
        let mut points = Vec::with_capacity(n_points as usize);
        let mut walk = Walk::new(problem, &ladders);
        while let Some((levels, groups)) = walk.next() {
            if progress.cancelled() {
                return Err(Error::Cancelled);
            }
            points.push(point(&ladders, levels, groups));
            progress.advance(points.len() as u64, n_points);
        }
        Ok(Self { ladders, points })
    }

    /// The points that attain `k` while none below them does (k-minimal generalizations).
    pub fn minimal(&self, k: u64) -> Vec<&Point> {
        let mut is_met_below: Vec<bool> = Vec::with_capacity(self.points.len());
        let mut minimal = Vec::new();
        for (place, point) in self.points.iter().enumerate() {
            let mut stride = 1;
            let mut is_met = false;
            for (ladder, &level) in self.ladders.iter().zip(&point.levels).rev() {
                is_met |= level > 0
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

    /// The points that no other beats in both k and distortion, by ascending k.
    pub fn front(&self) -> Vec<&Point> {
        let mut order: Vec<&Point> = self.points.iter().collect();
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

/// How many nodes the lattice has, if they can be listed.
fn n_points(attributes: &[Attribute]) -> Result<u64> {
    let levels_of = |attribute: &Attribute| attribute.generalization().n_levels();
    let n_levels: Vec<u64> = attributes.iter().map(|a| u64::from(levels_of(a))).collect();
    let deep =
        attributes.iter().zip(&n_levels).find(|(a, n)| **n * a.n_leaves() as u64 > MOST_CELLS);
    if let Some((attribute, n_levels)) = deep {
        return Err(Error::invalid(format!(
            "the hierarchy of '{}' has {n_levels} levels over {} values, too many for a lattice; choose \
             one with fewer levels",
            attribute.name(),
            attribute.n_leaves()
        )));
    }
    let n_points = n_levels.iter().try_fold(1u64, |n, &levels| n.checked_mul(levels.max(1)));
    n_points.filter(|&n| n <= MOST_NODES).ok_or_else(|| {
        let levels: Vec<String> = n_levels.iter().map(u64::to_string).collect();
        Error::invalid(format!(
            "the lattice has {} nodes, more than {MOST_NODES}; take fewer quasi-identifiers, or \
             hierarchies with fewer levels",
            levels.join(" x ")
        ))
    })
}

impl Ladder {
    fn of(attribute: &Attribute, counts: &[u64]) -> Result<Self> {
        let column = attribute.name().to_owned();
        let Some(function) = attribute.generalization().levels() else {
            return Err(Error::invalid(format!(
                "column '{column}' has no hierarchy ('free' decides for each class anew), and a \
                 lattice needs levels; choose one with --hierarchy {column}=METHOD"
            )));
        };
        if attribute.leaves().contains(&ANY_LEAF) {
            return Err(Error::invalid(format!(
                "column '{column}' has missing values that match anything, which have no level; \
                 choose another --missing"
            )));
        }
        let mut records = vec![0; attribute.n_leaves()];
        for (&leaf, count) in attribute.leaves().iter().zip(counts) {
            records[leaf as usize] += count;
        }
        let n_records = records.iter().sum::<u64>().max(1) as f64;
        let costs = attribute.generalization().costs();
        let mut firsts = Vec::with_capacity(function.nodes.len());
        let mut levels = Vec::with_capacity(function.nodes.len());
        for nodes in &function.nodes {
            let mean = |of_node: &[f64]| {
                let sum: f64 = (nodes.iter().zip(&records))
                    .map(|(&node, &count)| of_node[node as usize] * count as f64)
                    .sum();
                sum / n_records
            };
            let mut first = 0;
            let of_leaf: Vec<u32> = (0..nodes.len())
                .map(|leaf| {
                    if leaf > 0 && nodes[leaf] != nodes[leaf - 1] {
                        first = leaf as u32;
                    }
                    first
                })
                .collect();
            let groups = (0..of_leaf.len()).filter(|&leaf| of_leaf[leaf] == leaf as u32).count();
            let (distortion, cost) = (mean(&function.distortions), mean(&costs));
            levels.push(Level { groups, distortion, cost });
            firsts.push(of_leaf);
        }
        Ok(Self { column, levels, nested: function.is_nested, firsts })
    }

    fn top(&self) -> f64 {
        self.levels.last().map_or(0.0, |level| level.distortion)
    }
}

fn point(ladders: &[Ladder], levels: &[u32], groups: &Groups) -> Point {
    let at = || ladders.iter().zip(levels).map(|(ladder, &level)| ladder.levels[level as usize]);
    let top: f64 = ladders.iter().map(Ladder::top).sum();
    let distortion: f64 = at().map(|level| level.distortion).sum();
    let squares = groups.counts().iter().map(|count| count.saturating_mul(*count));
    Point {
        levels: levels.to_vec(),
        k: groups.counts().iter().copied().min().unwrap_or(0),
        classes: groups.counts().len(),
        distortion: if top > 0.0 { distortion / top } else { 0.0 },
        ntil: at().map(|level| level.cost).sum::<f64>() / ladders.len() as f64,
        dcp: squares.fold(0, u64::saturating_add),
    }
}

/// Goes through a lattice, the last attribute fastest, counting classes on the way.
struct Walk<'a> {
    ladders: &'a [Ladder],
    levels: Option<Vec<u32>>,
    /// `groups[a]` has the attributes before `a` on their levels and the rest on level 0.
    groups: Vec<Groups>,
    is_begun: bool,
}

impl<'a> Walk<'a> {
    fn new(problem: &Problem<'_>, ladders: &'a [Ladder]) -> Self {
        let groups = vec![Groups::of(problem); ladders.len() + 1];
        Self { ladders, levels: Some(vec![0; ladders.len()]), groups, is_begun: false }
    }

    /// The next node: its levels, and its classes.
    fn next(&mut self) -> Option<(&[u32], &Groups)> {
        if std::mem::replace(&mut self.is_begun, true) {
            self.advance();
        }
        Some((self.levels.as_deref()?, &self.groups[self.ladders.len()]))
    }

    fn advance(&mut self) {
        let Some(levels) = &mut self.levels else { return };
        let can_rise = |a: &usize| (levels[*a] as usize) + 1 < self.ladders[*a].levels.len();
        let Some(rising) = (0..levels.len()).rev().find(can_rise) else {
            self.levels = None;
            return;
        };
        levels[rising] += 1;
        levels[rising + 1..].fill(0);
        let ladder = &self.ladders[rising];
        let from = if ladder.nested { rising + 1 } else { rising };
        let firsts = &ladder.firsts[levels[rising] as usize];
        let risen = self.groups[from].coarsened(rising, firsts);
        self.groups[rising + 1..].fill(risen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy;
    use crate::privacy::KAnonymity;
    use crate::progress::Silent;
    use crate::table::Table;

    fn lattice(rows: &[[&str; 2]], specs: [&str; 2]) -> Lattice {
        let table = Table::from_rows(&["a", "b"], rows).unwrap();
        let built = (table.columns().iter().zip(specs))
            .map(|(column, spec)| hierarchy::build(&spec.parse().unwrap(), column, None).unwrap())
            .collect();
        let model = Box::new(KAnonymity::new(1).unwrap());
        let problem = Problem::new(&table, built, vec![model]).unwrap();
        Lattice::evaluate(&problem, &Silent).unwrap()
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
        assert_eq!(found[0], (&[0, 0][..], 1, 6, 6));
        assert_eq!(found[3], (&[1, 0][..], 1, 4, 10));
        assert_eq!(found[4], (&[1, 1][..], 1, 4, 10));
        assert_eq!(found[5], (&[1, 2][..], 3, 2, 18));
        assert_eq!(found[6], (&[2, 0][..], 2, 3, 12));
        assert_eq!(found[8], (&[2, 2][..], 6, 1, 36));
        assert!((lattice.points[8].distortion - 1.0).abs() < 1e-12);
        assert!((lattice.points[4].distortion - (1.0 + 2.0 / 3.0) / 4.0).abs() < 1e-12);
        assert!((lattice.points[5].ntil - f64::midpoint(1.0 / 3.0, 1.0)).abs() < 1e-12);
    }

    #[test]
    fn minimal_points_have_none_below_that_attains_k() {
        let lattice = lattice(ROWS, ["iotf", "iotf"]);
        let minimal: Vec<_> = lattice.minimal(2).iter().map(|p| p.levels.clone()).collect();
        assert_eq!(minimal, [vec![1, 2], vec![2, 0]]);
        let front: Vec<_> = lattice.front().iter().map(|p| (p.k, p.levels.clone())).collect();
        assert_eq!(front[0], (1, vec![0, 0]));
        assert_eq!(front.last().unwrap(), &(6, vec![2, 2]));
    }

    /// Rolling up what is not nested would count 21..40 inside 1..25.
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
