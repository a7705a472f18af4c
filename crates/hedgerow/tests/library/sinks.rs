//! A release has the same content in every output format.

#![cfg(feature = "parquet")]

use std::collections::BTreeMap;
use std::path::Path;

use hedgerow::io::{ReadOptions, Source};
use hedgerow::job::{self, Job};
use hedgerow::progress::Silent;
use hedgerow::publish;
use hedgerow::release::IntervalStyle;
use hedgerow::table::{Columns, Encoding, MissingPolicy, Table};
use parquet::file::reader::{FileReader, SerializedFileReader};

const NAMES: [&str; 8] = ["id", "age", "job", "zip", "day", "wage", "big", "note"];

fn rows() -> String {
    let mut text = format!("{}\n", NAMES.join(";"));
    for i in 0..300_u32 {
        let wage = if i % 11 == 0 { String::new() } else { format!("{}.{}0", i * 7 % 90, i % 10) };
        let fields = [
            i.to_string(),
            (20 + i * 13 % 50).to_string(),
            ["nurse", "cook, chef", "\"smith\"", ""][(i % 4) as usize].to_owned(),
            format!("{:05}", i * 17 % 900),
            format!("2024-{:02}-{:02}", 1 + i % 12, 1 + i % 28),
            wage,
            format!("{}", 9_007_199_254_740_993_u64 + u64::from(i)),
            ["=1+1", "two\nlines", "*", "é"][(i % 4) as usize].to_owned(),
        ];
        let quoted: Vec<String> =
            fields.iter().map(|field| format!("\"{}\"", field.replace('"', "\"\""))).collect();
        text += &(quoted.join(";") + "\n");
    }
    text
}

fn job(folder: &Path, output: &str) -> Job {
    let quasi = ["age", "job", "zip", "day"].map(str::to_owned).to_vec();
    let mut job = Job::new(folder.join("t.csv"), folder.join(output), quasi, 3);
    job.identifier = vec!["id".to_owned()];
    job.sensitive = vec!["wage".to_owned()];
    job.privacy = vec!["l-diversity:l=2".parse().unwrap()];
    job.keep_others = true;
    job.keep_order = true;
    job.method = "mondrian".parse().unwrap();
    job.threads = 2;
    job
}

/// Returns the texts of the cells of every column of a file.
fn texts(path: &Path) -> BTreeMap<String, Vec<String>> {
    let source = Source::open(path, None).unwrap();
    let names: Vec<String> = source.header().to_vec();
    let column = |name: &String| {
        let options = ReadOptions { keep_rows: true, ..ReadOptions::default() };
        let columns = Columns::quasi(std::slice::from_ref(name));
        let encoding =
            Encoding { is_release: true, missing: MissingPolicy::Own, ..Encoding::default() };
        let options = ReadOptions { encoding, ..options };
        let table: Table = source.read(&columns, &options, &Silent).unwrap();
        let domain = &table.columns()[0].domain;
        let codes = table.rows().unwrap().iter().flatten();
        let codes = codes.map(|&cohort| table.cohorts().tuple(cohort)[0]);
        (name.clone(), codes.map(|code| domain.spelling(code).into_owned()).collect())
    };
    names.iter().map(column).collect()
}

fn types(path: &Path) -> BTreeMap<String, String> {
    let reader = SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap();
    let schema = reader.metadata().file_metadata().schema();
    let fields = schema.get_fields().iter();
    fields.map(|f| (f.name().to_owned(), f.get_physical_type().to_string())).collect()
}

#[test]
fn parquet_has_the_values_of_csv_in_typed_columns() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), rows()).unwrap();
    for style in [IntervalStyle::Brackets, IntervalStyle::Bounds] {
        let outcome = |output: &str| {
            let job = Job { interval_style: style, force: true, ..job(folder.path(), output) };
            job::run(&job, &Silent).unwrap()
        };
        assert_eq!(outcome("r.csv"), outcome("r.parquet"));
        let path = folder.path().join("r.parquet");
        let (csv, parquet) = (texts(&folder.path().join("r.csv")), texts(&path));
        assert!(csv.keys().eq(parquet.keys()));
        for (name, cells) in csv.iter().filter(|(name, _)| *name != "wage") {
            assert_eq!(cells, &parquet[name], "{name}");
        }
        let number = |text: &String| text.parse::<f64>().ok();
        assert!(csv["wage"].iter().map(number).eq(parquet["wage"].iter().map(number)));
        let types = types(&path);
        let is = |name: &str, kind: &str| assert_eq!(types[name], kind, "{name}");
        is("wage", "DOUBLE");
        is("big", "INT64");
        is("note", "BYTE_ARRAY");
        is("job", "BYTE_ARRAY");
        is("zip", "BYTE_ARRAY");
        match style {
            IntervalStyle::Bounds => {
                ["age_min", "age_max"].iter().for_each(|name| is(name, "INT64"));
            }
            _ => is("age", "BYTE_ARRAY"),
        }
    }
}

#[test]
fn a_release_in_parquet_can_be_read_and_measured_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), rows()).unwrap();
    let job = job(folder.path(), "r.parquet");
    let outcome = job::run(&job, &Silent).unwrap();
    let source = Source::open(&job.output, None).unwrap();
    let columns = Columns::quasi(&job.quasi);
    let shown = publish::read_release(&source, &columns, ReadOptions::default(), &Silent).unwrap();
    assert_eq!(shown.n_rows(), outcome.released);
    let sizes = &shown.cohorts().counts;
    assert_eq!(sizes.iter().copied().min().unwrap(), outcome.smallest_class);
}

#[test]
fn a_column_of_counts_is_read_from_csv_and_from_parquet() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("t.csv");
    let rows: String = (0..60).map(|i| format!("{},{}\n", 20 + i % 6, i % 4)).collect();
    std::fs::write(&input, format!("age,n\n{rows}")).unwrap();
    let [csv, parquet] = ["r.csv", "r.parquet"].map(|name| {
        let (output, quasi) = (folder.path().join(name), vec!["age".to_owned()]);
        let job = Job::new(input.clone(), output.clone(), quasi, 2);
        job::run(&Job { keep_others: true, keep_order: true, ..job }, &Silent).unwrap();
        let source = Source::open(&output, None).unwrap();
        let age = Columns::quasi(&["age"]);
        source.read_counts(&age, "n", &ReadOptions::default(), &Silent).unwrap()
    });
    assert_eq!(csv.n_rows(), (0..60).map(|i| i % 4).sum::<u64>());
    assert_eq!(csv.cohorts(), parquet.cohorts());
}
