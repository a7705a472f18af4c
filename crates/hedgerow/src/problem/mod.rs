//! A problem: cohorts, the generalizations of each quasi-identifier, and the goal.

mod costs;
mod hiding;
mod bound;
mod attribute;
mod caps;
mod goal;
mod sorted;
mod tallies;
mod text;
mod warnings;

pub(crate) use self::caps::not_limited;
use self::caps::{Caps, Group};
pub use attribute::{Attribute, Region};
pub use costs::{Computed, Costs};
pub(crate) use goal::add;
pub use goal::{Goal, Tally};
pub(crate) use tallies::{Merged, Tallies, Verdicts};

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::error::{Advice, HierarchySource, Misuse, Unmet};
use crate::format::lint;
use crate::hierarchy::{Generalization, LeafOrAny, Node, RareValues};
use crate::method::Scope;
use crate::noun::counted;
use crate::privacy::{PrivacyModel, Secret, Sense, unmet};
use crate::table::{Cohort, Cohorts, Table};
use crate::{Error, Result};

/// Everything that an anonymizer needs to know, validated once.
///
/// Every value of a column is a leaf of its hierarchy, and no group has the label of a value that
/// it does not consist of, unless the limits allow it. If no records can be suppressed and the
/// privacy models are monotone, one class of all records satisfies the models. A problem is
/// immutable, and clones share its contents.
///
/// # Examples
///
/// One problem, two methods:
///
/// ```
/// use hedgerow::prelude::*;
///
/// let table = Table::from_rows(&["age"], &[["23"], ["25"], ["41"], ["44"]])?;
/// let free = Free.build(&table.columns()[0])?;
/// let problem = Problem::new(&table, vec![free], vec![Box::new(KAnonymity::new(2)?)])?;
/// for method in [&KMember::default() as &dyn Anonymizer, &Hedge::default()] {
///     assert_eq!(problem.solve(method, &Silent)?.sizes(), [2, 2]);
/// }
/// # Ok::<(), Error>(())
/// ```
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

/// A part of a problem whose records can share classes.
#[derive(Debug)]
#[non_exhaustive]
pub struct Compartment {
    /// The cohorts of this part, as indices into the whole problem.
    pub cohorts: Vec<Cohort>,
    /// The table with only the records of this part.
    pub table: Table,
    /// The highest node that values of each attribute can be generalized to; the root if there is
    /// no limit.
    pub tops: Vec<Node>,
}

/// The limits and options of a search.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Maximum number of suppressed records; at least one record is always published.
    pub most_suppressed: u64,
    /// Seed of the random number generator.
    pub seed: u64,
    /// Number of population records that each record of a cohort represents; empty if unknown.
    pub weights: Vec<f64>,
    /// The column to predict, for methods that keep it predictable.
    pub class: Option<Arc<Secret>>,
    /// Limits of generalization by column: labels of nodes, or `level:N`.
    pub caps: BTreeMap<String, Vec<String>>,
    /// Whether values of fewer than `k` records can be spelt out.
    pub rare_values: RareValues,
    /// Allows labels of groups that are values of other records.
    pub force_labels: bool,
    /// The least uniform recoding that is allowed.
    pub recoding: Scope,
}

impl Problem {
    /// Creates a problem in which no record can be suppressed. `generalizations` has one entry for
    /// each quasi-identifier of the table, in order.
    pub fn new(
        table: &Table,
        generalizations: Vec<Generalization>,
        models: Vec<Box<dyn PrivacyModel>>,
    ) -> Result<Self> {
        Self::with_limits(table, generalizations, models, Limits::default())
    }

    /// Creates a problem with limits.
    pub fn with_limits(
        table: &Table,
        generalizations: Vec<Generalization>,
        models: Vec<Box<dyn PrivacyModel>>,
        mut limits: Limits,
    ) -> Result<Self> {
        if generalizations.len() != table.columns().len() || generalizations.is_empty() {
            let (given, columns) = (generalizations.len(), table.columns().len());
            let misuse = Misuse::Generalizations { given, columns };
            return Err(Error::misuse(misuse).advise([Advice::words("give one for each")]));
        }
        check_records(table)?;
        // A release must have at least one record.
        limits.most_suppressed = limits.most_suppressed.min(table.cohorts().n_records() - 1);
        check_models(table, &models, &limits)?;
        // The weights move to the goal, the only place that uses them.
        let goal = Goal::new(models, std::mem::take(&mut limits.weights), table.people());
        check_reach(&goal, table, limits.most_suppressed)?;
        let (attributes, caps) = generalized(table, generalizations, &goal, &limits)?;
        let table = table.clone();
        Ok(Self(Arc::new(Contents { table, attributes, goal, limits, caps })))
    }

    /// The problem restricted to some cohorts. `table` has exactly these cohorts, in this order
    /// (see [`Table::with`]).
    #[must_use]
    pub(crate) fn part(&self, table: &Table, cohorts: &[Cohort], most_suppressed: u64) -> Self {
        let class = self.0.limits.class.as_ref().map(|class| Arc::new(class.part(cohorts)));
        // At least one record must remain, as in `with_limits`.
        let most_suppressed = most_suppressed.min(table.cohorts().n_records().saturating_sub(1));
        Self(Arc::new(Contents {
            table: table.clone(),
            attributes: self.0.attributes.iter().map(|a| a.part(cohorts)).collect(),
            goal: self.0.goal.part(cohorts),
            limits: Limits { most_suppressed, class, ..self.0.limits.clone() },
            caps: self.0.caps.clone(),
        }))
    }

    /// The same problem with another `k`; `None` if something else than k-anonymity is required.
    pub(crate) fn with_k(&self, k: u64) -> Option<Self> {
        let Contents { table, attributes, limits, caps, goal } = &*self.0;
        let (table, attributes) = (table.clone(), attributes.clone());
        let (limits, caps) = (limits.clone(), caps.clone());
        let goal = goal.with_k(k)?;
        Some(Self(Arc::new(Contents { table, attributes, goal, limits, caps })))
    }

    /// The same problem with other generalizations, one for each quasi-identifier.
    pub(crate) fn with_generalizations(&self, given: Vec<Generalization>) -> Result<Self> {
        let Contents { table, goal, limits, .. } = &*self.0;
        let all: Vec<Cohort> = self.cohorts().all().collect();
        let goal = goal.part(&all);
        let (attributes, caps) = generalized(table, given, &goal, limits)?;
        let (table, limits) = (table.clone(), limits.clone());
        Ok(Self(Arc::new(Contents { table, attributes, goal, limits, caps })))
    }

    /// The same problem with suppression disallowed.
    #[must_use]
    pub fn strict(&self) -> Self {
        let all: Vec<Cohort> = self.cohorts().all().collect();
        self.part(&self.0.table, &all, 0)
    }

    /// Whether the generalization of some values is limited.
    pub(crate) fn is_capped(&self) -> bool {
        !self.0.caps.is_empty()
    }

    /// Whether the limits allow a leaf of an attribute to be published as `region`.
    pub(crate) fn allows(&self, attribute: usize, leaf: LeafOrAny, region: &Region) -> bool {
        let Some(leaf) = leaf.known() else { return true };
        match (region, self.0.attributes[attribute].generalization()) {
            (&Region::Node(node), Generalization::Tree(tree)) => {
                self.0.caps.allow(attribute, tree, leaf, node)
            }
            _ => true,
        }
    }

    /// Partitions the cohorts by the highest nodes that their values can be generalized to. A class
    /// must lie within one compartment.
    pub fn compartments(&self) -> Vec<Compartment> {
        let counts = &self.cohorts().counts;
        let groups = self.0.caps.groups(&self.0.attributes, self.cohorts());
        let of_group = |Group { tops, cohorts }: Group| {
            let table = self.0.table.with(cohorts.iter().map(|&c| (c, counts[c.index()])));
            Compartment { cohorts, table, tops }
        };
        groups.into_iter().map(of_group).collect()
    }

    /// Whether the two problems are clones of each other.
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

    /// Writes the leaves of some cohorts to `leaves`, attribute by attribute.
    ///
    /// [`Attribute::leaves`] holds the same leaves, but those of one cohort are far apart in
    /// memory. For a few hundred cohorts in any order, this function is several times faster.
    pub fn leaves_of(&self, cohorts: &[Cohort], leaves: &mut Vec<LeafOrAny>) {
        leaves.clear();
        // Ascending cohorts are near each other for every attribute.
        if cohorts.is_sorted() {
            for attribute in &self.0.attributes {
                leaves.extend(cohorts.iter().map(|cohort| attribute.leaves()[cohort.index()]));
            }
            return;
        }
        for (place, attribute) in self.0.attributes.iter().enumerate() {
            let codes = cohorts.iter().map(|&cohort| self.cohorts().tuple(cohort)[place]);
            leaves.extend(codes.map(|code| attribute.leaf_of_code(code)));
        }
    }

    /// The conditions that every class must satisfy.
    pub fn goal(&self) -> &Goal {
        &self.0.goal
    }

    /// Lower bound on the size of a class.
    pub fn least_size(&self) -> u64 {
        self.0.goal.least_size()
    }

    /// Maximum number of records that a method can suppress.
    pub fn most_suppressed(&self) -> u64 {
        self.0.limits.most_suppressed
    }

    /// The column to predict, if there is one.
    pub fn class(&self) -> Option<&Secret> {
        self.0.limits.class.as_deref()
    }

    /// The requested `k`; without k-anonymity, the smallest class size that the models allow.
    pub fn k(&self) -> u64 {
        self.0.goal.k()
    }

    /// The least uniform recoding that is allowed.
    pub fn recoding(&self) -> Scope {
        self.0.limits.recoding
    }

    /// Seed of the random number generator.
    pub fn seed(&self) -> u64 {
        self.0.limits.seed
    }
}

/// The error for a population whose records would be compared with people.
fn both_counted() -> Error {
    let problem = "a column names people with several records, but the records of the population are \
                   counted one by one";
    Error::invalid(problem).advise([
        Advice::LeaveOut { key: "person", column: None },
        Advice::LeaveOut { key: "population", column: None },
    ])
}

/// Returns the attributes with their generalizations, and the caps that the limits set.
fn generalized(
    table: &Table,
    given: Vec<Generalization>,
    goal: &Goal,
    limits: &Limits,
) -> Result<(Vec<Attribute>, Caps)> {
    // A class would compare people in the sample with records of the population.
    if goal.looks_at_population() && goal.counts_people() {
        return Err(both_counted());
    }
    let hidden_below = match limits.rare_values {
        RareValues::Show => None,
        RareValues::Hide => Some(goal.k()),
    };
    let attributes = given
        .into_iter()
        .enumerate()
        .map(|(place, given)| Attribute::new(table, place, given, hidden_below))
        .collect::<Result<Vec<_>>>()?;
    if !limits.force_labels {
        attributes.iter().try_for_each(check_labels)?;
    }
    // Counting the population that a class covers requires knowing the members of every set.
    let is_sample = goal.looks_at_population();
    if let Some(hidden) = attributes.iter().find(|a| is_sample && a.hides_members()) {
        return Err(uncountable(hidden.name()));
    }
    let caps = Caps::new(&attributes, &limits.caps)?;
    Ok((attributes, caps))
}

/// Returns an error if a hierarchy publishes records under a value that they do not have.
fn check_labels(attribute: &Attribute) -> Result<()> {
    let tree = attribute.known_generalization().hierarchy();
    tree.and_then(lint::borrowed_name).map_or(Ok(()), |found| {
        Err(Error::column(attribute.name(), format!("in its hierarchy, {found}"))
            .advise([Advice::words("rename the group"), Advice::ForceLabels]))
    })
}

/// The error for a column whose hidden values keep a model from counting the population of a class.
fn uncountable(column: &str) -> Error {
    let problem = "rare members of sets are hidden as `and N more`, so the records of the population \
                   that a class represents cannot be counted";
    let source = HierarchySource::Any;
    Error::column(column, problem).advise([
        Advice::ShowRareValues,
        Advice::LeaveOut { key: "population", column: None },
        Advice::GiveHierarchy { column: column.to_owned(), source },
    ])
}

/// Returns an error if no record of the table is left.
pub(crate) fn check_records(table: &Table) -> Result<()> {
    if table.cohorts().n_records() > 0 {
        return Ok(());
    }
    Err(Error::unreachable(
        "every record was left out, because each lacks a value of a quasi-identifier",
    )
    .advise([Advice::OtherMissingPolicy, Advice::FewerQuasi]))
}

/// Returns an error if there is no model, or if sensitive columns or weights are those of another
/// table.
///
/// Models and weights refer to cohorts by number, so those of another table would be checked
/// against the wrong records.
fn check_models(table: &Table, models: &[Box<dyn PrivacyModel>], limits: &Limits) -> Result<()> {
    if models.is_empty() {
        let advice = Advice::words("require k-anonymity at least");
        return Err(Error::misuse(Misuse::NoModel).advise([advice]));
    }
    let of_models = models.iter().filter_map(|model| model.secret());
    if let Some(foreign) = of_models.chain(&limits.class).find(|secret| !secret.is_of(table)) {
        let column = foreign.name().to_owned();
        let advice = Advice::words("build the privacy models for the table of the problem");
        return Err(Error::misuse(Misuse::OtherTable { column }).advise([advice]));
    }
    let (given, cohorts) = (limits.weights.len(), table.cohorts().len());
    if given != 0 && given != cohorts {
        return Err(Error::misuse(Misuse::Weights { given, cohorts })
            .advise([Advice::words("give one for each")]));
    }
    // An infinite weight would satisfy any requirement on a population.
    let is_weight = |weight: &&f64| weight.is_finite() && **weight >= 0.0;
    match limits.weights.iter().find(|weight| !is_weight(weight)) {
        None => Ok(()),
        Some(weight) => {
            let problem = format!("a record has the weight {weight}");
            let advice = Advice::words("give finite weights of at least 0");
            Err(Error::invalid(problem).advise([advice]))
        }
    }
}

/// Returns an error if no class, or not even one class of all records, can satisfy the goal.
fn check_reach(goal: &Goal, table: &Table, most_suppressed: u64) -> Result<()> {
    let mut all = goal.tally();
    for (cohort, count) in table.cohorts().counted() {
        goal.add(&mut all, cohort, count);
    }
    for (place, model) in goal.models().iter().enumerate() {
        let (model, view) = (model.as_ref(), goal.view(&all, place));
        // Check the size first: for k-anonymity its message is clearer than the one below.
        if model.secret().is_none() {
            check_size(model, table)?;
        }
        // `best` is a bound for all classes, whichever records are suppressed.
        let can_any_class = model.sense().meets(model.best(), model.asked());
        // With suppression, a subset can satisfy the model although all records do not; a search
        // decides.
        if goal.is_monotone_for(model) && most_suppressed == 0 && !model.holds(&view) {
            let what = format!("even one class of all records {}", model.attains());
            let suppress = can_any_class.then_some(Advice::AllowSuppression { least: None });
            return Err(not_met(model, &what, model.attained(&view)).advise(suppress));
        }
        if !can_any_class {
            let what = match model.sense() {
                Sense::AtLeast => "no class can attain more than",
                Sense::AtMost | Sense::Below => "no class can attain less than",
            };
            // No class need attain the bound, but one class of all records can be published.
            let eased = model.eased(model.attained(&view));
            let unmet = Unmet { eased, ..Unmet::of(model, model.best()) };
            return Err(not_met(model, what, model.best()).because_of(unmet));
        }
        check_size(model, table)?;
    }
    Ok(())
}

/// The error for a model that cannot be met: `what` attains at best `attained`.
fn not_met(model: &dyn PrivacyModel, what: &str, attained: f64) -> Error {
    Error::unreachable(unmet(model, what, attained))
        .because_of(Unmet::of(model, attained))
        .advise(model.advice(attained))
}

/// Returns an error if a model needs more records, or people, than there are.
pub(crate) fn check_size(model: &dyn PrivacyModel, table: &Table) -> Result<()> {
    let (name, least) = (model.name(), model.least_size());
    let (n_people, noun) = (table.n_people(), table.counted_noun());
    if n_people >= least {
        return Ok(());
    }
    let (problem, bound) = match model.secret() {
        None => {
            let people = counted(n_people, noun);
            (format!("k is {least}, but the table has only {people}"), Some(n_people))
        }
        Some(secret) => {
            let (secret, people) = (secret.name(), counted(least, noun));
            let needs = format!("{name} of '{secret}' needs classes of at least {people}");
            (format!("{needs}, but the table has only {n_people}"), None)
        }
    };
    let bound = bound.map(|most| Sense::AtLeast.or_looser(most as f64));
    let best = n_people as f64;
    // For other models, the size of a class does not determine what it attains.
    let eased = model.secret().map_or_else(|| model.eased(best), |_| None);
    let unmet = Unmet { best, asked: least as f64, eased, ..Unmet::of(model, 0.0) };
    Err(Error::unreachable(problem)
        .because_of(unmet)
        .advise([Advice::AskForLess { model: Some(name.to_owned()), bound }]))
}
