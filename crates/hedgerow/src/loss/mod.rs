//! Losses: the cost of a partition of the records, defined once for searches and reports.

mod partition;
mod facts;
mod counted;
mod ntil;
mod choice;
mod nil1;
mod nilinf;
mod lm;
mod gen_iloss;
mod ncp;
mod gcp;
mod precision;
mod distortion;
mod entropy;
mod dm;
mod navg;
mod c_avg;
mod cm;
mod sets;

pub use c_avg::CAvg;
pub use choice::{Choice, named};
pub use cm::Cm;
use counted::everything;
pub use counted::{CellCost, CellSum, Counted, Frame};
pub use distortion::Distortion;
pub use dm::Dm;
pub use entropy::Entropy;
pub(crate) use facts::{log_counts, of_attribute, of_nodes, running, share};
pub use gcp::Gcp;
pub use gen_iloss::GenIloss;
pub use lm::Lm;
pub use navg::Navg;
pub use ncp::Ncp;
pub use nil1::Nil1;
pub use nilinf::NilInf;
pub use ntil::Ntil;
pub use partition::{Cell, Histogram, Partition, Whole};
pub use precision::Precision;
pub use sets::{OfSets, SET_LOSSES, Sets};

use crate::method::{Describe, Described, Method};

/// A measure of what a release loses, or keeps.
pub trait Loss: Describe + Sync {
    /// Its formula in words. The cost of a cell is the share of its column's range or values that
    /// it could be, from 0 to 1; that of a suppressed cell is 1.
    fn formula(&self) -> &'static str;

    /// The property that the number measures.
    fn aspect(&self) -> Aspect {
        Aspect::Cells
    }

    /// Whether the number is a count rather than a ratio.
    fn is_count(&self) -> bool {
        false
    }

    /// Whether larger is better. A gain is at most 1, and a search minimises 1 minus the gain.
    fn is_gain(&self) -> bool {
        false
    }

    /// The computation of the loss from the counts and costs of classes alone, or `None` if there
    /// is none. A search of a lattice uses it to avoid building the partition of each node.
    fn counted(&self) -> Option<Counted> {
        None
    }

    /// The loss of a partition, or `None` if the loss does not apply to it.
    fn of(&self, partition: &Partition) -> Option<f64>;

    /// The number as reports show it: ratios with six decimals, counts with none.
    fn written(&self, number: f64) -> String {
        if self.is_count() { format!("{number:.0}") } else { format!("{number:.6}") }
    }

    /// The number that a search minimises: the loss itself, or 1 minus a gain.
    fn penalty(&self, partition: &Partition) -> Option<f64> {
        let number = self.of(partition)?;
        Some(if self.is_gain() { 1.0 - number } else { number })
    }
}

/// The property that a loss measures; reports have one section for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Aspect {
    /// Information in published cells.
    Cells,
    /// Sizes of classes.
    Classes,
    /// Accuracy with which a column can be predicted.
    Prediction,
}

impl Aspect {
    /// Every aspect, in the order of reports.
    pub const ALL: [Self; 3] = [Self::Cells, Self::Classes, Self::Prediction];

    /// Its heading in reports.
    pub fn title(self) -> &'static str {
        match self {
            Self::Cells => "loss of cells",
            Self::Classes => "size of classes",
            Self::Prediction => "prediction of the class column",
        }
    }
}

/// Registry of all losses.
pub const ALL: &[Method<&'static dyn Loss>] = &[
    method(&Ntil),
    method(&Nil1),
    method(&NilInf),
    method(&Lm),
    method(&GenIloss),
    method(&Ncp),
    method(&Gcp),
    method(&Precision),
    method(&Distortion),
    method(&Entropy),
    method(&Dm),
    method(&Navg),
    method(&CAvg),
    method(&Cm),
];

/// The entry of a loss in the registry.
const fn method<L: Loss + Described>(loss: &'static L) -> Method<&'static dyn Loss> {
    Method::new(L::DESCRIPTION, loss)
}

/// The names of all losses.
pub fn names() -> Vec<&'static str> {
    ALL.iter().map(|loss| loss.name).collect()
}

/// `part / whole`, or 0 if `whole` is 0.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests;
