//! Tests of the page: well-formed, readable, small.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::page;
use crate::builder::{HierarchyBuilder, Iotf};
use crate::chart::{Theme, palette};
use crate::error::Warning;
use crate::hierarchy::Generalization;
use crate::progress::Silent;
use crate::report::{Case, Evidence, Facts, File, LevelShare};
use crate::risk::Extent;
use crate::schema::Role;
use crate::table::{Columns, Encoding, Table};

fn tables(n_columns: usize, value: &str) -> (Table, Table) {
    let names: Vec<String> = (0..n_columns).map(|n| format!("c{n}<&\">")).collect();
    let row = |n: usize| -> Vec<String> {
        (0..n_columns).map(|c| format!("{value}{}", (n * (c + 3)) % 11)).collect()
    };
    let original: Vec<Vec<String>> = (0..60).map(row).collect();
    let columns = Columns::quasi(&names);
    let encoding = Encoding { is_release: true, ..Encoding::default() };
    let release = vec![vec!["*".to_owned(); n_columns]; 60];
    (
        Table::encode(&columns, &original, &Encoding::default()).unwrap(),
        Table::encode(&columns, &release, &encoding).unwrap(),
    )
}

fn rendered(n_columns: usize, value: &str) -> String {
    let (original, release) = tables(n_columns, value);
    let case = case(&original, &release);
    page(&Evidence::gather(&case, &Silent).unwrap())
}

fn case<'a>(original: &'a Table, release: &'a Table) -> Case<'a> {
    let roles = original.columns().iter().map(|c| (c.name.clone(), Role::Quasi)).collect();
    let facts = Facts {
        k: 5,
        roles,
        input: File::new("<in>.csv", "0123"),
        output: File::new("out.csv", "4567"),
        job: Some("input = \"<in>.csv\"".into()),
        ..Facts::default()
    };
    let (hierarchies, extent) = (BTreeMap::new(), Extent::Unknown);
    Case { original, release, hierarchies, shown: None, extent, sampled: None, facts }
}

#[test]
fn a_release_that_attacks_cannot_read_is_said_to_be_so() {
    let (original, release) = tables(2, "a");
    let case = case(&original, &release);
    let evidence = Evidence::unattacked(&case).unwrap();
    assert!(!page(&evidence).contains("not attacked"));
    let reason = Warning::new("a1 or so is not a value");
    let evidence = evidence.with_attacks(&case, Some(Err(reason)));
    let said = "The release was not attacked, because attacks cannot read it";
    assert!(page(&evidence).contains(&format!("{said}: a1 or so is not a value")));
    // The reason can be a value of the original.
    let public = page(&evidence.public(&case));
    assert!(public.contains(said) && !public.contains("a1 or so"), "{public}");
}

#[test]
fn risk_is_shown_with_and_without_suppressed_records() {
    let names = ["age"];
    let original = Table::from_rows(&names, &[["20"], ["20"], ["30"], ["30"], ["90"]]).unwrap();
    let shown = |rows: &[[&str; 1]]| {
        let encoding = Encoding { is_release: true, ..Encoding::default() };
        let release = Table::encode(&Columns::quasi(&names), rows, &encoding).unwrap();
        page(&Evidence::unattacked(&case(&original, &release)).unwrap())
    };
    let page = shown(&[["20"], ["20"], ["30"], ["30"], ["*"]]);
    assert!(page.contains("With suppressed records"));
    // Two records without, and three with the suppressed one, which matches everything.
    assert!(page.contains("<b>50%</b>") && page.contains(">33.3%</td>"), "{page}");
    assert!(page.contains("the table is taken for the population"));
    assert!(!shown(&[["20"], ["20"], ["30"], ["30"]]).contains("With suppressed records"));
}

/// Returns the elements of a page, or fails where it is not well-formed.
fn elements(page: &str) -> Vec<String> {
    let mut reader = Reader::from_str(page);
    reader.config_mut().check_end_names = true;
    let mut names = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => return names,
            Event::Start(tag) | Event::Empty(tag) => {
                for attribute in tag.attributes() {
                    let attribute = attribute.unwrap();
                    assert_ne!(attribute.key.as_ref(), "style", "{names:?}");
                }
                names.push(tag.name().as_ref().to_owned());
            }
            _ => {}
        }
    }
}

#[test]
fn a_page_is_well_formed_and_has_no_script_and_no_address() {
    for value in ["", "<script>alert(1)</script>&\"'\u{1}", "{", "2024-01-0"] {
        let page = rendered(3, value);
        let elements = elements(&page);
        assert!(
            !elements
                .iter()
                .any(|name| matches!(name.as_str(), "script" | "img" | "link" | "iframe"))
        );
        assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("url("));
        assert!(elements.iter().filter(|name| *name == "table").count() > 3, "{value}");
    }
}

#[test]
fn wide_tables_have_small_pages() {
    for n_columns in [30, 300] {
        let size = rendered(n_columns, &"long value ".repeat(40)).len();
        assert!(size < 500_000, "{n_columns} columns: {size} bytes");
    }
}

/// The evidence on a release of columns with trees, in which every second record is generalized to
/// the root; the last `n_sensitive` columns are sensitive.
fn with_trees(n_columns: usize, n_sensitive: usize, n_rows: usize) -> Evidence {
    let names: Vec<String> =
        (0..n_columns).map(|n| format!("c{n} {}", "name ".repeat(12))).collect();
    let (quasi, beside) = names.split_at(n_columns - n_sensitive);
    let columns = Columns::quasi(quasi).and_beside(beside);
    let value = |row: usize, column: usize| match column {
        kept if kept >= quasi.len() => format!("value {}", row % 7),
        _ => (row * (2 * column + 1) % n_rows).to_string(),
    };
    let row = |n: usize| -> Vec<String> { (0..n_columns).map(|c| value(n, c)).collect() };
    let rows: Vec<Vec<String>> = (0..n_rows).map(row).collect();
    let original = Table::encode(&columns, &rows, &Encoding::default()).unwrap();
    let shown = |(n, row): (usize, &Vec<String>)| {
        let hidden = |(c, cell): (usize, &String)| {
            if c < quasi.len() && n % 2 == 0 { "*".to_owned() } else { cell.clone() }
        };
        row.iter().enumerate().map(hidden).collect::<Vec<_>>()
    };
    let encoding = Encoding { is_release: true, ..Encoding::default() };
    let rows: Vec<Vec<String>> = rows.iter().enumerate().map(shown).collect();
    let release = Table::encode(&columns, &rows, &encoding).unwrap();
    let build = |column| Iotf.build(column).unwrap();
    let trees: Vec<Generalization> = original.columns().iter().map(build).collect();
    let trees = trees.iter().filter_map(Generalization::hierarchy);
    let mut case = case(&original, &release);
    case.hierarchies = quasi.iter().cloned().zip(trees).collect();
    case.facts.roles.extend(beside.iter().map(|name| (name.clone(), Role::Sensitive)));
    Evidence::gather(&case, &Silent).unwrap()
}

#[test]
fn pages_of_many_columns_and_of_many_values_are_small() {
    for (n_columns, n_sensitive, n_rows) in [(144, 20, 300), (2, 0, 100_000)] {
        let evidence = with_trees(n_columns, n_sensitive, n_rows);
        let page = page(&evidence);
        assert!(page.contains("<div class=\"icicle\">"));
        assert!(page.len() < 500_000, "{n_columns} columns: {} bytes", page.len());
        elements(&page);
    }
}

#[test]
fn the_levels_of_a_deep_tree_are_added_up() {
    let mut evidence = with_trees(1, 0, 40);
    evidence.hierarchies[0].levels =
        (0..1_000).map(|n| LevelShare { level: n, records: 1, nodes: 2 }).collect();
    let page = page(&evidence);
    let shown = "level 11 0.1% of the records (2 nodes), \
                 988 higher levels 98.8% of the records (1976 nodes).";
    assert!(page.contains(shown), "{page}");
}

/// Learners take longest, so on large tables they learn from a part.
#[test]
fn a_page_says_that_learners_saw_a_sample() {
    let shown = |n_rows: usize| page(&with_trees(22, 1, n_rows));
    // 300,000 divided by 21 quasi-identifiers and 7 sensitive values; half of the records are equal.
    let page = shown(4_200);
    assert!(page.contains("in a sample of 2,040 of 2,107 distinct records"), "{page}");
    assert!(!shown(1_000).contains("in a sample of"));
}

#[test]
fn the_same_evidence_gives_the_same_bytes() {
    assert_eq!(rendered(4, "x"), rendered(4, "x"));
}

/// Relative luminance by WCAG 2.
fn luminance(colour: &str) -> f64 {
    let part = |at: usize| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn all_text_has_a_contrast_of_at_least_4_5_in_light_and_dark() {
    assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
    for theme in [Theme::Light, Theme::Dark] {
        let colours = palette(theme);
        let colour = |name: &str| {
            let find = |&&(known, _): &&(&str, &str)| known.ends_with(&format!("-{name}"));
            colours.iter().find(find).unwrap_or_else(|| panic!("{name}")).1
        };
        for (ink, ground) in [
            ("ink", "bg"),
            ("mute", "bg"),
            ("acc", "bg"),
            ("ink", "raise"),
            ("mute", "raise"),
            ("acc", "accs"),
            ("ink", "accs"),
            ("warn", "warns"),
            ("ink", "warns"),
            ("bad", "bads"),
            ("ink", "bads"),
            ("blue", "blues"),
            ("ink", "h0"),
            ("ink", "h1"),
            ("ink", "h2"),
        ] {
            let found = contrast(colour(ink), colour(ground));
            assert!(found >= 4.5, "{ink} on {ground} in {theme:?}: {found:.2}");
        }
    }
}
