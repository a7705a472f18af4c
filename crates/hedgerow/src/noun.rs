//! Counts with nouns, for messages and reports.

use std::fmt::Display;

/// Formats a number with its noun: `1 record`, `2 records`, `0 classes`, `2 people`.
///
/// ```
/// use hedgerow::noun::counted;
/// assert_eq!([counted(1, "class"), counted(5, "class")], ["1 class", "5 classes"]);
/// ```
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(n: N, noun: &str) -> String {
    let ending = match noun {
        _ if n == N::from(1) => "",
        "person" => return format!("{n} people"),
        _ if noun.ends_with('s') => "es",
        _ => "s",
    };
    format!("{n} {noun}{ending}")
}

/// Formats a share as a percentage, which is 0% or 100% only if the share is 0 or 1.
///
/// ```
/// use hedgerow::noun::percent;
/// let shown = [0.0, 0.001, 0.005, 0.444, 0.995, 0.9999, 1.0].map(percent);
/// assert_eq!(shown, ["0%", "under 1%", "under 1%", "44%", "over 99%", "over 99%", "100%"]);
/// ```
pub fn percent(share: f64) -> String {
    // Rounding to 0% or 100% would claim that no or every record is concerned. Halves are rounded
    // to even numbers, so the rounded text decides.
    match format!("{:.0}%", 100.0 * share).as_str() {
        "0%" if share > 0.0 => "under 1%".to_owned(),
        "100%" if share < 1.0 => "over 99%".to_owned(),
        rounded => rounded.to_owned(),
    }
}

/// Formats a count with separators: `45,222`.
///
/// ```
/// use hedgerow::noun::grouped;
/// assert_eq!([0, 999, 45_222, 1_234_567].map(grouped), ["0", "999", "45,222", "1,234,567"]);
/// ```
pub fn grouped(number: u64) -> String {
    grouped_wide(number.into())
}

/// Like [`grouped`], for numbers that need not fit into 64 bits.
pub(crate) fn grouped_wide(number: u128) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Lists the first 12 names, each shortened to 60 characters, and the number of the others.
///
/// ```
/// use hedgerow::noun::listed;
/// assert_eq!(listed(&["a", "b"]), "a, b");
/// assert_eq!(listed(&["x"; 14]), "x, x, x, x, x, x, x, x, x, x, x, x, and 2 more");
/// ```
pub fn listed(names: &[impl AsRef<str>]) -> String {
    const MOST: usize = 12;
    const LONGEST: usize = 60;
    let cut = |name: &str| match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    };
    let first: Vec<String> = names.iter().take(MOST).map(|name| cut(name.as_ref())).collect();
    match names.len().saturating_sub(MOST) {
        0 => first.join(", "),
        more => format!("{}, and {more} more", first.join(", ")),
    }
}

/// Joins names as in a sentence.
///
/// ```
/// use hedgerow::noun::all_of;
/// assert_eq!([all_of(&["a"]), all_of(&["a", "b", "c"])], ["a", "a, b and c"]);
/// ```
pub fn all_of(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, rest @ [_, ..])) => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
