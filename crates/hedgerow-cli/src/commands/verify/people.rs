//! Counting the people of a release whose original names them.

use std::path::Path;

use anyhow::Result;
use hedgerow::io::{ReadOptions, Source};
use hedgerow::measure::{self, Owners};
use hedgerow::noun::counted;
use hedgerow::table::Columns;

use super::{Verification, read_release, trees};
use crate::args::VerifyArgs;
use crate::console::Console;

/// Finds the people of a release by comparing it with its original, which names them in the column
/// `person`.
pub(super) fn owners(
    args: &VerifyArgs,
    original: &Path,
    person: &str,
    release: &Source,
    console: &Console,
) -> Result<Owners> {
    let original = args.read.file.open(original)?;
    hedgerow::schema::find(original.header(), person)?;
    let is_shared = |name: &&String| {
        original.header().contains(name) && !args.quasi.contains(name) && *name != person
    };
    let shared: Vec<String> = release.header().iter().filter(is_shared).cloned().collect();
    let shown = read_release(args, release, &shared, console)?;
    let columns = Columns::quasi(&args.quasi).and_beside(&shared).and_person(person);
    let encoding = args.read.encoding(args.missing.into())?;
    let threads = args.read.file.threads();
    let options = ReadOptions { encoding, threads, keep_rows: true, ..ReadOptions::default() };
    let table = original.read(&columns, &options, console)?;
    let trees = trees(args, &table)?;
    let tree_of = trees.iter().map(|(name, tree)| (name.clone(), tree)).collect();
    Ok(measure::owners(&table, &shown, &tree_of)?)
}

/// Tells how many people were counted, or what is known of them.
pub(super) fn told(verification: &Verification, k: u64) -> String {
    match (&verification.person, verification.people_at_least) {
        (Some(person), None) => format!("people were counted by '{person}' of the original\n"),
        (Some(_), Some(fewest)) if verification.holds => {
            format!("holds: every class has at least {}\n", counted(fewest, "person"))
        }
        (Some(_), Some(fewest)) => format!(
            "NOT CONFIRMED: every class has at least {}, and whether it has {k} cannot be counted, \
             because records of the release could belong to different people; a release in the order \
             of its original (--keep-order) can be counted before it is shuffled\n",
            counted(fewest, "person")
        ),
        (None, _) => String::new(),
    }
}
