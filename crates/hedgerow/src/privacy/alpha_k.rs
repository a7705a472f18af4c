//! (alpha, k)-anonymity.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{COLUMN, ClassView, PrivacyModel, Secret, Sense, share_beyond};
use crate::Result;
use crate::error::Eased;
use crate::method::{Described, Description, Need, Parameter, Text, Type, Validate};
use crate::table::Code;

/// No sensitive value has more than a share `alpha` of a class.
///
/// An attacker who knows that a person is in the class can then infer no value with more confidence
/// than `alpha`. With `value`, only the share of that value is bounded, for tables in which one
/// illness is sensitive and the others are not. The `k` part of the model is requested separately,
/// with `-k`.
///
/// # Complexity
///
/// `O(m)` for a class with `m` different values.
///
/// # Guarantees
///
/// Monotone: the share of a value in the union of two classes lies between its shares in each.
///
/// # References
///
/// \[Wong2006\] R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang: (α, k)-Anonymity: An Enhanced
/// k-Anonymity Model for Privacy Preserving Data Publishing, KDD 2006; METHODS 6.11.
///
/// # Examples
///
/// ```
/// use hedgerow::privacy::{Alpha, AlphaK, ClassView, PrivacyModel, Secret};
/// use hedgerow::table::Code;
/// let code = Code::new;
/// let secret = Secret::from_values("illness", &["flu", "flu", "ulcer"])?.into();
/// let class = ClassView { size: 4, population: 4.0, counts: &[(code(0), 3), (code(1), 1)] };
/// let any = AlphaK::new(Alpha { alpha: 0.5, value: None }, &secret)?;
/// let ulcer = AlphaK::new(Alpha { alpha: 0.5, value: Some("ulcer".into()) }, &secret)?;
/// assert!(!any.holds(&class) && ulcer.holds(&class));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct AlphaK {
    alpha: f64,
    /// The code of the only value whose share is bounded; all values if `None`.
    value: Option<Code>,
    secret: Arc<Secret>,
}

/// The largest share of a class that a sensitive value can have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alpha {
    /// Maximum share; above 0, at most 1.
    pub alpha: f64,
    /// The only value whose share is bounded; all values if `None`.
    pub value: Option<Text>,
}

impl Described for Alpha {
    const DESCRIPTION: Description = Description {
        name: "alpha-k",
        about: "no sensitive value (with value=, only that one) has more than a share alpha",
        reference: Some("Wong2006"),
        needs: &[Need::Sensitive],
        parameters: &[
            Parameter::new("alpha", Type::SHARE, "maximum share of a class; below 1 protects")
                .required(),
            Parameter::new("value", Type::Text, "the only value that is bounded; all if not given"),
            COLUMN,
        ],
    };
}

impl AlphaK {
    /// Creates the model for one sensitive column.
    pub fn new(asked: Alpha, secret: &Arc<Secret>) -> Result<Self> {
        asked.validate()?;
        let Alpha { alpha, value } = asked;
        let value = value.map(|value| secret.code_of(value.as_str())).transpose()?;
        Ok(Self { alpha, value, secret: Arc::clone(secret) })
    }
}

impl PrivacyModel for AlphaK {
    fn name(&self) -> &'static str {
        "alpha-k"
    }

    fn secret(&self) -> Option<&Arc<Secret>> {
        Some(&self.secret)
    }

    fn asked(&self) -> f64 {
        self.alpha
    }

    fn sense(&self) -> Sense {
        Sense::AtMost
    }

    fn loosest(&self) -> f64 {
        1.0
    }

    fn best(&self) -> f64 {
        match self.value {
            None => 1.0 / self.secret.n_values().max(1) as f64, // all values equally often
            // A class need not contain the value at all.
            Some(_) => 0.0,
        }
    }

    fn lost_share(&self, class: &ClassView<'_>) -> f64 {
        share_beyond(self.alpha, self.attained(class))
    }

    fn eased(&self, attained: f64) -> Option<Eased> {
        Eased::of(self, "alpha", attained)
    }

    fn attained(&self, class: &ClassView<'_>) -> f64 {
        let counts = |&(code, _): &(Code, f64)| self.value.is_none_or(|value| value == code);
        class.rates().filter(counts).map(|(_, share)| share).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::column;
    use super::*;

    #[test]
    fn parameters_out_of_range_are_refused() {
        let secret = column(&[("flu", 1), ("ulcer", 1)]);
        for alpha in [0.0, -0.1, 1.1, f64::NAN] {
            assert!(AlphaK::new(Alpha { alpha, value: None }, &secret).is_err(), "{alpha}");
        }
        let asked = Alpha { alpha: 0.5, value: Some("ulcers".into()) };
        let message = AlphaK::new(asked, &secret).unwrap_err().to_string();
        assert_eq!(
            message,
            "column 'x': 'ulcers' does not occur in the column (did you mean 'ulcer'?)"
        );
    }
}
