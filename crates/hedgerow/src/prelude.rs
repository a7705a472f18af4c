//! The names that most programs need: `use hedgerow::prelude::*;`.
//!
//! From a table to a release: [`Table`] and [`Columns`], a [`HierarchyBuilder`] for each column,
//! the [`PrivacyModel`]s of a [`Problem`], an [`Anonymizer`] that solves it, and the [`Release`] of
//! its recoding. A [`Study`] chooses the hierarchies itself, a [`Publication`] writes a release
//! with the other columns of its [`Source`], and a [`Job`] does all of that with files.
//!
//! # Examples
//!
//! ```
//! use hedgerow::prelude::*;
//!
//! let rows = [["23", "nurse"], ["25", "nurse"], ["41", "smith"], ["44", "smith"]];
//! let table = Table::from_rows(&["age", "job"], &rows)?;
//! let trees = vec![Iotf.build(&table.columns()[0])?, Free.build(&table.columns()[1])?];
//! let problem = Problem::new(&table, trees, vec![Box::new(KAnonymity::new(2)?)])?;
//! let recoding = problem.solve(&Hedge::default(), &Silent)?;
//! let release = Release::new(&recoding, &Style::default(), &Silent)?;
//! let published = release.publish(RowOrder::Shuffled, &Silent)?;
//! assert_eq!(published.names, ["age", "job"]);
//! // The row of the table that each published row comes from, which must not be published.
//! let first = published.rows.iter().position(|&row| row == 0).unwrap();
//! assert_eq!(published.columns[0][first], "[23, 25]");
//! # Ok::<(), Error>(())
//! ```

pub use crate::anonymize::{Anonymizer, Hedge, KMember, Mondrian, Optimal};
pub use crate::builder::{Calendar, Free, Frequency, HierarchyBuilder, Iotf, Prefix};
pub use crate::error::{Error, Misuse, Warning};
pub use crate::hierarchy::{Generalization, Hierarchy};
pub use crate::io::{Inputs, Output, ReadOptions, Source, WriteOptions};
pub use crate::job::Job;
pub use crate::method::Spec;
pub use crate::privacy::{KAnonymity, LDiversity, PrivacyModel, TCloseness};
pub use crate::problem::{Limits, Problem};
pub use crate::progress::{Progress, Silent};
pub use crate::publish::Publication;
pub use crate::recoding::Recoding;
pub use crate::release::{IntervalStyle, Release, RowOrder, Style};
pub use crate::schema::{Role, Schema};
pub use crate::study::{Demands, Study};
pub use crate::table::{Column, Columns, Encoding, Table};
