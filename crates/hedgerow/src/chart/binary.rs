//! Binary trees: nodes from left to right in the order of an in-order walk, level below level.

use super::svg::{Svg, short};

const COLUMN: f64 = 34.0;
const ROW: f64 = 52.0;
const TOP: f64 = 62.0;
const LEFT: f64 = 24.0;
const RADIUS: f64 = 11.0;
/// Number of classes `c0`, `c1` and so on.
const N_COLOURS: usize = 7;

/// Average widths of a character of the title and of the note.
const CHARACTER: (f64, f64) = (8.6, 5.8);

/// A node of a binary tree.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Knot {
    /// Its label; empty for a node that has no value.
    pub label: String,
    /// Text that is shown on hovering.
    pub title: String,
    /// Its number along the walk, from 1.
    pub number: Option<usize>,
    /// The group that it belongs to, which decides its colour.
    pub group: Option<usize>,
    /// Its left child.
    pub left: Option<usize>,
    /// Its right child.
    pub right: Option<usize>,
}

/// A binary tree with a walk through it.
#[derive(Debug, Clone)]
pub struct BinaryTree {
    /// Title of the drawing.
    pub title: String,
    /// A line below the title.
    pub note: String,
    /// The nodes.
    pub knots: Vec<Knot>,
    /// The root, an index into `knots`.
    pub root: usize,
}

impl BinaryTree {
    /// Draws the tree: labels in the nodes, numbers of the walk below them, groups in colours.
    ///
    /// ```
    /// use hedgerow::chart::{BinaryTree, Knot};
    /// let knot = |label: &str| Knot { label: label.into(), ..Knot::default() };
    /// let root = Knot { left: Some(1), right: Some(2), ..knot("b") };
    /// let knots = vec![root, knot("a"), knot("c")];
    /// let tree = BinaryTree { title: "abc".into(), note: String::new(), knots, root: 0 };
    /// let svg = tree.svg().finish();
    /// assert!(svg.find(">a<") < svg.find(">b<") && svg.find(">b<") < svg.find(">c<"));
    /// ```
    pub fn svg(&self) -> Svg {
        let places = self.places();
        let deepest = places.iter().map(|place| place.2).max().unwrap_or(0);
        let texts = [CHARACTER.0 * count(&self.title), CHARACTER.1 * count(&self.note)];
        // The title may be wider than the tree.
        let content = texts.into_iter().fold(COLUMN * places.len() as f64, f64::max);
        let width = 2.0 * LEFT + content;
        let height = TOP + ROW * f64::from(deepest) + 48.0;
        let mut at = vec![[0.0; 2]; self.knots.len()];
        for (column, &(knot, _, depth)) in places.iter().enumerate() {
            at[knot] = [LEFT + COLUMN * (column as f64 + 0.5), TOP + ROW * f64::from(depth)];
        }
        let mut svg = Svg::new(width, height, &self.title);
        svg.text("head", [LEFT, 22.0], &self.title);
        svg.text("", [LEFT, 40.0], &self.note);
        // Edges first, so that nodes are drawn over their ends.
        for &(knot, parent, _) in &places {
            if let Some(parent) = parent {
                let [[x0, y0], [x, y]] = [at[parent], at[knot]].map(|place| place.map(short));
                svg.path("axis", &format!("M{x0} {y0}L{x} {y}"));
            }
        }
        for &(knot, ..) in &places {
            self.draw_knot(&mut svg, knot, at[knot]);
        }
        svg
    }

    fn draw_knot(&self, svg: &mut Svg, knot: usize, [x, y]: [f64; 2]) {
        let Knot { label, title, number, group, .. } = &self.knots[knot];
        if label.is_empty() {
            // A node without a value is only a branching point, drawn as a small dot.
            svg.circle("joint", [x, y, 4.0], title);
            return;
        }
        svg.circle("joint", [x, y, RADIUS], title);
        if let Some(group) = group {
            svg.circle(&format!("c{} dot", group % N_COLOURS), [x, y, RADIUS], title);
        }
        svg.text("mid ink", [x, y + 4.0], label);
        if let Some(number) = number {
            svg.text("mid small", [x, y + RADIUS + 12.0], &number.to_string());
        }
    }

    /// Every node with its parent and depth, from left to right. Not recursive, because a tree can
    /// be a chain.
    fn places(&self) -> Vec<(usize, Option<usize>, u32)> {
        let mut places = Vec::with_capacity(self.knots.len());
        let mut open: Vec<(usize, Option<usize>, u32)> = Vec::new();
        let mut next = self.knots.get(self.root).map(|_| (self.root, None, 0));
        // In-order walk without recursion, which a deep tree would overflow.
        while next.is_some() || !open.is_empty() {
            while let Some((knot, parent, depth)) = next {
                open.push((knot, parent, depth));
                next = self.knots[knot].left.map(|child| (child, Some(knot), depth + 1));
            }
            if let Some(place) = open.pop() {
                places.push(place);
                let (knot, _, depth) = place;
                next = self.knots[knot].right.map(|child| (child, Some(knot), depth + 1));
            }
        }
        places
    }
}

fn count(text: &str) -> f64 {
    text.chars().count() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_has_one_node_on_each_level() {
        let knot = |n: usize| Knot { right: (n < 999).then_some(n + 1), ..Knot::default() };
        let knots: Vec<Knot> = (0..1000).map(knot).collect();
        let tree = BinaryTree { title: String::new(), note: String::new(), knots, root: 0 };
        let places = tree.places();
        assert!(places.iter().enumerate().all(|(n, place)| (place.0, place.2) == (n, n as u32)));
    }
}
