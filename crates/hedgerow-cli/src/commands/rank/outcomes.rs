//! `hedgerow hierarchy rank --outcomes`: anonymizes with each candidate, and shows how well the
//! ranks predicted the outcomes.

use std::fmt::Write as _;

use anyhow::Result;
use hedgerow::chart::{Plot, Series};
use hedgerow::downstream::{
    Agreement, Blank, Correlations, METRICS, Metric, Outcome, Suppression, Trials, releases,
    untouched,
};
use hedgerow::io::Output;
use hedgerow::knowledge::Knowledge;
use hedgerow::noun::counted;
use hedgerow::rank::{self, ASPECTS};
use serde::Serialize;

use super::Compared;
use crate::args::RankArgs;
use crate::console::{self, Console};

/// Default values of `k` for the releases.
const USUAL_KS: std::ops::RangeInclusive<u64> = 2..=100;

/// JSON output: the accuracy with which the ranks predicted the outcomes.
#[derive(Serialize)]
struct Foretold<'a> {
    columns: &'a [Measured],
    /// All columns together, for each treatment of suppression.
    together: Vec<Together>,
}

/// The outcomes for a column and a treatment of suppression.
#[derive(Serialize)]
struct Measured {
    column: String,
    suppress: Suppression,
    count: usize,
    ks: Vec<u64>,
    /// Number of records of the rarest value.
    rarest: u64,
    #[serde(skip)]
    n_records: u64,
    /// The values of `k` for which no candidate generalizes anything.
    untouched: Vec<u64>,
    agreement: Vec<Agreement>,
    /// The best candidates with what was measured, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    best: Vec<Best>,
    #[serde(skip)]
    has_meaning: bool,
    #[serde(skip)]
    correlations: Correlations,
    #[serde(skip)]
    outcomes: Vec<Vec<Outcome>>,
}

#[derive(Serialize)]
struct Together {
    suppress: Suppression,
    agreement: Vec<Agreement>,
}

/// A candidate with the means of what was measured.
#[derive(Serialize)]
struct Best {
    place: usize,
    name: String,
    /// The mean of each metric over `k`, in the order of [`METRICS`]; `None` without meanings.
    means: [Option<f64>; 4],
    suppressed: f64,
}

pub(super) fn run(
    args: &RankArgs,
    output: Output,
    compared: &[Compared],
    knowledge: &Knowledge,
) -> Result<()> {
    let mut treatments = args.suppress.clone();
    treatments.sort_unstable();
    // `none,none` would measure everything twice.
    treatments.dedup();
    if treatments.is_empty() {
        treatments.push(Suppression::None);
    }
    let mut all: Vec<(&Compared, Measured)> = Vec::new();
    for of_column in compared {
        for &suppress in &treatments {
            all.push((of_column, measured(args, of_column, knowledge, suppress)?));
        }
    }
    let together: Vec<Together> =
        treatments.iter().map(|&suppress| pooled(&all, suppress)).collect();
    let is_chart = output.path().extension().is_some_and(|end| end.eq_ignore_ascii_case("svg"));
    if is_chart {
        // One treatment fits a chart; the others are in the CSV file and in the text.
        output.finish_with(chart(&args.columns, &together[0]).svg().standalone().as_bytes())?;
    } else {
        output.finish_with(&csv(&all)?)?;
    }
    if args.json {
        let columns: Vec<Measured> = all.into_iter().map(|(_, measured)| measured).collect();
        return console::report_json(&Foretold { columns: &columns, together });
    }
    let mut parts: Vec<String> = all.iter().map(|(_, measured)| text(measured)).collect();
    if compared.len() > 1 {
        parts.extend(together.iter().map(|one| text_of_all(one, compared.len())));
    }
    console::report(&(parts.join("\n") + LEGEND));
    Ok(())
}

/// Publishes a column with every candidate, and measures the releases.
fn measured(
    args: &RankArgs,
    compared: &Compared,
    knowledge: &Knowledge,
    suppression: Suppression,
) -> Result<Measured> {
    let (table, trees) = (&compared.table, compared.trees());
    let ks: Vec<u64> = match &args.ks {
        Some(ks) => ks.values().collect(),
        // A larger k than the table has records cannot be met.
        None => USUAL_KS.filter(|&k| k <= table.cohorts().n_records()).collect(),
    };
    let question = compared.question(knowledge, args.k);
    let console = Console::new(false);
    let outcomes = releases(&question, &trees, Trials { table, ks: &ks, suppression }, &console)?;
    drop(console.seconds());
    let correlations = Correlations::of(&question, &trees, &outcomes)?;
    let has_meaning = compared.meanings.iter().any(Option::is_some);
    let mut found = Measured {
        column: compared.column().to_owned(),
        suppress: suppression,
        count: trees.len(),
        rarest: table.columns()[0].domain.counts.iter().copied().min().unwrap_or(0),
        n_records: table.cohorts().n_records(),
        untouched: untouched(&outcomes),
        agreement: correlations.agreement(),
        best: Vec::new(),
        ks,
        has_meaning,
        correlations,
        outcomes,
    };
    if let Some(top) = args.top {
        let candidates = compared.evaluated(knowledge, args.k)?;
        let ranked = rank::rank(&candidates, &args.weights.unwrap_or_default());
        // Places are those at -k, but the means are over all k of the releases.
        let best = (1..).zip(ranked).take(top as usize);
        found.best = best
            .map(|(place, ranked)| {
                found.best(place, &compared.names[ranked.candidate], ranked.candidate)
            })
            .collect();
    }
    Ok(found)
}

impl Measured {
    fn best(&self, place: usize, name: &str, candidate: usize) -> Best {
        let of = &self.outcomes[candidate];
        let mean = |number: &dyn Fn(&Outcome) -> f64| {
            of.iter().map(number).sum::<f64>() / of.len().max(1) as f64
        };
        // Without meanings, semantic metrics are the same for every candidate.
        let is_known = |metric: &Metric| self.has_meaning || !metric.is_semantic;
        Best {
            place,
            name: name.to_owned(),
            means: METRICS.map(|metric| is_known(&metric).then(|| mean(&metric.of))),
            suppressed: mean(&|outcome| outcome.suppressed as f64),
        }
    }

    /// Whether nothing is generalized for any `k`.
    fn is_untouched(&self) -> bool {
        self.untouched.len() == self.ks.len()
    }

    /// The greatest `k` for which releases can have several classes or partial suppression.
    fn most_telling(&self) -> u64 {
        match self.suppress {
            Suppression::None => self.n_records / 2,
            Suppression::K => self.n_records.saturating_sub(1),
        }
    }
}

/// The correlations of all columns together.
fn pooled(all: &[(&Compared, Measured)], suppress: Suppression) -> Together {
    let mut correlations = Correlations::default();
    for (_, measured) in all.iter().filter(|(_, measured)| measured.suppress == suppress) {
        correlations.extend(&measured.correlations);
    }
    Together { suppress, agreement: correlations.agreement() }
}

/// Returns CSV with one line for each column, candidate and `k`. Semantic metrics are empty if no
/// value has a known meaning.
fn csv(all: &[(&Compared, Measured)]) -> Result<Vec<u8>> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let metrics = METRICS.iter().map(|metric| metric.name);
    csv.write_record(
        ["column", "candidate", "k", "suppress", "suppressed"].into_iter().chain(metrics),
    )?;
    for (compared, measured) in all {
        for (name, of_tree) in compared.names.iter().zip(&measured.outcomes) {
            for outcome in of_tree {
                let of_release = [
                    measured.column.clone(),
                    name.clone(),
                    outcome.k.to_string(),
                    measured.suppress.name().to_owned(),
                    outcome.suppressed.to_string(),
                ];
                let metrics = METRICS.iter().map(|metric| {
                    let is_known = measured.has_meaning || !metric.is_semantic;
                    if is_known { (metric.of)(outcome).to_string() } else { String::new() }
                });
                csv.write_record(of_release.into_iter().chain(metrics))?;
            }
        }
    }
    Ok(csv.into_inner()?)
}

/// Draws how well the ranks predicted the outcomes, by the weight of each aspect.
fn chart(columns: &[String], together: &Together) -> Plot {
    let series = ASPECTS.map(|aspect| {
        let of_aspect = together.agreement.iter().filter(|one| one.aspect == aspect);
        let known = of_aspect.filter_map(|one| Some((100.0 * one.weight, one.correlation?)));
        let line: Vec<(f64, f64)> = known.collect();
        let points = line.iter().map(|&(x, y)| (x, y, format!("{y:.3}"))).collect();
        Series { name: aspect.to_owned(), points, line }
    });
    Plot {
        title: format!("How well ranks of hierarchies for {} predict outcomes", columns.join(", ")),
        x: "weight of the aspect, %".to_owned(),
        is_linear: true,
        y: "Spearman's rank correlation".to_owned(),
        series: series.to_vec(),
        ..Plot::default()
    }
}

const LEGEND: &str = "\nSpearman's rank correlation with what was measured, by the weight of the aspect: 1 if the better \
    ranked always\nlost less, 0 if ranks do not predict it, - if all rank or measure the same. Means over k and over the \
    weights of\nthe other aspects, with standard deviations in parentheses.\n";

fn text(measured: &Measured) -> String {
    let range = match measured.ks.as_slice() {
        [] => "none".to_owned(),
        [only] => only.to_string(),
        [first, .., last] => format!("{first} to {last} ({} values)", measured.ks.len()),
    };
    let candidates = counted(measured.count, "candidate");
    let suppressing = match measured.suppress {
        Suppression::None => "",
        Suppression::K => " suppressing up to k records",
    };
    let column = &measured.column;
    let mut out = format!(
        "{candidates} for {column}, each anonymized with datafly{suppressing}, k: {range}\n\n"
    );
    // A table of blanks would not say why, nor what to do about it.
    if measured.is_untouched() {
        let _ = writeln!(out, "{}", untold(measured));
        return out;
    }
    write_agreement(&mut out, &measured.agreement);
    if let (Some(first), Some(last)) = (measured.untouched.first(), measured.untouched.last()) {
        let _ = writeln!(
            out,
            "\nfor {} of {} values of k, from {first} to {last}, nothing is generalized, because the rarest value has {}; \
             they are left out",
            measured.untouched.len(),
            measured.ks.len(),
            counted(measured.rarest, "record")
        );
    }
    for reason in blanks(&measured.agreement) {
        let _ = writeln!(out, "{reason}");
    }
    write_best(&mut out, &measured.best);
    out
}

/// Explains why a column cannot distinguish candidates.
fn untold(measured: &Measured) -> String {
    let Measured { column, rarest, ks, .. } = measured;
    let most = ks.last().copied().unwrap_or(0);
    let larger = match measured.most_telling() {
        last if last > *rarest => {
            format!(
                "use larger k with --ks, such as --ks {}..{}",
                rarest + 1,
                last.min(rarest + 100)
            )
        }
        _ => "a larger k would put all records into one class".to_owned(),
    };
    format!(
        "{column} cannot tell its candidates apart: its rarest value has {}, so nothing is generalized for k up to {most}; \
         {larger}",
        counted(*rarest, "record")
    )
}

/// Explains the correlations that are missing although values are generalized.
fn blanks(agreement: &[Agreement]) -> Vec<String> {
    let mut reasons: Vec<(Blank, Vec<&str>)> = Vec::new();
    for one in agreement {
        let Some(blank) = one.blank else { continue };
        match reasons.iter_mut().find(|(reason, _)| *reason == blank) {
            // An aspect has five weights, and usually one reason.
            Some((_, aspects)) if aspects.contains(&one.aspect) => {}
            Some((_, aspects)) => aspects.push(one.aspect),
            None => reasons.push((blank, vec![one.aspect])),
        }
    }
    let said = reasons
        .iter()
        .map(|(blank, aspects)| format!("- for {}: {}", aspects.join(", "), blank.describe()));
    said.collect()
}

fn text_of_all(together: &Together, n_columns: usize) -> String {
    let columns = counted(n_columns, "column");
    let suppressing = match together.suppress {
        Suppression::None => "",
        Suppression::K => ", suppressing up to k records",
    };
    let mut out = format!("all {columns}{suppressing}\n\n");
    write_agreement(&mut out, &together.agreement);
    out
}

fn write_agreement(out: &mut String, agreement: &[Agreement]) {
    let _ = write!(out, "{:<10}  {:<9}", "aspect", "predicts");
    for weight in [0, 25, 50, 75, 100] {
        let _ = write!(out, "  {:>14}", format!("{weight}%"));
    }
    out.push('\n');
    for aspect in ASPECTS {
        let of_aspect = || agreement.iter().filter(|one| one.aspect == aspect);
        let metric = of_aspect().next().map_or("", |one| one.metric);
        let _ = write!(out, "{aspect:<10}  {metric:<9}");
        for one in of_aspect() {
            let r = match (one.correlation, one.deviation) {
                (Some(r), Some(deviation)) => format!("{r:.3} ({deviation:.3})"),
                (Some(r), None) => format!("{r:.3}"),
                (None, _) => "-".to_owned(),
            };
            let _ = write!(out, "  {r:>14}");
        }
        out.push('\n');
    }
}

/// Lists the best candidates with what was measured.
fn write_best(out: &mut String, best: &[Best]) {
    if best.is_empty() {
        return;
    }
    let lengths = best.iter().map(|best| best.name.chars().count());
    let width = lengths.max().unwrap_or(0).max("candidate".len());
    let _ = write!(out, "\nplace  {:<width$}", "candidate");
    for metric in METRICS {
        let _ = write!(out, "  {:>10}", metric.name);
    }
    let _ = writeln!(out, "  {:>10}  (means over k)", "suppressed");
    for Best { place, name, means, suppressed } in best {
        let _ = write!(out, "{place:>5}  {name:<width$}");
        for mean in means {
            let mean = mean.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.4}"));
            let _ = write!(out, "  {mean:>10}");
        }
        let _ = writeln!(out, "  {suppressed:>10.2}");
    }
}
