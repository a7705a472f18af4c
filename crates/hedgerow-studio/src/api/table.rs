//! `/api/table`: opens a table, and describes its columns.

use hedgerow::chart::{self, Bar, Bars, Bin};
use hedgerow::guard::{Hint, Reason};
use hedgerow::noun::grouped;
use hedgerow::table::{Code, Column, Domain};
use serde::{Deserialize, Serialize};

use super::{Answer, Call, answer};
use crate::fault::Done;
use crate::session::{self, Opened, Stored, Upload};
use crate::studio::Studio;

/// Bins of a histogram of numbers or dates.
const BINS: usize = 40;
/// Bars of a histogram of words.
const BARS: usize = 30;
/// The most frequent values that are shown in words.
const EXAMPLES: usize = 3;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpenRequest {
    path: String,
    #[serde(default)]
    sheet: Option<String>,
    #[serde(default)]
    drop_runs: bool,
}

#[derive(Serialize)]
struct TableView {
    name: String,
    path: String,
    rows: u64,
    bytes: u64,
    columns: Vec<ColumnView>,
    notes: Vec<Note>,
    seconds: f64,
}

#[derive(Serialize)]
struct ColumnView {
    name: String,
    kind: &'static str,
    distinct: Option<usize>,
    missing: Option<u64>,
    least: Option<String>,
    greatest: Option<String>,
    examples: Vec<String>,
    suggested: &'static str,
    hint: Option<&'static str>,
    alone: Option<u64>,
    nearly_name: bool,
    histogram: Option<HistogramView>,
}

#[derive(Serialize)]
struct HistogramView {
    bins: Vec<BinView>,
    others: u64,
    svg: String,
}

#[derive(Serialize)]
struct BinView {
    label: String,
    low: Option<f64>,
    high: Option<f64>,
    count: u64,
}

/// Something to know before publishing.
#[derive(Serialize)]
pub(super) struct Note {
    pub(super) column: Option<String>,
    pub(super) kind: &'static str,
    pub(super) message: String,
    pub(super) advice: Vec<String>,
}

pub(super) fn get(studio: &Studio, _: &Call) -> Done<Answer> {
    let opened = studio.session().table()?;
    answer(&view(studio, &opened))
}

pub(super) fn open(studio: &Studio, call: &Call) -> Done<Answer> {
    let OpenRequest { path, sheet, drop_runs } = call.json()?;
    let opened = session::open_path(studio, &path, sheet, drop_runs)?;
    answer(&view(studio, &opened))
}

pub(super) fn reload(studio: &Studio, _: &Call) -> Done<Answer> {
    let opened = session::reload(studio)?;
    answer(&view(studio, &opened))
}

/// Opens a table that the browser sent.
pub(crate) fn opened_upload(studio: &Studio, upload: Upload, drop_runs: bool) -> Done<Answer> {
    let opened = session::open_upload(studio, upload, drop_runs)?;
    answer(&view(studio, &opened))
}

fn view(studio: &Studio, opened: &Opened) -> TableView {
    let columns = opened.columns.iter().zip(&opened.inspection.columns);
    let reading = opened.inspection.notes.iter().map(|note| Note {
        column: None,
        kind: "reading",
        message: note.clone(),
        advice: Vec::new(),
    });
    TableView {
        name: opened.name.clone(),
        path: studio.folder.relative(&opened.path),
        rows: opened.rows,
        bytes: opened.bytes,
        columns: columns.map(|(stored, seen)| column(stored, seen, opened.rows)).collect(),
        notes: reading.chain(findings(&opened.inspection.findings)).collect(),
        seconds: opened.seconds,
    }
}

/// The findings of the guard about columns, as notes.
pub(super) fn findings(found: &[hedgerow::guard::Finding]) -> impl Iterator<Item = Note> {
    found.iter().map(|finding| {
        let kind = match finding.reason {
            Reason::SeveralRowsPerPerson { .. } => "people",
            Reason::Name { .. } | Reason::NearlyUnique { .. } => "name",
            _ => "finding",
        };
        let role = finding.suggested.name();
        let or = if finding.or_quasi { ", or quasi to generalize it" } else { "" };
        Note {
            column: Some(finding.column.clone()),
            kind,
            message: format!("'{}': {}", finding.column, finding.reason),
            advice: vec![format!("choose {role}{or}")],
        }
    })
}

fn column(stored: &Stored, seen: &hedgerow::inspect::ColumnView, rows: u64) -> ColumnView {
    let domain = stored.column.as_ref().map(|column| &column.domain);
    // Half of the records have a value of their own, or nearly so.
    let distinct = seen.distinct.unwrap_or(0) as u64;
    let hint = seen.hint.map(|hint| match hint {
        Hint::SamplingWeight => "these may be weights of a survey",
        Hint::SeveralRowsPerPerson => "people seem to have several records, and this names them",
        _ => "this column needs a decision",
    });
    ColumnView {
        name: stored.name.clone(),
        kind: seen.kind,
        distinct: seen.distinct,
        missing: seen.missing,
        least: seen.least.clone(),
        greatest: seen.greatest.clone(),
        examples: domain.map_or_else(Vec::new, examples),
        suggested: seen.role.name(),
        hint,
        alone: seen.alone,
        nearly_name: rows >= 20 && 2 * distinct >= rows,
        histogram: stored.column.as_ref().map(histogram),
    }
}

/// Codes of values by falling frequency.
fn by_frequency(domain: &Domain, most: usize) -> Vec<usize> {
    let mut codes: Vec<usize> = (0..domain.len()).collect();
    codes.sort_by_key(|&code| (std::cmp::Reverse(domain.counts[code]), code));
    codes.truncate(most);
    codes
}

fn examples(domain: &Domain) -> Vec<String> {
    let codes = by_frequency(domain, EXAMPLES).into_iter();
    codes.map(|code| domain.spelling(Code::new(code)).into_owned()).collect()
}

fn histogram(column: &Column) -> HistogramView {
    let domain = &column.domain;
    let missing = domain.missing.as_ref().map_or(0, |missing| missing.count);
    let is_ranged = domain.values.scale().is_some() && domain.len() > 2;
    let bins = if is_ranged { ranges(domain) } else { bars(domain) };
    let shown: u64 = bins.iter().map(|bin| bin.count).sum();
    let others = domain.counts.iter().sum::<u64>() + missing - shown;
    let svg = drawn(&column.name, &bins, is_ranged);
    HistogramView { bins, others, svg }
}

/// Equal bins from the least to the greatest value.
fn ranges(domain: &Domain) -> Vec<BinView> {
    let Some(scale) = domain.values.scale() else { return Vec::new() };
    let Some((least, greatest)) = scale.ends() else { return Vec::new() };
    let n = BINS.min(domain.len());
    let width = ((greatest - least) / n as f64).max(f64::MIN_POSITIVE);
    let mut counts = vec![0; n];
    for (place, &count) in domain.counts.iter().enumerate() {
        let bin = ((scale.value(place) - least) / width) as usize;
        counts[bin.min(n - 1)] += count;
    }
    let ends = |bin: usize| (least + bin as f64 * width, least + (bin + 1) as f64 * width);
    let view = |(bin, &count): (usize, &u64)| {
        let (low, high) = ends(bin);
        let label = format!("{} to {}", scale.spell(low), scale.spell(high));
        BinView { label, low: Some(low), high: Some(high), count }
    };
    counts.iter().enumerate().map(view).collect()
}

/// The most frequent values.
fn bars(domain: &Domain) -> Vec<BinView> {
    let view = |code: usize| BinView {
        label: domain.spelling(Code::new(code)).into_owned(),
        low: None,
        high: None,
        count: domain.counts[code],
    };
    by_frequency(domain, BARS).into_iter().map(view).collect()
}

fn drawn(name: &str, bins: &[BinView], is_ranged: bool) -> String {
    let sum = bins.iter().map(|bin| bin.count).sum::<u64>().max(1) as f64;
    let share = |bin: &BinView| bin.count as f64 / sum;
    let label = format!("{name}: {} records", grouped(sum as u64));
    if is_ranged {
        let bin = |view: &BinView| Bin {
            from: view.low.unwrap_or(0.0),
            to: view.high.unwrap_or(0.0),
            before: share(view),
            after: share(view),
        };
        return chart::Histogram { label, bins: bins.iter().map(bin).collect(), ticks: Vec::new() }
            .svg();
    }
    let bar =
        |view: &BinView| Bar { label: view.label.clone(), before: share(view), after: share(view) };
    Bars { label, bars: bins.iter().take(8).map(bar).collect() }.svg()
}
