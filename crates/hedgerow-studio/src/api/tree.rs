//! `GET /api/hierarchies/{column}/{candidate}`: a tree as flat arrays in pre-order.

use std::collections::HashMap;

use hedgerow::hierarchy::{Hierarchy, Node};
use serde::Serialize;

use super::edits::HistoryView;
use super::subject::Subject;
use super::{Answer, Call, answer};
use crate::fault::{Done, Fault};
use crate::session::{LevelCount, findings, leaf_counts, levels};
use crate::studio::Studio;

/// Leaves with fewer records are marked.
const RARE: u64 = 20;

#[derive(Serialize)]
struct Tree {
    column: String,
    candidate: String,
    version: u64,
    kind: &'static str,
    method: String,
    total: usize,
    height: u32,
    values: usize,
    root: usize,
    arrays: Arrays,
    leaf_counts: Vec<u64>,
    axis: Option<Axis>,
    levels: Vec<LevelView>,
    lint: Vec<Finding>,
    rare: Vec<usize>,
    history: HistoryView,
}

#[derive(Serialize, Default)]
struct Arrays {
    node: Vec<usize>,
    parent: Vec<i64>,
    depth: Vec<u32>,
    start: Vec<usize>,
    end: Vec<usize>,
    label: Vec<String>,
    count: Vec<u64>,
    published: Option<Vec<u64>>,
    low: Option<Vec<Option<f64>>>,
    high: Option<Vec<Option<f64>>>,
    locked: Vec<usize>,
    concept: Option<Vec<Option<String>>>,
}

#[derive(Serialize)]
struct Axis {
    least: f64,
    greatest: f64,
}

#[derive(Serialize)]
struct LevelView {
    level: usize,
    nodes: usize,
    smallest: u64,
    below_k: u64,
    published: Option<f64>,
}

#[derive(Serialize)]
struct Finding {
    rule: String,
    message: String,
    node: Option<usize>,
    line: Option<u64>,
}

pub(super) fn get(studio: &Studio, call: &Call) -> Done<Answer> {
    let subject = Subject::of(studio, call.part("column"))?;
    let candidate = subject.family.get(call.part("candidate"))?;
    let tree = candidate.tree()?;
    let root = call.whole("root", 0, 0, u64::MAX)? as usize;
    if root >= tree.len() {
        return Err(Fault::missing(format!("the tree has {} nodes, from 0", tree.len())));
    }
    let px = match call.query("px") {
        None => None,
        Some(text) => {
            let px: Option<f64> = text.parse().ok().filter(|px| (1.0..=1e5).contains(px));
            Some(px.ok_or_else(|| Fault::request("px must be a number from 1 to 100000"))?)
        }
    };
    let column = subject.column()?;
    let counts = leaf_counts(tree, column);
    let published = published(studio, &subject.name, tree);
    let locked = studio.session().job.limit.get(&subject.name).cloned().unwrap_or_default();
    let part = Part { tree, counts: &counts, published: published.as_deref(), root, px };
    let leaves = tree.leaves_of(Node::new(root)).places();
    answer(&Tree {
        column: subject.name.clone(),
        candidate: candidate.id.clone(),
        version: candidate.version,
        kind: tree.kind().name(),
        method: candidate.spec.to_string(),
        total: tree.len(),
        height: tree.height(),
        values: tree.n_leaves(),
        root,
        arrays: part.arrays(&locked),
        leaf_counts: counts[leaves].to_vec(),
        axis: tree
            .leaves()
            .scale()
            .and_then(hedgerow::table::Scale::ends)
            .map(|(least, greatest)| Axis { least, greatest }),
        levels: level_views(tree, &counts, subject.k, published.as_deref()),
        lint: findings(tree, column, 50)
            .into_iter()
            .map(|found| Finding {
                rule: format!("{:?}", found.severity).to_lowercase(),
                message: found.message,
                node: None,
                line: found.line,
            })
            .collect(),
        rare: (counts.iter().enumerate())
            .filter(|&(_, &count)| count > 0 && count < RARE)
            .map(|(leaf, _)| leaf)
            .collect(),
        history: HistoryView::of(candidate, studio, &subject),
    })
}

/// The part of a tree that is sent.
struct Part<'a> {
    tree: &'a Hierarchy,
    counts: &'a [u64],
    published: Option<&'a [u64]>,
    root: usize,
    px: Option<f64>,
}

impl Part<'_> {
    fn arrays(&self, locked: &[String]) -> Arrays {
        let Self { tree, root, .. } = *self;
        let depths = tree.depths();
        let mut below = vec![0u64; self.counts.len() + 1];
        for (place, count) in self.counts.iter().enumerate() {
            below[place + 1] = below[place] + count;
        }
        let whole = tree.leaves_of(Node::new(root));
        let width = whole.places().len().max(1) as f64;
        let is_scaled = tree.leaves().scale().is_some();
        let has_origins = tree.nodes().any(|node| tree.origin(node).is_some());
        let mut arrays = Arrays {
            published: self.published.map(|_| Vec::new()),
            low: is_scaled.then(Vec::new),
            high: is_scaled.then(Vec::new),
            concept: has_origins.then(Vec::new),
            ..Arrays::default()
        };
        for node in tree.nodes().skip(root) {
            let leaves = tree.leaves_of(node);
            // In pre-order, everything below the root follows it without a gap.
            if !whole.covers(&leaves)
                || (node.index() > root && depths[node.index()] <= depths[root])
            {
                break;
            }
            let places = leaves.places();
            if self.px.is_some_and(|px| places.len() as f64 / width * px < 1.0) {
                continue;
            }
            let label = tree.published(node).into_owned();
            if locked.contains(&label) || tree.is_locked(node) {
                arrays.locked.push(node.index());
            }
            arrays.node.push(node.index());
            arrays.parent.push(tree.parent(node).map_or(-1, |parent| parent.index() as i64));
            arrays.depth.push(depths[node.index()]);
            arrays.count.push(below[places.end] - below[places.start]);
            arrays.start.push(places.start);
            arrays.end.push(places.end);
            arrays.label.push(label);
            if let (Some(of), Some(all)) = (&mut arrays.published, self.published) {
                of.push(all[node.index()]);
            }
            let bounds = tree.bounds(node);
            if let Some(low) = &mut arrays.low {
                low.push(bounds.map(|(low, _)| low));
            }
            if let Some(high) = &mut arrays.high {
                high.push(bounds.map(|(_, high)| high));
            }
            if let Some(concepts) = &mut arrays.concept {
                concepts.push(
                    tree.origin(node).and_then(|origin| origin.concept.clone()).map(Into::into),
                );
            }
        }
        arrays
    }
}

/// Number of records that the current run published as each node, if it used this tree.
fn published(studio: &Studio, name: &str, tree: &Hierarchy) -> Option<Vec<u64>> {
    let detail = studio.session().current_run()?.detail.clone()?;
    let (kept, counted) = (&detail.kept, detail.kept.counted());
    let problem = kept.release().recoding().problem();
    let used = problem.attributes().iter().find(|attribute| attribute.name() == name)?;
    let used = used.generalization().hierarchy()?;
    // The run may have used another candidate, whose labels say nothing about this one.
    let is_same = used.len() == tree.len()
        && tree.nodes().all(|node| used.published(node) == tree.published(node));
    if !is_same {
        return None;
    }
    let mut node_of: HashMap<String, usize> = HashMap::new();
    for node in tree.nodes() {
        node_of.entry(tree.published(node).into_owned()).or_insert(node.index());
    }
    let shown = counted.shown.columns().iter().find(|column| column.name == name)?;
    let mut records = vec![0; tree.len()];
    for code in shown.domain.codes() {
        if let Some(&node) = node_of.get(&*shown.domain.spelling(code)) {
            records[node] += shown.domain.count(code);
        }
    }
    Some(records)
}

fn level_views(
    tree: &Hierarchy,
    counts: &[u64],
    k: u64,
    published: Option<&[u64]>,
) -> Vec<LevelView> {
    let (depths, height) = (tree.depths(), tree.height());
    let mut on_level = vec![0u64; height as usize + 1];
    for (node, &records) in tree.nodes().zip(published.unwrap_or_default()) {
        // Values are on the last level, wherever their leaves are.
        let is_leaf = tree.as_leaf(node).is_some();
        on_level[if is_leaf { height } else { depths[node.index()] } as usize] += records;
    }
    let sum = on_level.iter().sum::<u64>().max(1) as f64;
    let share = |level: usize| published.map(|_| on_level[level] as f64 / sum);
    let view = |(level, found): (usize, &LevelCount)| LevelView {
        level,
        nodes: found.nodes,
        smallest: if found.nodes == 0 { 0 } else { found.smallest },
        below_k: found.below_k,
        published: share(level),
    };
    levels(tree, counts, k).iter().enumerate().map(view).collect()
}
