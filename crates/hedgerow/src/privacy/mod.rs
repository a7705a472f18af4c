//! Privacy models: what must hold of every class of a release.

mod secret;
mod k_anonymity;
mod l_diversity;

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

pub use k_anonymity::KAnonymity;
pub use l_diversity::{Diversity, LDiversity};
pub use secret::Secret;

use crate::method::Spec;
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

    /// The fewest records a class must have for the demand to be met at all.
    fn least_size(&self) -> u64 {
        1
    }

    /// The strictest parameter that one class meets.
    fn attained(&self, class: &ClassView<'_>) -> f64;

    /// Whether one class meets the demand.
    fn holds(&self, class: &ClassView<'_>) -> bool {
        self.sense().meets(self.attained(class), self.asked())
    }
}

/// Which way a parameter becomes stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sense {
    /// A class must attain the parameter or more.
    AtLeast,
    /// A class must attain the parameter or less.
    AtMost,
}

/// Differences below this are rounding.
const ROUNDING: f64 = 1e-9;

impl Sense {
    /// Whether what was attained is as strict as what was asked, rounding aside.
    pub fn meets(self, attained: f64, asked: f64) -> bool {
        match self {
            Self::AtLeast => attained >= asked - ROUNDING,
            Self::AtMost => attained <= asked + ROUNDING,
        }
    }

    /// A way to ask for no more than was attained.
    pub fn or_looser(self, attained: &Number) -> String {
        match self {
            Self::AtLeast => format!("{attained} or less"),
            Self::AtMost => format!("{attained} or more"),
        }
    }

    /// What classes attain together: what the weakest of them does.
    pub fn weakest(self, attained: impl Iterator<Item = f64>) -> Option<f64> {
        match self {
            Self::AtLeast => attained.reduce(f64::min),
            Self::AtMost => attained.reduce(f64::max),
        }
    }
}

/// A parameter as reports write it: whole numbers without a point, others with four decimals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number(pub f64);

impl Number {
    fn whole(self) -> Option<i64> {
        (self.0.fract() == 0.0 && self.0.abs() < 1e15).then_some(self.0 as i64)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.whole() {
            Some(whole) => write!(f, "{whole}"),
            None => write!(f, "{:.4}", self.0),
        }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.whole() {
            Some(whole) => serializer.serialize_i64(whole),
            None => serializer.serialize_f64(self.0),
        }
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
    pub counts: &'a [(u32, u64)],
}

impl ClassView<'_> {
    /// A class of so many records, of which nothing else matters.
    pub fn of_size(size: u64) -> Self {
        Self { size, population: size as f64, counts: &[] }
    }
}

/// One line of the registry: a model's name, what it demands, and how it is made.
pub struct Model {
    /// The one word users write.
    pub name: &'static str,
    /// One line for lists of models.
    pub about: &'static str,
    /// How it is made for a sensitive column, or for none.
    pub make: Make,
}

/// A model that was made, or why it was not.
pub type Made = Result<Box<dyn PrivacyModel>>;

/// How a model is made.
pub enum Make {
    /// From its parameters alone.
    OfSizes(fn(&Spec) -> Made),
    /// For one sensitive column.
    OfColumn(fn(&Spec, &Arc<Secret>) -> Made),
}

/// Every privacy model.
pub const ALL: &[Model] = &[
    Model {
        name: "k-anonymity",
        about: "each class has at least k records",
        make: Make::OfSizes(|spec| Ok(Box::new(spec.read::<KAnonymity>()?))),
    },
    Model {
        name: "l-diversity",
        about: "each class has at least l different sensitive values (kind=distinct|entropy|recursive)",
        make: Make::OfColumn(|spec, secret| Ok(Box::new(LDiversity::new(spec.read()?, secret)?))),
    },
];

fn find(spec: &Spec) -> Result<&'static Model> {
    let model = ALL.iter().find(|model| model.name == spec.name);
    model.ok_or_else(|| Error::unknown("privacy model", &spec.name, ALL.iter().map(|m| m.name)))
}

/// Whether a model looks at sensitive columns.
pub fn looks_at_columns(spec: &Spec) -> Result<bool> {
    Ok(matches!(find(spec)?.make, Make::OfColumn(_)))
}

/// Makes the models that `spec` asks for: one for each sensitive column, or for the one that its
/// parameter `column` names.
pub fn from_spec(spec: &Spec, secrets: &[Arc<Secret>]) -> Result<Vec<Box<dyn PrivacyModel>>> {
    let make = match find(spec)?.make {
        Make::OfSizes(make) => return Ok(vec![make(spec)?]),
        Make::OfColumn(make) => make,
    };
    let mut spec = spec.clone();
    let column = spec.parameters.remove("column").map(|column| match column {
        toml::Value::String(column) => column,
        other => other.to_string(),
    });
    if let Some(column) = column {
        let names = || secrets.iter().map(|secret| secret.name());
        let secret = secrets.iter().find(|secret| secret.name() == column);
        let secret = secret.ok_or_else(|| Error::unknown("sensitive column", &column, names()))?;
        return Ok(vec![make(&spec, secret)?]);
    }
    if secrets.is_empty() {
        return Err(Error::invalid(format!(
            "model '{}' looks at a sensitive column, and none is named; name it with --sensitive",
            spec.name
        )));
    }
    secrets.iter().map(|secret| make(&spec, secret)).collect()
}
