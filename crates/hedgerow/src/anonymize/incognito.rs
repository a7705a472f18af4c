//! Incognito: all minimal full-domain generalizations, by way of subsets of the attributes.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Anonymizer;
use super::full_domain::{self, Objective};
use crate::lattice::{Ladder, Nodes};
use crate::loss::{self, Choice};
use crate::method::{Described, Description, Need, Parameter, Type};
use crate::problem::Problem;
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::Proposal;
use crate::{Error, Result};

/// Finds every minimal full-domain generalization, and publishes the one that loses least.
///
/// The idea: if a subset of the attributes is not private on some levels, no larger subset is
/// private on them. So subsets are looked at by size, one attribute first: levels for a subset are
/// worth a look only if all its parts survived on theirs (join and prune). Within a subset nodes are
/// looked at from the lowest on, and whatever is above a private node is private without being
/// counted. A subset is counted with all other attributes on top. What survives on all attributes
/// and has no survivor below it is minimal; notes list such nodes.
///
/// # Complexity
///
/// `O(c)` for each node that is counted, over `c` cohorts; there may be as many as nodes in the
/// lattices of all `2^w` subsets of `w` attributes.
///
/// # Guarantees
///
/// Complete: every minimal generalization is found. The one taken has the least loss of them, which
/// for losses that grow with levels and without suppression is the least of all. A minimal node may
/// suppress as many records as are allowed, even where a higher one loses less. Deterministic: of
/// equals the lexicographically first levels.
///
/// # References
///
/// \[LeFevre2005\] K. LeFevre, D. J. DeWitt, R. Ramakrishnan: Incognito: Efficient Full-Domain
/// K-Anonymity, SIGMOD 2005; METHODS 6.3. Deviations: any monotone privacy model takes the place of
/// `k`; records may be suppressed; and of the minimal nodes the one of least loss is published, which
/// the paper leaves to the user.
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
    /// The loss by which one of the minimal nodes is taken.
    #[serde(alias = "loss")]
    pub pick: Choice,
}

impl Described for Incognito {
    const DESCRIPTION: Description = Description {
        name: "incognito",
        about: "full-domain: all minimal levels, of which the ones of least loss are taken",
        reference: Some("LeFevre2005"),
        needs: &[Need::Levels],
        parameters: &[Parameter::new(
            "pick",
            Type::Loss(loss::names),
            "the loss by which one of the minimal nodes is taken",
        )
        .alias("loss")
        .or("ntil")],
    };
}

/// So many minimal nodes are listed.
const MOST_LISTED: usize = 20;

/// The levels on which each subset of the attributes is private.
type Survivors = BTreeMap<Vec<usize>, BTreeSet<Vec<u32>>>;

impl Anonymizer for Incognito {
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        let mut nodes = Nodes::of_all(problem);
        let minimal = minimal(&mut nodes, progress)?;
        let objective = Objective::new(self.pick, problem)?;
        let mut best: Option<(f64, usize)> = None;
        for (place, levels) in minimal.iter().enumerate() {
            stop_if_cancelled(progress)?;
            let (_, loss) = objective.of_node(&mut nodes, levels, u64::MAX);
            if let Some(loss) = loss.filter(|loss| best.is_none_or(|(least, _)| *loss < least)) {
                best = Some((loss, place));
            }
        }
        let Some((_, taken)) = best else {
            let tops: Vec<u32> = nodes.ladders().iter().map(Ladder::top).collect();
            return Err(full_domain::unreachable(problem, nodes.count(&tops).n_failing()));
        };
        let mut proposal = full_domain::proposal(&nodes, &minimal[taken]);
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

/// The minimal private nodes of the whole lattice, in lexicographic order.
fn minimal(nodes: &mut Nodes<'_>, progress: &dyn Progress) -> Result<Vec<Vec<u32>>> {
    let width = nodes.ladders().len();
    let mut survivors = Survivors::from([(Vec::new(), BTreeSet::from([Vec::new()]))]);
    for _ in 0..width {
        let mut larger = Survivors::new();
        for subset in survivors.keys() {
            let next = subset.last().map_or(0, |last| last + 1);
            for attribute in next..width {
                let subset: Vec<usize> = subset.iter().copied().chain([attribute]).collect();
                let candidates = joined(nodes, &survivors, &subset);
                let private = private(nodes, &subset, candidates, progress)?;
                larger.insert(subset, private);
            }
        }
        survivors = larger;
    }
    let private = survivors.into_values().next().unwrap_or_default();
    let is_minimal = |levels: &&Vec<u32>| !lower(levels).any(|lower| private.contains(&lower));
    Ok(private.iter().filter(is_minimal).cloned().collect())
}

/// The levels of a subset all of whose parts survived, lowest first.
fn joined(nodes: &Nodes<'_>, survivors: &Survivors, subset: &[usize]) -> Vec<Vec<u32>> {
    let without = |place: usize| [&subset[..place], &subset[place + 1..]].concat();
    let last = subset.len() - 1;
    let parts: Vec<_> = (0..last).map(|place| survivors.get(&without(place))).collect();
    let survives = |levels: &Vec<u32>| {
        parts.iter().enumerate().all(|(place, part)| {
            let part_of = [&levels[..place], &levels[place + 1..]].concat();
            part.is_some_and(|part| part.contains(&part_of))
        })
    };
    let first = survivors.get(&without(last)).into_iter().flatten();
    let joined = first.flat_map(|levels| {
        let top = nodes.ladders()[subset[last]].top();
        (0..=top).map(move |level| levels.iter().copied().chain([level]).collect::<Vec<u32>>())
    });
    let mut joined: Vec<Vec<u32>> = joined.filter(survives).collect();
    joined.sort_by_key(|levels| levels.iter().sum::<u32>());
    joined
}

/// The candidates that are private; what is above a private one is not counted.
fn private(
    nodes: &mut Nodes<'_>,
    subset: &[usize],
    candidates: Vec<Vec<u32>>,
    progress: &dyn Progress,
) -> Result<BTreeSet<Vec<u32>>> {
    let most = full_domain::most_failing(nodes.problem());
    let mut whole: Vec<u32> = nodes.ladders().iter().map(Ladder::top).collect();
    let mut private = BTreeSet::new();
    for levels in candidates {
        stop_if_cancelled(progress)?;
        subset.iter().zip(&levels).for_each(|(&attribute, &level)| whole[attribute] = level);
        let is_known = lower(&levels).any(|lower| private.contains(&lower));
        if is_known || nodes.count(&whole).n_failing() <= most {
            private.insert(levels);
        }
    }
    Ok(private)
}

/// The levels one lower in one attribute.
fn lower(levels: &[u32]) -> impl Iterator<Item = Vec<u32>> + '_ {
    (0..levels.len()).filter(|&place| levels[place] > 0).map(|place| {
        let mut lower = levels.to_vec();
        lower[place] -= 1;
        lower
    })
}
