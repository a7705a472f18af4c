//! `/api/hierarchies`: candidates of columns: grown, opened, chosen, saved.

use std::path::{Path, PathBuf};

use hedgerow::builder;
use hedgerow::format::{self, Format};
use hedgerow::method::Spec;
use hedgerow::registry::Registry;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::retry;
use super::subject::Subject;
use super::{Answer, Call, answer};
use crate::fault::{Done, Fault};
use crate::session::{
    Candidate, CandidateView, Edits, Folder, Session, SpecChange, Watcher, address, check_spec,
    file_spec, spec_of,
};
use crate::studio::Studio;

#[derive(Serialize)]
struct Hierarchies {
    k: u64,
    columns: Vec<ColumnView>,
}

#[derive(Serialize)]
struct ColumnView {
    column: String,
    kind: &'static str,
    distinct: usize,
    chosen: Option<String>,
    share_of_loss: Option<f64>,
    unsure_senses: usize,
    candidates: Vec<CandidateView>,
    suited: Vec<String>,
}

#[derive(Deserialize)]
#[serde(tag = "action", rename_all = "lowercase", deny_unknown_fields)]
enum GrowRequest {
    Suited,
    Grow {
        method: String,
        #[serde(default)]
        parameters: serde_json::Map<String, serde_json::Value>,
    },
    Open {
        path: String,
        #[serde(default)]
        format: Option<String>,
    },
    Candidates {
        #[serde(default)]
        most: Option<u64>,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChooseRequest {
    candidate: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SaveRequest {
    path: String,
    #[serde(default)]
    format: Option<String>,
    #[serde(default)]
    overwrite: bool,
}

/// A file that was written.
#[derive(Serialize)]
pub(super) struct Written {
    pub(super) path: String,
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

impl Written {
    pub(super) fn of(path: &Path, folder: &Folder) -> Option<Self> {
        let bytes = std::fs::metadata(path).ok()?.len();
        let sha256 = hedgerow::file::sha256(path).ok()?;
        Some(Self { path: folder.relative(path), bytes, sha256 })
    }
}

pub(super) fn all(studio: &Studio, _: &Call) -> Done<Answer> {
    load_named(studio)?;
    answer(&listed(studio)?)
}

fn listed(studio: &Studio) -> Done<Hierarchies> {
    let names = {
        let session = studio.session();
        session.table()?;
        session.job.quasi.clone()
    };
    let columns = names.iter().map(|name| view(studio, name)).collect::<Done<_>>()?;
    let k = studio.session().job.k;
    Ok(Hierarchies { k, columns })
}

/// Grows the hierarchies that suit every quasi-identifier without a grown candidate.
pub(super) fn grow_all(studio: &Studio, _: &Call) -> Done<Answer> {
    load_named(studio)?;
    let watcher = Watcher::new(studio, "growing");
    watcher.step("hierarchies");
    let names = studio.session().job.quasi.clone();
    let done = names.iter().try_for_each(|name| {
        let subject = Subject::of(studio, name)?;
        let is_grown = subject.family.candidates.iter().any(|one| one.file.is_none());
        if is_grown { Ok(()) } else { grow_suited(studio, subject) }
    });
    watcher.end();
    done?;
    answer(&listed(studio)?)
}

pub(super) fn get(studio: &Studio, call: &Call) -> Done<Answer> {
    load_named(studio)?;
    answer(&view(studio, call.part("column"))?)
}

pub(super) fn grow(studio: &Studio, call: &Call) -> Done<Answer> {
    let name = call.part("column");
    load_named(studio)?;
    let mut subject = Subject::of(studio, name)?;
    match call.json()? {
        GrowRequest::Suited => grow_suited(studio, subject)?,
        GrowRequest::Grow { method, parameters } => {
            let spec = spec_of(&SpecChange { name: method, parameters })?;
            if spec.name == "auto" {
                grow_suited(studio, subject)?;
            } else {
                check_spec(Registry::Hierarchy, &spec, &subject.base, &studio.folder)?;
                Registry::Hierarchy.describe(&spec.name)?.check(&spec)?;
                let built = grown(&spec, &subject)?;
                let id = subject.family.add(built)?;
                subject
                    .family
                    .candidates
                    .iter_mut()
                    .filter(|one| one.id == id)
                    .for_each(|one| one.tried = None);
                subject.try_candidates()?;
                subject.choose_best();
                subject.store(studio)?;
            }
        }
        GrowRequest::Open { path, format } => {
            open(studio, &mut subject, &path, format.as_deref())?;
            subject.try_candidates()?;
            subject.choose_best();
            subject.store(studio)?;
        }
        GrowRequest::Candidates { most } => super::senses::add_candidates(studio, subject, most)?,
    }
    answer(&view(studio, name)?)
}

/// Builds a candidate; paths in its parameters are relative to the folder of the job.
pub(super) fn grown(spec: &Spec, subject: &Subject) -> Done<Candidate> {
    let absolute = Registry::Hierarchy.in_directory(spec, &subject.base);
    let built = builder::build(&absolute, subject.column()?, Some(subject.k))?;
    Ok(Candidate::of(spec, built))
}

fn grow_suited(studio: &Studio, mut subject: Subject) -> Done<()> {
    let suited = builder::candidates(subject.column()?);
    let (mut failed, why) = (None, suited.why);
    for (place, spec) in suited.methods.iter().enumerate() {
        match grown(spec, &subject) {
            Ok(mut candidate) => {
                candidate.why = (place == 0).then(|| why.to_owned());
                // A candidate whose edits do not fit the new tree stays as it is.
                failed = subject.family.add(candidate).err().or(failed);
            }
            // Others may suit; only if none does is it an error.
            Err(fault) => failed = Some(fault),
        }
    }
    match failed {
        Some(fault) if subject.family.candidates.is_empty() => Err(fault),
        _ => {
            subject.try_candidates()?;
            subject.choose_best();
            subject.store(studio)
        }
    }
}

fn open(studio: &Studio, subject: &mut Subject, path: &str, format: Option<&str>) -> Done<()> {
    let path = studio.folder.existing(path)?;
    let column = subject.column()?;
    let format = format.map(Format::named).transpose()?;
    let opened = match format {
        Some(_) => format::read_any(&path, Some(&column.name), format)?,
        None => format::read_any_of(&path, column)?,
    };
    // A file that lacks values is refused with the first of them.
    if let Some(ground) = opened.ground() {
        ground.bind(&column.domain)?;
    }
    let relative = path.strip_prefix(&subject.base).unwrap_or(&path).to_owned();
    let mut candidate = Candidate::of(&file_spec(&relative), opened);
    let file = studio.folder.relative(&path);
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    candidate.id = address(&name);
    candidate.name = format!("by hand: {name}");
    candidate.file = Some(file);
    subject.family.add(candidate)?;
    Ok(())
}

/// Builds the hierarchies that the job names or that were edited, and that are not in memory yet.
pub(super) fn load_named(studio: &Studio) -> Done<()> {
    let names: Vec<String> = {
        let session = studio.session();
        session.table()?;
        let is_new = |name: &&String| !session.families.contains_key(*name);
        session.job.quasi.iter().filter(is_new).cloned().collect()
    };
    names.iter().try_for_each(|name| load(studio, name))
}

/// Builds the hierarchy that the job names for a column, and the other ones that were edited.
fn load(studio: &Studio, name: &str) -> Done<()> {
    let mut subject = Subject::of(studio, name)?;
    let (spec, edits) = {
        let session = studio.session();
        (session.job.hierarchy.get(name).cloned(), session.job.edits.get(name).cloned())
    };
    let spec = spec.filter(|spec| spec.name != "auto");
    if let Some(spec) = &spec {
        let candidate = named_by(spec, edits.clone(), &subject, studio)?;
        let id = subject.family.add(candidate)?;
        subject.choose_named(id);
    }
    // Scripts that no longer fit the table stay in their files.
    let kept = subject.shelf().kept();
    for (file, script) in kept.into_iter().filter(|(file, _)| Some(file) != edits.as_ref()) {
        // The methods of a script can read files, which must be below the start folder.
        let paths = script.clone().in_directory(&subject.base).paths();
        let is_safe = paths.iter().all(|path| studio.folder.check(path).is_ok());
        let Some(base) = script.base.filter(|_| is_safe) else { continue };
        if subject.family.candidates.iter().any(|one| one.spec == base) {
            continue;
        }
        if let Ok(other) = named_by(&base, Some(file), &subject, studio) {
            subject.family.add(other)?;
        }
    }
    if subject.family.candidates.is_empty() {
        return Ok(());
    }
    subject.try_candidates()?;
    subject.store(studio)
}

/// Builds a candidate that a job or a script names, with the edits of a file as undoable steps.
fn named_by(
    spec: &Spec,
    edits: Option<PathBuf>,
    subject: &Subject,
    studio: &Studio,
) -> Done<Candidate> {
    let paths = Registry::Hierarchy.paths(spec);
    let mut candidate = grown(spec, subject)?;
    if let Some(path) = paths.first().filter(|_| spec.name == "file" || spec.name.contains('.')) {
        let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into());
        candidate.id = address(&name);
        candidate.name = format!("by hand: {name}");
        candidate.file = Some(studio.folder.relative(&subject.base.join(path)));
    }
    if let Some(file) = edits {
        candidate.edits = Some(Edits::read(&candidate, &subject.base, file)?);
        candidate.take_tree();
    }
    Ok(candidate)
}

pub(super) fn choose(studio: &Studio, call: &Call) -> Done<Answer> {
    let name = call.part("column");
    let ChooseRequest { candidate } = call.json()?;
    load_named(studio)?;
    let mut subject = Subject::of(studio, name)?;
    if let Some(id) = &candidate {
        subject.family.get(id)?;
    }
    subject.family.chosen = candidate;
    subject.store(studio)?;
    answer(&view(studio, name)?)
}

pub(super) fn forget(studio: &Studio, call: &Call) -> Done<Answer> {
    let (name, id) = (call.part("column"), call.part("candidate"));
    let mut subject = Subject::of(studio, name)?;
    let edits = subject.family.get(id)?.edits.as_ref().map(|edits| subject.base.join(&edits.file));
    subject.family.candidates.retain(|candidate| candidate.id != id);
    if subject.family.chosen.as_deref() == Some(id) {
        subject.family.chosen = None;
        subject.choose_best();
    }
    subject.store(studio)?;
    // Otherwise the candidate would be there again when the job is opened.
    if let Some(path) = edits {
        let _ = std::fs::remove_file(path);
    }
    answer(&view(studio, name)?)
}

pub(super) fn save(studio: &Studio, call: &Call) -> Done<Answer> {
    let SaveRequest { path, format, overwrite } = call.json()?;
    let subject = Subject::of(studio, call.part("column"))?;
    let candidate = subject.family.get(call.part("candidate"))?;
    let target = studio.folder.writable(&path)?;
    let format = match format {
        Some(name) => Format::named(&name)?,
        None => Format::of_path(&target)?,
    };
    let bytes = format.encode(candidate.tree()?, true)?.bytes;
    if target.exists() && !overwrite {
        return Err(Fault::exists(vec![studio.folder.relative(&target)]));
    }
    Folder::prepare(&target)?;
    std::fs::write(&target, &bytes)
        .map_err(|cause| Fault::input(format!("the file cannot be written: {cause}")))?;
    let digest = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let path = studio.folder.relative(&target);
    answer(&Written { path, bytes: bytes.len() as u64, sha256: digest })
}

fn view(studio: &Studio, name: &str) -> Done<ColumnView> {
    let subject = Subject::of(studio, name)?;
    let column = subject.column()?;
    if subject.outdated().next().is_some() {
        retry::begin(studio);
    }
    let share_of_loss = share_of_loss(&studio.session(), name);
    Ok(ColumnView {
        column: name.to_owned(),
        kind: column.domain.values.kind().name(),
        distinct: column.domain.len(),
        chosen: subject.family.chosen.clone(),
        share_of_loss,
        unsure_senses: super::senses::n_unsure(&subject),
        candidates: subject.family.views(column, subject.k),
        suited: builder::candidates(column).methods.iter().map(ToString::to_string).collect(),
    })
}

/// The column's share of what the last release lost.
fn share_of_loss(session: &Session, name: &str) -> Option<f64> {
    let run = session.current_run()?;
    let release = run.detail.as_ref()?.kept.release();
    let recoding = release.recoding();
    let problem = recoding.problem();
    let place = problem.attributes().iter().position(|attribute| attribute.name() == name)?;
    let partition = hedgerow::loss::Partition::of(problem, recoding);
    let costs = crate::session::column_costs(&partition);
    let sum: f64 = costs.iter().sum();
    (sum > 0.0).then(|| costs[place] / sum)
}
