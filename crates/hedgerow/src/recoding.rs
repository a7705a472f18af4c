//! A proposal that has been checked and can be published.

use std::ops::Deref;
use std::sync::Arc;

use crate::method::Scope;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::proposal::Proposal;
use crate::{Error, Result};

/// A partition of the records of a problem that can be published.
///
/// [`Problem::solve`] creates it from the proposal of a method. Every record is in one class or
/// suppressed, the published values of a class cover its records, every class satisfies the goal of
/// the problem, and no limit is exceeded. A [`Proposal`] guarantees none of that, so a release
/// cannot be made from one:
///
/// ```compile_fail,E0308
/// # use hedgerow::anonymize::{Anonymizer, KMember};
/// # use hedgerow::builder::{Free, HierarchyBuilder};
/// # use hedgerow::privacy::KAnonymity;
/// # use hedgerow::problem::Problem;
/// # use hedgerow::progress::Silent;
/// # use hedgerow::release::{Release, Style};
/// # use hedgerow::table::Table;
/// # let table = Table::from_rows(&["age"], &[["20"], ["21"]])?;
/// # let free = Free.build(&table.columns()[0])?;
/// # let problem = Problem::new(&table, vec![free], vec![Box::new(KAnonymity::new(2)?)])?;
/// let proposal = KMember::default().propose(&problem, &Silent)?;
/// let release = Release::new(&proposal, &Style::default(), &Silent)?; // expected `&Recoding`
/// # Ok::<(), hedgerow::Error>(())
/// ```
///
/// [`Problem::solve`] searches, repairs and checks in one call:
///
/// ```
/// use hedgerow::anonymize::KMember;
/// use hedgerow::builder::{Free, HierarchyBuilder};
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::problem::Problem;
/// use hedgerow::progress::Silent;
/// use hedgerow::release::{Release, RowOrder, Style};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["age"], &[["20"], ["21"], ["60"], ["61"]])?;
/// let free = Free.build(&table.columns()[0])?;
/// let problem = Problem::new(&table, vec![free], vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&KMember::default(), &Silent)?;
/// let release = Release::new(&recoding, &Style::default(), &Silent)?;
/// let rows = release.rows(RowOrder::Input, &Silent)?;
/// assert_eq!(rows, [["[20, 21]"], ["[20, 21]"], ["[60, 61]"], ["[60, 61]"]]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
///
/// Clones share their contents.
#[derive(Debug, Clone)]
pub struct Recoding {
    problem: Problem,
    proposal: Arc<Proposal>,
}

impl Recoding {
    /// Checks a proposal without changing it.
    ///
    /// # Errors
    ///
    /// [`Error::Flawed`] with the flaw of the proposal, and [`Error::Cancelled`] if `progress` is
    /// cancelled.
    pub fn of(problem: &Problem, proposal: Proposal, progress: &dyn Progress) -> Result<Self> {
        match proposal.flaw(problem, progress)? {
            None => Ok(Self { problem: problem.clone(), proposal: Arc::new(proposal) }),
            Some(flaw) => Err(Error::Flawed(flaw)),
        }
    }

    /// The scope of the recoding, which states how uniformly the published records are recoded.
    pub fn scope(&self) -> Scope {
        self.proposal.scope(&self.problem)
    }

    /// The problem that this recoding solves.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }
}

impl Deref for Recoding {
    type Target = Proposal;

    fn deref(&self) -> &Proposal {
        &self.proposal
    }
}
