//! `POST /api/search`: finds columns, values, nodes, runs, words and commands.

use hedgerow::hierarchy::Node;
use hedgerow::noun::grouped;
use hedgerow::table::Code;
use serde::{Deserialize, Serialize};

use super::glossary::WORDS;
use super::{Answer, Call, answer};
use crate::fault::{Done, Fault};
use crate::session::{Session, brief, path_of};
use crate::studio::Studio;

/// Maximum number of hits of each kind.
const MOST: usize = 12;

/// Commands of the page.
const COMMANDS: [(&str, &str); 13] = [
    ("table", "Go to the table and its roles"),
    ("hierarchies", "Go to the hierarchies"),
    ("release", "Go to the release"),
    ("compare", "Go to the comparison"),
    ("report", "Go to the report"),
    ("grow", "Grow hierarchies for all quasi-identifiers"),
    ("run", "Make a release"),
    ("sweep", "Compare several k and methods"),
    ("export", "Export release, report and job file"),
    ("undo", "Undo the last edit"),
    ("redo", "Redo the last edit"),
    ("keys", "Show the keys"),
    ("theme", "Switch between light and dark"),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchRequest {
    q: String,
}

#[derive(Serialize)]
struct Search {
    hits: Vec<Hit>,
}

#[derive(Serialize, Default)]
struct Hit {
    kind: &'static str,
    text: String,
    detail: String,
    column: Option<String>,
    candidate: Option<String>,
    node: Option<usize>,
    command: Option<&'static str>,
    run: Option<u64>,
}

pub(super) fn find(studio: &Studio, call: &Call) -> Done<Answer> {
    let SearchRequest { q } = call.json()?;
    if q.chars().count() > 200 {
        return Err(Fault::request("the text to find is longer than 200 characters"));
    }
    let q = q.trim().to_lowercase();
    let has = |text: &str| text.to_lowercase().contains(&q);
    let mut hits = Vec::new();
    for (command, about) in COMMANDS.iter().filter(|(name, about)| has(name) || has(about)) {
        let text = (*about).to_owned();
        hits.push(Hit { kind: "command", text, command: Some(command), ..Hit::default() });
    }
    if !q.is_empty() {
        let session = studio.session();
        columns_and_values(&session, &q, &mut hits);
        nodes(&session, &has, &mut hits);
        let runs = session.runs.iter().map(|run| (run.id, brief(run, &session)));
        for (id, brief) in runs.filter(|(_, brief)| has(&brief.title)).take(MOST) {
            let detail = format!("run {id}");
            hits.push(Hit {
                kind: "run",
                text: brief.title,
                detail,
                run: Some(id),
                ..Hit::default()
            });
        }
        for (word, about, _) in WORDS.iter().filter(|(word, ..)| has(word)).take(MOST) {
            let (text, detail) = ((*word).to_owned(), (*about).to_owned());
            hits.push(Hit { kind: "word", text, detail, ..Hit::default() });
        }
    }
    answer(&Search { hits })
}

fn columns_and_values(session: &Session, q: &str, hits: &mut Vec<Hit>) {
    let Some(opened) = &session.opened else { return };
    let has = |text: &str| text.to_lowercase().contains(q);
    for (stored, seen) in opened.columns.iter().zip(&opened.inspection.columns) {
        if has(&stored.name) {
            let detail = format!("column, {}", seen.kind);
            let (text, column) = (stored.name.clone(), Some(stored.name.clone()));
            hits.push(Hit { kind: "column", text, detail, column, ..Hit::default() });
        }
    }
    let mut n_values = 0;
    for stored in &opened.columns {
        let Some(column) = &stored.column else { continue };
        // A column of many values is searched up to a point, so that the answer comes at once.
        for code in (0..column.domain.len()).take(200_000) {
            let value = column.domain.values.spelling(code);
            if n_values < MOST && has(&value) {
                n_values += 1;
                let count = grouped(column.domain.count(Code::new(code)));
                let detail = format!("{}, {count} records", stored.name);
                let (candidate, node) = node_of(session, &stored.name, &value).unzip();
                let (text, column) = (value.into_owned(), Some(stored.name.clone()));
                let hit =
                    Hit { kind: "value", text, detail, column, candidate, node, ..Hit::default() };
                hits.push(hit);
            }
        }
    }
}

/// The chosen hierarchy of a column, and the node of a value in it.
fn node_of(session: &Session, column: &str, value: &str) -> Option<(String, usize)> {
    let family = session.families.get(column)?;
    let candidate = family.get(family.chosen.as_deref()?).ok()?;
    let tree = candidate.generalization.hierarchy()?;
    let is_it = |node: &Node| tree.as_leaf(*node).is_some_and(|leaf| tree.spelling(leaf) == value);
    Some((candidate.id.clone(), tree.nodes().find(is_it)?.index()))
}

fn nodes(session: &Session, has: &dyn Fn(&str) -> bool, hits: &mut Vec<Hit>) {
    let mut n_nodes = 0;
    for (column, family) in &session.families {
        let chosen = family.chosen.as_deref().and_then(|id| family.get(id).ok());
        let Some((candidate, tree)) =
            chosen.and_then(|one| Some((one, one.generalization.hierarchy()?)))
        else {
            continue;
        };
        for node in tree.nodes().take(200_000) {
            let label = tree.published(node);
            if n_nodes < MOST && tree.as_leaf(node).is_none() && has(&label) {
                n_nodes += 1;
                hits.push(Hit {
                    kind: "node",
                    text: label.into_owned(),
                    detail: format!("{column}: {}", path_of(tree, node).join(" > ")),
                    column: Some(column.clone()),
                    candidate: Some(candidate.id.clone()),
                    node: Some(node.index()),
                    ..Hit::default()
                });
            }
        }
    }
}
