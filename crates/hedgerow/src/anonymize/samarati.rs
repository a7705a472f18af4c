//! Samarati: the lowest height of a lattice at which no more records fail than may be suppressed.

use serde::{Deserialize, Serialize};

use super::{Anonymizer, full_domain};
use crate::hierarchy::Level;
use crate::lattice::{Grid, Nodes, Vertex};
use crate::method::{Described, Description, Need, Scope};
use crate::problem::Problem;
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::Proposal;
use crate::{Error, Result};

/// Finds a generalization of minimal height, where the height is the sum of the levels of all
/// attributes.
///
/// A node above a private node is private too, so binary search finds the lowest height that has a
/// solution. A solution may suppress records up to the limit. Among the solutions of the lowest
/// height, the one with the least discernibility penalty is taken.
///
/// # Complexity
///
/// `O(m c log h)` for layers of at most `m` nodes, `c` cohorts and height `h`.
///
/// # Guarantees
///
/// The height is minimal, so the result is k-minimal: no node below it is private. The loss is not
/// minimal: as in the paper, records are suppressed up to the limit before levels rise.
/// Deterministic: of equal penalties, the lexicographically first levels win.
///
/// # References
///
/// \[Samarati2001\] P. Samarati: Protecting Respondents' Identities in Microdata Release, IEEE
/// Transactions on Knowledge and Data Engineering 13(6), 2001; METHODS 6.2. Deviations: any
/// monotone privacy model takes the place of `k`; the paper does not specify which solution of a
/// height to prefer.
///
/// # Examples
///
/// ```
/// use hedgerow::anonymize::Samarati;
/// use hedgerow::builder;
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::release::{Release, RowOrder, Style};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["age"], &[["20"], ["21"], ["30"], ["31"]])?;
/// let built = builder::build(&"iotf".parse()?, &table.columns()[0], None)?;
/// let problem = Problem::new(&table, vec![built], vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&Samarati, &Silent)?;
/// let release = Release::new(&recoding, &Style::default(), &Silent)?;
/// assert_eq!(release.rows(RowOrder::Input, &Silent)?[0], ["[20, 21]"]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Samarati;

impl Described for Samarati {
    const RECODING: Option<Scope> = Some(Scope::FullDomain);

    const DESCRIPTION: Description = Description {
        name: "samarati",
        about: "the levels of least height",
        reference: Some("Samarati2001"),
        needs: &[Need::Levels],
        parameters: &[],
    };
}

impl Anonymizer for Samarati {
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        let mut nodes = Nodes::of_all(problem);
        let grid = Grid::new(nodes.ladders());
        let layers = grid.layers();
        let (mut low, mut high) = (0, layers.len() - 1);
        // If the top fails, every node does. Otherwise the binary search starts with a solution.
        let n_failing = nodes.count(&grid.levels(grid.top())).n_failing();
        if n_failing > full_domain::most_failing(problem) {
            return Err(full_domain::unreachable(problem, n_failing));
        }
        // Invariant: `layers[high]` has a solution, and no layer below `low` has one.
        while low < high {
            let middle = usize::midpoint(low, high);
            if has_solution(&mut nodes, &grid, &layers[middle], progress)? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let levels = best(&mut nodes, &grid, &layers[low], progress)?;
        let mut proposal = full_domain::proposal(&mut nodes, &levels);
        let written = full_domain::written(&nodes, &levels);
        proposal.notes.push(format!("levels: {written}; height {low}, the least"));
        Ok(proposal)
    }

    fn obstacle(&self, problem: &Problem) -> Option<Error> {
        full_domain::obstacle(problem).or_else(|| full_domain::monotone_obstacle(problem))
    }

    fn defines_suppression(&self) -> bool {
        true
    }
}

/// Whether some node of a layer has no more failing records than the limit.
fn has_solution(
    nodes: &mut Nodes<'_>,
    grid: &Grid,
    layer: &[Vertex],
    progress: &dyn Progress,
) -> Result<bool> {
    let most = full_domain::most_failing(nodes.problem());
    for &node in layer {
        stop_if_cancelled(progress)?;
        if nodes.count(&grid.levels(node)).n_failing() <= most {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the solution of a layer with the least discernibility penalty; the first one wins ties.
fn best(
    nodes: &mut Nodes<'_>,
    grid: &Grid,
    layer: &[Vertex],
    progress: &dyn Progress,
) -> Result<Vec<Level>> {
    let most = full_domain::most_failing(nodes.problem());
    let mut best: Option<(f64, Vec<Level>)> = None;
    for &node in layer {
        stop_if_cancelled(progress)?;
        let levels = grid.levels(node);
        let classes = nodes.count(&levels);
        let penalty = classes.discernibility();
        if classes.n_failing() <= most && best.as_ref().is_none_or(|(least, _)| penalty < *least) {
            best = Some((penalty, levels));
        }
    }
    Ok(best.expect("the search ends on a layer that has a solution").1)
}
