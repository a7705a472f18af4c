//! Applies a recipe to a table in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::bind::{Bound, Terms};
use super::drift::Drift;
use super::joins::Joins;
use super::place::{Manner, Placed, Shape, place};
use super::repair::{Class, Mender, Repair, Repaired};
use super::{Recipe, Unseen};
use crate::error::Advice;
use crate::hierarchy::{Generalization, Hierarchy, Tag};
use crate::privacy::Secret;
use crate::problem::{Limits, Problem, Region};
use crate::progress::Progress;
use crate::proposal::{self, Proposal, Take};
use crate::recoding::Recoding;
use crate::release::{Release, Style};
use crate::study::{Demands, Share, Study};
use crate::table::{Cohort, Table};
use crate::{Error, Result};

/// What is done about values and classes that the recipe did not foresee.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Policy {
    /// Values without a rule.
    pub unseen: Unseen,
    /// Classes that do not meet the goal.
    pub repair: Repair,
    /// Maximum share of suppressed records; that of the recipe if not given.
    pub suppress: Option<Share>,
}

/// A table that was recoded, and the release of it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Applied {
    /// The table with its labels and the goal.
    pub study: Study,
    /// What each record publishes.
    pub release: Release,
    /// How the table differs from the first.
    pub drift: Drift,
    /// The labels of columns with hierarchies as trees over the values of the table, by column.
    pub hierarchies: BTreeMap<String, Hierarchy>,
}

/// What the rules of a recipe publish for each cohort of a table, whatever classes result.
#[derive(Debug)]
pub struct Recoded {
    /// The published columns of the quasi-identifiers.
    columns: Vec<String>,
    /// The cells of each class.
    classes: Vec<Vec<String>>,
    of_cohort: Vec<Option<u32>>,
}

impl Recoded {
    /// The names of the published columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The published cells of a cohort, or `None` if its records are suppressed because of a value
    /// without a rule.
    pub fn cells(&self, cohort: Cohort) -> Option<&[String]> {
        self.of_cohort[cohort.index()].map(|class| self.classes[class as usize].as_slice())
    }
}

impl Recipe {
    /// Recodes a table by the rules alone: no class is checked or repaired, so the result must not
    /// be published. This is what an experiment needs that learns a recoding on one part of a table
    /// and tests it on another.
    ///
    /// `table` must have been read with [`Recipe::columns`] and [`Recipe::encoding`].
    ///
    /// # Errors
    ///
    /// [`Error::Column`] if the table has other columns or kinds, [`Error::Value`] if a value has no
    /// rule and that is an error.
    pub fn recode(&self, table: &Table, unseen: Unseen) -> Result<Recoded> {
        let mut joins = self.bind(table, unseen)?;
        // Joining the nearest region would widen labels, but an experiment wants the rules as they
        // are.
        let manner = Manner { unseen, joins_nearest: false };
        let Placed { shapes, of_cohort, .. } = place(self, table, &mut joins, manner);
        let columns = joins.iter().flat_map(|joins| joins.bound.columns()).collect();
        let classes = shapes.iter().map(|shape| cells(shape, &joins, table)).collect();
        Ok(Recoded { columns, classes, of_cohort })
    }

    /// Recodes a table by the rules, repairs classes that do not meet the goal, and checks that all
    /// classes do. Models that compare a class with the whole table use the distribution of this
    /// table.
    ///
    /// `table` must have been read with [`Recipe::columns`] and [`Recipe::encoding`].
    ///
    /// # Errors
    ///
    /// Those of [`Recipe::recode`], and [`Error::Unreachable`] if the goal is not met.
    pub fn apply(&self, table: &Table, policy: Policy, progress: &dyn Progress) -> Result<Applied> {
        let mut joins = self.bind(table, policy.unseen)?;
        let suppress = policy.suppress.unwrap_or(self.goal.suppress);
        // Releases of one recipe promise the same, so only the limit of suppression may change.
        let demands = Demands { suppress, ..self.demands() };
        let problem = problem(table, &demands, &joins)?;
        let joins_nearest = policy.repair == Repair::Merge;
        let manner = Manner { unseen: policy.unseen, joins_nearest };
        let placed = place(self, table, &mut joins, manner);
        let mender = Mender { problem: &problem, repair: policy.repair, progress };
        let repaired = mender.run(placed, &mut joins).map_err(|error| self.advised(error))?;
        // Costs of drift include joined labels, so it follows the repair.
        let drift = Drift::of(self, table, &joins, &repaired);
        let trees = joins
            .iter()
            .zip(table.columns())
            .filter_map(|(joins, column)| Some((column.name.clone(), joins.bound.tree(column)?)));
        let hierarchies = trees.collect();
        // Merging may have made new labels.
        let problem = problem.with_generalizations(generalizations(table, &joins))?;
        // The same check as after a search: rules alone prove nothing about another table.
        let recoding = Recoding::of(&problem, proposal(&problem, repaired))?;
        let style = Style { intervals: self.writing.interval_style };
        let release = Release::new(&recoding, &style)?;
        let study = Study::of_problem(demands, problem)?;
        Ok(Applied { study, release, drift, hierarchies })
    }

    /// Adds to an error that the labels of a uniform recoding would fit better.
    fn advised(&self, error: Error) -> Error {
        let is_unmet = matches!(error, Error::Unreachable { .. }) && !self.form.is_global();
        let advice =
            "make the recipe from a global recoding, whose labels depend on single values only";
        error.advise(is_unmet.then(|| Advice::words(advice)))
    }

    /// Binds the rules to the columns of a table.
    fn bind(&self, table: &Table, unseen: Unseen) -> Result<Vec<Joins<'_>>> {
        self.check_columns(table)?;
        let mut joins = Vec::with_capacity(self.attributes.len());
        for (place, (rule, column)) in self.attributes.iter().zip(table.columns()).enumerate() {
            // A value that only unused labels cover counts as unseen: no record could be published
            // with it.
            let mut is_used: Vec<bool> = rule.labels.iter().map(|label| label.cut).collect();
            for region in &self.regions {
                is_used[region[place] as usize] = true;
            }
            let style = self.writing.interval_style;
            let terms = Terms { salt: &self.salt, unseen, style, is_used: &is_used };
            joins.push(Joins::new(Bound::new(rule, column, terms)?));
        }
        Ok(joins)
    }

    /// Returns an error if a table has other quasi-identifiers than the recipe, or other kinds.
    fn check_columns(&self, table: &Table) -> Result<()> {
        let names: Vec<&String> = self.attributes.iter().map(|rule| &rule.name).collect();
        let found: Vec<&String> = table.columns().iter().map(|column| &column.name).collect();
        // Also the order must agree: regions refer to attributes by their place.
        if names != found {
            let list = |names: &[&String]| {
                names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ")
            };
            let (names, found) = (list(&names), list(&found));
            let problem = format!("the recipe is for the quasi-identifiers {names}, not {found}");
            return Err(Error::invalid(problem));
        }
        // Without their people, records would be counted instead.
        if self.goal.person.as_ref() != table.person().map(|column| &column.name) {
            let problem = "the recipe and the table do not name the same column of people";
            let advice = Advice::words("read the table with the columns that the recipe names");
            return Err(Error::invalid(problem).advise([advice]));
        }
        for (rule, column) in self.attributes.iter().zip(table.columns()) {
            let kind = column.domain.values.kind();
            // A column without values has no kind of its own.
            if kind != rule.kind && !column.domain.is_empty() {
                let problem = format!(
                    "the recipe is for the kind {}, but the column has the kind {}",
                    rule.kind.name(),
                    kind.name()
                );
                return Err(Error::column(&rule.name, problem).advise([
                    Advice::words("read the table as the recipe was made"),
                    Advice::words("make a new recipe"),
                ]));
            }
        }
        Ok(())
    }

    /// Whether values are published in the same way in all records.
    pub fn is_global(&self) -> bool {
        self.form.is_global()
    }
}

/// The published cells of a class with these labels.
fn cells(shape: &Shape, joins: &[Joins<'_>], table: &Table) -> Vec<String> {
    let mut cells = Vec::new();
    for ((label, Joins { bound, .. }), column) in shape.iter().zip(joins).zip(table.columns()) {
        match label {
            Some(label) => {
                cells.extend(bound.labels[*label as usize].cells.iter().map(ToString::to_string));
            }
            // All values of the class are missing and match any: they stay as they are spelt.
            None => {
                let missing = column.domain.missing.as_ref();
                let spelling = missing.map_or("", |missing| &missing.spelling);
                cells.extend(vec![spelling.to_owned(); bound.columns().len()]);
            }
        }
    }
    cells
}

/// The problem of a table with fixed labels.
fn problem(table: &Table, demands: &Demands, joins: &[Joins<'_>]) -> Result<Problem> {
    let class = demands.class.as_ref().map(|class| Secret::of(table, class)).transpose()?;
    let limits = Limits {
        most_suppressed: demands.suppress.of(table.cohorts().n_records()),
        class: class.map(Arc::new),
        ..Limits::default()
    };
    let models = demands.claims(false).models(table)?;
    Problem::with_limits(table, generalizations(table, joins), models, limits)
}

fn generalizations(table: &Table, joins: &[Joins<'_>]) -> Vec<Generalization> {
    let columns = joins.iter().zip(table.columns());
    columns.map(|(joins, column)| joins.bound.generalization(column)).collect()
}

/// The classes as a proposal.
fn proposal(problem: &Problem, repaired: Repaired) -> Proposal {
    let Repaired { classes, suppressed, .. } = repaired;
    let mut takes = Vec::with_capacity(problem.cohorts().len());
    for (number, class) in classes.iter().enumerate() {
        let class_of = Some(proposal::Class::new(number));
        let members = class.members.iter();
        takes.extend(members.map(|&(cohort, count)| Take { cohort, class: class_of, count }));
    }
    let lost = suppressed.into_iter();
    // Suppressed records are takes without a class, so that every record occurs once.
    takes.extend(lost.map(|(cohort, count)| Take { cohort, class: None, count }));
    let regions = |class: &Class| -> Box<[Region]> {
        let label = |label: &Option<u32>| {
            label.map_or(Region::Unknown, |label| Region::Label(Tag::from(label)))
        };
        class.shape.iter().map(label).collect()
    };
    Proposal::with_regions(problem, classes.iter().map(regions), takes)
}
