//! The values of k in a grid: `2..20`, `2,5,10`, `10..100:10`.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::Advice;
use crate::{Error, Result};

/// Values of k, as single numbers and ranges whose ends are included.
///
/// ```
/// use hedgerow::compare::Ks;
/// let ks: Ks = "2..4,10..30:10".parse()?;
/// assert_eq!(ks.values().collect::<Vec<_>>(), [2, 3, 4, 10, 20, 30]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "toml::Value", into = "String")]
pub struct Ks(Vec<Run>);

/// The numbers `first`, `first + step` and so on, up to `last`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    first: u64,
    last: u64,
    step: u64,
}

impl Ks {
    /// One value.
    pub fn of(k: u64) -> Self {
        Self(vec![Run { first: k.max(1), last: k.max(1), step: 1 }])
    }

    /// Number of values; one that is given twice counts twice.
    pub fn len(&self) -> u128 {
        // 128 bits: a step of 1 over all of `u64` has 2^64 - 1 values, and a list can have several
        // such ranges.
        let n = |run: &Run| u128::from((run.last - run.first) / run.step) + 1;
        self.0.iter().map(n).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The values, ascending and each once.
    pub fn values(&self) -> impl Iterator<Item = u64> + use<> {
        // A set, because ranges of a list may overlap.
        let all: BTreeSet<u64> = self
            .0
            .iter()
            .flat_map(|run| {
                (0..=(run.last - run.first) / run.step).map(|n| run.first + n * run.step)
            })
            .collect();
        all.into_iter()
    }
}

impl FromStr for Ks {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let runs = text.split(',').map(|part| run(part.trim()).ok_or_else(|| not_k(text)));
        runs.collect::<Result<Vec<Run>>>().map(Self)
    }
}

fn run(text: &str) -> Option<Run> {
    // k = 0 would be satisfied by everything, so it is not a value.
    let whole = |text: &str| text.trim().parse::<u64>().ok().filter(|&n| n >= 1);
    let Some((first, rest)) = text.split_once("..") else {
        let k = whole(text)?;
        return Some(Run { first: k, last: k, step: 1 });
    };
    let (last, step) = match rest.split_once(':') {
        Some((last, step)) => (last, whole(step)?),
        None => (rest, 1),
    };
    let (first, last) = (whole(first)?, whole(last)?);
    // A range such as 20..2 is a mistake; taken as empty it would give a grid without cells.
    (first <= last).then_some(Run { first, last, step })
}

fn not_k(text: &str) -> Error {
    Error::invalid(format!("'{text}' is not a list of values of k, which are at least 1"))
        .advise([Advice::words("write 5, or 2,5,10, or 2..20, or 10..100:10")])
}

impl TryFrom<toml::Value> for Ks {
    type Error = Error;

    fn try_from(value: toml::Value) -> Result<Self> {
        match value {
            toml::Value::Array(items) => {
                let runs = items.into_iter().map(Self::try_from);
                let runs = runs.collect::<Result<Vec<Self>>>()?;
                Ok(Self(runs.into_iter().flat_map(|ks| ks.0).collect()))
            }
            toml::Value::String(text) => text.parse(),
            // A number, such as `k = 5`; anything else fails in the parser with its text.
            other => other.to_string().parse(),
        }
    }
}

impl fmt::Display for Ks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, Run { first, last, step }) in self.0.iter().enumerate() {
            f.write_str(if place == 0 { "" } else { "," })?;
            match step {
                // Written in the shortest form that is read back as the same values.
                _ if first == last => write!(f, "{first}")?,
                1 => write!(f, "{first}..{last}")?,
                step => write!(f, "{first}..{last}:{step}")?,
            }
        }
        Ok(())
    }
}

impl From<Ks> for String {
    fn from(ks: Ks) -> Self {
        ks.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_their_ends_and_come_back_as_text() {
        for text in ["2..20", "5", "2,5,10..50:10"] {
            assert_eq!(text.parse::<Ks>().unwrap().to_string(), text);
        }
        let ks: Ks = "2..20".parse().unwrap();
        assert_eq!((ks.len(), ks.values().last()), (19, Some(20)));
        // The number is known without making a list.
        assert_eq!("1..18446744073709551615".parse::<Ks>().unwrap().len(), u128::from(u64::MAX));
    }

    #[test]
    fn what_is_not_a_k_is_refused() {
        for text in ["", "0", "-3", "2..", "20..2", "two", "2..9:0", "2.5", "2,,5"] {
            let error = text.parse::<Ks>().unwrap_err().to_string();
            assert!(error.contains("write 5, or 2,5,10"), "{text}: {error}");
        }
    }
}
