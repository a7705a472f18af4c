//! The highest nodes that lose less than a given loss, where no record may be suppressed.

use super::{Objective, ROUNDING};
use crate::Result;
use crate::lattice::{Grid, Nodes, Vertex};
use crate::progress::{Progress, stop_at};

/// Margin by which a partial sum may exceed the limit before it is given up, so that rounding
/// errors do not discard a sum below the limit.
const SLACK: f64 = 1e-9;

/// Limit on the nodes of a frontier. A sweep of the lattice is faster than visiting more of them.
const MOST_NODES: usize = 1 << 20;

/// Number of steps between two checks of the time limit.
const STEPS: usize = 1 << 12;

/// The loss of every node of a lattice as a sum over the attributes.
///
/// If no record may be suppressed and levels nest, all nodes below a failing node fail too. The
/// least loss is therefore proved once every node of the frontier fails. The frontier has the nodes
/// that lose less than the best one and are not below another such node. It follows from the losses
/// alone, and is a small part of the lattice.
#[derive(Debug)]
pub(super) struct Frontier {
    /// The amount that each attribute adds at each of its levels in the grid, in ascending order.
    added: Vec<Vec<f64>>,
    /// The place of the first level of each attribute on which it alone makes no class too small.
    firsts: Vec<usize>,
    /// The least that the attributes from this one on add.
    rest: Vec<f64>,
}

impl Frontier {
    /// The losses of the nodes of a grid, or `None` if the loss is not such a sum.
    pub(super) fn of(objective: &Objective, nodes: &Nodes<'_>, grid: &Grid) -> Option<Self> {
        let lows = grid.lows();
        let added = objective.of_levels_alone(nodes, lows)?;
        let is_ascending = |of_levels: &Vec<f64>| of_levels.is_sorted();
        if added.is_empty() || !added.iter().all(is_ascending) {
            return None;
        }
        let floors = nodes.ladders().iter().zip(lows).map(|(ladder, low)| {
            // No record may fail, so rare values have to be generalized.
            ladder.floor(0).index().saturating_sub(low.index())
        });
        let firsts: Vec<usize> = floors.collect();
        let mut rest = vec![0.0; added.len() + 1];
        for place in (0..added.len()).rev() {
            rest[place] = rest[place + 1] + added[place][firsts[place]];
        }
        Some(Self { added, firsts, rest })
    }

    /// The nodes that lose less than `least` while every node directly above them does not. Nodes
    /// at greater heights come first, because they are most likely to be private. `None` if there
    /// are too many, or if `progress` is out of time before all are found.
    pub(super) fn below(
        &self,
        least: f64,
        grid: &Grid,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<Vertex>>> {
        let limit = least - ROUNDING;
        let last = self.added.len() - 1;
        // The attributes before `last` take all combinations of levels that can stay below the
        // limit.
        let mut at = self.firsts.clone();
        let mut sums = vec![0.0; self.added.len()];
        let mut place = 0;
        let mut found: Vec<(usize, Vertex)> = Vec::new();
        for step in 0.. {
            stop_at(step, progress)?;
            if found.len() > MOST_NODES || (step.is_multiple_of(STEPS) && progress.out_of_time()) {
                return Ok(None);
            }
            if place == last {
                let highest = self.added[last].partition_point(|added| sums[last] + added < limit);
                if highest > self.firsts[last] {
                    at[last] = highest - 1;
                    if self.is_maximal(&mut at, limit) {
                        found.push((at.iter().sum(), grid.at(&at)));
                    }
                }
            } else if let Some(added) = self.added[place].get(at[place])
                && sums[place] + added + self.rest[place + 1] < limit + SLACK
            {
                sums[place + 1] = sums[place] + added;
                place += 1;
                at[place] = self.firsts[place];
                continue;
            }
            // No higher level of this attribute stays below the limit.
            if place == 0 {
                break;
            }
            place -= 1;
            at[place] += 1;
        }
        found.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        Ok(Some(found.into_iter().map(|(_, node)| node).collect()))
    }

    /// Whether every node directly above loses at least `limit`.
    fn is_maximal(&self, at: &mut [usize], limit: f64) -> bool {
        (0..at.len()).all(|place| {
            if at[place] + 1 == self.added[place].len() {
                return true;
            }
            at[place] += 1;
            let loss: f64 = self.added.iter().zip(&*at).map(|(added, &level)| added[level]).sum();
            at[place] -= 1;
            loss >= limit
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder;
    use crate::hierarchy::Level;
    use crate::loss::Choice;
    use crate::privacy::KAnonymity;
    use crate::problem::Problem;
    use crate::progress::Silent;
    use crate::random::Random;
    use crate::table::Table;

    /// Records of four columns with up to nine values each.
    fn problem(random: &mut Random) -> Problem {
        let row = |random: &mut Random| [9, 6, 4, 2].map(|n| random.below(n).to_string());
        let rows: Vec<[String; 4]> = (0..40).map(|_| row(random)).collect();
        let table = Table::from_rows(&["a", "b", "c", "d"], &rows).unwrap();
        let build = |column| builder::build(&"iotf".parse().unwrap(), column, None).unwrap();
        let built = table.columns().iter().map(build).collect();
        Problem::new(&table, built, vec![Box::new(KAnonymity::new(3).unwrap())]).unwrap()
    }

    #[test]
    fn the_frontier_is_the_highest_nodes_that_lose_less() {
        let mut random = Random::new(11);
        let mut n_found = 0;
        for _ in 0..20 {
            let problem = problem(&mut random);
            let objective = Objective::new(Choice::default(), &problem).unwrap();
            let mut nodes = Nodes::of_all(&problem);
            objective.price(&mut nodes);
            let grid = Grid::new(nodes.ladders());
            let frontier = Frontier::of(&objective, &nodes, &grid).unwrap();
            let loss = |levels: &[Level]| {
                let costs = nodes.ladders().iter().zip(levels).map(|(l, &at)| l.rung(at).cost());
                costs.sum::<f64>() / (nodes.n_records() * levels.len() as u64) as f64
            };
            let floors: Vec<Level> = nodes.ladders().iter().map(|ladder| ladder.floor(0)).collect();
            let least = loss(&grid.levels(Vertex::new(random.below(grid.len()))));
            let is_below = |node: &Vertex| {
                let levels = grid.levels(*node);
                let is_above_floors =
                    levels.iter().zip(&floors).all(|(level, floor)| level >= floor);
                let loses_more = |above: Vertex| loss(&grid.levels(above)) >= least - ROUNDING;
                is_above_floors
                    && loss(&levels) < least - ROUNDING
                    && grid.above(&levels).all(loses_more)
            };
            let expected: Vec<Vertex> = (0..grid.len()).map(Vertex::new).filter(is_below).collect();
            let mut found = frontier.below(least, &grid, &Silent).unwrap().unwrap();
            found.sort_unstable();
            assert_eq!(found, expected);
            n_found += found.len();
        }
        assert!(n_found > 40, "{n_found}");
    }

    /// The caller of a search whose time is over, or who has cancelled it.
    struct Ended {
        cancelled: bool,
    }

    impl Progress for Ended {
        fn cancelled(&self) -> bool {
            self.cancelled
        }

        fn out_of_time(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_frontier_is_given_up_when_the_time_is_over() {
        let problem = problem(&mut Random::new(11));
        let objective = Objective::new(Choice::default(), &problem).unwrap();
        let mut nodes = Nodes::of_all(&problem);
        objective.price(&mut nodes);
        let grid = Grid::new(nodes.ladders());
        let frontier = Frontier::of(&objective, &nodes, &grid).unwrap();
        let late = frontier.below(1.0, &grid, &Ended { cancelled: false }).unwrap();
        assert!(late.is_none());
        assert!(frontier.below(1.0, &grid, &Ended { cancelled: true }).is_err());
    }
}
