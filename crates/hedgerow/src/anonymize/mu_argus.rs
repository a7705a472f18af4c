//! mu-Argus: suppresses cells that are part of rare combinations of values.

use std::cmp::Reverse;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::Anonymizer;
use crate::error::Advice;
use crate::hierarchy::LeafOrAny;
use crate::method::{Described, Description, Parameter, Scope, Type};
use crate::noun::counted;
use crate::problem::{Attribute, Problem, Region, Tally};
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::{Class, Proposal, Take};
use crate::table::Cohort;
use crate::{Error, Result};

/// Maximum number of combinations of attributes.
const MOST_COMBINATIONS: usize = 4096;

/// Suppresses single cells until every combination of two and three values of a record is shared by
/// `k` records.
///
/// All combinations of two to `max-comb` attributes are counted over the table. A record with a
/// combination that fewer than `k` records share loses one of its cells: the one in most of its
/// rare combinations. This repeats until the record has no rare combination left. Values are never
/// generalized: a cell is published unchanged or suppressed.
///
/// Larger combinations are not counted, and suppressing a cell makes the combinations of other
/// records rarer, so this alone does not give k-anonymity. `residual` decides about the records
/// that are still in classes that are too small; the report gives their number.
///
/// # Complexity
///
/// `O(c q)` for `c` cohorts and `q` combinations of attributes; one bit of memory for each pair.
///
/// # Guarantees
///
/// Every class is private, or there is no release. Not optimal. Deterministic: of cells in equally
/// many rare combinations, the one with the rarest value is suppressed, then the first.
///
/// # References
///
/// \[Hundepool1996\] A. Hundepool, L. Willenborg: mu- and tau-ARGUS: Software for Statistical
/// Disclosure Control, Bled 1996; METHODS 6.8. Deviations: all attributes have the same rank, so
/// all combinations are counted, except for those with constant attributes; values are never
/// recoded globally, for which there are other methods; the residual does not stay in the release.
///
/// # Examples
///
/// The nurses of the south and the east are rare and lose their region:
///
/// ```
/// use hedgerow::anonymize::MuArgus;
/// use hedgerow::builder::{Free, HierarchyBuilder};
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::release::{Release, RowOrder, Style};
/// use hedgerow::table::Table;
/// let rows = [["nurse", "north"], ["nurse", "north"], ["nurse", "north"], ["cook", "south"],
///     ["cook", "south"], ["nurse", "south"], ["nurse", "east"]];
/// let table = Table::from_rows(&["job", "region"], &rows)?;
/// let free = table.columns().iter().map(|column| Free.build(column)).collect::<Result<_, _>>()?;
/// let problem = Problem::new(&table, free, vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&MuArgus::default(), &Silent)?;
/// let release = Release::new(&recoding, &Style::default(), &Silent)?;
/// assert_eq!(release.rows(RowOrder::Input, &Silent)?[5], ["nurse", "*"]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct MuArgus {
    /// Number of attributes of the largest combinations: 2, 3 or 4.
    pub max_comb: usize,
    /// Treatment of records that are not private yet.
    pub residual: Residual,
}

/// Treatment of records that are in no private class when all small combinations are safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Residual {
    /// Suppresses all their cells.
    #[default]
    Suppress,
    /// Refuses the release; the error gives their number.
    Refuse,
}

impl Default for MuArgus {
    fn default() -> Self {
        Self { max_comb: 3, residual: Residual::default() }
    }
}

impl Described for MuArgus {
    const RECODING: Option<Scope> = Some(Scope::Local);

    const DESCRIPTION: Description = Description {
        name: "mu-argus",
        about: "suppresses cells until no combination of two or three values is rare",
        reference: Some("Hundepool1996"),
        needs: &[],
        parameters: &[
            Parameter::new(
                "max-comb",
                Type::between(2, 4),
                "number of attributes of the largest combinations",
            )
            .or("3"),
            Parameter::new(
                "residual",
                Type::Choice(&["suppress", "refuse"]),
                "what to do with records that are not private afterwards",
            )
            .or("suppress"),
        ],
    };
}

impl Anonymizer for MuArgus {
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        let combinations = self.combinations(&varying(problem))?;
        let rare = Rare::count(problem, &combinations, progress)?;
        let counts = &problem.cohorts().counts;
        // Counted over the whole table, because ties go to the value that is rarest there.
        let n_values: Vec<Vec<u64>> =
            problem.attributes().iter().map(|attribute| attribute.leaf_counts(counts)).collect();
        let mut classes = Classes::default();
        for cohort in problem.cohorts().all() {
            let gone = rare.cells_to_suppress(cohort, &combinations, |attribute| {
                n_values[attribute][problem.attributes()[attribute].known_leaf(cohort).index()]
            });
            classes.add(problem, cohort, &gone);
        }
        classes.finish(problem, self.residual)
    }

    fn is_told_where_to_stop(&self) -> bool {
        self.residual == Residual::Refuse
    }
}

impl MuArgus {
    /// Returns every combination of two to `max-comb` attributes, or the attribute itself if there
    /// is only one.
    fn combinations(self, attributes: &[usize]) -> Result<Vec<Vec<usize>>> {
        let n_attributes = attributes.len();
        let mut all: Vec<Vec<usize>> = Vec::new();
        let mut last: Vec<Vec<usize>> = vec![Vec::new()];
        for size in 1..=self.max_comb.min(n_attributes) {
            last = last.iter().flat_map(|shorter| longer(shorter, attributes)).collect();
            if size > 1 || n_attributes == 1 {
                all.extend_from_slice(&last);
            }
            if all.len() > MOST_COMBINATIONS {
                let problem = format!(
                    "would have to count more than {MOST_COMBINATIONS} combinations of up to {} of \
                     {n_attributes} quasi-identifiers",
                    self.max_comb
                );
                return Err(Error::method("mu-argus", problem)
                    .advise([Advice::words("choose a smaller max-comb"), Advice::FewerQuasi]));
            }
        }
        Ok(all)
    }
}

/// Returns a combination extended by each later attribute, so that each combination is made once.
fn longer(shorter: &[usize], attributes: &[usize]) -> Vec<Vec<usize>> {
    let later = attributes.iter().filter(|&next| shorter.last().is_none_or(|last| last < next));
    later.map(|&attribute| [shorter, &[attribute]].concat()).collect()
}

/// Returns the attributes that are not constant; the others make no combination rarer.
fn varying(problem: &Problem) -> Vec<usize> {
    let attributes = problem.attributes();
    (0..attributes.len()).filter(|&place| !attributes[place].is_constant()).collect()
}

/// The rare combinations of each cohort, one bit for each combination.
struct Rare {
    n_words: usize,
    bits: Vec<u64>,
}

impl Rare {
    fn count(
        problem: &Problem,
        combinations: &[Vec<usize>],
        progress: &dyn Progress,
    ) -> Result<Self> {
        let counts = &problem.cohorts().counts;
        // One bit per cohort and combination, because there can be thousands of combinations.
        let n_words = combinations.len().div_ceil(64);
        let mut bits = vec![0; n_words * counts.len()];
        let mut found: HashMap<u128, u64> = HashMap::new();
        for (place, combination) in combinations.iter().enumerate() {
            stop_if_cancelled(progress)?;
            progress.advance(place as u64, combinations.len() as u64);
            let key = |cohort: Cohort| packed(problem.attributes(), combination, cohort);
            found.clear();
            for (cohort, count) in problem.cohorts().counted() {
                key(cohort).into_iter().for_each(|key| *found.entry(key).or_default() += count);
            }
            let least = problem.least_size();
            for cohort in problem.cohorts().all() {
                // A record that matches anything is in no rare combination.
                if key(cohort).is_some_and(|key| found[&key] < least) {
                    bits[cohort.index() * n_words + place / 64] |= 1 << (place % 64);
                }
            }
        }
        Ok(Self { n_words, bits })
    }

    /// Returns the attributes whose cells a cohort loses; `n_sharing` returns the number of records
    /// that share its value of an attribute.
    fn cells_to_suppress(
        &self,
        cohort: Cohort,
        combinations: &[Vec<usize>],
        n_sharing: impl Fn(usize) -> u64,
    ) -> Vec<usize> {
        let bits = &self.bits[cohort.index() * self.n_words..][..self.n_words];
        let is_rare = |place: &usize| bits[place / 64] >> (place % 64) & 1 == 1;
        let mut rare: Vec<&[usize]> = (0..combinations.len())
            .filter(is_rare)
            .map(|place| combinations[place].as_slice())
            .collect();
        let mut gone = Vec::new();
        let n_cells = rare.iter().flat_map(|one| one.iter()).max().map_or(0, |cell| cell + 1);
        while !rare.is_empty() {
            let mut n_rare = vec![0usize; n_cells];
            rare.iter().flat_map(|one| one.iter()).for_each(|&cell| n_rare[cell] += 1);
            let cells = (0..n_cells).filter(|&cell| n_rare[cell] > 0);
            // The cell in most rare combinations; ties go to the rarest value, then to the first.
            let worst = cells.max_by_key(|&cell| (n_rare[cell], Reverse((n_sharing(cell), cell))));
            // Suppressing a cell resolves every rare combination that contains it.
            rare.retain(|one| !worst.is_some_and(|cell| one.contains(&cell)));
            gone.extend(worst);
        }
        gone
    }
}

/// Packs the leaves of a cohort in up to four attributes into one number; `None` if a value matches
/// anything.
fn packed(attributes: &[Attribute], combination: &[usize], cohort: Cohort) -> Option<u128> {
    combination.iter().try_fold(0, |key: u128, &attribute| {
        let leaf = attributes[attribute].leaves()[cohort.index()].known()?;
        Some(key << 32 | u128::from(leaf.get()))
    })
}

/// The cells that a class publishes, one per attribute: a leaf, or `None` if it is suppressed.
type Cells = Box<[Option<LeafOrAny>]>;

/// Classes of cohorts that publish the same cells.
#[derive(Default)]
struct Classes {
    numbers: HashMap<Cells, Class>,
    /// The cells of each class.
    cells: Vec<Cells>,
    /// Each cohort with its class and its number of records.
    members: Vec<(Cohort, Class, u64)>,
    n_gone: u64,
}

impl Classes {
    fn number(&mut self, cells: Cells) -> Class {
        let next = Class::new(self.cells.len());
        *self.numbers.entry(cells).or_insert_with_key(|cells| {
            self.cells.push(cells.clone());
            next
        })
    }

    /// Adds a cohort that loses some cells.
    fn add(&mut self, problem: &Problem, cohort: Cohort, gone: &[usize]) {
        let attributes = problem.attributes().iter();
        let mut cells: Cells = attributes.map(|a| Some(a.leaves()[cohort.index()])).collect();
        gone.iter().for_each(|&attribute| cells[attribute] = None);
        let (class, count) = (self.number(cells), problem.cohorts().counts[cohort.index()]);
        self.n_gone += gone.len() as u64 * count;
        self.members.push((cohort, class, count));
    }

    /// Returns the proposal, in which failing classes are suppressed or publish `*` in every cell.
    fn finish(mut self, problem: &Problem, residual: Residual) -> Result<Proposal> {
        // The class that publishes only `*` may exist already, so it is looked up by its cells.
        let nothing = self.number(vec![None; problem.attributes().len()].into());
        let goal = problem.goal();
        let mut tallies = vec![goal.tally(); self.cells.len()];
        for &(cohort, class, count) in &self.members {
            goal.add(&mut tallies[class.index()], cohort, count);
        }
        // A class without records, such as that of `*`, fails nothing.
        let fails = |tally: &&Tally| tally.size() > 0 && !goal.holds(tally);
        let n_at_risk: u64 = tallies.iter().filter(fails).map(Tally::size).sum();
        let n_records = problem.cohorts().n_records();
        if n_at_risk > 0 && residual == Residual::Refuse {
            let problem = format!(
                "after all rare combinations were suppressed, {n_at_risk} of {} are still in classes \
                 that are not private, and residual=refuse forbids a release in that case",
                counted(n_records, "record")
            );
            let words = "choose residual=suppress to suppress all cells of these records";
            return Err(Error::unreachable(problem).advise([Advice::words(words)]));
        }
        // If more records fail than may be suppressed, they form a class that publishes only `*`.
        let is_allowed = n_at_risk <= problem.most_suppressed();
        let instead = if is_allowed { None } else { Some(nothing) };
        let becomes = |(class, tally)| if fails(&tally) { instead } else { Some(class) };
        let classes = Class::first(tallies.len()).zip(&tallies);
        let mut becomes: Vec<Option<Class>> = classes.map(becomes).collect();
        if !is_allowed {
            widen(problem, &tallies, nothing, &mut becomes);
        }
        let mut proposal = self.proposal(problem, &becomes);
        let nothing = Some(nothing);
        let shows_nothing = becomes.iter().zip(&tallies).filter(|(class, _)| **class == nothing);
        let n_shown: u64 = shows_nothing.map(|(_, tally)| tally.size()).sum();
        proposal.notes.push(format!(
            "mu-argus suppressed {}; {n_at_risk} of {} were then still at risk{}",
            counted(self.n_gone, "cell"),
            counted(n_records, "record"),
            match n_at_risk {
                0 => String::new(),
                _ if is_allowed => " and are suppressed".to_owned(),
                _ => format!(", too many to be suppressed: {n_shown} show * everywhere instead"),
            }
        ));
        Ok(proposal)
    }

    /// Returns the proposal in which each class is replaced by the class in `becomes`.
    fn proposal(&self, problem: &Problem, becomes: &[Option<Class>]) -> Proposal {
        let mut numbers: Vec<Option<Class>> = vec![None; becomes.len()];
        let mut published: Vec<Class> = Vec::new();
        let mut takes = Vec::with_capacity(self.members.len());
        for &(cohort, class, count) in &self.members {
            let Some(class) = becomes[class.index()] else {
                takes.push(Take { cohort, class: None, count });
                continue;
            };
            // Published classes are numbered in the order of their first cohorts.
            let number = *numbers[class.index()].get_or_insert_with(|| {
                published.push(class);
                Class::new(published.len() - 1)
            });
            takes.push(Take { cohort, class: Some(number), count });
        }
        let regions = |class: &Class| {
            let cells = problem.attributes().iter().zip(&self.cells[class.index()]);
            cells.map(|(attribute, &cell)| region(attribute, cell)).collect()
        };
        Proposal::with_regions(problem, published.iter().map(regions), takes)
    }
}

/// Returns the region that a cell publishes: its leaf, or `*` if it is suppressed.
fn region(attribute: &Attribute, cell: Option<LeafOrAny>) -> Region {
    match cell {
        None => attribute.whole(),
        Some(leaf) => attribute.region([leaf].into_iter()),
    }
}

/// Adds the smallest classes to the one that publishes only `*` until that one is private.
fn widen(problem: &Problem, tallies: &[Tally], nothing: Class, becomes: &mut [Option<Class>]) {
    let mut whole = problem.goal().tally();
    let mut others: Vec<usize> = Vec::new();
    for (class, tally) in tallies.iter().enumerate() {
        if becomes[class] == Some(nothing) {
            whole.absorb(tally);
        } else if tally.size() > 0 {
            others.push(class);
        }
    }
    // The smallest classes first, so that few records lose their cells.
    others.sort_by_key(|&class| tallies[class].size());
    for class in others {
        if problem.goal().holds(&whole) {
            break;
        }
        whole.absorb(&tallies[class]);
        becomes[class] = Some(nothing);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_of_two_and_three() {
        let of = |attributes: &[usize]| MuArgus::default().combinations(attributes).unwrap();
        let first = |n: usize| (0..n).collect::<Vec<_>>();
        assert_eq!(of(&[2]), [vec![2]]);
        assert_eq!(of(&first(3)), [vec![0, 1], vec![0, 2], vec![1, 2], vec![0, 1, 2]]);
        assert_eq!(of(&[0, 3]), [vec![0, 3]]);
        assert_eq!(of(&first(8)).len(), 28 + 56);
        assert!(MuArgus { max_comb: 4, ..MuArgus::default() }.combinations(&first(30)).is_err());
    }
}
