//! From what a method proposes to what may be published.

use super::mend::mended;
use super::{ALL, Anonymizer, constrained, from_spec, suppression};
use crate::error::Advice;
use crate::method::{Need, Spec};
use crate::problem::Problem;
use crate::progress::Progress;
use crate::recoding::Recoding;
use crate::{Error, Result};

impl Problem {
    /// Runs a method, mends what it proposes where a class is not private yet, and checks the result.
    ///
    /// Limits on values divide the problem into parts that are solved one by one. Suppression is the
    /// last resort: what loses less without it is taken, unless the method defines what it suppresses.
    ///
    /// # Errors
    ///
    /// [`Error::Unreachable`] if no release was found that meets the goal, [`Error::Parameter`] if a
    /// parameter of the method is outside its range, [`Error::Obstacle`] if the method cannot solve
    /// this problem; it names the methods that can.
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
        // An obstacle that only suppression is in the way of is avoided by solving without it.
        if let Some(found) = obstacle(anonymizer, self)
            && (self.most_suppressed() == 0 || obstacle(anonymizer, &self.strict()).is_some())
        {
            return Err(refused(anonymizer, self, found));
        }
        let solve = |problem: &Problem| {
            if anonymizer.is_told_where_to_stop() {
                mended(anonymizer, problem, progress)
            } else {
                suppression::solve(anonymizer, problem, progress)
            }
        };
        let found = if self.is_capped() { constrained::solve(self, solve)? } else { solve(self)? };
        Recoding::checked(self, found).map_err(|flaw| Error::Internal(flaw.to_owned()))
    }
}

/// Why a method cannot take a problem, if it cannot.
fn obstacle(anonymizer: &dyn Anonymizer, problem: &Problem) -> Option<Error> {
    if anonymizer.needs(Need::Rows) && problem.table().rows().is_none() {
        let why = "it needs the cohort of every row, but the table was read without them";
        return Some(
            Error::invalid(why).advise([Advice::words("keep rows when reading the table")]),
        );
    }
    anonymizer.obstacle(problem)
}

/// The error of a method that cannot take a problem, with the methods that can.
fn refused(anonymizer: &dyn Anonymizer, problem: &Problem, obstacle: Error) -> Error {
    // Rows can be kept for a method that asks for them, unless this one asked in vain.
    let lacks_rows = anonymizer.needs(Need::Rows) && problem.table().rows().is_none();
    let can = ALL.iter().filter(|other| {
        let other = from_spec(&Spec::named(other.name));
        other.is_ok_and(|a| {
            a.hierarchy().is_none()
                && a.obstacle(problem).is_none()
                && !(lacks_rows && a.needs(Need::Rows))
        })
    });
    let can = can.map(|method| method.name.to_owned()).collect();
    Error::obstacle(anonymizer.name(), obstacle, can)
}
