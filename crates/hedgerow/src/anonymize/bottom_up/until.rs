//! A point on the way of a search, as users write it.

use std::fmt;

use serde::Deserialize;

/// A number of generalizations, `12`, or the records of the smallest class, `A>=50`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "toml::Value")]
pub enum Until {
    /// So many generalizations.
    Steps(usize),
    /// The first point at which the smallest class has so many records.
    Smallest(u64),
}

impl Until {
    /// Whether so many steps, which leave so many records in the smallest class, are the point.
    pub(super) fn is_reached(self, n_steps: usize, smallest: u64) -> bool {
        match self {
            Self::Steps(n) => n_steps >= n,
            Self::Smallest(n) => smallest >= n,
        }
    }
}

impl TryFrom<toml::Value> for Until {
    type Error = String;

    fn try_from(value: toml::Value) -> Result<Self, String> {
        let text = match &value {
            toml::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let squeezed = text.replace(' ', "");
        let point = match squeezed.strip_prefix("A>=") {
            Some(n) => n.parse().ok().map(Self::Smallest),
            None => squeezed.parse().ok().map(Self::Steps),
        };
        let help =
            "say a number of generalizations, as 12, or of records in the smallest class, as A>=50";
        point.ok_or_else(|| format!("until is '{text}'; {help}"))
    }
}

impl fmt::Display for Until {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Steps(n) => write!(f, "{n}"),
            Self::Smallest(n) => write!(f, "A>={n}"),
        }
    }
}
