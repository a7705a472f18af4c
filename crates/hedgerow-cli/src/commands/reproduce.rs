//! `hedgerow reproduce`: runs experiments of papers, and writes their results next to ours.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use hedgerow::Error;
use hedgerow::io::OutputFolder;
use hedgerow::reproduce::{self, Dataset, Materials, Paper, Reproduction};

use crate::Verdict;
use crate::args::ReproduceArgs;
use crate::console::{self, Console};

/// Path of Adult in the repository.
const ADULT: &str = "data/adult.csv";

pub(crate) fn run(args: &ReproduceArgs) -> Result<Verdict> {
    let papers = papers(&args.papers)?;
    let data = files(&args.data, &papers)?;
    // Before anything is run, so that a bad path fails early.
    let mut folder = OutputFolder::create(&args.output, args.force, &reproduce::is_all_of)?;
    let start = Instant::now();
    let clock = || start.elapsed().as_secs_f64();
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or_else(all, usize::from);
    let materials = Materials {
        files: data,
        threads,
        clock: Some(&clock),
        memory: Some(&memory),
        is_trial: false,
    };
    let console = Console::new(args.quiet);
    let reproductions = papers
        .into_iter()
        .map(|paper| Reproduction::of(paper, &materials, &console))
        .collect::<Result<Vec<_>, Error>>()?;
    for (name, bytes) in reproduce::files(&reproductions)? {
        folder.write(&name, bytes);
    }
    folder.finish(&console)?;
    drop(console.seconds());
    match (args.quiet, args.json) {
        (true, _) => {}
        (_, true) => console::report_json(&reproductions)?,
        _ => console::report(&summary(&reproductions, &args.output)),
    }
    Ok(Verdict::Fine)
}

/// The most memory that this process has used, in bytes, if the system reports it (Linux).
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    // The high-water mark of resident memory, which only Linux reports here.
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kilobytes)
}

/// The papers with these names, each once; `all` means every paper.
fn papers(names: &[String]) -> Result<Vec<&'static dyn Paper>, Error> {
    if names.iter().any(|name| name == "all") {
        return Ok(reproduce::ALL.iter().map(|paper| paper.item).collect());
    }
    let mut papers: Vec<&'static dyn Paper> = Vec::new();
    for name in names {
        let paper = reproduce::named(name)?;
        // A paper that is named twice would write its files twice.
        if papers.iter().all(|other| other.name() != paper.name()) {
            papers.push(paper);
        }
    }
    Ok(papers)
}

/// The files of data sets by name: those that were given, and Adult where the repository has it.
fn files(given: &[String], papers: &[&dyn Paper]) -> Result<BTreeMap<String, PathBuf>, Error> {
    let known: Vec<&Dataset> = papers.iter().flat_map(|paper| paper.datasets()).collect();
    let mut files = BTreeMap::new();
    for text in given {
        let (name, path) = named(text, papers, &known)?;
        // Before anything is run: one paper may take a minute before another reads its data.
        hedgerow::file::open(&path)?;
        if files.insert(name.clone(), path).is_some() {
            let problem = format!("the data set '{name}' is given twice; give it once");
            return Err(Error::invalid(problem));
        }
    }
    let is_needed = |dataset: &&&Dataset| dataset.name == Dataset::ADULT.name;
    if known.iter().any(|dataset| is_needed(&dataset)) && Path::new(ADULT).is_file() {
        files.entry(Dataset::ADULT.name.to_owned()).or_insert_with(|| ADULT.into());
    }
    // Adult may be absent from an installed program; then its file has to be given.
    let missing = known.iter().find(|known| known.is_required && !files.contains_key(known.name));
    match missing {
        None => Ok(files),
        Some(Dataset { name, about, .. }) => Err(Error::invalid(format!(
            "the data set '{name}' is needed ({about}); give it with --data {name}=FILE"
        ))),
    }
}

/// Returns the data set that an argument names, and its file. Without a name it is the first data
/// set of the only paper.
fn named(
    text: &str,
    papers: &[&dyn Paper],
    known: &[&Dataset],
) -> Result<(String, PathBuf), Error> {
    if let Some((name, path)) = text.split_once('=') {
        if known.iter().any(|dataset| dataset.name == name) {
            return Ok((name.to_owned(), path.into()));
        }
        // A path can contain an equals sign too.
        if !Path::new(text).exists() {
            return Err(Error::unknown("data set", name, known.iter().map(|known| known.name)));
        }
    }
    let first: Vec<&str> =
        papers.iter().filter_map(|paper| Some(paper.datasets().first()?.name)).collect();
    match first.as_slice() {
        [name, others @ ..] if others.iter().all(|other| other == name) => {
            Ok(((*name).to_owned(), text.into()))
        }
        _ => Err(Error::invalid(format!(
            "the papers use several data sets, so '{text}' needs its name; write --data {}={text}",
            first.first().unwrap_or(&Dataset::ADULT.name)
        ))),
    }
}

/// The verdicts of a run.
fn summary(reproductions: &[Reproduction], folder: &Path) -> String {
    let mut text = String::new();
    for one in reproductions {
        let _ = writeln!(text, "{} ({})", one.paper, one.tally());
        for exhibit in &one.exhibits {
            let verdict = exhibit.verdict.name();
            let _ = writeln!(text, "  {verdict:12}  {}: {}", exhibit.place, exhibit.title);
        }
    }
    let _ = writeln!(text, "written to {0}; open {0}/index.html", folder.display());
    text
}
