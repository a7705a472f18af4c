//! Positions to which an interval's end can move so that it does not reveal a value.

use super::leaf::Leaf;
use super::period::{Period, Span};
use crate::table::{DateFormat, Reading, Scale, Unit, Values};

/// An end of an interval.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct End {
    /// The outermost leaf that the interval covers.
    pub(crate) leaf: Leaf,
    /// The end as a number; for dates, seconds since 1970.
    pub(crate) value: f64,
    /// Text of the end.
    pub(crate) text: Box<str>,
    /// Whether the text is the value of the leaf.
    pub(crate) is_value: bool,
}

/// Finds ends of intervals among the values of a column.
pub(super) struct Ends<'a> {
    values: &'a Values,
    scale: &'a Scale,
}

/// A number that an end moves to, with its text.
type Stop = (f64, String);

impl<'a> Ends<'a> {
    /// Returns `None` unless the values are numbers or dates, because other values have no
    /// intervals.
    pub(super) fn of(values: &'a Values) -> Option<Self> {
        values.scale().map(|scale| Self { values, scale })
    }

    /// Returns the value of a leaf as an end.
    pub(super) fn at(&self, leaf: usize) -> End {
        let text = self.values.spelling(leaf).into();
        End { leaf: Leaf::new(leaf), value: self.scale.value(leaf), text, is_value: true }
    }

    /// Returns an end below a leaf: the roundest number above the previous leaf, or `outer`, the
    /// end of the previous leaf, if no number lies in between. A number above `taken`, the end of
    /// intervals up to the previous leaf, is preferred, so that intervals do not share an end.
    pub(super) fn below(&self, leaf: usize, outer: Option<&End>, taken: Option<&End>) -> End {
        let stop = match (leaf.checked_sub(1), self.values) {
            (before, Values::Date(scale, format)) => Dates { scale, format }.below(before, leaf),
            (before, _) => {
                let below = |limit| number(self.scale, limit, leaf, Side::Below);
                // An end beyond this leaf belongs to intervals that reach further.
                let is_between = |end: &&End| {
                    !end.is_value
                        && end.value < self.scale.value(leaf)
                        && Some(end.leaf.index()) == before
                };
                let free = taken.filter(is_between).and_then(|end| below(Some(Limit::End(end))));
                free.or_else(|| below(before.map(Limit::Leaf)))
            }
        };
        self.end(leaf, stop, outer)
    }

    /// Returns an end above a leaf, in the same way.
    pub(super) fn above(&self, leaf: usize, outer: Option<&End>) -> End {
        let after = Some(leaf + 1).filter(|&after| after < self.scale.len());
        let stop = match self.values {
            Values::Date(scale, format) => Dates { scale, format }.above(leaf, after),
            _ => number(self.scale, after.map(Limit::Leaf), leaf, Side::Above),
        };
        self.end(leaf, stop, outer)
    }

    fn end(&self, leaf: usize, stop: Option<Stop>, outer: Option<&End>) -> End {
        match (stop, outer) {
            (Some((value, text)), _) => {
                End { leaf: Leaf::new(leaf), value, text: text.into(), is_value: false }
            }
            (None, Some(outer)) => outer.clone(),
            (None, None) => self.at(leaf), // the number is too large for another one beyond it
        }
    }
}

/// A limit that an end must not reach: the value of the next leaf, or the end of another interval.
#[derive(Clone, Copy)]
enum Limit<'a> {
    Leaf(usize),
    End(&'a End),
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Below,
    Above,
}

impl Side {
    /// Returns how far `stop` is beyond `value`; negative if it is on the other side.
    fn distance(self, value: f64, stop: f64) -> f64 {
        match self {
            Self::Below => value - stop,
            Self::Above => stop - value,
        }
    }
}

/// Returns the roundest number between a leaf and a limit, the nearest to the leaf if there are
/// several. Without a limit, the distance depends on the width of the scale.
fn number(scale: &Scale, limit: Option<Limit<'_>>, leaf: usize, side: Side) -> Option<Stop> {
    let Some((ticks, decimals)) = scale.ticks() else {
        return float(scale, limit, leaf, side);
    };
    let unit = 10f64.powi(decimals as i32);
    let tick_of = |limit: Limit<'_>| match limit {
        Limit::Leaf(leaf) => i128::from(ticks[leaf]),
        Limit::End(end) => (end.value * unit).round() as i128,
    };
    let tick = i128::from(ticks[leaf]);
    let width = i128::from(ticks[ticks.len() - 1]) - i128::from(ticks[0]);
    // A step larger than the gap can still have a multiple inside it (1300 in 1278..1390), so steps
    // up to ten times the gap are tried.
    let (gap, most) = match limit {
        Some(limit) => {
            let gap = (tick_of(limit) - tick).abs();
            (gap, 10 * gap)
        }
        None => (0, (width / 8).max(1)),
    };
    let reach = |step: i128| match side {
        // The multiple must differ from the value itself, hence `tick - 1` here and `+ 1` above.
        Side::Below => (tick - 1).div_euclid(step) * step,
        Side::Above => (tick.div_euclid(step) + 1) * step,
    };
    let is_inside = |stop: &i128| limit.is_none() || (stop - tick).abs() < gap;
    let nearest = steps(most).map(reach).find(is_inside)?;
    // Close to the limits of `i64` there may be no number beyond the leaf.
    let stop = i64::try_from(nearest).ok()?;
    Some((stop as f64 / unit, scale.spell_tick(stop)))
}

/// Returns 1, 2 and 5 times the powers of ten, up to `most`, in descending order.
fn steps(most: i128) -> impl Iterator<Item = i128> {
    let powers: Vec<i128> = std::iter::successors(Some(1i128), |power| power.checked_mul(10))
        .take_while(|&power| power <= most)
        .collect();
    let steps = powers.into_iter().rev().flat_map(|power| [5 * power, 2 * power, power]);
    steps.filter(move |&step| step <= most)
}

/// Like [`number`] for floating-point numbers, with steps down to a thousandth of the gap.
fn float(scale: &Scale, limit: Option<Limit<'_>>, leaf: usize, side: Side) -> Option<Stop> {
    let value = scale.value(leaf);
    let value_of = |limit: Limit<'_>| match limit {
        Limit::Leaf(leaf) => scale.value(leaf),
        Limit::End(end) => end.value,
    };
    let (least, greatest) = scale.ends()?;
    let width = if greatest > least { greatest - least } else { value.abs().max(1.0) };
    let gap = limit.map_or(width / 8.0, |limit| (value_of(limit) - value).abs());
    // Powers of ten beyond these bounds overflow or underflow.
    let top = (gap.log10().floor() as i32).clamp(-300, 300);
    let is_inside = |stop: &f64| {
        let distance = side.distance(value, *stop);
        distance > 0.0 && (limit.is_none() || distance < gap)
    };
    // Coarse steps first: the first that fits is the roundest number.
    let powers = (top - 3..=top + 1).rev();
    let stop = powers.filter_map(|power| next_multiple(value, power, side)).find(is_inside)?;
    Some((stop, scale.spell(stop)))
}

/// Returns the nearest multiple of `10^power` beyond a value.
fn next_multiple(value: f64, power: i32, side: Side) -> Option<f64> {
    let step = 10f64.powi(power);
    let multiple = match side {
        Side::Below => (value / step).ceil() - 1.0,
        Side::Above => (value / step).floor() + 1.0,
    } * step;
    // Formatting and parsing removes rounding noise from a multiple of a power of ten.
    let text = format!("{multiple:.*}", usize::try_from(-power).unwrap_or(0));
    text.parse::<f64>().ok()
}

/// Dates with their format.
struct Dates<'a> {
    scale: &'a Scale,
    format: &'a DateFormat,
}

impl Dates<'_> {
    /// Returns the start of the longest calendar period that contains the leaf and starts after the
    /// leaf before it: its year, month or day. A leaf that is the first moment of its day uses the
    /// previous day instead.
    fn below(&self, before: Option<usize>, leaf: usize) -> Option<Stop> {
        if let Some(span) = self.finest() {
            let parts = [self.period(Span::Year, leaf), self.period(span, leaf).previous()];
            return self.first_between(before, leaf, Side::Below, &parts);
        }
        let own_day = self.period(Span::Day, leaf);
        let day = if self.begins_with(own_day, leaf) { own_day.previous() } else { own_day };
        let parts = [self.period(Span::Year, leaf), self.period(Span::Month, leaf), day];
        self.first_between(before, leaf, Side::Below, &parts)
    }

    /// Returns the end of the longest calendar period that contains the leaf and ends before the
    /// next leaf: its year, month or day, or else the last hour of its day. A leaf that is the
    /// first moment of its day uses the next day instead.
    fn above(&self, leaf: usize, after: Option<usize>) -> Option<Stop> {
        if let Some(span) = self.finest() {
            let parts = [self.period(Span::Year, leaf), self.period(span, leaf).next()];
            return self.first_between(after, leaf, Side::Above, &parts);
        }
        let own_day = self.period(Span::Day, leaf);
        let day = if self.begins_with(own_day, leaf) { own_day.next() } else { own_day };
        // The name of a day is parsed as its first moment among timestamps; the name of an hour is
        // not.
        let last_hour = Period::of(Span::Hour, day.range().1.floor() as i64);
        let hour = if self.begins_with(last_hour, leaf) { last_hour.next() } else { last_hour };
        let parts = [self.period(Span::Year, leaf), self.period(Span::Month, leaf), day, hour];
        self.first_between(after, leaf, Side::Above, &parts)
    }

    /// The period of a date, if dates have no days. The name of the period is the date itself, so
    /// it cannot hide it.
    fn finest(&self) -> Option<Span> {
        match self.format.unit() {
            Unit::Day => None,
            Unit::Month => Some(Span::Month),
            Unit::Quarter => Some(Span::Quarter),
        }
    }

    fn period(&self, span: Span, leaf: usize) -> Period {
        Period::of(span, self.scale.floor(leaf))
    }

    /// Whether a leaf is the first moment of a calendar period.
    fn begins_with(&self, part: Period, leaf: usize) -> bool {
        part.range().0.total_cmp(&self.scale.value(leaf)).is_eq()
    }

    /// Returns the first of the periods whose outer end lies between a leaf and its neighbour.
    fn first_between(
        &self,
        neighbour: Option<usize>,
        leaf: usize,
        side: Side,
        parts: &[Period],
    ) -> Option<Stop> {
        let value = |leaf| self.scale.value(leaf);
        let is_further = |one: f64, other: f64| match side {
            Side::Below => one < other,
            Side::Above => one > other,
        };
        for part in parts {
            let label = part.label();
            // A period's name that is also a date in this format is parsed as one moment.
            let moment = self.format.read(&label).map(Reading::value);
            let (first, last) = part.range();
            // Otherwise the end is the outer edge of the period.
            let end = moment.unwrap_or(if side == Side::Below { first } else { last });
            let is_beyond = moment.is_none_or(|moment| is_further(moment, value(leaf)));
            let is_before = neighbour.is_none_or(|other| is_further(value(other), end));
            if is_beyond && is_before {
                return Some((end, label));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(texts: &[&str]) -> (Values, usize) {
        let (values, _) = Values::infer("x", texts, 1, None);
        let n = values.len();
        (values, n)
    }

    fn moved(texts: &[&str], leaf: usize) -> (String, String) {
        let (values, _) = ends(texts);
        let ends = Ends::of(&values).unwrap();
        let text = |end: End| end.text.into_string();
        (text(ends.below(leaf, None, None)), text(ends.above(leaf, None)))
    }

    #[test]
    fn the_roundest_number_of_a_gap_is_taken() {
        let texts = ["1234", "1278", "1390"];
        assert_eq!(moved(&texts, 1), ("1250".into(), "1300".into()));
        assert_eq!(moved(&texts, 0).0, "1230");
        assert_eq!(moved(&texts, 2).1, "1400");
        assert_eq!(moved(&["-7", "-3", "4"], 1), ("-5".into(), "0".into()));
        assert_eq!(moved(&["0.25", "0.75", "2.50"], 1), ("0.50".into(), "2.00".into()));
    }

    /// `2024-03-03` would be parsed as the first moment of that day.
    #[test]
    fn times_end_with_an_hour() {
        let texts = ["2024-03-03T05:55:00", "2024-03-03T14:10:00", "2024-03-06T11:25:00"];
        assert_eq!(moved(&texts, 1), ("2024-03-03T14:10:00".into(), "2024-03-03T23".into()));
        assert_eq!(moved(&texts, 2), ("2024-03-06".into(), "2024".into()));
    }

    /// `2024-03-03T23` would be parsed as the value itself.
    #[test]
    fn the_last_hour_of_a_day_moves_to_the_next() {
        let texts = ["2024-03-03T23:00:00", "2024-03-04T05:00:00"];
        assert_eq!(moved(&texts, 0).1, "2024-03-04T00");
    }

    #[test]
    fn no_number_lies_between_neighbours() {
        let (values, _) = ends(&["4", "5", "6"]);
        let ends = Ends::of(&values).unwrap();
        let outer = ends.at(0);
        assert_eq!(ends.below(1, Some(&outer), None), outer);
    }

    #[test]
    fn numbers_with_exponents_move_too() {
        let (low, high) = moved(&["1e-3", "2.5e-3", "1"], 1);
        let inside =
            |text: &str, range: std::ops::Range<f64>| range.contains(&text.parse().unwrap());
        assert!(inside(&low, 1e-3..2.5e-3) && inside(&high, 2.5e-3..1.0), "{low} {high}");
    }

    #[test]
    fn an_end_of_months_does_not_name_a_month_that_it_hides() {
        let texts = ["02/1949", "03/1949", "09/1949", "02/1951"];
        let (values, _) = Values::infer("x", &texts, 1, None);
        let ends = Ends::of(&values).unwrap();
        let [below, above] = [ends.below(2, None, None), ends.above(2, None)];
        assert_eq!((&*below.text, &*above.text), ("1949-08", "1949"));
        let outer = ends.at(0);
        assert_eq!(&*ends.below(1, Some(&outer), None).text, "02/1949", "no month lies in between");
        assert_eq!(&*ends.below(3, None, None).text, "1951");
    }
}
