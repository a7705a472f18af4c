//! Rare values, and labels that do not reveal them.

use std::borrow::Cow;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::ends::{End, Ends};
use super::leaf::Leaf;
use super::node::Node;
use super::notation::{write_partial_set, write_set};
use super::period::{Period, Span};
use super::spelt::{Spelling, Spelt};
use super::tree::Hierarchy;
use crate::table::{Kind, Values};

/// Whether values of fewer than `k` records are published as set members and ends of intervals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RareValues {
    /// Rare values are published.
    #[default]
    Show,
    /// Rare values are not published: sets name only their frequent members, and ends of intervals
    /// move outward.
    Hide,
}

/// Marks the rare leaves and stores the ends of intervals that hide them.
///
/// An end that fewer than `k` records have moves outward: to the roundest number before the
/// adjacent value, or to that value's own end if no number lies in between. If one range of leaves
/// contains another, its ends are never inside those of the other.
#[derive(Debug, Clone)]
pub(crate) struct Rare {
    leaves: Vec<bool>,
    /// The ends of intervals that begin with each leaf. Like `high`, empty unless leaves are
    /// numbers or dates.
    low: Vec<End>,
    /// The ends of intervals that end with each leaf.
    high: Vec<End>,
    /// Whether few records have a date in the first, and in the last, year of the column. Names of
    /// several years end there.
    years: [bool; 2],
}

impl Rare {
    /// Marks leaves with at least one and fewer than `k` records. `counts` can have one more
    /// element than `values`, for missing values.
    pub(crate) fn new(values: &Values, counts: &[u64], k: u64) -> Self {
        let leaves: Vec<bool> = counts.iter().map(|count| (1..k).contains(count)).collect();
        let (mut low, mut high): (Vec<End>, Vec<End>) = (Vec::new(), Vec::new());
        if let Some(ends) = Ends::of(values) {
            let of_values = leaves[..values.len()].iter().enumerate();
            // From the outside inward, because an end without a number before its neighbour takes
            // the neighbour's own end.
            for (leaf, &is_rare) in of_values.clone().rev() {
                let after = high.last();
                high.push(if is_rare { ends.above(leaf, after) } else { ends.at(leaf) });
            }
            high.reverse();
            for (leaf, &is_rare) in of_values {
                let (before, taken) = (low.last(), leaf.checked_sub(1).map(|leaf| &high[leaf]));
                low.push(if is_rare { ends.below(leaf, before, taken) } else { ends.at(leaf) });
            }
        }
        Self { leaves, low, high, years: rare_years(values, counts, k) }
    }

    pub(crate) fn n_leaves(&self) -> usize {
        self.leaves.len()
    }

    pub(crate) fn is_rare(&self, leaf: Leaf) -> bool {
        self.leaves[leaf.index()]
    }

    /// Returns the least value shown by an interval that begins with this leaf.
    pub(crate) fn low(&self, leaf: Leaf) -> &End {
        &self.low[leaf.index()]
    }

    /// Returns the greatest value shown by an interval that ends with this leaf.
    pub(crate) fn high(&self, leaf: Leaf) -> &End {
        &self.high[leaf.index()]
    }

    /// Returns the tree with labels that reveal no rare value.
    ///
    /// Intervals get wider ends and sets name only their frequent members. A node is removed if its
    /// label would equal another's or cannot avoid a rare value; its values are then published as
    /// its parent.
    pub(crate) fn hide_in(&self, tree: &Hierarchy) -> Hierarchy {
        let spelt = Spelt::of(tree);
        let labels: Vec<Label> = tree.nodes().map(|node| self.label(&spelt, node)).collect();
        if labels.iter().all(|label| *label == Label::Same) {
            return tree.clone();
        }
        let keep = kept(tree, &labels);
        let nodes: Vec<Node> = tree.nodes().filter(|&n| keep[n.index()]).collect();
        // Pruning renumbers the nodes; `nodes` has those that are left, in the same order.
        let mut hidden = tree.clone().pruned(&keep);
        if tree.leaves().scale().is_some() {
            let bounds = nodes.iter().map(|&node| labels[node.index()].bounds(tree, node));
            hidden = hidden.with_bounds(bounds.collect());
        }
        // Nodes of numbers are written as their bounds, whereas those of dates and words have
        // labels.
        if tree.has_names() || tree.kind() == Kind::Date {
            let names = nodes.iter().map(|&node| labels[node.index()].published(tree, node).into());
            hidden = hidden.with_labels(names.collect());
        }
        hidden
    }

    /// Whether a node of the tree would be published as a set that does not name all its members.
    pub(crate) fn hides_members(&self, tree: &Hierarchy) -> bool {
        let spelt = Spelt::of(tree);
        let mut nodes = tree.nodes();
        nodes.any(|node| matches!(self.label(&spelt, node), Label::PartialSet(_)))
    }

    /// Determines the new label of a node.
    fn label(&self, spelt: &Spelt<'_>, node: Node) -> Label {
        let tree = spelt.tree;
        if tree.as_leaf(node).is_some() {
            return Label::Same; // no class consists of a rare leaf alone
        }
        if node == Node::ROOT {
            // The root covers every value, so `*` reveals less and loses nothing.
            let is_rare = spelt.leaves(Node::ROOT).iter().any(|&leaf| self.is_rare(leaf));
            let is_hidden = is_rare || self.names_rare_dates(spelt);
            return if is_hidden { Label::Set("*".to_owned()) } else { Label::Same };
        }
        match spelt.by(node) {
            Spelling::Ends(ends) if ends.iter().flatten().any(|&leaf| self.is_rare(leaf)) => {
                self.interval(spelt, node)
            }
            Spelling::Members(members) => self.set(tree, node, &members),
            Spelling::Ends(_) | Spelling::Name => {
                self.whole_years(tree, node).map_or(Label::Same, Label::Set)
            }
        }
    }

    /// Whether the root is named from one part of the calendar to another, with a rare date in one
    /// of them: `[1938, 2006]`.
    fn names_rare_dates(&self, spelt: &Spelt<'_>) -> bool {
        let dates = &self.leaves[..spelt.tree.leaves().len()];
        let is_range = matches!(spelt.by(Node::ROOT), Spelling::Ends(_));
        spelt.tree.kind() == Kind::Date
            && is_range
            && [dates.first(), dates.last()].contains(&Some(&true))
    }

    /// Returns the name of the whole years of a node that is named only as far as there are dates,
    /// if few records have a date in the year in which the name ends.
    fn whole_years(&self, tree: &Hierarchy, node: Node) -> Option<String> {
        let Values::Date(scale, _) = tree.leaves() else { return None };
        let leaves = tree.leaves_of(node).places();
        let (first, last) = (leaves.start, leaves.end.min(scale.len()).checked_sub(1)?);
        if !self.years.contains(&true) || first > last {
            return None;
        }
        let (least, greatest) = (scale.value(0), scale.value(scale.len() - 1));
        let shown = (
            if self.years[0] { f64::NEG_INFINITY } else { least },
            if self.years[1] { f64::INFINITY } else { greatest },
        );
        let label = tree.label(node);
        Span::OF_YEARS.iter().find_map(|&span| {
            let [period, other] = [first, last].map(|leaf| Period::of(span, scale.floor(leaf)));
            let is_named = period == other && period.years_within((least, greatest))? == label;
            // A shorter span can have the same name without being cut.
            period.years_within(shown).filter(|name| is_named && *name != label)
        })
    }

    /// Determines the label of an interval whose label contains a rare value.
    fn interval(&self, spelt: &Spelt<'_>, node: Node) -> Label {
        let Some([low, high]) = spelt.stated(node) else {
            return Label::Gone;
        };
        let is_rare = |end: &End| end.is_value && self.is_rare(end.leaf);
        // A rare end outside the node's own leaves is adjacent to its first or last leaf.
        let leaves = spelt.tree.leaves_of(node);
        let first = leaves.start;
        // The last leaf can be the one for missing values, which has no end.
        let last = Leaf::new(leaves.end.index().min(self.high.len()) - 1);
        Label::Interval(
            if is_rare(&low) { self.low(first).clone() } else { low },
            if is_rare(&high) { self.high(last).clone() } else { high },
        )
    }

    /// Determines the label of a set with these members.
    fn set(&self, tree: &Hierarchy, node: Node, members: &[Leaf]) -> Label {
        let is_named = |leaf: &Leaf| members.contains(leaf) && !self.is_rare(*leaf);
        // Members that are not named count as others, whether they are rare or were never named.
        let n_more = tree.leaves_of(node).filter(|leaf| !is_named(leaf)).count();
        let frequent = members.iter().filter(|&leaf| is_named(leaf));
        let named: Vec<_> = frequent.map(|&leaf| tree.spelling(leaf)).collect();
        match (named.len(), n_more) {
            (n, _) if n == members.len() => Label::Same,
            (0, _) => Label::Gone,
            (_, 0) => Label::Set(write_set(&named)),
            _ => Label::PartialSet(write_partial_set(&named, n_more)),
        }
    }
}

/// Whether fewer than `k` records have a date in the first, and in the last, year of dates.
fn rare_years(values: &Values, counts: &[u64], k: u64) -> [bool; 2] {
    let Values::Date(scale, _) = values else { return [false; 2] };
    let n_of = |span: Span, place: usize| -> u64 {
        let year = |leaf: usize| Period::of(span, scale.floor(leaf));
        let (all, own) = (0..scale.len(), year(place));
        all.filter(|&leaf| year(leaf) == own).map(|leaf| counts[leaf]).sum()
    };
    let is_rare = |place: usize| {
        // Years of whole weeks have other first and last days.
        [Span::Year, Span::WeekYear].iter().any(|&span| (1..k).contains(&n_of(span, place)))
    };
    [0, scale.len().saturating_sub(1)].map(|place| place < scale.len() && is_rare(place))
}

/// The new label of a node.
#[derive(Debug, PartialEq)]
enum Label {
    Same,
    /// From one end to the other. One of them can be infinite.
    Interval(End, End),
    /// A set, several years, or `*`.
    Set(String),
    /// The frequent members of a set and the number of the others.
    PartialSet(String),
    /// The node is removed.
    Gone,
}

impl Label {
    /// Returns the least and the greatest value that a node with this label represents.
    fn bounds(&self, tree: &Hierarchy, node: Node) -> (f64, f64) {
        let (least, greatest) = tree.bounds(node).unwrap_or((f64::NAN, f64::NAN));
        // Bounds must stay finite, so an infinite end keeps the bound of the tree.
        let or = |value: f64, of_tree| if value.is_finite() { value } else { of_tree };
        match self {
            Self::Interval(low, high) => (or(low.value, least), or(high.value, greatest)),
            _ => (least, greatest),
        }
    }

    /// Returns the published text of a node with this label.
    fn published<'a>(&'a self, tree: &'a Hierarchy, node: Node) -> Cow<'a, str> {
        match self {
            Self::Same if node == Node::ROOT => tree.published(Node::ROOT),
            label => label.text(tree, node),
        }
    }

    fn text<'a>(&'a self, tree: &'a Hierarchy, node: Node) -> Cow<'a, str> {
        match self {
            Self::Same | Self::Gone => tree.label(node),
            Self::Interval(low, high) if high.value.is_infinite() => {
                format!(">={}", low.text).into()
            }
            Self::Interval(low, high) if low.value.is_infinite() => {
                format!("<={}", high.text).into()
            }
            Self::Interval(low, high) => tree.leaves().interval(&low.text, &high.text).into(),
            Self::Set(text) | Self::PartialSet(text) => text.into(),
        }
    }
}

/// Decides which nodes are kept. Of several nodes with equal labels, at least one of them new, only
/// the one that covers all the others is kept, or none if there is no such node.
fn kept(tree: &Hierarchy, labels: &[Label]) -> Vec<bool> {
    let mut keep: Vec<bool> = labels.iter().map(|label| *label != Label::Gone).collect();
    let mut of_text: HashMap<Cow<'_, str>, Vec<usize>> = HashMap::new();
    for node in 1..tree.len() {
        if keep[node] && tree.as_leaf(Node::new(node)).is_none() {
            of_text.entry(labels[node].text(tree, Node::new(node))).or_default().push(node);
        }
    }
    for node in 1..tree.len() {
        // Removed on the first visit, so that each text is handled once, in pre-order.
        let Some(alike) = of_text.remove(&labels[node].text(tree, Node::new(node))) else {
            continue;
        };
        if alike.iter().all(|&node| labels[node] == Label::Same) {
            continue;
        }
        let first = tree.leaves_of(Node::new(alike[0])); // pre-order: an ancestor comes first
        let holds_all = alike.iter().all(|&node| {
            let leaves = tree.leaves_of(Node::new(node));
            first.covers(&leaves)
        });
        alike.iter().for_each(|&node| keep[node] = holds_all && node == alike[0]);
    }
    keep
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder;
    use crate::format::Format;
    use crate::hierarchy::tree_of;
    use crate::method::Spec;
    use crate::table::Table;

    /// Labels of the inner nodes of a hierarchy that hides values of fewer than `k` records.
    fn hidden(method: &str, values: &[(&str, usize)], k: u64) -> Vec<String> {
        let rows = values.iter().flat_map(|&(value, count)| vec![[value]; count]);
        let table = Table::from_rows(&["x"], &rows.collect::<Vec<_>>()).unwrap();
        let column = &table.columns()[0];
        let tree = builder::build(&method.parse::<Spec>().unwrap(), column, Some(k)).unwrap();
        let tree = tree_of(tree).unwrap();
        let domain = &column.domain;
        let leaves = tree.ground().bind(domain).unwrap();
        let mut counts = vec![0; tree.n_leaves()];
        leaves.iter().zip(&domain.counts).for_each(|(&leaf, n)| counts[leaf.index()] += n);
        let rare = Rare::new(tree.leaves(), &counts, k);
        let tree = rare.hide_in(&tree);
        let inner = tree.nodes().filter(|&node| tree.as_leaf(node).is_none());
        inner.map(|node| tree.published(node).into_owned()).collect()
    }

    #[test]
    fn ends_move_to_values_with_company_or_to_round_numbers() {
        let values = [("17", 1), ("20", 5), ("21", 1), ("22", 5), ("58", 1), ("60", 5)];
        assert_eq!(hidden("iotf", &values, 3), ["*", "[15, 22]", "[20, 22]", "[50, 60]"]);
    }

    #[test]
    fn adjacent_intervals_of_rare_values_do_not_share_a_round_end() {
        let values: Vec<String> =
            [1191.13, 1207.37, 1219.88, 1297.12, 1304.57, 1352.41, 1380.26, 1398.95]
                .iter()
                .map(|value| format!("{value:.2}"))
                .collect();
        let values: Vec<(&str, usize)> = values.iter().map(|value| (value.as_str(), 1)).collect();
        let shown = hidden("iotf", &values, 3);
        let ends: Vec<[f64; 2]> = (shown[1..].iter())
            .map(|label| {
                let (low, high) = label.trim_matches(['[', ']']).split_once(", ").unwrap();
                [low, high].map(|end| end.parse().unwrap())
            })
            .collect();
        assert!(ends.len() > 2, "{shown:?}");
        let share = |[_, high]: &[f64; 2]| ends.iter().any(|[low, _]| (low - high).abs() < 1e-9);
        assert!(!ends.iter().any(share), "{shown:?}");
    }

    #[test]
    fn dates_move_to_parts_of_the_calendar() {
        let values = [("2024-01-05", 1), ("2024-01-20", 4), ("2024-06-03", 4), ("2024-06-10", 1)];
        assert_eq!(hidden("iotf", &values, 2), ["*", "[2024, 2024-01-20]", "[2024-06-03, 2024]"]);
    }

    /// Names of several years would end with the dates, and show the years of the oldest and the
    /// youngest.
    #[test]
    fn names_of_years_do_not_end_in_a_rare_one() {
        let values = [
            ("1938-03-05", 1),
            ("1938-07-09", 1),
            ("1944-02-11", 4),
            ("1951-08-02", 4),
            ("1963-04-20", 4),
            ("1972-12-01", 4),
        ];
        let years = "calendar:levels=year+20-years+40-years";
        let shown = hidden(years, &values, 3);
        assert!(shown.contains(&"[1920, 1959]".to_owned()), "{shown:?}");
        assert!(shown.contains(&"[1960, 1972]".to_owned()), "frequent: {shown:?}");
        assert!(!shown.iter().any(|label| label.starts_with("[1938")), "{shown:?}");
        let shown = hidden(years, &values, 2);
        assert!(shown.contains(&"[1938, 1959]".to_owned()), "two people: {shown:?}");
        for levels in ["year+2-years+20-years", "day+month+quarter+year+5-years+decade+40-years"] {
            let shown = hidden(&format!("calendar:levels={levels}"), &values, 5);
            let names = |year: &str| shown.iter().any(|label| label.contains(year));
            assert!(!names("[1938") && !names("1972]"), "{levels}: {shown:?}");
        }
        let shown = hidden("calendar:levels=week+year+40-years", &values, 3);
        assert!(shown.contains(&"[1920-W01, 1959-W53]".to_owned()), "{shown:?}");
    }

    /// Labels of the inner nodes of a tree from a file, where leaves with one record are rare.
    fn hidden_in_file(text: &str, counts: &[u64]) -> Vec<String> {
        let tree = Format::named("arx").unwrap().read(text, Some("x")).unwrap();
        assert_eq!(tree.n_leaves(), counts.len());
        let hidden = Rare::new(tree.leaves(), counts, 2).hide_in(&tree);
        let inner = hidden.nodes().skip(1).filter(|&node| hidden.as_leaf(node).is_none());
        inner.map(|node| hidden.label(node).into_owned()).collect()
    }

    /// Sets that repeat a member, or that name a value of another group.
    #[test]
    fn sets_of_a_file_may_name_anything() {
        let tree = |set: &str| format!("a;{set};*\nb;{set};*\nz;other;*\n");
        let hidden = |set: &str, counts: [u64; 3]| hidden_in_file(&tree(set), &counts);
        assert_eq!(hidden("{a, a, a, b}", [4, 1, 4]), ["{a and 1 more}", "other"]);
        assert_eq!(hidden("{a, b, z}", [4, 4, 1]), ["{a, b}", "other"]);
        assert_eq!(hidden("{a, z}", [4, 1, 1]), ["{a and 1 more}", "other"]);
    }

    #[test]
    fn ranges_of_dates_in_a_file_move_too() {
        let tree = "2024-01-05;[2024-01-05, 2024-01-31];*\n2024-01-20;[2024-01-05, 2024-01-31];*\n\
                    2024-02-03;[2024-02-01, 2024-02-10];*\n2024-02-10;[2024-02-01, 2024-02-10];*\n";
        let labels = hidden_in_file(tree, &[1, 4, 4, 1]);
        assert_eq!(labels, ["[2024, 2024-01-31]", "[2024-02-01, 2024]"]);
    }

    #[test]
    fn dates_move_however_they_are_written() {
        let iso = |label: &str| {
            let days = ["2024-01-05", "2024-01-20"].map(|day| format!("{day};\"{label}\";*\n"));
            hidden_in_file(&format!("{}2024-02-03;other;*\n", days.concat()), &[1, 4, 4])
        };
        for label in ["[2024-01-05,2024-01-31]", "[2024-01-05;2024-01-31]"] {
            assert_eq!(iso(label), ["[2024, 2024-01-31]", "other"], "{label}");
        }
        assert_eq!(iso("2024-01-05 - 2024-01-31"), ["[2024, 2024-01-31]", "other"]);
        assert_eq!(iso("[2024-01-05, 2024-01-31["), ["[2024, 2024-01-31]", "other"]);
        assert_eq!(iso("<2024-02-03"), ["<2024-02-03", "other"], "a frequent value");
        assert_eq!(iso(">=2024-01-05"), [">=2024", "other"]);
        let half_open = "2024-01-05;[2024-01-01, 2024-02-03[;*\n2024-01-20;[2024-01-01, 2024-02-03[;*\n\
                         2024-02-03;other;*\n2024-02-04;other;*\n";
        let shown = hidden_in_file(half_open, &[4, 4, 1, 4]);
        assert_eq!(shown, ["[2024-01-01, 2024-01-20]", "other"]);
        let dmy = |label: &str| {
            let tree = format!("05/01/2024;{label};*\n20/01/2024;{label};*\n03/02/2024;other;*\n");
            hidden_in_file(&tree, &[1, 4, 4])
        };
        assert_eq!(dmy("[5/1/2024, 31/1/2024]"), ["[2024, 31/1/2024]", "other"]);
        assert_eq!(dmy("[2024-01-05, 2024-01]"), ["[2024, 2024-01]", "other"], "days have a name");
        assert_eq!(dmy("{5/1/2024, 20/1/2024}"), ["{20/01/2024 and 1 more}", "other"]);
    }

    #[test]
    fn an_end_that_is_left_out_is_spelt_out_all_the_same() {
        let tree = "18;]17, 30[;*\n25;]17, 30[;*\n17;rest;*\n30;more;*\n";
        let shown = |counts: &[u64]| hidden_in_file(tree, counts);
        // Leaves are in the order of their values: 17, 18, 25, 30.
        assert!(
            shown(&[1, 4, 4, 4]).contains(&"[18, 29]".to_owned()),
            "{:?}",
            shown(&[1, 4, 4, 4])
        );
        assert!(shown(&[4, 4, 4, 1]).contains(&"[18, 29]".to_owned()));
        assert!(
            shown(&[1, 1, 4, 4]).contains(&"[16, 29]".to_owned()),
            "{:?}",
            shown(&[1, 1, 4, 4])
        );
        assert!(shown(&[4, 1, 4, 4]).contains(&"]17, 30[".to_owned()));
    }

    #[test]
    fn ranges_without_an_end_keep_having_none() {
        let tree = "17;>=17;*\n60;>=17;*\n3;<=5;*\n5;<=5;*\n";
        assert_eq!(hidden_in_file(tree, &[4, 1, 1, 4]), ["<=10", ">=15"]);
    }

    #[test]
    fn a_group_of_one_rare_value_does_not_name_it() {
        let tree =
            "05/01/2024;2024-01-05;2024;*\n20/01/2024;2024-01-20;2024;*\n03/02/2023;2023;2023;*\n";
        assert_eq!(hidden_in_file(tree, &[4, 1, 4]), ["2023", "2024", "2024-01-20"]);
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
