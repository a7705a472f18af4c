//! k-anonymity.

use serde::{Deserialize, Serialize};

use super::{ClassView, PrivacyModel};
use crate::Result;
use crate::error::Eased;
use crate::method::{Described, Description, Parameter, Spec, Type, Validate};

/// Every record shares its quasi-identifiers with at least `k - 1` others.
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
    k: u64,
}

/// The parameters, as users write them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    k: u64,
}

impl Described for Asked {
    const DESCRIPTION: Description = Description {
        name: "k-anonymity",
        about: "each class has at least k records",
        reference: Some("Samarati2001"),
        needs: &[],
        parameters: &[Parameter::new(
            "k",
            Type::at_least(1),
            "minimum number of records in a class; 2 or more protects",
        )
        .required()],
    };
}

impl KAnonymity {
    /// The name of the model.
    pub(crate) const NAME: &'static str = Asked::DESCRIPTION.name;

    /// Creates the model for a `k` of at least 1.
    pub fn new(k: u64) -> Result<Self> {
        Asked { k }.validate()?;
        Ok(Self { k })
    }

    pub(super) fn read(spec: &Spec) -> Result<Self> {
        Self::new(spec.read::<Asked>()?.k)
    }
}

impl PrivacyModel for KAnonymity {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn asked(&self) -> f64 {
        self.k as f64
    }

    fn fails_in_parts(&self) -> bool {
        true
    }

    fn least_size(&self) -> u64 {
        self.k
    }

    fn k(&self) -> Option<u64> {
        Some(self.k)
    }

    fn eased(&self, attained: f64) -> Option<Eased> {
        Eased::of(self, "k", attained)
    }

    fn attained(&self, class: &ClassView<'_>) -> f64 {
        class.size as f64
    }
}
