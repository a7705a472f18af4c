//! Draws a hierarchy as a dendrogram in SVG.

use crate::chart::Svg;
use crate::hierarchy::{Hierarchy, Leaf, Node};
use crate::noun::counted;

/// Subtrees are folded into single rows if the tree has more leaves than this.
const MOST_ROWS: usize = 160;
/// Maximum number of characters in the labels of joints and of rows.
const MOST_CHARACTERS: (usize, usize) = (26, 32);
/// Average width of a character in these labels.
const CHARACTER: (f64, f64) = (5.8, 7.0);
const ROW: f64 = 16.0;
const TREE_WIDTH: f64 = 560.0;
/// Maximum width of a tree of words, whose labels need space.
const MOST_WIDTH: f64 = 1800.0;
const BAR_WIDTH: f64 = 160.0;
const TOP: f64 = 64.0;
const LEFT: f64 = 24.0;
/// Part of a line that its label leaves free.
const MARGIN: f64 = 14.0;

/// The horizontal positions of labels and bars.
struct Page {
    labels: f64,
    bars: f64,
}

/// Draws the tree from left to right.
///
/// Each leaf is a row with a bar that shows its count. Inner nodes are joints, the further left the
/// higher their cost. The label of a joint is on the line that leads to it, shortened to the
/// available space; hovering shows the label and the count.
pub fn svg(tree: &Hierarchy) -> Svg {
    let costs = tree.costs();
    let tips = tips(tree, &costs);
    let layout = Layout::new(tree, &costs, &tips);
    let longest = tips.iter().map(|&tip| tree.label(tip).chars().count()).max().unwrap_or(1);
    let label_width = CHARACTER.1 * longest.clamp(4, MOST_CHARACTERS.1) as f64 + 12.0;
    let bars = layout.right + label_width;
    let width = bars + if tree.count(Node::ROOT) > 0 { BAR_WIDTH + 70.0 } else { 0.0 };
    let height = TOP + tips.len() as f64 * ROW + 24.0;
    let page = Page { labels: layout.right, bars };
    let mut out = Svg::new(width, height, &format!("hierarchy of {}", tree.attribute()));
    header(&mut out, tree, tips.len());
    layout.lines(&mut out, tree);
    layout.joints(&mut out, tree);
    rows(&mut out, tree, &tips, &page);
    out
}

/// Returns the nodes drawn as rows: the leaves or, if there are too many, the cheapest nodes above
/// them.
fn tips(tree: &Hierarchy, costs: &[f64]) -> Vec<Node> {
    let mut tips = Vec::new();
    let bound = if tree.n_leaves() <= MOST_ROWS { 0.0 } else { least_bound(tree, costs) };
    let mut skip_to = Leaf::new(0);
    for node in tree.nodes() {
        let leaves = tree.leaves_of(node);
        let is_tip = tree.as_leaf(node).is_some() || (bound > 0.0 && costs[node.index()] <= bound);
        // Descendants of a tip begin before its end and are skipped.
        if leaves.start >= skip_to && is_tip {
            tips.push(node);
            skip_to = leaves.end;
        }
    }
    tips
}

/// Returns the cost up to which nodes are folded, so that few enough rows remain.
fn least_bound(tree: &Hierarchy, costs: &[f64]) -> f64 {
    let mut inner: Vec<f64> = tree
        .nodes()
        .filter(|&node| tree.as_leaf(node).is_none())
        .map(|node| costs[node.index()])
        .collect();
    inner.sort_by(|a, b| b.total_cmp(a));
    // Only this number of the most expensive nodes stay joints; all others are folded.
    inner.get(MOST_ROWS / 2).copied().unwrap_or(0.0)
}

struct Layout {
    /// Position of each node; `None` if it is folded into a tip.
    places: Vec<Option<(f64, f64)>>,
    depths: Vec<u32>,
    /// Left edge of the rows.
    right: f64,
}

impl Layout {
    fn new(tree: &Hierarchy, costs: &[f64], tips: &[Node]) -> Self {
        let (depths, ys) = (tree.depths(), heights(tree, tips));
        // The scale begins with the cheapest joint that is drawn.
        let folded = tips.iter().map(|&tip| costs[tip.index()]).fold(0.0, f64::max);
        let least = costs.iter().copied().filter(|&cost| cost > folded).fold(1.0, f64::min);
        let columns = columns(tree, &depths, &ys);
        // Words have no width, and without a cost below 1 all joints would be at one place.
        let by_depth = tree.leaves().scale().is_none() || least >= 1.0;
        let right = if by_depth { columns[columns.len() - 1] } else { columns[0] + TREE_WIDTH };
        let xs: Vec<f64> = if by_depth {
            depths.iter().map(|&depth| columns[depth as usize]).collect()
        } else {
            costs.iter().map(|&cost| right - TREE_WIDTH * share(cost, least)).collect()
        };
        let place = |(&x, y): (&f64, &Option<f64>)| y.map(|y| (x, y));
        let mut places: Vec<_> = xs.iter().zip(&ys).map(place).collect();
        for &tip in tips {
            // Rows are aligned at the right, regardless of their cost.
            places[tip.index()] = places[tip.index()].map(|(_, y)| (right, y));
        }
        Self { places, depths, right }
    }

    /// Returns the start, the end and the height of the line that leads to a node.
    fn line_to(&self, tree: &Hierarchy, node: Node) -> Option<(f64, f64, f64)> {
        let (x, y) = self.places[node.index()]?;
        let parent = tree.parent(node).map(|parent| self.places[parent.index()]);
        Some((parent.map_or(Some(LEFT), |place| place.map(|(x, _)| x))?, x, y))
    }

    fn lines(&self, out: &mut Svg, tree: &Hierarchy) {
        for node in tree.nodes() {
            let Some((from, x, y)) = self.line_to(tree, node) else {
                continue;
            };
            let parent = tree.parent(node).unwrap_or(Node::ROOT).index();
            let above = self.places[parent].map_or(y, |(_, y)| y);
            // Neighbouring depths have different colours.
            let colour = [0, 5, 1, 3][self.depths[parent] as usize % 4];
            let path = format!("M{from:.1} {above:.1}V{y:.1}H{x:.1}");
            out.path(&format!("c{colour} front"), &path);
        }
    }

    fn joints(&self, out: &mut Svg, tree: &Hierarchy) {
        for node in tree.nodes() {
            let Some((from, x, y)) = self.line_to(tree, node).filter(|line| line.1 < self.right)
            else {
                continue;
            };
            let whole = tree.label(node);
            let room = ((x - from - MARGIN) / CHARACTER.0).max(0.0) as usize;
            let label = shortened(&whole, room.min(MOST_CHARACTERS.0));
            // A node with one child joins nothing.
            let is_joint = tree.leaves_of(node) != tree.leaves_of(node.next());
            if is_joint || label.is_some() {
                out.circle("joint", [x, y, 3.5], &format!("{whole}{}", count_text(tree, node)));
            }
            if let Some(label) = label {
                out.text("end small", [x - 6.0, y - 4.0], &label);
            }
        }
    }
}

/// Returns the share of the tree's width for a cost, given the least cost that is drawn.
fn share(cost: f64, least: f64) -> f64 {
    // Sizes roughly double from level to level, so their logarithm spaces the joints evenly.
    (1.0 + cost / least).ln() / (1.0 + 1.0 / least).ln()
}

/// Returns the vertical position of each node: rows one below the other, joints in the middle of
/// their children.
fn heights(tree: &Hierarchy, tips: &[Node]) -> Vec<Option<f64>> {
    let mut spans = vec![(f64::INFINITY, f64::NEG_INFINITY); tree.len()];
    for (row, &tip) in tips.iter().enumerate() {
        let y = TOP + (row as f64 + 0.5) * ROW;
        spans[tip.index()] = (y, y);
    }
    // Backwards through pre-order, children come before their parents.
    for node in tree.nodes().skip(1).rev() {
        let (low, high) = spans[node.index()];
        if let Some(parent) = tree.parent(node).filter(|_| low.is_finite()) {
            let (y, above) = (f64::midpoint(low, high), &mut spans[parent.index()]);
            *above = (above.0.min(y), above.1.max(y));
        }
    }
    let middle = |&(low, high): &(f64, f64)| low.is_finite().then(|| f64::midpoint(low, high));
    spans.iter().map(middle).collect()
}

/// Returns the horizontal position of each depth. Lines are as long as their labels need, within
/// the minimum and the maximum width of the tree.
fn columns(tree: &Hierarchy, depths: &[u32], ys: &[Option<f64>]) -> Vec<f64> {
    let height = tree.height() as usize;
    let mut widths = vec![MARGIN; height + 1];
    for node in (0..tree.len()).filter(|&node| ys[node].is_some()) {
        if tree.as_leaf(Node::new(node)).is_none() {
            let n_characters = tree.label(Node::new(node)).chars().count().min(MOST_CHARACTERS.0);
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

/// Shortens a label to `most` characters, or returns `None` if too little of it would be left.
fn shortened(label: &str, most: usize) -> Option<String> {
    if label.chars().count() <= most {
        return Some(label.to_owned());
    }
    // Fewer letters than this and an ellipsis are not recognizable.
    (most > 9).then(|| label.chars().take(most - 1).chain(['…']).collect())
}

fn header(out: &mut Svg, tree: &Hierarchy, n_rows: usize) {
    let is_folded = n_rows < tree.n_leaves();
    let folded =
        if is_folded { format!("; drawn in {}", counted(n_rows, "row")) } else { String::new() };
    let method = tree.builder().map_or(String::new(), |spec| format!(" by {spec}"));
    let shape = format!(
        "{}, {}, height {}{}{folded}",
        counted(tree.n_leaves(), "value"),
        counted(tree.len(), "node"),
        tree.height(),
        count_text(tree, Node::ROOT),
    );
    out.text("head", [LEFT, 26.0], &format!("{}{method}", tree.attribute()));
    out.text("", [LEFT, 46.0], &shape);
}

fn rows(out: &mut Svg, tree: &Hierarchy, tips: &[Node], page: &Page) {
    let Page { labels, bars } = *page;
    let most = tips.iter().map(|&tip| tree.count(tip)).max().unwrap_or(0).max(1);
    for (row, &tip) in tips.iter().enumerate() {
        let middle = TOP + (row as f64 + 0.5) * ROW;
        let label = shortened(&tree.label(tip), MOST_CHARACTERS.1).unwrap_or_default();
        out.text("ink", [labels + 6.0, middle + 4.0], &label);
        let count = tree.count(tip);
        if count > 0 {
            // A thin bar still shows that there are records.
            let length = (BAR_WIDTH * count as f64 / most as f64).max(0.5);
            out.rect("after", [bars, middle - 5.0, length, ROW - 6.0], "");
            out.text("", [bars + length + 5.0, middle + 4.0], &count.to_string());
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

    /// Builds a tree of three words under a chain of `length` nodes that all have the same label.
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
        assert_eq!(svg(&tree).finish().matches(&format!(">{label}</text>")).count(), 8);
        let layout = Layout::new(&tree, &tree.costs(), &[8, 9, 10].map(Node::new));
        for node in tree.nodes().take(8) {
            let (from, to, _) = layout.line_to(&tree, node).unwrap();
            assert!(to - from > CHARACTER.0 * label.len() as f64, "{node}: {from} to {to}");
        }
    }

    #[test]
    fn a_deep_tree_is_not_too_wide() {
        let tree = chain("health professional", 5_000);
        let layout = Layout::new(&tree, &tree.costs(), &[5_001, 5_002, 5_003].map(Node::new));
        assert!(layout.right < MOST_WIDTH + 200.0, "{}", layout.right);
        // Only the root's label fits.
        assert_eq!(svg(&tree).finish().matches("class=\"end small\"").count(), 1);
    }

    #[test]
    fn what_is_cut_off_shows_that_it_is() {
        assert_eq!(shortened("health professional", 19).unwrap(), "health professional");
        assert_eq!(shortened("health professional", 10).unwrap(), "health pr…");
        assert_eq!(shortened("health professional", 9), None);
    }
}
