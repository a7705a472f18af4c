//! The top of the page: verdict, four figures, and the one thing to decide.

use std::fmt::Write;

use super::html::{count, escaped, name, percent};
use crate::chart::shortened;
use crate::noun::counted;
use crate::report::{Evidence, Flavour};

/// The title of the page.
pub(super) fn title(evidence: &Evidence) -> String {
    match &evidence.input {
        // A public report does not name the original.
        Some(input) if !input.name.is_empty() => {
            format!("Release of {}", shortened(&input.name, 60))
        }
        _ if !evidence.release.name.is_empty() => {
            format!("Report on {}", shortened(&evidence.release.name, 60))
        }
        _ => "Report on a release".to_owned(),
    }
}

pub(super) fn body(evidence: &Evidence, title: &str) -> String {
    let flavour = match evidence.flavour {
        Flavour::Internal => "Internal: not for publication",
        Flavour::Public => "For publication",
    };
    let mut out = format!(
        "<div class=\"top\"><span>hedgerow {} · release report</span><span class=\"flavour\">{flavour}</span></div>\n\
         <h1>{}</h1>\n<p class=\"mute\">{}</p>\n",
        evidence.hedgerow,
        escaped(title),
        summary(evidence)
    );
    let verdict = &evidence.verdict;
    let class = if verdict.holds { "verdict" } else { "verdict fails" };
    let _ = writeln!(
        out,
        "<div class=\"{class}\" role=\"status\"><b>{}</b><p>{}</p></div>",
        escaped(&verdict.title),
        escaped(&verdict.text)
    );
    out.push_str(&four(evidence));
    if let Some(decision) = &evidence.decision {
        let _ = writeln!(
            out,
            "<p class=\"decide\"><b>One thing to decide: {}.</b> {}</p>",
            name(&decision.about),
            escaped(&decision.text)
        );
    }
    out
}

/// The number of published records and columns, in a sentence.
fn summary(evidence: &Evidence) -> String {
    let n_columns: usize = evidence.roles.iter().map(|named| named.count).sum();
    let n_published: usize = evidence
        .roles
        .iter()
        .filter(|named| named.role.is_published())
        .map(|named| named.count)
        .sum();
    let accounting = &evidence.accounting;
    // Records that were left out are mentioned at once, not only in the accounting.
    let records = if accounting.released == accounting.records {
        format!("{} records", count(accounting.records))
    } else {
        format!("{} of {} records", count(accounting.released), count(accounting.records))
    };
    let columns = match n_columns {
        // Without roles, the other columns are not known.
        0 => String::new(),
        n => format!(", {n_published} of {}", counted(n, "column")),
    };
    let quasi = evidence.columns.len();
    let by =
        evidence.method.as_ref().map_or_else(String::new, |by| format!(" by <b>{}</b>", name(by)));
    format!("{records}{columns}, {quasi} of them generalized{by} for k = {}.", evidence.k)
}

/// The four figures.
fn four(evidence: &Evidence) -> String {
    let head = &evidence.headline;
    let nouns = if head.unit == "person" { "people" } else { "records" };
    let unknown = || "not known".to_owned();
    let figures = [
        (
            format!("{} → {}", percent(head.highest_risk.before), percent(head.highest_risk.after)),
            "chance that the most exposed record is recognized".to_owned(),
        ),
        (
            format!(
                "{} → {}",
                percent(head.average_risk.before),
                head.average_risk.after.map_or_else(unknown, percent)
            ),
            "the same, on average".to_owned(),
        ),
        (
            format!(
                "{} → {}",
                count(head.alone.before),
                head.alone.after.map_or_else(unknown, count)
            ),
            format!("{nouns} that no other one resembles in all generalized columns"),
        ),
        (
            head.loss.map_or_else(unknown, percent),
            "of the detail is lost: the mean share of its column’s range that a published cell covers".to_owned(),
        ),
    ];
    let item = |(figure, what): &(String, String)| {
        format!("<li><b>{figure}</b><span>{what}</span></li>\n")
    };
    format!("<ul class=\"four\">\n{}</ul>\n", figures.iter().map(item).collect::<String>())
}
