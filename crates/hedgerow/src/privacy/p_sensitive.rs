//! p-sensitive k-anonymity.

use std::sync::Arc;

use serde::Deserialize;

use super::{ClassView, PrivacyModel, Secret};
use crate::method::Spec;
use crate::{Error, Result};

/// Every class has at least `p` different values of every sensitive column.
///
/// A class whose records all have the same illness tells it of everybody in it, however large the
/// class is. `k` is asked for beside it, with `-k`. The demand is that of distinct l-diversity, which
/// was published later under its own name.
///
/// # Complexity
///
/// `O(1)` for a class.
///
/// # Guarantees
///
/// Monotone: classes that hold, put together, hold.
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
/// let secret = Secret::from_values("illness", &["flu", "flu", "ulcer"])?.into();
/// let model = PSensitive::new(2, &secret)?;
/// assert!(model.holds(&ClassView { size: 3, population: 3.0, counts: &[(0, 2), (1, 1)] }));
/// assert!(!model.holds(&ClassView { size: 2, population: 2.0, counts: &[(0, 2)] }));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct PSensitive {
    p: u64,
    secret: Arc<Secret>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    p: u64,
}

impl PSensitive {
    /// The model for one sensitive column, for a `p` of at least 1.
    pub fn new(p: u64, secret: &Arc<Secret>) -> Result<Self> {
        if p == 0 {
            return Err(Error::invalid("p is 0; p is at least 1, and 2 or more protects"));
        }
        Ok(Self { p, secret: Arc::clone(secret) })
    }

    pub(super) fn read(spec: &Spec, secret: &Arc<Secret>) -> Result<Self> {
        Self::new(spec.read::<Options>()?.p, secret)
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

    fn attained(&self, class: &ClassView<'_>) -> f64 {
        class.counts.len() as f64
    }
}
