//! Minimality: a class exists only because of its sensitive values, which tells something about
//! them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::rare_values::smallest;
use super::scene::{EXAMPLES, Guess, Scene};
use super::secrets::{Histogram, Secrets, count_of, total};
use super::{Attack, Attempt, Discloses, Tried};
use crate::Result;
use crate::error::{Advice, Warning};
use crate::method::{Described, Description, Need, Parameter, Type};
use crate::progress::{Progress, stop_if_cancelled};
use crate::table::Code;

/// Classes with more records, and divisions into more parts, are not examined.
const MOST_RECORDS: u64 = 1000;
const MOST_PARTS: usize = 12;

/// Concludes from a class that is larger than `k` demands that a smaller one would have violated
/// l-diversity.
///
/// An algorithm that generalizes as little as possible divides a class if every part has `k`
/// records. If it did not, the sensitive values must be the reason: in some part, more than a share
/// of `1 / l` had one value. For every value that the release and all classes have in at most this
/// share, and every class that could be divided by one known column, the attacker computes how
/// likely a person of each part has the value, given that some part violates the limit. All ways to
/// assign the values of the class to its people are equally likely a priori. A person is exposed if
/// they have the value and its probability exceeds `1 / l`, which the release was meant to prevent.
/// Chance is the number of those about whom the attacker would be right with the same guesses if the
/// values of a class were distributed over its people at random.
///
/// # Complexity
///
/// `O(p n^2)` for a class of `n` records in `p` parts; classes of more than 1,000 records and
/// divisions into more than 12 parts are not examined.
///
/// # Guarantees
///
/// Deterministic. Exact if the algorithm is minimal, `l` and `k` are those of the release, and the
/// value is the only one that must be hidden. Classes that overlap others are not examined.
///
/// # References
///
/// \[Wong2007\] R. C.-W. Wong, A. W.-C. Fu, K. Wang, J. Pei: Minimality Attack in Privacy
/// Preserving Data Publishing, VLDB 2007. Divisions by one column are hedgerow's own
/// choice, which covers one step down in a hierarchy and one cut of a multidimensional method.
///
/// # Examples
///
/// Two people of 20 and four of 30, of whom two have HIV. They could have been published apart, so
/// the two must be those of 20; among the four of 30, two would have been allowed:
///
/// ```
/// use hedgerow::attack::{Attack, Given, Minimality, Scene};
/// use hedgerow::progress::Silent;
/// use hedgerow::table::{Columns, Encoding, Table};
/// let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
/// let table = |rows: &[[&str; 2]]| Table::encode(&columns, rows, &Encoding::default());
/// let rest = [["40", "none"], ["40", "none"]];
/// let ages = ["20", "20", "30", "30", "30", "30"];
/// let ills = ["HIV", "HIV", "none", "none", "none", "none"];
/// let own: Vec<_> = ages.into_iter().zip(ills).map(|(age, ill)| [age, ill]).chain(rest).collect();
/// let shown: Vec<_> = ills.into_iter().map(|ill| ["20-30", ill]).chain(rest).collect();
/// let mut given = Given::new(table(&own)?, table(&shown)?);
/// given.sensitive = vec!["ill".to_owned()];
/// let tried = Minimality::default().run(&Scene::new(given)?, &Silent)?;
/// let attempt = tried[0].as_ref().expect("nothing is missing");
/// assert_eq!((attempt.exposed, attempt.success), (2, 1.0));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Minimality {
    /// The release was made so that at most a share of `1 / l` of a class has a value.
    pub l: u64,
    /// The release was made so that a class has at least `k` records; the size of the smallest
    /// class if not given.
    pub k: Option<u64>,
}

impl Default for Minimality {
    fn default() -> Self {
        Self { l: 2, k: None }
    }
}

impl Described for Minimality {
    const DESCRIPTION: Description = Description {
        name: "minimality",
        about: "concludes from undivided classes which sensitive values they have",
        reference: Some("Wong2007"),
        needs: &[Need::Sensitive],
        parameters: &[
            Parameter::new(
                "l",
                Type::at_least(2),
                "at most a share of 1/l of a class was allowed to have a value",
            )
            .or("2"),
            Parameter::new(
                "k",
                Type::at_least(2),
                "least number of records of a class; by default the size of the smallest class",
            ),
        ],
    };
}

impl Attack for Minimality {
    fn run(&self, scene: &Scene, progress: &dyn Progress) -> Result<Vec<Tried>> {
        let places = scene.sensitive().iter();
        places.map(|&place| self.on_column(scene, place, progress)).collect()
    }
}

/// What the attacker concludes about a target and a value.
#[derive(Debug, Clone, Copy, Default)]
struct Posterior {
    probability: f64,
    /// The share of the class that has the value.
    share: f64,
}

type Posteriors = BTreeMap<(u32, Code), Posterior>;

impl Minimality {
    fn on_column(&self, scene: &Scene, place: usize, progress: &dyn Progress) -> Result<Tried> {
        let secrets = Secrets::new(scene, place);
        let k = self.k.or(scene.k()).unwrap_or_else(|| smallest(scene)).max(1);
        let Some(hidden) = self.hidden(&secrets) else {
            return Ok(Err(Warning::new(format!(
                "a class has a value of '{}' in a greater share than 1/{}, so classes were not made to \
                 prevent that",
                scene.name(place),
                self.l
            ))));
        };
        let (mut posteriors, n_classes) = self.posteriors(&secrets, &hidden, k, progress)?;
        let found = |target: usize, code| posteriors.get(&(target as u32, code));
        // A posterior of exactly 1/l is allowed and must not exceed the limit by rounding.
        let limit = 1.0 / self.l as f64 + 1e-9;
        let tally = scene.tally(|cohort| {
            let posterior = found(scene.targets.target_of(cohort), secrets.truth(cohort));
            let probability = posterior.map_or(0.0, |found| found.probability);
            Guess { probability, exposed: probability > limit }
        });
        posteriors.retain(|_, found| found.probability > limit);
        let chance = by_chance(scene, &posteriors);
        let mut best: Vec<(&(u32, Code), &Posterior)> = posteriors.iter().collect();
        best.sort_by(|one, other| {
            other.1.probability.total_cmp(&one.1.probability).then(one.0.cmp(other.0))
        });
        let told = |&(&(target, code), found): &(&(u32, Code), &Posterior)| {
            let class = scene.told_set(scene.candidates().set_of(target as usize));
            let (value, probability) = (secrets.told(code), found.probability);
            format!("{class}: a part has {value} with probability {probability:.2}")
        };
        let mut attempt = Attempt {
            column: Some(scene.name(place)),
            knew: format!(
                "{} of every {}, and that classes are as small as k = {k} and l = {} allow",
                scene.told_known(),
                scene.original().counted_noun(),
                self.l
            ),
            tried: "looked for classes that could be divided but are not".to_owned(),
            examples: best.iter().take(EXAMPLES).map(told).collect(),
            prevention: vec![
                Advice::words("require a larger l than the one to be protected"),
                Advice::OtherMethod { methods: vec!["hedge".to_owned()] },
            ],
            ..Attempt::new(Self::DESCRIPTION.name, Discloses::Attribute)
        };
        attempt.figures.insert("classes", f64::from(n_classes));
        Ok(Ok(attempt.counted(tally, chance)))
    }

    /// The greatest probability that the attacker concludes for each target and hidden value, and the
    /// number of classes that could have been divided.
    fn posteriors(
        &self,
        secrets: &Secrets<'_>,
        hidden: &[Code],
        k: u64,
        progress: &dyn Progress,
    ) -> Result<(Posteriors, u32)> {
        let scene = secrets.scene;
        let mut posteriors = Posteriors::new();
        let mut n_classes = 0;
        for (class, targets) in members(scene) {
            // At every class, because a class of a thousand records takes long.
            stop_if_cancelled(progress)?;
            // A class that could have been divided was not, so a part would have broken the rule.
            let Some(parts) = divided(scene, &targets, k) else { continue };
            n_classes += 1;
            let size =
                |part: &Vec<u32>| part.iter().map(|&t| scene.targets.records[t as usize]).sum();
            let division = Division::new(parts.iter().map(size).collect(), self.l);
            for &code in hidden {
                let n = count_of(&secrets.of_class[class], code);
                let share = n as f64 / division.n_records as f64;
                for (part, probability) in parts.iter().zip(division.posterior(n)) {
                    for &target in part {
                        let best = posteriors.entry((target, code)).or_default();
                        if probability > best.probability {
                            *best = Posterior { probability, share };
                        }
                    }
                }
            }
        }
        Ok((posteriors, n_classes))
    }

    /// The values that the whole release has in an allowed share, or `None` if a class has one of
    /// them in a greater share.
    fn hidden(&self, secrets: &Secrets<'_>) -> Option<Vec<Code>> {
        let is_within =
            |values: &Histogram, code: Code| count_of(values, code) * self.l <= total(values);
        let values = secrets.overall.iter().map(|&(code, _)| code);
        let hidden: Vec<Code> = values.filter(|&code| is_within(&secrets.overall, code)).collect();
        let mut shown = secrets.of_class.iter().zip(&secrets.scene.view.is_blank);
        let holds = shown.all(|(values, is_blank)| {
            *is_blank || hidden.iter().all(|&code| is_within(values, code))
        });
        holds.then_some(hidden)
    }
}

/// Number of records, or people, about whom the guesses would be right if the values of a class were
/// distributed over its people at random.
fn by_chance(scene: &Scene, guesses: &Posteriors) -> f64 {
    let mut share_of = vec![0.0; scene.targets.len()];
    for (&(target, _), found) in guesses {
        // A person has one value, so the chances of several guesses about them add up.
        share_of[target as usize] += found.share;
    }
    let tally = scene.tally(|cohort| {
        let probability = f64::min(share_of[scene.targets.target_of(cohort)], 1.0);
        Guess { probability, exposed: false }
    });
    tally.mean * tally.attacked as f64
}

/// A class that could have been divided into parts, and the ways to assign a value to its people
/// without giving it to more than a share of `1 / l` of any part.
struct Division {
    sizes: Vec<u64>,
    n_records: u64,
    /// For each part, the number of ways to choose x of its people, for every x that is allowed.
    own: Vec<Vec<f64>>,
    /// For each part, the number of ways to choose x people of all other parts.
    others: Vec<Vec<f64>>,
}

impl Division {
    fn new(sizes: Vec<u64>, l: u64) -> Self {
        let own: Vec<Vec<f64>> = sizes.iter().map(|&size| binomials(size, size / l)).collect();
        // The parts before each part, and those after it, so that no product is computed twice.
        let mut before = vec![vec![1.0]];
        for of_part in &own {
            let next = convolved(&before[before.len() - 1], of_part);
            before.push(next);
        }
        let mut after = vec![1.0];
        let mut others: Vec<Vec<f64>> = Vec::with_capacity(own.len());
        for (of_part, before) in own.iter().zip(&before).rev() {
            others.push(convolved(before, &after));
            after = convolved(of_part, &after);
        }
        others.reverse();
        Self { n_records: sizes.iter().sum(), sizes, own, others }
    }

    /// For each part, the probability that one of its people has a value which `n` people of the
    /// class have, given that in some part more than a share of `1 / l` has it. Empty if that is
    /// impossible.
    fn posterior(&self, n: u64) -> Vec<f64> {
        let n_ways = choose(self.n_records, n);
        // E[f(X); no part violates] for the number X of people of a part with the value.
        let within = |place: usize, f: fn(usize) -> f64| -> f64 {
            let others = |x: usize| self.others[place].get((n as usize).checked_sub(x)?).copied();
            let of_x = |(x, ways): (usize, &f64)| Some(f(x) * ways * others(x)? / n_ways);
            self.own[place].iter().enumerate().filter_map(of_x).sum()
        };
        // P(no part violates), which is the same from the view of every part.
        let p_fine = within(0, |_| 1.0);
        if 1.0 - p_fine < 1e-9 {
            return Vec::new();
        }
        let of_part = |(place, &size): (usize, &u64)| {
            // E[X], the mean of the hypergeometric distribution.
            let expected = size as f64 * n as f64 / self.n_records as f64;
            // E[X | violation] = (E[X] - E[X; no violation]) / P(violation), per person of the
            // part.
            (expected - within(place, |x| x as f64)) / (size as f64 * (1.0 - p_fine))
        };
        self.sizes.iter().enumerate().map(of_part).collect()
    }
}

/// The coefficients of the product of two polynomials: the ways to choose from two groups.
fn convolved(one: &[f64], other: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; one.len() + other.len() - 1];
    for (place, a) in one.iter().enumerate() {
        for (sum, b) in product[place..].iter_mut().zip(other) {
            *sum += a * b;
        }
    }
    product
}

/// The binomial coefficients of `n` and 0 to `most`.
fn binomials(n: u64, most: u64) -> Vec<f64> {
    let next = |before: &mut f64, k: u64| {
        let this = *before;
        // C(n, k + 1) = C(n, k) (n - k) / (k + 1).
        *before = this * (n - k) as f64 / (k + 1) as f64;
        Some(this)
    };
    // At most 1,000 records: C(1000, 500) is about 2.7e299, which f64 can still hold.
    (0..=most.min(n)).scan(1.0, next).collect()
}

/// The binomial coefficient.
fn choose(n: u64, k: u64) -> f64 {
    binomials(n, k.min(n.saturating_sub(k))).pop().filter(|_| k <= n).unwrap_or(0.0)
}

/// The targets that fit each class, for classes that have exactly their records.
fn members(scene: &Scene) -> BTreeMap<usize, Vec<u32>> {
    let candidates = scene.candidates();
    let mut members: BTreeMap<usize, (Vec<u32>, u64)> = BTreeMap::new();
    for target in 0..scene.targets.len() {
        for &class in &candidates.sets[candidates.set_of(target)] {
            let (targets, n_records) = members.entry(class as usize).or_default();
            targets.push(target as u32);
            *n_records += scene.targets.records[target];
        }
    }
    let is_whole = |class: &usize, n_records: u64| {
        let size = scene.view.sizes[*class];
        // As many records fit as the class has, so the people who fit are exactly its members.
        n_records == size && size <= MOST_RECORDS && !scene.view.is_blank[*class]
    };
    members.retain(|class, (_, n_records)| is_whole(class, *n_records));
    members.into_iter().map(|(class, (targets, _))| (class, targets)).collect()
}

/// Divides a class by the known column that gives most parts, if each has at least `k` records.
fn divided(scene: &Scene, targets: &[u32], k: u64) -> Option<Vec<Vec<u32>>> {
    let by_column = |column: usize| {
        let mut parts: BTreeMap<Code, Vec<u32>> = BTreeMap::new();
        for &target in targets {
            let code = scene.targets.tuple(target as usize)[column];
            parts.entry(code).or_default().push(target);
        }
        parts.into_values().collect::<Vec<_>>()
    };
    let records = |part: &Vec<u32>| -> u64 {
        part.iter().map(|&target| scene.targets.records[target as usize]).sum()
    };
    let columns = (0..scene.known().len()).map(by_column);
    let possible = columns.filter(|parts| {
        (2..=MOST_PARTS).contains(&parts.len()) && parts.iter().all(|part| records(part) >= k)
    });
    // Of several columns with equally many parts, the first.
    possible.rev().max_by_key(Vec::len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::Given;
    use crate::progress::Silent;
    use crate::table::{Columns, Encoding, Table};

    /// Two people of 20 have HIV, in a class with four of 30: values at random would give it to a
    /// third of the two.
    #[test]
    fn guesses_are_compared_with_values_at_random() {
        let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
        let table = |age: fn(usize) -> &'static str| {
            let row = |i: usize| [age(i), if i < 2 { "hiv" } else { "flu" }];
            let rows: Vec<[&str; 2]> = (0..8).map(row).collect();
            Table::encode(&columns, &rows, &Encoding::default()).unwrap()
        };
        let original = table(|i| ["20", "20", "30", "30", "30", "30", "40", "40"][i]);
        let release = table(|i| if i < 6 { "20-30" } else { "40" });
        let mut given = Given::new(original, release);
        given.sensitive = vec!["ill".to_owned()];
        let scene = Scene::new(given).unwrap();
        let found = Minimality::default().run(&scene, &Silent).unwrap().remove(0).unwrap();
        assert_eq!(found.exposed, 2);
        assert!((found.chance - 2.0 / 3.0).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn the_probability_given_a_violation_is_that_of_enumeration() {
        // Parts of 2 and 3 people, 2 of 5 with the value, l = 2: each part may have at most one.
        let found = Division::new(vec![2, 3], 2).posterior(2);
        // Of 10 ways, 1 gives both to the first part, 3 both to the second: 4 violate.
        assert!((found[0] - 0.25).abs() < 1e-9 && (found[1] - 0.5).abs() < 1e-9, "{found:?}");
    }

    /// Each of 2^12 subsets of people of three parts is as likely as any other with as many members.
    #[test]
    fn many_parts_are_those_of_enumeration() {
        let (sizes, l) = ([3u64, 4, 5], 3);
        let ends = [(0u32, 3u32), (3, 7), (7, 12)];
        for n in 1..=4 {
            let (mut violations, mut have) = (0.0, [0.0; 3]);
            for people in (0u32..1 << 12).filter(|people| people.count_ones() == n) {
                let of_parts = ends
                    .map(|(from, to)| ((people >> from) & ((1 << (to - from)) - 1)).count_ones());
                if of_parts.iter().zip(sizes).any(|(&x, size)| u64::from(x) > size / l) {
                    violations += 1.0;
                    have.iter_mut().zip(of_parts).for_each(|(sum, x)| *sum += f64::from(x));
                }
            }
            let found = Division::new(sizes.to_vec(), l).posterior(u64::from(n));
            for ((found, have), size) in found.iter().zip(have).zip(sizes) {
                assert!((found - have / violations / size as f64).abs() < 1e-9, "{n}: {found}");
            }
        }
    }
}
