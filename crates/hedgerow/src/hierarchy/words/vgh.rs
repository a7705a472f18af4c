//! A value generalization hierarchy of words while it is being made.

use crate::Result;
use crate::hierarchy::draft::{Draft, Given};
use crate::hierarchy::{Hierarchy, Origin};
use crate::knowledge::{Concept, Knowledge};
use crate::table::{Column, Kind};

/// A tree of concepts with the values of a column as leaves.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Vgh {
    /// The nodes; the first is the root, and parents come before their children.
    pub(super) nodes: Vec<Word>,
}

/// A node.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    /// The place of its parent; that of the root is its own.
    pub(super) parent: usize,
    /// What an inner node is called.
    pub(super) label: String,
    /// What it stands for.
    pub(super) concept: Option<Concept>,
    /// The code of the value that a leaf is.
    pub(super) value: Option<u32>,
    /// How it came to stand where it does.
    pub(super) note: String,
}

impl Vgh {
    /// Adds a node and returns its place.
    pub(super) fn push(&mut self, node: Word) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// The least code below each node, and how many values; `u32::MAX` and 0 where there is none.
    fn below(&self) -> Vec<(u32, u32)> {
        let mut below: Vec<(u32, u32)> = self
            .nodes
            .iter()
            .map(|node| node.value.map_or((u32::MAX, 0), |code| (code, 1)))
            .collect();
        for place in (1..self.nodes.len()).rev() {
            let (least, count) = below[place];
            let above = &mut below[self.nodes[place].parent];
            *above = (above.0.min(least), above.1 + count);
        }
        below
    }

    /// The same tree without nodes that have no value below them, in pre-order, brothers and sisters
    /// in the order of their least values.
    pub(super) fn tidied(&self) -> Self {
        let below = self.below();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for place in (1..self.nodes.len()).filter(|&place| below[place].1 > 0) {
            children[self.nodes[place].parent].push(place);
        }
        children.iter_mut().for_each(|list| list.sort_by_key(|&place| below[place].0));
        let mut tidied = Self { nodes: Vec::with_capacity(self.nodes.len()) };
        let mut open = vec![(0, 0)];
        while let Some((place, parent)) = open.pop() {
            let number = tidied.push(Word { parent, ..self.nodes[place].clone() });
            open.extend(children[place].iter().rev().map(|&child| (child, number)));
        }
        tidied
    }

    /// The tree for a column. Labels that several nodes have, or that are values of the column, are
    /// told apart by their concepts.
    pub(super) fn hierarchy(&self, column: &Column, knowledge: &Knowledge) -> Result<Hierarchy> {
        let labels = self.labels(column, knowledge);
        let name = |concept: Concept| knowledge.name(concept).into();
        let given = |(place, node): (usize, &Word)| Given {
            parent: (place > 0).then_some(node.parent),
            label: labels[place].as_str().into(),
            count: node.value.map_or(0, |code| column.domain.counts[code as usize]),
            is_value: node.value.is_some(),
            is_group: node.value.is_none(),
            origin: Origin {
                concept: node.concept.map(name),
                note: (!node.note.is_empty()).then(|| node.note.as_str().into()),
            },
            ..Given::default()
        };
        let draft = Draft {
            attribute: column.name.clone(),
            kind: Some(Kind::Text),
            nodes: self.nodes.iter().enumerate().map(given).collect(),
            ..Draft::default()
        };
        draft.assemble()
    }

    fn labels(&self, column: &Column, knowledge: &Knowledge) -> Vec<String> {
        let plain = |node: &Word| match node.value {
            Some(code) => column.domain.values.spelling(code as usize).into_owned(),
            None => node.label.clone(),
        };
        let mut labels: Vec<String> = self.nodes.iter().map(plain).collect();
        let mut counts: hashbrown::HashMap<String, u32> = hashbrown::HashMap::new();
        labels.iter().for_each(|label| *counts.entry(label.clone()).or_default() += 1);
        for (label, node) in labels.iter_mut().zip(&self.nodes) {
            if let Some(concept) =
                node.concept.filter(|_| node.value.is_none() && counts[label] > 1)
            {
                *label = format!("{label} ({})", knowledge.name(concept));
            }
        }
        labels
    }

    /// A text that two trees share if they have the same nodes and edges, in whatever order.
    ///
    /// # References
    ///
    /// METHODS 5.6: the sorted list of edges, repeated labels numbered by what is below them.
    pub(super) fn canonical(&self) -> String {
        let mut texts: Vec<String> = vec![String::new(); self.nodes.len()];
        let mut children: Vec<Vec<String>> = vec![Vec::new(); self.nodes.len()];
        for place in (0..self.nodes.len()).rev() {
            let node = &self.nodes[place];
            let mut below = std::mem::take(&mut children[place]);
            below.sort_unstable();
            let own = node.value.map_or_else(|| node.label.clone(), |code| format!("#{code}"));
            texts[place] = format!("{own:?}({})", below.join(","));
            if place > 0 {
                children[node.parent].push(texts[place].clone());
            }
        }
        texts.swap_remove(0)
    }
}
