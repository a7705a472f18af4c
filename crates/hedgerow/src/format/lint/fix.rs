//! Repairs problems of hierarchy files that have only one sensible solution.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::structure::Reader;
use super::{labels, structure};
use crate::format::{
    children::Children,
    draft::{Draft, Given},
};
use crate::hierarchy::Notation;
use crate::table::Column;

/// Repairs a draft and describes every change.
///
/// Blanks around labels are removed and numbers get their plain spelling. The first of two parents
/// and of two equal values is kept, and several roots become children of `*`. The children of a
/// node without a name move to its parent. Empty groups and groups that only repeat their parent's
/// name are removed. Missing values of the column are added below the narrowest range that contains
/// them, or below the root. Overlapping ranges and cycles are left for the author.
pub fn fix(draft: &Draft, column: Option<&Column>) -> (Draft, Vec<String>) {
    let mut repair = Repair { draft: draft.clone(), changes: Vec::new() };
    // The order matters: later steps rely on one parent and one name for each node.
    repair.mark_groups();
    repair.accept_readings();
    repair.plain_labels();
    repair.keep_first_parents();
    repair.leave_out_nameless();
    repair.keep_first_values();
    repair.put_under_one_root();
    if let Some(column) = column {
        repair.add_missing(column);
    }
    repair.leave_out_empty_groups();
    repair.leave_out_repeats();
    (repair.draft, repair.changes)
}

struct Repair {
    draft: Draft,
    changes: Vec<String>,
}

impl Repair {
    fn say(&mut self, line: u64, what: &str) {
        self.changes.push(if line > 0 { format!("line {line}: {what}") } else { what.to_owned() });
    }

    /// Marks nodes with children as groups, so that they remain groups if they lose their children.
    fn mark_groups(&mut self) {
        let parents: Vec<usize> = (self.draft.nodes.iter().filter_map(|node| node.parent))
            .chain(self.draft.second_parents.iter().map(|link| link.parent))
            .collect();
        parents.into_iter().for_each(|parent| self.draft.nodes[parent].is_group = true);
    }

    /// Accepts the workarounds of the parser for the problems that it found.
    fn accept_readings(&mut self) {
        for oddity in std::mem::take(&mut self.draft.oddities) {
            self.changes.push(format!("{}: {}", oddity.finding, oddity.remedy));
        }
        let children = Children::of(&self.draft.nodes);
        let reader = Reader::of(&self.draft, &children);
        if !structure::values_of_other_kind(&self.draft, &children, reader.as_ref()).is_empty() {
            self.draft.kind = None;
            let change = "the kind of the values is left out because not all are of that kind";
            self.changes.push(change.to_owned());
        }
    }

    fn plain_labels(&mut self) {
        for node in 0..self.draft.nodes.len() {
            let Given { label, line, .. } = &self.draft.nodes[node];
            if label.trim().len() < label.len() && !label.trim().is_empty() {
                let (plain, line): (Box<str>, u64) = (label.trim().into(), *line);
                self.say(line, &format!("the blanks around '{plain}' are left out"));
                self.draft.nodes[node].label = plain;
            }
        }
        let children = Children::of(&self.draft.nodes);
        for (node, plain) in labels::odd_numbers(&self.draft, &children) {
            let Given { label, line, .. } = &self.draft.nodes[node];
            let (what, line) = (format!("'{label}' is written {plain}"), *line);
            self.say(line, &what);
            self.draft.nodes[node].label = plain.into();
        }
    }

    fn keep_first_parents(&mut self) {
        for link in std::mem::take(&mut self.draft.second_parents) {
            let label = |node: usize| self.draft.nodes[node].label.clone();
            let first = self.draft.nodes[link.child].parent.map_or("".into(), label);
            let what = format!("'{}' stays below '{first}', its first parent", label(link.child));
            self.say(link.line, &what);
        }
    }

    /// Removes nodes without a name; their children move to their parents.
    fn leave_out_nameless(&mut self) {
        let is_nameless = |node: &Given| node.label.trim().is_empty() && !node.is_value;
        let goes: Vec<bool> = self.draft.nodes.iter().map(is_nameless).collect();
        let lines = self.draft.nodes.iter().filter(|node| is_nameless(node)).map(|node| node.line);
        for line in lines.collect::<Vec<_>>() {
            self.say(line, "the empty label is left out");
        }
        self.dissolve(&goes);
    }

    /// Keeps the first of several leaves with the same value.
    fn keep_first_values(&mut self) {
        let children = Children::of(&self.draft.nodes);
        let mut goes = vec![false; self.draft.nodes.len()];
        let reader = Reader::of(&self.draft, &children);
        for (first, node) in structure::repeated_values(&self.draft, &children, reader.as_ref()) {
            goes[node] = true;
            let Given { label, line, count, .. } = self.draft.nodes[node].clone();
            let kept = &mut self.draft.nodes[first];
            kept.count += count;
            let on_line = kept.line;
            let what = format!("'{label}' is left out because it is already on line {on_line}");
            self.say(line, &what);
        }
        self.dissolve(&goes);
    }

    fn put_under_one_root(&mut self) {
        let nodes = &mut self.draft.nodes;
        let roots: Vec<usize> = (0..nodes.len()).filter(|&n| nodes[n].parent.is_none()).collect();
        if roots.len() < 2 {
            return;
        }
        // An existing `*` becomes the common root.
        let star = roots.iter().copied().find(|&root| &*nodes[root].label == "*");
        let top = star.unwrap_or(nodes.len());
        for &root in roots.iter().filter(|&&root| root != top) {
            nodes[root].parent = Some(top);
        }
        if star.is_none() {
            nodes.push(Given { label: "*".into(), is_group: true, ..Given::default() });
        }
        for root in roots.into_iter().filter(|&root| root != top) {
            let Given { label, line, .. } = &self.draft.nodes[root];
            let (what, line) = (format!("the root '{label}' is put below *"), *line);
            self.say(line, &what);
        }
    }

    fn add_missing(&mut self, column: &Column) {
        // After these repairs only a cycle can remain, which the author must resolve.
        let Ok(tree) = self.draft.assemble() else {
            return;
        };
        let Some(root) = self.draft.nodes.iter().position(|node| node.parent.is_none()) else {
            return;
        };
        let domain = &column.domain;
        let leaves = tree.ground().leaves_for(domain);
        let lost = (0..domain.len()).filter(|&code| leaves[code].is_none());
        let values: Vec<String> =
            lost.map(|code| domain.values.spelling(code).into_owned()).collect();
        for (value, home) in values.iter().zip(homes(&self.draft, &values)) {
            let parent = home.unwrap_or(root);
            let above = &self.draft.nodes[parent].label;
            self.changes.push(format!("the value '{value}' is added below '{above}'"));
            self.draft.push(Some(parent), value, 0);
        }
    }

    /// Removes empty groups, from the bottom up, so that a group of empty groups is removed too.
    fn leave_out_empty_groups(&mut self) {
        let children = Children::of(&self.draft.nodes);
        let mut goes = labels::empty_groups(&self.draft, &children);
        for &node in children.preorder().iter().rev().filter(|&&node| !children.is_leaf(node)) {
            // The root stays, even if nothing is left below it.
            let is_inner = self.draft.nodes[node].parent.is_some();
            goes[node] = is_inner && children.below(node).iter().all(|&child| goes[child]);
        }
        for node in (0..goes.len()).filter(|&node| goes[node]) {
            let Given { label, line, .. } = &self.draft.nodes[node];
            let (what, line) = (format!("the empty group '{label}' is left out"), *line);
            self.say(line, &what);
        }
        self.dissolve(&goes);
    }

    /// Removes only children that have their parent's name.
    fn leave_out_repeats(&mut self) {
        let children = Children::of(&self.draft.nodes);
        let nodes = &self.draft.nodes;
        let parents: Vec<Option<usize>> =
            (0..nodes.len()).map(|node| repeated_parent(nodes, &children, node)).collect();
        let goes: Vec<bool> = parents.iter().map(Option::is_some).collect();
        // From the bottom up, so that counts add up along chains.
        for node in children.preorder().into_iter().rev() {
            if let Some(parent) = parents[node] {
                let Given { label, line, count, is_group, .. } = self.draft.nodes[node].clone();
                self.draft.nodes[parent].count += count;
                // The parent takes the place of the child, which may have been a value.
                self.draft.nodes[parent].is_group = is_group;
                self.say(line, &format!("'{label}' only repeats its parent and is left out"));
            }
        }
        self.dissolve(&goes);
    }

    /// Removes nodes. Their children become children of the lowest ancestor that is kept.
    fn dissolve(&mut self, goes: &[bool]) {
        if !goes.contains(&true) {
            return;
        }
        let nodes = &mut self.draft.nodes;
        for node in Children::of(nodes).preorder() {
            // Parents come first, so their new parent is already known.
            if let Some(parent) = nodes[node].parent.filter(|&parent| goes[parent]) {
                nodes[node].parent = nodes[parent].parent;
            }
        }
        let mut n_kept = 0;
        let place = |&goes: &bool| {
            n_kept += usize::from(!goes);
            (!goes).then(|| n_kept - 1)
        };
        let places: Vec<Option<usize>> = goes.iter().map(place).collect();
        let mut kept = std::mem::take(nodes);
        let mut at = 0;
        kept.retain(|_| {
            at += 1;
            !goes[at - 1]
        });
        for node in &mut kept {
            node.parent = node.parent.and_then(|parent| places[parent]);
        }
        *nodes = kept;
    }
}

/// Returns the parent of a node if the node is its only child and has its label.
fn repeated_parent(nodes: &[Given], children: &Children, node: usize) -> Option<usize> {
    let parent = nodes[node].parent.filter(|&parent| parent != node)?;
    let is_repeat = children.below(parent).len() == 1 && nodes[parent].label == nodes[node].label;
    is_repeat.then_some(parent)
}

/// Returns the node below which each value belongs: the narrowest range that contains it.
fn homes(draft: &Draft, values: &[String]) -> Vec<Option<usize>> {
    let children = Children::of(&draft.nodes);
    let reader = Reader::or_number(draft, &children);
    let is_date = matches!(reader, Reader::Date(_));
    let span = |(node, given): (usize, &Given)| match reader.notation(&given.label) {
        Notation::Range(..) if is_date && children.is_leaf(node) => None, // a day is a value
        Notation::Range(lo, hi) => Some((lo, hi, node)),
        _ => None,
    };
    // A sweep over the ascending values, in `O((n + m) log n)` for `n` ranges and `m` values.
    let mut spans: Vec<_> = draft.nodes.iter().enumerate().filter_map(span).collect();
    spans.sort_by(|a, b| b.0.total_cmp(&a.0)); // `pop_if` takes the least first
    let read = |(place, value): (usize, &String)| Some((reader.read(value)?.value(), place));
    let mut sorted: Vec<(f64, usize)> = values.iter().enumerate().filter_map(read).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut homes = vec![None; values.len()];
    // Ranges that have started, the narrowest on top; on a tie, the one that started last.
    let mut open: BinaryHeap<(Reverse<Width>, usize)> = BinaryHeap::new();
    let mut begun = Vec::new();
    for (value, place) in sorted {
        while let Some(span) = spans.pop_if(|span| span.0 <= value) {
            open.push((Reverse(Width(span.1 - span.0)), begun.len()));
            begun.push(span);
        }
        while open.peek().is_some_and(|&(_, at)| begun[at].1 < value) {
            open.pop();
        }
        homes[place] = open.peek().map(|&(_, at)| begun[at].2);
    }
    homes
}

/// A width with a total order.
#[derive(PartialEq)]
struct Width(f64);

impl Eq for Width {}

impl Ord for Width {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Width {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
