//! The best candidates for all choices of weights, and which source of hierarchies wins.

use std::fmt::Write as _;

use anyhow::Result;
use hedgerow::hierarchy::Hierarchy;
use hedgerow::knowledge::Knowledge;
use hedgerow::noun::{counted, percent};
use hedgerow::rank::{self, ASPECTS, Evaluated, Weights, Wins};
use serde::Serialize;

use super::Compared;
use crate::args::RankArgs;
use crate::console;

/// The source of hierarchies that do not record a method.
const BY_HAND: &str = "by hand";

/// JSON output: the best candidate for each choice of weights.
#[derive(Serialize)]
struct Grid {
    column: String,
    k: u64,
    count: usize,
    winners: Vec<Winner>,
    sources: Vec<Record>,
}

#[derive(Serialize)]
struct Winner {
    weights: Weights,
    best: String,
    source: String,
    score: f64,
}

/// Number of times that the candidates of a source are best.
#[derive(Serialize)]
struct Record {
    source: String,
    count: usize,
    #[serde(flatten)]
    wins: Wins,
    /// By how many places its best candidate is before the best of all others, in the mean over
    /// the choices of weights; negative if it is behind. Absent if there is only one source.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_lead: Option<f64>,
}

pub(super) fn print(args: &RankArgs, compared: &[Compared], knowledge: &Knowledge) -> Result<()> {
    let grids: Vec<Grid> = compared
        .iter()
        .map(|compared| Ok(grid(compared, args.k, &compared.evaluated(knowledge, args.k)?)))
        .collect::<Result<_>>()?;
    if args.json {
        return match grids.as_slice() {
            // One column gives an object, several give a list, so simple scripts stay simple.
            [only] => console::print_json(only),
            several => console::print_json(&several),
        };
    }
    let mut out = grids.iter().map(text).collect::<Vec<_>>().join("\n");
    if grids.len() > 1 {
        out.push_str(&together(&grids));
    }
    Ok(console::print(&out)?)
}

fn grid(compared: &Compared, k: u64, candidates: &[Evaluated]) -> Grid {
    // Candidates of one method compete together: the question is which source is worth using.
    let of_trees: Vec<String> = compared.trees.iter().map(source).collect();
    let mut names = of_trees.clone();
    names.sort();
    names.dedup();
    let place = |name: &String| names.iter().position(|other| other == name).unwrap_or(0);
    let sources: Vec<usize> = of_trees.iter().map(place).collect();
    let rounds = rank::contest(candidates, &sources, names.len());
    let winner = |weights: Weights| {
        let best = rank::rank(candidates, &weights).into_iter().next()?;
        let (best, score) = (best.candidate, best.score);
        let source = of_trees[best].clone();
        Some(Winner { weights, best: compared.names[best].clone(), source, score })
    };
    let of_source = |(number, name): (usize, &String)| Record {
        source: name.clone(),
        count: sources.iter().filter(|&&of| of == number).count(),
        wins: rank::wins(&rounds, number),
        mean_lead: (names.len() > 1).then(|| mean_lead(candidates, &sources, number)),
    };
    Grid {
        column: compared.column().to_owned(),
        k,
        count: candidates.len(),
        winners: Weights::grid().into_iter().filter_map(winner).collect(),
        sources: names.iter().enumerate().map(of_source).collect(),
    }
}

/// The source of a tree: the method that built it, if its file names one.
fn source(tree: &Hierarchy) -> String {
    tree.builder().map_or_else(|| BY_HAND.to_owned(), |method| method.name.clone())
}

/// By how many places the best candidate of a source is before the best of the others.
fn mean_lead(candidates: &[Evaluated], sources: &[usize], source: usize) -> f64 {
    // One source against all others, because a lead over each of several has no single number.
    let two: Vec<usize> = sources.iter().map(|&of| usize::from(of != source)).collect();
    let leads = rank::leads(&rank::contest(candidates, &two, 2), 0, 1);
    leads.iter().sum::<i64>() as f64 / leads.len().max(1) as f64
}

fn text(grid: &Grid) -> String {
    let count = counted(grid.count, "candidate");
    let mut out = format!("{count} for {}, k = {}; weights in %\n\n", grid.column, grid.k);
    let [a, b, c, d] = ASPECTS;
    let _ = writeln!(out, "{a:>8}  {b:>8}  {c:>10}  {d:>8}  {:>10}  best", "score");
    for Winner { weights, best, score, .. } in &grid.winners {
        let [a, b, c, d] = weights.shares().map(|share| share * 100.0);
        let _ = writeln!(out, "{a:>8}  {b:>8}  {c:>10}  {d:>8}  {score:>10.4}  {best}");
    }
    let n_rounds = grid.winners.len();
    out.push('\n');
    for Record { source, count, wins, mean_lead } in &grid.sources {
        let candidates = counted(*count, "candidate");
        let _ = write!(out, "{source} ({candidates}): {}", won(*wins, n_rounds));
        if let Some(lead) = mean_lead {
            // A negative number of places would have to be explained.
            let side = if *lead < 0.0 { "behind" } else { "before" };
            let _ = write!(out, "; its best is {:.1} places {side} the best other", lead.abs());
        }
        out.push('\n');
    }
    out
}

/// The wins of each source over all columns.
fn together(grids: &[Grid]) -> String {
    let mut names: Vec<&str> =
        grids.iter().flat_map(|grid| &grid.sources).map(|of| of.source.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let n_rounds: usize = grids.iter().map(|grid| grid.winners.len()).sum();
    let mut out = format!("\nall {}:\n", counted(grids.len(), "column"));
    for name in names {
        let of_name = grids.iter().flat_map(|grid| &grid.sources).filter(|of| of.source == name);
        let mut wins = Wins::default();
        for Record { wins: more, .. } in of_name {
            (wins.won, wins.drawn) = (wins.won + more.won, wins.drawn + more.drawn);
        }
        let _ = writeln!(out, "{name}: {}", won(wins, n_rounds));
    }
    out
}

fn won(wins: Wins, n_rounds: usize) -> String {
    let share = percent(wins.won as f64 / n_rounds.max(1) as f64);
    let drawn = match wins.drawn {
        0 => String::new(),
        drawn => format!(", {drawn} drawn"),
    };
    format!("best in {} of {n_rounds} ({share}){drawn}", wins.won)
}
