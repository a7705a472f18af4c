//! The genetic method: cuts of all attributes that compete, cross and mutate.

mod fitness;
mod strands;

use serde::{Deserialize, Serialize};

use self::fitness::{Fitness, Judge};
use self::strands::Strands;
use super::Anonymizer;
use crate::error::Advice;
use crate::method::{Described, Description, Parameter, Type};
use crate::noun::counted;
use crate::problem::Problem;
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::Proposal;
use crate::{Error, Result};

/// How much more often the best solution is a parent than the one in the middle.
const BIAS: f64 = 1.5;

/// Breeds global recodings: for each attribute a cut, the same for all records; records in classes
/// that are too small are suppressed.
///
/// A solution is a string of bits, one for each gap between neighbouring leaves of each attribute:
/// 1 where neighbours are published as different groups. In a tree, groups must be whole nodes, so
/// a group that is none is lifted to the lowest node above it, which swallows its neighbours below.
/// Two solutions, the better ones more often, are cut at one place and joined crosswise; few bits
/// of the child flip; and it takes its rank among the others, of which the worst goes.
///
/// The best solution loses least, suppressed records counted as wholly lost. One that suppresses
/// more than is allowed is worse than any that does not, and the solution that publishes nothing
/// but roots is there from the start. Words without a tree lie in the order of their records, the
/// most frequent first. A missing value that matches anything goes with the most frequent value.
///
/// # Complexity
///
/// `O(p c)` for each step, over `c` cohorts and `p` attributes.
///
/// # Guarantees
///
/// Every class is private, and no more is suppressed than may be, by the loss that the paper defines.
/// Not optimal. The same seed gives the same result.
///
/// # References
///
/// \[Iyengar2002\] V. S. Iyengar: Transforming Data to Satisfy Privacy Constraints, KDD 2002;
/// METHODS 6.6. Deviations: linear ranking with a bias of 1.5; a bit of a tree that flips to 1 divides
/// its group into the children of its node, for alone it would not survive the repair; first
/// solutions are mutations of the roots, from none to nearly every bit; a child that is there already
/// is dropped; the metric for classification is not offered.
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
    /// How many solutions live at a time; at least 2.
    pub population: usize,
    /// How many children are born.
    pub steps: u64,
    /// How likely a bit flips, 0 to 1; one bit of a string in the mean if not given.
    pub mutation: Option<f64>,
    /// What decides random choices; that of the job if not given.
    pub seed: Option<u64>,
}

impl Default for Genetic {
    fn default() -> Self {
        Self { population: 100, steps: 10_000, mutation: None, seed: None }
    }
}

impl Described for Genetic {
    const DESCRIPTION: Description = Description {
        name: "genetic",
        about: "cuts of all hierarchies that compete, cross and mutate: global recoding",
        reference: Some("Iyengar2002"),
        needs: &[],
        parameters: &[
            Parameter::new("population", Type::at_least(2), "how many solutions live at a time")
                .or("100"),
            Parameter::new("steps", Type::WHOLE, "how many children are born").or("10000"),
            Parameter::new(
                "mutation",
                Type::UNIT,
                "how likely a bit flips; one bit of a string on average if not given",
            ),
            Parameter::new(
                "seed",
                Type::WHOLE,
                "seed of the random number generator; that of the job if not given",
            ),
        ],
    };
}

impl Anonymizer for Genetic {
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        let strands = Strands::new(problem);
        let solutions = self.breed(problem, &strands, progress)?;
        // Fitness goes by hashes of classes; what is published is counted exactly.
        let recodings = solutions.iter().map(|solution| strands.recode(problem, &solution.bits));
        let is_allowed = |r: &Proposal| r.n_suppressed() <= problem.most_suppressed();
        recodings.into_iter().find(is_allowed).ok_or_else(|| {
            let most = counted(problem.most_suppressed(), "record");
            let problem = format!(
                "method 'genetic' found no cut of the quasi-identifiers that suppresses at most {most}"
            );
            Error::unreachable(problem).advise([
                Advice::AllowSuppression { records: None },
                Advice::ChooseMethod { method: "k-member".to_owned() },
            ])
        })
    }

    fn defines_suppression(&self) -> bool {
        true
    }
}

/// A string of bits and how good it is.
#[derive(Debug)]
struct Solution {
    bits: Vec<bool>,
    fitness: Fitness,
}

impl Genetic {
    /// The last solutions, the best first.
    fn breed(
        self,
        problem: &Problem,
        strands: &Strands,
        progress: &dyn Progress,
    ) -> Result<Vec<Solution>> {
        let mut judge = Judge::new(problem, strands);
        let mut random = Random(self.seed.unwrap_or_else(|| problem.seed()));
        let n_bits = strands.n_bits();
        let mutation = self.mutation.unwrap_or(1.0 / n_bits.max(1) as f64);
        let mut solutions: Vec<Solution> = Vec::new();
        for i in 0..self.population {
            let density = (i as f64 / self.population as f64).powi(2);
            let mut bits = vec![false; n_bits];
            mutate(&mut bits, strands, &mut random, density);
            add(&mut solutions, strands, &mut judge, bits);
        }
        for step in 0..self.steps {
            stop_if_cancelled(progress)?;
            progress.advance(step, self.steps);
            let [first, second] = [(); 2].map(|()| &solutions[random.rank(solutions.len())].bits);
            let place = random.below(n_bits + 1);
            let mut bits = [&first[..place], &second[place..]].concat();
            mutate(&mut bits, strands, &mut random, mutation);
            add(&mut solutions, strands, &mut judge, bits);
            solutions.truncate(self.population);
        }
        Ok(solutions)
    }
}

/// Flips each bit of a string with some probability.
fn mutate(bits: &mut [bool], strands: &Strands, random: &mut Random, probability: f64) {
    let mut bit = random.gap(probability);
    while bit < bits.len() {
        strands.flip(bits, bit);
        bit = bit.saturating_add(1).saturating_add(random.gap(probability));
    }
}

/// Mends a string and gives it its rank, behind equally good ones, unless it is there already.
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

/// Random numbers (`SplitMix64`, \[Steele2014\]).
#[derive(Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to just below 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A whole number below `n`.
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// A rank below `n`; the first is the likeliest, by [`BIAS`], and the last the rarest.
    fn rank(&mut self, n: usize) -> usize {
        let root = (BIAS * BIAS - 4.0 * (BIAS - 1.0) * self.unit()).sqrt();
        ((n as f64 * (BIAS - root) / 2.0 / (BIAS - 1.0)) as usize).min(n - 1)
    }

    /// How many trials fail before one of this probability succeeds.
    fn gap(&mut self, probability: f64) -> usize {
        if probability <= 0.0 || probability >= 1.0 {
            return if probability >= 1.0 { 0 } else { usize::MAX };
        }
        ((1.0 - self.unit()).ln() / (1.0 - probability).ln()) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{Free, HierarchyBuilder};
    use crate::format::Format;
    use crate::hierarchy::Generalization;
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

    /// Every string of nine bits.
    fn strings() -> impl Iterator<Item = Vec<bool>> {
        (0..1u32 << 9).map(|n| (0..9).map(|bit| n >> bit & 1 == 1).collect())
    }

    #[test]
    fn what_never_happens_has_no_end_of_gaps() {
        let mut random = Random(0);
        assert_eq!((random.gap(0.0), random.gap(1.0)), (usize::MAX, 0));
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
            assert_eq!(found[0].fitness, best, "{most_suppressed}");
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
                let node = tree.lowest_common_ancestor(run.start as u32, run.end as u32 - 1);
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
