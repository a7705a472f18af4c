//! Texts of what a run did and what it lost.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{HierarchyOutcome, Outcome};
use crate::auto::Choosing;
use crate::certificate::{Certified, Proof};
use crate::classify::Classification;
use crate::loss::{self, Loss};
use crate::method::Method;
use crate::noun::{counted, percent};
use crate::release::{Detail, Spread};
use crate::table::Kind;
use crate::utility::{ColumnUtility, Utility};

/// Maximum number of meanings in the text of an outcome; JSON has all.
const MOST_MEANINGS: usize = 50;

/// Formats what researchers want to know besides the summary: the method with its notes, the
/// hierarchies with their reasons, and every loss with its meaning.
pub fn details(outcome: &Outcome) -> String {
    let mut out = format!("method        {} (seed {})\n", outcome.method, outcome.seed);
    let estimates = outcome.choosing.as_ref().and_then(Choosing::estimates);
    for note in outcome.notes.iter().chain(&estimates) {
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
    if detail.missing > 0.0 {
        parts.push(format!("{} missing", percent(detail.missing)));
    }
    if let Some(ranges) = detail.ranges {
        parts.push(range_part(detail.kind, ranges));
    }
    let n_shortened: f64 = detail.shortened.values().sum();
    // The longest codes that are left come first.
    for (place, (left, share)) in detail.shortened.iter().rev().enumerate() {
        let verb = if place == 0 { "shortened " } else { "" };
        parts.push(format!("{} {verb}to {}", percent(*share), counted(*left as u64, "character")));
    }
    // Shortened codes are also counted as groups, but were already listed.
    if let Some(groups) = detail.groups.filter(|groups| groups.share > n_shortened + 1e-9) {
        let share = percent(groups.share - n_shortened);
        let [mean, most] = [groups.mean, groups.most].map(short);
        let n_values = detail.values;
        parts.push(format!(
            "{share} in groups of {mean} of {n_values} values on average, {most} at most"
        ));
    }
    if detail.filled > 0.0 {
        parts.push(format!("{} filled with the value of their group", percent(detail.filled)));
    }
    if detail.hidden > 0.0 {
        let star = if detail.has_stars { " (`*`)" } else { "" };
        parts.push(format!("{} hidden{star}", percent(detail.hidden)));
    }
    parts.join(", ")
}

/// Formats the widths of ranges; those of dates are in days, months or years.
fn range_part(kind: Kind, Spread { share, mean, most, .. }: Spread) -> String {
    const MONTH: f64 = 365.25 / 12.0;
    // In a public report, all values that could reveal the width may be hidden.
    if most <= 0.0 {
        return format!("{} in ranges", percent(share));
    }
    // The coarsest unit in which the mean is at least two.
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

/// Formats how near the optimum a release is, as the rest of a sentence about it: `loses at most
/// 1.12 times what any release with these hierarchies must lose`.
pub fn certified(found: &Certified) -> String {
    let what = match found.proof {
        Proof::Lattice => "any full-domain generalization",
        _ => "any release",
    };
    let Some(ratio) = found.ratio else {
        return format!(
            "loses something, but nothing is known that {what} with these hierarchies must lose"
        );
    };
    // Rounded up, so that the sentence stays true.
    let times = (ratio * 100.0 - 1e-6).ceil() / 100.0;
    let lead = if times > 1.0 {
        format!("loses at most {times:.2} times what {what} with these hierarchies must lose")
    } else {
        format!("loses no more than {what} with these hierarchies must lose")
    };
    let bound = format!("an average loss of {}%", short(100.0 * found.bound));
    match found.proof {
        Proof::Relaxation | Proof::Ascent | Proof::Lattice => format!("{lead}, {bound}"),
        Proof::CheapestBox => format!(
            "{lead}, {bound}, which is the cheapest class of each record by itself: there are too many \
             classes for a closer bound"
        ),
        Proof::Nearest => format!(
            "{lead}, {bound}, for which some records were only compared with those nearest to them: \
             there are too many classes for a closer bound"
        ),
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
            let _ = writeln!(out, "              taken for: {}", taken_for(hierarchy));
        }
    }
    out
}

/// Formats the meanings of values, source by source, so that a reader can see wrong ones.
pub fn taken_for(hierarchy: &HierarchyOutcome) -> String {
    // Meanings of WordNet have no source, and `None` sorts first.
    let mut of_source: BTreeMap<Option<&String>, Vec<String>> = BTreeMap::new();
    for (value, meaning) in hierarchy.meanings.iter().take(MOST_MEANINGS) {
        let source = hierarchy.sources.get(value);
        of_source.entry(source).or_default().push(format!("{value}: {meaning}"));
    }
    let part = |(source, values): (Option<&String>, Vec<String>)| {
        let from = source.map_or_else(String::new, |source| format!("from {source}: "));
        from + &values.join(", ")
    };
    let mut all = of_source.into_iter().map(part).collect::<Vec<_>>().join("; ");
    if let Some(n_more @ 1..) = hierarchy.meanings.len().checked_sub(MOST_MEANINGS) {
        let _ = write!(all, ", and {n_more} more");
    }
    all
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
            // A loss that one of the columns lacks would leave a gap in its line.
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

/// Formats what a release is still good for: unchanged cells, distances of distributions, errors of
/// queries and differences of correlations.
pub fn utility(found: &Utility) -> String {
    let Utility { cells_unchanged, cells, .. } = found;
    let mut out = format!("use\n  {cells_unchanged} of {cells} cells unchanged\n");
    let widest = found.columns.iter().map(|column| column.name.chars().count()).max();
    // A very long name moves its own line, not the whole table.
    let width = widest.unwrap_or(0).clamp(10, 30);
    let _ = writeln!(
        out,
        "  {:<width$}{:>12}{:>12}{:>12}{:>16}",
        "column", "unchanged", "variation", "hellinger", "earth mover's"
    );
    for ColumnUtility { name, cells_unchanged, distances } in &found.columns {
        let moved = distances.earth_movers.map_or_else(|| "-".to_owned(), |d| format!("{d:.6}"));
        let _ = writeln!(
            out,
            "  {name:<width$}{cells_unchanged:>12}{:>12.6}{:>12.6}{moved:>16}",
            distances.total_variation, distances.hellinger
        );
    }
    if let Some(queries) = &found.queries {
        let _ = writeln!(
            out,
            "  query error: median {:.2}%, 95th percentile {:.2}% of {} counts over one to three columns, \
             relative to the count or to {} if it is less",
            100.0 * queries.median,
            100.0 * queries.percentile_95,
            queries.queries,
            short(queries.sanity_bound)
        );
    }
    if let Some(correlations) = &found.correlations {
        let most = &correlations.pairs[0];
        let _ = writeln!(
            out,
            "  correlations of {}: mean difference {:.4}; most changed: {} and {}, {:.3} to {:.3} ({})",
            counted(correlations.columns.len(), "column"),
            correlations.mean_difference,
            most.columns[0],
            most.columns[1],
            most.before,
            most.after,
            most.measure
        );
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
    fn numbers_are_short() {
        let shown = [0.0, 0.000_78, 0.78, 3.12, 9.96, 17.0, 99.9, 1234.5].map(short);
        assert_eq!(shown, ["0", "0.00078", "0.78", "3.1", "10", "17", "99.9", "1234"]);
    }

    #[test]
    fn precision_is_in_the_unit_of_the_column() {
        let spread = |share, mean, most| Some(Spread { share, mean, most });
        let base = Detail {
            kind: Kind::Number,
            values: 14,
            unchanged: 0.5,
            missing: 0.0,
            hidden: 0.0,
            filled: 0.0,
            has_stars: true,
            ranges: None,
            groups: None,
            shortened: BTreeMap::new(),
        };
        let age = Detail { ranges: spread(0.5, 3.12, 17.0), ..base.clone() };
        assert_eq!(
            precision(&age),
            "50% unchanged, 50% in ranges that span 3.1 on average, 17 at most"
        );
        let hidden = Detail { ranges: spread(0.5, 0.0, 0.0), ..base.clone() };
        assert_eq!(precision(&hidden), "50% unchanged, 50% in ranges");
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
        let filled = Detail { filled: 0.06, ..base.clone() };
        let words = "50% unchanged, 6% filled with the value of their group";
        assert_eq!(precision(&filled), words);
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
