//! A part of the records of a table.

/// A number of records of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Portion {
    /// Number of records.
    pub records: u64,
    /// Number of all records.
    pub of: u64,
}

impl Portion {
    /// The share as a number between 0 and 1, rounded up so that it allows all these records.
    pub(super) fn share(self) -> String {
        const UNITS: u64 = 1000;
        let share = (self.records * UNITS).div_ceil(self.of.max(1)) as f64 / UNITS as f64;
        share.to_string()
    }
}
