//! Shares of the records.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::Advice;
use crate::{Error, Result};

/// A share of the records, written `5%` or `0.05`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "toml::Value", into = "String")]
pub struct Share(f64);

impl Share {
    /// This share of `n` records, rounded down.
    pub fn of(self, n: u64) -> u64 {
        // 29% of 100 is 28.999999999999996 in binary; the addend makes it 29.
        (self.0 * n as f64 + 1e-9) as u64
    }
}

impl FromStr for Share {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (number, unit) = match text.trim().strip_suffix('%') {
            Some(percent) => (percent, 100.0),
            None => (text, 1.0),
        };
        let share = number.trim().parse::<f64>().ok().map(|share| share / unit);
        // NaN is not in the range either.
        share.filter(|share| (0.0..=1.0).contains(share)).map(Self).ok_or_else(|| {
            Error::invalid(format!("'{text}' is not a share of the records from 0 to 1"))
                .advise([Advice::words("write 5% or 0.05")])
        })
    }
}

impl TryFrom<toml::Value> for Share {
    type Error = Error;

    fn try_from(value: toml::Value) -> Result<Self> {
        match value {
            toml::Value::String(text) => text.parse(),
            // A number in a job file, such as `suppress = 0.05`.
            other => other.to_string().parse(),
        }
    }
}

impl From<Share> for String {
    fn from(Share(share): Share) -> Self {
        share.to_string()
    }
}
