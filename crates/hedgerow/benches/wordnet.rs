//! Candidate hierarchies of words: looking up values, building 100 candidates, and evaluating them.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use hedgerow::builder::Wordnet;
use hedgerow::generate::Claims;
use hedgerow::hierarchy::Hierarchy;
use hedgerow::knowledge::{Concept, Knowledge, Senses};
use hedgerow::rank::{Question, evaluate, meanings};
use hedgerow::table::Table;

/// Returns a column of claims: the first has 96 words, the others 60.
fn claims(place: usize) -> Table {
    let rows = Claims { n_rows: 10_000, seed: 0 }.rows().expect("WordNet has such words");
    let cells: Vec<[&str; 1]> = rows.map(|row| [row[place]]).collect();
    Table::from_rows(&["word"], &cells).expect("rows are alike")
}

/// Returns 5,000 words from all parts of WordNet, some far more frequent than others.
fn many() -> Table {
    let wordnet = Knowledge::wordnet();
    let step = wordnet.len() / 5_000;
    let words = (0..5_000).map(|n| wordnet.label((n * step) as Concept));
    let cells: Vec<[String; 1]> =
        (1..).zip(words).flat_map(|(rank, word)| vec![[word]; 1 + 5_000 / rank]).collect();
    Table::from_rows(&["word"], &cells).expect("rows are alike")
}

fn candidates(c: &mut Criterion) {
    let mut group = c.benchmark_group("wordnet");
    group.sample_size(10);
    for (name, table) in [("60 words", claims(1)), ("96 words", claims(0)), ("5000 words", many())]
    {
        let (knowledge, column) = (Knowledge::wordnet(), &table.columns()[0]);
        let construct =
            || Wordnet::default().construct(knowledge, column).expect("words are known");
        group.bench_function(BenchmarkId::new("construct", name), |b| b.iter(construct));
        let made = construct();
        let trees: Vec<&Hierarchy> = made.candidates.iter().map(|made| &made.hierarchy).collect();
        group.bench_function(BenchmarkId::new("evaluate", name), |b| {
            b.iter(|| {
                let meanings = meanings(knowledge, column, &Senses::default(), &trees)
                    .expect("trees have all values");
                let question = Question { column, knowledge, meanings: &meanings, k: made.k };
                evaluate(&question, &trees).expect("trees have all values")
            });
        });
    }
    group.finish();
}

criterion_group!(benches, candidates);
criterion_main!(benches);
