//! `hedgerow init`: writes a commented job file from what `inspect` sees in a table.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use hedgerow::auto::USUAL_K;
use hedgerow::io::{Inputs, Output};
use hedgerow::schema::Role;

use super::inspect::{self, Suggested};
use crate::Verdict;
use crate::advice::quoted;
use crate::args::{InitArgs, pairs};
use crate::console;

pub(crate) fn run(args: &InitArgs) -> Result<Verdict> {
    if args.table == Path::new("-") {
        bail!("a job file names its table, so the table cannot be standard input; name a file");
    }
    if args.output.extension().is_none_or(|ending| ending != "toml") {
        bail!("{}: the name of a job file ends in .toml", args.output.display());
    }
    let output = Output::create(&args.output, args.force, &Inputs::of([&args.table]))?;
    let columns = inspect::suggestions(&args.table, &args.read)?;
    output.write_all(job(args, &columns)?.as_bytes())?;
    console::report(&advice(args, &columns));
    Ok(Verdict::Fine)
}

/// What the user should do with the file.
fn advice(args: &InitArgs, columns: &[Suggested]) -> String {
    let file = quoted(&args.output.to_string_lossy());
    let n_undecided = columns.iter().filter(|column| is_undecided(column)).count();
    let undecided = match n_undecided {
        0 => String::new(),
        n => format!(", and decide about the {n} that are comments"),
    };
    format!(
        "{file} is written. Check the role of every column{undecided}; then run\n  hedgerow anonymize \
         {file}\n"
    )
}

/// The text of the job file.
fn job(args: &InitArgs, columns: &[Suggested]) -> Result<String> {
    let (input, output) = paths(args)?;
    let mut out = String::from(
        "# A job of hedgerow; run it with `hedgerow anonymize` and the name of this file.\n\
         # The roles are suggestions from names and values: check every one.\n\n",
    );
    let _ = writeln!(out, "input = {}", string(&input));
    let _ = writeln!(out, "output = {}\n", string(&output));
    let roles = [
        (Role::Quasi, "What others may know about a person: generalized."),
        (Role::Sensitive, "What must not be learned about a person: published unchanged."),
        (Role::Identifier, "What names a person: left out of the release."),
        (Role::Dropped, "What identifies people or gives the columns above away: left out too."),
    ];
    for (role, about) in roles {
        let named = columns.iter().filter(|column| column.role == role);
        list(&mut out, role.name(), about, named);
    }
    undecided(&mut out, columns);
    let _ = write!(
        out,
        "# How many records must share what is published; 5 is usual, more is safer.\nk = {USUAL_K}\n\n\
         # If a person can have several records, name the column that says whose they are:\n\
         # person = \"patient\"\n\n\
         # Without a further model, all records of a group may have the same sensitive value:\n\
         # privacy = [\"l-diversity:l=3\"]\n\n\
         # Leaving out a few unusual records can keep the others more precise:\n\
         # suppress = \"1%\"\n\n"
    );
    settings(&mut out, args, columns)?;
    Ok(out)
}

/// Adds the columns of one role, one a line with what is known about each.
fn list<'a>(
    out: &mut String,
    key: &str,
    about: &str,
    columns: impl Iterator<Item = &'a Suggested>,
) {
    let _ = writeln!(out, "# {about}\n{key} = [");
    for column in columns {
        let _ = writeln!(out, "    {},  # {}", string(&column.name), column.about);
    }
    out.push_str("]\n\n");
}

/// Whether neither the name nor the values of a column suggest a role.
fn is_undecided(column: &Suggested) -> bool {
    column.role == Role::Undecided
}

/// Adds the columns without a suggested role, as comments.
fn undecided(out: &mut String, columns: &[Suggested]) {
    let undecided: Vec<&Suggested> = columns.iter().filter(|column| is_undecided(column)).collect();
    if undecided.is_empty() {
        return;
    }
    out.push_str("# Undecided; move each to the list where it belongs:\n");
    for column in undecided {
        let _ = writeln!(out, "#   {},  # {}", string(&column.name), column.about);
    }
    out.push('\n');
}

/// Adds how the table is read, and the kinds and hierarchies of its quasi-identifiers.
fn settings(out: &mut String, args: &InitArgs, columns: &[Suggested]) -> Result<()> {
    if let Some(delimiter) = args.read.file.delimiter {
        let _ = writeln!(out, "delimiter = {}\n", string(&delimiter.to_string()));
    }
    if !args.read.na.is_empty() {
        let texts: Vec<String> = args.read.na.iter().map(|text| string(text)).collect();
        let _ = writeln!(out, "na = [{}]\n", texts.join(", "));
    }
    let quasi = || columns.iter().filter(|column| column.role == Role::Quasi);
    out.push_str(
        "# Kinds of values, if one is not what a column holds: number, date, code or text.\n",
    );
    out.push_str("[kind]\n");
    let given = pairs(&args.read.kinds)?;
    for column in quasi() {
        let comment = if given.contains_key(&column.name) { "" } else { "# " };
        let _ = writeln!(out, "{comment}{} = \"{}\"", string(&column.name), column.kind);
    }
    let formats = pairs(&args.read.date_formats)?;
    let formats = formats.iter().filter(|(name, _)| quasi().any(|column| column.name == **name));
    for (place, (name, format)) in formats.enumerate() {
        let heading = if place == 0 { "\n[date-format]\n" } else { "" };
        let _ = writeln!(out, "{heading}{} = {}", string(name), string(&format.to_string()));
    }
    out.push_str(
        "\n# How values are generalized: auto, another method (`hedgerow help hierarchy` lists them)\n\
         # or a file of your own.\n[hierarchy]\n",
    );
    for column in quasi() {
        let _ = writeln!(out, "{} = \"auto\"", string(&column.name));
    }
    Ok(())
}

/// The paths of the table and of the release, as seen from the folder of the job file.
fn paths(args: &InitArgs) -> Result<(String, String)> {
    let folder = args.output.parent().unwrap_or(Path::new(""));
    let is_here = folder.as_os_str().is_empty() || args.table.is_absolute();
    let input: PathBuf =
        if is_here { args.table.clone() } else { std::path::absolute(&args.table)? };
    let name = args.table.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (stem, ending) = name.split_once('.').unwrap_or((&name, "csv"));
    Ok((input.to_string_lossy().into_owned(), format!("{stem}-release.{ending}")))
}

/// A string of TOML.
fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
