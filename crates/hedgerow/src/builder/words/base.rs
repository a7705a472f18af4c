//! The base hierarchy: everything above the values' concepts, made a tree.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::vgh::{Vgh, Word};
use crate::error::Advice;
use crate::knowledge::{Concept, How, Knowledge, Meaning};
use crate::noun::counted;
use crate::table::Column;
use crate::{Error, Result};

/// Puts every value below its concept, and every concept below one of its parents.
///
/// Of several parents that one is taken which has most values below it, then that which lies deeper,
/// then the first. A value that means just its concept stands in its place, unless other values lie
/// below it or mean the same. Values without a concept stand below the root, which is `*` then.
///
/// # Complexity
///
/// Linear in the ancestors of all values.
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
    let mut roots = above.n_values.keys().copied().filter(|&c| knowledge.parents(c).is_empty());
    let mut places: BTreeMap<Concept, usize> = BTreeMap::new();
    let all_known = meanings.iter().all(|meaning| meaning.concept.is_some());
    match (roots.next(), roots.next()) {
        (Some(only), None) if all_known => {
            places.insert(only, vgh.push(above.word(only, 0)));
        }
        // Nothing true can be said of what is not known, nor of what has nothing in common.
        _ => {
            let note = if all_known { "above all roots" } else { "above what is not known, too" };
            vgh.push(Word { parent: 0, concept: None, value: None, note: note.into() });
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
        let (concept, value) = (meaning.concept, Some(code));
        vgh.push(Word { parent, concept, value, note: note.into() });
    }
    Ok(lifted(&vgh, meanings).tidied())
}

/// Every concept that has a value below it.
struct Above<'a> {
    knowledge: &'a Knowledge,
    /// How many values are below each.
    n_values: BTreeMap<Concept, u32>,
}

impl<'a> Above<'a> {
    fn of(knowledge: &'a Knowledge, meanings: &[Meaning]) -> Self {
        let mut n_values: BTreeMap<Concept, u32> = BTreeMap::new();
        for concept in meanings.iter().filter_map(|meaning| meaning.concept) {
            for (above, _) in knowledge.ancestors(concept).iter() {
                *n_values.entry(above).or_default() += 1;
            }
        }
        Self { knowledge, n_values }
    }

    /// The parent that is taken.
    fn parent(&self, concept: Concept) -> Option<Concept> {
        let parents = self.knowledge.parents(concept).iter().copied().enumerate();
        let best = parents.max_by_key(|&(place, parent)| {
            (self.n_values[&parent], self.knowledge.least_depth(parent), Reverse(place))
        });
        best.map(|(_, parent)| parent)
    }

    /// A node for a concept.
    fn word(&self, concept: Concept, parent: usize) -> Word {
        let parents = self.knowledge.parents(concept);
        let name = |concept: &Concept| self.knowledge.name(*concept);
        let note = match self.parent(concept).filter(|_| parents.len() > 1) {
            Some(taken) => {
                let all: Vec<String> = parents.iter().map(name).collect();
                format!("parent {} chosen among {}", name(&taken), all.join(", ")).into()
            }
            None => "".into(),
        };
        Word { parent, concept: Some(concept), value: None, note }
    }

    /// The place of a concept in the tree, where it and what is above it is put now if need be.
    fn place(
        &self,
        concept: Concept,
        vgh: &mut Vgh,
        places: &mut BTreeMap<Concept, usize>,
    ) -> usize {
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

/// Puts values in the place of their concepts where those have nothing else below them.
fn lifted(vgh: &Vgh, meanings: &[Meaning]) -> Vgh {
    let mut n_children = vec![0; vgh.nodes.len()];
    vgh.nodes.iter().skip(1).for_each(|node| n_children[node.parent] += 1);
    let mut lifted = vgh.clone();
    for node in &mut lifted.nodes {
        let is_plain = node.value.is_some_and(|code| {
            matches!(meanings[code as usize].how, How::Given | How::Whole)
                && meanings[code as usize].parts.len() == 1
        });
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
