//! p-sensitive k-anonymity.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{COLUMN, ClassView, PrivacyModel, Secret};
use crate::Result;
use crate::error::Eased;
use crate::method::{Described, Description, Need, Parameter, Spec, Type, Validate};

/// Every class has at least `p` distinct values of every sensitive column.
///
/// If all records of a class have the same illness, the class discloses it for everyone in it,
/// however large the class is. The `k` part of the model is requested separately, with `-k`. The
/// condition equals distinct l-diversity, which was published later.
///
/// # Complexity
///
/// `O(1)` for a class.
///
/// # Guarantees
///
/// Monotone: the union of classes that satisfy the model satisfies it.
///
/// # References
///
/// \[Truta2006\] T. M. Truta, B. Vinay: Privacy Protection: p-Sensitive k-Anonymity Property, ICDE
/// Workshops 2006; METHODS 6.11.
///
/// # Examples
///
/// ```
/// use hedgerow::privacy::{ClassView, PSensitive, PrivacyModel, Secret};
/// use hedgerow::table::Code;
/// let code = Code::new;
/// let secret = Secret::from_values("illness", &["flu", "flu", "ulcer"])?.into();
/// let model = PSensitive::new(2, &secret)?;
/// let counts = &[(code(0), 2), (code(1), 1)];
/// assert!(model.holds(&ClassView { size: 3, population: 3.0, counts }));
/// assert!(!model.holds(&ClassView { size: 2, population: 2.0, counts: &[(code(0), 2)] }));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct PSensitive {
    p: u64,
    secret: Arc<Secret>,
}

/// The parameters, as users write them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    p: u64,
}

impl Described for Asked {
    const DESCRIPTION: Description = Description {
        name: "p-sensitive",
        about: "each class has at least p distinct sensitive values",
        reference: Some("Truta2006"),
        needs: &[Need::Sensitive],
        parameters: &[
            Parameter::new(
                "p",
                Type::at_least(1),
                "minimum number of distinct values; 2 or more protects",
            )
            .required(),
            COLUMN,
        ],
    };
}

impl PSensitive {
    /// Creates the model for one sensitive column, for a `p` of at least 1.
    pub fn new(p: u64, secret: &Arc<Secret>) -> Result<Self> {
        Asked { p }.validate()?;
        Ok(Self { p, secret: Arc::clone(secret) })
    }

    pub(super) fn read(spec: &Spec, secret: &Arc<Secret>) -> Result<Self> {
        Self::new(spec.read::<Asked>()?.p, secret)
    }
}

impl PrivacyModel for PSensitive {
    fn name(&self) -> &'static str {
        "p-sensitive"
    }

    fn secret(&self) -> Option<&Arc<Secret>> {
        Some(&self.secret)
    }

    fn asked(&self) -> f64 {
        self.p as f64
    }

    fn least_size(&self) -> u64 {
        self.p
    }

    fn best(&self) -> f64 {
        self.secret.n_values() as f64
    }

    fn fails_in_parts(&self) -> bool {
        true
    }

    fn least_distinct(&self) -> Option<u64> {
        Some(self.p)
    }

    fn eased(&self, attained: f64) -> Option<Eased> {
        Eased::of(self, "p", attained)
    }

    fn attained(&self, class: &ClassView<'_>) -> f64 {
        class.counts.len() as f64
    }
}
