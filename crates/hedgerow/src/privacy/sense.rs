//! Parameters of models: which way they become stricter, and how they are written.

use std::fmt;

use serde::{Serialize, Serializer};

/// Which way a parameter becomes stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sense {
    /// A class must attain the parameter or more.
    AtLeast,
    /// A class must attain the parameter or less.
    AtMost,
}

/// Differences below this are rounding.
pub(super) const ROUNDING: f64 = 1e-9;

impl Sense {
    /// Whether what was attained is as strict as what was asked, rounding aside.
    pub fn meets(self, attained: f64, asked: f64) -> bool {
        match self {
            Self::AtLeast => attained >= asked - ROUNDING,
            Self::AtMost => attained <= asked + ROUNDING,
        }
    }

    /// A parameter as a demand: `5`, or `at most 0.2`.
    pub fn demand(self, asked: f64) -> String {
        match self {
            Self::AtLeast => Number(asked).to_string(),
            Self::AtMost => format!("at most {}", Number(asked)),
        }
    }

    /// The parameter that nothing is stricter than.
    pub fn strictest(self) -> f64 {
        match self {
            Self::AtLeast => f64::INFINITY,
            Self::AtMost => 0.0,
        }
    }

    /// A way to ask for no more than was attained, in four decimals.
    pub fn or_looser(self, attained: f64) -> String {
        match self {
            Self::AtLeast => format!("{} or less", Number((attained * 1e4).floor() / 1e4)),
            Self::AtMost => format!("{} or more", Number((attained * 1e4).ceil() / 1e4)),
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

/// A parameter as reports write it: at most four decimals.
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
            None if self.0.is_infinite() => write!(f, "none"),
            None => write!(
                f,
                "{}",
                format!("{:.4}", self.0).trim_end_matches('0').trim_end_matches('.')
            ),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_advised_holds() {
        assert_eq!(Sense::AtMost.or_looser(1.0 / 3.0), "0.3334 or more");
        assert_eq!(Sense::AtLeast.or_looser(2.828_427), "2.8284 or less");
        assert_eq!(Sense::AtLeast.or_looser(3.0), "3 or less");
    }

    #[test]
    fn numbers_have_at_most_four_decimals() {
        let shown = [0.3, 1.0 / 3.0, 0.5, 20.0, 0.00001, 10.00004].map(|x| Number(x).to_string());
        assert_eq!(shown, ["0.3", "0.3333", "0.5", "20", "0", "10"]);
    }

    #[test]
    fn a_parameter_that_no_number_meets_is_written_as_none() {
        assert_eq!(Number(f64::INFINITY).to_string(), "none");
        assert_eq!(serde_json::to_string(&Number(f64::INFINITY)).unwrap(), "null");
    }
}
