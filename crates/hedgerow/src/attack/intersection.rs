//! Intersection: several releases together leave one sensitive value.

use serde::{Deserialize, Serialize};

use super::given::Other;
use super::joined::Joined;
use super::scene::{EXAMPLES, Guess, Scene};
use super::secrets::{Histogram, Secrets, count_of, shuffled, total};
use super::{Attack, Attempt, Discloses, Gain, Tried};
use crate::Result;
use crate::error::{Advice, Warning};
use crate::method::{Described, Description, Need};
use crate::noun::counted;
use crate::progress::Progress;
use crate::table::{Code, Cohort};

/// Intersects the sensitive values that each release allows for a person.
///
/// A person who was in two hospitals is in both releases. Each allows several diagnoses, but only
/// one of them may be in both. The candidates of a person in the release remain only if every other
/// one of them may be in both. The candidates of a person in the release remain only if every other
/// release has a candidate with the same sensitive value. A person is exposed if all that remain
/// have one value, and the release alone did not show it. Otherwise the guess is right with the
/// probability of the true value among the candidates that remain. The [`Gain`] compares this
/// probability with that of the release that reveals most alone. The success is the part of the
/// doubt that the releases remove together, because the privacy models of each release decide how
/// much it may reveal alone. Chance is the number of people who are exposed if the sensitive values
/// of the other releases are shuffled.
///
/// # Complexity
///
/// `O(n log n)` for `n` records of all releases, after candidates were found as for
/// [`Linking`](super::Linking).
///
/// # Guarantees
///
/// Deterministic. It assumes that a person has the same value in all releases; where that is not
/// so, nothing remains and the person is not exposed.
///
/// # References
///
/// \[Ganta2008\] S. R. Ganta, S. P. Kasiviswanathan, A. Smith: Composition Attacks and Auxiliary
/// Information in Data Privacy, KDD 2008.
///
/// # Examples
///
/// ```
/// use hedgerow::attack::{Attack, Given, Intersection, Other, Scene};
/// use hedgerow::progress::Silent;
/// use hedgerow::table::{Columns, Encoding, Table};
/// let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
/// let table = |rows: &[[&str; 2]]| Table::encode(&columns, rows, &Encoding::default());
/// let original = table(&[["20", "flu"], ["21", "gout"], ["30", "burn"]])?;
/// let release = table(&[["20-21", "flu"], ["20-21", "gout"], ["30", "burn"]])?;
/// let other = Table::from_rows(&["age", "ill"], &[["20", "flu"], ["20", "burn"], ["21", "gout"]])?;
/// let mut given = Given::new(original, release);
/// given.sensitive = vec!["ill".to_owned()];
/// given.others = vec![Other { name: "other.csv".to_owned(), table: other }];
/// let tried = Intersection.run(&Scene::new(given)?, &Silent)?;
/// assert_eq!(tried[0].as_ref().expect("both have the illness").exposed, 2);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Intersection;

impl Described for Intersection {
    const DESCRIPTION: Description = Description {
        name: "intersection",
        about: "intersects the sensitive values that several releases allow",
        reference: Some("Ganta2008"),
        needs: &[Need::Sensitive, Need::OtherRelease],
        parameters: &[],
    };
}

impl Attack for Intersection {
    fn attack(&self, scene: &Scene, _: &dyn Progress) -> Result<Vec<Tried>> {
        let joined: Vec<Result<Joined<'_>, Warning>> =
            scene.others().iter().map(|other| Joined::new(scene, other)).collect();
        let mut tried: Vec<Tried> =
            joined.iter().filter_map(|other| Some(Err(other.as_ref().err()?.clone()))).collect();
        let others: Vec<&Joined<'_>> = joined.iter().flatten().collect();
        if !others.is_empty() {
            let columns = scene.sensitive().iter();
            tried.extend(columns.map(|&place| on_column(scene, place, &others)));
        }
        Ok(tried)
    }

    fn reads_kept(&self) -> bool {
        true
    }
}

/// Another release with the sensitive values of its classes.
struct Source<'a> {
    release: &'a Joined<'a>,
    /// The values of each set of candidates.
    of_set: Vec<Histogram>,
}

impl<'a> Source<'a> {
    fn new(release: &'a Joined<'a>, of_class: &[Histogram]) -> Self {
        let sets = 0..release.candidates.sets.len();
        let of_set = sets.map(|set| release.of_set(set, of_class).into_owned());
        Self { release, of_set: of_set.collect() }
    }

    fn values(&self, cohort: Cohort) -> &Histogram {
        &self.of_set[self.set(cohort)]
    }

    /// The probability of a value by this release alone. Candidates with values that the original
    /// does not have count too: the attacker does not know that they are not the person's.
    fn probability(&self, cohort: Cohort, code: Code) -> f64 {
        let n_candidates = self.release.candidates.sizes[self.set(cohort)];
        count_of(self.values(cohort), code) as f64 / n_candidates.max(1) as f64
    }

    fn set(&self, cohort: Cohort) -> usize {
        self.release.candidates.set_of(self.release.targets.target_of(cohort))
    }
}

fn on_column(scene: &Scene, place: usize, others: &[&Joined<'_>]) -> Tried {
    let name = scene.name(place);
    let found: Vec<(&Joined<'_>, Vec<Histogram>)> =
        others.iter().filter_map(|other| Some((*other, other.histograms(place)?))).collect();
    if found.is_empty() {
        return Err(Warning::new(format!("no other release has the sensitive column '{name}'")));
    }
    let secrets = Secrets::new(scene, place);
    let sources: Vec<Source<'_>> =
        found.iter().map(|(release, of_class)| Source::new(release, of_class)).collect();
    // A value that the release shows alone is not found by this attack.
    let is_open = |cohort: Cohort| secrets.of(cohort).len() > 1;
    let tally = scene.tally(|cohort| {
        let (left, truth) = (left(&secrets, &sources, cohort), secrets.truth(cohort));
        let exposed = is_open(cohort) && left.len() == 1 && count_of(&left, truth) > 0;
        Guess { probability: gain(&secrets, &sources, cohort).share, exposed }
    });
    let gains = scene.original().cohorts().all().map(|cohort| gain(&secrets, &sources, cohort));
    // By chance: the same releases with their sensitive values shuffled.
    let mixed: Vec<Source<'_>> = found
        .iter()
        .zip(0..)
        .map(|((release, of_class), seed)| Source::new(release, &shuffled(of_class, seed)))
        .collect();
    let by_chance = scene.tally(|cohort| Guess {
        probability: 0.0,
        exposed: left(&secrets, &mixed, cohort).len() == 1 && is_open(cohort),
    });
    let names: Vec<&str> = scene.others().iter().map(|other: &Other| other.name.as_str()).collect();
    Ok(Attempt {
        column: Some(name.clone()),
        other: Some(names.join(", ")),
        knew: format!(
            "{} of every {}, and that each is in all releases",
            scene.told_known(),
            scene.original().counted_noun()
        ),
        tried: format!("kept the values of '{name}' that all releases allow"),
        gain: gains.max_by(|one, other| one.share.total_cmp(&other.share)),
        examples: examples(scene, &secrets, &sources),
        prevention: vec![
            Advice::words("publish one release of these people"),
            Advice::RequireModel { example: "t-closeness:t=0.2".to_owned() },
        ],
        ..Attempt::new(Intersection::DESCRIPTION.name, Discloses::Attribute)
            .counted(tally, by_chance.exposed as f64)
    })
}

/// The values of the candidates of a person that every other release allows.
fn left(secrets: &Secrets<'_>, sources: &[Source<'_>], cohort: Cohort) -> Histogram {
    // A person in all releases has a value that each of them allows.
    let is_allowed = |code| sources.iter().all(|source| count_of(source.values(cohort), code) > 0);
    secrets.of(cohort).iter().filter(|(code, _)| is_allowed(*code)).copied().collect()
}

/// The gain about a person of all releases together over the best single one.
fn gain(secrets: &Secrets<'_>, sources: &[Source<'_>], cohort: Cohort) -> Gain {
    let truth = secrets.truth(cohort);
    let share = |values: &Histogram| count_of(values, truth) as f64 / total(values).max(1) as f64;
    let others = sources.iter().map(|source| source.probability(cohort, truth));
    let alone = others.fold(share(secrets.of(cohort)), f64::max);
    Gain::new(alone, share(&left(secrets, sources, cohort)))
}

fn examples(scene: &Scene, secrets: &Secrets<'_>, sources: &[Source<'_>]) -> Vec<String> {
    let exposed = |&cohort: &Cohort| {
        let left = left(secrets, sources, cohort);
        left.len() == 1
            && secrets.of(cohort).len() > 1
            && count_of(&left, secrets.truth(cohort)) > 0
    };
    let told = |cohort: Cohort| {
        let before = counted(secrets.of(cohort).len() as u64, "value");
        let truth = secrets.told(secrets.truth(cohort));
        format!("{}: {before}, of which {truth} is left", scene.told_set(scene.set_of(cohort)))
    };
    scene.original().cohorts().all().filter(exposed).take(EXAMPLES).map(told).collect()
}
