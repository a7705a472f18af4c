//! Hierarchies of categories that have an order.

use std::path::PathBuf;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use super::{demand_values, first_in_table, leaves_in_order};
use crate::builder::{
    EqualFrequency, EqualWidth, HierarchyBuilder,
    numeric::{Line, NumericBuilder},
};
use crate::error::Advice;
use crate::format::lint;
use crate::hierarchy::{Generalization, Hierarchy, Leaf};
use crate::method::{Described, Description, Parameter, Text, Type};
use crate::table::{Column, Kind};
use crate::{Error, Result, file};

/// Recursively divides values in a given order into runs of neighbours.
///
/// A group such as `[low, medium]` is labelled with its first and last value that occur in the
/// column. The parts of a group have nearly equal numbers of values or, with `by=records`, of
/// records.
///
/// # Complexity
///
/// `O(m)` for each level of the tree, `O(m)` memory.
///
/// # Guarantees
///
/// Deterministic. Every group is a contiguous run of the order.
///
/// # References
///
/// Applies the rules of `equal-width` and `equal-frequency` (METHODS 1.10) to positions in an order
/// instead of numbers.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{HierarchyBuilder, Ordered};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["pain"], &[["none"], ["severe"], ["mild"], ["mild"]])?;
/// let ordered = Ordered { order: "none+mild+moderate+severe".into(), ..Ordered::default() };
/// let tree = ordered.build(&table.columns()[0])?;
/// assert_eq!(tree.hierarchy().unwrap().outline(), "*(none,[mild-severe](mild,severe))");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Ordered {
    /// The values in order; some of them need not occur in the column.
    pub order: Text,
    /// A file with the order, one value per line, used instead of `order`.
    pub order_file: Option<PathBuf>,
    /// Number of parts into which a group is divided; at least 2.
    pub fan_out: usize,
    /// Whether parts have equally many values or records.
    pub by: Basis,
}

/// Whether the parts of an order have equally many values or records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// Equally many distinct values.
    Values,
    /// Equally many records.
    Records,
}

impl Default for Ordered {
    /// Halves of the values, which give the finest tree and lose least on Adult's education column.
    fn default() -> Self {
        Self { order: Text::default(), order_file: None, fan_out: 2, by: Basis::Values }
    }
}

impl Described for Ordered {
    const DESCRIPTION: Description = Description {
        name: "ordered",
        about: "any kind: groups neighbours in a given order",
        reference: None,
        needs: &[],
        parameters: &[
            Parameter::new(
                "order",
                Type::List(&Type::Text),
                "the values in order; some need not occur",
            ),
            Parameter::new(
                "order-file",
                Type::File,
                "a file with the order, one value per line, instead of order",
            ),
            Parameter::new("fan-out", Type::at_least(2), "number of parts a group is divided into")
                .or("2"),
            Parameter::new(
                "by",
                Type::Choice(&["values", "records"]),
                "whether parts have equally many values or records",
            )
            .or("values"),
        ],
    };
}

impl HierarchyBuilder for Ordered {
    fn grow(&self, column: &Column) -> Result<Generalization> {
        demand_values(column)?;
        let order = self.codes_in_order(column)?;
        let leaves = leaves_in_order(column, &order);
        // Positions in the order serve as numbers, so equal width means equally many values.
        let positions = (0..order.len()).map(|place| place as f64).collect();
        let line = Line { positions, counts: leaves.counts.clone() };
        let ranges = match self.by {
            Basis::Records => EqualFrequency { fan_out: self.fan_out }.ranges(&line)?,
            Basis::Values => EqualWidth { fan_out: self.fan_out }.ranges(&line)?,
        };
        let tree = Hierarchy::from_ranges(leaves, &ranges)?;
        if tree.n_leaves() == 1 {
            return Ok(tree.into());
        }
        let mut labels: Vec<Box<str>> = tree.nodes().map(|node| tree.label(node).into()).collect();
        labels[0] = "*".into();
        let tree = tree.with_labels(labels);
        // Readers take `[a, b]` of numbers or dates as a range, so such values must be in ascending
        // order.
        let is_odd = column.domain.values.kind() == Kind::Date && !order.is_sorted();
        match lint::misplaced_value(&tree) {
            None if !is_odd => Ok(tree.into()),
            _ => {
                let last = Leaf::new(tree.n_leaves() - 1);
                let (first, last) = (tree.spelling(Leaf::new(0)), tree.spelling(last));
                let problem = format!(
                    "the order for the method 'ordered' is not that of its numbers or dates, so a group \
                     such as [{first}, {last}] would be mistaken for a range"
                );
                Err(Error::column(&column.name, problem).advise([
                    Advice::words("give the values in ascending order"),
                    Advice::other_hierarchy(&column.name, &[]),
                ]))
            }
        }
    }
}

impl Ordered {
    /// Returns the codes of the column's values in the given order.
    fn codes_in_order(&self, column: &Column) -> Result<Vec<u32>> {
        let text = match &self.order_file {
            Some(path) => file::read_to_string(path)?,
            None => String::new(),
        };
        let named: Vec<String> = self.order.items().collect();
        let values: Vec<&str> = match (&self.order_file, named.first()) {
            (None, Some(_)) => named.iter().map(String::as_str).collect(),
            (Some(_), None) => {
                // Spreadsheets may save text files with a byte order mark.
                let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
                lines.filter(|line| !line.is_empty()).collect()
            }
            _ => {
                let problem = "or order-file must be given, and not both";
                return Err(Error::parameter("ordered", "order", None, problem).advise([
                    Advice::words("write ordered:order=low+medium+high"),
                    Advice::words("write ordered:order-file=FILE with one value per line"),
                ]));
            }
        };
        // A repeated value would have two positions.
        let mut places: HashMap<&str, usize> = HashMap::with_capacity(values.len());
        for (place, &value) in values.iter().enumerate() {
            if places.insert(value, place).is_some() {
                let problem = format!("has the value '{value}' twice");
                return Err(Error::parameter("ordered", "order", None, problem)
                    .advise([Advice::words("keep one of them")]));
            }
        }
        let domain = &column.domain;
        if let Some((code, row)) = first_in_table(column, |text| !places.contains_key(text.trim()))
        {
            let value = domain.values.spelling(code);
            return Err(Error::value(&column.name, &*value, row, "is not in the given order")
                .advise([
                    Advice::words("add it where it belongs"),
                    Advice::ListAsMissing { value: Some(value.to_string()) },
                ]));
        }
        let mut codes: Vec<u32> = (0..domain.len() as u32).collect();
        // Every value has a position here; others were refused above.
        codes.sort_by_key(|&code| places.get(domain.values.spelling(code as usize).trim()));
        Ok(codes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    fn outline(ordered: &Ordered) -> Result<String> {
        let rows = [["b"], ["a"], ["a"], ["a"], ["d"], ["c"]];
        let table = Table::from_rows(&["x"], &rows).unwrap();
        Ok(ordered.build(&table.columns()[0])?.hierarchy().unwrap().outline())
    }

    #[test]
    fn parts_are_equal_by_records_or_by_values() {
        let by = |by| Ordered { order: "d+c+b+a".into(), by, ..Ordered::default() };
        let halves = "*([d-c](d,c),[b-a](b,a))";
        assert_eq!(outline(&by(Basis::Values)).unwrap(), halves);
        assert_eq!(outline(&by(Basis::Records)).unwrap(), "*([d-b]([d-c](d,c),b),a)");
    }

    #[test]
    fn the_order_must_be_there_and_whole() {
        let message = |order: &str| {
            outline(&Ordered { order: order.into(), ..Ordered::default() }).unwrap_err().to_string()
        };
        assert!(message("").contains("ordered: order or order-file must be given"));
        assert!(message("a+b+a").contains("order has the value 'a' twice"));
        assert!(message("a+c+b").contains("'d' (row 5) is not in the given order"));
    }
}
