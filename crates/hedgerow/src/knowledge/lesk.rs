//! Chooses the sense of a word by the overlap of definitions.

use std::collections::BinaryHeap;

use hashbrown::HashMap;

use super::{Concept, Glosses, Source};

/// Separates the definitions of one relation; it is not equal to any word.
const SEPARATOR: u32 = u32::MAX;

/// Number of relations of a concept that are compared: its own definition, and those of its
/// parents, its children, its parts, and the wholes it is a part of.
const N_RELATIONS: usize = 5;

/// Returns the overlap of two texts.
///
/// The longest run of words that occurs in both adds the square of its length and is removed from
/// both; this is repeated until no common run is left. A run does not start or end with a stop
/// word.
///
/// # References
///
/// \[Banerjee2002\], section 4; METHODS 5.2.
pub(crate) fn overlap(a: &[u32], b: &[u32], is_stop: impl Fn(u32) -> bool + Copy) -> u64 {
    let mut places: HashMap<u32, Vec<u32>> = HashMap::new();
    for (place, &word) in (0..).zip(b).filter(|(_, word)| is_word(**word) && !is_stop(**word)) {
        places.entry(word).or_default().push(place);
    }
    // All maximal runs, longest first; runs that overlap a removed one are split below.
    let mut runs: BinaryHeap<Run> = BinaryHeap::new();
    for (i, word) in (0..).zip(a) {
        for &j in places.get(word).map_or(&[][..], Vec::as_slice) {
            runs.extend(Run::at(i, j).grown(a, b, is_stop));
        }
    }
    let mut text = (vec![false; a.len()], vec![false; b.len()]);
    let mut score = 0;
    while let Some(run) = runs.pop() {
        let is_taken =
            |step: u32| text.0[(run.a + step) as usize] || text.1[(run.b + step) as usize];
        let Some(first_taken) = (0..run.length).find(|&step| is_taken(step)) else {
            score += u64::from(run.length).pow(2);
            text.0[run.a as usize..][..run.length as usize].fill(true);
            text.1[run.b as usize..][..run.length as usize].fill(true);
            continue;
        };
        // The parts of the run before and after the removed words.
        let next = (first_taken..run.length).find(|&step| !is_taken(step)).unwrap_or(run.length);
        runs.extend(run.part(0, first_taken).trimmed(a, is_stop));
        runs.extend(run.part(next, run.length).trimmed(a, is_stop));
    }
    score
}

fn is_word(word: u32) -> bool {
    word != SEPARATOR
}

/// Consecutive words that two texts have in common.
///
/// Longer runs are greater; of equally long ones, the run that comes first in the first text, then
/// in the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    length: u32,
    a: u32,
    b: u32,
}

impl Run {
    /// Starts an empty run at a position of each text.
    fn at(a: u32, b: u32) -> Self {
        Self { length: 0, a, b }
    }

    /// Returns the longest run from the start of this one, unless an earlier word starts a run that
    /// contains it.
    fn grown(self, one: &[u32], other: &[u32], is_stop: impl Fn(u32) -> bool) -> Option<Self> {
        let (i, j) = (self.a, self.b);
        let before = |steps: u32| {
            let word = one[i.checked_sub(steps)? as usize];
            let is_equal = other[j.checked_sub(steps)? as usize] == word;
            (is_equal && is_word(word)).then_some(word)
        };
        // A run that contains this word may start earlier, before stop words.
        let mut steps = 1;
        while let Some(word) = before(steps) {
            if !is_stop(word) {
                return None;
            }
            steps += 1;
        }
        let rest = one[i as usize..].iter().zip(&other[j as usize..]);
        let length = rest.take_while(|(word, same)| word == same && is_word(**word)).count() as u32;
        Self { length, ..self }.trimmed(one, is_stop)
    }

    fn part(self, start: u32, end: u32) -> Self {
        Self { length: end - start, a: self.a + start, b: self.b + start }
    }

    /// Removes stop words from both ends.
    fn trimmed(self, a: &[u32], is_stop: impl Fn(u32) -> bool) -> Option<Self> {
        let words = &a[self.a as usize..][..self.length as usize];
        let first = words.iter().position(|&word| !is_stop(word))? as u32;
        let last = words.iter().rposition(|&word| !is_stop(word))? as u32;
        Some(self.part(first, last + 1))
    }
}

impl Ord for Run {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.length, other.a, other.b).cmp(&(other.length, self.a, self.b))
    }
}

impl PartialOrd for Run {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns the texts of a concept, one for each relation.
fn texts(source: &Source, concept: Concept) -> [Vec<u32>; N_RELATIONS] {
    [
        &[concept],
        source.parents(concept),
        source.children(concept),
        source.parts(concept),
        source.wholes(concept),
    ]
    .map(|related| text(source, related))
}

/// Returns the definitions of concepts as one text.
fn text(source: &Source, concepts: &[Concept]) -> Vec<u32> {
    let mut text = Vec::new();
    for &concept in concepts {
        text.extend_from_slice(source.gloss(concept));
        text.push(SEPARATOR);
    }
    text
}

/// Concepts to compare others with, indexed by the words of their texts.
///
/// Most pairs of texts have at most one word in common; only the others are compared word by word.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    source: &'a Source,
    concepts: Vec<Concept>,
    /// The texts of all concepts, `N_RELATIONS` for each.
    texts: Vec<Vec<u32>>,
    /// The texts in which each word occurs, with the number of occurrences.
    index: HashMap<u32, Vec<(u32, u32)>>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(source: &'a Source, concepts: Vec<Concept>) -> Self {
        let texts: Vec<Vec<u32>> =
            concepts.iter().flat_map(|&concept| texts(source, concept)).collect();
        let mut index: HashMap<u32, Vec<(u32, u32)>> = HashMap::new();
        for (number, text) in (0..).zip(&texts) {
            for (word, count) in counts(source.glosses(), text) {
                index.entry(word).or_default().push((number, count));
            }
        }
        Self { source, concepts, texts, index }
    }

    /// Returns the overlap of a concept with each concept of the context.
    ///
    /// # Complexity
    ///
    /// Linear in the number of texts that share a word with those of the concept, except for texts
    /// that share several.
    pub(crate) fn scores(&self, concept: Concept) -> Vec<u64> {
        let glosses = self.source.glosses();
        let mut scores = vec![0; self.concepts.len()];
        // Number of pairs of equal words with each text.
        let mut n_pairs = vec![0u32; self.texts.len()];
        for text in texts(self.source, concept) {
            let mut met = Vec::new();
            for (word, count) in counts(glosses, &text) {
                for &(other, count_there) in self.index.get(&word).map_or(&[][..], Vec::as_slice) {
                    if n_pairs[other as usize] == 0 {
                        met.push(other);
                    }
                    n_pairs[other as usize] += count * count_there;
                }
            }
            for other in met {
                let score = match std::mem::take(&mut n_pairs[other as usize]) {
                    // A single pair of equal words is a run of length 1.
                    1 => 1,
                    _ => overlap(&text, &self.texts[other as usize], |word| glosses.is_stop(word)),
                };
                scores[other as usize / N_RELATIONS] += score;
            }
        }
        scores
    }
}

/// Counts the words of a text other than stop words, in the order of word numbers.
fn counts(glosses: &Glosses, text: &[u32]) -> Vec<(u32, u32)> {
    let mut words: Vec<u32> =
        text.iter().copied().filter(|&word| is_word(word) && !glosses.is_stop(word)).collect();
    words.sort_unstable();
    words.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::gloss::Definitions;

    fn overlap_of(a: &str, b: &str) -> u64 {
        let glosses = Definitions::Texts(vec![a.into(), b.into()]).glosses();
        overlap(glosses.get(0), glosses.get(1), |word| glosses.is_stop(word))
    }

    #[test]
    fn the_longest_runs_count_their_length_squared() {
        let babies = "a physician who specializes in the care of babies";
        assert_eq!(overlap_of("a physician who specializes in surgery", babies), 9);
        let tree = "kind of evergreen tree with needle shaped leaves";
        assert_eq!(overlap_of(tree, "fruit of certain evergreen tree"), 4);
        assert_eq!(overlap_of("the lowest point of the tree", "a point of the tree"), 16);
        assert_eq!(overlap_of("the of a", "the of a"), 0);
        // Two runs of the same words count twice, and the remainder of a run counts as well.
        assert_eq!(overlap_of("red tree or red tree", "red tree; red tree"), 8);
        assert_eq!(overlap_of("x y z w", "y z x y"), 4 + 1);
    }
}
