//! Writing a release and counting what was written, before the file gets its name.

use std::collections::BTreeMap;

use super::{Claims, Job};
use crate::hierarchy::Hierarchy;
use crate::io::{Output, ReadOptions, Size, Source, Written, write_release};
use crate::measure::{Attained, Recount};
use crate::noun::counted;
use crate::population::Population;
use crate::privacy::{self, Observed, PrivacyModel};
use crate::problem::Problem;
use crate::progress::{Progress, Stage};
use crate::proposal::Take;
use crate::release::Release;
use crate::schema::{Role, Schema};
use crate::table::{Column, Columns, DateFormat, Encoding, Table, Values};
use crate::{Error, Result};

/// What the writing of a release goes by.
pub(super) struct Publication<'a> {
    pub(super) job: &'a Job,
    pub(super) source: &'a Source,
    pub(super) schema: &'a Schema,
    pub(super) problem: &'a Problem,
    pub(super) population: Option<&'a Population>,
}

impl Publication<'_> {
    /// A quasi-identifier in two columns must not get the name of another.
    fn check_names(&self, release: &Release<'_>) -> Result<()> {
        let mut new = (0..self.job.quasi.len()).flat_map(|i| release.columns(i));
        let is_taken =
            |name: &&String| !self.job.quasi.contains(name) && self.schema.names().contains(name);
        match new.find(is_taken) {
            None => Ok(()),
            Some(name) => Err(Error::invalid(format!(
                "the input has a column '{name}' already, which --interval-style bounds would write; \
                 rename it, or choose another style"
            ))),
        }
    }

    /// Writes a release, counts what was written, and only then gives the file its name.
    pub(super) fn publish(
        &self,
        release: &Release<'_>,
        mut output: Output,
        progress: &dyn Progress,
    ) -> Result<(Table, Recount)> {
        let Self { job, source, schema, problem, .. } = *self;
        progress.stage(Stage::Write);
        self.check_names(release)?;
        let options = job.writing(self.problem);
        let table = problem.table();
        let written =
            write_release((source, schema), (table, release), &options, &mut output, progress)?;

        progress.stage(Stage::Verify);
        let columns: Vec<String> =
            (0..job.quasi.len()).flat_map(|i| release.columns(i).to_vec()).collect();
        let mut written_file = Source::open(output.temporary_path(), Some(source.delimiter()))?
            .with_max_record(Size::UNLIMITED);
        if job.spreadsheet_safe {
            written_file = written_file.without_guards();
        }
        let published = table.beside().iter().filter(|column| self.is_published(&column.name));
        let published: Vec<&Column> = published.collect();
        let beside: Vec<String> = published.iter().map(|column| column.name.clone()).collect();
        let reading = Columns { quasi: columns, beside };
        let encoding = Encoding { is_guarded: job.spreadsheet_safe, ..like(&published, &job.na) };
        let shown = read_release(&written_file, &reading, (&encoding, job.threads), progress)?;
        let mut recount = Recount::among(&shown, &self.published_models(), &self.covered(&shown))?;
        check_written(&recount, written)?;
        for place in self.unpublished_models() {
            let claim = self.claim_before_writing(place, release)?;
            recount.privacy.insert(place, claim);
        }
        output.finish()?;
        Ok((shown, recount))
    }

    /// A warning if `verify` will not find what was asked: it sees how sensitive values are spread
    /// over the release, and models went by the table, of which some records were left out.
    pub(super) fn refuted(&self, shown: &Table) -> Option<String> {
        let n_lacking = self.problem.table().n_rows() - shown.n_rows();
        if n_lacking == 0 {
            return None;
        }
        let what = match self.judged_alone(shown) {
            Err(error) => error.to_string(),
            Ok(recount) => {
                let claim = recount.privacy.iter().find(|claim| !claim.holds)?;
                let column =
                    claim.column.as_ref().map_or_else(String::new, |c| format!(" of '{c}'"));
                format!("{}{column} is {}, not {}", claim.model, claim.shown(), claim.demand())
            }
        };
        Some(format!(
            "verify will refute this release: it lacks {}, so sensitive values are spread otherwise than \
             in the table, by which it was made. By the release alone, {what}; allow fewer to be \
             suppressed, or ask for something stricter",
            counted(n_lacking, "record")
        ))
    }

    /// Counts a release as `verify` will, by models that know nothing else.
    fn judged_alone(&self, shown: &Table) -> Result<Recount> {
        let claims = self.job.claims();
        let mut privacy = Vec::new();
        for spec in claims.privacy {
            let Observed { sensitive, guard } = privacy::columns(spec, claims.sensitive)?;
            if sensitive.iter().chain(&guard).all(|column| self.is_published(column)) {
                privacy.push(spec.clone());
            }
        }
        let models = Claims { privacy: &privacy, ..claims }.models(shown)?;
        let models: Vec<&dyn PrivacyModel> = models.iter().map(AsRef::as_ref).collect();
        Recount::among(shown, &models, &self.covered(shown))
    }

    fn is_published(&self, column: &str) -> bool {
        let place = self.schema.names().iter().position(|name| name == column);
        place.is_some_and(|place| self.schema.role(place) != Role::Identifier)
    }

    /// The models that can be counted in the written file.
    fn published_models(&self) -> Vec<&dyn PrivacyModel> {
        let hidden = self.unpublished_models();
        let models = self.problem.goal().models().iter().enumerate();
        let shown = models.filter(|(place, _)| !hidden.contains(place));
        shown.map(|(_, model)| model.as_ref()).collect()
    }

    /// The places of the models that look at a column which is not published.
    fn unpublished_models(&self) -> Vec<usize> {
        let models = self.problem.goal().models().iter().enumerate();
        let hidden = models.filter(|(_, model)| {
            let mut columns = model.secret().into_iter().flat_map(|secret| secret.columns());
            columns.any(|column| !self.is_published(column))
        });
        hidden.map(|(place, _)| place).collect()
    }

    /// What holds of the records that show the same, counted before they were written.
    fn claim_before_writing(&self, place: usize, release: &Release<'_>) -> Result<Attained> {
        let goal = self.problem.goal();
        let mut classes = release.shown(!self.job.drops_suppressed(self.problem));
        let nothing = release.numbers(Take::SUPPRESSED);
        let model = goal.models()[place].as_ref();
        classes.retain(|&cells, tally| cells != nothing || model.holds(&goal.view(tally, place)));
        let views: Vec<_> = classes.values().map(|tally| goal.view(tally, place)).collect();
        let claim = Attained::of(model, &views);
        if claim.holds { Ok(claim) } else { Err(unmet(std::slice::from_ref(&claim))) }
    }

    /// How many records of the population each cohort of the release stands for.
    fn covered(&self, shown: &Table) -> Vec<u64> {
        let Some(population) = self.population else {
            return Vec::new();
        };
        let trees = self.problem.attributes().iter().filter_map(|attribute| {
            Some((attribute.name().to_owned(), attribute.generalization().hierarchy()?))
        });
        population.covered(shown, &trees.collect::<BTreeMap<String, &Hierarchy>>())
    }
}

/// An encoding by which columns are read the way they were.
pub(super) fn like(columns: &[&Column], na: &[String]) -> Encoding {
    let kinds = columns.iter().map(|column| (column.name.clone(), column.domain.values.kind()));
    let date_formats = columns.iter().filter_map(|column| match &column.domain.values {
        Values::Date(_, format) => Some((column.name.clone(), DateFormat::clone(format))),
        _ => None,
    });
    let date_formats = date_formats.collect();
    Encoding { na: na.to_vec(), kinds: kinds.collect(), date_formats, ..Encoding::default() }
}

/// An error if the written file is not what was meant to be written.
fn check_written(recount: &Recount, written: Written) -> Result<()> {
    // Others may show nothing too; if all do, they are classes.
    let is_suppressed = recount.n_suppressed >= written.n_suppressed || recount.is_blank();
    if recount.n_rows != written.n_rows || !is_suppressed {
        return Err(Error::Internal(format!(
            "the written file has {} of {}, and {} of at least {} suppressed",
            recount.n_rows,
            counted(written.n_rows, "record"),
            recount.n_suppressed,
            written.n_suppressed
        )));
    }
    if recount.holds() { Ok(()) } else { Err(unmet(&recount.privacy)) }
}

fn unmet(claims: &[Attained]) -> Error {
    let unmet = claims.iter().filter(|claim| !claim.holds);
    let unmet: Vec<String> = unmet
        .map(|claim| format!("{} of {}, not {}", claim.model, claim.shown(), claim.demand()))
        .collect();
    Error::Internal(format!("the written file has {}", unmet.join(", ")))
}

/// Reads columns of a release: quasi-identifiers as the texts that they show, those that models look at
/// in the encoding given, with so many threads.
pub fn read_release(
    source: &Source,
    columns: &Columns,
    (encoding, threads): (&Encoding, usize),
    progress: &dyn Progress,
) -> Result<Table> {
    let encoding = Encoding { is_release: true, ..encoding.clone() };
    let options = ReadOptions { encoding, threads, ..ReadOptions::default() };
    source.read(columns, &options, progress)
}
