//! Complementary release: two releases of the same people are joined by the columns that both keep.

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::given::Other;
use super::joined::{Joined, has};
use super::scene::{EXAMPLES, Guess, Scene};
use super::secrets::Histogram;
use super::{Attack, Attempt, Discloses, Gain, Tried};
use crate::Result;
use crate::error::{Advice, Warning};
use crate::method::{Described, Description, Need};
use crate::noun::{counted, listed};
use crate::progress::Progress;
use crate::table::{Code, Cohort};

/// Joins a release with another one by the columns that both publish unchanged.
///
/// One release may hide the age and the other the place. A person is linked with both by the known
/// columns, and a candidate in one release remains only if a candidate in the other has the same
/// values in all columns that both keep. If `m` records of one or the other remain, whichever are
/// fewer, a guess is right with probability `1 / m`. A person is exposed if one remains. Chance is
/// the number of people who are exposed without the other release. The [`Gain`] is that about the
/// record that is found with the greatest probability, of those about which the join reveals
/// anything. It compares the candidates that remain in one release with all of them.
///
/// # Complexity
///
/// `O(n log n)` for `n` records of both releases whose classes do not overlap, after candidates
/// were found as for [`Linking`](super::Linking). Records are joined by the numbers of their
/// values, and never compared with each other.
///
/// # Guarantees
///
/// Deterministic. It assumes that a person has the same values in both releases; where that is not
/// so, and for people that only one of the releases has, nothing is found.
///
/// # References
///
/// \[Sweeney2002\] L. Sweeney: k-Anonymity: A Model for Protecting Privacy, IJUFKS 10(5), 2002,
/// section 4.2. Joining by every kept column is hedgerow's own reading.
///
/// # Examples
///
/// ```
/// use hedgerow::attack::{Attack, ComplementaryRelease, Given, Other, Scene};
/// use hedgerow::progress::Silent;
/// use hedgerow::table::{Columns, Encoding, Table};
/// let columns = Columns::quasi(&["age", "zip"]).and_beside(&["ill"]);
/// let table = |rows: &[[&str; 3]]| Table::encode(&columns, rows, &Encoding::default());
/// let original = table(&[["20", "A", "flu"], ["20", "B", "gout"], ["30", "A", "flu"]])?;
/// let release = table(&[["20", "*", "flu"], ["20", "*", "gout"], ["30", "*", "flu"]])?;
/// let other = [["*", "A", "flu"], ["*", "B", "gout"], ["*", "A", "flu"]];
/// let mut given = Given::new(original, release);
/// let table = Table::from_rows(&["age", "zip", "ill"], &other)?;
/// given.others = vec![Other { name: "other.csv".to_owned(), table }];
/// let tried = ComplementaryRelease.run(&Scene::new(given)?, &Silent)?;
/// let attempt = tried[0].as_ref().expect("both keep the illness");
/// assert_eq!((attempt.exposed, attempt.chance), (3, 1.0));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct ComplementaryRelease;

impl Described for ComplementaryRelease {
    const DESCRIPTION: Description = Description {
        name: "complementary-release",
        about: "joins two releases by the columns that both keep",
        reference: Some("Sweeney2002"),
        needs: &[Need::OtherRelease],
        parameters: &[],
    };
}

impl Attack for ComplementaryRelease {
    fn attack(&self, scene: &Scene, _: &dyn Progress) -> Result<Vec<Tried>> {
        Ok(scene.others().iter().map(|other| join(scene, other)).collect())
    }

    fn reads_kept(&self) -> bool {
        true
    }
}

fn join(scene: &Scene, other: &Other) -> Tried {
    let theirs = Joined::new(scene, other)?;
    let ours = Joined::of(scene, scene.release(), scene.known());
    let kept: Vec<usize> = (0..scene.release().all_columns().len())
        .filter(|&place| has(&other.table, scene, place))
        .filter(|&place| ours.kept(place).is_some() && theirs.kept(place).is_some())
        .collect();
    if kept.is_empty() {
        let problem =
            format!("no column is published unchanged in the release and in {}", other.name);
        return Err(Warning::new(problem));
    }
    let sides = [ours, theirs];
    let found = Join::new(scene, &sides, &kept).found();
    let tally = scene.tally(|cohort| found[cohort.index()].guess());
    // Chance counts the people who are exposed without the other release.
    let alone = scene
        .tally(|cohort| Guess { probability: 0.0, exposed: found[cohort.index()].all[0] == 1 });
    let gains = found.iter().flat_map(Found::gains);
    let names: Vec<String> = kept.iter().map(|&place| scene.name(place)).collect();
    Ok(Attempt {
        other: Some(other.name.clone()),
        knew: format!("{} of every {}", scene.told_known(), scene.original().counted_noun()),
        tried: format!("joined the release and {} by {}", other.name, listed(&names)),
        gain: gains.max_by(|one, other| rank(one).total_cmp(&rank(other))),
        examples: examples(scene, &sides[0], &found),
        prevention: vec![
            Advice::words(
                "publish one release, or generalize the same people in the same way in all",
            ),
            Advice::words("leave out columns that other releases have too"),
        ],
        ..Attempt::new(ComplementaryRelease::DESCRIPTION.name, Discloses::Identity)
            .counted(tally, alone.exposed as f64)
    })
}

/// The candidates of a person in the release and in the other one.
#[derive(Debug, Clone, Copy)]
struct Found {
    /// The set of candidates in the release.
    set: usize,
    /// Number of candidates.
    all: [u64; 2],
    /// Number of candidates with a partner in the other release; 0 if the person is none of them.
    left: [u64; 2],
}

impl Found {
    fn guess(&self) -> Guess {
        // The person is one of the records on both sides, so the smaller number limits the choice.
        let least = self.left[0].min(self.left[1]);
        Guess { probability: chance(least), exposed: least == 1 }
    }

    /// The gain of the join about the record of the person in each release.
    fn gains(&self) -> [Gain; 2] {
        [0, 1].map(|side: usize| Gain::new(chance(self.all[side]), chance(self.left[side])))
    }
}

/// Orders gains by the probability with which a record is found, if the join reveals anything.
fn rank(gain: &Gain) -> f64 {
    if gain.share > 0.0 { gain.together } else { 0.0 }
}

/// The probability that one of `n` records is the person's.
fn chance(n: u64) -> f64 {
    if n > 0 { 1.0 / n as f64 } else { 0.0 }
}

/// Two releases, and the values of their classes in the columns that both keep.
struct Join<'a> {
    scene: &'a Scene,
    sides: &'a [Joined<'a>; 2],
    /// Number of records with each combination of kept values, by class.
    classes: [Vec<Histogram>; 2],
    /// The combination of each cohort of the original, if a release has it.
    truth: Vec<Option<Code>>,
}

impl<'a> Join<'a> {
    fn new(scene: &'a Scene, sides: &'a [Joined<'a>; 2], kept: &[usize]) -> Self {
        let mut numbers: HashMap<Vec<Code>, u32> = HashMap::new();
        let [ours, theirs] = sides;
        let classes =
            [ours.combinations(kept, &mut numbers), theirs.combinations(kept, &mut numbers)];
        let cohorts = scene.original().cohorts();
        let truth = cohorts.all().map(|cohort| {
            let tuple = cohorts.tuple(cohort);
            let own: Vec<Code> = kept.iter().map(|&place| tuple[place]).collect();
            numbers.get(&own).map(|&number| Code::from(number))
        });
        Self { scene, sides, classes, truth: truth.collect() }
    }

    /// The candidates of every cohort of the original.
    fn found(&self) -> Vec<Found> {
        let cohorts = self.scene.original().cohorts();
        let mut order: Vec<Cohort> = cohorts.all().collect();
        // Many people share a pair of candidate sets, so each pair is joined once.
        order.sort_by_key(|&cohort| self.sets(cohort));
        let mut found = vec![Found { set: 0, all: [0; 2], left: [0; 2] }; order.len()];
        for people in order.chunk_by(|&one, &next| self.sets(one)[0] == self.sets(next)[0]) {
            let set = self.sets(people[0])[0];
            let own = self.sides[0].of_set(set, &self.classes[0]);
            for people in people.chunk_by(|&one, &next| self.sets(one) == self.sets(next)) {
                let sets = self.sets(people[0]);
                let their = self.sides[1].of_set(sets[1], &self.classes[1]);
                let shared = Shared::of(&own, &their);
                let all = [0, 1].map(|side: usize| self.sides[side].candidates.sizes[sets[side]]);
                for &cohort in people {
                    let truth = self.truth[cohort.index()];
                    let is_found = truth.is_some_and(|truth| shared.has(truth));
                    let left = if is_found { shared.records } else { [0; 2] };
                    found[cohort.index()] = Found { set, all, left };
                }
            }
        }
        found
    }

    /// The sets of candidates of a cohort in both releases.
    fn sets(&self, cohort: Cohort) -> [usize; 2] {
        [0, 1].map(|side: usize| {
            let Joined { candidates, targets, .. } = &self.sides[side];
            candidates.set_of(targets.target_of(cohort))
        })
    }
}

/// The combinations that the candidates of a person have in both releases.
struct Shared {
    /// Ascending.
    combinations: Vec<Code>,
    /// Number of records with them in each release.
    records: [u64; 2],
}

impl Shared {
    fn of(own: &[(Code, u64)], their: &[(Code, u64)]) -> Self {
        let is_swapped = their.len() < own.len();
        let (few, many) = if is_swapped { (their, own) } else { (own, their) };
        let mut shared = Self { combinations: Vec::new(), records: [0; 2] };
        // Searching for the fewer among the many keeps a large class cheap that many pairs have.
        for &(code, count) in few {
            if let Ok(at) = many.binary_search_by_key(&code, |&(code, _)| code) {
                shared.combinations.push(code);
                shared.records[0] += count;
                shared.records[1] += many[at].1;
            }
        }
        if is_swapped {
            shared.records.swap(0, 1);
        }
        shared
    }

    fn has(&self, combination: Code) -> bool {
        self.combinations.binary_search(&combination).is_ok()
    }
}

fn examples(scene: &Scene, ours: &Joined<'_>, found: &[Found]) -> Vec<String> {
    // Sets of one candidate are exposed without the join.
    let is_new = |found: &&Found| found.guess().exposed && found.all[0] > 1;
    let mut sets: Vec<usize> = found.iter().filter(is_new).map(|found| found.set).collect();
    sets.sort_unstable();
    sets.dedup();
    let told = |set: usize| {
        let class = ours.candidates.sets[set][0] as usize;
        let size = counted(ours.candidates.sizes[set], "candidate");
        format!("{}: one of {size} is left", scene.told_class(class))
    };
    sets.into_iter().take(EXAMPLES).map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::Given;
    use crate::progress::Silent;
    use crate::table::{Columns, Encoding, MissingPolicy, Table};

    fn table(columns: &Columns, rows: &[&str]) -> Table {
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.split('|').collect()).collect();
        Table::encode(columns, &rows, &Encoding::default()).unwrap()
    }

    /// An original with an age and a ward, its release, and another release.
    fn given(original: &[&str], release: &[&str], other: &[&str]) -> Given {
        let columns = Columns::quasi(&["age"]).and_beside(&["ward"]);
        let mut given = Given::new(table(&columns, original), table(&columns, release));
        let table = table(&Columns::quasi(&["age", "ward"]), other);
        given.others.push(Other { name: "other".to_owned(), table });
        given
    }

    fn attempt(given: Given) -> Attempt {
        let mut tried = ComplementaryRelease.run(&Scene::new(given).unwrap(), &Silent).unwrap();
        tried.remove(0).unwrap()
    }

    /// Information in a single release is not a gain of the join.
    #[test]
    fn a_join_gains_what_remains_of_the_candidates() {
        let rows = ["20|a", "21|b", "22|c", "23|d"];
        let release = ["20-21|a", "20-21|b", "22-23|c", "22-23|d"];
        let joined = |other: &[&str]| attempt(given(&rows, &release, other));
        // The other release has one record for each person, the join finds theirs among two.
        let raw = joined(&rows);
        assert_eq!((raw.exposed, raw.success), (4, 1.0));
        let gain = raw.gain.unwrap();
        assert_eq!((gain.alone, gain.together, gain.share), (0.5, 1.0, 1.0));
        let same = joined(&release);
        assert_eq!((same.exposed, same.success, same.gain.unwrap().share), (0, 0.5, 0.0));
        // Classes that overlap in one record leave this one.
        let shifted = joined(&["20-22|a", "20-22|b", "20-22|c", "23-23|d"]);
        assert_eq!((shifted.exposed, shifted.gain.unwrap().share), (2, 1.0));
    }

    /// A candidate with a partner who is someone else is a wrong guess.
    #[test]
    fn a_join_that_excludes_the_person_is_not_a_success() {
        let release = ["20-21|a", "20-21|b"];
        let found = attempt(given(&["20|a", "21|b"], &release, &["20-20|b", "21-21|b"]));
        assert_eq!((found.attacked, found.exposed), (2, 1), "{found:?}");
        assert!((found.mean - 0.5).abs() < 1e-9, "{found:?}");
    }

    /// A missing value of a column that is published unchanged is a value like any other, even
    /// where missing quasi-identifiers match anything.
    #[test]
    fn releases_are_joined_by_columns_with_missing_values() {
        let rows: [[&str; 2]; 4] = [["20", "a"], ["21", ""], ["22", "c"], ["23", "d"]];
        let encoding = Encoding { missing: MissingPolicy::Wildcard, ..Encoding::default() };
        let columns = Columns::quasi(&["age"]).and_beside(&["ward"]);
        let original = Table::encode(&columns, &rows, &encoding).unwrap();
        let release = [["20-21", "a"], ["20-21", ""], ["22-23", "c"], ["22-23", "d"]];
        let release = Table::encode(&columns, &release, &encoding).unwrap();
        let mut given = Given::new(original, release);
        let table = Table::from_rows(&["age", "ward"], &rows).unwrap();
        given.others.push(Other { name: "other".to_owned(), table });
        assert_eq!(attempt(given).exposed, 4);
    }
}
