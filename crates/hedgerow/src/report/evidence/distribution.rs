//! The distributions of a column in the original and in the release, as a chart.

use std::ops::Range;

use chrono::DateTime;
use serde::Serialize;

use super::limits::Limits;
use crate::chart::{Bar, Bars, Bin, Histogram, marks, spelt};
use crate::noun::counted;
use crate::table::{Code, Domain, Kind};

/// Maximum number of bins of a histogram.
const MOST_BINS: f64 = 50.0;
/// Maximum number of bars, with one for all other values.
const MOST_BARS: usize = 8;
const DAY: f64 = 24.0 * 60.0 * 60.0;

/// The distributions of a column.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "form", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Chart {
    /// Numbers and dates: shares in bins.
    Histogram {
        /// Lower end of the first bin.
        start: f64,
        /// Width of a bin.
        step: f64,
        /// Share of the original and share of the release in each bin.
        bins: Vec<[f64; 2]>,
        /// Positions and texts of marks on the axis.
        ticks: Vec<(f64, String)>,
    },
    /// Other values: shares of the most frequent ones.
    Bars {
        /// Value, share of the original, share of the release.
        bars: Vec<(String, f64, f64)>,
    },
}

impl Chart {
    /// Draws the chart.
    pub fn svg(&self, column: &str) -> String {
        let label = format!("{column}: bars are the release, the line is the original");
        match self {
            Self::Histogram { start, step, bins, ticks } => {
                let bin = |(place, &[before, after]): (usize, &[f64; 2])| {
                    let from = start + place as f64 * step;
                    Bin { from, to: from + step, before, after }
                };
                let bins = bins.iter().enumerate().map(bin).collect();
                Histogram { label, bins, ticks: ticks.clone() }.svg()
            }
            Self::Bars { bars } => {
                let bar = |(label, before, after): &(String, f64, f64)| Bar {
                    label: label.clone(),
                    before: *before,
                    after: *after,
                };
                Bars { label, bars: bars.iter().map(bar).collect() }.svg()
            }
        }
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Histogram { bins, .. } => bins.is_empty(),
            Self::Bars { bars } => bars.is_empty(),
        }
    }
}

/// The chart of a column, given the counts of its codes in the original and in the release.
pub(super) fn chart(domain: &Domain, counts: &[Vec<f64>; 2], limits: &Limits) -> Chart {
    // A column of two numbers, such as 0 and 1, is shown as categories.
    let has_range = domain.values.scale().is_some() && domain.len() > 2;
    if has_range { histogram(domain, counts, limits) } else { bars(domain, counts, limits) }
}

fn bars(domain: &Domain, [before, after]: &[Vec<f64>; 2], limits: &Limits) -> Chart {
    let [n_before, n_after] = [before, after].map(|counts| counts.iter().sum::<f64>().max(1.0));
    let mut order: Vec<usize> =
        (0..before.len()).filter(|&code| before[code] > 0.0 && limits.allow(code)).collect();
    // By the original, so that a value that the release shows less often stays in the chart.
    order.sort_by(|&a, &b| before[b].total_cmp(&before[a]).then(a.cmp(&b)));
    // One bar is left for all other values.
    let n_shown = if before.len() > MOST_BARS { MOST_BARS - 1 } else { MOST_BARS };
    order.truncate(n_shown);
    // The other values are shown as one bar, and hidden counts follow from shown ones, so
    // together they must not be few records either.
    while !limits.allow_others(|code| order.contains(&code)) && order.pop().is_some() {}
    let bar = |&code: &usize| {
        let spelling = domain.spelling(Code::new(code));
        let label =
            if spelling.is_empty() { "(missing)".to_owned() } else { spelling.into_owned() };
        (label, before[code] / n_before, after[code] / n_after)
    };
    let mut bars: Vec<(String, f64, f64)> = order.iter().map(bar).collect();
    let n_others = before.len() - bars.len();
    if n_others > 0 {
        let rest = |counts: &[f64], sum: f64| {
            let shown: f64 = order.iter().map(|&code| counts[code]).sum();
            // The difference of sums can be slightly negative by rounding.
            ((sum - shown) / sum).max(0.0)
        };
        let label = counted(n_others, "other value");
        bars.push((label, rest(before, n_before), rest(after, n_after)));
    }
    Chart::Bars { bars }
}

fn histogram(domain: &Domain, [before, after]: &[Vec<f64>; 2], limits: &Limits) -> Chart {
    let nothing = Chart::Histogram { start: 0.0, step: 1.0, bins: Vec::new(), ticks: Vec::new() };
    let Some(scale) = domain.values.scale() else { return nothing };
    // In a public report, the axis ends at values that enough records have.
    let is_shown = |place: &usize| before[*place] > 0.0 && limits.allow(*place);
    let shown: Vec<usize> = (0..scale.len()).filter(is_shown).collect();
    let (Some(&first), Some(&last)) = (shown.first(), shown.last()) else { return nothing };
    let (least, greatest) = (scale.value(first), scale.value(last));
    let step = step(domain, greatest - least);
    // A round number may be a rare value, so a limited axis starts at a value that is not.
    let start = if limits.are_strict() { least } else { (least / step).floor() * step };
    // The tolerance keeps a value on a boundary in the bin that it starts.
    let bin_of = |value: f64| ((value - start) / step + 1e-9).floor().max(0.0) as usize;
    let n_bins = bin_of(greatest) + 1;
    let [n_before, n_after] = [before, after].map(|counts| counts.iter().sum::<f64>().max(1.0));
    let places: Vec<usize> = (first..=last).collect();
    let ranges = places
        .chunk_by(|&one, &next| bin_of(scale.value(one)) == bin_of(scale.value(next)))
        .map(|values| values[0]..values[values.len() - 1] + 1);
    let sum = |counts: &[f64], range: &Range<usize>| counts[range.clone()].iter().sum::<f64>();
    let mut bins = vec![[0.0; 2]; n_bins];
    for range in published(ranges.collect(), |range| sum(before, range), limits) {
        bins[bin_of(scale.value(range.start))] =
            [sum(before, &range) / n_before, sum(after, &range) / n_after];
    }
    let ticks = if limits.are_strict() {
        shown_ticks(domain, &shown)
    } else {
        ticks(domain.values.kind(), [start, start + n_bins as f64 * step])
    };
    Chart::Histogram { start, step, bins, ticks }
}

/// The ranges of codes whose records may be counted. A bin of few records would reveal where they
/// are, and hidden counts follow from those that are shown, so the smallest bins are hidden until
/// the hidden records are many, or none.
fn published(
    mut ranges: Vec<Range<usize>>,
    count: impl Fn(&Range<usize>) -> f64,
    limits: &Limits,
) -> Vec<Range<usize>> {
    ranges.retain(|range| limits.allow_sum(range.clone()));
    let is_shown = |ranges: &[Range<usize>], code: usize| {
        let after = ranges.partition_point(|range| range.start <= code);
        after > 0 && ranges[after - 1].contains(&code)
    };
    while !limits.allow_others(|code| is_shown(&ranges, code)) {
        let places = (0..ranges.len()).filter(|&place| count(&ranges[place]) > 0.0);
        let smallest =
            places.min_by(|&one, &other| count(&ranges[one]).total_cmp(&count(&ranges[other])));
        let Some(smallest) = smallest else { break };
        ranges.remove(smallest);
    }
    ranges
}

/// Marks at values that may be shown, given their places: round numbers if there are two of them,
/// otherwise the first, the last and the one in the middle of the axis.
///
/// A mark that is left out reveals only that few records have the value, or none.
fn shown_ticks(domain: &Domain, shown: &[usize]) -> Vec<(f64, String)> {
    let (Some(scale), Some(&first), Some(&last)) =
        (domain.values.scale(), shown.first(), shown.last())
    else {
        return Vec::new();
    };
    let tick = |place: usize| (scale.value(place), domain.spelling(Code::new(place)).into_owned());
    let ends = [scale.value(first), scale.value(last)];
    if domain.values.kind() != Kind::Date {
        // Dates at equal distances are rarely values of the column, so they are not tried.
        let marks = ticks(domain.values.kind(), ends).into_iter();
        let places = marks.filter_map(|(mark, _)| scale.place_at(mark));
        let round: Vec<usize> = places.filter(|place| shown.binary_search(place).is_ok()).collect();
        if round.len() > 1 {
            return round.into_iter().map(tick).collect();
        }
    }
    // Without round marks that may be shown, the ends and the value nearest to the middle.
    let middle = f64::midpoint(ends[0], ends[1]);
    let far = |place: usize| (scale.value(place) - middle).abs();
    let nearest = shown.iter().copied().min_by(|&one, &other| far(one).total_cmp(&far(other)));
    let mut places: Vec<usize> = [first, last].into_iter().chain(nearest).collect();
    places.sort_unstable();
    places.dedup();
    places.into_iter().map(tick).collect()
}

/// The width of bins on an axis of this width: a round number, at least the unit of whole numbers.
fn step(domain: &Domain, width: f64) -> f64 {
    if domain.values.kind() == Kind::Date {
        // A month is 365.25 / 12 days, a quarter three of them.
        let days =
            [1.0, 7.0, 30.4375, 91.3125, 365.25, 5.0 * 365.25, 10.0 * 365.25, 100.0 * 365.25];
        let fits = |days: &&f64| width / (**days * DAY) < MOST_BINS;
        return DAY * days.iter().find(fits).unwrap_or(&36_525_000.0);
    }
    // Ten times finer than the marks of an axis, of which there are five.
    let step = marks(width).0 / 10.0;
    let is_whole = domain.values.scale().is_some_and(crate::table::Scale::is_whole);
    if is_whole { step.max(1.0).ceil() } else { step }
}

/// Marks at round numbers or at dates.
fn ticks(kind: Kind, [least, greatest]: [f64; 2]) -> Vec<(f64, String)> {
    if kind == Kind::Date {
        // More than three years are marked by year.
        let format = if greatest - least > 3.0 * 365.25 * DAY { "%Y" } else { "%Y-%m-%d" };
        let parts = if format == "%Y" { 4.0 } else { 2.0 };
        let at = |part: u32| least + (greatest - least) * f64::from(part) / parts;
        let spelt = |moment: f64| {
            let date = DateTime::from_timestamp(moment as i64, 0);
            date.map(|date| (moment, date.format(format).to_string()))
        };
        return (0..=parts as u32).filter_map(|part| spelt(at(part))).collect();
    }
    let step = marks(greatest - least).0;
    // Marks inside the axis only, with a tolerance for ends that are multiples of the step.
    let first = (least / step - 1e-9).ceil() as i64;
    let last = (greatest / step + 1e-9).floor() as i64;
    (first..=last).map(|n| n as f64 * step).map(|mark| (mark, spelt(mark, step))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    fn table(values: &[&str]) -> Table {
        let rows: Vec<[&str; 1]> = values.iter().map(|value| [*value]).collect();
        Table::from_rows(&["x"], &rows).unwrap()
    }

    /// The chart of a column of which original and release are the same.
    fn chart_of(table: &Table, limits: &Limits) -> Chart {
        let domain = &table.columns()[0].domain;
        let counts: Vec<f64> = domain.codes().map(|code| domain.count(code) as f64).collect();
        chart(domain, &[counts.clone(), counts], limits)
    }

    #[test]
    fn the_bins_of_a_chart_add_up() {
        let values: Vec<String> = (0..500).map(|n| (n * n % 311).to_string()).collect();
        let table = table(&values.iter().map(String::as_str).collect::<Vec<_>>());
        let Chart::Histogram { bins, ticks, .. } = chart_of(&table, &Limits::default()) else {
            panic!("numbers have a histogram")
        };
        assert!((20..=60).contains(&bins.len()), "{}", bins.len());
        assert!((bins.iter().map(|bin| bin[0]).sum::<f64>() - 1.0).abs() < 1e-9);
        assert_eq!(ticks.first().map(|(_, text)| text.as_str()), Some("0"));
    }

    #[test]
    fn rare_values_move_no_end_of_a_public_axis() {
        let mut values = vec!["20"; 30];
        values.extend(["30"; 30]);
        values.extend(["25"; 30]);
        values.extend(["97", "26"]);
        let table = table(&values);
        let limits = Limits::of(&table, 0, 5);
        let Chart::Histogram { start, step, bins, ticks } = chart_of(&table, &limits) else {
            panic!("numbers have a histogram")
        };
        let end = start + step * bins.len() as f64;
        assert!((start - 20.0).abs() < 1e-9 && (30.0..32.0).contains(&end), "{start} {end}");
        assert!(ticks.iter().all(|(_, text)| text != "26"), "{ticks:?}");
        let at_26 = bins[((26.0 - start) / step) as usize];
        assert!(at_26[0] < 1e-9 || at_26[0] * 92.0 >= 5.0, "{at_26:?}");
    }

    /// Hidden counts follow from those that are shown, so the other values are never few records
    /// together.
    #[test]
    fn the_other_values_of_a_public_chart_are_enough_records() {
        let values = [&["a"; 30][..], &["b"; 20], &["c"; 2]].concat();
        let table = table(&values);
        let chart = chart_of(&table, &Limits::of(&table, 0, 5));
        let Chart::Bars { bars } = chart else { panic!("words have bars") };
        let labels: Vec<&str> = bars.iter().map(|(label, ..)| label.as_str()).collect();
        assert_eq!(labels, ["a", "2 other values"]);
        assert!((bars[1].1 - 22.0 / 52.0).abs() < 1e-9, "{bars:?}");
        // Those of five records may stay alone.
        let values = [&["a"; 30][..], &["b"; 20], &["c"; 2], &["d"; 3]].concat();
        let table = self::table(&values);
        let Chart::Bars { bars } = chart_of(&table, &Limits::of(&table, 0, 5)) else {
            panic!("words have bars")
        };
        assert_eq!(bars.len(), 3, "{bars:?}");
    }

    /// Ages from 20 to 40 of nine records each, except that one record has 26.
    #[test]
    fn a_hidden_bin_does_not_follow_from_the_others() {
        let hidden = |texts: &[String], k: u64| {
            let table = table(&texts.iter().map(String::as_str).collect::<Vec<_>>());
            let chart = chart_of(&table, &Limits::of(&table, 0, k));
            let Chart::Histogram { bins, .. } = chart else { panic!("numbers have a histogram") };
            let shown: f64 = bins.iter().map(|bin| bin[0]).sum();
            let n_hidden = ((1.0 - shown) * texts.len() as f64).round() as u64;
            (n_hidden, bins.iter().filter(|bin| bin[0] < 1e-9).count())
        };
        let ages = (20..=40).filter(|&age| age != 26).flat_map(|age| [age; 9]).chain([26]);
        let ages: Vec<String> = ages.map(|age: u32| age.to_string()).collect();
        assert_eq!(hidden(&ages, 5), (10, 2));
        // Missing values are counted elsewhere in a report, so they do not hide others.
        let missing = ages.iter().cloned().chain(vec![String::new(); 20]).collect::<Vec<_>>();
        assert_eq!(hidden(&missing, 5), (30, 2));
        let few = ages.iter().filter(|age| *age != "26").cloned();
        let few: Vec<String> = few.chain(vec![String::new(); 3]).collect();
        assert_eq!(hidden(&few, 5), (12, 2));
    }

    /// A round number that is rare must look the same as one that does not occur: neither is a
    /// mark.
    #[test]
    fn marks_of_a_public_axis_are_values_of_enough_records() {
        let texts = |values: &[&str]| {
            let table = table(values);
            let chart = chart_of(&table, &Limits::of(&table, 0, 5));
            let Chart::Histogram { ticks, .. } = chart else { panic!("a scale has a histogram") };
            ticks.into_iter().map(|(_, text)| text).collect::<Vec<_>>()
        };
        let mut values: Vec<&str> = [["20"; 9], ["60"; 9], ["80"; 9], ["45"; 9]].concat();
        let without = texts(&values);
        values.push("40");
        assert_eq!(
            (&texts(&values), &without),
            (&without, &["20", "60", "80"].map(String::from).to_vec())
        );
        let days = [["2001-02-03"; 9], ["2009-08-07"; 9], ["2005-05-05"; 9]].concat();
        assert_eq!(
            texts(&[&days[..], &["2003-01-01"]].concat()),
            ["2001-02-03", "2005-05-05", "2009-08-07"]
        );
    }
}
