//! C4.5: a decision tree, for measuring the accuracy with which a table predicts a column.

use super::examples::Examples;
use super::split::Growth;

/// A decision tree that predicts a label from codes.
///
/// A node tests one attribute: all its values, or whether it is at most a threshold. Among the
/// attributes whose information gain is at least average (within 1e-3), it selects the one with the
/// largest gain ratio. At least two branches must get two records or more; both sides of a
/// threshold need a tenth of the mean number of records per label, but at least 2 and at most 25. A
/// grown tree is pruned bottom-up: a node becomes a leaf if it is then expected to make at most 0.1
/// more errors, where `e` errors in `n` records count as the upper end of their confidence interval
/// (25 %). Ties go to the first attribute, the lower threshold, and the smallest label. A value
/// that did not occur in a node in training gets the most frequent label of that node.
///
/// # Complexity
///
/// `O(p d m)` for `m` examples of `p` attributes with fewer values than that and a tree of depth
/// `d`, and `O(p d m log m)` at most.
///
/// # Guarantees
///
/// Deterministic, independent of the order of the examples. Greedy: not the best tree. Not
/// recursive.
///
/// # References
///
/// \[Quinlan1993\] J. R. Quinlan: C4.5: Programs for Machine Learning, Morgan Kaufmann 1993;
/// \[Quinlan1996\] for thresholds, whose gain is reduced by `log2(d - 1) / n` for `d` values;
/// METHODS 4.3. Left out: dividing records between branches (a missing value is a value),
/// windowing, grouping of values, and subtree raising.
///
/// # Examples
///
/// ```
/// use hedgerow::classify::{C45, Examples};
/// // Two attributes; the label is the first.
/// let codes = vec![0, 5, 0, 6, 1, 5, 1, 6];
/// let examples = Examples {
///     is_ordered: vec![false, false],
///     codes,
///     labels: vec![0, 0, 1, 1],
///     weights: vec![3, 2, 4, 1],
/// };
/// let tree = C45::grow(&examples);
/// assert_eq!((tree.predict(&[0, 6]), tree.predict(&[1, 7])), (0, 1));
/// assert_eq!(tree.n_errors(&examples), 0);
/// ```
#[derive(Debug, Clone)]
pub struct C45 {
    /// The nodes in an order in which parents come before their children; the root is first.
    nodes: Vec<Node>,
}

#[derive(Debug, Clone)]
struct Node {
    /// The most frequent label.
    label: u32,
    n_records: u64,
    n_errors: u64,
    split: Option<Split>,
}

#[derive(Debug, Clone)]
struct Split {
    attribute: usize,
    /// The largest code of the first branch; `None` if every code has its own branch.
    threshold: Option<u32>,
    /// The smallest code and the node of each branch, sorted by code.
    branches: Vec<(u32, usize)>,
}

impl C45 {
    /// Grows a tree and prunes it.
    pub fn grow(examples: &Examples) -> Self {
        let mut members: Vec<u32> = (0..examples.labels.len() as u32).collect();
        // Examples whose records are all in other folds have weight 0.
        members.retain(|&member| examples.weights[member as usize] > 0);
        let growth = Growth::of(examples);
        let n_labels = growth.n_labels;
        let mut tree = Self { nodes: vec![Node::leaf(examples, &members, n_labels)] };
        let mut open = vec![(0, 0, members.len())];
        // A stack of open nodes instead of recursion: trees can be as deep as there are records.
        while let Some((node, start, end)) = open.pop() {
            let members = &mut members[start..end];
            let Some((attribute, threshold)) = growth.best_split(members) else { continue };
            let code = |&member: &u32| examples.row(member as usize)[attribute];
            // Sorting groups the branches; the index makes the order independent of earlier sorts.
            members.sort_unstable_by_key(|member| (code(member), *member));
            let is_together = |a: &u32, b: &u32| match threshold {
                Some(threshold) => (code(a) <= threshold) == (code(b) <= threshold),
                None => code(a) == code(b),
            };
            let mut branches = Vec::new();
            let mut at = start;
            for branch in members.chunk_by(is_together) {
                open.push((tree.nodes.len(), at, at + branch.len()));
                at += branch.len();
                // `chunk_by` goes through ascending codes, so branches are sorted for the binary
                // search.
                branches.push((code(&branch[0]), tree.nodes.len()));
                tree.nodes.push(Node::leaf(examples, branch, n_labels));
            }
            tree.nodes[node].split = Some(Split { attribute, threshold, branches });
        }
        tree.prune();
        tree
    }

    /// Turns every node whose branches are not expected to avoid errors into a leaf.
    fn prune(&mut self) {
        let mut expected = vec![0.0; self.nodes.len()];
        // Children come after their parents, so the reverse order visits them first.
        for place in (0..self.nodes.len()).rev() {
            let node = &mut self.nodes[place];
            let as_leaf = pessimistic_errors(node.n_records, node.n_errors);
            expected[place] = as_leaf;
            if let Some(split) = &node.split {
                let below = split.branches.iter().map(|&(_, branch)| expected[branch]).sum::<f64>();
                // A branch must avoid more than a tenth of an error.
                if as_leaf <= below + 0.1 {
                    node.split = None;
                } else {
                    expected[place] = below;
                }
            }
        }
    }

    /// The predicted label of a record.
    pub fn predict(&self, row: &[u32]) -> u32 {
        let mut node = &self.nodes[0];
        while let Some(next) = node.split.as_ref().and_then(|split| split.branch(row)) {
            node = &self.nodes[next];
        }
        node.label
    }

    /// Number of records in `examples` whose label is predicted wrongly.
    pub fn n_errors(&self, examples: &Examples) -> u64 {
        let known = examples.labels.iter().zip(&examples.weights).enumerate();
        let wrong =
            known.filter(|(place, (label, _))| self.predict(examples.row(*place)) != **label);
        wrong.map(|(_, (_, weight))| weight).sum()
    }

    /// Number of reachable leaves; pruned nodes stay in memory.
    pub fn n_leaves(&self) -> usize {
        let mut open = vec![0];
        let mut n_leaves = 0;
        while let Some(node) = open.pop() {
            match &self.nodes[node].split {
                None => n_leaves += 1,
                Some(split) => open.extend(split.branches.iter().map(|(_, branch)| *branch)),
            }
        }
        n_leaves
    }
}

impl Node {
    fn leaf(examples: &Examples, members: &[u32], n_labels: usize) -> Self {
        let counts = examples.label_counts(members, n_labels);
        let n_records = counts.iter().sum();
        let most = counts.iter().copied().max().unwrap_or(0);
        // `position` finds the first, so ties go to the smallest label.
        let label = counts.iter().position(|&count| count == most).unwrap_or(0) as u32;
        Self { label, n_records, n_errors: n_records - most, split: None }
    }
}

impl Split {
    fn branch(&self, row: &[u32]) -> Option<usize> {
        let code = row[self.attribute];
        let place = match self.threshold {
            Some(threshold) => usize::from(code > threshold),
            None => self.branches.binary_search_by_key(&code, |branch| branch.0).ok()?,
        };
        Some(self.branches[place].1)
    }
}

/// The pessimistic number of errors of a leaf: the upper end of the confidence interval (25 %) of
/// `n_errors` among `n_records`.
fn pessimistic_errors(n_records: u64, n_errors: u64) -> f64 {
    const CONFIDENCE: f64 = 0.25;
    /// The squared z-score that a normal variable exceeds with probability `CONFIDENCE`.
    const Z2: f64 = 0.454_936_423_119_572_8;
    let (n, e) = (n_records as f64, n_errors as f64);
    if n_errors == 0 {
        // Without errors the binomial bound is exact: (1 - p)^n = confidence.
        return n * (1.0 - CONFIDENCE.powf(1.0 / n.max(1.0)));
    }
    if e + 0.5 >= n {
        // Nearly all records are errors, where the approximation below does not apply.
        return e + 0.67 * (n - e);
    }
    // The normal approximation of the binomial interval, with a continuity correction of half an
    // error.
    let errors = e + 0.5;
    let spread = (Z2 * (errors * (1.0 - errors / n) + Z2 / 4.0)).sqrt();
    n * (errors + Z2 / 2.0 + spread) / (n + Z2)
}

#[cfg(test)]
mod tests {
    use super::super::split::{Run, division};
    use super::*;

    /// Quinlan's weather data: outlook (sunny, overcast, rainy), temperature, humidity, windy, and
    /// whether to play.
    const WEATHER: [[u32; 5]; 14] = [
        [0, 85, 85, 0, 0],
        [0, 80, 90, 1, 0],
        [1, 83, 86, 0, 1],
        [2, 70, 96, 0, 1],
        [2, 68, 80, 0, 1],
        [2, 65, 70, 1, 0],
        [1, 64, 65, 1, 1],
        [0, 72, 95, 0, 0],
        [0, 69, 70, 0, 1],
        [2, 75, 80, 0, 1],
        [0, 75, 70, 1, 1],
        [1, 72, 90, 1, 1],
        [1, 81, 75, 0, 1],
        [2, 71, 91, 1, 0],
    ];

    fn weather() -> Examples {
        Examples {
            is_ordered: vec![false, true, true, false],
            codes: WEATHER.iter().flat_map(|row| row[..4].to_vec()).collect(),
            labels: WEATHER.iter().map(|row| row[4]).collect(),
            weights: vec![1; WEATHER.len()],
        }
    }

    /// Sunny days split on humidity (at most 70; the book's 75 divides them the same way), rainy
    /// days on wind, and overcast days are a leaf.
    #[test]
    fn the_weather_gives_the_tree_of_the_book() {
        let tree = C45::grow(&weather());
        assert_eq!(tree.n_leaves(), 5);
        assert_eq!(tree.n_errors(&weather()), 0);
        let root = tree.nodes[0].split.as_ref().unwrap();
        assert_eq!((root.attribute, root.threshold), (0, None));
        let of_sunny = tree.nodes[root.branches[0].1].split.as_ref().unwrap();
        assert_eq!((of_sunny.attribute, of_sunny.threshold), (2, Some(70)));
        assert_eq!(tree.nodes[root.branches[2].1].split.as_ref().unwrap().attribute, 3);
        assert_eq!([70, 71].map(|humidity| tree.predict(&[0, 75, humidity, 0])), [1, 0]);
    }

    #[test]
    fn an_unknown_value_gets_the_commonest_label() {
        assert_eq!(C45::grow(&weather()).predict(&[9, 70, 70, 0]), 1);
    }

    #[test]
    fn gains_of_the_weather_are_those_of_the_book() {
        let days = weather();
        let runs = |attribute: usize| {
            let mut members: Vec<usize> = (0..14).collect();
            let key = |&day: &usize| (days.row(day)[attribute], days.labels[day]);
            members.sort_by_key(key);
            let runs = members.chunk_by(|a, b| key(a) == key(b));
            let run = |run: &[usize]| (key(&run[0]), run.len() as u64);
            let runs = runs.map(run).map(|((code, label), count)| Run { code, label, count });
            runs.collect::<Vec<_>>()
        };
        let outlook = division(&runs(0), &[5, 9]).unwrap();
        assert!((outlook.gain - 0.2467).abs() < 1e-4 && (outlook.info - 1.5774).abs() < 1e-4);
        let windy = division(&runs(3), &[5, 9]).unwrap();
        assert!((windy.gain - 0.0481).abs() < 1e-4);
    }

    #[test]
    fn pessimistic_errors_are_those_of_the_book() {
        for (n, e, wanted) in [(6, 0, 0.206), (9, 0, 0.143), (1, 0, 0.75), (16, 1, 0.157)] {
            let share = pessimistic_errors(n, e) / n as f64;
            assert!((share - wanted).abs() < 3e-3, "{e} of {n}: {share}");
        }
    }

    /// A column with one value tells nothing, ordered or not.
    #[test]
    fn a_column_with_one_value_is_not_split() {
        for is_ordered in [true, false] {
            let examples = Examples {
                is_ordered: vec![is_ordered],
                codes: vec![7; 5],
                labels: vec![0, 1, 1, 0, 1],
                weights: vec![1; 5],
            };
            let tree = C45::grow(&examples);
            assert_eq!((tree.nodes.len(), tree.predict(&[7]), tree.predict(&[0])), (1, 1, 1));
            assert_eq!(tree.n_errors(&examples), 2);
        }
    }

    #[test]
    fn noise_is_pruned() {
        let labels = [0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];
        let codes = (0..12).flat_map(|x| [x % 3, x % 2]).collect();
        let is_ordered = vec![false, false];
        let noise = Examples { is_ordered, codes, labels: labels.to_vec(), weights: vec![1; 12] };
        assert_eq!(C45::grow(&noise).n_leaves(), 1);
    }

    /// The depth is the number of thresholds and must not be limited by the stack.
    #[test]
    fn deep_trees_and_many_records_do_no_harm() {
        let n = 4_000;
        let labels = (0..n).map(|x| x / 8 % 2).collect();
        let examples = Examples {
            is_ordered: vec![true],
            codes: (0..n).collect(),
            labels,
            weights: vec![4; n as usize],
        };
        let tree = C45::grow(&examples);
        assert!(tree.n_errors(&examples) < u64::from(4 * n / 2));
    }
}
