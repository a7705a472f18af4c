//! A sensitive column in the form that models use.

use std::sync::Arc;

use crate::error::{Advice, did_you_mean};
use crate::hierarchy::{Hierarchy, Leaf};
use crate::table::{Code, Cohort, Column, Columns, Encoding, Part, Table};
use crate::{Error, Result};

/// A column that is not a quasi-identifier, with the distribution of its values in the whole table.
///
/// Values are identified by their codes in the column's domain; the missing value has the last
/// code. A secret can be joined with a second column. Each code then represents a pair of values
/// that occurs in the table.
#[derive(Debug, Clone)]
pub struct Secret {
    column: Column,
    /// The code of each cohort.
    of_cohort: Vec<Code>,
    /// Number of records with each code, or of people if these can have several records; records
    /// that the release leaves out are not counted.
    counts: Vec<u64>,
    tree: Option<Tree>,
    joint: Option<Joint>,
}

/// A hierarchy, and the leaf of each code.
#[derive(Debug, Clone)]
struct Tree {
    hierarchy: Arc<Hierarchy>,
    leaves: Vec<Leaf>,
}

/// A second column, and the pairs of codes that occur, sorted.
#[derive(Debug, Clone, PartialEq)]
struct Joint {
    column: Column,
    pairs: Vec<(Code, Code)>,
}

impl Secret {
    /// The non-quasi-identifier column `name` of a table.
    pub fn of(table: &Table, name: &str) -> Result<Self> {
        let names = || table.beside().iter().map(|column| column.name.as_str());
        let place = names()
            .position(|column| column == name)
            .ok_or_else(|| Error::unknown_column(name, names()))?;
        let column = table.beside()[place].clone();
        let cohorts = table.cohorts();
        // Tuples of cohorts hold the quasi-identifiers first, then the other columns.
        let position = table.columns().len() + place;
        let of_cohort: Vec<Code> = cohorts.all().map(|c| cohorts.tuple(c)[position]).collect();
        let domain = &column.domain;
        let counts = if table.is_part() {
            domain.codes().map(|code| domain.count(code)).collect()
        } else {
            table.holders(indices(&of_cohort), domain.n_codes())
        };
        Ok(Self { column, of_cohort, counts, tree: None, joint: None })
    }

    /// A column in memory, given the value of each record.
    ///
    /// ```
    /// use hedgerow::privacy::Secret;
    /// let secret = Secret::from_values("illness", &["flu", "ulcer", "flu"])?;
    /// assert_eq!(secret.counts(), [2, 1]);
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn from_values<S: AsRef<str>>(name: &str, values: &[S]) -> Result<Self> {
        let mut part = Part::default();
        for value in values {
            part.push(std::iter::once(value.as_ref().as_bytes()), true)?;
        }
        let columns = Columns::default().and_beside(&[name]);
        Self::of(&Table::assemble(&columns, vec![part], &Encoding::default())?, name)
    }

    /// Adds a hierarchy of the values. If the column has missing values and the hierarchy has no
    /// leaf for them, they become a child of the root.
    pub fn with_hierarchy(mut self, hierarchy: Arc<Hierarchy>) -> Result<Self> {
        let domain = &self.column.domain;
        let mut leaves = hierarchy.ground().bind(domain)?;
        let mut hierarchy = hierarchy;
        if let Some(missing) = &domain.missing {
            let last = Leaf::new(hierarchy.n_leaves());
            let leaf = hierarchy.ground().leaf_spelt(&missing.spelling);
            // A leaf that is added below the root comes after all others.
            if leaf.is_none() {
                let tree = Arc::unwrap_or_clone(hierarchy)
                    .with_missing_below_root(&missing.spelling, missing.count);
                hierarchy = Arc::new(tree);
            }
            leaves.push(leaf.unwrap_or(last));
        }
        self.tree = Some(Tree { hierarchy, leaves });
        Ok(self)
    }

    /// Joins this column with a second non-quasi-identifier column of the table.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownColumn`] if there is no such column, and [`Error::Column`] if the table is a
    /// part of a larger one, of which only the counts of single columns are known.
    pub fn joint_with(&self, table: &Table, name: &str) -> Result<Self> {
        if table.is_part() {
            let problem = format!(
                "a part does not tell how often its values occur with those of '{name}' in the whole table"
            );
            let advice = Advice::words("plan the table in one part");
            return Err(Error::column(self.name(), problem).advise([advice]));
        }
        let other = Self::of(table, name)?;
        let pair_of: Vec<(Code, Code)> =
            self.of_cohort.iter().copied().zip(other.of_cohort.iter().copied()).collect();
        let mut pairs = pair_of.clone();
        pairs.sort_unstable();
        pairs.dedup();
        // The code of a pair is its position among the sorted distinct pairs.
        let code = |pair| Code::new(pairs.partition_point(|known| known < pair));
        let of_cohort: Vec<Code> = pair_of.iter().map(code).collect();
        let counts = table.holders(indices(&of_cohort), pairs.len());
        let (column, tree) = (self.column.clone(), self.tree.clone());
        let joint = Some(Joint { column: other.column, pairs });
        Ok(Self { column, of_cohort, counts, tree, joint })
    }

    /// Whether this is a column of `table`, with the same value in every cohort.
    pub(crate) fn is_of(&self, table: &Table) -> bool {
        let own = match &self.joint {
            None => Self::of(table, self.name()),
            Some(joint) => Self::of(table, self.name())
                .and_then(|own| own.joint_with(table, &joint.column.name)),
        };
        // Codes are compared cohort by cohort, since a table with other records can have equal
        // columns, and counts too, since the same records count differently where people have
        // several.
        own.is_ok_and(|own| {
            self.column == own.column
                && self.of_cohort == own.of_cohort
                && self.counts == own.counts
                && self.joint == own.joint
        })
    }

    /// The same column restricted to some cohorts; the counts remain those of the whole table.
    #[must_use]
    pub(crate) fn part(&self, cohorts: &[Cohort]) -> Self {
        let of_cohort = cohorts.iter().map(|&cohort| self.of_cohort[cohort.index()]).collect();
        Self { of_cohort, ..self.clone() }
    }

    /// The column's name.
    pub fn name(&self) -> &str {
        &self.column.name
    }

    /// The column.
    pub fn column(&self) -> &Column {
        &self.column
    }

    /// The column it is joined with, and the pair of codes that each joint code represents.
    pub(crate) fn joint(&self) -> Option<(&Column, &[(Code, Code)])> {
        self.joint.as_ref().map(|joint| (&joint.column, joint.pairs.as_slice()))
    }

    /// The names of all columns that this secret uses.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        let joint = self.joint.as_ref().map(|joint| joint.column.name.as_str());
        std::iter::once(self.name()).chain(joint)
    }

    /// The code of each cohort.
    pub fn of_cohort(&self) -> &[Code] {
        &self.of_cohort
    }

    /// Number of records of the table with each code, or of people if these can have several
    /// records.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Number of distinct values that occur.
    pub fn n_values(&self) -> usize {
        self.counts.iter().filter(|&&count| count > 0).count()
    }

    /// The share of all records that have each code.
    pub fn shares(&self) -> Vec<f64> {
        let all = self.counts.iter().sum::<u64>().max(1) as f64;
        self.counts.iter().map(|&count| count as f64 / all).collect()
    }

    /// The hierarchy of its values, if one was given.
    pub fn hierarchy(&self) -> Option<&Arc<Hierarchy>> {
        self.tree.as_ref().map(|tree| &tree.hierarchy)
    }

    /// The leaf of each code in the hierarchy, if one was given.
    pub fn leaves(&self) -> Option<&[Leaf]> {
        self.tree.as_ref().map(|tree| tree.leaves.as_slice())
    }

    /// The code of a value that a user wrote; an empty text is the missing value.
    pub(crate) fn code_of(&self, text: &str) -> Result<Code> {
        self.find(text).ok_or_else(|| self.unknown_value(text))
    }

    /// The error for a value that the column does not have.
    fn unknown_value(&self, text: &str) -> Error {
        let near = self.like(text);
        let other = near.is_empty().then(|| Advice::words("name a value that the column has"));
        let problem = format!("does not occur in the column{near}");
        Error::value(self.name(), text, None, problem).advise(other)
    }

    /// Returns the code of a value, if the column has it.
    pub(super) fn find(&self, text: &str) -> Option<Code> {
        self.column.domain.code_of(text)
    }

    /// Message that the column does not have the value `text`.
    pub(super) fn lacks(&self, text: &str) -> String {
        format!("column '{}' has no value '{text}'{}", self.name(), self.like(text))
    }

    /// A hint that names the value most similar to `text`; empty if none is similar.
    fn like(&self, text: &str) -> String {
        let domain = &self.column.domain;
        let values: Vec<_> = domain.codes().map(|code| domain.spelling(code)).collect();
        did_you_mean(text, values.iter().map(AsRef::as_ref))
    }

    /// The code of each cohort of another table that has the same non-quasi-identifier columns.
    pub(crate) fn codes_in(&self, table: &Table) -> Result<Vec<Code>> {
        let codes = codes_in(&self.column, table)?;
        let Some(Joint { column, pairs }) = &self.joint else {
            return Ok(codes);
        };
        let others = codes_in(column, table)?;
        let code_of = |(code, other)| match pairs.binary_search(&(code, other)) {
            Ok(place) => Ok(Code::new(place)),
            Err(_) => Err(self.unknown_pair(code, column, other)),
        };
        codes.into_iter().zip(others).map(code_of).collect()
    }

    /// The error for a pair of values that occurs only in a release: `value` of this column and
    /// `code` of the column `other`.
    fn unknown_pair(&self, value: Code, other: &Column, code: Code) -> Error {
        let problem = format!(
            "occurs with '{}' of column '{}' in the release, but not in the original",
            other.domain.spelling(code),
            other.name
        );
        Error::value(self.name(), self.column.domain.spelling(value), None, problem)
    }
}

fn indices(codes: &[Code]) -> impl Iterator<Item = Option<usize>> {
    codes.iter().map(|code| Some(code.index()))
}

/// The code in `column` of each cohort of another table that has a column of that name.
fn codes_in(column: &Column, table: &Table) -> Result<Vec<Code>> {
    let shown = Secret::of(table, &column.name)?;
    let known = column.domain.codes_of(&shown.column.domain);
    let not_known = |code: Code| {
        let value = shown.column.domain.spelling(code);
        Error::value(&column.name, value, None, "is in the release but not in the original")
    };
    let code_of = |&code: &Code| known[code.index()].ok_or_else(|| not_known(code));
    shown.of_cohort.iter().map(code_of).collect()
}
