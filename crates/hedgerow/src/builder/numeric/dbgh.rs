//! DBGH: divisor-based generalization hierarchies.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::grid::{self, Grid, Intervals};
use crate::builder::HierarchyBuilder;
use crate::error::Advice;
use crate::hierarchy::{Generalization, Levels};
use crate::method::{Described, Description, Need, Parameter, Type};
use crate::table::Column;
use crate::{Error, Result};

/// Widest domain whose divisors are searched; a wider one would take too long.
const WIDEST: i64 = 1_000_000_000_000;

/// Limit for the number of intervals, because of the memory they take.
const MOST_INTERVALS: usize = 50_000_000;

/// Makes a level for every divisor of the greatest value, with intervals of that width.
///
/// Intervals are counted from 1. If the greatest value is prime, it is raised by one, because a
/// prime has only trivial divisors. 20 does not divide 25, so **the levels are not nested**: the
/// result is a sequence of partitions instead of a tree, unless `nested` is set, which keeps from
/// the top only divisors of the last width that was kept. Domains that start below 1 are shifted to
/// start at 1, and back.
///
/// # Complexity
///
/// `O(sqrt w)` for the divisors of a domain `w` units wide, and `O(m)` for each divisor that is
/// used.
///
/// # Guarantees
///
/// Deterministic. Levels get coarser from bottom to top, but unless they are nested, a higher level
/// can violate k-anonymity where a lower one satisfies it. Intervals without values are left out.
///
/// # References
///
/// \[Yaseen2018\] algorithm 1; METHODS 1.6. Deviations: the loop conditions of the algorithm would
/// lose the greatest value at width 1 and keep an interval that ends before the least value; both
/// are corrected here.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{Dbgh, HierarchyBuilder};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["x"], &[["1"], ["5"], ["12"]])?;
/// let nested = Dbgh { nested: true, min_width: Some(3.0), ..Dbgh::default() };
/// let tree = nested.build(&table.columns()[0])?;
/// assert_eq!(
///     tree.hierarchy().unwrap().outline(),
///     "[1-12]([1-6]([1-3](1),[4-6](5)),[7-12]([10-12](12)))"
/// );
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Dbgh {
    /// The least number of the domain; defaults to that of the column.
    pub lo: Option<f64>,
    /// The greatest number of the domain, whose divisors are used; defaults to that of the column.
    pub hi: Option<f64>,
    /// Minimum width of an interval, counting both ends; defaults to a tenth of the domain.
    pub min_width: Option<f64>,
    /// Keeps only levels that nest, so that the result is a tree.
    pub nested: bool,
    /// Rule for the distortion of a level.
    pub distortion: DistortionRule,
}

impl Described for Dbgh {
    const DESCRIPTION: Description = Description {
        name: "dbgh",
        about: "numbers: a level for each divisor of the greatest; levels may not nest",
        reference: Some("Yaseen2018"),
        needs: &[Need::Numbers],
        parameters: &[
            grid::LO,
            Parameter::new(
                "hi",
                Type::NUMBER,
                "the number whose divisors are used; the greatest of the column if not given",
            ),
            grid::MIN_WIDTH,
            Parameter::new(
                "nested",
                Type::Flag,
                "keeps only levels that nest, so that the result is a tree",
            )
            .or("false"),
            Parameter::new(
                "distortion",
                Type::Choice(&["proportional", "cumulative"]),
                "how the distortion of a level depends on its width",
            )
            .or("proportional"),
        ],
    };
}

/// Rule for the distortion of a level, which depends on its width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DistortionRule {
    /// Proportional to the width, as in the paper's text.
    #[default]
    Proportional,
    /// Distortion of the level above, times the fraction of the root's width, as in most of the
    /// paper's table 4.
    Cumulative,
}

impl HierarchyBuilder for Dbgh {
    fn grow(&self, column: &Column) -> Result<Generalization> {
        let grid = Grid::of("dbgh", column, self.lo, self.hi)?;
        // Intervals are counted from 1, or from the least value if that is less than 1.
        let shift = (1 - grid.lo).max(0);
        let greatest = grid.hi + shift;
        if greatest > WIDEST {
            let problem = format!(
                "the method 'dbgh' takes values of up to {WIDEST} units of the column, not {greatest}"
            );
            return Err(Error::column(&column.name, problem)
                .advise([Advice::other_hierarchy(&column.name, &["iotf", "cgh"])]));
        }
        let top = if is_prime(greatest) { greatest + 1 } else { greatest };
        let mut widths = divisors(top);
        let min_width = grid.min_width(self.min_width)?;
        widths.retain(|&width| width >= min_width.min(top));
        if self.nested {
            widths = nested(&widths);
        }
        let mut levels: Vec<Intervals> = Vec::new();
        let mut n_intervals = 0;
        for &width in &widths {
            // The start of the interval of a value: intervals of `width` units from 1 on, shifted
            // back.
            let first = |tick: i64| (tick + shift - 1) / width * width + 1 - shift;
            levels.push(grid.intervals(|tick| (first(tick), first(tick) + width - 1)));
            n_intervals += levels[levels.len() - 1].len();
            if n_intervals > MOST_INTERVALS {
                let problem = format!(
                    "{top} has {} divisors, which gives too many levels for its values",
                    widths.len()
                );
                return Err(Error::column(&column.name, problem)
                    .advise([Advice::words("choose a larger min-width")]));
            }
        }
        let distortions = self.distortion.of(&widths);
        let groups: Vec<_> = (levels.iter().zip(&distortions))
            .map(|(intervals, &distortion)| grid.groups(intervals, |_, _| distortion))
            .collect();
        // Levels nest if each width divides the next one.
        if widths.windows(2).all(|pair| pair[1] % pair[0] == 0) {
            return grid.tree(&groups).map(Generalization::from);
        }
        let levels = Levels::new(grid.leaves(), grid.scale, &groups);
        Ok(Generalization::Levels(Arc::new(levels)))
    }
}

impl DistortionRule {
    /// Returns the distortions of levels with these widths, of which the last is the root's.
    fn of(self, widths: &[i64]) -> Vec<f64> {
        let n_levels = widths.len() as f64;
        let of_root = widths.last().map_or(1.0, |&width| width as f64);
        // From the root down, because the cumulative rule refers to the level above.
        let mut above = n_levels;
        let mut distortions = Vec::with_capacity(widths.len());
        for &width in widths.iter().rev() {
            let share = width as f64 / of_root;
            above = match self {
                Self::Proportional => n_levels * share,
                Self::Cumulative => above * share,
            };
            distortions.push(above);
        }
        distortions.reverse();
        distortions
    }
}

fn is_prime(number: i64) -> bool {
    number > 1 && divisors(number).len() == 2
}

/// Returns all divisors, ascending.
fn divisors(number: i64) -> Vec<i64> {
    // Divisors up to the square root, each paired with a large one; a square root is listed once.
    let small: Vec<i64> = (1..=number.isqrt()).filter(|d| number % d == 0).collect();
    let large = small.iter().rev().map(|d| number / d).filter(|d| d * d > number);
    small.iter().copied().chain(large).collect()
}

/// Keeps, from the top, only divisors of the last width kept; ascending.
fn nested(widths: &[i64]) -> Vec<i64> {
    let mut kept: Vec<i64> = Vec::new();
    for &width in widths.iter().rev() {
        if kept.last().is_none_or(|&above| above % width == 0) {
            kept.push(width);
        }
    }
    kept.reverse();
    kept
}
