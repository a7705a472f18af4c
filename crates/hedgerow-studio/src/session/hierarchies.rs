//! The hierarchies of a column: candidates, the chosen one, and their losses.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use hedgerow::format::Draft;
use hedgerow::format::lint::{self, Finding};
use hedgerow::hierarchy::{Generalization, Hierarchy, Leaf, Node};
use hedgerow::method::Spec;
use hedgerow::table::Column;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Edits, Setting, Tried};
use crate::fault::{Done, Fault};

/// The candidates of a column.
#[derive(Clone, Default)]
pub(crate) struct Family {
    pub(crate) candidates: Vec<Candidate>,
    /// The id of the candidate that releases use; `None` leaves the choice to `auto`.
    pub(crate) chosen: Option<String>,
    /// Values without which the root of a hierarchy of words would be narrower.
    pub(crate) pins: Vec<String>,
    /// The file with the meanings of values, relative to the folder of the job.
    #[cfg(feature = "wordnet")]
    pub(crate) senses: Option<PathBuf>,
}

/// A hierarchy that the column can get.
#[derive(Clone)]
pub(crate) struct Candidate {
    /// In addresses.
    pub(crate) id: String,
    /// On the page.
    pub(crate) name: String,
    /// The method or file as in a job file; paths are relative to the folder of the job.
    pub(crate) spec: Spec,
    /// The file, relative to the start folder.
    pub(crate) file: Option<String>,
    pub(crate) generalization: Generalization,
    /// The result of a trial; `None` if it was not tried.
    pub(crate) tried: Option<Tried>,
    pub(crate) why: Option<String>,
    /// Grows with every edit, undo and redo.
    pub(crate) version: u64,
    pub(crate) edits: Option<Edits>,
}

/// A candidate as the page lists it.
#[derive(Serialize)]
pub(crate) struct CandidateView {
    id: String,
    name: String,
    method: String,
    file: Option<String>,
    kind: &'static str,
    nodes: usize,
    height: u32,
    values: usize,
    loss: Option<f64>,
    lowest_level: Option<u32>,
    edits: usize,
    chosen: bool,
    why: Option<String>,
    problem: Option<String>,
    pins_root: Vec<String>,
}

impl Family {
    /// A candidate by its id.
    pub(crate) fn get(&self, id: &str) -> Done<&Candidate> {
        let found = self.candidates.iter().find(|candidate| candidate.id == id);
        found.ok_or_else(|| Fault::missing(format!("there is no candidate '{id}'")))
    }

    /// The chosen candidate as in the job file: its method or file, and its edits.
    pub(crate) fn chosen_spec(&self) -> Option<(Spec, Option<PathBuf>)> {
        let candidate = self.get(self.chosen.as_deref()?).ok()?;
        let edits = candidate.edits.as_ref().map(|edits| edits.file.clone());
        Some((candidate.spec.clone(), edits))
    }

    /// Adds a candidate; one with the same method is replaced, and its edits are made again.
    pub(crate) fn add(&mut self, mut candidate: Candidate) -> Done<String> {
        let same = self.candidates.iter_mut().find(|other| other.spec == candidate.spec);
        if let Some(old) = same {
            candidate.id.clone_from(&old.id);
            candidate.replace(old)?;
            let id = candidate.id.clone();
            *old = candidate;
            return Ok(id);
        }
        let is_taken = |id: &str| self.candidates.iter().any(|other| other.id == id);
        let mut id = candidate.id.clone();
        let mut number = 2;
        while is_taken(&id) {
            id = format!("{}-{number}", candidate.id);
            number += 1;
        }
        candidate.id.clone_from(&id);
        self.candidates.push(candidate);
        Ok(id)
    }

    /// The candidates as the page lists them, those that lose least first.
    pub(crate) fn views(&self, column: &Column, k: u64) -> Vec<CandidateView> {
        let mut candidates: Vec<&Candidate> = self.candidates.iter().collect();
        candidates.sort_by(|a, b| {
            let order = |candidate: &Candidate| candidate.loss().unwrap_or(f64::INFINITY);
            order(a).total_cmp(&order(b))
        });
        candidates.into_iter().map(|candidate| self.view(candidate, column, k)).collect()
    }

    fn view(&self, candidate: &Candidate, column: &Column, k: u64) -> CandidateView {
        let generalization = &candidate.generalization;
        let tree = generalization.hierarchy();
        let kind = match generalization {
            Generalization::Tree(_) => "tree",
            Generalization::Levels(_) => "levels",
            _ => "free",
        };
        CandidateView {
            id: candidate.id.clone(),
            name: candidate.name.clone(),
            method: candidate.spec.to_string(),
            file: candidate.file.clone(),
            kind,
            nodes: tree.map_or(0, Hierarchy::len),
            height: generalization.n_levels().saturating_sub(1),
            values: generalization.values().len(),
            loss: candidate.loss(),
            lowest_level: tree.and_then(|tree| lowest_level(tree, column, k)),
            edits: candidate.n_edits(),
            chosen: self.chosen.as_ref() == Some(&candidate.id),
            why: candidate.why.clone(),
            problem: problem(candidate, column),
            pins_root: self.pins.clone(),
        }
    }
}

/// The reason why a candidate cannot be used for its column.
fn problem(candidate: &Candidate, column: &Column) -> Option<String> {
    let ground = candidate.generalization.ground()?;
    ground.bind(&column.domain).err().map(|error| error.problem())
}

impl Candidate {
    /// A candidate for something that was built.
    pub(crate) fn of(spec: &Spec, generalization: Generalization) -> Self {
        let name = spec.to_string();
        Self {
            id: address(&name),
            name,
            spec: spec.clone(),
            file: None,
            generalization,
            tried: None,
            why: None,
            version: 0,
            edits: None,
        }
    }

    /// Loss of the column in the last trial.
    pub(crate) fn loss(&self) -> Option<f64> {
        self.tried.as_ref().and_then(|tried| tried.loss)
    }

    /// Whether it was tried with the present hierarchies of the other columns.
    pub(crate) fn is_tried_in(&self, setting: &Setting) -> bool {
        self.tried.as_ref().is_some_and(|tried| tried.setting.is(setting))
    }

    /// Uses the tree of the history.
    pub(crate) fn take_tree(&mut self) {
        if let Some(edits) = &self.edits {
            self.generalization = edits.history.tree().clone().into();
        }
    }

    /// Makes the edits of a candidate that this one replaces, and continues its versions.
    ///
    /// # Errors
    ///
    /// A conflict if an edit cannot be made, so that none is lost without notice.
    pub(crate) fn replace(&mut self, old: &Self) -> Done<()> {
        self.version = old.version + 1;
        self.edits = old.edits.as_ref().map(|edits| edits.made_to(self)).transpose()?;
        self.take_tree();
        Ok(())
    }

    /// Writes the edits to their file, so that they survive a restart.
    pub(crate) fn keep_edits(&self, base: &Path) -> Done<()> {
        self.edits.as_ref().map_or(Ok(()), |edits| edits.keep(base))
    }

    /// Number of edits that are applied.
    pub(crate) fn n_edits(&self) -> usize {
        self.edits.as_ref().map_or(0, |edits| edits.history.done().len())
    }

    /// The tree, or why there is none.
    pub(crate) fn tree(&self) -> Done<&Hierarchy> {
        self.generalization.hierarchy().ok_or_else(|| {
            Fault::input(format!("'{}' is not a tree, so it cannot be drawn or edited", self.name))
        })
    }
}

/// A name as part of an address: letters, digits and dashes.
pub(crate) fn address(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let mut text: String = name.chars().map(plain).collect();
    while text.contains("--") {
        text = text.replace("--", "-");
    }
    let text = text.trim_matches('-');
    // Part of an address; a file name of any length is cut.
    text.get(..text.len().min(60)).filter(|text| !text.is_empty()).unwrap_or("hierarchy").to_owned()
}

/// A name as part of a file name. Names that differ only in what file names cannot have, or in
/// case, get different parts.
pub(crate) fn file_part(name: &str) -> String {
    let plain = address(name);
    if plain == name {
        return plain;
    }
    let digest = Sha256::digest(name.as_bytes());
    digest.iter().take(4).fold(plain + "-", |part, byte| format!("{part}{byte:02x}"))
}

/// Records below every leaf of a tree, counted in a column. Leaves that the column lacks have none.
pub(crate) fn leaf_counts(tree: &Hierarchy, column: &Column) -> Vec<u64> {
    let mut counts = vec![0; tree.n_leaves()];
    // A search for each of many values would take a minute.
    let mut leaf_of: HashMap<Cow<'_, str>, usize> = HashMap::with_capacity(counts.len());
    for leaf in 0..counts.len() {
        leaf_of.entry(tree.spelling(Leaf::new(leaf))).or_insert(leaf);
    }
    for code in column.domain.codes() {
        if let Some(&leaf) = leaf_of.get(&*column.domain.spelling(code)) {
            counts[leaf] += column.domain.count(code);
        }
    }
    counts
}

/// A level of a tree, counted from the root.
#[derive(Clone, Copy)]
pub(crate) struct LevelCount {
    pub(crate) nodes: usize,
    pub(crate) smallest: u64,
    pub(crate) below_k: u64,
}

/// The levels of a tree from its root down. A leaf is also on all levels below its own.
pub(crate) fn levels(tree: &Hierarchy, counts: &[u64], k: u64) -> Vec<LevelCount> {
    let depths = tree.depths();
    let height = depths.iter().copied().max().unwrap_or(0);
    let mut below = vec![0u64; counts.len() + 1];
    for (place, count) in counts.iter().enumerate() {
        below[place + 1] = below[place] + count;
    }
    let empty = LevelCount { nodes: 0, smallest: u64::MAX, below_k: 0 };
    let mut levels = vec![empty; height as usize + 1];
    // Leaves are on their own level and on all below it, so they are carried downwards.
    let mut leaves = levels.clone();
    for node in tree.nodes() {
        let places = tree.leaves_of(node).places();
        let records = below[places.end] - below[places.start];
        // Values that no record has are not published, so they fail no class.
        if records == 0 {
            continue;
        }
        let of = if tree.as_leaf(node).is_some() { &mut leaves } else { &mut levels };
        let level = &mut of[depths[node.index()] as usize];
        level.nodes += 1;
        level.smallest = level.smallest.min(records);
        level.below_k += if records < k { records } else { 0 };
    }
    let mut carried = empty;
    for (level, new) in levels.iter_mut().zip(&leaves) {
        carried.nodes += new.nodes;
        carried.smallest = carried.smallest.min(new.smallest);
        carried.below_k += new.below_k;
        level.nodes += carried.nodes;
        level.smallest = level.smallest.min(carried.smallest);
        level.below_k += carried.below_k;
    }
    levels
}

/// The deepest level on which every node has at least `k` records.
pub(crate) fn lowest_level(tree: &Hierarchy, column: &Column, k: u64) -> Option<u32> {
    let levels = levels(tree, &leaf_counts(tree, column), k);
    (0u32..).zip(&levels).filter(|(_, level)| level.below_k == 0).map(|(level, _)| level).last()
}

/// A hierarchy file, relative to the folder of the job.
pub(crate) fn file_spec(path: &Path) -> Spec {
    let mut spec = Spec::named("file");
    let text = path.to_string_lossy().replace('\\', "/");
    spec.parameters.insert("path".into(), toml::Value::String(text));
    spec
}

/// Trees with more nodes are not checked as files would be, which takes longer than a click may.
const MOST_CHECKED: usize = 20_000;

/// Returns the findings of a check of a tree as a file.
pub(crate) fn findings(tree: &Hierarchy, column: &Column, most: usize) -> Vec<Finding> {
    if tree.len() > MOST_CHECKED {
        return Vec::new();
    }
    let mut found = lint::check(&Draft::of(tree), Some(column));
    found.truncate(most);
    found
}

/// The chain of labels from the root to a node.
pub(crate) fn path_of(tree: &Hierarchy, node: Node) -> Vec<String> {
    let mut path = vec![tree.label(node).into_owned()];
    let mut at = node;
    while let Some(parent) = tree.parent(at) {
        path.push(tree.label(parent).into_owned());
        at = parent;
    }
    path.reverse();
    path
}
