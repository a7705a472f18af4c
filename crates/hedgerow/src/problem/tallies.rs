//! The facts about many groups of records that the models of a goal need, stored flat.

use super::goal::{Goal, Tally};
use super::sorted::Sorted;
use crate::privacy::{ClassView, PrivacyModel};
use crate::table::{Code, Cohort};

/// The tallies of many groups of records, in the cheapest form that the models of a goal allow.
#[derive(Debug, Clone, Default)]
pub(crate) enum Tallies {
    /// Only sizes matter.
    #[default]
    Sizes,
    /// Only the number of distinct values matters: one set of values for each group and secret.
    Sets(Vec<u64>),
    /// The counts of values, one list for each secret.
    Histograms(Vec<Histograms>),
    /// One tally for each group, where people or a population are counted.
    Whole(Vec<Tally>),
}

/// The counts of the values of a secret in many groups.
#[derive(Debug, Clone, Default)]
pub(crate) struct Histograms {
    /// The start of each group in `entries`, and the end of the last one.
    starts: Vec<u32>,
    /// Codes that occur in a group with their counts, ascending, one group after another.
    entries: Vec<(Code, u64)>,
}

/// Groups that were merged into classes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Merged<'a> {
    /// The tallies of the groups.
    pub(crate) tallies: &'a Tallies,
    /// The class of each group.
    pub(crate) places: &'a [u32],
    /// Number of records in each class.
    pub(crate) sizes: &'a [u64],
}

/// The classes that satisfy a goal.
#[derive(Debug, Clone, Default)]
pub(crate) struct Verdicts {
    /// Whether each class satisfies the goal.
    pub(crate) holds: Vec<bool>,
    /// Number of records in classes that fail.
    pub(crate) n_failing: u64,
    /// A lower bound on the number of records that fail, however the classes are divided.
    pub(crate) n_lost: u64,
}

/// Most values of a secret whose sets fit into one word.
const MOST_IN_SET: usize = u64::BITS as usize;

impl Histograms {
    /// One group for each code.
    fn of_codes(codes: impl Iterator<Item = (Code, u64)>) -> Self {
        let entries: Vec<(Code, u64)> = codes.collect();
        Self { starts: (0..=entries.len() as u32).collect(), entries }
    }

    fn of(&self, group: usize) -> &[(Code, u64)] {
        &self.entries[self.starts[group] as usize..self.starts[group + 1] as usize]
    }

    /// The histograms of classes that groups were merged into.
    fn merged(&self, classes: &Sorted) -> Self {
        let mut merged = Self { starts: vec![0], entries: Vec::new() };
        let mut sum = Sum::default();
        for class in 0..classes.len() {
            classes.of(class).iter().for_each(|&group| sum.add(self.of(group as usize)));
            sum.take(&mut merged.entries);
            merged.starts.push(merged.entries.len() as u32);
        }
        merged
    }
}

/// Adds up counts of codes.
#[derive(Debug, Default)]
struct Sum {
    /// The count of each code; 0 between two sums.
    counts: Vec<u64>,
    /// The codes that occur.
    codes: Vec<Code>,
}

impl Sum {
    fn add(&mut self, counts: &[(Code, u64)]) {
        for &(code, count) in counts {
            if code.index() >= self.counts.len() {
                self.counts.resize(code.index() + 1, 0);
            }
            let sum = &mut self.counts[code.index()];
            if *sum == 0 {
                self.codes.push(code);
            }
            *sum += count;
        }
    }

    /// Appends the codes, ascending, with their counts, and starts again.
    fn take(&mut self, into: &mut Vec<(Code, u64)>) {
        self.codes.sort_unstable();
        for code in self.codes.drain(..) {
            into.push((code, std::mem::take(&mut self.counts[code.index()])));
        }
    }
}

impl Goal {
    /// The tallies of groups; `group_of` is the group of each member.
    pub(crate) fn tallies(
        &self,
        members: &[(Cohort, u64)],
        group_of: &[u32],
        n_groups: usize,
    ) -> Tallies {
        if self.looks_only_at_sizes() {
            return Tallies::Sizes;
        }
        if self.counts_people() || self.looks_at_population() {
            let mut tallies = vec![self.tally(); n_groups];
            for (&(cohort, count), &group) in members.iter().zip(group_of) {
                self.add(&mut tallies[group as usize], cohort, count);
            }
            return Tallies::Whole(tallies);
        }
        if self.counts_distinct_values() {
            let mut sets = vec![0; n_groups * self.secrets.len()];
            for (&(cohort, _), &group) in members.iter().zip(group_of) {
                let sets = &mut sets[group as usize * self.secrets.len()..];
                for (set, secret) in sets.iter_mut().zip(&self.secrets) {
                    *set |= 1 << secret.of_cohort()[cohort.index()].index();
                }
            }
            return Tallies::Sets(sets);
        }
        let groups = Sorted::new(group_of, n_groups);
        let histograms = self.secrets.iter().map(|secret| {
            let codes = members.iter().map(|&(c, count)| (secret.of_cohort()[c.index()], count));
            Histograms::of_codes(codes).merged(&groups)
        });
        Tallies::Histograms(histograms.collect())
    }

    /// Whether every model looks only at the size of a class and at how many distinct values it
    /// has, of columns with few values, and fails in every part of a class that fails.
    fn counts_distinct_values(&self) -> bool {
        let mut models = self.models().iter();
        let is_of_size =
            |model: &dyn PrivacyModel| model.secret().is_none() && model.fails_in_parts();
        !self.secrets.is_empty()
            && models.all(|model| model.least_distinct().is_some() || is_of_size(model.as_ref()))
            && self.secrets.iter().all(|secret| secret.counts().len() <= MOST_IN_SET)
    }

    /// Whether a class of `size` records with these sets of values satisfies the goal.
    fn holds_for_sets(&self, size: u64, sets: &[u64]) -> bool {
        let mut models = self.models().iter().zip(&self.secret_of);
        size >= self.least_size()
            && models.all(|(model, secret)| match (secret, model.least_distinct()) {
                (Some(secret), Some(least)) => u64::from(sets[*secret].count_ones()) >= least,
                _ => model.holds(&ClassView::of_size(size)),
            })
    }

    /// Judges a class of `size` records.
    fn judged<'a>(&self, size: u64, view: impl Fn(usize) -> ClassView<'a>) -> Judged {
        if size < self.least_size() {
            return Judged { lost_share: 1.0, holds: false };
        }
        let (mut share, mut holds) = (0.0_f64, true);
        for (place, model) in self.models().iter().enumerate() {
            let view = view(place);
            if !model.holds(&view) {
                holds = false;
                // People can be in several parts of a class, so their shares do not add up.
                let is_known = model.fails_in_parts() || !self.counts_people();
                share = share.max(if is_known { model.lost_share(&view) } else { 0.0 });
            }
        }
        Judged { lost_share: share, holds }
    }
}

impl Tallies {
    /// The tallies of the classes that groups were merged into.
    pub(crate) fn merged(&self, goal: &Goal, places: &[u32], n_classes: usize) -> Self {
        match self {
            Self::Sizes => Self::Sizes,
            Self::Sets(sets) => Self::Sets(united(sets, places, n_classes)),
            Self::Histograms(all) => {
                let classes = Sorted::new(places, n_classes);
                Self::Histograms(all.iter().map(|one| one.merged(&classes)).collect())
            }
            Self::Whole(tallies) => {
                let mut merged = vec![goal.tally(); n_classes];
                for (tally, &place) in tallies.iter().zip(places) {
                    merged[place as usize].absorb(tally);
                }
                Self::Whole(merged)
            }
        }
    }
}

/// The unions of the sets of groups, for each class and secret.
fn united(sets: &[u64], places: &[u32], n_classes: usize) -> Vec<u64> {
    let width = sets.len() / places.len().max(1);
    let mut united = vec![0; n_classes * width];
    for (sets, &place) in sets.chunks(width.max(1)).zip(places) {
        let class = &mut united[place as usize * width..][..width];
        class.iter_mut().zip(sets).for_each(|(to, set)| *to |= set);
    }
    united
}

impl Verdicts {
    /// Determines which classes satisfy the goal.
    pub(crate) fn judge(&mut self, goal: &Goal, merged: &Merged<'_>) {
        self.holds.clear();
        (self.n_failing, self.n_lost) = (0, 0);
        let Merged { tallies, places, sizes } = *merged;
        match tallies {
            Tallies::Sizes => {
                let least = goal.least_size();
                self.holds.extend(sizes.iter().map(|&size| size >= least));
                let failing = sizes.iter().filter(|&&size| size < least);
                self.n_failing = failing.sum();
                self.n_lost = self.n_failing;
            }
            Tallies::Sets(sets) => {
                let united = united(sets, places, sizes.len());
                let width = united.len() / sizes.len().max(1);
                for (&size, sets) in sizes.iter().zip(united.chunks(width.max(1))) {
                    let holds = goal.holds_for_sets(size, sets);
                    self.note(size, Judged { lost_share: 1.0, holds });
                }
            }
            Tallies::Histograms(all) => self.judge_histograms(goal, all, merged),
            Tallies::Whole(tallies) => {
                let classes = Sorted::new(places, sizes.len());
                let mut tally = goal.tally();
                for (class, &size) in sizes.iter().enumerate() {
                    tally.clear();
                    let groups = classes.of(class).iter();
                    groups.for_each(|&group| tally.absorb(&tallies[group as usize]));
                    self.note(size, goal.judged(size, |model| goal.view(&tally, model)));
                }
            }
        }
    }

    fn judge_histograms(&mut self, goal: &Goal, all: &[Histograms], merged: &Merged<'_>) {
        let classes = Sorted::new(merged.places, merged.sizes.len());
        let mut counts: Vec<Vec<(Code, u64)>> = vec![Vec::new(); all.len()];
        let mut sum = Sum::default();
        for (class, &size) in merged.sizes.iter().enumerate() {
            // Classes that are too small fail without a look at their values.
            if size < goal.least_size() {
                self.note(size, Judged { lost_share: 1.0, holds: false });
                continue;
            }
            for (counts, histograms) in counts.iter_mut().zip(all) {
                let groups = classes.of(class).iter();
                groups.for_each(|&group| sum.add(histograms.of(group as usize)));
                counts.clear();
                sum.take(counts);
            }
            let view = |model: usize| {
                let counts = goal.secret_of[model].map_or(&[][..], |secret| &counts[secret]);
                ClassView { size, population: size as f64, counts }
            };
            self.note(size, goal.judged(size, view));
        }
    }

    /// Notes what was found about a class of `size` records.
    fn note(&mut self, size: u64, judged: Judged) {
        self.holds.push(judged.holds);
        if !judged.holds {
            self.n_failing += size;
            // Rounded down a little first, because a share that is too large would be wrong.
            self.n_lost += (size as f64 * (judged.lost_share - LITTLE)).ceil().max(0.0) as u64;
        }
    }
}

/// The verdict on a class.
#[derive(Clone, Copy)]
struct Judged {
    /// A lower bound on the share of its records that fail, however it is divided; 0 if the class
    /// satisfies every model.
    lost_share: f64,
    /// Whether it satisfies every model.
    holds: bool,
}

/// Shares of records are known up to this difference.
const LITTLE: f64 = 1e-7;
