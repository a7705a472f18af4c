//! `/api/hierarchies/{column}/{candidate}/edits`: changes of a tree, with previews, undo and redo.

use std::time::Instant;

use hedgerow::edit::{self, Operation, Part};
use hedgerow::hierarchy::{Hierarchy, Leaf, Node};
use hedgerow::registry::Registry;
use serde::{Deserialize, Serialize};

use super::subject::{MOST_AT_ONCE, Sample, Subject, stale};
use super::{Answer, Call, answer, rank};
use crate::fault::{Done, Fault};
use crate::session::{
    Candidate, Edits, SpecChange, Tried, about, check_spec, findings, lowest_level, spec_of,
};
use crate::studio::Studio;

/// Maximum number of findings in figures.
const MOST_FINDINGS: usize = 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EditRequest {
    version: u64,
    operation: Asked,
    /// Weights of the four aspects, which the candidates are ranked by.
    #[serde(default)]
    weights: Option<String>,
}

/// An operation on nodes by their numbers in the tree of a version.
#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case", deny_unknown_fields)]
enum Asked {
    Rename {
        node: usize,
        label: String,
    },
    Merge {
        nodes: Vec<usize>,
        #[serde(default)]
        label: Option<String>,
    },
    Split {
        node: usize,
        at: Vec<usize>,
        #[serde(default)]
        labels: Vec<String>,
    },
    Move {
        node: usize,
        to: usize,
    },
    MoveCut {
        node: usize,
        to: usize,
    },
    Insert {
        nodes: Vec<usize>,
        #[serde(default)]
        label: Option<String>,
    },
    InsertLevel {
        node: usize,
    },
    Remove {
        node: usize,
    },
    Prune {
        node: usize,
    },
    Lock {
        node: usize,
    },
    Unlock {
        node: usize,
    },
    Sense {
        value: String,
        concept: String,
    },
    Regrow {
        node: usize,
        method: String,
        #[serde(default)]
        parameters: serde_json::Map<String, serde_json::Value>,
    },
}

/// The edits of a tree that were done and undone.
#[derive(Serialize, Default)]
pub(super) struct HistoryView {
    version: u64,
    done: Vec<StepView>,
    undone: Vec<StepView>,
    file: Option<String>,
}

#[derive(Serialize)]
struct StepView {
    number: usize,
    about: String,
}

#[derive(Serialize)]
struct FiguresView {
    loss: Option<f64>,
    release_loss: Option<f64>,
    height: u32,
    nodes: usize,
    lowest_level: Option<u32>,
    place: Option<usize>,
    of: usize,
    rank: Option<usize>,
    ranked: usize,
    lint: Vec<String>,
}

#[derive(Serialize)]
struct PreviewView {
    about: String,
    now: FiguresView,
    then: FiguresView,
    milliseconds: f64,
}

#[derive(Serialize)]
struct EditedView {
    about: String,
    history: HistoryView,
    figures: FiguresView,
}

impl HistoryView {
    /// The history of a candidate.
    pub(super) fn of(candidate: &Candidate, studio: &Studio, subject: &Subject) -> Self {
        let Some(edits) = &candidate.edits else {
            return Self { version: candidate.version, ..Self::default() };
        };
        let steps = |all: &mut dyn Iterator<Item = &Operation>| -> Vec<StepView> {
            all.zip(1..).map(|(one, number)| StepView { number, about: about(one) }).collect()
        };
        let n_done = edits.history.done().len();
        let mut undone = steps(&mut edits.history.undone());
        undone.iter_mut().for_each(|step| step.number += n_done);
        Self {
            version: candidate.version,
            done: steps(&mut edits.history.done()),
            undone,
            file: Some(studio.folder.relative(&subject.base.join(&edits.file))),
        }
    }
}

pub(super) fn get(studio: &Studio, call: &Call) -> Done<Answer> {
    let subject = Subject::of(studio, call.part("column"))?;
    let candidate = subject.family.get(call.part("candidate"))?;
    candidate.tree()?;
    answer(&HistoryView::of(candidate, studio, &subject))
}

/// Shows the changes that an operation would make; nothing is stored.
pub(super) fn preview(studio: &Studio, call: &Call) -> Done<Answer> {
    let start = Instant::now();
    let request: EditRequest = call.json()?;
    let subject = Subject::of(studio, call.part("column"))?;
    let candidate = subject.family.get(call.part("candidate"))?;
    let tree = candidate.tree()?;
    let operation = operation(studio, &subject, candidate, &request)?;
    let edited = edit::apply(tree, &operation)?;
    let measured = Measured::of(&subject, &candidate.id, request.weights.as_deref())?;
    let now = candidate.tried.clone().filter(|_| candidate.is_tried_in(&measured.sample.setting));
    let now = now.unwrap_or_else(|| measured.tried(tree));
    let then = measured.tried(&edited.tree);
    let (now, then) = (measured.figures(tree, &now)?, measured.figures(&edited.tree, &then)?);
    let milliseconds = 1e3 * start.elapsed().as_secs_f64();
    answer(&PreviewView { about: about(&operation), now, then, milliseconds })
}

pub(super) fn apply(studio: &Studio, call: &Call) -> Done<Answer> {
    let request: EditRequest = call.json()?;
    changed(studio, call, |subject, candidate| {
        let operation = operation(studio, subject, candidate, &request)?;
        let text = about(&operation);
        let mut edits = match candidate.edits.clone() {
            Some(edits) => edits,
            None => Edits::new(candidate, &subject.shelf())?,
        };
        edits.history.apply(operation)?;
        candidate.edits = Some(edits);
        Ok(text)
    })
}

pub(super) fn undo(studio: &Studio, call: &Call) -> Done<Answer> {
    changed(studio, call, |_, candidate| {
        let edits = candidate.edits.as_mut();
        let undone =
            edits.map(|edits| edits.history.undo().map(|one| one.map(about))).transpose()?;
        undone.flatten().ok_or_else(|| Fault::conflict("there is nothing to undo"))
    })
}

pub(super) fn redo(studio: &Studio, call: &Call) -> Done<Answer> {
    changed(studio, call, |_, candidate| {
        let edits = candidate.edits.as_mut();
        let done = edits.map(|edits| edits.history.redo().map(|one| one.map(about))).transpose()?;
        done.flatten().ok_or_else(|| Fault::conflict("there is nothing to do again"))
    })
}

/// Changes a candidate, keeps its edits in their file, and returns its figures.
fn changed(
    studio: &Studio,
    call: &Call,
    change: impl FnOnce(&Subject, &mut Candidate) -> Done<String>,
) -> Done<Answer> {
    let mut subject = Subject::of(studio, call.part("column"))?;
    let mut candidate = subject.family.get(call.part("candidate"))?.clone();
    candidate.tree()?;
    let about = change(&subject, &mut candidate)?;
    candidate.take_tree();
    candidate.version += 1;
    let measured = Measured::of(&subject, &candidate.id, None)?;
    let tried = measured.tried(candidate.tree()?);
    let figures = measured.figures(candidate.tree()?, &tried)?;
    candidate.tried = Some(tried);
    let history = HistoryView::of(&candidate, studio, &subject);
    let id = candidate.id.clone();
    let place = subject.family.candidates.iter().position(|one| one.id == id);
    if let Some(place) = place {
        subject.family.candidates[place] = candidate;
    }
    // Another tab may have changed the same tree while this request was computed.
    subject.store(studio)?;
    answer(&EditedView { about, history, figures })
}

#[expect(clippy::too_many_lines, reason = "one arm for each operation")]
/// The operation of a request, with nodes named by the values that they cover.
fn operation(
    studio: &Studio,
    subject: &Subject,
    candidate: &Candidate,
    request: &EditRequest,
) -> Done<Operation> {
    if request.version != candidate.version {
        return Err(stale());
    }
    let tree = candidate.tree()?;
    let named = |number: usize| {
        if number >= tree.len() {
            return Err(Fault::input(format!("the tree has {} nodes, from 0", tree.len())));
        }
        Ok(edit::Address::of(tree, Node::new(number)))
    };
    let all =
        |numbers: &[usize]| numbers.iter().map(|&number| named(number)).collect::<Done<Vec<_>>>();
    let value = |leaf: usize| {
        if leaf >= tree.n_leaves() {
            return Err(Fault::input(format!("the tree has {} values, from 0", tree.n_leaves())));
        }
        Ok(tree.spelling(Leaf::new(leaf)).into_owned())
    };
    Ok(match &request.operation {
        Asked::Rename { node, label } => {
            Operation::Rename { node: named(*node)?, label: Some(label.clone()) }
        }
        Asked::Merge { nodes, label } => {
            Operation::Merge { nodes: all(nodes)?, label: label.clone() }
        }
        Asked::Split { node, at, .. } if tree.leaves().scale().is_some() => {
            let [at] = at[..] else {
                return Err(Fault::input("a range is split at one place at a time"));
            };
            Operation::SplitAt { node: named(*node)?, at: value(at)? }
        }
        Asked::Split { node, at, labels } => {
            let group = Part { label: labels.first().cloned(), nodes: all(at)? };
            Operation::SplitBy { node: named(*node)?, groups: vec![group] }
        }
        Asked::Move { node, to } => Operation::Move { node: named(*node)?, below: named(*to)? },
        Asked::MoveCut { node, to } => {
            named(*node)?;
            let after = tree.leaves_of(Node::new(*node)).places().end;
            Operation::MoveCut { from: value(after)?, to: value(*to)? }
        }
        Asked::Insert { nodes, label } => {
            Operation::Insert { nodes: all(nodes)?, label: label.clone() }
        }
        Asked::InsertLevel { node } => {
            Operation::Insert { nodes: vec![named(*node)?], label: None }
        }
        Asked::Remove { node } => Operation::Remove { node: named(*node)? },
        Asked::Prune { node } => Operation::Prune { node: named(*node)? },
        Asked::Lock { node } => Operation::Lock { node: named(*node)? },
        Asked::Unlock { node } => Operation::Unlock { node: named(*node)? },
        Asked::Sense { value, concept } => {
            Operation::SetSense { value: value.clone(), sense: concept.clone() }
        }
        Asked::Regrow { node, method, parameters } => {
            let change = SpecChange { name: method.clone(), parameters: parameters.clone() };
            let spec = spec_of(&change)?;
            check_spec(Registry::Hierarchy, &spec, &subject.base, &studio.folder)?;
            let method = Registry::Hierarchy.in_directory(&spec, &subject.base);
            Operation::Regrow { node: named(*node)?, method }
        }
    })
}

/// The sample and the other candidates that figures of trees are compared with.
struct Measured<'a> {
    subject: &'a Subject,
    sample: Sample,
    /// The candidate whose tree is measured.
    id: &'a str,
    weights: Option<&'a str>,
    /// Losses of the other candidates; `None` while too many of them are tried in the background.
    others: Option<Vec<f64>>,
}

impl<'a> Measured<'a> {
    fn of(subject: &'a Subject, id: &'a str, weights: Option<&'a str>) -> Done<Self> {
        let sample = subject.sample()?;
        let outdated = subject.outdated().filter(|one| one.id != id).count();
        let loss = |one: &Candidate| {
            if one.is_tried_in(&sample.setting) {
                one.loss()
            } else {
                sample.tried(one.generalization.clone()).loss
            }
        };
        let others = subject.family.candidates.iter().filter(|one| one.id != id);
        let others = (outdated <= MOST_AT_ONCE).then(|| others.filter_map(loss).collect());
        Ok(Self { subject, sample, id, weights, others })
    }

    fn tried(&self, tree: &Hierarchy) -> Tried {
        self.sample.tried(tree.clone().into())
    }

    fn figures(&self, tree: &Hierarchy, tried: &Tried) -> Done<FiguresView> {
        let column = self.subject.column()?;
        let better = |loss: f64, all: &[f64]| all.iter().filter(|&&other| other < loss).count();
        let place = tried.loss.zip(self.others.as_ref()).map(|(loss, all)| 1 + better(loss, all));
        let found = findings(tree, column, MOST_FINDINGS);
        let rank = rank::place(self.subject, self.weights, self.id, tree)?;
        Ok(FiguresView {
            loss: tried.loss,
            release_loss: tried.release,
            height: tree.height(),
            nodes: tree.len(),
            lowest_level: lowest_level(tree, column, self.subject.k),
            place,
            of: self
                .others
                .as_ref()
                .map_or(self.subject.family.candidates.len(), |all| all.len() + 1),
            rank: rank.map(|(place, _)| place),
            ranked: rank.map_or(0, |(_, of)| of),
            lint: found.into_iter().map(|found| found.message).collect(),
        })
    }
}
