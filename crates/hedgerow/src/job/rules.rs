//! The recipe of a job's release.

use super::Job;
use crate::Result;
use crate::error::{Advice, Warning};
use crate::hierarchy::RareValues;
use crate::method::Scope;
use crate::noun::counted;
use crate::progress::Progress;
use crate::recipe::{Reading, Recipe, Writing};
use crate::release::{Exposure, Release};
use crate::schema::Schema;
use crate::study::Study;

/// A release with the stages that its recipe is made from.
#[derive(Clone, Copy)]
pub(super) struct Ruled<'a> {
    pub(super) job: &'a Job,
    pub(super) study: &'a Study,
    pub(super) release: &'a Release,
    pub(super) schema: &'a Schema,
}

/// Returns the text of the recipe, if the job asks for one.
pub(super) fn asked(of: &Ruled<'_>, progress: &dyn Progress) -> Result<Option<String>> {
    of.job.recipe.as_ref().map(|_| text(of, progress)).transpose()
}

/// Returns the text of the recipe.
pub(super) fn text(of: &Ruled<'_>, progress: &dyn Progress) -> Result<String> {
    let Ruled { job, study, release, schema } = *of;
    // Kinds, formats and signs are those found in the table, which the recipe has from the study.
    let reading = Reading {
        missing: job.missing,
        na: job.na.clone(),
        na_detect: job.na_detect,
        delimiter: job.delimiter,
        encoding: job.encoding,
        no_header: job.no_header,
        header: job.header.clone(),
        ..Reading::default()
    };
    let writing = Writing {
        interval_style: job.interval_style,
        rare_values: job.rare_values,
        drop_suppressed: job.drop_suppressed,
        spreadsheet_safe: job.spreadsheet_safe,
        output_encoding: job.output_encoding,
    };
    Recipe::of(study, release, progress)?.with_files(schema, reading, writing).to_text()
}

/// Returns a note if the recipe has the regions of classes, which fit the next table less well than
/// labels of single values.
pub(super) fn note(job: &Job, release: &Release) -> Option<String> {
    let is_local = job.recipe.is_some() && release.recoding().scope() == Scope::Local;
    is_local.then(|| {
        "the recipe places the records of the next table in the regions of these classes, where they may \
         be too few; a recipe of a global recoding needs less repair"
            .to_owned()
    })
}

/// Returns a warning if the labels of a recipe spell out rare values.
pub(super) fn warning(job: &Job, exposure: &Exposure) -> Option<Warning> {
    let is_shown = job.rare_values == RareValues::Show;
    // The recipe repeats what the release shows, but recipes are passed on without being read.
    let n_rare: usize = exposure.spelled.values().map(|spelled| spelled.rare).sum();
    (is_shown && n_rare > 0).then(|| {
        let values = counted(n_rare, "value");
        let problem = format!(
            "labels of the recipe, like those of the release, spell out {values} that fewer than {} records \
             have",
            job.k
        );
        Warning::new(problem).advise([Advice::HideRareValues])
    })
}
