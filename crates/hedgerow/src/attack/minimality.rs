//! Minimality: a class exists only because of its sensitive values, which reveals information about
//! them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::assignments::{Division, Value};
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
/// of `1 / l` had one value. The limited values are those that the release and all classes have in
/// at most this share. For every class that could be divided by one known column, the attacker
/// computes the probability that a person of each part has each of these values, given that some
/// part has some limited value too often. All ways to assign the values of the class to its people
/// are equally likely a priori, and all values are considered together, so that the probabilities
/// for one person add up to at most 1. A person is exposed if the probability of their value
/// exceeds `1 / l`, which the release was meant to prevent. Chance is the number of those about
/// whom the attacker would be right with the same guesses if the values of a class were distributed
/// over its people at random.
///
/// # Complexity
///
/// `O(n^2)` for a class of `n` records in two parts. With more parts, it is the product of their
/// sizes but one, times the ways to divide the people with each value among them; if that is more
/// than 5 million, `O(p n^2)` for `p` parts. Classes of more than 1,000 records and divisions into
/// more than 12 parts are not examined.
///
/// # Guarantees
///
/// Deterministic. Exact if the algorithm is minimal and `l` and `k` are those of the release. Where
/// joint probabilities would take too long, lower bounds are used: the probability that the value
/// itself violates the limit and the person has it, divided by the sum of the probabilities that
/// each value does. They are exact if only one value can. Classes that overlap others are not
/// examined.
///
/// # References
///
/// \[Wong2007\] R. C.-W. Wong, A. W.-C. Fu, K. Wang, J. Pei: Minimality Attack in Privacy
/// Preserving Data Publishing, VLDB 2007, where one value is sensitive. Several values together,
/// and divisions by one column, which cover one step down in a hierarchy and one cut of a
/// multidimensional method, are hedgerow's own.
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
    fn attack(&self, scene: &Scene, progress: &dyn Progress) -> Result<Vec<Tried>> {
        let places = scene.sensitive().iter();
        places.map(|&place| self.on_column(scene, place, progress)).collect()
    }
}

/// The conclusion of the attacker about a target and a value.
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

    /// The greatest probability that the attacker concludes for each target and hidden value, and
    /// the number of classes that could have been divided.
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
            let histogram = &secrets.of_class[class];
            let found = division.posteriors(&values(histogram, hidden, division.n_people()));
            for (&(code, n), of_parts) in histogram.iter().zip(&found) {
                if hidden.binary_search(&code).is_err() {
                    continue;
                }
                let share = n as f64 / division.n_people() as f64;
                for (part, &probability) in parts.iter().zip(of_parts) {
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

/// Number of records, or people, about whom the guesses would be right if the values of a class
/// were distributed over its people at random.
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

/// The values of a class of `n_people`, those that had to be hidden as limited ones.
fn values(histogram: &Histogram, hidden: &[Code], n_people: u64) -> Vec<Value> {
    let value = |&(code, count): &(Code, u64)| Value {
        count,
        is_limited: hidden.binary_search(&code).is_ok(),
    };
    // Values that the original does not have belong to no person, but take places.
    let others = Value { count: n_people.saturating_sub(total(histogram)), is_limited: false };
    histogram.iter().map(value).chain([others]).collect()
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

    /// Three values that two people each have, in a class of two people of 20 and four of 30: one
    /// pair must be those of 20, but it is not known which.
    #[test]
    fn several_values_share_the_probability() {
        let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
        let ills = ["hiv", "hiv", "flu", "flu", "cold", "cold", "burn", "gout"];
        let table = |ages: [&'static str; 8]| {
            let rows: Vec<[&str; 2]> =
                ages.into_iter().zip(ills).map(|(a, ill)| [a, ill]).collect();
            Table::encode(&columns, &rows, &Encoding::default()).unwrap()
        };
        let original = table(["20", "20", "30", "30", "30", "30", "40", "40"]);
        let class = "20-30";
        let release = table([class, class, class, class, class, class, "40", "40"]);
        let mut given = Given::new(original, release);
        given.sensitive = vec!["ill".to_owned()];
        let scene = Scene::new(given).unwrap();
        let found = Minimality::default().run(&scene, &Silent).unwrap().remove(0).unwrap();
        assert_eq!(found.exposed, 0, "{found:?}");
        assert!((found.success - 1.0 / 3.0).abs() < 1e-8, "{found:?}");
        assert!(found.figures["classes"].total_cmp(&1.0).is_eq(), "{found:?}");
    }
}
