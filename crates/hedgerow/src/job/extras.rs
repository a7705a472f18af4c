//! Other outputs of a job: the trace of its search, its classes, its hierarchies, and its recipe.

use std::path::{Path, PathBuf};

use super::Job;
use super::reported::{Reported, Reports};
use crate::anonymize::{BottomUp, Scene, Solved};
use crate::builder::is_wordnet;
use crate::chart::Trie;
use crate::edit::Script;
use crate::error::{Advice, Warning};
use crate::io::{Inputs, Output};
use crate::measure::Classes;
use crate::method::Described;
use crate::progress::Progress;
use crate::publish::HierarchyFolder;
use crate::registry::Registry;
use crate::release::Release;
use crate::study::Study;
use crate::{Error, Result};

/// Files that get their final names after the release.
pub(super) struct Extras {
    trace: Option<Output>,
    classes: Option<Output>,
    hierarchies: Option<HierarchyFolder>,
    recipe: Option<Output>,
    reports: Reports,
}

/// Returns everything that the job reads, which must not be overwritten.
pub(super) fn inputs(job: &Job) -> Inputs {
    Inputs::of([&job.input]).and(job.files())
}

impl Job {
    /// The files and directories that the job reads besides its input, also through parameters of
    /// methods.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = self.population.iter().cloned().collect();
        files.extend(self.knowledge.iter().filter(|path| !is_wordnet(path)).cloned());
        for path in self.edits.values() {
            files.push(path.clone());
            // A script that cannot be read is an error before any output is started.
            files.extend(Script::read(path).into_iter().flat_map(|script| script.paths()));
        }
        files.extend(self.hierarchy.values().flat_map(|spec| Registry::Hierarchy.paths(spec)));
        files.extend(self.privacy.iter().flat_map(|spec| Registry::Privacy.paths(spec)));
        files.extend(Registry::Anonymizer.paths(&self.method));
        files
    }
}

/// Starts the release and the other files. It is an error if one is an input of the job or two are
/// the same.
pub(super) fn outputs(job: &Job) -> Result<(Output, Extras)> {
    if job.trace.is_some() && !job.limit.is_empty() {
        let leave_out = |key| Advice::LeaveOut { key, column: None };
        let problem =
            "with limits, each group of records has its own steps, so there is no single trace";
        return Err(Error::invalid(problem).advise([leave_out("trace"), leave_out("limit")]));
    }
    let inputs = inputs(job);
    let output = Output::create_table(&job.output, job.force, &inputs)?;
    let folder = job.hierarchies.as_ref();
    let create = |folder: &PathBuf| {
        let others = [
            Some(&job.output),
            job.trace.as_ref(),
            job.classes.as_ref(),
            job.report.as_ref(),
            job.report_public.as_ref(),
            job.recipe.as_ref(),
        ];
        // The folder is replaced as a whole, so another output in it would be lost.
        check_apart(folder, others.into_iter().flatten())?;
        HierarchyFolder::create(folder, &job.quasi, job.force, &inputs)
    };
    let hierarchies = folder.map(create).transpose()?;
    let reports = Reports::create(job, &inputs)?;
    // Each is checked against the outputs before it.
    let apart = |path: &Option<PathBuf>, others: &[Option<&PathBuf>], what: &str| {
        let Some(path) = path else { return Ok(None) };
        if Inputs::of(others.iter().flatten()).check(path).is_err() {
            return Err(Error::file(path, "this is also the file of another output")
                .advise([Advice::words(format!("name another file for the {what}"))]));
        }
        Output::create(path, job.force, &inputs).map(Some)
    };
    let trace = apart(&job.trace, &[Some(&job.output)], "trace")?;
    let classes = apart(&job.classes, &[Some(&job.output), job.trace.as_ref()], "classes")?;
    let [trace_file, classes_file] = [job.trace.as_ref(), job.classes.as_ref()];
    let reported = [job.report.as_ref(), job.report_public.as_ref()];
    let others = [&[Some(&job.output), trace_file, classes_file][..], &reported].concat();
    let recipe = apart(&job.recipe, &others, "recipe")?;
    Ok((output, Extras { trace, classes, hierarchies, recipe, reports }))
}

/// Returns an error if a folder is, contains or is inside another output.
fn check_apart<'a>(folder: &Path, mut others: impl Iterator<Item = &'a PathBuf>) -> Result<()> {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // The folder need not exist yet, so paths cannot be resolved through links.
    let whole = absolute(folder);
    let touches = |other: &&PathBuf| {
        let other = absolute(other);
        other.starts_with(&whole) || whole.starts_with(&other)
    };
    match others.find(touches) {
        None => Ok(()),
        Some(other) => {
            let problem =
                format!("the folder for hierarchies must be separate from {}", other.display());
            Err(Error::file(folder, problem).advise([Advice::words("name another folder")]))
        }
    }
}

impl Extras {
    /// Writes the steps of the search, which the method must have recorded: as CSV or, if the name
    /// of the file ends in `.svg`, as a drawing of the index before each step.
    pub(super) fn with_trace(self, solved: &Solved, progress: &dyn Progress) -> Result<Self> {
        let Some(file) = self.trace else { return Ok(self) };
        let is_drawing = file.path().extension().is_some_and(|end| end.eq_ignore_ascii_case("svg"));
        let trace = match solved.recoding.trace.as_deref() {
            None => return Err(no_trace(&solved.method.name)),
            Some(_) if is_drawing => drawn(solved, progress)?,
            Some(trace) => trace.to_owned(),
        };
        Ok(Self { trace: Some(file.with(trace.as_bytes())?), ..self })
    }

    /// Writes the recipe, if there is one.
    pub(super) fn with_recipe(self, text: Option<String>) -> Result<Self> {
        let (Some(file), Some(text)) = (self.recipe, text) else {
            return Ok(Self { recipe: None, ..self });
        };
        Ok(Self { recipe: Some(file.with(text.as_bytes())?), ..self })
    }

    /// Writes the classes as the release shows them.
    pub(super) fn with_classes(self, release: &Release, job: &Job) -> Result<Self> {
        let Some(file) = self.classes else { return Ok(self) };
        let has_suppressed = !(job.drop_suppressed || release.drops_suppressed());
        let classes = Classes::of_release(release, has_suppressed).csv(job.spreadsheet_safe)?;
        Ok(Self { classes: Some(file.with(classes.as_bytes())?), ..self })
    }

    /// Gives the files their final names. Errors become warnings, because the release is already
    /// written.
    pub(super) fn finish(self, study: &Study, progress: &dyn Progress) -> (Vec<Warning>, Reports) {
        let trace = self.trace.and_then(|file| failed("the trace of its search is", file.finish()));
        let classes = self.classes.and_then(|file| failed("its classes are", file.finish()));
        let save = |folder: HierarchyFolder| folder.save(study, progress);
        let saved = self.hierarchies.and_then(|f| failed("its hierarchies are", save(f)));
        let recipe = self.recipe.and_then(|file| failed("its recipe is", file.finish()));
        let failed = trace.into_iter().chain(classes).chain(saved).chain(recipe);
        (failed.collect(), self.reports)
    }
}

/// Draws the index of `bottom-up` before each step.
fn drawn(solved: &Solved, progress: &dyn Progress) -> Result<String> {
    let method = &solved.method;
    if method.name != BottomUp::DESCRIPTION.name {
        return Err(Error::method(&method.name, "has no index that could be drawn")
            .advise([Advice::words("name a CSV file for its trace")]));
    }
    let scenes = method.read::<BottomUp>()?.scenes(solved.recoding.problem(), progress)?;
    let title = |(number, scene): (usize, &Scene)| {
        let chosen = scene.considered.iter().find(|one| one.is_chosen);
        let next = chosen.map_or_else(String::new, |one| format!("; next: {}", one.node));
        format!("Step {number}: A = {}{next}", scene.smallest)
    };
    let tries: Vec<(String, &Trie)> =
        scenes.iter().enumerate().map(|pair| (title(pair), &pair.1.index)).collect();
    Ok(Trie::stacked("The TEA index before each step", &tries).standalone())
}

/// Returns a warning if an output besides the release could not be written.
fn failed(what: &str, done: Result<()>) -> Option<Warning> {
    let error = done.err()?;
    let problem = format!("the release is written, but {what} not: {}", error.problem());
    Some(Warning::new(problem).advise(error.advice()))
}

/// Writes the reports, which are about the finished release. Errors become warnings.
pub(super) fn report(
    reports: Reports,
    on: &Reported<'_>,
    progress: &dyn Progress,
) -> Option<Warning> {
    failed("its report is", reports.finish(on, progress))
}

fn no_trace(method: &str) -> Error {
    let methods = ["bottom-up", "top-down"].map(str::to_owned).to_vec();
    Error::method(method, "does not record a trace of its steps")
        .advise([Advice::LeaveOut { key: "trace", column: None }, Advice::OtherMethod { methods }])
}
