//! hedgerow publishes microdata safely.
//!
//! It grows generalization hierarchies from the data, anonymizes a table with them, and measures
//! what was lost. The modules stand in the order of the flow, and each uses only those before it:
//!
//! ```text
//! table -> schema -> hierarchy -> problem -> proposal -> recoding -> release -> report
//! ```
//!
//! # Examples
//!
//! Four ages, published so that each is shared by at least two people:
//!
//! ```
//! use hedgerow::anonymize::KMember;
//! use hedgerow::builder::{HierarchyBuilder, Iotf};
//! use hedgerow::privacy::KAnonymity;
//! use hedgerow::problem::Problem;
//! use hedgerow::progress::Silent;
//! use hedgerow::release::{Release, Style};
//! use hedgerow::table::Table;
//!
//! let table = Table::from_rows(&["age"], &[["23"], ["25"], ["41"], ["44"]])?;
//! let tree = Iotf.build(&table.columns()[0])?;
//! let problem = Problem::new(&table, vec![tree], vec![Box::new(KAnonymity::new(2)?)])?;
//! let recoding = problem.solve(&KMember::default(), &Silent)?;
//! let release = Release::new(&recoding, &Style::default())?;
//! let published: Vec<_> = release.rows(&table).iter().map(|cells| cells[0].as_str()).collect();
//! assert_eq!(published, ["[23, 25]", "[23, 25]", "[41, 44]", "[41, 44]"]);
//! # Ok::<(), hedgerow::Error>(())
//! ```

pub mod error;
pub mod file;
pub mod noun;
pub mod progress;
pub mod method;
pub mod plot;
pub mod table;
pub mod schema;
pub mod knowledge;
pub mod hierarchy;
pub mod format;
pub mod builder;
pub mod rank;
pub mod privacy;
pub mod population;
pub mod problem;
pub mod lattice;
pub mod proposal;
pub mod recoding;
pub mod loss;
pub mod anonymize;
pub mod registry;
pub mod auto;
pub mod release;
pub mod measure;
pub mod downstream;
pub mod report;
pub mod io;
pub mod generate;
pub mod job;
pub mod import;

pub use error::{Error, Result};
