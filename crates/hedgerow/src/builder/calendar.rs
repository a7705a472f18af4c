//! Hierarchies of dates that follow the calendar.

use serde::{Deserialize, Serialize};

use super::HierarchyBuilder;
use super::even::{self, Placed};
use crate::error::Advice;
use crate::hierarchy::{Generalization, Leaves, Period, Span};
use crate::method::{Described, Description, Need, Parameter, Text, Type};
use crate::table::{Column, Scale, Values, no_dates};
use crate::{Error, Result};

/// Groups dates and timestamps by day, month, quarter, year and decade.
///
/// Every date has the same levels above it, with `*` as the root. A level that merges nothing in
/// this column, or everything, is left out: days if no date has a time, years if all dates are in
/// one year. A week can overlap two months, quarters or years, so `week` cannot be combined with
/// `month` or `quarter`, and `year` and `decade` above weeks consist of whole weeks, as defined by
/// ISO 8601. Timestamps with an offset are placed by their day in UTC.
///
/// # Complexity
///
/// `O(m)` for `m` distinct dates.
///
/// # Guarantees
///
/// The label of a group names the period it covers (`2024-03`, `2024-Q1`, `2024`, `2020s`,
/// `2024-W09`). A group costs the fraction of the column's time span that it covers. Label and cost
/// can both be derived from a release alone.
///
/// # References
///
/// \[ISO8601\] dates, weeks and their names; quarters and decades are named by analogy.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{Calendar, HierarchyBuilder};
/// use hedgerow::table::Table;
/// let rows = [["31.12.2023"], ["01.01.2024"], ["29.02.2024"], ["30.06.2024"]];
/// let table = Table::from_rows(&["born"], &rows)?;
/// let calendar = Calendar { levels: "quarter+year".into() };
/// let tree = calendar.build(&table.columns()[0])?;
/// assert_eq!(
///     tree.hierarchy().unwrap().outline(),
///     "*(2023(2023-Q4(31.12.2023)),2024(2024-Q1(01.01.2024,29.02.2024),2024-Q2(30.06.2024)))"
/// );
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Calendar {
    /// The levels between a date and `*`: any of `hour`, `day`, `week`, `month`, `quarter`, `year`
    /// and `decade`.
    pub levels: Text,
}

impl Default for Calendar {
    /// The familiar parts of a date: day, month, quarter, year and decade.
    fn default() -> Self {
        Self { levels: "day+month+quarter+year+decade".into() }
    }
}

impl Described for Calendar {
    const DESCRIPTION: Description = Description {
        name: "calendar",
        about: "dates: day, month, quarter, year, decade",
        reference: Some("ISO8601"),
        needs: &[Need::Dates],
        parameters: &[Parameter::new(
            "levels",
            Type::List(&Type::Choice(LEVELS)),
            "the levels between a date and the root",
        )
        .or("day+month+quarter+year+decade")],
    };
}

/// Names of the levels, from fine to coarse.
const LEVELS: &[&str] = &["hour", "day", "week", "month", "quarter", "year", "decade"];

/// The spans of [`LEVELS`], in the same order.
const SPANS: [Span; LEVELS.len()] =
    [Span::Hour, Span::Day, Span::Week, Span::Month, Span::Quarter, Span::Year, Span::Decade];

impl HierarchyBuilder for Calendar {
    fn grow(&self, column: &Column) -> Result<Generalization> {
        let spans = self.spans()?;
        let Values::Date(scale, _) = &column.domain.values else {
            return Err(no_dates(column));
        };
        if scale.is_empty() {
            return Err(Error::no_values(&column.name));
        }
        // Dates are sorted, so a period is a run of consecutive leaves and starts where its number
        // changes.
        let period = |span: Span, leaf: usize| Period::of(span, scale.floor(leaf));
        let starts_of = |&span: &Span| {
            even::starts_where_changed(scale.len(), |leaf| period(span, leaf).number())
        };
        let starts: Vec<_> = spans.iter().map(starts_of).collect();
        let placed = even::lay_out(scale.len(), &starts)?;
        let leaves = Leaves::of(&column.name, &column.domain);
        let label = |level: usize, leaf: u32| period(spans[level], leaf as usize).label();
        let tree = even::tree(leaves, &placed, label)?;
        Ok(tree.with_bounds(bounds(scale, &placed, &spans)).into())
    }
}

impl Calendar {
    /// Returns the requested levels, from fine to coarse.
    fn spans(&self) -> Result<Vec<Span>> {
        // Unknown names were refused by validation.
        let named = |name: &str| LEVELS.iter().position(|level| *level == name);
        let places = self.levels.items().filter_map(named);
        let mut spans: Vec<Span> = places.map(|place| SPANS[place]).collect();
        if spans.is_empty() {
            return Err(Error::parameter("calendar", "levels", None, "is empty")
                .advise([Advice::words("name some, as in levels=month+year")]));
        }
        // `Span` is ordered from fine to coarse, so users may list levels in any order.
        spans.sort_unstable();
        spans.dedup();
        if !spans.contains(&Span::Week) {
            return Ok(spans);
        }
        if spans.contains(&Span::Month) || spans.contains(&Span::Quarter) {
            let problem = "a week can lie in two months or quarters, so they cannot be above weeks";
            let value = Some(self.levels.as_str());
            return Err(Error::parameter("calendar", "levels", value, problem).advise([
                Advice::words("write levels=day+week+year"),
                Advice::words("leave week out"),
            ]));
        }
        // Calendar years do not consist of whole weeks; ISO 8601's week-based years do.
        for span in &mut spans {
            *span = match *span {
                Span::Year => Span::WeekYear,
                Span::Decade => Span::WeekDecade,
                other => other,
            };
        }
        Ok(spans)
    }
}

/// Returns the time interval of each node, clipped to the first and last date of the column.
fn bounds(scale: &Scale, placed: &[Placed], spans: &[Span]) -> Vec<(f64, f64)> {
    placed.iter().map(|node| bounds_of(scale, node, spans)).collect()
}

/// Returns the time interval of one node, clipped in the same way.
fn bounds_of(scale: &Scale, node: &Placed, spans: &[Span]) -> (f64, f64) {
    let (first, last) = (node.range.0 as usize, node.range.1 as usize - 1);
    // The root and the leaves have no period; they span their own dates.
    let Some(level) = node.level else {
        return (scale.value(first), scale.value(last));
    };
    let (least, greatest) = (scale.value(0), scale.value(scale.len() - 1));
    let (from, to) = Period::of(spans[level], scale.floor(first)).range();
    (from.max(least), to.min(greatest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::{Hierarchy, Leaf, Node};
    use crate::method::Validate;
    use crate::table::Table;

    fn tree(levels: &str, dates: &[&str]) -> Hierarchy {
        let rows: Vec<[&str; 1]> = dates.iter().map(|&date| [date]).collect();
        let table = Table::from_rows(&["d"], &rows).unwrap();
        let built = Calendar { levels: levels.into() }.build(&table.columns()[0]).unwrap();
        built.hierarchy().unwrap().clone()
    }

    #[test]
    fn a_group_costs_its_share_of_the_time() {
        let tree =
            tree("month", &["2024-01-01", "2024-01-31", "2024-02-01", "2024-02-29", "2024-03-01"]);
        let costs: Vec<f64> = [1, 4, 7].iter().map(|&node| tree.costs()[node] * 60.0).collect();
        assert!((costs[0] - 31.0).abs() < 1e-6 && (costs[1] - 29.0).abs() < 1e-6, "{costs:?}");
        assert_eq!((tree.label(Node::new(7)), tree.costs()[0]), ("2024-03".into(), 1.0));
    }

    #[test]
    fn the_last_nanosecond_of_a_day_is_in_it() {
        let moments = ["2024-03-05T23:59:59.999999999", "2024-03-06", "2024-03-05", "2024-03-07"];
        assert_eq!(tree("day", &moments).label(Node::new(1)), "2024-03-05");
        assert_eq!(tree("day", &moments).leaves_of(Node::new(1)), Leaf::first(2));
    }

    #[test]
    fn weeks_and_months_do_not_nest() {
        let calendar = Calendar { levels: "week+month".into() };
        assert!(calendar.spans().unwrap_err().to_string().contains("two months"));
        let calendar = Calendar { levels: "weeks".into() };
        assert!(calendar.validate().unwrap_err().to_string().contains("did you mean 'week'?"));
    }
}
