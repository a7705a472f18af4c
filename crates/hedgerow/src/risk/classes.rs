//! The classes of a table: distinct tuples of quasi-identifiers, and the records that match them.

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

use super::sample::Group;
use crate::measure::blank_cells;
use crate::table::{Code, Cohort, MissingPolicy, Table};

/// The columns of a tuple that show nothing.
type Pattern = Vec<bool>;

/// The distinct tuples of some columns of a table.
///
/// A cell that shows nothing, `*`, fits every value. Tuples are grouped by the columns in which
/// they show nothing, and two such groups are compared on the columns that both show, by hash. So
/// the work is the number of tuples times the number of patterns, and never tuples times tuples.
#[derive(Debug, Clone)]
pub(super) struct Classes {
    /// The tuple of each cohort of the table.
    of_cohort: Vec<u32>,
    /// The codes of all tuples, one tuple after the other; all cells that show nothing are equal.
    codes: Vec<Code>,
    width: usize,
    /// The first cohort of each tuple.
    first: Vec<Cohort>,
    /// Number of records of each tuple.
    records: Vec<u64>,
    /// The people of each tuple, ascending; empty if every record is a different person.
    people: Vec<Vec<Code>>,
    /// The tuples by the columns in which they show nothing.
    patterns: BTreeMap<Pattern, Vec<u32>>,
}

/// Tuples that are equal on the columns which are compared.
#[derive(Default)]
struct Bucket {
    records: u64,
    weight: f64,
    tuples: Vec<u32>,
}

/// The records that match a tuple, itself included.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Matches {
    /// Number of records or people.
    pub(super) size: u64,
    /// Sum of their sampling weights.
    pub(super) weight: f64,
}

impl Classes {
    /// The classes of a table on its quasi-identifiers.
    pub(super) fn of(table: &Table, is_release: bool) -> Self {
        let places: Vec<usize> = (0..table.columns().len()).collect();
        let blank = if is_release { blank_cells(table) } else { wildcards(table) };
        Self::on(table, &places, &blank)
    }

    /// The classes of a table on some of its columns, given the cells of quasi-identifiers that
    /// show nothing.
    pub(super) fn on(table: &Table, places: &[usize], blank: &[Vec<bool>]) -> Self {
        let cohorts = table.cohorts();
        let mut classes = Self {
            of_cohort: Vec::with_capacity(cohorts.len()),
            codes: Vec::new(),
            width: places.len(),
            first: Vec::new(),
            records: Vec::new(),
            people: Vec::new(),
            patterns: BTreeMap::new(),
        };
        let canonical = canonical(table, places, blank);
        classes.number(table, strides(table, places).as_deref(), |cohort, tuple| {
            let codes = cohorts.tuple(cohort);
            let cells = places.iter().zip(&canonical).map(|(&place, same)| match same {
                Some(same) => same[codes[place].index()],
                None => codes[place],
            });
            tuple.extend(cells);
        });
        classes.find_patterns(places, blank);
        classes.find_people(table);
        classes
    }

    /// Numbers the tuples in the order of their first cohorts; `fill` adds the cells of a cohort.
    fn number(
        &mut self,
        table: &Table,
        strides: Option<&[u64]>,
        fill: impl Fn(Cohort, &mut Vec<Code>),
    ) {
        let hasher = DefaultHashBuilder::default();
        // Tuples are compared where they are stored, so that none is copied to look it up.
        let mut found: HashTable<(u64, u32)> = HashTable::with_capacity(table.cohorts().len());
        let mut tuple: Vec<Code> = Vec::with_capacity(self.width);
        for (cohort, count) in table.cohorts().counted() {
            tuple.clear();
            fill(cohort, &mut tuple);
            // With strides a key is one tuple, so that no other memory is read to compare tuples.
            let key = match strides {
                Some(strides) => packed(&tuple, strides),
                None => hasher.hash_one(&tuple),
            };
            let is_same = |&(other, place): &(u64, u32)| {
                other == key && (strides.is_some() || self.tuple(place) == tuple)
            };
            let hash = hasher.hash_one(key);
            let known = found.find(hash, is_same).map(|&(_, place)| place);
            let place = known.unwrap_or(self.records.len() as u32);
            if known.is_none() {
                self.codes.extend_from_slice(&tuple);
                self.first.push(cohort);
                self.records.push(0);
                found.insert_unique(hash, (key, place), |&(key, _)| hasher.hash_one(key));
            }
            self.records[place as usize] += count;
            self.of_cohort.push(place);
        }
    }

    fn find_patterns(&mut self, places: &[usize], blank: &[Vec<bool>]) {
        let all = 0..self.records.len() as u32;
        let blank: Vec<Option<&Vec<bool>>> = (places.iter())
            .map(|&place| blank.get(place).filter(|blank| blank.contains(&true)))
            .collect();
        // Without blank cells there is one pattern, and no tuple matches another.
        if blank.iter().all(Option::is_none) {
            self.patterns.insert(vec![false; self.width], all.collect());
            return;
        }
        for tuple in all {
            let cells = self.tuple(tuple).iter().zip(&blank);
            let pattern: Pattern =
                cells.map(|(code, blank)| blank.is_some_and(|blank| blank[code.index()])).collect();
            self.patterns.entry(pattern).or_default().push(tuple);
        }
    }

    fn find_people(&mut self, table: &Table) {
        let Some(of_cohort) = table.people() else { return };
        self.people = vec![Vec::new(); self.records.len()];
        for (&tuple, person) in self.of_cohort.iter().zip(of_cohort) {
            self.people[tuple as usize].push(person);
        }
        for people in &mut self.people {
            // Sorted, because `joined` searches these lists.
            people.sort_unstable();
            people.dedup();
        }
    }

    fn tuple(&self, tuple: u32) -> &[Code] {
        &self.codes[tuple as usize * self.width..][..self.width]
    }

    /// Number of distinct tuples.
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// The tuple of each cohort of the table.
    pub(super) fn of_cohort(&self) -> &[u32] {
        &self.of_cohort
    }

    /// The first cohort of each tuple.
    pub(super) fn first(&self) -> &[Cohort] {
        &self.first
    }

    /// Number of records with each tuple.
    pub(super) fn records(&self) -> &[u64] {
        &self.records
    }

    /// The people of each tuple, ascending, or `None` if every record is a different person.
    pub(super) fn people(&self) -> Option<&[Vec<Code>]> {
        (!self.people.is_empty()).then_some(&self.people)
    }

    /// Number of records, or of people with each tuple.
    pub(super) fn units(&self) -> Vec<u64> {
        match self.people() {
            None => self.records.clone(),
            Some(people) => people.iter().map(|people| people.len() as u64).collect(),
        }
    }

    /// The tuple that shows nothing in any column, if there is one.
    pub(super) fn suppressed(&self) -> Option<u32> {
        let nothing = vec![true; self.width];
        // All of them are equal, so there is at most one.
        self.patterns.get(&nothing).and_then(|tuples| tuples.first().copied())
    }

    /// The records that match each tuple. `weights` are the sampling weights of the records of each
    /// tuple, or of each person, if there are any. Without `suppressed` records, these match
    /// nothing.
    pub(super) fn matches(&self, weights: Option<&[f64]>, with_suppressed: bool) -> Vec<Matches> {
        let hidden = self.suppressed().filter(|_| !with_suppressed);
        let mut found = vec![Matches::default(); self.len()];
        for (pattern, tuples) in &self.patterns {
            let others: Vec<(Pattern, HashMap<Vec<Code>, Bucket>)> = self
                .patterns
                .iter()
                .filter(|&(other, tuples)| other != pattern && Some(tuples[0]) != hidden)
                .map(|(other, tuples)| {
                    // Two tuples can be compared only where both show something.
                    let shown = pattern.iter().zip(other).map(|(one, two)| !one && !two).collect();
                    let buckets = self.buckets(tuples, &shown, weights);
                    (shown, buckets)
                })
                .collect();
            for &tuple in tuples.iter().filter(|&&tuple| Some(tuple) != hidden) {
                // Equal tuples share a pattern, so the others are added and nothing is counted
                // twice.
                let near = others
                    .iter()
                    .filter_map(|(shown, buckets)| buckets.get(&self.cells(tuple, shown)));
                found[tuple as usize] = self.joined(tuple, near, weights);
            }
        }
        found
    }

    /// For each tuple, whether all records that match it have one value, given the value of each
    /// tuple if its own records have one. Suppressed records match nothing.
    pub(super) fn agree(&self, value_of: &[Option<Code>]) -> Vec<bool> {
        let hidden = self.suppressed();
        let mut agree: Vec<bool> = value_of.iter().map(Option::is_some).collect();
        for (pattern, tuples) in &self.patterns {
            for (other, others) in self.patterns.iter().filter(|(other, _)| *other != pattern) {
                if Some(tuples[0]) == hidden || Some(others[0]) == hidden {
                    continue;
                }
                let shown = pattern.iter().zip(other).map(|(one, two)| !one && !two).collect();
                let mut values: HashMap<Vec<Code>, Option<Code>> = HashMap::new();
                for &tuple in others {
                    let value = value_of[tuple as usize];
                    let known = values.entry(self.cells(tuple, &shown)).or_insert(value);
                    *known = known.filter(|_| *known == value);
                }
                for &tuple in tuples {
                    let value = value_of[tuple as usize];
                    let fitting = values.get(&self.cells(tuple, &shown));
                    agree[tuple as usize] &= fitting.is_none_or(|&other| other == value);
                }
            }
        }
        agree
    }

    /// Tuples by their cells in the columns that are shown.
    fn buckets(
        &self,
        tuples: &[u32],
        shown: &Pattern,
        weights: Option<&[f64]>,
    ) -> HashMap<Vec<Code>, Bucket> {
        let mut buckets: HashMap<Vec<Code>, Bucket> = HashMap::new();
        for &tuple in tuples {
            let bucket = buckets.entry(self.cells(tuple, shown)).or_default();
            bucket.records += self.records[tuple as usize];
            bucket.weight += self.weight(tuple, weights);
            bucket.tuples.push(tuple);
        }
        buckets
    }

    fn cells(&self, tuple: u32, shown: &Pattern) -> Vec<Code> {
        let cells = self.tuple(tuple).iter().zip(shown);
        cells.filter(|&(_, &is_shown)| is_shown).map(|(&code, _)| code).collect()
    }

    /// The weight of the records of a tuple, if weights are those of tuples.
    fn weight(&self, tuple: u32, weights: Option<&[f64]>) -> f64 {
        // Weights of people are added in `joined`, where each person counts once.
        let is_by_tuple = self.people.is_empty();
        weights.filter(|_| is_by_tuple).map_or(0.0, |weights| weights[tuple as usize])
    }

    /// The records that a tuple matches together with other tuples that fit.
    fn joined<'a>(
        &self,
        tuple: u32,
        near: impl Iterator<Item = &'a Bucket>,
        weights: Option<&[f64]>,
    ) -> Matches {
        let Some(people) = self.people() else {
            let own =
                Matches { size: self.records[tuple as usize], weight: self.weight(tuple, weights) };
            return near.fold(own, |sum, bucket| Matches {
                size: sum.size + bucket.records,
                weight: sum.weight + bucket.weight,
            });
        };
        // A person can have records in several matching tuples, so the union is counted, not the
        // sum.
        let others = near.flat_map(|bucket| &bucket.tuples).copied();
        let mut lists: Vec<&Vec<Code>> =
            std::iter::once(tuple).chain(others).map(|tuple| &people[tuple as usize]).collect();
        // People of short lists are looked up in the longest one, which is often very long.
        lists.sort_by_key(|list| std::cmp::Reverse(list.len()));
        let longest = lists[0];
        let rest = lists[1..].iter().flat_map(|list| list.iter().copied());
        let mut more: Vec<Code> =
            rest.filter(|person| longest.binary_search(person).is_err()).collect();
        more.sort_unstable();
        more.dedup();
        let weigh = |person: &Code| weights.map_or(0.0, |weights| weights[person.index()]);
        Matches {
            size: (longest.len() + more.len()) as u64,
            weight: longest.iter().chain(&more).map(weigh).sum(),
        }
    }

    /// The records or people by their figures, given the figures of each tuple; those without
    /// matches are left out. The figures of a person are the lowest of their records.
    pub(super) fn groups(&self, of_tuple: &[Group]) -> Vec<Group> {
        let kept = |group: &&Group| group.size > 0;
        let mut groups: Vec<Group> = match self.people() {
            None => of_tuple
                .iter()
                .zip(&self.records)
                .map(|(group, &n)| Group { n, ..*group })
                .filter(|group| kept(&group))
                .collect(),
            Some(people) => {
                let mut of_person: BTreeMap<Code, Group> = BTreeMap::new();
                for (group, people) in of_tuple.iter().zip(people).filter(|(group, _)| kept(group))
                {
                    for &person in people {
                        let own = of_person.entry(person).or_insert(Group { n: 1, ..*group });
                        // A person is as exposed as their most exposed record.
                        *own = own.worst(group);
                    }
                }
                of_person.into_values().collect()
            }
        };
        groups.sort_by(Group::compare);
        // Models see records with equal figures as one group.
        groups.dedup_by(|next, kept| {
            let is_same = next.compare(kept).is_eq();
            kept.n += if is_same { next.n } else { 0 };
            is_same
        });
        groups
    }
}

/// The factors by which the codes of columns are multiplied so that every tuple has a different
/// number; `None` if there are more tuples than numbers.
fn strides(table: &Table, places: &[usize]) -> Option<Vec<u64>> {
    let mut next = 1u64;
    let mut strides = Vec::with_capacity(places.len());
    for &place in places {
        strides.push(next);
        // Mixed-radix numbers: the product of the domain sizes so far. On overflow tuples are
        // hashed.
        next = next.checked_mul(table.all_columns()[place].domain.n_codes().max(1) as u64)?;
    }
    Some(strides)
}

/// The number of a tuple.
fn packed(tuple: &[Code], strides: &[u64]) -> u64 {
    tuple.iter().zip(strides).map(|(code, stride)| u64::from(code.get()) * stride).sum()
}

/// The cells of each quasi-identifier of an original that fit every value: missing values, if they
/// match anything.
pub(super) fn wildcards(table: &Table) -> Vec<Vec<bool>> {
    let matches_any = table.missing() == MissingPolicy::Wildcard;
    let of_column = |column: &crate::table::Column| {
        let missing = column.domain.missing_code().filter(|_| matches_any);
        column.domain.codes().map(|code| Some(code) == missing).collect()
    };
    table.columns().iter().map(of_column).collect()
}

/// For each column, the code that represents each code, so that all cells which show nothing are
/// equal; `None` if at most one code does.
fn canonical(table: &Table, places: &[usize], blank: &[Vec<bool>]) -> Vec<Option<Vec<Code>>> {
    let of_column = |&place: &usize| {
        let blank = blank.get(place)?;
        let first = blank.iter().position(|&is_blank| is_blank)?;
        let n_blank = blank.iter().filter(|&&is_blank| is_blank).count();
        let codes = table.all_columns()[place].domain.codes();
        let same = |code: Code| if blank[code.index()] { Code::new(first) } else { code };
        (n_blank > 1).then(|| codes.map(same).collect())
    };
    places.iter().map(of_column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Columns, Encoding};

    fn release(rows: &[[&str; 3]]) -> Table {
        let encoding = Encoding { is_release: true, ..Encoding::default() };
        Table::encode(&Columns::quasi(&["a", "b", "c"]), rows, &encoding).unwrap()
    }

    fn sizes(rows: &[[&str; 3]], with_suppressed: bool) -> Vec<u64> {
        let classes = Classes::of(&release(rows), true);
        let found = classes.matches(None, with_suppressed);
        found.into_iter().map(|found| found.size).collect()
    }

    #[test]
    fn a_star_matches_whatever_fits() {
        let rows =
            [["1", "x", "p"], ["1", "*", "p"], ["2", "x", "p"], ["*", "x", "p"], ["2", "y", "q"]];
        assert_eq!(sizes(&rows, true), [3, 3, 2, 4, 1]);
    }

    #[test]
    fn suppressed_records_match_everything_or_nothing() {
        let rows = [["1", "x", "p"], ["*", "*", "*"], ["2", "y", "q"], ["*", "*", "*"]];
        assert_eq!(sizes(&rows, true), [3, 4, 3]);
        assert_eq!(sizes(&rows, false), [1, 0, 1]);
    }

    #[test]
    fn people_who_match_are_counted_once() {
        let columns = Columns::quasi(&["a"]).and_person("id");
        let rows = [["1", "p"], ["1", "p"], ["*", "p"], ["*", "q"], ["2", "r"]];
        let encoding = Encoding { is_release: true, ..Encoding::default() };
        let table = Table::encode(&columns, &rows, &encoding).unwrap();
        let classes = Classes::of(&table, true);
        let found = classes.matches(None, true);
        assert_eq!(found.iter().map(|found| found.size).collect::<Vec<_>>(), [2, 3, 3]);
    }
}
