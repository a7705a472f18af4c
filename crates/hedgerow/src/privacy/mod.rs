//! Privacy models: conditions that every class of a release must satisfy.

mod secret;
mod sense;
mod k_anonymity;
mod k_map;
pub(crate) mod l_diversity;
mod p_sensitive;
mod alpha_k;
mod l_plus;
mod t_closeness;
mod delta_disclosure;
mod beta_likeness;
mod epsilon_m;
mod personalized;
mod tau_lambda;

use std::ops::Bound;
use std::sync::Arc;

pub use alpha_k::{Alpha, AlphaK};
pub use beta_likeness::{Beta, BetaKind, BetaLikeness};
pub use delta_disclosure::{Absent, Delta, DeltaDisclosure};
pub use epsilon_m::{Epsilon, EpsilonKind, EpsilonM};
pub use k_anonymity::KAnonymity;
pub use k_map::KMap;
pub use l_diversity::{Diversity, DiversityKind, LDiversity};
pub use l_plus::{LPlus, Thresholds};
pub use p_sensitive::PSensitive;
pub use personalized::Personalized;
pub use secret::Secret;
pub use sense::{Number, Sense};
pub use t_closeness::{Closeness, Distance, TCloseness};
pub use tau_lambda::{TauLambda, Uniqueness};

use crate::error::{Advice, Eased, Unmet};
use crate::method::{Described, Method, Need, Parameter, Spec, Type};
use crate::table::{Code, Table};
use crate::{Error, Result};

/// A condition on every class of a release.
///
/// A search is given one or more models. A model is built for one table, so it knows the
/// distribution of its sensitive column in that table.
pub trait PrivacyModel: std::fmt::Debug + Send + Sync {
    /// The name users write.
    fn name(&self) -> &'static str;

    /// The sensitive column it looks at, or `None` if only the number of records matters.
    fn secret(&self) -> Option<&Arc<Secret>> {
        None
    }

    /// The requested parameter, as reports show it.
    fn asked(&self) -> f64;

    /// Whether larger or smaller parameters are stricter.
    fn sense(&self) -> Sense {
        Sense::AtLeast
    }

    /// Whether the union of classes that satisfy the model also satisfies it.
    ///
    /// Only then can a search infer from one generalization that all coarser ones satisfy the
    /// model.
    fn is_monotone(&self) -> bool {
        true
    }

    /// Whether every subset of a failing class also fails.
    ///
    /// Only then are the records suppressed at one generalization also suppressed at all finer
    /// ones.
    fn fails_in_parts(&self) -> bool {
        false
    }

    /// A lower bound on the share of the records of a failing class that also fail if the class is
    /// divided, however that is done.
    fn lost_share(&self, _class: &ClassView<'_>) -> f64 {
        if self.fails_in_parts() { 1.0 } else { 0.0 }
    }

    /// The number of distinct sensitive values that suffices, if the model looks at nothing else.
    fn least_distinct(&self) -> Option<u64> {
        None
    }

    /// A lower bound on the size of classes that satisfy the model.
    fn least_size(&self) -> u64 {
        1
    }

    /// The `k` of k-anonymity; `None` for all other models, even those that need large classes.
    fn k(&self) -> Option<u64> {
        None
    }

    /// Whether the model counts records of the population rather than those of the class.
    fn counts_population(&self) -> bool {
        false
    }

    /// A bound that no class of the table can exceed in strictness, whichever records are
    /// suppressed.
    fn best(&self) -> f64 {
        self.sense().strictest()
    }

    /// The parameter that every class meets, and which therefore gives no protection.
    fn loosest(&self) -> f64 {
        self.sense().loosest()
    }

    /// The demand in words, given the requested parameter as text.
    fn demand(&self, asked: &str) -> String {
        self.sense().demand(asked)
    }

    /// Advice to choose a parameter that is no stricter than `attained`.
    fn advice(&self, attained: f64) -> Vec<Advice> {
        // The loosest parameter is already as strict as what is attained.
        if self.sense().meets(self.loosest(), attained) {
            let words = "leave this model out, because no parameter that protects can be attained";
            return vec![Advice::words(words)];
        }
        vec![at_most_attained(self.name(), self.sense(), attained)]
    }

    /// The change of a parameter after which a class that attains `attained` satisfies the model;
    /// `None` if there is no such parameter that protects.
    fn eased(&self, _attained: f64) -> Option<Eased> {
        None
    }

    /// The verb that messages put before the value that a failing class attains.
    fn attains(&self) -> &'static str {
        match self.sense() {
            Sense::AtLeast => "attains only",
            Sense::AtMost | Sense::Below => "attains",
        }
    }

    /// The strictest parameter that `class` meets.
    fn attained(&self, class: &ClassView<'_>) -> f64;

    /// Whether `class` satisfies the model.
    fn holds(&self, class: &ClassView<'_>) -> bool {
        self.sense().meets(self.attained(class), self.asked())
    }
}

/// The view of a class that models are given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassView<'a> {
    /// Number of records in the class; the number of people if these can have several records.
    pub size: u64,
    /// Number of population records that the class represents; equals `size` if no population is
    /// known.
    pub population: f64,
    /// The codes of the model's sensitive column that occur in the class, with their counts. A
    /// person with several records counts once for each of their values.
    pub counts: &'a [(Code, u64)],
}

impl ClassView<'_> {
    /// A class of `size` records without sensitive values.
    pub fn of_size(size: u64) -> Self {
        Self { size, population: size as f64, counts: &[] }
    }

    /// The codes that occur in the class, with their shares of its records; the shares add up to 1.
    pub fn shares(&self) -> impl Iterator<Item = (Code, f64)> {
        // The counts add up to more than the size if people have several values.
        let all = self.counts.iter().map(|&(_, count)| count).sum::<u64>() as f64;
        self.counts.iter().map(move |&(code, count)| (code, count as f64 / all))
    }

    /// The codes that occur in the class, with the share of its people who have them. The shares
    /// add up to more than 1 if people have several values.
    pub fn rates(&self) -> impl Iterator<Item = (Code, f64)> {
        let size = self.size as f64;
        self.counts.iter().map(move |&(code, count)| (code, count as f64 / size))
    }

    /// Number of records that have the most frequent value.
    pub fn most(&self) -> u64 {
        self.counts.iter().map(|&(_, count)| count).max().unwrap_or(0)
    }
}

/// A lower bound on the share of the records of a class that fail however it is divided, for a
/// model whose parameter must be at most `asked`, is at most 1, and is convex: that of a union is
/// at most the mean of its parts, weighted by their sizes.
///
/// If a share `f` of the records is in parts that fail, then `attained <= f + (1 - f) asked`.
fn share_beyond(asked: f64, attained: f64) -> f64 {
    if attained <= asked || asked >= 1.0 { 0.0 } else { (attained - asked) / (1.0 - asked) }
}

/// Advice to choose a parameter that some class attains.
fn at_most_attained(model: &str, sense: Sense, attained: f64) -> Advice {
    Advice::AskForLess { model: Some(model.to_owned()), bound: Some(sense.or_looser(attained)) }
}

impl Unmet {
    /// An unmet model with the strictest parameter that was attained.
    pub(crate) fn of(model: &dyn PrivacyModel, best: f64) -> Self {
        let column = model.secret().map(|secret| secret.name().to_owned());
        let eased = model.eased(best);
        Self { model: model.name().to_owned(), column, asked: model.asked(), best, eased }
    }
}

impl Eased {
    /// A model with this parameter instead of the one that it had.
    #[must_use]
    pub fn in_spec(&self, spec: &Spec) -> Spec {
        let value = match self.value.fract() {
            0.0 => toml::Value::Integer(self.value as i64),
            _ => toml::Value::Float(self.value),
        };
        let mut spec = spec.clone();
        spec.parameters.insert(self.parameter.to_owned(), value);
        spec
    }

    /// The strictest value of the parameter that a model asks for which `attained` meets; `None` if
    /// it does not protect.
    fn of(model: &dyn PrivacyModel, parameter: &'static str, attained: f64) -> Option<Self> {
        let value = model.sense().met_by(attained);
        // A class that attains 0 meets every parameter, and 0 itself cannot be asked for.
        let is_parameter = value.is_finite() && value > 0.0;
        let protects = is_parameter && !model.sense().meets(model.loosest(), value);
        protects.then_some(Self { parameter, value })
    }
}

/// Message for a demand that is not met: the requested parameter and the attained one.
pub(crate) fn unmet(model: &dyn PrivacyModel, what: &str, attained: f64) -> String {
    let [asked, attained] = Number::apart(model.asked(), attained);
    let of = model.secret().map_or_else(String::new, |secret| format!(" of '{}'", secret.name()));
    let (name, demand) = (model.name(), model.demand(&asked));
    format!("{name}{of} must be {demand}, but {what} {attained}")
}

/// A new model, or the reason it could not be built.
pub type Made = Result<Box<dyn PrivacyModel>>;

/// The constructor of a model, by its inputs.
#[derive(Clone, Copy)]
pub enum Make {
    /// From its parameters alone.
    OfSizes(fn(&Spec) -> Made),
    /// From its parameters, for a table whose population is known.
    OfPopulation(fn(&Spec) -> Made),
    /// For one sensitive column.
    OfColumn(fn(&Spec, &Arc<Secret>) -> Made),
    /// For one sensitive column joined with the column that the parameter `guard` names.
    Guarded(fn(&Spec, &Arc<Secret>) -> Made),
}

/// Every privacy model.
pub const ALL: &[Method<Make>] = &[
    Method::new(
        k_anonymity::Asked::DESCRIPTION,
        Make::OfSizes(|spec| Ok(Box::new(KAnonymity::read(spec)?))),
    ),
    Method::new(
        k_map::Asked::DESCRIPTION,
        Make::OfPopulation(|spec| Ok(Box::new(KMap::read(spec)?))),
    ),
    Method::new(
        Diversity::DESCRIPTION,
        Make::OfColumn(|spec, secret| Ok(Box::new(LDiversity::new(spec.read()?, secret)?))),
    ),
    Method::new(
        p_sensitive::Asked::DESCRIPTION,
        Make::OfColumn(|spec, secret| Ok(Box::new(PSensitive::read(spec, secret)?))),
    ),
    Method::new(
        Alpha::DESCRIPTION,
        Make::OfColumn(|spec, secret| Ok(Box::new(AlphaK::new(spec.read()?, secret)?))),
    ),
    Method::new(
        Thresholds::DESCRIPTION,
        Make::OfColumn(|spec, secret| Ok(Box::new(LPlus::new(spec.read()?, secret)?))),
    ),
    Method::new(
        Closeness::DESCRIPTION,
        Make::OfColumn(|spec, secret| Ok(Box::new(TCloseness::new(spec.read()?, secret)?))),
    ),
    Method::new(
        Delta::DESCRIPTION,
        Make::OfColumn(|spec, secret| Ok(Box::new(DeltaDisclosure::new(spec.read()?, secret)?))),
    ),
    Method::new(
        Beta::DESCRIPTION,
        Make::OfColumn(|spec, secret| Ok(Box::new(BetaLikeness::new(spec.read()?, secret)?))),
    ),
    Method::new(
        Epsilon::DESCRIPTION,
        Make::OfColumn(|spec, secret| Ok(Box::new(EpsilonM::new(spec.read()?, secret)?))),
    ),
    Method::new(
        personalized::Asked::DESCRIPTION,
        Make::Guarded(|spec, secret| Ok(Box::new(Personalized::read(spec, secret)?))),
    ),
    Method::new(
        Uniqueness::DESCRIPTION,
        Make::OfColumn(|spec, secret| Ok(Box::new(TauLambda::new(spec.read()?, secret)?))),
    ),
];

/// Parameter of all models that look at one sensitive column.
const COLUMN: Parameter =
    Parameter::new("column", Type::Column, "the sensitive column; all of them if not given");

/// A number that is at least 1.
const FROM_1: Type = Type::Number { least: Bound::Included(1.0), most: Bound::Unbounded };

/// Finds the model that `spec` names and checks the parameter names in `spec`.
fn find(spec: &Spec) -> Result<&'static Method<Make>> {
    Method::find(ALL.iter(), "privacy model", spec)
}

/// The columns that models look at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Observed {
    /// Sensitive columns.
    pub sensitive: Vec<String>,
    /// The column in which each record names its guarding node.
    pub guard: Option<String>,
}

/// Selects the columns that a model looks at from the columns declared `sensitive`.
pub fn columns(spec: &Spec, sensitive: &[String]) -> Result<Observed> {
    let make = find(spec)?.item;
    if matches!(make, Make::OfSizes(_) | Make::OfPopulation(_)) {
        return Ok(Observed::default());
    }
    let name = &spec.name;
    let guard = text(spec, "guard");
    let sensitive = match text(spec, "column") {
        // Only declared columns, because the others are not read for models.
        Some(column) if sensitive.contains(&column) => vec![column],
        Some(column) => {
            let problem = format!("needs column '{column}', which is not named as sensitive");
            return Err(Error::of_kind("privacy model", name, problem)
                .advise([Advice::NameSensitive { column: Some(column) }]));
        }
        None if sensitive.is_empty() => {
            let problem = "needs a sensitive column, but none is named";
            return Err(Error::of_kind("privacy model", name, problem)
                .advise([Advice::NameSensitive { column: None }]));
        }
        // The guard column itself is not protected, even if it is declared sensitive.
        None => sensitive.iter().filter(|&name| Some(name) != guard.as_ref()).cloned().collect(),
    };
    Ok(Observed { sensitive, guard })
}

/// Whether a model needs the population that the table is a sample of.
pub(crate) fn looks_at_population(spec: &Spec) -> Result<bool> {
    Ok(find(spec)?.needs.contains(&Need::Population))
}

/// Whether one of these models looks at the population.
///
/// # Errors
///
/// [`Error::Unknown`] for a model that does not exist.
pub fn look_at_population(specs: &[Spec]) -> Result<bool> {
    specs.iter().try_fold(false, |looks, spec| Ok(looks | looks_at_population(spec)?))
}

/// The value of a parameter as text, if it is given.
fn text(spec: &Spec, parameter: &str) -> Option<String> {
    spec.parameters.get(parameter).map(Spec::written)
}

/// The data that models are built for.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The table.
    pub table: &'a Table,
    /// Its sensitive columns.
    pub secrets: &'a [Arc<Secret>],
    /// Whether the population that the table is a sample of is known.
    pub has_population: bool,
}

/// Builds the models that `spec` describes: one for each sensitive column, or one for the column
/// that its parameter `column` names.
pub fn from_spec(spec: &Spec, known: &Known<'_>) -> Result<Vec<Box<dyn PrivacyModel>>> {
    let make = find(spec)?.item;
    let names: Vec<String> = known.secrets.iter().map(|secret| secret.name().to_owned()).collect();
    let Observed { sensitive, guard } = columns(spec, &names)?;
    let mut secrets = known.secrets.iter().filter(|secret| {
        let name = secret.name();
        sensitive.iter().any(|chosen| chosen == name)
    });
    // `column` and `guard` are passed as a `Secret`; constructors read only the other parameters.
    let mut spec = spec.clone();
    match make {
        Make::OfSizes(make) => Ok(vec![make(&spec)?]),
        Make::OfPopulation(make) if known.has_population => Ok(vec![make(&spec)?]),
        Make::OfPopulation(_) => {
            let problem = "needs the population that the table is a sample of, but none is named";
            Err(Error::of_kind("privacy model", &spec.name, problem)
                .advise([Advice::NamePopulation]))
        }
        Make::OfColumn(make) => {
            spec.parameters.remove("column");
            secrets.map(|secret| make(&spec, secret)).collect()
        }
        Make::Guarded(make) => {
            spec.parameters.remove("column");
            spec.parameters.remove("guard");
            let guard = guard.unwrap_or_default();
            secrets.try_fold(Vec::new(), |mut made, secret| {
                made.push(make(&spec, &Arc::new(secret.joint_with(known.table, &guard)?))?);
                Ok(made)
            })
        }
    }
}

#[cfg(test)]
mod tests;
