//! Reports of what a run did and what it lost, as text and JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use crate::auto::Choosing;
use crate::classify::Classification;
use crate::error::Warning;
use crate::loss::{self, Loss};
use crate::measure::Attained;
use crate::method::Method;
use crate::noun::counted;
use crate::release::{Detail, Exposure, Release, Spread};
use crate::table::Kind;

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
    /// How precisely each quasi-identifier is published.
    pub columns: BTreeMap<String, Detail>,
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

/// Formats what researchers want to know besides the summary: the method with its notes, the
/// hierarchies with their reasons, and every loss with its meaning.
pub fn details(outcome: &Outcome) -> String {
    let mut out = format!("method        {} (seed {})\n", outcome.method, outcome.seed);
    for note in &outcome.notes {
        let _ = writeln!(out, "              {note}");
    }
    out.push_str(&hierarchies(outcome));
    out.push_str(&losses(&outcome.loss, &outcome.release_loss));
    out.push_str(&set_table(&outcome.sets));
    out
}

/// Formats how precisely a column is published: `44% unchanged, 56% in ranges that span 3.1 on
/// average, 17 at most`.
pub fn precision(detail: &Detail) -> String {
    let mut parts = Vec::new();
    if detail.unchanged > 0.0 {
        parts.push(format!("{} unchanged", percent(detail.unchanged)));
    }
    if let Some(ranges) = detail.ranges {
        parts.push(range_part(detail.kind, ranges));
    }
    let n_shortened: f64 = detail.shortened.values().sum();
    for (place, (left, share)) in detail.shortened.iter().rev().enumerate() {
        let verb = if place == 0 { "shortened " } else { "" };
        parts.push(format!("{} {verb}to {}", percent(*share), counted(*left as u64, "character")));
    }
    if let Some(groups) = detail.groups.filter(|groups| groups.share > n_shortened + 1e-9) {
        let share = percent(groups.share - n_shortened);
        let [mean, most] = [groups.mean, groups.most].map(short);
        let n_values = detail.values;
        parts.push(format!(
            "{share} in groups of {mean} of {n_values} values on average, {most} at most"
        ));
    }
    if detail.hidden > 0.0 {
        parts.push(format!("{} hidden (`*`)", percent(detail.hidden)));
    }
    parts.join(", ")
}

/// Formats the widths of ranges; those of dates are in days, months or years.
fn range_part(kind: Kind, Spread { share, mean, most, .. }: Spread) -> String {
    const MONTH: f64 = 365.25 / 12.0;
    let (unit, noun) = match kind {
        Kind::Date if mean < 2.0 * MONTH => (1.0, "days"),
        Kind::Date if mean < 24.0 * MONTH => (MONTH, "months"),
        Kind::Date => (365.25, "years"),
        _ => {
            let [mean, most] = [mean, most].map(short);
            let share = percent(share);
            return format!("{share} in ranges that span {mean} on average, {most} at most");
        }
    };
    let [mean, most] = [mean, most].map(|days| short(days / unit));
    format!("{} in ranges of {mean} {noun} on average, {most} at most", percent(share))
}

/// Formats a share as a percentage that is 0% or 100% only if the share is 0 or 1.
pub fn percent(share: f64) -> String {
    match 100.0 * share {
        rest if rest > 0.0 && rest < 0.5 => "under 1%".to_owned(),
        most if (99.5..100.0).contains(&most) => "over 99%".to_owned(),
        percent => format!("{percent:.0}%"),
    }
}

/// Formats a number with about two significant digits, and all digits before the point.
pub fn short(number: f64) -> String {
    let n_decimals = match number.abs() {
        0.0 => 0,
        large if large >= 99.95 => 0,
        // One more than the zeros after the point, so that two significant digits remain.
        small => (1.0 - small.log10().floor()).max(1.0) as usize,
    };
    let text = format!("{number:.n_decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
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
        if !hierarchy.meanings.is_empty() {
            let _ = writeln!(out, "              taken for: {}", taken_for(&hierarchy.meanings));
        }
    }
    out
}

/// Formats what values were taken for, so that a reader can see what is wrong.
pub fn taken_for(meanings: &BTreeMap<String, String>) -> String {
    let shown = meanings.iter().take(MOST_MEANINGS);
    let mut all: Vec<String> =
        shown.map(|(value, meaning)| format!("{value}: {meaning}")).collect();
    if let Some(n_more @ 1..) = meanings.len().checked_sub(MOST_MEANINGS) {
        all.push(format!("and {n_more} more"));
    }
    all.join(", ")
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
    fn numbers_are_short_and_shares_are_not_rounded_to_all_or_nothing() {
        let shown = [0.0, 0.000_78, 0.78, 3.12, 9.96, 17.0, 99.9, 1234.5].map(short);
        assert_eq!(shown, ["0", "0.00078", "0.78", "3.1", "10", "17", "99.9", "1234"]);
        let shown = [0.0, 0.001, 0.444, 0.9999, 1.0].map(percent);
        assert_eq!(shown, ["0%", "under 1%", "44%", "over 99%", "100%"]);
    }

    #[test]
    fn precision_is_in_the_unit_of_the_column() {
        let spread = |share, mean, most| Some(Spread { share, mean, most });
        let base = Detail {
            kind: Kind::Number,
            values: 14,
            unchanged: 0.5,
            hidden: 0.0,
            ranges: None,
            groups: None,
            shortened: BTreeMap::new(),
        };
        let age = Detail { ranges: spread(0.5, 3.12, 17.0), ..base.clone() };
        assert_eq!(
            precision(&age),
            "50% unchanged, 50% in ranges that span 3.1 on average, 17 at most"
        );
        let born = Detail { kind: Kind::Date, ..age.clone() };
        let days = "50% unchanged, 50% in ranges of 3.1 days on average, 17 at most";
        assert_eq!(precision(&born), days);
        let born = Detail { ranges: spread(0.5, 61.0, 365.0), ..born };
        let months = "50% unchanged, 50% in ranges of 2 months on average, 12 at most";
        assert_eq!(precision(&born), months);
        let shortened = BTreeMap::from([(3, 0.25), (2, 0.125)]);
        let (kind, groups) = (Kind::Code, spread(0.375, 4.0, 9.0));
        let zip = Detail { kind, groups, shortened, hidden: 0.125, ..base.clone() };
        let codes =
            "50% unchanged, 25% shortened to 3 characters, 12% to 2 characters, 12% hidden (`*`)";
        assert_eq!(precision(&zip), codes);
        let job = Detail { kind: Kind::Text, groups: spread(0.5, 2.5, 5.0), ..base };
        let words = "50% unchanged, 50% in groups of 2.5 of 14 values on average, 5 at most";
        assert_eq!(precision(&job), words);
    }

    #[test]
    fn a_large_loss_keeps_all_its_digits() {
        let losses = BTreeMap::from([("dm", 123_456_789_012_345_678.0)]);
        let table = loss_table(&losses);
        assert!(table.contains("  dm         123456789012345680  "), "{table}");
    }
}
