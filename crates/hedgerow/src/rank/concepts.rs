//! The concepts of the nodes of hierarchies.

use std::borrow::Cow;

use hashbrown::HashMap;

use super::TIE;
use crate::Result;
use crate::hierarchy::{Hierarchy, Node, Origin};
use crate::knowledge::{Ancestors, Concept, How, Knowledge, Mode, Senses, look_up_in, resolve};
use crate::table::Column;

/// Finds the meanings of a column's values, once for all candidates.
///
/// An entry in `senses` takes precedence, then the concept of the leaf in the first candidate that
/// has one, then the result of [`resolve`]. Of several sources, the first that knows a value
/// decides. Numbers and dates are not looked up in WordNet, where `17` is a noun but not an age.
pub fn meanings(
    knowledge: &Knowledge,
    column: &Column,
    senses: &Senses,
    trees: &[&Hierarchy],
) -> Result<Vec<Option<Concept>>> {
    let domain = &column.domain;
    let mut known: Vec<Option<Concept>> = vec![None; domain.len()];
    // The first candidate that has a concept for a value decides.
    for tree in trees {
        for (code, leaf) in tree.ground().bind(domain)?.into_iter().enumerate() {
            if known[code].is_none() {
                let name = concept_name(tree, tree.leaf_node(leaf));
                known[code] = name.and_then(|name| knowledge.find(&name));
            }
        }
    }
    let spellings: Vec<_> = (0..domain.len()).map(|code| domain.values.spelling(code)).collect();
    let suited = knowledge.for_kind(domain.values.kind());
    // Values are disambiguated by each other, so they are looked up together or not at all.
    let any_open = suited.is_some() && known.iter().any(Option::is_none);
    let is_asked = |code: &usize| any_open || senses.get(&spellings[*code]).is_some();
    let asked: Vec<usize> = (0..domain.len()).filter(is_asked).collect();
    let values: Vec<(&str, u64)> =
        asked.iter().map(|&code| (&*spellings[code], domain.counts[code])).collect();
    let suited = suited.as_ref().unwrap_or(knowledge);
    for (&code, meaning) in asked.iter().zip(resolve(suited, &values, senses)?) {
        if senses.get(&spellings[code]).is_some() || known[code].is_none() {
            known[code] = meaning.concept;
        }
    }
    Ok(known)
}

/// Finds the concept of each node of a tree.
///
/// A leaf has the concept of its value. An inner node has the concept named by its origin, or else
/// that of its label; of several senses, in all sources, the one most similar to the leaves below
/// it, and of equal ones the most common one of the first source. If neither is known, it has the
/// concept of its parent, if any.
pub fn concepts(
    tree: &Hierarchy,
    leaf_concepts: &[Option<Concept>],
    lexicon: &mut Lexicon,
) -> Vec<Option<Concept>> {
    let mut concepts: Vec<Option<Concept>> = Vec::with_capacity(tree.len());
    for node in tree.nodes() {
        concepts.push(match tree.as_leaf(node) {
            Some(leaf) => leaf_concepts[leaf.index()],
            None => {
                let below = &leaf_concepts[tree.leaves_of(node).places()];
                let above = || concepts[tree.parent(node)?.index()];
                lexicon.concept_of(tree, node, below).or_else(above)
            }
        });
    }
    concepts
}

/// Returns the name of the concept that the origin of a node states, with its source:
/// `isco.csv:Doctors`.
fn concept_name(tree: &Hierarchy, node: Node) -> Option<Cow<'_, str>> {
    let Origin { concept, source, .. } = tree.origin(node)?;
    let concept = concept.as_deref()?;
    Some(match source {
        Some(source) => Cow::Owned(format!("{source}:{concept}")),
        None => Cow::Borrowed(concept),
    })
}

/// Knowledge with a cache of lookups, since candidates share most of their nodes.
#[derive(Debug)]
pub struct Lexicon<'a> {
    knowledge: &'a Knowledge,
    named: HashMap<String, Option<Concept>>,
    senses: HashMap<String, Vec<Concept>>,
    ancestors: HashMap<Concept, Ancestors>,
    alike: HashMap<(Concept, Concept), f64>,
}

impl<'a> Lexicon<'a> {
    /// Returns a lexicon with an empty cache.
    pub fn new(knowledge: &'a Knowledge) -> Self {
        Self {
            knowledge,
            named: HashMap::new(),
            senses: HashMap::new(),
            ancestors: HashMap::new(),
            alike: HashMap::new(),
        }
    }

    /// Returns the similarity of two concepts, as defined by [`Knowledge::wu_palmer`]; 0 if they
    /// come from different sources.
    pub(crate) fn alike(&mut self, a: Concept, b: Concept) -> f64 {
        // The similarity is symmetric in the default mode, so each pair is stored once.
        let pair = (a.min(b), a.max(b));
        if let Some(&found) = self.alike.get(&pair) {
            return found;
        }
        for concept in [a, b] {
            self.ancestors.entry(concept).or_insert_with(|| self.knowledge.ancestors(concept));
        }
        let (a, b) = (&self.ancestors[&a], &self.ancestors[&b]);
        let found = self.knowledge.wu_palmer(a, b, Mode::default());
        self.alike.insert(pair, found);
        found
    }

    /// Returns the concept of an inner node according to its origin or its label.
    fn concept_of(
        &mut self,
        tree: &Hierarchy,
        node: Node,
        below: &[Option<Concept>],
    ) -> Option<Concept> {
        let by_origin = concept_name(tree, node).and_then(|name| self.find(&name));
        // Without names of their own, nodes are labelled with intervals, which are not words.
        if by_origin.is_some() || !tree.has_names() {
            return by_origin;
        }
        let senses = self.senses(&tree.label(node));
        self.nearest(&senses, below)
    }

    /// Returns the concept with a name.
    fn find(&mut self, name: &str) -> Option<Concept> {
        let named = self.named.entry_ref(name);
        *named.or_insert_with(|| self.knowledge.find(name))
    }

    /// Returns the possible meanings of a label, as [`senses_of`] finds them.
    fn senses(&mut self, label: &str) -> Vec<Concept> {
        let senses = self.senses.entry_ref(label);
        senses.or_insert_with(|| senses_of(self.knowledge, label)).clone()
    }

    /// Returns the sense that is most similar to the given concepts on average; ties go to the
    /// first.
    fn nearest(&mut self, senses: &[Concept], concepts: &[Option<Concept>]) -> Option<Concept> {
        let (&first, others) = senses.split_first()?;
        if others.is_empty() {
            return Some(first);
        }
        let mut best = (first, self.mean_alike(first, concepts));
        for &sense in others {
            let mean = self.mean_alike(sense, concepts);
            if mean > best.1 + TIE {
                best = (sense, mean);
            }
        }
        Some(best.0)
    }

    /// Returns the mean similarity of a sense to the given concepts.
    fn mean_alike(&mut self, sense: Concept, concepts: &[Option<Concept>]) -> f64 {
        let alike = concepts.iter().flatten().map(|&concept| self.alike(sense, concept));
        // Values without a concept count as similarity 0; this does not change the order of senses.
        alike.sum::<f64>() / concepts.len() as f64
    }
}

/// Returns the possible meanings of a label in all sources; only the one in parentheses if that is
/// one of them.
fn senses_of(knowledge: &Knowledge, label: &str) -> Vec<Concept> {
    let meanings = knowledge.in_order().map(|source| look_up_in(source, label));
    let words =
        meanings.filter(|meaning| matches!(meaning.how, How::Whole | How::WithoutParenthesis));
    let parts = words.flat_map(|meaning| meaning.parts);
    let senses: Vec<Concept> = parts.flat_map(|part| part.scores).map(|(sense, _)| sense).collect();
    // Labels of built trees end with the name of their concept if they are ambiguous.
    let name = label.rsplit_once(" (").and_then(|(_, name)| name.strip_suffix(')'));
    let named = name.and_then(|name| knowledge.find(name));
    named.filter(|named| senses.contains(named)).map_or(senses, |named| vec![named])
}
