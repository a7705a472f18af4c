//! A stopping point of a search, as users write it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::method::{Text, Type};

/// A number of generalizations, `12`, or the records of the smallest class, `A>=50`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Text", into = "String")]
pub enum Until {
    /// After this number of generalizations.
    Steps(usize),
    /// As soon as the smallest class has at least this number of records.
    Smallest(u64),
}

impl Until {
    /// The type of the parameter, with the form in which users write it.
    pub(super) const KIND: Type = Type::Form {
        form: "a number of generalizations, as 12, or of records in the smallest class, as A>=50",
        accepts: |text| text.parse::<Self>().is_ok(),
    };

    /// Whether the search should stop after `n_steps` steps with a smallest class of `smallest`
    /// records.
    pub(super) fn is_reached(self, n_steps: usize, smallest: u64) -> bool {
        match self {
            Self::Steps(n) => n_steps >= n,
            Self::Smallest(n) => smallest >= n,
        }
    }
}

impl FromStr for Until {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let squeezed = text.replace(' ', "");
        let point = match squeezed.strip_prefix("A>=") {
            Some(n) => n.parse().ok().map(Self::Smallest),
            None => squeezed.parse().ok().map(Self::Steps),
        };
        point.ok_or_else(|| format!("until is '{text}'; it must be {}", Self::KIND))
    }
}

impl TryFrom<Text> for Until {
    type Error = String;

    fn try_from(text: Text) -> Result<Self, String> {
        text.as_str().parse()
    }
}

impl From<Until> for String {
    fn from(until: Until) -> Self {
        until.to_string()
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
