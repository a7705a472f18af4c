//! Running times of methods, estimated from the size of a problem.

use crate::anonymize::Hedge;
use crate::method::{Described, Spec};

/// Seconds that a search may take altogether, with the trials before it, unless the user sets
/// another limit.
pub(crate) const USUAL_TIME: f64 = 60.0;

/// Seconds that the trials may take in any case, as estimated, even if the search takes less.
pub(crate) const MOMENT: f64 = 0.15;

/// The size of a problem.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    /// Number of distinct records.
    pub(super) cohorts: usize,
    /// Number of quasi-identifiers.
    pub(super) columns: usize,
}

/// Nanoseconds for each unit of work, `c log2(c) w` for `c` distinct records of `w` columns.
///
/// Those of `hedge` without rebuilding classes and of `mondrian` are rounded up from one table, a
/// year of flights, on which they took 8.7 s and 0.46 s. Rebuilding doubles the time. That of
/// `top-down` is rounded up from ten tables of 2,700 to 22,000 records, on which it took at most
/// 0.1 s. The others are rough: the time of `optimal` depends on the levels.
fn nanoseconds(method: &Spec) -> f64 {
    match method.name.as_str() {
        "mondrian" => 20.0,
        "datafly" => 40.0,
        "top-down" => 100.0,
        "optimal" | "local" | "bottom-up" => 1_000.0,
        // hedge
        _ if method.parameters.get(SWEEPS).is_some_and(|sweeps| Spec::written(sweeps) == "0") => {
            300.0
        }
        _ => 600.0,
    }
}

/// The parameter of `hedge` that rebuilds classes.
const SWEEPS: &str = "sweeps";

/// The method that a trial runs instead of another, for less work and nearly the same loss: `hedge`
/// without rebuilding classes.
pub(super) fn draft(method: &Spec) -> Spec {
    let mut draft = method.clone();
    if method.name == Hedge::DESCRIPTION.name {
        draft.parameters.insert(SWEEPS.to_owned(), 0.into());
    }
    draft
}

impl Size {
    /// Estimates the seconds that a method takes. This is only an estimate: the limit that it is
    /// compared with gives the same choice on every computer, fast or slow.
    pub(super) fn seconds(self, method: &Spec) -> f64 {
        let c = self.cohorts as f64;
        c * c.max(2.0).log2() * self.columns as f64 * nanoseconds(method) / 1e9
    }

    /// The work of one method in relation to that of another on a problem of the same size.
    pub(super) fn weight(method: &Spec, other: &Spec) -> f64 {
        nanoseconds(method) / nanoseconds(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hedge_fits_into_the_usual_time_on_a_year_of_flights() {
        let size = Size { cohorts: 336_776, columns: 7 };
        let seconds = size.seconds(&Spec::named("hedge"));
        assert!((20.0..30.0).contains(&seconds), "{seconds}");
        assert!(size.seconds(&draft(&Spec::named("hedge"))) * 2.0 <= seconds);
        assert!(size.seconds(&Spec::named("mondrian")) < 1.0);
        let large = Size { cohorts: 5_000_000, columns: 7 };
        assert!(large.seconds(&Spec::named("hedge")) > USUAL_TIME);
    }
}
