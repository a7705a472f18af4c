//! Whether rankings of hierarchies predict the outcomes of releases, on the table of claims: figure
//! 6 of Ayala-Rivera, Murphy and Thorpe 2016, with our own data. Arguments: a seed and a file for
//! the plot.

#![expect(clippy::print_stdout, reason = "an example shows its figures")]

use std::collections::BTreeMap;

use hedgerow::builder::Wordnet;
use hedgerow::chart::{Plot, Series};
use hedgerow::downstream::{Trials, agreement, releases};
use hedgerow::generate::Claims;
use hedgerow::hierarchy::Hierarchy;
use hedgerow::knowledge::{Knowledge, Senses};
use hedgerow::progress::Silent;
use hedgerow::rank::{ASPECTS, Question, meanings};
use hedgerow::table::Table;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let seed = arguments.next().map_or(Ok(0), |seed| seed.parse())?;
    let knowledge = Knowledge::wordnet();
    let rows: Vec<[&str; 4]> = Claims { n_rows: 10_000, seed }.rows()?.collect();
    let ks: Vec<u64> = (2..=100).collect();
    let mut means: BTreeMap<(&str, u32), f64> = BTreeMap::new();
    println!("column      aspect      predicts       0%     25%     50%     75%    100%");
    for (place, name) in Claims::columns().into_iter().enumerate() {
        let cells: Vec<[&str; 1]> = rows.iter().map(|row| [row[place]]).collect();
        let table = Table::from_rows(&[name], &cells)?;
        let column = &table.columns()[0];
        let made = Wordnet::default().construct(knowledge, column)?;
        let trees: Vec<&Hierarchy> =
            made.candidates.iter().map(|candidate| &candidate.hierarchy).collect();
        let meanings = meanings(knowledge, column, &Senses::default(), &trees)?;
        let question = Question { column, knowledge, meanings: &meanings, k: made.k };
        let outcomes = releases(&question, &trees, Trials { table: &table, ks: &ks }, &Silent)?;
        for of_aspect in agreement(&question, &trees, &outcomes)?.chunks(5) {
            print!("{name:10}  {:10}  {:9}", of_aspect[0].aspect, of_aspect[0].metric);
            for found in of_aspect {
                let r = found.correlation.unwrap_or(0.0);
                print!("  {r:6.3}");
                let weight = (found.weight * 100.0).round() as u32;
                *means.entry((found.aspect, weight)).or_default() += r / 4.0;
            }
            println!();
        }
    }
    let line = |aspect: &str| -> Vec<(f64, f64)> {
        let of_aspect = means.iter().filter(|((of, _), _)| *of == aspect);
        of_aspect.map(|(&(_, weight), &r)| (f64::from(weight), r)).collect()
    };
    for aspect in ASPECTS {
        let rs: Vec<String> = line(aspect).iter().map(|(_, r)| format!("{r:6.3}")).collect();
        println!("mean        {aspect:10}             {}", rs.join("  "));
    }
    if let Some(path) = arguments.next() {
        let series = ASPECTS.map(|aspect| Series {
            name: aspect.to_owned(),
            points: line(aspect).iter().map(|&(x, y)| (x, y, format!("{y:.3}"))).collect(),
            line: line(aspect),
        });
        let plot = Plot {
            title: "How well ranks foretell what comes of a hierarchy".to_owned(),
            x: "weight of the aspect, %".to_owned(),
            is_linear: true,
            y: "Spearman's correlation, mean of four columns".to_owned(),
            series: series.to_vec(),
            ..Plot::default()
        };
        std::fs::write(path, plot.svg().standalone())?;
    }
    Ok(())
}
