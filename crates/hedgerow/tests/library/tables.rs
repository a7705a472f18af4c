//! Tables in files: parallel reading in blocks compared with a sequential reader, and files that
//! change while they are read.

use std::collections::BTreeMap;
use std::fmt::Write;

use hedgerow::io::{Inputs, Output, ReadOptions, Source, WriteOptions};
use hedgerow::method::Spec;
use hedgerow::progress::Silent;
use hedgerow::publish::Publication;
use hedgerow::release::{Release, Style};
use hedgerow::schema::{Role, Schema};
use hedgerow::study::{Demands, Study};
use hedgerow::table::{Code, Cohort, Columns, Table};
use hedgerow::{Error, Result};

/// Returns more than two blocks of records, some with quotes, line breaks and delimiters in cells.
fn awkward() -> String {
    let mut text = String::from("id,note,age\n");
    for row in 0..150_000u32 {
        let note = match row % 1009 {
            0 => "\"two\nlines, and a comma\"".to_owned(),
            1 => "\"say \"\"x\"\"\"".to_owned(),
            2 => "\"\n\n\"".to_owned(),
            3 => format!("\"{}\"", "long\n".repeat(500)),
            4 => "5\" pipe".to_owned(),
            _ => format!("plain {}", row % 13),
        };
        writeln!(text, "{row},{note},{}", row % 97).unwrap();
    }
    assert!(text.len() > 2 << 20);
    text
}

fn read(text: &str, threads: usize) -> Table {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    std::fs::write(&path, text).unwrap();
    let source = Source::open(&path, None).unwrap();
    let options = ReadOptions { keep_rows: true, threads, ..ReadOptions::default() };
    source.read(&Columns::quasi(&["note", "age"]), &options, &Silent).unwrap()
}

/// Returns the note and age of each row of the table.
fn rows(table: &Table) -> Vec<(String, String)> {
    let spelt =
        |place: usize, code: Code| table.columns()[place].domain.spelling(code).into_owned();
    let tuple = |&cohort: &Cohort| table.cohorts().tuple(cohort);
    table
        .rows()
        .unwrap()
        .iter()
        .flatten()
        .map(tuple)
        .map(|t| (spelt(0, t[0]), spelt(1, t[1])))
        .collect()
}

#[test]
fn blocks_contain_the_records_that_the_csv_crate_reads() {
    let text = awkward();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let wanted: Vec<(String, String)> = reader
        .records()
        .map(|record| record.unwrap())
        .map(|record| (record[1].to_owned(), record[2].to_owned()))
        .collect();
    // An empty note is a missing value, and all missing values have the spelling of the first.
    let wanted: Vec<_> = wanted
        .into_iter()
        .map(|(note, age)| (if note.trim().is_empty() { "\n\n".to_owned() } else { note }, age))
        .collect();
    for threads in [1, 2, 5] {
        assert!(rows(&read(&text, threads)) == wanted, "{threads} threads");
    }
}

#[test]
fn counts_and_first_rows_do_not_depend_on_threads() {
    let text = awkward();
    let (one, three) = (read(&text, 1), read(&text, 3));
    assert_eq!(one.cohorts(), three.cohorts());
    assert_eq!(one.columns(), three.columns());
    let mut counts: BTreeMap<Cohort, u64> = BTreeMap::new();
    one.rows()
        .unwrap()
        .iter()
        .flatten()
        .for_each(|&cohort| *counts.entry(cohort).or_default() += 1);
    assert_eq!(counts.into_values().collect::<Vec<_>>(), one.cohorts().counts);
}

/// Publishes a table whose file is replaced between counting and writing.
fn published_after_a_change(before: &str, after: &str) -> Result<u64> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    std::fs::write(&path, before).unwrap();
    let source = Source::open(&path, None)?;
    let options = ReadOptions { keep_rows: true, ..ReadOptions::default() };
    let table = source.read(&Columns::quasi(&["age"]), &options, &Silent)?;
    let hierarchies = BTreeMap::from([("age".to_owned(), "free".parse::<Spec>()?.into())]);
    let demands = Demands { k: 2, hierarchies, ..Demands::default() };
    let study = Study::new(&table, demands, None, &Silent)?;
    let solved = study.search(&"k-member".parse()?, None, &Silent)?;
    let release = Release::new(&solved.recoding, &Style::default(), &Silent)?;
    // A file that is written again is another file, whatever it contains.
    if after != before {
        std::fs::write(&path, after).unwrap();
    }
    let schema = Schema::new(source.header(), &[("age", Role::Quasi)])?;
    let out = folder.path().join("out.csv");
    let output = Output::create_table(&out, false, &Inputs::default())?;
    let (study, source, schema) = (&study, &source, &schema);
    let options = &WriteOptions { threads: 2, ..WriteOptions::default() };
    let publication = Publication { study, source, schema, na: &[], options };
    let published = publication.publish(&release, output, &Silent);
    assert_eq!(out.exists(), published.is_ok());
    Ok(published?.recount.n_rows)
}

#[test]
fn an_input_that_changes_between_the_two_readings_is_not_published() {
    let before = "age\n20\n21\n60\n61\n";
    assert_eq!(published_after_a_change(before, before).unwrap(), 4);
    let changes = [
        "age\n20\n21\n60\n61\n61\n",
        "age\n20\n21\n60\n",
        "age\n20\n20\n60\n61\n",
        "age\n20\n21\n60\n99\n",
    ];
    for after in changes {
        let error = published_after_a_change(before, after).unwrap_err();
        assert!(matches!(error, Error::InputChanged), "{after:?}: {error}");
    }
}

#[test]
fn every_written_row_is_traced_to_its_person() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    let row = |day: usize| format!("p{},{},{day}\n", day % 30, 20 + day % 30 % 6);
    std::fs::write(&path, "who,age,day\n".to_owned() + &(0..120).map(row).collect::<String>())
        .unwrap();
    let source = Source::open(&path, None).unwrap();
    let columns = Columns::quasi(&["age"]).and_person("who");
    let table = source.read(&columns, &ReadOptions::default(), &Silent).unwrap();
    let study = Study::new(&table, Demands { k: 5, ..Demands::default() }, None, &Silent).unwrap();
    let solved = study.search(&"hedge".parse().unwrap(), None, &Silent).unwrap();
    let release = Release::new(&solved.recoding, &Style::default(), &Silent).unwrap();
    let roles = [("age", Role::Quasi), ("who", Role::Person), ("day", Role::Insensitive)];
    let schema = &Schema::new(source.header(), &roles).unwrap();
    for keep_order in [false, true] {
        let out = folder.path().join(format!("{keep_order}.csv"));
        let output = Output::create_table(&out, false, &Inputs::default()).unwrap();
        let options = &WriteOptions { keep_order, threads: 2, ..WriteOptions::default() };
        let publication = Publication { study: &study, source: &source, schema, na: &[], options };
        let published = publication.publish(&release, output, &Silent).unwrap();
        assert!(published.recount.fewest_people() >= 5);
        let (shown, text) = (&published.shown, std::fs::read_to_string(&out).unwrap());
        let days: Vec<usize> = text
            .lines()
            .skip(1)
            .map(|line| line.rsplit(',').next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(days.is_sorted(), keep_order);
        let domain = &shown.person().unwrap().domain;
        for (day, cohort) in days.iter().zip(shown.rows().unwrap()) {
            let owner = *shown.cohorts().tuple(cohort.unwrap()).last().unwrap();
            assert_eq!(domain.spelling(owner), format!("p{}", day % 30));
        }
    }
}
