//! Opens tables and job files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hedgerow::job::Job;
use hedgerow::schema::Role;
use tempfile::TempDir;

use super::opened::{Opened, Opening};
use super::{BrokenJob, Folder, Run, RunState, Session, Upload, Watcher, check_paths, job};
use crate::fault::{Done, Fault};
use crate::studio::Studio;

/// The `k` of a new job.
const USUAL_K: u64 = 5;

/// Opens a table or a job file below the start folder. Runs of another table are dropped only with
/// `drop_runs`.
pub(crate) fn open_path(
    studio: &Studio,
    path: &str,
    sheet: Option<String>,
    drop_runs: bool,
) -> Done<Arc<Opened>> {
    let path = studio.folder.existing(path)?;
    if path.is_dir() {
        return Err(Fault::input("this is a folder").advise("choose a table or a job file in it"));
    }
    if is_toml(&path) {
        return open_job(studio, &path, drop_runs);
    }
    let beside = job_file(&path);
    // A job next to the table goes on where it was.
    if beside.exists() {
        return open_job(studio, &beside, drop_runs);
    }
    let name: PathBuf = path.file_name().map(Into::into).unwrap_or_default();
    let job = Job { input: name, k: USUAL_K, sheet, ..Job::default() };
    open_with(studio, &path, &beside, Written { job, text: "", drop_runs })
}

/// Opens a table that the browser sent. It has no job file until it is exported.
pub(crate) fn open_upload(studio: &Studio, upload: Upload, drop_runs: bool) -> Done<Arc<Opened>> {
    let Upload { path, name, file, folder } = upload;
    drop(file);
    keep_runs(&studio.session(), &path, drop_runs)?;
    let job = Job { input: name.clone().into(), k: USUAL_K, ..Job::default() };
    let opened = read(studio, &Place { path: &path, upload: Some(Arc::new(folder)) }, &job)?;
    let base = path.parent().map(Path::to_owned).unwrap_or_default();
    store(studio, opened, State { job, base, job_path: None, text: String::new(), drop_runs })
}

/// Reads the table again.
pub(crate) fn reload(studio: &Studio) -> Done<Arc<Opened>> {
    let (before, job) = {
        let session = studio.session();
        (session.table()?, session.job.clone())
    };
    let opened = Arc::new(read(studio, &Place::of(&before), &job)?);
    studio.change(&["table", "job", "hierarchies", "runs"], |session| {
        session.opened = Some(Arc::clone(&opened));
        session.is_stale = false;
        session.families.clear();
        without_lost(&mut session.job, &before.header, &opened.header);
        list_undecided(&mut session.job, &opened.header);
        session.save();
    });
    Ok(opened)
}

/// Replaces the job by the text of a job file.
pub(crate) fn open_job_text(studio: &Studio, text: &str, drop_runs: bool) -> Done<Arc<Opened>> {
    let (base, path, before) = {
        let session = studio.session();
        let broken = session.broken_job.as_ref().map(|broken| broken.path.clone());
        let path = broken.filter(|path| is_toml(path)).or_else(|| session.job_path.clone());
        let base = path.as_deref().and_then(Path::parent).map(Path::to_owned);
        (base.unwrap_or_else(|| session.base.clone()), path, session.opened.clone())
    };
    let job = Job::from_toml(text)?;
    check_paths(&job, &base, &studio.folder)?;
    let is_same =
        |opened: &Arc<Opened>| opened.upload.is_some() && opened.path == base.join(&job.input);
    if let Some(uploaded) = before.filter(is_same).filter(|_| path.is_none()) {
        let opened = read(studio, &Place::of(&uploaded), &job)?;
        check_columns(&job, &opened.header, text)?;
        let text = text.to_owned();
        return store(studio, opened, State { job, base, job_path: None, text, drop_runs });
    }
    let input = studio.folder.existing(&studio.folder.relative(&base.join(&job.input)))?;
    let path = path.unwrap_or_else(|| job_file(&input));
    open_with(studio, &input, &path, Written { job, text, drop_runs })
}

fn open_job(studio: &Studio, path: &Path, drop_runs: bool) -> Done<Arc<Opened>> {
    let text = hedgerow::file::read_to_string(path)?;
    let opened = Job::from_toml(&text).map_err(|error| Fault::from(error.in_file(path)));
    let opened = opened.and_then(|job| {
        let base = path.parent().unwrap_or(Path::new(""));
        check_paths(&job, base, &studio.folder)?;
        let input = studio.folder.existing(&studio.folder.relative(&base.join(&job.input)))?;
        open_with(studio, &input, path, Written { job, text: &text, drop_runs })
    });
    match opened {
        Ok(opened) => Ok(opened),
        // Shown with its text, so that it can be corrected in place.
        Err(fault) => {
            let refusal = fault.refusal();
            let problem = refusal.problem.clone();
            if problem.error.runs.is_none() {
                studio.change(&["job"], |session| {
                    session.broken_job = Some(BrokenJob { path: path.to_owned(), text, problem });
                });
            }
            Err(Fault::Refused(Box::new(refusal)))
        }
    }
}

/// The state of the session in which a table is opened.
struct State {
    job: Job,
    base: PathBuf,
    job_path: Option<PathBuf>,
    /// The text of the job file.
    text: String,
    /// Whether runs of another table may be dropped.
    drop_runs: bool,
}

/// A job, and its text if it was read from a file.
struct Written<'a> {
    job: Job,
    text: &'a str,
    /// Whether runs of another table may be dropped.
    drop_runs: bool,
}

/// The place of a table: its path, and the folder of an upload.
struct Place<'a> {
    path: &'a Path,
    upload: Option<Arc<TempDir>>,
}

impl<'a> Place<'a> {
    fn of(opened: &'a Opened) -> Self {
        Self { path: &opened.path, upload: opened.upload.clone() }
    }
}

fn open_with(
    studio: &Studio,
    table: &Path,
    job_path: &Path,
    written: Written<'_>,
) -> Done<Arc<Opened>> {
    let Written { job, text, drop_runs } = written;
    // Checked before the table is read, which can take long.
    keep_runs(&studio.session(), table, drop_runs)?;
    let opened = read(studio, &Place { path: table, upload: None }, &job)?;
    check_columns(&job, &opened.header, text)?;
    let base = job_path.parent().map(Path::to_owned).unwrap_or_default();
    let (job_path, text) = (Some(job_path.to_owned()), text.to_owned());
    store(studio, opened, State { job, base, job_path, text, drop_runs })
}

/// Refuses a job that names columns which the table does not have, with the line that does. Without
/// them, columns would get other roles than the job says.
fn check_columns(job: &Job, header: &[String], text: &str) -> Done<()> {
    job.check_columns(header).map_err(|error| {
        let mut refusal = Fault::from(error).refusal();
        let told = &mut refusal.problem.error;
        told.line = told.column.as_deref().and_then(|column| line_naming(text, column));
        Fault::Refused(Box::new(refusal))
    })
}

/// The first line of a job file that names a column.
fn line_naming(text: &str, column: &str) -> Option<u64> {
    let quoted = [format!("'{column}'"), format!("\"{column}\"")];
    let is_key = |line: &str| line.split('=').next().is_some_and(|key| key.trim() == column);
    let names = |line: &str| quoted.iter().any(|name| line.contains(name)) || is_key(line);
    (1..).zip(text.lines()).find(|(_, line)| names(line)).map(|(number, _)| number)
}

fn read(studio: &Studio, place: &Place<'_>, job: &Job) -> Done<Opened> {
    let watcher = Watcher::new(studio, "opening");
    let threads = studio.options.threads;
    let name = place.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let upload = place.upload.clone();
    let opening = Opening { path: place.path, name, upload, job, threads };
    let opened = Opened::read(&opening, &watcher);
    watcher.end();
    Ok(opened?)
}

/// Refuses to open another table if runs would be dropped that may not be.
fn keep_runs(session: &Session, table: &Path, drop_runs: bool) -> Done<()> {
    let Some(opened) = session.opened.as_ref().filter(|opened| opened.path != table) else {
        return Ok(());
    };
    let is_lost = |run: &&Run| !matches!(run.state, RunState::Failed | RunState::Cancelled);
    match session.runs.iter().filter(is_lost).count() {
        n @ 1.. if !drop_runs => Err(Fault::drops(n, &opened.name)),
        _ => Ok(()),
    }
}

fn store(studio: &Studio, opened: Opened, state: State) -> Done<Arc<Opened>> {
    let opened = Arc::new(opened);
    studio.change(&["table", "job", "hierarchies", "runs"], |session| {
        // Runs can have been queued while the table was read.
        keep_runs(session, &opened.path, state.drop_runs)?;
        let before = std::mem::take(session);
        let is_same = before.opened.is_some_and(|before| before.path == opened.path);
        (session.revision, session.n_sweeps) = (before.revision, before.n_sweeps);
        if is_same {
            // Another job for the same table: its runs stay, and say what they were made with.
            (session.runs, session.chosen_run) = (before.runs, before.chosen_run);
        } else {
            before.runs.iter().for_each(Run::cancel);
        }
        let mut job = state.job;
        list_undecided(&mut job, &opened.header);
        session.opened = Some(Arc::clone(&opened));
        session.is_saved = state.job_path.as_ref().is_some_and(|path| path.exists());
        (session.job, session.base, session.job_path) = (job, state.base, state.job_path);
        session.written = state.text;
        session.texts = super::inputs::texts(&session.absolute_job());
        Ok(opened)
    })
}

/// Lists the columns without a role as undecided.
fn list_undecided(job: &mut Job, header: &[String]) {
    if !job.keep_others {
        let is_open = |name: &&String| job::role_of(job, name) == Role::Undecided;
        job.undecided = header.iter().filter(is_open).cloned().collect();
    }
}

/// Removes columns that a table no longer has when it is read again. If there are any, columns that
/// are new need a decision, because a column may only have another name.
fn without_lost(job: &mut Job, before: &[String], header: &[String]) {
    if job.keep_others && before.iter().any(|name| !header.contains(name)) {
        let is_kept = |name: &&String| job::role_of(job, name) == Role::Insensitive;
        job.keep = before.iter().filter(is_kept).cloned().collect();
        job.keep_others = false;
    }
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
    job.weights.take_if(|name| !header.contains(name));
    job.hierarchy.retain(|name, _| header.contains(name));
    job.edits.retain(|name, _| header.contains(name));
    job.limit.retain(|name, _| header.contains(name));
    job.kind.retain(|name, _| header.contains(name));
    job.date_format.retain(|name, _| header.contains(name));
}

/// The job file next to a table: `adult.job.toml`, or `adult.csv.job.toml` if that is the job of
/// another table.
fn job_file(table: &Path) -> PathBuf {
    let name = table.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("table");
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let names = [stem.to_owned(), name.to_string()].into_iter().chain(numbered);
    let mut paths = names.map(|name| table.with_file_name(format!("{name}.job.toml")));
    paths.find(|path| !is_of_another(path, table)).unwrap_or_default()
}

/// Whether a file is the job of another table.
fn is_of_another(job_path: &Path, table: &Path) -> bool {
    let Ok(text) = hedgerow::file::read_to_string(job_path) else { return false };
    let Ok(job) = Job::from_toml(&text) else { return false };
    let input = job_path.with_file_name("").join(&job.input);
    input.canonicalize().ok().as_deref() != Some(table)
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
