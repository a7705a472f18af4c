//! The quality experiment of bottom-up generalization on Adult: `[METHOD ...]`.
//!
//! A decision tree learns from 30,162 generalized records and is tested on 15,060 others, to which the
//! same cuts are applied. Cuts are those of METHODS 4.5, and what the named methods find.

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::path::Path;
use std::sync::Arc;

use hedgerow::anonymize;
use hedgerow::hierarchy::{self, Generalization};
use hedgerow::measure;
use hedgerow::method::Spec;
use hedgerow::privacy::{KAnonymity, PrivacyModel, Secret};
use hedgerow::problem::{Limits, Problem, Region};
use hedgerow::progress::Silent;
use hedgerow::recoding::Recoding;
use hedgerow::table::{Encoding, Part, Table};
use hedgerow::{Error, Result};

const COLUMNS: [&str; 8] = [
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
    "income",
];

/// How many records are for learning.
const N_TRAIN: usize = 30_162;

/// The cuts that bottom-up generalization finds for a k (METHODS 4.5); what is not named is `*`.
const CUTS: [(u64, &str); 4] = [
    (
        10,
        "Pre-tertiary Some-college Associate Degree Married Was-married Never-married Blue-collar \
         Service Adm-clerical Exec-managerial Prof-specialty Sales Tech-support",
    ),
    (
        50,
        "Pre-tertiary Some-college Associate Degree Married Was-married Never-married Blue-collar \
         Service White-collar",
    ),
    (
        100,
        "Pre-tertiary Some-college Associate Degree Blue-collar Service Adm-clerical \
         Exec-managerial Prof-specialty Sales Tech-support",
    ),
    (500, "Pre-tertiary Some-college Associate Degree"),
];

fn main() -> Result<()> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let path = data.join("adult.csv");
    let text = std::fs::read_to_string(&path).map_err(Error::io("read", &path))?;
    let mut lines = text.lines();
    let header = lines.next().unwrap_or_default();
    let rows: Vec<&str> = lines.collect();
    let train = table(header, &rows[..N_TRAIN])?;
    let test = table(header, &rows[N_TRAIN..])?;
    println!("{:<24}{:>6}{:>9}{:>10}", "cut", "k", "classes", "error");
    let methods: Vec<Spec> =
        std::env::args().skip(1).map(|arg| arg.parse()).collect::<Result<_>>()?;
    for (k, cut) in CUTS {
        let problem = problem(&train, &data, k)?;
        let found = Recoding::global(&problem, &regions(&problem, cut));
        if k == CUTS[0].0 {
            let error = measure::classification(&problem, &found, &test)?;
            println!("{:<39}{:>9.2}%", "no generalization", 100.0 * error.baseline);
            println!("{:<39}{:>9.2}%", "everything is *", 100.0 * error.majority);
        }
        show("METHODS 4.5", &problem, &found, &test)?;
        for method in &methods {
            let found = anonymize::solve(method, &problem, &Silent)?;
            show(&method.to_string(), &problem, &found, &test)?;
        }
    }
    Ok(())
}

fn show(name: &str, problem: &Problem<'_>, found: &Recoding, test: &Table) -> Result<()> {
    let error = 100.0 * measure::classification(problem, found, test)?.error;
    println!("{name:<24}{:>6}{:>9}{error:>9.2}%", problem.least_size(), found.n_classes());
    Ok(())
}

/// The columns of the experiment; no field of Adult has a comma.
fn table(header: &str, rows: &[&str]) -> Result<Table> {
    let place = |name: &&str| header.split(',').position(|column| column == *name);
    let places: Vec<usize> = COLUMNS.iter().filter_map(place).collect();
    let mut part = Part::default();
    for row in rows {
        let fields: Vec<&[u8]> = row.split(',').map(str::as_bytes).collect();
        part.push(places.iter().map(|&place| fields[place]), false)?;
    }
    let encoding = Encoding { n_beside: 1, ..Encoding::default() };
    Table::assemble(COLUMNS.map(str::to_owned).to_vec(), vec![part], &encoding)
}

fn problem<'a>(train: &'a Table, data: &Path, k: u64) -> Result<Problem<'a>> {
    let built = train.columns().iter().map(|column| {
        let path = data.join(format!("hierarchies/{}.csv", column.name));
        let mut file = Spec::named("file");
        file.parameters.insert("path".into(), path.to_string_lossy().into_owned().into());
        hierarchy::build(&file, column, None)
    });
    let models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(k)?)];
    let class = Some(Arc::new(Secret::of(train, "income")?));
    let limits = Limits { class, ..Limits::default() };
    Problem::with_limits(train, built.collect::<Result<Vec<Generalization>>>()?, models, limits)
}

/// What each leaf of each column becomes: the node of the cut above it, or the root.
fn regions(problem: &Problem<'_>, cut: &str) -> Vec<Vec<Region>> {
    let names: Vec<&str> = cut.split(' ').collect();
    let trees = problem.attributes().iter().filter_map(|a| a.generalization().hierarchy());
    trees
        .map(|tree| {
            let above = |leaf| {
                let path = std::iter::successors(Some(tree.leaf_node(leaf)), |&n| tree.parent(n));
                let is_named = |node: &u32| names.contains(&&*tree.label(*node));
                Region::Node(path.into_iter().find(is_named).unwrap_or(0))
            };
            (0..tree.n_leaves() as u32).map(above).collect()
        })
        .collect()
}
