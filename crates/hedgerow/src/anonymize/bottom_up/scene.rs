//! The search step by step: the generalizations that were considered and taken, and the index.

use super::cut::Step;
use super::path::Path;
use super::tea::Tea;
use super::walk::{Stride, Walk, label};
use super::{BottomUp, Search, grown};
use crate::chart::{Trie, TrieNode};
use crate::error::Advice;
use crate::hierarchy::{Hierarchy, Node};
use crate::noun::counted;
use crate::problem::Problem;
use crate::progress::{Progress, stop_if_cancelled};
use crate::{Error, Result};

/// Maximum number of vids of an index that is shown.
const MOST_VIDS: usize = 100;

/// The state before a step of the search, and the generalizations that the step considered. The
/// last scene has no step.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Scene {
    /// A(VID): the number of records of the smallest vid.
    pub smallest: u64,
    /// Every valid generalization, in the order of attributes and nodes.
    pub considered: Vec<Considered>,
    /// The index.
    pub index: Trie,
}

/// A valid generalization.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Considered {
    /// The attribute.
    pub attribute: String,
    /// The node that replaces its children.
    pub node: String,
    /// I(G).
    pub loss: f64,
    /// The size of the smallest vid after it.
    pub after: u64,
    /// P(G); it is critical if this is not 0.
    pub gain: u64,
    /// Whether it merges every smallest vid with another, so that it can be critical.
    pub is_candidate: bool,
    /// Whether the search takes it.
    pub is_chosen: bool,
}

/// A generalization that the search took, and its effect.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub(crate) struct Taken {
    /// The attribute.
    pub attribute: String,
    /// The node that replaces its children.
    pub node: String,
    /// I(G).
    pub loss: f64,
    /// P(G).
    pub gain: u64,
    /// The size of the smallest vid after it.
    pub smallest: u64,
    /// Number of vids after it.
    pub n_vids: usize,
    /// Number of generalizations that were valid.
    pub n_valid: usize,
    /// Number of these that merge every smallest vid with another.
    pub n_candidates: usize,
    /// Number of those that are critical.
    pub n_critical: usize,
}

impl BottomUp {
    /// Returns the generalizations that the search takes until the goal is met.
    pub(crate) fn steps(&self, problem: &Problem, progress: &dyn Progress) -> Result<Vec<Taken>> {
        let with_trees = grown::with_trees(problem)?;
        let problem = with_trees.as_ref().unwrap_or(problem);
        let path = Path::search(&Self { until: None, ..*self }, problem, progress)?;
        let taken = |stride: &Stride| {
            let attribute = &problem.attributes()[stride.step.attribute];
            Taken {
                attribute: attribute.name().to_owned(),
                node: label(attribute, &stride.step),
                loss: stride.loss,
                gain: stride.gain,
                smallest: stride.smallest,
                n_vids: stride.n_vids,
                n_valid: stride.n_valid,
                n_candidates: stride.n_candidates,
                n_critical: stride.n_critical,
            }
        };
        Ok(path.strides().iter().map(taken).collect())
    }

    /// Returns the search step by step, with the TEA index before each step. Fails if the index is
    /// too large to be shown.
    ///
    /// # References
    ///
    /// \[Wang2004\], section 5.2, figure 2 and example 1; METHODS 4.1 and 4.2.
    pub(crate) fn scenes(&self, problem: &Problem, progress: &dyn Progress) -> Result<Vec<Scene>> {
        let with_trees = grown::with_trees(problem)?;
        let problem = with_trees.as_ref().unwrap_or(problem);
        let method = Self { search: Search::Pruning, until: None, ..*self };
        let mut walk = Walk::new(&method, problem)?;
        let n_vids = walk.counts().len();
        if n_vids > MOST_VIDS {
            let vids = counted(n_vids, "combination");
            let problem = format!("its index has {vids} of values, too many to draw them");
            let few = format!("use at most {MOST_VIDS} combinations, or write the trace as CSV");
            return Err(Error::method("bottom-up", problem).advise([Advice::words(few)]));
        }
        let mut scenes = Vec::new();
        loop {
            stop_if_cancelled(progress)?;
            let mut scene = scene(&walk, problem)?;
            let steps = valid(&walk);
            let stride = if walk.is_met() { None } else { walk.stride() };
            let Some(stride) = stride else {
                scenes.push(scene);
                return Ok(scenes);
            };
            for (considered, step) in scene.considered.iter_mut().zip(steps) {
                considered.is_chosen = step == stride.step;
            }
            scenes.push(scene);
        }
    }
}

/// The valid generalizations, in the order of attributes and nodes.
fn valid(walk: &Walk<'_>) -> Vec<Step> {
    let mut steps: Vec<Step> = walk.cut.open().collect();
    steps.sort_unstable();
    steps
}

fn scene(walk: &Walk<'_>, problem: &Problem) -> Result<Scene> {
    let Some(tea) = walk.index() else {
        return Err(Error::Internal("bottom-up has no index to show".into()));
    };
    let candidates = walk.candidates();
    let considered = |step: Step| {
        let attribute = &problem.attributes()[step.attribute];
        Considered {
            attribute: attribute.name().to_owned(),
            node: label(attribute, &step),
            loss: walk.cut.loss(&step),
            after: walk.counts().smallest_after(&step),
            gain: walk.gain(&step),
            is_candidate: candidates.contains(&step),
            is_chosen: false,
        }
    };
    Ok(Scene {
        smallest: walk.counts().smallest(),
        considered: valid(walk).into_iter().map(considered).collect(),
        index: trie(tea, walk, problem),
    })
}

/// Draws the index. A segment is a run of siblings that a valid generalization replaces.
fn trie(tea: &Tea<'_>, walk: &Walk<'_>, problem: &Problem) -> Trie {
    let trees = walk.cut.trees();
    let steps = valid(walk);
    let smallest = walk.counts().smallest();
    let mut trie = Trie {
        levels: problem.attributes().iter().map(|attribute| attribute.name().to_owned()).collect(),
        nodes: Vec::new(),
    };
    // Depth first with a stack: an entry, its level and its parent in the drawing.
    let children = |entry: u32, level: usize, parent: Option<usize>| {
        tea.children_of(entry).iter().rev().map(move |&child| (child, level, parent))
    };
    let mut open: Vec<(u32, usize, Option<usize>)> = children(0, 0, None).collect();
    while let Some((entry, level, parent)) = open.pop() {
        let node = tea.label_of(entry);
        let is_end = level + 1 == trees.len();
        let count = is_end.then(|| tea.count_of(entry));
        trie.nodes.push(TrieNode {
            parent,
            level,
            label: trees[level].label(node).into_owned(),
            segment: segment(&steps, trees[level], level, node)
                .map(|step| label(&problem.attributes()[level], step)),
            count,
            is_marked: count == Some(smallest),
        });
        open.extend(children(entry, level + 1, Some(trie.nodes.len() - 1)));
    }
    trie
}

/// The valid generalization that replaces a node of the cut.
fn segment<'s>(steps: &'s [Step], tree: &Hierarchy, level: usize, node: Node) -> Option<&'s Step> {
    steps.iter().find(|step| step.attribute == level && step.to != node && step.joins(tree, node))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder;
    use crate::privacy::KAnonymity;
    use crate::progress::Silent;
    use crate::table::Table;

    fn problem(n_values: u32) -> Problem {
        let rows: Vec<[String; 1]> = (0..n_values).map(|n| [n.to_string()]).collect();
        let table = Table::from_rows(&["n"], &rows).unwrap();
        let tree = builder::build(&"iotf".parse().unwrap(), &table.columns()[0], None).unwrap();
        let model = Box::new(KAnonymity::new(2).unwrap());
        Problem::new(&table, vec![tree], vec![model]).unwrap()
    }

    #[test]
    fn scenes_are_the_steps_and_the_end() {
        let (problem, method) = (problem(8), BottomUp::default());
        let scenes = method.scenes(&problem, &Silent).unwrap();
        let taken = method.steps(&problem, &Silent).unwrap();
        assert_eq!(scenes.len(), taken.len() + 1);
        for (scene, taken) in scenes.iter().zip(&taken) {
            let chosen: Vec<&Considered> =
                scene.considered.iter().filter(|one| one.is_chosen).collect();
            assert_eq!((chosen.len(), &chosen[0].node), (1, &taken.node));
            assert_eq!(scene.considered.len(), taken.n_valid);
            let n_candidates = scene.considered.iter().filter(|one| one.is_candidate).count();
            assert_eq!(n_candidates, taken.n_candidates);
        }
        assert!(scenes[taken.len()].smallest >= 2);
    }

    #[test]
    fn a_large_index_is_not_drawn() {
        let error = BottomUp::default().scenes(&problem(101), &Silent).unwrap_err().to_string();
        assert!(error.contains("101 combinations"), "{error}");
    }
}
