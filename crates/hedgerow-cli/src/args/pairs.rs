//! Arguments that give a value for a column.

use std::collections::BTreeMap;
use std::str::FromStr;

use hedgerow::error::Advice;

use super::lists::split_quoted;

/// An argument of the form `COLUMN=VALUE`.
#[derive(Debug, Clone)]
pub(crate) struct Pair<T> {
    column: String,
    value: T,
}

impl<T> Pair<T> {
    /// The value.
    pub(crate) fn value(&self) -> &T {
        &self.value
    }
}

impl<T: FromStr> FromStr for Pair<T>
where
    T::Err: std::fmt::Display,
{
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A name with an equals sign is quoted.
        let quoted = split_quoted(text).and_then(|(column, rest)| {
            let value = rest.strip_prefix('=')?;
            Some((column, value))
        });
        let (column, value) = quoted
            .or_else(|| text.split_once('=').map(|(column, value)| (column.to_owned(), value)))
            .ok_or_else(|| format!("'{text}' is not of the form COLUMN=VALUE"))?;
        let value = value.parse().map_err(|error: T::Err| error.to_string())?;
        Ok(Self { column, value })
    }
}

/// Returns pairs as a map; naming a column twice is an error.
pub(crate) fn pairs<T: Clone>(pairs: &[Pair<T>]) -> hedgerow::Result<BTreeMap<String, T>> {
    let mut map = BTreeMap::new();
    for Pair { column, value } in pairs {
        // The second would silently replace the first.
        if map.insert(column.clone(), value.clone()).is_some() {
            return Err(hedgerow::Error::column(column, "the same option is given twice for it")
                .advise([Advice::words("give it once")]));
        }
    }
    Ok(map)
}

/// Returns pairs as a map of lists: a column may be named several times.
pub(crate) fn lists<T: Clone>(pairs: &[Pair<T>]) -> BTreeMap<String, Vec<T>> {
    let mut map: BTreeMap<String, Vec<T>> = BTreeMap::new();
    for Pair { column, value } in pairs {
        map.entry(column.clone()).or_default().push(value.clone());
    }
    map
}

/// Returns pairs as a map; a column that is not in `quasi` is an error.
pub(crate) fn pairs_of<T: Clone>(
    given: &[Pair<T>],
    quasi: &[String],
) -> hedgerow::Result<BTreeMap<String, T>> {
    let map = pairs(given)?;
    // A hierarchy that nothing uses is usually a misspelt column.
    match map.keys().find(|name| !quasi.contains(name)) {
        None => Ok(map),
        Some(name) => {
            let column = Some(name.clone());
            Err(hedgerow::Error::column(name, "it has a hierarchy but is not a quasi-identifier")
                .advise([
                    Advice::NameQuasi { column: column.clone() },
                    Advice::LeaveOut { key: "hierarchy", column },
                ]))
        }
    }
}
