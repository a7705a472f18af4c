//! Scenes of attacks: files and knowledge that belong together, and the classes that people fit.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use super::checks::{check_column, check_tables, known_places, sensitive_places};
use super::given::{Given, Other};
use super::index::{Candidates, Index};
use super::mask::Mask;
use super::view::{Reading, Targets, View, covers, hides_empty};
use crate::Result;
use crate::hierarchy::Hierarchy;
use crate::noun::counted;
use crate::population::Cover;
use crate::table::{Code, Cohort, Column, Table};

/// Maximum number of examples of an attempt.
pub(super) const EXAMPLES: usize = 3;

/// Values of fewer records, or people, are masked in examples, even if `k` is smaller.
const FEW: u64 = 5;

/// Maximum number of quasi-identifiers that are named one by one.
const MOST_NAMED: usize = 3;

/// Inputs of attacks that were checked.
#[derive(Debug)]
pub struct Scene {
    given: Given,
    /// The values that the cells of the release cover, for all columns of the original but the
    /// person.
    pub(super) covers: Vec<Vec<Cover>>,
    /// The places of the known columns.
    known: Vec<usize>,
    /// The places of the sensitive columns.
    sensitive: Vec<usize>,
    pub(super) view: Arc<View>,
    pub(super) targets: Targets,
    // Computed by the first attack that needs them: some need no candidates.
    index: OnceLock<Index>,
    candidates: OnceLock<Candidates>,
    holders: OnceLock<Vec<Vec<u64>>>,
}

impl Scene {
    /// Checks that files belong together and that the named columns exist.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) or [`Error::Column`](crate::Error::Column) if the
    /// release is empty, has more records than the original, other columns, or values that the
    /// original does not have; if a named column does not exist; or if another release has no
    /// column of the original.
    pub fn new(given: Given) -> Result<Self> {
        // Columns are compared first, because everything after this uses one place for both tables.
        check_tables(&given)?;
        let covers = (0..given.release.all_columns().len())
            .map(|place| covers_in(&given, &given.release, place, place))
            .collect::<Vec<_>>();
        for (place, covers) in covers.iter().enumerate() {
            check_column(&given, place, covers)?;
        }
        let sensitive = sensitive_places(&given)?;
        let known = known_places(&given, &sensitive)?;
        // Attacks see the known columns only; the others are read by those that need them.
        let of_known = known.iter().map(|&place| covers[place].clone()).collect();
        let view = Arc::new(View::new(&given.release, &known, of_known));
        let targets = Targets::of(&given.original, &known);
        let (index, candidates, holders) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Ok(Self { given, covers, known, sensitive, view, targets, index, candidates, holders })
    }

    /// The original.
    pub fn original(&self) -> &Table {
        &self.given.original
    }

    /// The release.
    pub fn release(&self) -> &Table {
        &self.given.release
    }

    /// The other releases.
    pub fn others(&self) -> &[Other] {
        &self.given.others
    }

    /// A table that the attacker has.
    pub fn external(&self) -> Option<&Table> {
        self.given.external.as_ref()
    }

    /// The places of the columns that the attacker knows, among all columns of the original.
    pub fn known(&self) -> &[usize] {
        &self.known
    }

    /// The places of the sensitive columns, among all columns of the original.
    pub fn sensitive(&self) -> &[usize] {
        &self.sensitive
    }

    /// The hierarchy of a column, if it is given.
    pub fn hierarchy(&self, column: &str) -> Option<&Hierarchy> {
        self.given.hierarchies.get(column)
    }

    /// Whether both tables were read with the cohorts of their rows.
    pub fn has_rows(&self) -> bool {
        self.original().rows().is_some() && self.release().rows().is_some()
    }

    /// Number of threads.
    pub(super) fn threads(&self) -> usize {
        self.given.threads
    }

    /// The column at a place, in the original.
    pub(super) fn column(&self, place: usize) -> &Column {
        &self.original().all_columns()[place]
    }

    /// The name of the column at a place.
    pub(super) fn name(&self, place: usize) -> String {
        self.column(place).name.clone()
    }

    /// Number of records, or people, of the original with each code of the column at a place.
    pub(super) fn holders(&self, place: usize) -> &[u64] {
        let original = self.original();
        let cohorts = original.cohorts();
        let of_column = |(place, column): (usize, &Column)| {
            let codes = cohorts.all().map(|cohort| Some(cohorts.tuple(cohort)[place].index()));
            original.holders(codes, column.domain.n_codes())
        };
        let all = || original.all_columns().iter().enumerate().map(of_column).collect();
        &self.holders.get_or_init(all)[place]
    }

    /// The least size of a class that was asked for, if it is known.
    pub(super) fn k(&self) -> Option<u64> {
        self.given.k
    }

    /// A published cell of a column, in which rare values are masked.
    pub(super) fn masked(&self, place: usize, label: &str) -> String {
        let few = self.given.k.unwrap_or(0).max(FEW);
        Mask { column: self.column(place), holders: self.holders(place), few }.masked(label)
    }

    /// The names of the known columns as a list: `'age' and 'sex'`; no names if these are all
    /// quasi-identifiers and many.
    pub(super) fn told_known(&self) -> String {
        let n_quasi = self.original().columns().len();
        if n_quasi > MOST_NAMED && self.known.iter().copied().eq(0..n_quasi) {
            return "all quasi-identifiers".to_owned();
        }
        let names: Vec<String> =
            self.known.iter().map(|&place| format!("'{}'", self.column(place).name)).collect();
        match names.as_slice() {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            _ => names.concat(),
        }
    }

    /// The quasi-identifiers in words, not one by one if they are many.
    pub(super) fn told_quasi(&self) -> String {
        let columns = self.original().columns();
        if columns.len() > MOST_NAMED {
            return "quasi-identifiers".to_owned();
        }
        columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Number of codes of each known column.
    fn n_codes(&self) -> Vec<usize> {
        self.known.iter().map(|&place| self.column(place).domain.n_codes()).collect()
    }

    /// The index of the classes.
    pub(super) fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(&self.view, &self.n_codes()))
    }

    /// The classes that each target can be in.
    pub(super) fn candidates(&self) -> &Candidates {
        self.candidates.get_or_init(|| {
            let mut found = Candidates::new(self.index(), &self.targets, self.threads());
            self.count_people(&mut found);
            found
        })
    }

    /// Limits the size of each set of candidates to the number of people of the original with
    /// records that fit, if a person can have several records.
    fn count_people(&self, candidates: &mut Candidates) {
        let Some(of_class) = self.people_of_classes(candidates) else { return };
        for (set, size) in candidates.sets.iter().zip(&mut candidates.sizes) {
            // Classes can share people, so their numbers do not add up.
            let people: BTreeSet<Code> =
                set.iter().flat_map(|&class| of_class[class as usize].iter().copied()).collect();
            *size = (*size).min(people.len() as u64);
        }
    }

    /// The people of the original with records that fit each class; `None` if every record is a
    /// different person.
    pub(super) fn people_of_classes(&self, candidates: &Candidates) -> Option<Vec<BTreeSet<Code>>> {
        let people = self.original().people()?;
        let mut of_class: Vec<BTreeSet<Code>> = vec![BTreeSet::new(); self.view.len()];
        for (cohort, &person) in self.original().cohorts().all().zip(&people) {
            let set = candidates.set_of(self.targets.target_of(cohort));
            for &class in &candidates.sets[set] {
                of_class[class as usize].insert(person);
            }
        }
        Some(of_class)
    }

    /// The set of candidates of a cohort of the original.
    pub(super) fn set_of(&self, cohort: Cohort) -> usize {
        self.candidates().set_of(self.targets.target_of(cohort))
    }

    /// The code in the original of each code of a kept column of the release.
    pub(super) fn kept_codes(&self, place: usize) -> Vec<Option<Code>> {
        let shown = &self.release().all_columns()[place].domain;
        self.column(place).domain.codes_of(shown)
    }

    /// The values that the cells of another release cover in the column of the original at `place`,
    /// which is at `at` in the release.
    pub(super) fn covers_in(&self, release: &Table, at: usize, place: usize) -> Vec<Cover> {
        covers_in(&self.given, release, at, place)
    }

    /// Counts the people that an attack is right about, given its guess for each cohort.
    pub(super) fn tally(&self, guess: impl Fn(Cohort) -> Guess) -> Tally {
        let cohorts = self.original().cohorts();
        let guesses = cohorts.counted().map(|(cohort, count)| (guess(cohort), count));
        let Some(people) = self.original().people() else {
            return Tally::of(guesses);
        };
        let mut of_person: BTreeMap<Code, Guess> = BTreeMap::new();
        for ((guess, _), person) in guesses.zip(people) {
            // A person is exposed by the record that reveals most.
            let best = of_person.entry(person).or_default();
            best.probability = best.probability.max(guess.probability);
            best.exposed |= guess.exposed;
        }
        Tally::of(of_person.into_values().map(|guess| (guess, 1)))
    }

    /// Expected number of people that are exposed, given the probability for each target.
    pub(super) fn expected(&self, of_target: impl Fn(usize) -> f64) -> f64 {
        let Some(people) = self.original().people() else {
            let records = self.targets.records.iter().enumerate();
            return records.map(|(target, &n)| of_target(target) * n as f64).sum();
        };
        let mut of_person: BTreeMap<Code, f64> = BTreeMap::new();
        for (&target, person) in self.targets.of_cohort.iter().zip(people) {
            // As in `tally`, a person counts once, by the record that reveals most.
            let most = of_person.entry(person).or_default();
            *most = most.max(of_target(target as usize));
        }
        of_person.into_values().sum()
    }

    /// The published cells of a class in the known columns, with rare values masked.
    pub(super) fn told_class(&self, class: usize) -> String {
        let cells = self.view.cells(class).iter().zip(&self.known);
        cells.map(|(&cell, &place)| self.told_cell(place, cell)).collect::<Vec<_>>().join(", ")
    }

    /// A published cell as `column=label`, with rare values masked.
    pub(super) fn told_cell(&self, place: usize, cell: Code) -> String {
        self.told_label(place, &self.release().all_columns()[place].domain.spelling(cell))
    }

    /// A label of a column as `column=label`, with rare values masked.
    pub(super) fn told_label(&self, place: usize, label: &str) -> String {
        format!("{}={}", self.column(place).name, self.masked(place, label))
    }

    /// A set of candidates: its first class, and the number of other classes and of records.
    pub(super) fn told_set(&self, set: usize) -> String {
        let candidates = self.candidates();
        let classes = &candidates.sets[set];
        // A set is empty if no class fits and the release has no record that shows nothing.
        let Some(&first) = classes.first() else { return "no class fits".to_owned() };
        let more = match classes.len() - 1 {
            0 => String::new(),
            more => format!(" or {more} more"),
        };
        let size = counted(candidates.sizes[set], self.original().counted_noun());
        format!("{}{more} ({size})", self.told_class(first as usize))
    }
}

/// An attacker's guess about the people of a cohort.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Guess {
    /// The probability that the guess is right.
    pub(super) probability: f64,
    pub(super) exposed: bool,
}

/// The results of all guesses.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) attacked: u64,
    pub(super) exposed: u64,
    pub(super) success: f64,
    pub(super) mean: f64,
}

impl Tally {
    /// Adds up guesses, each about a number of people.
    pub(super) fn of(guesses: impl Iterator<Item = (Guess, u64)>) -> Self {
        let mut tally = Self::default();
        let mut sum = 0.0;
        for (guess, count) in guesses {
            tally.attacked += count;
            tally.exposed += if guess.exposed { count } else { 0 };
            tally.success = tally.success.max(guess.probability);
            sum += guess.probability * count as f64;
        }
        tally.mean = sum / tally.attacked.max(1) as f64;
        tally
    }
}

/// The names of the columns that look generalized: a cell of the release is not a value of the
/// original.
///
/// Both tables have the same columns, which are read as text in the release.
pub fn generalized(original: &Table, release: &Table) -> Vec<String> {
    let columns = original.all_columns().iter().zip(release.all_columns());
    let is_changed = |(column, shown): &(&Column, &Column)| {
        let mut labels = shown.domain.codes().map(|code| shown.domain.spelling(code));
        // One cell that is not a value of the original is enough: the others can be
        // groups of one value.
        labels.any(|label| column.domain.code_of(&label).is_none())
    };
    columns.filter(is_changed).map(|(column, _)| column.name.clone()).collect()
}

fn covers_in(given: &Given, release: &Table, at: usize, place: usize) -> Vec<Cover> {
    let original = &given.original;
    let column = &original.all_columns()[place];
    let reading = Reading {
        tree: given.hierarchies.get(&column.name),
        // Quasi-identifiers come first; all columns after them are published unchanged.
        is_kept: place >= original.columns().len(),
        missing: original.missing(),
        hides_empty: hides_empty(original, place),
    };
    covers(column, &release.all_columns()[at].domain, reading)
}
