//! Labels that list the values of a group.

use super::notation::{write_partial_set, write_set};

/// Largest group whose label lists all its values.
const MOST_NAMED: usize = 8;
/// Number of values that the label of a larger group lists.
const FIRST_NAMED: usize = 3;

/// Returns `{a, b, c}`, or `{a, b, c and 9 more}` for a large group. The named values are sorted.
pub(crate) fn set_label<S: AsRef<str> + Ord>(values: impl ExactSizeIterator<Item = S>) -> String {
    let n_values = values.len();
    let n_named = if n_values > MOST_NAMED { FIRST_NAMED } else { n_values };
    let mut named: Vec<S> = values.take(n_named).collect();
    named.sort_unstable();
    match n_values - n_named {
        0 => write_set(&named),
        n_more => write_partial_set(&named, n_more),
    }
}
