//! A hierarchy as a dendrogram in SVG.

use std::fmt::Write;

use crate::hierarchy::{Hierarchy, Node};
use crate::noun::counted;
use crate::plot::escape;

/// Finer parts of a tree than this many rows are drawn as one.
const MOST_ROWS: usize = 160;
/// Labels of joints have at most so many characters.
const MOST_CHARACTERS: usize = 20;
const ROW: f64 = 16.0;
const TREE_WIDTH: f64 = 560.0;
const BAR_WIDTH: f64 = 160.0;
const TOP: f64 = 64.0;
const LEFT: f64 = 24.0;

/// Draws the tree from left to right: a row for each leaf, with a bar as long as its count, and a
/// joint where leaves meet, the further left the more it loses. Hovering shows label and count.
pub fn svg(tree: &Hierarchy) -> String {
    let costs = tree.costs();
    let tips = tips(tree, &costs);
    let layout = Layout::new(tree, &costs, &tips);
    let label_width = tips.iter().map(|&tip| tree.label(tip).chars().count()).max().unwrap_or(1);
    let label_width = 7.0 * label_width.clamp(4, 32) as f64 + 12.0;
    let bar_left = LEFT + TREE_WIDTH + label_width;
    let width = bar_left + BAR_WIDTH + 70.0;
    let height = TOP + tips.len() as f64 * ROW + 24.0;
    let mut out = String::new();
    header(&mut out, tree, (width, height), tips.len());
    layout.joints(&mut out, tree);
    rows(&mut out, tree, &tips, bar_left);
    out.push_str("</svg>\n");
    out
}

/// The nodes drawn as rows: the leaves, or where they are too many, the cheapest nodes above them.
fn tips(tree: &Hierarchy, costs: &[f64]) -> Vec<Node> {
    let mut tips = Vec::new();
    let bound = if tree.n_leaves() <= MOST_ROWS { 0.0 } else { least_bound(tree, costs) };
    let mut skip_to = 0;
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

struct Layout<'a> {
    tips: &'a [Node],
    /// The position of every node; none if it is folded into a tip.
    places: Vec<Option<(f64, f64)>>,
    depths: Vec<u32>,
}

impl<'a> Layout<'a> {
    fn new(tree: &Hierarchy, costs: &[f64], tips: &'a [Node]) -> Self {
        let depths = tree.depths();
        let height = depths.iter().copied().max().unwrap_or(0).max(1);
        let folded = tips.iter().map(|&tip| costs[tip as usize]).fold(0.0, f64::max);
        let least = costs.iter().copied().filter(|&cost| cost > folded).fold(1.0, f64::min);
        let x_of = |node: Node| {
            let cost = costs[node as usize];
            let share = if tree.leaves().scale().is_none() || least >= 1.0 {
                1.0 - f64::from(depths[node as usize]) / f64::from(height)
            } else {
                // Sizes double from level to level, so their logarithm spreads the joints.
                (1.0 + cost / least).ln() / (1.0 + 1.0 / least).ln()
            };
            LEFT + TREE_WIDTH * (1.0 - share)
        };
        let mut places = vec![None; tree.len()];
        for (row, &tip) in tips.iter().enumerate() {
            places[tip as usize] = Some((LEFT + TREE_WIDTH, TOP + (row as f64 + 0.5) * ROW));
        }
        let mut sums = vec![(f64::INFINITY, f64::NEG_INFINITY); tree.len()];
        for node in (1..tree.len() as Node).rev() {
            let (lo, hi) = sums[node as usize];
            if places[node as usize].is_none() && lo.is_finite() {
                places[node as usize] = Some((x_of(node), f64::midpoint(lo, hi)));
            }
            if let (Some((_, y)), Some(parent)) = (places[node as usize], tree.parent(node)) {
                let sum = &mut sums[parent as usize];
                *sum = (sum.0.min(y), sum.1.max(y));
            }
        }
        if places[0].is_none() {
            places[0] = Some((x_of(0), f64::midpoint(sums[0].0, sums[0].1)));
        }
        Self { tips, places, depths }
    }

    fn joints(&self, out: &mut String, tree: &Hierarchy) {
        out.push_str("<g fill=\"none\" stroke-width=\"1.5\">\n");
        for node in 1..tree.len() as Node {
            let parent = tree.parent(node).unwrap_or(0);
            if let (Some((x, y)), Some((px, py))) =
                (self.places[node as usize], self.places[parent as usize])
            {
                let hue = 200 - (self.depths[parent as usize] * 18) % 160;
                let _ = writeln!(
                    out,
                    "<path d=\"M{px:.1} {py:.1}V{y:.1}H{x:.1}\" stroke=\"hsl({hue} 45% 45%)\"/>"
                );
            }
        }
        out.push_str("</g>\n<g>\n");
        for node in 0..tree.len() as Node {
            let Some((x, y)) = self.places[node as usize] else {
                continue;
            };
            // A group of one is a level that nothing joins.
            let is_joint =
                tree.as_leaf(node).is_none() && tree.leaves_of(node) != tree.leaves_of(node + 1);
            if !is_joint || self.tips.binary_search(&node).is_ok() {
                continue;
            }
            let label = escape(&tree.label(node));
            let count = count_text(tree, node);
            let _ = writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"#fff\" stroke=\"#456\">\
                 <title>{label}{count}</title></circle>"
            );
            if self.depths[node as usize] <= 2 {
                let label = escape(&shortened(&tree.label(node)));
                let _ = writeln!(
                    out,
                    "<text x=\"{:.1}\" y=\"{:.1}\" class=\"inner\">{label}</text>",
                    x + 6.0,
                    y - 4.0
                );
            }
        }
        out.push_str("</g>\n");
    }
}

/// A label that does not run into its neighbours; hovering shows it whole.
fn shortened(label: &str) -> String {
    let is_long = label.chars().count() > MOST_CHARACTERS;
    let kept = label.chars().take(if is_long { MOST_CHARACTERS - 1 } else { MOST_CHARACTERS });
    kept.chain(is_long.then_some('…')).collect()
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
         <style>text{{font-size:11px;fill:#234}}.inner{{font-size:10px;fill:#667;stroke:#fff;\
         stroke-width:3px;paint-order:stroke}}</style>\n\
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

fn rows(out: &mut String, tree: &Hierarchy, tips: &[Node], bar_left: f64) {
    let most = tips.iter().map(|&tip| tree.count(tip)).max().unwrap_or(0).max(1);
    for (row, &tip) in tips.iter().enumerate() {
        let middle = TOP + (row as f64 + 0.5) * ROW;
        let label: String = tree.label(tip).chars().take(32).collect();
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            LEFT + TREE_WIDTH + 6.0,
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
