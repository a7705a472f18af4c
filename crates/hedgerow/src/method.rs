//! Methods by name: the registry that roles keep, and `name:parameter=value` as people write it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// One line of a registry: a method's name, what it does, and how it is made from parameters.
///
/// `T` is the role's trait object. Help texts, forms and property tests iterate registries, so a
/// method is known everywhere as soon as its line stands in its `mod.rs`.
pub struct Method<T: ?Sized + 'static> {
    /// The one word users write.
    pub name: &'static str,
    /// One line for lists of methods.
    pub about: &'static str,
    /// Makes the method from its parameters.
    pub make: fn(&Spec) -> Result<Box<T>>,
}

impl<T: ?Sized> Method<T> {
    /// Finds the method that `spec` names in `registry`, and makes it.
    pub fn from_spec(
        registry: impl Iterator<Item = &'static Self> + Clone,
        what: &'static str,
        spec: &Spec,
    ) -> Result<Box<T>> {
        let method = registry
            .clone()
            .find(|method| method.name == spec.name)
            .ok_or_else(|| Error::unknown(what, &spec.name, registry.map(|method| method.name)))?;
        (method.make)(spec)
    }
}

/// A method's name with its parameters, written `han:threshold=4,fan-out=5`.
///
/// ```
/// let spec: hedgerow::method::Spec = "han:threshold=4,fan-out=5".parse()?;
/// assert_eq!(spec.name, "han");
/// assert_eq!(spec.to_string(), "han:fan-out=5,threshold=4");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Spec {
    /// The method's name.
    pub name: String,
    /// Its parameters, typed as they look.
    pub parameters: toml::Table,
}

impl Spec {
    /// A method without parameters.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), parameters: toml::Table::new() }
    }

    /// The method itself, if it is asked for without parameters; it has none.
    pub fn plain<T>(&self, method: T) -> Result<T> {
        match self.parameters.keys().next() {
            None => Ok(method),
            Some(parameter) => Err(Error::invalid(format!(
                "method '{}' has no parameters, but '{parameter}' is given",
                self.name
            ))),
        }
    }

    /// The files and folders that are named: by parameters, or by the method itself where a file stands
    /// for it.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let given = FILES.iter().filter_map(|name| self.parameters.get(*name)?.as_str());
        let mut files: Vec<PathBuf> = given.map(PathBuf::from).collect();
        let whole = self.to_string();
        if whole.contains(['.', '/', '\\']) {
            files.push(whole.into());
        }
        files
    }

    /// The method with its files found from a directory.
    pub(crate) fn in_directory(mut self, directory: &Path) -> Self {
        for name in FILES {
            if let Some(toml::Value::String(path)) = self.parameters.get_mut(*name) {
                *path = directory.join(&*path).to_string_lossy().into_owned();
            }
        }
        self
    }

    /// Reads the parameters into a method's own struct; what is not given keeps its default.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T> {
        self.parameters.clone().try_into().map_err(|error: toml::de::Error| {
            let message = error
                .message()
                .replace("usize", "u64")
                .replace("u64", "a whole number of 0 or more")
                .replace("expected f64", "expected a number")
                .replace("unknown field", "unknown parameter")
                .replace("missing field", "missing parameter");
            Error::invalid(format!("method '{}': {message}", self.name))
        })
    }
}

/// The parameters that are files or folders, whatever the method.
const FILES: &[&str] = &["path", "file", "order-file", "senses", "wordnet", "knowledge"];

impl FromStr for Spec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let mut parameters = toml::Table::new();
        for pair in rest.split(',').filter(|pair| !pair.trim().is_empty()) {
            let (key, value) = pair.split_once('=').ok_or_else(|| {
                Error::invalid(format!(
                    "method '{name}': '{pair}' is not parameter=value; write {name}:parameter=value"
                ))
            })?;
            if parameters.insert(key.trim().to_owned(), typed(value.trim())).is_some() {
                let key = key.trim();
                return Err(Error::invalid(format!("method '{name}': {key} is given twice")));
            }
        }
        Ok(Self { name: name.trim().to_owned(), parameters })
    }
}

impl TryFrom<String> for Spec {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<Spec> for String {
    fn from(spec: Spec) -> Self {
        spec.to_string()
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.parameters.iter().enumerate() {
            f.write_str(if i == 0 { ":" } else { "," })?;
            match value {
                toml::Value::String(text) => write!(f, "{key}={text}")?,
                other => write!(f, "{key}={other}")?,
            }
        }
        Ok(())
    }
}

/// A parameter that is text, or a list written `a+b+c`, even where it looks like a number.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "toml::Value")]
pub struct Text(String);

impl Text {
    /// The whole text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The members of the list; an empty text has none.
    pub fn items(&self) -> impl Iterator<Item = &str> {
        self.0.split('+').map(str::trim).filter(|item| !item.is_empty())
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl TryFrom<toml::Value> for Text {
    type Error = &'static str;

    fn try_from(value: toml::Value) -> Result<Self, &'static str> {
        match value {
            toml::Value::String(text) => Ok(Self(text)),
            toml::Value::Integer(whole) => Ok(Self(whole.to_string())),
            toml::Value::Float(number) => Ok(Self(number.to_string())),
            toml::Value::Boolean(flag) => Ok(Self(flag.to_string())),
            _ => Err("a parameter is one text; write a list as a+b+c"),
        }
    }
}

fn typed(text: &str) -> toml::Value {
    if let Ok(whole) = text.parse::<i64>() {
        toml::Value::Integer(whole)
    } else if let Some(number) = text.parse::<f64>().ok().filter(|number| number.is_finite()) {
        toml::Value::Float(number)
    } else if let Ok(flag) = text.parse::<bool>() {
        toml::Value::Boolean(flag)
    } else {
        toml::Value::String(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "kebab-case")]
    struct Options {
        fan_out: u32,
    }

    #[test]
    fn parameters_are_read_into_the_methods_struct() {
        let spec: Spec = "han:fan-out=5".parse().unwrap();
        assert_eq!(spec.read::<Options>().unwrap(), Options { fan_out: 5 });
    }

    #[test]
    fn a_misspelt_parameter_names_the_ones_there_are() {
        let spec: Spec = "han:fanout=5".parse().unwrap();
        let message = spec.read::<Options>().unwrap_err().to_string();
        assert_eq!(message, "method 'han': unknown parameter `fanout`, expected `fan-out`");
    }

    #[test]
    fn a_parameter_of_the_wrong_type_is_refused() {
        let spec: Spec = "han:fan-out=many".parse().unwrap();
        let message = spec.read::<Options>().unwrap_err().to_string();
        assert!(message.contains("invalid type: string \"many\", expected u32"), "{message}");
    }
}
