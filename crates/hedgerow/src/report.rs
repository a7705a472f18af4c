//! Reports of what a run did and what it lost, as text and JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use crate::auto::Choosing;
use crate::classify::Classification;
use crate::error::{Advice, Warning};
use crate::loss::{self, Loss};
use crate::measure::Attained;
use crate::method::Method;
use crate::noun::{counted, listed};
use crate::release::{Exposure, Release, Spelled};

/// The outcome of `anonymize`, which programs read as JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Outcome {
    /// Number of records in the input.
    pub rows: u64,
    /// Number of records in the release.
    pub released: u64,
    /// Number of records that the method suppressed.
    pub suppressed: u64,
    /// Number of other records with `*` in every quasi-identifier, because their class has it.
    #[serde(skip_serializing_if = "is_none")]
    pub show_nothing: u64,
    /// Number of records that were dropped because a value is missing.
    pub dropped: u64,
    /// The people of the records, if a column names them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people: Option<People>,
    /// Number of classes in the release: distinct published tuples with a value other than `*`.
    pub classes: usize,
    /// Number of records in the smallest class.
    pub smallest_class: u64,
    /// The method, with its parameters.
    pub method: String,
    /// How `auto` chose the method and the hierarchies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choosing: Option<Choosing>,
    /// Seed of the random number generator.
    pub seed: u64,
    /// The quasi-identifiers.
    pub quasi: Vec<String>,
    /// The required and the attained privacy, counted in the written file.
    pub privacy: Vec<Attained>,
    /// Notes of the method about its search.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How each quasi-identifier was generalized.
    pub hierarchies: BTreeMap<String, HierarchyOutcome>,
    /// Values of few records that the release reveals, and values that records did not have.
    #[serde(flatten)]
    pub exposure: Exposure,
    /// Columns without a role, which are published as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<String>,
    /// Warnings to read before publishing.
    pub warnings: Vec<Warning>,
    /// Losses on the method's own partition.
    pub loss: BTreeMap<&'static str, f64>,
    /// Losses on the release, in which classes with the same published values are merged.
    pub release_loss: BTreeMap<&'static str, f64>,
    /// Losses of the generalization sets of a column, if the method creates such sets.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub sets: BTreeMap<String, BTreeMap<&'static str, f64>>,
}

/// The people of a table in which a person can have several records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct People {
    /// The column that names them.
    pub column: String,
    /// Number of people in the input, without those whose records were dropped.
    pub people: u64,
    /// Number of people in the smallest class.
    pub smallest_class: u64,
}

impl People {
    /// Counts the people of a release, class by class.
    pub(crate) fn of(release: &Release) -> Option<Self> {
        let table = release.recoding().problem().table();
        let nothing = release.numbers(None);
        let classes = release.shown(false).into_iter().filter(|&(cells, _)| cells != nothing);
        let smallest_class = classes.map(|(_, tally)| tally.n_people()).min().unwrap_or(0);
        let column = table.person()?.name.clone();
        Some(Self { column, people: table.n_people(), smallest_class })
    }
}

/// Maximum number of meanings in the text of an outcome; JSON has all.
const MOST_MEANINGS: usize = 50;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// How a quasi-identifier was generalized.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct HierarchyOutcome {
    /// The method that built the hierarchy.
    pub method: String,
    /// Number of nodes; 0 without a hierarchy.
    pub nodes: usize,
    /// Number of edges from the root to the deepest leaf.
    pub height: u32,
    /// Why `auto` chose it; `None` if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What each value was taken for, if the hierarchy groups words by meaning.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub meanings: BTreeMap<String, String>,
}

/// Formats an outcome as text, with a line that explains each loss; `spell` writes the advice of
/// warnings.
pub fn text(outcome: &Outcome, spell: &dyn Fn(&Advice) -> String) -> String {
    let mut out = String::new();
    for privacy in &outcome.privacy {
        let Attained { model, column, .. } = privacy;
        let (demand, attained) = (privacy.demand(), privacy.shown());
        let column = column.as_ref().map_or_else(String::new, |column| format!(" ({column})"));
        let _ = writeln!(out, "{model:<13} asked {demand}, attained {attained}{column}");
    }
    out.push_str(&sizes(outcome));
    let _ = writeln!(out, "method        {} (seed {})", outcome.method, outcome.seed);
    if let Some(choosing) = &outcome.choosing {
        let chosen = choosing.line(&outcome.method);
        for line in chosen.into_iter().chain(choosing.omissions(spell)) {
            let _ = writeln!(out, "              {line}");
        }
    }
    for note in &outcome.notes {
        let _ = writeln!(out, "              {note}");
    }
    out.push_str(&hierarchies(outcome));
    out.push_str(&exposed(outcome));
    if !outcome.undecided.is_empty() {
        let names = listed(&outcome.undecided);
        let _ = writeln!(out, "undecided     published as they are: {names}");
    }
    for warning in &outcome.warnings {
        let _ = writeln!(out, "WARNING       {}", warning.message(spell));
    }
    out.push_str(&losses(&outcome.loss, &outcome.release_loss));
    out.push_str(&set_table(&outcome.sets));
    out
}

/// Formats the numbers of records and classes.
fn sizes(outcome: &Outcome) -> String {
    let show_nothing = match outcome.show_nothing {
        0 => String::new(),
        n => format!("; {n} others have every quasi-identifier generalized to `*`"),
    };
    let dropped = match outcome.dropped {
        0 => String::new(),
        n => format!("; {n} left out because a value is missing"),
    };
    let Outcome { rows, released, suppressed, classes, .. } = outcome;
    let smallest = counted(outcome.smallest_class, "record");
    let (mut people, mut fewest) = (String::new(), String::new());
    if let Some(found) = &outcome.people {
        let counted_people = counted(found.people, "person");
        people = format!("people        {counted_people}, named by '{}'\n", found.column);
        fewest = format!("; at least {} in each", counted(found.smallest_class, "person"));
    }
    format!(
        "records       {released} of {rows} released, {suppressed} suppressed{show_nothing}{dropped}\n{people}\
         classes       {classes}, the smallest of {smallest}{fewest}\n"
    )
}

/// Formats how each quasi-identifier was generalized.
fn hierarchies(outcome: &Outcome) -> String {
    let mut out = String::new();
    for column in &outcome.quasi {
        let Some(hierarchy) = outcome.hierarchies.get(column) else { continue };
        let shape = match hierarchy.nodes {
            0 => String::new(),
            nodes => format!(", {}, height {}", counted(nodes, "node"), hierarchy.height),
        };
        let _ = writeln!(out, "hierarchy     {column}: {}{shape}", hierarchy.method);
        if let Some(why) = &hierarchy.why {
            let _ = writeln!(out, "              {why}");
        }
        out.push_str(&taken_for(&hierarchy.meanings));
    }
    out
}

/// Formats what values were taken for, so that a reader can see what is wrong.
fn taken_for(meanings: &BTreeMap<String, String>) -> String {
    if meanings.is_empty() {
        return String::new();
    }
    let shown = meanings.iter().take(MOST_MEANINGS);
    let mut all: Vec<String> =
        shown.map(|(value, meaning)| format!("{value}: {meaning}")).collect();
    if let Some(n_more @ 1..) = meanings.len().checked_sub(MOST_MEANINGS) {
        all.push(format!("and {n_more} more"));
    }
    format!("              taken for: {}\n", all.join(", "))
}

/// Formats the rare values that the release reveals, and the values that records did not have.
fn exposed(outcome: &Outcome) -> String {
    let mut out = String::new();
    for column in &outcome.quasi {
        let spelled = outcome.exposure.spelled.get(column);
        if let Some(Spelled { values, rare }) = spelled.filter(|spelled| spelled.rare > 0) {
            let _ = writeln!(
                out,
                "rare values   {column}: {rare} of {values} published values belong to fewer than k \
                 records"
            );
        }
    }
    for (column, records) in &outcome.exposure.filled {
        let _ = writeln!(
            out,
            "filled        {column}: {} without a value {} that of their class",
            counted(*records, "record"),
            if *records == 1 { "shows" } else { "show" }
        );
    }
    out
}

/// Formats losses in two columns, on the method's partition and on the release.
fn losses(partition: &BTreeMap<&str, f64>, release: &BTreeMap<&str, f64>) -> String {
    let head = format!("\n{:<10}{:>16}{:>16}\n", "loss", "partition", "release");
    head + &loss_lines(&[partition, release])
}

/// Formats the losses of one partition with their descriptions.
pub fn loss_table(losses: &BTreeMap<&str, f64>) -> String {
    loss_lines(&[losses])
}

/// Formats one line for each loss that applies, grouped by aspect.
fn loss_lines(columns: &[&BTreeMap<&str, f64>]) -> String {
    let mut out = String::new();
    for aspect in loss::Aspect::ALL {
        let of_aspect = |loss: &&Method<&dyn Loss>| {
            let is_known = columns.iter().all(|found| found.contains_key(loss.name));
            loss.item.aspect() == aspect && is_known
        };
        let mut losses = loss::ALL.iter().filter(of_aspect).peekable();
        if losses.peek().is_some() {
            let _ = writeln!(out, "{}", aspect.title());
        }
        for loss in losses {
            let _ = write!(out, "  {:<10}", loss.name);
            for (place, found) in columns.iter().enumerate() {
                // The first column is narrower by the indent. A long number gets the room it needs.
                let width = if place == 0 { 13 } else { 15 };
                let _ = write!(out, " {:>width$}", loss.item.written(found[loss.name]));
            }
            let _ = writeln!(out, "  {}", loss.about);
        }
    }
    out
}

/// Formats the error rates of decision trees before and after.
pub fn classification(found: &Classification) -> String {
    let lines = [
        ("original", found.baseline, "trained on the original values"),
        ("release", found.error, "trained on the published values"),
        ("majority", found.majority, "without a tree, always predicting the most frequent label"),
    ];
    let tested = counted(found.tested, "record");
    let mut out = format!("\nclassification error of decision trees, tested on {tested}\n");
    for (name, share, of_what) in lines {
        let _ = writeln!(out, "  {name:<10}{:>13.2}%  {of_what}", 100.0 * share);
    }
    out
}

/// Formats the losses of generalization sets with their descriptions, column by column.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_loss_keeps_all_its_digits() {
        let losses = BTreeMap::from([("dm", 123_456_789_012_345_678.0)]);
        let table = loss_table(&losses);
        assert!(table.contains("  dm         123456789012345680  "), "{table}");
    }
}
