//! Whether a release can come from an original.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::request::Request;
use crate::error::Advice;
use crate::hierarchy::Notation;
use crate::noun::counted;
use crate::table::{Code, Column, Table};
use crate::{Error, Result};

/// Returns an error if the release of a request is empty or cannot come from the original: it has
/// other columns, more records, ranges or sets without a value of the original, or sensitive values
/// more often than the original has them.
pub(super) fn check(request: &Request<'_>, release: &Table) -> Result<()> {
    let original = request.original;
    check_counts(original, release)?;
    let names = |table: &Table| -> Vec<String> {
        table.columns().iter().map(|column| column.name.clone()).collect()
    };
    if names(original) != names(release) {
        let (own, other) = (names(original).join(", "), names(release).join(", "));
        return Err(Error::invalid(format!(
            "the quasi-identifiers of the original are {own}, but those of the release are {other}"
        )));
    }
    for (column, shown) in original.columns().iter().zip(release.columns()) {
        check_cells(column, shown, request)?;
    }
    request.sensitive.iter().try_for_each(|name| check_values(original, release, name))
}

fn check_counts(original: &Table, release: &Table) -> Result<()> {
    let (before, after) = (original.cohorts().n_records(), release.cohorts().n_records());
    if after == 0 {
        return Err(Error::invalid("the release has no records, so it has no risk to assess")
            .advise([Advice::words("check that this is the file that was published")]));
    }
    if after > before {
        return Err(Error::invalid(format!(
            "the release has {}, more than the original, which has {}",
            counted(after, "record"),
            counted(before, "record")
        ))
        .advise([not_together()]));
    }
    Ok(())
}

fn not_together() -> Advice {
    Advice::words("check that this is the release of that table")
}

/// Returns an error if a published range or set contains no value of the original's column. Names
/// can be labels of a hierarchy, so they are accepted.
fn check_cells(column: &Column, shown: &Column, request: &Request<'_>) -> Result<()> {
    let tree = request.hierarchies.get(&column.name);
    let nodes = tree.into_iter().flat_map(|tree| tree.nodes().map(|node| tree.published(node)));
    let labels: BTreeSet<Cow<'_, str>> = nodes.collect();
    for code in shown.domain.codes() {
        let label = shown.domain.spelling(code);
        // A label of the hierarchy is explained even if it looks like a range or a set.
        let is_known = label.trim().is_empty()
            || column.domain.code_of(&label).is_some()
            || labels.contains(&label);
        if !is_known && is_foreign(column, &label) {
            return Err(Error::column(
                &column.name,
                format!("'{label}' of the release contains no value that the original has"),
            )
            .advise([not_together()]));
        }
    }
    Ok(())
}

/// Whether a label is a range or a set that contains no value of a column.
fn is_foreign(column: &Column, label: &str) -> bool {
    let domain = &column.domain;
    match Notation::read_as(&domain.values, label) {
        // These can mean any value, so they do not prove anything.
        Notation::Anything | Notation::Name(_) | Notation::PartialSet(..) => false,
        Notation::Set(members) => members.iter().all(|member| domain.code_of(member).is_none()),
        Notation::Range(low, high) => !domain.values.scale().is_some_and(|scale| {
            // Values ascend, so the first one that is large enough decides.
            let first = first_from(scale.len(), |place| scale.value(place) >= low);
            first < scale.len() && scale.value(first) <= high
        }),
    }
}

/// The partition point of a monotone condition: the first of `n` places that satisfies it.
fn first_from(n: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = usize::midpoint(low, high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// Returns an error if the release has a value of a sensitive column more often than the original.
fn check_values(original: &Table, release: &Table, name: &str) -> Result<()> {
    let (Some((column, before)), Some((shown, after))) =
        (counts(original, name), counts(release, name))
    else {
        let problem = "the release does not have this sensitive column";
        return Err(Error::column(name, problem)
            .advise([Advice::words("leave it out of the sensitive columns"), not_together()]));
    };
    for (code, n_after) in after {
        let value = shown.domain.spelling(code);
        let is_missing = Some(code) == shown.domain.missing_code();
        let known = column.domain.code_of(&value);
        // Missing values can be written differently in both files, so they are compared by their
        // code.
        let own = if is_missing { column.domain.missing_code() } else { known };
        let n_before = own.and_then(|own| before.get(&own)).copied().unwrap_or(0);
        // Anonymizing removes records but never changes a sensitive value, so counts can only fall.
        if n_after > n_before {
            let times = |n: u64| counted(n, "record");
            return Err(Error::column(
                name,
                format!(
                    "'{value}' is in {} of the release, but in {} of the original",
                    times(n_after),
                    times(n_before)
                ),
            )
            .advise([not_together()]));
        }
    }
    Ok(())
}

/// A column of a table, with the number of records for each code.
fn counts<'a>(table: &'a Table, name: &str) -> Option<(&'a Column, BTreeMap<Code, u64>)> {
    let place = table.all_columns().iter().position(|column| column.name == name)?;
    let mut counts: BTreeMap<Code, u64> = BTreeMap::new();
    for (cohort, count) in table.cohorts().counted() {
        *counts.entry(table.cohorts().tuple(cohort)[place]).or_default() += count;
    }
    Some((&table.all_columns()[place], counts))
}
