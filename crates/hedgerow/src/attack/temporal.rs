//! Temporal: compares two releases of a table that changed between them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::given::Other;
use super::joined::{Joined, has};
use super::scene::{EXAMPLES, Guess, Scene, Tally};
use super::secrets::{Histogram, Secrets, count_of, greatest_share, merged, total};
use super::{Attack, Attempt, Discloses, Tried};
use crate::Result;
use crate::error::{Advice, Warning};
use crate::method::{Described, Description, Need};
use crate::noun::counted;
use crate::progress::Progress;
use crate::table::Table;

/// Compares consecutive releases of a growing or shrinking table, to find the sensitive values of
/// the people who were added or removed.
///
/// Other releases are earlier ones, in the order in which they are given, and the release is the
/// latest. Classes of two consecutive releases that cover the same people are put together until no
/// class overlaps another group. The values that such a group has more or fewer of belong to the
/// people who were added or removed. They are exposed if all that were added, or all that were
/// removed, have one value; otherwise a guess is right with the share of the most frequent one.
/// Chance is the number that would be exposed if values were drawn from the whole release.
///
/// # Complexity
///
/// `O(n log n)` for `n` records of both releases, after candidates were found as for
/// [`Linking`](super::Linking).
///
/// # Guarantees
///
/// Deterministic. The attacker must know who was added or removed. Changes of a value look like a
/// removal and an addition. Records that show nothing are not compared.
///
/// # References
///
/// \[Sweeney2002\], section 4.3; \[Byun2006\] J.-W. Byun, Y. Sohn, E. Bertino, N. Li: Secure
/// Anonymization for Incremental Datasets, SDM 2006; \[Xiao2007\] X. Xiao, Y. Tao: m-Invariance:
/// Towards Privacy Preserving Re-publication of Dynamic Datasets, SIGMOD 2007. Groups of
/// overlapping classes are hedgerow's own.
///
/// # Examples
///
/// ```
/// use hedgerow::attack::{Attack, Given, Other, Scene, Temporal};
/// use hedgerow::progress::Silent;
/// use hedgerow::table::{Columns, Encoding, Table};
/// let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
/// let table = |rows: &[[&str; 2]]| Table::encode(&columns, rows, &Encoding::default());
/// let original = table(&[["20", "flu"], ["21", "gout"], ["22", "burn"]])?;
/// let release = table(&[["20-22", "flu"], ["20-22", "gout"], ["20-22", "burn"]])?;
/// let before = Table::from_rows(&["age", "ill"], &[["20-22", "flu"], ["20-22", "gout"]])?;
/// let mut given = Given::new(original, release);
/// given.sensitive = vec!["ill".to_owned()];
/// given.others = vec![Other { name: "before.csv".to_owned(), table: before }];
/// let tried = Temporal.run(&Scene::new(given)?, &Silent)?;
/// assert_eq!(tried[0].as_ref().expect("both have the illness").exposed, 1);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Temporal;

impl Described for Temporal {
    const DESCRIPTION: Description = Description {
        name: "temporal",
        about: "compares consecutive releases: which values were added or removed with whom",
        reference: Some("Xiao2007"),
        needs: &[Need::Sensitive, Need::OtherRelease],
        parameters: &[],
    };
}

impl Attack for Temporal {
    fn attack(&self, scene: &Scene, _: &dyn Progress) -> Result<Vec<Tried>> {
        let others = scene.others();
        // Each release is paired with its successor; the last one precedes the attacked release.
        let later = others.iter().skip(1).map(|other| &other.table).chain([scene.release()]);
        let steps: Vec<(&Other, &Table)> = others.iter().zip(later).collect();
        let of_step = |(before, after): &(&Other, &Table)| compare(scene, before, after);
        Ok(steps.iter().flat_map(of_step).collect())
    }

    fn reads_kept(&self) -> bool {
        true
    }
}

/// Compares a release with the next one, for each sensitive column.
fn compare(scene: &Scene, before: &Other, after: &Table) -> Vec<Tried> {
    let is_common = |&place: &usize| has(&before.table, scene, place) && has(after, scene, place);
    let named: Vec<usize> = scene.known().iter().copied().filter(is_common).collect();
    if named.is_empty() {
        let problem =
            format!("{} and the next release have no known column in common", before.name);
        return vec![Err(Warning::new(problem))];
    }
    // Both releases are linked by the same columns, so a target has the same number in both.
    let sides = [&before.table, after].map(|table| Joined::of(scene, table, &named));
    let groups = Groups::new(&sides);
    let step = Step { scene, before: &before.name, sides, groups };
    scene.sensitive().iter().map(|&place| step.on_column(place)).collect()
}

/// Two consecutive releases.
struct Step<'a> {
    scene: &'a Scene,
    /// Name of the earlier release.
    before: &'a str,
    /// The earlier and the later release.
    sides: [Joined<'a>; 2],
    groups: Groups,
}

impl Step<'_> {
    fn on_column(&self, place: usize) -> Tried {
        let Self { scene, before, sides, groups } = self;
        let name = scene.name(place);
        let found = [0, 1].map(|side: usize| sides[side].histograms(place));
        let [Some(earlier), Some(later)] = found else {
            let problem = format!("{before} and the next release do not both have '{name}'");
            return Err(Warning::new(problem));
        };
        let changes = groups.changes(&earlier, &later);
        let guess = |change: &Change| Guess {
            probability: greatest_share(&change.values),
            exposed: change.values.len() == 1,
        };
        let tally = Tally::of(changes.iter().map(|change| (guess(change), total(&change.values))));
        let overall = merged(later.iter());
        let chance = changes.iter().map(|change| by_chance(change, &overall)).sum();
        let secrets = Secrets::new(scene, place);
        let exposed = changes.iter().filter(|change| change.values.len() == 1);
        Ok(Attempt {
            column: Some(name.clone()),
            other: Some((*before).to_owned()),
            knew: format!("{} of the people who were added or removed", scene.told_known()),
            tried: format!("compared '{name}' in classes of {before} and of the next release"),
            examples: exposed.take(EXAMPLES).map(|change| self.told(change, &secrets)).collect(),
            prevention: vec![
                Advice::words("wait until more people were added before publishing again"),
                Advice::words(
                    "keep the classes of the last release, and add classes of new people",
                ),
            ],
            ..Attempt::new(Temporal::DESCRIPTION.name, Discloses::Attribute).counted(tally, chance)
        })
    }

    /// A change in which all people have one value.
    fn told(&self, change: &Change, secrets: &Secrets<'_>) -> String {
        let what = if change.is_added { "added" } else { "removed" };
        let cells = change.class.map_or_else(String::new, |class| {
            format!("{}: ", told_class(self.scene, &self.sides[1], class))
        });
        let people = counted(total(&change.values), "record");
        format!("{cells}{people} {what}, all with {}", secrets.told(change.values[0].0))
    }
}

/// Number of people of a change who would have one value if values were drawn at random.
fn by_chance(change: &Change, overall: &Histogram) -> f64 {
    let n_people = total(&change.values);
    let shares = overall.iter().map(|&(_, count)| count as f64 / total(overall) as f64);
    // All d people have one value with probability sum of p^d over the shares p.
    let is_one: f64 = shares.map(|share| share.powf(n_people as f64)).sum();
    n_people as f64 * is_one
}

/// The published cells of a class with rare values masked.
fn told_class(scene: &Scene, side: &Joined<'_>, class: usize) -> String {
    let cells = side.labels(class).into_iter();
    cells.map(|(place, label)| scene.told_label(place, &label)).collect::<Vec<_>>().join(", ")
}

/// The values of people who were added to, or removed from, a group of classes.
struct Change {
    values: Histogram,
    is_added: bool,
    /// A class of the later release in the group.
    class: Option<usize>,
}

/// Classes of two releases that overlap, directly or through other classes.
struct Groups {
    /// The group of each class of each release; `None` if no class of the other release overlaps
    /// it.
    of_class: [Vec<Option<usize>>; 2],
}

impl Groups {
    fn new(sides: &[Joined<'_>; 2]) -> Self {
        let n_earlier = sides[0].view.len();
        // A forest of disjoint sets over the classes of both releases, the later ones after the
        // earlier.
        let mut above: Vec<usize> = (0..n_earlier + sides[1].view.len()).collect();
        let mut is_met = [vec![false; n_earlier], vec![false; sides[1].view.len()]];
        for target in 0..sides[0].targets.len() {
            let sets = [0, 1].map(|side: usize| {
                let candidates = &sides[side].candidates;
                &candidates.sets[candidates.set_of(target)]
            });
            // People who are in only one of the releases do not connect classes.
            if sets.iter().any(|set| set.is_empty()) {
                continue;
            }
            let shown = |side: usize| {
                let is_blank = &sides[side].view.is_blank;
                sets[side]
                    .iter()
                    .map(|&class| class as usize)
                    .filter(move |&class| !is_blank[class])
            };
            let (earlier, later) = (shown(0), shown(1).map(|class| n_earlier + class));
            let all: Vec<usize> = earlier.chain(later).collect();
            for &class in &all {
                let (one, other) = (root(&mut above, all[0]), root(&mut above, class));
                // The smaller root wins, so groups have the same numbers in every run.
                above[one.max(other)] = one.min(other);
            }
            for side in [0, 1] {
                shown(side).for_each(|class| is_met[side][class] = true);
            }
        }
        let mut group = |side: usize, class: usize| {
            is_met[side][class].then(|| root(&mut above, side * n_earlier + class))
        };
        let of_class = [0, 1].map(|side: usize| {
            (0..sides[side].view.len()).map(|class| group(side, class)).collect::<Vec<_>>()
        });
        Self { of_class }
    }

    /// The values of the people who were added to and removed from each group.
    fn changes(&self, earlier: &[Histogram], later: &[Histogram]) -> Vec<Change> {
        let mut groups: BTreeMap<usize, ([Vec<&Histogram>; 2], Option<usize>)> = BTreeMap::new();
        for (side, histograms) in [earlier, later].into_iter().enumerate() {
            for (class, group) in self.of_class[side].iter().enumerate() {
                if let Some(group) = group {
                    let (sums, first) = groups.entry(*group).or_default();
                    sums[side].push(&histograms[class]);
                    *first = if side == 1 { first.or(Some(class)) } else { *first };
                }
            }
        }
        let mut changes = Vec::new();
        for (sums, class) in groups.into_values() {
            if sums.iter().any(Vec::is_empty) {
                continue; // these people show nothing in one of the releases
            }
            let [before, after] = sums.map(|sums| merged(sums.into_iter()));
            for (from, to, is_added) in [(&before, &after, true), (&after, &before, false)] {
                let more =
                    // The values that one side has more of than the other; the reverse direction
                    // gives the rest.
                    to.iter().map(|&(code, n)| (code, n.saturating_sub(count_of(from, code))));
                let values: Histogram = more.filter(|(_, count)| *count > 0).collect();
                if !values.is_empty() {
                    changes.push(Change { values, is_added, class });
                }
            }
        }
        changes
    }
}

/// The representative of a class in a forest of disjoint sets.
fn root(above: &mut [usize], mut class: usize) -> usize {
    while above[class] != class {
        // Path halving keeps the trees flat.
        above[class] = above[above[class]];
        class = above[class];
    }
    class
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::Given;
    use crate::progress::Silent;
    use crate::table::{Columns, Encoding};

    /// The sum of no numbers is -0, which would be shown as such.
    #[test]
    fn nothing_changed_is_nothing_by_chance() {
        let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
        let rows = [["20", "flu"], ["20", "gout"]];
        let table = || Table::encode(&columns, &rows, &Encoding::default()).unwrap();
        let mut given = Given::new(table(), table());
        given.sensitive = vec!["ill".to_owned()];
        let table = Table::from_rows(&["age", "ill"], &rows).unwrap();
        given.others = vec![Other { name: "before.csv".to_owned(), table }];
        let tried = Temporal.run(&Scene::new(given).unwrap(), &Silent).unwrap();
        let found = tried[0].as_ref().unwrap();
        assert_eq!((found.attacked, found.exposed), (0, 0));
        assert_eq!(format!("{:.0}", found.chance), "0");
    }
}
