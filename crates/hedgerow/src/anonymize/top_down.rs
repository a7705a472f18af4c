//! Top-down: starts with every value at its root and specializes while every class stays private.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::information::{self, Labels, children, rank};
use super::{Anonymizer, trace};
use crate::error::Advice;
use crate::hierarchy::{Generalization, Leaf, LeafOrAny, LeafRange, Node};
use crate::method::{Described, Description, Need, Parameter, Scope, Type};
use crate::noun::counted;
use crate::problem::{Attribute, Problem, Region, Tally};
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::Proposal;
use crate::table::Cohort;
use crate::{Error, Result};

/// Repeatedly replaces a published value by its children, as long as every class is private.
///
/// At the start every attribute publishes its root. A specialization of `v` is *valid* if all
/// classes stay private, and *beneficial* if the records of `v` have different class labels. The
/// valid and beneficial specialization of the highest score is applied:
/// `InfoGain(v) / (AnonyLoss(v) + 1)`, the information gained about the class column against the
/// decrease in size of the smallest class. Numbers and dates without a tree (`free`) are split in
/// two at the valid point of the highest gain. Without a class column every specialization is
/// beneficial, and the gain is the decrease of the mean cost of a cell.
///
/// # Complexity
///
/// `O(s w c)` for `s` specializations of `w` attributes over `c` cohorts, less where classes have
/// different values; `O(w c)` memory. If the privacy models allow pruning, a split that was invalid
/// once is not tried again.
///
/// # Guarantees
///
/// Global recoding: a value is published in the same way everywhere. Every class is private, and no
/// valid and beneficial specialization is left. Not optimal. Deterministic: scores that are equal
/// to twelve decimal places are ties, which go to the first attribute, then to the least leaf.
///
/// # References
///
/// \[Fung2007\] B. C. M. Fung, K. Wang, P. S. Yu: Anonymizing Classification Data for Privacy
/// Preservation, IEEE TKDE 19(5), 2007, doi 10.1109/TKDE.2007.1015; \[Fung2005\] the same authors:
/// Top-Down Specialization for Information and Privacy Preservation, ICDE 2005, doi
/// 10.1109/ICDE.2005.143, whose score (`score=icde`) is `InfoGain / AnonyLoss`, or `InfoGain` if
/// the loss is 0; METHODS 6.5. Deviations: one set of quasi-identifiers; suppression and models
/// other than k-anonymity, which the papers do not cover; the split point is the best valid one,
/// not the best of all.
///
/// # Examples
///
/// ```
/// use hedgerow::anonymize::TopDown;
/// use hedgerow::builder;
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::release::{Release, RowOrder, Style};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["age"], &[["30"], ["31"], ["50"], ["50"]])?;
/// let free = builder::build(&"free".parse()?, &table.columns()[0], None)?;
/// let problem = Problem::new(&table, vec![free], vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&TopDown::default(), &Silent)?;
/// let release = Release::new(&recoding, &Style::default(), &Silent)?;
/// let published: Vec<_> = release.rows(RowOrder::Input, &Silent)?.iter().map(|cells| cells[0].as_str()).collect();
/// assert_eq!(published, ["[30, 31]", "[30, 31]", "50", "50"]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct TopDown {
    /// The score that ranks specializations.
    pub score: Score,
}

impl Described for TopDown {
    const RECODING: Option<Scope> = Some(Scope::Global);

    const DESCRIPTION: Description = Description {
        name: "top-down",
        about: "specializes by information gain per anonymity loss; class column",
        reference: Some("Fung2007"),
        needs: &[Need::Levels],
        parameters: &[Parameter::new(
            "score",
            Type::Choice(&["tkde", "icde"]),
            "divides the gain by AnonyLoss + 1 (tkde) or by AnonyLoss (icde)",
        )
        .or("tkde")],
    };
}

/// The score that ranks specializations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Score {
    /// `InfoGain / (AnonyLoss + 1)`.
    #[default]
    Tkde,
    /// `InfoGain / AnonyLoss`, or `InfoGain` if the loss is 0.
    Icde,
}

impl Score {
    fn of(self, gain: f64, loss: u64) -> f64 {
        match (self, loss) {
            (Self::Tkde, loss) => gain / (loss as f64 + 1.0),
            (Self::Icde, 0) => gain,
            (Self::Icde, loss) => gain / loss as f64,
        }
    }
}

impl Anonymizer for TopDown {
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        if let Some(obstacle) = self.obstacle(problem) {
            return Err(Error::obstacle("top-down", obstacle, Vec::new()));
        }
        let mut search = Search::new(problem);
        // Only specializations that keep the goal are made, so the start must meet it.
        if search.n_failing() > problem.most_suppressed() {
            let problem = "method 'top-down' starts from one class of all records, which does not meet \
                           the privacy models";
            return Err(Error::unreachable(problem).advise([Advice::less()]));
        }
        let mut steps = Vec::new();
        while let Some(best) = search.best(self.score) {
            stop_if_cancelled(progress)?;
            steps.push(search.step(steps.len() + 1, &best));
            search.apply(best);
            progress.advance(steps.len() as u64, 0);
        }
        let mut proposal = Proposal::global(problem, &search.published())?;
        proposal.notes = vec![format!(
            "{}, {} of values",
            counted(steps.len(), "specialization"),
            counted(search.classes.len(), "combination")
        )];
        let header = ["step", "attribute", "node", "a-before", "a-after", "gain", "score", "vids"];
        proposal.trace = Some(trace::csv(header, &steps)?);
        Ok(proposal)
    }

    fn obstacle(&self, problem: &Problem) -> Option<Error> {
        problem.attributes().iter().find_map(|attribute| match attribute.generalization() {
            Generalization::Interval(_) if !attribute.leaves().contains(&LeafOrAny::ANY) => None,
            _ => information::tree_of(attribute).err(),
        })
    }
}

/// A published value: the leaves from `first` to `last`.
struct Value {
    first: Leaf,
    last: Leaf,
    /// Its node, if the attribute has a tree.
    node: Option<Node>,
    /// Its possible splits, the best last.
    splits: Vec<Split>,
}

/// A way to divide a value.
#[derive(Clone)]
struct Split {
    gain: f64,
    /// The first leaf of each part.
    starts: Vec<Leaf>,
}

struct Class {
    cohorts: Vec<Cohort>,
    size: u64,
    is_private: bool,
}

/// A specialization with its score, and the size of the smallest class before and after it.
struct Best {
    attribute: usize,
    value: usize,
    split: Split,
    score: f64,
    before: u64,
    after: u64,
}

/// The classes counted so far: the size of the smallest private class, and the number of records in
/// the other classes.
#[derive(Default)]
struct Sizes {
    smallest: Option<u64>,
    n_failing: u64,
}

impl Sizes {
    fn count(&mut self, size: u64, is_private: bool) {
        if is_private {
            self.smallest = Some(self.smallest.map_or(size, |smallest| smallest.min(size)));
        } else {
            self.n_failing += size;
        }
    }
}

struct Search<'a> {
    problem: &'a Problem,
    /// For each attribute, the class labels of the records of each leaf.
    labels: Vec<Vec<Labels>>,
    /// The published values of each attribute.
    values: Vec<Vec<Value>>,
    /// For each attribute, the value that contains each leaf.
    value_of: Vec<Vec<usize>>,
    classes: Vec<Class>,
}

impl<'a> Search<'a> {
    /// Starts with one class and every attribute at its root.
    fn new(problem: &'a Problem) -> Self {
        let attributes = problem.attributes();
        let labels = attributes.iter().map(|a| information::of_leaves(problem, a)).collect();
        let value_of = attributes.iter().map(|a| vec![0; a.n_leaves()]).collect();
        let cohorts = problem.cohorts().all().collect();
        let mut search =
            Self { problem, labels, values: Vec::new(), value_of, classes: Vec::new() };
        for (place, attribute) in attributes.iter().enumerate() {
            let root = attribute.generalization().hierarchy().map(|_| Node::ROOT);
            let leaves = Leaf::first(attribute.n_leaves());
            let all = search.value(place, leaves.start, leaves.greatest(), root);
            search.values.push(vec![all]);
        }
        search.classes.push(search.class(cohorts));
        search
    }

    fn class(&self, cohorts: Vec<Cohort>) -> Class {
        let goal = self.problem.goal();
        let mut tally = goal.tally();
        let counts = &self.problem.cohorts().counts;
        cohorts.iter().for_each(|&c| goal.add(&mut tally, c, counts[c.index()]));
        Class { cohorts, size: tally.size(), is_private: goal.holds(&tally) }
    }

    /// Makes a value with its beneficial splits.
    fn value(&self, attribute: usize, first: Leaf, last: Leaf, node: Option<Node>) -> Value {
        let of_leaves = &self.labels[attribute];
        let together = |leaves: LeafRange| {
            let mut labels = Labels::default();
            of_leaves[leaves.places()].iter().for_each(|of_leaf| labels.absorb(of_leaf));
            labels
        };
        let mut value = Value { first, last, node, splits: Vec::new() };
        let whole = together(LeafRange { start: first, end: last.next() });
        // All records have the same label, so no specialization is beneficial.
        if self.problem.class().is_some() && !whole.is_mixed() {
            return value;
        }
        let column = &self.problem.attributes()[attribute];
        if let Some((tree, node)) = column.generalization().hierarchy().zip(node) {
            let below = || children(tree, node).map(|child| tree.leaves_of(child));
            let parts: Vec<Labels> = below().map(together).collect();
            let nodes = [node].into_iter().chain(children(tree, node)).map(Region::Node);
            let costs: Vec<f64> = nodes.map(|region| column.cost(&region)).collect();
            let starts: Vec<Leaf> = below().map(|leaves| leaves.start).collect();
            if !starts.is_empty() {
                value.splits.push(Split { gain: self.gain(&parts, &costs), starts });
            }
            return value;
        }
        // Moving one leaf at a time to the left part updates the counts of all split points in
        // one pass.
        let mut parts = [Labels::default(), whole];
        for before in (LeafRange { start: first, end: last }) {
            let (start, moved) = (before.next(), &of_leaves[before.index()]);
            parts[0].absorb(moved);
            parts[1].remove(moved);
            let ranges = [(first, last), (first, before), (start, last)];
            let costs = ranges.map(|(first, last)| column.cost(&Region::Interval(first, last)));
            let gain = self.gain(&parts, &costs);
            value.splits.push(Split { gain, starts: vec![first, start] });
        }
        // The best split comes last; of equal ones, the leftmost point wins.
        value.splits.sort_by_key(|split| (rank(split.gain), Reverse(split.starts[1])));
        value
    }

    /// Returns `InfoGain`, or without a class column the decrease of the mean cost of a cell.
    /// `costs` holds the cost of the whole, followed by those of its parts.
    fn gain(&self, parts: &[Labels], costs: &[f64]) -> f64 {
        if self.problem.class().is_some() {
            return Labels::gap(parts.iter());
        }
        let falls = parts.iter().zip(&costs[1..]);
        let fall = |(part, cost): (&Labels, &f64)| part.n_records() as f64 * (costs[0] - cost);
        falls.map(fall).sum::<f64>().max(0.0) / self.problem.cohorts().n_records() as f64
    }

    /// Returns the size of the smallest private class.
    fn smallest(&self) -> u64 {
        let private = self.classes.iter().filter(|class| class.is_private);
        private.map(|class| class.size).min().unwrap_or(0)
    }

    fn n_failing(&self) -> u64 {
        let failing = self.classes.iter().filter(|class| !class.is_private);
        failing.map(|class| class.size).sum()
    }

    /// Returns the valid specialization of the highest score.
    fn best(&mut self, score: Score) -> Option<Best> {
        let before = self.smallest();
        let mut best: Option<Best> = None;
        for attribute in 0..self.values.len() {
            for value in 0..self.values[attribute].len() {
                // Taken out so that `self` can be borrowed, and put back below.
                let mut splits = std::mem::take(&mut self.values[attribute][value].splits);
                if let Some((place, after)) = self.best_valid(attribute, value, &mut splits) {
                    let split = splits[place].clone();
                    // AnonyLoss(v) is the decrease of the smallest class.
                    let score = score.of(split.gain, before.saturating_sub(after));
                    let found = Best { attribute, value, split, score, before, after };
                    if best.as_ref().is_none_or(|best| self.is_better(&found, best)) {
                        best = Some(found);
                    }
                }
                self.values[attribute][value].splits = splits;
            }
        }
        best
    }

    /// Returns the place of the best valid split of a value, and the size of the smallest private
    /// class after it.
    fn best_valid(
        &self,
        attribute: usize,
        value: usize,
        splits: &mut Vec<Split>,
    ) -> Option<(usize, u64)> {
        let can_prune = self.problem.goal().prunes(self.problem.most_suppressed());
        for place in (0..splits.len()).rev() {
            if let Some(after) = self.smallest_after(attribute, value, &splits[place]) {
                return Some((place, after));
            }
            if can_prune {
                splits.truncate(place); // an invalid split stays invalid
            }
        }
        None
    }

    /// Whether a specialization beats the best so far; ties go to the first attribute, then to the
    /// least leaf.
    fn is_better(&self, found: &Best, best: &Best) -> bool {
        let other = &self.values[best.attribute][best.value];
        let order = rank(found.score).cmp(&rank(best.score));
        let is_before = || found.attribute == best.attribute && found.split.starts[0] < other.first;
        order.is_gt() || order.is_eq() && is_before()
    }

    /// Returns the size of the smallest private class after a split, or `None` if more records
    /// would fail than may be suppressed.
    fn smallest_after(&self, attribute: usize, value: usize, split: &Split) -> Option<u64> {
        let goal = self.problem.goal();
        let column = &self.problem.attributes()[attribute];
        let counts = &self.problem.cohorts().counts;
        let mut parts: Vec<Tally> = vec![goal.tally(); split.starts.len()];
        let mut sizes = Sizes::default();
        for class in &self.classes {
            // All cohorts of a class share a value, so the first one decides.
            if self.value_of[attribute][column.known_leaf(class.cohorts[0]).index()] != value {
                sizes.count(class.size, class.is_private);
                continue;
            }
            parts.iter_mut().for_each(Tally::clear);
            for &cohort in &class.cohorts {
                let part = split.part(column.known_leaf(cohort));
                goal.add(&mut parts[part], cohort, counts[cohort.index()]);
            }
            let filled = parts.iter().filter(|part| part.size() > 0);
            filled.for_each(|part| sizes.count(part.size(), goal.holds(part)));
            // The number of failing records only grows, so the split is invalid.
            if sizes.n_failing > self.problem.most_suppressed() {
                return None;
            }
        }
        let is_valid = sizes.n_failing <= self.problem.most_suppressed();
        is_valid.then_some(sizes.smallest.unwrap_or(0))
    }

    /// Applies a specialization.
    fn apply(&mut self, best: Best) {
        let Best { attribute, value, split, .. } = best;
        let problem = self.problem;
        let column = &problem.attributes()[attribute];
        let old = &self.values[attribute][value];
        let (last, node) = (old.last, old.node);
        let tree = column.generalization().hierarchy();
        let mut below = tree.zip(node).map(|(tree, node)| children(tree, node));
        let mut places = Vec::new();
        for (place, &first) in split.starts.iter().enumerate() {
            let next = split.starts.get(place + 1);
            let last = next.map_or(last, |&end| LeafRange { start: first, end }.greatest());
            let part = self.value(attribute, first, last, below.as_mut().and_then(Iterator::next));
            // The first part takes the place of the old value, so other values keep their numbers.
            let at = if place == 0 { value } else { self.values[attribute].len() };
            places.push(at);
            match self.values[attribute].get_mut(at) {
                Some(old) => *old = part,
                None => self.values[attribute].push(part),
            }
        }
        let value_of = &self.value_of[attribute];
        let is_split =
            |class: &Class| value_of[column.known_leaf(class.cohorts[0]).index()] == value;
        // Only classes that contain the old value are divided.
        let (divided, kept) = std::mem::take(&mut self.classes).into_iter().partition(is_split);
        self.classes = kept;
        for class in divided {
            let mut parts = vec![Vec::new(); split.starts.len()];
            for cohort in class.cohorts {
                parts[split.part(column.known_leaf(cohort))].push(cohort);
            }
            parts.retain(|cohorts| !cohorts.is_empty());
            let classes: Vec<Class> =
                parts.into_iter().map(|cohorts| self.class(cohorts)).collect();
            self.classes.extend(classes);
        }
        for &place in &places {
            let Value { first, last, .. } = self.values[attribute][place];
            self.value_of[attribute][first.index()..=last.index()].fill(place);
        }
    }

    /// Formats a line of the trace.
    fn step(&self, number: usize, best: &Best) -> [String; 8] {
        let column = &self.problem.attributes()[best.attribute];
        let value = &self.values[best.attribute][best.value];
        [
            number.to_string(),
            column.name().to_owned(),
            label(column, value),
            best.before.to_string(),
            best.after.to_string(),
            format!("{:.6}", best.split.gain),
            format!("{:.6}", best.score),
            self.classes.len().to_string(),
        ]
    }

    /// Returns the published region of each leaf of each attribute.
    fn published(&self) -> Vec<Vec<Region>> {
        let of = |(values, value_of): (&Vec<Value>, &Vec<usize>)| {
            value_of.iter().map(|&value| values[value].region()).collect()
        };
        self.values.iter().zip(&self.value_of).map(of).collect()
    }
}

impl Value {
    fn region(&self) -> Region {
        self.node.map_or(Region::Interval(self.first, self.last), Region::Node)
    }
}

impl Split {
    fn part(&self, leaf: Leaf) -> usize {
        self.starts.partition_point(|&start| start <= leaf) - 1
    }
}

fn label(column: &Attribute, value: &Value) -> String {
    match column.generalization().hierarchy().zip(value.node) {
        Some((tree, node)) => tree.label(node).into_owned(),
        None => {
            let [first, last] = [value.first, value.last].map(|leaf| column.spelling(leaf));
            column.values().interval(&first, &last)
        }
    }
}
