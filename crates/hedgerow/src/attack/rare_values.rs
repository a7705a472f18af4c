//! Reconstruction by rare values: cells spell out values that few people have.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::scene::{EXAMPLES, Guess, Scene};
use super::{Attack, Attempt, Discloses, Tried};
use crate::Result;
use crate::auto::USUAL_K;
use crate::error::Advice;
use crate::hierarchy::{Notation, excluded_ends};
use crate::method::{Described, Description, Parameter, Type};
use crate::noun::counted;
use crate::progress::Progress;
use crate::table::{Code, Cohort, Column};

/// Reads values that few people have from members of sets and ends of intervals.
///
/// `[17, 90]` shows that someone of the class is 90, and `{nurse, astronaut}` that someone is an
/// astronaut, if labels are made of the values that occur. A person is exposed if fewer than `k`
/// records, or people, of the original have their value, and a class that they fit spells it out. A
/// guess that a record of that class has the value is right with the share of those that have it.
///
/// # Complexity
///
/// `O(n)` for `n` records, after candidates were found as for [`Linking`](super::Linking).
///
/// # Guarantees
///
/// Deterministic. Labels of hierarchies that do not depend on the data, such as decades, can have
/// ends that are values by coincidence; these are counted too.
///
/// # References
///
/// hedgerow's own, after \[Sweeney2002b\], which suppresses outliers because they are recognized by
/// their value. [`Exposure`](crate::release::Exposure) has the counts of a run itself.
///
/// # Examples
///
/// ```
/// use hedgerow::attack::{Attack, Given, RareValues, Scene};
/// use hedgerow::progress::Silent;
/// use hedgerow::table::Table;
/// let original = Table::from_rows(&["age"], &[["20"], ["20"], ["20"], ["90"]])?;
/// let release = Table::from_rows(&["age"], &[["[20, 90]"]; 4])?;
/// let tried = RareValues::default().run(&Scene::new(Given::new(original, release))?, &Silent)?;
/// // 20 is not rare for the one who has 90: the class has four records.
/// assert_eq!(tried[0].as_ref().expect("nothing is missing").exposed, 4);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct RareValues {
    /// Values of fewer records, or people, are rare; if not given, the `k` of the release, or if
    /// that is not known the size of the smallest class, but at most [`USUAL_K`] and at least 2.
    pub k: Option<u64>,
}

impl Described for RareValues {
    const DESCRIPTION: Description = Description {
        name: "rare-values",
        about: "reads values of few people from sets and from ends of intervals",
        reference: Some("Sweeney2002b"),
        needs: &[],
        parameters: &[Parameter::new(
            "k",
            Type::at_least(2),
            "values of fewer records are rare; by default the k of the release, or the size of the smallest class, from 2 to 5",
        )],
    };
}

impl Attack for RareValues {
    fn attack(&self, scene: &Scene, _: &dyn Progress) -> Result<Vec<Tried>> {
        // A value of one record is rare even if a class has no more, and a value of many records is
        // not, however large classes are.
        let k = self.k.or(scene.k()).unwrap_or_else(|| smallest(scene).min(USUAL_K)).max(2);
        let quasi = scene.original().columns().iter().enumerate();
        let spelt: Vec<Vec<Vec<Code>>> = quasi.map(|(place, _)| spelt(scene, place, k)).collect();
        let revealed = |cohort: Cohort| revealed(scene, &spelt, cohort);
        let n = scene.original().n_people().max(1) as f64;
        let mut examples: BTreeMap<(usize, Code), String> = BTreeMap::new();
        for cohort in scene.original().cohorts().all() {
            if let Some(found) = revealed(cohort) {
                examples.entry((found.place, found.code)).or_insert_with(|| told(scene, &found));
            }
        }
        let people = scene.people_of_classes(scene.candidates());
        let tally = scene.tally(|cohort| {
            let found = revealed(cohort);
            let share = found.as_ref().map_or(0.0, |found| {
                let size = size_of(scene, people.as_deref(), found.class);
                // All holders could be in this class, which gives the greatest possible share.
                (found.holders as f64 / size.max(1) as f64).min(1.0)
            });
            Guess { probability: share, exposed: found.is_some() }
        });
        // By chance, a guess that a person has the value is right with its share among all.
        let chance = scene.tally(|cohort| {
            let probability = revealed(cohort).map_or(0.0, |found| found.holders as f64 / n);
            Guess { probability, exposed: false }
        });
        let chance = chance.mean * chance.attacked as f64;
        let mut attempt = Attempt {
            knew: "that cells are made of values that occur".to_owned(),
            tried: format!(
                "looked for members of sets and ends of intervals that fewer than {} have",
                counted(k, scene.original().counted_noun())
            ),
            examples: examples.values().take(EXAMPLES).cloned().collect(),
            prevention: vec![
                Advice::HideRareValues,
                Advice::words(
                    "use hierarchies whose labels do not depend on the data, such as decades",
                ),
            ],
            ..Attempt::new(Self::DESCRIPTION.name, Discloses::Attribute)
        };
        attempt.figures.insert("values", examples.len() as f64);
        Ok(vec![Ok(attempt.counted(tally, chance))])
    }
}

/// Number of records, or people, in the smallest class that shows something.
pub(super) fn smallest(scene: &Scene) -> u64 {
    let people = scene.people_of_classes(scene.candidates());
    let shown = (0..scene.view.len()).filter(|&class| !scene.view.is_blank[class]);
    shown.map(|class| size_of(scene, people.as_deref(), class)).min().unwrap_or(0)
}

/// Number of records in a class, or of people if these are known: everybody in a class fits it, and
/// has at least one of its records.
fn size_of(scene: &Scene, people: Option<&[BTreeSet<Code>]>, class: usize) -> u64 {
    let n_records = scene.view.sizes[class];
    people.map_or(n_records, |of| n_records.min(of[class].len() as u64))
}

/// A rare value that a class spells out.
struct Revealed {
    place: usize,
    code: Code,
    class: usize,
    holders: u64,
}

/// The first rare value of a person that a class of their candidates spells out.
fn revealed(scene: &Scene, spelt: &[Vec<Vec<Code>>], cohort: Cohort) -> Option<Revealed> {
    let values = scene.original().cohorts().tuple(cohort);
    let set = &scene.candidates().sets[scene.set_of(cohort)];
    for (at, &place) in scene.known().iter().enumerate() {
        let Some(of_cell) = spelt.get(place) else { continue };
        let spells = |&&class: &&u32| {
            of_cell[scene.view.cells(class as usize)[at].index()].contains(&values[place])
        };
        if let Some(&class) = set.iter().find(spells) {
            let (code, class) = (values[place], class as usize);
            let holders = scene.holders(place)[code.index()];
            return Some(Revealed { place, code, class, holders });
        }
    }
    None
}

fn told(scene: &Scene, found: &Revealed) -> String {
    let column = scene.column(found.place);
    let value = scene.masked(found.place, &column.domain.spelling(found.code));
    format!(
        "{}: {} {} {}={value}",
        scene.told_class(found.class),
        counted(found.holders, scene.original().counted_noun()),
        if found.holders == 1 { "has" } else { "have" },
        column.name
    )
}

/// For each cell of a quasi-identifier, the values of fewer than `k` records, or people, that it
/// spells out.
fn spelt(scene: &Scene, place: usize, k: u64) -> Vec<Vec<Code>> {
    let column = scene.column(place);
    let shown = &scene.release().all_columns()[place].domain;
    let rare = |label: &str| {
        let codes = spelt_in(column, label);
        // A value without records reveals nothing about a person.
        let is_rare = |code: &Code| (1..k).contains(&scene.holders(place)[code.index()]);
        codes.into_iter().filter(is_rare).collect()
    };
    shown.codes().map(|code| rare(&shown.spelling(code))).collect()
}

/// The values of a column that a label spells out.
fn spelt_in(column: &Column, label: &str) -> Vec<Code> {
    let domain = &column.domain;
    match Notation::read_as(&domain.values, label) {
        Notation::Anything => Vec::new(),
        Notation::Range(low, high) => {
            // An open end such as `[20, 30[` is not a value that a record must have.
            let excluded = excluded_ends(&domain.values, label);
            let place = |end: f64, is_out: bool| {
                domain.values.scale()?.place_at(end).filter(|_| !is_out).map(Code::new)
            };
            [place(low, excluded.low), place(high, excluded.high)].into_iter().flatten().collect()
        }
        // The named members of a partial set are shown like those of a full one.
        Notation::Set(members) | Notation::PartialSet(members, _) => {
            members.iter().filter_map(|member| domain.code_of(member)).collect()
        }
        Notation::Name(_) => domain.code_of(label).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::Given;
    use crate::progress::Silent;
    use crate::table::{Columns, Encoding, Table};

    fn attempt(k: Option<u64>, original: Table, release: Table) -> Attempt {
        let scene = Scene::new(Given::new(original, release)).unwrap();
        RareValues { k }.run(&scene, &Silent).unwrap().remove(0).unwrap()
    }

    /// Many records of one person do not make a value frequent.
    #[test]
    fn rare_values_are_those_of_few_people() {
        let young = (0..6).map(|i| ["20".to_owned(), format!("p{i}")]);
        let old = (0..6).map(|_| ["90".to_owned(), "q".to_owned()]);
        let rows: Vec<[String; 2]> = young.chain(old).collect();
        let columns = Columns::quasi(&["age"]).and_person("id");
        let original = Table::encode(&columns, &rows, &Encoding::default()).unwrap();
        let release = Table::from_rows(&["age"], &[["[20, 90]"]; 12]).unwrap();
        let found = attempt(Some(5), original, release);
        assert_eq!((found.attacked, found.exposed), (7, 1), "{found:?}");
        assert_eq!(found.examples, ["age=[20, 9…]: 1 person has age=9…"]);
    }

    /// A class of one record does not make a value of one record frequent.
    #[test]
    fn a_value_of_one_record_is_rare_in_every_release() {
        let table = || Table::from_rows(&["age"], &[["20"], ["20"], ["90"]]).unwrap();
        assert_eq!(attempt(None, table(), table()).exposed, 1);
    }

    /// The classes have 8 records, but an end that 6 people have reveals little about anybody.
    #[test]
    fn large_classes_do_not_make_frequent_values_rare() {
        let rows: Vec<[&str; 1]> = [["20"]; 6].into_iter().chain([["25"], ["29"]]).collect();
        let original = Table::from_rows(&["age"], &rows).unwrap();
        let release = Table::from_rows(&["age"], &[["[20, 29]"]; 8]).unwrap();
        let found = |k| attempt(k, original.clone(), release.clone()).exposed;
        assert_eq!((found(None), found(Some(5)), found(Some(8))), (1, 1, 7));
    }
}
