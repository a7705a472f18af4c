//! Opens tables and job files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hedgerow::job::Job;

use super::opened::{Opened, Opening};
use super::{BrokenJob, Folder, Session, Upload, Watcher, check_paths, job};
use crate::fault::{Done, Fault};
use crate::studio::Studio;

/// The `k` of a new job.
const USUAL_K: u64 = 5;

/// Opens a table or a job file below the start folder.
pub(crate) fn open_path(studio: &Studio, path: &str, sheet: Option<String>) -> Done<Arc<Opened>> {
    let path = studio.folder.existing(path)?;
    if path.is_dir() {
        return Err(Fault::input("this is a folder").advise("choose a table or a job file in it"));
    }
    if is_toml(&path) {
        return open_job(studio, &path);
    }
    let beside = job_file(&path);
    // A job next to the table goes on where it was, unless it is about another table.
    if let Ok(text) = hedgerow::file::read_to_string(&beside) {
        match Job::from_toml(&text) {
            Ok(job) if is_about(&job, &path) => return open_with(studio, &path, &beside, job),
            Ok(_) => {}
            Err(_) => return open_job(studio, &beside),
        }
    }
    let name: PathBuf = path.file_name().map(Into::into).unwrap_or_default();
    let job = Job { input: name, k: USUAL_K, sheet, ..Job::default() };
    open_with(studio, &path, &beside, job)
}

/// Opens a table that the browser sent. It has no job file until it is exported.
pub(crate) fn open_upload(studio: &Studio, upload: Upload) -> Done<Arc<Opened>> {
    let Upload { path, name, file } = upload;
    drop(file);
    let job = Job { input: name.clone().into(), k: USUAL_K, ..Job::default() };
    let opened = read(studio, &path, name, true, &job)?;
    let base = path.parent().map(Path::to_owned).unwrap_or_default();
    Ok(store(studio, opened, State { job, base, job_path: None }))
}

/// Reads the table again.
pub(crate) fn reload(studio: &Studio) -> Done<Arc<Opened>> {
    let (before, job) = {
        let session = studio.session();
        (session.table()?, session.job.clone())
    };
    let opened = read(studio, &before.path, before.name.clone(), before.is_upload, &job)?;
    let header = opened.header.clone();
    let opened = Arc::new(opened);
    studio.change(&["table", "job", "hierarchies", "runs"], |session| {
        session.opened = Some(Arc::clone(&opened));
        session.is_stale = false;
        session.families.clear();
        keep_columns(&mut session.job, &header);
        session.save();
    });
    Ok(opened)
}

/// Replaces the job by the text of a job file.
pub(crate) fn open_job_text(studio: &Studio, text: &str) -> Done<Arc<Opened>> {
    let (base, path) = {
        let session = studio.session();
        let broken = session.broken_job.as_ref().map(|broken| broken.path.clone());
        let path = broken.filter(|path| is_toml(path)).or_else(|| session.job_path.clone());
        let base = path.as_deref().and_then(Path::parent).map(Path::to_owned);
        (base.unwrap_or_else(|| session.base.clone()), path)
    };
    let job = Job::from_toml(text)?;
    check_paths(&job, &base, &studio.folder)?;
    let input = studio.folder.existing(&studio.folder.relative(&base.join(&job.input)))?;
    match path {
        Some(path) => open_with(studio, &input, &path, job),
        None => open_with(studio, &input, &job_file(&input), job),
    }
}

fn open_job(studio: &Studio, path: &Path) -> Done<Arc<Opened>> {
    let text = hedgerow::file::read_to_string(path)?;
    let opened = Job::from_toml(&text).map_err(|error| Fault::from(error.in_file(path)));
    let opened = opened.and_then(|job| {
        let base = path.parent().unwrap_or(Path::new(""));
        check_paths(&job, base, &studio.folder)?;
        let input = studio.folder.existing(&studio.folder.relative(&base.join(&job.input)))?;
        open_with(studio, &input, path, job)
    });
    match opened {
        Ok(opened) => Ok(opened),
        // Shown with its text, so that it can be corrected in place.
        Err(fault) => {
            let refusal = fault.refusal();
            let problem = refusal.problem.clone();
            studio.change(&["job"], |session| {
                session.broken_job = Some(BrokenJob { path: path.to_owned(), text, problem });
            });
            Err(Fault::Refused(Box::new(refusal)))
        }
    }
}

/// What a table is opened with.
struct State {
    job: Job,
    base: PathBuf,
    job_path: Option<PathBuf>,
}

fn open_with(studio: &Studio, table: &Path, job_path: &Path, job: Job) -> Done<Arc<Opened>> {
    let name = table.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    let opened = read(studio, table, name, false, &job)?;
    let base = job_path.parent().map(Path::to_owned).unwrap_or_default();
    Ok(store(studio, opened, State { job, base, job_path: Some(job_path.to_owned()) }))
}

fn read(studio: &Studio, path: &Path, name: String, is_upload: bool, job: &Job) -> Done<Opened> {
    let watcher = Watcher::new(studio, "opening");
    let threads = studio.options.threads;
    let opening = Opening { path, name, is_upload, job, threads };
    let opened = Opened::read(&opening, &watcher);
    watcher.end();
    Ok(opened?)
}

fn store(studio: &Studio, opened: Opened, state: State) -> Arc<Opened> {
    let opened = Arc::new(opened);
    studio.change(&["table", "job", "hierarchies", "runs"], |session| {
        let (revision, n_sweeps) = (session.revision, session.n_sweeps);
        session.runs.iter().for_each(super::Run::cancel);
        *session = Session { revision, n_sweeps, ..Session::default() };
        let mut job = state.job;
        keep_columns(&mut job, &opened.header);
        session.opened = Some(Arc::clone(&opened));
        session.is_saved = state.job_path.as_ref().is_some_and(|path| path.exists());
        (session.job, session.base, session.job_path) = (job, state.base, state.job_path);
    });
    opened
}

/// Removes columns that the table does not have, and lists those without a role as undecided.
fn keep_columns(job: &mut Job, header: &[String]) {
    for names in [
        &mut job.quasi,
        &mut job.sensitive,
        &mut job.identifier,
        &mut job.keep,
        &mut job.drop,
        &mut job.undecided,
    ] {
        names.retain(|name| header.contains(name));
    }
    job.person.take_if(|name| !header.contains(name));
    job.class.take_if(|name| !header.contains(name));
    job.hierarchy.retain(|name, _| header.contains(name));
    job.edits.retain(|name, _| header.contains(name));
    job.limit.retain(|name, _| header.contains(name));
    if !job.keep_others {
        let is_open = |name: &&String| job::role_of(job, name) == hedgerow::schema::Role::Undecided;
        job.undecided = header.iter().filter(is_open).cloned().collect();
    }
}

/// The job file next to a table: `adult.job.toml`.
fn job_file(table: &Path) -> PathBuf {
    let name = table.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    let stem = name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("table");
    table.with_file_name(format!("{stem}.job.toml"))
}

fn is_about(job: &Job, table: &Path) -> bool {
    job.input.file_name() == table.file_name()
}

fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"))
}

/// The kind of a file, by its name.
pub(crate) fn kind_of(path: &Path) -> &'static str {
    let name =
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().to_lowercase());
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    match () {
        () if ends(&[".toml"]) => "job",
        () if ends(&[
            ".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet", ".xlsx", ".xls", ".ods",
        ]) =>
        {
            "table"
        }
        () if ends(&[".hrc", ".xml", ".json", ".ttl", ".obo", ".txt"]) => "hierarchy",
        () => "other",
    }
}

/// Files and folders that are listed are below the start folder, and not hidden.
pub(crate) fn is_shown(folder: &Folder, path: &Path) -> bool {
    let is_hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
    !is_hidden && path.canonicalize().is_ok_and(|path| path.starts_with(folder.root()))
}
