//! A release as seen by an attacker who knows some columns of the people in it.

use hashbrown::HashMap;

use crate::hierarchy::{Hierarchy, Notation};
use crate::population::{Cover, Reader};
use crate::table::{Code, Cohort, Column, Domain, MissingPolicy, Table};

/// The people that are attacked: the distinct tuples of their known values.
#[derive(Debug)]
pub(super) struct Targets {
    width: usize,
    codes: Vec<Code>,
    /// Number of records with each tuple.
    pub(super) records: Vec<u64>,
    /// The tuple of each cohort.
    pub(super) of_cohort: Vec<u32>,
}

impl Targets {
    /// The tuples of a table in the columns at `places`.
    pub(super) fn of(table: &Table, places: &[usize]) -> Self {
        let mut targets = Self {
            width: places.len(),
            codes: Vec::new(),
            records: Vec::new(),
            of_cohort: Vec::with_capacity(table.cohorts().len()),
        };
        // Numbered in the order of first occurrence, so results do not depend on the hash.
        let mut known: HashMap<Vec<Code>, u32> = HashMap::new();
        for (cohort, count) in table.cohorts().counted() {
            let tuple = table.cohorts().tuple(cohort);
            let own: Vec<Code> = places.iter().map(|&place| tuple[place]).collect();
            let next = targets.records.len() as u32;
            let target = *known.entry(own).or_insert(next);
            if target == next {
                targets.codes.extend(places.iter().map(|&place| tuple[place]));
                targets.records.push(0);
            }
            targets.records[target as usize] += count;
            targets.of_cohort.push(target);
        }
        targets
    }

    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// The known values of a target.
    pub(super) fn tuple(&self, target: usize) -> &[Code] {
        &self.codes[target * self.width..][..self.width]
    }

    /// The target of a cohort.
    pub(super) fn target_of(&self, cohort: Cohort) -> usize {
        self.of_cohort[cohort.index()] as usize
    }
}

/// A release, grouped by its labels in the known columns.
#[derive(Debug)]
pub(super) struct View {
    /// For each known column, the values that each published cell covers.
    pub(super) covers: Vec<Vec<Cover>>,
    /// The cells of all classes, one class after the other.
    cells: Vec<Code>,
    /// Number of records in each class.
    pub(super) sizes: Vec<u64>,
    /// The cohorts of the release in each class.
    pub(super) members: Vec<Vec<Cohort>>,
    /// Whether each class shows `*` in every known column.
    pub(super) is_blank: Vec<bool>,
}

impl View {
    /// Groups a release by the columns at `places`, given the values that each of their cells
    /// covers.
    pub(super) fn new(release: &Table, places: &[usize], covers: Vec<Vec<Cover>>) -> Self {
        let columns = release.all_columns();
        // Cells are compared by their codes; only here is their text read.
        let is_anything: Vec<Vec<bool>> =
            places.iter().map(|&place| anything(&columns[place].domain)).collect();
        let mut view = Self {
            covers,
            cells: Vec::new(),
            sizes: Vec::new(),
            members: Vec::new(),
            is_blank: Vec::new(),
        };
        let mut classes: HashMap<Vec<Code>, usize> = HashMap::new();
        for (cohort, count) in release.cohorts().counted() {
            let tuple = release.cohorts().tuple(cohort);
            let cells: Vec<Code> = places.iter().map(|&place| tuple[place]).collect();
            let next = view.sizes.len();
            let class = *classes.entry(cells).or_insert(next);
            if class == next {
                let cells = places.iter().map(|&place| tuple[place]);
                let mut blank = cells.clone().zip(&is_anything);
                view.is_blank.push(blank.all(|(cell, anything)| anything[cell.index()]));
                view.cells.extend(cells);
                view.sizes.push(0);
                view.members.push(Vec::new());
            }
            view.sizes[class] += count;
            view.members[class].push(cohort);
        }
        view
    }

    /// Number of classes.
    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// The cells of a class.
    pub(super) fn cells(&self, class: usize) -> &[Code] {
        let width = self.covers.len();
        &self.cells[class * width..][..width]
    }

    /// The values that a class covers in the column at `place` among the known ones.
    pub(super) fn cover(&self, class: usize, place: usize) -> &Cover {
        &self.covers[place][self.cells(class)[place].index()]
    }
}

/// For each code of a published column, whether it shows nothing.
fn anything(domain: &Domain) -> Vec<bool> {
    let is_anything = |code| Notation::read(&domain.spelling(code)) == Notation::Anything;
    domain.codes().map(is_anything).collect()
}

/// The rules for interpreting the cells of a column.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    pub(super) tree: Option<&'a Hierarchy>,
    /// Whether the column is published unchanged, so that values mean only themselves.
    pub(super) is_kept: bool,
    pub(super) missing: MissingPolicy,
    /// Whether a cell with a missing value hides one, because no value of the original is missing.
    pub(super) hides_empty: bool,
}

/// Whether a missing value in a release hides one of the column at a place of its original: none
/// is missing there, nor in records that were left out.
pub(super) fn hides_empty(original: &Table, place: usize) -> bool {
    original.n_dropped() == 0 && original.all_columns()[place].domain.missing.is_none()
}

/// The values of `column` that each published cell of it covers.
///
/// A set that hides some of its members can contain any value, because an attacker does not know
/// which.
pub(super) fn covers(column: &Column, shown: &Domain, reading: Reading<'_>) -> Vec<Cover> {
    let domain = &column.domain;
    let reader = Reader::new(column, reading.tree);
    // As a wildcard, a missing value fits every cell. In a column that is published unchanged it is
    // a value like any other.
    let is_wildcard = reading.missing == MissingPolicy::Wildcard && !reading.is_kept;
    let missing = domain.missing_code().filter(|_| is_wildcard);
    let cover = |code: Code| {
        let label = shown.spelling(code);
        let is_missing = || domain.is_missing(&label) && !reader.has_node(&label);
        if Some(code) == shown.missing_code() || is_missing() {
            let is_hidden = reading.hides_empty && !reading.is_kept;
            let missing = || Cover::of(domain.missing_code());
            return if is_hidden { Cover::all(domain) } else { missing() };
        }
        // In a kept column, `20-29` is a value that happens to look like a range.
        let value = domain.code_of(&label).filter(|_| reading.is_kept);
        if let Some(value) = value {
            return Cover::of([value]);
        }
        // An attacker cannot exclude any value from members that are not named.
        let is_open = matches!(Notation::read_as(&domain.values, &label), Notation::PartialSet(..));
        if is_open && !reader.has_node(&label) { Cover::all(domain) } else { reader.cover(&label) }
    };
    shown.codes().map(|code| cover(code).or_missing(missing)).collect()
}
