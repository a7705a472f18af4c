//! Searches a lattice that is too large to list: descents to local optima, the best of them first.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use hashbrown::{HashMap, HashSet};

use super::objective::Known;
use super::search::{Aim, End, Found, Search};
use super::{ROUNDING, unreachable};
use crate::Result;
use crate::hierarchy::Level;
use crate::lattice::{self, Ladder, Nodes};
use crate::progress::stop_if_cancelled;

/// Number of nodes that are counted to bound the loss of some attributes.
const BUDGET_OF_BLOCK: u64 = 60;

/// Limit on the nodes of the lattice of some attributes.
const NODES_OF_BLOCK: usize = 1_000;

/// Limit on the nodes, and on the local optima, that are kept. With ten attributes, the losses of
/// nodes, the optima that were found and those that are open take some 320 MB together.
const MOST_KEPT: usize = 1 << 20;

/// A search of a lattice that is too large to list.
///
/// From the top, a descent lowers one attribute at a time, the one with the least loss. Lower
/// bounds order the attributes, so most are not counted. From each local optimum, the best first,
/// every attribute is raised by one level and the others descend again. Nodes have exact losses. A
/// lower bound of all losses is the sum of what disjoint sets of attributes must lose on their own,
/// if records that fail on some attributes also fail on all of them.
pub(crate) struct Wide<'s, 'p> {
    nodes: &'s mut Nodes<'p>,
    aim: Aim<'s>,
    /// The loss of nodes that were counted; `None` if too many records fail. Cleared when it has
    /// `most_kept` entries; nodes that are visited again are then counted again.
    losses: HashMap<Vec<Level>, Option<f64>>,
    most_kept: usize,
    n_counted: u64,
    least_failing: u64,
    best: Option<Optimum>,
    end: End,
}

/// A node and its loss; less is greater, so that the best is the first of a heap.
#[derive(Debug, Clone, PartialEq)]
struct Optimum {
    loss: f64,
    levels: Vec<Level>,
}

impl Eq for Optimum {}

impl PartialOrd for Optimum {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Optimum {
    fn cmp(&self, other: &Self) -> Ordering {
        // Of equal losses, the lower levels come first.
        other.loss.total_cmp(&self.loss).then_with(|| other.levels.cmp(&self.levels))
    }
}

impl<'s, 'p> Wide<'s, 'p> {
    pub(crate) fn new(nodes: &'s mut Nodes<'p>, aim: Aim<'s>) -> Self {
        let (losses, best, end) = (HashMap::new(), None, End::Tried);
        let aim = aim.prepare(nodes);
        let (n_counted, least_failing, most_kept) = (0, u64::MAX, MOST_KEPT);
        Self { nodes, aim, losses, most_kept, n_counted, least_failing, best, end }
    }

    /// Runs the search.
    pub(crate) fn run(mut self) -> Result<Found> {
        let tops: Vec<Level> = self.nodes.ladders().iter().map(Ladder::top).collect();
        // The top is always counted, so that an error can state the number of records that fail
        // there.
        if self.loss(&tops)?.is_none() {
            return Err(unreachable(self.nodes.problem(), self.least_failing));
        }
        let bound = self.bound(&tops)?;
        let mut open = BinaryHeap::from_iter(self.descend(tops, None)?);
        let mut is_met: HashSet<Vec<Level>> = open.iter().map(|at| at.levels.clone()).collect();
        let mut is_full = false;
        while let Some(at) = open.pop() {
            for raised in self.raised(&at.levels) {
                if !self.may_count() {
                    return self.found(bound);
                }
                let (levels, attribute) = raised;
                let found = self.descend(levels, Some(attribute))?;
                let Some(found) = found.filter(|found| !is_met.contains(&found.levels)) else {
                    continue;
                };
                // The optima that are open then are the last ones, and the best come first.
                if is_met.len() == self.most_kept {
                    is_full = true;
                    continue;
                }
                is_met.insert(found.levels.clone());
                open.push(found);
            }
        }
        if is_full && self.end == End::Tried {
            self.end = End::Full;
        }
        self.found(bound)
    }

    /// The nodes one level higher in one attribute, and that attribute.
    fn raised(&self, levels: &[Level]) -> Vec<(Vec<Level>, usize)> {
        let can_rise = |&place: &usize| levels[place] < self.nodes.ladders()[place].top();
        let raised = |place: usize| {
            let mut raised = levels.to_vec();
            raised[place] = raised[place].above();
            (raised, place)
        };
        (0..levels.len()).filter(can_rise).map(raised).collect()
    }

    /// Descends from a node while that loses less; the attribute `fixed` stays as it is. Returns
    /// the last node, or `None` if too many records fail at the first one.
    fn descend(&mut self, from: Vec<Level>, fixed: Option<usize>) -> Result<Option<Optimum>> {
        let Some(loss) = self.loss(&from)? else { return Ok(None) };
        let mut at = Optimum { loss, levels: from };
        let mut open: Vec<usize> =
            (0..at.levels.len()).filter(|&place| Some(place) != fixed).collect();
        while let Some(next) = self.best_below(&at, &mut open)? {
            if next.loss >= at.loss - ROUNDING {
                break;
            }
            at = next;
        }
        Ok(Some(at))
    }

    /// The best of the nodes directly below in one of the `open` attributes. Attributes that cannot
    /// be lowered are removed.
    fn best_below(&mut self, at: &Optimum, open: &mut Vec<usize>) -> Result<Option<Optimum>> {
        let below = |&place: &usize| {
            let mut levels = at.levels.clone();
            levels[place] = levels[place].below()?;
            Some((self.bound_of(&levels, self.nodes.least_failing(&levels)), place, levels))
        };
        let mut candidates: Vec<(f64, usize, Vec<Level>)> = open.iter().filter_map(below).collect();
        // Of equal bounds, the first attribute comes first.
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut best: Option<Optimum> = None;
        for (bound, place, levels) in candidates {
            // No other candidate can lose less than its bound.
            if best.as_ref().is_some_and(|best| best.loss <= bound) || !self.may_count() {
                break;
            }
            match self.loss(&levels)? {
                // Too many records also fail further down.
                None => open.retain(|&open| open != place),
                Some(loss) if best.as_ref().is_none_or(|best| loss < best.loss) => {
                    best = Some(Optimum { loss, levels });
                }
                Some(_) => {}
            }
        }
        Ok(best)
    }

    /// A lower bound of the loss of a node, given a lower bound of the number of failing records.
    fn bound_of(&self, levels: &[Level], n_failing: u64) -> f64 {
        let (most_classes, most_failing) = (u64::MAX, self.aim.most_failing);
        self.aim.objective.bound(
            self.nodes,
            levels,
            Known { n_failing, most_classes, most_failing },
        )
    }

    /// The loss of a node, or `None` if too many records fail.
    fn loss(&mut self, levels: &[Level]) -> Result<Option<f64>> {
        if let Some(&known) = self.losses.get(levels) {
            return Ok(known);
        }
        // Records that are rare in a single attribute fail without a count.
        if self.n_counted > 0 && self.nodes.least_failing(levels) > self.aim.most_failing {
            return Ok(None);
        }
        stop_if_cancelled(self.aim.progress)?;
        let found = self.aim.objective.of_node(self.nodes, levels, self.aim.most_failing);
        self.least_failing = self.least_failing.min(found.n_failing);
        if self.losses.len() == self.most_kept {
            self.losses.clear();
        }
        self.losses.insert(levels.to_vec(), found.loss);
        self.n_counted += 1;
        self.aim.progress.advance(self.n_counted, self.aim.budget.unwrap_or(0));
        if let Some(loss) = found.loss {
            let found = Optimum { loss, levels: levels.to_vec() };
            if self.best.as_ref().is_none_or(|best| found > *best) {
                self.best = Some(found);
            }
        }
        Ok(found.loss)
    }

    fn may_count(&mut self) -> bool {
        if self.end == End::Tried {
            if self.aim.budget.is_some_and(|budget| self.n_counted >= budget) {
                self.end = End::Budget;
            } else if self.aim.progress.out_of_time() {
                self.end = End::Time;
            }
        }
        self.end == End::Tried
    }

    /// A lower bound of the loss of all nodes: the sum of the losses of blocks of attributes, each
    /// with the others at their highest levels and without the loss of the others there. That
    /// requires that no fewer records fail if the others are lowered.
    fn bound(&mut self, tops: &[Level]) -> Result<f64> {
        let bottom = vec![Level::VALUES; tops.len()];
        if !self.nodes.is_nested() {
            return Ok(f64::NEG_INFINITY);
        }
        let is_sum = self.aim.objective.is_sum_over_attributes();
        if !is_sum || !self.nodes.problem().goal().prunes(self.aim.most_failing) {
            // Records that fail on the lowest levels need not fail on others.
            return Ok(self.bound_of(&bottom, 0));
        }
        let mut sum = 0.0;
        for block in self.blocks() {
            let mut lows = tops.to_vec();
            block.iter().for_each(|&place| lows[place] = Level::VALUES);
            let aim = Aim { budget: Some(BUDGET_OF_BLOCK), ..self.aim };
            let found = Search::above(self.nodes, aim, lows).run()?;
            sum += aim.objective.least_of(self.nodes, &block, found.bound, aim.most_failing);
        }
        Ok(sum)
    }

    /// Attributes in blocks whose lattices are small, those with many values first.
    fn blocks(&self) -> Vec<Vec<usize>> {
        let mut blocks: Vec<(Vec<usize>, usize)> = Vec::new();
        for place in lattice::by_values(self.nodes.problem().attributes()) {
            let n_levels = self.nodes.ladders()[place].top().index() + 1;
            match blocks.last_mut() {
                Some((block, n_nodes)) if *n_nodes * n_levels <= NODES_OF_BLOCK => {
                    block.push(place);
                    *n_nodes *= n_levels;
                }
                _ => blocks.push((vec![place], n_levels)),
            }
        }
        blocks.into_iter().map(|(block, _)| block).collect()
    }

    fn found(self, bound: f64) -> Result<Found> {
        let Some(Optimum { loss, levels }) = self.best else {
            return Err(unreachable(self.nodes.problem(), self.least_failing));
        };
        let n_nodes = lattice::n_nodes(self.nodes.problem().attributes());
        let (n_counted, end) = (self.n_counted, self.end);
        Ok(Found { levels, loss, bound: bound.min(loss), n_counted, n_nodes, end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anonymize::full_domain::Objective;
    use crate::builder;
    use crate::loss::Choice;
    use std::sync::Arc;

    use crate::loss;
    use crate::privacy::{self, KAnonymity, PrivacyModel, Secret};
    use crate::problem::{Limits, Problem};
    use crate::progress::Silent;
    use crate::random::Random;
    use crate::table::{Columns, Encoding, Table};

    /// Records of five columns with up to six values each.
    fn problem(random: &mut Random, most_suppressed: u64) -> Problem {
        let names = ["a", "b", "c", "d", "e"];
        let row = |random: &mut Random| [6, 5, 4, 3, 2].map(|n| random.below(n).to_string());
        let rows: Vec<[String; 5]> = (0..60).map(|_| row(random)).collect();
        let table = Table::from_rows(&names, &rows).unwrap();
        let build = |column| builder::build(&"iotf".parse().unwrap(), column, None).unwrap();
        let built = table.columns().iter().map(build).collect();
        let limits = Limits { most_suppressed, ..Limits::default() };
        let model = Box::new(KAnonymity::new(4).unwrap());
        Problem::with_limits(&table, built, vec![model], limits).unwrap()
    }

    #[test]
    fn the_optimum_is_between_the_bound_and_the_loss() {
        let mut random = Random::new(7);
        let mut n_equal = 0;
        for (round, loss) in
            ["ntil", "dm", "precision", "entropy", "c-avg"].iter().cycle().take(40).enumerate()
        {
            let most_failing = [0, 3, 20][round % 3];
            let problem = problem(&mut random, most_failing);
            let loss: Choice = loss.parse().unwrap();
            let objective = Objective::new(loss, &problem).unwrap();
            let aim = Aim { objective: &objective, most_failing, budget: None, progress: &Silent };
            let least = Search::new(&mut Nodes::of_all(&problem), aim).run().unwrap().loss;
            let found = Wide::new(&mut Nodes::of_all(&problem), aim).run().unwrap();
            assert_eq!(found.end, End::Tried);
            assert!(found.bound <= least + 1e-9, "{loss} {} {least}", found.bound);
            assert!(found.loss >= least - 1e-9, "{loss} {} {least}", found.loss);
            n_equal += usize::from(found.loss <= least + 1e-9);
        }
        assert!(n_equal >= 36, "{n_equal} of 40 are optimal");
    }

    /// Forgotten nodes are counted again, and only the best local optima are raised.
    #[test]
    fn a_search_that_keeps_few_nodes_ends_with_a_loss_within_its_bound() {
        let mut random = Random::new(5);
        let mut n_full = 0;
        for most_kept in [1, 3, 10].into_iter().cycle().take(15) {
            let problem = problem(&mut random, 0);
            let objective = Objective::new(Choice::default(), &problem).unwrap();
            let aim =
                Aim { objective: &objective, most_failing: 0, budget: None, progress: &Silent };
            let (mut few, mut all) = (Nodes::of_all(&problem), Nodes::of_all(&problem));
            let few = Wide { most_kept, ..Wide::new(&mut few, aim) }.run().unwrap();
            let all = Wide::new(&mut all, aim).run().unwrap();
            assert!(few.loss >= all.loss && few.bound <= few.loss, "{most_kept}");
            assert!(few.n_counted > most_kept as u64);
            // A search that has left no local optimum out is the same.
            match few.end {
                End::Full => n_full += 1,
                end => assert_eq!((end, few.loss), (all.end, all.loss), "{most_kept}"),
            }
            assert_eq!(all.end, End::Tried);
        }
        assert!((1..15).contains(&n_full), "{n_full} of 15 left some out");
    }

    /// Few records of three columns, some of whose values are rare, and an illness.
    fn few_records(random: &mut Random, model: &str, most_suppressed: u64) -> Option<Problem> {
        let n_rows = 7 + random.below(8);
        let row = |random: &mut Random| [5, 3, 3, 2].map(|n| random.below(n).to_string());
        let rows: Vec<[String; 4]> = (0..n_rows).map(|_| row(random)).collect();
        let columns = Columns::quasi(&["a", "b", "c"]).and_beside(&["ill"]);
        let table = Table::encode(&columns, &rows, &Encoding::default()).unwrap();
        let secrets = [Arc::new(Secret::of(&table, "ill").unwrap())];
        let known = privacy::Known { table: &table, secrets: &secrets, has_population: false };
        let mut models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(3).unwrap())];
        if !model.is_empty() {
            models.extend(privacy::from_spec(&model.parse().unwrap(), &known).unwrap());
        }
        let build = |column| builder::build(&"iotf".parse().unwrap(), column, None).unwrap();
        let built = table.columns().iter().map(build).collect();
        let limits = Limits { most_suppressed, ..Limits::default() };
        Problem::with_limits(&table, built, models, limits).ok()
    }

    #[test]
    fn bounds_hold_for_all_losses_and_models_whatever_is_rare() {
        let mut random = Random::new(3);
        let models = ["", "t-closeness:t=0.2", "alpha-k:alpha=0.6", "l-diversity:l=2"];
        let mut n_positive = 0;
        for round in 0..120 {
            let most_failing = [0, 2, 4][round % 3];
            let model = models[round / 3 % models.len()];
            let Some(problem) = few_records(&mut random, model, most_failing) else { continue };
            for loss in loss::ALL {
                let loss: Choice = loss.name.parse().unwrap();
                let Ok(objective) = Objective::new(loss, &problem) else { continue };
                let aim =
                    Aim { objective: &objective, most_failing, budget: None, progress: &Silent };
                let Ok(least) = Search::new(&mut Nodes::of_all(&problem), aim).run() else {
                    continue;
                };
                let Ok(found) = Wide::new(&mut Nodes::of_all(&problem), aim).run() else {
                    continue;
                };
                let (bound, least) = (found.bound, least.loss);
                assert!(bound <= least + 1e-9, "{loss} {model} {most_failing}: {bound} {least}");
                n_positive += usize::from(bound > 0.0);
            }
        }
        assert!(n_positive > 100, "{n_positive}");
    }
}
