//! k-anonymity.

use std::num::NonZeroU64;

use serde::Deserialize;

use super::{ClassView, PrivacyModel};
use crate::method::Spec;
use crate::{Error, Result};

/// Every record shares its quasi-identifiers with at least `k - 1` others.
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
/// \[Samarati2001\] P. Samarati: Protecting Respondents' Identities in Microdata Release, IEEE TKDE
/// 13(6), 2001; \[Campan2011\], definitions 1 and 2.
///
/// # Examples
///
/// ```
/// use hedgerow::privacy::{ClassView, KAnonymity, PrivacyModel};
/// let model = KAnonymity::new(5)?;
/// assert!(model.holds(&ClassView::of_size(5)) && !model.holds(&ClassView::of_size(4)));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KAnonymity {
    k: NonZeroU64,
}

/// The one parameter of models that count records.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Least {
    pub(super) k: u64,
}

impl KAnonymity {
    /// The model for a `k` of at least 1.
    pub fn new(k: u64) -> Result<Self> {
        let k = NonZeroU64::new(k)
            .ok_or_else(|| Error::invalid("k is 0; k is at least 1, and 2 or more protects"))?;
        Ok(Self { k })
    }

    pub(super) fn read(spec: &Spec) -> Result<Self> {
        Self::new(spec.read::<Least>()?.k)
    }
}

impl PrivacyModel for KAnonymity {
    fn name(&self) -> &'static str {
        "k-anonymity"
    }

    fn asked(&self) -> f64 {
        self.k.get() as f64
    }

    fn fails_in_parts(&self) -> bool {
        true
    }

    fn least_size(&self) -> u64 {
        self.k.get()
    }

    fn attained(&self, class: &ClassView<'_>) -> f64 {
        class.size as f64
    }
}
