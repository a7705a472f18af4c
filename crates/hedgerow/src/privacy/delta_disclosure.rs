//! delta-disclosure privacy.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{COLUMN, ClassView, PrivacyModel, Secret, Sense};
use crate::Result;
use crate::error::Eased;
use crate::method::{Described, Description, Need, Parameter, Type, Validate};

/// Shares of sensitive values in a class differ from those in the table by less than a factor
/// `e^delta`.
///
/// With the share `p` of a value in the table and `q` in a class, `|ln(q / p)| < delta` for every
/// value. The logarithm is infinite for a value that is absent from the class, so every class must
/// have every value; with `absent=allowed`, only the values of the class are compared.
///
/// # Complexity
///
/// `O(m)` for a class with `m` distinct values.
///
/// # Guarantees
///
/// Monotone, since the model bounds `q` from below and above. Not monotone with `absent=allowed`:
/// adding a class without a value makes the value rarer in the union.
///
/// # References
///
/// \[Brickell2008\] J. Brickell, V. Shmatikov: The Cost of Privacy: Destruction of Data-Mining
/// Utility in Anonymized Data Publishing, KDD 2008; METHODS 6.11. hedgerow uses the natural
/// logarithm and a strict comparison; `absent=allowed` is not in the paper.
///
/// # Examples
///
/// ```
/// use hedgerow::privacy::{Absent, ClassView, Delta, DeltaDisclosure, PrivacyModel, Secret};
/// use hedgerow::table::Code;
/// let code = Code::new;
/// let secret = Secret::from_values("illness", &["flu", "ulcer"])?.into();
/// let model = DeltaDisclosure::new(Delta { delta: 0.7, absent: Absent::Refused }, &secret)?;
/// let class = ClassView { size: 4, population: 4.0, counts: &[(code(0), 3), (code(1), 1)] };
/// assert!(model.holds(&class)); // ln 2 is 0.693
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct DeltaDisclosure {
    asked: Delta,
    /// The share of each value in the table.
    shares: Vec<f64>,
    n_values: usize,
    secret: Arc<Secret>,
}

/// The largest difference between the shares of a value in a class and in the table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Delta {
    /// Exclusive upper bound of the absolute logarithms; above 0.
    pub delta: f64,
    /// Whether a value of the table can be absent from a class.
    #[serde(default)]
    pub absent: Absent,
}

impl Described for Delta {
    const DESCRIPTION: Description = Description {
        name: "delta-disclosure",
        about: "|ln(q/p)| of shares in class and table is below delta",
        reference: Some("Brickell2008"),
        needs: &[Need::Sensitive],
        parameters: &[
            Parameter::new(
                "delta",
                Type::POSITIVE,
                "upper bound of |ln(q/p)|, itself not allowed; less is stricter",
            )
            .required(),
            Parameter::new(
                "absent",
                Type::Choice(&["refused", "allowed"]),
                "whether a value of the table can be absent from a class",
            )
            .or("refused"),
            COLUMN,
        ],
    };
}

/// Whether a value of the table can be absent from a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Absent {
    /// Every class must have every value.
    #[default]
    Refused,
    /// Only the values of a class are compared.
    Allowed,
}

impl DeltaDisclosure {
    /// Creates the model for one sensitive column.
    pub fn new(asked: Delta, secret: &Arc<Secret>) -> Result<Self> {
        asked.validate()?;
        let (shares, n_values) = (secret.shares(), secret.n_values());
        Ok(Self { asked, shares, n_values, secret: Arc::clone(secret) })
    }
}

impl PrivacyModel for DeltaDisclosure {
    fn name(&self) -> &'static str {
        "delta-disclosure"
    }

    fn secret(&self) -> Option<&Arc<Secret>> {
        Some(&self.secret)
    }

    fn asked(&self) -> f64 {
        self.asked.delta
    }

    fn sense(&self) -> Sense {
        Sense::Below
    }

    fn is_monotone(&self) -> bool {
        self.asked.absent == Absent::Refused
    }

    fn least_size(&self) -> u64 {
        match self.asked.absent {
            // A class with every value has at least one record of each.
            Absent::Refused => self.n_values as u64,
            Absent::Allowed => 1,
        }
    }

    fn eased(&self, attained: f64) -> Option<Eased> {
        Eased::of(self, "delta", attained)
    }

    fn attained(&self, class: &ClassView<'_>) -> f64 {
        if self.asked.absent == Absent::Refused && class.counts.len() < self.n_values {
            // ln 0 for the value that is absent from the class.
            return f64::INFINITY;
        }
        class
            .shares()
            .map(|(code, q)| (q / self.shares[code.index()]).ln().abs())
            .fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{class, column};
    use super::*;

    fn model(delta: f64, absent: Absent) -> DeltaDisclosure {
        let secret = column(&[("a", 2), ("b", 2)]);
        DeltaDisclosure::new(Delta { delta, absent }, &secret).unwrap()
    }

    #[test]
    fn the_comparison_is_strict_and_an_absent_value_is_infinitely_rare() {
        let holds = |delta: f64, counts: &[u64]| {
            model(delta, Absent::Refused).holds(&class(&mut Vec::new(), counts))
        };
        assert!(!holds(2f64.ln(), &[3, 1]) && holds(2f64.ln() + 1e-6, &[3, 1]));
        assert!(!holds(1e9, &[4]));
        assert!(model(0.7, Absent::Allowed).holds(&class(&mut Vec::new(), &[4])));
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let secret = column(&[("a", 2), ("b", 2)]);
        for delta in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let asked = Delta { delta, absent: Absent::Refused };
            assert!(DeltaDisclosure::new(asked, &secret).is_err(), "{delta}");
        }
    }
}
