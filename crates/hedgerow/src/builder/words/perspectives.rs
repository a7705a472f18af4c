//! Adjustment d: the same groups with other concepts as labels.

use std::cmp::Reverse;

use hashbrown::HashSet;

use super::vgh::Vgh;
use crate::knowledge::{Ancestors, Concept, Knowledge, Mode};

/// An alternative concept for a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Facet {
    /// The index of the node.
    pub(super) place: usize,
    /// The alternative concept.
    pub(super) concept: Concept,
    /// The relation of the alternative concept to the node's own.
    relation: &'static str,
}

/// Returns every replacement of the concept of one inner node below the root.
///
/// A concept can be replaced by a sister, a part, a whole or a parent of it, if their Wu-Palmer
/// similarity is at least `least_alike` and the tree does not contain the replacement yet. Nodes
/// take turns, those with larger subtrees first; each offers its most similar replacements first.
///
/// # Complexity
///
/// One comparison for each relative of a node, made only when the node has its first turn.
///
/// # References
///
/// \[Ayala2016\], section 3.2(3)d; METHODS 5.5d.
pub(super) fn singles<'a>(
    vgh: &'a Vgh,
    knowledge: &'a Knowledge,
    least_alike: f64,
) -> impl Iterator<Item = Facet> + 'a {
    let layout = vgh.layout();
    let used: HashSet<Concept> = vgh.nodes.iter().filter_map(|node| node.concept).collect();
    let mut inner: Vec<usize> =
        (1..vgh.nodes.len()).filter(|&place| vgh.nodes[place].value.is_none()).collect();
    inner.sort_by_key(|&place| (Reverse(layout.ends[place] - place), place));
    let views = Views { vgh, knowledge, used, least_alike };
    Turns { views, inner, lists: Vec::new(), round: 0, at: 0 }
}

/// The facets of nodes that take turns: in round `r` each node offers its facet number `r`.
struct Turns<'a> {
    views: Views<'a>,
    /// The nodes in the order of their turns.
    inner: Vec<usize>,
    /// The facets of each node, computed in round 0 when its turn comes.
    lists: Vec<Vec<Facet>>,
    round: usize,
    /// The position in `inner` of the node that is next.
    at: usize,
}

impl Iterator for Turns<'_> {
    type Item = Facet;

    fn next(&mut self) -> Option<Facet> {
        loop {
            if self.at == self.inner.len() {
                // Another round makes sense only if some node has a facet left for it.
                if self.lists.iter().all(|list| list.len() <= self.round + 1) {
                    return None;
                }
                (self.round, self.at) = (self.round + 1, 0);
                continue;
            }
            let at = self.at;
            self.at += 1;
            if self.round == 0 {
                self.lists.push(self.views.facets(self.inner[at]));
            }
            if let Some(facet) = self.lists[at].get(self.round) {
                return Some(*facet);
            }
        }
    }
}

/// Context for the search of alternative concepts.
struct Views<'a> {
    vgh: &'a Vgh,
    knowledge: &'a Knowledge,
    /// The concepts that nodes have already.
    used: HashSet<Concept>,
    least_alike: f64,
}

impl Views<'_> {
    /// Returns the alternative concepts of a node, most similar first.
    fn facets(&self, place: usize) -> Vec<Facet> {
        let Some(own) = self.vgh.nodes[place].concept else { return Vec::new() };
        let knowledge = self.knowledge;
        let mut above: Option<Ancestors> = None;
        let parents = knowledge.parents(own).iter();
        let sisters = parents.clone().flat_map(|&parent| knowledge.children(parent));
        let related = parents
            .map(|&concept| (concept, "a parent"))
            .chain(knowledge.wholes(own).iter().map(|&concept| (concept, "a whole")))
            .chain(knowledge.parts(own).iter().map(|&concept| (concept, "a part")))
            .chain(sisters.map(|&concept| (concept, "a sister")));
        let mut seen = HashSet::new();
        let mut alike: Vec<(f64, Facet)> = Vec::new();
        for (concept, relation) in related {
            if self.used.contains(&concept) || !seen.insert(concept) {
                continue;
            }
            let of_other: Ancestors = knowledge.ancestors(concept);
            let above = above.get_or_insert_with(|| knowledge.ancestors(own));
            let likeness = knowledge.wu_palmer(above, &of_other, Mode::default());
            if likeness >= self.least_alike {
                alike.push((likeness, Facet { place, concept, relation }));
            }
        }
        alike.sort_by(|a, b| b.0.total_cmp(&a.0)); // stable: ties keep the order of `related`
        alike.into_iter().map(|(_, facet)| facet).collect()
    }
}

/// Returns the tree with the concepts of some nodes replaced.
pub(super) fn relabelled(vgh: &Vgh, facets: &[Facet], knowledge: &Knowledge) -> Vgh {
    let mut vgh = vgh.clone();
    for facet in facets {
        let node = &mut vgh.nodes[facet.place];
        let own = node.concept.map_or_else(String::new, |concept| knowledge.name(concept));
        let more = format!("{} of {own} put in its place", facet.relation);
        *node = node.clone().noted(&more);
        node.concept = Some(facet.concept);
    }
    vgh
}
