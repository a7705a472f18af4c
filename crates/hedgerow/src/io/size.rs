//! Sizes in bytes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::Advice;
use crate::{Error, Result};

const UNITS: [(&str, u64); 4] = [("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10), ("B", 1)];

/// A number of bytes, written `64MB`. A KB is 1024 bytes, and a number without a unit is in bytes.
///
/// ```
/// use hedgerow::io::Size;
/// let size: Size = "64MB".parse()?;
/// assert_eq!((size.bytes(), size.to_string()), (64 << 20, "64MB".to_owned()));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "toml::Value", into = "String")]
pub struct Size(u64);

impl Size {
    /// Default maximum length of a record.
    pub(crate) const OF_A_RECORD: Self = Self(64 << 20);

    /// Returns `factor` times this size.
    pub(super) fn times(self, factor: u64) -> Self {
        Self(self.0.saturating_mul(factor))
    }

    /// Number of bytes.
    pub fn bytes(self) -> u64 {
        self.0
    }
}

impl FromStr for Size {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        // `B` is the last unit, because the others end in it too.
        let upper = text.trim().to_uppercase();
        let of_unit = |&(unit, n_bytes): &(&str, u64)| Some((upper.strip_suffix(unit)?, n_bytes));
        let (number, unit) = UNITS.iter().find_map(of_unit).unwrap_or((&upper, 1));
        let number = number.trim().parse::<u64>().ok();
        let size = number.and_then(|number| number.checked_mul(unit)).filter(|&size| size > 0);
        size.map(Self).ok_or_else(|| {
            Error::syntax(None, format!("'{text}' is not a size"))
                .advise([Advice::words("write 256MB, 1GB or a number of bytes")])
        })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let largest = UNITS.iter().find(|(_, n_bytes)| self.0.is_multiple_of(*n_bytes));
        let (unit, n_bytes) = largest.unwrap_or(&("B", 1));
        write!(f, "{}{unit}", self.0 / n_bytes)
    }
}

impl Default for Size {
    fn default() -> Self {
        Self::OF_A_RECORD
    }
}

impl TryFrom<toml::Value> for Size {
    type Error = Error;

    fn try_from(value: toml::Value) -> Result<Self> {
        match value {
            toml::Value::String(text) => text.parse(),
            other => other.to_string().parse(),
        }
    }
}

impl From<Size> for String {
    fn from(size: Size) -> Self {
        size.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_written() {
        for (text, wanted) in [("1", "1B"), ("2048", "2KB"), ("3 mb", "3MB"), ("1GB", "1GB")] {
            assert_eq!(text.parse::<Size>().unwrap().to_string(), wanted);
        }
        for wrong in ["", "0", "-1", "1.5MB", "MB", "99999999999GB"] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }
}
