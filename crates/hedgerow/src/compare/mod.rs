//! Compares methods, hierarchies, models and values of k on one table.
//!
//! A [`Grid`] has the combinations to compare, a [`Runner`] runs each through the stages of
//! `anonymize` without writing a release, and a [`Comparison`] has the figures and the best cells.
//! Figures equal those of single runs with the same options.

mod lists;
mod ks;
mod models;
mod setting;
mod cell;
mod row;
mod weights;
mod grid;
mod front;
mod verdict;
mod tidy;
mod comparison;
mod plots;
mod page;
mod folder;
mod bar;
mod run;

pub use cell::Cell;
pub use comparison::Comparison;
pub use folder::Folder;
pub use grid::{Grid, MOST_CELLS, MOST_REPEATS};
pub use ks::Ks;
pub use lists::divided;
pub use models::Models;
pub use row::{Claim, Figures, Repeat, Row};
pub use run::{Cells, Runner};
pub use setting::Setting;
pub use verdict::{Ahead, Verdict, Wins};
pub use weights::Weights;
