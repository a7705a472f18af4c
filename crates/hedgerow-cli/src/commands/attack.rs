//! `hedgerow attack`: tries to find people and their sensitive values in a release.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use hedgerow::attack::{self, Attack, Attempt, Evidence, Given, Other, Scene};
use hedgerow::error::Warning;
use hedgerow::format;
use hedgerow::hierarchy::Hierarchy;
use hedgerow::io::{ReadOptions, Source};
use hedgerow::noun::{counted, listed};
use hedgerow::publish;
use hedgerow::schema;
use hedgerow::table::{Columns, Encoding, MissingPolicy, Table};
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
    let (given, doubts) = Files::open(args)?.read(&attacks, &console)?;
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

/// The opened files.
struct Files<'a> {
    args: &'a AttackArgs,
    original: Source,
    release: Source,
    /// The columns of the release that the original has too, without the person.
    shared: Vec<String>,
}

impl<'a> Files<'a> {
    fn open(args: &'a AttackArgs) -> Result<Self> {
        let original = args.read.file.open(&args.original)?;
        let release = opened(args, &args.release)?;
        let is_shared = |name: &&String| {
            original.header().contains(name) && args.person.as_ref() != Some(*name)
        };
        let shared: Vec<String> = release.header().iter().filter(is_shared).cloned().collect();
        // Two unrelated files are the most common mistake, and would look like perfect protection.
        if shared.is_empty() {
            anyhow::bail!(hedgerow::Error::invalid(format!(
                "the release does not belong to the original: they have no column in common; the \
                 original has {}, the release {}",
                listed(original.header()),
                listed(release.header())
            )));
        }
        if let Some(person) = &args.person {
            schema::find(original.header(), person)?;
        }
        for name in [&args.quasi, &args.known, &args.sensitive].into_iter().flatten() {
            for (source, path) in [(&original, &args.original), (&release, &args.release)] {
                schema::find(source.header(), name).map_err(|error| error.in_file(path))?;
            }
        }
        // Said, because an attacker may well use such a column.
        let lost: Vec<&String> =
            release.header().iter().filter(|name| !original.header().contains(name)).collect();
        if !lost.is_empty() {
            let told = listed(&lost);
            console::note(&format!("not attacked, because the original lacks them: {told}"));
        }
        Ok(Self { args, original, release, shared })
    }

    /// Reads everything that attacks are given. Also returns warnings about columns that they do not
    /// look for.
    fn read(
        &self,
        attacks: &[Box<dyn Attack>],
        console: &Console,
    ) -> Result<(Given, Vec<Warning>)> {
        let args = self.args;
        let quasi = self.quasi(console)?;
        // Kept columns make most records different, so only attacks that use them read them.
        let reads_kept = attacks.iter().any(|attack| attack.reads_kept());
        let is_named = |name: &String| args.known.contains(name) || args.sensitive.contains(name);
        let is_read = |name: &&String| !quasi.contains(name) && (reads_kept || is_named(name));
        let others = self.shared.iter().filter(is_read).cloned();
        let columns = Columns::quasi(&quasi).and_beside(&others.collect::<Vec<_>>());
        let release = self.read_release(&self.release, &columns, console)?;
        // Only the original names people; the release was read without that column.
        let columns = match &args.person {
            Some(person) => columns.and_person(person),
            None => columns,
        };
        let encoding = args.read.encoding(args.missing.into())?;
        let reading = options(args, encoding);
        let original = self.original.read(&columns, &reading, console)?;
        console::note_reading(&self.original, &original.notes());
        let used = [args.known.as_slice(), &args.sensitive].concat();
        let used =
            Columns { person: args.person.clone(), ..Columns::quasi(&quasi).and_beside(&used) };
        let pair = publish::Pair {
            original: &self.original,
            release: &self.release,
            columns: &used,
            reading: &reading,
            is_guarded: args.spreadsheet_safe,
        };
        let doubts = pair.doubts(console)?;
        let mut given = Given::new(original, release);
        given.hierarchies = self.trees(&given.original)?;
        given.known.clone_from(&args.known);
        given.sensitive.clone_from(&args.sensitive);
        given.threads = args.read.file.threads();
        given.others = self.others(console)?;
        let known = if args.known.is_empty() { quasi } else { args.known.clone() };
        given.external = match &args.external {
            Some(path) => Some(self.external(path, &known, &given.original, console)?),
            None => None,
        };
        Ok((given, doubts))
    }

    /// The generalized columns: those that are named, or those in which the release has other cells
    /// than the original.
    fn quasi(&self, console: &Console) -> Result<Vec<String>> {
        let args = self.args;
        if !args.quasi.is_empty() {
            return Ok(args.quasi.clone());
        }
        let columns = Columns::quasi(&self.shared);
        // Here missing values are texts to compare, whatever the policy of the release was.
        let encoding = args.read.encoding(MissingPolicy::Own)?;
        let original = self.original.read(&columns, &options(args, encoding), console)?;
        let release = self.read_release(&self.release, &columns, console)?;
        let found = attack::generalized(&original, &release);
        let sensitive = |name: &String| args.sensitive.contains(name);
        let found: Vec<String> = found.into_iter().filter(|name| !sensitive(name)).collect();
        if found.is_empty() {
            // Nothing is generalized, so the columns that the attacker knows should have been.
            return Ok(args.known.clone());
        }
        console::note(&format!(
            "generalized columns: {}; the attacker is taken to know no others (name all that others may know \
             with --quasi)",
            listed(&found)
        ));
        Ok(found)
    }

    /// Reads columns of a release as they are shown.
    fn read_release(&self, source: &Source, columns: &Columns, console: &Console) -> Result<Table> {
        let args = self.args;
        let encoding = Encoding {
            is_guarded: args.spreadsheet_safe,
            ..args.read.encoding(MissingPolicy::Own)?
        };
        Ok(publish::read_release(source, columns, options(args, encoding), console)?)
    }

    fn others(&self, console: &Console) -> Result<Vec<Other>> {
        let read = |path: &std::path::PathBuf| {
            let source = opened(self.args, path)?;
            let is_shared = |name: &&String| self.shared.contains(name);
            let common: Vec<String> = source.header().iter().filter(is_shared).cloned().collect();
            let name = path.display().to_string();
            let table = self.read_release(&source, &Columns::quasi(&common), console)?;
            Ok(Other { name, table })
        };
        self.args.others.iter().map(read).collect()
    }

    /// Reads the known columns of a table that the attacker has, in the notation of the original.
    fn external(
        &self,
        path: &Path,
        known: &[String],
        original: &Table,
        console: &Console,
    ) -> Result<Table> {
        let source = self.args.read.file.open_one(path)?;
        let names: Vec<String> =
            known.iter().filter(|name| source.header().contains(name)).cloned().collect();
        if names.is_empty() {
            anyhow::bail!(hedgerow::Error::file(
                path,
                format!(
                    "has none of the columns that the attacker knows ({}); it has {}",
                    listed(known),
                    listed(source.header())
                )
            ));
        }
        let columns: Vec<_> = original
            .columns()
            .iter()
            .chain(original.beside())
            .filter(|column| names.contains(&column.name))
            .collect();
        // The same text must mean the same value in both tables.
        let encoding = Encoding::like(&columns, &self.args.read.na);
        let table = source.read(&Columns::quasi(&names), &options(self.args, encoding), console);
        Ok(table.map_err(|error| error.in_file(path))?)
    }

    /// Reads the hierarchies that are given for columns of the original.
    fn trees(&self, original: &Table) -> Result<BTreeMap<String, Hierarchy>> {
        let mut given = match &self.args.saved {
            Some(folder) => publish::saved_hierarchies(folder, &self.shared)?,
            None => BTreeMap::new(),
        };
        // A file that is named for a column replaces the saved one.
        given.extend(pairs_of(&self.args.hierarchies, &self.shared)?);
        let columns = original.columns().iter().chain(original.beside());
        let files = columns.filter_map(|column| Some((column, given.get(&column.name)?)));
        let trees: hedgerow::Result<_> = files
            .map(|(column, path)| Ok((column.name.clone(), format::read_file_of(path, column)?)))
            .collect();
        Ok(trees?)
    }
}

/// Opens a release.
fn opened(args: &AttackArgs, path: &Path) -> Result<Source> {
    let source = args.read.file.open_release(path, args.output_encoding)?;
    Ok(if args.spreadsheet_safe { source.without_guards() } else { source })
}

fn options(args: &AttackArgs, encoding: Encoding) -> ReadOptions {
    let threads = args.read.file.threads();
    ReadOptions { encoding, threads, keep_rows: true, ..ReadOptions::default() }
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
