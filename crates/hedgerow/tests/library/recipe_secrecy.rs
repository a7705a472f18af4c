//! What recipes reveal about values that few records have.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::cases::cases;
use crate::recipe::{asked, cells_of, next_of, random, release_of};
use hedgerow::format::Format;
use hedgerow::hierarchy::RareValues;
use hedgerow::method::{Scope, Spec};
use hedgerow::progress::Silent;
use hedgerow::recipe::{Policy, Recipe, Unseen};
use hedgerow::release::{Release, Style};
use hedgerow::study::{Demands, Study};
use hedgerow::table::{Cohort, Columns, Encoding, Kind, Table};
use proptest::prelude::*;

/// The labels of each column of a recipe that no record of its release shows.
fn unpublished(recipe: &Recipe) -> Vec<Vec<Value>> {
    let file: Value = serde_json::from_str(&recipe.to_text().unwrap()).unwrap();
    let labels = |rule: &Value| {
        let labels = rule["labels"].as_array().unwrap().iter().cloned();
        let unpublished = labels.filter(|label| label["count"].is_null() && label["also"] != "all");
        // A label without a text is the value that it covers.
        let told = unpublished.map(|mut label| {
            if label["text"].is_null() {
                let place = label["places"][0][0].as_u64().unwrap() as usize;
                label["text"] = rule["values"][place].clone();
            }
            label
        });
        told.collect()
    };
    file["recipe"]["attributes"].as_array().unwrap().iter().map(labels).collect()
}

/// Whether a label covers a value of the random tables: a number, a word or a code.
fn covers(label: &Value, place: usize, value: &str) -> bool {
    let text = label["text"].as_str().unwrap_or_default();
    match (place, text) {
        (0, _) => {
            let end = |name: &str| label["range"][name].as_str()?.parse::<f64>().ok();
            let range = end("low").zip(end("high"));
            // Missing values are empty.
            let number = value.parse::<f64>().ok();
            range.zip(number).is_some_and(|((low, high), number)| (low..=high).contains(&number))
        }
        (1, "A") => ["ant", "bee"].contains(&value),
        (1, "X") => ["ant", "bee", "cow"].contains(&value),
        (1, word) => value == word,
        _ => value.starts_with(text.trim_end_matches('*')),
    }
}

proptest! {
    #![proptest_config(cases(160))]

    /// The only values that a recipe names are those of at least k records, unless the release shows
    /// a rare one in a label.
    #[test]
    fn a_recipe_names_no_rare_value(random in random()) {
        let table = random.table();
        let Ok((_, release, recipe)) = random.release(&table) else { return Ok(()) };
        let text = recipe.to_text().unwrap();
        let shown: Vec<String> = cells_of(&release).into_iter().flatten().flatten().collect();
        for (place, column) in table.columns().iter().enumerate() {
            let domain = &column.domain;
            for code in domain.codes().take(domain.len()) {
                let value = domain.spelling(code).into_owned();
                // A word or a code that is long enough not to occur by chance.
                let is_told = place > 0 && holders(&table, place, |other| other == value) < random.k;
                let is_shown = shown.iter().any(|cell| cell.contains(&value));
                if is_told && !is_shown {
                    prop_assert!(!text.contains(&format!("\"{value}\"")), "{}: {}", value, text);
                }
            }
        }
    }

    /// A label that no record shows tells that its group was in the table, so it needs k records.
    #[test]
    fn a_recipe_names_no_rare_group(random in random()) {
        let table = random.table();
        let Ok((_, _, recipe)) = random.release(&table) else { return Ok(()) };
        for (place, labels) in unpublished(&recipe).iter().enumerate() {
            for label in labels {
                let mut n = holders(&table, place, |value| covers(label, place, value));
                if label["also"] == "missing" {
                    n += holders(&table, place, str::is_empty);
                }
                prop_assert!(n >= random.k, "{} of {}: {}", n, random.k, label);
            }
        }
    }
}

/// Number of records with a value that is wanted; missing values are empty.
fn holders(table: &Table, place: usize, is_wanted: impl Fn(&str) -> bool) -> u64 {
    let (cohorts, domain) = (table.cohorts(), &table.columns()[place].domain);
    let spelling = |cohort: Cohort| domain.spelling(cohorts.tuple(cohort)[place]);
    let wanted = cohorts.counted().filter(|(cohort, _)| is_wanted(&spelling(*cohort)));
    wanted.map(|(_, count)| count).sum()
}

/// A full-domain recipe of a table with one quasi-identifier, and what the file says.
fn full_domain(table: &Table, hierarchy: &str, demands: Demands) -> (Recipe, String) {
    let name = table.columns()[0].name.clone();
    let demands = Demands {
        hierarchies: BTreeMap::from([(name, Spec::named(hierarchy).into())]),
        method: Some(Spec::named("optimal")),
        recoding: Scope::FullDomain,
        needs_levels: true,
        suppress: "5%".parse().unwrap(),
        ..demands
    };
    let study = Study::new(table, demands, None, &Silent).unwrap();
    let solved = study.search(study.method(), None, &Silent).unwrap();
    let release = Release::new(&solved.recoding, &Style::default(), &Silent).unwrap();
    assert!(release.recoding().n_suppressed() > 0);
    let recipe = Recipe::of(&study, &release, &Silent).unwrap();
    let text = recipe.to_text().unwrap();
    (recipe, text)
}

#[test]
fn no_period_of_a_suppressed_date_is_named() {
    let days = (0..48).map(|day| format!("19{}-0{}-10", 70 + day % 4, 1 + day % 3));
    let rows: Vec<[String; 1]> = days.chain(["1931-05-17".to_owned()]).map(|day| [day]).collect();
    let table = Table::from_rows(&["birth"], &rows).unwrap();
    let demands = Demands { k: 4, ..Demands::default() };
    let (recipe, text) = full_domain(&table, "calendar", demands);
    assert!(!text.contains("193") && text.contains("\"1970"), "{text}");
    // Nor as seconds before 1970, in a range.
    assert!(!text.contains("\"-"), "{text}");
    // The value is recoded all the same, and suppressed again.
    let applied = recipe.apply(&table, Policy::default(), &Silent).unwrap();
    assert_eq!(applied.drift.suppressed, 1);
}

#[test]
fn no_mask_of_a_suppressed_code_is_named() {
    let codes = (0..40).map(|row| format!("0213{}", row % 4)).chain(["99501".to_owned()]);
    let rows: Vec<[String; 1]> = codes.map(|code| [code]).collect();
    let table = Table::from_rows(&["zip"], &rows).unwrap();
    for rare_values in [RareValues::Show, RareValues::Hide] {
        let demands = Demands { k: 5, rare_values, ..Demands::default() };
        let (recipe, text) = full_domain(&table, "prefix", demands);
        let labels = unpublished(&recipe).concat();
        assert!(labels.iter().all(|label| !label.to_string().contains('9')), "{text}");
        assert!(recipe.apply(&table, Policy::default(), &Silent).is_ok());
    }
}

/// Three records of one person are one holder.
#[test]
fn a_group_of_one_person_is_not_named() {
    let common = (0..60).map(|row| [format!("0213{}", row % 4), format!("person {row}")]);
    let own = (0..3).map(|row| [format!("9950{row}"), "Ann".to_owned()]);
    let rows: Vec<[String; 2]> = common.chain(own).collect();
    let columns = Columns::quasi(&["zip"]).and_person("name");
    let kinds = BTreeMap::from([("zip".to_owned(), Kind::Code)]);
    let encoding = Encoding { kinds, ..Encoding::default() };
    let table = Table::encode(&columns, &rows, &encoding).unwrap();
    let (recipe, text) = full_domain(&table, "prefix", Demands { k: 3, ..Demands::default() });
    let labels = unpublished(&recipe).concat();
    assert!(labels.iter().all(|label| !label.to_string().contains("99")), "{text}");
}

/// A full-domain recipe has no label on its level for a value of a rare group, so a table in which the
/// group is no longer rare cannot be published on one level.
#[test]
fn a_group_that_was_rare_is_not_published_on_another_level() {
    let codes = (0..40).map(|row| format!("0213{}", row % 4)).chain(["99501".to_owned()]);
    let rows: Vec<[String; 1]> = codes.map(|code| [code]).collect();
    let table = Table::from_rows(&["zip"], &rows).unwrap();
    let (recipe, _) = full_domain(&table, "prefix", Demands { k: 5, ..Demands::default() });
    let more: Vec<[String; 1]> =
        rows.iter().cloned().chain((0..9).map(|_| ["99501".to_owned()])).collect();
    let next = Table::encode(&recipe.columns().unwrap(), &more, &recipe.encoding()).unwrap();
    let error = recipe.apply(&next, Policy::default(), &Silent).unwrap_err().to_string();
    assert!(error.contains("full-domain"), "{error}");
}

/// `smith` has one record, so the recipe has its hash, and knows it when it comes again.
#[test]
fn rare_values_are_known_by_their_hashes() {
    let rows = [
        ["20", "cook"],
        ["21", "cook"],
        ["22", "nurse"],
        ["23", "nurse"],
        ["24", "smith"],
        ["60", "cook"],
        ["61", "nurse"],
    ];
    let tree = "cook;craft;*\nsmith;craft;*\nnurse;care;*\n";
    let tree = Format::named("arx").unwrap().read(tree, Some("job")).unwrap();
    let mut demands = asked("optimal", "iotf", "frequency");
    demands.hierarchies.insert("job".to_owned(), tree.into());
    demands.needs_levels = true;
    let (_, recipe) = release_of(&rows, demands);
    assert!(recipe.is_global());
    let text = recipe.to_text().unwrap();
    assert!(!text.contains("smith") && text.contains("nurse"), "{text}");
    let next = next_of(&recipe, &[["24", "smith"]]);
    let recoded = recipe.recode_unchecked(&next, Unseen::Error, &Silent).unwrap();
    let cells = recoded.cells(Cohort::new(0)).unwrap();
    assert!(["craft", "*"].contains(&cells[1].as_str()), "{cells:?}");
}
