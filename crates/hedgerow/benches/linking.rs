//! Linking people with the classes of a release: Adult with eight quasi-identifiers.

use std::path::Path;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hedgerow::anonymize::Mondrian;
use hedgerow::attack::{self, Given, Scene};
use hedgerow::builder::{Free, HierarchyBuilder};
use hedgerow::io::{ReadOptions, Source};
use hedgerow::privacy::KAnonymity;
use hedgerow::problem::Problem;
use hedgerow::progress::Silent;
use hedgerow::release::{Release, RowOrder, Style};
use hedgerow::table::{Columns, Encoding, Table};

const QUASI: [&str; 8] = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
];

/// Adult and its release by `mondrian` with this `k`.
fn given(k: u64) -> Given {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/adult.csv");
    let options = ReadOptions { keep_rows: true, ..ReadOptions::default() };
    let source = Source::open(&path, None).expect("Adult is shipped");
    let table = source.read(&Columns::quasi(&QUASI), &options, &Silent).expect("Adult is sound");
    let trees = table.columns().iter().map(|column| Free.build(column));
    let trees = trees.collect::<Result<_, _>>().expect("every column can be grouped freely");
    let model = Box::new(KAnonymity::new(k).expect("k is positive"));
    let problem = Problem::new(&table, trees, vec![model]).expect("Adult is large");
    let recoding = problem.solve(&Mondrian::default(), &Silent).expect("one class is private");
    let release =
        Release::new(&recoding, &Style::default(), &Silent).expect("labels are unambiguous");
    let rows = release.rows(RowOrder::Input, &Silent).expect("rows were kept");
    let encoding = Encoding { is_release: true, ..Encoding::default() };
    let shown = Table::encode(&Columns::quasi(&QUASI), &rows, &encoding).expect("rows are alike");
    Given::new(table, shown)
}

fn linking(c: &mut Criterion) {
    let mut group = c.benchmark_group("linking");
    group.sample_size(10).measurement_time(Duration::from_secs(2));
    let attacks =
        [attack::from_spec(&"linking".parse().expect("this is a name")).expect("it exists")];
    for k in [2, 5, 50] {
        let given = given(k);
        group.bench_function(BenchmarkId::new("mondrian", k), |b| {
            b.iter(|| {
                let scene = Scene::new(given.clone()).expect("the release belongs to Adult");
                attack::run(&scene, &attacks, &Silent).expect("nothing stops it")
            });
        });
    }
    group.finish();
}

criterion_group!(benches, linking);
criterion_main!(benches);
