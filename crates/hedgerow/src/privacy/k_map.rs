//! k-map.

use serde::{Deserialize, Serialize};

use super::{ClassView, PrivacyModel};
use crate::Result;
use crate::error::Eased;
use crate::method::{Described, Description, Need, Parameter, Spec, Type, Validate};

/// Every class represents at least `k` records of the population that the table is a sample of.
///
/// An attacker who does not know who is in the table must look for a person in the whole
/// population, so a class can be small if many people outside the table match it. A class
/// represents the population records that its published values cover.
///
/// # Complexity
///
/// `O(1)` for a class.
///
/// # Guarantees
///
/// Monotone: the union of classes that satisfy the model satisfies it. A search counts only
/// population records whose combination of values occurs in the class, and divides them between the
/// classes that share the combination, so it never overestimates what a class represents. A class
/// represents at least its own records.
///
/// # References
///
/// \[Sweeney2002\] L. Sweeney: k-Anonymity: A Model for Protecting Privacy, International Journal
/// of Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 2002; \[Emam2008\] K. El Emam, F.
/// K. Dankar: Protecting Privacy Using k-Anonymity, JAMIA 15(5), 2008; METHODS 6.11.
///
/// # Examples
///
/// ```
/// use hedgerow::privacy::{ClassView, KMap, PrivacyModel};
/// let model = KMap::new(5)?;
/// assert!(model.holds(&ClassView { size: 1, population: 7.0, counts: &[] }));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KMap {
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
        name: "k-map",
        about: "each class represents at least k records of the population",
        reference: Some("Sweeney2002"),
        needs: &[Need::Population],
        parameters: &[Parameter::new(
            "k",
            Type::at_least(1),
            "minimum number of population records per class; 2 or more protects",
        )
        .required()],
    };
}

impl KMap {
    /// Creates the model for a `k` of at least 1.
    pub fn new(k: u64) -> Result<Self> {
        Asked { k }.validate()?;
        Ok(Self { k })
    }

    pub(super) fn read(spec: &Spec) -> Result<Self> {
        Self::new(spec.read::<Asked>()?.k)
    }
}

impl PrivacyModel for KMap {
    fn name(&self) -> &'static str {
        "k-map"
    }

    fn asked(&self) -> f64 {
        self.k as f64
    }

    fn fails_in_parts(&self) -> bool {
        true
    }

    fn counts_population(&self) -> bool {
        true
    }

    fn attains(&self) -> &'static str {
        "is only known to attain at least"
    }

    fn eased(&self, attained: f64) -> Option<Eased> {
        Eased::of(self, "k", attained.floor())
    }

    fn attained(&self, class: &ClassView<'_>) -> f64 {
        // The population can lack records of the table, but a class has at least its own.
        class.population.max(class.size as f64)
    }
}
