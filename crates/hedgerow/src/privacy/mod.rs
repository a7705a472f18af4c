//! Privacy models: what must hold of every class of a release.

mod secret;
mod sense;
mod k_anonymity;
mod k_map;
mod l_diversity;
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

use crate::method::{Described, Method, Need, Parameter, Spec, Type};
use crate::table::{Code, Table};
use crate::{Error, Result};

/// A demand on every class of a release; a search is given one or several.
///
/// A model is made for one table, so it knows how the values of its sensitive column are spread.
pub trait PrivacyModel: std::fmt::Debug + Send + Sync {
    /// The one word users write.
    fn name(&self) -> &'static str;

    /// The sensitive column it looks at; none if only the number of records matters.
    fn secret(&self) -> Option<&Arc<Secret>> {
        None
    }

    /// The parameter that was asked for, as reports show it.
    fn asked(&self) -> f64;

    /// Whether more or less is stricter.
    fn sense(&self) -> Sense {
        Sense::AtLeast
    }

    /// Whether a class holds whenever it is put together of classes that hold. Only then may a
    /// search conclude from one generalization on those above it.
    fn is_monotone(&self) -> bool {
        true
    }

    /// Whether every part of a class that fails, fails. Only then does a search know from what is
    /// suppressed on one generalization how much is on those below it.
    fn fails_in_parts(&self) -> bool {
        false
    }

    /// The fewest records a class must have for the demand to be met at all.
    fn least_size(&self) -> u64 {
        1
    }

    /// The `k` of k-anonymity; none for other models, whatever they need.
    fn k(&self) -> Option<u64> {
        None
    }

    /// A parameter that no class of the table can be stricter than, whatever is suppressed.
    fn best(&self) -> f64 {
        self.sense().strictest()
    }

    /// The parameter that protects nothing, because every class meets it.
    fn loosest(&self) -> f64 {
        self.sense().loosest()
    }

    /// What is asked for, with the parameter as it is written.
    fn demand(&self, asked: &str) -> String {
        self.sense().demand(asked)
    }

    /// How to ask for no more than some class attains.
    fn advice(&self, attained: f64) -> String {
        if self.sense().meets(self.loosest(), attained) {
            return "nothing that protects can be attained, so leave this model out".to_owned();
        }
        format!("choose {}", self.sense().or_looser(attained))
    }

    /// How a message says what a class attains too little of.
    fn attains(&self) -> &'static str {
        match self.sense() {
            Sense::AtLeast => "attains only",
            Sense::AtMost | Sense::Below => "attains",
        }
    }

    /// The strictest parameter that one class meets.
    fn attained(&self, class: &ClassView<'_>) -> f64;

    /// Whether one class meets the demand.
    fn holds(&self, class: &ClassView<'_>) -> bool {
        self.sense().meets(self.attained(class), self.asked())
    }
}

/// What a model sees of a class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassView<'a> {
    /// How many records it has.
    pub size: u64,
    /// How many records of the population it stands for; its own number where none is known.
    pub population: f64,
    /// The values of the model's sensitive column that occur, by code, with their counts.
    pub counts: &'a [(Code, u64)],
}

impl ClassView<'_> {
    /// A class of so many records, of which nothing else matters.
    pub fn of_size(size: u64) -> Self {
        Self { size, population: size as f64, counts: &[] }
    }

    /// The values that occur with their shares of the class, by code.
    pub fn shares(&self) -> impl Iterator<Item = (Code, f64)> {
        let size = self.size as f64;
        self.counts.iter().map(move |&(code, count)| (code, count as f64 / size))
    }

    /// How many records have the most frequent value.
    pub fn most(&self) -> u64 {
        self.counts.iter().map(|&(_, count)| count).max().unwrap_or(0)
    }
}

/// A demand that is not met: what was asked for, and how little there is of it.
pub(crate) fn unmet(model: &dyn PrivacyModel, what: &str, attained: f64) -> String {
    let [asked, attained] = Number::apart(model.asked(), attained);
    let of = model.secret().map_or_else(String::new, |secret| format!(" of '{}'", secret.name()));
    let (name, demand) = (model.name(), model.demand(&asked));
    format!("{name}{of} is asked to be {demand}, but {what} {attained}")
}

/// A model that was made, or why it was not.
pub type Made = Result<Box<dyn PrivacyModel>>;

/// How a model is made.
#[derive(Clone, Copy)]
pub enum Make {
    /// From its parameters alone.
    OfSizes(fn(&Spec) -> Made),
    /// From its parameters, for a table whose population is known.
    OfPopulation(fn(&Spec) -> Made),
    /// For one sensitive column.
    OfColumn(fn(&Spec, &Arc<Secret>) -> Made),
    /// For one sensitive column, joint with the one that the parameter `guard` names.
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

/// The parameter of models that look at one sensitive column.
const COLUMN: Parameter =
    Parameter::new("column", Type::Column, "the sensitive column; all of them if not given");

/// A number of at least 1.
const FROM_1: Type = Type::Number { least: Bound::Included(1.0), most: Bound::Unbounded };

/// The model that `spec` names, whose parameters are those that it describes.
fn find(spec: &Spec) -> Result<&'static Method<Make>> {
    Method::find(ALL.iter(), "privacy model", spec)
}

/// The columns that models look at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Observed {
    /// Sensitive columns.
    pub sensitive: Vec<String>,
    /// The column in which records say what they guard.
    pub guard: Option<String>,
}

/// The columns that a model looks at, out of those that are called sensitive.
pub fn columns(spec: &Spec, sensitive: &[String]) -> Result<Observed> {
    let make = find(spec)?.item;
    if matches!(make, Make::OfSizes(_) | Make::OfPopulation(_)) {
        return Ok(Observed::default());
    }
    let name = &spec.name;
    let guard = text(spec, "guard");
    let sensitive = match text(spec, "column") {
        Some(column) if sensitive.contains(&column) => vec![column],
        Some(column) => {
            return Err(Error::invalid(format!(
                "privacy model '{name}' looks at column '{column}', which is not called sensitive; \
                 name it with --sensitive"
            )));
        }
        None if sensitive.is_empty() => {
            return Err(Error::invalid(format!(
                "privacy model '{name}' looks at a sensitive column, and none is named; name it with \
                 --sensitive"
            )));
        }
        None => sensitive.iter().filter(|&name| Some(name) != guard.as_ref()).cloned().collect(),
    };
    Ok(Observed { sensitive, guard })
}

/// Whether a model asks what population the table is a sample of.
pub fn looks_at_population(spec: &Spec) -> Result<bool> {
    Ok(find(spec)?.needs.contains(&Need::Population))
}

/// A parameter as text.
fn text(spec: &Spec, parameter: &str) -> Option<String> {
    spec.parameters.get(parameter).map(Spec::written)
}

/// What models are made for.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The table.
    pub table: &'a Table,
    /// Its sensitive columns.
    pub secrets: &'a [Arc<Secret>],
    /// Whether it is known what population the table is a sample of.
    pub has_population: bool,
}

/// Makes the models that `spec` asks for: one for each sensitive column, or for the one that its
/// parameter `column` names.
pub fn from_spec(spec: &Spec, known: &Known<'_>) -> Result<Vec<Box<dyn PrivacyModel>>> {
    let make = find(spec)?.item;
    let names: Vec<String> = known.secrets.iter().map(|secret| secret.name().to_owned()).collect();
    let Observed { sensitive, guard } = columns(spec, &names)?;
    let mut secrets = known.secrets.iter().filter(|secret| {
        let name = secret.name();
        sensitive.iter().any(|chosen| chosen == name)
    });
    let mut spec = spec.clone();
    match make {
        Make::OfSizes(make) => Ok(vec![make(&spec)?]),
        Make::OfPopulation(make) if known.has_population => Ok(vec![make(&spec)?]),
        Make::OfPopulation(_) => Err(Error::invalid(format!(
            "privacy model '{}' asks for the population that the table is a sample of; name it with \
             --population FILE",
            spec.name
        ))),
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
