//! Population uniqueness by the decision rule of Dankar et al.

use super::{Figure, Pitman, RiskModel, Sample, Snb, Zayatz};
use crate::method::{Described, Description, Need};

/// The estimate of population uniqueness that is most accurate for the sampling fraction.
///
/// If the table has at most a tenth of the population, the estimate is that of
/// [`pitman`](Pitman), or of [`zayatz`](Zayatz) if that does not converge. Otherwise it is the
/// smaller one of [`zayatz`](Zayatz) and [`snb`](Snb), or the former if the latter does not apply.
///
/// # Complexity
///
/// That of the models that it chooses from.
///
/// # Guarantees
///
/// In 0..=1; equal to the sample uniqueness if the table is the population. The figure names the
/// model that was chosen.
///
/// # References
///
/// \[Dankar2012\] F. K. Dankar, K. El Emam, A. Neisa, T. Roffey: Estimating the re-identification
/// risk of clinical data sets, BMC Medical Informatics and Decision Making 12:66, 2012; METHODS 10.
///
/// # Examples
///
/// ```
/// use hedgerow::risk::{Dankar, RiskModel, Sample};
/// let sample = Sample::of_sizes(&[1, 1, 3]).drawn(0.5);
/// assert_eq!(Dankar.of(&sample).unwrap().how.unwrap(), "zayatz");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Dankar;

impl Described for Dankar {
    const DESCRIPTION: Description = Description {
        name: "dankar",
        about: "population uniqueness by the model that suits the sampling fraction",
        reference: Some("Dankar2012"),
        needs: &[Need::Population],
        parameters: &[],
    };
}

/// The largest sampling fraction for which Pitman's model is preferred.
const SMALL: f64 = 0.1;

impl RiskModel for Dankar {
    fn of(&self, sample: &Sample) -> Option<Figure> {
        let zayatz = Zayatz.of(sample)?;
        // n / (n / 0.1) can be slightly above 0.1 by rounding.
        let other = if sample.sampling_fraction()? <= SMALL + f64::EPSILON {
            Pitman.of(sample)
        } else {
            Snb.of(sample).filter(|snb| snb.share < zayatz.share)
        };
        let chosen = other.unwrap_or(zayatz);
        Some(Figure { model: "dankar", how: Some(chosen.model.to_owned()), ..chosen })
    }
}
