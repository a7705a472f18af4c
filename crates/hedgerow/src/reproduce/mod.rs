//! Published experiments, run again: what a paper says, what we measure, and a verdict on each of
//! its claims, tables and figures.
//!
//! A [`Paper`] runs its experiments on the data sets it names and returns [`Exhibit`]s as data:
//! one for each claim, table and figure. [`Reproduction::of`] runs a paper; [`page`], [`markdown`]
//! and [`files`] render what it returns.
//!
//! # Adding a paper
//!
//! 1. Write one file (or a folder) named after it, `reproduce/NAME.rs`, with a unit struct,
//!    `impl Described` (name, one line, key in `docs/references.md`) and `impl Paper`.
//! 2. Register it here: `mod NAME;` and `method(&Name),` in [`ALL`]. The command line lists it.
//! 3. Return exhibits in the order of the paper. Verdicts are computed from what was measured,
//!    never written down: see [`Exhibit::new`]. A claim that cannot be tried, because data was not
//!    given, has [`Verdict::NotMeasured`].
//! 4. Everything is deterministic: random choices use a stated seed, and independent runs go
//!    through `Materials::each`, which returns results in the order of its items whatever the
//!    number of threads. Times come from [`Materials::seconds`] and are only shown in exhibits that
//!    are marked `Exhibit::timed`, which the test of `docs/papers.md` skips.
//! 5. A paper that takes a few seconds in a debug build is [quick](Paper::is_quick):
//!    `tests/library/papers.rs` runs it and compares its section of `docs/papers.md`
//!    (`UPDATE_PAPERS=1` rewrites the section). Sections of the others are copied from `papers.md`
//!    of a run of all papers, and the test runs them on few records ([`Materials::is_trial`]).

mod numbers;
mod setup;
mod exhibit;
mod materials;
mod markdown;
mod page;
mod files;
mod iotf;
mod traversal;
mod divisors;
mod bottom_up;
#[cfg(feature = "wordnet")]
mod aika;

#[cfg(feature = "wordnet")]
pub use aika::Aika;
pub use bottom_up::BottomUp;
pub use divisors::Divisors;
pub use exhibit::{Exhibit, Figure, Sheet, Verdict};
pub use files::{files, is_all_of};
pub use iotf::OnTheFly;
pub use markdown::{document, markdown};
pub use materials::{Dataset, Materials};
pub use page::page;
pub use traversal::Traversal;

use serde::Serialize;

use crate::error::{Advice, did_you_mean};
use crate::method::{Describe, Described, Description, Method};
use crate::progress::{Progress, Stage};
use crate::{Error, Result};

/// A paper whose experiments can be run again.
pub trait Paper: Describe + Sync {
    /// Authors, title, venue and year.
    fn citation(&self) -> &'static str;

    /// The data sets it uses. The first is the default for a data set given without a name.
    fn datasets(&self) -> &'static [Dataset];

    /// Our interpretation of the paper where it is silent or contradicts itself, one sentence each.
    fn readings(&self) -> &'static [&'static str];

    /// Whether a debug build needs only a few seconds.
    fn is_quick(&self) -> bool {
        false
    }

    /// Runs the experiments, and returns the exhibits in the order of the paper.
    fn run(&self, materials: &Materials<'_>, progress: &dyn Progress) -> Result<Vec<Exhibit>>;
}

/// Every paper.
pub const ALL: &[Method<&'static dyn Paper>] = &[
    method(&OnTheFly),
    #[cfg(feature = "wordnet")]
    method(&Aika),
    method(&BottomUp),
    method(&Traversal),
    method(&Divisors),
];

/// Returns the registry entry of a paper.
const fn method<P: Paper + Described>(paper: &'static P) -> Method<&'static dyn Paper> {
    Method::new(P::DESCRIPTION, paper)
}

/// Returns the paper with this name. The error for an unknown one lists all.
pub fn named(name: &str) -> Result<&'static dyn Paper> {
    if name == "aika" && !cfg!(feature = "wordnet") {
        // Without this, a build without WordNet would call the paper unknown and suggest another
        // one.
        return Err(Error::absent("the paper aika", "wordnet"));
    }
    let names: Vec<&str> = ALL.iter().map(|paper| paper.name).collect();
    let found = ALL.iter().find(|paper| paper.name == name);
    found.map(|paper| paper.item).ok_or_else(|| {
        // The suggestion is a guess, so all names are listed too.
        let near = did_you_mean(name, names.clone());
        Error::invalid(format!("there is no paper '{name}'{near}"))
            .advise([Advice::words(format!("choose from {}", names.join(", ")))])
    })
}

/// The result of a run of a paper.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Reproduction {
    /// Name of the paper.
    pub paper: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Its key in `docs/references.md`.
    pub reference: Option<&'static str>,
    /// Authors, title, venue and year.
    pub citation: &'static str,
    /// Our interpretation of it.
    pub readings: &'static [&'static str],
    /// The data sets that were given, with a line about each.
    pub datasets: Vec<(&'static str, &'static str)>,
    /// Its claims, tables and figures.
    pub exhibits: Vec<Exhibit>,
}

impl Reproduction {
    /// Runs a paper.
    pub fn of(
        paper: &dyn Paper,
        materials: &Materials<'_>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let Description { name, about, reference, .. } = *paper.description();
        progress.stage(Stage::Search);
        // Papers report each run through `Materials::each`, so the stage is named once here.
        progress.trying(name);
        // A page that named data sets which were not given would claim results that it does not
        // have.
        let given = paper.datasets().iter().filter(|dataset| materials.has(dataset.name));
        Ok(Self {
            paper: name,
            about,
            reference,
            citation: paper.citation(),
            readings: paper.readings(),
            datasets: given.map(|dataset| (dataset.name, dataset.about)).collect(),
            exhibits: paper.run(materials, progress)?,
        })
    }

    /// Number of exhibits with a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.exhibits.iter().filter(|exhibit| exhibit.verdict == verdict).count()
    }

    /// The verdicts that occur, each with its number: `reproduced 4, not 1`.
    pub fn tally(&self) -> String {
        let counts = Verdict::ALL.map(|verdict| (verdict, self.count(verdict)));
        // Verdicts that do not occur are left out, so that `not 0` is never read as a verdict.
        let shown = counts.into_iter().filter(|(_, count)| *count > 0);
        shown.map(|(verdict, n)| format!("{} {n}", verdict.name())).collect::<Vec<_>>().join(", ")
    }
}
