//! DBGH: divisor based generalization hierarchies.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::grid::{self, Grid, Intervals};
use crate::builder::HierarchyBuilder;
use crate::error::Advice;
use crate::hierarchy::{Generalization, Levels};
use crate::method::{Described, Description, Need, Parameter, Type};
use crate::table::Column;
use crate::{Error, Result};

/// A wider domain would take too long to divide.
const WIDEST: i64 = 1_000_000_000_000;

/// More intervals than this fill the memory.
const MOST_INTERVALS: usize = 50_000_000;

/// Makes a level of every divisor of the greatest value: intervals of that width, counted from 1.
///
/// A prime greatest value is raised by one, or it would have no divisors. 20 does not divide 25,
/// so **the levels are not nested**: the result is a stack of partitions, not a tree, unless `nested`
/// keeps, from the top, only divisors of the last one kept. Domains that begin below 1 are shifted to
/// begin at 1, and back.
///
/// # Complexity
///
/// `O(sqrt w)` for the divisors of a domain `w` units wide, and `O(m)` for each that is used.
///
/// # Guarantees
///
/// Deterministic. Levels are ever coarser, but a higher level may break a k-anonymity that a lower
/// one has unless they are nested. Intervals without values are left out.
///
/// # References
///
/// \[Yaseen2018\] algorithm 1; METHODS 1.6. Deviations: the algorithm's loop tests would lose the
/// greatest value at width 1 and keep an interval that ends before the least one.
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
    /// The least number of the domain; that of the column if not given.
    pub lo: Option<f64>,
    /// The greatest number of the domain, whose divisors are taken; that of the column if not given.
    pub hi: Option<f64>,
    /// The least width of an interval, in numbers that it holds; a tenth of the domain if not given.
    pub min_width: Option<f64>,
    /// Keeps only levels that nest, so that the result is a tree.
    pub nested: bool,
    /// How levels are distorted.
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
                "the number whose divisors are taken; the greatest of the column if not given",
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
                "how the distortion of a level follows from its width",
            )
            .or("proportional"),
        ],
    };
}

/// How the distortion of a level follows from its width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DistortionRule {
    /// In proportion to the root's: the paper's text.
    #[default]
    Proportional,
    /// That of the level above, times the share of the root's width: most of the paper's table 4.
    Cumulative,
}

impl HierarchyBuilder for Dbgh {
    fn grow(&self, column: &Column) -> Result<Generalization> {
        let grid = Grid::of("dbgh", column, self.lo, self.hi)?;
        // Counted from 1, or from the least value where that is less.
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
        if widths.windows(2).all(|pair| pair[1] % pair[0] == 0) {
            return grid.tree(&groups).map(Generalization::from);
        }
        let levels = Levels::new(grid.leaves(), grid.scale, &groups);
        Ok(Generalization::Levels(Arc::new(levels)))
    }
}

impl DistortionRule {
    /// The distortion of levels of these widths, the root's last.
    fn of(self, widths: &[i64]) -> Vec<f64> {
        let n_levels = widths.len() as f64;
        let of_root = widths.last().map_or(1.0, |&width| width as f64);
        let mut above = n_levels;
        let rule = |&width: &i64| {
            let share = width as f64 / of_root;
            above = match self {
                Self::Proportional => n_levels * share,
                Self::Cumulative => above * share,
            };
            above
        };
        let mut distortions: Vec<f64> = widths.iter().rev().map(rule).collect();
        distortions.reverse();
        distortions
    }
}

fn is_prime(number: i64) -> bool {
    number > 1 && divisors(number).len() == 2
}

/// All divisors, ascending.
fn divisors(number: i64) -> Vec<i64> {
    let small: Vec<i64> = (1..=number.isqrt()).filter(|d| number % d == 0).collect();
    let large = small.iter().rev().map(|d| number / d).filter(|d| d * d > number);
    small.iter().copied().chain(large).collect()
}

/// From the top, the divisors of the last one kept; ascending.
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
