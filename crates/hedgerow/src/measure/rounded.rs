//! Numbers of an original whose release shows rounded ones.

/// The numbers of an original whose release shows rounded ones.
pub(super) struct Rounded {
    /// Ascending.
    numbers: Vec<f64>,
    /// Number of records with the numbers before each place, and with all of them.
    n_before: Vec<u64>,
    unit: f64,
    way: Way,
}

/// A direction in which all numbers of a column are rounded.
#[derive(Debug, Clone, Copy)]
enum Way {
    Nearest,
    Down,
    Up,
    TowardZero,
}

/// Preferred first.
const WAYS: [Way; 4] = [Way::Nearest, Way::Down, Way::Up, Way::TowardZero];

impl Rounded {
    /// Numbers are rounded if all that are shown are multiples of a unit that is at least five
    /// times that of the original. The unit follows from at least two of them besides zero, because
    /// any number alone is a multiple of itself. They are rounded in the way that explains most.
    ///
    /// `shown` are the distinct numbers of the release with their records, and `n_dropped` the
    /// records whose numbers are not known.
    pub(super) fn of(
        numbers: Vec<f64>,
        counts: &[u64],
        shown: &[(f64, u64)],
        n_dropped: u64,
    ) -> Option<Self> {
        let published: Vec<f64> = shown.iter().map(|(number, _)| *number).collect();
        if published.iter().filter(|number| number.abs() > 0.0).count() < 2 {
            return None;
        }
        let (own, unit) = (unit(&numbers)?, unit(&published)?);
        // The margin is for units that are not exact in binary, such as 0.1.
        if unit <= 4.5 * own {
            return None;
        }
        let mut n_before = vec![0];
        n_before.extend(counts.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        }));
        let mut rounded = Self { numbers, n_before, unit, way: Way::Nearest };
        let n_wrong = |way: Way| {
            let is_wrong = |(number, n): &&(f64, u64)| *n > rounded.found(way, *number) + n_dropped;
            shown.iter().filter(is_wrong).count()
        };
        rounded.way = WAYS.into_iter().min_by_key(|way| n_wrong(*way))?;
        Some(rounded)
    }

    /// Number of records of the original that can be rounded to a number.
    pub(super) fn near(&self, number: f64) -> u64 {
        self.found(self.way, number)
    }

    fn found(&self, way: Way, number: f64) -> u64 {
        let unit = self.unit;
        let [below, above] = match way {
            Way::Nearest => [unit / 2.0, unit / 2.0],
            Way::Down => [0.0, unit],
            Way::Up => [unit, 0.0],
            Way::TowardZero if number > 0.0 => [0.0, unit],
            Way::TowardZero if number < 0.0 => [unit, 0.0],
            Way::TowardZero => [unit, unit],
        };
        let margin = MARGIN * unit + EXACT * number.abs();
        let start = self.numbers.partition_point(|&own| own < number - below - margin);
        let end = self.numbers.partition_point(|&own| own <= number + above + margin);
        self.n_before[end.max(start)] - self.n_before[start]
    }
}

/// Part of a unit by which a number can be farther away.
const MARGIN: f64 = 1e-9;

/// Relative difference that comes from the rounding of a few floating-point operations.
const EXACT: f64 = 4.0 * f64::EPSILON;

/// The greatest of 1, 2 and 5 times the powers of ten whose multiples the numbers are, if there is
/// one.
fn unit(numbers: &[f64]) -> Option<f64> {
    let is_multiple = |number: f64, unit: f64| {
        let times = number / unit;
        (times - times.round()).abs() <= EXACT * times.abs()
    };
    let units = (-9..=9).rev().flat_map(|power| [5.0, 2.0, 1.0].map(|n| n * 10f64.powi(power)));
    // Zero is a multiple of everything.
    let mut units = units.filter(|_| numbers.iter().any(|&number| number.abs() > 0.0));
    units.find(|&unit| numbers.iter().all(|&number| is_multiple(number, unit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_long_and_of_small_numbers_are_found() {
        let cases: [(&[f64], f64); 6] = [
            (&[1_700_000_001.0, 1_700_000_003.0], 1.0),
            (&[1_700_000_000_001.0, 1_700_000_000_002.0], 1.0),
            (&[1_700_000_000.0, 1_700_000_060.0], 20.0),
            (&[0.1, 0.2 + 0.1], 0.1),
            (&[0.123, 0.131, 0.262], 0.001),
            (&[0.0, -25.0, 100.0], 5.0),
        ];
        for (numbers, expected) in cases {
            let found = unit(numbers).unwrap();
            assert!((found / expected - 1.0).abs() < 1e-12, "{numbers:?}: {found}");
        }
        assert_eq!(unit(&[0.0]), None);
    }

    /// Whether all records of a release can come from an original with one record for each number.
    fn is_explained(own: &[f64], shown: &[(f64, u64)]) -> Option<bool> {
        let rounded = Rounded::of(own.to_vec(), &vec![1; own.len()], shown, 0)?;
        Some(shown.iter().all(|(number, n)| *n <= rounded.near(*number)))
    }

    #[test]
    fn numbers_are_rounded_in_one_direction() {
        let own = [-28.0, -21.0, 21.0, 28.0, 29.0, 34.0];
        let nearest = [(-30.0, 1), (-20.0, 1), (20.0, 1), (30.0, 3)];
        let down = [(-30.0, 2), (20.0, 3), (30.0, 1)];
        let up = [(-20.0, 2), (30.0, 3), (40.0, 1)];
        let toward_zero = [(-20.0, 2), (20.0, 3), (30.0, 1)];
        for shown in [&nearest[..], &down, &up, &toward_zero] {
            assert_eq!(is_explained(&own, shown), Some(true), "{shown:?}");
        }
        assert_eq!(is_explained(&own, &[(20.0, 3), (30.0, 3)]), Some(false));
        // One number shows no unit.
        assert_eq!(is_explained(&own, &[(0.0, 1), (20.0, 5)]), None);
    }
}
