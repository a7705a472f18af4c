//! Recipes: whole files, and rules without their checksum, which are applied to a small table.

#![no_main]

use hedgerow::progress::Silent;
use hedgerow::recipe::{Policy, Recipe, Repair, Unseen};
use hedgerow::table::{Columns, Table};
use libfuzzer_sys::fuzz_target;

const VALUES: [&str; 6] = ["1", "20", "x", "", "2024-01-02", "02139"];

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = Recipe::from_text(text);
    let Ok(recipe) = Recipe::from_rules(text) else { return };
    let again = recipe.to_text().expect("a recipe has a text");
    assert_eq!(Recipe::from_text(&again).expect("a recipe can be read back"), recipe);
    let Ok(columns) = recipe.columns() else { return };
    let columns = Columns { person: None, ..columns };
    let width = columns.names().len();
    let rows: Vec<Vec<&str>> = VALUES.iter().map(|&value| vec![value; width]).collect();
    let Ok(table) = Table::encode(&columns, &rows, &recipe.encoding()) else { return };
    for unseen in Unseen::ALL {
        let _ = recipe.recode_unchecked(&table, unseen, &Silent);
        for repair in Repair::ALL {
            let policy = Policy { unseen, repair, suppress: None };
            let _ = recipe.apply(&table, policy, &Silent);
        }
    }
});
