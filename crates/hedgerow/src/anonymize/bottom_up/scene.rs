//! The search step by step: the index, and the generalizations that were considered.

use super::cut::Step;
use super::tea::Tea;
use super::walk::{Walk, label};
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

/// The state before a step of the search, and what the step considered. The last scene has no step.
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

impl BottomUp {
    /// Returns the search step by step, with the TEA index before each step. Fails if the index is
    /// too large to be shown.
    ///
    /// # References
    ///
    /// \[Wang2004\], section 5.2, figure 2 and example 1; METHODS 4.1 and 4.2.
    pub fn scenes(&self, problem: &Problem, progress: &dyn Progress) -> Result<Vec<Scene>> {
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
    use std::sync::Arc;

    use super::*;
    use crate::format::Format;
    use crate::hierarchy::Generalization;
    use crate::privacy::{KAnonymity, Secret};
    use crate::problem::Limits;
    use crate::progress::Silent;
    use crate::table::{Columns, Encoding, Part, Table};

    /// The example of METHODS 4.1: values, and the numbers of records with Y and N.
    const EXAMPLE: &str = "c1 b2 a3 0 4,c1 b2 c3 0 4,c1 b2 d3 0 3,c1 c2 a3 2 1,c1 c2 b3 2 2,d1 c2 b3 4 0,d1 c2 e3 2 0,\
                           d1 d2 b3 2 1,d1 d2 e3 2 0";
    const TREES: [&str; 3] = [
        "c1;f1;*\nd1;f1;*\nb1;b1;*\n",
        "b2;b2;*\nc2;f2;*\nd2;f2;*\n",
        "a3;a3;*\nb3;b3;*\nc3;f3;*\nd3;f3;*\ne3;e3;*\n",
    ];

    fn problem(k: u64) -> Problem {
        let mut part = Part::default();
        for row in EXAMPLE.split(',') {
            let fields: Vec<&str> = row.split(' ').collect();
            for (label, count) in [("Y", fields[3]), ("N", fields[4])] {
                for _ in 0..count.parse::<u32>().unwrap() {
                    let values = fields[..3].iter().chain([&label]);
                    part.push(values.map(|value| value.as_bytes()), true).unwrap();
                }
            }
        }
        let columns = Columns::quasi(&["Rel", "Race", "Work"]).and_beside(&["class"]);
        let table = Table::assemble(&columns, vec![part], &Encoding::default()).unwrap();
        let read = |text: &str| {
            Generalization::from(Format::named("arx").unwrap().read(text, None).unwrap())
        };
        let class = Some(Arc::new(Secret::of(&table, "class").unwrap()));
        let limits = Limits { class, ..Limits::default() };
        let model = Box::new(KAnonymity::new(k).unwrap());
        Problem::with_limits(&table, TREES.map(read).to_vec(), vec![model], limits).unwrap()
    }

    #[test]
    fn the_example_has_three_valid_two_possible_and_one_critical_generalization() {
        let scenes = BottomUp::default().scenes(&problem(3), &Silent).unwrap();
        assert_eq!(scenes.iter().map(|scene| scene.smallest).collect::<Vec<_>>(), [2, 3]);
        let found: Vec<(&str, u64, bool, bool)> = (scenes[0].considered.iter())
            .map(|one| (one.node.as_str(), one.gain, one.is_candidate, one.is_chosen))
            .collect();
        assert_eq!(found, [("f1", 0, true, false), ("f2", 1, true, true), ("f3", 0, false, false)]);
        let index = &scenes[0].index;
        // Two entries for Rel, four for Race and nine vids, two of which are smallest.
        let on = |level| index.nodes.iter().filter(|node| node.level == level).count();
        assert_eq!([on(0), on(1), on(2)], [2, 4, 9]);
        assert_eq!(index.nodes.iter().filter(|node| node.is_marked).count(), 2);
        let segments = index.nodes.iter().filter(|node| node.segment.as_deref() == Some("f2"));
        assert_eq!(segments.count(), 3);
        // Afterwards c2 and d2 are one entry below each value of Rel.
        let after = &scenes[1].index;
        assert_eq!(after.nodes.iter().filter(|node| node.level == 2).count(), 7);
        assert!(after.nodes.iter().any(|node| node.label == "f2" && node.level == 1));
    }

    #[test]
    fn a_large_index_is_not_drawn() {
        let rows: Vec<[String; 1]> = (0..101).map(|n| [n.to_string()]).collect();
        let table = Table::from_rows(&["n"], &rows).unwrap();
        let free = crate::builder::build(&"iotf".parse().unwrap(), &table.columns()[0], None);
        let model = Box::new(KAnonymity::new(2).unwrap());
        let problem = Problem::new(&table, vec![free.unwrap()], vec![model]).unwrap();
        let error = BottomUp::default().scenes(&problem, &Silent).unwrap_err().to_string();
        assert!(error.contains("101 combinations"), "{error}");
    }
}
