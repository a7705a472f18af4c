//! Numbers and dates: values that have an order and a distance.

use std::borrow::Cow;

use super::decimal::Decimal;

/// Distinct numbers or dates in ascending order, with the spelling under which each is published.
///
/// Whole numbers stay exact. Decimals are integer multiples of a common unit (`0.25` is 25
/// hundredths), so equal gaps compare equal. Only values that fit neither (exponents, more than 18
/// digits) are floating point.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    ticks: Ticks,
    decimals: u32,
    sign: Decimal,
    /// Number of digits of every value, if whole numbers are padded with zeros; otherwise 0.
    width: usize,
    /// Empty if every value has its plain spelling.
    spellings: Vec<Box<str>>,
    /// A number as the file has it, if thousands were separated there and are not here.
    grouped: Option<Box<str>>,
}

#[derive(Debug, Clone, PartialEq)]
enum Ticks {
    Exact(Vec<i64>),
    Float(Vec<f64>),
}

/// One spelling, parsed as a number or a date.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Reading {
    value: f64,
    exact: Option<(i64, u32)>,
}

impl Scale {
    /// Sorts readings on a common unit. Equal readings share a place. Returns the scale and the
    /// place of each reading. `sign` is the decimal sign of the spellings.
    pub(crate) fn new(readings: &[Reading], spellings: &[&str], sign: Decimal) -> (Self, Vec<u32>) {
        let decimals = readings.iter().filter_map(|r| r.exact.map(|(_, d)| d)).max().unwrap_or(0);
        // One reading that does not fit the common unit makes the whole scale floating point.
        let exact: Option<Vec<i64>> = readings.iter().map(|r| r.at(decimals)).collect();
        let mut order: Vec<usize> = (0..readings.len()).collect();
        let (places, firsts) = match &exact {
            Some(ticks) => {
                order.sort_by_key(|&i| ticks[i]);
                places(&order, |a, b| ticks[a] == ticks[b])
            }
            None => {
                order.sort_by(|&a, &b| readings[a].value.total_cmp(&readings[b].value));
                places(&order, |a, b| readings[a].value.total_cmp(&readings[b].value).is_eq())
            }
        };
        // A value with several spellings is published under its first one, so only the decimals of
        // first spellings determine the unit.
        let unit = firsts.iter().filter_map(|&i| readings[i].exact.map(|(_, d)| d)).max();
        let decimals = unit.unwrap_or(decimals);
        let ticks =
            match exact.and_then(|_| firsts.iter().map(|&i| readings[i].at(decimals)).collect()) {
                Some(ticks) => Ticks::Exact(ticks),
                None => Ticks::Float(firsts.iter().map(|&i| readings[i].value).collect()),
            };
        let width = padding(firsts.iter().map(|&i| spellings[i].trim()));
        let mut scale = Self { ticks, decimals, sign, width, spellings: Vec::new(), grouped: None };
        // Spellings are kept only if one of them differs from what the tick gives, to save memory.
        let is_plain = |(place, &i): (usize, &usize)| scale.spelling(place) == spellings[i].trim();
        if !firsts.iter().enumerate().all(is_plain) {
            scale.spellings = firsts.iter().map(|&i| spellings[i].trim().into()).collect();
        }
        (scale, places)
    }

    /// Builds a scale of ascending whole numbers.
    pub fn whole(values: Vec<i64>) -> Self {
        debug_assert!(values.is_sorted_by(|a, b| a < b), "values ascend");
        let (ticks, sign) = (Ticks::Exact(values), Decimal::Point);
        Self { ticks, decimals: 0, sign, width: 0, spellings: Vec::new(), grouped: None }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        match &self.ticks {
            Ticks::Exact(ticks) => ticks.len(),
            Ticks::Float(ticks) => ticks.len(),
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the spelling of the value at `place`.
    pub fn spelling(&self, place: usize) -> Cow<'_, str> {
        if let Some(spelling) = self.spellings.get(place) {
            return Cow::Borrowed(spelling);
        }
        let plain = match &self.ticks {
            Ticks::Exact(ticks) => self.plain(ticks[place]),
            Ticks::Float(ticks) => ticks[place].to_string(),
        };
        Cow::Owned(self.sign.write(plain))
    }

    /// The decimal sign of the numbers.
    pub fn decimal(&self) -> Decimal {
        self.sign
    }

    /// Remembers a number whose thousands are separated in the file.
    pub(super) fn with_grouped(self, grouped: Option<&str>) -> Self {
        Self { grouped: grouped.map(|text| text.trim().into()), ..self }
    }

    /// A number whose thousands are separated in the file, if the scale has the plain form.
    pub(super) fn grouped(&self) -> Option<&str> {
        self.grouped.as_deref()
    }

    /// Parses a number in the notation of the scale, or of its file.
    pub(crate) fn read(&self, text: &str) -> Option<Reading> {
        let grouped = || self.sign.ungrouped(text).filter(|_| self.grouped.is_some());
        read_number_as(text, self.sign).or_else(|| read_number_as(&grouped()?, self.sign))
    }

    /// Returns the value at `place` as a number; for dates, seconds since 1970.
    pub fn value(&self, place: usize) -> f64 {
        match &self.ticks {
            Ticks::Exact(ticks) => quotient(ticks[place], self.decimals),
            Ticks::Float(ticks) => ticks[place],
        }
    }

    /// Formats a range of numbers in the scale's own format: `[1.00, 2.50]`, or `[1,00; 2,50]`.
    pub fn interval(&self, low: f64, high: f64) -> String {
        format!("[{}{}{}]", self.spell(low), self.sign.separator(), self.spell(high))
    }

    /// Formats a number in the scale's own format, rounded to its unit.
    pub fn spell(&self, value: f64) -> String {
        self.sign.write(match &self.ticks {
            Ticks::Exact(_) => self.plain(self.tick(value)),
            Ticks::Float(_) => value.to_string(),
        })
    }

    /// Formats an integer multiple of the unit in the scale's own format.
    pub(crate) fn spell_tick(&self, tick: i64) -> String {
        self.sign.write(self.plain(tick))
    }

    /// Formats an integer multiple of the unit with a point, padded like the values.
    fn plain(&self, tick: i64) -> String {
        let text = plain(tick, self.decimals);
        if self.width > 0 && tick >= 0 {
            format!("{text:0>width$}", width = self.width)
        } else {
            text
        }
    }

    /// Returns the place of a value, or `None` if the scale does not contain it.
    pub(crate) fn place_at(&self, value: f64) -> Option<usize> {
        let place = self.partition_point(|other| other < value);
        let is_there = place < self.len() && self.value(place).total_cmp(&value).is_eq();
        is_there.then_some(place)
    }

    /// Returns the place of `value`, rounded to the unit as by [`Self::spell`], or `None` if the
    /// scale does not contain the rounded value.
    pub(crate) fn place_rounded(&self, value: f64) -> Option<usize> {
        match &self.ticks {
            Ticks::Exact(ticks) => ticks.binary_search(&self.tick(value)).ok(),
            Ticks::Float(ticks) => ticks.binary_search_by(|tick| tick.total_cmp(&value)).ok(),
        }
    }

    /// Converts a number to an integer multiple of the unit, rounded.
    fn tick(&self, value: f64) -> i64 {
        let product = (value * 10f64.powi(self.decimals as i32)).round();
        if product.abs() <= GREATEST_EXACT as f64 {
            return product as i64;
        }
        // The product is rounded, but the shortest digits of a number are those it was read from.
        let digits = read_number(&value.to_string()).and_then(|reading| reading.at(self.decimals));
        digits.unwrap_or(product as i64)
    }

    /// Returns the place of the first value for which `holds` is false. `holds` must be true for
    /// all values before that place and false for all others.
    pub(crate) fn partition_point(&self, holds: impl Fn(f64) -> bool) -> usize {
        let (mut start, mut end) = (0, self.len());
        while start < end {
            let middle = start.midpoint(end);
            if holds(self.value(middle)) {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        start
    }

    /// Returns the least and the greatest value.
    pub fn ends(&self) -> Option<(f64, f64)> {
        (!self.is_empty()).then(|| (self.value(0), self.value(self.len() - 1)))
    }

    /// Whether every number can be distinguished from adjacent numbers, even by readers that only
    /// have floating-point numbers.
    pub(crate) fn has_neighbours(&self) -> bool {
        match &self.ticks {
            Ticks::Exact(ticks) => ticks.iter().all(|tick| tick.unsigned_abs() < GREATEST_EXACT),
            Ticks::Float(ticks) => ticks.iter().all(|tick| tick.abs() < f64::MAX / 16.0),
        }
    }

    /// Whether the unit is 1.
    pub(crate) fn is_whole(&self) -> bool {
        self.decimals == 0 && matches!(self.ticks, Ticks::Exact(_))
    }

    /// Returns the values as integer multiples of a common unit and the number of decimals of that
    /// unit, or `None` if there is no such unit.
    pub(crate) fn ticks(&self) -> Option<(&[i64], u32)> {
        match &self.ticks {
            Ticks::Exact(ticks) => Some((ticks, self.decimals)),
            Ticks::Float(_) => None,
        }
    }

    /// Returns the greatest integer not above the value at `place`; for dates, the second.
    pub(crate) fn floor(&self, place: usize) -> i64 {
        match &self.ticks {
            // Rounds down for negative numbers too, such as dates before 1970.
            Ticks::Exact(ticks) => ticks[place].div_euclid(10i64.pow(self.decimals)),
            Ticks::Float(ticks) => ticks[place].floor() as i64,
        }
    }

    /// Formats the midpoint of two values, with one more decimal than the scale if needed.
    pub(crate) fn middle(&self, one: f64, other: f64) -> String {
        let middle = f64::midpoint(one, other);
        let text = match &self.ticks {
            Ticks::Exact(_) => format!("{middle:.*}", self.decimals as usize + 1),
            Ticks::Float(_) => return self.sign.write(middle.to_string()),
        };
        // The additional decimal is dropped if it is 0.
        let shorter = text.strip_suffix('0').map(|text| text.strip_suffix('.').unwrap_or(text));
        self.sign.write(shorter.unwrap_or(&text).to_owned())
    }

    /// Returns the distances from the least value in the scale's own unit, exact below 2^53 units.
    pub fn positions(&self) -> Vec<f64> {
        match &self.ticks {
            Ticks::Exact(ticks) => {
                // The difference of two `i64` can overflow.
                ticks.iter().map(|&tick| (i128::from(tick) - i128::from(ticks[0])) as f64).collect()
            }
            Ticks::Float(ticks) => ticks.iter().map(|tick| tick - ticks[0]).collect(),
        }
    }

    /// Returns the place of a reading, or `None` if the scale does not contain it.
    pub(crate) fn place_of(&self, reading: Reading) -> Option<usize> {
        match &self.ticks {
            Ticks::Exact(ticks) => ticks.binary_search(&reading.at(self.decimals)?).ok(),
            Ticks::Float(ticks) => {
                ticks.binary_search_by(|tick| tick.total_cmp(&reading.value)).ok()
            }
        }
    }
}

impl Reading {
    /// The number `mantissa * 10^-decimals`.
    pub(crate) fn exact(mantissa: i64, decimals: u32) -> Self {
        Self { value: quotient(mantissa, decimals), exact: Some((mantissa, decimals)) }
    }

    /// A number that has no exact decimal representation here.
    pub(crate) fn float(value: f64) -> Self {
        Self { value, exact: None }
    }

    /// Returns the number as an integer multiple of `10^-decimals`, or `None` if it is not one or
    /// does not fit.
    pub(crate) fn at(self, decimals: u32) -> Option<i64> {
        let (mantissa, own) = self.exact?;
        let factor = 10i64.checked_pow(decimals.abs_diff(own))?;
        if own <= decimals {
            return mantissa.checked_mul(factor);
        }
        // Fewer decimals are possible only if those that go are zeros.
        (mantissa % factor == 0).then_some(mantissa / factor)
    }

    /// Returns the number of decimals, or `None` if the number has no exact decimal representation.
    pub(crate) fn decimals(self) -> Option<u32> {
        self.exact.map(|(_, decimals)| decimals)
    }

    /// Whether the number is an integer.
    pub(crate) fn is_whole(self) -> bool {
        self.value.fract() == 0.0
    }

    /// A key that all spellings of one number share: its exact digits where they are known.
    pub(crate) fn identity(self) -> (i64, u32, u64) {
        // A number with an exponent is first written out without it.
        let spelt = || read_number(&self.value.to_string())?.exact;
        let Some((mut mantissa, mut decimals)) = self.exact.or_else(spelt) else {
            // The bits of the value are the key; the third part is 0 for exact numbers.
            return (0, 0, self.value.to_bits());
        };
        while decimals > 0 && mantissa % 10 == 0 {
            mantissa /= 10;
            decimals -= 1;
        }
        (mantissa, decimals, 0)
    }

    pub(crate) fn value(self) -> f64 {
        self.value
    }
}

/// Above 2^53, adjacent integers can be the same floating-point number.
const GREATEST_EXACT: u64 = 1 << f64::MANTISSA_DIGITS;

/// The number `mantissa * 10^-decimals`, the same for all mantissas and decimals that represent it.
fn quotient(mut mantissa: i64, mut decimals: u32) -> f64 {
    // Beyond 2^53 a mantissa is rounded before it is divided; trailing zeros need not be.
    while mantissa.unsigned_abs() > GREATEST_EXACT && decimals > 0 && mantissa % 10 == 0 {
        mantissa /= 10;
        decimals -= 1;
    }
    mantissa as f64 / 10f64.powi(decimals as i32)
}

/// Bound on the magnitude of numbers. Numbers at or beyond it are text, because the difference of
/// two of them could be infinite.
pub(super) const MOST: f64 = 1e300;

/// The minus sign of typeset text.
const MINUS: char = '\u{2212}';

/// Parses a number: digits with an optional sign, decimals and exponent. Surrounding blanks are
/// ignored.
pub(crate) fn read_number(text: &str) -> Option<Reading> {
    let text = text.trim();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None; // `f64::from_str` accepts `inf` and `nan`
    }
    if let Some(whole) = read_whole(text) {
        return Some(whole);
    }
    let value: f64 = text.parse().ok().filter(|value: &f64| value.abs() < MOST)?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_plain = (whole.bytes().chain(fraction.bytes())).all(|b| b.is_ascii_digit());
    // Digits that do not fit an `i64` are not exact, and neither are more decimals than a
    // floating-point number has: `quotient` would give a neighbour of `value`.
    let exact = is_plain.then(|| {
        let sign = if text.starts_with('-') { "-" } else { "" };
        // `0.25` is the mantissa 025 with two decimals.
        let mantissa: Option<i64> = format!("{sign}{whole}{fraction}").parse().ok();
        let fits = |m: &i64| fraction.is_empty() || m.unsigned_abs() <= GREATEST_EXACT;
        mantissa.filter(fits).map(|m| (m, fraction.len() as u32))
    });
    Some(Reading { value, exact: exact.flatten() })
}

/// Parses a whole number of few digits, which needs no memory and is the most frequent case.
#[inline]
fn read_whole(text: &str) -> Option<Reading> {
    /// Numbers of this many digits are exact as `f64`, and below [`MOST`].
    const MOST_DIGITS: usize = 15;
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    if digits.is_empty() || digits.len() > MOST_DIGITS || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = digits.iter().fold(0, |number, digit| 10 * number + i64::from(digit - b'0'));
    // The other way has a negative zero, too.
    let (number, value) =
        if text.starts_with('-') { (-number, -(number as f64)) } else { (number, number as f64) };
    Some(Reading { value, exact: Some((number, 0)) })
}

/// Parses a number with a given decimal sign.
pub(crate) fn read_number_as(text: &str, sign: Decimal) -> Option<Reading> {
    let text = text.trim();
    // Typeset tables have a minus sign where programs write a hyphen.
    let Some(positive) = text.strip_prefix(MINUS) else {
        return read_number(&sign.to_point(text)?);
    };
    let is_signed = positive.starts_with(['-', '+', MINUS]);
    read_number(&sign.to_point(&format!("-{positive}"))?).filter(|_| !is_signed)
}

/// Whether a text of digits is a code rather than a number: `02139`, or too long for an `i64`.
pub(crate) fn looks_like_code(text: &str) -> bool {
    let text = text.trim();
    let all_digits = text.bytes().all(|b| b.is_ascii_digit());
    all_digits && text.len() > 1 && (text.starts_with('0') || text.parse::<i64>().is_err())
}

/// Returns the place of each item, where equal neighbours in `order` share one, and the first item
/// of each place.
fn places(order: &[usize], same: impl Fn(usize, usize) -> bool) -> (Vec<u32>, Vec<usize>) {
    let mut places = vec![0; order.len()];
    let mut firsts: Vec<usize> = Vec::with_capacity(order.len());
    for &item in order {
        if !firsts.last().is_some_and(|&last| same(last, item)) {
            firsts.push(item);
        }
        places[item] = firsts.len() as u32 - 1;
    }
    (places, firsts)
}

/// Returns the number of digits of spellings that are padded with zeros to the same length: 3 for
/// `007` and `120`. It is 0 for all others.
fn padding<'a>(mut spellings: impl Iterator<Item = &'a str> + Clone) -> usize {
    let is_padded = |text: &str| text.len() > 1 && text.starts_with('0');
    let width = spellings.clone().find(|text| is_padded(text)).map_or(0, str::len);
    let is_whole = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if spellings.all(|text| text.len() == width && is_whole(text)) { width } else { 0 }
}

fn plain(tick: i64, decimals: u32) -> String {
    if decimals == 0 {
        return tick.to_string();
    }
    // At least one digit is left of the point: 5 with two decimals is 0.05.
    let digits = format!("{:0width$}", tick.unsigned_abs(), width = decimals as usize + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals as usize);
    format!("{}{whole}.{fraction}", if tick < 0 { "-" } else { "" })
}
