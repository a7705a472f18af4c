//! Incognito: all minimal full-domain generalizations, found through subsets of the attributes.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Anonymizer;
use super::full_domain::{self, Objective};
use crate::hierarchy::Level;
use crate::lattice::{Ladder, Nodes};
use crate::loss::{self, Choice};
use crate::method::{Described, Description, Need, Parameter, Scope, Type};
use crate::problem::Problem;
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::Proposal;
use crate::{Error, Result};

/// Finds every minimal full-domain generalization and publishes the one that loses least.
///
/// If a subset of the attributes is not private on some levels, no larger subset is private on
/// them. So subsets are processed by size, starting with single attributes: levels for a subset are
/// candidates only if the levels of all its smaller subsets survived (join and prune). Within a
/// subset, nodes are visited from the lowest up, and every node above a private one is known to be
/// private without being counted. To count a subset, all other attributes are put on their top
/// levels. A node that survives on all attributes and has no survivor below it is minimal; the
/// notes list these nodes.
///
/// # Complexity
///
/// `O(c)` for each node that is counted, over `c` cohorts; at worst all nodes of the lattices of
/// all `2^w` subsets of `w` attributes are counted.
///
/// # Guarantees
///
/// Complete: every minimal generalization is found. The published one has the least loss among
/// them, which is the least of all if the loss grows with the levels and nothing is suppressed. A
/// minimal node may suppress records up to the limit, even if a higher node would lose less.
/// Deterministic: of equal losses, the lexicographically first levels win.
///
/// # References
///
/// \[LeFevre2005\] K. LeFevre, D. J. DeWitt, R. Ramakrishnan: Incognito: Efficient Full-Domain
/// K-Anonymity, SIGMOD 2005; METHODS 6.3. Deviations: any monotone privacy model takes the place of
/// `k`; records may be suppressed; and the minimal node of least loss is published, a choice the
/// paper leaves to the user.
///
/// # Examples
///
/// ```
/// use hedgerow::anonymize::Incognito;
/// use hedgerow::builder;
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::table::Table;
/// let rows = [["20", "1"], ["21", "1"], ["20", "2"], ["21", "2"]];
/// let table = Table::from_rows(&["age", "rooms"], &rows)?;
/// let built = table.columns().iter().map(|c| builder::build(&"iotf".parse()?, c, None));
/// let built = built.collect::<Result<_, hedgerow::Error>>()?;
/// let problem = Problem::new(&table, built, vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&Incognito::default(), &Silent)?;
/// assert_eq!(recoding.notes[0], "minimal nodes: 2, the one of least ntil taken");
/// assert_eq!(recoding.notes[1], "minimal: age 0/1, rooms 1/1 (taken)");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Incognito {
    /// The loss that decides between the minimal nodes.
    #[serde(alias = "loss")]
    pub pick: Choice,
}

impl Described for Incognito {
    const RECODING: Option<Scope> = Some(Scope::FullDomain);

    const DESCRIPTION: Description = Description {
        name: "incognito",
        about: "finds all minimal levels and takes those of least loss",
        reference: Some("LeFevre2005"),
        needs: &[Need::Levels],
        parameters: &[Parameter::new(
            "pick",
            Type::Loss(loss::names),
            "the loss that decides between the minimal nodes",
        )
        .alias("loss")
        .or("ntil")],
    };
}

/// Maximum number of minimal nodes that the notes list, apart from the one that is taken.
const MOST_LISTED: usize = 20;

/// The levels on which each subset of the attributes is private.
type Survivors = BTreeMap<Vec<usize>, BTreeSet<Vec<Level>>>;

impl Anonymizer for Incognito {
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        let mut nodes = Nodes::of_all(problem);
        let minimal = minimal(&mut nodes, progress)?;
        let objective = Objective::new(self.pick, problem)?;
        objective.price(&mut nodes);
        let mut best: Option<(f64, usize)> = None;
        for (place, levels) in minimal.iter().enumerate() {
            stop_if_cancelled(progress)?;
            // A minimal node fails no more records than allowed, so no limit is needed here.
            let loss = objective.of_node(&mut nodes, levels, u64::MAX).loss;
            if let Some(loss) = loss.filter(|loss| best.is_none_or(|(least, _)| *loss < least)) {
                best = Some((loss, place));
            }
        }
        let Some((_, taken)) = best else {
            let tops: Vec<Level> = nodes.ladders().iter().map(Ladder::top).collect();
            return Err(full_domain::unreachable(problem, nodes.count(&tops).n_failing()));
        };
        let mut proposal = full_domain::proposal(&mut nodes, &minimal[taken]);
        let n_minimal = minimal.len();
        let notes = &mut proposal.notes;
        let (best, pick) = (self.pick.best(), self.pick);
        notes.push(format!("minimal nodes: {n_minimal}, the one of {best} {pick} taken"));
        let listed = |place: &usize| *place < MOST_LISTED || *place == taken;
        for place in (0..n_minimal).filter(listed) {
            let mark = if place == taken { " (taken)" } else { "" };
            let levels = full_domain::written(&nodes, &minimal[place]);
            notes.push(format!("minimal: {levels}{mark}"));
        }
        Ok(proposal)
    }

    fn loss(&self) -> Choice {
        self.pick
    }

    fn obstacle(&self, problem: &Problem) -> Option<Error> {
        full_domain::obstacle(problem).or_else(|| full_domain::monotone_obstacle(problem))
    }

    fn defines_suppression(&self) -> bool {
        true
    }
}

/// Returns the minimal private nodes of the whole lattice, in lexicographic order.
fn minimal(nodes: &mut Nodes<'_>, progress: &dyn Progress) -> Result<Vec<Vec<Level>>> {
    let width = nodes.ladders().len();
    let mut survivors = Survivors::from([(Vec::new(), BTreeSet::from([Vec::new()]))]);
    for _ in 0..width {
        let mut larger = Survivors::new();
        // Adding only attributes after the last one makes each subset once.
        for subset in survivors.keys() {
            let next = subset.last().map_or(0, |last| last + 1);
            for attribute in next..width {
                let subset: Vec<usize> = subset.iter().copied().chain([attribute]).collect();
                let candidates = joined(nodes, &survivors, &subset);
                let found = private(nodes, &subset, candidates, progress)?;
                larger.insert(subset, found);
            }
        }
        survivors = larger;
    }
    // After the last round only the set of all attributes is left.
    let private = survivors.into_values().next().unwrap_or_default();
    let is_minimal = |levels: &&Vec<Level>| !lower(levels).any(|lower| private.contains(&lower));
    Ok(private.iter().filter(is_minimal).cloned().collect())
}

/// Returns the levels of a subset for which all smaller subsets survived, lowest first.
fn joined(nodes: &Nodes<'_>, survivors: &Survivors, subset: &[usize]) -> Vec<Vec<Level>> {
    let without = |place: usize| [&subset[..place], &subset[place + 1..]].concat();
    let last = subset.len() - 1;
    // The part without the last attribute is the source of the join below, so it needs no check.
    let parts: Vec<_> = (0..last).map(|place| survivors.get(&without(place))).collect();
    let first = survivors.get(&without(last)).into_iter().flatten();
    let longer = first.flat_map(|levels| {
        let top = nodes.ladders()[subset[last]].top();
        top.and_below()
            .map(move |level| levels.iter().copied().chain([level]).collect::<Vec<Level>>())
    });
    let mut joined: Vec<Vec<Level>> = longer.filter(|levels| survive(&parts, levels)).collect();
    joined.sort_by_key(|levels| levels.iter().map(|level| level.get()).sum::<u32>());
    joined
}

/// Whether the levels without each attribute but the last survived; `parts` holds the survivors of
/// these smaller subsets.
fn survive(parts: &[Option<&BTreeSet<Vec<Level>>>], levels: &[Level]) -> bool {
    parts.iter().enumerate().all(|(place, part)| {
        let part_of = [&levels[..place], &levels[place + 1..]].concat();
        part.is_some_and(|part| part.contains(&part_of))
    })
}

/// Returns the candidates that are private; a candidate above a private one is not counted.
fn private(
    nodes: &mut Nodes<'_>,
    subset: &[usize],
    candidates: Vec<Vec<Level>>,
    progress: &dyn Progress,
) -> Result<BTreeSet<Vec<Level>>> {
    let most = full_domain::most_failing(nodes.problem());
    let mut whole: Vec<Level> = nodes.ladders().iter().map(Ladder::top).collect();
    let mut private = BTreeSet::new();
    for levels in candidates {
        stop_if_cancelled(progress)?;
        subset.iter().zip(&levels).for_each(|(&attribute, &level)| whole[attribute] = level);
        // Candidates come by ascending height, so all nodes directly below are decided already.
        let is_known = lower(&levels).any(|lower| private.contains(&lower));
        if is_known || nodes.count(&whole).n_failing() <= most {
            private.insert(levels);
        }
    }
    Ok(private)
}

/// Iterates over the nodes directly below: one level lower in one attribute.
fn lower(levels: &[Level]) -> impl Iterator<Item = Vec<Level>> + '_ {
    let lowered = move |place: usize, level: Level| {
        let mut lower = levels.to_vec();
        lower[place] = level;
        lower
    };
    let places = levels.iter().enumerate();
    places.filter_map(move |(place, level)| Some(lowered(place, level.below()?)))
}
