//! `hedgerow attack`: tries to find people and their sensitive values in a release.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use hedgerow::attack::{self, Attack, Attempt, Evidence, Scene};
use hedgerow::error::Warning;
use hedgerow::format;
use hedgerow::hierarchy::Hierarchy;
use hedgerow::io::{ReadOptions, Source};
use hedgerow::noun::{counted, listed};
use hedgerow::publish::{self, AttackFiles, AttackInputs};
use hedgerow::table::Table;
use serde::Serialize;

use crate::args::{AttackArgs, pairs_of};
use crate::console::{self, Console};
use crate::style::{Palette, broken};
use crate::{Verdict, advice};

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    evidence: &'a Evidence,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_success: Option<f64>,
    /// Warnings about columns that no attack is told of.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    warnings: &'a [Warning],
    /// Whether no attack exceeds the limit; true without a limit.
    holds: bool,
}

pub(crate) fn run(args: &AttackArgs) -> Result<Verdict> {
    let attacks = match args.attacks.as_slice() {
        // Attacks that lack something are skipped with the reason, so trying all is safe.
        [] => attack::all()?,
        specs => specs.iter().map(attack::from_spec).collect::<hedgerow::Result<_>>()?,
    };
    let console = Console::new(false);
    let files = opened(args)?;
    let AttackInputs { given, doubts, .. } = read(args, &files, &attacks, &console)?;
    let scene = Scene::new(given)?;
    // Files that certainly do not belong together were refused before.
    console::warn(&doubts);
    let evidence = attack::run(&scene, &attacks, &console)?;
    drop(console.seconds());
    // Without a limit an attack informs and never fails.
    let holds = args.max_success.is_none_or(|limit| evidence.above(limit).next().is_none());
    if args.json {
        let max_success = args.max_success;
        let report = Report { evidence: &evidence, max_success, warnings: &doubts, holds };
        console::print_json(&report)?;
    } else {
        console::print(&text(&evidence, &args.release, args.max_success))?;
    }
    Ok(if holds { Verdict::Fine } else { Verdict::Violation })
}

/// Opens the files, without reading them.
fn opened(args: &AttackArgs) -> Result<AttackFiles> {
    let release = |path: &Path| -> hedgerow::Result<Source> {
        let source = args.read.file.open_release(path, args.output_encoding)?;
        Ok(if args.spreadsheet_safe { source.without_guards() } else { source })
    };
    let other = |path: &PathBuf| Ok((path.display().to_string(), release(path)?));
    let external = args.external.as_ref();
    let encoding = args.read.encoding(args.missing.into())?;
    let threads = args.read.file.threads();
    let files = AttackFiles {
        original: args.read.file.open(&args.original)?,
        release: release(&args.release)?,
        others: args.others.iter().map(other).collect::<hedgerow::Result<_>>()?,
        external: external.map(|path| args.read.file.open_one(path)).transpose()?,
        quasi: args.quasi.clone(),
        known: args.known.clone(),
        sensitive: args.sensitive.clone(),
        person: args.person.clone(),
        reading: ReadOptions { encoding, threads, keep_rows: true, ..ReadOptions::default() },
        is_guarded: args.spreadsheet_safe,
    };
    files.check()?;
    // Said, because an attacker may well use such a column.
    let is_lost = |name: &&String| !files.original.header().contains(name);
    let lost: Vec<&String> = files.release.header().iter().filter(is_lost).collect();
    if !lost.is_empty() {
        let told = listed(&lost);
        console::note(&format!("not attacked, because the original lacks them: {told}"));
    }
    Ok(files)
}

/// Reads what attacks look at, and prints how it was read.
fn read(
    args: &AttackArgs,
    files: &AttackFiles,
    attacks: &[Box<dyn Attack>],
    console: &Console,
) -> Result<AttackInputs> {
    let mut read = files.read(attacks, console)?;
    if !read.found.is_empty() {
        let more = if args.known.is_empty() {
            "the attacker is taken to know no others (name all that others may know with --quasi)"
        } else {
            "name them with --quasi if there are others"
        };
        console::note(&format!("generalized columns: {}; {more}", listed(&read.found)));
    }
    console::note_reading(&files.original, &read.given.original.notes());
    read.given.hierarchies = trees(args, &files.shared(), &read.given.original)?;
    Ok(read)
}

/// Reads the hierarchies that are given for columns of the original.
fn trees(
    args: &AttackArgs,
    shared: &[String],
    original: &Table,
) -> Result<BTreeMap<String, Hierarchy>> {
    let mut given = match &args.saved {
        Some(folder) => publish::saved_hierarchies(folder, shared)?,
        None => BTreeMap::new(),
    };
    // A file that is named for a column replaces the saved one.
    given.extend(pairs_of(&args.hierarchies, shared)?);
    let columns = original.columns().iter().chain(original.beside());
    let files = columns.filter_map(|column| Some((column, given.get(&column.name)?)));
    let trees: hedgerow::Result<_> = files
        .map(|(column, path)| Ok((column.name.clone(), format::read_file_of(path, column)?)))
        .collect();
    Ok(trees?)
}

fn text(evidence: &Evidence, release: &Path, limit: Option<f64>) -> String {
    let palette = Palette::of_stdout();
    let mut out = format!(
        "{}: {} of {}; the attacker knows {}\n",
        release.display(),
        evidence.released,
        counted(evidence.rows, "record"),
        listed(&evidence.known)
    );
    for attempt in &evidence.attempts {
        // The evidence decides, so that text and exit code cannot disagree about rounding.
        let is_above = limit.is_some_and(|limit| evidence.above(limit).any(|a| a == attempt));
        out.push_str(&told(attempt, attempt.unit(evidence.unit), is_above, palette));
    }
    if !evidence.skipped.is_empty() {
        let _ = writeln!(out, "\n{}", palette.heading("not tried"));
    }
    for skipped in &evidence.skipped {
        let reason = format!("{}: {}", skipped.attack, skipped.reason.message(&advice::spell));
        out.push_str(&indented("", &reason));
    }
    out.push_str(&verdict(evidence, limit));
    out
}

/// Formats an attempt as a heading with its counts, and what was known, tried and found.
fn told(attempt: &Attempt, unit: &str, is_above: bool, palette: Palette) -> String {
    let mut out = format!("\n{}\n", palette.heading(&title(attempt)));
    let above =
        if is_above { format!("{}: ", palette.warning("ABOVE THE LIMIT")) } else { String::new() };
    let result = format!(
        "{above}{} of {} exposed, {} by chance; success {:.4}, on average {:.4}",
        attempt.exposed,
        counted(attempt.attacked, unit),
        chance(attempt.chance),
        attempt.success,
        attempt.mean
    );
    out.push_str(&indented("", &result));
    for (label, line) in [("knew", &attempt.knew), ("tried", &attempt.tried)] {
        out.push_str(&indented(label, line));
    }
    if let Some(gain) = attempt.told_gain() {
        out.push_str(&indented("gain", &gain));
    }
    if !attempt.figures.is_empty() {
        let figure = |(name, number): (&&str, &f64)| format!("{name} {}", rounded(*number));
        let figures: Vec<String> = attempt.figures.iter().map(figure).collect();
        out.push_str(&indented("figures", &figures.join(", ")));
    }
    // If none is exposed, the example shows how close the attack came.
    let label = if attempt.exposed > 0 { "such as" } else { "closest" };
    for example in &attempt.examples {
        out.push_str(&indented(label, example));
    }
    if !attempt.remedies().is_empty() {
        let all: Vec<String> = attempt.remedies().iter().map(advice::spell).collect();
        out.push_str(&indented("prevent", &all.join("; or ")));
    }
    out
}

/// The name of an attempt with its variant, column and other release.
fn title(attempt: &Attempt) -> String {
    let variant = attempt.variant.map_or_else(String::new, |variant| format!(" ({variant})"));
    let column = attempt.column.as_ref().map_or_else(String::new, |name| format!(" of {name}"));
    let other = attempt.other.as_ref().map_or_else(String::new, |name| format!(" with {name}"));
    format!("{}{variant}{column}{other}", attempt.attack)
}

/// A number of records without needless decimals.
fn chance(number: f64) -> String {
    if number >= 10.0 || number <= 0.0 { format!("{number:.0}") } else { format!("{number:.1}") }
}

/// A figure: a count as it is, a ratio with four decimals.
fn rounded(number: f64) -> String {
    if number.fract().abs() > 0.0 { format!("{number:.4}") } else { format!("{number:.0}") }
}

/// A line with a label, broken between words.
fn indented(label: &str, text: &str) -> String {
    let (first, next) = match label {
        "" => ("  ".to_owned(), "    "),
        label => (format!("  {label:<8} "), "           "),
    };
    let lines = broken(text, next.len());
    let mut out = String::new();
    for (place, line) in lines.iter().enumerate() {
        let _ = writeln!(out, "{}{line}", if place == 0 { first.as_str() } else { next });
    }
    out
}

fn verdict(evidence: &Evidence, limit: Option<f64>) -> String {
    let Some(limit) = limit else { return String::new() };
    let above: Vec<String> = evidence
        .above(limit)
        .map(|attempt| format!("{} ({:.4})", title(attempt), attempt.success))
        .collect();
    match above.as_slice() {
        [] => format!(
            "\nholds: no attack by someone who knows {} exceeds a success of {limit}\n",
            listed(&evidence.known)
        ),
        _ => format!("\nEXCEEDED: a success of {limit} by {}\n", above.join(", ")),
    }
}
