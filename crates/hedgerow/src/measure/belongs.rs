//! Whether a release can come from an original.

use std::collections::BTreeMap;

use super::rounded::Rounded;
use crate::error::{Advice, Warning};
use crate::hierarchy::{Hierarchy, Notation};
use crate::noun::counted;
use crate::population::Reader;
use crate::table::{Code, Column, Kind, Reading, Table, is_usual};
use crate::{Error, Result};

/// Returns an error if a release cannot come from an original: it is empty, or has more records,
/// other quasi-identifiers, cells of these without a value of the original, or in a column of
/// `used` a value that the original does not have or has less often.
///
/// `used` are the columns besides the quasi-identifiers from which figures are computed. Others can
/// have been edited in any way, so they show nothing; see [`doubts`].
pub(crate) fn check(
    original: &Table,
    release: &Table,
    hierarchies: &BTreeMap<String, &Hierarchy>,
    used: &[String],
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
    let is_whole = original.n_dropped() == 0;
    if is_whole {
        for (column, shown) in original.columns().iter().zip(release.columns()) {
            Cells::new(column, shown, hierarchies).check_quasi()?;
        }
    }
    for shared in shared(original, release).filter(|shared| used.contains(&shared.shown.name)) {
        let cells = Cells::new(shared.column, shared.shown, hierarchies);
        if is_whole {
            cells.check_kept()?;
        }
        if let Some(problem) = cells.excess(original, release, shared.places) {
            return Err(Error::column(&shared.column.name, problem).advise([not_together()]));
        }
    }
    Ok(())
}

/// Warnings about columns besides the quasi-identifiers and those of `used` of which the release
/// has a value more often than the original: either they were edited, or the files do not belong
/// together.
pub(crate) fn doubts(original: &Table, release: &Table, used: &[String]) -> Vec<Warning> {
    let is_other = |shared: &Shared<'_>| !used.contains(&shared.shown.name);
    let doubt = |shared: Shared<'_>| {
        let cells = Cells::new(shared.column, shared.shown, &BTreeMap::new());
        let problem = cells.excess(original, release, shared.places)?;
        let name = &shared.column.name;
        let problem = format!(
            "column '{name}' was edited, or the release does not come from this original: {problem}"
        );
        Some(Warning::new(problem).advise([not_together()]))
    };
    shared(original, release).filter(is_other).filter_map(doubt).collect()
}

/// A column besides the quasi-identifiers that both tables have.
struct Shared<'a> {
    column: &'a Column,
    shown: &'a Column,
    /// Its places in the original and in the release.
    places: [usize; 2],
}

fn shared<'a>(original: &'a Table, release: &'a Table) -> impl Iterator<Item = Shared<'a>> {
    release.beside().iter().enumerate().filter_map(|(at, shown)| {
        let is_same = |column: &Column| column.name == shown.name;
        let place = original.beside().iter().position(is_same)?;
        let places = [original.columns().len() + place, release.columns().len() + at];
        Some(Shared { column: &original.beside()[place], shown, places })
    })
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
            !self.column.domain.is_missing(label)
                && Notation::read_as(values, label) != Notation::Anything
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
                return Err(unexplained(self.column, &label));
            }
        }
        Ok(())
    }

    /// Returns an error if a cell of another column is neither a value of the original nor
    /// explained.
    fn check_kept(&self) -> Result<()> {
        // Only tables without dropped records are checked.
        let rounded = self.rounded(0);
        let is_rounded = |label: &String| {
            let number = self.column.domain.values.read(label).map(Reading::value);
            rounded.as_ref().zip(number).is_some_and(|(rounded, number)| rounded.near(number) > 0)
        };
        let mut unknown =
            self.generalized().filter(|label| !self.is_explained(label) && !is_rounded(label));
        let Some(label) = unknown.next() else { return Ok(()) };
        let problem = format!("'{label}' of the release is not a value that the original has");
        Err(Error::column(&self.column.name, problem).advise([
            not_together(),
            Advice::words("name the columns that were generalized as quasi-identifiers"),
        ]))
    }

    /// The numbers of the original near those to which the release rounds them, if it does.
    fn rounded(&self, n_dropped: u64) -> Option<Rounded> {
        let [own, shown] = [self.column, self.shown].map(|column| &column.domain);
        if [own, shown].iter().any(|domain| domain.values.kind() != Kind::Number) {
            return None;
        }
        let [numbers, published] = [own.values.scale()?, shown.values.scale()?]
            .map(|scale| (0..scale.len()).map(|place| scale.value(place)).collect::<Vec<f64>>());
        let published: Vec<(f64, u64)> =
            published.into_iter().zip(shown.counts.iter().copied()).collect();
        Rounded::of(numbers, &own.counts, &published, n_dropped)
    }

    /// Returns a problem if more records of the release than of the original have a value of a
    /// column at these places: anonymizing removes records and hides values but does not add any.
    /// Rounded numbers are compared with all that can be rounded to them.
    fn excess(&self, original: &Table, release: &Table, places: [usize; 2]) -> Option<String> {
        let n_dropped = original.n_dropped();
        let (own, shown) = (&self.column.domain, &self.shown.domain);
        // Missing values can be hidden ones, so there can be more of them.
        let is_value = |code: Code| {
            Some(code) != shown.missing_code() && !own.is_missing(&shown.spelling(code))
        };
        let after = counts(release, places[1]).into_iter().filter(|(code, _)| is_value(*code));
        if let Some(rounded) = self.rounded(n_dropped) {
            let scale = shown.values.scale()?;
            let mut after =
                after.map(|(code, n)| (code, n, rounded.near(scale.value(code.index()))));
            let (code, n, near) = after.find(|(_, n, near)| *n > near + n_dropped)?;
            return Some(format!(
                "'{}' is in {} of the release, but only {} of the original can be rounded to it",
                shown.spelling(code),
                counted(n, "record"),
                counted(near, "record")
            ));
        }
        if !self.are_values() {
            return None;
        }
        let before = counts(original, places[0]);
        let mut sums: BTreeMap<Code, u64> = BTreeMap::new();
        for (code, n) in after {
            if let Some(value) = self.own(code) {
                *sums.entry(value).or_default() += n;
            }
        }
        let records = |code: &Code| before.get(code).copied().unwrap_or(0);
        let n_empty = own.missing_code().map_or(0, |code| records(&code));
        // Other tools write empty cells in a spelling that the original has as a value, too.
        let most = |code: &Code| {
            let n_empty = if is_usual(&own.spelling(*code)) { n_empty } else { 0 };
            records(code) + n_empty + n_dropped
        };
        let (code, n) = sums.into_iter().find(|(code, n)| *n > most(code))?;
        Some(format!(
            "'{}' is in {} of the release, but in {} of the original",
            own.spelling(code),
            counted(n, "record"),
            counted(records(&code), "record")
        ))
    }
}

/// The error for a cell of a quasi-identifier of which it is not known what it covers.
pub(crate) fn unexplained(column: &Column, label: &str) -> Error {
    let (name, kind) = (&column.name, column.domain.values.kind().name());
    let problem = format!(
        "the release shows '{label}', which is neither a value of the original (of the kind {kind}) \
         nor explained by a hierarchy"
    );
    Error::column(name, problem).advise([Advice::hierarchy_file(name), not_together()])
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
    use crate::table::{Columns, Encoding, MissingPolicy};

    fn table(rows: &[[&str; 2]]) -> Table {
        let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
        Table::encode(&columns, rows, &Encoding::default()).unwrap()
    }

    fn ill() -> Vec<String> {
        vec!["ill".to_owned()]
    }

    fn told(original: &[[&str; 2]], release: &[[&str; 2]]) -> Option<String> {
        let found = check(&table(original), &table(release), &BTreeMap::new(), &ill());
        found.err().map(|error| error.to_string())
    }

    /// Doubts about the illness if nothing is computed from it, which then is never an error.
    fn doubted(original: &[[&str; 2]], release: &[[&str; 2]]) -> Vec<String> {
        let [original, release] = [original, release].map(table);
        check(&original, &release, &BTreeMap::new(), &[]).unwrap();
        doubts(&original, &release, &[]).iter().map(ToString::to_string).collect()
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
        check(&table(&ROWS), &release, &trees, &ill()).unwrap();
        let unexplained = |used: &[String]| check(&table(&ROWS), &release, &BTreeMap::new(), used);
        assert!(unexplained(&ill()).is_err());
        assert!(unexplained(&[]).is_ok());
    }

    /// The release was made without dropping the record whose value is missing.
    #[test]
    fn values_of_dropped_records_are_accepted() {
        let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
        let drop = Encoding { missing: MissingPolicy::Drop, ..Encoding::default() };
        let rows = [["20", "flu"], ["20", "flu"], ["30", ""]];
        let original = Table::encode(&columns, &rows, &drop).unwrap();
        check(&original, &table(&rows), &BTreeMap::new(), &ill()).unwrap();
    }

    /// Without the one record that has `<1`, the column of the release is read as numbers.
    #[test]
    fn texts_that_look_like_numbers_are_not_counted() {
        let original = table(&[["20", "1.5"], ["30", "1.50"], ["40", "2"], ["50", "<1"]]);
        let release = table(&[["20", "1.5"], ["30", "1.50"], ["40", "2"]]);
        assert_eq!(doubts(&original, &release, &[]), []);
    }

    #[test]
    fn an_edited_column_that_is_not_used_is_a_doubt() {
        let release = [["20", "gout"], ["30", "gout"], ["40", "gout"]];
        let doubts = doubted(&ROWS, &release);
        assert_eq!(doubts.len(), 1);
        let told = "column 'ill' was edited, or the release does not come from this original: \
                    'gout' is in 3 records of the release, but in 1 record of the original";
        assert!(doubts[0].starts_with(told), "{}", doubts[0]);
        assert_eq!(doubted(&ROWS, &[["20", "joint"], ["30", "lung"]]), Vec::<String>::new());
        assert_eq!(super::doubts(&table(&ROWS), &table(&release), &ill()), []);
    }

    /// All rounded numbers are also numbers of the original, which has each of them once.
    #[test]
    fn a_rounded_column_is_accepted() {
        let rows = [["20", "9.8"], ["30", "10"], ["40", "10.3"], ["50", "11"], ["60", "11.4"]];
        let rounded = [["20", "10"], ["30", "10"], ["40", "10"], ["50", "11"], ["60", "11"]];
        assert_eq!(told(&rows, &rounded), None);
        assert_eq!(doubted(&rows, &rounded), Vec::<String>::new());
        let tens = [["20", "1234"], ["30", "1251"], ["40", "1257"]];
        assert_eq!(told(&tens, &[["20", "1230"], ["30", "1250"], ["40", "1260"]]), None);
        let far = told(&tens, &[["20", "1230"], ["30", "1250"], ["40", "9990"]]).unwrap();
        assert!(far.contains("'9990' of the release is not a value"), "{far}");
        let often = told(&tens, &[["20", "1230"], ["30", "1230"], ["40", "1250"]]).unwrap();
        let problem = "'1230' is in 2 records of the release, but only 1 record of the original \
                       can be rounded to it";
        assert!(often.contains(problem), "{often}");
    }

    #[test]
    fn a_constant_or_coarse_column_is_not_a_rounded_one() {
        let numbers: Vec<String> = (1..=10).map(|number| number.to_string()).collect();
        let original: Vec<[&str; 2]> = numbers.iter().map(|number| ["20", number]).collect();
        let constant = told(&original, &[["20", "10"]; 10]).unwrap();
        assert!(constant.contains("'10' is in 10 records of the release, but in 1"), "{constant}");
        let coarse = told(&original, &[vec![["20", "5"]; 2], vec![["20", "10"]; 8]].concat());
        let problem = "'10' is in 8 records of the release, but only 3 records of the original";
        assert!(coarse.is_some_and(|told| told.contains(problem)));
        let fives = [vec![["20", "0"]; 2], vec![["20", "5"]; 5], vec![["20", "10"]; 3]].concat();
        assert_eq!(told(&original, &fives), None);
        // Numbers below 1, and numbers that are rounded down.
        let shares = [["20", "0.123"], ["30", "0.131"], ["40", "0.262"]];
        assert_eq!(told(&shares, &[["20", "0.1"], ["30", "0.1"], ["40", "0.3"]]), None);
        let ages = [["20", "21"], ["30", "28"], ["40", "29"], ["50", "34"]];
        let decades = [["20", "20"], ["30", "20"], ["40", "20"], ["50", "30"]];
        assert_eq!(told(&ages, &decades), None);
    }

    #[test]
    fn a_value_that_looks_like_a_missing_one_is_counted() {
        let original = [["20", "none"], ["30", "flu"], ["40", "flu"], ["50", "gout"]];
        let release = ["20", "30", "40", "50"].map(|age| [age, "none"]);
        let problem = "'none' is in 4 records of the release, but in 1 record of the original";
        let refused = told(&original, &release).unwrap();
        assert!(refused.contains(problem), "{refused}");
        assert_eq!(told(&original, &original), None);
        // A spelling that the original does not have is one of a hidden value.
        assert_eq!(told(&original, &release.map(|[age, _]| [age, "NA"])), None);
    }

    /// R writes `NA` where a cell was empty, and a file can have several spellings.
    #[test]
    fn spellings_of_missing_values_are_accepted() {
        let rows = [["20", "flu"], ["", "NA"], ["NA", ""], ["40", "flu"], ["50", "gout"]];
        for (age, ill) in [("NA", "NA"), ("", ""), ("NA", ""), ("", "NA"), ("n/a", "null")] {
            let release = [["20", "flu"], [age, ill], [age, ill]];
            assert_eq!(told(&rows, &release), None, "{age} {ill}");
            assert_eq!(doubted(&rows, &release), Vec::<String>::new(), "{age} {ill}");
        }
        let encoding = Encoding { na: vec!["unknown".into()], ..Encoding::default() };
        let rows = [["20", "flu"], ["", "flu"], ["unknown", "flu"]];
        let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
        let original = Table::encode(&columns, &rows, &encoding).unwrap();
        let release = table(&[["20", "flu"], ["unknown", "flu"], ["", "flu"]]);
        check(&original, &release, &BTreeMap::new(), &ill()).unwrap();
        let odd = check(&original, &table(&[["not told", "flu"]]), &BTreeMap::new(), &ill());
        assert!(odd.unwrap_err().to_string().contains("'not told'"));
    }
}
