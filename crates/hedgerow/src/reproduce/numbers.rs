//! Numbers of experiments: means, deviations, and how they are written.

use crate::statistics;

/// The mean of some numbers, or 0 if there are none.
pub(super) fn mean(numbers: &[f64]) -> f64 {
    statistics::mean(numbers).unwrap_or(0.0)
}

/// The standard deviation of a sample; 0 for fewer than two numbers.
pub(super) fn deviation(numbers: &[f64]) -> f64 {
    statistics::deviation(numbers).unwrap_or(0.0)
}

/// A number with a fixed number of decimals, and no sign of a negative zero.
pub(super) fn fixed(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    // A difference of -1e-9 would be written `-0.0`, and tables of two runs would differ by a sign.
    match text.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|byte| matches!(byte, b'0' | b'.')) => zero.to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        assert_eq!([fixed(-0.0004, 2), fixed(-0.4, 1), fixed(2.0, 0)], ["0.00", "-0.4", "2"]);
    }
}
