//! What keeps a file from being a tree.

use hashbrown::HashMap;

use super::Finding;
use crate::hierarchy::assemble::Children;
use crate::hierarchy::draft::Draft;
use crate::table::{Kind, Reading, looks_like_code, read_date, read_number};

/// Everything that keeps a draft from being a tree, and what its reader found; causes before what
/// comes of them.
pub(crate) fn structure(draft: &Draft, children: &Children) -> Vec<Finding> {
    let mut findings: Vec<Finding> =
        draft.oddities.iter().map(|oddity| oddity.finding.clone()).collect();
    findings.extend(second_parents(draft));
    let is_empty = |label: &str| label.trim().is_empty();
    let nameless = draft.nodes.iter().filter(|node| is_empty(&node.label));
    findings.extend(
        nameless.map(|node| Finding::error(node.line, "a label is empty; give it a name".into())),
    );
    findings.extend(roots(draft, children));
    findings.extend(lost_nodes(draft, children));
    findings.extend(values(draft, children));
    findings
}

fn second_parents(draft: &Draft) -> impl Iterator<Item = Finding> {
    draft.second_parents.iter().map(|link| {
        let node = &draft.nodes[link.child];
        let first = node.parent.map_or("none", |parent| &*draft.nodes[parent].label);
        let message = format!(
            "'{}' has two parents, '{}' here and '{first}' on line {}; a hierarchy is a tree, so \
             rename or move one of them",
            node.label, draft.nodes[link.parent].label, node.line
        );
        Finding::error(link.line, message)
    })
}

fn roots(draft: &Draft, children: &Children) -> Vec<Finding> {
    let Some((&first, others)) = children.roots.split_first() else {
        let what = if draft.nodes.is_empty() { "no node" } else { "no root" };
        return vec![Finding::error(0, format!("there is {what}"))];
    };
    let root = &draft.nodes[first];
    let second = |&node: &usize| {
        let node = &draft.nodes[node];
        let message = format!(
            "'{}' is a second root, beside '{}' on line {}; put both under one node, usually *",
            node.label, root.label, root.line
        );
        Finding::error(node.line, message)
    };
    others.iter().map(second).collect()
}

fn lost_nodes(draft: &Draft, children: &Children) -> Vec<Finding> {
    let mut is_lost = vec![true; draft.nodes.len()];
    children.preorder().into_iter().for_each(|node| is_lost[node] = false);
    let lost = (0..draft.nodes.len()).filter(|&node| is_lost[node]);
    let finding = |node: usize| {
        let message = format!(
            "'{}' is not below the root: its parents go round in a circle; give one of them \
             another parent",
            draft.nodes[node].label
        );
        Finding::error(draft.nodes[node].line, message)
    };
    lost.map(finding).collect()
}

fn values(draft: &Draft, children: &Children) -> Vec<Finding> {
    let nodes = &draft.nodes;
    let below = |leaf: usize| nodes[leaf].parent.map_or("", |parent| &*nodes[parent].label);
    let twice = |(first, leaf): (usize, usize)| {
        let message = format!(
            "the value '{}' stands twice, below '{}' here and below '{}' on line {}; keep one of \
             them",
            nodes[leaf].label,
            below(leaf),
            below(first),
            nodes[first].line
        );
        Finding::error(nodes[leaf].line, message)
    };
    let of_other_kind = |leaf: usize| {
        let message =
            format!("the leaf '{}' is not of the kind the file states", nodes[leaf].label);
        Finding::error(nodes[leaf].line, message)
    };
    let others = values_of_other_kind(draft, children).into_iter().map(of_other_kind);
    repeated_values(draft, children).into_iter().map(twice).chain(others).collect()
}

/// Leaves that are not of the kind which the file states.
pub(super) fn values_of_other_kind(draft: &Draft, children: &Children) -> Vec<usize> {
    let read = match draft.kind {
        Some(Kind::Number) => read_number,
        Some(Kind::Date) => read_date,
        Some(Kind::Code | Kind::Text) | None => return Vec::new(),
    };
    leaves(draft, children).filter(|&leaf| read(&draft.nodes[leaf].label).is_none()).collect()
}

/// Leaves that are a value which stands before, each after the place where that stands first.
pub(super) fn repeated_values(draft: &Draft, children: &Children) -> Vec<(usize, usize)> {
    let read = reading_of(draft, children);
    let key = |leaf: usize| {
        let label = &*draft.nodes[leaf].label;
        match read.and_then(|read| read(label)) {
            Some(reading) => Key::Number((reading.value() + 0.0).to_bits()), // -0 is 0
            None => Key::Text(label),
        }
    };
    let mut seen: HashMap<Key<'_>, usize> = HashMap::new();
    leaves(draft, children)
        .map(|leaf| (*seen.entry(key(leaf)).or_insert(leaf), leaf))
        .filter(|(first, leaf)| first != leaf)
        .collect()
}

/// The leaves that have a name.
fn leaves(draft: &Draft, children: &Children) -> impl Iterator<Item = usize> + Clone {
    let is_named_leaf =
        |&node: &usize| children.is_leaf(node) && !draft.nodes[node].label.trim().is_empty();
    (0..draft.nodes.len()).filter(is_named_leaf)
}

/// What makes two leaves the same value.
#[derive(PartialEq, Eq, Hash)]
enum Key<'a> {
    Number(u64),
    Text(&'a str),
}

/// How leaves are read, if they are numbers or dates.
fn reading_of(draft: &Draft, children: &Children) -> Option<fn(&str) -> Option<Reading>> {
    let labels = || leaves(draft, children).map(|leaf| &*draft.nodes[leaf].label);
    let all = |read: fn(&str) -> Option<Reading>| labels().all(|label| read(label).is_some());
    match draft.kind {
        Some(Kind::Number) => Some(read_number),
        Some(Kind::Date) => Some(read_date),
        None if labels().any(looks_like_code) => None,
        None if all(read_number) => Some(read_number),
        None if all(read_date) => Some(read_date),
        Some(Kind::Code | Kind::Text) | None => None,
    }
}
