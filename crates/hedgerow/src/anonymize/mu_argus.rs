//! mu-Argus: suppresses the cells that make small combinations of values rare.

use std::cmp::Reverse;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::Anonymizer;
use crate::error::Advice;
use crate::method::{Described, Description, Parameter, Type};
use crate::noun::counted;
use crate::problem::{ANY_LEAF, Attribute, Problem, Tally};
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::{Proposal, Take};
use crate::{Error, Result};

/// More combinations of attributes than this are refused.
const MOST_COMBINATIONS: usize = 4096;

/// Suppresses single cells until every combination of two and three values of a record is shared by
/// `k` records.
///
/// All combinations of two to `max-comb` attributes are counted over the table. A record with a
/// combination that fewer than `k` records share loses one of its cells: the one that is in most of
/// its rare combinations, then the next, until none is left. No value is generalized in between: a
/// cell shows its value or everything.
///
/// Larger combinations are not looked at, and a cell that goes makes the combinations of others
/// rarer, so this alone is not k-anonymous. What is done about the records that are still in
/// classes too small is `residual`; the report says how many they were.
///
/// # Complexity
///
/// `O(c q)` for `c` cohorts and `q` combinations of attributes; a bit for each pair of them.
///
/// # Guarantees
///
/// Every class is private, or there is no release. Not optimal. Deterministic: of cells in
/// equally many rare combinations the one with the rarer value goes, then the first.
///
/// # References
///
/// \[Hundepool1996\] A. Hundepool, L. Willenborg: mu- and tau-ARGUS: Software for Statistical
/// Disclosure Control, Bled 1996; METHODS 6.8. Deviations: all attributes have the same rank, so
/// all combinations are counted, but for attributes with the same value everywhere; values are
/// never recoded globally, for which there are other methods; the residual does not stay in the release.
///
/// # Examples
///
/// Nurses of the south and of the east are rare, and lose their region:
///
/// ```
/// use hedgerow::anonymize::MuArgus;
/// use hedgerow::builder::{Free, HierarchyBuilder};
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::release::{Release, Style};
/// use hedgerow::table::Table;
/// let rows = [["nurse", "north"], ["nurse", "north"], ["nurse", "north"], ["cook", "south"],
///     ["cook", "south"], ["nurse", "south"], ["nurse", "east"]];
/// let table = Table::from_rows(&["job", "region"], &rows)?;
/// let free = table.columns().iter().map(|column| Free.build(column)).collect::<Result<_, _>>()?;
/// let problem = Problem::new(&table, free, vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&MuArgus::default(), &Silent)?;
/// let release = Release::new(&recoding, &Style::default())?;
/// assert_eq!(release.rows()?[5], ["nurse", "*"]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct MuArgus {
    /// How many attributes the largest combinations have: 2, 3 or 4.
    pub max_comb: usize,
    /// What happens to records that are not private yet.
    pub residual: Residual,
}

/// What happens to records that are in no private class when all small combinations are safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Residual {
    /// All their cells are suppressed.
    #[default]
    Suppress,
    /// There is no release, and the error says how many they are.
    Refuse,
}

impl Default for MuArgus {
    fn default() -> Self {
        Self { max_comb: 3, residual: Residual::default() }
    }
}

impl Described for MuArgus {
    const DESCRIPTION: Description = Description {
        name: "mu-argus",
        about: "suppresses cells until no combination of two or three values is rare",
        reference: Some("Hundepool1996"),
        needs: &[],
        parameters: &[
            Parameter::new(
                "max-comb",
                Type::Whole { least: 2, most: 4 },
                "how many attributes the largest combinations have",
            )
            .or("3"),
            Parameter::new(
                "residual",
                Type::Choice(&["suppress", "refuse"]),
                "what happens to records that are not private yet",
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
        let n_values: Vec<Vec<u64>> =
            problem.attributes().iter().map(|attribute| attribute.leaf_counts(counts)).collect();
        let mut classes = Classes::default();
        for cohort in 0..problem.cohorts().len() {
            let gone = rare.cells_to_suppress(cohort, &combinations, |attribute| {
                n_values[attribute][problem.attributes()[attribute].leaves()[cohort] as usize]
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
    /// Every combination of two to `max-comb` attributes; of a single attribute, itself.
    fn combinations(self, attributes: &[usize]) -> Result<Vec<Vec<usize>>> {
        let n_attributes = attributes.len();
        let mut all: Vec<Vec<usize>> = Vec::new();
        let mut last: Vec<Vec<usize>> = vec![Vec::new()];
        for size in 1..=self.max_comb.min(n_attributes) {
            let longer = |shorter: &Vec<usize>| {
                let next =
                    attributes.iter().filter(|&next| shorter.last().is_none_or(|l| l < next));
                next.map(|&attribute| [shorter.as_slice(), &[attribute]].concat()).collect()
            };
            last = last.iter().flat_map(|shorter| -> Vec<_> { longer(shorter) }).collect();
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

/// The attributes in which records differ; the others make no combination rarer.
fn varying(problem: &Problem) -> Vec<usize> {
    let attributes = problem.attributes();
    (0..attributes.len()).filter(|&place| !attributes[place].is_constant()).collect()
}

/// Which combinations of each cohort are rare: a bit for each.
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
        let n_words = combinations.len().div_ceil(64);
        let mut bits = vec![0; n_words * counts.len()];
        let mut found: HashMap<u128, u64> = HashMap::new();
        for (place, combination) in combinations.iter().enumerate() {
            stop_if_cancelled(progress)?;
            progress.advance(place as u64, combinations.len() as u64);
            // Up to four leaves in one number; none if a value matches anything.
            let key = |cohort: usize| {
                combination.iter().try_fold(0, |key: u128, &attribute| {
                    let leaf = problem.attributes()[attribute].leaves()[cohort];
                    (leaf != ANY_LEAF).then_some(key << 32 | u128::from(leaf))
                })
            };
            found.clear();
            for (cohort, count) in counts.iter().enumerate() {
                key(cohort).into_iter().for_each(|key| *found.entry(key).or_default() += count);
            }
            let least = problem.least_size();
            for cohort in 0..counts.len() {
                if key(cohort).is_some_and(|key| found[&key] < least) {
                    bits[cohort * n_words + place / 64] |= 1 << (place % 64);
                }
            }
        }
        Ok(Self { n_words, bits })
    }

    /// The attributes whose cells a cohort loses; `n_sharing` says how many records share the value
    /// of one.
    fn cells_to_suppress(
        &self,
        cohort: usize,
        combinations: &[Vec<usize>],
        n_sharing: impl Fn(usize) -> u64,
    ) -> Vec<usize> {
        let bits = &self.bits[cohort * self.n_words..][..self.n_words];
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
            let worst = cells.max_by_key(|&cell| (n_rare[cell], Reverse((n_sharing(cell), cell))));
            rare.retain(|one| !worst.is_some_and(|cell| one.contains(&cell)));
            gone.extend(worst);
        }
        gone
    }
}

/// Stands for the leaf of a cell that is suppressed.
const GONE: u32 = ANY_LEAF - 1;

/// Cohorts that publish the same, and what that is.
#[derive(Default)]
struct Classes {
    numbers: HashMap<Box<[u32]>, u32>,
    /// The leaves that each class publishes, as far as they are not gone.
    leaves: Vec<Box<[u32]>>,
    takes: Vec<Take>,
    n_gone: u64,
}

impl Classes {
    fn number(&mut self, leaves: Box<[u32]>) -> u32 {
        let next = self.leaves.len() as u32;
        *self.numbers.entry(leaves).or_insert_with_key(|leaves| {
            self.leaves.push(leaves.clone());
            next
        })
    }

    /// Adds a cohort that loses some cells.
    fn add(&mut self, problem: &Problem, cohort: usize, gone: &[usize]) {
        let mut leaves: Box<[u32]> =
            problem.attributes().iter().map(|attribute| attribute.leaves()[cohort]).collect();
        gone.iter().for_each(|&attribute| leaves[attribute] = GONE);
        let (class, count) = (self.number(leaves), problem.cohorts().counts[cohort]);
        self.n_gone += gone.len() as u64 * count;
        self.takes.push(Take { cohort: cohort as u32, class, count });
    }

    /// The proposal, with every class private.
    fn finish(mut self, problem: &Problem, residual: Residual) -> Result<Proposal> {
        let nothing = self.number(vec![GONE; problem.attributes().len()].into());
        let goal = problem.goal();
        let mut tallies = vec![goal.tally(); self.leaves.len()];
        for take in &self.takes {
            goal.add(&mut tallies[take.class as usize], take.cohort, take.count);
        }
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
        let is_allowed = n_at_risk <= problem.most_suppressed();
        let instead = if is_allowed { Take::SUPPRESSED } else { nothing };
        let becomes = |(class, tally)| if fails(&tally) { instead } else { class };
        let mut becomes: Vec<u32> = (0..).zip(&tallies).map(becomes).collect();
        if !is_allowed {
            widen(problem, &tallies, nothing, &mut becomes);
        }
        let mut proposal = self.proposal(problem, &becomes);
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

    /// The proposal in which each class has become another, itself, or nothing.
    fn proposal(&self, problem: &Problem, becomes: &[u32]) -> Proposal {
        let mut numbers = vec![Take::SUPPRESSED; becomes.len()];
        let mut published: Vec<u32> = Vec::new();
        let mut takes = self.takes.clone();
        for take in &mut takes {
            take.class = becomes[take.class as usize];
            if take.class == Take::SUPPRESSED {
                continue;
            }
            let number = &mut numbers[take.class as usize];
            if *number == Take::SUPPRESSED {
                *number = published.len() as u32;
                published.push(take.class);
            }
            take.class = *number;
        }
        let regions = |&class: &u32| {
            let cells = problem.attributes().iter().zip(&self.leaves[class as usize]);
            let region = |(attribute, &leaf): (&Attribute, &u32)| match leaf {
                GONE => attribute.whole(),
                leaf => attribute.region([leaf].into_iter()),
            };
            cells.map(region).collect()
        };
        Proposal::with_regions(problem, published.iter().map(regions), takes)
    }
}

/// Lets the class that shows nothing take in the smallest others until it is private.
fn widen(problem: &Problem, tallies: &[Tally], nothing: u32, becomes: &mut [u32]) {
    let mut whole = problem.goal().tally();
    let mut others: Vec<usize> = Vec::new();
    for (class, tally) in tallies.iter().enumerate() {
        if becomes[class] == nothing {
            whole.absorb(tally);
        } else if tally.size() > 0 {
            others.push(class);
        }
    }
    others.sort_by_key(|&class| tallies[class].size());
    for class in others {
        if problem.goal().holds(&whole) {
            break;
        }
        whole.absorb(&tallies[class]);
        becomes[class] = nothing;
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
