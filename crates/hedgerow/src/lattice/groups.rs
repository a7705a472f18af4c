//! Distinct tuples of leaves with their counts, and how they merge at higher levels.

use std::cmp::Reverse;

use super::Ladder;
use super::chunks::{Chunks, Field};
use super::ladder::Rung;
use crate::hierarchy::Level;
use crate::problem::{Attribute, Problem, Tallies};
use crate::table::Cohort;

/// Classes of equal tuples; at higher levels, a group of leaves is represented by its first leaf.
#[derive(Debug, Clone, Default)]
pub(crate) struct Groups {
    /// The packed tuples, `n_words` words each.
    keys: Vec<u64>,
    /// Number of records of each tuple.
    pub(crate) counts: Vec<u64>,
    /// The facts about each tuple that the goal needs besides its size.
    pub(crate) tallies: Tallies,
}

impl Groups {
    /// Adds the distinct tuples of `N` words in ascending order, the last word most significant,
    /// and returns the group of each member.
    fn add_tuples<const N: usize>(&mut self, keys: &[u64], members: &[(Cohort, u64)]) -> Vec<u32> {
        let mut tuples: Vec<([u64; N], u32)> =
            keys.as_chunks().0.iter().copied().zip(0..).collect();
        tuples.iter_mut().for_each(|(words, _)| words.reverse());
        tuples.sort_unstable();
        self.add_sorted(tuples, members, |words, keys| keys.extend(words.iter().rev()))
    }

    /// Like [`Groups::add_tuples`], for tuples of one word.
    fn add_words(&mut self, keys: &[u64], members: &[(Cohort, u64)]) -> Vec<u32> {
        let place_bits = u64::BITS - (keys.len() as u64).leading_zeros();
        let is_short = keys.iter().fold(0, |bits, key| bits | key).leading_zeros() >= place_bits;
        let write = |word: u64, keys: &mut Vec<u64>| keys.push(word);
        if is_short {
            // A word with its place in the lower bits is sorted twice as fast as a pair.
            let mut both: Vec<u64> =
                keys.iter().zip(0..).map(|(key, place)| key << place_bits | place).collect();
            both.sort_unstable();
            let mask = (1 << place_bits) - 1;
            let sorted = both.into_iter().map(|both| (both >> place_bits, (both & mask) as u32));
            return self.add_sorted(sorted, members, write);
        }
        let mut sorted: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        self.add_sorted(sorted, members, write)
    }

    /// Adds the distinct tuples of a sorted list of tuples and members, given a function that
    /// writes one, and returns the group of each member.
    fn add_sorted<T: PartialEq + Copy>(
        &mut self,
        sorted: impl IntoIterator<Item = (T, u32)>,
        members: &[(Cohort, u64)],
        write: impl Fn(T, &mut Vec<u64>),
    ) -> Vec<u32> {
        let mut group_of = vec![0; members.len()];
        let mut before = None;
        // Sorting makes equal tuples adjacent.
        for (tuple, place) in sorted {
            if before != Some(tuple) {
                write(tuple, &mut self.keys);
                self.counts.push(0);
                before = Some(tuple);
            }
            let group = self.counts.len() - 1;
            self.counts[group] += members[place as usize].1;
            group_of[place as usize] = group as u32;
        }
        group_of
    }
}

/// Groups of tuples, and the level of each attribute that they are at.
pub(crate) struct Counted<'a> {
    pub(crate) groups: &'a Groups,
    pub(crate) levels: &'a [Level],
}

/// Layout of tuples packed into words: attribute by attribute, no field crosses a word boundary.
///
/// Attributes with many values take the lower bits, so tuples that become equal when these
/// attributes rise are adjacent in a sorted list.
#[derive(Debug, Clone)]
pub(crate) struct Packing {
    fields: Vec<Field>,
    n_words: usize,
}

/// Maximum number of words in a tuple.
const MOST_WORDS: usize = 16;

impl Packing {
    pub(crate) fn new(attributes: &[Attribute]) -> Self {
        let (mut word, mut used) = (0, 0);
        let mut fields = vec![Field { word: 0, shift: 0, mask: 0 }; attributes.len()];
        for place in by_values(attributes) {
            let last = attributes[place].n_leaves().saturating_sub(1) as u64;
            let n_bits = u64::BITS - last.leading_zeros();
            // Only 63 bits of a word are used, so that no tuple equals the initial `before` of
            // `merge_words`.
            if used + n_bits > u64::BITS - 1 {
                (word, used) = (word + 1, 0);
            }
            fields[place] = Field { word, shift: used, mask: (1 << n_bits) - 1 };
            used += n_bits;
        }
        // Powers of two keep the number of instances of `merge_words` small.
        Self { fields, n_words: (word + 1).next_power_of_two() }
    }

    /// Whether tuples are short enough to be supported.
    pub(crate) fn fits(&self) -> bool {
        self.n_words <= MOST_WORDS
    }

    /// The packed tuples of some records of cohorts, one after another.
    fn keys(&self, problem: &Problem, members: &[(Cohort, u64)]) -> Vec<u64> {
        let mut keys = vec![0; members.len() * self.n_words];
        if self.n_words == 1 {
            for (attribute, field) in problem.attributes().iter().zip(&self.fields) {
                for (key, &(cohort, _)) in keys.iter_mut().zip(members) {
                    *key |= u64::from(attribute.known_leaf(cohort).get()) << field.shift;
                }
            }
            return keys;
        }
        for (attribute, field) in problem.attributes().iter().zip(&self.fields) {
            let leaves = members.iter().map(|&(cohort, _)| attribute.known_leaf(cohort));
            for (key, leaf) in keys.chunks_mut(self.n_words).zip(leaves) {
                key[field.word] |= u64::from(leaf.get()) << field.shift;
            }
        }
        keys
    }

    /// The leaf of an attribute in the tuple of each group.
    pub(super) fn leaves<'g>(
        &self,
        groups: &'g Groups,
        attribute: usize,
    ) -> impl Iterator<Item = usize> + 'g {
        let Field { word, shift, mask } = self.fields[attribute];
        let words = groups.keys.iter().skip(word).step_by(self.n_words);
        words.map(move |word| (word >> shift & mask) as usize)
    }

    /// The leaf of an attribute in the tuple of a group.
    #[inline]
    pub(crate) fn leaf(&self, groups: &Groups, group: usize, attribute: usize) -> usize {
        let Field { word, shift, mask } = self.fields[attribute];
        (groups.keys[group * self.n_words + word] >> shift & mask) as usize
    }
}

/// The indices of the attributes, those with many values first.
pub(crate) fn by_values(attributes: &[Attribute]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..attributes.len()).collect();
    places.sort_by_key(|&place| Reverse(attributes[place].n_leaves()));
    places
}

/// The move of an attribute to a higher level.
struct Rise<'a> {
    field: Field,
    /// The leaf that each leaf becomes; empty if all become leaf 0.
    firsts: &'a [u32],
}

impl<'a> Rise<'a> {
    /// The move of the attribute in `field` to the level of `rung`.
    fn new(field: Field, rung: &'a Rung) -> Self {
        // If the last leaf is in the group of leaf 0, there is only one group.
        let is_one = rung.firsts.last() == Some(&0);
        Self { field, firsts: if is_one { &[] } else { &rung.firsts } }
    }
}

/// Merges groups, reusing its buffers.
#[derive(Debug, Clone)]
pub(crate) struct Merger {
    packing: Packing,
    /// A hash table of group indices; its length is a power of two.
    slots: Vec<u32>,
    /// The merged group of each group of the last merge.
    places: Vec<u32>,
    /// The numbering of combinations of groups; `None` if they have none, or before the first
    /// merge.
    chunks: Option<Chunks>,
    has_merged: bool,
    /// The number of the combination of each group.
    numbers: Vec<u64>,
    /// The number of the combination of each merged group.
    found: Vec<u64>,
}

/// Limit on the slots of a table without hashes, in multiples of the groups.
const MOST_SLOTS_PER_GROUP: u64 = 16;

/// Marks an empty slot.
const FREE: u32 = u32::MAX;

impl Merger {
    pub(crate) fn new(problem: &Problem) -> Self {
        let packing = Packing::new(problem.attributes());
        let (slots, places, chunks, has_merged) = (Vec::new(), Vec::new(), None, false);
        Self { packing, slots, places, chunks, has_merged, numbers: Vec::new(), found: Vec::new() }
    }

    pub(crate) fn packing(&self) -> &Packing {
        &self.packing
    }

    /// The distinct tuples of some records of cohorts, sorted, and the tuple of each member.
    pub(crate) fn base(
        &mut self,
        problem: &Problem,
        members: &[(Cohort, u64)],
    ) -> (Groups, Vec<u32>) {
        let keys = self.packing.keys(problem, members);
        let mut base = Groups::default();
        let group_of = match self.packing.n_words {
            // Words are compared faster than arrays of one word.
            1 => base.add_words(&keys, members),
            2 => base.add_tuples::<2>(&keys, members),
            4 => base.add_tuples::<4>(&keys, members),
            8 => base.add_tuples::<8>(&keys, members),
            _ => base.add_tuples::<MOST_WORDS>(&keys, members),
        };
        base.tallies = problem.goal().tallies(members, &group_of, base.counts.len());
        (base, group_of)
    }

    /// Raises groups from their levels to the levels `to`, and writes them to `into` without
    /// tallies.
    pub(crate) fn raise(
        &mut self,
        from: &Counted<'_>,
        ladders: &[Ladder],
        to: &[Level],
        into: &mut Groups,
    ) {
        let moves = self.packing.fields.iter().zip(ladders).zip(from.levels.iter().zip(to));
        let rises: Vec<Rise<'_>> = moves
            .filter(|(_, (at, to))| at != to)
            .map(|((&field, ladder), (_, &to))| Rise::new(field, ladder.rung(to)))
            .collect();
        if !std::mem::replace(&mut self.has_merged, true) {
            self.chunks = Chunks::new(&self.packing.fields, ladders);
        }
        if let Some(chunks) = &mut self.chunks {
            let n = chunks.number(&from.groups.keys, ladders, to, &mut self.numbers);
            into.keys.clear();
            into.counts.clear();
            if n <= MOST_SLOTS_PER_GROUP * from.groups.counts.len() as u64 {
                self.merge_numbered(from.groups, &rises, n as usize, into);
            } else {
                self.merge_hashed(from.groups, &rises, into);
            }
            return;
        }
        self.merge(from.groups, &rises, into);
    }

    /// Merges tuples whose combinations of groups have numbers below `n`.
    fn merge_numbered(&mut self, from: &Groups, rises: &[Rise<'_>], n: usize, into: &mut Groups) {
        self.slots.clear();
        self.slots.resize(n, FREE);
        self.places.resize(from.counts.len(), 0);
        let groups = self.numbers.iter().zip(&from.counts).zip(&from.keys);
        for (((&number, &count), &key), to) in groups.zip(&mut self.places) {
            let slot = &mut self.slots[number as usize];
            if *slot == FREE {
                *slot = into.counts.len() as u32;
                into.keys.push(raised(key, rises));
                into.counts.push(0);
            }
            into.counts[*slot as usize] += count;
            *to = *slot;
        }
    }

    /// Merges tuples whose combinations of groups have numbers, with a hash table that resolves
    /// collisions by linear probing.
    fn merge_hashed(&mut self, from: &Groups, rises: &[Rise<'_>], into: &mut Groups) {
        self.empty_slots(from.counts.len());
        self.places.clear();
        self.found.clear();
        let last = self.slots.len() - 1;
        let shift = (u64::BITS - self.slots.len().trailing_zeros()).min(u64::BITS - 1);
        // Sorted tuples often become equal to the one before them, which saves the lookup.
        let mut before = (u64::MAX, 0);
        for ((&number, &count), &key) in self.numbers.iter().zip(&from.counts).zip(&from.keys) {
            if number != before.0 {
                let mut slot = (hash(&[number]) >> shift) as usize & last;
                loop {
                    let place = self.slots[slot];
                    if place == FREE {
                        self.slots[slot] = into.counts.len() as u32;
                        into.keys.push(raised(key, rises));
                        into.counts.push(0);
                        self.found.push(number);
                        break;
                    }
                    if self.found[place as usize] == number {
                        break;
                    }
                    slot = (slot + 1) & last;
                }
                before = (number, self.slots[slot]);
            }
            into.counts[before.1 as usize] += count;
            self.places.push(before.1);
        }
    }

    /// For each group of the last merge, the index of its merged group.
    pub(crate) fn places(&self) -> &[u32] {
        &self.places
    }

    fn merge(&mut self, from: &Groups, rises: &[Rise<'_>], into: &mut Groups) {
        // Tuples are arrays, so that the usual single word stays in a register.
        match self.packing.n_words {
            1 => self.merge_words::<1>(from, rises, into),
            2 => self.merge_words::<2>(from, rises, into),
            4 => self.merge_words::<4>(from, rises, into),
            8 => self.merge_words::<8>(from, rises, into),
            _ => self.merge_words::<MOST_WORDS>(from, rises, into),
        }
    }

    /// Makes a hash table without entries for up to `n_groups` groups.
    fn empty_slots(&mut self, n_groups: usize) {
        // At most half of the slots are used, which keeps probe sequences short.
        let n_slots = (n_groups * 2).next_power_of_two();
        self.slots.clear();
        self.slots.resize(n_slots, FREE);
    }

    /// Merges tuples of `N` words with a hash table that resolves collisions by linear probing.
    fn merge_words<const N: usize>(
        &mut self,
        from: &Groups,
        rises: &[Rise<'_>],
        into: &mut Groups,
    ) {
        self.empty_slots(from.counts.len());
        let last = self.slots.len() - 1;
        // The upper bits of the hash select the slot, because multiplication mixes them best.
        let shift = (u64::BITS - self.slots.len().trailing_zeros()).min(u64::BITS - 1);
        self.places.resize(from.counts.len(), 0);
        let Groups { keys, counts, .. } = into;
        keys.clear();
        counts.clear();
        let kept = kept_bits::<N>(rises);
        let partial = rises.iter().filter(|rise| !rise.firsts.is_empty());
        let rises: Vec<(Field, &[u32])> = partial.map(|rise| (rise.field, rise.firsts)).collect();
        // Sorted tuples often become equal to the one before them, which saves the lookup.
        let mut before = ([u64::MAX; N], 0);
        let groups = from.keys.as_chunks::<N>().0.iter().zip(&from.counts);
        for ((key, &count), to) in groups.zip(&mut self.places) {
            let mut raised = *key;
            raised.iter_mut().zip(&kept).for_each(|(word, kept)| *word &= kept);
            for (field, firsts) in &rises {
                let leaf = key[field.word] >> field.shift & field.mask;
                raised[field.word] |= u64::from(firsts[leaf as usize]) << field.shift;
            }
            if raised != before.0 {
                let mut slot = (hash(&raised) >> shift) as usize & last;
                let is_other =
                    |place: u32| place != FREE && keys.as_chunks::<N>().0[place as usize] != raised;
                while is_other(self.slots[slot]) {
                    slot = (slot + 1) & last;
                }
                if self.slots[slot] == FREE {
                    self.slots[slot] = counts.len() as u32;
                    keys.extend_from_slice(&raised);
                    counts.push(0);
                }
                before = (raised, self.slots[slot]);
            }
            counts[before.1 as usize] += count;
            *to = before.1;
        }
    }
}

/// A tuple of one word after its attributes rise.
#[inline]
fn raised(key: u64, rises: &[Rise<'_>]) -> u64 {
    let mut raised = key;
    for Rise { field, firsts } in rises {
        let leaf = key >> field.shift & field.mask;
        raised &= !(field.mask << field.shift);
        // Without leaves to look up, all become leaf 0.
        if let Some(&first) = firsts.get(leaf as usize) {
            raised |= u64::from(first) << field.shift;
        }
    }
    raised
}

/// Masks that clear the fields that rise; fields that rise to a single group stay 0.
fn kept_bits<const N: usize>(rises: &[Rise<'_>]) -> [u64; N] {
    let mut kept = [u64::MAX; N];
    for Rise { field, .. } in rises {
        kept[field.word] &= !(field.mask << field.shift);
    }
    kept
}

/// A hash of a tuple whose upper bits are well mixed.
#[inline]
fn hash<const N: usize>(words: &[u64; N]) -> u64 {
    let mix = |hash: u64, &word: &u64| {
        let mixed = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ mixed >> 32
    };
    words.iter().fold(0, mix).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder;
    use crate::privacy::KAnonymity;
    use crate::table::Table;

    /// 40 columns of 100 values do not fit into one or two words.
    #[test]
    fn wide_tuples_are_counted_like_narrow_ones() {
        let names: Vec<String> = (0..40).map(|place| format!("c{place}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let row = |row: usize| (0..40).map(|c| ((row % 50) * (c + 1) % 101).to_string()).collect();
        let rows: Vec<Vec<String>> = (0..100).map(row).collect();
        let table = Table::from_rows(&names, &rows).unwrap();
        let build = |column| builder::build(&"equal-width".parse().unwrap(), column, None);
        let built = table.columns().iter().map(|column| build(column).unwrap()).collect();
        let model = Box::new(KAnonymity::new(1).unwrap());
        let problem = Problem::new(&table, built, vec![model]).unwrap();
        let members: Vec<_> = problem.cohorts().counted().collect();
        let mut merger = Merger::new(&problem);
        assert!(merger.packing.n_words > 2);
        let (base, group_of) = merger.base(&problem, &members);
        assert_eq!(base.counts, vec![2; 50]);
        let eighth = Cohort::new(7);
        let leaves = problem.attributes().iter().map(|a| a.known_leaf(eighth).index());
        let found =
            (0..40).map(|attribute| merger.packing.leaf(&base, group_of[7] as usize, attribute));
        assert_eq!(found.collect::<Vec<_>>(), leaves.collect::<Vec<_>>());
        let ladders = super::super::ladders(&problem, &members);
        let tops: Vec<Level> = ladders.iter().map(Ladder::top).collect();
        let mut top = Groups::default();
        let from = Counted { groups: &base, levels: &[Level::VALUES; 40] };
        merger.raise(&from, &ladders, &tops, &mut top);
        assert_eq!(top.counts, [100]);
    }
}
