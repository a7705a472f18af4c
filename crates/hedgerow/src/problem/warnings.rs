//! Warnings about a problem: values and hierarchies that mislead the readers of any release of it.

use super::Problem;
use crate::builder;
use crate::error::{Advice, Warning};
use crate::format::lint;
use crate::guard;
use crate::hierarchy::{Hierarchy, Notation};
use crate::noun::counted;
use crate::table::Column;

impl Problem {
    /// Warnings about any release of this problem: values that may be misread, values that look
    /// generalized, values that the source of a hierarchy does not know, and ranges that do not
    /// contain their values.
    pub fn warnings(&self) -> Vec<Warning> {
        let trees =
            || self.attributes().iter().filter_map(|a| a.known_generalization().hierarchy());
        let stars = self.table().columns().iter().filter_map(star);
        (self.table().doubts().into_iter())
            .chain(guard::doubtful_births(self.table()))
            .chain(stars)
            .chain(trees().flat_map(doubtful))
            .chain(trees().filter_map(untrue))
            // Without `force_labels` such a label is an error before this point.
            .chain(trees().filter(|_| self.0.limits.force_labels).filter_map(borrowed))
            .collect()
    }
}

/// A warning about a value that looks like a generalized one.
fn star(column: &Column) -> Option<Warning> {
    let domain = &column.domain;
    let is_star = |&code: &usize| {
        Notation::read_as(&domain.values, &domain.values.spelling(code)) == Notation::Anything
    };
    let code = (0..domain.len()).find(is_star)?;
    let value = domain.values.spelling(code);
    let problem = format!(
        "column '{name}': the value '{value}' (row {row}, {n} in all) means any value in a release, so it \
         cannot be distinguished from a generalized value and counts as one",
        name = column.name,
        row = domain.first_rows[code] + 1,
        n = counted(domain.counts[code], "record"),
    );
    let missing = Advice::ListAsMissing { value: Some(value.into_owned()) };
    Some(Warning::new(problem).advise([missing, Advice::words("rename it otherwise")]))
}

/// Warnings about values that the source of a hierarchy does not know, or knows only in part.
fn doubtful(tree: &Hierarchy) -> Vec<Warning> {
    let of_column = |doubt: Warning| {
        Warning::new(format!("column '{}': {}", tree.attribute(), doubt.problem()))
            .advise(doubt.advice().to_vec())
    };
    builder::doubts(tree).into_iter().map(of_column).collect()
}

/// A warning about a hierarchy whose ranges do not contain all their values.
fn untrue(tree: &Hierarchy) -> Option<Warning> {
    let first = lint::misplaced_value(tree)?;
    let column = tree.attribute();
    let problem = format!("hierarchy of '{column}': {first}, so the release states false ranges");
    Some(Warning::new(problem))
}

/// A warning about a group whose label is a value of other records.
fn borrowed(tree: &Hierarchy) -> Option<Warning> {
    let found = lint::borrowed_name(tree)?;
    Some(Warning::new(format!("hierarchy of '{}': {found}", tree.attribute())))
}
