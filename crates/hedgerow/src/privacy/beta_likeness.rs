//! beta-likeness.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::sense::ROUNDING;
use super::{COLUMN, ClassView, PrivacyModel, Secret, Sense};
use crate::Result;
use crate::error::Eased;
use crate::method::{Described, Description, Need, Parameter, Type, Validate};
use crate::table::Code;

/// The share of a sensitive value in a class exceeds its share in the table by at most `beta` times
/// the latter.
///
/// With the share `p` of a value in the table and `q > p` in a class, `(q - p) / p <= beta`. The
/// information that an attacker gains about a value is measured relative to what was known before,
/// so rare values are protected as well as frequent ones. Values that become rarer are ignored.
/// *Enhanced* likeness requires at most `min(beta, -ln p)`, because a value with a share above `1 /
/// (1 + beta)` in the table could otherwise fill a class.
///
/// # Complexity
///
/// `O(m)` for a class with `m` distinct values.
///
/// # Guarantees
///
/// Monotone: the model only bounds every `q` from above.
///
/// # References
///
/// \[Cao2012\] J. Cao, P. Karras: Publishing Microdata with a Robust Privacy Guarantee, PVLDB 5,
/// 2012; METHODS 6.11.
///
/// # Examples
///
/// ```
/// use hedgerow::privacy::{Beta, BetaKind, BetaLikeness, ClassView, PrivacyModel, Secret};
/// use hedgerow::table::Code;
/// let code = Code::new;
/// let secret = Secret::from_values("illness", &["flu", "flu", "flu", "hiv"])?.into();
/// let model = BetaLikeness::new(Beta { beta: 1.0, kind: BetaKind::Basic }, &secret)?;
/// let class = ClassView { size: 2, population: 2.0, counts: &[(code(0), 1), (code(1), 1)] };
/// assert!(model.holds(&class)); // hiv has a half of the class, a quarter of the table
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct BetaLikeness {
    asked: Beta,
    /// The share of each value in the table.
    shares: Vec<f64>,
    secret: Arc<Secret>,
}

/// The largest allowed relative increase of a value's share.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beta {
    /// Maximum relative increase; above 0.
    pub beta: f64,
    /// Whether frequent values have a stricter bound.
    #[serde(default)]
    pub kind: BetaKind,
}

impl Described for Beta {
    const DESCRIPTION: Description = Description {
        name: "beta-likeness",
        about: "no share of a value increases by more than beta times from table to class",
        reference: Some("Cao2012"),
        needs: &[Need::Sensitive],
        parameters: &[
            Parameter::new(
                "beta",
                Type::POSITIVE,
                "maximum relative increase of a share; less is stricter",
            )
            .required(),
            Parameter::new(
                "kind",
                Type::Choice(&["basic", "enhanced"]),
                "whether frequent values have a stricter bound",
            )
            .or("basic"),
            COLUMN,
        ],
    };
}

/// The two kinds of likeness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BetaKind {
    /// The increase is at most `beta`.
    #[default]
    Basic,
    /// The increase is at most `beta` and at most `-ln p`.
    Enhanced,
}

impl BetaLikeness {
    /// Creates the model for one sensitive column.
    pub fn new(asked: Beta, secret: &Arc<Secret>) -> Result<Self> {
        asked.validate()?;
        Ok(Self { asked, shares: secret.shares(), secret: Arc::clone(secret) })
    }

    /// The relative increase of a value with share `q` in a class; infinite if no `beta` allows it.
    fn growth(&self, code: Code, q: f64) -> f64 {
        let p = self.shares[code.index()];
        // Cao2012: the relative gain (q - p) / p of an attacker's confidence in the value.
        let growth = (q - p) / p;
        match self.asked.kind {
            // The bound is min(beta, -ln p), so no `beta` allows more than -ln p.
            BetaKind::Enhanced if growth > -p.ln() + ROUNDING => f64::INFINITY,
            _ => growth,
        }
    }
}

impl PrivacyModel for BetaLikeness {
    fn name(&self) -> &'static str {
        match self.asked.kind {
            BetaKind::Basic => "beta-likeness",
            BetaKind::Enhanced => "enhanced beta-likeness",
        }
    }

    fn secret(&self) -> Option<&Arc<Secret>> {
        Some(&self.secret)
    }

    fn asked(&self) -> f64 {
        self.asked.beta
    }

    fn sense(&self) -> Sense {
        Sense::AtMost
    }

    fn eased(&self, attained: f64) -> Option<Eased> {
        Eased::of(self, "beta", attained)
    }

    fn attained(&self, class: &ClassView<'_>) -> f64 {
        class.shares().map(|(code, q)| self.growth(code, q)).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{class, column, near};
    use super::*;

    fn attained(kind: BetaKind, counts: &[u64]) -> f64 {
        let secret = column(&[("flu", 8), ("hiv", 2)]);
        let model = BetaLikeness::new(Beta { beta: 1.0, kind }, &secret).unwrap();
        model.attained(&class(&mut Vec::new(), counts))
    }

    #[test]
    fn only_values_that_became_more_frequent_count() {
        near(attained(BetaKind::Basic, &[6, 4]), 1.0, 1e-12); // 0.4 against 0.2
        near(attained(BetaKind::Basic, &[5]), 0.25, 1e-12); // 1 against 0.8
    }

    /// -ln 0.8 is 0.223, less than the growth of 0.25.
    #[test]
    fn a_frequent_value_may_not_fill_a_class_if_enhanced() {
        assert!(attained(BetaKind::Enhanced, &[5]).is_infinite());
        near(attained(BetaKind::Enhanced, &[6, 4]), 1.0, 1e-12);
    }
}
