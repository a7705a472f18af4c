//! Whether a release can come from an original.

use std::collections::BTreeMap;

use crate::error::Advice;
use crate::hierarchy::{Hierarchy, Notation};
use crate::noun::counted;
use crate::population::Reader;
use crate::table::{Code, Column, MissingPolicy, Table};
use crate::{Error, Result};

/// The use of columns besides the quasi-identifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Others {
    /// Figures are computed from them, so all their cells must be explained.
    Used,
    /// Only this check uses them. Some may be generalized or recoded in any way.
    Unused,
}

/// Returns an error if a release cannot come from an original: it is empty, or has more records,
/// other quasi-identifiers, cells without a value of the original, or values of other columns more
/// often than the original has them.
///
/// Columns besides the quasi-identifiers are compared if both tables have them. Those that look
/// generalized are not counted, only read.
pub(crate) fn check(
    original: &Table,
    release: &Table,
    hierarchies: &BTreeMap<String, &Hierarchy>,
    others: Others,
) -> Result<()> {
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
    // Values of dropped records are unknown, and a release made with another policy can have them.
    let is_whole = n_dropped(original) == 0;
    if is_whole {
        for (column, shown) in original.columns().iter().zip(release.columns()) {
            Cells::new(column, shown, hierarchies).check_quasi()?;
        }
    }
    for (at, shown) in release.beside().iter().enumerate() {
        let is_same = |column: &Column| column.name == shown.name;
        let Some(place) = original.beside().iter().position(is_same) else { continue };
        let cells = Cells::new(&original.beside()[place], shown, hierarchies);
        if is_whole && others == Others::Used {
            cells.check_kept()?;
        }
        if cells.are_values() {
            let places = [original.columns().len() + place, release.columns().len() + at];
            cells.check_values(original, release, places)?;
        }
    }
    Ok(())
}

fn check_counts(original: &Table, release: &Table) -> Result<()> {
    // Dropped records count too: the release may have been made with another policy.
    let (before, after) = (original.n_rows(), release.n_rows());
    if after == 0 {
        return Err(Error::invalid("the release has no records, so there is nothing to compare")
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

/// The published cells of a column.
struct Cells<'a> {
    column: &'a Column,
    shown: &'a Column,
    reader: Reader<'a>,
}

impl<'a> Cells<'a> {
    fn new(
        column: &'a Column,
        shown: &'a Column,
        hierarchies: &BTreeMap<String, &'a Hierarchy>,
    ) -> Self {
        let reader = Reader::new(column, hierarchies.get(&column.name).copied());
        Self { column, shown, reader }
    }

    /// The labels that records show, which are not values of the original, `*` or missing.
    fn generalized(&self) -> impl Iterator<Item = String> + '_ {
        let (domain, values) = (&self.shown.domain, &self.column.domain.values);
        let is_other = move |code: &Code| {
            let is_missing = Some(*code) == domain.missing_code();
            !is_missing && domain.count(*code) > 0 && self.own(*code).is_none()
        };
        let labels = domain.codes().filter(is_other);
        let labels = labels.map(move |code| domain.spelling(code).into_owned());
        labels.filter(move |label| {
            !label.trim().is_empty() && Notation::read_as(values, label) != Notation::Anything
        })
    }

    /// The code in the original of a published value. Numbers and dates can be written in another
    /// format.
    fn own(&self, code: Code) -> Option<Code> {
        let (own, shown) = (&self.column.domain, &self.shown.domain);
        if Some(code) == shown.missing_code() {
            return own.missing_code();
        }
        let is_alike = own.values.kind() == shown.values.kind();
        let scales = own.values.scale().zip(shown.values.scale()).filter(|_| is_alike);
        let same = || {
            let (own, shown) = scales?;
            own.place_at(shown.value(code.index())).map(Code::new)
        };
        own.code_of(&shown.spelling(code)).or_else(same)
    }

    /// Whether all cells are values of the original, hidden or missing. Texts that are read as
    /// numbers lose their spelling, so they cannot be compared.
    fn are_values(&self) -> bool {
        let kinds = [self.column, self.shown].map(|column| column.domain.values.kind());
        kinds[0] == kinds[1] && self.generalized().next().is_none()
    }

    /// Whether a label is explained, as a set or range with values or as a node of the hierarchy.
    fn is_explained(&self, label: &str) -> bool {
        let values = &self.column.domain.values;
        // A partial set can contain any value.
        self.reader.has_node(label)
            || matches!(Notation::read_as(values, label), Notation::PartialSet(..))
            || !self.reader.cover(label).is_empty()
    }

    /// Returns an error if a cell of a quasi-identifier contains no value of the original.
    fn check_quasi(&self) -> Result<()> {
        let values = &self.column.domain.values;
        for label in self.generalized().filter(|label| !self.is_explained(label)) {
            let is_name = matches!(Notation::read_as(values, &label), Notation::Name(_));
            if !is_name {
                let problem =
                    format!("'{label}' of the release contains no value that the original has");
                return Err(Error::column(&self.column.name, problem).advise([not_together()]));
            }
            // Words can be labels of a hierarchy that is not given, and numbers middles of ranges.
            if values.scale().is_some() && values.read(&label).is_none() {
                return Err(self.unexplained(&label));
            }
        }
        Ok(())
    }

    /// The error for a word in a column of numbers or dates.
    fn unexplained(&self, label: &str) -> Error {
        let name = &self.column.name;
        let kind = self.column.domain.values.kind().name();
        let problem = format!(
            "the release shows '{label}', which is neither a value of the original (of the kind {kind}) \
             nor explained by a hierarchy"
        );
        Error::column(name, problem).advise([Advice::hierarchy_file(name), not_together()])
    }

    /// Returns an error if a cell of another column is neither a value of the original nor
    /// explained.
    fn check_kept(&self) -> Result<()> {
        let mut unknown = self.generalized().filter(|label| !self.is_explained(label));
        let Some(label) = unknown.next() else { return Ok(()) };
        let problem = format!("'{label}' of the release is not a value that the original has");
        Err(Error::column(&self.column.name, problem).advise([
            not_together(),
            Advice::words("name the columns that were generalized as quasi-identifiers"),
        ]))
    }

    /// Returns an error if more records of the release than of the original have a value of a
    /// column at these places: anonymizing removes records and hides values but never changes them.
    fn check_values(&self, original: &Table, release: &Table, places: [usize; 2]) -> Result<()> {
        let (before, after) = (counts(original, places[0]), counts(release, places[1]));
        let mut sums: BTreeMap<Code, u64> = BTreeMap::new();
        for (code, n) in after {
            // Missing values can be hidden ones, so there can be more of them.
            let is_missing = Some(code) == self.shown.domain.missing_code();
            if let Some(own) = self.own(code).filter(|_| !is_missing) {
                *sums.entry(own).or_default() += n;
            }
        }
        let n_dropped = n_dropped(original);
        let own = |code: &Code| before.get(code).copied().unwrap_or(0);
        let more = sums.into_iter().find(|(code, n)| *n > own(code) + n_dropped);
        let Some((code, n_after)) = more else { return Ok(()) };
        let problem = format!(
            "'{}' is in {} of the release, but in {} of the original",
            self.column.domain.spelling(code),
            counted(n_after, "record"),
            counted(own(&code), "record")
        );
        Err(Error::column(&self.column.name, problem).advise([not_together()]))
    }
}

/// Number of records that were left out because a value is missing.
fn n_dropped(table: &Table) -> u64 {
    if table.missing() != MissingPolicy::Drop {
        return 0;
    }
    table.n_rows().saturating_sub(table.cohorts().n_records())
}

/// Number of records with each code of the column at a place.
fn counts(table: &Table, place: usize) -> BTreeMap<Code, u64> {
    let cohorts = table.cohorts();
    let mut counts: BTreeMap<Code, u64> = BTreeMap::new();
    for (cohort, count) in cohorts.counted() {
        *counts.entry(cohorts.tuple(cohort)[place]).or_default() += count;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Columns, Encoding};

    fn table(rows: &[[&str; 2]]) -> Table {
        let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
        Table::encode(&columns, rows, &Encoding::default()).unwrap()
    }

    fn told(original: &[[&str; 2]], release: &[[&str; 2]]) -> Option<String> {
        let found = check(&table(original), &table(release), &BTreeMap::new(), Others::Used);
        found.err().map(|error| error.to_string())
    }

    const ROWS: [[&str; 2]; 4] = [["20", "flu"], ["30", "flu"], ["40", "gout"], ["50", "burn"]];

    #[test]
    fn a_release_with_other_cells_is_refused() {
        let release = |row: [&'static str; 2]| [row, row];
        let said = |row| told(&ROWS, &release(row)).unwrap();
        assert!(said(["blue", "flu"]).contains("shows 'blue'"));
        assert!(said(["[60, 70]", "flu"]).contains("'[60, 70]' of the release contains no value"));
        assert!(said(["20", "hiv"]).contains("'hiv' of the release is not a value"));
        assert!(said(["20", "gout"]).contains("'gout' is in 2 records of the release, but in 1"));
        let more = [["20", "flu"]; 5];
        assert!(told(&ROWS, &more).unwrap().contains("more than the original"));
    }

    #[test]
    fn releases_of_all_kinds_are_accepted() {
        let accepted: [&[[&str; 2]]; 6] = [
            &ROWS,
            &[["[20, 30]", "flu"], ["20-30", "flu"]],
            // Suppressed cells, and cells that other tools leave empty.
            &[["*", "flu"], ["*", "*"], ["", ""], ["", ""]],
            // Middles of ranges, and rounded numbers.
            &[["25", "flu"], ["60", "gout"]],
            // Sets hide which of their values it is.
            &[["20", "{flu, gout}"], ["30", "{flu, gout}"], ["40", "{flu, gout}"]],
            &[[">=30", "burn"], ["{20, 40}", "flu"]],
        ];
        for release in accepted {
            assert_eq!(told(&ROWS, release), None, "{release:?}");
        }
        let words = [["a", "flu"], ["b", "gout"]];
        assert_eq!(told(&words, &[["letter", "flu"], ["letter", "gout"]]), None);
        let numbers = [["20", "1.5"], ["30", "2"]];
        assert_eq!(told(&numbers, &[["20", "2.00"], ["30", "1.50"]]), None);
    }

    #[test]
    fn labels_of_a_given_hierarchy_are_explained() {
        let text = "flu;lung;*\ngout;joint;*\nburn;skin;*\n";
        let format = crate::format::Format::named("arx").unwrap();
        let tree = format.read(text, Some("ill")).unwrap();
        let trees = BTreeMap::from([("ill".to_owned(), &tree)]);
        let release = table(&[["20", "lung"], ["30", "lung"], ["40", "joint"], ["40", "gout"]]);
        check(&table(&ROWS), &release, &trees, Others::Used).unwrap();
        let unexplained = |others| check(&table(&ROWS), &release, &BTreeMap::new(), others);
        assert!(unexplained(Others::Used).is_err());
        assert!(unexplained(Others::Unused).is_ok());
    }

    /// The release was made without dropping the record whose value is missing.
    #[test]
    fn values_of_dropped_records_are_accepted() {
        let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
        let drop = Encoding { missing: MissingPolicy::Drop, ..Encoding::default() };
        let rows = [["20", "flu"], ["20", "flu"], ["30", ""]];
        let original = Table::encode(&columns, &rows, &drop).unwrap();
        check(&original, &table(&rows), &BTreeMap::new(), Others::Used).unwrap();
    }

    /// Without the one record that has `<1`, the column of the release is read as numbers.
    #[test]
    fn texts_that_look_like_numbers_are_not_counted() {
        let original = table(&[["20", "1.5"], ["30", "1.50"], ["40", "2"], ["50", "<1"]]);
        let release = table(&[["20", "1.5"], ["30", "1.50"], ["40", "2"]]);
        check(&original, &release, &BTreeMap::new(), Others::Unused).unwrap();
    }
}
