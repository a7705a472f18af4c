//! Masking of values in examples: rare values are shortened to their first character.

use std::ops::Range;

use crate::hierarchy::{Notation, write_partial_set, write_set};
use crate::table::{Column, Values};

/// Masks the values of a column that few records, or people, of the original have.
pub(super) struct Mask<'a> {
    pub(super) column: &'a Column,
    /// Number of records, or people, with each code.
    pub(super) holders: &'a [u64],
    /// Number of holders below which a value is masked.
    pub(super) few: u64,
}

impl Mask<'_> {
    /// A published cell in which rare values are masked: `9…` for 90.
    pub(super) fn masked(&self, label: &str) -> String {
        let all = |members: &[String]| -> Vec<String> {
            members.iter().map(|member| self.shown(member)).collect()
        };
        match Notation::read_as(&self.column.domain.values, label) {
            Notation::Anything => label.to_owned(),
            Notation::Set(members) => write_set(&all(&members)),
            Notation::PartialSet(members, n_more) => write_partial_set(&all(&members), n_more),
            Notation::Range(low, high) if self.column.domain.code_of(label).is_none() => {
                self.ends_masked(label, [low, high])
            }
            Notation::Range(..) | Notation::Name(_) => self.shown(label),
        }
    }

    fn is_rare(&self, text: &str) -> bool {
        self.column.domain.code_of(text).is_some_and(|code| self.holders[code.index()] < self.few)
    }

    fn shown(&self, text: &str) -> String {
        if self.is_rare(text) { first_character(text) } else { text.to_owned() }
    }

    /// A range in which rare ends are masked.
    fn ends_masked(&self, label: &str, ends: [f64; 2]) -> String {
        let values = &self.column.domain.values;
        let Some(written) = written_ends(values, label) else {
            // Ends that cannot be found in the text are hidden with it.
            let place = |end: &f64| values.scale()?.place_at(*end);
            let mut places = ends.iter().filter_map(place);
            let has_rare = places.any(|place| self.holders[place] < self.few);
            return if has_rare { "…".to_owned() } else { label.to_owned() };
        };
        let mut out = String::new();
        let mut done = 0;
        for Range { start, end } in written {
            out.push_str(&label[done..start]);
            out.push_str(&self.shown(&label[start..end]));
            done = end;
        }
        out + &label[done..]
    }
}

/// The places of the ends of a range in its label: two parts, or one if a side is open.
fn written_ends(values: &Values, label: &str) -> Option<Vec<Range<usize>>> {
    const FRAME: &str = "[]()<>=≤≥+ ";
    let is_frame = |c: char| FRAME.contains(c);
    let reads = |part: &Range<usize>| values.read(&label[part.clone()]).is_some();
    let trimmed = |part: Range<usize>| {
        let text = &label[part.clone()];
        let start = part.start + (text.len() - text.trim_start_matches(is_frame).len());
        start..start.max(part.start + text.trim_end_matches(is_frame).len())
    };
    let whole = trimmed(0..label.len());
    for separator in [";", ",", " to ", "–", "-"] {
        // A minus and the parts of a date look like a separator, so every place is tried.
        for (at, _) in label[whole.clone()].match_indices(separator) {
            let at = whole.start + at;
            let ends = [whole.start..at, at + separator.len()..whole.end].map(trimmed);
            if ends.iter().all(reads) {
                return Some(ends.to_vec());
            }
        }
    }
    Some(vec![whole]).filter(|ends| ends.iter().all(reads))
}

fn first_character(text: &str) -> String {
    // One character would be the whole value.
    let n_shown = usize::from(text.chars().nth(1).is_some());
    text.chars().take(n_shown).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    fn shown(values: &[&str], label: &str) -> String {
        let rows: Vec<[&str; 1]> = values.iter().map(|value| [*value]).collect();
        let table = Table::from_rows(&["x"], &rows).unwrap();
        let column = &table.columns()[0];
        let holders: Vec<u64> =
            column.domain.codes().map(|code| column.domain.count(code)).collect();
        Mask { column, holders: &holders, few: 5 }.masked(label)
    }

    #[test]
    fn rare_values_are_never_shown_in_full() {
        let shown = |label| shown(&["17", "20", "20", "20", "20", "20", "29", "90"], label);
        assert_eq!(shown("90"), "9…");
        assert_eq!(shown("20"), "20");
        assert_eq!(shown("[17, 90]"), "[1…, 9…]");
        assert_eq!(shown("20-29"), "20-2…");
        assert_eq!(shown(">=90"), ">=9…");
        assert_eq!(shown("{17, 20}"), "{1…, 20}");
        assert_eq!(shown("*"), "*");
    }

    #[test]
    fn ends_with_signs_and_slashes_are_masked() {
        let numbers = |label| shown(&["-5", "5", "5", "5", "5", "5", "10"], label);
        assert_eq!(numbers("[-5, 10]"), "[-…, 1…]");
        assert_eq!(numbers("[-5, 5]"), "[-…, 5]");
        let dates = |label| shown(&["13/02/2020", "28/02/2020", "31/12/2020"], label);
        assert_eq!(dates("[13/02/2020, 31/12/2020]"), "[1…, 3…]");
        let days = |label| shown(&["2020-02-13", "2020-02-28", "2020-12-31"], label);
        assert_eq!(days("[2020-02-13, 2020-12-31]"), "[2…, 2…]");
    }

    #[test]
    fn named_members_of_partial_sets_are_masked() {
        let jobs = ["cook", "cook", "cook", "cook", "cook", "smith", "nurse"];
        assert_eq!(shown(&jobs, "{cook, smith and 1 more}"), "{cook, s… and 1 more}");
    }
}
