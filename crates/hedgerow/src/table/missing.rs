//! The missing values of a column, and their usual spellings.

/// The usual spellings, in lower case. Those that begin with `#` are what spreadsheets write for
/// formulas that failed.
const USUAL: [&str; 19] = [
    "na", "n/a", "n.a.", "nan", "null", "nil", "none", "missing", "k.a.", "?", ".", "-", "--",
    "#n/a", "#div/0!", "#value!", "#ref!", "#num!", "#name?",
];

/// Number of bytes of the longest usual spelling.
pub(crate) const LONGEST_USUAL: usize = 7;

/// The missing values of a column.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Missing {
    /// The spelling of a missing value in the file; the first one, if there are several.
    pub spelling: Box<str>,
    /// All spellings in the file, without blanks around them, in the order of their first records.
    pub spellings: Vec<Box<str>>,
    /// Number of records in which the value is missing.
    pub count: u64,
    /// The first row in which the value is missing, counted from 0 without the header.
    pub first_row: u64,
    /// Whether missing is a value of its own. Otherwise it matches any value, or the record is
    /// dropped.
    pub is_value: bool,
    /// Whether a missing value matches any value.
    pub is_wildcard: bool,
    /// The spellings that were taken as missing without being listed, because all other values of
    /// the column are numbers or dates.
    pub recognized: Vec<Recognized>,
}

/// A spelling that was taken as missing without being listed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recognized {
    /// The spelling.
    pub spelling: Box<str>,
    /// Number of records with it.
    pub count: u64,
}

impl Missing {
    /// Whether a text is a spelling of the missing values. The empty text always is.
    pub(super) fn is_spelt(&self, text: &str) -> bool {
        let text = text.trim();
        text.is_empty() || self.spellings.iter().any(|spelling| **spelling == *text)
    }
}

/// Whether a field is a usual spelling of a missing value.
pub(crate) fn is_usual(field: &str) -> bool {
    let field = field.trim();
    field.len() <= LONGEST_USUAL && USUAL.iter().any(|usual| usual.eq_ignore_ascii_case(field))
}
