//! Roles of columns, some records, and where all records are.

use std::fmt::Write;

use super::html::{Table, count, name};
use crate::report::{Evidence, Flavour, Sample};

/// Maximum number of columns that are named for a role.
const MOST_NAMES: usize = 60;
/// Maximum number of columns of sample records.
const MOST_COLUMNS: usize = 12;

pub(super) fn body(evidence: &Evidence) -> String {
    let mut out = String::new();
    if !evidence.roles.is_empty() {
        let mut table = Table::new("stack named", "", &["Role", "Columns", "In the release"]);
        for named in &evidence.roles {
            let mut columns: Vec<String> =
                named.columns.iter().take(MOST_NAMES).map(|column| name(column)).collect();
            // In a public report, columns that are not published have a number but no names.
            if named.count > columns.len() {
                let more = named.count - columns.len();
                columns.push(if columns.is_empty() {
                    more.to_string()
                } else {
                    format!("and {more} more")
                });
            }
            table.row(&[named.title.into(), columns.join(", "), named.what.into()]);
        }
        out.push_str(&table.finish());
    }
    match &evidence.sample {
        Some(sample) => out.push_str(&records(sample)),
        None if evidence.flavour == Flavour::Public => {
            out.push_str("<p>Records are not shown here; the release has them.</p>\n");
        }
        None => {}
    }
    out.push_str(&accounting(evidence));
    out
}

fn records(sample: &Sample) -> String {
    let columns: Vec<&str> = sample.columns.iter().take(MOST_COLUMNS).map(String::as_str).collect();
    let heads: Vec<String> =
        columns.iter().map(|column| crate::chart::shortened(column, 80).into_owned()).collect();
    // A leading `>` would mark a column of numbers.
    let heads: Vec<&str> = heads.iter().map(|head| head.trim_start_matches('>')).collect();
    let n_more = sample.columns.len() - columns.len();
    let more = match n_more {
        0 => String::new(),
        1 => "; one more column is not shown".to_owned(),
        _ => format!("; {n_more} more columns are not shown"),
    };
    let caption = format!("{} of the release{more}", sample.counted());
    let mut table = Table::new("small", &caption, &heads);
    for record in &sample.records {
        let cells: Vec<String> = record.iter().take(MOST_COLUMNS).map(|cell| shown(cell)).collect();
        table.row(&cells);
    }
    format!(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Records\">\n{}</div>\n",
        table.finish()
    )
}

/// A cell of a record; a missing value is named, because an empty cell could be an error.
fn shown(cell: &str) -> String {
    if cell.is_empty() { "<span class=\"mute\">(missing)</span>".to_owned() } else { name(cell) }
}

/// Lists the numbers of released, dropped and omitted records, and of missing values.
fn accounting(evidence: &Evidence) -> String {
    let found = &evidence.accounting;
    let mut table = Table::new("", "Where the records are", &["Records", ">Number"]);
    let mut add = |what: &str, number: u64| table.row(&[what.to_owned(), count(number)]);
    add("in the original", found.records);
    add("dropped, because a value is missing", found.dropped);
    add("left out of the release", found.left_out);
    add("in the release", found.released);
    add("of these, with * in every quasi-identifier", found.show_nothing);
    let mut out = table.finish();
    let listed = |counts: &std::collections::BTreeMap<String, u64>| {
        let some = counts.iter().take(MOST_NAMES);
        some.map(|(column, n)| format!("{} ({})", name(column), count(*n)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    if !found.missing.is_empty() {
        let _ = writeln!(out, "<p>Missing values in the original: {}.</p>", listed(&found.missing));
    }
    if !found.filled.is_empty() {
        let _ = writeln!(
            out,
            "<p>Records that show the value of their class although theirs is missing: {}.</p>",
            listed(&found.filled)
        );
    }
    out
}
