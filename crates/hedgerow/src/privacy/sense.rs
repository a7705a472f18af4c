//! The direction in which parameters of models become stricter, and how parameters are formatted.

use std::fmt;

use serde::{Serialize, Serializer};

/// The direction in which a parameter becomes stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sense {
    /// A class must attain the parameter or more.
    AtLeast,
    /// A class must attain the parameter or less.
    AtMost,
    /// A class must attain less than the parameter.
    Below,
}

/// Differences below this threshold are attributed to rounding.
pub(super) const ROUNDING: f64 = 1e-9;

impl Sense {
    /// Whether `attained` is as strict as `asked`, up to rounding.
    pub fn meets(self, attained: f64, asked: f64) -> bool {
        match self {
            // Attained values are sums of shares, so the last digits are not reliable.
            Self::AtLeast => attained >= asked - ROUNDING,
            Self::AtMost => attained <= asked + ROUNDING,
            // The margin is subtracted, because a value equal up to rounding is not below.
            Self::Below => attained < asked - ROUNDING,
        }
    }

    /// A parameter, given as text, as a demand: `5`, or `at most 0.2`.
    pub fn demand(self, asked: &str) -> String {
        match self {
            Self::AtLeast => asked.to_owned(),
            Self::AtMost => format!("at most {asked}"),
            Self::Below => format!("below {asked}"),
        }
    }

    /// The parameter that no other parameter is stricter than.
    pub(crate) fn strictest(self) -> f64 {
        match self {
            Self::AtLeast => f64::INFINITY,
            Self::AtMost | Self::Below => 0.0,
        }
    }

    /// The parameter that every class meets, and which therefore gives no protection.
    pub(crate) fn loosest(self) -> f64 {
        match self {
            Self::AtLeast => 1.0,
            Self::AtMost | Self::Below => f64::INFINITY,
        }
    }

    /// The range of parameters that are no stricter than `attained`, with four decimals.
    ///
    /// Rounds towards the looser side, so that the advice can really be met.
    pub(crate) fn or_looser(self, attained: f64) -> String {
        let bound = Number(self.rounded(attained));
        match self {
            Self::AtLeast => format!("{bound} or less"),
            Self::AtMost => format!("{bound} or more"),
            Self::Below => format!("more than {bound}"),
        }
    }

    /// The strictest parameter with four decimals that `attained` meets.
    pub(super) fn met_by(self, attained: f64) -> f64 {
        match self {
            Self::AtLeast | Self::AtMost => self.rounded(attained),
            Self::Below => ((attained * 1e4).ceil() + 1.0) / 1e4,
        }
    }

    /// Rounds to four decimals towards the looser side.
    fn rounded(self, attained: f64) -> f64 {
        match self {
            Self::AtLeast => (attained * 1e4).floor() / 1e4,
            Self::AtMost | Self::Below => (attained * 1e4).ceil() / 1e4,
        }
    }

    /// The parameter that all classes meet together: the weakest of theirs. `None` without classes.
    pub(crate) fn weakest(self, attained: impl Iterator<Item = f64>) -> Option<f64> {
        match self {
            Self::AtLeast => attained.reduce(f64::min),
            Self::AtMost | Self::Below => attained.reduce(f64::max),
        }
    }
}

/// A parameter as reports show it: four decimals, or four significant digits if it is small.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number(pub f64);

impl Number {
    fn whole(self) -> Option<i64> {
        (self.0.fract() == 0.0 && self.0.abs() < 1e15).then_some(self.0 as i64)
    }

    fn rounded(self, decimals: usize) -> String {
        // No parameter is met, whatever it is.
        if self.0.is_infinite() {
            return "none".to_owned();
        }
        let text = format!("{:.decimals$}", self.0);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }

    /// Formats two numbers with as many decimals as needed to distinguish them. Numbers that differ
    /// only by rounding may look the same.
    pub(crate) fn apart(one: f64, other: f64) -> [String; 2] {
        let plain = [one, other].map(|number| Self(number).to_string());
        // Nine decimals suffice: smaller differences are below `ROUNDING`.
        let longer = (5..10).map(|decimals| [one, other].map(|x| Self(x).rounded(decimals)));
        let mut ways = std::iter::once(plain.clone()).chain(longer);
        ways.find(|[one, other]| one != other).unwrap_or(plain)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.whole() {
            Some(whole) => write!(f, "{whole}"),
            None if self.0.abs() < 1e-12 => write!(f, "0"), // left over from rounding
            None if self.0.abs() < 1e-3 => {
                let zeros = -self.0.abs().log10().ceil(); // between the point and the first digit
                write!(f, "{}", self.rounded(zeros as usize + 4))
            }
            None => write!(f, "{}", self.rounded(4)),
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
        assert_eq!(Sense::Below.or_looser(1.0 / 3.0), "more than 0.3334");
        for sense in [Sense::AtLeast, Sense::AtMost, Sense::Below] {
            for attained in [1.0 / 3.0, 2.828_427, 3.0, 0.2] {
                assert!(sense.meets(attained, sense.met_by(attained)), "{sense:?} {attained}");
            }
        }
    }

    #[test]
    fn numbers_have_four_decimals_or_four_digits() {
        let shown = [0.3, 1.0 / 3.0, 0.5, 20.0, 10.00004].map(|x| Number(x).to_string());
        assert_eq!(shown, ["0.3", "0.3333", "0.5", "20", "10"]);
        let shown = [0.0, 0.00001, -0.000_123_456, 1e-12].map(|x| Number(x).to_string());
        assert_eq!(shown, ["0", "0.00001", "-0.0001235", "0.000000000001"]);
    }

    #[test]
    fn what_differs_is_written_so_that_one_sees_it() {
        assert_eq!(Number::apart(0.3333, 1.0 / 3.0), ["0.3333", "0.33333"]);
        assert_eq!(Number::apart(1.0, 1.000_000_2), ["1", "1.0000002"]);
        assert_eq!(Number::apart(0.5, 0.5 - 1e-12), ["0.5", "0.5"]);
        assert_eq!(Number::apart(0.2, f64::INFINITY), ["0.2", "none"]);
    }

    #[test]
    fn a_parameter_that_no_number_meets_is_written_as_none() {
        assert_eq!(Number(f64::INFINITY).to_string(), "none");
        assert_eq!(serde_json::to_string(&Number(f64::INFINITY)).unwrap(), "null");
    }
}
