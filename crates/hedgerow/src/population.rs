//! The population that a table is a sample of, and the number of its records that a published
//! record represents.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use crate::error::{Advice, Misuse};
use crate::hierarchy::{Excluded, Hierarchy, Masks, Node, Notation, excluded_ends};
use crate::progress::{Progress, stop_at, stop_if_cancelled};
use crate::table::{Code, Cohort, Column, Domain, MissingPolicy, Table};
use crate::{Error, Result};

/// A population with the same quasi-identifiers as the table.
#[derive(Debug, Clone)]
pub struct Population {
    table: Table,
}

/// Number of population records that the records of a table represent.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Weights {
    /// For each cohort, per record: the number of population records with the same
    /// quasi-identifiers, divided by the number of table records with them.
    pub of_cohort: Vec<f64>,
    /// Number of table records that are missing from the population.
    pub n_lacking: u64,
    /// The first row with such a record, counted from 0; `None` if there is no such record.
    pub first_lacking: Option<u64>,
}

impl Population {
    /// Creates a population from a table that has the quasi-identifiers of the sample, in order.
    pub fn new(table: Table) -> Self {
        Self { table }
    }

    /// Returns an error if the population does not have the quasi-identifiers of a sample, in
    /// order: columns are matched by position.
    fn check_columns(&self, sample: &Table) -> Result<()> {
        let (own, others) = (self.table.columns(), sample.columns());
        let names = |columns: &[Column]| columns.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
        if names(own) == names(others) {
            return Ok(());
        }
        let misuse = Misuse::OtherPopulation { population: names(own), table: names(others) };
        let advice = Advice::words("read the same columns of both, in the same order");
        Err(Error::misuse(misuse).advise([advice]))
    }

    /// Number of records in the population.
    pub fn n_records(&self) -> u64 {
        self.table.cohorts().n_records()
    }

    /// Number of population records with the quasi-identifiers of each cohort of a table that has
    /// the same quasi-identifiers.
    ///
    /// # Errors
    ///
    /// [`Error::Misuse`] if its quasi-identifiers are others.
    pub fn members(&self, sample: &Table) -> Result<Vec<u64>> {
        self.check_columns(sample)?;
        let people = self.people(sample);
        let (cohorts, n_quasi) = (sample.cohorts(), sample.columns().len());
        let of_cohort = |cohort| people.get(&cohorts.tuple(cohort)[..n_quasi]).copied();
        Ok(cohorts.all().map(|cohort| of_cohort(cohort).unwrap_or(0)).collect())
    }

    /// Computes the weights of the records of a table that has the same quasi-identifiers.
    ///
    /// # Errors
    ///
    /// [`Error::Misuse`] if its quasi-identifiers are others, and [`Error::Cancelled`] if
    /// `progress` is cancelled.
    pub fn weights(&self, sample: &Table, progress: &dyn Progress) -> Result<Weights> {
        self.check_columns(sample)?;
        stop_if_cancelled(progress)?;
        let people = self.people(sample);
        let (cohorts, n_quasi) = (sample.cohorts(), sample.columns().len());
        // Cohorts can differ in other columns only, so count records by quasi-identifiers.
        let mut records: HashMap<&[Code], u64> = HashMap::new();
        for (cohort, count) in cohorts.counted() {
            *records.entry(&cohorts.tuple(cohort)[..n_quasi]).or_default() += count;
        }
        let mut weights = Weights { of_cohort: Vec::new(), n_lacking: 0, first_lacking: None };
        for (cohort, count) in cohorts.counted() {
            stop_at(cohort.index(), progress)?;
            let tuple = &cohorts.tuple(cohort)[..n_quasi];
            let n_people = people.get(tuple).copied().unwrap_or(0);
            if n_people == 0 {
                weights.n_lacking += count;
                // Cohorts are in the order of their first rows.
                weights.first_lacking.get_or_insert(cohorts.first_rows[cohort.index()]);
            }
            // Records with the same quasi-identifiers share the people who are like them.
            weights.of_cohort.push(n_people as f64 / records[tuple] as f64);
        }
        Ok(weights)
    }

    /// Number of population records with each tuple of quasi-identifiers, in the codes of a sample.
    fn people(&self, sample: &Table) -> HashMap<Vec<Code>, u64> {
        let columns = sample.columns().iter().zip(self.table.columns());
        let codes: Vec<Vec<Option<Code>>> =
            columns.map(|(column, other)| column.domain.codes_of(&other.domain)).collect();
        let mut people: HashMap<Vec<Code>, u64> = HashMap::new();
        let cohorts = self.table.cohorts();
        for (cohort, count) in cohorts.counted() {
            let own = cohorts.tuple(cohort).iter().zip(&codes);
            let tuple: Option<Vec<Code>> = own.map(|(&code, known)| known[code.index()]).collect();
            // Tuples with a value that the sample does not have cannot match any of its records.
            if let Some(tuple) = tuple {
                *people.entry(tuple).or_default() += count;
            }
        }
        people
    }

    /// The published labels, by column, that are neither values of the population nor labels in
    /// `hierarchies`, so that they cover no population record.
    pub fn unplaced(
        &self,
        release: &Table,
        hierarchies: &BTreeMap<String, &Hierarchy>,
    ) -> BTreeMap<String, Vec<String>> {
        let mut unplaced = BTreeMap::new();
        for (column, shown) in self.table.columns().iter().zip(release.columns()) {
            let reader = Reader::new(column, hierarchies.get(&column.name).copied());
            let labels = shown.domain.codes().map(|code| shown.domain.spelling(code));
            let unknown = labels.filter(|label| !label.is_empty() && !reader.knows(label));
            let names: Vec<String> = unknown.map(String::from).collect();
            if !names.is_empty() {
                unplaced.insert(column.name.clone(), names);
            }
        }
        unplaced
    }

    /// Number of population records that each cohort of a release covers with its published cells.
    ///
    /// A cell covers the values of its range or set, or those below the nodes with its label in
    /// `hierarchies`. A label without either covers no record.
    ///
    /// # Errors
    ///
    /// [`Error::Misuse`] if the quasi-identifiers of the release are others.
    pub fn covered(
        &self,
        release: &Table,
        hierarchies: &BTreeMap<String, &Hierarchy>,
    ) -> Result<Vec<u64>> {
        self.check_columns(release)?;
        let covers = covers(&self.table, release, hierarchies);
        let index = Index::new(&self.table);
        let cohorts = release.cohorts();
        // Cohorts of a release often publish the same cells, so each combination is counted once.
        let mut known: HashMap<&[Code], u64> = HashMap::new();
        let mut covered = Vec::with_capacity(cohorts.len());
        for cohort in cohorts.all() {
            let tuple = &cohorts.tuple(cohort)[..covers.len()];
            let n_people = known.entry(tuple).or_insert_with(|| {
                let cells = tuple.iter().zip(&covers).map(|(&code, covers)| &covers[code.index()]);
                index.count(&self.table, &cells.collect::<Vec<_>>())
            });
            covered.push(*n_people);
        }
        Ok(covered)
    }
}

/// The values of a table that each published cell of a release covers, column by column: those of
/// its range or set, or those below the nodes with its label in `hierarchies`.
pub(crate) fn covers(
    table: &Table,
    release: &Table,
    hierarchies: &BTreeMap<String, &Hierarchy>,
) -> Vec<Vec<Cover>> {
    let matches_any = table.missing() == MissingPolicy::Wildcard;
    let columns = table.columns().iter().zip(release.columns());
    let of_column = |(column, shown): (&Column, &Column)| {
        let reader = Reader::new(column, hierarchies.get(&column.name).copied());
        reader.covers(&shown.domain, matches_any)
    };
    columns.map(of_column).collect()
}

/// The codes of a column that a published cell covers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Cover {
    /// Runs of consecutive codes, ascending and apart from each other; the end is not included.
    runs: Vec<(u32, u32)>,
    /// The code of missing values, if these match any value.
    missing: Option<Code>,
}

impl Cover {
    /// The cover of these codes.
    pub(crate) fn of(codes: impl IntoIterator<Item = Code>) -> Self {
        Self::of_runs(codes.into_iter().map(|code| (code.get(), code.get() + 1)).collect())
    }

    /// The cover of every code of a domain.
    pub(crate) fn all(domain: &Domain) -> Self {
        Self::of_runs(vec![(0, domain.n_codes() as u32)])
    }

    fn of_runs(mut runs: Vec<(u32, u32)>) -> Self {
        runs.retain(|(start, end)| start < end);
        runs.sort_unstable();
        runs.dedup_by(|next, last| {
            let touches = next.0 <= last.1;
            last.1 = if touches { last.1.max(next.1) } else { last.1 };
            touches
        });
        Self { runs, missing: None }
    }

    /// The same cover, with missing values that match any value.
    pub(crate) fn or_missing(self, missing: Option<Code>) -> Self {
        Self { missing, ..self }
    }

    /// Whether the cell covers a value.
    pub(crate) fn has(&self, code: Code) -> bool {
        let after = self.runs.partition_point(|run| run.0 <= code.get());
        let is_within = after > 0 && code.get() < self.runs[after - 1].1;
        is_within || self.missing == Some(code)
    }

    /// Whether the cell covers no value, apart from missing ones that match any value.
    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Runs of consecutive codes, ascending; the end is not included.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (u32, u32)> {
        let is_apart =
            |code: &Code| !self.runs.iter().any(|run| (run.0..run.1).contains(&code.get()));
        let missing = self.missing.filter(is_apart);
        self.runs.iter().copied().chain(missing.map(|code| (code.get(), code.get() + 1)))
    }

    /// Whether two cells of a column can describe the same value.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.runs().any(|run| other.runs().any(|other| run.0 < other.1 && other.0 < run.1))
    }

    /// The least and the greatest code, if the cell covers any.
    pub(crate) fn span(&self) -> Option<(Code, Code)> {
        let first = self.runs().map(|(start, _)| start).min()?;
        let last = self.runs().map(|(_, end)| end - 1).max()?;
        Some((Code::from(first), Code::from(last)))
    }

    fn iter(&self) -> impl Iterator<Item = Code> {
        self.runs().flat_map(|(start, end)| (start..end).map(Code::from))
    }
}

/// Interprets the published labels of a column.
pub(crate) struct Reader<'a> {
    column: &'a Column,
    tree: Option<&'a Hierarchy>,
    /// The nodes of the tree by label.
    nodes: HashMap<String, Vec<Node>>,
    masks: Masks<'a>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(column: &'a Column, tree: Option<&'a Hierarchy>) -> Self {
        let mut nodes: HashMap<String, Vec<Node>> = HashMap::new();
        if let Some(tree) = tree {
            for node in tree.nodes() {
                nodes.entry(tree.published(node).into_owned()).or_default().push(node);
            }
        }
        Self { column, tree, nodes, masks: Masks::new(column) }
    }

    /// The cover of each label in `shown`; it includes missing values if these match any value.
    fn covers(&self, shown: &Domain, matches_any: bool) -> Vec<Cover> {
        let missing = self.column.domain.missing_code().filter(|_| matches_any);
        let labels = shown.codes().map(|code| shown.spelling(code));
        labels.map(|label| self.cover(&label).or_missing(missing)).collect()
    }

    /// The values that a label covers.
    pub(crate) fn cover(&self, label: &str) -> Cover {
        let domain = &self.column.domain;
        let mut runs = match Notation::read_as(&domain.values, label) {
            Notation::Anything => vec![(0, domain.n_codes() as u32)],
            Notation::Range(low, high) => {
                vec![self.between(low, high, excluded_ends(&domain.values, label))]
            }
            Notation::Set(members) | Notation::PartialSet(members, _) => {
                Self::single(members.iter().filter_map(|member| domain.code_of(member)))
            }
            Notation::Name(_) => Self::single(self.masks.covered(label)),
        };
        // A label can also be a value or the label of a node; all readings count.
        runs.extend(Self::single(domain.code_of(label)));
        let nodes = self.nodes.get(label).into_iter().flatten();
        runs.extend(Self::single(nodes.flat_map(|&node| self.below(node))));
        Cover::of_runs(runs)
    }

    fn single(codes: impl IntoIterator<Item = Code>) -> Vec<(u32, u32)> {
        codes.into_iter().map(|code| (code.get(), code.get() + 1)).collect()
    }

    /// Whether it is known which values a label covers.
    pub(crate) fn knows(&self, label: &str) -> bool {
        let is_open = match Notation::read_as(&self.column.domain.values, label) {
            Notation::Name(_) => self.masks.covered(label).is_empty(),
            // A partial set does not name the other values that it contains.
            Notation::PartialSet(..) => true,
            Notation::Anything | Notation::Range(..) | Notation::Set(_) => false,
        };
        !is_open || self.column.domain.code_of(label).is_some() || self.has_node(label)
    }

    /// Whether a label is that of a node of the hierarchy.
    pub(crate) fn has_node(&self, label: &str) -> bool {
        self.nodes.contains_key(label)
    }

    fn between(&self, low: f64, high: f64, excluded: Excluded) -> (u32, u32) {
        let Some(scale) = self.column.domain.values.scale() else { return (0, 0) };
        let is_before = |value: f64| if excluded.low { value <= low } else { value < low };
        let is_within = |value: f64| if excluded.high { value < high } else { value <= high };
        let start = scale.partition_point(is_before) as u32;
        (start, (scale.partition_point(is_within) as u32).max(start))
    }

    fn below(&self, node: Node) -> Vec<Code> {
        let leaves = self.tree.into_iter().flat_map(|tree| {
            tree.leaves_of(node).map(|leaf| self.column.domain.code_of(&tree.spelling(leaf)))
        });
        leaves.flatten().collect()
    }
}

/// For each column and code, the cohorts that have it.
struct Index {
    cohorts: Vec<Vec<Vec<Cohort>>>,
}

impl Index {
    fn new(table: &Table) -> Self {
        let n_codes = table.columns().iter().map(|column| column.domain.n_codes());
        let mut cohorts: Vec<Vec<Vec<Cohort>>> = n_codes.map(|n| vec![Vec::new(); n]).collect();
        for cohort in table.cohorts().all() {
            for (column, &code) in cohorts.iter_mut().zip(table.cohorts().tuple(cohort)) {
                column[code.index()].push(cohort);
            }
        }
        Self { cohorts }
    }

    /// Number of records that all covers contain. Scans only the cohorts of the most selective
    /// column.
    fn count(&self, table: &Table, covers: &[&Cover]) -> u64 {
        let n_cohorts = |place: &usize| -> usize {
            covers[*place].iter().map(|code| self.cohorts[*place][code.index()].len()).sum()
        };
        let Some(narrowest) = (0..covers.len()).min_by_key(n_cohorts) else {
            return 0;
        };
        let cohorts = table.cohorts();
        let is_covered = |cohort: &&Cohort| {
            cohorts.tuple(**cohort).iter().zip(covers).all(|(&code, cover)| cover.has(code))
        };
        // Covered codes are distinct, so no cohort is counted twice.
        let near = covers[narrowest].iter().flat_map(|code| &self.cohorts[narrowest][code.index()]);
        near.filter(is_covered).map(|cohort| cohorts.counts[cohort.index()]).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;
    use crate::progress::Silent;

    fn population() -> Population {
        let rows = [["20", "nurse"], ["20", "nurse"], ["25", "cook"], ["31", "smith"], ["31", ""]];
        Population::new(Table::from_rows(&["age", "job"], &rows).unwrap())
    }

    #[test]
    fn people_are_divided_between_the_records_that_are_like_them() {
        let sample = [["20.0", "nurse"], ["31", ""], ["31", ""], ["40", "cook"]];
        let sample = Table::from_rows(&["age", "job"], &sample).unwrap();
        let weights = population().weights(&sample, &Silent).unwrap();
        assert_eq!(weights.of_cohort, [2.0, 0.5, 0.0]);
        assert_eq!((weights.n_lacking, weights.first_lacking), (1, Some(3)));
    }

    #[test]
    fn hidden_characters_of_codes_can_be_any() {
        let codes = [["02139"], ["02138"], ["02446"], ["1002"]];
        let table = Table::from_rows(&["zip"], &codes).unwrap();
        let release = Table::from_rows(&["zip"], &[["021**"], ["0****"], ["9****"]]).unwrap();
        let covered = Population::new(table).covered(&release, &BTreeMap::new()).unwrap();
        // 1002 has lost its zero, as the builder `prefix` reads it.
        assert_eq!(covered, [2, 4, 0]);
    }

    #[test]
    fn a_release_covers_what_its_cells_say() {
        let rows = [
            ["[20, 30]", "*"],
            ["*", "{nurse, smith}"],
            ["31", "craft"],
            ["*", ""],
            ["20-25", "nurse"],
            ["*", "who knows"],
        ];
        let release = Table::from_rows(&["age", "job"], &rows).unwrap();
        let tree = "nurse;care;*\ncook;craft;*\nsmith;craft;*\n";
        let tree = Format::named("arx").unwrap().read(tree, Some("job")).unwrap();
        let trees = BTreeMap::from([("job".to_owned(), &tree)]);
        assert_eq!(population().covered(&release, &trees).unwrap(), [3, 3, 1, 1, 2, 0]);
        assert_eq!(population().covered(&release, &BTreeMap::new()).unwrap(), [3, 3, 0, 1, 2, 0]);
        let unplaced = |trees| population().unplaced(&release, trees).remove("job").unwrap();
        assert_eq!(unplaced(&trees), ["who knows"]);
        assert_eq!(unplaced(&BTreeMap::new()), ["craft", "who knows"]);
    }
}
