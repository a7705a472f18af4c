//! Tables in memory: their releases have the records of files, and counts give the same mapping.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hedgerow::Error;
use hedgerow::apply::{self, Earlier, Request, Tables};
use hedgerow::compare::{Folder, Grid, Runner};
use hedgerow::io::{Frame, Inputs, ReadOptions, Source, Texts, Unusable};
use hedgerow::job::{self, Audience, Job, run_in_memory, run_on_counts};
use hedgerow::progress::Silent;
use hedgerow::publish::{Placed, PlacedColumn};
use hedgerow::recipe::Recipe;
use hedgerow::report::Format;
use hedgerow::table::{Columns, Counted};

/// Rows of text in memory.
#[derive(Debug)]
struct Memory {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
    /// A column whose values cannot be read.
    unusable: Option<usize>,
}

impl Frame for Memory {
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    fn n_rows(&self) -> u64 {
        self.rows.len() as u64
    }

    fn unusable(&self, column: usize) -> Option<Unusable> {
        (self.unusable == Some(column)).then_some(Unusable::Nested)
    }

    fn texts(&self, column: usize, rows: Range<u64>, texts: &mut Texts) -> hedgerow::Result<()> {
        assert_ne!(self.unusable, Some(column), "it is not read");
        for row in &self.rows[rows.start as usize..rows.end as usize] {
            texts.push(&row[column]);
        }
        Ok(())
    }
}

fn patients() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/patients.csv")
}

fn records(path: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn in_memory() -> Memory {
    let names = ["name", "birth", "sex", "zip", "job", "diagnosis"].map(str::to_owned).to_vec();
    Memory { names, rows: records(&patients()), unusable: None }
}

fn open(rows: Memory) -> hedgerow::Result<Source> {
    Source::of_frame(Arc::new(rows), "the table")
}

fn names(of: &[&str]) -> Vec<String> {
    of.iter().map(|&name| name.to_owned()).collect()
}

fn job_of(method: &str) -> Job {
    Job {
        input: patients(),
        sensitive: names(&["diagnosis"]),
        identifier: names(&["name"]),
        method: method.parse().unwrap(),
        suppress: "5%".parse().unwrap(),
        ..Job::new(PathBuf::new(), PathBuf::new(), names(&["birth", "sex", "zip", "job"]), 4)
    }
}

/// The rows of a release in memory.
fn shown(placed: &Placed, rows: &[Vec<String>]) -> Vec<Vec<String>> {
    let cell = |place: usize, row: usize| {
        let column = &placed.columns[place];
        match column {
            PlacedColumn::Unchanged(of) => rows[placed.rows[row]][*of].clone(),
            PlacedColumn::Labels { labels, codes, .. } => labels[codes[row] as usize].clone(),
            _ => unreachable!("there are two kinds of columns"),
        }
    };
    let n_columns = placed.columns.len();
    (0..placed.rows.len()).map(|row| (0..n_columns).map(|c| cell(c, row)).collect()).collect()
}

#[test]
fn a_release_in_memory_has_the_records_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    for method in ["hedge", "mondrian", "k-member", "datafly"] {
        for keep_order in [true, false] {
            let output = folder.path().join(format!("{method}-{keep_order}.csv"));
            let job = Job { output: output.clone(), keep_order, ..job_of(method) };
            job::run(&job, &Silent).unwrap();
            let open = || open(in_memory());
            let found = run_in_memory(&job, BTreeMap::new(), open, &Silent).unwrap();
            let (mut there, mut here) = (records(&output), shown(&found.placed, &in_memory().rows));
            if !keep_order {
                assert_ne!(found.placed.rows, (0..400).collect::<Vec<_>>());
                there.sort();
                here.sort();
            }
            assert_eq!(there, here, "{method}");
            assert!(found.counted.recount.smallest() >= 4);
        }
    }
}

#[test]
fn orders_differ_if_columns_that_no_search_sees_differ() {
    let job = job_of("mondrian");
    let rows_of = |rows: Memory| {
        run_in_memory(&job, BTreeMap::new(), || open(rows), &Silent).unwrap().placed.rows
    };
    let mut other = in_memory();
    assert_eq!(rows_of(in_memory()), rows_of(in_memory()));
    other.rows[7][5] = "gout".to_owned();
    let (first, second) = (rows_of(in_memory()), rows_of(other));
    let n_same = first.iter().zip(&second).filter(|(a, b)| a == b).count();
    assert!(n_same < 20, "{n_same} of {} rows have the same place", first.len());
}

#[test]
fn columns_without_a_role_are_examined_and_unreadable_ones_need_a_decision() {
    let job = Job { identifier: Vec::new(), ..job_of("mondrian") };
    let found = run_in_memory(&job, BTreeMap::new(), || open(in_memory()), &Silent);
    assert!(matches!(found, Err(Error::Undecided { .. })));
    let examined = job::examine(&job, &open(in_memory()).unwrap(), &Silent);
    assert!(matches!(examined, Err(Error::Undecided { .. })));
    let nested = || open(Memory { unusable: Some(0), ..in_memory() });
    let error = run_in_memory(&job, BTreeMap::new(), nested, &Silent).unwrap_err();
    assert!(error.to_string().contains("lists or groups"), "{error}");
    let kept = Job { keep: names(&["name"]), ..job };
    let found = run_in_memory(&kept, BTreeMap::new(), nested, &Silent).unwrap();
    assert_eq!(found.placed.columns[0], PlacedColumn::Unchanged(0));
}

#[test]
fn counts_give_the_release_of_their_records() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("release.csv");
    let quasi = ["sex", "zip", "job"];
    let job = Job {
        quasi: names(&quasi),
        drop: names(&["birth"]),
        output: output.clone(),
        keep_order: true,
        ..job_of("mondrian")
    };
    job::run(&job, &Silent).unwrap();
    let rows = in_memory().rows;
    let mut counts: Vec<Counted<Vec<String>>> = Vec::new();
    let mut tuple_of = Vec::new();
    for (row, cells) in (0..).zip(&rows) {
        // More columns than the job needs: tuples that differ only there are counted together.
        let fields = vec![cells[2].clone(), cells[3].clone(), cells[4].clone(), cells[5].clone()];
        let known = counts.iter().position(|counted| counted.fields == fields);
        tuple_of.push(known.unwrap_or(counts.len()));
        match known {
            Some(place) => counts[place].count += 1,
            None => counts.push(Counted { fields, count: 1, first_row: row }),
        }
    }
    let columns = names(&["sex", "zip", "job", "diagnosis"]);
    let planned = run_on_counts(&job, &columns, &counts, &Silent).unwrap();
    let mut given = vec![0; planned.mapping.groups.len()];
    let published = tuple_of.iter().filter_map(|&tuple| {
        let group = planned.groups[tuple]?;
        given[group] += 1;
        let mut rest = given[group];
        let run = planned.mapping.groups[group].iter().find(|run| {
            let is_it = rest <= run.count;
            rest = rest.saturating_sub(run.count);
            is_it
        });
        run.unwrap().cells.clone()
    });
    let published: Vec<Vec<String>> = published.collect();
    let written: Vec<Vec<String>> = records(&output).iter().map(|row| row[..3].to_vec()).collect();
    assert_eq!(published, written);
    let error = run_on_counts(&job_of("k-member"), &columns, &counts, &Silent).unwrap_err();
    assert!(error.to_string().contains("single records"), "{error}");
}

#[test]
fn a_recipe_and_a_report_are_those_of_the_release() {
    let job = Job { keep_order: true, ..job_of("mondrian") };
    let found = run_in_memory(&job, BTreeMap::new(), || open(in_memory()), &Silent).unwrap();
    let recipe = Recipe::from_text(&found.recipe(&Silent).unwrap()).unwrap();
    let request = Request { keep_order: true, ..Request::default() };
    let open_again = || open(in_memory()).map(Tables::from);
    let applied = apply::run_in_memory(&request, &recipe, open_again, &Silent).unwrap();
    let rows = in_memory().rows;
    assert_eq!(shown(&applied.placed, &rows), shown(&found.placed, &rows));
    let page = found.report(Format::Html, Audience::Internal, &Silent).unwrap();
    assert!(page.contains("the table"), "{page}");
    let public = found.report(Format::Json, Audience::Public, &Silent).unwrap();
    assert!(public.starts_with('{'), "{public}");
    let source = found.placed.source(found.source()).unwrap();
    let columns = Columns::quasi(&["birth"]);
    let release = source.read(&columns, &ReadOptions::default(), &Silent).unwrap();
    assert_eq!(release.n_rows(), found.outcome.released);
}

#[test]
fn a_release_in_memory_is_checked_together_with_earlier_ones() {
    let run = |method: &str| {
        run_in_memory(&job_of(method), BTreeMap::new(), || open(in_memory()), &Silent).unwrap()
    };
    let (found, other) = (run("mondrian"), run("k-member"));
    let recipe = Recipe::from_text(&found.recipe(&Silent).unwrap()).unwrap();
    let apply = |max_success, has_earlier: bool| {
        let earlier = || {
            let source = other.placed.source(other.source()).unwrap();
            Earlier { name: "last month".to_owned(), source }
        };
        let earlier = has_earlier.then(earlier).into_iter().collect();
        let open = || Ok(Tables { next: open(in_memory())?, earlier });
        let request = Request { max_success, ..Request::default() };
        apply::run_in_memory(&request, &recipe, open, &Silent)
    };
    let error = apply(None, true).unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error}");
    assert!(error.to_string().starts_with("together with the earlier release"), "{error}");
    let evidence = apply(Some(1.0), true).unwrap().outcome.together.unwrap();
    assert!(evidence.attempts.iter().all(|one| one.other.as_deref() == Some("last month")));
    let error = apply(Some(0.5), false).unwrap_err().to_string();
    assert!(error.contains("of which none is given"), "{error}");
    assert!(apply(None, false).unwrap().outcome.together.is_none());
}

/// A claim that `verify` will reject is said about files, about releases in memory, and to callers who
/// run the stages themselves.
#[test]
fn releases_in_memory_come_with_the_warnings_of_files() {
    let mut csv = "age,illness\n".to_owned();
    for (age, n_flu, n_ulcer) in [(1, 9, 1), (2, 12, 18)] {
        csv.push_str(&format!("{age},flu\n").repeat(n_flu));
        csv.push_str(&format!("{age},ulcer\n").repeat(n_ulcer));
    }
    csv.extend((50..58).map(|age| format!("{age},flu\n")));
    let folder = tempfile::tempdir().unwrap();
    let [input, output] = ["t.csv", "r.csv"].map(|name| folder.path().join(name));
    std::fs::write(&input, csv).unwrap();
    let job = Job {
        sensitive: vec!["illness".to_owned()],
        privacy: vec!["t-closeness:t=0.3".parse().unwrap()],
        suppress: "20%".parse().unwrap(),
        method: "optimal".parse().unwrap(),
        hierarchy: [("age".to_owned(), "iotf".parse().unwrap())].into(),
        ..Job::new(input.clone(), output, vec!["age".to_owned()], 4)
    };
    let written = job::run(&job, &Silent).unwrap();
    assert!(written.warnings[0].problem().starts_with("verify will reject this release"));
    let names = ["age", "illness"].map(str::to_owned).to_vec();
    let table = Memory { names, rows: records(&input), unusable: None };
    let open = || Source::of_frame(Arc::new(table), "t");
    let found = run_in_memory(&job, BTreeMap::new(), open, &Silent).unwrap();
    assert_eq!(found.outcome.warnings, written.warnings);
    let of_stages = found.study().warnings_of(found.release(), &Silent).unwrap();
    assert!(written.warnings.iter().all(|said| of_stages.contains(said)), "{of_stages:?}");
}

#[test]
fn a_folder_of_results_belongs_to_one_table_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grid");
    let grid = Grid { k: "2..3".parse().unwrap(), ..Grid::new(job_of("mondrian")) };
    let run = |table: Memory, force: bool| {
        let folder = Folder::open(&path, force, &Inputs::of([""; 0]))?;
        let (clock, progress) = (|| 0.0, &Silent);
        let runner = Runner { threads: 1, clock: &clock, progress, folder: Some(&folder) };
        runner.run(&grid, open(table)?)
    };
    let first = run(in_memory(), false).unwrap();
    assert_eq!(run(in_memory(), false).unwrap().n_kept, first.cells.len());
    let fewer = || Memory { rows: in_memory().rows.split_off(4), ..in_memory() };
    let mut renamed = in_memory();
    renamed.names[0].push('s');
    for other in [fewer(), renamed] {
        let said = run(other, false).unwrap_err().to_string();
        assert!(said.contains("results of another table"), "{said}");
    }
    let second = run(fewer(), true).unwrap();
    assert_eq!((second.n_kept, second.records), (0, first.records - 4));
}
