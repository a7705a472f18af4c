//! Checks one quasi-identifier of a release from its files.

use std::collections::BTreeSet;

use hedgerow::hierarchy::{Generalization, Hierarchy, Node, RareValues};
use hedgerow::table::MissingPolicy;
use proptest::prelude::*;

use super::Judged;
use crate::second::{Cell, Values, is_blank};

/// A quasi-identifier in the table and in the release.
struct Column<'a> {
    name: &'a str,
    values: Values<'a>,
    tree: Option<Hierarchy>,
    /// Label of the root of the tree or of the levels.
    root: Cell,
    /// Value of each record. `after` has its published text, and `cells` the meaning of that text.
    before: Vec<&'a str>,
    after: Vec<Vec<&'a str>>,
    cells: Vec<Cell>,
    /// Second possible meaning of a text that is also a value: `{a, b}` may be a set of two.
    others: Vec<Cell>,
    /// The published texts in a style that shows the ends of intervals.
    plain: Vec<Vec<&'a str>>,
}

impl Judged<'_> {
    /// Checks that the published cells of a column are true, that they reveal no rare value which
    /// must be hidden, and that the outcome counts them correctly. Returns whether the revealed
    /// values are known exactly.
    pub(crate) fn check_column(&self, name: &str) -> Result<bool, TestCaseError> {
        let values = self.values(name);
        let before = self.table.column(name);
        let plain = self.plain.quasi(name);
        let generalization = self.generalization(name);
        let root = match &generalization {
            Generalization::Tree(tree) => values.read(&[&tree.label(Node::ROOT)]),
            Generalization::Levels(levels) => values.read(&[&levels.label(levels.root())]),
            _ => Cell::Anything,
        };
        let column = Column {
            name,
            tree: generalization.hierarchy().cloned(),
            root,
            before: self.rows().into_iter().map(|row| before[row]).collect(),
            after: self.release.quasi(name),
            cells: plain.iter().map(|shown| values.read(shown)).collect(),
            others: plain.iter().map(|shown| values.read_otherwise(shown)).collect(),
            plain,
            values,
        };
        self.check_truth(&column)?;
        self.check_middles(&column)?;
        if self.job.rare_values == RareValues::Hide {
            self.check_hiding(&column)?;
        }
        self.check_filled(&column)?;
        self.check_spelled(&column)
    }

    /// Checks that every cell covers the value of its record.
    fn check_truth(&self, column: &Column<'_>) -> Result<(), TestCaseError> {
        let is_wildcard = self.job.missing == MissingPolicy::Wildcard;
        for (row, value) in column.before.iter().enumerate() {
            let is_wild = is_wildcard && column.values.is_missing(value);
            let is_true = is_wild || column.covers(row, self.case.k());
            prop_assert!(is_true, "'{value}' {}", self.context(column, row));
        }
        Ok(())
    }

    /// Checks that a text which differs from the plain style is the midpoint of an interval.
    fn check_middles(&self, column: &Column<'_>) -> Result<(), TestCaseError> {
        for row in (0..column.cells.len()).filter(|&row| !column.is_plain(row)) {
            let ends = match &column.cells[row] {
                Cell::Ends(low, high) => Some((number(low), number(high))),
                Cell::Anything => Some(column.whole()),
                _ => None,
            };
            let middle = ends.map_or(f64::NAN, |(low, high)| f64::midpoint(low, high));
            let difference = (number(column.after[row][0]) - middle).abs();
            let is_middle = difference <= 1e-9 * middle.abs().max(1.0);
            prop_assert!(is_middle, "{middle} {}", self.context(column, row));
        }
        Ok(())
    }

    /// Checks that no cell reveals a value of fewer than `k` records.
    fn check_hiding(&self, column: &Column<'_>) -> Result<(), TestCaseError> {
        for (row, cell) in column.cells.iter().enumerate() {
            for spelled in cell.spelled() {
                let n_records = column.values.n_records(spelled);
                let may_be_shown = n_records == 0 || n_records >= self.case.k();
                let may_be_shown = may_be_shown || column.is_group(spelled) || column.is_set(row);
                prop_assert!(may_be_shown, "{spelled} {}", self.context(column, row));
            }
        }
        Ok(())
    }

    /// Checks the number of records whose value is missing but that are published with one.
    fn check_filled(&self, column: &Column<'_>) -> Result<(), TestCaseError> {
        let is_filled = |(value, shown): (&&str, &Vec<&str>)| {
            let says_nothing = is_blank(shown[0]) || column.values.is_missing(shown[0]);
            column.values.is_missing(value) && !says_nothing
        };
        let n_filled = column.before.iter().zip(&column.after).filter(|&pair| is_filled(pair));
        let is_wildcard = self.job.missing == MissingPolicy::Wildcard;
        let n_filled = if is_wildcard { n_filled.count() as u64 } else { 0 };
        let counted = self.outcome.exposure.filled.get(column.name).copied().unwrap_or(0);
        prop_assert_eq!(counted, n_filled, "{}\n{:?}", column.name, self.job);
        Ok(())
    }

    /// Checks the number of values that are spelled out, and of the rare ones among them. If a
    /// group has the name of a value, a value is spelled `*` or like a set of others, or bounds are
    /// empty, the files do not determine which of the two is published.
    fn check_spelled(&self, column: &Column<'_>) -> Result<bool, TestCaseError> {
        let (mut sure, mut possible) = (BTreeSet::new(), BTreeSet::new());
        for (row, cell) in column.cells.iter().enumerate() {
            let texts = match cell {
                Cell::Ends(low, high) if !column.is_plain(row) && low != high => Vec::new(),
                Cell::Anything => column.plain[row].clone(),
                _ if column.is_set(row) => [cell.spelled(), column.others[row].spelled()].concat(),
                _ => cell.spelled(),
            };
            for text in texts.into_iter().filter(|text| column.values.n_records(text) > 0) {
                possible.insert(column.values.key(text));
                let is_hidden = is_blank(text) || *cell == Cell::Anything;
                if !is_hidden && !column.is_group(text) && !column.is_set(row) {
                    sure.insert(column.values.key(text));
                }
            }
        }
        let n_rare = |keys: &BTreeSet<String>| {
            keys.iter().filter(|key| column.values.n_records(key) < self.case.k()).count()
        };
        let reported = self.outcome.exposure.spelled[column.name];
        let (values, rare) = (sure.len()..=possible.len(), n_rare(&sure)..=n_rare(&possible));
        let is_counted = values.contains(&reported.values) && rare.contains(&reported.rare);
        let what = || format!("{reported:?}, counted {sure:?} to {possible:?} of {}", column.name);
        prop_assert!(is_counted, "{}\n{}\n{:?}", what(), self.of_method(column), self.job);
        Ok(sure == possible)
    }

    fn context(&self, column: &Column<'_>, row: usize) -> String {
        let (shown, plain) = (&column.after[row], &column.plain[row]);
        let method = self.of_method(column);
        format!("as {shown:?} ({plain:?}) in {} {method}\n{:?}", column.name, self.job)
    }

    fn of_method(&self, column: &Column<'_>) -> String {
        format!("by {:?}", self.outcome.hierarchies[column.name])
    }
}

impl Column<'_> {
    /// Whether the published cell of a record covers its value: directly, or according to the tree
    /// if the cell names a group or omits some members.
    fn covers(&self, row: usize, k: u64) -> bool {
        let (cell, value) = (&self.others[row], self.before[row]);
        let is_named = |tree: &Hierarchy| {
            nodes(tree)
                .any(|node| tree.label(node) == self.plain[row][0] && self.holds(tree, node, value))
        };
        let is_one_more = |members: usize, n_more: usize| match &self.tree {
            None => self.values.n_records(value) < k,
            Some(tree) => nodes(tree).any(|node| {
                tree.leaves_of(node).len() == members + n_more && self.holds(tree, node, value)
            }),
        };
        let is_partly_named = match cell {
            Cell::Members(members, n_more) => *n_more > 0 && is_one_more(members.len(), *n_more),
            _ => false,
        };
        let is_covered = |cells: &[Cell]| self.values.covers(&cells[row], value);
        is_covered(&self.cells)
            || is_covered(&self.others)
            || self.tree.as_ref().is_some_and(is_named)
            || is_partly_named
    }

    /// Whether a text that is a value may also be a set of other values.
    fn is_set(&self, row: usize) -> bool {
        let names_values =
            || self.others[row].spelled().iter().any(|text| self.values.n_records(text) > 0);
        self.cells[row] != self.others[row] && names_values()
    }

    /// Whether the text of a record is the same as in the plain style.
    fn is_plain(&self, row: usize) -> bool {
        self.after[row] == self.plain[row]
    }

    fn holds(&self, tree: &Hierarchy, node: Node, value: &str) -> bool {
        let key = self.values.key(value);
        tree.leaves_of(node).any(|leaf| self.values.key(&tree.spelling(leaf)) == key)
    }

    /// Whether a text is the label of a group of the tree.
    fn is_group(&self, text: &str) -> bool {
        let is_so_called = |tree: &Hierarchy| {
            nodes(tree).any(|node| tree.as_leaf(node).is_none() && tree.label(node) == text)
        };
        self.tree.as_ref().is_some_and(is_so_called)
    }

    /// Returns the range of the root, or of all values.
    fn whole(&self) -> (f64, f64) {
        match &self.root {
            Cell::Ends(low, high) => (number(low), number(high)),
            _ => self.values.range(),
        }
    }
}

/// Parses a number; NaN for a text that is not a number.
fn number(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

fn nodes(tree: &Hierarchy) -> impl Iterator<Item = Node> {
    tree.nodes()
}
