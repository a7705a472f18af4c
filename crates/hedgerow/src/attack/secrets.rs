//! The sensitive values of the candidates of a person, and the results of chance.

use std::collections::BTreeMap;

use super::scene::{EXAMPLES, Guess, Scene, Tally};
use crate::random::Random;
use crate::table::{Code, Cohort};

/// Number of times that sensitive values are shuffled to estimate the results of chance.
const ROUNDS: u64 = 3;

/// Number of records with each sensitive value, sorted by code of the original.
pub(super) type Histogram = Vec<(Code, u64)>;

/// Number of records in a histogram.
pub(super) fn total(histogram: &Histogram) -> u64 {
    histogram.iter().map(|(_, count)| count).sum()
}

/// The share of the most frequent value.
pub(super) fn greatest_share(histogram: &Histogram) -> f64 {
    let most = histogram.iter().map(|&(_, count)| count).max().unwrap_or(0);
    most as f64 / total(histogram).max(1) as f64
}

/// The most frequent value; the first of several.
pub(super) fn mode(histogram: &Histogram) -> Option<Code> {
    // `max_by_key` keeps the last of equal counts, so the order is reversed.
    histogram.iter().rev().max_by_key(|(_, count)| *count).map(|&(code, _)| code)
}

/// Number of records with a value.
pub(super) fn count_of(histogram: &Histogram, code: Code) -> u64 {
    histogram.binary_search_by_key(&code, |&(code, _)| code).map_or(0, |at| histogram[at].1)
}

/// The values of a sensitive column in the classes of a release.
pub(super) struct Secrets<'a> {
    pub(super) scene: &'a Scene,
    /// The place of the sensitive column.
    pub(super) place: usize,
    /// The values of each class.
    pub(super) of_class: Vec<Histogram>,
    /// The values of each set of candidates.
    of_set: Vec<Histogram>,
    /// The values of the whole release.
    pub(super) overall: Histogram,
}

impl<'a> Secrets<'a> {
    /// Counts the values of a sensitive column.
    pub(super) fn new(scene: &'a Scene, place: usize) -> Self {
        let same = scene.kept_codes(place);
        let cohorts = scene.release().cohorts();
        let of_class = scene.view.members.iter().map(|members| {
            let mut counts: BTreeMap<Code, u64> = BTreeMap::new();
            for &cohort in members {
                // A value that the original does not have cannot be anybody's.
                let shown = cohorts.tuple(cohort)[place];
                if let Some(code) = same[shown.index()] {
                    *counts.entry(code).or_default() += cohorts.counts[cohort.index()];
                }
            }
            counts.into_iter().collect()
        });
        let of_class: Vec<Histogram> = of_class.collect();
        let of_set = of_sets(scene, &of_class);
        let overall = merged(of_class.iter());
        Self { scene, place, of_class, of_set, overall }
    }

    /// The values that the candidates of a cohort of the original have.
    pub(super) fn of(&self, cohort: Cohort) -> &Histogram {
        &self.of_set[self.scene.set_of(cohort)]
    }

    /// The true value of a cohort of the original.
    pub(super) fn truth(&self, cohort: Cohort) -> Code {
        self.scene.original().cohorts().tuple(cohort)[self.place]
    }

    /// Counts guesses from the values of candidates and the true value. A person whose value none
    /// of the candidates has is not found.
    pub(super) fn tally(&self, guess: impl Fn(&Histogram, Code) -> Guess) -> Tally {
        self.scene.tally(|cohort| {
            let (histogram, truth) = (self.of(cohort), self.truth(cohort));
            match count_of(histogram, truth) {
                // The truth is not among the candidates, so a value that they share would be a
                // wrong guess.
                0 => Guess::default(),
                _ => guess(histogram, truth),
            }
        })
    }

    /// Number of people that would be exposed if sensitive values were shuffled among all records.
    pub(super) fn chance(&self, exposes: impl Fn(&Histogram) -> bool) -> f64 {
        self.chance_of(|values| f64::from(u8::from(exposes(values))))
    }

    /// Like [`Secrets::chance`], given the share of the people of a set that are exposed.
    pub(super) fn chance_of(&self, share: impl Fn(&Histogram) -> f64) -> f64 {
        let scene = self.scene;
        // The classes stay, their values are permuted: an exposure that remains is due to their
        // sizes.
        let of_round = |round: u64| {
            let shares: Vec<f64> =
                of_sets(scene, &shuffled(&self.of_class, round)).iter().map(&share).collect();
            scene.expected(|target| shares[scene.candidates().of_target[target] as usize])
        };
        (0..ROUNDS).map(of_round).sum::<f64>() / ROUNDS as f64
    }

    /// The greatest score of a set of candidates.
    pub(super) fn greatest(&self, score: impl Fn(&Histogram) -> f64) -> f64 {
        self.of_set.iter().map(score).fold(0.0, f64::max)
    }

    /// The sets of candidates with the greatest scores above 0, as text.
    pub(super) fn examples(
        &self,
        score: impl Fn(&Histogram) -> f64,
        told: impl Fn(&Histogram) -> String,
    ) -> Vec<String> {
        let scores = self.of_set.iter().enumerate().map(|(set, values)| (score(values), set));
        let mut best: Vec<(f64, usize)> = scores.filter(|(score, _)| *score > 0.0).collect();
        // The number of the set breaks ties.
        best.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let text = |&(_, set): &(f64, usize)| {
            format!("{}: {}", self.scene.told_set(set), told(&self.of_set[set]))
        };
        best.iter().take(EXAMPLES).map(text).collect()
    }

    /// A value of the column as it is shown in examples.
    pub(super) fn told(&self, code: Code) -> String {
        let column = self.scene.column(self.place);
        let value = self.scene.masked(self.place, &column.domain.spelling(code));
        format!("{}={value}", column.name)
    }
}

/// The values of each set of candidates, given those of each class.
fn of_sets(scene: &Scene, of_class: &[Histogram]) -> Vec<Histogram> {
    let of_set = |set: &Vec<u32>| match set.as_slice() {
        [class] => of_class[*class as usize].clone(),
        classes => merged(classes.iter().map(|&class| &of_class[class as usize])),
    };
    scene.candidates().sets.iter().map(of_set).collect()
}

/// The histograms of classes after a random permutation of all values.
pub(super) fn shuffled(of_class: &[Histogram], seed: u64) -> Vec<Histogram> {
    let overall = merged(of_class.iter());
    let values = overall.iter();
    let mut deck: Vec<Code> =
        values.flat_map(|&(code, count)| std::iter::repeat_n(code, count as usize)).collect();
    let mut random = Random::new(seed);
    // A Fisher-Yates shuffle with a fixed seed.
    for last in (1..deck.len()).rev() {
        deck.swap(last, random.below(last + 1));
    }
    let mut rest = deck.as_mut_slice();
    let of_class = of_class.iter().map(|histogram| {
        // Each class is dealt as many values as it has records, so only their distribution changes.
        let (hand, after) = std::mem::take(&mut rest).split_at_mut(total(histogram) as usize);
        rest = after;
        hand.sort_unstable();
        hand.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64)).collect()
    });
    of_class.collect()
}

/// The sum of histograms.
pub(super) fn merged<'a>(histograms: impl Iterator<Item = &'a Histogram>) -> Histogram {
    let mut all: Histogram = histograms.flatten().copied().collect();
    all.sort_unstable();
    all.dedup_by(|next, last| {
        // Equal codes are next to each other after sorting, so each run is summed into its first
        // entry.
        let is_same = next.0 == last.0;
        last.1 += if is_same { next.1 } else { 0 };
        is_same
    });
    all
}
