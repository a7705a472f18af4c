//! Messages of a build without some features when one of them is requested.

use crate::support::{Place, shown};

const TABLE: &str = "job,age\nnurse,30\nsurgeon,31\n";

fn is_refused(feature: &str, args: &str) {
    let place = Place::new()
        .with("t.csv", TABLE)
        .with("t.parquet", "PAR1 and no more")
        .with("t.xlsx", b"PK\x03\x04 and no more");
    let output = place.hedgerow(args);
    let said = shown(&output);
    assert_eq!(output.status.code(), Some(2), "{args}: {said}");
    let wanted =
        format!("needs the feature '{feature}', which this build of hedgerow does not have");
    assert!(said.contains(&wanted), "{args}: {said}");
    assert_eq!(place.files(), ["t.csv", "t.parquet", "t.xlsx"], "{args}");
}

#[cfg(not(feature = "wordnet"))]
#[test]
fn words_are_refused_by_a_build_without_them() {
    for args in [
        "anonymize t.csv -q job -k 2 -o r.csv --hierarchy job=wordnet",
        "anonymize t.csv -q job -k 2 -o r.csv --knowledge t.csv",
        "hierarchy build t.csv -c job -m wordnet",
        "hierarchy candidates t.csv -c job -o out",
        "hierarchy rank t.json --table t.csv -c job -k 2",
        "knowledge lookup nurse",
        "generate --claims 50 -o r.csv",
    ] {
        is_refused("wordnet", args);
    }
}

#[cfg(not(feature = "excel"))]
#[test]
fn workbooks_are_refused_by_a_build_without_them() {
    is_refused("excel", "inspect t.xlsx");
    is_refused("excel", "anonymize t.xlsx -q age -k 2 -o r.csv");
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_is_refused_by_a_build_without_it() {
    is_refused("parquet", "inspect t.parquet");
    is_refused("parquet", "anonymize t.parquet -q age -k 2 -o r.csv");
}

#[cfg(not(feature = "studio"))]
#[test]
fn the_studio_is_refused_by_a_build_without_it() {
    is_refused("studio", "studio t.csv --no-open");
}
