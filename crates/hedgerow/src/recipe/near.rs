//! Values that the rules of a column do not cover, and the values nearest to them.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::rule::{Known, Range, Rule};
use crate::error::nearest;
use crate::table::Kind;
use crate::{Error, Result};

/// Treatment of a value that no label covers: a word that the first table did not have, or a number
/// outside all ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unseen {
    /// It is an error that names column, row and value.
    #[default]
    Error,
    /// The records with it are suppressed.
    Suppress,
    /// It is published like the nearest known value: the nearest end of a range, the code with the
    /// longest common beginning, or the word with the most similar spelling. A word that is similar
    /// to none is published as `*`. The published label then does not contain the value.
    Nearest,
    /// It is published as `*`.
    Root,
}

impl Unseen {
    /// All choices.
    pub const ALL: [Self; 4] = [Self::Error, Self::Suppress, Self::Nearest, Self::Root];

    /// The choices that are not errors, as advice lists them.
    pub(crate) const CHOICES: &'static str = "suppress|nearest|root";

    /// Its name, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Suppress => "suppress",
            Self::Nearest => "nearest",
            Self::Root => "root",
        }
    }
}

impl std::str::FromStr for Unseen {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let names = Self::ALL.iter().map(|choice| choice.name());
        let found = Self::ALL.into_iter().find(|choice| choice.name() == text);
        found.ok_or_else(|| Error::unknown("treatment of unseen values", text, names))
    }
}

/// The place of the named value that is nearest to a word or a code. Hashed values are not near
/// anything.
pub(super) fn nearest_word(rule: &Rule, text: &str) -> Option<u32> {
    let named = || {
        let values = rule.values.iter().zip(0..);
        values.filter_map(|(known, place)| match known {
            Known::Value(value) => Some((value.as_str(), place)),
            Known::Hash { .. } => None,
        })
    };
    if rule.kind == Kind::Code {
        // Codes are hierarchical from the left: 02139 is near 02138 and far from 12139.
        let longest = named().map(|(value, place)| (Reverse(common(value, text)), place));
        // On ties, the first.
        return longest.min().filter(|(n, _)| n.0 > 0).map(|(_, place)| place);
    }
    let found = nearest(text, named().map(|(value, _)| value))?;
    named().find(|(value, _)| *value == found).map(|(_, place)| place)
}

/// Number of characters that two codes have in common at their beginning.
fn common(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count()
}

/// The number inside one of the ranges that is nearest to a number; on ties, the lower.
pub(super) fn nearest_number(ranges: &[Range], value: f64) -> Option<f64> {
    let end = |range: &Range| {
        // An excluded end is not in the range, but the number next to it is.
        if range.is_after(value) {
            if range.open.low { range.low.0.next_up() } else { range.low.0 }
        } else if range.open.high {
            range.high.0.next_down()
        } else {
            range.high.0
        }
    };
    // A number inside a range is nearest to itself.
    let ends = ranges.iter().map(|range| if range.contains(value) { value } else { end(range) });
    let finite = ends.filter(|end| end.is_finite());
    finite.min_by(|a, b| (a - value).abs().total_cmp(&(b - value).abs()).then(a.total_cmp(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_number_is_an_end_of_a_range() {
        let ranges = [(1.0, 3.0), (7.0, 9.0)].map(|(a, b)| Range::closed(a, b));
        for (value, end) in
            [(0.0, 1.0), (2.0, 2.0), (4.5, 3.0), (5.0, 3.0), (6.0, 7.0), (99.0, 9.0)]
        {
            assert_eq!(nearest_number(&ranges, value), Some(end), "{value}");
        }
    }

    #[test]
    fn the_nearest_word_is_spelt_alike_and_the_nearest_code_begins_alike() {
        let rule = |kind, values: &[&str]| Rule {
            name: "x".into(),
            kind,
            free: false,
            span: None,
            values: values.iter().map(|&value| Known::Value(value.into())).collect(),
            labels: Vec::new(),
        };
        let words = rule(Kind::Text, &["Private", "State-gov"]);
        assert_eq!(nearest_word(&words, "Privat"), Some(0));
        assert_eq!(nearest_word(&words, "Never-worked"), None);
        let codes = rule(Kind::Code, &["94110", "02139", "02141"]);
        assert_eq!(nearest_word(&codes, "02149"), Some(2));
        assert_eq!(nearest_word(&codes, "02200"), Some(1), "the first of two");
        assert_eq!(nearest_word(&codes, "77"), None);
    }
}
