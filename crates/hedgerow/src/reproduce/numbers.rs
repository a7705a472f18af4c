//! Numbers of experiments: means, deviations, and how they are written.

/// The mean of some numbers, or 0 if there are none.
pub(super) fn mean(numbers: &[f64]) -> f64 {
    if numbers.is_empty() { 0.0 } else { numbers.iter().sum::<f64>() / numbers.len() as f64 }
}

/// The standard deviation of a sample; 0 for fewer than two numbers.
pub(super) fn deviation(numbers: &[f64]) -> f64 {
    if numbers.len() < 2 {
        return 0.0;
    }
    let mean = mean(numbers);
    // Two passes: the sum of squares minus the squared mean would cancel for losses that differ by
    // 1e-5.
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    (squares / (numbers.len() - 1) as f64).sqrt()
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
    fn means_and_deviations_are_those_of_samples() {
        assert!((mean(&[1.0, 2.0, 6.0]) - 3.0).abs() < 1e-12);
        assert!((deviation(&[1.0, 2.0, 6.0]) - 7f64.sqrt()).abs() < 1e-12);
        assert_eq!((mean(&[]), deviation(&[4.0])), (0.0, 0.0));
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!([fixed(-0.0004, 2), fixed(-0.4, 1), fixed(2.0, 0)], ["0.00", "-0.4", "2"]);
    }
}
