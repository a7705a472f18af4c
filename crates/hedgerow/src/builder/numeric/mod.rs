//! Hierarchies of numbers, built from their distribution.

mod merge;
mod iotf;
mod otf;
mod han;
mod chu;
mod equal_width;
mod equal_frequency;
mod grid;
mod cgh;
mod dbgh;
mod cbgh;
mod dcht;
mod least_loss;
mod cut;
mod bands;

pub use bands::{BandLabels, Bands};
pub use cbgh::Cbgh;
pub use cgh::Cgh;
pub use chu::Chu;
pub use dbgh::{Dbgh, DistortionRule};
pub use dcht::Dcht;
pub use equal_frequency::EqualFrequency;
pub use equal_width::EqualWidth;
pub use han::Han;
pub use iotf::Iotf;
pub use least_loss::LeastLoss;
pub use otf::{Otf, Representative};

use super::{HierarchyBuilder, method};
use crate::error::Advice;
use crate::hierarchy::{Generalization, Hierarchy, Leaves};
use crate::method::{Describe, Make, Method, Parameter, Type, Validate};
use crate::table::{Column, are_codes, looks_like_code};
use crate::{Error, Result};

/// Every method that builds hierarchies of numbers.
pub(super) const ALL: &[Method<Make<dyn HierarchyBuilder>>] = &[
    method::<Iotf>(),
    method::<Otf>(),
    method::<Han>(),
    method::<Chu>(),
    method::<EqualWidth>(),
    method::<EqualFrequency>(),
    method::<Cgh>(),
    method::<Dbgh>(),
    method::<Cbgh>(),
    method::<Dcht>(),
    method::<LeastLoss>(),
    method::<Bands>(),
];

/// The parameter for the number of parts into which a range is divided, without its default.
const FAN_OUT: Parameter =
    Parameter::new("fan-out", Type::at_least(2), "number of parts into which a range is divided");

/// A column's distinct values on a line, with their counts.
#[derive(Debug, Clone)]
pub struct Line {
    /// Ascending distances from the least value, in units of the column.
    pub positions: Vec<f64>,
    /// Number of records with each value.
    pub counts: Vec<u64>,
}

/// The nodes of a tree over sorted values, as ranges of values in pre-order.
pub type Ranges = Vec<(u32, u32)>;

/// A method that arranges sorted values in nested ranges.
pub trait NumericBuilder: Describe + Validate + std::fmt::Debug + Send + Sync {
    /// Arranges the values of `line`, which has at least one value.
    fn ranges(&self, line: &Line) -> Result<Ranges>;

    /// See [`HierarchyBuilder::for_k`].
    fn for_k(&mut self, _k: u64) -> bool {
        false
    }
}

impl<B: NumericBuilder> HierarchyBuilder for B {
    fn grow(&self, column: &Column) -> Result<Generalization> {
        let line = Line::of(column)?;
        let leaves = Leaves::of(&column.name, &column.domain);
        Hierarchy::from_ranges(leaves, &self.ranges(&line)?).map(Generalization::from)
    }

    fn for_k(&mut self, k: u64) -> bool {
        NumericBuilder::for_k(self, k)
    }
}

impl Line {
    /// Returns the numbers or dates of a column, or an error that names the first other value.
    pub fn of(column: &Column) -> Result<Self> {
        let domain = &column.domain;
        let Some(scale) = domain.values.scale() else {
            return Err(not_numbers(column));
        };
        if scale.is_empty() {
            return Err(Error::no_values(&column.name));
        }
        Ok(Self { positions: scale.positions(), counts: domain.counts.clone() })
    }

    /// Whether all positions are integers that are represented exactly, so that their sums are too.
    pub fn is_exact(&self) -> bool {
        // Sums are then below 2^89, so that products of a sum and a count fit into `i128`.
        let is_whole = |position: &f64| position.fract() == 0.0 && *position < 9e15;
        let n_records: u64 = self.counts.iter().sum();
        n_records < 1 << 36 && self.positions.iter().all(is_whole)
    }

    /// Returns the number of distinct values.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}

fn not_numbers(column: &Column) -> Error {
    let domain = &column.domain;
    let is_word =
        |&code: &usize| crate::table::read_number(&domain.values.spelling(code)).is_none();
    // Name the value that is first in the table, where users look for it.
    let word = (0..domain.len()).filter(is_word).min_by_key(|&code| domain.first_rows[code]);
    let name = &column.name;
    match word {
        Some(code) => {
            let (value, row) = (domain.values.spelling(code), domain.first_rows[code] + 1);
            let problem = "is not a number, which this hierarchy method needs";
            Error::value(name, &*value, row, problem).advise([
                Advice::words("correct it"),
                Advice::ListAsMissing { value: Some(value.to_string()) },
                Advice::other_hierarchy(name, &["frequency"]),
            ])
        }
        None if domain.is_empty() => Error::no_values(name),
        None => Error::column(name, why_not_numbers(column))
            .advise([Advice::StateKind { column: name.clone(), kind: "number" }]),
    }
}

/// Returns the reason that values which could be read as numbers are not.
fn why_not_numbers(column: &Column) -> &'static str {
    let domain = &column.domain;
    let spellings: Vec<_> = (0..domain.len()).map(|code| domain.values.spelling(code)).collect();
    let longest = spellings.iter().map(|text| text.trim().len()).max().unwrap_or(0);
    if spellings.iter().any(|text| looks_like_code(text)) {
        "its values look like codes, not numbers: some begin with 0 or have too many digits"
    } else if are_codes(&column.name, longest) {
        "its name says that its values are codes, not numbers"
    } else {
        "its values are read as words, not as numbers"
    }
}

/// Builds a tree from the root down.
///
/// `split` divides a range of more than one value into two or more neighbouring parts and appends
/// their starts to its last argument.
pub(crate) fn grow_down(
    n_values: usize,
    mut split: impl FnMut(usize, usize, &mut Vec<usize>),
) -> Ranges {
    let mut ranges = Vec::with_capacity(2 * n_values);
    // A stack instead of recursion, because a tree can be as deep as there are values.
    let mut open = vec![(0, n_values)];
    let mut starts = Vec::new();
    while let Some((start, end)) = open.pop() {
        ranges.push((start as u32, end as u32));
        if end - start > 1 {
            starts.clear();
            split(start, end, &mut starts);
            if starts.len() < 2 {
                // Values too close to be separated become the children of this range.
                starts.clear();
                starts.extend(start..end);
            }
            // Pushed in reverse, so that parts are popped from left to right: pre-order.
            let ends = starts.iter().skip(1).copied().chain([end]);
            open.extend(starts.iter().copied().zip(ends).collect::<Vec<_>>().into_iter().rev());
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn the_reason_why_digits_are_not_numbers_is_said() {
        let refused = |name: &str, rows: &[[&str; 1]]| {
            let table = Table::from_rows(&[name], rows).unwrap();
            Line::of(&table.columns()[0]).unwrap_err().to_string()
        };
        let named = refused("zip", &[["90000"], ["90059"]]);
        assert!(named.contains("its name says that its values are codes"), "{named}");
        let shaped = refused("x", &[["02139"], ["90059"]]);
        assert!(shaped.contains("some begin with 0 or have too many digits"), "{shaped}");
    }
}
