//! Weights of loss, risk and time, by which releases are compared.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::row::Row;
use crate::error::Advice;
use crate::{Error, Result};

/// Weights of the figures that decide which cell of a grid is best, written `loss=1,risk=1`.
///
/// The score of a cell is the weighted mean of its figures, each between 0 and 1; the least score
/// is the best.
///
/// ```
/// use hedgerow::compare::Weights;
/// let weights: Weights = "loss=3,risk=1".parse()?;
/// assert_eq!(weights.to_string(), "loss=3,risk=1");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Weights {
    /// Weight of the loss of the release (NTIL).
    pub loss: f64,
    /// Weight of the average risk of a record.
    pub risk: f64,
    /// Weight of the risk of the most exposed record.
    pub highest_risk: f64,
    /// Weight of the seconds of choosing and searching, divided by those of the slowest cell.
    pub seconds: f64,
}

/// A percent of loss counts as much as a percent of average risk, and time does not count.
impl Default for Weights {
    fn default() -> Self {
        Self { loss: 1.0, risk: 1.0, highest_risk: 0.0, seconds: 0.0 }
    }
}

/// The figures that weights apply to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Weighed {
    pub(super) loss: f64,
    pub(super) risk: f64,
    pub(super) highest_risk: f64,
    /// Seconds of choosing and searching divided by those of the slowest cell.
    pub(super) seconds: f64,
}

impl Weights {
    const NAMES: [&'static str; 4] = ["loss", "risk", "highest-risk", "seconds"];

    fn values(&self) -> [f64; 4] {
        [self.loss, self.risk, self.highest_risk, self.seconds]
    }

    /// Whether figures have a weight that repetitions measure again; they do not measure time.
    pub(super) fn has_repeated(&self) -> bool {
        self.loss + self.risk + self.highest_risk > 0.0
    }

    /// The weighted mean of figures.
    pub(super) fn score(&self, of: Weighed) -> f64 {
        let figures = [of.loss, of.risk, of.highest_risk, of.seconds];
        let weighed =
            self.values().into_iter().zip(figures).map(|(weight, figure)| weight * figure);
        // A mean, so that doubling all weights changes no score.
        weighed.sum::<f64>() / self.values().iter().sum::<f64>()
    }

    /// The score of a cell, given the seconds of the slowest one; `None` if it is impossible.
    pub(super) fn of_row(&self, row: &Row, slowest: f64) -> Option<f64> {
        let figures = row.figures.as_ref()?;
        // A clock can be too coarse for any cell to take time.
        let share = if slowest > 0.0 { row.search_seconds() / slowest } else { 0.0 };
        Some(self.score(Weighed {
            loss: figures.ntil(),
            risk: figures.risk.average,
            highest_risk: figures.risk.highest,
            seconds: share,
        }))
    }
}

impl FromStr for Weights {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        // Weights that are not named are 0: `risk=1` means risk alone.
        let mut values = [0.0; 4];
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            // A name without a weight is an error of its weight, not an unknown name.
            let (name, weight) = part.split_once('=').unwrap_or((part, ""));
            let place = Self::NAMES.iter().position(|known| *known == name.trim());
            let place = place
                .ok_or_else(|| Error::unknown("weight", name.trim(), Self::NAMES.into_iter()))?;
            let weight = weight.trim().parse::<f64>().ok();
            values[place] = weight.filter(|w| w.is_finite() && *w >= 0.0).ok_or_else(|| {
                Error::invalid(format!("the weight '{part}' is not a number of at least 0"))
                    .advise([Advice::words("write loss=1,risk=1")])
            })?;
        }
        let [loss, risk, highest_risk, seconds] = values;
        // The mean would divide by 0.
        if values.iter().sum::<f64>() <= 0.0 {
            return Err(Error::invalid(
                "no weight is above 0, so no cell would be better than another",
            )
            .advise([Advice::words("write loss=1,risk=1")]));
        }
        Ok(Self { loss, risk, highest_risk, seconds })
    }
}

impl TryFrom<String> for Weights {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = Self::NAMES.iter().zip(self.values()).filter(|(_, weight)| *weight > 0.0);
        let texts: Vec<String> = all.map(|(name, weight)| format!("{name}={weight}")).collect();
        f.write_str(&texts.join(","))
    }
}

impl From<Weights> for String {
    fn from(weights: Weights) -> Self {
        weights.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_a_weighted_mean() {
        let weights: Weights = "loss=3,risk=1".parse().unwrap();
        let of = Weighed { loss: 0.2, risk: 0.4, highest_risk: 1.0, seconds: 1.0 };
        assert!((weights.score(of) - 0.25).abs() < 1e-12);
    }

    #[test]
    fn weights_that_cannot_decide_are_refused() {
        for text in ["", "loss=0", "loss=-1", "loss=x", "loss", "los=1", "loss=inf"] {
            assert!(text.parse::<Weights>().is_err(), "{text}");
        }
    }
}
