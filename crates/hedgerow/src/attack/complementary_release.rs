//! Complementary release: two releases of the same people are joined by what both keep.

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::given::Other;
use super::joined::{Joined, has};
use super::scene::{EXAMPLES, Guess, Scene};
use super::secrets::{Histogram, count_of};
use super::{Attack, Attempt, Discloses, Tried};
use crate::Result;
use crate::error::{Advice, Warning};
use crate::method::{Described, Description, Need};
use crate::noun::{counted, listed};
use crate::progress::Progress;
use crate::table::Code;

/// Joins a release with another one by the columns that both publish unchanged.
///
/// One release may hide the age and the other the place. A person is linked with both by what is
/// known, and a candidate in one release remains only if a candidate in the other has the same
/// values in all columns that both keep. If `m` records of one or the other remain, whichever are
/// fewer, a guess is right with probability `1 / m`. A person falls if one remains. Chance is the
/// number of people who fall without the other release.
///
/// # Complexity
///
/// `O(n log n)` for `n` records of both releases, after candidates were found as for
/// [`Linking`](super::Linking).
///
/// # Guarantees
///
/// Deterministic. People that only one of the releases has do not fall.
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
/// assert_eq!((attempt.fell, attempt.chance), (3, 1.0));
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
    fn run(&self, scene: &Scene, _: &dyn Progress) -> Result<Vec<Tried>> {
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
    let mut numbers: HashMap<Vec<Code>, u32> = HashMap::new();
    let classes = [&ours, &theirs].map(|side| side.combinations(&kept, &mut numbers));
    let mut left: HashMap<(usize, usize), u64> = HashMap::new();
    let mut pair_of = |cohort| {
        let [own, their] =
            [&ours, &theirs].map(|side| side.candidates.set_of(side.targets.target_of(cohort)));
        let remaining = left.entry((own, their)).or_insert_with(|| {
            remaining(&ours.of_set(own, &classes[0]), &theirs.of_set(their, &classes[1]))
        });
        (*remaining, own)
    };
    let cohorts = scene.original().cohorts();
    let found: Vec<(u64, usize)> = cohorts.all().map(&mut pair_of).collect();
    let tally = scene.tally(|cohort| {
        let (n, _) = found[cohort.index()];
        Guess { probability: if n > 0 { 1.0 / n as f64 } else { 0.0 }, fell: n == 1 }
    });
    let alone = scene.tally(|cohort| Guess {
        probability: 0.0,
        fell: ours.candidates.sizes[found[cohort.index()].1] == 1,
    });
    let names: Vec<String> = kept.iter().map(|&place| scene.name(place)).collect();
    Ok(Attempt {
        other: Some(other.name.clone()),
        knew: format!("{} of every {}", scene.told_known(), scene.original().counted_noun()),
        tried: format!("joined the release and {} by {}", other.name, listed(&names)),
        examples: examples(scene, &ours, &found),
        prevention: vec![
            Advice::words(
                "publish one release, or generalize the same people in the same way in all",
            ),
            Advice::words("leave out columns that other releases have too"),
        ],
        ..Attempt::new(ComplementaryRelease::DESCRIPTION.name, Discloses::Identity)
            .counted(tally, alone.fell as f64)
    })
}

/// Number of records that have a partner in the other release, in the release in which they are
/// fewer.
fn remaining(own: &Histogram, their: &Histogram) -> u64 {
    let with_partner = |one: &Histogram, other: &Histogram| {
        let joined = one.iter().filter(|(combination, _)| count_of(other, *combination) > 0);
        joined.map(|(_, count)| count).sum::<u64>()
    };
    with_partner(own, their).min(with_partner(their, own))
}

fn examples(scene: &Scene, ours: &Joined<'_>, found: &[(u64, usize)]) -> Vec<String> {
    let is_new = |(n, set): &&(u64, usize)| *n == 1 && ours.candidates.sizes[*set] > 1;
    let mut sets: Vec<usize> = found.iter().filter(is_new).map(|(_, set)| *set).collect();
    sets.sort_unstable();
    sets.dedup();
    let told = |set: usize| {
        let class = ours.candidates.sets[set][0] as usize;
        let size = counted(ours.candidates.sizes[set], "candidate");
        format!("{}: one of {size} is left", scene.told_class(class))
    };
    sets.into_iter().take(EXAMPLES).map(told).collect()
}
