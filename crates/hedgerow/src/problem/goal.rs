//! The goal of a problem: the conditions on every class, and the counts to check them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::privacy::{ClassView, KAnonymity, PrivacyModel, Secret};
use crate::table::{Code, Cohort};

/// The privacy models of a problem, with the sensitive columns they look at.
#[derive(Debug)]
pub struct Goal {
    models: Arc<[Box<dyn PrivacyModel>]>,
    /// The sensitive columns that models look at, over the cohorts of the problem.
    pub(super) secrets: Vec<Arc<Secret>>,
    /// The index in `secrets` of each model's secret.
    pub(super) secret_of: Vec<Option<usize>>,
    /// Number of population records that each record of a cohort represents; empty if unknown.
    weights: Vec<f64>,
    /// The person of each cohort; `None` if every record is a person of its own.
    people: Option<Vec<Code>>,
    least_size: u64,
}

/// The counts of a class that the models of a goal need.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tally {
    size: u64,
    population: f64,
    /// For each secret, the codes that occur in the class with their counts, sorted by code: the
    /// number of records, or of people if they can have several records.
    counts: Vec<Vec<(Code, u64)>>,
    people: Option<People>,
}

/// The people of a class.
#[derive(Debug, Clone, PartialEq, Default)]
struct People {
    /// Number of records of each person.
    records: BTreeMap<Code, u64>,
    /// For each secret, the number of records of each person with each value.
    values: Vec<BTreeMap<Held, u64>>,
}

/// A person with a value of a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Held {
    person: Code,
    code: Code,
}

impl Tally {
    /// Number of records.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Number of people; the number of records if every record is a person of its own.
    pub fn n_people(&self) -> u64 {
        self.people.as_ref().map_or(self.size, |people| people.records.len() as u64)
    }

    /// Empties the tally but keeps its memory.
    pub fn clear(&mut self) {
        self.size = 0;
        self.population = 0.0;
        self.counts.iter_mut().for_each(Vec::clear);
        if let Some(people) = &mut self.people {
            people.records.clear();
            people.values.iter_mut().for_each(BTreeMap::clear);
        }
    }

    /// Adds all records of another tally.
    pub(crate) fn absorb(&mut self, other: &Self) {
        self.size += other.size;
        self.population += other.population;
        // If every record is a person, counts of values simply add up.
        let (Some(people), Some(others)) = (&mut self.people, &other.people) else {
            for (counts, others) in self.counts.iter_mut().zip(&other.counts) {
                others.iter().for_each(|&(code, count)| add(counts, code, count));
            }
            return;
        };
        // A person in both classes counts once in the union.
        for (&person, &count) in &others.records {
            *people.records.entry(person).or_default() += count;
        }
        for (place, values) in others.values.iter().enumerate() {
            for (&Held { person, code }, &count) in values {
                people.note(&mut self.counts[place], place, Held { person, code }, count);
            }
        }
    }
}

impl People {
    /// Adds records of a person with a value of the secret at index `place`. The person counts once
    /// for each value.
    fn note(&mut self, counts: &mut Vec<(Code, u64)>, place: usize, held: Held, count: u64) {
        let records = self.values[place].entry(held).or_default();
        if *records == 0 && count > 0 {
            add(counts, held.code, 1);
        }
        *records += count;
    }

    /// Removes records of a person; returns whether the person has none left with this value.
    fn forget(&mut self, place: usize, held: Held, count: u64) -> bool {
        take_away(&mut self.values[place], &held, count)
    }
}

/// Subtracts `count` from the number at `key`; returns whether nothing is left.
fn take_away<K: Ord>(numbers: &mut BTreeMap<K, u64>, key: &K, count: u64) -> bool {
    let number = numbers.get_mut(key).expect("a class has the records that are taken out of it");
    *number -= count;
    let is_gone = *number == 0;
    if is_gone {
        numbers.remove(key);
    }
    is_gone
}

/// Adds `count` to the count of `code`; `counts` is sorted by code.
pub(crate) fn add(counts: &mut Vec<(Code, u64)>, code: Code, count: u64) {
    match counts.binary_search_by_key(&code, |&(code, _)| code) {
        Ok(place) => counts[place].1 += count,
        Err(place) => counts.insert(place, (code, count)),
    }
}

/// The index of `secret` in `secrets`, to which it is added if it is new. Models of the same column
/// thus share one histogram per class.
fn index_of(secrets: &mut Vec<Arc<Secret>>, secret: &Arc<Secret>) -> usize {
    // Models made for the same column share the allocation, so pointers are enough.
    let known = secrets.iter().position(|known| Arc::ptr_eq(known, secret));
    known.unwrap_or_else(|| {
        secrets.push(Arc::clone(secret));
        secrets.len() - 1
    })
}

impl Goal {
    pub(super) fn new(
        models: Vec<Box<dyn PrivacyModel>>,
        weights: Vec<f64>,
        people: Option<Vec<Code>>,
    ) -> Self {
        let mut secrets: Vec<Arc<Secret>> = Vec::new();
        let secret_of =
            models.iter().map(|model| Some(index_of(&mut secrets, model.secret()?))).collect();
        let least_size = models.iter().map(|model| model.least_size()).max().unwrap_or(1).max(1);
        Self { models: models.into(), secrets, secret_of, weights, people, least_size }
    }

    /// The goal restricted to some cohorts.
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
            people: self
                .people
                .as_ref()
                .map(|people| cohorts.iter().map(|&cohort| people[cohort.index()]).collect()),
            least_size: self.least_size,
        }
    }

    /// k-anonymity with another `k`, if nothing else is required.
    pub(super) fn with_k(&self, k: u64) -> Option<Self> {
        let is_plain = self.models.len() == 1 && self.asked_k() == Some(self.least_size);
        let model = KAnonymity::new(k).ok().filter(|_| is_plain && self.looks_only_at_sizes())?;
        Some(Self::new(vec![Box::new(model)], Vec::new(), None))
    }

    /// The models.
    pub fn models(&self) -> &[Box<dyn PrivacyModel>] {
        &self.models
    }

    /// Lower bound on the size of a class.
    pub fn least_size(&self) -> u64 {
        self.least_size
    }

    /// The requested `k`; without k-anonymity, the smallest class size that the models allow.
    pub fn k(&self) -> u64 {
        self.asked_k().unwrap_or(self.least_size)
    }

    /// The `k` of k-anonymity, if it is among the models.
    pub(crate) fn asked_k(&self) -> Option<u64> {
        self.models.iter().filter_map(|model| model.k()).max()
    }

    /// Whether the population that records represent is known.
    pub(super) fn looks_at_population(&self) -> bool {
        !self.weights.is_empty()
    }

    /// Whether models count people, who can have several records.
    pub(crate) fn counts_people(&self) -> bool {
        self.people.is_some()
    }

    /// Whether every class of at least [`Goal::least_size`] records satisfies the goal.
    ///
    /// Only k-anonymity is known to be met by size alone: another model without a sensitive column,
    /// such as k-map, has a condition of its own even if no population is known.
    pub fn looks_only_at_sizes(&self) -> bool {
        let is_met = |k: u64| k <= self.least_size;
        self.weights.is_empty()
            && self.people.is_none()
            && self.models.iter().all(|model| model.k().is_some_and(is_met))
    }

    /// Whether the union of classes that satisfy the goal also satisfies it.
    pub fn is_monotone(&self) -> bool {
        self.models.iter().all(|model| self.is_monotone_for(model.as_ref()))
    }

    /// Whether the union of classes that satisfy a model also satisfies it.
    ///
    /// If people can be in several classes, the union has fewer people than the classes together,
    /// and shares of people can grow. Then only models hold for unions that hold for every superset
    /// of a class.
    pub(crate) fn is_monotone_for(&self, model: &dyn PrivacyModel) -> bool {
        model.fails_in_parts() || (model.is_monotone() && !self.counts_people())
    }

    /// Whether a search that tolerates up to `most_failing` failing records can infer from one
    /// generalization about coarser and finer ones.
    ///
    /// If no record may fail, monotone models suffice: a class that is private at one
    /// generalization is private at coarser ones. Otherwise subsets of failing classes must fail
    /// too, because fewer records could fail at a finer generalization.
    pub fn prunes(&self, most_failing: u64) -> bool {
        self.is_monotone()
            && (most_failing == 0 || self.models.iter().all(|model| model.fails_in_parts()))
    }

    /// Whether any model looks at a sensitive column.
    pub(crate) fn looks_at_secrets(&self) -> bool {
        !self.secrets.is_empty()
    }

    /// The names of the models that are not monotone.
    pub(crate) fn not_monotone(&self) -> Vec<&'static str> {
        let models = self.models.iter().map(AsRef::as_ref);
        models.filter(|model| !self.is_monotone_for(*model)).map(PrivacyModel::name).collect()
    }

    /// The tally of an empty class.
    pub fn tally(&self) -> Tally {
        let n_secrets = self.secrets.len();
        let people = People { values: vec![BTreeMap::new(); n_secrets], ..People::default() };
        Tally {
            counts: vec![Vec::new(); n_secrets],
            people: self.people.is_some().then_some(people),
            ..Tally::default()
        }
    }

    /// Adds records of a cohort to a class.
    pub fn add(&self, tally: &mut Tally, cohort: Cohort, count: u64) {
        // No records are neither a person nor a value.
        if count == 0 {
            return;
        }
        tally.size += count;
        // Without a population every record represents itself.
        let weight = self.weights.get(cohort.index()).copied().unwrap_or(1.0);
        tally.population += weight * count as f64;
        let codes = self.secrets.iter().map(|secret| secret.of_cohort()[cohort.index()]);
        match (&mut tally.people, &self.people) {
            (Some(people), Some(person_of)) => {
                let person = person_of[cohort.index()];
                *people.records.entry(person).or_default() += count;
                for (place, (counts, code)) in tally.counts.iter_mut().zip(codes).enumerate() {
                    people.note(counts, place, Held { person, code }, count);
                }
            }
            _ => tally.counts.iter_mut().zip(codes).for_each(|(to, code)| add(to, code, count)),
        }
    }

    /// Removes records of a cohort from a class that contains them.
    pub fn remove(&self, tally: &mut Tally, cohort: Cohort, count: u64) {
        tally.size -= count;
        let weight = self.weights.get(cohort.index()).copied().unwrap_or(1.0);
        tally.population -= weight * count as f64;
        let person = self.people.as_ref().map(|people| people[cohort.index()]);
        if let (Some(people), Some(person)) = (&mut tally.people, person) {
            take_away(&mut people.records, &person, count);
        }
        for (index, secret) in self.secrets.iter().enumerate() {
            let code = secret.of_cohort()[cohort.index()];
            // A value loses one person, and only with the last of the person's records that have
            // it.
            let lost = match (&mut tally.people, person) {
                (Some(people), Some(person)) => {
                    u64::from(people.forget(index, Held { person, code }, count))
                }
                _ => count,
            };
            let counts = &mut tally.counts[index];
            let place = counts
                .binary_search_by_key(&code, |&(code, _)| code)
                .expect("a class has the records that are taken out of it");
            counts[place].1 -= lost;
            // Models take the number of entries as the number of distinct values.
            if counts[place].1 == 0 {
                counts.remove(place);
            }
        }
    }

    /// The properties of a cohort's records that models use; records of equal kinds are
    /// interchangeable.
    pub(crate) fn kind_of(&self, cohort: Cohort) -> Vec<u64> {
        let codes =
            self.secrets.iter().map(|secret| secret.of_cohort()[cohort.index()].get().into());
        let person = self.people.iter().map(|people| people[cohort.index()].get().into());
        codes
            // The bits compare weights exactly; kinds only have to be equal or different.
            .chain(self.weights.get(cohort.index()).map(|weight| weight.to_bits()))
            .chain(person)
            .collect()
    }

    /// Number of records in a class that share a sensitive value with the records of a cohort,
    /// summed over the sensitive columns.
    pub(crate) fn crowd(&self, tally: &Tally, cohort: Cohort) -> u64 {
        let shared = tally.counts.iter().zip(&self.secrets).map(|(counts, secret)| {
            let code = secret.of_cohort()[cohort.index()];
            let place = counts.binary_search_by_key(&code, |&(code, _)| code);
            place.map_or(0, |place| counts[place].1)
        });
        shared.sum()
    }

    /// Whether a class satisfies every model.
    pub fn holds(&self, tally: &Tally) -> bool {
        tally.size >= self.least_size
            && self.models.iter().enumerate().all(|(i, model)| model.holds(&self.view(tally, i)))
    }

    /// Whether a class of `size` records satisfies every model, if they look only at sizes.
    pub(crate) fn holds_for_size(&self, size: u64) -> bool {
        let class = ClassView::of_size(size);
        size >= self.least_size && self.models.iter().all(|model| model.holds(&class))
    }

    /// The parameter of each model that a class attains.
    pub fn attained<'a>(&'a self, tally: &'a Tally) -> impl Iterator<Item = f64> + 'a {
        let models = self.models.iter().enumerate();
        models.map(|(place, model)| model.attained(&self.view(tally, place)))
    }

    /// The view of a class for the model at index `model`.
    pub fn view<'a>(&self, tally: &'a Tally, model: usize) -> ClassView<'a> {
        let counts = self.secret_of[model].map_or(&[][..], |secret| &tally.counts[secret]);
        ClassView { size: tally.n_people(), population: tally.population, counts }
    }
}
