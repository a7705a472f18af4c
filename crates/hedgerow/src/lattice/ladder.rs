//! The levels of one attribute: what each leaf becomes on each, and what that costs.

use serde::Serialize;

use crate::Error;
use crate::error::Advice;
use crate::hierarchy::{LevelFunction, Node};
use crate::problem::{ANY_LEAF, Attribute};

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
    #[serde(skip)]
    rungs: Vec<Rung>,
    /// The highest level that a search looks at.
    #[serde(skip)]
    top: u32,
}

/// One level of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Level {
    /// How many groups have values.
    pub groups: usize,
    /// The mean distortion of a record.
    pub distortion: f64,
    /// The mean cost of a record, 0 to 1.
    pub cost: f64,
}

/// One level, leaf by leaf.
#[derive(Debug, Clone)]
pub(crate) struct Rung {
    /// The node or group of each leaf.
    pub(crate) nodes: Vec<Node>,
    /// The first leaf of the group that each leaf is in.
    pub(crate) firsts: Vec<u32>,
    /// What each leaf costs.
    pub(crate) costs: Vec<f64>,
    /// How many groups have records.
    pub(crate) n_used: usize,
    /// How many records are in groups too small for a class.
    pub(crate) n_rare: u64,
    /// Records and their cost, summed over the groups from the dearest on.
    dearest: Vec<(u64, f64)>,
}

impl Ladder {
    /// Why an attribute has no ladder, if it has none.
    pub(crate) fn obstacle(attribute: &Attribute) -> Option<Error> {
        let column = attribute.name();
        let n_levels = u64::from(attribute.generalization().n_levels());
        if n_levels == 0 {
            let problem = "it has no hierarchy ('free' decides for each class anew), and a lattice \
                           needs levels";
            return Some(Error::column(column, problem).advise([Advice::hierarchy_method(column)]));
        }
        if attribute.leaves().contains(&ANY_LEAF) {
            let problem = "it has missing values that match anything, which have no level";
            return Some(Error::column(column, problem).advise([Advice::OtherMissingPolicy]));
        }
        let n_leaves = attribute.n_leaves();
        (n_levels * n_leaves as u64 > MOST_CELLS).then(|| {
            let problem = format!(
                "its hierarchy has {n_levels} levels over {n_leaves} values, too many for a lattice"
            );
            Error::column(column, problem)
                .advise([Advice::words("choose a hierarchy with fewer levels")])
        })
    }

    /// The ladder of an attribute without an [obstacle](Self::obstacle), for some records of some
    /// cohorts; a class has at least `least` records.
    pub(crate) fn of(attribute: &Attribute, members: &[(u32, u64)], least: u64) -> Self {
        let function = attribute.generalization().levels();
        let LevelFunction { nodes, distortions, is_nested } =
            function.expect("what has no obstacle has levels");
        let mut records = vec![0; attribute.n_leaves()];
        for &(cohort, count) in members {
            records[attribute.leaves()[cohort as usize] as usize] += count;
        }
        let n_records = records.iter().sum::<u64>().max(1) as f64;
        let costs = attribute.generalization().costs();
        let rung = |nodes| Rung::new(nodes, &costs, &records, least);
        let rungs: Vec<Rung> = nodes.into_iter().map(rung).collect();
        let level = |rung: &Rung| {
            let distorted = rung.nodes.iter().map(|&node| distortions[node as usize]);
            let mean = |of_leaf: &mut dyn Iterator<Item = f64>| {
                let total: f64 = of_leaf.zip(&records).map(|(x, &count)| x * count as f64).sum();
                total / n_records
            };
            Level {
                groups: rung.firsts.iter().zip(0..).filter(|&(&first, leaf)| first == leaf).count(),
                distortion: mean(&mut distorted.into_iter()),
                cost: mean(&mut rung.costs.iter().copied()),
            }
        };
        let levels = rungs.iter().map(level).collect();
        let top = rungs.len() as u32 - 1;
        Self { column: attribute.name().to_owned(), levels, nested: is_nested, rungs, top }
    }

    /// The ladder for a search: records that share one value are never told apart by it, so
    /// generalizing it gains nothing, and only its lowest level is looked at.
    pub(crate) fn for_search(mut self) -> Self {
        if self.rungs[0].n_used <= 1 {
            (self.top, self.nested) = (0, true);
        }
        self
    }

    /// The highest level that a search looks at.
    pub(crate) fn top(&self) -> u32 {
        self.top
    }

    /// The lowest level with at most so many records in groups too small for a class.
    pub(crate) fn floor(&self, most_rare: u64) -> u32 {
        let floor = (0..).zip(&self.rungs).find(|(_, rung)| rung.n_rare <= most_rare);
        floor.map_or(self.top(), |(level, _)| level)
    }

    /// A level, leaf by leaf.
    pub(crate) fn rung(&self, level: u32) -> &Rung {
        &self.rungs[level as usize]
    }
}

impl Rung {
    fn new(nodes: Vec<Node>, of_node: &[f64], records: &[u64], least: u64) -> Self {
        let costs: Vec<f64> = nodes.iter().map(|&node| of_node[node as usize]).collect();
        let mut firsts: Vec<u32> = Vec::with_capacity(nodes.len());
        let mut groups: Vec<(f64, u64)> = Vec::new();
        for (leaf, &node) in nodes.iter().enumerate() {
            if leaf == 0 || node != nodes[leaf - 1] {
                firsts.push(leaf as u32);
                groups.push((costs[leaf], records[leaf]));
            } else {
                firsts.push(firsts[leaf - 1]);
                let last = groups.len() - 1;
                groups[last].1 += records[leaf];
            }
        }
        let n_used = groups.iter().filter(|(_, count)| *count > 0).count();
        let rare = groups.iter().map(|&(_, count)| count).filter(|&count| count < least);
        let n_rare = rare.sum();
        groups.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut sum = (0, 0.0);
        let dearest = groups.iter().map(|&(cost, count)| {
            sum = (sum.0 + count, sum.1 + cost * count as f64);
            sum
        });
        let dearest = dearest.collect();
        Self { nodes, firsts, costs, n_used, n_rare, dearest }
    }

    /// The most that so many records can cost.
    pub(crate) fn most_cost(&self, n_records: u64) -> f64 {
        let place = self.dearest.partition_point(|&(count, _)| count <= n_records);
        let (count, cost) = if place == 0 { (0, 0.0) } else { self.dearest[place - 1] };
        match self.dearest.get(place) {
            None => cost,
            Some(&(next, dearer)) => {
                cost + (dearer - cost) * (n_records - count) as f64 / (next - count) as f64
            }
        }
    }

    /// What all records cost.
    pub(crate) fn cost(&self) -> f64 {
        self.dearest.last().map_or(0.0, |&(_, cost)| cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dearest_records_are_taken_first() {
        // Leaves 0 and 1 are a group that costs 0.5, leaf 2 costs nothing.
        let of_node = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0];
        let rung = Rung::new(vec![7, 7, 8], &of_node, &[1, 2, 4], 4);
        assert_eq!((rung.firsts.as_slice(), rung.n_used), (&[0, 0, 2][..], 2));
        assert_eq!(rung.n_rare, 3);
        for (n_records, cost) in [(0, 0.0), (1, 0.5), (2, 1.0), (3, 1.5), (4, 1.5), (7, 1.5)] {
            assert!((rung.most_cost(n_records) - cost).abs() < 1e-12, "{n_records}");
        }
        assert!((rung.cost() - 1.5).abs() < 1e-12);
    }
}
