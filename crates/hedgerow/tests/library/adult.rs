//! Facts about Adult from the literature, which the file in this repository must satisfy (METHODS
//! 0.3), and the losses on it that the book states.

use std::collections::BTreeSet;
use std::path::Path;

use hedgerow::anonymize::{Anonymizer, Hedge, KMember, Local};
use hedgerow::builder::{self, File, HierarchyBuilder};
use hedgerow::io::{ReadOptions, Source};
use hedgerow::loss::{Loss, Ntil, Partition};
use hedgerow::method::Spec;
use hedgerow::privacy::KAnonymity;
use hedgerow::problem::{Limits, Problem};
use hedgerow::progress::Silent;
use hedgerow::table::{Columns, Table};

fn read(columns: &[&str]) -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/adult.csv");
    let columns = Columns::quasi(columns);
    let options = ReadOptions { keep_rows: true, ..ReadOptions::default() };
    Source::open(&path, None).unwrap().read(&columns, &options, &Silent).unwrap()
}

#[test]
fn columns_have_the_published_numbers_of_values() {
    let distinct = [
        ("age", 74),
        ("education-num", 16),
        ("hours-per-week", 96),
        ("workclass", 7),
        ("education", 16),
        ("marital-status", 7),
        ("occupation", 14),
        ("race", 5),
        ("sex", 2),
        ("native-country", 41),
    ];
    for (column, n_values) in distinct {
        let table = read(&[column]);
        assert_eq!(table.n_rows(), 45_222);
        assert_eq!(table.columns()[0].domain.len(), n_values, "{column}");
    }
}

#[test]
fn education_has_the_published_frequencies() {
    let table = read(&["education-num"]);
    let wanted =
        [72, 222, 449, 823, 676, 1223, 1619, 577, 14783, 9899, 1959, 1507, 7570, 2514, 785, 544];
    assert_eq!(table.columns()[0].domain.counts, wanted);
    assert_eq!(wanted.iter().sum::<u64>(), 45_222);
}

#[test]
fn hours_in_steps_of_ten_have_the_published_counts() {
    let table = read(&["hours-per-week"]);
    let domain = &table.columns()[0].domain;
    let mut tens = [0; 10];
    for (code, count) in domain.codes().zip(&domain.counts) {
        let hours: usize = domain.spelling(code).parse().unwrap();
        tens[(hours - 1) / 10] += count;
    }
    assert_eq!(tens, [777, 2825, 2933, 24910, 8576, 3612, 874, 419, 139, 157]);
}

#[test]
fn records_share_cohorts() {
    assert_eq!(read(&["age", "education-num", "hours-per-week"]).cohorts().len(), 9_211);
    let seven = read(&[
        "workclass",
        "education",
        "marital-status",
        "occupation",
        "race",
        "sex",
        "native-country",
    ]);
    assert_eq!(seven.cohorts().len(), 7_744);
    let in_training: BTreeSet<_> = seven.rows().unwrap()[..30_162].iter().copied().collect();
    assert_eq!(in_training.len(), 5_988);
}

/// Returns the NTIL of k-member with one hierarchy method for all columns.
fn ntil(table: &Table, method: &str, k: u64) -> f64 {
    ntil_of(&KMember::default(), table, method, k)
}

fn ntil_of(anonymizer: &dyn Anonymizer, table: &Table, method: &str, k: u64) -> f64 {
    let spec = Spec::named(method);
    let built = table.columns().iter().map(|column| builder::build(&spec, column, Some(k)));
    let built = built.collect::<Result<_, _>>().unwrap();
    let model = KAnonymity::new(k).unwrap();
    let problem = Problem::new(table, built, vec![Box::new(model)]).unwrap();
    let recoding = anonymizer.propose(&problem, &Silent).unwrap();
    Ntil.of(&Partition::of(&problem, &recoding)).unwrap()
}

#[test]
fn least_loss_loses_less_than_iotf() {
    let table = read(&["age", "education-num", "hours-per-week"]);
    for (k, wanted) in [(2, 0.963), (5, 0.984), (10, 0.955), (20, 0.976)] {
        let ratio = ntil(&table, "least-loss", k) / ntil(&table, "iotf", k);
        assert!((ratio - wanted).abs() < 1e-3, "k = {k}: {ratio}");
    }
}

#[test]
fn hedge_loses_at_least_a_quarter_less_than_k_member() {
    let table = read(&["age", "education-num", "hours-per-week"]);
    let ratios = [2, 5, 10, 20].map(|k| {
        let hedge = ntil_of(&Hedge::default(), &table, "iotf", k);
        hedge / ntil(&table, "iotf", k)
    });
    let wanted = [0.551, 0.640, 0.650, 0.669];
    let are_near = ratios.iter().zip(wanted).all(|(ratio, wanted)| (ratio - wanted).abs() < 1e-3);
    assert!(are_near, "{ratios:?}");
}

/// `local` loses less than a tenth of what the best levels for all records lose, with or without
/// suppression.
#[test]
fn local_recoding_of_the_training_part_loses_what_the_book_states() {
    let names = [
        "sex",
        "age",
        "race",
        "marital-status",
        "education",
        "native-country",
        "workclass",
        "income",
        "occupation",
    ];
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut reader = csv::Reader::from_path(data.join("adult.csv")).unwrap();
    let header = reader.headers().unwrap().clone();
    let places = names.map(|name| header.iter().position(|column| column == name).unwrap());
    let row = |record: csv::StringRecord| places.map(|place| record[place].to_owned());
    let rows: Vec<[String; 9]> =
        reader.records().take(30_162).map(|record| row(record.unwrap())).collect();
    let table = Table::from_rows(&names, &rows).unwrap();
    let built = table.columns().iter().map(|column| match column.name.as_str() {
        "income" => builder::build(&Spec::named("frequency"), column, None),
        name => File { path: data.join("hierarchies").join(format!("{name}.csv")) }.build(column),
    });
    let built: Vec<_> = built.collect::<Result<_, _>>().unwrap();
    for most_suppressed in [0, 1_508] {
        let limits = Limits { most_suppressed, ..Limits::default() };
        let model = Box::new(KAnonymity::new(5).unwrap());
        let problem = Problem::with_limits(&table, built.clone(), vec![model], limits).unwrap();
        let recoding = problem.solve(&Local::default(), &Silent).unwrap();
        let found = Ntil.of(&Partition::of(&problem, &recoding)).unwrap();
        assert!((found - 0.0553).abs() < 5e-5, "{most_suppressed}: {found}");
    }
}
