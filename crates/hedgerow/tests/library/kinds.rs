//! Properties of hierarchies of dates, codes and categories: a label matches exactly the values
//! below it.

use std::collections::BTreeMap;

use crate::cases::cases;
use chrono::{DateTime, Utc};
use hedgerow::builder;
use hedgerow::format;
use hedgerow::hierarchy::{self, Hierarchy, Leaf, Notation};
use hedgerow::table::Table;
use proptest::prelude::*;

fn build(spec: &str, values: &[String]) -> hedgerow::Result<Hierarchy> {
    let rows: Vec<[&String; 1]> = values.iter().map(|value| [value]).collect();
    let table = Table::from_rows(&["x"], &rows)?;
    hierarchy::tree_of(builder::build(&spec.parse()?, &table.columns()[0], None)?)
}

fn written(tree: &Hierarchy, format: &str) -> String {
    let mut bytes = Vec::new();
    (format::Format::named(format).unwrap().item.write)(tree, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Whether `label` is `code` with some characters masked; a short code has fewer masked characters.
fn matches(label: &str, code: &str) -> bool {
    let (label, code): (Vec<char>, Vec<char>) = (label.chars().collect(), code.chars().collect());
    let shown = label.iter().take_while(|&&c| c != '*').count();
    if shown == label.len() {
        return label == code;
    }
    code.len() <= label.len() && code.len() >= shown && code[..shown] == label[..shown]
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn parts_of_the_calendar_hold_their_dates_and_no_others(
        seconds in prop::collection::vec(-3_000_000_000i64..4_000_000_000, 1..40),
        pattern in prop::sample::select(vec![
            "%Y-%m-%d", "%d.%m.%Y", "%Y-%m-%dT%H:%M:%SZ", "%d/%m/%Y %H:%M", "%m-%d-%Y",
        ]),
        levels in prop::sample::select(vec![
            "hour+day+month+quarter+year+decade", "week+year+decade", "day+week", "quarter+decade",
        ]),
    ) {
        let moment = |second: &i64| DateTime::<Utc>::from_timestamp(*second, 0).unwrap();
        let dates: Vec<String> = seconds.iter().map(|s| moment(s).format(pattern).to_string()).collect();
        // In a column of few dates, day and month may be ambiguous; it is refused, not guessed.
        let Ok(tree) = build(&format!("calendar:levels={levels}"), &dates) else { return Ok(()) };
        let scale = tree.leaves().scale().unwrap();
        for node in tree.nodes().skip(1).filter(|&node| tree.as_leaf(node).is_none()) {
            let label = tree.label(node).into_owned();
            let Notation::Range(from, to) = Notation::read_as(tree.leaves(), &label) else {
                return Err(TestCaseError::fail(label));
            };
            for leaf in Leaf::first(tree.n_leaves()) {
                let is_inside = (from..=to).contains(&scale.value(leaf.index()));
                prop_assert_eq!(is_inside, tree.leaves_of(node).contains(leaf), "{}", &label);
            }
        }
        let read = format::Format::named("json").unwrap().read(&written(&tree, "json"), None);
        let read = read.unwrap();
        prop_assert_eq!((read.outline(), read.leaves()), (tree.outline(), tree.leaves()));
        for node in tree.nodes() {
            let ((from, to), (least, greatest)) = (read.bounds(node).unwrap(), tree.bounds(node).unwrap());
            prop_assert!((from - least).abs() < 1e-6 && (to - greatest).abs() < 1e-6);
        }
    }

    #[test]
    fn shortened_codes_stand_for_their_codes_and_no_others(
        codes in prop::collection::btree_set("[AB0é]{1,4}", 1..30),
        steps in prop::sample::select(vec!["1", "2", "1+2"]),
        is_right in any::<bool>(),
    ) {
        let codes: Vec<String> = codes.into_iter().collect();
        let keep = if is_right { "right" } else { "left" };
        let tree = build(&format!("prefix:steps={steps},keep={keep}"), &codes).unwrap();
        let turned = |text: &str| -> String {
            if is_right { text.chars().rev().collect() } else { text.to_owned() }
        };
        for node in tree.nodes() {
            let label = turned(&tree.label(node));
            for leaf in Leaf::first(tree.n_leaves()) {
                let is_inside = label == "*" || matches(&label, &turned(&tree.spelling(leaf)));
                prop_assert_eq!(is_inside, tree.leaves_of(node).contains(leaf), "{}", &label);
            }
        }
    }

    #[test]
    fn every_group_of_categories_has_a_name_of_its_own(
        counts in prop::collection::vec(1..6usize, 1..60),
        fan_out in 2..5usize,
    ) {
        let values: Vec<String> =
            counts.iter().enumerate().flat_map(|(i, &n)| vec![format!("v{i:02}"); n]).collect();
        let order: Vec<String> = (0..counts.len()).rev().map(|i| format!("v{i:02}")).collect();
        let order = order.join("+");
        for spec in ["frequency:".to_owned(), format!("ordered:order={order},"), format!("ordered:by=records,order={order},")] {
            let tree = build(&format!("{spec}fan-out={fan_out}"), &values).unwrap();
            let mut seen = BTreeMap::new();
            for node in tree.nodes() {
                let before = seen.insert(tree.label(node).into_owned(), node);
                prop_assert!(before.is_none(), "{} stands twice", tree.label(node));
                if let Notation::Set(members) = Notation::read_as(tree.leaves(), &tree.label(node))
                    && !tree.label(node).ends_with("more}")
                {
                    prop_assert_eq!(members.len(), tree.leaves_of(node).len());
                }
            }
            for name in ["json", "arx"] {
                let read = format::Format::named(name).unwrap().read(&written(&tree, name), Some("x"));
                prop_assert_eq!(read.unwrap().outline(), tree.outline());
            }
        }
    }
}
