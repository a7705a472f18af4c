//! Adjustment b: rare groups together, so that they need not take all others along.

use hashbrown::HashMap;

use super::vgh::{Layout, Vgh, Word};
use crate::knowledge::{Ancestors, Concept, Knowledge, Mode};

/// What a group of outliers is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    /// As the parent of one of them.
    Parent,
    /// As one of the values in it.
    Leaf,
    /// As the root: it says nothing.
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
/// A node is an outlier if it has fewer than `k` records. Values that lie higher than others stand
/// for themselves on that level.
///
/// # References
///
/// \[Ayala2016\], section 3.2(3)b; METHODS 5.5b. Deviation: a group that is called as the root, or as
/// another node, is told apart from it by the name of its concept or a number, so that a release can be read back.
pub(super) struct Outliers<'a> {
    vgh: &'a Vgh,
    knowledge: &'a Knowledge,
    layout: Layout,
    k: u64,
    /// The nodes, in the order of the tree, with their records.
    nodes: Vec<(usize, u64)>,
    above: HashMap<Concept, Ancestors>,
}

impl<'a> Outliers<'a> {
    /// The outliers of a tree; none if even all of them together have fewer than `k` records.
    pub(super) fn of(
        vgh: &'a Vgh,
        knowledge: &'a Knowledge,
        counts: &[u64],
        k: u64,
    ) -> Option<Self> {
        let layout = vgh.layout();
        let level = layout.height().checked_sub(1).filter(|&depth| depth > 0)?;
        let mut nodes = Vec::new();
        let mut place = 0;
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
        if nodes.iter().map(|node| node.1).sum::<u64>() < k {
            return None;
        }
        let mut outliers = Self { vgh, knowledge, layout, k, nodes, above: HashMap::new() };
        for (place, _) in outliers.nodes.clone() {
            let alone = [place, vgh.nodes[place].parent];
            for place in outliers.leaves(place).chain(alone).collect::<Vec<_>>() {
                if let Some(concept) = vgh.nodes[place].concept {
                    let above = outliers.above.entry(concept);
                    above.or_insert_with(|| knowledge.ancestors(concept));
                }
            }
        }
        Some(outliers)
    }

    /// All outliers as one group.
    pub(super) fn together(&self) -> Vec<Vec<usize>> {
        vec![self.nodes.iter().map(|node| node.0).collect()]
    }

    /// Groups that just reach `k` records: the rarest outlier and those that are most like it, again and
    /// again. What is left at the end joins the group whose first it is most like.
    pub(super) fn in_parts(&self) -> Vec<Vec<usize>> {
        let mut open = self.nodes.clone();
        open.sort_by_key(|&(place, count)| (count, place));
        let mut groups: Vec<Vec<usize>> = Vec::new();
        while open.iter().map(|node| node.1).sum::<u64>() >= self.k {
            let (seed, mut total) = open.remove(0);
            let mut near: Vec<(f64, usize)> =
                open.iter().map(|&(place, _)| (self.alike(seed, place), place)).collect();
            near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let mut group = vec![seed];
            for (_, place) in near {
                if total >= self.k {
                    break;
                }
                group.push(place);
                let at = open.iter().position(|node| node.0 == place).unwrap_or(0);
                total += open.remove(at).1;
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

    /// How alike two nodes are.
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

    /// The tree in which the values of each group stand below a new node, itself below the lowest
    /// node above all of them; none if what it would be called is not alike enough.
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
            let ends = group.iter().min().zip(group.iter().max());
            let parent = ends.map_or(0, |(&a, &b)| self.vgh.lowest_above(&self.layout, a, b));
            let note = note.into();
            let new = vgh.push(Word { parent, concept, value: None, how: None, note });
            for leaf in leaves {
                vgh.nodes[leaf].parent = new;
            }
        }
        Some(vgh.tidied())
    }

    /// What a group is best called, and how alike its leaves are to that on average.
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
        // Of equal ones the first of the group.
        scored.reduce(|best, other| if other.0 > best.0 { other } else { best })
    }

    fn leaves(&self, place: usize) -> impl Iterator<Item = usize> {
        (place..self.layout.ends[place]).filter(|&below| self.vgh.nodes[below].value.is_some())
    }
}
