//! Which sense of a word is meant, by what definitions have in common.

use std::collections::BinaryHeap;

use hashbrown::HashMap;

use super::{Concept, Glosses, Knowledge};

/// What stands between the definitions of one relation; equal to nothing.
const SEPARATOR: u32 = u32::MAX;

/// How many relations of a concept are looked at: its own definition, and those of its parents, its
/// children, its parts, and what it is a part of.
const N_RELATIONS: usize = 5;

/// How much two texts have in common: the longest run of words that both have counts its length
/// squared, is taken out of both, and so on.
///
/// A run does not begin or end with a word that says nothing by itself.
///
/// # References
///
/// \[Banerjee2002\], section 4; METHODS 5.2.
pub(crate) fn overlap(a: &[u32], b: &[u32], is_stop: impl Fn(u32) -> bool + Copy) -> u64 {
    let mut places: HashMap<u32, Vec<u32>> = HashMap::new();
    for (place, &word) in (0..).zip(b).filter(|(_, word)| is_word(**word) && !is_stop(**word)) {
        places.entry(word).or_default().push(place);
    }
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
        // What is left of it, before and behind what others have taken.
        let next = (first_taken..run.length).find(|&step| !is_taken(step)).unwrap_or(run.length);
        runs.extend(run.part(0, first_taken).trimmed(a, is_stop));
        runs.extend(run.part(next, run.length).trimmed(a, is_stop));
    }
    score
}

fn is_word(word: u32) -> bool {
    word != SEPARATOR
}

/// Words that two texts have in common, one after the other. The longest is the greatest; of equal
/// ones that which comes first in the first text, then in the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    length: u32,
    a: u32,
    b: u32,
}

impl Run {
    /// A run that begins at a place of each text and has no words yet.
    fn at(a: u32, b: u32) -> Self {
        Self { length: 0, a, b }
    }

    /// The longest run that begins where this one does, if none with its first word begins earlier.
    fn grown(self, one: &[u32], other: &[u32], is_stop: impl Fn(u32) -> bool) -> Option<Self> {
        let (i, j) = (self.a, self.b);
        let before = |steps: u32| {
            let word = one[i.checked_sub(steps)? as usize];
            let is_equal = other[j.checked_sub(steps)? as usize] == word;
            (is_equal && is_word(word)).then_some(word)
        };
        // A run that holds this word may begin earlier, behind words that say nothing.
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

    /// Without the words at its ends that say nothing.
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

/// The texts of one concept, relation by relation.
fn texts(knowledge: &Knowledge, concept: Concept) -> [Vec<u32>; N_RELATIONS] {
    let glosses = knowledge.glosses();
    [
        &[concept],
        knowledge.parents(concept),
        knowledge.children(concept),
        knowledge.parts(concept),
        knowledge.wholes(concept),
    ]
    .map(|related| {
        let mut text = Vec::new();
        for &concept in related {
            text.extend_from_slice(glosses.get(concept));
            text.push(SEPARATOR);
        }
        text
    })
}

/// Concepts that are compared with others, found by the words of their texts.
///
/// Most texts have no word in common with most others, or just one; only the rest is compared word by word.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    knowledge: &'a Knowledge,
    concepts: Vec<Concept>,
    /// The texts of all concepts, as many for each as there are relations.
    texts: Vec<Vec<u32>>,
    /// The texts in which each word occurs, and how often.
    index: HashMap<u32, Vec<(u32, u32)>>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(knowledge: &'a Knowledge, concepts: Vec<Concept>) -> Self {
        let texts: Vec<Vec<u32>> =
            concepts.iter().flat_map(|&concept| texts(knowledge, concept)).collect();
        let mut index: HashMap<u32, Vec<(u32, u32)>> = HashMap::new();
        for (number, text) in (0..).zip(&texts) {
            for (word, count) in counts(knowledge.glosses(), text) {
                index.entry(word).or_default().push((number, count));
            }
        }
        Self { knowledge, concepts, texts, index }
    }

    /// How much a concept has in common with each concept of the context.
    ///
    /// # Complexity
    ///
    /// Linear in the texts that have a word in common with its own, for all but those that have
    /// several.
    pub(crate) fn scores(&self, concept: Concept) -> Vec<u64> {
        let glosses = self.knowledge.glosses();
        let mut scores = vec![0; self.concepts.len()];
        // How many pairs of equal words there are with each text.
        let mut n_pairs = vec![0u32; self.texts.len()];
        for text in texts(self.knowledge, concept) {
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
                    1 => 1,
                    _ => overlap(&text, &self.texts[other as usize], |word| glosses.is_stop(word)),
                };
                scores[other as usize / N_RELATIONS] += score;
            }
        }
        scores
    }
}

/// How often each word occurs that says something, in the order of words.
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
        // Two runs of the same words count twice, and what is left of a run counts as well.
        assert_eq!(overlap_of("red tree or red tree", "red tree; red tree"), 8);
        assert_eq!(overlap_of("x y z w", "y z x y"), 4 + 1);
    }
}
