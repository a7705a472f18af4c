//! The remaining utility of the release: losses, queries, prediction, correlations.

use std::fmt::Write;

use super::html::{Table, count, escaped, name, percent, regrouped};
use crate::loss;
use crate::noun::counted;
use crate::report::{Evidence, short, text};
use crate::utility::SHARE_OF_BOUND;

pub(super) fn body(evidence: &Evidence) -> String {
    let mut out = String::new();
    if let Some(queries) = &evidence.queries {
        let _ = writeln!(
            out,
            "<h3>Counts</h3>\n<p>Of {} random counts over one to three quasi-identifiers, half are wrong by at \
             most <b>{}</b> and 95% by at most <b>{}</b>. Errors are relative to the count in the original, or to \
             {} where it is less.</p>",
            count(queries.queries as u64),
            percent(queries.median),
            percent(queries.percentile_95),
            bound(queries.sanity_bound)
        );
    }
    out.push_str(&prediction(evidence));
    out.push_str(&correlations(evidence));
    out.push_str(&losses(evidence));
    if let Some(certified) = &evidence.certificate {
        let _ = writeln!(out, "<p>The release {}.</p>", escaped(&text::certified(certified)));
    }
    out
}

/// The count to which errors of smaller counts are relative: a share of the records, but at least
/// one.
fn bound(n_records: f64) -> String {
    if n_records > 1.0 {
        format!("{} records ({} of all)", short(n_records), percent(SHARE_OF_BOUND))
    } else {
        "1 record".to_owned()
    }
}

fn prediction(evidence: &Evidence) -> String {
    let Some(found) = &evidence.classification else { return String::new() };
    let mut table = Table::new(
        "",
        "Share of records that a decision tree predicts wrongly",
        &["Trained on", ">Error"],
    );
    table.row(&["the original values".into(), percent(found.baseline)]);
    table.row(&["the published values".into(), percent(found.error)]);
    table.row(&["nothing: always the most frequent label".into(), percent(found.majority)]);
    format!("<h3>Prediction</h3>\n{}", table.finish())
}

fn correlations(evidence: &Evidence) -> String {
    let Some(found) = &evidence.correlations else { return String::new() };
    let heads = ["Columns", ">Before", ">After", "Measure"];
    let mut table = Table::new("stack", "The pairs that changed most", &heads);
    for pair in &found.pairs {
        let measure =
            if pair.measure == "pearson" { "Pearson’s correlation" } else { "Cramér’s V" };
        table.row(&[
            format!("{}, {}", name(&pair.columns[0]), name(&pair.columns[1])),
            format!("{:.3}", pair.before),
            format!("{:.3}", pair.after),
            measure.to_owned(),
        ]);
    }
    format!(
        "<h3>Dependence between columns</h3>\n<p>The dependence between two of {}, at least one of them \
         a quasi-identifier, changed by {:.4} on average. It is 0 for columns that have nothing to do with each \
         other; 1, or −1 for numbers of which one falls where the other rises, if one column tells the \
         other.</p>\n{}",
        counted(found.columns.len(), "published column"),
        found.mean_difference,
        table.finish()
    )
}

/// Every loss with its formula on demand.
fn losses(evidence: &Evidence) -> String {
    let mut table = Table::new("stack", "", &["Loss", ">Release", "Meaning"]);
    for loss in loss::ALL {
        // Losses that need a class column or levels are absent without them.
        let Some(&found) = evidence.losses.get(loss.name) else { continue };
        let reference = loss.reference.map_or_else(String::new, |key| format!(" [{key}]"));
        table.row(&[
            escaped(loss.name).into_owned(),
            regrouped(&loss.item.written(found)),
            format!(
                "{}<details><summary>Formula</summary>{}{}</details>",
                escaped(loss.about),
                escaped(loss.item.formula()),
                escaped(&reference)
            ),
        ]);
    }
    format!(
        "<h3>Losses</h3>\n<p>Each loss measures in its own way how much detail was given up, so that releases can be \
         compared by the one that suits their use. Unless its meaning says otherwise, 0 is the original and more is \
         worse. The figure on top of this page is <b>ntil</b>.</p>\n{}",
        table.finish()
    )
}
