//! `hedgerow hierarchy`: builds, shows, converts and checks hierarchies.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use anyhow::{Context, Result};
use hedgerow::auto::{Auto, Choice, USUAL_K};
use hedgerow::hierarchy::format::{self, Format};
use hedgerow::hierarchy::lint::{self, Severity};
use hedgerow::hierarchy::{self, Generalization, Hierarchy, draw};
use hedgerow::io::{Output, ReadOptions, Source};
use hedgerow::method::Spec;
use hedgerow::progress::Silent;
use hedgerow::table::{MissingPolicy, Table};

use crate::Verdict;
use crate::args::{HierarchyArgs, HierarchyCommand, ReadArgs, ShowFormat};
use crate::console::{self, Console};

pub(crate) fn run(args: &HierarchyArgs) -> Result<Verdict> {
    match &args.command {
        HierarchyCommand::Build { table, column, method, k, output, force, read } => {
            let format = output.as_deref().map(Format::of_path).transpose()?;
            let table = read_column(table, column, read)?;
            let built = build(&table, method, *k)?;
            if let (Generalization::Levels(levels), None) = (&built, output) {
                console::print(&draw::levels(levels))?;
                return Ok(Verdict::Fine);
            }
            let tree = hierarchy::tree_of(built)?;
            match output.as_deref().zip(format) {
                Some((path, format)) => save(&tree, path, format, *force)?,
                None => console::print(&draw::text(&tree, None))?,
            }
        }
        HierarchyCommand::Show { file, format, depth } => {
            let tree = format::read_file(file, None, None)?;
            console::print(&shown(&tree, *format, *depth)?)?;
        }
        HierarchyCommand::Convert { input, output, from, to, force } => {
            let from = from.as_deref().map(Format::named).transpose()?;
            let to = match to.as_deref() {
                Some(name) => Format::named(name)?,
                None => Format::of_path(output)?,
            };
            save(&format::read_file(input, None, from)?, output, to, *force)?;
        }
        HierarchyCommand::Check { file, table, column, read } => {
            let tree = format::read_file(file, column.as_deref(), None)?;
            let table = table.as_deref().zip(column.as_deref());
            let table =
                table.map(|(table, column)| read_column(table, column, read)).transpose()?;
            return check(&tree, file, table.as_ref());
        }
    }
    Ok(Verdict::Fine)
}

/// Builds what is asked for; `auto` tries what suits the column, and says why.
fn build(table: &Table, method: &Spec, k: Option<u64>) -> Result<Generalization> {
    let column = &table.columns()[0];
    if method.name != "auto" {
        return Ok(hierarchy::build(method, column, k)?);
    }
    let auto = Auto { k: k.unwrap_or(USUAL_K), seed: 0, needs_levels: true };
    let mut choices = auto.choose(table, &BTreeMap::new(), &Silent)?;
    let Choice { generalization, why } = choices.swap_remove(0);
    let why = why.unwrap_or_default();
    console::note(&format!("auto: {}, {why}, for k = {}", generalization.method(), auto.k));
    Ok(generalization)
}

fn read_column(path: &Path, column: &str, read: &ReadArgs) -> Result<Table> {
    let source = Source::open(path, read.file.delimiter()?)?;
    let options = ReadOptions {
        encoding: read.encoding(MissingPolicy::Own)?,
        keep_rows: false,
        threads: read.file.threads(),
    };
    let console = Console::new(false);
    let table = source.read(&[column.to_owned()], &options, &console)?;
    drop(console.seconds());
    Ok(table)
}

fn save(tree: &Hierarchy, path: &Path, format: &Format, force: bool) -> Result<()> {
    let mut output = Output::create(path, force)?;
    let mut buffered = BufWriter::new(&mut output);
    (format.write)(tree, &mut buffered)
        .and_then(|()| Ok(buffered.flush()?))
        .with_context(|| format!("cannot write {}", path.display()))?;
    drop(buffered);
    output.finish()?;
    let has_more = tree.count(0) > 0 || tree.builder().is_some();
    if let Some(lost) = format.leaves_out.filter(|_| has_more) {
        console::note(&format!("{} does not hold {lost}; .json does", path.display()));
    }
    Ok(())
}

fn shown(tree: &Hierarchy, format: ShowFormat, depth: Option<u32>) -> Result<String> {
    let written = |name: &str| -> Result<String> {
        let mut bytes = Vec::new();
        (Format::named(name)?.write)(tree, &mut bytes)?;
        Ok(String::from_utf8(bytes)?)
    };
    match format {
        ShowFormat::Tree => Ok(draw::text(tree, depth)),
        ShowFormat::Dot => Ok(draw::dot(tree, depth)),
        ShowFormat::Svg => Ok(draw::svg(tree)),
        ShowFormat::Csv => written("arx"),
        ShowFormat::Json => written("json"),
    }
}

fn check(tree: &Hierarchy, file: &Path, table: Option<&Table>) -> Result<Verdict> {
    let findings = lint::check(tree, table.map(|table| &table.columns()[0]))?;
    let mut out = String::new();
    for finding in &findings {
        let severity = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let _ = writeln!(out, "{severity}: {}", finding.message);
    }
    let _ = writeln!(
        out,
        "{}: {} values, {} nodes, height {}; findings: {}",
        file.display(),
        tree.n_leaves(),
        tree.len(),
        tree.height(),
        findings.len()
    );
    console::print(&out)?;
    let is_sound = findings.iter().all(|finding| finding.severity != Severity::Error);
    Ok(if is_sound { Verdict::Fine } else { Verdict::Violation })
}
