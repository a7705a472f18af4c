//! Tries: the combinations of values of several columns, as a tree with a level for each column.

use super::svg::{Svg, short, shortened};

/// Horizontal distance of two leaves.
const STEP: f64 = 62.0;
/// Vertical distance of two levels.
const ROW: f64 = 74.0;
const LEFT: f64 = 92.0;
const TOP: f64 = 34.0;
const BOX: [f64; 2] = [48.0, 22.0];
/// Space for the count below a leaf.
const BELOW: f64 = 30.0;
/// Characters that fit into a box.
const MOST: usize = 8;

/// A node of a trie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrieNode {
    /// Index of the parent, which comes before; `None` on the first level.
    pub parent: Option<usize>,
    /// Level, from 0.
    pub level: usize,
    /// Label.
    pub label: String,
    /// Label that could replace it together with its siblings that have the same segment.
    pub segment: Option<String>,
    /// Number of records, at the end of a path.
    pub count: Option<u64>,
    /// Whether the node is emphasized.
    pub is_marked: bool,
}

/// A trie, whose nodes are in pre-order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trie {
    /// The name of each level.
    pub levels: Vec<String>,
    /// The nodes.
    pub nodes: Vec<TrieNode>,
}

impl Trie {
    /// Draws the trie: a row for each level, frames around segments, and counts below the last row.
    ///
    /// ```
    /// use hedgerow::chart::{Trie, TrieNode};
    /// let leaf = TrieNode {
    ///     parent: None,
    ///     level: 0,
    ///     label: "nurse".into(),
    ///     segment: None,
    ///     count: Some(7),
    ///     is_marked: true,
    /// };
    /// let svg = Trie { levels: vec!["job".into()], nodes: vec![leaf] }.svg("jobs").finish();
    /// assert!(svg.contains(">nurse<") && svg.contains(">7<") && svg.contains(">job<"));
    /// ```
    pub fn svg(&self, title: &str) -> Svg {
        Self::stacked(title, &[(title.to_owned(), self)])
    }

    /// Draws several tries below each other, each with its title. `label` is the text for screen
    /// readers.
    pub(crate) fn stacked(label: &str, tries: &[(String, &Self)]) -> Svg {
        let widths = tries.iter().map(|(_, trie)| trie.width());
        let heights = tries.iter().map(|(_, trie)| trie.height());
        let mut svg = Svg::new(widths.fold(260.0, f64::max), heights.sum(), label);
        let mut top = 0.0;
        for (title, trie) in tries {
            svg.text("head", [12.0, top + 20.0], title);
            Drawing { trie, places: trie.places(), top }.draw(&mut svg);
            top += trie.height();
        }
        svg
    }

    fn width(&self) -> f64 {
        self.places().into_iter().fold(LEFT, f64::max) + STEP / 2.0 + 16.0
    }

    fn height(&self) -> f64 {
        TOP + self.levels.len() as f64 * ROW + BELOW
    }

    /// The horizontal centre of each node: leaves are evenly spaced, others above their children.
    fn places(&self) -> Vec<f64> {
        let mut places = vec![0.0; self.nodes.len()];
        let mut ends: Vec<Option<(f64, f64)>> = vec![None; self.nodes.len()];
        // In pre-order, the first child follows its parent.
        let is_parent =
            |place: usize| self.nodes.get(place + 1).is_some_and(|next| next.parent == Some(place));
        let mut x = LEFT + STEP / 2.0;
        for (place, at) in places.iter_mut().enumerate().filter(|(place, _)| !is_parent(*place)) {
            *at = x;
            ends[place] = Some((x, x));
            x += STEP;
        }
        // Children come after their parents, so the reverse order visits them first.
        for place in (0..self.nodes.len()).rev() {
            let Some((first, last)) = ends[place] else { continue };
            places[place] = f64::midpoint(first, last);
            if let Some(parent) = self.nodes[place].parent {
                let own = places[place];
                let (least, most) = ends[parent].unwrap_or((own, own));
                ends[parent] = Some((least.min(own), most.max(own)));
            }
        }
        places
    }
}

/// A trie at its place in a drawing.
struct Drawing<'a> {
    trie: &'a Trie,
    /// The horizontal centre of each node.
    places: Vec<f64>,
    top: f64,
}

impl Drawing<'_> {
    /// The vertical centre of a level.
    fn y(&self, level: usize) -> f64 {
        self.top + TOP + ROW * level as f64 + ROW / 2.0
    }

    fn draw(&self, svg: &mut Svg) {
        for (level, name) in self.trie.levels.iter().enumerate() {
            svg.text("", [12.0, self.y(level) + 4.0], &shortened(name, 12));
        }
        self.draw_segments(svg);
        for (place, node) in self.trie.nodes.iter().enumerate() {
            let Some(parent) = node.parent else { continue };
            let from = self.y(self.trie.nodes[parent].level) + BOX[1] / 2.0;
            let ends =
                [self.places[parent], from, self.places[place], self.y(node.level) - BOX[1] / 2.0];
            let [from_x, from, x, top] = ends.map(short);
            svg.path("axis", &format!("M{from_x} {from}L{x} {top}"));
        }
        for (place, node) in self.trie.nodes.iter().enumerate() {
            let (x, y) = (self.places[place], self.y(node.level));
            let class = if node.is_marked { "s1" } else { "b1" };
            svg.rect(class, [x - BOX[0] / 2.0, y - BOX[1] / 2.0, BOX[0], BOX[1]], &node.label);
            let ink = if node.is_marked { "mid over" } else { "mid ink" };
            svg.text(ink, [x, y + 4.0], &shortened(&node.label, MOST));
            if let Some(count) = node.count {
                svg.text("mid ink", [x, y + BOX[1] / 2.0 + 16.0], &count.to_string());
            }
        }
    }

    /// Draws a frame around each run of siblings that have the same segment.
    fn draw_segments(&self, svg: &mut Svg) {
        let nodes = &self.trie.nodes;
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for (place, node) in nodes.iter().enumerate().filter(|(_, node)| node.segment.is_some()) {
            let belongs = |run: &&mut (usize, usize)| {
                let first = &nodes[run.0];
                (first.parent, first.level, &first.segment)
                    == (node.parent, node.level, &node.segment)
            };
            match runs.iter_mut().find(belongs) {
                Some(run) => run.1 = place,
                None => runs.push((place, place)),
            }
        }
        for (first, last) in runs {
            let left = self.places[first] - BOX[0] / 2.0 - 4.0;
            let top = self.y(nodes[first].level) - 15.0;
            let width = self.places[last] - self.places[first] + BOX[0] + 8.0;
            let [x, wide] = [left, width].map(short);
            svg.path("c1 front", &format!("M{x} {}h{wide}v30h-{wide}z", short(top)));
            let name = nodes[first].segment.as_deref().unwrap_or("");
            svg.text("small", [left, top - 3.0], &shortened(name, 9));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(parent: Option<usize>, level: usize) -> TrieNode {
        let segment = (level == 1).then(|| "g".to_owned());
        TrieNode { parent, level, label: "v".into(), segment, count: None, is_marked: false }
    }

    #[test]
    fn parents_are_above_the_middle_of_their_children() {
        let nodes = vec![node(None, 0), node(Some(0), 1), node(Some(0), 1), node(None, 0)];
        let trie = Trie { levels: vec!["a".into(), "b".into()], nodes };
        let places = trie.places();
        assert!((places[0] - f64::midpoint(places[1], places[2])).abs() < 1e-9);
        assert!(places[3] > places[2]);
        // One frame around the two siblings.
        assert_eq!(trie.svg("").finish().matches("c1 front").count(), 1);
    }
}
