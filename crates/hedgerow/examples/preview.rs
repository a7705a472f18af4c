//! Time of previews of edits, measured on a table with the quasi-identifiers of the arguments.
//!
//! `cargo run --release -p hedgerow --example preview -- data/adult.csv age,education,marital-status,occupation,race,sex`

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use hedgerow::auto::Auto;
use hedgerow::edit::{Address, Operation};
use hedgerow::hierarchy::{Generalization, Hierarchy, Node};
use hedgerow::io::{ReadOptions, Source};
use hedgerow::preview::Previewer;
use hedgerow::progress::Silent;
use hedgerow::table::Columns;

/// Edits of each kind that are measured for each column.
const MOST: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, quasi] = &arguments[..] else { return Err("name a table and columns".into()) };
    let quasi: Vec<&str> = quasi.split(',').collect();
    let source = Source::open(Path::new(path), None)?;
    let table = source.read(&Columns::quasi(&quasi), &ReadOptions::default(), &Silent)?;
    let auto = Auto { k: 5, seed: 0, needs_levels: true };
    let choices = auto.choose(&table, &std::collections::BTreeMap::new(), &Silent)?;
    let trees: Vec<Generalization> =
        choices.into_iter().map(|choice| choice.generalization).collect();
    let mut out = std::io::stdout().lock();
    for (column, tree) in quasi.iter().zip(&trees) {
        let Some(tree) = tree.hierarchy() else { continue };
        let start = Instant::now();
        let previewer = Previewer::new(&table, trees.clone(), column, 5)?;
        let prepared = start.elapsed().as_secs_f64() * 1e3;
        let mut times: Vec<f64> = Vec::new();
        for operation in operations(tree) {
            let start = Instant::now();
            if previewer.preview(&operation).is_ok() {
                times.push(start.elapsed().as_secs_f64() * 1e3);
            }
        }
        times.sort_by(f64::total_cmp);
        let (n, slowest) = (times.len(), times.last().copied().unwrap_or(0.0));
        let median = times.get(n / 2).copied().unwrap_or(0.0);
        writeln!(
            out,
            "{column:<16} prepared in {prepared:>6.1} ms; {n:>3} previews: median {median:>5.1} ms, \
             slowest {slowest:>5.1} ms"
        )?;
    }
    Ok(())
}

/// Edits of some groups of a tree.
fn operations(tree: &Hierarchy) -> Vec<Operation> {
    let groups: Vec<Node> = tree.nodes().filter(|&node| tree.as_leaf(node).is_none()).collect();
    let step = groups.len().div_ceil(MOST).max(1);
    let mut all = Vec::new();
    for &node in groups.iter().skip(1).step_by(step) {
        let node = Address::of(tree, node);
        all.push(Operation::Remove { node: node.clone() });
        all.push(Operation::Prune { node: node.clone() });
        all.push(Operation::Rename { node: node.clone(), label: Some("another".into()) });
        all.push(Operation::Lock { node });
    }
    all
}
