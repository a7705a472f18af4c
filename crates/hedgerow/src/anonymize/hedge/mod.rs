//! hedge: merging by loss, then mending.

mod class;
mod index;
mod mend;
mod merge;
mod space;

use serde::{Deserialize, Serialize};

use self::class::Class;
use self::index::Index;
use self::space::Space;
use super::Anonymizer;
use crate::Result;
use crate::method::{Described, Description, Parameter, Type};
use crate::problem::Problem;
use crate::progress::Progress;
use crate::proposal::{self, Proposal, Take};

/// Merges small classes by the loss that each record helped costs, then moves records between
/// neighbouring classes while that pays.
///
/// At first every cohort is a class; those of `k` records cost nothing and are done. Each smaller
/// one makes its best *offer*: to join another class, or to borrow from a member of a class that
/// can spare what it needs. The price of an offer is the growth of the loss over `n^(3/4)`, `n` the
/// records it helps (those of the small class, and of the other if that is small too; borrowing
/// counts half as much again). The lowest price of all is paid first, until no class is too small. Then
/// every class that costs something is looked at with the `near` classes nearest to it: a member
/// goes to another class, or is exchanged, or a third class that can spare records makes up for it;
/// what can be spared around a member opens a new class; a class is dissolved among the others. `rounds` times at most, the later ones only where
/// something changed.
///
/// Both steps look for neighbours in a tree of boxes over the leaves of cohorts.
///
/// # Complexity
///
/// A few searches for each of `c` cohorts, each of which opens at most 256 boxes, or a few more where
/// these hold no class to join; so about `c log c` in practice. `O(c)` memory.
///
/// # Guarantees
///
/// Every class has at least `k` records. Not optimal. Deterministic: ties go to the class whose
/// first cohort came first. In sets of more than 64 possible values, values may pass for equal
/// while searching, never in what is published.
///
/// # References
///
/// Our own; METHODS 3.3. Merging by the growth of a loss is that of agglomerative clustering for
/// k-anonymity, \[Gionis2008\]; loss of \[Campan2011\], definition 7. New are offers that borrow,
/// the price for each record helped, and mending.
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
/// // 30 occurs often enough to lend a record to 31 and to stay as it is.
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
    /// How often classes are mended, at most; 0 merges only.
    pub rounds: u32,
    /// With how many of the nearest classes a class is mended.
    pub near: u32,
}

impl Default for Hedge {
    fn default() -> Self {
        Self { rounds: 2, near: 16 }
    }
}

impl Described for Hedge {
    const DESCRIPTION: Description = Description {
        name: "hedge",
        about: "classes merged and mended by loss: local recoding, least loss, any hierarchy",
        reference: None,
        needs: &[],
        parameters: &[
            Parameter::new(
                "rounds",
                Type::Whole { least: 0, most: 1_000 },
                "how often classes are mended at most; 0 merges only",
            )
            .or("2"),
            Parameter::new(
                "near",
                Type::Whole { least: 0, most: 10_000 },
                "with how many of the nearest classes a class is mended",
            )
            .or("16"),
        ],
    };
}

impl Anonymizer for Hedge {
    fn propose(&self, problem: &Problem, progress: &dyn Progress) -> Result<Proposal> {
        let space = Space::new(problem);
        let mut index = Index::new(&space);
        let cohorts = problem.cohorts().counted();
        let mut classes: Vec<Class> = cohorts.map(|(c, n)| Class::of(&space, c, n)).collect();
        let numbers = proposal::Class::first(classes.len());
        numbers.zip(problem.cohorts().all()).for_each(|(class, home)| index.settle(class, home));
        merge::merge(&space, &mut classes, &mut index, progress)?;
        let mut classes = mend::mend(&space, classes, &mut index, *self, progress)?;
        classes.retain(|class| !class.is_empty());
        debug_assert!(classes.iter().all(|class| space.need(class.size) == 0), "a class is small");
        let numbers = proposal::Class::first(classes.len()).map(Some);
        let takes = numbers.zip(&classes).flat_map(|(class, found)| {
            let members = found.members.iter();
            members.map(move |&(cohort, count)| Take { cohort, class, count })
        });
        Ok(Proposal::new(problem, classes.len(), takes.collect()))
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
            assert_eq!(proposal.flaw(&problem), None);
            Ntil.of(&Partition::of(&problem, &proposal))
        };
        assert!(ntil(1) < ntil(0));
        assert!(ntil(2) <= ntil(1));
    }
}
