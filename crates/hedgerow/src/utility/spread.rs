//! A release in the values of its original: each cell as equal shares of the values it covers.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::hierarchy::{Hierarchy, Notation};
use crate::population::{Cover, covers};
use crate::release::{Detail, Ends};
use crate::table::{Code, Column, Domain, Table};

/// The values of the original that each published cell may mean.
///
/// A cell counts as an equal share of each value of the original that it covers: `[32, 35]` is a
/// quarter of 32, 33, 34 and 35 if all four occur, and `*` is an equal share of every value. The
/// release does not say more, and users who know nothing else have to assume this. A set that names
/// some of its members counts the others as equal shares of all values that it does not name.
#[derive(Debug)]
pub struct Spread<'a> {
    original: &'a Table,
    release: &'a Table,
    /// The cells of each quasi-identifier, by their codes in the release.
    cells: Vec<Vec<Cell>>,
    /// Codes in the original of the other columns, which are published as they are.
    others: Vec<Vec<Cell>>,
}

/// The values that a published cell may mean.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cell {
    /// Codes of values with equal shares, as ascending ranges.
    runs: Vec<Range<usize>>,
    /// The share of each of these values.
    each: f64,
    /// The share of every value of the column, if the cell has unnamed members.
    rest: f64,
    /// Number of values of the column.
    n_values: usize,
    /// Whether the cell shows one value of the original.
    is_value: bool,
}

impl Cell {
    fn covering(runs: Vec<Range<usize>>, n_values: usize) -> Self {
        let n_covered: usize = runs.iter().map(ExactSizeIterator::len).sum();
        // A label that covers no value of the original says as little as `*`.
        if n_covered == 0 {
            return Self::covering(std::iter::once(0..n_values.max(1)).collect(), n_values.max(1));
        }
        Self { runs, each: 1.0 / n_covered as f64, rest: 0.0, n_values, is_value: false }
    }

    /// Number of values that the cell covers.
    fn n_covered(&self) -> usize {
        // The shares of named members and unnamed ones add up to 1 over all of them.
        (1.0 / (self.each + self.rest)).round() as usize
    }

    /// Iterates over ranges of values with the share of each value in them.
    pub(super) fn shares(&self) -> impl Iterator<Item = (Range<usize>, f64)> + '_ {
        let rest = (self.rest > 0.0).then_some((0..self.n_values, self.rest));
        self.runs.iter().map(|run| (run.clone(), self.each)).chain(rest)
    }

    /// The share of the cell that is in a set of values, given as prefix counts of the set.
    pub(super) fn share_in(&self, prefix: &[u32]) -> f64 {
        let n_in = |run: &Range<usize>| f64::from(prefix[run.end] - prefix[run.start]);
        self.shares().map(|(run, each)| each * n_in(&run)).sum()
    }
}

impl<'a> Spread<'a> {
    /// Reads the cells of a release.
    pub fn new(
        original: &'a Table,
        release: &'a Table,
        hierarchies: &BTreeMap<String, &Hierarchy>,
    ) -> Self {
        let covers = covers(original, release, hierarchies);
        let columns = original.columns().iter().zip(release.columns()).zip(&covers);
        let cells = columns.map(|((column, shown), covers)| of_column(column, shown, covers));
        let others = original.beside().iter().zip(release.beside());
        let others = others.map(|(column, shown)| unchanged_column(&column.domain, &shown.domain));
        Self { original, release, cells: cells.collect(), others: others.collect() }
    }

    pub(super) fn original(&self) -> &'a Table {
        self.original
    }

    pub(super) fn release(&self) -> &'a Table {
        self.release
    }

    /// The domain in the original of a column: quasi-identifiers first, then the others.
    pub(crate) fn domain(&self, place: usize) -> &'a Domain {
        &self.original.all_columns()[place].domain
    }

    /// Number of columns that both tables have.
    pub(super) fn n_columns(&self) -> usize {
        self.cells.len() + self.others.len()
    }

    /// The cells of a column, by their codes in the release.
    pub(super) fn cells(&self, place: usize) -> &[Cell] {
        match place.checked_sub(self.cells.len()) {
            None => &self.cells[place],
            Some(place) => &self.others[place],
        }
    }

    /// Number of records with each code of a column of the original.
    pub fn before(&self, place: usize) -> Vec<f64> {
        let cohorts = self.original.cohorts();
        let mut counts = vec![0.0; self.domain(place).n_codes()];
        for (cohort, count) in cohorts.counted() {
            counts[cohorts.tuple(cohort)[place].index()] += count as f64;
        }
        counts
    }

    /// Number of records with each code of a column of the original, according to the release.
    pub fn after(&self, place: usize) -> Vec<f64> {
        let n_codes = self.domain(place).n_codes();
        // A range adds its share where it starts and takes it back where it ends.
        let mut steps = vec![0.0; n_codes + 1];
        for (cell, count) in self.cells(place).iter().zip(self.shown(place)) {
            for (run, each) in cell.shares() {
                steps[run.start] += each * count as f64;
                steps[run.end] -= each * count as f64;
            }
        }
        let mut sum = 0.0;
        let shares = steps[..n_codes].iter().map(|step| {
            sum += step;
            f64::max(sum, 0.0)
        });
        shares.collect()
    }

    /// Number of records that show each cell of a column.
    pub(super) fn shown(&self, place: usize) -> Vec<u64> {
        let cohorts = self.release.cohorts();
        let mut counts = vec![0; self.cells(place).len()];
        for (cohort, count) in cohorts.counted() {
            counts[cohorts.tuple(cohort)[place].index()] += count;
        }
        counts
    }

    /// The precision with which a quasi-identifier is published, read from its labels.
    pub fn detail(&self, place: usize) -> Detail {
        self.detail_within(place, &Ends::of(&self.domain(place).values))
    }

    /// The same, with ranges that end where `ends` says.
    pub(crate) fn detail_within(&self, place: usize, ends: &Ends) -> Detail {
        let shown = &self.release.columns()[place].domain;
        let labels = shown.codes().map(|code| shown.spelling(code));
        let cells = self.cells[place].iter().map(|cell| (cell.is_value, cell.n_covered()));
        let counted = labels.zip(cells).zip(self.shown(place));
        let labels = counted.map(|((label, cell), n)| (label, cell, n));
        Detail::of_labels(self.domain(place), ends, labels)
    }

    /// Number of cells of a column that show exactly one value of the original.
    pub fn unchanged(&self, place: usize) -> u64 {
        let cells = self.cells(place).iter().zip(self.shown(place));
        cells.filter(|(cell, _)| cell.is_value).map(|(_, count)| count).sum()
    }
}

/// The cells of a quasi-identifier.
fn of_column(column: &Column, shown: &Column, covers: &[Cover]) -> Vec<Cell> {
    let (domain, n_codes) = (&column.domain, column.domain.n_codes());
    let of_label = |(code, cover): (Code, &Cover)| {
        let label = shown.domain.spelling(code);
        let cell = match Notation::read_as(&domain.values, &label) {
            Notation::PartialSet(_, n_more) => {
                partial(n_codes, runs(domain, &label, cover), n_more)
            }
            _ => Cell::covering(runs(domain, &label, cover), n_codes),
        };
        // Both conditions: a group can have the name of a value, and a range can contain a single
        // one.
        let is_value = domain.code_of(&label).is_some() && cell.each >= 1.0;
        Cell { is_value, ..cell }
    };
    shown.domain.codes().zip(covers).map(of_label).collect()
}

/// The values that a label covers; missing values only if the label is one of them.
fn runs(domain: &Domain, label: &str, cover: &Cover) -> Vec<Range<usize>> {
    let is_missing =
        domain.missing_code().is_some() && domain.code_of(label) == domain.missing_code();
    let missing = domain.missing_code().filter(|_| !is_missing).map(Code::index);
    let all = cover.runs().map(|(start, end)| start as usize..end as usize);
    // The code of missing values comes after all others.
    let cut = |run: Range<usize>| run.start..missing.map_or(run.end, |code| run.end.min(code));
    all.map(cut).filter(|run| !run.is_empty()).collect()
}

/// A set of the values in `named` and `n_more` others, which may be any of the other values.
fn partial(n_codes: usize, named: Vec<Range<usize>>, n_more: usize) -> Cell {
    // Members that the original does not have get no share, so that the shares add up to 1.
    let n_named: usize = named.iter().map(ExactSizeIterator::len).sum();
    if n_named == 0 {
        return Cell::covering(named, n_codes);
    }
    let n_others = n_codes.saturating_sub(n_named).max(1);
    let each = 1.0 / (n_named + n_more) as f64;
    let rest = each * n_more as f64 / n_others as f64;
    // Named members are among all values too, so their own share is less by `rest`.
    Cell { each: each - rest, rest, ..Cell::covering(named, n_codes) }
}

/// The cells of a column that is published as it is.
fn unchanged_column(domain: &Domain, shown: &Domain) -> Vec<Cell> {
    let n_codes = domain.n_codes();
    let cell = |code: Option<Code>| {
        let run = code.map(|code| code.index()..code.index() + 1);
        Cell { is_value: true, ..Cell::covering(run.into_iter().collect(), n_codes) }
    };
    domain.codes_of(shown).into_iter().map(cell).collect()
}
