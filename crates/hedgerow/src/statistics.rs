//! The mean and the standard deviation of a sample.

/// The mean of some numbers, if there are any.
pub(crate) fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// The standard deviation of a sample, if it has at least two numbers.
pub(crate) fn deviation(numbers: &[f64]) -> Option<f64> {
    let mean = mean(numbers).filter(|_| numbers.len() > 1)?;
    // Two passes: the sum of squares minus the squared mean would cancel for losses that differ by
    // 1e-5.
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    Some((squares / (numbers.len() - 1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_deviations_are_those_of_samples() {
        assert!((mean(&[1.0, 2.0, 6.0]).unwrap() - 3.0).abs() < 1e-12);
        assert!((deviation(&[1.0, 2.0, 6.0]).unwrap() - 7f64.sqrt()).abs() < 1e-12);
        assert_eq!((mean(&[]), deviation(&[4.0])), (None, None));
    }
}
