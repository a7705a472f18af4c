//! Computation of losses from the counts and costs of classes alone.

use super::{Cell, Partition, Whole};

/// Computation of a loss from the counts and costs of classes alone, so that a search of a lattice
/// need not build the partition of each node.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Counted {
    /// It increases with the sum of the costs of all cells.
    Cells(CellSum),
    /// The discernibility penalty.
    Discernibility,
    /// Average class size in units of `k`: of all records, or only of those that are published.
    ClassSize {
        /// Whether suppressed records count.
        with_suppressed: bool,
    },
    /// The mean cost of a class, whatever its size; the suppressed records are one class.
    MeanClass,
    /// The mean over the columns of the greatest cost of a class; 1 if a record is suppressed.
    WorstClass,
}

/// A loss that increases with the sum of the costs of all cells.
#[derive(Debug, Clone, Copy)]
pub struct CellSum {
    /// The cost of a published cell.
    pub cost: CellCost,
    /// The cost of a suppressed cell of a column, no less than that of any published one.
    pub lost: fn(&Whole, &Frame<'_>) -> f64,
    /// The number that a search minimises, given the sum over all cells.
    pub total: fn(f64, &Frame<'_>) -> f64,
}

/// The property of a published cell that is its cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CellCost {
    /// [`Cell::cost`], which hierarchies define.
    Cost,
    /// [`Cell::share`].
    Share,
    /// [`Cell::level`].
    Level,
    /// [`Cell::distortion`].
    Distortion,
    /// The bits of its mass.
    Bits,
}

impl CellCost {
    /// The cost of a cell.
    pub fn of(self, cell: &Cell) -> f64 {
        match self {
            Self::Cost => cell.cost,
            Self::Share => cell.share,
            Self::Level => cell.level,
            Self::Distortion => cell.distortion,
            Self::Bits => (cell.mass as f64).max(1.0).log2(),
        }
    }
}

/// The table that a sum of costs refers to.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// Properties of each quasi-identifier as a whole.
    pub columns: &'a [Whole],
    /// Number of records, including suppressed ones.
    pub n_records: f64,
}

impl Frame<'_> {
    /// Number of cells, including those of suppressed records.
    pub fn n_cells(&self) -> f64 {
        self.n_records * self.columns.len() as f64
    }

    /// The distortion of a record that is suppressed: that of all roots together.
    pub(super) fn root_distortion(&self) -> f64 {
        self.columns.iter().filter_map(|column| column.distortion).sum()
    }
}

impl CellSum {
    /// The number that a search minimises, for a partition.
    pub(super) fn of(&self, partition: &Partition) -> f64 {
        let n_records = partition.n_records() as f64;
        let frame = Frame { columns: &partition.columns, n_records };
        let lost: f64 = partition.columns.iter().map(|column| (self.lost)(column, &frame)).sum();
        let sum = partition.sum(|cell| self.cost.of(cell)) + partition.n_suppressed as f64 * lost;
        (self.total)(sum, &frame)
    }
}

/// The cost of a suppressed cell where published ones cost up to 1.
pub(super) fn everything(_: &Whole, _: &Frame<'_>) -> f64 {
    1.0
}
