//! Errors that prevent a file from being a tree.

use hashbrown::HashMap;

use super::Finding;
use crate::format::{
    children::Children,
    draft::{Draft, Given, Link},
};
use crate::hierarchy::Notation;
use crate::table::{
    DateFormat, Decimal, Found, Kind, Reading, decimal_sign, looks_like_code, read_number_as,
};

/// Returns all errors that prevent a draft from being a tree, and the problems its parser found.
/// Causes come before their effects. `reader` is that of the draft.
pub(crate) fn structure(
    draft: &Draft,
    children: &Children,
    reader: Option<&Reader>,
) -> Vec<Finding> {
    let mut findings: Vec<Finding> =
        draft.oddities.iter().map(|oddity| oddity.finding.clone()).collect();
    findings.extend(draft.second_parents.iter().map(|link| second_parent(draft, link)));
    // An empty label is allowed if the file marks it as a value: it is the missing value.
    let nameless = draft.nodes.iter().filter(|n| n.label.trim().is_empty() && !n.is_value);
    findings.extend(
        nameless.map(|node| Finding::error(node.line, "a label is empty; give it a name".into())),
    );
    findings.extend(roots(draft, children));
    findings.extend(lost_nodes(draft, children));
    findings.extend(values(draft, children, reader));
    findings
}

fn second_parent(draft: &Draft, link: &Link) -> Finding {
    let node = &draft.nodes[link.child];
    let first = node.parent.map_or("none", |parent| &*draft.nodes[parent].label);
    let message = format!(
        "'{}' has two parents, '{}' here and '{first}' on line {}; a hierarchy is a tree, so \
         rename or move one of them",
        node.label, draft.nodes[link.parent].label, node.line
    );
    Finding::error(link.line, message)
}

fn roots(draft: &Draft, children: &Children) -> Vec<Finding> {
    let Some((&first, others)) = children.roots.split_first() else {
        let what = if draft.nodes.is_empty() { "no node" } else { "no root" };
        return vec![Finding::error(0, format!("there is {what}"))];
    };
    let root = &draft.nodes[first];
    others.iter().map(|&other| second_root(&draft.nodes[other], root)).collect()
}

fn second_root(node: &Given, root: &Given) -> Finding {
    let message = format!(
        "'{}' is a second root besides '{}' on line {}; put both below one node, usually *",
        node.label, root.label, root.line
    );
    Finding::error(node.line, message)
}

fn lost_nodes(draft: &Draft, children: &Children) -> Vec<Finding> {
    let mut is_lost = vec![true; draft.nodes.len()];
    // Pre-order starts at roots, so it never reaches a cycle.
    children.preorder().into_iter().for_each(|node| is_lost[node] = false);
    let lost = (0..draft.nodes.len()).filter(|&node| is_lost[node]);
    lost.map(|node| in_cycle(&draft.nodes[node])).collect()
}

fn in_cycle(node: &Given) -> Finding {
    let message = format!(
        "'{}' is not below the root: its parents form a cycle; give one of them another parent",
        node.label
    );
    Finding::error(node.line, message)
}

fn values(draft: &Draft, children: &Children, reader: Option<&Reader>) -> Vec<Finding> {
    let nodes = &draft.nodes;
    let repeated = repeated_values(draft, children, reader).into_iter();
    let twice = repeated.map(|(first, leaf)| repeated_value(draft, first, leaf));
    let of_other_kind = |leaf: usize| {
        let message =
            format!("the leaf '{}' is not of the kind that the file states", nodes[leaf].label);
        Finding::error(nodes[leaf].line, message)
    };
    let others = values_of_other_kind(draft, children, reader).into_iter().map(of_other_kind);
    twice.chain(others).collect()
}

fn repeated_value(draft: &Draft, first: usize, repeated: usize) -> Finding {
    let (first, repeated) = (&draft.nodes[first], &draft.nodes[repeated]);
    let above = |node: &Given| node.parent.map_or("", |parent| &*draft.nodes[parent].label);
    let message = format!(
        "the value '{}' occurs twice, below '{}' here and below '{}' on line {}; keep one of them",
        repeated.label,
        above(repeated),
        above(first),
        first.line
    );
    Finding::error(repeated.line, message)
}

/// Returns the leaves that do not have the kind that the file states.
pub(super) fn values_of_other_kind(
    draft: &Draft,
    children: &Children,
    reader: Option<&Reader>,
) -> Vec<usize> {
    match (draft.kind, reader) {
        (Some(_), Some(reader)) => leaves(draft, children)
            .filter(|&leaf| reader.read(&draft.nodes[leaf].label).is_none())
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns the leaves that repeat an earlier value, as pairs of the first leaf with that value and
/// the repeated leaf.
pub(super) fn repeated_values(
    draft: &Draft,
    children: &Children,
    reader: Option<&Reader>,
) -> Vec<(usize, usize)> {
    let key = |leaf: usize| Key::of(&draft.nodes[leaf].label, reader);
    let mut seen: HashMap<Key<'_>, usize> = HashMap::with_capacity(draft.nodes.len());
    leaves(draft, children)
        .map(|leaf| (*seen.entry(key(leaf)).or_insert(leaf), leaf))
        .filter(|(first, leaf)| first != leaf)
        .collect()
}

/// Returns the leaves that have a name.
fn leaves(draft: &Draft, children: &Children) -> impl Iterator<Item = usize> + Clone {
    let is_named_leaf =
        |&node: &usize| children.is_leaf(node) && !draft.nodes[node].label.trim().is_empty();
    (0..draft.nodes.len()).filter(is_named_leaf)
}

/// Key that is equal for leaves of the same value.
#[derive(PartialEq, Eq, Hash)]
enum Key<'a> {
    Number((i64, u32, u64)),
    Text(&'a str),
}

impl<'a> Key<'a> {
    fn of(label: &'a str, reader: Option<&Reader>) -> Self {
        match reader.and_then(|reader| reader.read(label)) {
            Some(reading) => Self::Number(reading.identity()),
            None => Self::Text(label),
        }
    }
}

/// A parser of leaves that are numbers or dates.
pub(crate) enum Reader {
    Number { is_whole: bool, sign: Decimal },
    Date(DateFormat),
}

impl Reader {
    /// Returns the parser for the leaves of a draft, from the stated kind or else from the labels.
    /// Returns `None` for codes and text.
    pub(crate) fn of(draft: &Draft, children: &Children) -> Option<Self> {
        let labels: Vec<&str> =
            leaves(draft, children).map(|leaf| &*draft.nodes[leaf].label).collect();
        let number = || Self::number(&labels);
        let found = || match DateFormat::find(&labels) {
            Found::Format(format) => Some(format),
            Found::Ambiguous(_) | Found::NoDate => None,
        };
        let dates = || draft.dates.clone().or_else(found);
        match draft.kind {
            Some(Kind::Number) => Some(number()),
            Some(Kind::Date) => Some(Self::Date(dates().unwrap_or(DateFormat::ISO))),
            Some(Kind::Code | Kind::Text) => None,
            // A leading zero shows that the digits are not numbers.
            None if labels.iter().any(|label| looks_like_code(label)) => None,
            None if decimal_sign(&labels).is_some() => Some(number()),
            None => dates().map(Self::Date),
        }
    }

    /// Like [`Reader::of`], but parses numbers if the leaves are codes or text.
    pub(super) fn or_number(draft: &Draft, children: &Children) -> Self {
        let labels = leaves(draft, children).map(|leaf| &*draft.nodes[leaf].label);
        Self::of(draft, children).unwrap_or_else(|| Self::number(&labels.collect::<Vec<_>>()))
    }

    fn number(labels: &[&str]) -> Self {
        let sign = decimal_sign(labels).unwrap_or_default();
        let has_decimals =
            |label: &&str| read_number_as(label, sign).is_some_and(|r| !r.is_whole());
        Self::Number { is_whole: !labels.iter().any(has_decimals), sign }
    }

    pub(crate) fn read(&self, label: &str) -> Option<Reading> {
        match self {
            Self::Number { sign, .. } => read_number_as(label, *sign),
            Self::Date(format) => format.read(label),
        }
    }

    /// Parses a label as a value, set or range.
    pub(super) fn notation(&self, label: &str) -> Notation {
        match self {
            Self::Number { is_whole, sign } => Notation::read_number(label, *is_whole, *sign),
            Self::Date(format) => Notation::read_date(format, label),
        }
    }
}
