//! Other methods and hierarchies that were tried, and how risk and loss compare.

use std::fmt::Write;

use super::html::{Table, count, escaped, name, percent};
use crate::auto::Trial;
use crate::chart::{Plot, Series};
use crate::report::{Evidence, short};

/// Maximum number of trials on the page.
const MOST_TRIALS: usize = 40;

pub(super) fn body(evidence: &Evidence) -> Option<String> {
    let tried = evidence.tried.as_ref().filter(|tried| !tried.tried.is_empty())?;
    let mut trials: Vec<&Trial> = tried.tried.iter().collect();
    // Trials on equally many records can be compared; the least loss of them comes first.
    let key = |trial: &Trial| (std::cmp::Reverse(trial.records), trial.loss.is_none());
    trials.sort_by(|a, b| {
        // Trials that missed the goal come last, so the 0 of one is compared only with others of
        // them.
        let by_loss = a.loss.unwrap_or(0.0).total_cmp(&b.loss.unwrap_or(0.0));
        key(a).cmp(&key(b)).then(by_loss)
    });
    trials.truncate(MOST_TRIALS);
    let chosen = tried.chosen.and_then(|place| tried.tried.get(place));
    let mut out = scatter(&trials, chosen, tried.loss);
    let loss = format!(">{}", tried.loss);
    let heads = ["Method", "Hierarchies", ">Records", loss.as_str(), ">Average risk"];
    let caption = "Trials on samples; only those on equally many records can be compared";
    let mut table = Table::new("stack", caption, &heads);
    for (place, trial) in trials.iter().enumerate() {
        let hierarchies = trial.hierarchies.iter().take(12);
        let hierarchies: Vec<String> =
            hierarchies.map(|(column, tree)| format!("{} {}", name(column), name(tree))).collect();
        let records =
            if trial.all { format!("all {}", count(trial.records)) } else { count(trial.records) };
        table.row(&[
            format!("{}. {}", place + 1, name(&trial.method)),
            hierarchies.join(", "),
            records,
            trial.loss.map_or_else(|| "goal not met".to_owned(), |loss| format!("{loss:.4}")),
            trial.risk.map_or_else(|| "–".to_owned(), percent),
        ]);
    }
    out.push_str(&table.finish());
    let n_more = tried.tried.len() - trials.len();
    if n_more > 0 {
        let _ = writeln!(out, "<p>And {n_more} more.</p>");
    }
    let left_out: Vec<String> = (tried.left_out.iter())
        .map(|left| format!("{} ({} s)", left.method, short(left.estimated_seconds)))
        .collect();
    if !left_out.is_empty() {
        let left_out = left_out.join(", ");
        let _ = writeln!(
            out,
            "<p>Not tried, because they would have taken too long (estimated): {}.</p>",
            escaped(&left_out)
        );
    }
    Some(out)
}

/// A trial in a plot: its place in the table, its loss and its risk.
struct Mark<'a> {
    place: usize,
    trial: &'a Trial,
    loss: f64,
    risk: f64,
}

/// Plots the risk of trials against their loss, for those on the greatest number of records that
/// several trials have in common; nothing if there are no such trials.
fn scatter(trials: &[&Trial], chosen: Option<&Trial>, loss: &str) -> String {
    let met: Vec<Mark<'_>> = (trials.iter().enumerate())
        .filter_map(|(place, trial)| {
            Some(Mark { place, trial, loss: trial.loss?, risk: trial.risk? })
        })
        .collect();
    // Trials are sorted by their number of records, the greatest first.
    let mut groups = met.chunk_by(|one, other| one.trial.records == other.trial.records);
    let Some(marks) = groups.find(|group| group.len() > 1) else { return String::new() };
    let mut series: Vec<Series> = Vec::new();
    for mark in marks {
        let method = mark.trial.method.clone();
        // One colour for each method, in the order of the first trial.
        let known = series.iter().position(|series| series.name == method);
        let place = known.unwrap_or(series.len());
        if known.is_none() {
            series.push(Series { name: method, ..Series::default() });
        }
        let text =
            format!("{}. loss {:.4}, risk {}", mark.place + 1, mark.loss, percent(mark.risk));
        series[place].points.push((mark.loss, mark.risk, text));
    }
    // A series without points: only its line is drawn.
    series.push(Series { name: "not beaten".to_owned(), line: front(marks), ..Series::default() });
    let label = |mark: &Mark<'_>| (mark.loss, mark.risk, (mark.place + 1).to_string());
    // Compared by address, because two trials can have equal figures.
    let ringed =
        marks.iter().find(|mark| chosen.is_some_and(|chosen| std::ptr::eq(mark.trial, chosen)));
    let plot = Plot {
        title: "Risk and loss of what was tried".to_owned(),
        x: format!("loss ({loss})"),
        is_linear: true,
        y: "average risk".to_owned(),
        series,
        labels: marks.iter().map(label).collect(),
        ringed: ringed.map(|mark| [mark.loss, mark.risk]),
    };
    format!(
        "<p>Each mark is a trial on {} records, with its number in the table; the chosen one has a ring. On the \
         line are those that no other beats in both risk and loss.</p>\n<div class=\"wide plot\" tabindex=\"0\" \
         role=\"region\" aria-label=\"Plot of risk and loss\">\n{}</div>\n",
        count(marks[0].trial.records),
        plot.svg().finish()
    )
}

/// The steps between the trials that no other beats in both risk and loss, by increasing loss.
fn front(marks: &[Mark<'_>]) -> Vec<(f64, f64)> {
    let mut order: Vec<(f64, f64)> = marks.iter().map(|mark| (mark.loss, mark.risk)).collect();
    // By loss, then risk: each point is then better than the front only if its risk is lower.
    order.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
    let mut line: Vec<(f64, f64)> = Vec::new();
    for (loss, risk) in order {
        match line.last() {
            Some(&(_, last)) if risk >= last => {}
            // Between two points nothing better is known than the risk of the first.
            Some(&(_, last)) => line.extend([(loss, last), (loss, risk)]),
            None => line.push((loss, risk)),
        }
    }
    line
}
