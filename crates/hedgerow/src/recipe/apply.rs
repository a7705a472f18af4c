//! Applies a recipe to a table in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::HashSet;

use super::bind::{Bound, Terms};
use super::drift::Drift;
use super::joins::Joins;
use super::place::{Manner, Placed, Shape, place};
use super::repair::{Class, Mender, Repair, Repaired};
use super::rule::Rule;
use super::{Recipe, Unseen};
use crate::error::{Advice, Flaw, Misuse};
use crate::hierarchy::{Generalization, Hierarchy, Tag};
use crate::method::Scope;
use crate::privacy::Secret;
use crate::problem::{Limits, Problem, Region};
use crate::progress::Progress;
use crate::proposal::{self, Proposal, Take};
use crate::recoding::Recoding;
use crate::release::{Release, Style};
use crate::study::{Demands, Share, Study};
use crate::table::{Cohort, Table};
use crate::{Error, Result};

/// Treatment of values and classes that the recipe did not foresee.
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
    /// The release, with the cells of each record.
    pub release: Release,
    /// The differences of the table from the first.
    pub drift: Drift,
    /// The labels of columns with hierarchies as trees over the values of the table, by column.
    pub hierarchies: BTreeMap<String, Hierarchy>,
}

/// The cells that the rules of a recipe give to each cohort of a table, whatever classes result:
/// features for a learner, not a release.
///
/// No privacy model was checked, and [`Unchecked::small`] lists the classes that have too few
/// records. [`Recipe::apply`] makes a [`Release`] of a table.
#[derive(Debug)]
pub struct Unchecked {
    /// The columns that replace the quasi-identifiers.
    columns: Vec<String>,
    /// The cells of each class.
    classes: Vec<Vec<String>>,
    of_cohort: Vec<Option<u32>>,
    /// Number of records, or people, in each class.
    sizes: Vec<u64>,
    k: u64,
}

impl Unchecked {
    /// The names of the columns that replace the quasi-identifiers.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The classes that have fewer records, or people, than the `k` of the recipe: their cells, and
    /// how many they have.
    pub fn small(&self) -> impl Iterator<Item = (&[String], u64)> {
        let classes = self.classes.iter().zip(&self.sizes);
        let small = classes.filter(|(_, size)| (1..self.k).contains(*size));
        small.map(|(cells, &size)| (cells.as_slice(), size))
    }

    /// The cells of a cohort, or `None` if its records would be suppressed because of a value
    /// without a rule.
    pub fn cells(&self, cohort: Cohort) -> Option<&[String]> {
        self.of_cohort[cohort.index()].map(|class| self.classes[class as usize].as_slice())
    }
}

impl Recipe {
    /// Recodes a table by the rules alone: no class is checked or repaired, so the result must not
    /// be published and is not a [`Release`]. This is what an experiment needs that learns a
    /// recoding on one part of a table and tests it on another, even on a single record.
    ///
    /// `table` must have been read with [`Recipe::columns`] and [`Recipe::encoding`].
    ///
    /// # Errors
    ///
    /// [`Error::Misuse`] if the table has other columns, [`Error::Column`] if a column has another
    /// kind, [`Error::Value`] if a value has no
    /// rule and that is an error, and [`Error::Cancelled`] if `progress` is cancelled.
    pub fn recode_unchecked(
        &self,
        table: &Table,
        unseen: Unseen,
        progress: &dyn Progress,
    ) -> Result<Unchecked> {
        let mut joins = self.bind(table, unseen)?;
        // Joining the nearest region would widen labels, but an experiment wants the rules as they
        // are.
        let manner = Manner { progress, unseen, joins_nearest: false };
        let Placed { shapes, of_cohort, .. } = place(self, table, &mut joins, manner)?;
        let columns = joins.iter().flat_map(|joins| joins.bound.columns()).collect();
        let classes = shapes.iter().map(|shape| cells(shape, &joins, table)).collect();
        let sizes = sizes(table, &of_cohort, shapes.len());
        Ok(Unchecked { columns, classes, of_cohort, sizes, k: self.goal.k })
    }

    /// Recodes a table by the rules, repairs classes that do not meet the goal, and checks that all
    /// classes do. Models that compare a class with the whole table use the distribution of this
    /// table.
    ///
    /// `table` must have been read with [`Recipe::columns`] and [`Recipe::encoding`].
    ///
    /// # Errors
    ///
    /// Those of [`Recipe::recode_unchecked`], and [`Error::Unreachable`] if the goal is not met.
    pub fn apply(&self, table: &Table, policy: Policy, progress: &dyn Progress) -> Result<Applied> {
        let mut joins = self.bind(table, policy.unseen)?;
        let suppress = policy.suppress.unwrap_or(self.goal.suppress);
        let joins_nearest = policy.repair == Repair::Merge;
        // Releases of one recipe promise the same, except for the caller's own choices: the limit
        // of suppression, and wider labels if classes are merged.
        let recoding = if joins_nearest { Scope::Local } else { self.goal.recoding };
        let demands = Demands { suppress, recoding, ..self.demands() };
        let problem = problem(table, &demands, &joins).map_err(of_recipe)?;
        let manner = Manner { progress, unseen: policy.unseen, joins_nearest };
        let placed = place(self, table, &mut joins, manner)?;
        let mender = Mender { problem: &problem, repair: policy.repair, progress };
        let repaired = mender.run(placed, &mut joins).map_err(|error| self.advised(error))?;
        self.check_levels(&repaired, demands.recoding)?;
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
        let recoding =
            Recoding::of(&problem, proposal(&problem, repaired), progress).map_err(less_uniform)?;
        let style = Style { intervals: self.writing.interval_style };
        let release = Release::new(&recoding, &style, progress)?;
        let study = Study::of_problem(demands, problem)?;
        Ok(Applied { study, release, drift, hierarchies })
    }

    /// Returns an error if a full-domain recoding is demanded, and a class has a label that is not
    /// on the level of its column: a value without a rule, or one whose group on that level was too
    /// small to be named in the recipe.
    fn check_levels(&self, repaired: &Repaired, demanded: Scope) -> Result<()> {
        let uniform = |place: usize, rule: &Rule| {
            let is_on_level = |label: u32| {
                rule.labels.get(label as usize).is_some_and(|label| label.cut && !label.above)
            };
            repaired.classes.iter().all(|class| class.shape[place].is_none_or(is_on_level))
        };
        let mut rules = self.attributes.iter().enumerate();
        match rules.find(|(place, rule)| !uniform(*place, rule)) {
            Some((_, rule)) if demanded == Scope::FullDomain => Err(Error::unreachable(format!(
                "column '{}': the recipe requires a full-domain recoding, but its values would be \
                     published on several levels",
                rule.name
            ))
            .advise([
                Advice::TreatUnseen(Unseen::CHOICES),
                Advice::RepairClasses,
                Advice::words("make a new recipe from this table"),
            ])),
            _ => Ok(()),
        }
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
        let names: Vec<String> = self.attributes.iter().map(|rule| rule.name.clone()).collect();
        let found: Vec<String> = table.columns().iter().map(|c| c.name.clone()).collect();
        // Also the order must agree: regions refer to attributes by their place.
        if names != found {
            return Err(Error::misuse(Misuse::OtherRecipe { recipe: names, table: found }));
        }
        // Without their people, records would be counted instead.
        if self.goal.person.as_ref() != table.person().map(|column| &column.name) {
            let advice = Advice::words("read the table with the columns that the recipe names");
            return Err(Error::misuse(Misuse::OtherPeopleOfRecipe).advise([advice]));
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

/// Number of records in each class, or of people if the table names them.
fn sizes(table: &Table, of_cohort: &[Option<u32>], n_classes: usize) -> Vec<u64> {
    let people = table.people();
    let mut sizes = vec![0; n_classes];
    let mut seen = HashSet::new();
    for ((cohort, count), class) in table.cohorts().counted().zip(of_cohort) {
        let Some(class) = *class else { continue };
        sizes[class as usize] += match &people {
            None => count,
            // A person counts once in a class.
            Some(people) => u64::from(seen.insert((class, people[cohort.index()]))),
        };
    }
    sizes
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

/// The error for classes that are recoded less uniformly than the recipe requires. Values without a
/// rule can make them so, which is not a mistake of the program.
fn less_uniform(error: Error) -> Error {
    match error {
        Error::Flawed(flaw @ Flaw::LessUniform { .. }) => {
            Error::unreachable(flaw.to_string()).advise([Advice::TreatUnseen(Unseen::CHOICES)])
        }
        error => error,
    }
}

/// The error for a table in which the goal cannot be met. The goal is that of the recipe, so it is
/// not a matter of asking for less.
fn of_recipe(error: Error) -> Error {
    match error {
        Error::Unreachable { problem, unmet, .. } => {
            let advice = [
                "apply the recipe to a table with more records",
                "make a new recipe with a goal that this table can meet",
            ];
            Error::Unreachable { problem, unmet, advice: advice.map(Advice::words).into() }
        }
        error => error,
    }
}

/// The problem of a table with fixed labels.
fn problem(table: &Table, demands: &Demands, joins: &[Joins<'_>]) -> Result<Problem> {
    let class = demands.class.as_ref().map(|class| Secret::of(table, class)).transpose()?;
    let limits = Limits {
        most_suppressed: demands.suppress.of(table.cohorts().n_records()),
        class: class.map(Arc::new),
        // Fixed labels have no levels; `Recipe::check_levels` knows those of the recipe.
        recoding: demands.recoding.max(Scope::Global),
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
