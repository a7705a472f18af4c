//! `hedgerow hierarchy rank --outcomes`: anonymizes with each candidate, and shows how well the
//! ranks predicted the outcomes.

use std::fmt::Write as _;

use anyhow::Result;
use hedgerow::chart::{Plot, Series};
use hedgerow::downstream::{Agreement, METRICS, Outcome, Trials, agreement, releases};
use hedgerow::hierarchy::Hierarchy;
use hedgerow::io::Output;
use hedgerow::noun::counted;
use hedgerow::rank::{ASPECTS, Question};
use hedgerow::table::Table;
use serde::Serialize;

use crate::Verdict;
use crate::args::RankArgs;
use crate::console::{self, Console};

/// Default values of `k` for the releases.
const USUAL_KS: std::ops::RangeInclusive<u64> = 2..=100;

/// JSON output: how well the ranks predicted the outcomes.
#[derive(Serialize)]
struct Foretold<'a> {
    column: &'a str,
    count: usize,
    ks: &'a [u64],
    agreement: &'a [Agreement],
}

/// The hierarchies to compare, and what they are for.
pub(super) struct Candidates<'a> {
    pub(super) question: &'a Question<'a>,
    pub(super) table: &'a Table,
    pub(super) trees: &'a [&'a Hierarchy],
    pub(super) names: &'a [String],
}

pub(super) fn run(args: &RankArgs, output: Output, candidates: &Candidates<'_>) -> Result<Verdict> {
    let Candidates { question, table, trees, names } = *candidates;
    let n_records = table.cohorts().n_records();
    let ks: Vec<u64> = match &args.ks {
        Some(ks) => ks.0.clone(),
        // A larger k than the table has records cannot be met.
        None => USUAL_KS.filter(|&k| k <= n_records).collect(),
    };
    let console = Console::new(false);
    let outcomes = releases(question, trees, Trials { table, ks: &ks }, &console)?;
    drop(console.seconds());
    let found = agreement(question, trees, &outcomes)?;
    let has_meaning = question.meanings.iter().any(Option::is_some);
    let is_chart = output.path().extension().is_some_and(|end| end.eq_ignore_ascii_case("svg"));
    if is_chart {
        output.write_all(chart(&args.column, &found).svg().standalone().as_bytes())?;
    } else {
        output.write_all(&csv(names, &outcomes, has_meaning)?)?;
    }
    if args.json {
        let (column, count) = (args.column.as_str(), names.len());
        console::report_json(&Foretold { column, count, ks: &ks, agreement: &found })?;
    } else {
        console::report(&text(&args.column, names.len(), &ks, &found));
    }
    Ok(Verdict::Fine)
}

/// Returns CSV with one line for each candidate and `k`. Semantic metrics are empty if no value has
/// a known meaning.
fn csv(names: &[String], outcomes: &[Vec<Outcome>], has_meaning: bool) -> Result<Vec<u8>> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let metrics = METRICS.iter().map(|metric| metric.name);
    csv.write_record(["candidate", "k"].into_iter().chain(metrics))?;
    for (name, of_tree) in names.iter().zip(outcomes) {
        for outcome in of_tree {
            let measured = METRICS.iter().map(|metric| {
                let is_known = has_meaning || !metric.is_semantic;
                if is_known { (metric.of)(outcome).to_string() } else { String::new() }
            });
            csv.write_record([name.clone(), outcome.k.to_string()].into_iter().chain(measured))?;
        }
    }
    Ok(csv.into_inner()?)
}

/// Draws how well the ranks predicted the outcomes, by the weight of each aspect.
fn chart(column: &str, found: &[Agreement]) -> Plot {
    let series = ASPECTS.map(|aspect| {
        let of_aspect = found.iter().filter(|one| one.aspect == aspect);
        let known = of_aspect.filter_map(|one| Some((100.0 * one.weight, one.correlation?)));
        let line: Vec<(f64, f64)> = known.collect();
        let points = line.iter().map(|&(x, y)| (x, y, format!("{y:.3}"))).collect();
        Series { name: aspect.to_owned(), points, line }
    });
    Plot {
        title: format!("How well ranks of hierarchies for {column} predict outcomes"),
        x: "weight of the aspect, %".to_owned(),
        is_linear: true,
        y: "Spearman's rank correlation".to_owned(),
        series: series.to_vec(),
        ..Plot::default()
    }
}

fn text(column: &str, n_candidates: usize, ks: &[u64], found: &[Agreement]) -> String {
    let range = match ks {
        [] => "none".to_owned(),
        [only] => only.to_string(),
        [first, .., last] => format!("{first} to {last} ({} values)", ks.len()),
    };
    let candidates = counted(n_candidates, "candidate");
    let mut out =
        format!("{candidates} for {column}, each anonymized with datafly, k: {range}\n\n");
    let _ = write!(out, "{:<10}  {:<9}", "aspect", "predicts");
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
        "\nSpearman's rank correlation with what was measured, by the weight of the aspect: 1 if the better ranked \
         always\nlost less, 0 if ranks do not predict it, - if all rank or measure the same. Means over k and over \
         the weights of\nthe other aspects.\n",
    );
    out
}
