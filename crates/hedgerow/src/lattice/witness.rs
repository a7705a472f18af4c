//! Groups of records whose classes were too small before, so that a node can be given up uncounted.

use std::collections::BTreeMap;

use super::Ladder;
use super::groups::{Groups, Packing};
use crate::hierarchy::Level;

/// Number of witnesses that are tried on a node.
const MOST: usize = 24;

/// Number of sets after which all are forgotten, because of their memory: one bit for each group.
/// If the witnesses of one node need more sets, the limit is twice that number.
const MOST_SETS: usize = 512;

/// Groups of records that were in small classes. The class of such a group at another node is often
/// too small as well, and its groups follow from the sets of groups that share a value with it.
///
/// All levels must be nested.
#[derive(Debug, Clone, Default)]
pub(super) struct Witnesses {
    /// The witnesses, the last successful one first.
    all: Vec<Leaves>,
    sets: Sets,
}

/// The leaf of each attribute in a group.
type Leaves = Vec<usize>;

/// The groups that have a value at a level of an attribute, as bits.
#[derive(Debug, Clone)]
struct Set {
    bits: Box<[u64]>,
    /// Number of groups in the set.
    n: usize,
}

/// The sets that were needed so far, by attribute, level and first leaf of the value.
#[derive(Debug, Clone, Default)]
struct Sets {
    all: Vec<Set>,
    place_of: BTreeMap<(usize, Level, u32), usize>,
    /// The groups of each attribute by leaf; `None` before they are needed.
    by_leaf: Vec<Option<ByLeaf>>,
}

/// Groups in the order of their leaves in one attribute.
#[derive(Debug, Clone)]
struct ByLeaf {
    groups: Vec<u32>,
    /// The start of the groups of each leaf, and the end of those of the last one.
    starts: Vec<u32>,
}

/// The groups among which witnesses are looked for, and how they are generalized.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) groups: &'a Groups,
    pub(super) packing: &'a Packing,
    pub(super) ladders: &'a [Ladder],
}

impl Witnesses {
    /// Forgets all groups, because there will be others.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Whether the class of a witness has fewer than `least` records at a node.
    pub(super) fn find_small(&mut self, ground: Ground<'_>, levels: &[Level], least: u64) -> bool {
        if self.sets.all.len() > MOST_SETS.max(2 * MOST * levels.len()) {
            self.sets.forget();
        }
        let Self { all, sets } = self;
        let found = all.iter().position(|witness| {
            let class = sets.class(ground, levels, witness);
            // All records are one class if no attribute divides them.
            !class.is_empty() && sets.has_fewer(&class, &ground.groups.counts, least)
        });
        let Some(place) = found else { return false };
        self.all[..=place].rotate_right(1);
        true
    }

    /// Adds a group of a class as a witness, given a leaf of the class for each attribute. The
    /// least recently successful witness is removed.
    pub(super) fn add(&mut self, ground: Ground<'_>, levels: &[Level], of_class: &[usize]) {
        let class = self.sets.class(ground, levels, of_class);
        let Some(group) = self.sets.first_of(&class) else { return };
        let leaf = |place| ground.packing.leaf(ground.groups, group, place);
        let leaves = (0..ground.ladders.len()).map(leaf).collect();
        self.all.truncate(MOST - 1);
        self.all.insert(0, leaves);
    }
}

impl ByLeaf {
    /// Sorts all groups by their leaf, with a place for each leaf.
    fn new(ground: Ground<'_>, place: usize) -> Self {
        let Ground { groups, packing, ladders } = ground;
        let leaves: Vec<u32> = packing.leaves(groups, place).map(|leaf| leaf as u32).collect();
        let mut starts = vec![0; ladders[place].rung(Level::VALUES).firsts.len() + 1];
        leaves.iter().for_each(|&leaf| starts[leaf as usize + 1] += 1);
        (1..starts.len()).for_each(|leaf| starts[leaf] += starts[leaf - 1]);
        let mut next = starts.clone();
        let mut sorted = vec![0; leaves.len()];
        for (group, leaf) in leaves.into_iter().enumerate() {
            let next = &mut next[leaf as usize];
            sorted[*next as usize] = group as u32;
            *next += 1;
        }
        Self { groups: sorted, starts }
    }

    /// The groups with one of some adjacent leaves.
    fn groups(&self, first: usize, n_leaves: usize) -> &[u32] {
        &self.groups[self.starts[first] as usize..self.starts[first + n_leaves] as usize]
    }
}

impl Sets {
    /// Forgets the sets, but not the order of the groups, which is the same for all.
    fn forget(&mut self) {
        self.all.clear();
        self.place_of.clear();
    }

    /// The sets whose intersection is the class of some leaves at a node, the smallest first.
    fn class(&mut self, ground: Ground<'_>, levels: &[Level], leaves: &[usize]) -> Vec<usize> {
        let mut class = Vec::with_capacity(levels.len());
        for (place, (ladder, &level)) in ground.ladders.iter().zip(levels).enumerate() {
            let firsts = &ladder.rung(level).firsts;
            // If the last leaf is in the group of leaf 0, all groups share this value.
            if firsts.last() != Some(&0) {
                class.push(self.set(ground, place, level, firsts[leaves[place]]));
            }
        }
        class.sort_unstable_by_key(|&set| self.all[set].n);
        class
    }

    /// The set of the groups with a value.
    fn set(&mut self, ground: Ground<'_>, place: usize, level: Level, first: u32) -> usize {
        let Self { all, place_of, by_leaf } = self;
        *place_of.entry((place, level, first)).or_insert_with(|| {
            by_leaf.resize(ground.ladders.len(), None);
            let by_leaf = by_leaf[place].get_or_insert_with(|| ByLeaf::new(ground, place));
            // Leaves of one value are adjacent.
            let firsts = &ground.ladders[place].rung(level).firsts[first as usize..];
            let n_leaves = firsts.iter().take_while(|at| **at == first).count();
            let members = by_leaf.groups(first as usize, n_leaves);
            let mut bits = vec![0; ground.groups.counts.len().div_ceil(64)];
            members.iter().for_each(|group| bits[*group as usize / 64] |= 1 << (group % 64));
            all.push(Set { bits: bits.into(), n: members.len() });
            all.len() - 1
        })
    }

    /// Whether the groups in all of some sets have fewer than `least` records.
    fn has_fewer(&self, class: &[usize], counts: &[u64], least: u64) -> bool {
        let mut n_records = 0;
        for word in 0..counts.len().div_ceil(64) {
            let mut bits = self.common(class, word);
            while bits != 0 {
                n_records += counts[word * 64 + bits.trailing_zeros() as usize];
                bits &= bits - 1;
            }
            if n_records >= least {
                return false;
            }
        }
        true
    }

    /// The first group that is in all of some sets.
    fn first_of(&self, class: &[usize]) -> Option<usize> {
        let n_words = class.first().map_or(0, |&set| self.all[set].bits.len());
        let bits = (0..n_words).map(|word| (word, self.common(class, word)));
        let (word, bits) = bits.into_iter().find(|(_, bits)| *bits != 0)?;
        Some(word * 64 + bits.trailing_zeros() as usize)
    }

    /// 64 groups of the intersection of some sets.
    #[inline]
    fn common(&self, class: &[usize], word: usize) -> u64 {
        let mut bits = u64::MAX;
        for &set in class {
            bits &= self.all[set].bits[word];
            if bits == 0 {
                break;
            }
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use crate::builder;
    use crate::hierarchy::Level;
    use crate::lattice::{Grid, Nodes, Vertex};
    use crate::privacy::KAnonymity;
    use crate::problem::Problem;
    use crate::random::Random;
    use crate::table::Table;

    /// Records of several columns with up to seven values each.
    fn problem(random: &mut Random) -> Problem {
        let row = |random: &mut Random| [7, 5, 4, 3].map(|n| random.below(n).to_string());
        let rows: Vec<[String; 4]> = (0..50).map(|_| row(random)).collect();
        let table = Table::from_rows(&["a", "b", "c", "d"], &rows).unwrap();
        let build = |column| builder::build(&"iotf".parse().unwrap(), column, None).unwrap();
        let built = table.columns().iter().map(build).collect();
        Problem::new(&table, built, vec![Box::new(KAnonymity::new(3).unwrap())]).unwrap()
    }

    #[test]
    fn a_node_with_a_small_witness_fails_when_it_is_counted() {
        let mut random = Random::new(5);
        let (mut n_small, mut n_failing) = (0, 0);
        for _ in 0..10 {
            let problem = problem(&mut random);
            let (mut nodes, mut fresh) = (Nodes::of_all(&problem), Nodes::of_all(&problem));
            nodes.allow(0);
            let grid = Grid::new(nodes.ladders());
            for _ in 0..60 {
                let levels: Vec<Level> = grid.levels(Vertex::new(random.below(grid.len())));
                let fails = fresh.count(&levels).n_failing() > 0;
                n_failing += u64::from(fails);
                if nodes.has_small(&levels) {
                    assert!(fails, "{levels:?}");
                    n_small += 1;
                } else if nodes.count(&levels).n_failing() > 0 {
                    nodes.note_small(&levels);
                }
            }
        }
        assert!(n_small * 4 > n_failing && n_failing > 100, "{n_small} of {n_failing}");
    }
}
