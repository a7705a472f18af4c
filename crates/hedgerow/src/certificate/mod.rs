//! Lower bounds of the loss of every release of a table.

mod nearest;
mod allowance;
mod parts;
mod boxes;
mod ascent;
mod relaxation;

use serde::Serialize;

use self::ascent::Ascent;
use self::boxes::{Boxes, Cheapest, Collected};
use self::nearest::nearest;
use self::relaxation::Relaxation;
use crate::box_tree::Space;
use crate::error::Advice;
use crate::hierarchy::{Generalization, LeafOrAny};
use crate::problem::{Attribute, Problem};
use crate::progress::Progress;
use crate::{Error, Result};

/// Multiples of the price of its cheapest box up to which the price of a record can be raised: the
/// first for which the effort suffices.
const CEILINGS: [f64; 6] = [10.0, 5.0, 3.0, 2.0, 1.5, 1.2];

/// Factor on the effort for approaching the best prices.
const CLIMBING: u64 = 3;

/// A loss that is below a bound by more than this contradicts it.
const ROUNDING: f64 = 1e-9;

/// Prices are lowered by this share at the end, which is far more than rounding errors add to them.
const MARGIN: f64 = 1e-9;

/// A lower bound of the loss of every release, for any method.
///
/// It holds for the loss [`Ntil`](crate::loss::Ntil), which equals
/// [`GenIloss`](crate::loss::GenIloss); for [`Lm`](crate::loss::Lm) multiply it by the number of
/// attributes. It takes into account the hierarchies and the smallest class that the models allow,
/// but no other condition of the models and no limit of generalization, which can only increase the
/// loss. It also holds if records are suppressed.
///
/// A release publishes boxes: one node, interval or set for each attribute. Every box has at least
/// `k` records, and each of its records loses the cost of the box. Let every record have a *price*
/// that is not negative, such that in every box with at least `k` records the `k` highest prices
/// are at most `k` times the cost of the box in total. Then a class of `m` records in box `b` with
/// cost `c` has prices of at most `m c` in total, and `m c` is the loss of the class. So no release
/// loses less than the mean price. If records may be suppressed, no price is above the loss of a
/// suppressed record.
///
/// # Complexity
///
/// Boxes are enumerated, each with the records in it, and there can be very many of them. Only
/// boxes that cost less than the price of one of their records matter, so prices are limited to a
/// multiple of their first value, the highest for which the effort suffices. Memory is proportional
/// to the number of records in these boxes.
///
/// # Guarantees
///
/// Every price is checked against every box that could be too cheap for it. Deterministic.
///
/// # References
///
/// Our own; METHODS 9. It is the dual of a linear relaxation of the choice of boxes.
///
/// # Examples
///
/// Two of the four ages must be published as a range that costs at least `(25 - 23) / (44 - 23)`,
/// the other two as one that costs `(44 - 41) / (44 - 23)`:
///
/// ```
/// use hedgerow::certificate::Certificate;
/// use hedgerow::prelude::*;
///
/// let table = Table::from_rows(&["age"], &[["23"], ["25"], ["41"], ["44"]])?;
/// let free = Free.build(&table.columns()[0])?;
/// let problem = Problem::new(&table, vec![free], vec![Box::new(KAnonymity::new(2)?)])?;
/// let certificate = Certificate::of(&problem, Certificate::EFFORT, &Silent)?;
/// assert!((certificate.bound - (2.0 * 2.0 + 2.0 * 3.0) / 21.0 / 4.0).abs() < 1e-6);
/// assert_eq!(certificate.effort.nearest, 0);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Certificate {
    /// The lower bound of the loss.
    pub bound: f64,
    /// The proof of the bound.
    pub proof: Proof,
    /// The boxes that were looked at.
    pub effort: Effort,
}

/// The boxes that a bound is proved with, and the records for which they were too many.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Effort {
    /// Number of boxes that the prices were checked against. For [`Proof::Nearest`] and
    /// [`Proof::CheapestBox`], the number of those that were looked at, which counts a box once for
    /// each group of neighbouring records.
    pub boxes: usize,
    /// Number of different records.
    pub tuples: usize,
    /// Number of different records whose boxes could not all be listed, so that their price is the
    /// cost of joining the nearest records.
    pub nearest: usize,
    /// Multiple of the price of its cheapest box up to which the price of a record was raised;
    /// `None` if there were too many boxes to raise prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ceiling: Option<f64>,
}

/// Proofs of a bound, from the weakest to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Proof {
    /// For some records, the price is the cost of the class with the `k - 1` records nearest to
    /// them, taken one by one (METHODS 9.1), because they have too many boxes.
    Nearest,
    /// The price of a record is the cost of the cheapest box that it can be published in (METHODS
    /// 9.2).
    CheapestBox,
    /// These prices, raised as far as all boxes allow (METHODS 9.3).
    Ascent,
    /// Prices that approach the best ones of the relaxation. Their excess over the costs of boxes
    /// is deducted from the bound.
    Relaxation,
    /// The search for the optimal full-domain generalization: a bound for these alone.
    Lattice,
}

impl Certificate {
    /// An effort for tables of usual size, which takes seconds, or half a minute if there are many
    /// quasi-identifiers.
    pub const EFFORT: u64 = 400_000_000;

    /// Finds a lower bound of the loss of a problem. The effort is the number of records that may
    /// be looked at in boxes, in each of at most seven enumerations of boxes; the last step may
    /// look at three times as many.
    ///
    /// # Errors
    ///
    /// Those of [`Certificate::check`], and [`Error::Cancelled`] if `progress` is cancelled.
    pub fn of(problem: &Problem, effort: u64, progress: &dyn Progress) -> Result<Self> {
        Self::check(problem)?;
        let space = Space::new(problem);
        let counts = &problem.cohorts().counts;
        let found = nearest(&space, counts, progress)?;
        let boxes = Boxes::new(problem, &space, effort);
        let mut cheapest = Cheapest::new(found.farthest, found.hulls);
        boxes.visit(&mut cheapest, progress)?;
        let (first, seen) = cheapest.prices();
        let proof = if seen.n_nearest > 0 { Proof::Nearest } else { Proof::CheapestBox };
        let spent = Effort {
            boxes: seen.n_boxes,
            tuples: first.len(),
            nearest: seen.n_nearest,
            ceiling: None,
        };
        let mut best = Self { bound: mean(&first, problem), proof, effort: spent };
        for factor in CEILINGS {
            let ceilings = ceilings(problem, &first, factor);
            let mut collected = Collected::new(ceilings);
            if !boxes.visit(&mut collected, progress)? {
                continue;
            }
            let mut ascent = Ascent::new(problem, collected, &first);
            ascent.run(progress)?;
            let boxes = ascent.boxes().costs.len();
            let raised = Effort { boxes, nearest: 0, ceiling: Some(factor), ..spent };
            best.improve(mean(ascent.prices(), problem), Proof::Ascent, raised);
            let relaxation = Relaxation::new(problem, ascent.boxes(), ascent.prices());
            let total = relaxation.climb(CLIMBING * effort, progress)?;
            best.improve(mean_of(total, problem), Proof::Relaxation, raised);
            break;
        }
        Ok(best)
    }

    /// Returns an error if no lower bound is known for a problem: if missing values match any
    /// value, because their cells cost nothing, and for fixed labels.
    ///
    /// # Errors
    ///
    /// [`Error::Column`] with the column and the reason.
    pub fn check(problem: &Problem) -> Result<()> {
        problem.attributes().iter().try_for_each(check)
    }

    /// Takes a bound if it is higher than the one that is known.
    fn improve(&mut self, bound: f64, proof: Proof, effort: Effort) {
        if bound > self.bound {
            *self = Self { bound, proof, effort };
        }
    }

    /// Compares the loss `ntil` of a release with this bound.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] if the loss is below the bound by more than rounding errors, so that one
    /// of them is wrong.
    pub fn certifies(&self, loss: f64) -> Result<Certified> {
        Certified::new(loss, self.bound, self.proof, Some(self.effort))
    }
}

/// The loss of a release, compared with a lower bound of the loss of every such release.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Certified {
    /// The loss `ntil` that no release with the same hierarchies and requirements is below; no
    /// full-domain generalization if the proof is [`Proof::Lattice`].
    pub bound: f64,
    /// The loss `ntil` of the release, in which a suppressed record loses everything.
    pub loss: f64,
    /// The loss as a multiple of the bound; `None` if the bound is 0 and the loss is not. It is the
    /// same for `gen-iloss` and `lm`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// The proof of the bound.
    pub proof: Proof,
    /// The boxes that were looked at; `None` for [`Proof::Lattice`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
}

impl Certified {
    /// Compares a loss with a bound. An error if the loss is clearly below the bound.
    pub(crate) fn new(loss: f64, bound: f64, proof: Proof, effort: Option<Effort>) -> Result<Self> {
        if loss < bound - ROUNDING {
            return Err(Error::Internal(format!(
                "a loss of {loss} is below {bound}, which was proved to be a lower bound"
            )));
        }
        let ratio = if bound > 0.0 {
            // Rounding can put an optimal loss a little below its own bound.
            Some((loss / bound).max(1.0))
        } else {
            (loss <= 0.0).then_some(1.0)
        };
        Ok(Self { bound, loss, ratio, proof, effort })
    }
}

/// Returns an error if no lower bound is known for an attribute.
fn check(attribute: &Attribute) -> Result<()> {
    if attribute.leaves().contains(&LeafOrAny::ANY) {
        let problem =
            "its missing values match any value and cost nothing, so no lower bound is known";
        return Err(Error::column(attribute.name(), problem).advise([Advice::OtherMissingPolicy]));
    }
    match attribute.generalization() {
        Generalization::Fixed(_) => {
            let problem = "its labels are fixed by a recipe, and no lower bound is known for them";
            Err(Error::column(attribute.name(), problem))
        }
        _ => Ok(()),
    }
}

/// The highest prices that records can be given: a multiple of the first ones, but not more than a
/// suppressed record loses (METHODS 9.4).
fn ceilings(problem: &Problem, first: &[f64], factor: f64) -> Vec<f64> {
    // A suppressed record loses 1 for each attribute.
    let lost = problem.attributes().len() as f64;
    let most = if problem.most_suppressed() > 0 { lost } else { f64::INFINITY };
    first.iter().map(|price| (price * factor).min(most)).collect()
}

/// The mean price of a cell, a little lowered to be safe from rounding.
fn mean(prices: &[f64], problem: &Problem) -> f64 {
    let cohorts = problem.cohorts();
    mean_of(prices.iter().zip(&cohorts.counts).map(|(price, &n)| price * n as f64).sum(), problem)
}

/// The mean over all cells of a total, a little lowered to be safe from rounding.
fn mean_of(total: f64, problem: &Problem) -> f64 {
    let n_cells = problem.cohorts().n_records() as f64 * problem.attributes().len() as f64;
    total / n_cells * (1.0 - MARGIN)
}

#[cfg(test)]
mod tests;
