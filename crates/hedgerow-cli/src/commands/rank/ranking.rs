//! The ranking of candidates, as text and JSON.

use std::fmt::Write as _;

use anyhow::Result;
use hedgerow::knowledge::Knowledge;
use hedgerow::noun::counted;
use hedgerow::rank::{self, ASPECTS, Aspects, Evaluated, Rewards, Weights};
use serde::Serialize;

use super::Compared;
use crate::args::RankArgs;
use crate::console;

/// Default number of candidates that are shown.
const USUAL_TOP: usize = 20;

/// JSON output: candidates by descending score.
#[derive(Serialize)]
struct Ranking {
    column: String,
    k: u64,
    weights: Weights,
    /// Number of candidates, including those that are not shown.
    count: usize,
    candidates: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    place: usize,
    name: String,
    #[serde(flatten)]
    candidate: Evaluated,
    score: f64,
}

pub(super) fn print(args: &RankArgs, compared: &[Compared], knowledge: &Knowledge) -> Result<()> {
    let rankings: Vec<Ranking> = compared
        .iter()
        .map(|compared| ranking(args, compared, knowledge))
        .collect::<Result<_>>()?;
    if args.json {
        return match rankings.as_slice() {
            [only] => console::print_json(only),
            several => console::print_json(&several),
        };
    }
    let parts = rankings.iter().zip(compared).map(|(ranking, compared)| {
        let mut out = text(ranking);
        // After the ranking, next to the column of equal numbers that it explains.
        if let Some(why) = &compared.why {
            let _ = writeln!(out, "\n{why}");
        }
        out
    });
    Ok(console::print(&parts.collect::<Vec<_>>().join("\n"))?)
}

fn ranking(args: &RankArgs, compared: &Compared, knowledge: &Knowledge) -> Result<Ranking> {
    let candidates = compared.evaluated(knowledge, args.k)?;
    let weights = args.weights.unwrap_or_default();
    // Programs want all candidates, readers the best.
    let usual = if args.json { candidates.len() } else { USUAL_TOP };
    let top = args.top.map_or(usual, |top| top as usize);
    let ranked = rank::rank(&candidates, &weights).into_iter().take(top);
    let line = |(place, ranked): (usize, rank::Ranked)| Line {
        place,
        name: compared.names[ranked.candidate].clone(),
        candidate: candidates[ranked.candidate],
        score: ranked.score,
    };
    Ok(Ranking {
        column: compared.column().to_owned(),
        k: args.k,
        weights,
        count: candidates.len(),
        candidates: (1..).zip(ranked).map(line).collect(),
    })
}

fn text(ranking: &Ranking) -> String {
    let Ranking { column, k, weights, count, candidates } = ranking;
    let mut out = format!("{} for {column}, k = {k}\n", counted(*count, "candidate"));
    let _ = writeln!(out, "weights: {weights}\n");
    let lengths = candidates.iter().map(|line| line.name.chars().count());
    let width = lengths.max().unwrap_or(0).max("candidate".len());
    // The greatest reward is the number of candidates, in parentheses.
    let reward_width = count.to_string().len() + 2;
    let _ = write!(out, "place  {:<width$}", "candidate");
    for aspect in ASPECTS {
        let _ = write!(out, "  {aspect:>10}{:reward_width$} ", "");
    }
    let _ = writeln!(out, "  {:>10}", "score");
    for Line { place, name, candidate, score } in candidates {
        let Evaluated { aspects, rewards, .. } = candidate;
        let _ = write!(out, "{place:>5}  {name:<width$}");
        for (aspect, reward) in columns(aspects, rewards) {
            let aspect = aspect.map_or_else(|| "-".to_owned(), |aspect| format!("{aspect:.6}"));
            let _ = write!(out, "  {aspect:>10} {:>reward_width$}", format!("({reward})"));
        }
        let _ = writeln!(out, "  {score:>10.4}");
    }
    // The number to ask for is part of the hint.
    if *count > candidates.len() {
        let more = count - candidates.len();
        let _ = writeln!(out, "and {more} more; --top {count} shows all");
    }
    let _ = writeln!(
        out,
        "\nLess is better in each aspect; its reward, in parentheses, is {count} minus the number of better \
         candidates."
    );
    out
}

/// Returns the aspects with their rewards, in the order of [`ASPECTS`].
fn columns(aspects: &Aspects, rewards: &Rewards) -> [(Option<f64>, usize); 4] {
    [
        (aspects.semantic, rewards.semantic),
        (Some(aspects.privacy), rewards.privacy),
        (Some(aspects.distortion), rewards.distortion),
        (Some(aspects.interval), rewards.interval),
    ]
}
