//! Replaces the commands about words in a build without the feature `wordnet`.

use anyhow::Result;
use hedgerow::Error;

use crate::Verdict;
use crate::args::AbsentArgs;

pub(crate) fn run(_args: &AbsentArgs) -> Result<Verdict> {
    Err(Error::absent("this command", "wordnet").into())
}
