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
use crate::hierarchy::{Generalization, Hierarchy};
use crate::method::{Described, Description, Parameter, Text, Type};
use crate::table::{Column, Kind};
use crate::{Error, Result, file};

/// Divides values that stand in a given order into neighbours, and each part again.
///
/// A group is called `[low, medium]` by its first and last value that occur. Parts have nearly equally
/// many values, or with `by=records` nearly equally many records.
///
/// # Complexity
///
/// `O(m)` for each level of the tree, `O(m)` memory.
///
/// # Guarantees
///
/// Deterministic. Every group is a stretch of the order without gaps.
///
/// # References
///
/// The rules of `equal-width` and `equal-frequency` (METHODS 1.10) on places in an order instead of
/// numbers.
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
    /// The values in their order; some may not occur.
    pub order: Text,
    /// A file that has the order instead, one value a line.
    pub order_file: Option<PathBuf>,
    /// Into how many parts a group is divided; at least 2.
    pub fan_out: usize,
    /// What parts have equally many of.
    pub by: Basis,
}

/// What parts of an order have equally many of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// Values.
    Values,
    /// Records.
    Records,
}

impl Default for Ordered {
    /// Halves of the values: the finest tree, which loses least on Adult's education.
    fn default() -> Self {
        Self { order: Text::default(), order_file: None, fan_out: 2, by: Basis::Values }
    }
}

impl Described for Ordered {
    const DESCRIPTION: Description = Description {
        name: "ordered",
        about: "any kind: neighbours in an order that is given",
        reference: None,
        needs: &[],
        parameters: &[
            Parameter::new(
                "order",
                Type::List(&Type::Text),
                "the values in their order; some may not occur",
            ),
            Parameter::new(
                "order-file",
                Type::File,
                "a file that has the order instead, one value a line",
            ),
            Parameter::new("fan-out", Type::at_least(2), "into how many parts a group is divided")
                .or("2"),
            Parameter::new(
                "by",
                Type::Choice(&["values", "records"]),
                "what parts have equally many of",
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
        let mut labels: Vec<Box<str>> =
            (0..tree.len() as u32).map(|node| tree.label(node).into()).collect();
        labels[0] = "*".into();
        let tree = tree.with_labels(labels);
        let is_odd = column.domain.values.kind() == Kind::Date && !order.is_sorted();
        match lint::misplaced_value(&tree) {
            None if !is_odd => Ok(tree.into()),
            _ => {
                let (first, last) = (tree.spelling(0), tree.spelling(tree.n_leaves() as u32 - 1));
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
    /// The codes of a column in the order that is given.
    fn codes_in_order(&self, column: &Column) -> Result<Vec<u32>> {
        let text = match &self.order_file {
            Some(path) => file::read_to_string(path)?,
            None => String::new(),
        };
        let values: Vec<&str> = match (&self.order_file, self.order.items().next()) {
            (None, Some(_)) => self.order.items().collect(),
            (Some(_), None) => {
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
