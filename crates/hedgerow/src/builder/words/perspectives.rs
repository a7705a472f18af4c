//! Adjustment d: the same groups, seen as something else.

use std::cmp::Reverse;

use hashbrown::HashSet;

use super::vgh::Vgh;
use crate::knowledge::{Ancestors, Concept, Knowledge, Mode};

/// Another concept for a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Facet {
    /// The place of the node.
    pub(super) place: usize,
    /// What it may stand for instead.
    pub(super) concept: Concept,
    /// What that is to what it stood for.
    relation: &'static str,
}

/// Every relabelling of one inner node below the root, those first that are most like what the node
/// stood for, one of each node before the next of any; nodes with more values below them come first.
///
/// A node may become a sister, a part, a whole or another parent of what it stands for, if Wu and
/// Palmer's measure finds both alike and the tree has no such node yet.
///
/// # Complexity
///
/// One comparison for each relative of a node, when the node's turn comes.
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
    let mut lists: Vec<Vec<Facet>> = Vec::new();
    let mut turn = (0, 0);
    std::iter::from_fn(move || {
        loop {
            let (round, at) = turn;
            if at == inner.len() {
                if lists.iter().all(|list| list.len() <= round + 1) {
                    return None;
                }
                turn = (round + 1, 0);
                continue;
            }
            turn = (round, at + 1);
            if round == 0 {
                lists.push(views.facets(inner[at]));
            }
            if let Some(facet) = lists[at].get(round) {
                return Some(*facet);
            }
        }
    })
}

/// What decides what nodes may stand for instead.
struct Views<'a> {
    vgh: &'a Vgh,
    knowledge: &'a Knowledge,
    /// The concepts that nodes stand for already.
    used: HashSet<Concept>,
    least_alike: f64,
}

impl Views<'_> {
    /// What a node may stand for instead, the most alike first.
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
        alike.sort_by(|a, b| b.0.total_cmp(&a.0)); // stable: the nearest relation first
        alike.into_iter().map(|(_, facet)| facet).collect()
    }
}

/// The tree with nodes seen otherwise.
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
