//! Checks that a job which was refused has a property that justifies it.

use hedgerow::Error;
use hedgerow::anonymize;
use hedgerow::error::Advice;
use hedgerow::hierarchy::RareValues;
use hedgerow::job::{self, Job};
use hedgerow::method::Need;
use hedgerow::progress::Silent;
use hedgerow::release::IntervalStyle;
use hedgerow::table::MissingPolicy;
use proptest::prelude::*;

use crate::everything::Counts;
use crate::judged::Kept;
use crate::random::Case;
use crate::second::File;

/// A job that was refused, and the error.
pub(crate) struct Refused<'a> {
    pub(crate) case: &'a Case,
    pub(crate) job: &'a Job,
    pub(crate) table: &'a File,
    pub(crate) error: Error,
}

/// Phrase of the error for different classes that have the same text and fail as one class.
pub(crate) const SAME_TEXT: &str = "same text in the release";

/// Checks that the job justifies the refusal, and that no output was written.
pub(crate) fn check(refused: &Refused<'_>, counts: &Counts) -> Result<(), TestCaseError> {
    let Refused { job, error, .. } = refused;
    prop_assert!(!job.output.exists());
    let reason = match error {
        Error::Unreachable { problem, .. } if problem.contains(SAME_TEXT) => {
            prop_assert!(refused.may_be_alike(), "{error}\n{job:?}");
            refused.check_in_brackets()?;
            Some(SAME_TEXT)
        }
        Error::Unreachable { .. } if refused.may_be_unreachable() => Some("refused as unreachable"),
        Error::Unreachable { .. } | Error::Internal(_) | Error::Cancelled | Error::Io { .. } => {
            None
        }
        _ => {
            let message = error.to_string();
            let reasons = REASONS.iter().find(|(phrase, _)| message.contains(phrase));
            let reason = reasons.filter(|(_, is_given)| is_given(refused));
            reason.map(|(phrase, _)| *phrase)
        }
    };
    match reason {
        Some(reason) => counts.add(reason),
        None => prop_assert!(false, "{error}\n{job:?}"),
    }
    Ok(())
}

/// Whether a job justifies a refusal.
type IsGiven = fn(&Refused<'_>) -> bool;

/// A phrase of the message of each refusal, and the condition on the job; the first match is used.
const REASONS: [(&str, IsGiven); 15] = [
    ("has missing values that match anything", |refused| {
        refused.is_picky()
            && refused.job.missing == MissingPolicy::Wildcard
            && refused.lacks_values()
    }),
    ("it relies on classes staying private", |refused| {
        refused.is_picky() && !refused.is_monotone()
    }),
    ("it relies on every subset of a failing class failing too", |refused| {
        refused.is_picky() && !refused.job.privacy.is_empty()
    }),
    ("are not nested, and the method relies on that", |refused| refused.is_picky()),
    ("has no hierarchy ('free'", |refused| refused.is_picky() && refused.names("free")),
    ("it has no tree;", |refused| matches!(&*refused.job.method.name, "bottom-up" | "top-down")),
    ("cannot be hidden", |refused| refused.job.rare_values == RareValues::Hide),
    ("has missing values:", |refused| {
        refused.job.missing == MissingPolicy::Error && refused.lacks_values()
    }),
    ("choose another loss", |refused| match refused.job.loss.as_deref() {
        Some("entropy") => refused.job.missing == MissingPolicy::Wildcard && refused.lacks_values(),
        Some("precision") => true,
        _ => false,
    }),
    ("no hierarchy can be built", |refused| refused.names("auto")),
    ("has a limit but no tree", |refused| !refused.job.limit.is_empty()),
    ("is not a level", |refused| !refused.job.limit.is_empty()),
    ("generalizes one quasi-identifier", |refused| {
        refused.job.method.name == "traversal" && refused.job.quasi.len() > 1
    }),
    ("which have no midpoint", |refused| {
        refused.job.interval_style == IntervalStyle::Midpoint && refused.has_codes()
    }),
    ("publish the label as it is", |refused| !refused.job.force_labels),
];

impl Refused<'_> {
    /// Whether it is possible that no release meets the goal, or that a search does not find one.
    fn may_be_unreachable(&self) -> bool {
        !self.job.limit.is_empty() || !Kept::of(self.table, self.job).is_private(self.case)
    }

    /// Whether classes may hold separately but not as one class, and the error has advice for that.
    fn may_be_alike(&self) -> bool {
        let is_advised = |advice: &Advice| matches!(advice, Advice::OtherIntervalStyle { .. });
        !self.is_monotone() && self.error.advice().iter().any(is_advised)
    }

    /// Checks that the same job succeeds in a style where classes with equal midpoints have
    /// different texts.
    fn check_in_brackets(&self) -> Result<(), TestCaseError> {
        if self.job.interval_style == IntervalStyle::Midpoint {
            let job = Job { interval_style: IntervalStyle::Brackets, ..self.job.clone() };
            let found = job::run(&job, &Silent);
            prop_assert!(found.is_ok(), "{:?}\n{job:?}", found.err());
        }
        Ok(())
    }

    /// Whether a quasi-identifier has missing values.
    fn lacks_values(&self) -> bool {
        let is_missing = |cell: &&str| cell.is_empty() || self.job.na.iter().any(|na| na == cell);
        self.job.quasi.iter().any(|name| self.table.column(name).iter().any(is_missing))
    }

    /// Whether a quasi-identifier has a value with a leading zero, or a hierarchy that knows numbers
    /// only by their spelling.
    fn has_codes(&self) -> bool {
        let is_code = |cell: &&str| cell.len() > 1 && cell.starts_with('0');
        let has_zero = |name: &String| self.table.column(name).iter().any(is_code);
        self.job.quasi.iter().any(has_zero)
            || ["prefix", "frequency", "ordered"].iter().any(|method| self.names(method))
    }

    /// Whether a column uses this hierarchy method; the default is `auto`.
    fn names(&self, hierarchy: &str) -> bool {
        let of_column = |name: &String| self.job.hierarchy.get(name).map_or("auto", |h| &h.name);
        self.job.quasi.iter().any(|name| of_column(name) == hierarchy)
    }

    /// Whether the method does not accept every problem, because it needs levels.
    fn is_picky(&self) -> bool {
        let named = anonymize::named(&self.job.method).ok().flatten();
        named.is_some_and(|method| method.needs(Need::Levels))
    }

    fn is_monotone(&self) -> bool {
        self.case.models().iter().all(|model| model.demand.is_monotone())
    }
}
