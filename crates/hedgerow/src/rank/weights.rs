//! The weights of the aspects.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::error::Advice;
use crate::{Error, Result};

/// The names of the aspects, as users write them.
pub const ASPECTS: [&str; 4] = ["semantic", "privacy", "distortion", "interval"];

/// The weights of the aspects: fractions that sum to 1, written `semantic=1,privacy=2`.
///
/// ```
/// use hedgerow::rank::Weights;
/// let weights: Weights = "semantic=1,privacy=3".parse()?;
/// assert_eq!(weights.shares(), [0.25, 0.75, 0.0, 0.0]);
/// assert_eq!(weights.to_string(), "semantic 25%, privacy 75%, distortion 0%, interval 0%");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Weights {
    semantic: f64,
    privacy: f64,
    distortion: f64,
    interval: f64,
}

impl Weights {
    /// Creates weights from numbers in the order of [`ASPECTS`], in any unit.
    pub fn new(weights: [f64; 4]) -> Result<Self> {
        for (aspect, weight) in ASPECTS.iter().zip(weights) {
            if !weight.is_finite() || weight < 0.0 {
                return Err(not_a_weight(aspect, &weight.to_string()));
            }
        }
        let most = weights.into_iter().fold(0.0, f64::max);
        if most <= 0.0 {
            return Err(Error::invalid("all weights are 0, so all candidates would be equal")
                .advise([Advice::words("give one aspect a weight above 0")]));
        }
        // Dividing by the greatest weight first prevents an overflow of the sum.
        let weights = weights.map(|weight| weight / most);
        let sum: f64 = weights.iter().sum();
        let [semantic, privacy, distortion, interval] = weights.map(|weight| weight / sum);
        Ok(Self { semantic, privacy, distortion, interval })
    }

    /// Returns the 35 ways to distribute four quarters among the aspects, in descending order of
    /// the weight of the first aspect, then of the second, and so on.
    ///
    /// # References
    ///
    /// \[Ayala2016\], section 4; METHODS 5.7.
    pub fn grid() -> Vec<Self> {
        let mut grid = Vec::new();
        // All `a + b + c + d = 4`, of which there are C(7, 3) = 35.
        for a in (0..=4).rev() {
            for b in (0..=4 - a).rev() {
                for c in (0..=4 - a - b).rev() {
                    let [semantic, privacy, distortion, interval] =
                        [a, b, c, 4 - a - b - c].map(|quarters| f64::from(quarters) / 4.0);
                    grid.push(Self { semantic, privacy, distortion, interval });
                }
            }
        }
        grid
    }

    /// Returns the fractions in the order of [`ASPECTS`].
    pub fn shares(&self) -> [f64; 4] {
        [self.semantic, self.privacy, self.distortion, self.interval]
    }
}

impl Default for Weights {
    /// A quarter each.
    fn default() -> Self {
        Self { semantic: 0.25, privacy: 0.25, distortion: 0.25, interval: 0.25 }
    }
}

impl FromStr for Weights {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut weights = [None; 4];
        for pair in text.split(',') {
            let (aspect, weight) = pair.split_once('=').ok_or_else(|| {
                Error::syntax(None, format!("'{pair}' is not a weight"))
                    .advise([Advice::words("write semantic=1,privacy=2")])
            })?;
            let (aspect, weight) = (aspect.trim(), weight.trim());
            let found = ASPECTS.iter().position(|&name| name == aspect);
            let place =
                found.ok_or_else(|| Error::unknown("aspect", aspect, ASPECTS.into_iter()))?;
            let number: f64 = weight.parse().map_err(|_| not_a_weight(aspect, weight))?;
            if weights[place].replace(number).is_some() {
                return Err(Error::syntax(None, format!("{aspect} has two weights"))
                    .advise([Advice::words("give it one")]));
            }
        }
        Self::new(weights.map(Option::unwrap_or_default))
    }
}

fn not_a_weight(aspect: &str, weight: &str) -> Error {
    let problem = format!("the weight of {aspect} is '{weight}'; it must be a number of 0 or more");
    Error::invalid(problem)
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (aspect, share)) in ASPECTS.iter().zip(self.shares()).enumerate() {
            // At most two decimals.
            let percent = (share * 1e4).round() / 1e2;
            write!(f, "{}{aspect} {percent}%", if place == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}
