//! Trees for numbers and dates that have no hierarchy.

use std::collections::BTreeSet;

use crate::Result;
use crate::anonymize::information::{self, Labels, rank};
use crate::hierarchy::{Generalization, Hierarchy, Leaf, Leaves, Node};
use crate::problem::{Attribute, Problem, Region};

/// Returns the problem with a tree for each attribute whose values may be generalized to any
/// interval, or `None` if there is no such attribute.
pub(super) fn with_trees(problem: &Problem) -> Result<Option<Problem>> {
    let is_free =
        |attribute: &Attribute| matches!(attribute.generalization(), Generalization::Interval(_));
    if !problem.attributes().iter().any(is_free) {
        return Ok(None);
    }
    let generalization = |(place, attribute): (usize, &Attribute)| {
        if is_free(attribute) {
            return grow(problem, place).map(Generalization::from);
        }
        Ok(attribute.known_generalization().clone())
    };
    let given = problem.attributes().iter().enumerate().map(generalization);
    problem.with_generalizations(given.collect::<Result<_>>()?).map(Some)
}

/// Returns the published region of each leaf of an attribute, given the nodes of its tree: the
/// interval of a node if the attribute itself has no tree.
pub(super) fn published(
    attribute: &Attribute,
    with_tree: &Attribute,
    nodes: &[Node],
) -> Vec<Region> {
    let interval = |&node: &Node| match (attribute.generalization(), with_tree.generalization()) {
        (Generalization::Interval(_), Generalization::Tree(tree)) => {
            let leaves = tree.leaves_of(node);
            Region::Interval(leaves.start, leaves.greatest())
        }
        _ => Region::Node(node),
    };
    nodes.iter().map(interval).collect()
}

/// Grows a binary tree of the values of an attribute.
///
/// Neighbouring ranges are merged, first those whose union loses least information about the class
/// column (the bits of all their records together); ties go to the narrowest union, then to the
/// leftmost. Without a class column every union loses nothing, so the narrowest is merged, as in
/// `iotf`.
fn grow(problem: &Problem, place: usize) -> Result<Hierarchy> {
    let (attribute, column) = (&problem.attributes()[place], &problem.table().columns()[place]);
    // The missing value, if it is one, has the leaf after the last value, and no place in the tree.
    let n_values = column.domain.len();
    let mut labels = information::of_leaves(problem, attribute);
    labels.truncate(n_values);
    let mut merging = Merging {
        attribute,
        n_records: problem.cohorts().n_records() as f64,
        ends: (1..=n_values).collect(),
        starts: (0..=n_values).map(|end| end.saturating_sub(1)).collect(),
        labels,
        open: BTreeSet::new(),
    };
    let mut ranges: Vec<(u32, u32)> = (0..n_values as u32).map(|leaf| (leaf, leaf + 1)).collect();
    (0..n_values.saturating_sub(1)).for_each(|start| merging.offer(start));
    while let Some((start, end)) = merging.merge() {
        ranges.push((start as u32, end as u32));
    }
    // Pre-order: by start, and the widest first.
    ranges.sort_by_key(|&(start, end)| (start, std::cmp::Reverse(end)));
    Hierarchy::from_ranges(Leaves::of(&column.name, &column.domain), &ranges)
}

/// Ranges of values that are being merged.
struct Merging<'a> {
    attribute: &'a Attribute,
    n_records: f64,
    /// The end of the range that starts at each value.
    ends: Vec<usize>,
    /// The start of the range that ends before each value.
    starts: Vec<usize>,
    /// The class labels of the range that starts at each value.
    labels: Vec<Labels>,
    /// The pairs of neighbours, by loss, width and the start of the left one.
    open: BTreeSet<(u64, u64, usize)>,
}

impl Merging<'_> {
    /// The pair of the range that starts at a value and the next range, with its loss and width.
    fn pair(&self, start: usize) -> Option<(u64, u64, usize)> {
        let middle = self.ends[start];
        let &end = self.ends.get(middle)?;
        let parts = [&self.labels[start], &self.labels[middle]];
        let n_records: u64 = parts.iter().map(|part| part.n_records()).sum();
        let loss = n_records as f64 / self.n_records * Labels::gap(parts.into_iter());
        let width = self.attribute.cost(&Region::Interval(Leaf::new(start), Leaf::new(end - 1)));
        Some((rank(loss), rank(width), start))
    }

    fn offer(&mut self, start: usize) {
        self.open.extend(self.pair(start));
    }

    fn withdraw(&mut self, start: usize) {
        if let Some(pair) = self.pair(start) {
            self.open.remove(&pair);
        }
    }

    /// Merges the best pair and returns its range.
    fn merge(&mut self) -> Option<(usize, usize)> {
        let (_, _, start) = self.open.first().copied()?;
        let middle = self.ends[start];
        let end = self.ends[middle];
        // The pairs that contain one of the two ranges change.
        let before = (start > 0).then(|| self.starts[start]);
        for changed in before.into_iter().chain([start, middle]) {
            self.withdraw(changed);
        }
        let absorbed = std::mem::take(&mut self.labels[middle]);
        self.labels[start].absorb(&absorbed);
        (self.ends[start], self.starts[end]) = (end, start);
        for changed in before.into_iter().chain([start]) {
            self.offer(changed);
        }
        Some((start, end))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::anonymize::BottomUp;
    use crate::builder;
    use crate::privacy::{KAnonymity, Secret};
    use crate::problem::Limits;
    use crate::progress::Silent;
    use crate::release::{Release, RowOrder, Style};
    use crate::table::{Columns, Encoding, Part, Table};

    /// A problem with one free column of ages and a class.
    fn problem(rows: &[(&str, &str)], k: u64, has_class: bool) -> Problem {
        let mut part = Part::default();
        for (age, class) in rows {
            part.push([age.as_bytes(), class.as_bytes()].into_iter(), true).unwrap();
        }
        let columns = Columns::quasi(&["age"]).and_beside(&["class"]);
        let table = Table::assemble(&columns, vec![part], &Encoding::default()).unwrap();
        let free = builder::build(&"free".parse().unwrap(), &table.columns()[0], None).unwrap();
        let class = has_class.then(|| Arc::new(Secret::of(&table, "class").unwrap()));
        let limits = Limits { class, ..Limits::default() };
        let model = Box::new(KAnonymity::new(k).unwrap());
        Problem::with_limits(&table, vec![free], vec![model], limits).unwrap()
    }

    fn published(problem: &Problem) -> Vec<String> {
        let recoding = problem.solve(&BottomUp::default(), &Silent).unwrap();
        let release = Release::new(&recoding, &Style::default(), &Silent).unwrap();
        release
            .rows(RowOrder::Input, &Silent)
            .unwrap()
            .iter()
            .map(|cells| cells[0].clone())
            .collect()
    }

    /// Two ages of each label in the order 20 N, 21 N, 22 Y, 29 Y.
    const ROWS: [(&str, &str); 4] = [("20", "N"), ("21", "N"), ("22", "Y"), ("29", "Y")];

    #[test]
    fn ranges_keep_the_class_predictable() {
        assert_eq!(
            published(&problem(&ROWS, 2, true)),
            ["[20, 21]", "[20, 21]", "[22, 29]", "[22, 29]"]
        );
        let tree = grow(&problem(&ROWS, 2, true), 0).unwrap();
        let labels: Vec<String> = tree.nodes().map(|node| tree.label(node).into_owned()).collect();
        assert_eq!(labels, ["[20, 29]", "[20, 21]", "20", "21", "[22, 29]", "22", "29"]);
    }

    #[test]
    fn without_a_class_the_narrowest_union_comes_first() {
        let tree = grow(&problem(&ROWS, 2, false), 0).unwrap();
        let built = problem(&ROWS, 2, false);
        let iotf = builder::build(&"iotf".parse().unwrap(), &built.table().columns()[0], None);
        let labels = |tree: &Hierarchy| -> Vec<String> {
            tree.nodes().map(|node| tree.label(node).into_owned()).collect()
        };
        assert_eq!(labels(&tree), labels(iotf.unwrap().hierarchy().unwrap()));
    }

    #[test]
    fn missing_values_share_only_the_root_with_numbers() {
        let rows = [("20", "N"), ("21", "N"), ("", "Y"), ("", "Y")];
        assert_eq!(published(&problem(&rows, 2, true)), ["[20, 21]", "[20, 21]", "", ""]);
        let rows = [("20", "N"), ("21", "N"), ("", "Y")];
        assert_eq!(published(&problem(&rows, 2, true)), ["*", "*", "*"]);
    }
}
