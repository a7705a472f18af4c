//! Properties of risk: matching agrees with a comparison of every record with every other, and
//! shares are shares.

use std::collections::{BTreeMap, BTreeSet};

use hedgerow::population::Population;
use hedgerow::risk::{Assessment, Depth, Extent, Figures, Request, assess};
use hedgerow::table::{Columns, Encoding, Table};
use proptest::prelude::*;

const NAMES: [&str; 3] = ["a", "b", "c"];

type Row = [String; 4];

/// Rows of three cells from few values and `*`, and a person.
fn rows() -> impl Strategy<Value = Vec<Row>> {
    let cell = prop_oneof![3 => "[xyz]", 1 => Just("*".to_owned())];
    prop::collection::vec((cell.clone(), cell.clone(), cell, "[pqrst]"), 1..14)
        .prop_map(|rows| rows.into_iter().map(|(a, b, c, id)| [a, b, c, id]).collect())
}

fn table(rows: &[Row], is_release: bool, has_person: bool) -> Table {
    let columns = Columns::quasi(&NAMES);
    let columns = if has_person { columns.and_person("id") } else { columns };
    let encoding = Encoding { is_release, ..Encoding::default() };
    let fields: Vec<&[String]> =
        rows.iter().map(|row| if has_person { &row[..] } else { &row[..3] }).collect();
    Table::encode(&columns, &fields, &encoding).unwrap()
}

fn fits(one: &Row, other: &Row) -> bool {
    let cells = one.iter().zip(other).take(3);
    cells.into_iter().all(|(one, other)| one == other || one == "*" || other == "*")
}

fn is_suppressed(row: &Row) -> bool {
    row[..3].iter().all(|cell| cell == "*")
}

/// The sizes of the matches of each record, or the least of each person, ascending.
fn brute_force(rows: &[Row], has_person: bool) -> Vec<u64> {
    let size = |row: &Row| {
        let near = rows.iter().filter(|other| fits(row, other));
        if has_person {
            near.map(|other| &other[3]).collect::<BTreeSet<_>>().len() as u64
        } else {
            near.count() as u64
        }
    };
    let mut sizes: Vec<u64> = if has_person {
        let mut least: BTreeMap<&String, u64> = BTreeMap::new();
        for row in rows {
            let own = least.entry(&row[3]).or_insert(u64::MAX);
            *own = size(row).min(*own);
        }
        least.into_values().collect()
    } else {
        rows.iter().map(size).collect()
    };
    sizes.sort_unstable();
    sizes
}

/// An original in which every value of a release occurs, so that they belong together.
fn original(rows: &[Row]) -> Vec<Row> {
    let value = |cell: &String| if cell == "*" { "x".to_owned() } else { cell.clone() };
    rows.iter().map(|[a, b, c, id]| [value(a), value(b), value(c), id.clone()]).collect()
}

fn check(found: &Figures, sizes: &[u64]) {
    let n = sizes.len() as u64;
    assert_eq!(found.n, n, "{sizes:?}");
    assert_eq!(found.alone, sizes.iter().filter(|&&size| size == 1).count() as u64, "{sizes:?}");
    assert_eq!(found.smallest, sizes.iter().copied().min().unwrap_or(0), "{sizes:?}");
    let Some(figure) = found.of("prosecutor") else {
        assert_eq!(n, 0);
        return;
    };
    let spread = figure.spread.as_ref().unwrap();
    let mean = sizes.iter().map(|&size| 1.0 / size as f64).sum::<f64>() / n as f64;
    assert!((spread.average - mean).abs() < 1e-12, "{sizes:?}");
    for above in &spread.above {
        let n_above = sizes.iter().filter(|&&size| 1.0 / size as f64 > above.threshold).count();
        assert_eq!(above.n, n_above as u64, "{sizes:?} above {}", above.threshold);
    }
    let lowest = sizes.iter().copied().max().unwrap();
    assert!((spread.lowest.risk - 1.0 / lowest as f64).abs() < 1e-12);
}

fn assert_shares(found: &Assessment) {
    let sides = [Some(&found.original), found.release.as_ref()];
    let figures = sides.into_iter().flatten().flat_map(|side| [&side.all, &side.published]);
    for figure in figures.flat_map(|figures| &figures.models) {
        let spread = figure.spread.iter();
        let risks =
            spread.flat_map(|s| [s.highest.risk, s.average, s.lowest.risk, s.highest.share]);
        for share in risks.chain([figure.share]) {
            assert!((0.0..=1.0 + 1e-12).contains(&share), "{}: {share}", figure.model);
        }
    }
    let sets = found.contribution.iter().flat_map(|own| &own.sets);
    for share in sets.flat_map(|set| [set.distinction, set.separation]) {
        assert!((0.0..=1.0).contains(&share), "{share}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn matches_are_those_of_every_record_against_every_other(rows in rows(), by_person: bool) {
        let (before, after) = (table(&original(&rows), false, by_person), table(&rows, true, by_person));
        let found = assess(&Request::new(&before).release(Some(&after)).thresholds(&[0.2, 0.4])).unwrap();
        let release = found.release.unwrap();
        check(&release.all, &brute_force(&rows, by_person));
        let shown: Vec<Row> = rows.iter().filter(|row| !is_suppressed(row)).cloned().collect();
        prop_assert_eq!(release.suppressed, (rows.len() - shown.len()) as u64);
        check(&release.published, &brute_force(&shown, by_person));
    }

    #[test]
    fn shares_are_between_none_and_all(rows in rows(), fraction in 0.01f64..=1.0, by_person: bool) {
        let (before, after) = (table(&original(&rows), false, by_person), table(&rows, true, by_person));
        let request = Request::new(&before).release(Some(&after)).depth(Depth::Columns);
        assert_shares(&assess(&request.clone().extent(Extent::Fraction(fraction))).unwrap());
        let twice = [original(&rows), original(&rows)].concat();
        let population = Population::new(table(&twice, false, false));
        let found = assess(&request.extent(Extent::Table(&population))).unwrap();
        assert_shares(&found);
        // A journalist knows less than a prosecutor.
        let share = |model| found.original.all.of(model).unwrap().share;
        prop_assert!(share("journalist") <= share("prosecutor") + 1e-12);
        prop_assert!(share("marketer") <= share("journalist") + 1e-12);
    }

    #[test]
    fn contributions_are_those_of_counting_again(rows in rows()) {
        let rows = original(&rows);
        let found = assess(&Request::new(&table(&rows, false, false)).depth(Depth::Columns)).unwrap();
        let alone = |columns: &[usize]| {
            let key = |row: &Row| columns.iter().map(|&c| row[c].clone()).collect::<Vec<_>>();
            let is_alone = |row: &&Row| rows.iter().filter(|other| key(other) == key(row)).count() == 1;
            rows.iter().filter(is_alone).count() as u64
        };
        let own = found.contribution.unwrap();
        prop_assert_eq!(own.alone, alone(&[0, 1, 2]));
        let without: Vec<u64> = own.without.iter().map(|change| change.alone).collect();
        prop_assert_eq!(without, [alone(&[1, 2]), alone(&[0, 2]), alone(&[0, 1])]);
        // With three columns, every record that is alone has a minimal sample unique.
        prop_assert_eq!(found.special.unwrap().records, own.alone);
    }
}
