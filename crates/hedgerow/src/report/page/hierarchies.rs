//! Each hierarchy with a picture, the reason for its choice, and the levels that were published.

use std::fmt::Write;

use super::html::{escaped, name, percent};
use crate::chart::{Icicle, shortened};
use crate::noun::counted;
use crate::report::{Evidence, HierarchyEvidence};

/// Nodes that all pictures together may have.
const MOST_NODES: usize = 6_000;
/// Hierarchies after these have no picture.
const MOST_PICTURES: usize = 40;
/// Maximum number of levels that are listed for a hierarchy.
const MOST_LEVELS: usize = 12;
/// Maximum number of characters of the reason for a choice.
const MOST_OF_REASON: usize = 600;

pub(super) fn body(evidence: &Evidence) -> Option<String> {
    let known: Vec<&HierarchyEvidence> = evidence
        .hierarchies
        .iter()
        .filter(|tree| !tree.method.is_empty() || tree.nodes > 0)
        .collect();
    let n_pictures = known.iter().filter(|tree| tree.picture.is_some()).take(MOST_PICTURES).count();
    let mut out = String::new();
    if n_pictures > 0 {
        out.push_str(
            "<p>A hierarchy is a tree that says into what a value can be blurred: a value, then groups that contain it, \
             up to everything (the root). In a picture, the root is on top and values are at the bottom; the stronger the colour of a node, the more of its \
             records are published as it.</p>\n",
        );
    }
    for (place, tree) in known.iter().enumerate() {
        out.push_str("<div class=\"tree\">\n");
        out.push_str(&described(tree));
        if let Some(picture) = tree.picture.as_ref().filter(|_| place < MOST_PICTURES) {
            // Pictures share the limit, so that the page stays below 500 kB for any number of
            // columns.
            let most = MOST_NODES / n_pictures.max(1);
            let _ = writeln!(out, "<div class=\"icicle\">{}</div>", drawn(picture, most));
        }
        out.push_str("</div>\n");
    }
    (!known.is_empty()).then_some(out)
}

fn drawn(picture: &Icicle, most: usize) -> String {
    Icicle { most: picture.most.min(most), ..picture.clone() }.svg().finish()
}

fn described(tree: &HierarchyEvidence) -> String {
    let shape = match tree.nodes {
        0 => "no tree".to_owned(),
        nodes => format!("{}, height {}", counted(nodes, "node"), tree.height),
    };
    let method = if tree.method.is_empty() { "given" } else { &tree.method };
    let why = tree.why.as_ref();
    let why = why.map_or_else(String::new, |why| format!("; {}", shortened(why, MOST_OF_REASON)));
    let mut out = format!(
        "<h3>{}</h3>\n<p>{}, {shape}{}.</p>\n",
        name(&tree.column),
        escaped(&shortened(method, 200)),
        escaped(&why)
    );
    if !tree.levels.is_empty() {
        let _ =
            writeln!(out, "<p class=\"mute small\">Published: {}.</p>", levels(tree).join(", "));
    }
    out
}

/// Describes the published levels, the lowest first.
fn levels(tree: &HierarchyEvidence) -> Vec<String> {
    // Shares are of the records that a node publishes, not of all.
    let total = tree.levels.iter().map(|level| level.records).sum::<u64>().max(1) as f64;
    let told = |what: &str, records: u64, nodes: usize| {
        let share = percent(records as f64 / total);
        format!("{what} {share} of the records ({})", counted(nodes, "node"))
    };
    // Deep trees publish on many levels.
    let (first, others) = tree.levels.split_at(tree.levels.len().min(MOST_LEVELS));
    let mut all: Vec<String> = (first.iter())
        .map(|level| {
            let which = match level.level {
                0 => "values".to_owned(),
                top if top == tree.height => "the root".to_owned(),
                level => format!("level {level}"),
            };
            told(&which, level.records, level.nodes)
        })
        .collect();
    if !others.is_empty() {
        let (records, nodes) = others
            .iter()
            .fold((0, 0), |(records, nodes), of| (records + of.records, nodes + of.nodes));
        all.push(told(&counted(others.len(), "higher level"), records, nodes));
    }
    all
}
