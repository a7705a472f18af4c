//! `hedgerow compare`: runs every combination of a grid, and says which is best.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use hedgerow::compare::{Comparison, Folder, Grid, Row, Runner, divided};
use hedgerow::io::Source;
use hedgerow::job::Job;
use hedgerow::noun::{counted, grouped};
use hedgerow::risk::percent;

use super::inspect;
use crate::args::{CompareArgs, lists, pairs};
use crate::console::{self, Console};
use crate::style::{Palette, broken};
use crate::{Verdict, signals};

/// Maximum number of rows of the printed table.
const MOST_ROWS: usize = 20;

pub(crate) fn run(args: &CompareArgs) -> Result<Verdict> {
    let is_grid = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "toml");
    // A table argument that ends in .toml is a grid file.
    let file = args.job.as_ref().or(args.table.as_ref().filter(is_grid));
    let grid = match (file, &args.table) {
        (Some(path), _) => Grid::from_file(path)?,
        (None, Some(table)) => from_flags(table, args)?,
        (None, None) => bail!("name a table or a grid file; hedgerow compare --help shows how"),
    };
    let grid = overridden(grid, args)?;
    // Before any file is read, so that a mistake in a range costs nothing.
    grid.cells()?;
    let folder = match &grid.output {
        Some(path) => Some(Folder::open(path, args.force, &grid.inputs().and(file))?),
        None => None,
    };
    let console = Console::new(args.quiet);
    let source = open(&grid.base, &console)?;
    if !args.quiet {
        console::note_reading(&source, &[]);
    }
    let comparison = compared(&grid, source, folder.as_ref(), &console)?;
    drop(console.seconds());
    if let Some(folder) = &folder {
        folder.write(&grid, &comparison)?;
    }
    if args.json {
        console::report(&comparison.json());
    } else if !args.quiet {
        console::report(&text(&comparison, folder.as_ref()));
    }
    Ok(if comparison.n_done() > 0 { Verdict::Fine } else { Verdict::Violation })
}

/// Runs the cells that the folder does not have.
fn compared(
    grid: &Grid,
    source: Source,
    folder: Option<&Folder>,
    console: &Console,
) -> Result<Comparison> {
    // The library reads no clock, so it is given one.
    let start = Instant::now();
    let clock = || start.elapsed().as_secs_f64();
    if folder.is_some() {
        // Ctrl-C then says that the same command goes on, instead of that nothing was written.
        signals::keeps_finished_work();
    }
    let runner = Runner { threads: grid.base.threads, clock: &clock, progress: console, folder };
    runner.run(grid, source).map_err(|error| match (error, folder) {
        (hedgerow::Error::Cancelled, Some(_)) => anyhow!("{}", signals::RESUMABLE),
        // Said when it matters: after an hour of cells that are lost.
        (hedgerow::Error::Cancelled, None) => {
            anyhow!("interrupted; with -o FOLDER, cells that are done would have been kept")
        }
        (error, _) => error.into(),
    })
}

fn open(job: &Job, console: &Console) -> hedgerow::Result<Source> {
    let options = job.opening()?;
    let source = if job.input == Path::new("-") {
        // The table is read twice, once for its digest, which a stream does not allow.
        Source::spool_with(std::io::stdin().lock(), &std::env::temp_dir(), &options, console)?
    } else {
        Source::open_with(&job.input, &options)?
    };
    Ok(source.with_max_record(job.max_record))
}

fn from_flags(table: &Path, args: &CompareArgs) -> Result<Grid> {
    if args.roles.quasi.is_empty() {
        // As in `anonymize`: roles are the hardest part of a first call.
        bail!("{}", inspect::ask_for_roles(table, &args.read)?);
    }
    Ok(Grid::new(Job { input: table.to_owned(), ..Job::default() }))
}

/// Returns a grid whose settings are overridden by flags.
fn overridden(mut grid: Grid, args: &CompareArgs) -> Result<Grid> {
    let items = |lists: &[String]| lists.iter().flat_map(|list| divided(list)).collect::<Vec<_>>();
    if !args.methods.is_empty() {
        grid.methods =
            items(&args.methods).iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
    }
    if !args.hierarchies.is_empty() {
        let settings = items(&args.hierarchies);
        grid.hierarchies = settings.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
    }
    if !args.sets.is_empty() {
        // Semicolons, because models have commas and plus signs inside.
        let sets = args.sets.iter().flat_map(|list| list.split(';'));
        let sets = sets.filter(|set| !set.trim().is_empty());
        grid.models = sets.map(str::parse).collect::<Result<_, _>>()?;
    }
    grid.k = args.k.clone().unwrap_or(grid.k);
    grid.repeat = args.repeat.unwrap_or(grid.repeat);
    grid.weights = args.weights.unwrap_or(grid.weights);
    grid.output = args.output.clone().or(grid.output);
    let job = &mut grid.base;
    args.roles.give(job);
    args.privacy.give(job);
    job.hierarchy.extend(pairs(&args.of_columns)?);
    job.suppress = args.suppress.unwrap_or(job.suppress);
    job.limit.extend(lists(&args.limits));
    job.loss = args.loss.clone().or(job.loss.take());
    job.time = args.time.or(job.time);
    job.missing = args.missing.map_or(job.missing, Into::into);
    job.interval_style = args.interval_style.map_or(job.interval_style, Into::into);
    job.drop_suppressed |= args.drop_suppressed;
    job.rare_values = args.rare_values.map_or(job.rare_values, Into::into);
    job.force_labels |= args.force_labels;
    job.seed = args.seed.unwrap_or(job.seed);
    args.read.give(job)?;
    Ok(grid)
}

/// Formats the cells as a table, then the impossible ones, and the verdicts.
fn text(comparison: &Comparison, folder: Option<&Folder>) -> String {
    let palette = Palette::of_stdout();
    let mut out = format!(
        "{} on {} records: {} possible",
        counted(comparison.cells.len(), "cell"),
        grouped(comparison.records),
        comparison.n_done()
    );
    if comparison.n_kept > 0 {
        let _ = write!(out, ", {} done before", comparison.n_kept);
    }
    out.push_str("\n\n");
    table(&mut out, comparison);
    impossible(&mut out, comparison);
    for verdict in &comparison.verdicts {
        let head = match verdict.models.as_str() {
            "none" => "Verdict".to_owned(),
            models => format!("Verdict with {models}"),
        };
        let _ = writeln!(out, "\n{}", palette.heading(&head));
        for line in broken(&verdict.sentence, 2) {
            let _ = writeln!(out, "  {line}");
        }
    }
    if let Some(folder) = folder {
        let page = folder.path().join("index.html");
        let _ = writeln!(out, "\n{} has charts and all cells.", page.display());
    }
    // The comparison cannot distinguish a difference from chance, so the text names the option that
    // can.
    if comparison.repeat == 0 && comparison.n_done() > 1 {
        out.push_str("--repeat 5 tells the differences from those of seeds and of samples.\n");
    }
    out
}

/// Formats the possible cells: all of them in the order of the grid, or the best of many.
fn table(out: &mut String, comparison: &Comparison) {
    let mut rows: Vec<&Row> = comparison.cells.iter().filter(|row| row.figures.is_some()).collect();
    let n_rows = rows.len();
    if n_rows > MOST_ROWS {
        let score = |row: &Row| row.score.unwrap_or(f64::INFINITY);
        rows.sort_by(|one, other| score(one).total_cmp(&score(other)));
        // One less, so that the line about the rest makes the table just as long.
        rows.truncate(MOST_ROWS - 1);
    }
    let has_models = comparison.verdicts.len() > 1;
    // They differ from run to run, so they are printed only if they decide.
    let has_seconds = comparison.weights.seconds > 0.0;
    let mut lines = vec![heads(has_models, has_seconds)];
    lines.extend(rows.iter().map(|row| cells(comparison, row, has_models)));
    let width =
        |place: usize| lines.iter().map(|line| line[place].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    // Texts are aligned to the left, numbers to the right.
    let n_texts = 2 + usize::from(has_models);
    for line in lines.iter().filter(|_| n_rows > 0) {
        let mut text = String::new();
        for (place, cell) in line.iter().enumerate() {
            let pad = " ".repeat(widths[place] - cell.chars().count());
            let is_text = place < n_texts || place + 1 == line.len();
            let cell = if is_text { format!("{cell}{pad}") } else { format!("{pad}{cell}") };
            text.push_str(if place == 0 { "  " } else { "   " });
            text.push_str(&cell);
        }
        let _ = writeln!(out, "{}", text.trim_end());
    }
    if n_rows > rows.len() {
        let _ = writeln!(out, "  and {} more with greater scores", n_rows - rows.len());
    }
}

fn heads(has_models: bool, has_seconds: bool) -> Vec<String> {
    let texts = ["method", "hierarchies"].into_iter().chain(has_models.then_some("models"));
    let numbers = ["k", "loss", "average risk", "highest", "suppressed"].into_iter();
    let seconds = has_seconds.then_some("seconds");
    texts.chain(numbers).chain(seconds).chain(["score", ""]).map(str::to_owned).collect()
}

fn cells(comparison: &Comparison, row: &Row, has_models: bool) -> Vec<String> {
    let Some(figures) = &row.figures else { return Vec::new() };
    let is_best = comparison.verdicts.iter().any(|verdict| verdict.best == Some(row.cell));
    // The best cell is on the front too; one word is enough.
    let mark = match (is_best, row.on_front) {
        (true, _) => "best",
        (false, true) => "on the front",
        (false, false) => "",
    };
    let texts = [row.method.clone(), row.hierarchies.clone()].into_iter();
    let numbers = [
        row.k.to_string(),
        percent(figures.ntil()),
        percent(figures.risk.average),
        percent(figures.risk.highest),
        grouped(figures.suppressed),
    ];
    let seconds = comparison.weights.seconds > 0.0;
    let seconds = seconds.then(|| format!("{:.2}", row.search_seconds()));
    let score = [format!("{:.4}", row.score.unwrap_or(0.0)), mark.to_owned()];
    let models = has_models.then(|| row.models.clone());
    texts.chain(models).chain(numbers).chain(seconds).chain(score).collect()
}

/// Lists the reasons of impossible cells, each once with the number of its cells.
fn impossible(out: &mut String, comparison: &Comparison) {
    let reasons = comparison.reasons();
    // Impossible cells come in families; three reasons explain most grids.
    for (reason, cells) in reasons.iter().take(3) {
        let which = match cells.as_slice() {
            [cell] => cell.clone(),
            [first, ..] => format!("{first} and {} more", cells.len() - 1),
            [] => String::new(),
        };
        for (place, line) in broken(&format!("{which}: {reason}"), 14).iter().enumerate() {
            let _ = writeln!(out, "  {:<12}{line}", if place == 0 { "impossible" } else { "" });
        }
    }
    if reasons.len() > 3 {
        let _ = writeln!(out, "  and {} other reasons", reasons.len() - 3);
    }
}
