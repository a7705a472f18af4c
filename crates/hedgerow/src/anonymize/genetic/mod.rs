//! Genetic: a genetic algorithm over cuts of all attributes.

mod strands;
mod fitness;

use serde::{Deserialize, Serialize};

use self::fitness::{Fitness, Judge};
use self::strands::Strands;
use super::Anonymizer;
use crate::error::Advice;
use crate::method::{Described, Description, Parameter, Scope, Type};
use crate::noun::counted;
use crate::problem::Problem;
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::{Early, Proposal};
use crate::random::Random;
use crate::{Error, Result};

/// Selection bias of linear ranking: the best solution is a parent this many times as often as the
/// median one.
const BIAS: f64 = 1.5;

/// Evolves global recodings: each consists of one cut per attribute, the same for all records.
/// Records in classes that are not private are suppressed.
///
/// A solution is a bit string with one bit for each gap between neighbouring leaves of each
/// attribute; it is 1 where the neighbours are published as different groups. In a tree, groups
/// must be whole nodes, so any other group is raised to its lowest common ancestor, which absorbs
/// neighbouring groups below it. In each step, two parents are chosen, better ones more often. They
/// are cut at one place and joined crosswise, and a few bits of the child are flipped. The child is
/// inserted by its rank, and the worst solution is dropped.
///
/// The best solution has the least loss, where suppressed records count as completely lost. A
/// solution that suppresses too many records is worse than any that does not, and the solution that
/// publishes only roots is present from the start. Words without a tree are ordered by descending
/// frequency. A missing value that matches anything goes to the group of the most frequent value.
///
/// # Complexity
///
/// `O(p c)` for each step, over `c` cohorts and `p` attributes.
///
/// # Guarantees
///
/// Every class is private and no more records are suppressed than allowed; the paper's loss decides
/// what to suppress. Not optimal. The same seed gives the same result unless a time limit ends the
/// search.
///
/// # References
///
/// \[Iyengar2002\] V. S. Iyengar: Transforming Data to Satisfy Privacy Constraints, KDD 2002;
/// METHODS 6.6. Deviations: linear ranking with a bias of 1.5; a bit of a tree that is flipped to 1
/// divides its group into the children of its node, because a single bit would not survive the
/// repair; the first solutions are mutations of the roots, with zero to nearly all bits flipped; a
/// child that already exists is dropped; the metric for classification is not offered.
///
/// # Examples
///
/// ```
/// use hedgerow::anonymize::Genetic;
/// use hedgerow::builder::{Free, HierarchyBuilder};
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::table::Table;
/// let ages = [["20"], ["21"], ["25"], ["58"], ["60"]];
/// let table = Table::from_rows(&["age"], &ages)?;
/// let free = Free.build(&table.columns()[0])?;
/// let problem = Problem::new(&table, vec![free], vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&Genetic { steps: 100, ..Genetic::default() }, &Silent)?;
/// assert_eq!(recoding.sizes(), [3, 2]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Genetic {
    /// Number of solutions in the population; at least 2.
    pub population: usize,
    /// Number of children that are generated.
    pub steps: u64,
    /// Probability that a bit is flipped, 0 to 1; by default one bit per string on average.
    pub mutation: Option<f64>,
    /// Seed of the random number generator; by default that of the job.
    pub seed: Option<u64>,
}

impl Default for Genetic {
    fn default() -> Self {
        Self { population: 100, steps: 10_000, mutation: None, seed: None }
    }
}

impl Described for Genetic {
    const RECODING: Option<Scope> = Some(Scope::Global);

    const DESCRIPTION: Description = Description {
        name: "genetic",
        about: "a genetic algorithm over cuts of all hierarchies",
        reference: Some("Iyengar2002"),
        needs: &[],
        parameters: &[
            Parameter::new("population", Type::at_least(2), "number of solutions kept at a time")
                .or("100"),
            Parameter::new("steps", Type::WHOLE, "number of children to generate").or("10000"),
            Parameter::new(
                "mutation",
                Type::UNIT,
                "probability that a bit is flipped; by default one bit per string on average",
            ),
            Parameter::new(
                "seed",
                Type::WHOLE,
                "seed of the random number generator; by default that of the job",
            ),
        ],
    };
}

impl Anonymizer for Genetic {
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        let strands = Strands::new(problem);
        let Bred { solutions, is_cut } = self.breed(problem, &strands, progress)?;
        // Fitness distinguishes classes by hashes; the release is counted exactly.
        let mut recodings = solutions.iter().map(|found| strands.recode(problem, &found.bits));
        let mut proposal = recodings
            .find(|proposal| proposal.n_suppressed() <= problem.most_suppressed())
            .ok_or_else(|| no_cut(problem.most_suppressed()))?;
        if is_cut {
            proposal.early = Some(Early::OUT_OF_TIME);
        }
        Ok(proposal)
    }

    fn is_seeded(&self) -> bool {
        // A seed of its own replaces that of the problem.
        self.seed.is_none()
    }

    fn defines_suppression(&self) -> bool {
        true
    }

    fn is_anytime(&self) -> bool {
        true
    }
}

/// The error for a search in which every cut suppresses more than `most` records.
fn no_cut(most: u64) -> Error {
    let most = counted(most, "record");
    let problem = format!(
        "method 'genetic' found no cut of the quasi-identifiers that suppresses at most {most}"
    );
    Error::unreachable(problem).advise([
        Advice::AllowSuppression { least: None },
        Advice::ChooseMethod { method: "k-member".to_owned() },
    ])
}

/// A bit string and its fitness.
#[derive(Debug)]
struct Solution {
    bits: Vec<bool>,
    fitness: Fitness,
}

/// The final population.
#[derive(Debug)]
struct Bred {
    /// The solutions, the best first.
    solutions: Vec<Solution>,
    /// Whether the time limit ended the algorithm.
    is_cut: bool,
}

impl Genetic {
    /// Runs the algorithm.
    fn breed(self, problem: &Problem, strands: &Strands, progress: &dyn Progress) -> Result<Bred> {
        let mut judge = Judge::new(problem, strands);
        let mut random = Random::new(self.seed.unwrap_or_else(|| problem.seed()));
        let n_bits = strands.n_bits();
        let mutation = self.mutation.unwrap_or(1.0 / n_bits.max(1) as f64);
        let mut solutions: Vec<Solution> = Vec::new();
        for i in 0..self.population {
            // The first string stays all zeros, that is, every attribute at its root.
            let density = (i as f64 / self.population as f64).powi(2);
            let mut bits = vec![false; n_bits];
            mutate(&mut bits, strands, &mut random, density);
            add(&mut solutions, strands, &mut judge, bits);
            stop_if_cancelled(progress)?;
            if progress.out_of_time() {
                return Ok(Bred { solutions, is_cut: true });
            }
        }
        for step in 0..self.steps {
            stop_if_cancelled(progress)?;
            if progress.out_of_time() {
                return Ok(Bred { solutions, is_cut: true });
            }
            progress.advance(step, self.steps);
            let [first, second] =
                [(); 2].map(|()| &solutions[rank(&mut random, solutions.len())].bits);
            // One-point crossover; at either end the child is a copy of one parent.
            let place = random.below(n_bits + 1);
            let mut bits = [&first[..place], &second[place..]].concat();
            mutate(&mut bits, strands, &mut random, mutation);
            add(&mut solutions, strands, &mut judge, bits);
            solutions.truncate(self.population);
        }
        Ok(Bred { solutions, is_cut: false })
    }
}

/// Flips each bit with the given probability.
fn mutate(bits: &mut [bool], strands: &Strands, random: &mut Random, probability: f64) {
    let mut next = 0;
    while let Some(gap) = gap(random, probability) {
        let bit = gap.saturating_add(next);
        if bit >= bits.len() {
            return;
        }
        strands.flip(bits, bit);
        next = bit + 1;
    }
}

/// Repairs a string and inserts it by rank, after equally good ones, unless it already exists.
fn add(solutions: &mut Vec<Solution>, strands: &Strands, judge: &mut Judge<'_>, bits: Vec<bool>) {
    let mut bits = bits;
    strands.repair(&mut bits);
    if solutions.iter().any(|known| known.bits == bits) {
        return;
    }
    let fitness = judge.fitness(&bits);
    let rank = solutions.partition_point(|known| known.fitness <= fitness);
    solutions.insert(rank, Solution { bits, fitness });
}

/// Returns a rank below `n`; rank 0 is the most likely, by [`BIAS`], and the last the least
/// likely.
fn rank(random: &mut Random, n: usize) -> usize {
    // Inverts the distribution function of linear ranking.
    let root = (BIAS * BIAS - 4.0 * (BIAS - 1.0) * random.unit()).sqrt();
    ((n as f64 * (BIAS - root) / 2.0 / (BIAS - 1.0)) as usize).min(n - 1)
}

/// Returns the number of failed trials before the first success of the given probability, or `None`
/// if there is never one.
fn gap(random: &mut Random, probability: f64) -> Option<usize> {
    if probability <= 0.0 || probability >= 1.0 {
        return (probability >= 1.0).then_some(0);
    }
    // Inverts the geometric distribution, so only the bits that flip cost time.
    Some(((1.0 - random.unit()).ln() / (1.0 - probability).ln()) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{Free, HierarchyBuilder};
    use crate::format::Format;
    use crate::hierarchy::{Generalization, Leaf};
    use crate::privacy::KAnonymity;
    use crate::problem::Limits;
    use crate::progress::Silent;
    use crate::table::Table;

    /// Five words in a ragged tree and six numbers: nine bits.
    fn table() -> Table {
        let rows: Vec<[String; 2]> = (0..40u32)
            .map(|i| {
                [["a", "b", "c", "d", "e"][(i * i % 5) as usize].into(), (i * 7 % 6).to_string()]
            })
            .collect();
        Table::from_rows(&["word", "number"], &rows).unwrap()
    }

    fn problem(table: &Table, most_suppressed: u64) -> Problem {
        let tree = "a;A;X;*\nb;A;X;*\nc;c;X;*\nd;d;d;*\ne;e;e;*\n";
        let tree: Generalization =
            Format::named("arx").unwrap().read(tree, Some("word")).unwrap().into();
        let number = Free.build(&table.columns()[1]).unwrap();
        let models: Vec<Box<dyn crate::privacy::PrivacyModel>> =
            vec![Box::new(KAnonymity::new(4).unwrap())];
        let limits = Limits { most_suppressed, ..Limits::default() };
        Problem::with_limits(table, vec![tree, number], models, limits).unwrap()
    }

    /// All strings of nine bits.
    fn strings() -> impl Iterator<Item = Vec<bool>> {
        (0..1u32 << 9).map(|n| (0..9).map(|bit| n >> bit & 1 == 1).collect())
    }

    #[test]
    fn what_never_happens_has_no_end_of_gaps() {
        let mut random = Random::new(0);
        assert_eq!((gap(&mut random, 0.0), gap(&mut random, 1.0)), (None, Some(0)));
    }

    #[test]
    fn the_best_of_all_strings_is_found() {
        let table = table();
        for most_suppressed in [0, 3, 40] {
            let problem = problem(&table, most_suppressed);
            let strands = Strands::new(&problem);
            let mut judge = Judge::new(&problem, &strands);
            let of_string = |mut bits: Vec<bool>| {
                strands.repair(&mut bits);
                judge.fitness(&bits)
            };
            let all: Vec<Fitness> = strings().map(of_string).collect();
            let best = all.into_iter().reduce(|a, b| if b < a { b } else { a }).unwrap();
            let method = Genetic { steps: 2000, population: 20, ..Genetic::default() };
            let found = method.breed(&problem, &strands, &Silent).unwrap();
            assert_eq!(found.solutions[0].fitness, best, "{most_suppressed}");
        }
    }

    #[test]
    fn a_repaired_string_stays_as_it_is_and_nodes_are_whole() {
        let table = table();
        let problem = problem(&table, 0);
        let strands = Strands::new(&problem);
        let tree = problem.attributes()[0].generalization().hierarchy().unwrap();
        for mut bits in strings() {
            strands.repair(&mut bits);
            let once = bits.clone();
            strands.repair(&mut bits);
            assert_eq!(bits, once);
            for run in strands.all()[0].runs(&bits) {
                let [first, last] = [run.start, run.end - 1].map(Leaf::new);
                let node = tree.lowest_common_ancestor(first, last);
                assert_eq!(tree.leaves_of(node).len(), run.len());
            }
        }
    }

    #[test]
    fn fitness_is_what_the_release_loses() {
        use crate::loss::{Loss, Ntil, Partition};
        let table = table();
        let problem = problem(&table, 40);
        let strands = Strands::new(&problem);
        let mut judge = Judge::new(&problem, &strands);
        for mut bits in strings() {
            strands.repair(&mut bits);
            let proposal = strands.recode(&problem, &bits);
            let ntil = Ntil.of(&Partition::of(&problem, &proposal)).unwrap();
            assert!((judge.fitness(&bits).loss() / 80.0 - ntil).abs() < 1e-12);
        }
    }
}
