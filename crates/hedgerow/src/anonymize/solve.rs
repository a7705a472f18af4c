//! Solves a problem: turns the proposal of a method into a checked recoding.

use super::mend::mended;
use super::{ALL, Anonymizer, constrained, from_spec, suppression};
use crate::error::{Advice, Flaw};
use crate::method::{Need, Spec};
use crate::problem::Problem;
use crate::progress::Progress;
use crate::proposal::Proposal;
use crate::recoding::Recoding;
use crate::{Error, Result};

impl Problem {
    /// Runs a method, mends the classes that are not private yet, and checks the result.
    ///
    /// Limits on generalization divide the problem into compartments that are solved one by one.
    /// Suppression is the last resort: a solution without it is taken if it loses less, unless the
    /// method itself defines what it suppresses.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Unreachable`] if no release was found that meets the goal,
    /// [`Error::Parameter`] if a parameter of the method is out of range, and [`Error::Obstacle`]
    /// if the method cannot solve this problem; it names the methods that can.
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
    pub fn solve(&self, anonymizer: &dyn Anonymizer, progress: &dyn Progress) -> Result<Recoding> {
        anonymizer.validate()?;
        // An obstacle that exists only because records may be suppressed is not fatal: the method
        // can run without suppression.
        let obstacle = |problem: &Problem| obstacle(anonymizer, problem, progress);
        if let Some(found) = obstacle(self)
            && (self.most_suppressed() == 0 || obstacle(&self.strict()).is_some())
        {
            return Err(refused(anonymizer, self, found));
        }
        progress.trying(anonymizer.name());
        let solve = |problem: &Problem| solution(anonymizer, problem, progress);
        let found = if self.is_capped() { constrained::solve(self, solve)? } else { solve(self)? };
        Recoding::of(self, found, progress).map_err(unpublished)
    }
}

/// The error to return for a recoding that must not be published. Mending and limits of
/// generalization can make a recoding less uniform than its method; other flaws are mistakes of the
/// method.
fn unpublished(error: Error) -> Error {
    let Error::Flawed(flaw) = error else { return error };
    match flaw {
        Flaw::LessUniform { .. } => Error::unreachable(format!(
            "{flaw}: privacy models or limits of generalization could only be met record by record"
        ))
        .advise([
            Advice::AllowSuppression { least: None },
            Advice::LeaveOut { key: "recoding", column: None },
        ]),
        flaw => Error::Internal(flaw.to_string()),
    }
}

/// Runs a method, mends its classes, and considers a solution without suppression, unless a
/// parameter of the method sets the point at which it stops.
fn solution(
    anonymizer: &dyn Anonymizer,
    problem: &Problem,
    progress: &dyn Progress,
) -> Result<Proposal> {
    if anonymizer.is_told_where_to_stop() {
        mended(anonymizer, problem, progress)
    } else {
        suppression::solve(anonymizer, problem, progress)
    }
}

/// Returns the reason that a method cannot solve a problem, or `None`.
fn obstacle(
    anonymizer: &dyn Anonymizer,
    problem: &Problem,
    progress: &dyn Progress,
) -> Option<Error> {
    if anonymizer.needs(Need::Rows) && problem.table().rows().is_none() {
        return Some(Error::no_rows());
    }
    super::obstacle(anonymizer, problem, progress.has_time_limit())
}

/// The error for a method that cannot solve a problem; it lists the methods that can.
fn refused(anonymizer: &dyn Anonymizer, problem: &Problem, obstacle: Error) -> Error {
    // A caller can keep the rows for a method that needs them, so such methods are listed, unless
    // missing rows are the obstacle here.
    let lacks_rows = anonymizer.needs(Need::Rows) && problem.table().rows().is_none();
    let names = ALL.iter().map(|method| method.name);
    let can =
        names.filter(|name| can_solve(name, problem, lacks_rows)).map(str::to_owned).collect();
    Error::obstacle(anonymizer.name(), obstacle, can)
}

/// Whether the method called `name` can solve a problem, even without rows if the table lacks them.
fn can_solve(name: &str, problem: &Problem, lacks_rows: bool) -> bool {
    from_spec(&Spec::named(name)).is_ok_and(|method| {
        method.hierarchy().is_none()
            && method.obstacle(problem).is_none()
            && !(lacks_rows && method.needs(Need::Rows))
    })
}
