//! `hedgerow init`: writes a commented job file from what `inspect` sees in a table.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use hedgerow::auto::USUAL_K;
use hedgerow::io::{Inputs, Output, is_workbook};
use hedgerow::schema::Role;

use super::inspect::{self, Suggested};
use crate::Verdict;
use crate::advice::quoted;
use crate::args::{Detect, FileArgs, InitArgs, ReadArgs, pairs};
use crate::console;

/// The usual number of different sensitive values in a group.
const USUAL_L: usize = 3;

pub(crate) fn run(args: &InitArgs) -> Result<Verdict> {
    if args.table == Path::new("-") {
        bail!("a job file names its table, so the table cannot be standard input; name a file");
    }
    if args.output.extension().is_none_or(|ending| ending != "toml") {
        bail!("{}: the name of a job file ends in .toml", args.output.display());
    }
    // Started first, so that an existing file is refused before the table is read.
    let output = Output::create(&args.output, args.force, &Inputs::of([&args.table]))?;
    let columns = inspect::suggestions(&args.table, &args.read)?;
    output.finish_with(job(args, &columns)?.as_bytes())?;
    console::report(&advice(args, &columns));
    Ok(Verdict::Fine)
}

/// Tells the user what to do with the file.
fn advice(args: &InitArgs, columns: &[Suggested]) -> String {
    let file = quoted(&args.output.to_string_lossy());
    // Named with its number, because the job does not run until the list is empty.
    let n_undecided = columns.iter().filter(|column| is_undecided(column)).count();
    let undecided = match n_undecided {
        0 => String::new(),
        n => format!(", and decide about the {n} in the list 'undecided'"),
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
    // Every list is written, even if empty, so that a user sees where a column can go.
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
    person(&mut out, columns);
    undecided(&mut out, columns);
    let sensitive = columns.iter().filter(|column| column.role == Role::Sensitive);
    // More different values than a column has cannot be asked for.
    let l =
        sensitive.filter_map(|column| column.distinct).min().unwrap_or(USUAL_L).clamp(2, USUAL_L);
    let _ = write!(
        out,
        "# How many records must share what is published; 5 is usual, more is safer.\nk = {USUAL_K}\n\n\
         # Without a further model, all records of a group may have the same sensitive value:\n\
         # privacy = [\"l-diversity:l={l}\"]\n\n\
         # Ranges and sets can name values that fewer than k records have; this hides them:\n\
         # rare-values = \"hide\"\n\n\
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
        // One a line, so that moving a column is moving a line.
        let _ = writeln!(out, "    {},  # {}", string(&column.name), column.about);
    }
    out.push_str("]\n\n");
}

/// Adds the column that names people with several records, or how to name one.
fn person(out: &mut String, columns: &[Suggested]) {
    match columns.iter().find(|column| column.role == Role::Person) {
        Some(Suggested { name, about, .. }) => {
            let _ = writeln!(
                out,
                "# Whose records they are: a person has several, so k counts people; left out of the \
                 release.\nperson = {}  # {about}\n",
                string(name)
            );
        }
        None => out.push_str(
            "# If a person can have several records, name the column that says whose they are:\n\
             # person = \"patient\"\n\n",
        ),
    }
}

/// Whether neither the name nor the values of a column suggest a role.
fn is_undecided(column: &Suggested) -> bool {
    column.role == Role::Undecided
}

/// Adds the columns without a suggested role. The job does not run until each has one.
fn undecided(out: &mut String, columns: &[Suggested]) {
    let undecided: Vec<&Suggested> = columns.iter().filter(|column| is_undecided(column)).collect();
    if undecided.is_empty() {
        return;
    }
    let about = "Undecided: move each to the list where it belongs, or to keep = [...], which publishes \
                 it as it is.\n# The job does not run before.";
    list(out, "undecided", about, undecided.into_iter());
}

/// Adds how the table is read, and the kinds and hierarchies of its quasi-identifiers.
fn settings(out: &mut String, args: &InitArgs, columns: &[Suggested]) -> Result<()> {
    for (key, value) in reading(&args.read) {
        let _ = writeln!(out, "{key} = {value}\n");
    }
    let quasi = || columns.iter().filter(|column| column.role == Role::Quasi);
    out.push_str(
        "# Kinds of values, if one is not what a column holds: number, date, code or text.\n",
    );
    out.push_str("[kind]\n");
    let given = pairs(&args.read.kinds)?;
    // Kinds that were stated for other columns are kept: the table is read with them.
    let is_other = |name: &&String| quasi().all(|column| column.name != **name);
    for (name, kind) in given.iter().filter(|(name, _)| is_other(name)) {
        let _ = writeln!(out, "{} = \"{}\"", string(name), kind.name());
    }
    for column in quasi() {
        // Inferred kinds are comments, so that they are inferred again if the table changes.
        let comment = if given.contains_key(&column.name) { "" } else { "# " };
        let _ = writeln!(out, "{comment}{} = \"{}\"", string(&column.name), column.kind);
    }
    let formats = pairs(&args.read.date_formats)?;
    for (place, (name, format)) in formats.iter().enumerate() {
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

/// The given options of how the table is read, as keys and values of a job file. Without them, the
/// job would read another table than the one whose roles are suggested.
fn reading(read: &ReadArgs) -> impl Iterator<Item = (&'static str, String)> {
    let list = |texts: &[String]| {
        let texts: Vec<String> = texts.iter().map(|text| string(text)).collect();
        (!texts.is_empty()).then(|| format!("[{}]", texts.join(", ")))
    };
    let FileArgs { delimiter, encoding, no_header, header, sheet, max_record, .. } = &read.file;
    let detect = |detect: Detect| if detect == Detect::On { "on" } else { "off" };
    let options = [
        ("delimiter", delimiter.map(|delimiter| string(&delimiter.to_string()))),
        ("encoding", encoding.map(|charset| string(&charset.name()))),
        ("no-header", no_header.then(|| "true".to_owned())),
        ("header", list(header)),
        ("sheet", sheet.as_ref().map(|sheet| string(sheet))),
        ("max-record", max_record.map(|size| string(&size.to_string()))),
        ("na", list(&read.na)),
        ("na-detect", read.na_detect.map(|given| string(detect(given)))),
        ("decimal", read.decimal.map(|decimal| string(&decimal.sign().to_string()))),
    ];
    options.into_iter().filter_map(|(key, value)| Some((key, value?)))
}

/// The paths of the table and of the release, as seen from the folder of the job file.
fn paths(args: &InitArgs) -> Result<(String, String)> {
    let folder = args.output.parent().unwrap_or(Path::new(""));
    // Paths in a job file are relative to its folder, not to the current one.
    let is_here = folder.as_os_str().is_empty() || args.table.is_absolute();
    // A relative path would have to climb out of the job's folder, which breaks when it is moved.
    let input: PathBuf =
        if is_here { args.table.clone() } else { std::path::absolute(&args.table)? };
    let name = args.table.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (stem, ending) = name.split_once('.').unwrap_or((&name, "csv"));
    // Releases are not workbooks.
    let ending = if is_workbook(&args.table) { "csv" } else { ending };
    Ok((input.to_string_lossy().into_owned(), format!("{stem}-release.{ending}")))
}

/// A string of TOML.
fn string(text: &str) -> String {
    // Strings of JSON are basic strings of TOML, with the same escapes.
    serde_json::Value::from(text).to_string()
}
