//! hedgerow publishes microdata safely.
//!
//! It builds generalization hierarchies from the data, anonymizes a table with them, and measures
//! the information loss. The modules are in the order of the flow, and each uses only those before
//! it:
//!
//! ```text
//! source -> table -> study (hierarchies, goal) -> proposal -> recoding -> release -> publication
//! ```
//!
//! # Examples
//!
//! Four ages, published so that each is shared by at least two people:
//!
//! ```
//! use hedgerow::prelude::*;
//!
//! let table = Table::from_rows(&["age"], &[["23"], ["25"], ["41"], ["44"]])?;
//! let tree = Iotf.build(&table.columns()[0])?;
//! let problem = Problem::new(&table, vec![tree], vec![Box::new(KAnonymity::new(2)?)])?;
//! let recoding = problem.solve(&KMember::default(), &Silent)?;
//! let release = Release::new(&recoding, &Style::default(), &Silent)?;
//! for warning in release.warnings() {
//!     eprintln!("{warning}");
//! }
//! // The rows are shuffled: who knows the order of the table must not find people by it.
//! let published = release.publish(RowOrder::Shuffled, &Silent)?;
//! let mut ages = published.columns[0].clone();
//! ages.sort();
//! assert_eq!(ages, ["[23, 25]", "[23, 25]", "[41, 44]", "[41, 44]"]);
//! # Ok::<(), Error>(())
//! ```

pub mod noun;
pub mod error;
mod letters;
pub mod charset;
pub mod file;
mod index;
mod random;
mod statistics;
pub mod progress;
mod parallel;
pub mod method;
pub mod chart;
pub mod table;
pub mod schema;
pub mod guard;
mod how;
#[cfg(feature = "wordnet")]
pub mod knowledge;
pub mod hierarchy;
pub mod format;
pub mod builder;
#[cfg(feature = "wordnet")]
pub mod rank;
pub mod edit;
pub mod privacy;
pub mod population;
pub mod problem;
mod box_tree;
pub mod lattice;
pub mod proposal;
pub mod recoding;
pub mod loss;
pub mod certificate;
pub mod anonymize;
pub mod auto;
pub mod preview;
pub mod study;
pub mod release;
pub mod measure;
pub mod utility;
pub mod classify;
pub mod risk;
pub mod attack;
#[cfg(feature = "wordnet")]
pub mod downstream;
pub mod registry;
pub mod report;
pub mod io;
pub mod inspect;
pub mod publish;
pub mod generate;
pub mod recipe;
pub mod job;
pub mod compare;
pub mod apply;
pub mod import;
pub mod reproduce;
pub mod prelude;

pub use error::{Error, Result};
