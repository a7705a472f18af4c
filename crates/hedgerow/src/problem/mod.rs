//! A problem: cohorts, how each quasi-identifier may be generalized, and what must hold.

mod costs;
mod attribute;
mod caps;
mod goal;
mod text;

pub(crate) use self::caps::not_limited;
use self::caps::{Caps, Group};
pub use attribute::{Attribute, Region};
pub use costs::Costs;
pub(crate) use goal::add;
pub use goal::{Goal, Tally};

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::hierarchy::{Generalization, LeafOrAny, Node, RareValues};
use crate::noun::counted;
use crate::privacy::{PrivacyModel, Secret, Sense, unmet};
use crate::table::{Cohort, Cohorts, Table};
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
    pub cohorts: Vec<Cohort>,
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
            return Err(Error::invalid(format!(
                "{} given for {}; there must be one for each",
                counted(generalizations.len(), "generalization"),
                counted(table.columns().len(), "quasi-identifier")
            )));
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
            return Err(Error::invalid(format!(
                "column '{}': rare members of sets are hidden as `and N more`, so nobody can count whom of the \
                 population a class stands for; show rare values, leave the population out, or give a \
                 hierarchy whose groups have names",
                hidden.name()
            )));
        }
        let caps = Caps::new(&attributes, &limits.caps)?;
        let table = table.clone();
        Ok(Self(Arc::new(Contents { table, attributes, goal, limits, caps })))
    }

    /// The problem of some of the cohorts alone; `table` has these cohorts and no others, in this
    /// order (see [`Table::with`]).
    #[must_use]
    pub(crate) fn part(&self, table: &Table, cohorts: &[Cohort], most_suppressed: u64) -> Self {
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
        let all: Vec<Cohort> = self.cohorts().all().collect();
        self.part(&self.0.table, &all, 0)
    }

    /// Whether some values may be generalized only so far.
    pub(crate) fn is_capped(&self) -> bool {
        !self.0.caps.is_empty()
    }

    /// Whether a leaf of an attribute may be published as a region.
    pub fn allows(&self, attribute: usize, leaf: LeafOrAny, region: &Region) -> bool {
        let Some(leaf) = leaf.known() else { return true };
        match (region, self.0.attributes[attribute].generalization()) {
            (&Region::Node(node), Generalization::Tree(tree)) => {
                self.0.caps.allow(attribute, tree, leaf, node)
            }
            _ => true,
        }
    }

    /// The parts in which every value may become the same highest nodes: classes must lie in one.
    pub fn compartments(&self) -> Vec<Compartment> {
        let counts = &self.cohorts().counts;
        let groups = self.0.caps.groups(&self.0.attributes, self.cohorts());
        let of_group = |Group { tops, cohorts }: Group| {
            let table = self.0.table.with(cohorts.iter().map(|&c| (c, counts[c.index()])));
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
    pub fn leaves_of(&self, cohorts: &[Cohort], leaves: &mut Vec<LeafOrAny>) {
        leaves.clear();
        for (place, attribute) in self.0.attributes.iter().enumerate() {
            let codes = cohorts.iter().map(|&cohort| self.cohorts().tuple(cohort)[place]);
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

/// Refuses a table of which no record is left.
pub(crate) fn check_records(table: &Table) -> Result<()> {
    if table.cohorts().n_records() > 0 {
        return Ok(());
    }
    Err(Error::Unreachable(
        "no record has a value in every quasi-identifier, so all of them were left out; choose \
         another --missing, or fewer quasi-identifiers"
            .into(),
    ))
}

/// Refuses a goal that no class, or not even one class of all records, can meet.
fn check_reach(goal: &Goal, cohorts: &Cohorts, most_suppressed: u64) -> Result<()> {
    let mut all = goal.tally();
    for (cohort, count) in cohorts.counted() {
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
            let attained = model.attained(&view);
            let (unmet, advice) = (unmet(model, &what, attained), model.advice(attained));
            let or_fewer = if can_any_class {
                ", or allow records to be suppressed with --suppress"
            } else {
                ""
            };
            return Err(Error::Unreachable(format!("{unmet}; {advice}{or_fewer}")));
        }
        if !can_any_class {
            let what = match model.sense() {
                Sense::AtLeast => "no class can attain more than",
                Sense::AtMost | Sense::Below => "no class can attain less than",
            };
            let (unmet, advice) = (unmet(model, what, model.best()), model.advice(model.best()));
            return Err(Error::Unreachable(format!("{unmet}; {advice}")));
        }
        check_size(model, cohorts.n_records())?;
    }
    Ok(())
}

/// Refuses a model for which there are not enough records.
pub(crate) fn check_size(model: &dyn PrivacyModel, n_records: u64) -> Result<()> {
    let (name, least) = (model.name(), model.least_size());
    if n_records >= least {
        return Ok(());
    }
    Err(Error::Unreachable(match model.secret() {
        None => format!(
            "k is {least}, but the table has only {}; no release of it can be {least}-anonymous, so choose \
             k of at most {n_records}",
            counted(n_records, "record")
        ),
        Some(secret) => format!(
            "{name} of '{}' needs classes of at least {}, but the table has only {n_records}; ask for \
             less",
            secret.name(),
            counted(least, "record")
        ),
    }))
}
