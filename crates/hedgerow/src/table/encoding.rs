//! Conversion of raw fields to values.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Column, Columns, Counter, DateFormat, Decimal, Kind, Values, unguarded};
use crate::Result;

/// Whether the usual spellings of missing values, such as `NA`, are recognized in columns of
/// numbers and dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NaDetect {
    /// They are missing values where all other values of the column are numbers or dates.
    #[default]
    On,
    /// Only listed spellings are missing values.
    Off,
}

/// Treatment of missing values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MissingPolicy {
    /// A missing value is a value of its own, at the maximum distance from every other.
    #[default]
    Own,
    /// A missing value matches any value: its record gets whatever its class publishes.
    Wildcard,
    /// Records with a missing value are omitted from the release, and counted.
    Drop,
    /// A missing value is an error that names the row.
    Error,
}

/// Conversion of raw fields to values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Encoding {
    /// Spellings of a missing value, in addition to the empty text.
    pub na: Vec<String>,
    /// Spellings of a missing value by column, in addition to `na`.
    pub na_of: BTreeMap<String, Vec<String>>,
    /// Whether the usual spellings of missing values are recognized.
    pub na_detect: NaDetect,
    /// The decimal sign of all numbers; recognized for each column if not given.
    pub decimal: Option<Decimal>,
    /// The decimal sign that other columns of the file show. It decides where two readings of a
    /// column fit: whether `11.724` is 11724.
    pub decimal_of_file: Option<Decimal>,
    /// Decimal signs by column, which replace `decimal`.
    pub decimals: BTreeMap<String, Decimal>,
    /// Treatment of missing values.
    pub missing: MissingPolicy,
    /// Kinds by column, which replace the inferred ones.
    pub kinds: BTreeMap<String, Kind>,
    /// Date formats by column. A column with a date format holds dates.
    pub date_formats: BTreeMap<String, DateFormat>,
    /// Whether the quasi-identifiers come from a release. They are then read as text in which only
    /// the empty cell is missing, and `kinds`, `date_formats` and `na` apply to the other columns
    /// only.
    pub is_release: bool,
    /// Whether cells that look like formulas have a `'` in front that is not part of their value.
    pub is_guarded: bool,
}

impl Encoding {
    /// Returns an encoding that reads columns the way the columns of another table were read.
    pub fn like(columns: &[&Column], na: &[String]) -> Self {
        let kinds = columns.iter().map(|column| (column.name.clone(), column.domain.values.kind()));
        let date_formats = columns.iter().filter_map(|column| match &column.domain.values {
            Values::Date(_, format) => Some((column.name.clone(), DateFormat::clone(format))),
            _ => None,
        });
        let na_of = columns.iter().filter_map(|column| {
            let recognized = &column.domain.missing.as_ref()?.recognized;
            let spellings = recognized.iter().map(|found| found.spelling.to_string());
            Some((column.name.clone(), spellings.collect()))
        });
        let decimals = columns.iter().filter_map(|column| match &column.domain.values {
            // Whole numbers do not show the sign.
            Values::Number(scale)
                if !scale.is_whole()
                    || scale.decimal() == Decimal::Comma
                    || scale.grouped().is_some() =>
            {
                Some((column.name.clone(), scale.decimal()))
            }
            _ => None,
        });
        Self {
            na: na.to_vec(),
            na_of: na_of.collect(),
            // Spellings that were recognized then are listed now.
            na_detect: NaDetect::Off,
            kinds: kinds.collect(),
            date_formats: date_formats.collect(),
            decimals: decimals.collect(),
            ..Self::default()
        }
    }

    /// The encoding of the column that names people, given the raw tuples. Names are compared as
    /// text, but usual spellings of missing values among numbers do not name anybody.
    pub(super) fn of_person(&self, columns: &Columns, raw: &Counter) -> Result<Self> {
        let person: Vec<String> = columns.person.iter().cloned().collect();
        let n_others = columns.quasi.len() + columns.beside.len();
        let recognized = self.clone().recognizing(&person, n_others, raw)?;
        Ok(Self {
            missing: MissingPolicy::Own,
            kinds: person.into_iter().map(|name| (name, Kind::Text)).collect(),
            date_formats: BTreeMap::new(),
            ..recognized
        })
    }

    /// The encoding of the quasi-identifiers, which are text in a release.
    pub(super) fn of_quasi(&self, quasi: &[String]) -> Self {
        if !self.is_release {
            return self.clone();
        }
        Self {
            na_detect: NaDetect::Off,
            missing: self.missing,
            kinds: quasi.iter().map(|name| (name.clone(), Kind::Text)).collect(),
            is_guarded: self.is_guarded,
            ..Self::default()
        }
    }

    /// The same encoding for a release. No policy for missing values of the original applies to
    /// it: that could leave out or refuse published records with empty cells.
    pub(crate) fn of_release(self) -> Self {
        Self { is_release: true, missing: MissingPolicy::Own, ..self }
    }

    /// Whether the kind or the date format of a column is stated.
    pub(crate) fn is_stated(&self, column: &str) -> bool {
        self.kinds.contains_key(column) || self.date_formats.contains_key(column)
    }

    /// Infers the kind of a column instead of reading what is stated about it.
    pub(crate) fn infer(&mut self, column: &str) {
        self.kinds.remove(column);
        self.date_formats.remove(column);
        self.decimals.remove(column);
    }

    /// Removes the guard against formulas from a raw field.
    pub(super) fn plain<'a>(&self, field: &'a str) -> &'a str {
        if self.is_guarded { unguarded(field) } else { field }
    }
}
