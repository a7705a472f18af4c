//! Checks that the files of an attack belong together and that the named columns exist.

use std::collections::BTreeSet;

use super::given::Given;
use crate::error::Advice;
use crate::measure::{Others, check_belongs};
use crate::population::{Cover, Reader};
use crate::table::Column;
use crate::{Error, Result};

/// Checks that the tables have records and columns in common, and belong together.
pub(super) fn check_tables(given: &Given) -> Result<()> {
    let (original, release) = (&given.original, &given.release);
    if release.n_rows() == 0 {
        return Err(Error::invalid("the release has no records, so there is nothing to attack"));
    }
    let names = |columns: &[Column]| -> Vec<String> {
        columns.iter().map(|column| column.name.clone()).collect()
    };
    // Quasi-identifiers and other columns are compared apart, because roles must agree, too.
    let [own, shown] =
        [original, release].map(|table| [names(table.columns()), names(table.beside())]);
    if own != shown {
        return Err(Error::invalid(format!(
            "the original and the release were read with different columns: {} and {}",
            own.concat().join(", "),
            shown.concat().join(", ")
        )));
    }
    let trees = given.hierarchies.iter().map(|(name, tree)| (name.clone(), tree)).collect();
    check_belongs(original, release, &trees, Others::Used)?;
    for other in &given.others {
        let is_known = |column: &Column| own.iter().flatten().any(|name| *name == column.name);
        if !other.table.all_columns().iter().any(is_known) {
            return Err(Error::invalid(format!(
                "{} has no column in common with the release",
                other.name
            )));
        }
        if other.table.n_rows() == 0 {
            return Err(Error::invalid(format!("{} has no records", other.name)));
        }
    }
    Ok(())
}

/// Checks that every cell of a column can come from a value of the original.
pub(super) fn check_column(given: &Given, place: usize, covers: &[Cover]) -> Result<()> {
    let column = &given.original.all_columns()[place];
    let shown = &given.release.all_columns()[place].domain;
    let empty =
        shown.codes().zip(covers).find(|(code, cover)| cover.is_empty() && shown.count(*code) > 0);
    let Some((code, _)) = empty else { return Ok(()) };
    let label = shown.spelling(code);
    let kind = column.domain.values.kind().name();
    // Kept columns have values of the original only; generalized ones may have labels.
    let is_quasi = place < given.original.columns().len();
    let reader = Reader::new(column, given.hierarchies.get(&column.name));
    if is_quasi && !reader.knows(&label) {
        let problem = format!(
            "the release shows '{label}', which is neither a value of the original (of the kind {kind}) \
             nor explained by a hierarchy"
        );
        return Err(Error::column(&column.name, problem).advise([
            Advice::hierarchy_file(&column.name),
            Advice::words("check that this is its original"),
        ]));
    }
    let cell = if is_quasi { "covers no value" } else { "is not a value" };
    Err(strangers(&format!(
        "'{label}' in column '{}' of the release {cell} of the original, which has values of the \
         kind {kind}",
        column.name
    )))
}

/// The error for a release that does not belong to an original.
fn strangers(problem: &str) -> Error {
    Error::invalid(format!("the release does not belong to the original: {problem}")).advise([
        Advice::words("check that this is its original"),
        Advice::words("name the columns that were generalized as quasi-identifiers"),
    ])
}

/// The places of the sensitive columns.
pub(super) fn sensitive_places(given: &Given) -> Result<Vec<usize>> {
    let n_quasi = given.original.columns().len();
    let place = |name: &String| {
        let found = find(given, name)?;
        // A generalized cell is not the true value, so there is nothing to compare a guess with.
        if found < n_quasi {
            let problem = "is generalized in the release, so it cannot be attacked as sensitive";
            return Err(Error::column(name, problem));
        }
        Ok(found)
    };
    given.sensitive.iter().map(place).collect()
}

/// The places of the known columns: those that are named, or all quasi-identifiers.
pub(super) fn known_places(given: &Given, sensitive: &[usize]) -> Result<Vec<usize>> {
    let n_quasi = given.original.columns().len();
    let known: Vec<usize> = match given.known.as_slice() {
        [] => (0..n_quasi).collect(),
        names => names.iter().map(|name| find(given, name)).collect::<Result<_>>()?,
    };
    // A value that the attacker knows cannot be disclosed.
    if let Some(&place) = known.iter().find(|place| sensitive.contains(place)) {
        let name = &given.original.all_columns()[place].name;
        return Err(Error::column(name, "is named as known and as sensitive")
            .advise([Advice::words("name it once")]));
    }
    let distinct: BTreeSet<usize> = known.iter().copied().collect();
    if distinct.len() < known.len() {
        return Err(Error::invalid("a column is named twice as known")
            .advise([Advice::words("name it once")]));
    }
    if known.is_empty() {
        return Err(Error::invalid(
            "the attacker knows no column: none is generalized, and none is named as known",
        )
        .advise([Advice::NameQuasi { column: None }]));
    }
    Ok(known)
}

/// The place of a column that both tables have.
fn find(given: &Given, name: &str) -> Result<usize> {
    let columns = given.release.all_columns();
    let found = columns.iter().position(|column| column.name == *name);
    let names = columns.iter().map(|column| column.name.as_str());
    found.ok_or_else(|| Error::unknown_column(name, names))
}
