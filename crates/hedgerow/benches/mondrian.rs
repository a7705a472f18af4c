//! Mondrian, mu-Argus and the genetic method on eight columns of Adult.

use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use hedgerow::anonymize;
use hedgerow::builder;
use hedgerow::io::{ReadOptions, Source};
use hedgerow::method::Spec;
use hedgerow::privacy::KAnonymity;
use hedgerow::problem::Problem;
use hedgerow::progress::Silent;
use hedgerow::table::Columns;

const QUASI: [&str; 8] = [
    "age",
    "workclass",
    "education-num",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
];

const METHODS: [&str; 5] =
    ["mondrian", "mondrian:cut=loss", "mondrian:variant=relaxed", "mu-argus", "genetic:steps=100"];

fn search(c: &mut Criterion) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/adult.csv");
    let source = Source::open(&path, None).expect("Adult is shipped");
    let quasi = Columns::quasi(&QUASI);
    let table = source.read(&quasi, &ReadOptions::default(), &Silent).expect("Adult is sound");
    let free = Spec::named("free");
    let built = table.columns().iter().map(|column| builder::build(&free, column, None));
    let built = built.collect::<Result<_, _>>().expect("free suits every column");
    let model = KAnonymity::new(5).expect("k is positive");
    let problem = Problem::new(&table, built, vec![Box::new(model)]).expect("Adult is large");
    let mut group = c.benchmark_group("search");
    group.sample_size(10).measurement_time(Duration::from_secs(2));
    for name in METHODS {
        let spec = name.parse().expect("this is a spec");
        let method = anonymize::from_spec(&spec).expect("this is a method");
        group.bench_function(name, |b| {
            b.iter(|| method.propose(&problem, &Silent).expect("a partition exists"));
        });
    }
    group.finish();
}

criterion_group!(benches, search);
criterion_main!(benches);
