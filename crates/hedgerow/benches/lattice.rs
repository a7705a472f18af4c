//! Every full-domain generalization of Adult's three numbers, with the hierarchies of [Yaseen2018].

use std::path::Path;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hedgerow::hierarchy;
use hedgerow::io::{ReadOptions, Source};
use hedgerow::lattice::Lattice;
use hedgerow::method::Spec;
use hedgerow::privacy::KAnonymity;
use hedgerow::problem::Problem;
use hedgerow::progress::Silent;

fn all_nodes(c: &mut Criterion) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/adult.csv");
    let source = Source::open(&path, None).expect("Adult is shipped");
    let quasi = ["age", "education-num", "hours-per-week"].map(str::to_owned);
    let table = source.read(&quasi, &ReadOptions::default(), &Silent).expect("Adult is sound");
    let mut group = c.benchmark_group("lattice");
    group.sample_size(10);
    for method in ["cgh", "dbgh", "cbgh", "iotf"] {
        let spec = Spec::named(method);
        let built = table.columns().iter().map(|column| hierarchy::build(&spec, column, None));
        let built = built.collect::<Result<_, _>>().expect("numbers have a hierarchy");
        let model = KAnonymity::new(1).expect("1 is positive");
        let problem = Problem::new(&table, built, vec![Box::new(model)]).expect("Adult is large");
        group.bench_function(BenchmarkId::new(method, "adult"), |b| {
            b.iter(|| Lattice::evaluate(&problem, &Silent).expect("hierarchies have levels"));
        });
    }
    group.finish();
}

criterion_group!(benches, all_nodes);
criterion_main!(benches);
