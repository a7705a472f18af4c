//! For each attack, a release that is bad in just that way and one that is not.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::format::Format;
use crate::progress::Silent;
use crate::table::{Columns, Encoding, Table};

/// Reads rows with one or two quasi-identifiers and kept columns, fields separated by commas.
fn table(quasi: &[&str], kept: &[&str], rows: &[&str]) -> Table {
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.split('|').collect()).collect();
    let columns = Columns::quasi(quasi).and_beside(kept);
    Table::encode(&columns, &rows, &Encoding::default()).unwrap()
}

/// An original with an age and an illness, and its release.
fn given(original: &[&str], release: &[&str]) -> Given {
    let [original, release] = [original, release].map(|rows| table(&["age"], &["ill"], rows));
    let mut given = Given::new(original, release);
    given.sensitive = vec!["ill".to_owned()];
    given
}

/// The same with another release.
fn with_other(mut given: Given, rows: &[&str]) -> Given {
    let table = table(&["age", "ill"], &[], rows);
    given.others.push(Other { name: "other".to_owned(), table });
    given
}

fn tried(name: &str, given: Given) -> Vec<Tried> {
    let attack = from_spec(&name.parse().unwrap()).unwrap();
    attack.run(&Scene::new(given).unwrap(), &Silent).unwrap()
}

/// The first attempt of an attack.
fn attempt(name: &str, given: Given) -> Attempt {
    tried(name, given).remove(0).unwrap()
}

#[test]
fn linking_finds_who_is_alone() {
    let original = ["20|flu", "21|gout", "30|flu"];
    let bad = given(&original, &["20-21|flu", "20-21|gout", "30|flu"]);
    let found = attempt("linking", bad);
    assert_eq!((found.attacked, found.exposed, found.success), (3, 1, 1.0));
    assert_eq!(found.examples[0], "age=… (1 record)".replace('…', "3…"));
    let good = given(&original, &["20-30|flu", "20-30|gout", "20-30|flu"]);
    let found = attempt("linking", good);
    assert_eq!(found.exposed, 0);
    assert!((found.success - 1.0 / 3.0).abs() < 1e-9 && (found.chance - 1.0).abs() < 1e-9);
}

#[test]
fn what_is_known_beyond_quasi_identifiers_is_linked_too() {
    let rows = ["20|flu", "21|gout", "21|flu"];
    let mut given = given(&rows, &["20-21|flu", "20-21|gout", "20-21|flu"]);
    given.sensitive.clear();
    given.known = vec!["age".to_owned(), "ill".to_owned()];
    assert_eq!(attempt("linking", given).exposed, 1);
}

#[test]
fn one_wrong_column_leaves_more_candidates() {
    let rows = ["20|A|x", "21|B|x", "30|C|x", "30|C|x"];
    let original = table(&["age", "zip"], &["ill"], &rows);
    let noisy = |release: &[&str]| {
        let release = table(&["age", "zip"], &["ill"], release);
        tried("linking", Given::new(original.clone(), release)).remove(1).unwrap()
    };
    // No other record shares an age or a zip with the first two, so an error in one does not
    // protect them.
    assert_eq!(noisy(&rows).exposed, 2);
    let blurred = noisy(&["20-30|A|x", "20-30|B|x", "20-30|C|x", "20-30|C|x"]);
    assert_eq!((blurred.exposed, blurred.variant), (0, Some("noisy")));
}

#[test]
fn an_external_table_finds_people_only_if_few_fit() {
    let mut bad = given(&["20|flu", "30|gout"], &["20|flu", "30|gout"]);
    bad.external = Some(table(&["age"], &[], &["20", "40", "40"]));
    let found = tried("linking", bad.clone()).remove(2).unwrap();
    assert_eq!((found.attacked, found.exposed), (3, 1));
    assert_eq!(found.examples, ["row 1 of the external table fits one record"]);
    bad.external = Some(table(&["age"], &[], &["20", "20", "40"]));
    assert_eq!(tried("linking", bad).remove(2).unwrap().exposed, 0);
}

#[test]
fn homogeneity_needs_one_value() {
    let rows = ["20|flu", "20|flu", "30|flu", "30|gout"];
    let found = attempt("homogeneity", given(&rows, &rows));
    assert_eq!((found.exposed, found.success), (2, 1.0));
    let merged = rows.map(|row| format!("20-30{}", &row[2..]));
    let merged: Vec<&str> = merged.iter().map(String::as_str).collect();
    let found = attempt("homogeneity", given(&rows, &merged));
    assert_eq!((found.exposed, found.success), (0, 0.75));
}

#[test]
fn chance_is_what_shuffled_values_give() {
    let rows: Vec<String> = (0..400).map(|i| format!("{}|{}", i / 2, i / 2 % 2)).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let found = attempt("homogeneity", given(&rows, &rows));
    assert_eq!(found.exposed, 400);
    // Two records with one of two values have the same one half of the time.
    assert!((found.chance - 200.0).abs() < 40.0, "{}", found.chance);
}

#[test]
fn background_knowledge_needs_few_values() {
    let rows = ["20|flu", "20|gout", "30|flu", "30|gout", "30|burn"];
    assert_eq!(attempt("background-knowledge", given(&rows, &rows)).exposed, 2);
    assert_eq!(attempt("background-knowledge:values=2", given(&rows, &rows)).exposed, 5);
    let good = rows.map(|row| format!("20-30{}", &row[2..]));
    let good: Vec<&str> = good.iter().map(String::as_str).collect();
    assert_eq!(attempt("background-knowledge", given(&rows, &good)).exposed, 0);
}

#[test]
fn skewness_needs_a_share_beyond_that_of_all() {
    let mut rows = vec!["20|hiv", "20|flu"];
    rows.extend(["30|flu"; 98]);
    let found = attempt("skewness", given(&rows, &rows));
    assert_eq!(found.exposed, 1);
    assert!((found.success - 0.49).abs() < 1e-9 && (found.figures["distance"] - 0.49).abs() < 1e-9);
    let even = ["20|hiv", "20|flu", "30|hiv", "30|flu"];
    assert!(attempt("skewness", given(&even, &even)).success.abs() < 1e-9);
}

#[test]
fn similarity_follows_order_or_hierarchy() {
    let rows = ["20|100", "20|110", "30|500", "30|900", "40|510", "40|120", "50|910", "50|905"];
    let found = attempt("similarity", given(&rows, &rows));
    assert_eq!(found.exposed, 4, "{found:?}");
    let mixed = ["20|100", "20|900", "30|110", "30|910"];
    assert_eq!(attempt("similarity", given(&mixed, &mixed)).exposed, 0);
    let words = ["20|ulcer", "20|gastritis", "30|flu", "30|burn", "40|flu", "40|burn"];
    assert!(tried("similarity", given(&words, &words))[0].is_err());
    let tree = "ulcer;stomach;*\ngastritis;stomach;*\nflu;lung;*\nburn;skin;*\n";
    let tree = Format::named("arx").unwrap().read(tree, Some("ill")).unwrap();
    let mut with_tree = given(&words, &words);
    with_tree.hierarchies = BTreeMap::from([("ill".to_owned(), tree)]);
    let mut attack = with_tree.clone();
    attack.known = vec!["age".to_owned()];
    assert_eq!(attempt("similarity:share=0.4", attack).exposed, 2);
}

/// Forty people of different ages and illnesses, in a fixed order.
fn forty(order: impl Fn(usize) -> usize) -> Vec<String> {
    (0..40).map(order).map(|i| format!("{}|ill {}", 20 + i * 7 % 40, i % 9)).collect()
}

/// The same with ages as decades.
fn decades(rows: &[String]) -> Vec<String> {
    let decade = |row: &String| format!("{0}0-{0}9{1}", &row[..1], &row[2..]);
    rows.iter().map(decade).collect()
}

fn borrowed(rows: &[String]) -> Vec<&str> {
    rows.iter().map(String::as_str).collect()
}

#[test]
fn rows_in_the_order_of_the_original_are_found() {
    let rows = forty(|i| i);
    let scattered = forty(|i| i * 17 % 40);
    let order = |release: &[String]| {
        attempt("unsorted-matching", given(&borrowed(&rows), &borrowed(release)))
    };
    let kept = order(&decades(&rows));
    assert_eq!((kept.exposed, kept.success), (40, 1.0));
    // Left out rows do not hide the order of the others.
    assert_eq!(order(&decades(&rows)[3..]).exposed, 37);
    let mixed = order(&decades(&scattered));
    assert!(mixed.success.abs() < 1e-9, "{mixed:?}");
}

#[test]
fn rows_in_order_within_classes_are_found() {
    let rows = forty(|i| i);
    let mut by_class = decades(&rows);
    by_class.sort_by_key(|row| row[..5].to_owned());
    let scattered = {
        let mut rows = decades(&forty(|i| i * 17 % 40));
        rows.sort_by_key(|row| row[..5].to_owned());
        rows
    };
    let within = |release: &[String]| {
        tried("unsorted-matching", given(&borrowed(&rows), &borrowed(release))).remove(1).unwrap()
    };
    assert!(within(&by_class).success > 0.999);
    assert!(within(&scattered).success < 0.3);
}

#[test]
fn two_releases_in_the_same_order_are_found() {
    let rows = forty(|i| i * 17 % 40);
    let original = forty(|i| i);
    let coarse: Vec<String> = rows.iter().map(|row| format!("20-59{}", &row[2..])).collect();
    let release = given(&borrowed(&original), &borrowed(&coarse));
    let scene = with_other(release.clone(), &borrowed(&decades(&rows)));
    assert!(tried("unsorted-matching", scene).pop().unwrap().unwrap().success > 0.999);
    let scene = with_other(release, &borrowed(&decades(&original)));
    assert!(tried("unsorted-matching", scene).pop().unwrap().unwrap().success < 0.3);
}

#[test]
fn a_complementary_release_leaves_one_candidate() {
    let original = ["20|flu", "21|gout", "30|flu", "31|gout"];
    let release = ["20-21|flu", "20-21|gout", "30-31|flu", "30-31|gout"];
    let other = ["{20, 30}|flu", "{21, 31}|gout", "{20, 30}|flu", "{21, 31}|gout"];
    let mut bad = with_other(given(&original, &release), &other);
    bad.sensitive.clear();
    let found = attempt("complementary-release", bad);
    assert_eq!((found.exposed, found.success), (4, 1.0), "{found:?}");
    let mut good = with_other(given(&original, &release), &release);
    good.sensitive.clear();
    assert_eq!(attempt("complementary-release", good).exposed, 0);
}

#[test]
fn an_intersection_leaves_one_value() {
    let original = ["20|flu", "21|gout", "30|burn", "31|cold"];
    let release = ["20-21|flu", "20-21|gout", "30-31|burn", "30-31|cold"];
    let other = ["20-30|flu", "20-30|burn", "31-40|cold", "31-40|hiv"];
    let found = attempt("intersection", with_other(given(&original, &release), &other));
    assert!(found.exposed >= 2 && found.success > 0.99, "{found:?}");
    let gain = found.gain.unwrap();
    assert_eq!((gain.alone, gain.together, gain.share), (0.5, 1.0, 1.0));
    // A release adds nothing to itself, although each of two values has a probability of 1/2: its
    // own models decide about that.
    let same = attempt("intersection", with_other(given(&original, &release), &release));
    assert_eq!((same.exposed, same.success, same.gain.unwrap().share), (0, 0.0, 0.0));
}

/// Information in the earlier release alone is not a gain, even if this one hides it.
#[test]
fn a_gain_is_beyond_what_each_release_shows() {
    let original = ["20|flu", "21|gout", "22|burn", "23|cold"];
    let release = ["20-23|flu", "20-23|gout", "20-23|burn", "20-23|cold"];
    let other = ["20-20|flu", "21-23|gout", "21-23|burn", "21-23|cold"];
    let found = attempt("intersection", with_other(given(&original, &release), &other));
    assert_eq!((found.exposed, found.gain.unwrap().share), (1, 0.0));
}

/// A value of the other release that the original does not have is a possible value all the same.
#[test]
fn a_gain_counts_values_that_only_the_other_release_has() {
    let original = ["20|flu", "21|gout"];
    let other = ["20-21|flu", "20-21|hiv"];
    let found =
        attempt("intersection", with_other(given(&original, &["20-21|flu", "20-21|gout"]), &other));
    let gain = found.gain.unwrap();
    assert_eq!((gain.alone, gain.together, gain.share), (0.5, 1.0, 1.0));
}

#[test]
fn a_person_who_is_added_brings_their_value() {
    let original = ["20|flu", "21|gout", "22|burn", "30|flu", "31|flu"];
    let before = ["20-22|flu", "20-22|gout", "30-31|flu", "30-31|flu"];
    let after = ["20-22|flu", "20-22|gout", "20-22|burn", "30-31|flu", "30-31|flu"];
    let found = attempt("temporal", with_other(given(&original, &after), &before));
    assert_eq!((found.attacked, found.exposed, found.success), (1, 1, 1.0));
    let unchanged = attempt("temporal", with_other(given(&original, &after), &after));
    assert_eq!((unchanged.attacked, unchanged.exposed), (0, 0));
}

#[test]
fn a_person_who_is_removed_takes_their_value() {
    let original = ["20|flu", "21|gout", "22|burn"];
    let before = ["20-22|flu", "20-22|gout", "20-22|burn"];
    let after = ["20-22|flu", "20-22|gout"];
    let found = attempt("temporal", with_other(given(&original, &after), &before));
    assert_eq!((found.attacked, found.exposed), (1, 1));
}

#[test]
fn a_class_that_could_be_divided_tells_why_it_is_not() {
    let original = ["20|hiv", "20|hiv", "30|flu", "30|flu", "30|flu", "30|flu", "40|flu", "40|flu"];
    let release = [
        "20-30|hiv",
        "20-30|hiv",
        "20-30|flu",
        "20-30|flu",
        "20-30|flu",
        "20-30|flu",
        "40|flu",
        "40|flu",
    ];
    let found = attempt("minimality", given(&original, &release));
    assert_eq!((found.exposed, found.success), (2, 1.0), "{found:?}");
    // With k = 4, the two could not have been published alone.
    assert_eq!(attempt("minimality:k=4", given(&original, &release)).exposed, 0);
    // A class of two records cannot be divided, regardless of their values.
    let original = ["20|hiv", "30|flu", "40|flu", "40|flu"];
    let release = ["20-30|hiv", "20-30|flu", "40|flu", "40|flu"];
    let found = attempt("minimality", given(&original, &release));
    assert_eq!((found.exposed, found.attacked), (0, 4), "{found:?}");
}

#[test]
fn a_kept_column_undoes_a_generalization() {
    let rows: Vec<String> = (0..60).map(|i| format!("{}|school {}", i % 30, i % 30)).collect();
    let shown: Vec<String> = (0..60).map(|i| format!("[0, 29]|school {}", i % 30)).collect();
    let mut bad = given(&borrowed(&rows), &borrowed(&shown));
    bad.sensitive.clear();
    let found = attempt("dependency", bad);
    assert_eq!((found.success, found.figures["dependencies"]), (0.5, 1.0), "{found:?}");
    let rows: Vec<String> = (0..60).map(|i| format!("{}|school {}", i % 30, i / 2 % 7)).collect();
    let shown: Vec<String> = (0..60).map(|i| format!("[0, 29]|school {}", i / 2 % 7)).collect();
    let found = attempt("dependency", given(&borrowed(&rows), &borrowed(&shown)));
    assert!(found.figures["dependencies"] < 0.5, "{found:?}");
    assert!((found.success - 1.0 / 60.0).abs() < 1e-9);
}

#[test]
fn a_kept_column_leaves_one_value_of_each_cell() {
    // Cells of four ages, of which each kept value allows one.
    let rows = |age: fn(usize) -> String, kept: fn(usize) -> usize| -> Vec<String> {
        (0..400).map(|i| format!("{}|zone {}", age(i % 40), kept(i))).collect()
    };
    let exact = |age: usize| age.to_string();
    let cell = |age: usize| format!("[{}, {}]", age / 4 * 4, age / 4 * 4 + 3);
    let zone = |i: usize| i % 40 % 4;
    let mut bad = given(&borrowed(&rows(exact, zone)), &borrowed(&rows(cell, zone)));
    bad.sensitive.clear();
    let found = tried("dependency", bad).pop().unwrap().unwrap();
    assert_eq!((found.column.as_deref(), found.discloses), (Some("age"), Discloses::Attribute));
    assert_eq!((found.attacked, found.exposed, found.success), (400, 400, 1.0), "{found:?}");
    assert!(found.chance < 0.5, "{found:?}");
    assert_eq!(found.examples[0], "age=[0, 3] with ill=zone 0: one value left");
    // A kept column that reveals nothing about the age leaves every cell as it is.
    let other = |i: usize| i / 40 % 4;
    let mut good = given(&borrowed(&rows(exact, other)), &borrowed(&rows(cell, other)));
    good.sensitive.clear();
    assert_eq!(tried("dependency", good).len(), 1);
}

#[test]
fn an_end_of_an_interval_reveals_the_oldest() {
    let original = ["20|flu", "20|flu", "20|flu", "90|flu"];
    let found = attempt("rare-values:k=2", given(&original, &["[20, 90]|flu"; 4]));
    assert_eq!((found.exposed, found.success), (1, 0.25));
    assert_eq!(found.examples, ["age=[2…, 9…]: 1 record has age=9…"]);
    assert_eq!(attempt("rare-values:k=2", given(&original, &["[0, 99]|flu"; 4])).exposed, 0);
}

#[test]
fn learners_know_more_about_people_inside() {
    // Values at random: nothing can be learnt, only remembered.
    let rows: Vec<String> =
        (0..300).map(|i| format!("{i}|{}", (i * 7919 + i * i * 31) % 97 % 3)).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let raw = tried("inference", given(&rows, &rows)).remove(1).unwrap();
    assert!(raw.success > 0.5, "{raw:?}");
    let blank: Vec<String> =
        rows.iter().map(|row| format!("*|{}", row.split('|').nth(1).unwrap())).collect();
    let hidden = tried("inference", given(&rows, &borrowed(&blank))).remove(1).unwrap();
    assert!(hidden.success < 0.1, "{hidden:?}");
}

#[test]
fn people_are_counted_once() {
    let columns = Columns::quasi(&["age"]).and_person("id");
    let rows = [["20", "a"], ["20", "a"], ["30", "b"], ["30", "c"]];
    let original = Table::encode(&columns, &rows, &Encoding::default()).unwrap();
    let release = table(&["age"], &[], &["20", "20", "30", "30"]);
    let found = attempt("linking", Given::new(original, release));
    // Both records of a are theirs, so the class has one person.
    assert_eq!((found.attacked, found.exposed), (3, 1));
}

/// Two people with two records each: chance cannot give more of them than there are.
#[test]
fn chance_counts_people_too() {
    let rows = [["20", "flu", "a"], ["20", "cold", "a"], ["21", "flu", "b"], ["21", "cold", "b"]];
    let columns = Columns::quasi(&["age"]).and_beside(&["ill"]).and_person("id");
    let original = Table::encode(&columns, &rows, &Encoding::default()).unwrap();
    let release =
        table(&["age"], &["ill"], &["20-21|flu", "20-21|cold", "20-21|flu", "20-21|cold"]);
    let mut given = Given::new(original, release);
    given.sensitive = vec!["ill".to_owned()];
    let found = attempt("background-knowledge", given);
    assert_eq!((found.attacked, found.exposed), (2, 2));
    assert!((found.chance - 2.0).abs() < 1e-9, "{}", found.chance);
}

#[test]
fn several_records_of_a_person_are_one_candidate_for_noisy_knowledge() {
    let columns = Columns::quasi(&["age", "sex"]).and_person("id");
    let rows =
        [["20", "F", "a"], ["20", "F", "a"], ["20", "F", "a"], ["30", "M", "b"], ["30", "M", "c"]];
    let original = Table::encode(&columns, &rows, &Encoding::default()).unwrap();
    let release = table(&["age", "sex"], &[], &["20|F", "20|F", "20|F", "30|M", "30|M"]);
    let noisy = tried("linking", Given::new(original, release)).remove(1).unwrap();
    assert_eq!((noisy.variant, noisy.attacked, noisy.exposed), (Some("noisy"), 3, 1));
}

#[test]
fn attacks_that_lack_something_are_listed() {
    let mut given = given(&["20|flu", "20|gout"], &["20|flu", "20|gout"]);
    given.sensitive.clear();
    let evidence = run(&Scene::new(given).unwrap(), &all().unwrap(), &Silent).unwrap();
    let skipped: Vec<&str> = evidence.skipped.iter().map(|skipped| skipped.attack).collect();
    assert!(skipped.contains(&"homogeneity") && skipped.contains(&"temporal"), "{skipped:?}");
    let reason = evidence.skipped[0].reason.to_string();
    assert!(reason.contains("at least two columns"), "{reason}");
}

#[test]
fn files_that_do_not_belong_together_are_refused() {
    let told = |original: &[&str], release: &[&str]| {
        Scene::new(given(original, release)).unwrap_err().to_string()
    };
    assert!(
        told(&["20|flu"], &["20|flu", "20|flu"])
            .contains("has 2 records, more than the original, which has 1 record")
    );
    assert!(told(&["20|flu"], &["20|gout"]).contains("'gout' of the release is not a value"));
    assert!(told(&["20|flu"], &["60-70|flu"]).contains("'60-70' of the release contains no value"));
    assert!(told(&["20|flu"], &["young|flu"]).contains("nor explained by a hierarchy"));
    assert!(told(&["20|flu"], &[]).contains("no records"));
    let mut unknown = given(&["20|flu"], &["20|flu"]);
    unknown.known = vec!["agee".to_owned()];
    assert!(Scene::new(unknown).unwrap_err().to_string().contains("did you mean 'age'"));
    let mut other = given(&["20|flu"], &["20|flu"]);
    other.others.push(Other { name: "b.csv".to_owned(), table: table(&["zip"], &[], &["1"]) });
    assert!(Scene::new(other).unwrap_err().to_string().contains("b.csv has no column in common"));
}

/// Published cells for numbers below 8: values, ranges, sets and `*`.
const CELLS: [&str; 10] =
    ["0", "3", "[0, 3]", "[2, 5]", "[4, 7]", "{1, 6}", "{0, 2, 4}", "*", ">=5", "[0, 7]"];

proptest! {
    /// The index finds the same candidates as comparing every record with every class.
    #[test]
    fn linking_equals_brute_force(
        people in prop::collection::vec([0u8..8, 0u8..8, 0u8..8], 1..40),
        cells in prop::collection::vec([0usize..10, 0usize..10, 0usize..10], 1..40),
    ) {
        let names = ["a", "b", "c"];
        let mut people: Vec<[String; 3]> = people.iter().map(|row| row.map(|n| n.to_string())).collect();
        // All values occur, so that every cell covers some.
        people.extend((0..8).map(|n| [(); 3].map(|()| n.to_string())));
        let cells: Vec<[&str; 3]> = cells.iter().map(|row| row.map(|cell| CELLS[cell])).collect();
        let cells = &cells[..cells.len().min(people.len())];
        let original = Table::from_rows(&names, &people).unwrap();
        let encoding = Encoding { is_release: true, ..Encoding::default() };
        let release = Table::encode(&Columns::quasi(&names), cells, &encoding).unwrap();
        let scene = Scene::new(Given::new(original, release)).unwrap();
        let view = &scene.view;
        for n_wrong in 0..2 {
            let index = scene.index();
            for target in 0..scene.targets.len() {
                let tuple = scene.targets.tuple(target);
                let mut found = Vec::new();
                index.search(tuple, n_wrong, |class| { found.push(class as usize); true });
                found.sort_unstable();
                let shown = (0..view.len()).filter(|&class| !view.is_blank[class]);
                let fitting: Vec<usize> = shown.filter(|&class| {
                    let missed = tuple.iter().enumerate().filter(|(place, code)| !view.cover(class, *place).has(**code));
                    missed.count() <= n_wrong
                }).collect();
                prop_assert_eq!(&found, &fitting);
            }
        }
        let exact = Linking.run(&scene, &Silent).unwrap().remove(0).unwrap();
        let alone = people.iter().filter(|row| matching(row, cells) == 1).count() as u64;
        prop_assert_eq!(exact.exposed, alone);
    }
}

/// Number of published records that a person fits, by reading the cells again; those that show
/// nothing count only if no other fits.
fn matching(row: &[String; 3], cells: &[[&str; 3]]) -> usize {
    let fits = |value: &String, cell: &str| {
        let value: i32 = value.parse().unwrap();
        match cell {
            "*" | "[0, 7]" => true,
            "[0, 3]" => value <= 3,
            "[2, 5]" => (2..=5).contains(&value),
            "[4, 7]" => value >= 4,
            "{1, 6}" => [1, 6].contains(&value),
            "{0, 2, 4}" => [0, 2, 4].contains(&value),
            ">=5" => value >= 5,
            number => number.parse() == Ok(value),
        }
    };
    let all = |cells: &&[&str; 3]| row.iter().zip(**cells).all(|(value, cell)| fits(value, cell));
    let is_blank = |cells: &&[&str; 3]| cells.iter().all(|cell| *cell == "*");
    let shown = cells.iter().filter(all).filter(|cells| !is_blank(cells)).count();
    if shown > 0 { shown } else { cells.iter().filter(is_blank).count() }
}
