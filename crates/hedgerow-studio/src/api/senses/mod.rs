//! `/api/senses/{column}`: the meanings of the values of a column of words, and corrections.

#[cfg(feature = "wordnet")]
mod meanings;

#[cfg(feature = "wordnet")]
pub(super) use meanings::{add_candidates, get, given, lookup, n_unsure, put};

#[cfg(not(feature = "wordnet"))]
pub(super) use absence::{absent, add_candidates, get, lookup, n_unsure, put};

/// A build without words.
#[cfg(not(feature = "wordnet"))]
mod absence {
    use super::super::subject::Subject;
    use super::super::{Answer, Call};
    use crate::fault::{Done, Fault};
    use crate::studio::Studio;

    pub(in super::super) fn absent(what: &str) -> Fault {
        Fault::refused(422, "unavailable", format!("{what} needs the feature wordnet"))
            .advise("use a build with all features")
    }

    pub(in super::super) fn get(_: &Studio, _: &Call) -> Done<Answer> {
        Err(absent("meanings of words"))
    }

    pub(in super::super) fn put(_: &Studio, _: &Call) -> Done<Answer> {
        Err(absent("meanings of words"))
    }

    pub(in super::super) fn lookup(_: &Studio, _: &Call) -> Done<Answer> {
        Err(absent("meanings of words"))
    }

    pub(in super::super) fn add_candidates(_: &Studio, _: Subject, _: Option<u64>) -> Done<()> {
        Err(absent("candidates of words"))
    }

    pub(in super::super) fn n_unsure(_: &Subject) -> usize {
        0
    }
}
