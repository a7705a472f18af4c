//! `/api/runs/{run}`: the results of a run: figures, distributions, risk, attacks, and its report.

use std::sync::Arc;

use hedgerow::attack;
use hedgerow::chart::{Share, Stacked};
use hedgerow::error::Warning;
use hedgerow::noun::grouped;
use hedgerow::report::{self, Band};
use serde::Serialize;
use serde_json::Value;

use super::{Answer, Call, answer};
use crate::advice::Advised;
use crate::fault::{Done, Fault, Problem};
use crate::session::{Attacks, Brief, Detail, brief};
use crate::studio::Studio;

#[derive(Serialize)]
struct RunView {
    brief: Brief,
    outcome: Option<Value>,
    verified: Option<String>,
    figures: Option<FiguresView>,
    columns: Vec<ColumnView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bands: Option<Bands>,
    tried: Option<Value>,
    risk: Option<Value>,
    attacks: Option<Value>,
    warnings: Vec<Told>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct FiguresView {
    loss: f64,
    highest_risk: Sides<f64>,
    average_risk: Sides<f64>,
    alone: Sides<u64>,
    classes: u64,
    smallest_class: u64,
    suppressed: u64,
    rows: u64,
    released: u64,
}

#[derive(Serialize)]
struct Sides<T> {
    before: T,
    after: T,
}

#[derive(Serialize)]
struct ColumnView {
    column: String,
    hierarchy: String,
    unchanged: f64,
    moved: Option<f64>,
    loss: Option<f64>,
    svg: String,
}

#[derive(Serialize)]
struct Bands {
    before: Vec<BandView>,
    after: Vec<BandView>,
    svg: String,
}

#[derive(Serialize)]
struct BandView {
    label: String,
    n: u64,
    share: f64,
}

#[derive(Serialize)]
struct Told {
    message: String,
    advice: Vec<Advised>,
}

#[derive(Serialize)]
struct RiskView {
    risk: Option<Value>,
    attacks: Option<Value>,
    state: &'static str,
    problem: Option<Problem>,
    note: Option<String>,
}

#[derive(Serialize)]
struct ReportView {
    audience: &'static str,
    title: String,
    body: String,
    stylesheet: &'static str,
    html: String,
    /// The state of the attacks, which are a section of the report once they are done.
    attacks: &'static str,
    evidence: Value,
}

/// The release of a run, if it is still in memory.
pub(super) fn detail(studio: &Studio, id: u64) -> Done<Arc<Detail>> {
    let session = studio.session();
    let run = session.run(id)?;
    run.detail.clone().ok_or_else(|| {
        Fault::conflict("the release of this run is not in memory")
            .advise("run it again as a single run, with the same method and k")
    })
}

pub(super) fn get(studio: &Studio, call: &Call) -> Done<Answer> {
    let id = call.number("run")?;
    let (brief, figures, detail) = {
        let session = studio.session();
        let run = session.run(id)?;
        (brief(run, &session), run.figures.clone(), run.detail.clone())
    };
    let figures = figures.map(|found| FiguresView {
        loss: found.ntil(),
        highest_risk: Sides { before: found.original_risk.highest, after: found.risk.highest },
        average_risk: Sides { before: found.original_risk.average, after: found.risk.average },
        alone: Sides { before: found.original_risk.alone, after: found.risk.alone },
        classes: found.classes,
        smallest_class: found.smallest_class,
        suppressed: found.suppressed,
        rows: found.rows,
        released: found.released,
    });
    let mut view = RunView {
        brief,
        outcome: None,
        verified: None,
        figures,
        columns: Vec::new(),
        bands: None,
        tried: None,
        risk: None,
        attacks: None,
        warnings: Vec::new(),
        notes: Vec::new(),
    };
    if let Some(detail) = detail {
        let outcome = detail.kept.outcome();
        view.outcome = value(outcome);
        view.tried = outcome.choosing.as_ref().and_then(value);
        view.warnings = outcome.warnings.iter().map(told).collect();
        view.notes.clone_from(&outcome.notes);
        let k = view.brief.k;
        view.verified = Some(format!("k = {k} holds, recounted in what the release shows"));
        let sides = detail.evidence();
        let evidence = &sides.internal;
        view.columns = columns(&detail, evidence);
        view.bands = Some(bands(evidence));
        view.risk = evidence.risk.as_ref().and_then(value);
        view.attacks = evidence.attacks.as_ref().and_then(attempted);
    }
    answer(&view)
}

fn value(content: &impl Serialize) -> Option<Value> {
    serde_json::to_value(content).ok()
}

/// Attacks, each attempt with the advice that is worth following after it.
fn attempted(found: &attack::Evidence) -> Option<Value> {
    let mut attacks = value(found)?;
    let attempts = attacks["attempts"].as_array_mut()?;
    for (view, attempt) in attempts.iter_mut().zip(&found.attempts) {
        view["remedies"] = attempt.remedies().iter().map(ToString::to_string).collect();
    }
    Some(attacks)
}

fn told(warning: &Warning) -> Told {
    let advice = Advised::all(warning.advice());
    Told { message: warning.problem().to_owned(), advice }
}

fn columns(detail: &Detail, evidence: &report::Evidence) -> Vec<ColumnView> {
    let released = evidence.accounting.released.max(1) as f64;
    let recoding = detail.kept.release().recoding();
    let partition = hedgerow::loss::Partition::of(recoding.problem(), recoding);
    let costs = crate::session::column_costs(&partition);
    let names = recoding.problem().attributes().iter().map(hedgerow::problem::Attribute::name);
    let loss_of: Vec<(&str, f64)> = names.zip(costs).collect();
    let method = |name: &str| {
        let found = detail.kept.outcome().hierarchies.get(name);
        found.map_or_else(String::new, |found| found.method.clone())
    };
    let view = |column: &report::ColumnEvidence| ColumnView {
        column: column.name.clone(),
        hierarchy: method(&column.name),
        unchanged: column.cells_unchanged as f64 / released,
        moved: Some(column.distances.total_variation),
        loss: loss_of.iter().find(|(name, _)| *name == column.name).map(|(_, loss)| *loss),
        svg: column.chart.svg(&column.name),
    };
    evidence.columns.iter().map(view).collect()
}

fn bands(evidence: &report::Evidence) -> Bands {
    let view = |bands: &[Band]| -> Vec<BandView> {
        let sum = bands.iter().map(|band| band.count).sum::<u64>().max(1) as f64;
        let share = |n: u64| n as f64 / sum;
        let one =
            |band: &Band| BandView { label: label(band), n: band.count, share: share(band.count) };
        bands.iter().map(one).collect()
    };
    let (before, after) = (view(&evidence.class_sizes.before), view(&evidence.class_sizes.after));
    let share = |band: &BandView| Share {
        share: band.share,
        title: format!("{}: {}", band.label, grouped(band.n)),
    };
    let row = |name: &str, bands: &[BandView]| (name.to_owned(), bands.iter().map(share).collect());
    let rows = vec![row("original", &before), row("release", &after)];
    let svg = Stacked { label: "Records by the size of their class".into(), rows }.svg();
    Bands { before, after, svg }
}

fn label(band: &Band) -> String {
    match (band.from, band.to) {
        (1, Some(1)) => "alone".to_owned(),
        (from, Some(to)) => format!("one of {from} to {to}"),
        (from, None) => format!("one of {from} or more"),
    }
}

/// Risk models, and attacks if they were asked for.
pub(super) fn risk(studio: &Studio, call: &Call) -> Done<Answer> {
    let detail = detail(studio, call.number("run")?)?;
    told_risk(&detail)
}

/// Starts attacks, which go on in the background.
pub(super) fn attack(studio: &Studio, call: &Call) -> Done<Answer> {
    let id = call.number("run")?;
    let detail = detail(studio, id)?;
    detail.attack(studio, id);
    told_risk(&detail)
}

/// Stops attacks.
pub(super) fn stop(studio: &Studio, call: &Call) -> Done<Answer> {
    let detail = detail(studio, call.number("run")?)?;
    detail.stop_attacks();
    told_risk(&detail)
}

fn told_risk(detail: &Detail) -> Done<Answer> {
    // Before the evidence is read: if they end in between, the page asks again.
    let state = detail.attacks();
    let sides = detail.evidence();
    let evidence = &sides.internal;
    let is_unreadable = matches!(state, Attacks::Done) && evidence.attacks.is_none();
    answer(&RiskView {
        risk: evidence.risk.as_ref().and_then(value),
        attacks: evidence.attacks.as_ref().and_then(attempted),
        state: state.name(),
        note: is_unreadable.then(|| "the attacks cannot read this release".to_owned()),
        problem: match state {
            Attacks::Failed(problem) => Some(problem),
            _ => None,
        },
    })
}

/// The report, as the page shows it and as a file.
pub(super) fn report(studio: &Studio, call: &Call) -> Done<Answer> {
    let detail = detail(studio, call.number("run")?)?;
    let attacks = detail.attacks().name();
    let sides = detail.evidence();
    let (audience, evidence) = match call.query("audience") {
        None | Some("internal") => ("internal", &sides.internal),
        Some("public") => ("public", &sides.public),
        Some(_) => return Err(Fault::request("audience must be internal or public")),
    };
    let (title, body) = report::body(evidence);
    answer(&ReportView {
        audience,
        title,
        body,
        stylesheet: "/report.css",
        html: report::page(evidence),
        attacks,
        evidence: value(evidence).unwrap_or_default(),
    })
}
