//! The loss that a search minimises, as nodes of a lattice see it.

use super::recoding;
use crate::Result;
use crate::lattice::{Classes, Nodes};
use crate::loss::{self, Loss, Partition};
use crate::Error;

/// A loss, and how much of it is known before classes are counted.
#[derive(Clone, Copy)]
pub(crate) enum Objective {
    /// A multiple of the mean cost of a cell; one that is suppressed costs 1.
    Cells {
        /// Whether the means of the attributes are added up rather than averaged.
        is_sum: bool,
    },
    /// [`Dm`](loss::Dm).
    Discernibility,
    /// Any other: each node's partition is made and measured.
    Any(&'static dyn Loss),
}

impl Objective {
    /// The loss of this name.
    pub(crate) fn named(name: &str) -> Result<Self> {
        let found = loss::ALL.iter().find(|loss| loss.name() == name);
        let names = loss::ALL.iter().map(|loss| loss.name());
        let loss = *found.ok_or_else(|| Error::unknown("loss", name, names))?;
        Ok(match loss.name() {
            "ntil" | "gen-iloss" => Self::Cells { is_sum: false },
            "lm" => Self::Cells { is_sum: true },
            "dm" => Self::Discernibility,
            _ => Self::Any(loss),
        })
    }

    /// Whether [`Self::bound`] says more than nothing.
    pub(crate) fn has_bound(&self) -> bool {
        matches!(self, Self::Cells { .. })
    }

    /// The loss of a node's classes; none if it takes more than counts to know it.
    pub(crate) fn of_classes(&self, nodes: (u64, usize), classes: &Classes<'_>) -> Option<f64> {
        match self {
            Self::Cells { .. } => Some(self.of_cells(nodes, classes.cost())),
            Self::Discernibility => Some(classes.discernibility()),
            Self::Any(_) => None,
        }
    }

    /// The loss of a node, by way of its partition.
    pub(crate) fn of_partition(&self, nodes: &Nodes<'_>, levels: &[u32]) -> f64 {
        let Self::Any(loss) = self else { return f64::INFINITY };
        loss.of(&Partition::of(nodes.problem(), &recoding(nodes, levels)))
    }

    /// No less is lost on a node on which at least so many records fail.
    ///
    /// Records that do not fail cost what their level costs, so the least is lost when those that
    /// do are the dearest.
    pub(crate) fn bound(&self, nodes: &Nodes<'_>, levels: &[u32], n_failing: u64) -> f64 {
        if !self.has_bound() {
            return f64::NEG_INFINITY;
        }
        let at = nodes.ladders().iter().zip(levels).map(|(ladder, &level)| ladder.rung(level));
        let cost = at.map(|rung| rung.cost() - rung.most_cost(n_failing) + n_failing as f64).sum();
        self.of_cells((nodes.n_records(), nodes.ladders().len()), cost)
    }

    fn of_cells(&self, (n_records, width): (u64, usize), cost: f64) -> f64 {
        let of_record = cost / n_records.max(1) as f64;
        match self {
            Self::Cells { is_sum: true } => of_record,
            _ => of_record / width as f64,
        }
    }
}
