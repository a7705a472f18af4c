//! `hedgerow hierarchy rank --outcomes`: what comes of releases by each candidate, and whether ranks foretold it.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use hedgerow::downstream::{Agreement, METRICS, Outcome, agreement, releases};
use hedgerow::hierarchy::Hierarchy;
use hedgerow::io::Output;
use hedgerow::knowledge::Senses;
use hedgerow::noun::counted;
use hedgerow::rank::{self, ASPECTS, Question};
use hedgerow::table::Table;
use serde::Serialize;

use crate::Verdict;
use crate::args::RankArgs;
use crate::console::{self, Console};

/// The k of releases unless somebody names others.
const USUAL_KS: std::ops::RangeInclusive<u64> = 2..=100;

/// What came of it, for programs.
#[derive(Serialize)]
struct Foretold<'a> {
    column: &'a str,
    count: usize,
    ks: &'a [u64],
    agreement: &'a [Agreement],
}

pub(super) fn run(
    args: &RankArgs,
    path: &Path,
    (table, trees): (&Table, &[Hierarchy]),
    names: &[String],
) -> Result<Verdict> {
    let output = Output::create(path, args.force)?;
    let column = &table.columns()[0];
    let n_records = table.cohorts().n_records();
    let ks: Vec<u64> = match &args.ks {
        Some(ks) => ks.0.clone(),
        None => USUAL_KS.filter(|&k| k <= n_records).collect(),
    };
    let console = Console::new(false);
    let (found, outcomes) = args.source.with(|knowledge| {
        let trees: Vec<&Hierarchy> = trees.iter().collect();
        let senses = Senses::read(args.senses.as_deref(), knowledge, &column.domain)?;
        let meanings = rank::meanings(knowledge, column, &senses, &trees)?;
        let question = Question { column, knowledge, meanings: &meanings, k: args.k };
        let outcomes = releases(&question, &trees, (table, &ks), &console)?;
        Ok((agreement(&question, &trees, &outcomes)?, outcomes))
    })?;
    drop(console.seconds());
    output.write_all(csv(names, &outcomes).as_bytes())?;
    if args.json {
        let (column, count) = (&column.name, names.len());
        console::print_json(&Foretold { column, count, ks: &ks, agreement: &found })?;
    } else {
        console::print(&text(&args.column, names.len(), &ks, &found))?;
    }
    Ok(Verdict::Fine)
}

/// One line for each candidate and k.
fn csv(names: &[String], outcomes: &[Vec<Outcome>]) -> String {
    let mut text = "candidate,k".to_owned();
    METRICS.iter().for_each(|(metric, _)| _ = write!(text, ",{metric}"));
    text.push('\n');
    for (name, of_tree) in names.iter().zip(outcomes) {
        let name = if name.contains([',', '"', '\n']) {
            format!("\"{}\"", name.replace('"', "\"\""))
        } else {
            name.clone()
        };
        for outcome in of_tree {
            let _ = write!(text, "{name},{}", outcome.k);
            METRICS.iter().for_each(|(_, metric)| _ = write!(text, ",{}", metric(outcome)));
            text.push('\n');
        }
    }
    text
}

fn text(column: &str, n_candidates: usize, ks: &[u64], found: &[Agreement]) -> String {
    let range = match ks {
        [] => "none".to_owned(),
        [only] => only.to_string(),
        [first, .., last] => format!("{first} to {last} ({} of them)", ks.len()),
    };
    let candidates = counted(n_candidates, "candidate");
    let mut out =
        format!("{candidates} for {column}, each published with datafly, k from {range}\n\n");
    let _ = write!(out, "{:<10}  {:<9}", "aspect", "foretells");
    for weight in [0, 25, 50, 75, 100] {
        let _ = write!(out, "  {:>6}", format!("{weight}%"));
    }
    out.push('\n');
    for aspect in ASPECTS {
        let of_aspect = || found.iter().filter(|one| one.aspect == aspect);
        let metric = of_aspect().next().map_or("", |one| one.metric);
        let _ = write!(out, "{aspect:<10}  {metric:<9}");
        for one in of_aspect() {
            let r = one.correlation.map_or_else(|| "-".to_owned(), |r| format!("{r:.3}"));
            let _ = write!(out, "  {r:>6}");
        }
        out.push('\n');
    }
    out.push_str(
        "\nSpearman's correlation of ranks, by the weight of the aspect, with what was measured: 1 if the better ranked \
         always\nlost less, 0 if ranks say nothing of it. Means over k and over the weights of the other aspects.\n",
    );
    out
}
