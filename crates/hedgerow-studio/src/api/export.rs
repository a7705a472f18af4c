//! `POST /api/export`: writes a release and what belongs to it below the start folder.

use std::path::{Path, PathBuf};

use hedgerow::job::Job;
use hedgerow::registry::Registry;
use serde::{Deserialize, Serialize};

use super::hierarchies::Written;
use super::run::detail;
use super::{Answer, Call, answer};
use crate::fault::{Done, Fault};
use crate::session::{Folder, Watcher, job_text};
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

#[expect(clippy::too_many_lines, reason = "the checks of an export, in their order")]
pub(super) fn write(studio: &Studio, call: &Call) -> Done<Answer> {
    let asked: ExportRequest = call.json()?;
    let detail = detail(studio, asked.run)?;
    let (run_job, told, base, is_upload) = {
        let session = studio.session();
        let run = session.run(asked.run)?;
        let is_upload = session.table()?.is_upload;
        (run.job.clone(), run.told.clone(), session.base.clone(), is_upload)
    };
    let target = |path: &Option<String>| {
        path.as_deref().map(|path| studio.folder.writable(path)).transpose()
    };
    let release = target(&asked.release)?;
    let [report, report_public, recipe, hierarchies, job_file] = [
        target(&asked.report)?,
        target(&asked.report_public)?,
        target(&asked.recipe)?,
        target(&asked.hierarchies)?,
        target(&asked.job)?,
    ];
    let outputs = [&release, &report, &report_public, &recipe, &hierarchies, &job_file];
    let outputs: Vec<&PathBuf> = outputs.into_iter().flatten().collect();
    if outputs.is_empty() {
        return Err(Fault::request("nothing was named to be written"));
    }
    let existing: Vec<String> = outputs
        .iter()
        .filter(|path| path.exists())
        .map(|path| studio.folder.relative(path))
        .collect();
    if !existing.is_empty() && !asked.overwrite {
        return Err(Fault::exists(existing));
    }
    let needs_release =
        [&report, &report_public, &recipe, &hierarchies].into_iter().any(Option::is_some);
    if release.is_none() && needs_release {
        return Err(Fault::input("reports, recipe and hierarchies belong to a written release")
            .advise(format!("name a file for the release too, such as {USUAL}")));
    }
    for path in &outputs {
        Folder::prepare(path)?;
    }
    // The job file is in the folder that the command is run in, or below it.
    let job_folder = match &job_file {
        Some(path) => path.parent().map(Path::to_owned).unwrap_or_default(),
        None => studio.folder.root().to_owned(),
    };
    let relative = |path: &Path| relative_to(path, &job_folder);
    let mut shown = Job { output: PathBuf::new(), ..told };
    shown.input = if is_upload { shown.input } else { relative(&run_job.input) };
    shown.hierarchy = moved(&shown, &base, &job_folder);
    shown.edits.values_mut().for_each(|path| *path = relative(&base.join(&*path)));
    for (to, from) in [
        (&mut shown.report, &report),
        (&mut shown.report_public, &report_public),
        (&mut shown.recipe, &recipe),
        (&mut shown.hierarchies, &hierarchies),
    ] {
        *to = from.as_deref().map(relative);
    }
    let mut warnings = Vec::new();
    if let Some(release) = &release {
        shown.output = relative(release);
        let to = Job {
            output: release.clone(),
            report: report.clone(),
            report_public: report_public.clone(),
            recipe: recipe.clone(),
            hierarchies: hierarchies.clone(),
            force: asked.overwrite,
            ..run_job
        };
        let watcher = Watcher::new(studio, "export");
        let outcome = detail.kept.write(&to, &shown, &watcher);
        watcher.end();
        warnings = outcome?.warnings.iter().map(ToString::to_string).collect();
    }
    if let Some(path) = &job_file {
        std::fs::write(path, job_text(&shown))
            .map_err(|cause| Fault::input(format!("the job file cannot be written: {cause}")))?;
    }
    if is_upload {
        warnings.push(format!(
            "the table was uploaded, so put {} into the folder of the job file to run it again",
            shown.input.display()
        ));
    }
    let written = outputs.iter().filter_map(|path| Written::of(path, &studio.folder)).collect();
    let command = command(studio, job_file.as_deref(), &shown);
    answer(&Exported { written, command, warnings })
}

/// The hierarchies of a job, with files relative to another folder.
fn moved(
    job: &Job,
    base: &Path,
    folder: &Path,
) -> std::collections::BTreeMap<String, hedgerow::method::Spec> {
    let of = |spec: &hedgerow::method::Spec| {
        let mut spec = Registry::Hierarchy.in_directory(spec, base);
        for value in spec.parameters.iter_mut().map(|(_, value)| value) {
            let path = value.as_str().map(PathBuf::from).filter(|path| path.starts_with(base));
            if let Some(path) = path {
                *value = toml::Value::String(relative_to(&path, folder).to_string_lossy().into());
            }
        }
        spec
    };
    job.hierarchy.iter().map(|(name, spec)| (name.clone(), of(spec))).collect()
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
