//! Reports: what a run did and what it cost, for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use crate::loss;
use crate::measure::Attained;

/// What `anonymize` did; its JSON is what programs read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// Records of the input.
    pub rows: u64,
    /// Records in the release.
    pub released: u64,
    /// Records whose quasi-identifiers are suppressed.
    pub suppressed: u64,
    /// Records left out because they lack a value.
    pub dropped: u64,
    /// Classes of the release: different published tuples.
    pub classes: usize,
    /// Records of the smallest class.
    pub smallest_class: u64,
    /// The method, with its parameters.
    pub method: String,
    /// What decides random choices.
    pub seed: u64,
    /// The quasi-identifiers.
    pub quasi: Vec<String>,
    /// What was asked for and what holds, counted in the written file.
    pub privacy: Vec<Attained>,
    /// What the method has to say about its search.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How each quasi-identifier was generalized.
    pub hierarchies: BTreeMap<String, HierarchyOutcome>,
    /// What its reader should know before it is published.
    pub warnings: Vec<String>,
    /// Losses on the method's own partition.
    pub loss: BTreeMap<&'static str, f64>,
    /// Losses on the release, where classes that show the same are one.
    pub release_loss: BTreeMap<&'static str, f64>,
    /// Losses of the generalization sets of a column, where the method makes such sets.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub sets: BTreeMap<String, BTreeMap<&'static str, f64>>,
}

/// How a quasi-identifier was generalized.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HierarchyOutcome {
    /// The method that built the hierarchy.
    pub method: String,
    /// How many nodes it has; 0 without a tree.
    pub nodes: usize,
    /// How many edges from root to deepest leaf.
    pub height: u32,
    /// Why `auto` chose it; none if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// An outcome as text, with a line that explains each loss.
pub fn text(outcome: &Outcome) -> String {
    let mut out = String::new();
    for privacy in &outcome.privacy {
        let Attained { model, column, asked, attained, .. } = privacy;
        let column = column.as_ref().map_or_else(String::new, |column| format!(" ({column})"));
        let _ = writeln!(out, "{model:<13} asked {asked}, attained {attained}{column}");
    }
    let _ = writeln!(
        out,
        "records       {} of {} released, {} suppressed{}",
        outcome.released,
        outcome.rows,
        outcome.suppressed,
        match outcome.dropped {
            0 => String::new(),
            n => format!(", {n} left out because a value is missing"),
        }
    );
    let _ = writeln!(
        out,
        "classes       {}, the smallest of {} records",
        outcome.classes, outcome.smallest_class
    );
    let _ = writeln!(out, "method        {} (seed {})", outcome.method, outcome.seed);
    for note in &outcome.notes {
        let _ = writeln!(out, "              {note}");
    }
    for column in &outcome.quasi {
        let Some(hierarchy) = outcome.hierarchies.get(column) else { continue };
        let shape = match hierarchy.nodes {
            0 => String::new(),
            nodes => format!(", {nodes} nodes, height {}", hierarchy.height),
        };
        let _ = writeln!(out, "hierarchy     {column}: {}{shape}", hierarchy.method);
        if let Some(why) = &hierarchy.why {
            let _ = writeln!(out, "              {why}");
        }
    }
    for warning in &outcome.warnings {
        let _ = writeln!(out, "WARNING       {warning}");
    }
    out.push_str(&losses(&outcome.loss, &outcome.release_loss));
    out.push_str(&set_table(&outcome.sets));
    out
}

/// Losses side by side, on the method's partition and on the release.
fn losses(partition: &BTreeMap<&str, f64>, release: &BTreeMap<&str, f64>) -> String {
    let mut out = format!("\n{:<8}{:>14}{:>14}\n", "loss", "partition", "release");
    for loss in loss::ALL {
        let name = loss.name();
        let _ = writeln!(
            out,
            "{name:<8}{:>14}{:>14}  {}",
            number(*loss, partition[name]),
            number(*loss, release[name]),
            loss.about()
        );
    }
    out
}

/// Losses of one partition, with their meaning.
pub fn loss_table(losses: &BTreeMap<&str, f64>) -> String {
    let line = |loss: &&dyn loss::Loss| {
        let name = loss.name();
        format!("{name:<8}{:>14}  {}\n", number(*loss, losses[name]), loss.about())
    };
    loss::ALL.iter().map(line).collect()
}

/// Losses of generalization sets, column by column, with their meaning.
pub fn set_table(sets: &BTreeMap<String, BTreeMap<&str, f64>>) -> String {
    let mut out = String::new();
    for (column, losses) in sets {
        let _ = writeln!(out, "\nsets of {column}");
        for loss in loss::SET_LOSSES {
            let _ = writeln!(out, "{:<12}{:>10.6}  {}", loss.name, losses[loss.name], loss.about);
        }
    }
    out
}

/// A loss as people read it: ratios with six decimals, counts without.
fn number(loss: &dyn loss::Loss, value: f64) -> String {
    if loss.is_count() { format!("{value:.0}") } else { format!("{value:.6}") }
}
