//! Distances between the distributions of a column in the original and in the release.

use serde::Serialize;

use super::Spread;
use crate::table::Domain;

/// Distances between two distributions of a column, each from 0 (equal) to 1.
///
/// With `p` the shares of the values in the original and `q` those in the release:
///
/// - total variation: `Σ |p - q| / 2`, the share of records that would have to change their value;
/// - Hellinger: `sqrt(1 - Σ sqrt(p q))`, which weighs rare values more;
/// - earth mover's, for numbers and dates: `Σ |P - Q| gap / range` with the cumulative shares `P`
///   and `Q`, the mean distance that records would have to move, in units of the range. Missing
///   values have no place on the axis and are left out of it.
///
/// # References
///
/// \[Rubner2000\] for the earth mover's distance; \[Gibbs2002\] for the others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Distances {
    /// Total variation distance.
    pub total_variation: f64,
    /// Hellinger distance.
    pub hellinger: f64,
    /// Earth mover's distance as a share of the range; `None` if values have no order or there is
    /// only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earth_movers: Option<f64>,
}

impl Distances {
    pub(super) fn of(spread: &Spread<'_>, place: usize) -> Self {
        Self::between(spread.domain(place), &spread.before(place), &spread.after(place))
    }

    /// The distances between two lists of counts of the same categories, which have no order.
    pub(crate) fn of_categories(before: &[f64], after: &[f64]) -> Self {
        let (p, q) = (shares(before), shares(after));
        let pairs = || p.iter().zip(&q);
        let total_variation = pairs().map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0;
        // The Bhattacharyya coefficient Σ sqrt(p q); rounding can make it slightly more than 1.
        let affinity: f64 = pairs().map(|(p, q)| (p * q).sqrt()).sum();
        let hellinger = (1.0 - affinity).max(0.0).sqrt();
        Self { total_variation, hellinger, earth_movers: None }
    }

    /// The distances between two lists of counts, one for each code of a column.
    pub(crate) fn between(domain: &Domain, before: &[f64], after: &[f64]) -> Self {
        let earth_movers = earth_movers(domain, before, after);
        Self { earth_movers, ..Self::of_categories(before, after) }
    }
}

fn earth_movers(domain: &Domain, before: &[f64], after: &[f64]) -> Option<f64> {
    let scale = domain.values.scale()?;
    let (least, greatest) = scale.ends().filter(|(least, greatest)| least < greatest)?;
    let (p, q) = (shares(&before[..scale.len()]), shares(&after[..scale.len()]));
    let (mut ahead, mut work) = (0.0, 0.0);
    for place in 0..scale.len() - 1 {
        // The surplus of the original up to here has to move on to the next value.
        ahead += p[place] - q[place];
        work += f64::abs(ahead) * (scale.value(place + 1) - scale.value(place));
    }
    Some(work / (greatest - least))
}

fn shares(counts: &[f64]) -> Vec<f64> {
    let sum: f64 = counts.iter().sum();
    counts.iter().map(|count| if sum > 0.0 { count / sum } else { 0.0 }).collect()
}
