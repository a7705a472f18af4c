//! Hierarchies with the least expected loss.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::{Deserialize, Serialize};

use super::{Iotf, Line, NumericBuilder, Ranges};
use crate::Result;
use crate::method::{Described, Description, Need, Parameter, Type};

/// Number of ranges that are arranged at once.
const WINDOW: usize = 128;

/// Arranges the values so that records reach the class size they need within the narrowest range.
///
/// A record is published with the lowest node above its value that has enough records. The number
/// that is enough depends on `k` and on the other columns, which a hierarchy does not know.
/// Therefore the needed number `s` is modelled by the power law `P(s > x) = x^-tail`, which gives
/// weight to every order of magnitude. The tree minimises the expected width of that node, summed
/// over the records: each node below the root, with `c` records, adds `c^(1 - tail)` times the
/// difference between its parent's width and its own.
///
/// With `tail = 1` this is the sum of the widths of all nodes, which `iotf` reduces greedily
/// without considering counts. The smaller `tail` is, the more a cut through many records costs.
///
/// # Complexity
///
/// `O(m w^2)` time and `O(m + w^2)` memory for `m` distinct values and windows of `w = 128`, plus a
/// sort. Up to `w` values are arranged by dynamic programming over all ranges of neighbours. If
/// there are more values, the tree of `iotf` is opened at its widest nodes until there are `w`
/// parts; these are arranged in the same way, and then the inside of each part.
///
/// # Guarantees
///
/// No tree over up to 128 distinct values, binary or not, has a smaller expected width. With more
/// values, each window is optimal but the whole tree need not be; its expected width is never
/// greater than that of the tree of `iotf`. Deterministic; of equally good cuts (up to a relative
/// `1e-12`) the leftmost is chosen. The tree is binary, and the same for every `k`. The loss of a
/// release also depends on the anonymizer, so it can still be greater than with `iotf`;
/// `docs/book/src/notes/least-loss.md` has figures.
///
/// # References
///
/// None; the method is our own. METHODS 1.11.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{HierarchyBuilder, LeastLoss};
/// use hedgerow::table::Table;
/// // Most records have the value 2 or 3, so these are merged first.
/// let rows = [vec![["1"]], vec![["2"]; 10], vec![["3"]; 10], vec![["4"]]].concat();
/// let table = Table::from_rows(&["x"], &rows)?;
/// let tree = LeastLoss::default().build(&table.columns()[0])?;
/// assert_eq!(tree.hierarchy().unwrap().outline(), "[1-4](1,[2-4]([2-3](2,3),4))");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LeastLoss {
    /// Exponent of the power law by which large class sizes become rare; above 0, at most 1.
    pub tail: f64,
}

impl Default for LeastLoss {
    /// The value that lost least on three columns of Adult; `docs/book/src/notes/least-loss.md` has
    /// the table.
    fn default() -> Self {
        Self { tail: 0.7 }
    }
}

impl Described for LeastLoss {
    const DESCRIPTION: Description = Description {
        name: "least-loss",
        about: "numbers: the tree with the least expected width of published ranges",
        reference: None,
        needs: &[Need::Scale],
        parameters: &[Parameter::new(
            "tail",
            Type::SHARE,
            "how fast large class sizes become rare",
        )
        .or("0.7")],
    };
}

impl NumericBuilder for LeastLoss {
    fn ranges(&self, line: &Line) -> Result<Ranges> {
        let narrowest = Iotf.ranges(line)?;
        let is_inner = |node: &usize| narrowest[*node].1 - narrowest[*node].0 > 1;
        let mut window = Window::new(line, 1.0 - self.tail);
        let mut ranges: Ranges = (0..line.len() as u32).map(|i| (i, i + 1)).collect();
        let mut open: Vec<usize> = Some(0).filter(is_inner).into_iter().collect();
        while let Some(node) = open.pop() {
            let parts = widest_parts(line, &narrowest, node);
            let starts = parts.iter().map(|&part| narrowest[part].0);
            window.arrange(starts.chain([narrowest[node].1]).collect());
            window.append_to(&mut ranges);
            open.extend(parts.into_iter().filter(is_inner));
        }
        // In pre-order, ranges are sorted by start, wider ones first.
        ranges.sort_unstable_by_key(|&(start, end)| (start, Reverse(end)));
        Ok(ranges)
    }
}

/// Opens the widest nodes below `root` until there are `WINDOW` parts or none can be opened.
///
/// `tree` is a binary tree in pre-order. Of equally wide nodes the leftmost is opened first.
/// Returns the parts from left to right.
fn widest_parts(line: &Line, tree: &[(u32, u32)], root: usize) -> Vec<usize> {
    // Widths are not negative, so their bit patterns sort like their values.
    let with_width = |node: usize| {
        let (start, end) = tree[node];
        let width = line.positions[end as usize - 1] - line.positions[start as usize];
        (width.to_bits(), Reverse(node))
    };
    let mut inner = BinaryHeap::from([with_width(root)]);
    let mut parts = Vec::new();
    while inner.len() + parts.len() < WINDOW
        && let Some((_, Reverse(node))) = inner.pop()
    {
        // A binary subtree over `n` leaves has `2n - 1` nodes.
        let left = node + 1;
        let n_left = (tree[left].1 - tree[left].0) as usize;
        for child in [left, left + 2 * n_left - 1] {
            if tree[child].1 - tree[child].0 == 1 {
                parts.push(child);
            } else {
                inner.push(with_width(child));
            }
        }
    }
    parts.extend(inner.into_iter().map(|(_, Reverse(node))| node));
    parts.sort_unstable();
    parts
}

/// Neighbouring parts, and the best tree over each range of them.
struct Window<'a> {
    line: &'a Line,
    exponent: f64,
    /// Number of records before each value, and of all records.
    before: Vec<f64>,
    /// The start of each part, and the end of the last one.
    edges: Vec<u32>,
    /// The weights `c^exponent` of the parts `i..j`, at `(i, j)` and at `(j, i)`.
    weights: Vec<f64>,
    /// The costs of the best tree over the parts `i..j`, at `(i, j)` and at `(j, i)`.
    costs: Vec<f64>,
    /// The cut of that tree, at `(i, j)`.
    cuts: Vec<usize>,
}

impl<'a> Window<'a> {
    fn new(line: &'a Line, exponent: f64) -> Self {
        let mut n_before = 0;
        let add = |count: &u64| {
            n_before += count;
            n_before as f64
        };
        let before = [0.0].into_iter().chain(line.counts.iter().map(add)).collect();
        let [weights, costs] = [Vec::new(), Vec::new()];
        Self { line, exponent, before, edges: Vec::new(), weights, costs, cuts: Vec::new() }
    }

    /// Finds the best tree over the parts between `edges`.
    fn arrange(&mut self, edges: Vec<u32>) {
        let side = edges.len();
        self.edges = edges;
        self.weights.resize(side * side, 0.0);
        self.costs.resize(side * side, 0.0);
        self.cuts.resize(side * side, 0);
        // All ranges inside `i..j` are complete when it is reached.
        for j in 1..side {
            for i in (0..j).rev() {
                let (start, end) = (self.edges[i] as usize, self.edges[j] as usize);
                let weight = (self.before[end] - self.before[start]).powf(self.exponent);
                let (mut cost, mut cut) = (0.0, i);
                if j - i > 1 {
                    // METHODS 1.11: width * (weight of left + weight of right - weight).
                    let width = self.line.positions[end - 1] - self.line.positions[start];
                    (cost, cut) = self.best_cut(i, j, width);
                    cost -= width * weight;
                }
                // Stored in both halves of the matrix, so that `best_cut` reads two contiguous
                // rows.
                for place in [i * side + j, j * side + i] {
                    self.weights[place] = weight;
                    self.costs[place] = cost;
                }
                self.cuts[i * side + j] = cut;
            }
        }
    }

    /// Returns the leftmost best cut of `i..j` and, before it, the sum to be minimised.
    ///
    /// The sum is that of the costs, and of the weights times `width`, on both sides of the cut.
    fn best_cut(&self, i: usize, j: usize, width: f64) -> (f64, usize) {
        let side = self.edges.len();
        let of = |row: usize| {
            let inside = row * side + i + 1..row * side + j;
            self.costs[inside.clone()].iter().zip(&self.weights[inside])
        };
        let mut best = (f64::INFINITY, i + 1);
        for (cut, (left, right)) in (i + 1..).zip(of(i).zip(of(j))) {
            let cost = (left.0 + right.0) + width * (left.1 + right.1);
            if cost < best.0 * (1.0 - 1e-12) {
                best = (cost, cut);
            }
        }
        best
    }

    /// Appends the inner nodes of the best tree over all parts.
    fn append_to(&self, ranges: &mut Ranges) {
        let side = self.edges.len();
        let mut open = vec![(0, side - 1)];
        while let Some((i, j)) = open.pop() {
            if j - i > 1 {
                ranges.push((self.edges[i], self.edges[j]));
                let cut = self.cuts[i * side + j];
                open.extend([(i, cut), (cut, j)]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_nodes_are_opened_and_cover_all_values() {
        let n_values = 10 * WINDOW;
        let positions: Vec<f64> = (0..n_values).map(|i| (i * i) as f64).collect();
        let line = Line { positions, counts: vec![1; n_values] };
        let tree = Iotf.ranges(&line).unwrap();
        let parts = widest_parts(&line, &tree, 0);
        assert_eq!(parts.len(), WINDOW);
        assert_eq!((tree[parts[0]].0, tree[parts[WINDOW - 1]].1), (0, n_values as u32));
        assert!(parts.windows(2).all(|two| tree[two[0]].1 == tree[two[1]].0));
        let width = |(start, end): (u32, u32)| {
            line.positions[end as usize - 1] - line.positions[start as usize]
        };
        let widest = parts.iter().map(|&part| width(tree[part])).fold(0.0, f64::max);
        let is_part = |node: usize| parts.binary_search(&node).is_ok();
        let is_inside = |node: usize| {
            parts.iter().any(|&part| tree[part].0 <= tree[node].0 && tree[node].1 <= tree[part].1)
        };
        let opened = (0..tree.len()).filter(|&node| !is_part(node) && !is_inside(node));
        assert!(opened.map(|node| width(tree[node])).all(|opened| opened >= widest));
    }
}
