//! Labels that hide characters of codes, such as `021**`, and the codes that they cover.

use crate::table::{Code, Column, Kind, Values, are_codes};

/// The values of a column, for comparison with labels that hide some of their characters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Masks<'a> {
    values: &'a Values,
    /// Whether zeros in front of the values are not written.
    has_lost_zeros: bool,
}

impl<'a> Masks<'a> {
    pub(crate) fn new(column: &'a Column) -> Self {
        Self { values: &column.domain.values, has_lost_zeros: has_lost_zeros(column) }
    }

    /// The values that a label with `*` for hidden characters covers: `02139` for `021**`.
    pub(crate) fn covered(&self, label: &str) -> Vec<Code> {
        if !label.contains('*') || self.values.kind() == Kind::Date {
            return Vec::new();
        }
        (0..self.values.len()).filter(|&code| self.covers(label, code)).map(Code::new).collect()
    }

    /// Whether a label covers a value.
    ///
    /// Asterisks at the end mean any ending, because labels are as long as the longest code of
    /// the column: `110****` covers `1101AB` and `1101 AB`. The same is true of the beginning, and
    /// of parts between separators: `10.1.*.*` covers `10.1.200.7`. Other asterisks mean one
    /// character each.
    pub(crate) fn covers(&self, label: &str, code: usize) -> bool {
        let value = self.values.spelling(code);
        if self.has_lost_zeros {
            let width = label.chars().count();
            return is_shown(label, &format!("{value:0>width$}"));
        }
        match ends_of(label) {
            (Some(start), _) => value.starts_with(start) || is_cut(&value, label),
            (None, Some(end)) => value.ends_with(end) || is_cut(&value, label),
            (None, None) => is_shown(label, &value),
        }
    }
}

/// Whether zeros in front of the values of a column are not written: they are numbers, or digits
/// that are known as codes only by the name of the column.
pub(crate) fn has_lost_zeros(column: &Column) -> bool {
    let values = &column.domain.values;
    let spelt = || (0..values.len()).map(|code| values.spelling(code));
    let longest = || spelt().map(|text| text.len()).max().unwrap_or(0);
    let is_digits = |text: std::borrow::Cow<'_, str>| text.bytes().all(|b| b.is_ascii_digit());
    values.kind() == Kind::Number || (spelt().all(is_digits) && are_codes(&column.name, longest()))
}

/// The start of a label if only asterisks and separators follow it, and its end if only these
/// precede it.
fn ends_of(label: &str) -> (Option<&str>, Option<&str>) {
    let (Some(first), Some(last)) = (label.find('*'), label.rfind('*')) else {
        return (None, None);
    };
    let is_hidden = |part: &str| part.chars().all(|c| c == '*' || !c.is_alphanumeric());
    let (start, end) = (&label[..first], &label[last + 1..]);
    (
        Some(start).filter(|start| !start.is_empty() && is_hidden(&label[first..])),
        Some(end).filter(|end| !end.is_empty() && is_hidden(&label[..=last])),
    )
}

/// Whether a value has only the parts that a label shows, where parts have separators: `10.1` is
/// covered by `10.1.*.*`.
fn is_cut(value: &str, label: &str) -> bool {
    let is_separator = |c: char| !c.is_alphanumeric() && !c.is_whitespace() && c != '*';
    let is_hidden = |c: char| c == '*' || is_separator(c);
    // Asterisks next to each other hide characters rather than parts.
    label.contains(is_separator) && !label.contains("**") && value == label.trim_matches(is_hidden)
}

/// Whether a value has the characters of a label, except where the label has asterisks.
fn is_shown(label: &str, value: &str) -> bool {
    let mut pairs = value.chars().zip(label.chars());
    value.chars().count() == label.chars().count()
        && pairs.all(|(character, shown)| shown == '*' || shown == character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::HierarchyBuilder;
    use crate::method::Spec;
    use crate::table::Table;

    fn covered<'a>(name: &str, values: &[&'a str], label: &str) -> Vec<String> {
        let rows: Vec<[&'a str; 1]> = values.iter().map(|&value| [value]).collect();
        let table = Table::from_rows(&[name], &rows).unwrap();
        let column = &table.columns()[0];
        let spelt = |code: Code| column.domain.spelling(code).into_owned();
        Masks::new(column).covered(label).into_iter().map(spelt).collect()
    }

    #[test]
    fn asterisks_at_an_end_mean_any_number_of_characters() {
        let dutch = ["1101AB", "1102 AB", "1112AB", "110"];
        assert_eq!(covered("postcode", &dutch, "110****"), ["110", "1101AB", "1102 AB"]);
        assert_eq!(covered("postcode", &dutch, "1**2AB"), ["1112AB"]);
        let addresses = ["10.1.2.3", "10.1.200.7", "10.12.0.1"];
        assert_eq!(covered("ip", &addresses, "10.1.*.*"), ["10.1.2.3", "10.1.200.7"]);
        assert_eq!(covered("ip", &["10.1", "10.2", "10.1.7"], "10.1.*"), ["10.1", "10.1.7"]);
        assert_eq!(covered("code", &["A17", "AB17", "B27"], "**17"), ["A17", "AB17"]);
        assert!(covered("code", &["A17", "AB17"], "C**").is_empty());
    }

    #[test]
    fn zeros_that_were_lost_are_compared_too() {
        let boston = ["2139", "2138", "21390", "94110"];
        assert_eq!(covered("zip", &boston, "021**"), ["2138", "2139"]);
        assert_eq!(covered("zip", &boston, "213**"), ["21390"]);
    }

    #[test]
    fn every_label_of_a_prefix_covers_exactly_its_values() {
        let columns: [(&str, &str, &[&str]); 6] = [
            ("postcode", "prefix", &["1101AB", "1102 AB", "1112AB", "1102", "2999 ZZ", "110"]),
            ("postcode", "prefix", &["SW1A 1AA", "SW1A 2AA", "M1 1AE", "M1 2AE", "EC1A 1BB"]),
            ("zip", "prefix", &["2139", "2138", "21390", "94110", "94111"]),
            ("ip", "prefix:split=.", &["10.1.2.3", "10.1.200.7", "10.12.0.1", "9.9.9.9"]),
            ("code", "prefix:keep=right", &["A17", "AB17", "B27", "XB27"]),
            ("n", "prefix", &["7", "71", "712", "9", "93"]),
        ];
        for (name, spec, values) in columns {
            let rows: Vec<[&str; 1]> = values.iter().map(|&value| [value]).collect();
            let table = Table::from_rows(&[name], &rows).unwrap();
            let column = &table.columns()[0];
            let prefix: crate::builder::Prefix = spec.parse::<Spec>().unwrap().read().unwrap();
            let built = prefix.build(column).unwrap();
            let tree = built.hierarchy().unwrap();
            for node in tree.nodes().filter(|&node| tree.label(node).contains('*')).skip(1) {
                let mut leaves: Vec<String> =
                    tree.leaves_of(node).map(|leaf| tree.spelling(leaf).into_owned()).collect();
                let mut found = covered(name, values, &tree.label(node));
                leaves.sort();
                found.sort();
                assert_eq!(found, leaves, "{name}: {}", tree.label(node));
            }
        }
    }
}
