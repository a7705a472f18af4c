//! Population uniqueness by Zayatz.

use super::{Figure, RiskModel, Sample};
use crate::method::{Described, Description, Need};

/// The share of the population that is unique, if classes of the population are distributed as
/// those of the sample.
///
/// A class of `i` members of the population has one record in the sample with probability
/// `H(i) = P[hypergeometric(N, i, n) = 1]`. With the `m_i` classes of size `i` of the sample as
/// the distribution of class sizes of the population, a record that is unique in the sample is
/// unique in the population with probability `P = m_1 H(1) / sum m_i H(i)`, and the share of the
/// population that is unique is `m_1 P / n`.
///
/// # Complexity
///
/// `O(f)` for a largest class of `f` records.
///
/// # Guarantees
///
/// In 0..=1, and at most the sample uniqueness; equal to it if the table is the population.
///
/// # References
///
/// \[Zayatz1991\] L. Zayatz: Estimation of the percent of unique population elements on a microdata
/// file using the sample, Statistical Research Division Report RR-91/08, US Bureau of the Census,
/// 1991; METHODS 10. Ratios `H(i) / H(1)` are computed as products, which is exact for any size.
///
/// # Examples
///
/// ```
/// use hedgerow::risk::{RiskModel, Sample, Zayatz};
/// let sample = Sample::of_sizes(&[1, 2]).drawn(0.5);
/// // H(1) = 3/6 and H(2) = 2 * (3/6) * (3/5), so P = 5 / 11.
/// assert!((Zayatz.of(&sample).unwrap().share - 5.0 / 33.0).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Zayatz;

impl Described for Zayatz {
    const DESCRIPTION: Description = Description {
        name: "zayatz",
        about: "population uniqueness, if class sizes are distributed as in the sample",
        reference: Some("Zayatz1991"),
        needs: &[Need::Population],
        parameters: &[],
    };
}

impl RiskModel for Zayatz {
    fn of(&self, sample: &Sample) -> Option<Figure> {
        let (n, population) = (sample.n() as f64, sample.n_population?);
        let histogram = sample.histogram();
        let alone = histogram.first().filter(|class| class.0 == 1).map_or(0.0, |class| class.1);
        // H(i) / H(1) = i (N-n)(N-n-1)...(N-n-i+2) / ((N-1)(N-2)...(N-i+1))
        let (mut size, mut product, mut sum) = (1, 1.0, 0.0);
        for (of_size, n_classes) in histogram {
            while size < of_size && product > 0.0 {
                size += 1;
                let left = population - n - size as f64 + 2.0;
                product *= left.max(0.0) / (population - size as f64 + 1.0);
            }
            sum += n_classes * of_size as f64 * product;
        }
        let probability = if alone > 0.0 { alone / sum } else { 0.0 };
        Some(Figure::of_uniques("zayatz", sample, alone * probability / n))
    }
}
