//! hedge: merges classes by loss, then mends them.

mod class;
mod index;
mod merge;
mod site;
mod mend;
mod hulls;
mod pool;
mod best;
mod rebuild;

use serde::{Deserialize, Serialize};

use self::best::Best;
use self::class::Class;
use self::index::Index;
use self::rebuild::{End, Swept};
use self::site::Site;
use super::Anonymizer;
use super::people::Leaders;
use crate::Result;
use crate::box_tree::Space;
use crate::method::{Described, Description, Parameter, Scope, Type};
use crate::noun::counted;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::proposal::{self, Early, Proposal};

/// Merges small classes by the loss for each record helped, moves records between neighbouring
/// classes while that lowers the loss, then replaces groups of neighbouring classes by better ones.
///
/// At first every cohort is a class; those with at least `k` records cost nothing and are complete.
/// Each smaller class makes its best *offer*: to merge with another class, or to borrow the records
/// it needs from one member of a class that can spare them. The price of an offer is the growth of
/// the loss divided by `n^(3/4)`, where `n` is the number of records it helps: those of the small
/// class, and those of the other class if that is small too. The price of borrowing is multiplied
/// by 1.5. The offer of the lowest price is accepted first, until no class is too small.
///
/// Then every class with a cost is improved together with the `near` classes nearest to it, by
/// changes that lower the loss. A member moves to another class, alone, in exchange for records of
/// that class, or while a third class makes up for it with records it can spare. Records that can
/// be spared around a member form a new class. A class is dissolved among the others. This is
/// repeated up to `rounds` times, later rounds only where something changed.
///
/// Finally, in `sweeps` sweeps, every class with a cost and a few of the nearest are *rebuilt* from
/// their records. Every record has an expected cost: its present cost, the mean cost of all of
/// them, or the mean of both; each is tried. The *worth* of a record is its expected cost, or the
/// cost of the cheapest open box around it if that is less. The value of a box around two records
/// is `k` times its cost, less the worth of the `k` records in it that are worth most. The box of
/// least value is opened and gets these records. This is repeated until no box gains anything.
/// Other records go to the class that grows least. The new classes replace the old ones if they
/// lose less. With a time limit, sweeps go on until then, or until many of them gain nothing; after
/// the first few, expectations are multiplied by random numbers. A time limit that is reached
/// earlier ends mending and sweeps.
///
/// All steps search for neighbours in a tree of boxes over the leaves of cohorts. Searches, changes
/// and rebuilds are prepared in batches on several threads and carried out one after another.
///
/// # Complexity
///
/// A few searches for each of `c` cohorts. Each opens at most 256 boxes, or a few more if these
/// contain no class to merge with, so about `c log c` in practice. `O(c)` memory.
///
/// # Guarantees
///
/// Every class has at least `k` records. Not optimal, but no sweep increases the loss. If a time
/// limit is used up ([`Progress::goes_on`]), more time never loses more: if models ask for more than
/// classes of `k` records, the best of several states of the search is taken, as they are after
/// mending for all models.
/// Deterministic unless a time limit is set, on any number of threads: ties go to the class with
/// the lowest number, that of the cohort it started from. In sets of more than 64 possible values,
/// the search may treat different values as equal, but the release never does.
///
/// # References
///
/// Our own; METHODS 3.3. Agglomerative clustering for k-anonymity, \[Gionis2008\], also merges the
/// classes whose loss grows least; loss of \[Campan2011\], definition 7. Offers to borrow, the
/// price for each record helped, mending and rebuilding are new.
///
/// # Examples
///
/// ```
/// use hedgerow::anonymize::Hedge;
/// use hedgerow::builder::{Free, HierarchyBuilder};
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::table::Table;
/// // 30 occurs often enough to lend a record to 31 and to stay unchanged.
/// let table = Table::from_rows(&["age"], &[["30"], ["30"], ["30"], ["31"], ["60"], ["58"]])?;
/// let free = Free.build(&table.columns()[0])?;
/// let problem = Problem::new(&table, vec![free], vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&Hedge::default(), &Silent)?;
/// assert_eq!(recoding.sizes(), [2, 2, 2]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Hedge {
    /// Maximum number of mending rounds; 0 only merges.
    pub rounds: u32,
    /// Number of nearest classes that a class is mended with.
    pub near: u32,
    /// Number of sweeps that rebuild classes. If it is not 0 and there is a time limit, sweeps go
    /// on until the limit, or until many of them gain nothing.
    pub sweeps: u32,
}

impl Default for Hedge {
    fn default() -> Self {
        Self { rounds: 2, near: 16, sweeps: 2 }
    }
}

impl Described for Hedge {
    const RECODING: Option<Scope> = Some(Scope::Local);

    const DESCRIPTION: Description = Description {
        name: "hedge",
        about: "merges and mends classes by loss; least loss, any hierarchy",
        reference: None,
        needs: &[],
        parameters: &[
            Parameter::new(
                "rounds",
                Type::between(0, 1_000),
                "maximum number of rounds of mending; 0 merges only",
            )
            .or("2"),
            Parameter::new(
                "near",
                Type::between(0, 10_000),
                "number of nearest classes that each class is mended with",
            )
            .or("16"),
            Parameter::new(
                "sweeps",
                Type::between(0, 10_000),
                "number of sweeps that rebuild classes; a time limit adds more; 0 rebuilds none",
            )
            .or("2"),
        ],
    };
}

impl Anonymizer for Hedge {
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        let leaders = Leaders::of(problem);
        let best = Best::new(problem, leaders.as_ref(), progress);
        let searched = leaders.as_ref().map_or(problem, Leaders::problem);
        self.merge_and_mend(searched, best, progress)
    }

    fn is_anytime(&self) -> bool {
        true
    }

    fn uses_time_up(&self) -> bool {
        self.sweeps > 0
    }
}

impl Hedge {
    fn merge_and_mend(
        self,
        problem: &Problem,
        mut best: Best<'_>,
        progress: &dyn Progress,
    ) -> Result<Proposal> {
        let space = Space::new(problem);
        let mut index = Index::new(&space);
        let cohorts = problem.cohorts().counted();
        let mut classes: Vec<Class> = cohorts.map(|(c, n)| Class::of(&space, c, n)).collect();
        // At first each class has the number of its only cohort, which is also its home.
        let numbers = proposal::Class::first(classes.len());
        numbers.zip(problem.cohorts().all()).for_each(|(class, home)| index.settle(class, home));
        merge::merge(&space, &mut classes, &mut index, progress)?;
        let mut site = Site::new(&space, classes, index);
        best.consider(&site)?;
        if mend::mend(&mut site, self, progress)? {
            best.consider(&site)?;
        }
        let swept = rebuild::rebuild(&mut site, self, progress, &mut best)?;
        let mut proposal = best.into_proposal(&site)?;
        proposal.notes.extend(told(swept, progress));
        if swept.end == End::Time {
            proposal.early = Some(Early::OUT_OF_TIME);
        }
        Ok(proposal)
    }
}

/// A note on the end of the sweeps, unless all were made without a time limit.
fn told(swept: Swept, progress: &dyn Progress) -> Option<String> {
    let Swept { n_sweeps, end } = swept;
    let sweeps = counted(n_sweeps, "sweep");
    match end {
        End::Time => Some(format!(
            "classes were rebuilt in {sweeps} until the time limit, so the result depends on the machine"
        )),
        End::NoGain(n_failed) => {
            Some(format!("classes were rebuilt in {sweeps}, the last {n_failed} without a gain"))
        }
        End::Done => progress
            .goes_on()
            .then(|| "nothing is lost, so the search ended before the time limit".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{Free, HierarchyBuilder};
    use crate::loss::{Loss, Ntil, Partition};
    use crate::privacy::KAnonymity;
    use crate::progress::Silent;
    use crate::table::Table;

    #[test]
    fn mending_pays() {
        let row = |i: u32| [i * i % 211, i * 37 % 101].map(|x| x.to_string());
        let rows: Vec<[String; 2]> = (0..500).map(row).collect();
        let table = Table::from_rows(&["a", "b"], &rows).unwrap();
        let built = table.columns().iter().map(|column| Free.build(column).unwrap()).collect();
        let model = KAnonymity::new(4).unwrap();
        let problem = Problem::new(&table, built, vec![Box::new(model)]).unwrap();
        let ntil = |rounds| {
            let hedge = Hedge { rounds, ..Hedge::default() };
            let proposal = hedge.propose(&problem, &Silent).unwrap();
            assert_eq!(proposal.flaw(&problem, &Silent).unwrap(), None);
            Ntil.of(&Partition::of(&problem, &proposal))
        };
        assert!(ntil(1) < ntil(0));
        assert!(ntil(2) <= ntil(1));
    }
}
