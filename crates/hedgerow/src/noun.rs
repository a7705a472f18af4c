//! Counted nouns, as messages and reports write them.

use std::fmt::Display;

/// A number with its noun: `1 record`, `2 records`, `0 classes`.
///
/// ```
/// use hedgerow::noun::counted;
/// assert_eq!([counted(1, "class"), counted(5, "class")], ["1 class", "5 classes"]);
/// ```
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(n: N, noun: &str) -> String {
    let ending = match noun {
        _ if n == N::from(1) => "",
        _ if noun.ends_with('s') => "es",
        _ => "s",
    };
    format!("{n} {noun}{ending}")
}
