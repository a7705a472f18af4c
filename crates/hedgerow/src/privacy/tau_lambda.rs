//! (tau, lambda)-uniqueness.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{COLUMN, ClassView, PrivacyModel, Secret, Sense};
use crate::Result;
use crate::error::Eased;
use crate::method::{Described, Description, Need, Parameter, Type, Validate};
use crate::noun::counted;

/// Every class has at least `tau` records, and no sensitive value occurs in it more than `lambda`
/// times.
///
/// If `lambda` is 1, all sensitive values of a class differ. Experimental: the paper was not
/// available.
///
/// # Complexity
///
/// `O(m)` for a class with `m` distinct values.
///
/// # Guarantees
///
/// Not monotone: a value that occurs in two classes counts twice in their union.
///
/// # References
///
/// \[Wei2008\] Wei et al.: (τ, λ)-uniqueness, 2008. Not available; the definition is that of
/// METHODS 6.11.
///
/// # Examples
///
/// ```
/// use hedgerow::privacy::{ClassView, PrivacyModel, Secret, TauLambda, Uniqueness};
/// use hedgerow::table::Code;
/// let code = Code::new;
/// let secret = Secret::from_values("illness", &["flu", "flu", "ulcer"])?.into();
/// let model = TauLambda::new(Uniqueness { tau: 2, lambda: 1 }, &secret)?;
/// let counts = &[(code(0), 1), (code(1), 1)];
/// assert!(model.holds(&ClassView { size: 2, population: 2.0, counts }));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct TauLambda {
    asked: Uniqueness,
    secret: Arc<Secret>,
}

/// The smallest number of records, and how often a value can occur among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uniqueness {
    /// Minimum number of records in a class; at least 1.
    pub tau: u64,
    /// Maximum number of records in a class with the same value; at least 1.
    pub lambda: u64,
}

impl Described for Uniqueness {
    const DESCRIPTION: Description = Description {
        name: "tau-lambda",
        about: "at least tau records, no sensitive value more than lambda times (experimental)",
        reference: Some("Wei2008"),
        needs: &[Need::Sensitive],
        parameters: &[
            Parameter::new("tau", Type::at_least(1), "minimum size of a class").required(),
            Parameter::new("lambda", Type::at_least(1), "maximum count of a value").required(),
            COLUMN,
        ],
    };
}

impl TauLambda {
    /// Creates the model for one sensitive column.
    pub fn new(asked: Uniqueness, secret: &Arc<Secret>) -> Result<Self> {
        asked.validate()?;
        Ok(Self { asked, secret: Arc::clone(secret) })
    }
}

impl PrivacyModel for TauLambda {
    fn name(&self) -> &'static str {
        "tau-lambda"
    }

    fn secret(&self) -> Option<&Arc<Secret>> {
        Some(&self.secret)
    }

    fn asked(&self) -> f64 {
        self.asked.lambda as f64
    }

    fn sense(&self) -> Sense {
        Sense::AtMost
    }

    fn is_monotone(&self) -> bool {
        false
    }

    fn least_size(&self) -> u64 {
        self.asked.tau
    }

    fn demand(&self, asked: &str) -> String {
        format!("at most {asked} in {} or more", counted(self.asked.tau, "record"))
    }

    fn eased(&self, attained: f64) -> Option<Eased> {
        Eased::of(self, "lambda", attained)
    }

    /// The largest count of a value; infinite for a class with fewer than `tau` records, which no
    /// `lambda` accepts.
    fn attained(&self, class: &ClassView<'_>) -> f64 {
        if class.size < self.asked.tau { f64::INFINITY } else { class.most() as f64 }
    }
}
