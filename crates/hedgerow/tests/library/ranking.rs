//! Whether the ranks of hierarchies predict the outcomes of releases made with them, on the table
//! of claims.

#![cfg(feature = "wordnet")]

use hedgerow::builder::Wordnet;
use hedgerow::downstream::{Agreement, Suppression, Trials, agreement, releases};
use hedgerow::generate::Claims;
use hedgerow::hierarchy::Hierarchy;
use hedgerow::knowledge::{Knowledge, Senses};
use hedgerow::progress::Silent;
use hedgerow::rank::{ASPECTS, Question, meanings};
use hedgerow::table::Table;

/// Returns every ninth `k` from 2 to 100; `hedgerow reproduce aika` uses all of them.
fn ks() -> Vec<u64> {
    (2..=100).step_by(9).collect()
}

fn agreement_of(column: usize) -> Vec<Agreement> {
    let knowledge = Knowledge::wordnet();
    let rows = Claims { n_rows: 10_000, seed: 0 }.rows().unwrap();
    let cells: Vec<[&str; 1]> = rows.map(|row| [row[column]]).collect();
    let table = Table::from_rows(&["word"], &cells).unwrap();
    let column = &table.columns()[0];
    let made = Wordnet::default().construct(knowledge, column).unwrap();
    let trees: Vec<&Hierarchy> = made.candidates.iter().map(|made| &made.hierarchy).collect();
    assert_eq!(trees.len(), 100);
    let meanings = meanings(knowledge, column, &Senses::default(), &trees).unwrap();
    let question = Question { column, knowledge, meanings: &meanings, k: made.k };
    let outcomes = releases(
        &question,
        &trees,
        Trials { table: &table, ks: &ks(), suppression: Suppression::None },
        &Silent,
    )
    .unwrap();
    agreement(&question, &trees, &outcomes).unwrap()
}

/// Figure 6 of \[Ayala2016\] has correlations of at least 0.6 for weights of 75 and 100%. Averaged
/// over the four columns, interval nearly reaches this, semantic and privacy have about 0.5, and
/// distortion does not grow with its weight.
#[test]
fn ranks_predict_the_outcomes_of_their_aspects() {
    let all: Vec<Vec<Agreement>> = (0..4).map(agreement_of).collect();
    let mean = |aspect: &str, weight: f64| {
        let of = |found: &Vec<Agreement>| {
            let is_it =
                |one: &&Agreement| one.aspect == aspect && (one.weight - weight).abs() < 1e-9;
            found.iter().find(is_it).unwrap().correlation.unwrap_or(0.0)
        };
        all.iter().map(of).sum::<f64>() / 4.0
    };
    let reached = [[0.5005, 0.4992], [0.4108, 0.4742], [0.2404, 0.1935], [0.5927, 0.5908]];
    for (aspect, reached) in ASPECTS.into_iter().zip(reached) {
        let found = [mean(aspect, 0.75), mean(aspect, 1.0)];
        let is_near = |(found, reached): (&f64, f64)| (found - reached).abs() < 1e-3;
        assert!(found.iter().zip(reached).all(is_near), "{aspect}: {found:?}");
        assert!(aspect == "distortion" || mean(aspect, 0.0) < found[0], "{aspect} matters");
    }
}
