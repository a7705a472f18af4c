//! Reports of a run, its losses and the remaining risk: as data, as text, and as a page.
//!
//! [`Outcome`] is what `anonymize` reports at once. [`Evidence`] is what a review board reads: it
//! is computed from the two files, and [`page`] renders it as one HTML file without scripts.

mod outcome;
mod measured;
mod text;
mod evidence;
pub(crate) mod page;
mod format;

pub use crate::noun::percent;
pub use evidence::{
    Accounting, Attacked, Band, Case, Chart, ColumnEvidence, Decision, Evidence, Facts, File,
    Flavour, Headline, HierarchyEvidence, LevelShare, Named, SCHEMA, Sample, Sides, Spell, Verdict,
};
pub use format::Format;
pub use measured::{Measured, Measurement, PeopleShown};
pub use outcome::{HierarchyOutcome, Outcome, People};
pub(crate) use page::html;
pub use page::{STYLE, body, page};
pub use text::{
    certified, classification, details, loss_table, precision, set_table, short, taken_for, utility,
};
