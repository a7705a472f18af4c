//! k-member: greedy clustering.

mod rows;
mod index;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use self::index::Index;
use self::rows::RowsOf;
use super::cluster::Cluster;
use super::{Anonymizer, people};
use crate::Result;
use crate::method::{Described, Description, Need, Parameter, Scope, Type};
use crate::problem::Problem;
use crate::progress::{Progress, stop_if_cancelled};
use crate::proposal::{Class, Proposal, Take};
use crate::table::Cohort;

/// Losses within this of the least count as equal, and the lowest row wins.
const TIE: f64 = 1e-12;

/// Grows clusters of `k` records one after another. Each starts at the record furthest from the
/// seed of the previous cluster, and always adds the record that costs least.
///
/// The records left at the end join the cluster whose loss grows least. Every value is generalized
/// only as far as its own cluster needs (local recoding).
///
/// The search runs on cohorts in a tree of boxes over leaf positions. A box that cannot contain a
/// nearer (or further) record, or an equally good one with a lower row, is not opened. The result
/// is the same, record for record, as that of scanning all rows.
///
/// # Complexity
///
/// One search for each record; each opens few of the boxes over `c` cohorts (about `log c` where
/// records are dense), `O(c)` at worst. `O(c)` memory plus 8 bytes for each row.
///
/// # Guarantees
///
/// Every cluster has at least `k` records. Not optimal. Deterministic: ties go to the lowest row.
///
/// # References
///
/// \[Byun2007\] J.-W. Byun, A. Kamra, E. Bertino, N. Li: Efficient k-Anonymization Using Clustering
/// Techniques, DASFAA 2007, section 4; loss of \[Campan2011\], definition 7. Deviations: the first
/// seed is the first record; the distance of two records is half the loss of their pair;
/// `furthest-from=last-added` is the other reading of the paper's text.
///
/// # Examples
///
/// ```
/// use hedgerow::anonymize::KMember;
/// use hedgerow::builder::{Free, HierarchyBuilder};
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["age"], &[["20"], ["60"], ["21"], ["58"], ["25"]])?;
/// let free = Free.build(&table.columns()[0])?;
/// let problem = Problem::new(&table, vec![free], vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&KMember::default(), &Silent)?;
/// assert_eq!(recoding.sizes(), [3, 2]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct KMember {
    /// The record that the next seed is furthest from.
    pub furthest_from: FurthestFrom,
}

impl Described for KMember {
    const RECODING: Option<Scope> = Some(Scope::Local);

    const DESCRIPTION: Description = Description {
        name: "k-member",
        about: "greedy clusters of k records; low loss, any hierarchy",
        reference: Some("Byun2007"),
        needs: &[Need::Rows],
        parameters: &[Parameter::new(
            "furthest-from",
            Type::Choice(&["last-seed", "last-added"]),
            "the record that the next seed is furthest from",
        )
        .or("last-seed")],
    };
}

/// The record that the seed of the next cluster is furthest from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FurthestFrom {
    /// The seed of the previous cluster.
    #[default]
    LastSeed,
    /// The record that the previous cluster added last; the first seed is furthest from the first
    /// row.
    LastAdded,
}

impl Anonymizer for KMember {
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        people::one_by_one(problem, |problem| self.cluster(problem, progress))
    }
}

impl KMember {
    fn cluster(self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        let rows = RowsOf::cohorts(problem)?;
        let mut search = Search { index: Index::new(problem, &rows), rows, takes: Vec::new() };
        let k = problem.least_size();
        let n_records = problem.cohorts().n_records();
        let mut n_classes = 0usize;
        let mut left = n_records;
        let mut anchor: Option<Cohort> = None;
        // Fewer than `k` records are left at the end; they join existing clusters.
        while left >= k {
            let seed = match anchor {
                None if self.furthest_from == FurthestFrom::LastSeed => search.first_cohort(),
                from => search.furthest(problem, from.unwrap_or_else(|| search.first_cohort())),
            };
            // Adds the record with the least information loss until the cluster has k records.
            let mut cluster = Cluster::of(problem, seed);
            let mut last = seed;
            let class = Class::new(n_classes);
            search.take(seed, class);
            while cluster.size < k {
                // A search takes far longer than a look, and with a large k clusters are few.
                stop_if_cancelled(progress)?;
                last = search.nearest(problem, &cluster);
                cluster.add(problem, last, 1);
                search.take(last, class);
            }
            n_classes += 1;
            left -= k;
            anchor = Some(if self.furthest_from == FurthestFrom::LastSeed { seed } else { last });
            if n_classes.is_multiple_of(256) {
                progress.advance(n_records - left, n_records);
            }
        }
        let takes = search.with_leftovers(problem, progress)?;
        Proposal::new(problem, n_classes, takes)
    }
}

/// The state of the search: the remaining rows and the assignments so far.
struct Search {
    index: Index,
    rows: RowsOf,
    takes: Vec<Take>,
}

impl Search {
    /// Returns the cohort of the lowest row that is left.
    fn first_cohort(&self) -> Cohort {
        self.index.lowest_row()
    }

    fn furthest(&self, problem: &Problem, from: Cohort) -> Cohort {
        self.index.furthest(problem, &Cluster::of(problem, from))
    }

    fn nearest(&self, problem: &Problem, cluster: &Cluster) -> Cohort {
        self.index.nearest(problem, cluster)
    }

    /// Assigns the lowest row of a cohort to a class.
    fn take(&mut self, cohort: Cohort, class: Class) {
        self.index.set_row(cohort, self.rows.next(cohort));
        match self.takes.last_mut() {
            Some(last) if (last.cohort, last.class) == (cohort, Some(class)) => last.count += 1,
            _ => self.takes.push(Take { cohort, class: Some(class), count: 1 }),
        }
    }

    /// Assigns each remaining row, in row order, to the cluster whose loss grows least.
    fn with_leftovers(self, problem: &Problem, progress: &dyn Progress) -> Result<Vec<Take>> {
        let left = self.rows.left();
        drop(self.rows);
        let mut takes = self.takes;
        takes.shrink_to_fit();
        if left.is_empty() {
            return Ok(takes);
        }
        let mut groups = Groups::of(problem, &takes);
        for (_, cohort) in left {
            stop_if_cancelled(progress)?;
            let class = groups.join(problem, cohort);
            takes.push(Take { cohort, class: Some(class), count: 1 });
        }
        Ok(takes)
    }
}

/// Clusters grouped by equal spans and sizes, because a record costs the same in each of them.
struct Groups(Vec<(Cluster, Vec<Class>)>);

impl Groups {
    /// Builds the clusters from takes that are ordered by cluster. In each group, the lowest
    /// cluster comes last.
    fn of(problem: &Problem, takes: &[Take]) -> Self {
        let mut places: HashMap<Cluster, usize> = HashMap::new();
        let mut groups: Vec<(Cluster, Vec<Class>)> = Vec::new();
        // Takes were added cluster by cluster.
        for of_class in takes.chunk_by(|a, b| a.class == b.class) {
            let mut cluster = Cluster::empty(problem);
            of_class.iter().for_each(|take| cluster.add(problem, take.cohort, take.count));
            let place = *places.entry(cluster).or_insert_with_key(|cluster| {
                groups.push((cluster.clone(), Vec::new()));
                groups.len() - 1
            });
            groups[place].1.extend(of_class[0].class);
        }
        groups.iter_mut().for_each(|(_, classes)| classes.reverse());
        Self(groups)
    }

    /// Adds a record to the cluster whose loss grows least; of equal ones, to the lowest cluster.
    fn join(&mut self, problem: &Problem, cohort: Cohort) -> Class {
        let leaves = || problem.attributes().iter().map(|a| a.leaves()[cohort.index()]);
        // Definition 7: IL(c) = |c| * sum of terms. This is IL(c + x) - IL(c).
        let increase = |cluster: &Cluster| {
            (cluster.size + 1) as f64 * cluster.cost_with(problem, leaves())
                - cluster.size as f64 * cluster.cost(problem)
        };
        let live = || self.0.iter().enumerate().filter(|(_, (_, classes))| !classes.is_empty());
        let increases: Vec<(f64, usize)> =
            live().map(|(place, (cluster, _))| (increase(cluster), place)).collect();
        // Ties are relative to the least increase, so that is computed first.
        let least = increases.iter().map(|(increase, _)| *increase).fold(f64::INFINITY, f64::min);
        let equal = increases.iter().filter(|(increase, _)| *increase <= least + TIE);
        let place = equal
            .map(|&(_, place)| place)
            .min_by_key(|&place| self.0[place].1.last())
            .expect("there is a cluster, since there are at least k records");
        let class = self.0[place].1.pop().expect("a live group has a cluster");
        // The cluster has changed, so it leaves its group and becomes a group of its own.
        let mut cluster = self.0[place].0.clone();
        cluster.add(problem, cohort, 1);
        self.0.push((cluster, vec![class]));
        class
    }
}
