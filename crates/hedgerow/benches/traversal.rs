//! traversal's search on one number of Adult.

use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use hedgerow::anonymize::{Anonymizer, Traversal};
use hedgerow::builder;
use hedgerow::io::{ReadOptions, Source};
use hedgerow::privacy::KAnonymity;
use hedgerow::problem::Problem;
use hedgerow::progress::Silent;
use hedgerow::table::Columns;

fn search(c: &mut Criterion) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/adult.csv");
    let source = Source::open(&path, None).expect("Adult is shipped");
    let age = Columns::quasi(&["age"]);
    let table = source.read(&age, &ReadOptions::default(), &Silent).expect("Adult is sound");
    let method = Traversal::default();
    let tree = method.hierarchy().expect("the method makes its own tree");
    let built =
        builder::build(&tree, &table.columns()[0], Some(5)).expect("5 records share an age");
    let model = KAnonymity::new(5).expect("5 is positive");
    let problem = Problem::new(&table, vec![built], vec![Box::new(model)]).expect("Adult is large");
    c.bench_function("traversal", |b| {
        b.iter(|| method.propose(&problem, &Silent).expect("a partition exists"));
    });
}

criterion_group!(benches, search);
criterion_main!(benches);
