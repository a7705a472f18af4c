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
use crate::progress::Progress;
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
///
/// # Complexity
///
/// `O(p^2 n^2)` for a class of `n` records in `p` parts; classes of more than 1,000 records and
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
    fn run(&self, scene: &Scene, _: &dyn Progress) -> Result<Vec<Tried>> {
        Ok(scene.sensitive().iter().map(|&place| self.on_column(scene, place)).collect())
    }
}

/// What the attacker concludes about one target and value.
type Posteriors = BTreeMap<(u32, Code), f64>;

impl Minimality {
    fn on_column(&self, scene: &Scene, place: usize) -> Tried {
        let secrets = Secrets::new(scene, place);
        let k = self.k.unwrap_or_else(|| smallest(scene)).max(1);
        let Some(hidden) = self.hidden(&secrets) else {
            return Err(Warning::new(format!(
                "a class has a value of '{}' in a greater share than 1/{}, so classes were not made to \
                 prevent that",
                scene.name(place),
                self.l
            )));
        };
        let (posteriors, n_classes) = self.posteriors(&secrets, &hidden, k);
        let found = |target: usize, code| posteriors.get(&(target as u32, code)).copied();
        // A posterior of exactly 1/l is allowed and must not exceed the limit by rounding.
        let limit = 1.0 / self.l as f64 + 1e-9;
        let tally = scene.tally(|cohort| {
            let posterior = found(scene.targets.target_of(cohort), secrets.truth(cohort));
            let probability = posterior.unwrap_or(0.0);
            Guess { probability, exposed: probability > limit }
        });
        let mut best: Vec<(&(u32, Code), &f64)> =
            posteriors.iter().filter(|(_, probability)| **probability > limit).collect();
        best.sort_by(|one, other| other.1.total_cmp(one.1).then(one.0.cmp(other.0)));
        let told = |&(&(target, code), probability): &(&(u32, Code), &f64)| {
            let class = scene.told_set(scene.candidates().set_of(target as usize));
            format!("{class}: a part has {} with probability {probability:.2}", secrets.told(code))
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
        Ok(attempt.counted(tally, 0.0))
    }

    /// The greatest probability that the attacker concludes for each target and hidden value, and the
    /// number of classes that could have been divided.
    fn posteriors(&self, secrets: &Secrets<'_>, hidden: &[Code], k: u64) -> (Posteriors, u32) {
        let scene = secrets.scene;
        let mut posteriors = Posteriors::new();
        let mut n_classes = 0;
        for (class, targets) in members(scene) {
            // A class that could have been divided was not, so a part would have broken the rule.
            let Some(parts) = divided(scene, &targets, k) else { continue };
            n_classes += 1;
            for &code in hidden {
                let n = count_of(&secrets.of_class[class], code);
                for (target, probability) in self.conclude(scene, &parts, n) {
                    let best = posteriors.entry((target, code)).or_default();
                    *best = best.max(probability);
                }
            }
        }
        (posteriors, n_classes)
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

    /// The probability that the people of each target have a value which `n` records of the class
    /// have, given that some part has it in too great a share.
    fn conclude(&self, scene: &Scene, parts: &[Vec<u32>], n: u64) -> Vec<(u32, f64)> {
        let size = |part: &Vec<u32>| part.iter().map(|&t| scene.targets.records[t as usize]).sum();
        let sizes: Vec<u64> = parts.iter().map(size).collect();
        let of_parts = parts.iter().zip(self.posterior(&sizes, n));
        of_parts.flat_map(|(part, p)| part.iter().map(move |&target| (target, p))).collect()
    }

    /// For each part, the probability that one of its people has a value which `n` people of the
    /// class have, given that in some part more than a share of `1 / l` has it. Empty if that is
    /// impossible.
    fn posterior(&self, sizes: &[u64], n: u64) -> Vec<f64> {
        let most = |size: u64| size / self.l;
        let all: u64 = sizes.iter().sum();
        let n_ways = choose(all, n);
        let fine = |skipped: Option<usize>, n: u64| ways(sizes, skipped, n, most);
        // P(no part violates): allowed assignments of the n values over all of them.
        let p_fine = fine(None, n) / n_ways;
        if 1.0 - p_fine < 1e-9 {
            return Vec::new();
        }
        let of_part = |place: usize| {
            let size = sizes[place];
            // E[X], the mean of the hypergeometric distribution.
            let expected = size as f64 * n as f64 / all as f64;
            // E[X; no part violates], over the numbers x that this part may have.
            let within: f64 = (0..=most(size).min(n))
                .map(|x| x as f64 * choose(size, x) * fine(Some(place), n - x) / n_ways)
                .sum();
            // E[X | violation] = (E[X] - E[X; no violation]) / P(violation), per person of the
            // part.
            (expected - within) / (size as f64 * (1.0 - p_fine))
        };
        (0..sizes.len()).map(of_part).collect()
    }
}

/// Number of ways to choose `n` people of all parts but one, at most `most` of each part.
fn ways(sizes: &[u64], skipped: Option<usize>, n: u64, most: impl Fn(u64) -> u64) -> f64 {
    let mut ways = vec![0.0; n as usize + 1];
    ways[0] = 1.0;
    for (_, &size) in sizes.iter().enumerate().filter(|(place, _)| Some(*place) != skipped) {
        let mut next = vec![0.0; ways.len()];
        for (before, ways) in ways.iter().enumerate().filter(|(_, ways)| **ways > 0.0) {
            // Convolution: ways to choose x of this part after the parts before it.
            for x in 0..=most(size).min(n - before as u64) {
                next[before + x as usize] += ways * choose(size, x);
            }
        }
        ways = next;
    }
    ways[n as usize]
}

/// The binomial coefficient.
fn choose(n: u64, k: u64) -> f64 {
    if k > n {
        return 0.0;
    }
    // At most 1,000 records: C(1000, 500) is about 2.7e299, which f64 can still hold.
    (0..k.min(n - k)).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
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

    #[test]
    fn the_probability_given_a_violation_is_that_of_enumeration() {
        // Parts of 2 and 3 people, 2 of 5 with the value, l = 2: each part may have at most one.
        let found = Minimality::default().posterior(&[2, 3], 2);
        // Of 10 ways, 1 gives both to the first part, 3 both to the second: 4 violate.
        assert!((found[0] - 0.25).abs() < 1e-9 && (found[1] - 0.5).abs() < 1e-9, "{found:?}");
    }
}
