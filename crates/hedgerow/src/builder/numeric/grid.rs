//! Columns of whole numbers in a given domain, and levels of intervals over them.

use crate::error::Advice;
use crate::hierarchy::{Band, Hierarchy, Leaves};
use crate::method::{Parameter, Spec, Type};
use crate::table::{Column, Scale, Values};
use crate::{Error, Result};

/// The ends of domains are below this limit, so that they are exact as floating-point numbers.
const MOST: f64 = 9e15;

/// The parameter for the least number of the domain that a grid divides.
pub(super) const LO: Parameter = Parameter::new(
    "lo",
    Type::NUMBER,
    "the least number of the domain; that of the column if not given",
);
/// The parameter for the greatest number of the domain.
pub(super) const HI: Parameter = Parameter::new(
    "hi",
    Type::NUMBER,
    "the greatest number of the domain; that of the column if not given",
);
/// The parameter for the minimum width of an interval.
pub(super) const MIN_WIDTH: Parameter = Parameter::new(
    "min-width",
    Type::POSITIVE,
    "minimum width of an interval; a tenth of the domain if not given",
);

/// The values of a column as multiples of their unit (25 hundredths for `0.25`), and their domain.
#[derive(Debug)]
pub(super) struct Grid<'a> {
    method: &'static str,
    column: &'a Column,
    pub(super) scale: &'a Scale,
    /// The values in units, ascending.
    pub(super) ticks: &'a [i64],
    decimals: u32,
    /// The least number of the domain, in units.
    pub(super) lo: i64,
    /// The greatest number of the domain, in units.
    pub(super) hi: i64,
}

/// The intervals of one level that contain values, each with its ends and its range of leaves.
pub(super) type Intervals = Vec<((i64, i64), (u32, u32))>;

impl<'a> Grid<'a> {
    /// Returns the grid of a column; `lo` and `hi` default to its least and greatest value.
    pub(super) fn of(
        method: &'static str,
        column: &'a Column,
        lo: Option<f64>,
        hi: Option<f64>,
    ) -> Result<Self> {
        let Values::Number(scale) = &column.domain.values else {
            return Err(match &column.domain.values {
                Values::Date(..) => {
                    let problem =
                        format!("it has dates, which '{method}' would cut at arbitrary seconds");
                    Error::column(&column.name, problem)
                        .advise([Advice::other_hierarchy(&column.name, &["calendar"])])
                }
                _ => super::not_numbers(column),
            });
        };
        let Some((ticks, decimals)) = scale.ticks().filter(|(ticks, _)| !ticks.is_empty()) else {
            let problem = format!(
                "'{method}' counts in whole units, but its numbers have no common unit (exponents, or \
                 more than 15 digits)"
            );
            return Err(Error::column(&column.name, problem).advise(iotf_or_round(column)));
        };
        let (lo_found, hi_found) = (ticks[0], ticks[ticks.len() - 1]);
        let mut grid = Self { method, column, scale, ticks, decimals, lo: lo_found, hi: hi_found };
        // Converting the parameters requires the decimals of the column.
        grid.lo = lo.map_or(Ok(lo_found), |lo| grid.tick("lo", lo))?;
        grid.hi = hi.map_or(Ok(hi_found), |hi| grid.tick("hi", hi))?;
        for (is_out, place, side) in
            [(lo_found < grid.lo, 0, "below lo"), (hi_found > grid.hi, ticks.len() - 1, "above hi")]
        {
            if is_out {
                let row = column.domain.first_rows[place] + 1;
                let (least, most) = (scale.spelling(0), scale.spelling(ticks.len() - 1));
                let problem =
                    format!("is {side}; '{method}' needs a domain that holds every value");
                return Err(Error::value(&column.name, scale.spelling(place), row, problem)
                    .advise([Advice::words(format!(
                        "choose lo of at most {least} and hi of at least {most}"
                    ))]));
            }
        }
        if grid.hi.unsigned_abs().max(grid.lo.unsigned_abs()) as f64 >= MOST {
            let problem = format!("'{method}' takes numbers of up to 15 digits, decimals included");
            return Err(Error::column(&column.name, problem).advise(iotf_or_round(column)));
        }
        Ok(grid)
    }

    /// Converts a number into units.
    fn tick(&self, parameter: &str, value: f64) -> Result<i64> {
        let tick = value * 10f64.powi(self.decimals as i32);
        // Decimal fractions are not exact in binary, so `value * 10^decimals` may be slightly off.
        if tick.abs() < MOST && (tick - tick.round()).abs() < 1e-6 {
            return Ok(tick.round() as i64);
        }
        let problem = if tick.abs() >= MOST {
            let decimals = self.decimals;
            format!("it must have at most 15 digits, of which {decimals} are decimals")
        } else {
            let unit = self.scale.spell(10f64.powi(-(self.decimals as i32)));
            let name = &self.column.name;
            format!("it must be a multiple of {unit}, the unit of column '{name}'")
        };
        Err(Error::parameter(self.method, parameter, Some(&value.to_string()), problem))
    }

    /// Returns the width of the domain in units.
    pub(super) fn width(&self) -> i64 {
        self.hi - self.lo + 1
    }

    /// Converts a width parameter into units, from 1 to the width of the domain.
    pub(super) fn units(&self, parameter: &str, width: f64) -> Result<i64> {
        let units = self.tick(parameter, width)?;
        if (1..=self.width()).contains(&units) {
            return Ok(units);
        }
        let problem = format!(
            "for column '{}' it must be from {} to {}",
            self.column.name,
            self.scale.spell(self.value(1)),
            self.scale.spell(self.value(self.width()))
        );
        Err(Error::parameter(self.method, parameter, Some(&width.to_string()), problem))
    }

    /// Returns the minimum width of an interval in units; defaults to a tenth of the domain.
    pub(super) fn min_width(&self, given: Option<f64>) -> Result<i64> {
        given.map_or(Ok((self.width() + 9) / 10), |width| self.units("min-width", width))
    }

    /// Converts units into the column's number.
    pub(super) fn value(&self, tick: i64) -> f64 {
        tick as f64 / 10f64.powi(self.decimals as i32)
    }

    /// Divides sorted values into intervals; `interval` returns the ends of the interval of a
    /// value.
    pub(super) fn intervals(&self, mut interval: impl FnMut(i64) -> (i64, i64)) -> Intervals {
        let mut found = Intervals::new();
        let mut leaf = 0;
        while leaf < self.ticks.len() {
            let ends = interval(self.ticks[leaf]);
            // The ticks are sorted, so the values of an interval are a run.
            let n_inside = self.ticks[leaf..].partition_point(|&tick| tick <= ends.1);
            found.push((ends, (leaf as u32, (leaf + n_inside) as u32)));
            // Advance even if `interval` returned one that ends before its value.
            leaf += n_inside.max(1);
        }
        found
    }

    /// Returns a level of groups; `distortion` is a function of an interval's ends.
    pub(super) fn groups(
        &self,
        intervals: &Intervals,
        distortion: impl Fn(i64, i64) -> f64,
    ) -> Vec<Band> {
        let group = |&((lo, hi), leaves): &((i64, i64), (u32, u32))| Band {
            leaves,
            bounds: (self.value(lo), self.value(hi)),
            distortion: distortion(lo, hi),
        };
        intervals.iter().map(group).collect()
    }

    /// Returns the column's values as leaves.
    pub(super) fn leaves(&self) -> Leaves {
        Leaves::of(&self.column.name, &self.column.domain)
    }

    /// Builds a tree of nested levels, finest first; the last level has a single group.
    pub(super) fn tree(&self, levels: &[Vec<Band>]) -> Result<Hierarchy> {
        let (mut ranges, mut bounds, mut distortions) = (Vec::new(), Vec::new(), Vec::new());
        let mut next = vec![0; levels.len()];
        for (leaf, &tick) in self.ticks.iter().enumerate() {
            // In pre-order, groups that start at a leaf come before it, the highest first.
            for (level, next) in levels.iter().zip(&mut next).rev() {
                if let Some(group) = level.get(*next).filter(|g| g.leaves.0 as usize == leaf) {
                    ranges.push(group.leaves);
                    bounds.push(group.bounds);
                    distortions.push(group.distortion);
                    *next += 1;
                }
            }
            ranges.push((leaf as u32, leaf as u32 + 1));
            bounds.push((self.value(tick), self.value(tick)));
            distortions.push(0.0);
        }
        let tree = Hierarchy::from_ranges(self.leaves(), &ranges)?;
        let made = Spec::named(self.method);
        Ok(tree.with_bounds(bounds).with_distortions(distortions).built_by(made))
    }
}

/// Advice for numbers that cannot be counted in units.
fn iotf_or_round(column: &Column) -> [Advice; 2] {
    [Advice::other_hierarchy(&column.name, &["iotf"]), Advice::words("round them first")]
}
