//! The rules of one quasi-identifier: its known values and its labels.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::hierarchy::Excluded;
use crate::table::Kind;

/// The rules of a quasi-identifier.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Rule {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Whether the column had no hierarchy, so that labels can be joined to new ones.
    pub(super) free: bool,
    /// The least and the greatest number or date of the ranges that the release shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) span: Option<Range>,
    /// The known values that labels refer to by place, in the order of the hierarchy.
    pub(super) values: Vec<Known>,
    pub(super) labels: Vec<Label>,
}

/// A value that the first table had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Known {
    /// A value of at least `k` records, as it is spelt.
    Value(String),
    /// The salted hash of a value of fewer records.
    Hash {
        /// Its first 128 bits.
        hash: String,
    },
}

/// A label with what it covers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Label {
    /// Its text, from which it can be read back; the value itself if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
    /// The published cells, if they are not the text alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) cells: Vec<String>,
    /// The numbers or dates that it covers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) range: Option<Range>,
    /// The places of the known values that it covers; the end is not included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) places: Vec<(u32, u32)>,
    /// Whether it covers anything else that must be noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) also: Option<Also>,
    /// Number of published records that showed it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) count: u64,
    /// Whether it publishes values in a global recoding.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) cut: bool,
    /// Whether it publishes values above the level of its column, because fewer than `k` records
    /// had a value of their group on that level.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) above: bool,
}

/// Values that a label covers besides ranges and known values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Also {
    /// Missing values, which are a value of their own.
    Missing,
    /// Every value, known or not.
    All,
    /// Only missing values that match any value.
    Unknown,
}

/// A range of numbers, or of dates in seconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Range {
    pub(super) low: Bound,
    pub(super) high: Bound,
    #[serde(default, skip_serializing_if = "is_closed")]
    pub(super) open: Excluded,
}

/// An end of a range, written as text, so that it is read back exactly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct Bound(pub(super) f64);

impl Range {
    pub(super) fn new(low: f64, high: f64, open: Excluded) -> Self {
        Self { low: Bound(low), high: Bound(high), open }
    }

    /// A range that includes both ends.
    pub(super) fn closed(low: f64, high: f64) -> Self {
        Self::new(low, high, Excluded::default())
    }

    /// Whether the range contains a number.
    pub(super) fn contains(&self, value: f64) -> bool {
        !self.is_after(value) && !self.is_before(value)
    }

    /// Whether the range begins after a number.
    pub(super) fn is_after(&self, value: f64) -> bool {
        value < self.low.0 || (self.open.low && value <= self.low.0)
    }

    /// Whether the range ends before a number.
    pub(super) fn is_before(&self, value: f64) -> bool {
        value > self.high.0 || (self.open.high && value >= self.high.0)
    }
}

/// The places of the numbers in a range, given all numbers in order.
pub(super) fn run_of(numbers: &[f64], range: &Range) -> (usize, usize) {
    let start = numbers.partition_point(|&number| range.is_after(number));
    (start, numbers.partition_point(|&number| !range.is_before(number)).max(start))
}

/// The cost of a range in a column of this width.
pub(super) fn cost_of_range(range: &Range, width: f64) -> f64 {
    let own = range.high.0 - range.low.0;
    // NCP of an interval: its share of the range of the column.
    if own <= 0.0 { 0.0 } else { (own / width).min(1.0) }
}

impl Rule {
    /// The width of the column, as far as the recipe reveals it.
    pub(super) fn width(&self) -> f64 {
        self.span.map_or(0.0, |span| (span.high.0 - span.low.0).max(0.0))
    }
}

impl Label {
    pub(super) fn is_all(&self) -> bool {
        self.also == Some(Also::All)
    }

    pub(super) fn is_unknown(&self) -> bool {
        self.also == Some(Also::Unknown)
    }

    pub(super) fn has_missing(&self) -> bool {
        matches!(self.also, Some(Also::Missing | Also::All))
    }
}

impl TryFrom<String> for Bound {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        let number = text.parse::<f64>().ok().filter(|number| !number.is_nan());
        number.map(Self).ok_or_else(|| Error::invalid(format!("'{text}' is not a number")))
    }
}

impl From<Bound> for String {
    fn from(Bound(number): Bound) -> Self {
        // The second is shorter for numbers next to 0, such as the last moment of 1969.
        let [plain, short] = [number.to_string(), format!("{number:?}")];
        if plain.len() <= short.len() { plain } else { short }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_closed(open: &Excluded) -> bool {
    *open == Excluded::default()
}
