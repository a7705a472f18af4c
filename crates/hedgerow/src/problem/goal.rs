//! The goal of a problem: what must hold of every class, and how that is counted.

use std::sync::Arc;

use crate::privacy::{ClassView, PrivacyModel, Secret};
use crate::table::{Code, Cohort};

/// The privacy models of a problem, over the sensitive columns they look at.
#[derive(Debug)]
pub struct Goal {
    models: Arc<[Box<dyn PrivacyModel>]>,
    /// The sensitive columns that models look at, over the cohorts of the problem.
    secrets: Vec<Arc<Secret>>,
    /// The secret of each model.
    secret_of: Vec<Option<usize>>,
    /// How many records of the population each record of a cohort stands for; empty if unknown.
    weights: Vec<f64>,
    least_size: u64,
}

/// What is in a class, as far as the models of a goal look at it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tally {
    size: u64,
    population: f64,
    /// For each secret, the codes that occur with their counts, by code.
    counts: Vec<Vec<(Code, u64)>>,
}

impl Tally {
    /// How many records.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Empties it, keeping its memory.
    pub fn clear(&mut self) {
        self.size = 0;
        self.population = 0.0;
        self.counts.iter_mut().for_each(Vec::clear);
    }

    /// Takes in everything of another.
    pub fn absorb(&mut self, other: &Self) {
        self.size += other.size;
        self.population += other.population;
        for (counts, others) in self.counts.iter_mut().zip(&other.counts) {
            others.iter().for_each(|&(code, count)| add(counts, code, count));
        }
    }
}

/// Counts a code so many times more; counts are by code.
pub(crate) fn add(counts: &mut Vec<(Code, u64)>, code: Code, count: u64) {
    match counts.binary_search_by_key(&code, |&(code, _)| code) {
        Ok(place) => counts[place].1 += count,
        Err(place) => counts.insert(place, (code, count)),
    }
}

impl Goal {
    pub(super) fn new(models: Vec<Box<dyn PrivacyModel>>, weights: Vec<f64>) -> Self {
        let mut secrets: Vec<Arc<Secret>> = Vec::new();
        let secret_of = models.iter().map(|model| {
            let secret = model.secret()?;
            let known = secrets.iter().position(|known| Arc::ptr_eq(known, secret));
            Some(known.unwrap_or_else(|| {
                secrets.push(Arc::clone(secret));
                secrets.len() - 1
            }))
        });
        let secret_of = secret_of.collect();
        let least_size = models.iter().map(|model| model.least_size()).max().unwrap_or(1).max(1);
        Self { models: models.into(), secrets, secret_of, weights, least_size }
    }

    /// The same goal for some of the cohorts.
    pub(super) fn part(&self, cohorts: &[Cohort]) -> Self {
        let weights = match self.weights.as_slice() {
            [] => Vec::new(),
            weights => cohorts.iter().map(|&cohort| weights[cohort.index()]).collect(),
        };
        Self {
            models: Arc::clone(&self.models),
            secrets: self.secrets.iter().map(|secret| Arc::new(secret.part(cohorts))).collect(),
            secret_of: self.secret_of.clone(),
            weights,
            least_size: self.least_size,
        }
    }

    /// The models.
    pub fn models(&self) -> &[Box<dyn PrivacyModel>] {
        &self.models
    }

    /// The fewest records a class may have.
    pub fn least_size(&self) -> u64 {
        self.least_size
    }

    /// The `k` that was asked for: how many records a class must have, whatever other models need.
    pub fn k(&self) -> u64 {
        self.asked_k().unwrap_or(self.least_size)
    }

    /// The `k` of k-anonymity, if that is among the models.
    pub(crate) fn asked_k(&self) -> Option<u64> {
        self.models.iter().filter_map(|model| model.k()).max()
    }

    /// Whether records stand for people of a population.
    pub(super) fn looks_at_population(&self) -> bool {
        !self.weights.is_empty()
    }

    /// Whether a class is private as soon as it has [`Goal::least_size`] records.
    pub fn looks_only_at_sizes(&self) -> bool {
        self.secrets.is_empty() && self.weights.is_empty()
    }

    /// Whether classes that hold, put together, hold.
    pub fn is_monotone(&self) -> bool {
        self.models.iter().all(|model| model.is_monotone())
    }

    /// Whether a search in which so many records may fail can conclude from a generalization on
    /// those above and below it.
    ///
    /// If none may, it is enough that classes hold together: what is private below is private above.
    /// Else what fails must also fail in parts, or fewer records may fail below.
    pub fn prunes(&self, most_failing: u64) -> bool {
        self.is_monotone()
            && (most_failing == 0 || self.models.iter().all(|model| model.fails_in_parts()))
    }

    /// Whether some model looks at a sensitive column.
    pub(crate) fn looks_at_secrets(&self) -> bool {
        !self.secrets.is_empty()
    }

    /// The models that are not monotone.
    pub(crate) fn not_monotone(&self) -> Vec<&'static str> {
        self.models.iter().filter(|model| !model.is_monotone()).map(|model| model.name()).collect()
    }

    /// A class of no records.
    pub fn tally(&self) -> Tally {
        Tally { counts: vec![Vec::new(); self.secrets.len()], ..Tally::default() }
    }

    /// Puts records of a cohort into a class.
    pub fn add(&self, tally: &mut Tally, cohort: Cohort, count: u64) {
        tally.size += count;
        let weight = self.weights.get(cohort.index()).copied().unwrap_or(1.0);
        tally.population += weight * count as f64;
        for (counts, secret) in tally.counts.iter_mut().zip(&self.secrets) {
            add(counts, secret.of_cohort()[cohort.index()], count);
        }
    }

    /// Takes records of a cohort out of a class that has them.
    pub fn remove(&self, tally: &mut Tally, cohort: Cohort, count: u64) {
        tally.size -= count;
        let weight = self.weights.get(cohort.index()).copied().unwrap_or(1.0);
        tally.population -= weight * count as f64;
        for (counts, secret) in tally.counts.iter_mut().zip(&self.secrets) {
            let code = secret.of_cohort()[cohort.index()];
            let place = counts.binary_search_by_key(&code, |&(code, _)| code);
            let place = place.expect("a class has the records that are taken out of it");
            counts[place].1 -= count;
            if counts[place].1 == 0 {
                counts.remove(place);
            }
        }
    }

    /// What the models see of a record: records of equal kinds can take each other's places.
    pub(crate) fn kind_of(&self, cohort: Cohort) -> Vec<u64> {
        let codes =
            self.secrets.iter().map(|secret| secret.of_cohort()[cohort.index()].get().into());
        codes.chain(self.weights.get(cohort.index()).map(|weight| weight.to_bits())).collect()
    }

    /// How many records of a class share a sensitive value with those of a cohort, summed over the
    /// sensitive columns.
    pub(crate) fn crowd(&self, tally: &Tally, cohort: Cohort) -> u64 {
        let shared = tally.counts.iter().zip(&self.secrets).map(|(counts, secret)| {
            let code = secret.of_cohort()[cohort.index()];
            let place = counts.binary_search_by_key(&code, |&(code, _)| code);
            place.map_or(0, |place| counts[place].1)
        });
        shared.sum()
    }

    /// Whether a class meets every demand.
    pub fn holds(&self, tally: &Tally) -> bool {
        tally.size >= self.least_size
            && self.models.iter().enumerate().all(|(i, model)| model.holds(&self.view(tally, i)))
    }

    /// What a class attains of each model.
    pub fn attained<'a>(&'a self, tally: &'a Tally) -> impl Iterator<Item = f64> + 'a {
        let models = self.models.iter().enumerate();
        models.map(|(place, model)| model.attained(&self.view(tally, place)))
    }

    /// What the model at a place sees of a class.
    pub fn view<'a>(&self, tally: &'a Tally, model: usize) -> ClassView<'a> {
        let counts = self.secret_of[model].map_or(&[][..], |secret| &tally.counts[secret]);
        ClassView { size: tally.size, population: tally.population, counts }
    }
}
