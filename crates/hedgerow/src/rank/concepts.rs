//! What the nodes of hierarchies stand for.

use hashbrown::HashMap;

use super::TIE;
use crate::Result;
use crate::hierarchy::{Hierarchy, Node, Origin};
use crate::knowledge::{Ancestors, Concept, How, Knowledge, Mode, Senses, look_up, resolve};
use crate::table::{Column, Kind};

/// Finds what the values of a column mean, once for all candidates.
///
/// What `senses` says holds; else what the first candidate says whose leaf has a concept; else what
/// [`resolve`] finds. Numbers and dates are not looked up in WordNet: `17` is a noun there, and no age.
pub fn meanings(
    knowledge: &Knowledge,
    column: &Column,
    senses: &Senses,
    trees: &[&Hierarchy],
) -> Result<Vec<Option<Concept>>> {
    let domain = &column.domain;
    let mut known: Vec<Option<Concept>> = vec![None; domain.len()];
    for tree in trees {
        for (code, leaf) in tree.ground().bind(domain)?.into_iter().enumerate() {
            if known[code].is_none() {
                let name = concept_name(tree, tree.leaf_node(leaf));
                known[code] = name.and_then(|name| knowledge.find(name));
            }
        }
    }
    let spellings: Vec<_> = (0..domain.len()).map(|code| domain.values.spelling(code)).collect();
    let is_words =
        matches!(domain.values.kind(), Kind::Text | Kind::Code) || !knowledge.is_wordnet();
    // A value is understood by what the others mean, so they are looked up together or not at all.
    let any_open = is_words && known.iter().any(Option::is_none);
    let asked =
        (0..domain.len()).filter(|&code| any_open || senses.get(&spellings[code]).is_some());
    let asked: Vec<usize> = asked.collect();
    let values: Vec<(&str, u64)> =
        asked.iter().map(|&code| (&*spellings[code], domain.counts[code])).collect();
    for (&code, meaning) in asked.iter().zip(resolve(knowledge, &values, senses)?) {
        if senses.get(&spellings[code]).is_some() || known[code].is_none() {
            known[code] = meaning.concept;
        }
    }
    Ok(known)
}

/// Finds what each node of a tree stands for.
///
/// A leaf stands for what its value means. An inner node stands for the concept that its origin
/// names; else for what its label means, of several senses that which is most like the leaves below
/// it, of equal ones the commonest; else for what the nearest node above it stands for, if one does.
pub fn concepts(
    tree: &Hierarchy,
    leaf_concepts: &[Option<Concept>],
    lexicon: &mut Lexicon,
) -> Vec<Option<Concept>> {
    let mut concepts: Vec<Option<Concept>> = Vec::with_capacity(tree.len());
    for node in 0..tree.len() as Node {
        concepts.push(match tree.as_leaf(node) {
            Some(leaf) => leaf_concepts[leaf.index()],
            None => {
                let below = &leaf_concepts[tree.leaves_of(node).places()];
                let above = || concepts[tree.parent(node)? as usize];
                lexicon.concept_of(tree, node, below).or_else(above)
            }
        });
    }
    concepts
}

/// The name of the concept that a node stands for, where its origin says it.
fn concept_name(tree: &Hierarchy, node: Node) -> Option<&str> {
    tree.origin(node).and_then(|origin: &Origin| origin.concept.as_deref())
}

/// Knowledge that remembers what it was asked, since candidates have most of their nodes in common.
#[derive(Debug)]
pub struct Lexicon<'a> {
    knowledge: &'a Knowledge,
    named: HashMap<String, Option<Concept>>,
    senses: HashMap<String, Vec<Concept>>,
    ancestors: HashMap<Concept, Ancestors>,
    alike: HashMap<(Concept, Concept), f64>,
}

impl<'a> Lexicon<'a> {
    /// Knowledge that was asked nothing yet.
    pub fn new(knowledge: &'a Knowledge) -> Self {
        Self {
            knowledge,
            named: HashMap::new(),
            senses: HashMap::new(),
            ancestors: HashMap::new(),
            alike: HashMap::new(),
        }
    }

    /// How alike two concepts are, as [`Knowledge::wu_palmer`] says.
    pub fn alike(&mut self, a: Concept, b: Concept) -> f64 {
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

    /// What an inner node stands for by its origin or its label.
    fn concept_of(
        &mut self,
        tree: &Hierarchy,
        node: Node,
        below: &[Option<Concept>],
    ) -> Option<Concept> {
        let by_origin = concept_name(tree, node).and_then(|name| self.find(name));
        if by_origin.is_some() || !tree.has_names() {
            return by_origin;
        }
        let senses = self.senses(&tree.label(node));
        self.nearest(&senses, below)
    }

    /// The concept with a name.
    fn find(&mut self, name: &str) -> Option<Concept> {
        let named = self.named.entry_ref(name);
        *named.or_insert_with(|| self.knowledge.find(name))
    }

    /// What a label may mean; just what stands in parentheses, where that is one of its senses.
    fn senses(&mut self, label: &str) -> Vec<Concept> {
        let senses = || {
            let meaning = look_up(self.knowledge, label);
            let is_word = matches!(meaning.how, How::Whole | How::WithoutParenthesis);
            let words = meaning.parts.iter().filter(|_| is_word);
            let senses: Vec<Concept> =
                words.flat_map(|part| part.scores.iter().map(|score| score.0)).collect();
            let name = label.rsplit_once(" (").and_then(|(_, name)| name.strip_suffix(')'));
            let named = name.and_then(|name| self.knowledge.find(name));
            named.filter(|named| senses.contains(named)).map_or(senses, |named| vec![named])
        };
        self.senses.entry_ref(label).or_insert_with(senses).clone()
    }

    /// The sense that is most like concepts on the whole, the first of equal ones.
    fn nearest(&mut self, senses: &[Concept], concepts: &[Option<Concept>]) -> Option<Concept> {
        let (&first, others) = senses.split_first()?;
        if others.is_empty() {
            return Some(first);
        }
        let mut mean = |sense| {
            let alike = concepts.iter().flatten().map(|&concept| self.alike(sense, concept));
            alike.sum::<f64>() / concepts.len() as f64
        };
        let mut best = (first, mean(first));
        for &sense in others {
            let mean = mean(sense);
            if mean > best.1 + TIE {
                best = (sense, mean);
            }
        }
        Some(best.0)
    }
}
