//! Tables in workbooks of Excel and `OpenDocument`.

use std::fmt::Write;

use crate::archive::{Entry, archive, entry};
use crate::support::{Place, shown};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/workbook");
const ROLES: &str = "-q age,job -k 2 --keep-others --drop zip --keep-order --force";
const CSV: &str = "age,job,weight,seen,member,zip\n21,nurse,70.5,2020-01-01,TRUE,02139\n\
    22,nurse,80,2020-02-29,FALSE,02140\n35,cook,65.25,2021-05-06,TRUE,10001\n\
    36,cook,90,2021-12-31,TRUE,10002\n";

/// A folder with the workbooks of these names.
fn place(names: &[&str]) -> Place {
    names.iter().fold(Place::new().with("t.csv", CSV), |place, name| {
        place.with(name, std::fs::read(format!("{FOLDER}/{name}")).unwrap())
    })
}

fn runs(place: &Place, call: &str) -> String {
    let output = place.hedgerow(call);
    assert_eq!(output.status.code(), Some(0), "{call}: {}", shown(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_workbook_gives_the_release_of_the_same_csv() {
    let books = ["plain.xlsx", "shared.xlsx", "plain.ods"];
    let place = place(&books);
    runs(&place, &format!("anonymize t.csv -o wanted.csv {ROLES}"));
    let wanted = String::from_utf8(place.read("wanted.csv")).unwrap();
    assert!(wanted.contains("70.5,2020-01-01,TRUE"), "{wanted}");
    for book in books {
        for threads in [1, 2] {
            let call = format!("anonymize {book} -o r.csv {ROLES} --threads {threads}");
            runs(&place, &call);
            assert_eq!(String::from_utf8(place.read("r.csv")).unwrap(), wanted, "{book}");
        }
    }
}

#[test]
fn codes_keep_the_zeros_that_a_format_adds() {
    let place = place(&["plain.xlsx", "shared.xlsx"]);
    for book in ["plain.xlsx", "shared.xlsx"] {
        runs(
            &place,
            &format!(
                "anonymize {book} -o r.csv -q age -k 2 --keep-others --keep zip --keep-order --force"
            ),
        );
        let release = String::from_utf8(place.read("r.csv")).unwrap();
        assert!(release.contains(",02139\n") && release.contains(",10001\n"), "{release}");
    }
}

#[test]
fn empty_rows_and_columns_are_skipped_and_times_are_iso() {
    let place = place(&["odd.xlsx"]);
    runs(&place, "anonymize odd.xlsx -o r.csv -q took -k 2 --keep row,at,on --keep-order");
    insta::assert_snapshot!(String::from_utf8(place.read("r.csv")).unwrap());
}

#[test]
fn every_command_that_reads_tables_reads_workbooks() {
    let place = place(&["plain.xlsx", "sheets.xlsx", "plain.ods"]);
    runs(&place, &format!("anonymize plain.xlsx -o r.csv {ROLES}"));
    for call in [
        "inspect plain.ods",
        "inspect sheets.xlsx --sheet Data",
        "init sheets.xlsx --sheet Data -o job.toml",
        "anonymize job.toml -k 2",
        "verify sheets-release.csv -q age,job -k 2",
        "anonymize plain.xlsx -q age,job -k 2 --keep-others --drop zip --privacy k-map:k=2 --population plain.ods -o p.csv",
        "anonymize t.csv -q age,job -k 2 --drop zip --keep-others --privacy k-map:k=2 --population sheets.xlsx --sheet Data -o q.csv",
        "verify p.csv -q age,job -k 2 --privacy k-map:k=2 --population sheets.xlsx --sheet Data",
        "verify plain.xlsx -q member -k 1",
        "verify r.csv -q age,job -k 2 --person zip --original plain.xlsx --keep-order",
        "measure --original plain.xlsx --release r.csv -q age,job",
        "measure --original sheets.xlsx --sheet Data --release sheets-release.csv -q age,job",
        "hierarchy build plain.xlsx -c age -m iotf -o age.json",
        "lattice plain.ods -q age -m bands:width=5",
        "generate plain.xlsx -c age --sigma 2 --rho 1 -o more.csv",
    ] {
        runs(&place, call);
    }
    assert!(String::from_utf8(place.read("job.toml")).unwrap().contains("sheet = \"Data\"\n"));
    let piped = place.shell("cat plain.xlsx | $HEDGEROW inspect -");
    assert_eq!(piped.status.code(), Some(0), "{}", shown(&piped));
}

#[test]
fn formulas_in_error_are_named_where_they_matter() {
    let place = place(&["faults.xlsx"]);
    let mut told = String::new();
    for call in [
        "anonymize faults.xlsx -q age,rate -k 2 --drop note -o r.csv",
        "anonymize faults.xlsx -q age -s rate -k 2 --drop note --l-diversity 2 -o r.csv",
        "anonymize faults.xlsx -q age,rate -k 2 --drop note --na #DIV/0! -o r.csv",
        "anonymize faults.xlsx -q age -k 2 --keep rate --drop note -o r.csv --quiet",
        "anonymize faults.xlsx -q age,rate -k 2 --drop note --na #DIV/0!,#N/A -o r2.csv --quiet",
    ] {
        writeln!(told, "{call}\n{}", shown(&place.hedgerow(call))).unwrap();
    }
    insta::assert_snapshot!(told);
}

#[test]
fn inspect_does_not_say_that_a_formula_in_error_is_taken_as_missing() {
    let place = place(&["faults.xlsx"]);
    let said = runs(&place, "inspect faults.xlsx");
    assert!(said.contains("is #DIV/0!, a formula in error"), "{said}");
    assert!(!said.contains("is taken as a missing value"), "{said}");
    assert!(!said.contains("but is read as a value"), "{said}");
}

#[test]
fn what_cannot_be_read_is_refused_and_nothing_is_written() {
    let calls = [
        "inspect sheets.xlsx",
        "inspect sheets.xlsx --sheet Dta",
        "inspect sheets.xlsx --sheet Notes",
        "inspect same_names.xlsx",
        "inspect same_names.xlsx --sheet Data",
        "inspect empty.xlsx",
        "inspect title.xlsx",
        "inspect uncalculated.xlsx",
        "inspect t.csv --sheet Data",
        "inspect plain.xlsx --header a,b",
        "anonymize sheets.xlsx -q age -k 2 -o r.csv",
        "anonymize plain.xlsx -q age -k 2 --drop zip --keep-others -o r.xlsx",
        "anonymize plain.xlsx -q age -k 2 --drop zip --keep-others -o r.ods",
        "anonymize plain.xlsx -q age -k 2 --drop zip --keep-others -o plain.xlsx",
        "verify t.csv -q age -k 1 --sheet Data",
        "measure --original t.csv --release t.csv -q age --sheet Data",
        "inspect announced.xlsx",
        "inspect archive.xlsx",
        "inspect encrypted.xlsx",
        "inspect encrypted.ods",
        "inspect old.xls",
        "inspect open.ods",
        "inspect references.ods",
        "inspect repeated.ods",
        "inspect spaces.ods",
        "inspect truncated.xlsx",
    ];
    let names: Vec<String> = std::fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let place = place(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let before = place.files();
    let mut told = String::new();
    for call in calls {
        let output = place.hedgerow(call);
        assert_eq!(output.status.code(), Some(2), "{call}: {}", shown(&output));
        writeln!(told, "{call}\n{}", String::from_utf8_lossy(&output.stderr)).unwrap();
        assert_eq!(place.files(), before, "{call}");
    }
    insta::assert_snapshot!(told);
}

#[test]
fn what_is_far_away_takes_no_memory() {
    let place = place(&["far.xlsx"]);
    let said = runs(&place, "inspect far.xlsx");
    assert!(said.starts_with("2 records, 2 columns"), "{said}");
}

#[test]
fn a_part_that_unpacks_to_much_more_is_refused_whatever_the_archive_states() {
    let spaces = vec![b' '; 300 << 20];
    for stated_size in [None, Some(10)] {
        let parts = [
            entry("[Content_Types].xml", "<Types/>"),
            entry("_rels/.rels", "<Relationships/>"),
            Entry { name: "xl/workbook.xml", bytes: &spaces, stated_size },
        ];
        let place = Place::new().with("bomb.xlsx", archive(&parts));
        let output = place.hedgerow("inspect bomb.xlsx");
        let said = shown(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        let is_refused =
            said.contains("it unpacks to more than 256 MB") || said.contains("damaged");
        assert!(is_refused, "{said}");
    }
}
