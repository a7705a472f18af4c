//! Hierarchies of dates that follow the calendar.

use serde::{Deserialize, Serialize};

use super::HierarchyBuilder;
use super::even::{self, Placed};
use crate::error::Advice;
use crate::hierarchy::{Generalization, Leaves, Period, Span};
use crate::method::{Described, Description, Need, Parameter, Text, Type};
use crate::table::{Column, Scale, Values, no_dates};
use crate::{Error, Result};

/// Groups dates and timestamps by day, month, quarter, year, and 5, 10, 20 and 40 years.
///
/// Every date has the same levels above it. A level that merges nothing in this column, or
/// everything, is left out: days if no date has a time, years if all dates are in one year. The
/// root has the narrowest of these names that is true of all dates: the period that contains them
/// (`2024-Q1`), or the years from the first date to the last (`[2020, 2021]`). Several years are
/// named only as far as there are dates: `[2020, 2021]` if the last date is in 2021. A week can
/// overlap two months, quarters or years, so `week` cannot be combined with `month` or `quarter`,
/// and years above weeks consist of whole weeks, as defined by ISO 8601. Two years can overlap two
/// groups of five, so `2-years` cannot be combined with `5-years`. Timestamps with an offset are
/// placed by their day in UTC.
///
/// # Complexity
///
/// `O(m)` for `m` distinct dates.
///
/// # Guarantees
///
/// The label of a group names the period it covers (`2024-03`, `2024-Q1`, `2024`, `[2020, 2024]`,
/// `2020s`, `2024-W09`). A group costs the fraction of the column's time span that it covers. Label
/// and cost can both be derived from a release alone.
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
///     "[2023-2024](2023(2023-Q4(31.12.2023)),2024(2024-Q1(01.01.2024,29.02.2024),2024-Q2(30.06.2024)))"
/// );
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Calendar {
    /// The levels between a date and the root: any of `hour`, `day`, `week`, `month`, `quarter`,
    /// `year`, `2-years`, `5-years`, `decade`, `20-years` and `40-years`.
    pub levels: Text,
}

impl Default for Calendar {
    /// The familiar parts of a date, and several years, so that dates of birth have a narrower
    /// label than all of them together.
    fn default() -> Self {
        Self { levels: "day+month+quarter+year+5-years+decade+20-years+40-years".into() }
    }
}

impl Described for Calendar {
    const DESCRIPTION: Description = Description {
        name: "calendar",
        about: "dates: day, month, quarter, year, 5, 10, 20 and 40 years",
        reference: Some("ISO8601"),
        needs: &[Need::Dates],
        parameters: &[Parameter::new(
            "levels",
            Type::List(&Type::Choice(LEVELS)),
            "the levels between a date and the root",
        )
        .or("day+month+quarter+year+5-years+decade+20-years+40-years")],
    };
}

/// Names of the levels, from fine to coarse.
const LEVELS: &[&str] = &[
    "hour", "day", "week", "month", "quarter", "year", "2-years", "5-years", "decade", "20-years",
    "40-years",
];

/// The spans of [`LEVELS`], in the same order.
const SPANS: [Span; LEVELS.len()] = [
    Span::Hour,
    Span::Day,
    Span::Week,
    Span::Month,
    Span::Quarter,
    Span::Year,
    Span::TwoYears,
    Span::FiveYears,
    Span::Decade,
    Span::TwentyYears,
    Span::FortyYears,
];

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
        let placed = even::lay_out(scale.len(), &starts, 2)?;
        let leaves = Leaves::of(&column.name, &column.domain);
        let label = |level: usize, leaf: u32| {
            let period = period(spans[level], leaf as usize);
            clipped_label(scale, period, &spans).unwrap_or_else(|| period.label())
        };
        let tree = even::tree(leaves, &placed, label)?.with_root_label(root_label(scale, &spans));
        Ok(tree.with_bounds(bounds(scale, &placed, &spans)).into())
    }
}

impl Calendar {
    /// Returns the requested levels, from fine to coarse.
    fn spans(&self) -> Result<Vec<Span>> {
        // Unknown names were refused by validation.
        let named = |name: &str| LEVELS.iter().position(|level| *level == name);
        let places = self.levels.items().filter_map(|name| named(&name));
        let mut spans: Vec<Span> = places.map(|place| SPANS[place]).collect();
        if spans.is_empty() {
            return Err(Error::parameter("calendar", "levels", None, "is empty")
                .advise([Advice::words("name some, as in levels=month+year")]));
        }
        // `Span` is ordered from fine to coarse, so users may list levels in any order.
        spans.sort_unstable();
        spans.dedup();
        if spans.contains(&Span::TwoYears) && spans.contains(&Span::FiveYears) {
            let problem = "two years can lie in two groups of five years, so these cannot be above";
            return Err(self.refused(problem, "leave 2-years or 5-years out"));
        }
        if !spans.contains(&Span::Week) {
            return Ok(spans);
        }
        if spans.contains(&Span::Month) || spans.contains(&Span::Quarter) {
            let problem = "a week can lie in two months or quarters, so they cannot be above weeks";
            return Err(self
                .refused(problem, "write levels=day+week+year")
                .advise([Advice::words("leave week out")]));
        }
        // Calendar years do not consist of whole weeks; ISO 8601's week-based years do.
        spans.iter_mut().for_each(|span| *span = span.of_weeks());
        Ok(spans)
    }

    /// The error for levels that do not nest.
    fn refused(&self, problem: &str, advice: &'static str) -> Error {
        let value = Some(self.levels.as_str());
        Error::parameter("calendar", "levels", value, problem).advise([Advice::words(advice)])
    }
}

/// Returns the name of several years without those before the first and after the last date of the
/// column; `None` for other periods, and if single years are not to be published.
fn clipped_label(scale: &Scale, period: Period, spans: &[Span]) -> Option<String> {
    let has_years = spans.iter().any(|span| !span.is_of_years());
    let ends = (scale.value(0), scale.value(scale.len() - 1));
    period.years_within(ends).filter(|_| has_years)
}

/// Returns the narrowest name of all dates: the finest period that contains them or, if there is
/// none, the time from the first to the last year (or, without years, the coarsest finer period).
fn root_label(scale: &Scale, spans: &[Span]) -> String {
    let ends = |&span: &Span| [0, scale.len() - 1].map(|leaf| Period::of(span, scale.floor(leaf)));
    // `[2020, 2021]` is narrower than the five years or the decade that contain it.
    let mut found = spans.iter().filter(|span| !span.is_of_years()).map(ends);
    if let Some([only, _]) = found.find(|[first, last]| first == last) {
        return only.label();
    }
    let is_year = |span: &&Span| matches!(span, Span::Year | Span::WeekYear);
    let finer = |span: &&Span| **span < Span::Year;
    let named = spans.iter().find(is_year).or_else(|| spans.iter().rev().find(finer));
    let [first, last] = ends(named.unwrap_or(&spans[0]));
    first.label_to(last)
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

    /// Four dates of 2020 and one of 2021 are not just any dates.
    #[test]
    fn the_root_is_as_narrow_as_its_dates() {
        let root =
            |levels: &str, dates: &[&str]| tree(levels, dates).label(Node::ROOT).into_owned();
        let usual = Calendar::default().levels;
        let usual = usual.as_str();
        assert_eq!(root(usual, &["2020-02-01", "2020-05-01", "2021-01-01"]), "[2020, 2021]");
        assert_eq!(root(usual, &["2020-01-01", "2020-02-01", "2020-03-31"]), "2020-Q1");
        assert_eq!(root(usual, &["2019-12-31", "2020-01-01"]), "[2019, 2020]");
        assert_eq!(root("month", &["2020-01-01", "2020-02-01"]), "[2020-01, 2020-02]");
        assert_eq!(root("decade", &["1999-01-01", "2020-02-01"]), "[1990s, 2020s]");
        assert_eq!(root("5-years", &["1999-01-01", "2020-02-01"]), "[1995, 2024]");
        assert_eq!(root("week+year", &["2020-12-27", "2021-01-04"]), "[2020-W01, 2021-W52]");
    }

    #[test]
    fn years_are_grouped_by_five() {
        let found =
            tree("year+5-years+decade", &["2019-01-01", "2020-01-01", "2021-01-01", "2025-01-01"]);
        assert_eq!(
            found.outline(),
            "[2019-2025](2010s(2019(2019-01-01)),2020s([2020-2024](2020-01-01,2021-01-01),2025(2025-01-01)))"
        );
        let found = tree("5-years", &["2019-01-01", "2020-01-01", "2021-01-01"]);
        assert_eq!(
            found.outline(),
            "[2015-2024]([2015-2019](2019-01-01),[2020-2024](2020-01-01,2021-01-01))",
            "without single years"
        );
        let both = Calendar { levels: "2-years+5-years".into() };
        assert!(both.spans().unwrap_err().to_string().contains("groups of five"));
    }

    /// Dates of birth: above a decade there is more than all dates.
    #[test]
    fn decades_are_grouped_too() {
        let usual = Calendar::default().levels;
        let born =
            ["1945-03-01", "1968-05-01", "1979-01-01", "1983-02-01", "1994-07-01", "2008-01-01"];
        let tree = tree(usual.as_str(), &born);
        let above = |one: usize, other: usize| {
            tree.label(tree.lowest_common_ancestor(Leaf::new(one), Leaf::new(other))).into_owned()
        };
        assert_eq!(above(3, 4), "[1980, 1999]");
        assert_eq!(above(1, 3), "[1960, 1999]");
        assert_eq!(above(0, 1), "[1945, 2008]");
    }

    #[test]
    fn weeks_and_months_do_not_nest() {
        let calendar = Calendar { levels: "week+month".into() };
        assert!(calendar.spans().unwrap_err().to_string().contains("two months"));
        let calendar = Calendar { levels: "weeks".into() };
        assert!(calendar.validate().unwrap_err().to_string().contains("did you mean 'week'?"));
    }
}
