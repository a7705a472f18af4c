//! Literal, slow implementations of the papers, which the fast ones must equal.

use std::collections::BTreeMap;
use std::ops::Range;

use hedgerow::builder::numeric::{Line, Ranges};
use hedgerow::hierarchy::{Entry, Generalization, Group, Hierarchy, Leaf, LeafOrAny, Level, Node};
use hedgerow::problem::{Attribute, Problem};
use hedgerow::proposal::Class;
use hedgerow::table::Cohort;

/// Returns the cluster of each record, by a literal implementation of METHODS 3.1.
pub(crate) fn k_member(problem: &Problem, from_last_added: bool) -> Vec<Option<Class>> {
    let rows = problem.table().rows().unwrap().iter();
    let rows: Vec<Cohort> = rows.copied().flatten().collect();
    let loss = |members: &[usize]| -> f64 {
        let of = |attribute: &Attribute| {
            let leaves = members.iter().map(|&row| attribute.leaves()[rows[row].index()]);
            term(attribute, &leaves.filter_map(LeafOrAny::known).collect::<Vec<_>>())
        };
        problem.attributes().iter().map(of).sum()
    };
    let k = problem.least_size() as usize;
    let mut left: Vec<usize> = (0..rows.len()).collect();
    let mut clusters: Vec<Vec<usize>> = Vec::new();
    let mut anchor = 0;
    while left.len() >= k {
        let seed = if clusters.is_empty() && !from_last_added {
            0
        } else {
            best(&left, |row| -loss(&[anchor, row]))
        };
        let mut cluster = vec![take(&mut left, seed)];
        while cluster.len() < k {
            let with = |row: usize| loss(&[&cluster[..], &[row]].concat());
            let next = best(&left, with);
            cluster.push(take(&mut left, next));
        }
        anchor = if from_last_added { cluster[cluster.len() - 1] } else { cluster[0] };
        clusters.push(cluster);
    }
    for row in left {
        let increase = |class: usize| {
            let cluster = &clusters[class];
            let with = [&cluster[..], &[row]].concat();
            with.len() as f64 * loss(&with) - cluster.len() as f64 * loss(cluster)
        };
        let class = best(&(0..clusters.len()).collect::<Vec<_>>(), increase);
        clusters[class].push(row);
    }
    let mut of_row = vec![None; rows.len()];
    for (class, cluster) in clusters.iter().enumerate() {
        cluster.iter().for_each(|&row| of_row[row] = Some(Class::new(class)));
    }
    of_row
}

/// Returns the first item of least cost; costs within 1e-12 of the least count as equal to it.
fn best(items: &[usize], cost: impl Fn(usize) -> f64) -> usize {
    let costs: Vec<f64> = items.iter().map(|&item| cost(item)).collect();
    let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
    items[costs.iter().position(|&cost| cost <= least + 1e-12).unwrap()]
}

fn take(left: &mut Vec<usize>, row: usize) -> usize {
    left.retain(|&other| other != row);
    row
}

/// Returns the cost of one attribute of a class (METHODS 3.2).
fn term(attribute: &Attribute, leaves: &[Leaf]) -> f64 {
    let (Some(&least), Some(&greatest)) = (leaves.iter().min(), leaves.iter().max()) else {
        return 0.0;
    };
    if least == greatest {
        return 0.0;
    }
    let n_values = attribute.values().len();
    match attribute.generalization() {
        Generalization::Fixed(_) => unreachable!("no method searches among fixed labels"),
        Generalization::Set(_) => {
            let mut different = leaves.to_vec();
            different.sort_unstable();
            different.dedup();
            (different.len() - 1) as f64 / (attribute.n_leaves() - 1) as f64
        }
        Generalization::Interval(values) => {
            let scale = values.scale().unwrap();
            if greatest.index() >= n_values {
                return 1.0;
            }
            let width = scale.value(scale.len() - 1) - scale.value(0);
            (scale.value(greatest.index()) - scale.value(least.index())) / width
        }
        Generalization::Levels(levels) => {
            let mut groups = levels.top().and_below().skip(1).flat_map(|level| levels.level(level));
            let holds = |group: &Group| {
                let leaves = levels.leaves_of(*group);
                leaves.contains(least) && leaves.contains(greatest)
            };
            let (least, greatest) = levels.values().scale().unwrap().ends().unwrap();
            let (low, high) = levels.bounds(groups.find(holds).unwrap()).unwrap();
            (high.min(greatest) - low.max(least)) / (greatest - least)
        }
        Generalization::Tree(tree) => {
            let node = ancestor(tree, least, greatest);
            let below = tree.leaves_of(node);
            if below.len() == tree.n_leaves() || tree.label(node) == "*" {
                return 1.0;
            }
            match (tree.bounds(node), tree.bounds(Node::ROOT)) {
                (Some((low, high)), Some(_)) => {
                    let (least, greatest) = tree.leaves().scale().unwrap().ends().unwrap();
                    (high.min(greatest) - low.max(least)) / (greatest - least)
                }
                _ => (below.len() - 1) as f64 / (tree.n_leaves() - 1) as f64,
            }
        }
    }
}

/// Counts the size of the smallest class, the number of classes and the sum of their squared sizes
/// when every attribute is generalized to a level.
pub(crate) fn sizes(problem: &Problem, levels: &[Level]) -> (u64, usize, u64) {
    let functions: Vec<_> =
        problem.attributes().iter().map(|a| a.generalization().levels().unwrap()).collect();
    let mut classes: BTreeMap<Vec<Entry>, u64> = BTreeMap::new();
    for (cohort, count) in problem.cohorts().counted() {
        let leaf = |attribute: &Attribute| attribute.leaves()[cohort.index()].known().unwrap();
        let shown = (problem.attributes().iter().zip(&functions).zip(levels))
            .map(|((a, f), &level)| f.nodes[level.index()][leaf(a).index()]);
        *classes.entry(shown.collect()).or_default() += count;
    }
    let squares = classes.values().map(|size| size * size).sum();
    (*classes.values().min().unwrap(), classes.len(), squares)
}

/// Returns the lowest common ancestor: climbs from one leaf until the other is below.
fn ancestor(tree: &Hierarchy, one: Leaf, other: Leaf) -> Node {
    let mut node = tree.leaf_node(one);
    while !tree.leaves_of(node).contains(other) {
        node = tree.parent(node).unwrap();
    }
    node
}

/// A range of values.
type Span = (usize, usize);

/// Merges the nearest neighbours repeatedly, scanning all of them each time (METHODS 1.1 and 1.2).
pub(crate) fn merged(line: &Line, gap: fn(&Line, Span, Span) -> f64) -> Ranges {
    let mut live: Vec<Span> = (0..line.len()).map(|i| (i, i + 1)).collect();
    let mut all: Vec<(u32, u32)> = live.iter().map(|&(a, b)| (a as u32, b as u32)).collect();
    while live.len() > 1 {
        let pairs: Vec<usize> = (0..live.len() - 1).collect();
        let nearest = best(&pairs, |i| gap(line, live[i], live[i + 1]));
        let union = (live[nearest].0, live[nearest + 1].1);
        live.splice(nearest..nearest + 2, [union]);
        all.push((union.0 as u32, union.1 as u32));
    }
    all.sort_by_key(|&(start, end)| (start, std::cmp::Reverse(end)));
    all
}

/// IOTF: the size of the union.
pub(crate) fn width(line: &Line, left: Span, right: Span) -> f64 {
    line.positions[right.1 - 1] - line.positions[left.0]
}

/// OTF: the distance of the means.
pub(crate) fn distance(line: &Line, left: Span, right: Span) -> f64 {
    let mean = |(from, to): Span| {
        let weight: u64 = line.counts[from..to].iter().sum();
        let sum: f64 = (from..to).map(|i| line.positions[i] * line.counts[i] as f64).sum();
        sum / weight as f64
    };
    mean(right) - mean(left)
}

/// Returns the expected width of the lowest node with enough other records, computed record by
/// record (METHODS 1.11).
pub(crate) fn expected_width(line: &Line, ranges: &Ranges, tail: f64) -> f64 {
    let width = |&(start, end): &(u32, u32)| {
        line.positions[end as usize - 1] - line.positions[start as usize]
    };
    let count = |&(start, end): &(u32, u32)| {
        line.counts[start as usize..end as usize].iter().sum::<u64>() as f64
    };
    let mut sum = 0.0;
    for value in 0..line.len() as u32 {
        let path = ranges.iter().rev().filter(|(start, end)| (*start..*end).contains(&value));
        let mut still_needs = 1.0; // the probability that no lower node has enough
        for node in path {
            let is_root = *node == ranges[0];
            let needs_more = if is_root { 0.0 } else { count(node).powf(-tail) };
            sum += line.counts[value as usize] as f64 * (still_needs - needs_more) * width(node);
            still_needs = needs_more;
        }
    }
    sum
}

/// Returns every tree over the values `start..end` whose inner nodes have at least two children, in
/// pre-order.
pub(crate) fn every_tree(start: u32, end: u32) -> Vec<Ranges> {
    if end - start == 1 {
        return vec![vec![(start, end)]];
    }
    let below = rows_of_trees(start, start + 1..end, end).into_iter();
    below.map(|children| [vec![(start, end)], children].concat()).collect()
}

/// Returns every sequence of adjacent trees over the values `start..end` whose first tree ends in
/// `first_ends`.
fn rows_of_trees(start: u32, first_ends: Range<u32>, end: u32) -> Vec<Ranges> {
    let mut rows = Vec::new();
    for first_end in first_ends {
        let mut rest = vec![Vec::new()];
        if first_end < end {
            rest = rows_of_trees(first_end, first_end + 1..end + 1, end);
        }
        for first in every_tree(start, first_end) {
            rows.extend(rest.iter().map(|rest| [&first[..], rest].concat()));
        }
    }
    rows
}
