//! How values are shown in examples: rare values are shortened to their first character.

use crate::hierarchy::{Notation, write_set};
use crate::table::Column;

/// Number of records below which a value is masked.
const FEW: u64 = 5;

/// A published cell in which values that few records of the original have are masked: `9…` for 90.
pub(super) fn masked(column: &Column, label: &str) -> String {
    let values = &column.domain.values;
    let is_rare = |text: &str| {
        let code = column.domain.code_of(text);
        code.is_some_and(|code| column.domain.count(code) < FEW)
    };
    let shown = |text: &str| if is_rare(text) { first_character(text) } else { text.to_owned() };
    match Notation::read_as(values, label) {
        Notation::Anything => label.to_owned(),
        Notation::Set(members) => {
            write_set(&members.iter().map(|member| shown(member)).collect::<Vec<_>>())
        }
        Notation::Range(..) if column.domain.code_of(label).is_none() => {
            ends_masked(label, is_rare)
        }
        Notation::Range(..) | Notation::PartialSet(..) | Notation::Name(_) => shown(label),
    }
}

/// A range in which rare ends are masked. Ends are the longest parts that are values.
fn ends_masked(label: &str, is_rare: impl Fn(&str) -> bool) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | ':');
    let mut out = String::new();
    let mut rest = label;
    while let Some(start) = rest.find(is_part) {
        let (before, after) = rest.split_at(start);
        let end = after.find(|c| !is_part(c) && c != '-').unwrap_or(after.len());
        let (part, next) = after.split_at(end);
        out.push_str(before);
        // `20-29` has two ends, `2024-03-05` is one.
        let pieces: Vec<&str> = if is_rare(part) { vec![part] } else { part.split('-').collect() };
        let pieces = pieces
            .iter()
            .map(|piece| if is_rare(piece) { first_character(piece) } else { (*piece).to_owned() });
        out.push_str(&pieces.collect::<Vec<_>>().join("-"));
        rest = next;
    }
    out + rest
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

    #[test]
    fn rare_values_are_never_shown_in_full() {
        let ages = ["17", "20", "20", "20", "20", "20", "29", "90"].map(|age| [age]);
        let table = Table::from_rows(&["age"], &ages).unwrap();
        let shown = |label: &str| masked(&table.columns()[0], label);
        assert_eq!(shown("90"), "9…");
        assert_eq!(shown("20"), "20");
        assert_eq!(shown("[17, 90]"), "[1…, 9…]");
        assert_eq!(shown("20-29"), "20-2…");
        assert_eq!(shown("{17, 20}"), "{1…, 20}");
        assert_eq!(shown("*"), "*");
    }
}
