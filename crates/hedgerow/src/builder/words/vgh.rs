//! A value generalization hierarchy of words during construction.

use std::rc::Rc;

use hashbrown::HashMap;
use twox_hash::XxHash3_64;

use crate::Result;
use crate::format::{Draft, Given};
use crate::hierarchy::{Hierarchy, Origin};
use crate::knowledge::{Concept, How, Knowledge};
use crate::table::{Column, Kind};

/// Label of a node without a concept: the root of concepts that have no common ancestor.
const ANYTHING: &str = "*";

/// A tree of concepts with the values of a column as leaves.
#[derive(Debug, Clone, Default)]
pub(super) struct Vgh {
    /// The nodes; the first is the root.
    pub(super) nodes: Vec<Word>,
}

/// A node of a [`Vgh`].
#[derive(Debug, Clone)]
pub(super) struct Word {
    /// Index of the parent; the root is its own parent.
    pub(super) parent: usize,
    /// The concept that the node represents.
    pub(super) concept: Option<Concept>,
    /// The code of the value, if the node is a leaf.
    pub(super) value: Option<u32>,
    /// The way in which the value of a leaf was understood.
    pub(super) how: Option<How>,
    /// Later sources that know the value of a leaf.
    pub(super) also: Option<Rc<str>>,
    /// Explanation of the position of the node.
    pub(super) note: Rc<str>,
}

/// The depths and subtrees of the nodes of a tidy tree.
pub(super) struct Layout {
    /// Distance of each node from the root.
    pub(super) depths: Vec<usize>,
    /// Index after the last node of each subtree.
    pub(super) ends: Vec<usize>,
}

impl Word {
    /// Returns a node for a concept.
    pub(super) fn group(parent: usize, concept: Option<Concept>, note: &str) -> Self {
        Self { parent, concept, value: None, how: None, also: None, note: note.into() }
    }

    /// Returns the origin of the node, for the hierarchy.
    fn origin(&self, knowledge: &Knowledge) -> Origin {
        let source = self.concept.filter(|_| knowledge.states_sources());
        Origin {
            concept: self.concept.map(|concept| knowledge.name_in_source(concept).into()),
            source: source.map(|concept| knowledge.source_of(concept).into()),
            also: self.also.as_deref().map(Into::into),
            how: self.how,
            note: (!self.note.is_empty()).then(|| (&*self.note).into()),
        }
    }

    /// Returns the same node with `more` appended to its note.
    pub(super) fn noted(self, more: &str) -> Self {
        let note = if self.note.is_empty() {
            more.into()
        } else {
            format!("{}; {more}", self.note).into()
        };
        Self { note, ..self }
    }
}

impl Layout {
    /// Returns the distance of the deepest node from the root.
    pub(super) fn height(&self) -> usize {
        self.depths.iter().copied().max().unwrap_or(0)
    }
}

impl Vgh {
    /// Adds a node and returns its index.
    pub(super) fn push(&mut self, node: Word) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Returns the children of each node.
    fn children(&self) -> Vec<Vec<usize>> {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate().skip(1) {
            children[node.parent].push(place);
        }
        children
    }

    /// Returns the same tree in pre-order, without nodes that have no value below them.
    ///
    /// Siblings are ordered by their least values.
    pub(super) fn tidied(&self) -> Self {
        let mut children = self.children();
        // Breadth-first order, so that its reverse visits children before their parents.
        let mut order = vec![0];
        let mut next = 0;
        while let Some(&place) = order.get(next) {
            order.extend(&children[place]);
            next += 1;
        }
        let mut least: Vec<Option<u32>> = self.nodes.iter().map(|node| node.value).collect();
        for &place in order.iter().skip(1).rev() {
            let parent = self.nodes[place].parent;
            least[parent] = least[parent].into_iter().chain(least[place]).min();
        }
        for list in &mut children {
            list.retain(|&place| least[place].is_some());
            list.sort_by_key(|&place| least[place]);
        }
        let mut tidied = Self { nodes: Vec::with_capacity(self.nodes.len()) };
        // An explicit stack instead of recursion: concepts can be deeply nested.
        let mut open = vec![(0, 0)];
        while let Some((place, parent)) = open.pop() {
            let number = tidied.push(Word { parent, ..self.nodes[place].clone() });
            open.extend(children[place].iter().rev().map(|&child| (child, number)));
        }
        tidied
    }

    /// Returns the depths and subtrees of a tidy tree.
    pub(super) fn layout(&self) -> Layout {
        let mut depths = vec![0; self.nodes.len()];
        let mut ends: Vec<usize> = (1..=self.nodes.len()).collect();
        for (place, node) in self.nodes.iter().enumerate().skip(1) {
            depths[place] = depths[node.parent] + 1;
        }
        for (place, node) in self.nodes.iter().enumerate().skip(1).rev() {
            ends[node.parent] = ends[node.parent].max(ends[place]);
        }
        Layout { depths, ends }
    }

    /// Returns the lowest node of a tidy tree that is above the nodes from `first` to `last`.
    pub(super) fn lowest_above(&self, layout: &Layout, first: usize, last: usize) -> usize {
        let mut lowest = self.nodes[first].parent;
        while layout.ends[lowest] <= last {
            lowest = self.nodes[lowest].parent;
        }
        lowest
    }

    /// Builds the hierarchy for a column.
    ///
    /// Labels that several nodes share, or that are values of the column, are distinguished by the
    /// names of their concepts, or by numbers.
    pub(super) fn hierarchy(&self, column: &Column, knowledge: &Knowledge) -> Result<Hierarchy> {
        let labels = self.labels(column, knowledge);
        let given = |((place, node), label): ((usize, &Word), String)| Given {
            parent: (place > 0).then_some(node.parent),
            label: label.into(),
            count: node.value.map_or(0, |code| column.domain.counts[code as usize]),
            is_value: node.value.is_some(),
            is_group: node.value.is_none(),
            origin: node.origin(knowledge),
            ..Given::default()
        };
        let draft = Draft {
            attribute: column.name.clone(),
            // Leaves are in tree order, not in the order of numbers or dates.
            kind: Some(match column.domain.values.kind() {
                Kind::Number | Kind::Code => Kind::Code,
                Kind::Date | Kind::Text => Kind::Text,
            }),
            nodes: self.nodes.iter().enumerate().zip(labels).map(given).collect(),
            ..Draft::default()
        };
        draft.assemble()
    }

    fn labels(&self, column: &Column, knowledge: &Knowledge) -> Vec<String> {
        let plain = |node: &Word| match (node.value, node.concept) {
            (Some(code), _) => column.domain.values.spelling(code as usize).into_owned(),
            (None, Some(concept)) => knowledge.label(concept),
            (None, None) => ANYTHING.to_owned(),
        };
        let mut labels: Vec<String> = self.nodes.iter().map(plain).collect();
        // Values keep their spelling; only groups are renamed.
        let mut counts: HashMap<String, u32> = HashMap::new();
        labels.iter().for_each(|label| *counts.entry(label.clone()).or_default() += 1);
        for (place, node) in self.nodes.iter().enumerate() {
            let plain = std::mem::take(&mut labels[place]);
            // The root keeps its label unless a value has the same one.
            let n_called =
                if place == 0 { self.values_called(column, &plain) } else { counts[&plain] };
            labels[place] = if node.value.is_some() || n_called < 2 {
                plain
            } else {
                let name = node.concept.map(|concept| distinguishing(knowledge, concept, &plain));
                untaken(&format!("{plain} ({})", name.as_deref().unwrap_or("any")), &mut counts)
            };
        }
        labels
    }

    /// Returns one more than the number of values with this spelling.
    fn values_called(&self, column: &Column, label: &str) -> u32 {
        let values = self.nodes.iter().filter_map(|node| node.value);
        let spelt = values.filter(|&code| column.domain.values.spelling(code as usize) == label);
        spelt.count() as u32 + 1
    }

    /// Returns a hash that is equal for trees with the same nodes and edges, in any order.
    ///
    /// # References
    ///
    /// METHODS 5.6. Deviation: instead of numbering repeated labels in a list of edges, each node
    /// is hashed together with the sorted hashes of its children, which is equivalent.
    pub(super) fn canonical(&self) -> u64 {
        let mut below: Vec<Vec<u64>> = vec![Vec::new(); self.nodes.len()];
        // In pre-order, children come after their parents, so the reverse order is bottom-up.
        for place in (1..self.nodes.len()).rev() {
            let number = self.number(place, std::mem::take(&mut below[place]));
            below[self.nodes[place].parent].push(number);
        }
        self.number(0, below.swap_remove(0))
    }

    fn number(&self, place: usize, mut below: Vec<u64>) -> u64 {
        below.sort_unstable();
        let node = &self.nodes[place];
        let (kind, number) = match (node.value, node.concept) {
            (Some(code), _) => (0, code),
            (None, Some(concept)) => (1, concept),
            (None, None) => (2, 0),
        };
        let parts = [kind, u64::from(number)].into_iter().chain(below);
        let bytes: Vec<u8> = parts.flat_map(u64::to_le_bytes).collect();
        XxHash3_64::oneshot(&bytes)
    }
}

/// Returns a text that distinguishes a concept from others with its label: its name or, if that is
/// the label, its source if there are several.
fn distinguishing(knowledge: &Knowledge, concept: Concept, label: &str) -> String {
    match knowledge.name_in_source(concept) {
        name if name != label => name,
        _ if knowledge.sources().len() > 1 => knowledge.source_of(concept).to_owned(),
        _ => "any".to_owned(),
    }
}

/// Returns a label that is not in use: `label` itself, or with a number appended.
fn untaken(label: &str, counts: &mut HashMap<String, u32>) -> String {
    let mut free = label.to_owned();
    let mut number = 2;
    while counts.contains_key(&free) {
        free = format!("{label} {number}");
        number += 1;
    }
    counts.insert(free.clone(), 1);
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a tree of nodes given as (parent, concept, value).
    fn tree(nodes: &[(usize, Option<Concept>, Option<u32>)]) -> Vgh {
        let word = |&(parent, concept, value)| {
            let note = "".into();
            Word { parent, concept, value, how: None, also: None, note }
        };
        Vgh { nodes: nodes.iter().map(word).collect() }
    }

    #[test]
    fn the_order_of_children_makes_no_other_tree() {
        // root(a(x,y),b(z)), root(b(z),a(y,x)), root(a(x),b(y,z)): METHODS 5.6.
        let (a, b, root) = ((0, Some(1), None), (0, Some(2), None), (0, Some(0), None));
        let leaf = |parent, value| (parent, None, Some(value));
        let one = [root, a, leaf(1, 0), leaf(1, 1), b, leaf(4, 2)];
        let other = [root, b, leaf(1, 2), a, leaf(3, 1), leaf(3, 0)];
        let third = [root, a, leaf(1, 0), b, leaf(3, 1), leaf(3, 2)];
        assert_eq!(tree(&one).canonical(), tree(&other).canonical());
        assert_ne!(tree(&one).canonical(), tree(&third).canonical());
        assert_eq!(tree(&other).tidied().canonical(), tree(&one).canonical());
    }

    #[test]
    fn groups_without_values_vanish() {
        let root = (0, Some(0), None);
        let nodes = [root, (0, Some(1), None), (1, Some(2), None), (0, None, Some(0))];
        assert_eq!(tree(&nodes).tidied().nodes.len(), 2);
    }
}
