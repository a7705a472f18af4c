//! Cut points on a line of numbers or dates, and the bands between them.

use serde::{Deserialize, Serialize};

use crate::error::Advice;
use crate::hierarchy::Period;
use crate::table::{Column, Kind, Reading, Scale, Values, read_number};
use crate::{Error, Result};

/// Notation of a band between two cut points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BandLabels {
    /// `[18, 64]`; `[18.5, 25)` for decimals and dates.
    #[default]
    Brackets,
    /// `18-64`; `18.5-24.9` for decimals.
    Dash,
}

/// A number or moment at which a band begins.
#[derive(Debug, Clone)]
pub(super) struct Cut {
    /// The number; for dates, seconds since 1970.
    pub(super) value: f64,
    /// The number as users write it.
    pub(super) text: String,
}

/// The bands of one level.
pub(super) enum Level {
    /// Bands between these cut points, and an open band on either side.
    Cuts(Vec<Cut>),
    /// Bands of equal width.
    Steps(Steps),
}

/// Bands of equal width, in multiples of a unit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steps {
    pub(super) from: i128,
    pub(super) width: i128,
    /// Number of decimals of the unit.
    pub(super) decimals: u32,
}

/// One band.
pub(super) struct Band<'a> {
    values: &'a Values,
    /// Start of the band and of the next one; `None` on an open side.
    ends: [Option<Cut>; 2],
}

/// Parses ascending cut points in the notation of a column.
pub(super) fn cuts_of(parameter: &str, list: &str, column: &Column) -> Result<Vec<Cut>> {
    let refused = |problem: String, advice| {
        Error::parameter("bands", parameter, Some(list), problem).advise([Advice::words(advice)])
    };
    let mut cuts: Vec<Cut> = Vec::new();
    for text in list.split('+').map(str::trim).filter(|text| !text.is_empty()) {
        let values = &column.domain.values;
        let Some(value) = read_cut(values, text) else {
            let (kind, example) = match values.kind() {
                Kind::Date => {
                    ("date", "write dates or parts of the calendar, as in cuts=2020+2021-07")
                }
                _ => ("number", "write numbers, as in cuts=0+5+18+65"),
            };
            return Err(refused(format!("'{text}' is not a {kind}"), example));
        };
        if let Some(before) = cuts.last().filter(|before| before.value >= value) {
            let problem = format!("'{text}' follows '{}', but cut points must ascend", before.text);
            return Err(refused(problem, "write each once, the least first"));
        }
        cuts.push(Cut { value, text: text.to_owned() });
    }
    Ok(cuts)
}

/// Returns an error if cut points are neither ascending numbers nor dates, independently of the
/// column.
pub(super) fn check_cuts(parameter: &str, list: &str) -> Result<()> {
    let texts: Vec<&str> = list.split('+').map(str::trim).filter(|text| !text.is_empty()).collect();
    let refused = |problem: String, advice| {
        Error::parameter("bands", parameter, Some(list), problem).advise([Advice::words(advice)])
    };
    // A date of any format has a digit.
    if let Some(text) = texts.iter().find(|text| !text.contains(|c: char| c.is_ascii_digit())) {
        let problem = format!("'{text}' is neither a number nor a date");
        return Err(refused(problem, "write numbers or dates, as in cuts=0+5+18+65"));
    }
    let numbers: Vec<Option<f64>> =
        texts.iter().map(|text| read_number(text).map(Reading::value)).collect();
    for (place, pair) in numbers.windows(2).enumerate() {
        if let [Some(before), Some(after)] = pair
            && before >= after
        {
            let (before, after) = (texts[place], texts[place + 1]);
            let problem = format!("'{after}' follows '{before}', but cut points must ascend");
            return Err(refused(problem, "write each once, the least first"));
        }
    }
    Ok(())
}

/// Parses a cut point: a number, a date in the column's own format, or the start of a period.
fn read_cut(values: &Values, text: &str) -> Option<f64> {
    let period = || Some(Period::read(text)?.range().0).filter(|_| values.kind() == Kind::Date);
    values.read(text).map(Reading::value).or_else(period)
}

impl Steps {
    /// Returns bands of this width, or of a round width near a tenth of the scale; `None` if
    /// numbers, width and origin have no common unit.
    pub(super) fn new(scale: &Scale, width: Option<f64>, from: f64) -> Option<Self> {
        let (ticks, own) = scale.ticks()?;
        let spelt = |number: f64| read_number(&number.to_string())?.decimals();
        // The finest unit of the column, the origin and the width, so that all are whole numbers of
        // it.
        let decimals = own.max(spelt(from)?).max(width.map_or(Some(0), spelt)?);
        let units = |number: f64| {
            let units = read_number(&number.to_string())?.at(decimals)?;
            Some(i128::from(units))
        };
        let width = match width {
            Some(width) => units(width)?,
            None => {
                let range = i128::from(*ticks.last()?) - i128::from(*ticks.first()?);
                round_above(range / 10).checked_mul(10i128.pow(decimals - own))?
            }
        };
        (width > 0).then_some(Self { from: units(from)?, width, decimals })
    }

    fn band_of(&self, scale: &Scale, leaf: usize) -> i64 {
        let Some((ticks, own)) = scale.ticks() else { return 0 };
        // 128 bits, because a 64-bit tick may have to be multiplied.
        let units = i128::from(ticks[leaf]) * 10i128.pow(self.decimals - own);
        i64::try_from((units - self.from).div_euclid(self.width)).unwrap_or(i64::MAX)
    }

    /// Returns the cut point at which a band begins.
    fn cut(&self, band: i128) -> Cut {
        let units = self.from + band * self.width;
        let factor = 10i128.pow(self.decimals);
        let sign = if units < 0 { "-" } else { "" };
        let (whole, rest) = (units.abs() / factor, units.abs() % factor);
        let text = match self.decimals {
            0 => format!("{sign}{whole}"),
            decimals => {
                let spelt = format!("{sign}{whole}.{rest:0width$}", width = decimals as usize);
                spelt.trim_end_matches('0').trim_end_matches('.').to_owned()
            }
        };
        Cut { value: units as f64 / factor as f64, text }
    }
}

/// Returns the least of 1, 2 and 5 times the powers of ten that is not below `least`.
fn round_above(least: i128) -> i128 {
    let powers = std::iter::successors(Some(1i128), |power| power.checked_mul(10));
    let round = powers.flat_map(|power| [power, 2 * power, 5 * power]);
    round.into_iter().find(|&step| step >= least).unwrap_or(1)
}

impl Level {
    /// Returns the number of the band that contains a value.
    pub(super) fn band_of(&self, scale: &Scale, leaf: usize) -> i64 {
        match self {
            Self::Cuts(cuts) => cuts.partition_point(|cut| cut.value <= scale.value(leaf)) as i64,
            Self::Steps(steps) => steps.band_of(scale, leaf),
        }
    }

    /// Returns a band by its number.
    pub(super) fn band<'a>(&self, values: &'a Values, number: i64) -> Band<'a> {
        let ends = match self {
            Self::Cuts(cuts) => {
                let number = usize::try_from(number).unwrap_or(0);
                let low = number.checked_sub(1).and_then(|place| cuts.get(place));
                [low.cloned(), cuts.get(number).cloned()]
            }
            Self::Steps(steps) => [0, 1].map(|side| Some(steps.cut(i128::from(number) + side))),
        };
        Band { values, ends }
    }
}

impl Band<'_> {
    /// Returns the label.
    pub(super) fn label(&self, style: BandLabels) -> String {
        let is_date = self.values.kind() == Kind::Date;
        match &self.ends {
            [None, None] => "*".to_owned(),
            [None, Some(high)] => format!("<{}", self.spelt(high)),
            [Some(low), None] if is_date => format!(">={}", low.text),
            [Some(low), None] => format!("{}+", self.spelt(low)),
            [Some(low), Some(high)] => self.between(low, high, style),
        }
    }

    /// Returns the label of a band with two ends.
    fn between(&self, low: &Cut, high: &Cut, style: BandLabels) -> String {
        let half_open = || format!("[{}, {})", low.text, high.text);
        let Values::Number(scale) = self.values else { return half_open() };
        let closed = scale.ticks().and_then(|(_, decimals)| {
            let [low, high] = [low, high].map(|cut| first_tick(cut, decimals));
            Some((low?, high? - 1)).filter(|(low, high)| low <= high)
        });
        let Some((low, high)) = closed.filter(|_| scale.is_whole() || style == BandLabels::Dash)
        else {
            return half_open();
        };
        let [first, last] = [low, high].map(|tick| scale.spell_tick(tick));
        match style {
            _ if low == high => first,
            BandLabels::Brackets => format!("[{first}, {last}]"),
            // `-5--2` is hard to read.
            BandLabels::Dash if low < 0 => format!("{first} to {last}"),
            BandLabels::Dash => format!("{first}-{last}"),
        }
    }

    /// Returns a cut point as users write it, among whole numbers rounded up to the first whole
    /// number in its band.
    fn spelt(&self, cut: &Cut) -> String {
        match self.values {
            Values::Number(scale) if scale.is_whole() => {
                first_tick(cut, 0).map_or_else(|| cut.text.clone(), |tick| scale.spell_tick(tick))
            }
            _ => cut.text.clone(),
        }
    }

    /// Returns the least and the greatest number that the label states; infinite on an open side.
    pub(super) fn range(&self) -> (f64, f64) {
        let is_whole = matches!(self.values, Values::Number(scale) if scale.is_whole());
        let low = |cut: &Cut| if is_whole { cut.value.ceil() } else { cut.value };
        let high = |cut: &Cut| if is_whole { cut.value.ceil() - 1.0 } else { cut.value };
        let [first, last] = &self.ends;
        (first.as_ref().map_or(f64::NEG_INFINITY, low), last.as_ref().map_or(f64::INFINITY, high))
    }
}

/// Returns the first multiple of a unit that is not below a cut point.
fn first_tick(cut: &Cut, decimals: u32) -> Option<i64> {
    let ticks = cut.value * 10f64.powi(decimals as i32);
    // Decimal fractions are not exact in binary, so a whole number of ticks may be slightly off.
    let is_whole = (ticks - ticks.round()).abs() < 1e-6;
    let first = if is_whole { ticks.round() } else { ticks.ceil() };
    (first.abs() < 9e15).then_some(first as i64)
}
