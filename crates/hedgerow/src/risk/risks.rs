//! The few figures of a table that every caller shows.

use serde::{Deserialize, Serialize};

use super::{Figures, Prosecutor, Side};
use crate::method::Described;

/// The risk of records for an attacker who knows that a person is in the table, the strongest of
/// the attackers that are assessed.
///
/// Reports, [`compare`](crate::compare) and the studio show these figures, so that they agree.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Risks {
    /// That of the most exposed record: 1 over the least number of records that a record matches.
    pub highest: f64,
    /// The mean over the records.
    pub average: f64,
    /// Number of records, or people, that match only themselves.
    pub alone: u64,
}

impl Side {
    /// The risk of the published records, or of all if every record is suppressed; `None` without
    /// records.
    pub fn risks(&self) -> Option<Risks> {
        self.published.risks().or_else(|| self.all.risks())
    }
}

impl Figures {
    fn risks(&self) -> Option<Risks> {
        let spread = self.of(Prosecutor::DESCRIPTION.name)?.spread.as_ref()?;
        let (highest, average) = (spread.highest.risk, spread.average);
        Some(Risks { highest, average, alone: self.alone })
    }
}
