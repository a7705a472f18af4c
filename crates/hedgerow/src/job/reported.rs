//! The reports of a job, written after its release.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::Job;
use crate::error::Advice;
use crate::file;
use crate::hierarchy::Hierarchy;
use crate::io::{Input, Inputs, Output, Source, write_release};
use crate::progress::Progress;
use crate::publish::Pair;
use crate::release::{IntervalStyle, Release, Style};
use crate::report::{Attacked, Case, Evidence, Facts, File, Flavour, Format, Outcome, Spell};
use crate::schema::{Role, Schema};
use crate::study::Study;
use crate::table::{Columns, Table};
use crate::{Error, Result};

/// Reports on larger inputs compare only the columns with a role that needs it, so that the
/// distinct records fit into memory.
const MOST_BYTES: u64 = 64 << 20;

/// The files of the reports, which have no names yet.
#[derive(Default)]
pub(super) struct Reports {
    internal: Option<(Output, Format)>,
    public: Option<(Output, Format)>,
}

/// The release that the reports are about, with its job and its figures.
pub(super) struct Reported<'a> {
    pub(super) job: &'a Job,
    /// The job that reports show, to repeat the run.
    pub(super) told: &'a Job,
    /// The way to spell the command that verifies the release, if the caller has commands.
    pub(super) spell: Option<Spell<'a>>,
    pub(super) study: &'a Study,
    pub(super) source: &'a Source,
    pub(super) schema: &'a Schema,
    pub(super) release: &'a Release,
    /// The release as it was read back from its file.
    pub(super) shown: &'a Table,
    pub(super) outcome: &'a Outcome,
    pub(super) attacks: Attacks<'a>,
}

/// The findings of attacks on a release, once they were run.
pub(super) type Found = OnceLock<Attacked>;

/// Whether a release is attacked for its report.
#[derive(Clone, Copy)]
pub(super) enum Attacks<'a> {
    /// It is attacked, unless it was attacked before.
    Run(&'a Found),
    /// It is not attacked; the report has the findings of attacks that were run before.
    Known(&'a Found),
}

impl Attacks<'_> {
    fn found(self, case: &Case<'_>, progress: &dyn Progress) -> Result<Option<Attacked>> {
        match self {
            Self::Known(found) => Ok(found.get().cloned()),
            Self::Run(found) => {
                if let Some(known) = found.get() {
                    return Ok(Some(known.clone()));
                }
                let new = case.attacks(progress)?;
                Ok(Some(found.get_or_init(|| new).clone()))
            }
        }
    }
}

/// Whom a report is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Those who have the original.
    Internal,
    /// Everybody.
    Public,
}

/// The evidence on a release for its two audiences.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Sides {
    /// For those who have the original.
    pub internal: Evidence,
    /// For everybody.
    pub public: Evidence,
}

/// The release as a file whose cells show ranges.
struct Readable {
    source: Source,
    /// The file, if it is a copy that will not get a name.
    _copy: Option<Output>,
}

impl Reports {
    /// Starts the files. It is an error if one is an input or another output of the job.
    pub(super) fn create(job: &Job, inputs: &Inputs) -> Result<Self> {
        let (report, public) = (job.report.as_ref(), job.report_public.as_ref());
        // Two outputs with one path would overwrite each other, whichever is renamed last.
        let create = |path: &PathBuf, others: &[Option<&PathBuf>]| {
            let format = Format::of(path)?;
            if Inputs::of(others.iter().flatten()).check(path).is_err() {
                return Err(Error::file(path, "this is also the file of another output")
                    .advise([Advice::words("name another file for the report")]));
            }
            Ok((Output::create(path, job.force, inputs)?, format))
        };
        let others = [Some(&job.output), job.trace.as_ref(), job.classes.as_ref()];
        Ok(Self {
            internal: report.map(|path| create(path, &others)).transpose()?,
            public: public
                .map(|path| create(path, &[others[0], others[1], others[2], report]))
                .transpose()?,
        })
    }

    /// Computes the evidence, writes the reports and gives them their names.
    pub(super) fn finish(self, on: &Reported<'_>, progress: &dyn Progress) -> Result<()> {
        let Some((output, _)) = self.internal.as_ref().or(self.public.as_ref()) else {
            return Ok(());
        };
        // Evidence is gathered once, although two reports may be written from it.
        let readable = on.readable(output, progress)?;
        let Sides { internal, public } = on.gathered(&readable.source, progress)?;
        if let Some((output, format)) = self.internal {
            output.finish_with(format.write(&internal).as_bytes())?;
        }
        if let Some((output, format)) = self.public {
            output.finish_with(format.write(&public).as_bytes())?;
        }
        Ok(())
    }
}

impl Reported<'_> {
    /// Gathers the evidence on a release in memory. `readable` is the release in a style that shows
    /// ranges.
    pub(super) fn in_memory(
        &self,
        readable: &Source,
        audience: Audience,
        progress: &dyn Progress,
    ) -> Result<Evidence> {
        let Sides { internal, public } = self.gathered(readable, progress)?;
        Ok(match audience {
            Audience::Internal => internal,
            Audience::Public => public,
        })
    }

    /// Writes the release in a style that shows ranges to a file without a final name, and
    /// gathers the evidence on it.
    pub(super) fn drafted(&self, mut draft: Output, progress: &dyn Progress) -> Result<Sides> {
        let (source, schema, options) = (self.source, self.schema, self.job.writing());
        let style = Style { intervals: IntervalStyle::Brackets };
        let release = Release::new(self.release.recoding(), &style, progress)?;
        write_release(Input { source, schema }, &release, &options, &mut draft, progress)?;
        let written = options.reopen(draft.temporary_path(), source)?;
        let readable = if self.job.spreadsheet_safe { written.without_guards() } else { written };
        self.gathered(&readable, progress)
    }

    /// Gathers the evidence from the original and the release.
    fn gathered(&self, readable: &Source, progress: &dyn Progress) -> Result<Sides> {
        let pair = Pair {
            original: self.source,
            release: readable,
            columns: &self.columns(),
            reading: &self.job.reading(true),
            // A release in memory is a source without guards.
            is_guarded: self.job.spreadsheet_safe && !self.source.is_in_memory(),
        };
        let (original, release) = pair.read(progress)?;
        let case = Case {
            original: &original,
            release: &release,
            hierarchies: self.trees(),
            shown: Some(self.shown),
            extent: self.job.extent(self.study.population()),
            sampled: None,
            facts: self.facts()?,
        };
        let evidence = Evidence::unattacked(&case)?;
        let internal = evidence.with_attacks(&case, self.attacks.found(&case, progress)?);
        // Text that names small groups or values is removed from the evidence itself, not only from
        // its rendering.
        let public = internal.clone().public(&case);
        Ok(Sides { internal, public })
    }

    /// Opens the release. If its style does not show ranges, it is written again in one that
    /// does, next to the report and without a name.
    fn readable(&self, report: &Output, progress: &dyn Progress) -> Result<Readable> {
        let Self { job, source, schema, .. } = *self;
        let options = job.writing();
        let copy = if job.interval_style.shows_ranges() {
            None
        } else {
            let mut copy = report.draft()?;
            let style = Style { intervals: IntervalStyle::Brackets };
            let release = Release::new(self.release.recoding(), &style, progress)?;
            write_release(Input { source, schema }, &release, &options, &mut copy, progress)?;
            Some(copy)
        };
        let path = copy.as_ref().map_or(job.output.as_path(), Output::temporary_path);
        let written = options.reopen(path, source)?;
        // Guards are for spreadsheets; to comparisons they would be other values.
        let source = if job.spreadsheet_safe { written.without_guards() } else { written };
        Ok(Readable { source, _copy: copy })
    }

    /// The columns to compare: the column to predict, sensitive columns, and the others that are
    /// published.
    fn columns(&self) -> Columns {
        let mut beside: Vec<String> = Vec::new();
        // Every column that is added makes more records distinct.
        let is_small = self.source.n_bytes() <= MOST_BYTES;
        let others = [Role::Insensitive, Role::Undecided].into_iter().filter(|_| is_small);
        for role in [Role::Class, Role::Sensitive].into_iter().chain(others) {
            beside.extend(self.schema.with(role).cloned());
        }
        Columns { quasi: self.job.quasi.clone(), beside, person: self.job.person.clone() }
    }

    fn trees(&self) -> BTreeMap<String, &Hierarchy> {
        let attributes = self.study.problem().attributes().iter();
        let named = attributes.map(|of| (of.name(), of.generalization().hierarchy()));
        named.filter_map(|(name, tree)| Some((name.to_owned(), tree?))).collect()
    }

    /// The path of the input, or the name of a table in memory.
    fn input(&self) -> &Path {
        if self.source.is_in_memory() { self.source.path() } else { &self.job.input }
    }

    /// The file of the release. A release that is not written has none.
    fn output(&self) -> Result<File> {
        let path = &self.job.output;
        if path.as_os_str().is_empty() {
            return Ok(File::new("the release", ""));
        }
        Ok(File::new(file_name(path), file::sha256(path)?))
    }

    fn facts(&self) -> Result<Facts> {
        let Self { job, told, spell, source, schema, outcome, .. } = self;
        let verify = |spell: Spell<'_>| Flavour::ALL.map(|readers| spell(outcome, readers));
        let names = schema.names().iter().cloned().enumerate();
        Ok(Facts {
            k: job.k,
            claims: outcome.privacy.clone(),
            roles: names.map(|(place, name)| (name, schema.role(place))).collect(),
            // Names without folders: a report may be passed on, and paths name users and projects.
            input: File::new(file_name(self.input()), source.sha256()?),
            output: self.output()?,
            outcome: Some((*outcome).clone()),
            job: Some(told.to_toml()),
            verify: spell.map(verify),
            seed: job.seed,
            thresholds: job.threshold.clone(),
            interval_style: job.interval_style,
            threads: job.threads,
        })
    }
}

/// The name of a file without its folders.
fn file_name(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".to_owned();
    }
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
