//! Replaces commands in a build without the features `wordnet` or `studio`.

use anyhow::Result;
use hedgerow::Error;

use crate::Verdict;
use crate::args::AbsentArgs;

#[cfg(not(feature = "wordnet"))]
pub(crate) fn run(_args: &AbsentArgs) -> Result<Verdict> {
    Err(Error::absent("this command", "wordnet").into())
}

#[cfg(not(feature = "studio"))]
pub(crate) fn studio(_args: &AbsentArgs) -> Result<Verdict> {
    Err(Error::absent("this command", "studio").into())
}
