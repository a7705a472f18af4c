//! A problem: cohorts, how each quasi-identifier may be generalized, and what must hold.

mod attribute;
mod caps;
mod goal;

use self::caps::{Caps, Group};
pub use attribute::{ANY_LEAF, Attribute, Costs, Region};
pub use goal::{Goal, Tally};

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::hierarchy::{Generalization, Node};
use crate::privacy::{Number, PrivacyModel, Secret};
use crate::table::{Cohorts, Table};
use crate::{Error, Result};

/// Everything an anonymizer needs to know, checked once.
///
/// Every value of a column is a leaf of its hierarchy, and unless records may be suppressed, one
/// class of all records meets the privacy models.
#[derive(Debug)]
pub struct Problem<'a> {
    table: &'a Table,
    attributes: Vec<Attribute>,
    goal: Goal,
    limits: Limits,
    caps: Caps,
}

/// A part of a problem whose records may share classes.
#[derive(Debug)]
pub struct Compartment {
    /// Its cohorts in the whole problem.
    pub cohorts: Vec<u32>,
    /// Its records alone.
    pub table: Table,
    tops: Vec<Node>,
}

/// What a search may do, besides what must hold.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// How many records may be suppressed.
    pub most_suppressed: u64,
    /// What decides random choices.
    pub seed: u64,
    /// How many records of the population each record of a cohort stands for; empty if unknown.
    pub weights: Vec<f64>,
    /// The column that a learner is to predict, for methods that keep it predictable.
    pub class: Option<Arc<Secret>>,
    /// How far values may be generalized at most: labels of nodes, or `level:N`, by column.
    pub caps: BTreeMap<String, Vec<String>>,
}

impl<'a> Problem<'a> {
    /// Puts a problem together in which nothing may be suppressed; `generalizations` are those of
    /// the table's quasi-identifiers, in order.
    pub fn new(
        table: &'a Table,
        generalizations: Vec<Generalization>,
        models: Vec<Box<dyn PrivacyModel>>,
    ) -> Result<Self> {
        Self::with_limits(table, generalizations, models, Limits::default())
    }

    /// Puts a problem together.
    pub fn with_limits(
        table: &'a Table,
        generalizations: Vec<Generalization>,
        models: Vec<Box<dyn PrivacyModel>>,
        mut limits: Limits,
    ) -> Result<Self> {
        if generalizations.len() != table.columns().len() || generalizations.is_empty() {
            return Err(Error::invalid(format!(
                "{} generalizations were given for {} quasi-identifiers; there must be one for each",
                generalizations.len(),
                table.columns().len()
            )));
        }
        if table.cohorts().n_records() == 0 {
            return Err(Error::Unreachable(
                "no record has a value in every quasi-identifier, so all of them were left out; \
                 choose another --missing, or fewer quasi-identifiers"
                    .into(),
            ));
        }
        let goal = Goal::new(models, std::mem::take(&mut limits.weights));
        check_reach(&goal, table.cohorts(), limits.most_suppressed)?;
        let attributes = generalizations
            .into_iter()
            .enumerate()
            .map(|(place, generalization)| Attribute::new(table, place, generalization))
            .collect::<Result<Vec<_>>>()?;
        let caps = Caps::new(&attributes, &limits.caps)?;
        Ok(Self { table, attributes, goal, limits, caps })
    }

    /// The problem of some of the cohorts alone; `table` has these cohorts and no others, in this
    /// order (see [`Table::with`]).
    pub fn part<'b>(&self, table: &'b Table, cohorts: &[u32], most_suppressed: u64) -> Problem<'b> {
        let class = self.limits.class.as_ref().map(|class| Arc::new(class.part(cohorts)));
        Problem {
            table,
            attributes: self.attributes.iter().map(|a| a.part(cohorts, a.top())).collect(),
            goal: self.goal.part(cohorts),
            limits: Limits { most_suppressed, class, ..self.limits.clone() },
            caps: Caps::default(),
        }
    }

    /// Whether some values may be generalized only so far.
    pub fn is_capped(&self) -> bool {
        !self.caps.is_empty()
    }

    /// Whether a leaf of an attribute may be published as a region.
    pub fn allows(&self, attribute: usize, leaf: u32, region: &Region) -> bool {
        match (region, self.attributes[attribute].generalization()) {
            (&Region::Node(node), Generalization::Tree(tree)) if leaf != ANY_LEAF => {
                self.caps.allow(attribute, tree, leaf, node)
            }
            _ => true,
        }
    }

    /// The parts in which every value may become the same highest nodes: classes must lie in one.
    pub fn compartments(&self) -> Vec<Compartment> {
        let counts = &self.cohorts().counts;
        let groups = self.caps.groups(&self.attributes, counts.len());
        let of_group = |Group { tops, cohorts }: Group| {
            let table = self.table.with(cohorts.iter().map(|&c| (c, counts[c as usize])));
            Compartment { cohorts, table, tops }
        };
        groups.into_iter().map(of_group).collect()
    }

    /// The problem of one of the compartments.
    pub fn within<'b>(&self, part: &'b Compartment, most_suppressed: u64) -> Problem<'b> {
        let mut problem = self.part(&part.table, &part.cohorts, most_suppressed);
        let attributes = self.attributes.iter().zip(&part.tops);
        problem.attributes = attributes.map(|(a, &top)| a.part(&part.cohorts, top)).collect();
        problem
    }

    /// The table.
    pub fn table(&self) -> &Table {
        self.table
    }

    /// The distinct records with their counts.
    pub fn cohorts(&self) -> &Cohorts {
        self.table.cohorts()
    }

    /// The quasi-identifiers.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// What must hold of every class.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// The fewest records a class may have.
    pub fn least_size(&self) -> u64 {
        self.goal.least_size()
    }

    /// How many records a method may suppress.
    pub fn most_suppressed(&self) -> u64 {
        self.limits.most_suppressed
    }

    /// The column that a learner is to predict.
    pub fn class(&self) -> Option<&Secret> {
        self.limits.class.as_deref()
    }

    /// What decides random choices.
    pub fn seed(&self) -> u64 {
        self.limits.seed
    }
}

/// Refuses a goal that not even one class of all records meets.
fn check_reach(goal: &Goal, cohorts: &Cohorts, most_suppressed: u64) -> Result<()> {
    let n_records = cohorts.n_records();
    let k = goal.least_size();
    if n_records < k {
        return Err(Error::Unreachable(format!(
            "k is {k}, but the table has only {n_records} records; no release of it can be \
             {k}-anonymous, so choose k of at most {n_records}"
        )));
    }
    let mut all = goal.tally();
    for (cohort, &count) in (0..).zip(&cohorts.counts) {
        goal.add(&mut all, cohort, count);
    }
    let attained = goal.models().iter().zip(goal.attained(&all));
    let mut unmet = attained.filter(|(model, attained)| {
        // Fewer records may hold where all do not: then only a search can tell.
        model.is_monotone()
            && most_suppressed == 0
            && !model.sense().meets(*attained, model.asked())
    });
    match unmet.next() {
        None => Ok(()),
        Some((model, attained)) => Err(Error::Unreachable(format!(
            "{}{} is asked to be {}, but even one class of all records attains only {}; choose {}, or \
             allow records to be suppressed with --suppress",
            model.name(),
            model.secret().map_or_else(String::new, |secret| format!(" of '{}'", secret.name())),
            Number(model.asked()),
            Number(attained),
            model.sense().or_looser(&Number(attained)),
        ))),
    }
}
