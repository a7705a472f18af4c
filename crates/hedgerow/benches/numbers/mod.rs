//! Adult's three numbers, generalized by one hierarchy method.

use std::path::Path;

use hedgerow::builder;
use hedgerow::io::{ReadOptions, Source};
use hedgerow::method::Spec;
use hedgerow::privacy::KAnonymity;
use hedgerow::problem::Problem;
use hedgerow::progress::Silent;
use hedgerow::table::{Columns, Table};

pub(crate) fn adult() -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/adult.csv");
    let source = Source::open(&path, None).expect("Adult is shipped");
    let quasi = Columns::quasi(&["age", "education-num", "hours-per-week"]);
    let options = ReadOptions { keep_rows: true, ..ReadOptions::default() };
    source.read(&quasi, &options, &Silent).expect("Adult is sound")
}

pub(crate) fn problem(table: &Table, method: &str, k: u64) -> Problem {
    let spec = Spec::named(method);
    let built = table.columns().iter().map(|column| builder::build(&spec, column, None));
    let built = built.collect::<Result<_, _>>().expect("numbers have a hierarchy");
    let model = KAnonymity::new(k).expect("k is positive");
    Problem::new(table, built, vec![Box::new(model)]).expect("Adult has enough records")
}
