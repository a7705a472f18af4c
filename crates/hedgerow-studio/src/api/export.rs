//! `POST /api/export`: writes a release and the files that belong to it below the start folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hedgerow::job::Job;
use hedgerow::report::{Outcome, Spell};
use serde::{Deserialize, Serialize};

use super::hierarchies::Written;
use super::run::detail;
use super::{Answer, Call, answer};
use crate::fault::{Done, Fault};
use crate::session::{Folder, Frozen, Watcher, file_part, placed, replace, senses_of};
use crate::studio::Studio;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExportRequest {
    run: u64,
    #[serde(default)]
    release: Option<String>,
    #[serde(default)]
    report: Option<String>,
    #[serde(default)]
    report_public: Option<String>,
    #[serde(default)]
    recipe: Option<String>,
    #[serde(default)]
    hierarchies: Option<String>,
    #[serde(default)]
    job: Option<String>,
    #[serde(default)]
    overwrite: bool,
}

#[derive(Serialize)]
struct Exported {
    written: Vec<Written>,
    command: String,
    warnings: Vec<String>,
}

/// The name of the release if only other files are asked for.
const USUAL: &str = "release.csv";

/// The files that are written, with absolute paths.
struct Targets {
    release: Option<PathBuf>,
    report: Option<PathBuf>,
    report_public: Option<PathBuf>,
    recipe: Option<PathBuf>,
    hierarchies: Option<PathBuf>,
    job: Option<PathBuf>,
    /// Edits and senses of the run, by the copies that it read.
    beside: BTreeMap<PathBuf, PathBuf>,
}

impl Targets {
    fn of(asked: &ExportRequest, frozen: &Frozen, folder: &Folder) -> Done<Self> {
        let target =
            |path: &Option<String>| path.as_deref().map(|path| folder.writable(path)).transpose();
        let job = target(&asked.job)?;
        Ok(Self {
            release: target(&asked.release)?,
            report: target(&asked.report)?,
            report_public: target(&asked.report_public)?,
            recipe: target(&asked.recipe)?,
            hierarchies: target(&asked.hierarchies)?,
            beside: job.as_deref().map_or_else(BTreeMap::new, |job| beside(frozen, job)),
            job,
        })
    }

    fn all(&self) -> Vec<&PathBuf> {
        let Self { release, report, report_public, recipe, hierarchies, job, beside } = self;
        let named = [release, report, report_public, recipe, hierarchies, job];
        named.into_iter().flatten().chain(beside.values()).collect()
    }

    /// Refuses targets that cannot be written, and creates the folders of the others.
    fn prepare(&self, overwrite: bool, folder: &Folder) -> Done<()> {
        let all = self.all();
        if all.is_empty() {
            return Err(Fault::request("nothing was named to be written"));
        }
        let existing = all.iter().filter(|path| path.exists());
        let existing: Vec<String> = existing.map(|path| folder.relative(path)).collect();
        if !existing.is_empty() && !overwrite {
            return Err(Fault::exists(existing));
        }
        let of_release = [&self.report, &self.report_public, &self.recipe, &self.hierarchies];
        if self.release.is_none() && of_release.into_iter().any(Option::is_some) {
            return Err(Fault::input(
                "reports, recipe and hierarchies belong to a written release",
            )
            .advise(format!("name a file for the release too, such as {USUAL}")));
        }
        all.into_iter().try_for_each(|path| Folder::prepare(path))
    }
}

/// Files for the edits and senses of a run next to its job file, so that the job repeats the run
/// whatever is edited later.
fn beside(frozen: &Frozen, job_file: &Path) -> BTreeMap<PathBuf, PathBuf> {
    let name = job_file.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(".toml").unwrap_or(&name);
    let named = |rest: String| job_file.with_file_name(format!("{stem}.{rest}"));
    let mut targets = BTreeMap::new();
    for (column, path) in &frozen.job.edits {
        targets.insert(path.clone(), named(format!("{}.edits.json", file_part(column))));
    }
    for (column, spec) in &frozen.job.hierarchy {
        let target = named(format!("{}.senses.toml", file_part(column)));
        targets.extend(senses_of(spec).map(|path| (path, target)));
    }
    for (number, path) in (1..).zip(frozen.copies.keys()) {
        // Senses that only an edit reads.
        targets.entry(path.clone()).or_insert_with(|| named(format!("{number}.senses.toml")));
    }
    targets.retain(|path, _| frozen.copies.contains_key(path));
    targets
}

pub(super) fn write(studio: &Studio, call: &Call) -> Done<Answer> {
    let asked: ExportRequest = call.json()?;
    let detail = detail(studio, asked.run)?;
    let (frozen, is_upload) = {
        let session = studio.session();
        (session.run(asked.run)?.frozen.clone(), session.table()?.upload.is_some())
    };
    let targets = Targets::of(&asked, &frozen, &studio.folder)?;
    targets.prepare(asked.overwrite, &studio.folder)?;
    let shown = Shown::new(studio, &frozen, &targets);
    let told = shown.job();
    let mut warnings = Vec::new();
    if let Some(release) = &targets.release {
        let to = Job {
            output: release.clone(),
            report: targets.report.clone(),
            report_public: targets.report_public.clone(),
            recipe: targets.recipe.clone(),
            hierarchies: targets.hierarchies.clone(),
            force: asked.overwrite,
            ..frozen.job.clone()
        };
        let watcher = Watcher::new(studio, "export");
        let spelt = studio.options.verify.map(|verify| {
            let job = &to;
            move |outcome: &Outcome, readers| verify(job, outcome, readers)
        });
        let spell = spelt.as_ref().map(|spell| spell as Spell<'_>);
        let outcome = detail.kept.write(&to, &told, spell, &watcher);
        watcher.end();
        warnings = outcome?.warnings.iter().map(ToString::to_string).collect();
    }
    shown.write_beside()?;
    if let Some(path) = &targets.job {
        replace(path, told.to_toml().as_bytes())?;
    }
    if is_upload {
        warnings.push(format!(
            "the table was uploaded, so put {} into the folder of the job file to run it again",
            told.input.display()
        ));
    }
    let written = targets.all().into_iter();
    let written = written.filter_map(|path| Written::of(path, &studio.folder)).collect();
    let command = command(studio, targets.job.as_deref(), &told);
    answer(&Exported { written, command, warnings })
}

/// A run as its job file shows it.
struct Shown<'a> {
    studio: &'a Studio,
    frozen: &'a Frozen,
    targets: &'a Targets,
    /// The folder of the job file; without one, that in which commands are run.
    folder: PathBuf,
}

impl<'a> Shown<'a> {
    fn new(studio: &'a Studio, frozen: &'a Frozen, targets: &'a Targets) -> Self {
        let folder = targets.job.as_deref().and_then(Path::parent);
        let folder = folder.unwrap_or_else(|| studio.folder.root()).to_owned();
        Self { studio, frozen, targets, folder }
    }

    /// A path as the job file names it.
    fn path(&self, path: &Path) -> PathBuf {
        let written = self.targets.beside.get(path);
        let path = written.or_else(|| self.frozen.copies.get(path)).map_or(path, PathBuf::as_path);
        if path.starts_with(self.studio.folder.root()) {
            relative_to(path, &self.folder)
        } else {
            // An upload is gone when the studio ends; its table is to be put next to the job file.
            path.file_name().map_or_else(|| path.to_owned(), PathBuf::from)
        }
    }

    /// The job that repeats the run.
    fn job(&self) -> Job {
        let Targets { release, report, report_public, recipe, hierarchies, .. } = self.targets;
        let job = Job {
            output: release.clone().unwrap_or_default(),
            report: report.clone(),
            report_public: report_public.clone(),
            recipe: recipe.clone(),
            hierarchies: hierarchies.clone(),
            ..self.frozen.job.clone()
        };
        job.with_paths(&mut |path| self.path(path))
    }

    /// Writes the edits and senses of the run.
    fn write_beside(&self) -> Done<()> {
        for (copy, target) in &self.targets.beside {
            let text = hedgerow::file::read_to_string(copy)?;
            let is_edits = self.frozen.job.edits.values().any(|path| path == copy);
            let text =
                if is_edits { placed(&text, copy, &mut |path| self.path(path)) } else { text };
            replace(target, text.as_bytes())?;
        }
        Ok(())
    }
}

/// A path as seen from a folder, with `..` where it is not below it.
fn relative_to(path: &Path, folder: &Path) -> PathBuf {
    let mut up = PathBuf::new();
    for above in folder.ancestors() {
        if let Ok(rest) = path.strip_prefix(above) {
            return up.join(rest);
        }
        up.push("..");
    }
    path.to_owned()
}

/// The command that gives the same bytes, run in the start folder.
fn command(studio: &Studio, job_file: Option<&Path>, job: &Job) -> String {
    let Some(path) = job_file else {
        return "export a job file to see the command".to_owned();
    };
    let mut command = format!("hedgerow anonymize --job {}", quoted(&studio.folder.relative(path)));
    // A job file does not say where reports and recipes go; they do not change the release.
    let folder = path.parent().unwrap_or(Path::new(""));
    for (flag, output) in [
        ("--report", &job.report),
        ("--report-public", &job.report_public),
        ("--recipe", &job.recipe),
    ] {
        if let Some(output) = output {
            let shown = studio.folder.relative(&folder.join(output));
            command = format!("{command} {flag} {}", quoted(&shown));
        }
    }
    format!("{command} --force")
}

/// Quotes an argument for the shell if it needs quoting.
fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=:,.%/".contains(c);
    if argument.chars().all(is_plain) && !argument.is_empty() {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', r"'\''"))
    }
}
