//! Distinct tuples of leaves with their counts, and what is left of them on higher levels.

use super::Ladder;
use crate::problem::{Attribute, Problem, Tally};

/// Classes of equal tuples; on a higher level a group of leaves is known by its first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Groups {
    /// The packed tuples, word after word.
    keys: Vec<u64>,
    /// How many records each has.
    pub(crate) counts: Vec<u64>,
    /// What is in each; empty if the goal looks only at sizes.
    pub(crate) tallies: Vec<Tally>,
}

/// How tuples are packed into words: attribute after attribute, none across two words.
#[derive(Debug, Clone)]
pub(crate) struct Packing {
    fields: Vec<Field>,
    n_words: usize,
}

/// Where the leaf of an attribute is.
#[derive(Debug, Clone, Copy)]
struct Field {
    word: usize,
    shift: u32,
    mask: u64,
}

impl Packing {
    pub(crate) fn new(attributes: &[Attribute]) -> Self {
        let (mut word, mut used) = (0, 0);
        let fields = attributes.iter().map(|attribute| {
            let last = attribute.n_leaves().saturating_sub(1) as u64;
            let n_bits = u64::BITS - last.leading_zeros();
            if used + n_bits > u64::BITS - 1 {
                (word, used) = (word + 1, 0);
            }
            let shift = used;
            used += n_bits;
            Field { word, shift, mask: (1 << n_bits) - 1 }
        });
        Self { fields: fields.collect(), n_words: word + 1 }
    }

    /// The leaf of an attribute in the tuple of a group.
    #[inline]
    pub(crate) fn leaf(&self, groups: &Groups, group: usize, attribute: usize) -> usize {
        let Field { word, shift, mask } = self.fields[attribute];
        (groups.keys[group * self.n_words + word] >> shift & mask) as usize
    }
}

/// An attribute goes from one level to a higher one.
struct Rise<'a> {
    field: Field,
    /// What each leaf becomes; nothing if all become the first.
    firsts: &'a [u32],
}

/// Puts groups together, with memory that is used again and again.
#[derive(Debug, Clone)]
pub(crate) struct Merger {
    packing: Packing,
    /// A hash table of groups, by place; its length is a power of two.
    slots: Vec<u32>,
    /// Where each group went.
    places: Vec<u32>,
}

/// No group.
const FREE: u32 = u32::MAX;

impl Merger {
    pub(crate) fn new(problem: &Problem<'_>) -> Self {
        let packing = Packing::new(problem.attributes());
        Self { packing, slots: Vec::new(), places: Vec::new() }
    }

    pub(crate) fn packing(&self) -> &Packing {
        &self.packing
    }

    /// The distinct tuples of some records of some cohorts.
    pub(crate) fn base(&mut self, problem: &Problem<'_>, members: &[(u32, u64)]) -> Groups {
        let n_words = self.packing.n_words;
        let mut keys = vec![0; members.len() * n_words];
        for (attribute, field) in problem.attributes().iter().zip(&self.packing.fields) {
            let leaves = members.iter().map(|&(cohort, _)| attribute.leaves()[cohort as usize]);
            for (key, leaf) in keys.chunks_mut(n_words).zip(leaves) {
                key[field.word] |= u64::from(leaf) << field.shift;
            }
        }
        let counts = members.iter().map(|&(_, count)| count).collect();
        let single = Groups { keys, counts, tallies: Vec::new() };
        let mut base = Groups::default();
        self.merge(&single, &[], &mut base);
        let goal = problem.goal();
        if !goal.looks_only_at_sizes() {
            base.tallies = vec![goal.tally(); base.counts.len()];
            for (&(cohort, count), &place) in members.iter().zip(&self.places) {
                goal.add(&mut base.tallies[place as usize], cohort, count);
            }
        }
        base
    }

    /// Raises groups from some levels to others, into memory that is at hand; tallies stay behind.
    pub(crate) fn raise(
        &mut self,
        (from, at): (&Groups, &[u32]),
        ladders: &[Ladder],
        to: &[u32],
        into: &mut Groups,
    ) {
        let fields = self.packing.fields.clone();
        let moves = fields.into_iter().zip(ladders).zip(at.iter().zip(to));
        let rises = moves.filter(|(_, (at, to))| at != to).map(|((field, ladder), (_, &to))| {
            let rung = ladder.rung(to);
            let is_one = rung.firsts.last() == Some(&0);
            Rise { field, firsts: if is_one { &[] } else { &rung.firsts } }
        });
        let rises: Vec<Rise<'_>> = rises.collect();
        self.merge(from, &rises, into);
    }

    /// For each group that was raised last, the group it went to.
    pub(crate) fn places(&self) -> &[u32] {
        &self.places
    }

    fn merge(&mut self, from: &Groups, rises: &[Rise<'_>], into: &mut Groups) {
        // A single word is the usual case; the compiler makes a tight loop of it.
        match self.packing.n_words {
            1 => self.merge_words::<1>(from, rises, into),
            _ => self.merge_words::<0>(from, rises, into),
        }
    }

    /// Merges tuples of `N` words, or of any number if that is 0.
    fn merge_words<const N: usize>(
        &mut self,
        from: &Groups,
        rises: &[Rise<'_>],
        into: &mut Groups,
    ) {
        let n_words = if N == 0 { self.packing.n_words } else { N };
        let n_slots = (from.counts.len() * 2).next_power_of_two();
        let last = n_slots - 1;
        let shift = u64::BITS - n_slots.trailing_zeros();
        self.slots.clear();
        self.slots.resize(n_slots, FREE);
        self.places.clear();
        into.keys.clear();
        into.counts.clear();
        into.tallies.clear();
        let mut raised = vec![0; n_words];
        let mut keep = vec![u64::MAX; n_words];
        rises.iter().for_each(|rise| keep[rise.field.word] &= !(rise.field.mask << rise.field.shift));
        for (key, &count) in from.keys.chunks_exact(n_words).zip(&from.counts) {
            for word in 0..n_words {
                raised[word] = key[word] & keep[word];
            }
            for Rise { field, firsts } in rises.iter().filter(|rise| !rise.firsts.is_empty()) {
                let leaf = key[field.word] >> field.shift & field.mask;
                raised[field.word] |= u64::from(firsts[leaf as usize]) << field.shift;
            }
            let hash = raised.iter().fold(0u64, |hash, &word| {
                let mixed = (hash.rotate_left(29) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                mixed ^ mixed >> 32
            });
            let mut slot = (hash.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> (shift & 63)) as usize & last;
            let place = loop {
                let place = self.slots[slot];
                if place == FREE {
                    self.slots[slot] = into.counts.len() as u32;
                    into.keys.extend_from_slice(&raised);
                    into.counts.push(0);
                    break into.counts.len() - 1;
                }
                if into.keys[place as usize * n_words..][..n_words] == raised[..] {
                    break place as usize;
                }
                slot = slot + 1 & last;
            };
            into.counts[place] += count;
            self.places.push(place as u32);
        }
    }
}
