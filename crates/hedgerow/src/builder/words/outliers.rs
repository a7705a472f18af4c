//! Adjustment b: merges rare groups, so that they do not force all other values to be generalized.

use hashbrown::HashMap;

use super::vgh::{Layout, Vgh, Word};
use crate::knowledge::{Ancestors, Concept, Knowledge, Mode};

/// Labelling of a group of outliers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    /// As the parent of one of them.
    Parent,
    /// As one of the values in the group.
    Leaf,
    /// As the root, which reveals nothing.
    Root,
}

impl Name {
    pub(super) const ALL: [Self; 3] = [Self::Parent, Self::Leaf, Self::Root];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Parent => "parent",
            Self::Leaf => "leaf",
            Self::Root => "root",
        }
    }
}

/// The rare nodes of the lowest level above the values.
///
/// A node is an outlier if it has fewer than `k` records. A value above that level takes the place
/// of its missing ancestor on that level.
///
/// # References
///
/// \[Ayala2016\], section 3.2(3)b; METHODS 5.5b. Deviation: a group that has the label of the root
/// or of another node is distinguished from it by the name of its concept or a number, so that a
/// release can be read back.
pub(super) struct Outliers<'a> {
    vgh: &'a Vgh,
    knowledge: &'a Knowledge,
    layout: Layout,
    k: u64,
    /// The outliers in tree order, each with its number of records.
    nodes: Vec<(usize, u64)>,
    above: HashMap<Concept, Ancestors>,
}

impl<'a> Outliers<'a> {
    /// Finds the outliers of a tree; returns `None` if all together have fewer than `k` records.
    pub(super) fn of(
        vgh: &'a Vgh,
        knowledge: &'a Knowledge,
        counts: &[u64],
        k: u64,
    ) -> Option<Self> {
        let layout = vgh.layout();
        let nodes = rare_nodes(vgh, &layout, counts, k)?;
        if nodes.iter().map(|node| node.1).sum::<u64>() < k {
            return None;
        }
        let mut outliers = Self { vgh, knowledge, layout, k, nodes, above: HashMap::new() };
        outliers.above = outliers.ancestors();
        Some(outliers)
    }

    /// Returns the ancestors of all concepts whose similarity may be computed.
    fn ancestors(&self) -> HashMap<Concept, Ancestors> {
        let nodes = &self.vgh.nodes;
        let mut above = HashMap::new();
        for &(place, _) in &self.nodes {
            // Outliers, their parents and their leaves are compared.
            let compared = self.leaves(place).chain([place, nodes[place].parent]);
            for concept in compared.filter_map(|place| nodes[place].concept) {
                above.entry(concept).or_insert_with(|| self.knowledge.ancestors(concept));
            }
        }
        above
    }

    /// Returns all outliers as one group.
    pub(super) fn together(&self) -> Vec<Vec<usize>> {
        vec![self.nodes.iter().map(|node| node.0).collect()]
    }

    /// Returns groups that just reach `k` records.
    ///
    /// Each group consists of the rarest remaining outlier and those that are most similar to it.
    /// Outliers that are left at the end join the group whose first member is most similar to them.
    pub(super) fn in_parts(&self) -> Vec<Vec<usize>> {
        let mut open = self.nodes.clone();
        open.sort_by_key(|&(place, count)| (count, place));
        let mut groups: Vec<Vec<usize>> = Vec::new();
        while open.iter().map(|node| node.1).sum::<u64>() >= self.k {
            let (seed, mut total) = open.remove(0);
            let mut near: Vec<(f64, usize)> =
                open.iter().map(|&(place, _)| (self.alike(seed, place), place)).collect();
            // Ties are broken by tree order.
            near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let mut group = vec![seed];
            for (_, place) in near {
                if total >= self.k {
                    break;
                }
                if let Some(at) = open.iter().position(|node| node.0 == place) {
                    group.push(place);
                    total += open.remove(at).1;
                }
            }
            groups.push(group);
        }
        for (place, _) in open {
            let alike =
                groups.iter().enumerate().map(|(at, group)| (self.alike(group[0], place), at));
            let best = alike.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
            if let Some((_, at)) = best {
                groups[at].push(place);
            }
        }
        groups
    }

    /// Returns the similarity of two nodes.
    fn alike(&self, one: usize, other: usize) -> f64 {
        let of = |place: usize| self.vgh.nodes[place].concept;
        self.likeness(of(one), of(other))
    }

    fn likeness(&self, one: Option<Concept>, other: Option<Concept>) -> f64 {
        let above = |concept: Option<Concept>| self.above.get(&concept?);
        match (above(one), above(other)) {
            (Some(one), Some(other)) => self.knowledge.wu_palmer(one, other, Mode::default()),
            _ => 0.0,
        }
    }

    /// Returns the tree in which the values of each group are children of a new node.
    ///
    /// The new node is a child of the lowest common ancestor of the group. Returns `None` if the
    /// concept of a group is not similar enough to its values.
    pub(super) fn grouped(
        &self,
        groups: &[Vec<usize>],
        name: Name,
        least_alike: f64,
    ) -> Option<Vgh> {
        let mut vgh = self.vgh.clone();
        for group in groups {
            let leaves: Vec<usize> = group.iter().flat_map(|&place| self.leaves(place)).collect();
            let concept = match name {
                Name::Root => self.vgh.nodes[0].concept,
                name => Some(
                    self.concept(group, &leaves, name).filter(|found| found.0 >= least_alike)?.1,
                ),
            };
            let n_moved = leaves.len();
            let note = format!(
                "outliers: {n_moved} values of groups with fewer than {} records, called as {}",
                self.k,
                match name {
                    Name::Parent => "the parent of one of them",
                    Name::Leaf => "one of them",
                    Name::Root => "the root",
                }
            );
            // Nodes are in pre-order, so the first and the last determine the common ancestor.
            let ends = group.iter().min().zip(group.iter().max());
            let parent = ends.map_or(0, |(&a, &b)| self.vgh.lowest_above(&self.layout, a, b));
            let new = vgh.push(Word::group(parent, concept, &note));
            for leaf in leaves {
                vgh.nodes[leaf].parent = new;
            }
        }
        Some(vgh.tidied())
    }

    /// Returns the best concept for a group, with its average similarity to the leaves.
    fn concept(&self, group: &[usize], leaves: &[usize], name: Name) -> Option<(f64, Concept)> {
        let nodes = &self.vgh.nodes;
        let places: Vec<usize> = match name {
            Name::Parent => group.iter().map(|&place| nodes[place].parent).collect(),
            Name::Leaf => leaves.to_vec(),
            Name::Root => vec![0],
        };
        let mean = |concept: Concept| {
            let alike =
                leaves.iter().map(|&leaf| self.likeness(Some(concept), nodes[leaf].concept));
            alike.sum::<f64>() / leaves.len() as f64
        };
        let mut concepts: Vec<Concept> =
            places.into_iter().filter_map(|place| nodes[place].concept).collect();
        concepts.dedup();
        let scored = concepts.into_iter().map(|concept| (mean(concept), concept));
        // Ties go to the first concept of the group.
        scored.reduce(|best, other| if other.0 > best.0 { other } else { best })
    }

    fn leaves(&self, place: usize) -> impl Iterator<Item = usize> {
        (place..self.layout.ends[place]).filter(|&below| self.vgh.nodes[below].value.is_some())
    }
}

/// Returns the nodes of the lowest level above the values that have fewer than `k` records, with
/// their numbers of records, or `None` if the root is the only inner level.
fn rare_nodes(vgh: &Vgh, layout: &Layout, counts: &[u64], k: u64) -> Option<Vec<(usize, u64)>> {
    let level = layout.height().checked_sub(1).filter(|&depth| depth > 0)?;
    let mut nodes = Vec::new();
    let mut place = 0;
    // Jump from subtree to subtree: inner nodes above the level are entered, others are counted.
    while place < vgh.nodes.len() {
        let is_value = vgh.nodes[place].value.is_some();
        if !is_value && layout.depths[place] < level {
            place += 1;
            continue;
        }
        let below = &vgh.nodes[place..layout.ends[place]];
        let codes = below.iter().filter_map(|node| node.value);
        let count: u64 = codes.map(|code| counts[code as usize]).sum();
        if count < k {
            nodes.push((place, count));
        }
        place = layout.ends[place];
    }
    Some(nodes)
}
