//! Charts as SVG: one place for escaping, axes, marks and colours.
//!
//! Colours are CSS classes, so that a page decides about light, dark and paper. A chart that is a
//! separate file contains the rules ([`Svg::standalone`]).

mod colours;
mod svg;
mod axis;
mod plot;
mod histogram;
mod bars;
mod stacked;
mod icicle;
mod trie;
mod ruler;
mod scatter;
mod binary;
mod chain;

pub use bars::{Bar, Bars};
pub use binary::{BinaryTree, Knot};
pub use chain::Chain;
pub use colours::{COLOURS, Theme, palette};
pub use histogram::{Bin, Histogram};
pub use icicle::{Block, Icicle};
pub use plot::{Plot, Series};
pub use ruler::Axis;
pub use scatter::{Kind, N_COLOURS, N_SHAPES, Point, Scatter};
pub use stacked::{Share, Stacked};
pub use svg::{Svg, escape, shortened};
pub use trie::{Trie, TrieNode};

pub(crate) use axis::{marks, spelt};

/// The rules of the classes that charts use. They refer to the colours of [`COLOURS`].
pub const STYLE: &str = include_str!("chart.css");
