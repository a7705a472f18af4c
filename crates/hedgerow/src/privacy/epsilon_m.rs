//! (epsilon, m)-anonymity.

use std::ops::Bound;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::sense::ROUNDING;
use super::{COLUMN, ClassView, FROM_1, PrivacyModel, Secret};
use crate::error::{Advice, Eased};
use crate::method::{Described, Description, Need, Parameter, Type, Validate};
use crate::table::{Code, Values};
use crate::{Error, Result};

/// At most `1 / m` of the records of a class have a number near that of any one record.
///
/// Distinct numbers can still disclose a salary if they are close together. The numbers near `x`
/// are those from `x - epsilon` to `x + epsilon`, or with `kind=relative` from `x (1 - epsilon)` to
/// `x (1 + epsilon)`. A missing value is near missing values only.
///
/// # Complexity
///
/// `O(d)` for a class with `d` distinct values.
///
/// # Guarantees
///
/// Not monotone: in a union, numbers of one class can be near numbers of the other.
///
/// # References
///
/// \[Li2008\] J. Li, Y. Tao, X. Xiao: Preservation of Proximity Privacy in Publishing Numerical
/// Sensitive Data, SIGMOD 2008; METHODS 6.11.
///
/// # Examples
///
/// ```
/// use hedgerow::privacy::{ClassView, Epsilon, EpsilonKind, EpsilonM, PrivacyModel, Secret};
/// use hedgerow::table::Code;
/// let code = Code::new;
/// let secret = Secret::from_values("salary", &["40", "50", "60"])?.into();
/// let asked = Epsilon { epsilon: 15.0, m: 2.0, kind: EpsilonKind::Absolute };
/// let model = EpsilonM::new(asked, &secret)?;
/// let counts = &[(code(0), 1), (code(2), 1)];
/// assert!(model.holds(&ClassView { size: 2, population: 2.0, counts }));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct EpsilonM {
    asked: Epsilon,
    /// The number of each code; `None` for the missing value.
    numbers: Vec<Option<f64>>,
    secret: Arc<Secret>,
}

/// A limit on the share of a class whose numbers are near each other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Epsilon {
    /// Largest distance of near numbers; 0 or more, and below 1 if relative.
    pub epsilon: f64,
    /// At most one in `m` records can be near a record; at least 1, which allows everything.
    pub m: f64,
    /// The unit of `epsilon`.
    #[serde(default)]
    pub kind: EpsilonKind,
}

impl Described for Epsilon {
    const DESCRIPTION: Description = Description {
        name: "epsilon-m",
        about: "at most 1/m of a class is within epsilon of a number",
        reference: Some("Li2008"),
        needs: &[Need::Sensitive, Need::Numbers],
        parameters: &[
            Parameter::new(
                "epsilon",
                Type::Number { least: Bound::Included(0.0), most: Bound::Unbounded },
                "largest distance of near numbers; below 1 with kind=relative",
            )
            .required(),
            Parameter::new("m", FROM_1, "at most one in m records may be near; 2 or more protects")
                .required(),
            Parameter::new(
                "kind",
                Type::Choice(&["absolute", "relative"]),
                "the unit of epsilon: that of the column, or the number itself",
            )
            .or("absolute"),
            COLUMN,
        ],
    };
}

/// The unit of `epsilon`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EpsilonKind {
    /// The column's own unit.
    #[default]
    Absolute,
    /// A fraction of the number itself.
    Relative,
}

impl EpsilonM {
    /// Creates the model for one sensitive column of numbers.
    pub fn new(asked: Epsilon, secret: &Arc<Secret>) -> Result<Self> {
        asked.validate()?;
        let Epsilon { epsilon, kind, .. } = asked;
        // With 1 or more, the interval around a number would reach 0 and the other sign.
        if kind == EpsilonKind::Relative && epsilon >= 1.0 {
            let (value, problem) = (epsilon.to_string(), "it must be below 1 with kind=relative");
            return Err(Error::parameter("epsilon-m", "epsilon", Some(&value), problem));
        }
        let domain = &secret.column().domain;
        let Values::Number(scale) = &domain.values else {
            let problem = format!(
                "privacy model 'epsilon-m' needs a column of numbers, but this one holds {}",
                domain.values.kind().name()
            );
            return Err(Error::column(secret.name(), problem).advise([
                Advice::words("choose another model for it"),
                Advice::words("name a column of numbers with column=NAME"),
            ]));
        };
        let number = |code| (code < scale.len()).then(|| scale.value(code));
        let numbers = (0..domain.n_codes()).map(number).collect();
        Ok(Self { asked, numbers, secret: Arc::clone(secret) })
    }

    /// The smallest and the largest number near `number`, with a margin for rounding.
    fn near(&self, number: f64) -> (f64, f64) {
        let epsilon = match self.asked.kind {
            EpsilonKind::Absolute => self.asked.epsilon,
            EpsilonKind::Relative => self.asked.epsilon * number.abs(),
        };
        // Widen the interval, so that rounding does not exclude its ends.
        let reach = epsilon + ROUNDING * (number.abs() + epsilon);
        (number - reach, number + reach)
    }

    /// The largest number of records that are near the same record.
    fn crowd(&self, counts: &[(Code, u64)]) -> u64 {
        let number = |&(code, count): &(Code, u64)| Some((self.numbers[code.index()]?, count));
        let numbers: Vec<(f64, u64)> = counts.iter().filter_map(number).collect();
        let all: u64 = counts.iter().map(|&(_, count)| count).sum();
        let mut most = all - numbers.iter().map(|&(_, count)| count).sum::<u64>(); // those missing
        // Codes ascend with their numbers, so both ends of the window of near numbers only move
        // forward.
        let (mut first, mut next, mut inside) = (0, 0, 0);
        for &(number, _) in &numbers {
            let (least, greatest) = self.near(number);
            while next < numbers.len() && numbers[next].0 <= greatest {
                inside += numbers[next].1;
                next += 1;
            }
            // `first` never passes the number itself, which is near itself.
            while numbers[first].0 < least {
                inside -= numbers[first].1;
                first += 1;
            }
            most = most.max(inside);
        }
        most
    }
}

impl PrivacyModel for EpsilonM {
    fn name(&self) -> &'static str {
        match self.asked.kind {
            EpsilonKind::Absolute => "epsilon-m",
            EpsilonKind::Relative => "relative epsilon-m",
        }
    }

    fn secret(&self) -> Option<&Arc<Secret>> {
        Some(&self.secret)
    }

    fn asked(&self) -> f64 {
        self.asked.m
    }

    fn is_monotone(&self) -> bool {
        false
    }

    fn least_size(&self) -> u64 {
        self.asked.m.ceil() as u64
    }

    fn best(&self) -> f64 {
        self.secret.n_values() as f64
    }

    fn eased(&self, attained: f64) -> Option<Eased> {
        Eased::of(self, "m", attained)
    }

    fn attained(&self, class: &ClassView<'_>) -> f64 {
        // The largest m with crowd / size <= 1 / m.
        class.size as f64 / self.crowd(class.counts).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{class, column, near};
    use super::*;

    fn attained(asked: (f64, EpsilonKind), numbers: &[&str]) -> f64 {
        let values: Vec<(&str, u64)> = numbers.iter().map(|&number| (number, 1)).collect();
        let asked = Epsilon { epsilon: asked.0, m: 2.0, kind: asked.1 };
        let model = EpsilonM::new(asked, &column(&values)).unwrap();
        model.attained(&class(&mut Vec::new(), &vec![1; numbers.len()]))
    }

    /// METHODS 6.11.
    #[test]
    fn a_number_between_two_others_is_near_both() {
        near(attained((15.0, EpsilonKind::Absolute), &["40", "60"]), 2.0, 0.0);
        near(attained((15.0, EpsilonKind::Absolute), &["40", "50", "60"]), 1.0, 0.0);
    }

    #[test]
    fn what_is_near_may_grow_with_the_number() {
        let relative = (0.1, EpsilonKind::Relative);
        near(attained(relative, &["-100", "-91", "100", "112"]), 2.0, 0.0);
        near(attained(relative, &["0", "1", "2", ""]), 4.0, 0.0);
    }

    #[test]
    fn the_end_of_what_is_near_is_near() {
        near(attained((0.2, EpsilonKind::Absolute), &["0.1", "0.3"]), 1.0, 0.0);
        near(attained((0.1, EpsilonKind::Absolute), &["0.1", "0.3"]), 2.0, 0.0);
    }

    #[test]
    fn parameters_out_of_range_and_words_are_refused() {
        let refused = |epsilon, m, kind, value| {
            let secret = column(&[(value, 1)]);
            EpsilonM::new(Epsilon { epsilon, m, kind }, &secret).is_err()
        };
        assert!(refused(-1.0, 2.0, EpsilonKind::Absolute, "1"));
        assert!(refused(1.0, 2.0, EpsilonKind::Relative, "1"));
        assert!(refused(1.0, 0.5, EpsilonKind::Absolute, "1"));
        assert!(refused(1.0, 2.0, EpsilonKind::Absolute, "flu"));
        assert!(!refused(1.0, 2.0, EpsilonKind::Absolute, "1"));
    }
}
