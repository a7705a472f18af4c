//! Values that too few records have, and labels that do not spell them out.

use std::borrow::Cow;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::Notation;
use super::ends::{End, Ends};
use super::notation::write_partial_set;
use super::tree::{Hierarchy, Node};
use crate::table::{Kind, Values};

/// Whether values that fewer than `k` records have may be published as set members and ends of
/// intervals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RareValues {
    /// They may.
    #[default]
    Show,
    /// They may not: sets name their frequent members only, ends of intervals move outward.
    Hide,
}

/// Which leaves are rare, and where the ends of intervals move.
///
/// An end that fewer than `k` records have moves outward: to the roundest number before the next
/// value, or to where that value's own end is if there is no number in between. The ends of a wider
/// range of leaves are never further in.
#[derive(Debug, Clone)]
pub(crate) struct Rare {
    leaves: Vec<bool>,
    /// The ends of intervals that begin or end with each leaf; empty unless leaves are numbers or
    /// dates.
    low: Vec<End>,
    high: Vec<End>,
}

impl Rare {
    /// Finds the leaves that at least one and fewer than `k` records have. There may be one more
    /// count than values, that of missing values.
    pub(crate) fn new(values: &Values, counts: &[u64], k: u64) -> Self {
        let leaves: Vec<bool> = counts.iter().map(|count| (1..k).contains(count)).collect();
        let (mut low, mut high): (Vec<End>, Vec<End>) = (Vec::new(), Vec::new());
        if let Some(ends) = Ends::of(values) {
            let leaves = leaves[..values.len()].iter().enumerate();
            for (leaf, &is_rare) in leaves.clone() {
                let outer = low.last();
                low.push(if is_rare { ends.below(leaf, outer) } else { ends.at(leaf) });
            }
            for (leaf, &is_rare) in leaves.rev() {
                let outer = high.last();
                high.push(if is_rare { ends.above(leaf, outer) } else { ends.at(leaf) });
            }
            high.reverse();
        }
        Self { leaves, low, high }
    }

    pub(crate) fn n_leaves(&self) -> usize {
        self.leaves.len()
    }

    pub(crate) fn is_rare(&self, leaf: u32) -> bool {
        self.leaves[leaf as usize]
    }

    /// The least value that an interval shows which begins with a leaf.
    pub(crate) fn low(&self, leaf: u32) -> &End {
        &self.low[leaf as usize]
    }

    /// The greatest value that an interval shows which ends with a leaf.
    pub(crate) fn high(&self, leaf: u32) -> &End {
        &self.high[leaf as usize]
    }

    /// The tree with labels that spell out no rare value.
    ///
    /// Intervals get wider ends, sets name their frequent members only. A node that would be called
    /// like another, or whose label cannot do without a rare value, is removed: its values are then
    /// published as the node above it.
    pub(crate) fn hide_in(&self, tree: &Hierarchy) -> Hierarchy {
        let spelt = Spelt::of(tree);
        let labels: Vec<Label> =
            (0..tree.len() as Node).map(|node| self.label(&spelt, node)).collect();
        if labels.iter().all(|label| *label == Label::Same) {
            return tree.clone();
        }
        let keep = kept(tree, &labels);
        let nodes: Vec<Node> = (0..tree.len() as Node).filter(|&n| keep[n as usize]).collect();
        let bounds = nodes.iter().map(|&node| match &labels[node as usize] {
            Label::Interval(low, high) => (low.value, high.value),
            _ => tree.bounds(node).unwrap_or((f64::NAN, f64::NAN)),
        });
        let bounds = tree.leaves().scale().map(|_| bounds.collect());
        // Numbers are written as their bounds; dates and words have labels.
        let has_names = tree.has_names() || tree.kind() == Kind::Date;
        let names = nodes.iter().map(|&node| match &labels[node as usize] {
            Label::Same if node == 0 => tree.published(0).into(),
            label => label.text(tree, node).into(),
        });
        let names = has_names.then(|| names.collect());
        let mut hidden = tree.clone().pruned(&keep);
        if let Some(bounds) = bounds {
            hidden = hidden.with_bounds(bounds);
        }
        match names {
            Some(names) => hidden.with_labels(names),
            None => hidden,
        }
    }

    /// What becomes of the label of a node.
    fn label(&self, spelt: &Spelt<'_>, node: Node) -> Label {
        let tree = spelt.tree;
        if tree.as_leaf(node).is_some() {
            return Label::Same; // a rare leaf has no class of its own
        }
        if node == 0 {
            let is_rare = spelt.leaves(0).iter().any(|&leaf| self.is_rare(leaf));
            return if is_rare { Label::Set("*".to_owned()) } else { Label::Same };
        }
        match spelt.by(node) {
            Spelling::Name => Label::Same,
            Spelling::Ends(ends) if !ends.iter().flatten().any(|&leaf| self.is_rare(leaf)) => {
                Label::Same
            }
            Spelling::Ends(ends) => match spelt.stated(node) {
                Some([low, high]) => Label::Interval(
                    ends[0].map_or(low, |leaf| self.low(leaf).clone()),
                    ends[1].map_or(high, |leaf| self.high(leaf).clone()),
                ),
                None => Label::Gone,
            },
            Spelling::Members(members) => {
                let named = members.iter().filter(|&&leaf| !self.is_rare(leaf));
                let named: Vec<_> = named.map(|&leaf| tree.spelling(leaf)).collect();
                match named.len() {
                    n if n == members.len() => Label::Same,
                    0 => Label::Gone,
                    n => Label::Set(write_partial_set(&named, tree.leaves_of(node).len() - n)),
                }
            }
        }
    }
}

/// What a node is called instead of its label.
#[derive(Debug, PartialEq)]
enum Label {
    Same,
    Interval(End, End),
    Set(String),
    /// Nothing: the node is removed.
    Gone,
}

impl Label {
    fn text<'a>(&'a self, tree: &'a Hierarchy, node: Node) -> Cow<'a, str> {
        match self {
            Self::Same | Self::Gone => tree.label(node),
            Self::Interval(low, high) => format!("[{}, {}]", low.text, high.text).into(),
            Self::Set(text) => text.into(),
        }
    }
}

/// Which nodes stay: of those that would be called the same now and were not before, the one that
/// holds all others, if one does.
fn kept(tree: &Hierarchy, labels: &[Label]) -> Vec<bool> {
    let mut keep: Vec<bool> = labels.iter().map(|label| *label != Label::Gone).collect();
    let mut of_text: HashMap<Cow<'_, str>, Vec<usize>> = HashMap::new();
    for node in 1..tree.len() {
        if keep[node] && tree.as_leaf(node as Node).is_none() {
            of_text.entry(labels[node].text(tree, node as Node)).or_default().push(node);
        }
    }
    for node in 1..tree.len() {
        let Some(alike) = of_text.remove(&labels[node].text(tree, node as Node)) else { continue };
        if alike.iter().all(|&node| labels[node] == Label::Same) {
            continue;
        }
        let first = tree.leaves_of(alike[0] as Node); // the highest comes first
        let holds_all = alike.iter().all(|&node| {
            let leaves = tree.leaves_of(node as Node);
            first.start <= leaves.start && leaves.end <= first.end
        });
        alike.iter().for_each(|&node| keep[node] = holds_all && node == alike[0]);
    }
    keep
}

/// The leaves whose values the labels of a tree spell out.
pub(crate) struct Spelt<'a> {
    tree: &'a Hierarchy,
    /// Leaves by their spelling, where labels may be sets.
    leaves: HashMap<Cow<'a, str>, u32>,
}

/// What a label spells out.
enum Spelling {
    /// The ends of an interval, where they are values.
    Ends([Option<u32>; 2]),
    /// Members of a set.
    Members(Vec<u32>),
    /// No value.
    Name,
}

impl<'a> Spelt<'a> {
    pub(crate) fn of(tree: &'a Hierarchy) -> Self {
        let spelt = |leaf| (tree.spelling(leaf), leaf);
        let leaves = (0..tree.n_leaves() as u32).filter(|_| tree.has_names()).map(spelt).collect();
        Self { tree, leaves }
    }

    /// The leaves whose values a release spells out when it shows a node.
    pub(crate) fn leaves(&self, node: Node) -> Vec<u32> {
        if let Some(leaf) = self.tree.as_leaf(node) {
            return vec![leaf];
        }
        if self.tree.published(node) == "*" {
            return Vec::new();
        }
        match self.by(node) {
            Spelling::Ends(ends) => ends.into_iter().flatten().collect(),
            Spelling::Members(members) => members,
            Spelling::Name => Vec::new(),
        }
    }

    fn by(&self, node: Node) -> Spelling {
        let tree = self.tree;
        let leaves = tree.leaves_of(node);
        if tree.has_names() {
            return self.by_label(node);
        }
        let scale = tree.leaves().scale();
        if leaves.end as usize > tree.leaves().len() {
            return Spelling::Name; // numbers and missing values have only `*` in common
        }
        match (tree.bounds(node).filter(|_| tree.has_bounds()), scale) {
            (Some((low, high)), Some(scale)) => {
                let place = |value| scale.place_at(value).map(|place| place as u32);
                Spelling::Ends([place(low), place(high)])
            }
            _ => Spelling::Ends([Some(leaves.start), Some(leaves.end - 1)]),
        }
    }

    fn by_label(&self, node: Node) -> Spelling {
        let (tree, leaves) = (self.tree, self.tree.leaves_of(node));
        let label = tree.label(node);
        let (first, last) = (tree.spelling(leaves.start), tree.spelling(leaves.end - 1));
        if label == format!("[{first}, {last}]") {
            return Spelling::Ends([Some(leaves.start), Some(leaves.end - 1)]);
        }
        match Notation::read_as(tree.leaves(), &label) {
            Notation::Set(members) | Notation::PartialSet(members, _) => {
                let found = members.iter().filter_map(|member| self.leaves.get(member.as_str()));
                Spelling::Members(found.copied().filter(|leaf| leaves.contains(leaf)).collect())
            }
            Notation::Range(low, high) if tree.kind() == Kind::Number => {
                let place = |end| tree.leaves().scale()?.place_at(end).map(|place| place as u32);
                Spelling::Ends([place(low), place(high)])
            }
            // A part of the calendar is a name, alone or as an end.
            Notation::Range(..) => match self.texts_of_ends(&label) {
                Some(ends) => Spelling::Ends(ends.map(|end| self.value_spelt(end))),
                None => Spelling::Name,
            },
            _ => Spelling::Name,
        }
    }

    /// The ends that a node shows, where it is a range of numbers or dates.
    fn stated(&self, node: Node) -> Option<[End; 2]> {
        let (tree, scale) = (self.tree, self.tree.leaves().scale()?);
        let label = tree.label(node);
        let (low, high) = match Notation::read_as(tree.leaves(), &label) {
            Notation::Range(low, high) if tree.has_names() => (low, high),
            _ => tree.bounds(node)?,
        };
        let texts = match tree.kind() {
            Kind::Date => self.texts_of_ends(&label)?.map(Box::from),
            _ => [low, high].map(|value| scale.spell(value).into()),
        };
        let leaf = tree.leaves_of(node).start;
        let [low_text, high_text] = texts;
        let end = |value, text| End { leaf, value, text, is_value: false };
        Some([end(low, low_text), end(high, high_text)])
    }

    /// The ends of a label such as `[2024-03-01, 2024-03-09]`. Dates may have commas themselves: of
    /// several divisions, the last of those with most values counts.
    fn texts_of_ends<'b>(&self, label: &'b str) -> Option<[&'b str; 2]> {
        let inner = label.strip_prefix('[')?.strip_suffix(']')?;
        let commas = inner.match_indices(", ");
        let ends = commas.map(|(at, comma)| [&inner[..at], &inner[at + comma.len()..]]);
        ends.max_by_key(|ends| ends.iter().filter_map(|end| self.value_spelt(end)).count())
    }

    /// The leaf of a value that is no missing one.
    fn value_spelt(&self, text: &str) -> Option<u32> {
        let n_values = self.tree.leaves().len();
        self.leaves.get(text).copied().filter(|&leaf| (leaf as usize) < n_values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::format::Format;
    use crate::hierarchy::{self, tree_of};
    use crate::method::Spec;
    use crate::table::Table;

    /// The nodes of a hierarchy that hides values of fewer than `k` records.
    fn hidden(method: &str, values: &[(&str, usize)], k: u64) -> Vec<String> {
        let rows = values.iter().flat_map(|&(value, count)| vec![[value]; count]);
        let table = Table::from_rows(&["x"], &rows.collect::<Vec<_>>()).unwrap();
        let column = &table.columns()[0];
        let tree = hierarchy::build(&method.parse::<Spec>().unwrap(), column, Some(k)).unwrap();
        let tree = tree_of(tree).unwrap();
        let domain = &column.domain;
        let leaves = tree.ground().bind(domain).unwrap();
        let mut counts = vec![0; tree.n_leaves()];
        leaves.iter().zip(&domain.counts).for_each(|(&leaf, n)| counts[leaf as usize] += n);
        let rare = Rare::new(tree.leaves(), &counts, k);
        let tree = rare.hide_in(&tree);
        let inner = (0..tree.len() as Node).filter(|&node| tree.as_leaf(node).is_none());
        inner.map(|node| tree.published(node).into_owned()).collect()
    }

    #[test]
    fn ends_move_to_values_with_company_or_to_round_numbers() {
        let values = [("17", 1), ("20", 5), ("21", 1), ("22", 5), ("58", 1), ("60", 5)];
        assert_eq!(hidden("iotf", &values, 3), ["*", "[15, 22]", "[20, 22]", "[50, 60]"]);
    }

    #[test]
    fn dates_move_to_parts_of_the_calendar() {
        let values = [("2024-01-05", 1), ("2024-01-20", 4), ("2024-06-03", 4), ("2024-06-10", 1)];
        assert_eq!(hidden("iotf", &values, 2), ["*", "[2024, 2024-01-20]", "[2024-06-03, 2024]"]);
    }

    #[test]
    fn ranges_of_dates_in_a_file_move_too() {
        let values = [("2024-01-05", 1), ("2024-01-20", 4), ("2024-02-03", 4), ("2024-02-10", 1)];
        let tree = "2024-01-05;[2024-01-05, 2024-01-31];*\n2024-01-20;[2024-01-05, 2024-01-31];*\n\
                    2024-02-03;[2024-02-01, 2024-02-10];*\n2024-02-10;[2024-02-01, 2024-02-10];*\n";
        let tree = Format::named("arx").unwrap().read(tree, Some("x")).unwrap();
        let rare = Rare::new(tree.leaves(), &values.map(|(_, count)| count), 2);
        let hidden = rare.hide_in(&tree);
        let inner = (1..hidden.len() as Node).filter(|&node| hidden.as_leaf(node).is_none());
        let labels: Vec<_> = inner.map(|node| hidden.label(node)).collect();
        assert_eq!(labels, ["[2024, 2024-01-31]", "[2024-02-01, 2024]"]);
    }

    #[test]
    fn sets_name_their_frequent_members() {
        let values = [("a", 9), ("b", 1), ("c", 8), ("d", 2)];
        let shown = hidden("frequency:fan-out=2", &values, 3);
        assert_eq!(shown, ["*", "{a, c}"], "a group of rare values says nothing");
        let values = [("a", 9), ("b", 9), ("c", 9), ("d", 2)];
        assert_eq!(hidden("frequency:fan-out=2", &values, 3), ["*", "{a and 1 more}", "{b, c}"]);
    }

    #[test]
    fn a_tree_of_frequent_values_stays_as_it_is() {
        let values = [("1", 5), ("2", 5), ("9", 5)];
        assert_eq!(hidden("iotf", &values, 5), ["*", "[1, 2]"]);
    }
}
