//! Records of a release that show nothing.

use std::collections::BTreeSet;

use super::is_anything;
use crate::table::{Code, Cohort, Column, Decimal, Reading, Table, read_number_as};

/// Finds the records of a release that show nothing: `*` in every quasi-identifier, or no text in
/// columns of bounds.
pub(super) struct Blank<'a> {
    release: &'a Table,
    /// Whether each quasi-identifier has the least or the greatest values of intervals.
    are_bounds: Vec<bool>,
}

impl<'a> Blank<'a> {
    pub(super) fn of(release: &'a Table) -> Self {
        let names = release.columns().iter().map(|column| column.name.as_str());
        let place_of = |name: &str| names.clone().position(|other| other == name);
        let mut are_bounds = vec![false; release.columns().len()];
        for (low, name) in names.clone().enumerate() {
            let high = name.strip_suffix("_min").and_then(|stem| place_of(&format!("{stem}_max")));
            if let Some(high) = high.filter(|&high| are_ends(release, [low, high])) {
                (are_bounds[low], are_bounds[high]) = (true, true);
            }
        }
        Self { release, are_bounds }
    }

    /// Whether a cohort of the release shows nothing.
    pub(super) fn has(&self, cohort: Cohort) -> bool {
        let cells = self.release.cohorts().tuple(cohort).iter().zip(self.release.columns());
        cells.zip(&self.are_bounds).all(|((&code, column), &is_bound)| {
            let text = column.domain.spelling(code);
            is_anything(&text) || (is_bound && text.trim().is_empty())
        })
    }
}

/// For each quasi-identifier of a release, whether a cell with each code shows nothing: `*`, or
/// nothing in a column of bounds.
pub(crate) fn blank_cells(release: &Table) -> Vec<Vec<bool>> {
    let of_column = |(column, is_bound): (&Column, bool)| {
        let is_blank = |code| {
            let text = column.domain.spelling(code);
            is_anything(&text) || (is_bound && text.trim().is_empty())
        };
        column.domain.codes().map(is_blank).collect()
    };
    release.columns().iter().zip(Blank::of(release).are_bounds).map(of_column).collect()
}

/// Whether two columns have the least and the greatest values of intervals: numbers in order, or
/// the same name, or nothing, in both. A table can have columns with such names that are something
/// else.
fn are_ends(release: &Table, places: [usize; 2]) -> bool {
    let ends = places.map(|place| {
        let domain = &release.columns()[place].domain;
        let number = |code: Code| {
            let text = domain.spelling(code);
            let mut signs = [Decimal::Point, Decimal::Comma].into_iter();
            let value = signs.find_map(|sign| read_number_as(&text, sign));
            (value.map(Reading::value), text.trim().to_owned())
        };
        (0..domain.n_codes()).map(|code| number(Code::new(code))).collect::<Vec<_>>()
    });
    let cohorts = release.cohorts();
    let pairs: BTreeSet<[Code; 2]> =
        cohorts.all().map(|cohort| places.map(|place| cohorts.tuple(cohort)[place])).collect();
    pairs.into_iter().all(|[low, high]| match (&ends[0][low.index()], &ends[1][high.index()]) {
        ((Some(low), _), (Some(high), _)) => low <= high,
        // Both show the name of a group of a hierarchy, or nothing.
        ((None, low), (None, high)) => low == high,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Columns, Encoding};

    fn n_blank(names: [&str; 2], rows: &[[&str; 2]]) -> usize {
        let encoding = Encoding { is_release: true, ..Encoding::default() };
        let release = Table::encode(&Columns::quasi(&names), rows, &encoding).unwrap();
        let blank = Blank::of(&release);
        release.cohorts().all().filter(|&cohort| blank.has(cohort)).count()
    }

    #[test]
    fn empty_bounds_show_nothing() {
        assert_eq!(n_blank(["x_min", "x_max"], &[["1", "2"], ["3,5", "4"], ["", ""]]), 1);
        assert_eq!(n_blank(["x_min", "x_max"], &[["young", "young"], ["", ""]]), 1);
        assert_eq!(n_blank(["x", "y"], &[["*", "*"], ["", ""]]), 1);
    }

    #[test]
    fn columns_of_the_table_with_such_names_are_not_bounds() {
        for rows in [
            &[["[1, 2]", "*"], ["", ""]][..],
            &[["1", ""], ["", ""]],
            &[["3", "2"], ["", ""]],
            &[["low", "high"], ["", ""]],
        ] {
            assert_eq!(n_blank(["x_min", "x_max"], rows), 0, "{rows:?}");
        }
        assert_eq!(n_blank(["x_min", "y_max"], &[["1", "2"], ["", ""]]), 0);
    }
}
