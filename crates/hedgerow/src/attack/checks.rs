//! Checks that the files of an attack belong together and that the named columns exist.

use std::collections::BTreeSet;

use super::given::Given;
use crate::error::Advice;
use crate::measure::{check_belongs, unexplained};
use crate::population::{Cover, Reader};
use crate::table::{Code, Column};
use crate::{Error, Result};

/// Checks that the tables have records and columns in common, and belong together.
pub(super) fn check_tables(given: &Given) -> Result<()> {
    let (original, release) = (&given.original, &given.release);
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
    check_belongs(original, release, &trees, &used(given))?;
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

/// The columns that the attacker knows or looks for. Other columns are evidence at most, so cells
/// of them that were edited are not mistakes.
fn used(given: &Given) -> Vec<String> {
    given.known.iter().chain(&given.sensitive).cloned().collect()
}

/// Checks that every cell of a column can come from a value of the original, if the column is a
/// quasi-identifier, known or sensitive.
pub(super) fn check_column(given: &Given, place: usize, covers: &[Cover]) -> Result<()> {
    let column = &given.original.all_columns()[place];
    let is_quasi = place < given.original.columns().len();
    if !is_quasi && !used(given).contains(&column.name) {
        return Ok(());
    }
    let shown = &given.release.all_columns()[place].domain;
    // A missing value can be a hidden one.
    let is_shown = |code: Code| {
        let is_missing =
            Some(code) == shown.missing_code() || column.domain.is_missing(&shown.spelling(code));
        shown.count(code) > 0 && !is_missing
    };
    let empty = shown.codes().zip(covers).find(|(code, cover)| cover.is_empty() && is_shown(*code));
    let Some((code, _)) = empty else { return Ok(()) };
    let (name, label) = (&column.name, shown.spelling(code));
    if !is_quasi {
        let problem = format!(
            "'{label}' of the release is not a value of the original, so guesses cannot be compared with it"
        );
        return Err(Error::column(name, problem).advise([generalized()]));
    }
    if !Reader::new(column, given.hierarchies.get(name)).knows(&label) {
        return Err(unexplained(column, &label));
    }
    let kind = column.domain.values.kind().name();
    Err(Error::invalid(format!(
        "the release does not belong to the original: '{label}' in column '{name}' of the release \
         covers no value of the original, which has values of the kind {kind}"
    ))
    .advise([Advice::words("check that this is its original"), generalized()]))
}

fn generalized() -> Advice {
    Advice::words("name the columns that were generalized as quasi-identifiers")
}

fn once() -> Advice {
    Advice::words("name it once")
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
        return Err(Error::column(name, "is named as known and as sensitive").advise([once()]));
    }
    let distinct: BTreeSet<usize> = known.iter().copied().collect();
    if distinct.len() < known.len() {
        return Err(Error::invalid("a column is named twice as known").advise([once()]));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::{Scene, all, run};
    use crate::progress::Silent;
    use crate::table::{Cohort, Columns, Encoding, Table};

    /// Only columns that are known or sensitive must have values of the original, and empty cells
    /// hide values.
    #[test]
    fn edited_columns_that_are_not_used_and_empty_cells_are_accepted() {
        let columns = Columns::quasi(&["age"]).and_beside(&["ill", "note"]);
        let table =
            |rows: &[[&str; 3]]| Table::encode(&columns, rows, &Encoding::default()).unwrap();
        let original = table(&[["20", "flu", "a"], ["30", "gout", "b"]]);
        let mut given = Given::new(original, table(&[["", "flu", "edited"], ["30", "", "b"]]));
        given.sensitive = vec!["ill".to_owned()];
        let scene = Scene::new(given.clone()).unwrap();
        run(&scene, &all().unwrap(), &Silent).unwrap();
        // The person of 20 can only be the first record, whose age is hidden.
        assert_eq!(scene.candidates().sizes[scene.set_of(Cohort::new(0))], 1);
        given.known = vec!["age".to_owned(), "note".to_owned()];
        let refused = Scene::new(given).unwrap_err().to_string();
        assert!(refused.contains("'edited' of the release is not a value"), "{refused}");
    }

    /// Other tools write `NA` where they hide a value, among numbers, words and values of a column
    /// that is published unchanged.
    #[test]
    fn spellings_of_missing_values_hide_values_like_empty_cells() {
        let columns = Columns::quasi(&["age", "town"]).and_beside(&["ill"]);
        let table =
            |rows: &[[&str; 3]]| Table::encode(&columns, rows, &Encoding::default()).unwrap();
        let original = table(&[["20", "Bonn", "flu"], ["30", "Kiel", "gout"]]);
        let sizes = |hidden: &str| {
            let release = [[hidden, hidden, "flu"], ["30", "Kiel", hidden]];
            let release = Table::encode(&columns, &release, &Encoding::default().of_release());
            let mut given = Given::new(original.clone(), release.unwrap());
            given.sensitive = vec!["ill".to_owned()];
            let scene = Scene::new(given).unwrap();
            run(&scene, &all().unwrap(), &Silent).unwrap();
            [0, 1].map(|cohort| scene.candidates().sizes[scene.set_of(Cohort::new(cohort))])
        };
        assert_eq!(sizes(""), [1, 2]);
        for hidden in ["NA", "n/a", "null"] {
            assert_eq!(sizes(hidden), sizes(""), "{hidden}");
        }
    }
}
