//! Tests of all measures of utility.

use std::collections::BTreeMap;

use super::*;
use crate::table::{Columns, Encoding};

fn release(names: &[&str], rows: &[Vec<&str>]) -> Table {
    let encoding = Encoding { is_release: true, ..Encoding::default() };
    Table::encode(&Columns::quasi(names), rows, &encoding).unwrap()
}

fn found(names: &[&str], original: &[Vec<&str>], shown: &[Vec<&str>]) -> Utility {
    let original = Table::from_rows(names, original).unwrap();
    compare(&original, &release(names, shown), &BTreeMap::new(), 0)
}

fn rows<const N: usize>(rows: &[[&'static str; N]]) -> Vec<Vec<&'static str>> {
    rows.iter().map(|row| row.to_vec()).collect()
}

fn close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-9, "{found} {wanted}");
}

#[test]
fn a_release_that_is_the_original_loses_nothing() {
    let table = rows(&[["1", "a"], ["2", "b"], ["3", "b"], ["9", "a"]]);
    let same = found(&["x", "y"], &table, &table);
    assert_eq!((same.cells_unchanged, same.cells), (8, 8));
    let queries = same.queries.unwrap();
    assert_eq!((queries.queries, queries.sanity_bound), (1000, 1.0));
    close(queries.percentile_95, 0.0);
    let correlations = same.correlations.unwrap();
    assert_eq!(correlations.columns, ["x", "y"]);
    close(correlations.mean_difference, 0.0);
    for column in same.columns {
        close(column.distances.total_variation, 0.0);
        close(column.distances.hellinger, 0.0);
        close(column.distances.earth_movers.unwrap_or(0.0), 0.0);
    }
}

#[test]
fn a_range_is_a_quarter_of_each_of_its_four_values() {
    let original = rows(&[["32"], ["33"], ["34"], ["35"], ["40"]]);
    let table = Table::from_rows(&["x"], &original).unwrap();
    let shown = release(&["x"], &rows(&[["[32, 35]"], ["40"]]));
    let spread = Spread::new(&table, &shown, &BTreeMap::new());
    assert_eq!(spread.after(0), [0.25, 0.25, 0.25, 0.25, 1.0]);
}

/// 1, 1, 1 and 5 become twice [1, 5]: half of the records move by the whole range... of 4.
#[test]
fn distances_have_the_values_of_their_formulas() {
    let one =
        found(&["x"], &rows(&[["1"], ["1"], ["1"], ["5"]]), &rows(&[["*"], ["*"], ["*"], ["*"]]));
    let distances = one.columns[0].distances;
    close(distances.total_variation, 0.25); // (|3/4 - 1/2| + |1/4 - 1/2|) / 2
    close(distances.earth_movers.unwrap(), 0.25); // a quarter of the records moves from 1 to 5
    let affinity = (0.75f64 * 0.5).sqrt() + (0.25f64 * 0.5).sqrt();
    close(distances.hellinger, (1.0 - affinity).sqrt());
    assert_eq!(one.cells_unchanged, 0);
}

#[test]
fn a_set_with_unnamed_members_may_be_any_of_the_others() {
    let original = Table::from_rows(&["x"], &rows(&[["a"], ["b"], ["c"], ["d"]])).unwrap();
    let shown = release(&["x"], &rows(&[["{a and 1 more}"]]));
    let after = Spread::new(&original, &shown, &BTreeMap::new()).after(0);
    for (share, wanted) in after.iter().zip([0.5, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0]) {
        close(*share, wanted);
    }
}

#[test]
fn records_that_are_left_out_are_missing_from_every_count() {
    let original = rows(&[["a"], ["a"], ["b"], ["b"]]);
    let half = found(&["x"], &original, &rows(&[["a"], ["b"]]));
    // Every query counts one value: 2 in the original, 1 in the release.
    close(half.queries.unwrap().median, 0.5);
    close(half.columns[0].distances.total_variation, 0.0);
}

#[test]
fn correlation_is_lost_where_cells_say_nothing() {
    let original = rows(&[["1", "2"], ["2", "4"], ["3", "6"]]);
    let blurred = found(&["x", "y"], &original, &rows(&[["*", "*"], ["*", "*"], ["*", "*"]]));
    let pair = &blurred.correlations.unwrap().pairs[0];
    assert_eq!(pair.measure, "pearson");
    close(pair.before, 1.0);
    close(pair.after, 0.0);
    let words = rows(&[["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]]);
    let halves = rows(&[["a", "x"], ["a", "x"], ["{a, b}", "y"], ["b", "y"]]);
    let pair = &found(&["u", "v"], &words, &halves).correlations.unwrap().pairs[0];
    assert_eq!((pair.measure, pair.columns.clone()), ("cramers_v", ["u".into(), "v".into()]));
    close(pair.before, 1.0);
    // a: 2 x and 0.5 y; b: 1.5 y. χ²/n = 4/(2.5·2) + 0.25/(2.5·2) + 2.25/(1.5·2) - 1
    close(pair.after, (4.0 / 5.0 + 0.25 / 5.0 + 2.25 / 3.0 - 1.0f64).sqrt());
}

#[test]
fn missing_values_have_a_share_but_no_place_on_the_axis() {
    let original = rows(&[["1"], ["3"], [""], [""]]);
    let same = found(&["x"], &original, &original);
    close(same.columns[0].distances.earth_movers.unwrap(), 0.0);
    assert_eq!(same.cells_unchanged, 4);
    let filled = found(&["x"], &original, &rows(&[["1"], ["3"], ["1"], ["3"]]));
    close(filled.columns[0].distances.total_variation, 0.5);
    close(filled.columns[0].distances.earth_movers.unwrap(), 0.0);
}

#[test]
fn members_that_the_original_lacks_get_no_share() {
    let original = rows(&[["a"], ["b"], ["c"], ["d"]]);
    let table = Table::from_rows(&["x"], &original).unwrap();
    for label in ["{y and 2 more}", "{a, y and 2 more}", "{a and 2 more}"] {
        let shown = release(&["x"], &[vec![label]]);
        let spread = Spread::new(&table, &shown, &BTreeMap::new());
        close(spread.after(0).iter().sum(), 1.0);
    }
}
