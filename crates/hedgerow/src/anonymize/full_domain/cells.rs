//! Losses that are sums over cells, priced for the nodes of a lattice.

use crate::lattice::Nodes;
use crate::loss::{self, CellCost, CellSum, Frame, Whole};
use crate::problem::Problem;

/// A loss that increases with the sum of the costs of all cells.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    sum: CellSum,
    columns: Vec<Whole>,
    n_records: f64,
    /// The cost of each node or group of each attribute; `None` for the costs that hierarchies
    /// define.
    prices: Option<Vec<Vec<f64>>>,
    /// The cost of a suppressed record in each attribute.
    lost: Vec<f64>,
}

impl Cells {
    pub(super) fn new(sum: CellSum, problem: &Problem) -> Self {
        let attributes = problem.attributes();
        let mut columns = vec![Whole::default(); attributes.len()];
        let mut prices = None;
        if sum.cost != CellCost::Cost {
            let counts = &problem.cohorts().counts;
            let facts = attributes.iter().map(|a| loss::of_attribute(a, counts));
            let (wholes, cells): (Vec<_>, Vec<_>) = facts.unzip();
            columns = wholes;
            let of_attribute = |cells: Vec<_>| cells.iter().map(|cell| sum.cost.of(cell)).collect();
            prices = Some(cells.into_iter().map(of_attribute).collect());
        }
        let n_records = problem.cohorts().n_records() as f64;
        let frame = Frame { columns: &columns, n_records };
        let lost = columns.iter().map(|column| (sum.lost)(column, &frame)).collect();
        Self { sum, columns, n_records, prices, lost }
    }

    /// Constant attributes of suppressed records cost nothing.
    pub(super) fn for_rounds(mut self, problem: &Problem) -> Self {
        let lost = self.lost.iter_mut().zip(problem.attributes());
        lost.filter(|(_, attribute)| attribute.is_constant()).for_each(|(lost, _)| *lost = 0.0);
        self
    }

    /// The cost of a suppressed record.
    pub(super) fn lost(&self) -> f64 {
        self.lost.iter().sum()
    }

    pub(super) fn price(&self, nodes: &mut Nodes<'_>) {
        if let Some(prices) = &self.prices {
            nodes.price(prices);
        }
    }

    /// See [`Objective::least_of`](super::Objective::least_of).
    ///
    /// The others have the costs of their highest levels, and more for suppressed records.
    pub(super) fn least_of(
        &self,
        nodes: &Nodes<'_>,
        block: &[usize],
        least: f64,
        most_failing: u64,
    ) -> f64 {
        let n_records = nodes.n_records() as f64;
        let n_cells = n_records * self.columns.len() as f64;
        let others = (0..self.columns.len()).filter(|place| !block.contains(place));
        let of_others: f64 = others
            .map(|place| {
                let ladder = &nodes.ladders()[place];
                let at_top = ladder.rung(ladder.top()).cost();
                let more = (self.lost[place] - at_top / n_records).max(0.0);
                at_top + most_failing as f64 * more
            })
            .sum();
        (least - of_others / n_cells).max(0.0)
    }

    /// The loss as reports show it, given the mean cost of a cell.
    pub(super) fn penalty(&self, mean: f64) -> f64 {
        let frame = Frame { columns: &self.columns, n_records: self.n_records };
        (self.sum.total)(mean * frame.n_cells(), &frame)
    }
}
