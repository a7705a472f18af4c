//! Icicles: trees as stacked rows, each node as wide as the values below it.

use std::fmt::Write;

use super::svg::{Svg, short};

const WIDTH: f64 = 840.0;
const ROW: f64 = 15.0;
/// Deep trees have lower rows.
const MOST_HEIGHT: f64 = 260.0;
const AXIS: f64 = 18.0;
/// Blocks of at least this width may have a label.
const LABEL_WIDTH: f64 = 46.0;
const CHARACTER: f64 = 5.6;

/// A node of the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Left end, from 0 to 1.
    pub from: f64,
    /// Right end, from 0 to 1.
    pub to: f64,
    /// Depth; the root has 0.
    pub depth: u32,
    /// Strength of its colour, from 0 to 1.
    pub weight: f64,
    /// Its label; empty if it has none.
    pub label: String,
}

/// A tree as rows of blocks.
#[derive(Debug, Clone)]
pub struct Icicle {
    /// Text for screen readers.
    pub label: String,
    /// The nodes.
    pub blocks: Vec<Block>,
    /// Labels of the left and the right end of the axis.
    pub ends: Option<[String; 2]>,
    /// Maximum number of blocks that are drawn; the narrowest are left out.
    pub most: usize,
}

impl Icicle {
    /// Draws the tree as a part of a page.
    ///
    /// Blocks narrower than a pixel are not drawn. The blocks of one strength share a path, so that
    /// the drawing of a large tree stays small.
    ///
    /// ```
    /// use hedgerow::chart::{Block, Icicle};
    /// let root = Block { from: 0.0, to: 1.0, depth: 0, weight: 0.5, label: "all".into() };
    /// let tiny = Block { to: 1e-6, depth: 1, ..root.clone() };
    /// let blocks = vec![root, tiny];
    /// let svg = Icicle { label: String::new(), blocks, ends: None, most: 100 }.svg().finish();
    /// assert_eq!((svg.matches("<path").count(), svg.matches(">all<").count()), (1, 1));
    /// ```
    pub fn svg(&self) -> Svg {
        let n_rows = self.blocks.iter().map(|block| block.depth).max().unwrap_or(0) as f64 + 1.0;
        let row = ROW.min(MOST_HEIGHT / n_rows);
        let below = if self.ends.is_some() { AXIS } else { 0.0 };
        let mut svg = Svg::new(WIDTH, n_rows * row + below, &self.label);
        let least = self.least_width();
        let drawn = || self.blocks.iter().filter(|block| width(block) >= least);
        let mut paths: [String; 5] = std::array::from_fn(|_| String::new());
        for block in drawn() {
            // Rounded up, so that only a weight of 0 gets the weakest colour.
            let path = &mut paths[(block.weight.clamp(0.0, 1.0) * 4.0).ceil() as usize];
            let [x, y, wide] =
                [block.from * WIDTH, f64::from(block.depth) * row, (width(block) - 0.6).max(0.5)]
                    .map(short);
            let high = short(row - 1.0);
            let _ = write!(path, "M{x} {y}h{wide}v{high}h-{wide}z");
        }
        for (strength, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
            svg.path(&format!("b{strength}"), path);
        }
        // Labels on the strongest colour would be too faint.
        let has_room =
            |block: &&Block| row >= 12.0 && width(block) >= LABEL_WIDTH && block.weight <= 0.5;
        for block in drawn().filter(has_room).filter(|block| !block.label.is_empty()) {
            let most = (width(block) / CHARACTER) as usize - 1;
            let place = [block.from * WIDTH + 4.0, f64::from(block.depth) * row + 10.5];
            svg.text("ink small", place, &super::shortened(&block.label, most));
        }
        if let Some([left, right]) = &self.ends {
            let y = n_rows * row + 12.0;
            svg.text("", [0.0, y], &super::shortened(left, 40));
            svg.text("end", [WIDTH, y], &super::shortened(right, 40));
        }
        svg
    }

    /// The same tree with leaves of equal width and without texts, so that it shows its shape but
    /// no value.
    #[must_use]
    pub(crate) fn only_shape(mut self) -> Self {
        let mut edges: Vec<f64> =
            self.blocks.iter().flat_map(|block| [block.from, block.to]).collect();
        edges.sort_by(f64::total_cmp);
        edges.dedup();
        let last = edges.len().saturating_sub(1).max(1) as f64;
        // The rank of an edge replaces its position, which would reveal the distances of values.
        let even = |edge: f64| edges.partition_point(|other| *other < edge) as f64 / last;
        for block in &mut self.blocks {
            (block.from, block.to) = (even(block.from), even(block.to));
            block.label.clear();
        }
        Self { ends: None, ..self }
    }

    /// Returns the width below which blocks are not drawn: a pixel, or more if there would be too
    /// many.
    fn least_width(&self) -> f64 {
        let mut widths: Vec<f64> = self.blocks.iter().map(width).collect();
        widths.sort_by(|a, b| b.total_cmp(a));
        let next = widths.get(self.most).copied().unwrap_or(0.0);
        // Equal widths differ by rounding errors; all or none of them are drawn.
        if next >= 1.0 { next * (1.0 + 1e-9) } else { 1.0 }
    }
}

fn width(block: &Block) -> f64 {
    (block.to - block.from) * WIDTH
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(n_leaves: u32) -> Icicle {
        let leaf = |place: u32| Block {
            from: f64::from(place) / f64::from(n_leaves),
            to: f64::from(place + 1) / f64::from(n_leaves),
            depth: 1,
            weight: 1.0,
            label: String::new(),
        };
        let root = Block { from: 0.0, to: 1.0, depth: 0, weight: 0.0, label: "root".into() };
        let blocks = std::iter::once(root).chain((0..n_leaves).map(leaf)).collect();
        Icicle { label: String::new(), blocks, ends: None, most: 500 }
    }

    #[test]
    fn nothing_narrower_than_a_pixel_is_drawn() {
        for (n_leaves, n_drawn) in [(400, 401), (800, 1), (10_000, 1), (100_000, 1)] {
            let svg = tree(n_leaves).svg().finish();
            assert_eq!(svg.matches(['M']).count(), n_drawn, "{n_leaves}");
            assert!(svg.len() < 30_000, "{n_leaves}");
        }
    }

    #[test]
    fn the_shape_alone_tells_no_positions() {
        let mut tree = tree(3);
        for (block, to) in tree.blocks[1..].iter_mut().zip([0.1, 0.15, 1.0]) {
            block.to = to;
        }
        tree.blocks[2].from = 0.1;
        tree.blocks[3].from = 0.15;
        let ends: Vec<f64> = tree.only_shape().blocks.iter().map(|block| block.to).collect();
        assert_eq!(ends, [1.0, 1.0 / 3.0, 2.0 / 3.0, 1.0]);
    }
}
