//! A hierarchy as a dendrogram in SVG.

use std::fmt::Write;

use crate::hierarchy::{Hierarchy, Leaf, Node};
use crate::noun::counted;
use crate::plot::escape;

/// Finer parts of a tree than this many rows are drawn as one.
const MOST_ROWS: usize = 160;
/// Labels of joints and of rows have at most so many characters.
const MOST_CHARACTERS: (usize, usize) = (26, 32);
/// How wide a character of either is, on average.
const CHARACTER: (f64, f64) = (5.8, 7.0);
const ROW: f64 = 16.0;
const TREE_WIDTH: f64 = 560.0;
/// A tree of words may be as wide as this, so that its labels have room.
const MOST_WIDTH: f64 = 1800.0;
const BAR_WIDTH: f64 = 160.0;
const TOP: f64 = 64.0;
const LEFT: f64 = 24.0;
/// What a label leaves free of the line that it stands on.
const MARGIN: f64 = 14.0;

/// Draws the tree from left to right: a row for each leaf, with a bar as long as its count, and a
/// joint where leaves meet, the further left the more it loses. The label of a joint stands on the
/// line that leads to it, as much of it as there is room for; hovering shows label and count.
pub fn svg(tree: &Hierarchy) -> String {
    let costs = tree.costs();
    let tips = tips(tree, &costs);
    let layout = Layout::new(tree, &costs, &tips);
    let label_width = tips.iter().map(|&tip| tree.label(tip).chars().count()).max().unwrap_or(1);
    let label_width = CHARACTER.1 * label_width.clamp(4, MOST_CHARACTERS.1) as f64 + 12.0;
    let bar_left = layout.right + label_width;
    let width = bar_left + if tree.count(0) > 0 { BAR_WIDTH + 70.0 } else { 0.0 };
    let height = TOP + tips.len() as f64 * ROW + 24.0;
    let mut out = String::new();
    header(&mut out, tree, (width, height), tips.len());
    layout.lines(&mut out, tree);
    layout.joints(&mut out, tree);
    rows(&mut out, tree, &tips, (layout.right, bar_left));
    out.push_str("</svg>\n");
    out
}

/// The nodes drawn as rows: the leaves, or where they are too many, the cheapest nodes above them.
fn tips(tree: &Hierarchy, costs: &[f64]) -> Vec<Node> {
    let mut tips = Vec::new();
    let bound = if tree.n_leaves() <= MOST_ROWS { 0.0 } else { least_bound(tree, costs) };
    let mut skip_to = Leaf::new(0);
    for node in 0..tree.len() as Node {
        let leaves = tree.leaves_of(node);
        let is_tip = tree.as_leaf(node).is_some() || (bound > 0.0 && costs[node as usize] <= bound);
        if leaves.start >= skip_to && is_tip {
            tips.push(node);
            skip_to = leaves.end;
        }
    }
    tips
}

/// The least cost below which nodes must be folded so that few enough rows are left.
fn least_bound(tree: &Hierarchy, costs: &[f64]) -> f64 {
    let mut inner: Vec<f64> = (0..tree.len() as Node)
        .filter(|&node| tree.as_leaf(node).is_none())
        .map(|node| costs[node as usize])
        .collect();
    inner.sort_by(|a, b| b.total_cmp(a));
    inner.get(MOST_ROWS / 2).copied().unwrap_or(0.0)
}

struct Layout {
    /// The position of every node; none if it is folded into a tip.
    places: Vec<Option<(f64, f64)>>,
    depths: Vec<u32>,
    /// Where rows begin.
    right: f64,
}

impl Layout {
    fn new(tree: &Hierarchy, costs: &[f64], tips: &[Node]) -> Self {
        let (depths, ys) = (tree.depths(), heights(tree, tips));
        let folded = tips.iter().map(|&tip| costs[tip as usize]).fold(0.0, f64::max);
        let least = costs.iter().copied().filter(|&cost| cost > folded).fold(1.0, f64::min);
        let columns = columns(tree, &depths, &ys);
        let by_depth = tree.leaves().scale().is_none() || least >= 1.0;
        let right = if by_depth { columns[columns.len() - 1] } else { columns[0] + TREE_WIDTH };
        let x_of = |node: usize| {
            if by_depth {
                return columns[depths[node] as usize];
            }
            // Sizes double from level to level, so their logarithm spreads the joints.
            let share = (1.0 + costs[node] / least).ln() / (1.0 + 1.0 / least).ln();
            right - TREE_WIDTH * share
        };
        let place = |(node, y): (usize, &Option<f64>)| y.map(|y| (x_of(node), y));
        let mut places: Vec<_> = ys.iter().enumerate().map(place).collect();
        for &tip in tips {
            places[tip as usize] = places[tip as usize].map(|(_, y)| (right, y));
        }
        Self { places, depths, right }
    }

    /// The line that leads to a node: where it begins and ends, and its height.
    fn line_to(&self, tree: &Hierarchy, node: Node) -> Option<(f64, f64, f64)> {
        let (x, y) = self.places[node as usize]?;
        let parent = tree.parent(node).map(|parent| self.places[parent as usize]);
        Some((parent.map_or(Some(LEFT), |place| place.map(|(x, _)| x))?, x, y))
    }

    fn lines(&self, out: &mut String, tree: &Hierarchy) {
        out.push_str("<g fill=\"none\" stroke-width=\"1.5\">\n");
        for node in 0..tree.len() as Node {
            let Some((from, x, y)) = self.line_to(tree, node) else {
                continue;
            };
            let parent = tree.parent(node).unwrap_or(0) as usize;
            let above = self.places[parent].map_or(y, |(_, y)| y);
            let hue = 200 - (self.depths[parent] * 18) % 160;
            let _ = writeln!(
                out,
                "<path d=\"M{from:.1} {above:.1}V{y:.1}H{x:.1}\" stroke=\"hsl({hue} 45% 45%)\"/>"
            );
        }
        out.push_str("</g>\n");
    }

    fn joints(&self, out: &mut String, tree: &Hierarchy) {
        out.push_str("<g>\n");
        for node in 0..tree.len() as Node {
            let Some((from, x, y)) = self.line_to(tree, node).filter(|line| line.1 < self.right)
            else {
                continue;
            };
            let whole = tree.label(node);
            let room = ((x - from - MARGIN) / CHARACTER.0).max(0.0) as usize;
            let label = shortened(&whole, room.min(MOST_CHARACTERS.0));
            // A group of one is a level that nothing joins.
            let is_joint = tree.leaves_of(node) != tree.leaves_of(node + 1);
            if is_joint || label.is_some() {
                let _ = writeln!(
                    out,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"#fff\" stroke=\"#456\">\
                     <title>{}{}</title></circle>",
                    escape(&whole),
                    count_text(tree, node)
                );
            }
            if let Some(label) = label {
                let _ = writeln!(
                    out,
                    "<text x=\"{:.1}\" y=\"{:.1}\" class=\"inner\">{}</text>",
                    x - 6.0,
                    y - 4.0,
                    escape(&label)
                );
            }
        }
        out.push_str("</g>\n");
    }
}

/// How far down each node is drawn: rows one after the other, joints in the middle of theirs.
fn heights(tree: &Hierarchy, tips: &[Node]) -> Vec<Option<f64>> {
    let mut spans = vec![(f64::INFINITY, f64::NEG_INFINITY); tree.len()];
    for (row, &tip) in tips.iter().enumerate() {
        let y = TOP + (row as f64 + 0.5) * ROW;
        spans[tip as usize] = (y, y);
    }
    for node in (1..tree.len() as Node).rev() {
        let (low, high) = spans[node as usize];
        if let Some(parent) = tree.parent(node).filter(|_| low.is_finite()) {
            let (y, above) = (f64::midpoint(low, high), &mut spans[parent as usize]);
            *above = (above.0.min(y), above.1.max(y));
        }
    }
    let middle = |&(low, high): &(f64, f64)| low.is_finite().then(|| f64::midpoint(low, high));
    spans.iter().map(middle).collect()
}

/// Where each depth is drawn, so that lines are as long as the labels on them, and the whole is
/// neither too narrow nor too wide.
fn columns(tree: &Hierarchy, depths: &[u32], ys: &[Option<f64>]) -> Vec<f64> {
    let height = tree.height() as usize;
    let mut widths = vec![MARGIN; height + 1];
    for node in (0..tree.len()).filter(|&node| ys[node].is_some()) {
        if tree.as_leaf(node as Node).is_none() {
            let n_characters = tree.label(node as Node).chars().count().min(MOST_CHARACTERS.0);
            let width = &mut widths[depths[node] as usize];
            *width = width.max(CHARACTER.0 * (n_characters + 1) as f64 + MARGIN);
        }
    }
    let total = widths[1..].iter().sum::<f64>().max(1.0);
    let stretch = total.clamp(TREE_WIDTH, MOST_WIDTH) / total;
    let mut x = LEFT + widths[0];
    let rest = widths[1..].iter().map(|width| {
        x += width * stretch;
        x
    });
    std::iter::once(LEFT + widths[0]).chain(rest).collect()
}

/// A label in so many characters; none if that says nothing.
fn shortened(label: &str, most: usize) -> Option<String> {
    if label.chars().count() <= most {
        return Some(label.to_owned());
    }
    (most > 9).then(|| label.chars().take(most - 1).chain(['…']).collect())
}

fn header(out: &mut String, tree: &Hierarchy, (width, height): (f64, f64), n_rows: usize) {
    let is_folded = n_rows < tree.n_leaves();
    let folded =
        if is_folded { format!("; drawn in {}", counted(n_rows, "row")) } else { String::new() };
    let method = tree.builder().map_or(String::new(), |spec| format!(" by {spec}"));
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"sans-serif\">\n\
         <style>text{{font-size:11px;fill:#234}}.inner{{font-size:10px;fill:#667;\
         text-anchor:end}}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"26\" style=\"font-size:17px;font-weight:600\">{}{}</text>\n\
         <text x=\"{LEFT}\" y=\"46\">{}, {}, height {}{}{folded}</text>\n",
        escape(tree.attribute()),
        escape(&method),
        counted(tree.n_leaves(), "value"),
        counted(tree.len(), "node"),
        tree.height(),
        count_text(tree, 0),
    );
}

fn rows(out: &mut String, tree: &Hierarchy, tips: &[Node], (left, bar_left): (f64, f64)) {
    let most = tips.iter().map(|&tip| tree.count(tip)).max().unwrap_or(0).max(1);
    for (row, &tip) in tips.iter().enumerate() {
        let middle = TOP + (row as f64 + 0.5) * ROW;
        let label = shortened(&tree.label(tip), MOST_CHARACTERS.1).unwrap_or_default();
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            left + 6.0,
            middle + 4.0,
            escape(&label)
        );
        let count = tree.count(tip);
        if count > 0 {
            let length = (BAR_WIDTH * count as f64 / most as f64).max(0.5);
            let _ = writeln!(
                out,
                "<rect x=\"{bar_left:.1}\" y=\"{:.1}\" width=\"{length:.1}\" height=\"{:.1}\" \
                 fill=\"#9bc3a5\"/><text x=\"{:.1}\" y=\"{:.1}\" fill-opacity=\".7\">{count}</text>",
                middle - 5.0,
                ROW - 6.0,
                bar_left + length + 5.0,
                middle + 4.0
            );
        }
    }
}

fn count_text(tree: &Hierarchy, node: Node) -> String {
    match tree.count(node) {
        0 => String::new(),
        count => format!(", {}", counted(count, "record")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Leaves;
    use crate::table::Values;

    /// Three words under a chain of so many nodes that are all called `label`.
    fn chain(label: &str, length: usize) -> Hierarchy {
        let leaves = Leaves {
            attribute: "a".into(),
            values: Values::Text(["x", "y", "z"].map(Into::into).to_vec()),
            counts: Vec::new(),
        };
        let mut ranges = vec![(0, 3); length];
        ranges.extend([(0, 2), (0, 1), (1, 2), (2, 3)]);
        let labels = ranges.iter().map(|(start, end)| if end - start == 1 { "" } else { label });
        let labels = labels.map(Into::into).collect();
        Hierarchy::from_ranges(leaves, &ranges).unwrap().with_labels(labels)
    }

    #[test]
    fn words_are_written_whole_on_lines_that_are_long_enough() {
        let label = "computer programmer";
        let tree = chain(label, 7);
        assert_eq!(svg(&tree).matches(&format!(">{label}</text>")).count(), 8);
        let layout = Layout::new(&tree, &tree.costs(), &[8, 9, 10]);
        for node in 0..8 {
            let (from, to, _) = layout.line_to(&tree, node).unwrap();
            assert!(to - from > CHARACTER.0 * label.len() as f64, "{node}: {from} to {to}");
        }
    }

    #[test]
    fn a_deep_tree_is_not_too_wide() {
        let tree = chain("health professional", 5_000);
        let layout = Layout::new(&tree, &tree.costs(), &[5_001, 5_002, 5_003]);
        assert!(layout.right < MOST_WIDTH + 200.0, "{}", layout.right);
        // There is room for the root's label only.
        assert_eq!(svg(&tree).matches("class=\"inner\"").count(), 1);
    }

    #[test]
    fn what_is_cut_off_shows_that_it_is() {
        assert_eq!(shortened("health professional", 19).unwrap(), "health professional");
        assert_eq!(shortened("health professional", 10).unwrap(), "health pr…");
        assert_eq!(shortened("health professional", 9), None);
    }
}
