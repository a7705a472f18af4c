//! A problem: cohorts, how each quasi-identifier may be generalized, and what must hold.

mod costs;
mod attribute;
mod caps;
mod goal;
mod text;

pub(crate) use self::caps::not_limited;
use self::caps::{Caps, Group};
pub use attribute::{ANY_LEAF, Attribute, Region};
pub use costs::Costs;
pub(crate) use goal::add;
pub use goal::{Goal, Tally};

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::error::{Advice, HierarchySource, Unmet};
use crate::hierarchy::{Generalization, Node, RareValues};
use crate::noun::counted;
use crate::privacy::{PrivacyModel, Secret, Sense, unmet};
use crate::table::{Cohorts, Table};
use crate::{Error, Result};

/// Everything an anonymizer needs to know, checked once.
///
/// Every value of a column is a leaf of its hierarchy, and unless records may be suppressed, one
/// class of all records meets the privacy models. A problem does not change once it is made, and
/// clones share its contents.
#[derive(Debug, Clone)]
pub struct Problem(Arc<Contents>);

#[derive(Debug)]
struct Contents {
    table: Table,
    attributes: Vec<Attribute>,
    goal: Goal,
    limits: Limits,
    caps: Caps,
}

/// A part of a problem whose records may share classes.
#[derive(Debug)]
#[non_exhaustive]
pub struct Compartment {
    /// Its cohorts in the whole problem.
    pub cohorts: Vec<u32>,
    /// Its records alone.
    pub table: Table,
    /// The highest node that each attribute may become in it; the root where there is no limit.
    pub tops: Vec<Node>,
}

/// What a search may do, besides what must hold.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// How many records may be suppressed; one is published in any case.
    pub most_suppressed: u64,
    /// What decides random choices.
    pub seed: u64,
    /// How many records of the population each record of a cohort stands for; empty if unknown.
    pub weights: Vec<f64>,
    /// The column that a learner is to predict, for methods that keep it predictable.
    pub class: Option<Arc<Secret>>,
    /// How far values may be generalized at most: labels of nodes, or `level:N`, by column.
    pub caps: BTreeMap<String, Vec<String>>,
    /// Whether values that fewer than `k` records have may be spelt out.
    pub rare_values: RareValues,
}

impl Problem {
    /// Puts a problem together in which nothing may be suppressed; `generalizations` are those of
    /// the table's quasi-identifiers, in order.
    pub fn new(
        table: &Table,
        generalizations: Vec<Generalization>,
        models: Vec<Box<dyn PrivacyModel>>,
    ) -> Result<Self> {
        Self::with_limits(table, generalizations, models, Limits::default())
    }

    /// Puts a problem together.
    pub fn with_limits(
        table: &Table,
        generalizations: Vec<Generalization>,
        models: Vec<Box<dyn PrivacyModel>>,
        mut limits: Limits,
    ) -> Result<Self> {
        if generalizations.len() != table.columns().len() || generalizations.is_empty() {
            let problem = format!(
                "{} given for {}",
                counted(generalizations.len(), "generalization"),
                counted(table.columns().len(), "quasi-identifier")
            );
            return Err(Error::invalid(problem).advise([Advice::words("give one for each")]));
        }
        check_records(table)?;
        // A release without a record is not a release.
        limits.most_suppressed = limits.most_suppressed.min(table.cohorts().n_records() - 1);
        let goal = Goal::new(models, std::mem::take(&mut limits.weights));
        check_reach(&goal, table.cohorts(), limits.most_suppressed)?;
        let hidden_below = match limits.rare_values {
            RareValues::Show => None,
            RareValues::Hide => Some(goal.k()),
        };
        let attributes = generalizations
            .into_iter()
            .enumerate()
            .map(|(place, given)| Attribute::new(table, place, given, hidden_below))
            .collect::<Result<Vec<_>>>()?;
        let is_sample = goal.looks_at_population();
        if let Some(hidden) = attributes.iter().find(|a| is_sample && a.hides_members()) {
            return Err(uncountable(hidden.name()));
        }
        let caps = Caps::new(&attributes, &limits.caps)?;
        let table = table.clone();
        Ok(Self(Arc::new(Contents { table, attributes, goal, limits, caps })))
    }

    /// The problem of some of the cohorts alone; `table` has these cohorts and no others, in this
    /// order (see [`Table::with`]).
    #[must_use]
    pub(crate) fn part(&self, table: &Table, cohorts: &[u32], most_suppressed: u64) -> Self {
        let class = self.0.limits.class.as_ref().map(|class| Arc::new(class.part(cohorts)));
        let most_suppressed = most_suppressed.min(table.cohorts().n_records().saturating_sub(1));
        Self(Arc::new(Contents {
            table: table.clone(),
            attributes: self.0.attributes.iter().map(|a| a.part(cohorts)).collect(),
            goal: self.0.goal.part(cohorts),
            limits: Limits { most_suppressed, class, ..self.0.limits.clone() },
            caps: self.0.caps.clone(),
        }))
    }

    /// The same problem, but nothing may be suppressed.
    #[must_use]
    pub fn strict(&self) -> Self {
        let all: Vec<u32> = (0..self.cohorts().len() as u32).collect();
        self.part(&self.0.table, &all, 0)
    }

    /// Whether some values may be generalized only so far.
    pub(crate) fn is_capped(&self) -> bool {
        !self.0.caps.is_empty()
    }

    /// Whether a leaf of an attribute may be published as a region.
    pub fn allows(&self, attribute: usize, leaf: u32, region: &Region) -> bool {
        match (region, self.0.attributes[attribute].generalization()) {
            (&Region::Node(node), Generalization::Tree(tree)) if leaf != ANY_LEAF => {
                self.0.caps.allow(attribute, tree, leaf, node)
            }
            _ => true,
        }
    }

    /// The parts in which every value may become the same highest nodes: classes must lie in one.
    pub fn compartments(&self) -> Vec<Compartment> {
        let counts = &self.cohorts().counts;
        let groups = self.0.caps.groups(&self.0.attributes, counts.len());
        let of_group = |Group { tops, cohorts }: Group| {
            let table = self.0.table.with(cohorts.iter().map(|&c| (c, counts[c as usize])));
            Compartment { cohorts, table, tops }
        };
        groups.into_iter().map(of_group).collect()
    }

    /// Whether this is a clone of the other, or the other way round.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.0.table
    }

    /// The distinct records with their counts.
    pub fn cohorts(&self) -> &Cohorts {
        self.0.table.cohorts()
    }

    /// The quasi-identifiers.
    pub fn attributes(&self) -> &[Attribute] {
        &self.0.attributes
    }

    /// The leaves of some cohorts, attribute after attribute, into memory that is at hand.
    ///
    /// [`Attribute::leaves`] has the same, but there the leaves of a cohort are far apart: this is
    /// several times faster for a few hundred cohorts in any order.
    pub fn leaves_of(&self, cohorts: &[u32], leaves: &mut Vec<u32>) {
        leaves.clear();
        for (place, attribute) in self.0.attributes.iter().enumerate() {
            let codes = cohorts.iter().map(|&cohort| self.cohorts().tuple(cohort as usize)[place]);
            leaves.extend(codes.map(|code| attribute.leaf_of_code(code)));
        }
    }

    /// What must hold of every class.
    pub fn goal(&self) -> &Goal {
        &self.0.goal
    }

    /// The fewest records a class may have.
    pub fn least_size(&self) -> u64 {
        self.0.goal.least_size()
    }

    /// How many records a method may suppress.
    pub fn most_suppressed(&self) -> u64 {
        self.0.limits.most_suppressed
    }

    /// The column that a learner is to predict.
    pub fn class(&self) -> Option<&Secret> {
        self.0.limits.class.as_deref()
    }

    /// The `k` that was asked for: how many records a class must have, whatever other models need.
    pub fn k(&self) -> u64 {
        self.0.goal.k()
    }

    /// What decides random choices.
    pub fn seed(&self) -> u64 {
        self.0.limits.seed
    }
}

/// Hidden values keep a model from counting the population of a class.
fn uncountable(column: &str) -> Error {
    let problem = "rare members of sets are hidden as `and N more`, so the records of the population \
                   that a class stands for cannot be counted";
    let source = HierarchySource::Any;
    Error::column(column, problem).advise([
        Advice::ShowRareValues,
        Advice::LeaveOut { key: "population", column: None },
        Advice::GiveHierarchy { column: column.to_owned(), source },
    ])
}

/// Refuses a table of which no record is left.
pub(crate) fn check_records(table: &Table) -> Result<()> {
    if table.cohorts().n_records() > 0 {
        return Ok(());
    }
    Err(Error::unreachable(
        "every record was left out, because each lacks a value of a quasi-identifier",
    )
    .advise([Advice::OtherMissingPolicy, Advice::FewerQuasi]))
}

/// Refuses a goal that no class, or not even one class of all records, can meet.
fn check_reach(goal: &Goal, cohorts: &Cohorts, most_suppressed: u64) -> Result<()> {
    let mut all = goal.tally();
    for (cohort, &count) in (0..).zip(&cohorts.counts) {
        goal.add(&mut all, cohort, count);
    }
    for (place, model) in goal.models().iter().enumerate() {
        let (model, view) = (model.as_ref(), goal.view(&all, place));
        if model.secret().is_none() {
            check_size(model, cohorts.n_records())?;
        }
        let can_any_class = model.sense().meets(model.best(), model.asked());
        // Fewer records may hold where all do not: then only a search can tell.
        if model.is_monotone() && most_suppressed == 0 && !model.holds(&view) {
            let what = format!("even one class of all records {}", model.attains());
            let suppress = can_any_class.then_some(Advice::AllowSuppression { records: None });
            return Err(not_met(model, &what, model.attained(&view)).advise(suppress));
        }
        if !can_any_class {
            let what = match model.sense() {
                Sense::AtLeast => "no class can attain more than",
                Sense::AtMost | Sense::Below => "no class can attain less than",
            };
            return Err(not_met(model, what, model.best()));
        }
        check_size(model, cohorts.n_records())?;
    }
    Ok(())
}

/// A model that cannot be met: `what` attains at best so much.
fn not_met(model: &dyn PrivacyModel, what: &str, attained: f64) -> Error {
    Error::unreachable(unmet(model, what, attained))
        .because_of(Unmet::of(model, attained))
        .advise(model.advice(attained))
}

/// Refuses a model for which there are not enough records.
pub(crate) fn check_size(model: &dyn PrivacyModel, n_records: u64) -> Result<()> {
    let (name, least) = (model.name(), model.least_size());
    if n_records >= least {
        return Ok(());
    }
    let (problem, bound) = match model.secret() {
        None => {
            let records = counted(n_records, "record");
            (format!("k is {least}, but the table has only {records}"), Some(n_records))
        }
        Some(secret) => {
            let (secret, records) = (secret.name(), counted(least, "record"));
            let needs = format!("{name} of '{secret}' needs classes of at least {records}");
            (format!("{needs}, but the table has only {n_records}"), None)
        }
    };
    let bound = bound.map(|most| Sense::AtLeast.or_looser(most as f64));
    let unmet = Unmet { best: n_records as f64, asked: least as f64, ..Unmet::of(model, 0.0) };
    Err(Error::unreachable(problem)
        .because_of(unmet)
        .advise([Advice::AskForLess { model: Some(name.to_owned()), bound }]))
}
