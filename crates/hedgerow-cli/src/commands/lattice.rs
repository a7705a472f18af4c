//! `hedgerow lattice`: lists every full-domain generalization with its k and its cost.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use hedgerow::auto::{Auto, USUAL_K};
use hedgerow::chart::{Plot, Series};
use hedgerow::hierarchy::{Generalization, Level};
use hedgerow::io::{Inputs, Output, ReadOptions};
use hedgerow::lattice::{Lattice, Point};
use hedgerow::method::Spec;
use hedgerow::noun::counted;
use hedgerow::privacy::KAnonymity;
use hedgerow::problem::Problem;
use hedgerow::registry::Registry;
use hedgerow::table::{Columns, Table};
use serde::Serialize;

use crate::Verdict;
use crate::args::{LatticeArgs, pairs_of};
use crate::console::{self, Console};

/// Lattice of one choice of hierarchies.
#[derive(Serialize)]
struct Evaluated {
    hierarchies: BTreeMap<String, String>,
    #[serde(flatten)]
    lattice: Lattice,
    /// Levels of the k-minimal generalizations, if a `k` was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    minimal: Option<Vec<Vec<Level>>>,
    #[serde(skip)]
    name: String,
}

pub(crate) fn run(args: &LatticeArgs) -> Result<Verdict> {
    let asked = pairs_of(&args.hierarchies, &args.quasi)?;
    let methods = asked.values().chain(&args.method);
    let inputs = Inputs::of([&args.table]).and_of(Registry::Hierarchy, methods);
    let create = |path: &PathBuf| Output::create(path, args.force, &inputs);
    let output = args.output.as_ref().map(create).transpose()?;
    let console = Console::new(false);
    let source = args.read.file.open(&args.table)?;
    let options = ReadOptions {
        encoding: args.read.encoding(args.missing.into())?,
        threads: args.read.file.threads(),
        ..ReadOptions::default()
    };
    let table = source.read(&Columns::quasi(&args.quasi), &options, &console)?;
    console::note_reading(&source, &table.notes());
    console::note_doubts(&table);
    // Each method gives a lattice of its own; without one, the hierarchies are chosen.
    let methods: Vec<Option<&Spec>> = match args.method.as_slice() {
        [] => vec![None],
        methods => methods.iter().map(Some).collect(),
    };
    let evaluated: Vec<Evaluated> = methods
        .into_iter()
        .map(|method| evaluate(args, &table, method, &console))
        .collect::<Result<_>>()?;
    drop(console.seconds());
    let shown = match (args.json, args.svg) {
        (true, _) => serde_json::to_string_pretty(&evaluated)? + "\n",
        (_, true) => plot(&evaluated).svg().standalone(),
        _ => evaluated.iter().map(|one| text(one, args.k)).collect::<Vec<_>>().join("\n"),
    };
    match output {
        Some(output) => output.finish_with(shown.as_bytes())?,
        None => console::print(&shown)?,
    }
    // A k that no generalization attains is a goal that cannot be met: exit code 1.
    let is_unmet = |one: &Evaluated| one.minimal.as_ref().is_some_and(Vec::is_empty);
    Ok(if evaluated.iter().any(is_unmet) { Verdict::Violation } else { Verdict::Fine })
}

fn evaluate(
    args: &LatticeArgs,
    table: &Table,
    method: Option<&Spec>,
    console: &Console,
) -> Result<Evaluated> {
    let mut asked = pairs_of(&args.hierarchies, &args.quasi)?;
    if let Some(method) = method {
        for column in table.columns() {
            // Hierarchies of single columns come before the method for all of them.
            asked.entry(column.name.clone()).or_insert_with(|| method.clone());
        }
    }
    let auto = Auto { k: args.k.unwrap_or(USUAL_K), seed: 0, needs_levels: true };
    let methods = asked.into_iter().map(|(name, spec)| (name, spec.into())).collect();
    let choices = auto.choose(table, &methods, console)?;
    let built: Vec<Generalization> =
        choices.into_iter().map(|choice| choice.generalization).collect();
    let hierarchies = (table.columns().iter().zip(&built))
        .map(|(column, built)| (column.name.clone(), built.method()))
        .collect();
    // Every generalization is 1-anonymous, so none is excluded.
    let problem = Problem::new(table, built, vec![Box::new(KAnonymity::new(1)?)])?;
    let lattice = Lattice::evaluate(&problem, console)?;
    let levels = |points: Vec<&Point>| points.iter().map(|point| point.levels.clone()).collect();
    let minimal = args.k.map(|k| levels(lattice.minimal(k)));
    let name = match method {
        Some(method) => method.to_string(),
        None => "all generalizations".to_owned(),
    };
    Ok(Evaluated { hierarchies, lattice, minimal, name })
}

fn text(evaluated: &Evaluated, k: Option<u64>) -> String {
    let Evaluated { hierarchies, lattice, .. } = evaluated;
    let mut out = String::new();
    for ladder in &lattice.ladders {
        let groups: Vec<String> =
            ladder.levels.iter().map(|level| level.groups.to_string()).collect();
        let note = if ladder.nested { "" } else { " (not nested)" };
        let _ = writeln!(
            out,
            "{}: {}, groups by level {}{note}",
            ladder.column,
            hierarchies[&ladder.column],
            groups.join(" ")
        );
    }
    let _ = writeln!(out, "{}", counted(lattice.points.len(), "generalization"));
    let _ = writeln!(out, "\nPareto-optimal in k (higher) and distortion (lower):");
    table(&mut out, &lattice.front());
    if let Some(k) = k {
        let minimal = lattice.minimal(k);
        if minimal.is_empty() {
            // Names the k that is possible, so that the next call can succeed.
            let most = lattice.points.iter().map(|point| point.k).max().unwrap_or(0);
            let _ = writeln!(out, "\nNone is {k}-anonymous; the highest k attained is {most}.");
            return out;
        }
        let _ = writeln!(out, "\n{k}-minimal (no generalization below is {k}-anonymous):");
        table(&mut out, &minimal);
    }
    out
}

fn table(out: &mut String, points: &[&Point]) {
    let _ = writeln!(
        out,
        "{:>8}  {:>10}  {:>10}  {:>8}  {:>14}  levels",
        "k", "distortion", "ntil", "classes", "dcp"
    );
    for point in points {
        let levels: Vec<String> = point.levels.iter().map(Level::to_string).collect();
        let _ = writeln!(
            out,
            "{:>8}  {:>10.6}  {:>10.6}  {:>8}  {:>14}  {}",
            point.k,
            point.distortion,
            point.ntil,
            point.classes,
            point.dcp,
            levels.join(" ")
        );
    }
}

fn plot(evaluated: &[Evaluated]) -> Plot {
    Plot {
        is_linear: false,
        title: "Full-domain generalizations: k and distortion".into(),
        x: "k (size of the smallest class)".into(),
        y: "distortion ratio".into(),
        series: evaluated.iter().map(series).collect(),
        ..Plot::default()
    }
}

fn series(Evaluated { lattice, name, .. }: &Evaluated) -> Series {
    let point = |point: &Point| (point.k as f64, point.distortion, described(point, lattice));
    Series {
        name: name.clone(),
        points: lattice.points.iter().map(point).collect(),
        // The front as a line: points above it are beaten by one on it.
        line: lattice.front().iter().map(|p| (p.k as f64, p.distortion)).collect(),
    }
}

fn described(point: &Point, lattice: &Lattice) -> String {
    let levels: Vec<String> = (lattice.ladders.iter().zip(&point.levels))
        .map(|(ladder, level)| format!("{} {level}", ladder.column))
        .collect();
    format!(
        "k {}, distortion {:.4}, {}; levels {}",
        point.k,
        point.distortion,
        counted(point.classes, "class"),
        levels.join(", ")
    )
}
