//! A method with its parameters, as users write it: `name:parameter=value`.

use std::fmt;
use std::str::FromStr;

use serde::de::value::UnitDeserializer;
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde::{Deserialize, Serialize};

use super::Described;
use crate::error::Advice;
use crate::{Error, Result};

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
    /// Name of the method.
    pub name: String,
    /// Parameters, with types inferred from their text.
    pub parameters: toml::Table,
}

impl Spec {
    /// A method without parameters.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), parameters: toml::Table::new() }
    }

    /// Deserializes the parameters into the struct of a method. Parameters that are not given keep
    /// their defaults.
    ///
    /// Ranges are not checked here: [`Description::check`](super::Description::check) does that for
    /// text, and [`Validate::validate`](super::Validate::validate) for values created in Rust.
    pub fn read<T: DeserializeOwned + Described>(&self) -> Result<T> {
        let read = if T::DESCRIPTION.parameters.is_empty() {
            // A method without parameters is a unit struct, which cannot be deserialized from a
            // table.
            let unit: UnitDeserializer<toml::de::Error> = ().into_deserializer();
            T::deserialize(unit)
        } else {
            let mut parameters = self.parameters.clone();
            for (name, value) in &mut parameters {
                // A file can be named 2024, which was parsed as a number, and 007 can be a number.
                let text = Self::written(value);
                let is_text = T::DESCRIPTION.parameter(name).is_some_and(|p| p.kind.is_text());
                *value = if is_text { text.into() } else { number_or_text(&text) };
            }
            parameters.try_into()
        };
        read.map_err(|error| {
            let problem = format!("cannot be made from its parameters: {}", error.message());
            Error::method(&self.name, problem)
        })
    }

    /// Returns the value of a parameter as users write it.
    pub(crate) fn written(value: &toml::Value) -> String {
        match value {
            toml::Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }
}

impl FromStr for Spec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        // Only the first colon ends the name, so values can contain others.
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let mut parameters = toml::Table::new();
        for pair in rest.split(',').filter(|pair| !pair.trim().is_empty()) {
            let (key, value) = pair.split_once('=').ok_or_else(|| {
                Error::syntax(None, format!("{name}: '{pair}' is not of the form parameter=value"))
                    .advise([Advice::words(format!("write {name}:parameter=value"))])
            })?;
            // An empty value would count as not given, and the default would apply without notice.
            if value.trim().is_empty() {
                let problem = "has no value";
                return Err(Error::parameter(name, key.trim(), None, problem)
                    .advise([Advice::words("write one after ="), Advice::words("leave it out")]));
            }
            if parameters.insert(key.trim().to_owned(), typed(value.trim())).is_some() {
                return Err(Error::parameter(name, key.trim(), None, "is given twice")
                    .advise([Advice::words("give it once")]));
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
        // The table is sorted by key, so two specs that mean the same are written the same.
        for (i, (key, value)) in self.parameters.iter().enumerate() {
            f.write_str(if i == 0 { ":" } else { "," })?;
            write!(f, "{key}={}", Self::written(value))?;
        }
        Ok(())
    }
}

/// A parameter that is text, or a list written `a+b+c`, even if it looks like a number. A plus sign
/// inside an item is written twice: `O++` is the item `O+`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "toml::Value")]
pub struct Text(String);

impl Text {
    /// The whole text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Iterates over the items of the list. An empty text has none.
    pub fn items(&self) -> impl Iterator<Item = String> + use<> {
        items(&self.0)
    }

    /// Writes a list, of which [`Text::items`] are the items.
    ///
    /// ```
    /// use hedgerow::method::Text;
    /// let list = Text::list(["a+b.csv", "wordnet"]);
    /// assert_eq!(list.as_str(), "a++b.csv + wordnet");
    /// assert!(list.items().eq(["a+b.csv", "wordnet"]));
    /// ```
    pub fn list<S: AsRef<str>>(items: impl IntoIterator<Item = S>) -> Self {
        let items: Vec<String> =
            items.into_iter().map(|item| item.as_ref().replace('+', "++")).collect();
        // Blanks keep the sign between items apart from those inside an item.
        let has_signs = items.iter().any(|item| item.contains('+'));
        Self(items.join(if has_signs { " + " } else { "+" }))
    }
}

/// Iterates over the items of a list `a+b+c`, in which `++` is a plus sign.
pub(super) fn items(list: &str) -> impl Iterator<Item = String> + use<> {
    // No argument contains a zero byte, so it can replace the sign while the list is divided.
    let divided = list.replace("++", "\0");
    let items = divided.split('+').map(|item| item.trim().replace('\0', "+"));
    items.filter(|item| !item.is_empty()).collect::<Vec<_>>().into_iter()
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

/// Returns a value with the type that its text suggests. A text that would be written differently
/// as a number, such as `007`, stays text, because only the method knows whether it is a number.
fn typed(text: &str) -> toml::Value {
    let value = number_or_text(text);
    if Spec::written(&value) == text { value } else { toml::Value::String(text.to_owned()) }
}

/// Returns a number or a flag if the text can be read as one.
fn number_or_text(text: &str) -> toml::Value {
    // Integers first, because they also parse as floats.
    if let Ok(whole) = text.parse::<i64>() {
        toml::Value::Integer(whole)
    // `inf` and `NaN` stay text, because no parameter means them as numbers.
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
    use crate::method::{Description, Parameter, Type};

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "kebab-case")]
    struct Options {
        fan_out: u32,
    }

    impl Described for Options {
        const DESCRIPTION: Description = Description {
            name: "han",
            about: "numbers",
            reference: None,
            needs: &[],
            parameters: &[Parameter::new("fan-out", Type::WHOLE, "parts").required()],
        };
    }

    #[test]
    fn parameters_are_read_into_the_methods_struct() {
        let spec: Spec = "han:fan-out=5".parse().unwrap();
        assert_eq!(spec.read::<Options>().unwrap(), Options { fan_out: 5 });
        let padded: Spec = "han:fan-out=05".parse().unwrap();
        assert_eq!(padded.read::<Options>().unwrap(), Options { fan_out: 5 });
    }

    #[test]
    fn texts_that_look_like_numbers_keep_their_zeros() {
        for text in ["k-map:value=007", "k-map:value=1.50", "k-map:value=+5", "k-map:value=1e3"] {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn lists_are_divided_at_single_signs() {
        let items = |text: &str| Text::from(text).items().collect::<Vec<_>>().join("|");
        assert_eq!(items("low + medium+high+"), "low|medium|high");
        assert_eq!(items("A++ + AB-+O++"), "A+|AB-|O+");
        for all in [&["a", "+b", "c+"][..], &["+", "a+b"], &["x", "y"], &[]] {
            assert!(Text::list(all).items().eq(all.iter().copied()), "{all:?}");
        }
    }

    #[test]
    fn a_parameter_without_a_value_is_an_error() {
        let error = "bands:cuts=".parse::<Spec>().unwrap_err().to_string();
        assert_eq!(error, "bands: cuts has no value; write one after =, or leave it out");
    }
}
