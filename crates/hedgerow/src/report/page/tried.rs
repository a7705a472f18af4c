//! Other methods and hierarchies that were tried.

use std::fmt::Write;

use super::html::{Table, count, escaped, name};
use crate::auto::Trial;
use crate::report::{Evidence, short};

/// Maximum number of trials on the page.
const MOST_TRIALS: usize = 40;

pub(super) fn body(evidence: &Evidence) -> Option<String> {
    let tried = evidence.tried.as_ref().filter(|tried| !tried.tried.is_empty())?;
    let mut trials: Vec<&Trial> = tried.tried.iter().collect();
    // Trials on equally many records can be compared; the least loss of them comes first.
    let key = |trial: &Trial| (std::cmp::Reverse(trial.records), trial.loss.is_none());
    trials.sort_by(|a, b| {
        let by_loss = a.loss.unwrap_or(0.0).total_cmp(&b.loss.unwrap_or(0.0));
        key(a).cmp(&key(b)).then(by_loss)
    });
    let loss = format!(">{}", tried.loss);
    let heads = ["Method", "Hierarchies", ">Records", loss.as_str()];
    let caption = "Trials on samples; only those on equally many records can be compared";
    let mut table = Table::new("stack", caption, &heads);
    for trial in trials.iter().take(MOST_TRIALS) {
        let hierarchies = trial.hierarchies.iter().take(12);
        let hierarchies: Vec<String> =
            hierarchies.map(|(column, tree)| format!("{} {}", name(column), name(tree))).collect();
        let records =
            if trial.all { format!("all {}", count(trial.records)) } else { count(trial.records) };
        table.row(&[
            name(&trial.method),
            hierarchies.join(", "),
            records,
            trial.loss.map_or_else(|| "goal not met".to_owned(), |loss| format!("{loss:.4}")),
        ]);
    }
    let mut out = table.finish();
    if trials.len() > MOST_TRIALS {
        let _ = writeln!(out, "<p>And {} more.</p>", trials.len() - MOST_TRIALS);
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
