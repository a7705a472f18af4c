//! The base hierarchy: the concepts of the values and everything above them, as a tree.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::vgh::{Vgh, Word};
use crate::error::Advice;
use crate::knowledge::{Concept, How, Knowledge, Meaning};
use crate::noun::counted;
use crate::table::Column;
use crate::{Error, Result};

/// Makes every value a child of its concept, and every concept a child of one of its parents.
///
/// Of several parents, the one with the most values below it is chosen, then the deepest, then the
/// first. A value that means exactly its concept replaces the concept's node, unless other values
/// are below that concept or mean the same. Values without a concept are children of the root,
/// which is then `*`.
///
/// # Complexity
///
/// Linear in the number of ancestors of all values.
///
/// # References
///
/// \[Ayala2016\], section 3.2(2); METHODS 5.4.
pub(super) fn base(knowledge: &Knowledge, column: &Column, meanings: &[Meaning]) -> Result<Vgh> {
    let above = Above::of(knowledge, meanings);
    if above.n_values.is_empty() {
        return Err(unknown(knowledge, column));
    }
    let mut vgh = Vgh::default();
    // A `BTreeMap` keeps the order of concepts deterministic.
    let mut roots = above.n_values.keys().copied().filter(|&c| knowledge.parents(c).is_empty());
    let mut places: BTreeMap<Concept, usize> = BTreeMap::new();
    let all_known = meanings.iter().all(|meaning| meaning.concept.is_some());
    match (roots.next(), roots.next()) {
        (Some(only), None) if all_known => {
            places.insert(only, vgh.push(above.word(only, 0)));
        }
        // No concept covers unknown values, or concepts that have no common root.
        _ => {
            let why = if all_known { "above all roots" } else { "above what is not known, too" };
            vgh.push(Word::group(0, None, why));
        }
    }
    for (code, meaning) in (0..).zip(meanings) {
        let parent =
            meaning.concept.map_or(0, |concept| above.place(concept, &mut vgh, &mut places));
        let note = match meaning.how {
            How::Unknown => "unknown, so it is a child of the root",
            How::Residual => "residual, so it is a child of the root",
            how => how.name(),
        };
        let (concept, value, how) = (meaning.concept, Some(code), Some(meaning.how));
        let also = (!meaning.also.is_empty()).then(|| meaning.also.join(", ").into());
        vgh.push(Word { parent, concept, value, how, also, note: note.into() });
    }
    Ok(lifted(&vgh, meanings).tidied())
}

/// The concepts that have a value below them.
struct Above<'a> {
    knowledge: &'a Knowledge,
    /// Number of values below each concept.
    n_values: BTreeMap<Concept, u32>,
}

impl<'a> Above<'a> {
    fn of(knowledge: &'a Knowledge, meanings: &[Meaning]) -> Self {
        let mut n_values: BTreeMap<Concept, u32> = BTreeMap::new();
        for concept in meanings.iter().filter_map(|meaning| meaning.concept) {
            // The ancestors of a concept include the concept itself.
            for (above, _) in knowledge.ancestors(concept).iter() {
                *n_values.entry(above).or_default() += 1;
            }
        }
        Self { knowledge, n_values }
    }

    /// Returns the parent that is chosen for a concept.
    fn parent(&self, concept: Concept) -> Option<Concept> {
        let parents = self.knowledge.parents(concept).iter().copied().enumerate();
        let best = parents.max_by_key(|&(place, parent)| {
            (self.n_values[&parent], self.knowledge.least_depth(parent), Reverse(place))
        });
        best.map(|(_, parent)| parent)
    }

    /// Returns a node for a concept.
    fn word(&self, concept: Concept, parent: usize) -> Word {
        let parents = self.knowledge.parents(concept);
        let name = |concept: &Concept| self.knowledge.name(*concept);
        let note = match self.parent(concept).filter(|_| parents.len() > 1) {
            Some(taken) => {
                let all: Vec<String> = parents.iter().map(name).collect();
                format!("parent {} chosen among {}", name(&taken), all.join(", "))
            }
            None => String::new(),
        };
        Word::group(parent, Some(concept), &note)
    }

    /// Returns the index of a concept in the tree, adding it and its ancestors if they are missing.
    fn place(
        &self,
        concept: Concept,
        vgh: &mut Vgh,
        places: &mut BTreeMap<Concept, usize>,
    ) -> usize {
        // Climb to the first ancestor in the tree, then add the path from the top down.
        let mut way = Vec::new();
        let mut next = Some(concept);
        while let Some(concept) = next.filter(|concept| !places.contains_key(concept)) {
            way.push(concept);
            next = self.parent(concept);
        }
        let mut place = next.map_or(0, |concept| places[&concept]);
        for concept in way.into_iter().rev() {
            place = vgh.push(self.word(concept, place));
            places.insert(concept, place);
        }
        place
    }
}

/// Lets values replace their concepts if those have no other children.
fn lifted(vgh: &Vgh, meanings: &[Meaning]) -> Vgh {
    let mut n_children = vec![0; vgh.nodes.len()];
    vgh.nodes.iter().skip(1).for_each(|node| n_children[node.parent] += 1);
    let mut lifted = vgh.clone();
    for node in &mut lifted.nodes {
        let is_plain = node.value.is_some_and(|code| {
            matches!(meanings[code as usize].how, How::Given | How::Whole)
                && meanings[code as usize].parts.len() == 1
        });
        // The root is kept, even if it has a single child.
        if is_plain && node.parent > 0 && n_children[node.parent] == 1 {
            let concept = &vgh.nodes[node.parent];
            node.parent = concept.parent;
            if !concept.note.is_empty() {
                *node = node.clone().noted(&concept.note);
            }
        }
    }
    lifted
}

fn unknown(knowledge: &Knowledge, column: &Column) -> Error {
    let n_values = counted(column.domain.len(), "value");
    let problem = format!("none of its {n_values} was found in {}", knowledge.source());
    Error::column(&column.name, problem).advise([
        Advice::words("state what they mean with wordnet:senses=FILE"),
        Advice::words("give a classification that has them with wordnet:knowledge=FILE"),
        Advice::other_hierarchy(&column.name, &["frequency"]),
    ])
}
