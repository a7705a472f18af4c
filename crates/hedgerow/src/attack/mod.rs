//! Attacks: attempts to find people or their sensitive values in a release, with the original at
//! hand to count correct guesses.
//!
//! Every attack of the literature is a file with a line in [`ALL`]. An attack takes a [`Scene`],
//! which has the original, the release and the knowledge of the attacker, and returns [`Attempt`]s
//! as data.

mod view;
mod hulls;
mod index;
mod mask;
mod given;
mod checks;
mod scene;
mod attempt;
mod secrets;
mod joined;
mod narrow;
mod leaks;
mod linking;
mod homogeneity;
mod background_knowledge;
mod skewness;
mod similarity;
mod unsorted_matching;
mod complementary_release;
mod intersection;
mod temporal;
mod dependency;
mod rare_values;
mod single;
mod assignments;
mod minimality;
mod inference;

pub use attempt::{Attempt, Discloses, Evidence, Gain, Skipped};
pub use background_knowledge::BackgroundKnowledge;
pub use complementary_release::ComplementaryRelease;
pub use dependency::Dependency;
pub use given::{Given, Other};
pub use homogeneity::Homogeneity;
pub use inference::Inference;
pub use intersection::Intersection;
pub use linking::Linking;
pub use minimality::Minimality;
pub(crate) use narrow::{LEAST_OF_STRONG, Links, left};
pub use rare_values::RareValues;
pub use scene::{Scene, generalized};
pub use similarity::Similarity;
pub use skewness::Skewness;
pub use temporal::Temporal;
pub use unsorted_matching::UnsortedMatching;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Result;
use crate::error::Warning;
use crate::method::{Describe, Described, Make, Method, Need, Spec, Validate};
use crate::progress::{Progress, stop_if_cancelled};

/// A way to find people, or their sensitive values, in a release.
pub trait Attack: Describe + Validate + std::fmt::Debug + Send + Sync {
    /// Validates the parameters and attacks a release. Each attempt is a result of its own: one for
    /// each sensitive column, other release or degree of knowledge, or the reason that it could not
    /// be made.
    fn run(&self, scene: &Scene, progress: &dyn Progress) -> Result<Vec<Tried>> {
        self.validate()?;
        self.attack(scene, progress)
    }

    /// Attacks a release; the parameters must have been validated.
    fn attack(&self, scene: &Scene, progress: &dyn Progress) -> Result<Vec<Tried>>;

    /// Whether the attack looks at columns that are neither generalized nor known nor sensitive.
    fn reads_kept(&self) -> bool {
        false
    }
}

/// An attempt, or the reason that it could not be made.
pub type Tried = Result<Attempt, Warning>;

/// Every attack.
pub const ALL: &[Method<Make<dyn Attack>>] = &[
    method::<Linking>(),
    method::<Homogeneity>(),
    method::<BackgroundKnowledge>(),
    method::<Skewness>(),
    method::<Similarity>(),
    method::<UnsortedMatching>(),
    method::<ComplementaryRelease>(),
    method::<Intersection>(),
    method::<Temporal>(),
    method::<Minimality>(),
    method::<Dependency>(),
    method::<RareValues>(),
    method::<Inference>(),
];

/// Returns the registry entry of an attack.
const fn method<A>() -> Method<Make<dyn Attack>>
where
    A: Attack + Described + Serialize + DeserializeOwned + 'static,
{
    let make: Make<dyn Attack> = |spec| Ok(Box::new(spec.read::<A>()?));
    Method::new(A::DESCRIPTION, make)
}

/// Creates the attack that a spec names.
pub fn from_spec(spec: &Spec) -> Result<Box<dyn Attack>> {
    Method::from_spec(ALL.iter(), "attack", spec)
}

/// Creates every attack with its default parameters.
pub fn all() -> Result<Vec<Box<dyn Attack>>> {
    ALL.iter().map(|attack| (attack.item)(&Spec::named(attack.name))).collect()
}

/// Runs attacks one after the other. Attacks that lack something, such as a sensitive column or
/// another release, are listed with the reason.
///
/// # Examples
///
/// Three people, one of whom has a unique published age:
///
/// ```
/// use hedgerow::attack::{self, Given, Scene};
/// use hedgerow::progress::Silent;
/// use hedgerow::table::Table;
/// let original = Table::from_rows(&["age"], &[["23"], ["25"], ["41"]])?;
/// let release = Table::from_rows(&["age"], &[["[23, 25]"], ["[23, 25]"], ["41"]])?;
/// let scene = Scene::new(Given::new(original, release))?;
/// let evidence = attack::run(&scene, &[attack::from_spec(&"linking".parse()?)?], &Silent)?;
/// assert_eq!((evidence.attempts[0].attacked, evidence.attempts[0].exposed), (3, 1));
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn run(
    scene: &Scene,
    attacks: &[Box<dyn Attack>],
    progress: &dyn Progress,
) -> Result<Evidence> {
    let mut evidence = Evidence::of(scene);
    for (place, attack) in attacks.iter().enumerate() {
        stop_if_cancelled(progress)?;
        progress.advance(place as u64, attacks.len() as u64);
        let description = attack.description();
        // An attack that cannot run is reported with the reason.
        let tried = match obstacle(scene, description.needs) {
            Some(reason) => vec![Err(reason)],
            None => attack.run(scene, progress)?,
        };
        for result in tried {
            match result {
                Ok(attempt) => evidence.attempts.push(attempt),
                Err(reason) => {
                    evidence.skipped.push(Skipped { attack: description.name, reason });
                }
            }
        }
    }
    Ok(evidence)
}

/// Returns a warning about the first need of an attack that the scene does not meet.
fn obstacle(scene: &Scene, needs: &[Need]) -> Option<Warning> {
    let is_lacking = |need: &&Need| match need {
        Need::Sensitive => scene.sensitive().is_empty(),
        Need::OtherRelease => scene.others().is_empty(),
        Need::Rows => !scene.has_rows(),
        _ => false,
    };
    let need = needs.iter().find(is_lacking)?;
    Some(Warning::new(format!("it needs {need}")).advise(need.advice()))
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_index;
