//! Finds the records of an original that a published record can come from.

use std::ops::ControlFlow;

use crate::box_tree::{BOX_SIZE, BoxTree, Span};
use crate::error::Advice;
use crate::population::Cover;
use crate::table::{Code, Cohort, Cohorts, Table};
use crate::{Error, Result};

/// Maximum number of comparisons of a published record with one of the original.
const MOST_COMPARISONS: u64 = 1 << 28;

/// The cohorts of an original in nested boxes, so that only those near a published record are
/// compared with it.
pub(super) struct Origins<'a> {
    cohorts: &'a Cohorts,
    boxes: BoxTree<()>,
    n_left: u64,
}

/// The cells and values that a published record shows, column by column.
pub(super) struct Shown<'a> {
    /// The values that each cell of a quasi-identifier covers.
    pub(super) cells: Vec<&'a Cover>,
    /// The values of the other columns.
    pub(super) others: Vec<Code>,
}

impl Shown<'_> {
    fn fits(&self, values: &[Code]) -> bool {
        let (quasi, others) = values.split_at(self.cells.len());
        self.cells.iter().zip(quasi).all(|(cell, &value)| cell.has(value))
            && others[..self.others.len()] == self.others[..]
    }

    /// The least and the greatest code of each column; `None` if a cell covers nothing.
    fn spans(&self) -> Option<Vec<Span>> {
        let cells = self.cells.iter().map(|cell| cell.span());
        let others = self.others.iter().map(|&code| Some((code, code)));
        let plain = |span: Option<(Code, Code)>| span.map(|(low, high)| (low.get(), high.get()));
        cells.chain(others).map(plain).collect()
    }
}

impl<'a> Origins<'a> {
    /// Divides the cohorts of a table into boxes over its first `width` columns.
    pub(super) fn new(original: &'a Table, width: usize) -> Self {
        let cohorts = original.cohorts();
        let n_codes: Vec<f64> = (original.all_columns().iter().take(width))
            .map(|column| column.domain.n_codes().max(1) as f64)
            .collect();
        let division = Division { cohorts, n_codes };
        let divide =
            |members: &mut [Cohort], spans: &mut Vec<Span>| division.divide(members, spans);
        let boxes = BoxTree::new(cohorts.len(), width, (), divide);
        Self { cohorts, boxes, n_left: MOST_COMPARISONS }
    }

    /// Calls `visit` for every cohort that a published record can come from, until it breaks.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if all calls together need more than 2^28 comparisons.
    pub(super) fn of(
        &mut self,
        shown: &Shown<'_>,
        mut visit: impl FnMut(Cohort) -> ControlFlow<()>,
    ) -> Result<()> {
        let Some(wanted) = shown.spans() else { return Ok(()) };
        let mut open = vec![0];
        while let Some(number) = open.pop() {
            let mut spans = self.boxes.spans(number).iter().zip(&wanted);
            if spans.any(|(have, want)| have.1 < want.0 || want.1 < have.0) {
                continue;
            }
            if let Some([first, second]) = self.boxes.halves(number) {
                open.extend([second, first]);
                continue;
            }
            let near = &self.boxes.cohorts()[self.boxes.places(number)];
            self.n_left = self.n_left.checked_sub(near.len() as u64).ok_or_else(too_many)?;
            let fitting = near.iter().filter(|&&cohort| shown.fits(self.cohorts.tuple(cohort)));
            if fitting.copied().try_for_each(&mut visit).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// The cohorts whose boxes are divided.
struct Division<'a> {
    cohorts: &'a Cohorts,
    /// Number of codes of each column.
    n_codes: Vec<f64>,
}

impl Division<'_> {
    /// Appends the spans of a box, and divides it in the middle of the column in which it covers
    /// the greatest share of the codes.
    fn divide(&self, members: &mut [Cohort], spans: &mut Vec<Span>) -> Option<usize> {
        let (start, width) = (spans.len(), self.n_codes.len());
        let code = |cohort: Cohort, place: usize| self.cohorts.tuple(cohort)[place].get();
        spans.extend((0..width).map(|place| {
            let codes = || members.iter().map(|&cohort| code(cohort, place));
            (codes().min().unwrap_or(0), codes().max().unwrap_or(0))
        }));
        let share = |place: &usize| {
            let (low, high) = spans[start + place];
            f64::from(high - low) / self.n_codes[*place]
        };
        let widest = (0..width).max_by(|a, b| share(a).total_cmp(&share(b)))?;
        let (low, high) = spans[start + widest];
        if members.len() <= BOX_SIZE || low == high {
            return None;
        }
        members.sort_unstable_by_key(|&cohort| (code(cohort, widest), cohort));
        // Both halves must have a cohort; equal codes stay together.
        let middle = code(members[members.len() / 2], widest).max(low + 1);
        Some(members.partition_point(|&cohort| code(cohort, widest) < middle))
    }
}

fn too_many() -> Error {
    let problem = format!(
        "finding whose records the release has takes more than {MOST_COMPARISONS} comparisons with \
         records of the original, because its cells cover too many of them"
    );
    Error::invalid(problem)
        .advise([Advice::words("keep the order of the original until people were counted")])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Columns, Encoding};

    #[test]
    fn every_cohort_that_fits_is_found_with_few_comparisons() {
        let rows: Vec<[String; 2]> =
            (0..4000u32).map(|n| [(n * 7919 % 997).to_string(), (n % 89).to_string()]).collect();
        let columns = Columns::quasi(&["x", "y"]);
        let table = Table::encode(&columns, &rows, &Encoding::default()).unwrap();
        let (x, y) = (Cover::of((100..105).map(Code::new)), Cover::of((3..40).map(Code::new)));
        let shown = Shown { cells: vec![&x, &y], others: Vec::new() };
        let mut origins = Origins::new(&table, 2);
        let mut found = Vec::new();
        let visit = |cohort| {
            found.push(cohort);
            ControlFlow::Continue(())
        };
        origins.of(&shown, visit).unwrap();
        found.sort_unstable();
        let cohorts = table.cohorts();
        let wanted: Vec<Cohort> =
            cohorts.all().filter(|&cohort| shown.fits(cohorts.tuple(cohort))).collect();
        assert!(!wanted.is_empty());
        assert_eq!(found, wanted);
        let n_compared = MOST_COMPARISONS - origins.n_left;
        assert!(n_compared < 200, "{n_compared} comparisons among {} cohorts", cohorts.len());
    }

    #[test]
    fn comparisons_are_limited() {
        let table = Table::from_rows(&["x"], &[["1"], ["2"]]).unwrap();
        let any = Cover::of([0, 1].map(Code::new));
        let shown = Shown { cells: vec![&any], others: Vec::new() };
        let mut origins = Origins { n_left: 3, ..Origins::new(&table, 1) };
        let mut all = || origins.of(&shown, |_| ControlFlow::Continue(()));
        assert!(all().is_ok());
        assert!(all().unwrap_err().to_string().contains("comparisons"));
    }
}
