//! The levels of one attribute: the node of each leaf at each level, and its cost.

use serde::Serialize;

use crate::Error;
use crate::error::Advice;
use crate::hierarchy::{Entry, LeafOrAny, Level, LevelFunction};
use crate::problem::Attribute;
use crate::table::Cohort;

/// Limit on levels times leaves of one attribute, because of the memory they need.
const MOST_CELLS: u64 = 100_000_000;

/// The levels of one attribute.
#[derive(Debug, Clone, Serialize)]
pub struct Ladder {
    /// The column's name.
    #[serde(rename = "name")]
    pub column: String,
    /// The levels; level 0 is the values themselves.
    pub levels: Vec<LevelFacts>,
    /// Whether each level is nested in the next.
    pub nested: bool,
    #[serde(skip)]
    rungs: Vec<Rung>,
    /// Number of records with each leaf.
    #[serde(skip)]
    records: Vec<u64>,
    /// The highest level that a search considers.
    #[serde(skip)]
    top: Level,
}

/// Properties of one level of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LevelFacts {
    /// Number of groups that contain values.
    pub groups: usize,
    /// The mean distortion over the records.
    pub distortion: f64,
    /// The mean cost over the records, 0 to 1.
    pub cost: f64,
}

/// The per-leaf data of one level.
#[derive(Debug, Clone)]
pub(crate) struct Rung {
    /// The node or group of each leaf.
    pub(crate) entries: Vec<Entry>,
    /// The first leaf of the group that contains each leaf.
    pub(crate) firsts: Vec<u32>,
    /// The cost of each leaf.
    pub(crate) costs: Vec<f64>,
    /// Number of groups that contain records.
    pub(crate) n_used: usize,
    /// Number of records in groups that are too small for a class.
    pub(crate) n_rare: u64,
    /// The least and the greatest cost of a cell that a record has.
    pub(crate) extremes: (f64, f64),
    /// Running sums of records and their costs over the groups, most expensive groups first.
    dearest: Vec<(u64, f64)>,
}

impl Ladder {
    /// Returns why an attribute has no ladder, or `None` if it has one.
    pub(crate) fn obstacle(attribute: &Attribute) -> Option<Error> {
        let column = attribute.name();
        let n_levels = u64::from(attribute.generalization().n_levels());
        if n_levels == 0 {
            let problem = "it has no hierarchy ('free' decides for each class separately), and a lattice \
                           needs levels";
            return Some(Error::column(column, problem).advise([Advice::hierarchy_method(column)]));
        }
        if attribute.leaves().contains(&LeafOrAny::ANY) {
            let problem = "it has missing values that match anything, which have no level";
            return Some(Error::column(column, problem).advise([Advice::OtherMissingPolicy]));
        }
        let n_leaves = attribute.n_leaves();
        // Every level stores an entry for every leaf.
        if n_levels * n_leaves as u64 <= MOST_CELLS {
            return None;
        }
        let problem = format!(
            "its hierarchy has {n_levels} levels over {n_leaves} values, too many for a lattice"
        );
        let fewer = Advice::words("choose a hierarchy with fewer levels");
        Some(Error::column(column, problem).advise([fewer]))
    }

    /// The ladder of an attribute without an [obstacle](Self::obstacle), over the given numbers of
    /// records of cohorts. A class has at least `least` records.
    pub(crate) fn of(attribute: &Attribute, members: &[(Cohort, u64)], least: u64) -> Self {
        let function = attribute.generalization().levels();
        let LevelFunction { nodes, distortions, is_nested } =
            function.expect("attributes of a problem without an obstacle have levels");
        let mut records = vec![0; attribute.n_leaves()];
        for &(cohort, count) in members {
            records[attribute.known_leaf(cohort).index()] += count;
        }
        let costs = attribute.generalization().costs();
        let rung = |nodes| Rung::new(nodes, &costs, &records, least);
        let rungs: Vec<Rung> = nodes.into_iter().map(rung).collect();
        let levels = rungs.iter().map(|rung| rung.facts(&distortions, &records)).collect();
        let top = Level::new(rungs.len() - 1);
        let column = attribute.name().to_owned();
        Self { column, levels, nested: is_nested, rungs, records, top }
    }

    /// The ladder for a search. If all records share one value, generalizing it gains nothing, so
    /// only the lowest level is considered.
    pub(crate) fn for_search(mut self) -> Self {
        if self.rungs[0].n_used <= 1 {
            (self.top, self.nested) = (Level::VALUES, true);
        }
        self
    }

    /// Replaces the costs of cells, given those of the nodes or groups.
    pub(crate) fn price(&mut self, of_entry: &[f64]) {
        for rung in &mut self.rungs {
            rung.price(of_entry, &self.records);
        }
    }

    /// The highest level that a search considers.
    pub(crate) fn top(&self) -> Level {
        self.top
    }

    /// The lowest level with at most `most_rare` records in groups that are too small for a class.
    pub(crate) fn floor(&self, most_rare: u64) -> Level {
        let floor = self.rungs.iter().position(|rung| rung.n_rare <= most_rare);
        floor.map_or(self.top(), Level::new)
    }

    /// For each leaf, the number of its group at a level among those with records, and how many
    /// there are, at least 1. Groups without records have the number 0.
    pub(super) fn ranks(&self, level: Level) -> (Vec<u32>, u64) {
        let rung = self.rung(level);
        let (mut ranks, mut n_groups) = (vec![0; rung.firsts.len()], 0);
        for (first, count) in rung.groups(&self.records) {
            let leaves = ranks[first..].iter_mut().zip(&rung.firsts[first..]);
            if count > 0 {
                let of_group = leaves.take_while(|(_, at)| **at as usize == first);
                of_group.for_each(|(rank, _)| *rank = n_groups);
                n_groups += 1;
            }
        }
        (ranks, u64::from(n_groups.max(1)))
    }

    /// The per-leaf data of a level.
    pub(crate) fn rung(&self, level: Level) -> &Rung {
        &self.rungs[level.index()]
    }
}

impl Rung {
    fn new(entries: Vec<Entry>, of_entry: &[f64], records: &[u64], least: u64) -> Self {
        let mut firsts: Vec<u32> = Vec::with_capacity(entries.len());
        for (leaf, &entry) in entries.iter().enumerate() {
            // Leaves of one group are adjacent, so a new node starts a new group.
            let is_new = leaf == 0 || entry != entries[leaf - 1];
            firsts.push(if is_new { leaf as u32 } else { firsts[leaf - 1] });
        }
        let (costs, dearest) = (Vec::new(), Vec::new());
        let extremes = (0.0, 0.0);
        let mut rung = Self { entries, firsts, costs, n_used: 0, n_rare: 0, extremes, dearest };
        let groups = rung.groups(records);
        rung.n_used = groups.iter().filter(|(_, count)| *count > 0).count();
        // A class lies within one group of every attribute, so records of a small group fail.
        let counts = groups.iter().map(|&(_, count)| count);
        rung.n_rare = counts.filter(|&count| count < least).sum();
        rung.price(of_entry, records);
        rung
    }

    /// The first leaf of each group, and its number of records.
    fn groups(&self, records: &[u64]) -> Vec<(usize, u64)> {
        let mut groups: Vec<(usize, u64)> = Vec::new();
        for (leaf, &first) in self.firsts.iter().enumerate() {
            match groups.last_mut() {
                Some((known, count)) if *known == first as usize => *count += records[leaf],
                _ => groups.push((leaf, records[leaf])),
            }
        }
        groups
    }

    /// Sets the costs of cells, given those of the nodes or groups.
    fn price(&mut self, of_entry: &[f64], records: &[u64]) {
        self.costs = self.entries.iter().map(|&entry| of_entry[entry.index()]).collect();
        let mut groups: Vec<(f64, u64)> = (self.groups(records).into_iter())
            .map(|(first, count)| (self.costs[first], count))
            .collect();
        let used = groups.iter().filter(|(_, count)| *count > 0);
        self.extremes = used.fold((f64::INFINITY, 0.0), |(least, most), &(cost, _)| {
            (cost.min(least), cost.max(most))
        });
        // Stable, so groups of equal cost stay in the order of their leaves.
        groups.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut sum = (0, 0.0);
        self.dearest.clear();
        for &(cost, count) in &groups {
            sum = (sum.0 + count, sum.1 + cost * count as f64);
            self.dearest.push(sum);
        }
    }

    /// The properties of the level, given the distortion of each entry and the number of records
    /// with each leaf.
    fn facts(&self, distortions: &[f64], records: &[u64]) -> LevelFacts {
        let distorted = self.entries.iter().map(|&entry| distortions[entry.index()]);
        LevelFacts {
            groups: self.firsts.iter().zip(0..).filter(|&(&first, leaf)| first == leaf).count(),
            distortion: mean(distorted, records),
            cost: mean(self.costs.iter().copied(), records),
        }
    }

    /// Upper bound on the cost of `n_records` records.
    ///
    /// It is the cost of the most expensive records, so the last group may count in part.
    pub(crate) fn most_cost(&self, n_records: u64) -> f64 {
        // The last group whose records all fit; of the next one only a part is counted.
        let place = self.dearest.partition_point(|&(count, _)| count <= n_records);
        let (count, cost) = if place == 0 { (0, 0.0) } else { self.dearest[place - 1] };
        match self.dearest.get(place) {
            None => cost,
            Some(&(next, dearer)) => {
                cost + (dearer - cost) * (n_records - count) as f64 / (next - count) as f64
            }
        }
    }

    /// The cost of all records.
    pub(crate) fn cost(&self) -> f64 {
        self.dearest.last().map_or(0.0, |&(_, cost)| cost)
    }
}

/// The mean over the records of a quantity that is given for each leaf.
fn mean(of_leaf: impl Iterator<Item = f64>, records: &[u64]) -> f64 {
    let n_records = records.iter().sum::<u64>().max(1) as f64;
    let total: f64 = of_leaf.zip(records).map(|(x, &count)| x * count as f64).sum();
    total / n_records
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dearest_records_are_taken_first() {
        // Leaves 0 and 1 form a group that costs 0.5, leaf 2 costs nothing.
        let of_entry = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0];
        let rung = Rung::new([7, 7, 8].map(Entry::new).to_vec(), &of_entry, &[1, 2, 4], 4);
        assert_eq!((rung.firsts.as_slice(), rung.n_used), (&[0, 0, 2][..], 2));
        assert_eq!(rung.n_rare, 3);
        for (n_records, cost) in [(0, 0.0), (1, 0.5), (2, 1.0), (3, 1.5), (4, 1.5), (7, 1.5)] {
            assert!((rung.most_cost(n_records) - cost).abs() < 1e-12, "{n_records}");
        }
        assert!((rung.cost() - 1.5).abs() < 1e-12);
    }
}
