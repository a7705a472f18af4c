//! Checks labels: duplicate names, different spellings of one number, and groups without a purpose.

use hashbrown::HashMap;

use super::{Finding, Severity};
use crate::format::{
    children::Children,
    draft::{Draft, Given, plain_number},
};
use crate::hierarchy::{Hierarchy, Leaf, Notation};
use crate::table::{Kind, looks_like_code, read_number};

pub(super) fn findings(draft: &Draft, children: &Children) -> Vec<Finding> {
    let is_empty = empty_groups(draft, children);
    let mut is_reached = vec![false; draft.nodes.len()];
    children.preorder().into_iter().for_each(|node| is_reached[node] = true);
    // A builder that gives all values the same number of levels creates groups of one on purpose.
    let is_meant = draft.builder.is_some();
    let is_group_of_one = |node: usize| {
        let is_named = !draft.nodes[node].label.trim().is_empty();
        is_named && !is_meant && is_reached[node] && children.below(node).len() == 1
    };
    let mut findings = duplicates(draft, children);
    for (node, given) in draft.nodes.iter().enumerate() {
        let (label, line) = (&given.label, given.line);
        if label.trim().len() < label.len() && !label.trim().is_empty() {
            findings.push(Finding::warning(
                line,
                format!("'{label}' has blanks around it; leave them out"),
            ));
        }
        if let Some(parent) = given.parent.filter(|&parent| is_group_of_one(parent)) {
            let message = format!(
                "'{label}' is the only child of '{}', so that level generalizes nothing there",
                draft.nodes[parent].label
            );
            findings.push(Finding::warning(line, message));
        }
        if is_empty[node] {
            findings.push(Finding::warning(
                line,
                format!("'{label}' is an empty group; leave it out, or fill it"),
            ));
        }
    }
    for (node, plain) in odd_numbers(draft, children) {
        let Given { label, line, .. } = &draft.nodes[node];
        findings.push(Finding::warning(
            *line,
            format!(
                "'{label}' is the number {plain} written differently; write {plain} everywhere"
            ),
        ));
    }
    findings
}

/// Returns whether each node is an empty group: marked as a group by the file, or a range among
/// numbers, because a range is not a value.
pub(super) fn empty_groups(draft: &Draft, children: &Children) -> Vec<bool> {
    let nodes = draft.nodes.iter().enumerate();
    // Among words, `20-29` can be a value such as an age group.
    let mut leaves = nodes.clone().filter(|(node, _)| children.is_leaf(*node));
    let have_numbers = leaves.any(|(_, given)| read_number(&given.label).is_some());
    let is_range = |label: &str| matches!(Notation::read(label), Notation::Range(..));
    let is_empty = |(node, given): (usize, &Given)| {
        let is_group = given.is_group || (have_numbers && is_range(&given.label));
        is_group && given.parent.is_some() && children.is_leaf(node)
    };
    nodes.map(is_empty).collect()
}

/// Reports nodes that share a name but cover different values. `repeated_values` handles repeated
/// leaves.
fn duplicates(draft: &Draft, children: &Children) -> Vec<Finding> {
    let mut n_leaves = vec![0u32; draft.nodes.len()];
    let order = children.preorder();
    for &node in order.iter().rev() {
        n_leaves[node] += u32::from(children.is_leaf(node));
        if let Some(parent) = draft.nodes[node].parent {
            n_leaves[parent] += n_leaves[node];
        }
    }
    // In pre-order a node covers consecutive leaves, so two numbers identify the values it covers.
    let mut next_leaf = 0;
    let mut seen: HashMap<&str, (usize, u32)> = HashMap::with_capacity(order.len());
    let mut findings = Vec::new();
    for &node in &order {
        let given = &draft.nodes[node];
        let &mut (first, start) = seen.entry(&given.label).or_insert((node, next_leaf));
        // A chain of groups over the same values may repeat its name.
        let is_same = start == next_leaf && n_leaves[first] == n_leaves[node];
        let are_leaves = children.is_leaf(first) && children.is_leaf(node);
        if !is_same && !are_leaves && !given.label.trim().is_empty() {
            let message = format!(
                "two nodes are called '{}' (the other on line {}) but cover different values; in a \
                 release they could not be distinguished, so rename one",
                given.label, draft.nodes[first].line
            );
            findings.push(Finding::warning(given.line, message));
        }
        next_leaf += u32::from(children.is_leaf(node));
    }
    findings
}

/// Returns the leaves that are numbers in an unusual spelling, with their plain spelling.
pub(super) fn odd_numbers(draft: &Draft, children: &Children) -> Vec<(usize, String)> {
    let is_leaf = |node: &usize| children.is_leaf(*node);
    let leaves: Vec<usize> = (0..draft.nodes.len()).filter(is_leaf).collect();
    let label = |node: usize| &*draft.nodes[node].label;
    // Codes such as 007 must keep their zeros.
    if leaves.iter().any(|&node| looks_like_code(label(node))) {
        return Vec::new();
    }
    // Numbers that all have decimals, such as prices, have a consistent spelling.
    let is_whole =
        |&&node: &&usize| read_number(label(node)).is_some() && !label(node).contains('.');
    let have_whole = leaves.iter().any(|node| is_whole(&node));
    let odd_number = |&node: &usize| {
        let plain = plain_number(label(node))?;
        let is_odd = have_whole || !label(node).contains('.') || label(node).trim() != label(node);
        is_odd.then_some((node, plain))
    };
    leaves.iter().filter_map(odd_number).collect()
}

/// Reports numbers that are interpreted as text.
pub(super) fn numbers_as_text(tree: &Hierarchy) -> Option<Finding> {
    if tree.kind() != Kind::Text || has_sets_only(tree) {
        return None;
    }
    let is_number = |leaf: &Leaf| read_number(&tree.spelling(*leaf)).is_some();
    let leaves = Leaf::first(tree.n_leaves());
    let n_numbers = leaves.clone().filter(is_number).count();
    let word = leaves.clone().find(|leaf| !is_number(leaf));
    let message = match word {
        // With fewer numbers than words, the numbers are probably names.
        Some(word) if n_numbers * 2 > tree.n_leaves() => format!(
            "{n_numbers} of {} values are numbers, but '{}' is not, so all are taken as text",
            tree.n_leaves(),
            tree.spelling(word)
        ),
        None => "the groups are not ranges of neighbouring numbers, so values are taken as text"
            .to_owned(),
        Some(_) => return None,
    };
    Some(Finding { severity: Severity::Warning, line: None, message })
}

/// Whether every group is a set such as `{25, 30}`, which need not be a range.
fn has_sets_only(tree: &Hierarchy) -> bool {
    let mut groups = tree.nodes().skip(1).filter(|&node| tree.as_leaf(node).is_none());
    groups.all(|node| matches!(Notation::read(&tree.label(node)), Notation::Set(_)))
}
