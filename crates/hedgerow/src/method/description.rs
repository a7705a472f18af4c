//! Descriptions of methods, and how parameters are checked against them.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Parameter, Scope, Spec};
use crate::error::{Advice, did_you_mean};
use crate::{Error, Result};

/// The description of a method.
#[derive(Debug, Clone, Copy)]
pub struct Description {
    /// The name that users write, one word.
    pub name: &'static str,
    /// One line for lists of methods.
    pub about: &'static str,
    /// The key of its paper in `docs/references.md`, or `None` if the method is our own or a
    /// convention.
    pub reference: Option<&'static str>,
    /// Requirements besides the table and its quasi-identifiers.
    pub needs: &'static [Need],
    /// Its parameters.
    pub parameters: &'static [Parameter],
}

/// A requirement of a method besides the table and its quasi-identifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Need {
    /// A column to predict.
    Class,
    /// A hierarchy with levels for every quasi-identifier.
    Levels,
    /// The cohort of every row.
    Rows,
    /// Exactly one quasi-identifier.
    OneAttribute,
    /// A sensitive column.
    Sensitive,
    /// The population that the table is a sample of.
    Population,
    /// The sampling weights of the records.
    Weights,
    /// A column of numbers or dates.
    Scale,
    /// A column of numbers.
    Numbers,
    /// A column of dates.
    Dates,
    /// The `k` of the release.
    K,
    /// Missing values that match nothing else.
    NoWildcards,
    /// Another release of the same or overlapping people.
    OtherRelease,
}

/// Formats a need as the words after "needs".
impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Class => "a column to predict",
            Self::Levels => "a hierarchy with levels for every quasi-identifier",
            Self::Rows => "the rows of the table, not only their counts",
            Self::OneAttribute => "exactly one quasi-identifier",
            Self::Sensitive => "a sensitive column",
            Self::Population => "the population that the table is a sample of",
            Self::Weights => "the sampling weights of the records",
            Self::Scale => "a column of numbers or dates",
            Self::Numbers => "a column of numbers",
            Self::Dates => "a column of dates",
            Self::NoWildcards => "missing values that do not match anything",
            Self::OtherRelease => "another release of the same or overlapping people",
            Self::K => "k, which is that of the release unless the parameter k is given",
        })
    }
}

impl Need {
    /// Returns advice on how to satisfy the need, or `None` if no option does.
    pub fn advice(self) -> Option<Advice> {
        match self {
            Self::Class => Some(Advice::NameClass),
            Self::Sensitive => Some(Advice::NameSensitive { column: None }),
            Self::Population => Some(Advice::NamePopulation),
            Self::NoWildcards => Some(Advice::OtherMissingPolicy),
            Self::OtherRelease => Some(Advice::NameOtherRelease),
            Self::Levels => {
                Some(Advice::words("give every quasi-identifier a hierarchy with levels"))
            }
            Self::Rows
            | Self::OneAttribute
            | Self::Weights
            | Self::Scale
            | Self::Numbers
            | Self::Dates
            | Self::K => None,
        }
    }
}

/// A type that describes a method, or the parameters of a method.
pub trait Described {
    /// The description of the method.
    const DESCRIPTION: Description;

    /// The uniformity of the method's recoding; `None` if it is not an anonymizer.
    const RECODING: Option<Scope> = None;
}

/// Gives the description of a method behind the trait object of its role.
pub trait Describe {
    /// Returns the description of the method.
    fn description(&self) -> &'static Description;

    /// Returns the name that users write.
    fn name(&self) -> &'static str {
        self.description().name
    }

    /// Whether the method has this requirement.
    fn needs(&self, need: Need) -> bool {
        self.description().needs.contains(&need)
    }
}

impl<T: Described> Describe for T {
    fn description(&self) -> &'static Description {
        // A constant expression, so that the reference lives forever.
        const { &T::DESCRIPTION }
    }
}

/// A value whose fields are the parameters of a described method.
pub trait Validate {
    /// Returns an error if a parameter is outside the range that the description states.
    fn validate(&self) -> Result<()>;
}

impl<T: Described + Serialize> Validate for T {
    fn validate(&self) -> Result<()> {
        let Description { name, parameters, .. } = T::DESCRIPTION;
        // Paths need no check, and they may not even be UTF-8.
        if parameters.iter().all(Parameter::is_path) {
            return Ok(());
        }
        let fields = fields(self).map_err(|error| {
            let problem = format!("has parameters that cannot be written as text: {error}");
            Error::method(name, problem)
        })?;
        // A field that is not set has its default, which the method itself states.
        for (field, text) in fields.iter().filter(|(_, text)| !text.is_empty()) {
            if let Some(parameter) = T::DESCRIPTION.parameter(field) {
                parameter.check(name, text)?;
            }
        }
        Ok(())
    }
}

/// Returns the fields of a struct as users write them. The text of a field that is not set is
/// empty.
fn fields<T: Serialize>(parameters: &T) -> csv::Result<Vec<(String, String)>> {
    // CSV gives every field as plain text under its serialized name, as in a spec.
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.serialize(parameters)?;
    // Written and read back, because serde has no other way to ask a struct for its fields as text.
    let bytes = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
    let mut reader = csv::Reader::from_reader(&*bytes);
    let names = reader.headers()?.clone();
    let mut record = csv::StringRecord::new();
    reader.read_record(&mut record)?;
    let pairs = names.iter().zip(&record);
    Ok(pairs.map(|(name, text)| (name.to_owned(), text.to_owned())).collect())
}

impl Description {
    /// Returns the parameter with this name or alias, or `None`.
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|parameter| parameter.is_called(name))
    }

    /// Checks the parameters of a spec: their names, their values, and that all required ones are
    /// present.
    pub fn check(&self, spec: &Spec) -> Result<()> {
        let mut given: Vec<&str> = Vec::new();
        for (name, value) in &spec.parameters {
            let parameter = self.parameter(name).ok_or_else(|| self.unknown(name))?;
            // A table has no key twice, but it can have a name and its alias.
            if given.contains(&parameter.name) {
                let also = parameter.alias.unwrap_or_default();
                let problem = format!("is given twice, also as {also}");
                return Err(Error::parameter(self.name, parameter.name, None, problem)
                    .advise([Advice::words("give one of them")]));
            }
            parameter.check(self.name, &Spec::written(value))?;
            given.push(parameter.name);
        }
        let is_missing = |p: &&Parameter| p.is_required && !given.contains(&p.name);
        // The first missing parameter in the order of the description.
        self.parameters.iter().find(is_missing).map_or(Ok(()), |missing| Err(self.lacks(missing)))
    }

    /// Returns the files and directories that the parameters of a spec name.
    pub fn paths(&self, spec: &Spec) -> Vec<PathBuf> {
        let of_parameter = |(name, value): (&String, &toml::Value)| {
            let parameter = self.parameter(name).filter(|parameter| parameter.is_path());
            parameter.map_or_else(Vec::new, |parameter| parameter.paths(&Spec::written(value)))
        };
        spec.parameters.iter().flat_map(of_parameter).collect()
    }

    /// Makes relative paths in a spec relative to a directory.
    pub fn in_directory(&self, spec: Spec, directory: &Path) -> Spec {
        // `join` leaves absolute paths as they are.
        self.with_paths(spec, &mut |path| directory.join(path))
    }

    /// Replaces each path in a spec.
    pub fn with_paths(&self, mut spec: Spec, replaced: &mut dyn FnMut(&Path) -> PathBuf) -> Spec {
        for (name, value) in &mut spec.parameters {
            // A name or a number must not become a path, even if such a file exists.
            if let Some(parameter) = self.parameter(name).filter(|p| p.is_path()) {
                *value = parameter.with_paths(&Spec::written(value), replaced).into();
            }
        }
        spec
    }

    fn unknown(&self, name: &str) -> Error {
        let Self { name: method, parameters, .. } = self;
        let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
        let near = did_you_mean(name, names.clone());
        let error = |problem: String| Error::parameter(method, name, None, problem);
        // Listing the choices of a method without parameters would end in an empty list.
        if names.is_empty() {
            return error("is not a parameter of this method, which has none".to_owned());
        }
        error(format!("is not a parameter of this method{near}"))
            .advise([Advice::words(format!("choose from {}", names.join(", ")))])
    }

    fn lacks(&self, missing: &Parameter) -> Error {
        let Parameter { name, kind, about, .. } = missing;
        // The advice is a whole spec, so that it can be copied.
        let (method, value) = (self.name, kind.placeholder());
        let problem = format!("is not given; it must be {kind} ({about})");
        Error::parameter(method, name, None, problem)
            .advise([Advice::words(format!("write {method}:{name}={value}"))])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::Type;

    const HAN: Description = Description {
        name: "han",
        about: "numbers",
        reference: None,
        needs: &[],
        parameters: &[
            Parameter::new("fan-out", Type::at_least(2), "parts").required(),
            Parameter::new("by", Type::Choice(&["values", "records"]), "what is even").alias("of"),
            Parameter::new("order-file", Type::File, "the order"),
            Parameter::new("sources", Type::List(&Type::FileOr(&["built-in"])), "the sources"),
        ],
    };

    fn refused(spec: &str) -> String {
        HAN.check(&spec.parse().unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn a_misspelt_parameter_names_the_nearest() {
        let found = refused("han:fanout=5");
        let said = "han: fanout is not a parameter of this method (did you mean 'fan-out'?); \
                    choose from fan-out, by, order-file, sources";
        assert_eq!(found, said);
    }

    #[test]
    fn values_are_checked_and_required_ones_asked_for() {
        let many = "han: fan-out is 'many'; it must be a whole number of at least 2 (parts)";
        assert_eq!(refused("han:fan-out=many"), many);
        assert!(refused("han:fan-out=1").starts_with("han: fan-out is '1'; it must be"));
        assert!(refused("han:by=values").ends_with("(parts); write han:fan-out=N"));
        assert!(refused("han:fan-out=2,by=record").contains("did you mean 'records'?"));
        assert!(refused("han:fan-out=2,by=values,of=values").contains("by is given twice"));
    }

    #[test]
    fn paths_are_those_of_the_description() {
        let spec: Spec = "han:fan-out=2,order-file=x".parse().unwrap();
        assert_eq!(HAN.paths(&spec), [PathBuf::from("x")]);
        let there = HAN.in_directory(spec, Path::new("dir"));
        assert_eq!(there.to_string(), "han:fan-out=2,order-file=dir/x");
    }

    #[test]
    fn a_list_of_files_can_contain_words_that_are_not_files() {
        let spec: Spec = "han:fan-out=2,sources=x.csv+built-in+y.csv".parse().unwrap();
        assert_eq!(HAN.paths(&spec), [PathBuf::from("x.csv"), PathBuf::from("y.csv")]);
        let there = HAN.in_directory(spec, Path::new("dir"));
        assert_eq!(there.to_string(), "han:fan-out=2,sources=dir/x.csv+built-in+dir/y.csv");
    }
}
