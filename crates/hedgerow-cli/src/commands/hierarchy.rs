//! `hedgerow hierarchy`: builds, shows, converts and checks hierarchies.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use hedgerow::auto::{Auto, Choice, USUAL_K};
use hedgerow::hierarchy::format::{self, Format};
use hedgerow::hierarchy::lint::{self, Finding, Severity};
use hedgerow::hierarchy::{self, Generalization, Hierarchy, draw};
use hedgerow::io::{Output, ReadOptions};
use hedgerow::method::Spec;
use hedgerow::noun::counted;
use hedgerow::progress::Silent;
use hedgerow::table::{MissingPolicy, Table};

use super::candidates;
use crate::Verdict;
use crate::args::{CheckArgs, HierarchyArgs, HierarchyCommand, ReadArgs, ShowFormat};
use crate::console::{self, Console};

pub(crate) fn run(args: &HierarchyArgs) -> Result<Verdict> {
    match &args.command {
        HierarchyCommand::Build { table, column, method, k, output, force, lossy, read } => {
            let format = output.as_deref().map(Format::of_path).transpose()?;
            let table = read_column(table, column, read)?;
            let built = build(&table, method, *k)?;
            if let (Generalization::Levels(levels), None) = (&built, output) {
                console::print(&draw::levels(levels))?;
                return Ok(Verdict::Fine);
            }
            let tree = hierarchy::tree_of(built)?;
            if let Some(doubts) = hierarchy::doubts(&tree) {
                console::note(&format!("{doubts}; say what is meant with wordnet:senses=FILE"));
            }
            match output.as_deref().zip(format) {
                Some((path, format)) => save(&tree, path, format, (*force, *lossy))?,
                None => console::print(&draw::text(&tree, None))?,
            }
        }
        HierarchyCommand::Candidates(args) => candidates::run(args)?,
        HierarchyCommand::Show { file, format, from, depth, column } => {
            let from = from.as_deref().map(Format::named).transpose()?;
            let tree = format::read_file(file, column.as_deref(), from)?;
            console::print(&shown(&tree, *format, *depth)?)?;
        }
        HierarchyCommand::Convert { input, output, from, to, column, force, lossy } => {
            let from = from.as_deref().map(Format::named).transpose()?;
            let to = match to.as_deref() {
                Some(name) => Format::named(name)?,
                None => Format::of_path(output)?,
            };
            let tree = format::read_file(input, column.as_deref(), from)?;
            save(&tree, output, to, (*force, *lossy))?;
        }
        HierarchyCommand::Check(args) => return check(args),
        HierarchyCommand::Rank(args) => return super::rank::run(args),
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
    let asked = BTreeMap::from([(column.name.clone(), method.clone())]);
    let mut choices = auto.choose(table, &asked, &Silent)?;
    let Choice { generalization, why } = choices.swap_remove(0);
    let why = why.unwrap_or_default();
    console::note(&format!("auto: {}, {why}, for k = {}", generalization.method(), auto.k));
    Ok(generalization)
}

pub(super) fn read_column(path: &Path, column: &str, read: &ReadArgs) -> Result<Table> {
    read_with(path, column, read, MissingPolicy::Own)
}

/// Reads a column in which a missing value means this.
pub(super) fn read_with(
    path: &Path,
    column: &str,
    read: &ReadArgs,
    missing: MissingPolicy,
) -> Result<Table> {
    let source = read.file.open(path)?;
    let options = ReadOptions {
        encoding: read.encoding(missing)?,
        threads: read.file.threads(),
        ..ReadOptions::default()
    };
    let console = Console::new(false);
    let table = source.read(&[column.to_owned()], &options, &console)?;
    drop(console.seconds());
    Ok(table)
}

/// Writes a hierarchy; `force` replaces a file that exists, `lossy` lets labels change.
fn save(
    tree: &Hierarchy,
    path: &Path,
    format: &Format,
    (force, lossy): (bool, bool),
) -> Result<()> {
    let output = Output::create(path, force)?;
    let encoded = format.encode(tree, lossy)?;
    output.write_all(&encoded.bytes)?;
    for change in encoded.changes {
        console::note(&format!("{}: {change}", path.display()));
    }
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
        ShowFormat::Xml => written("xml"),
    }
}

fn check(args: &CheckArgs) -> Result<Verdict> {
    let from = args.from.as_deref().map(Format::named).transpose()?;
    let (draft, format) = format::read_draft(&args.file, args.column.as_deref(), from)?;
    let table = args.table.as_deref().zip(args.column.as_deref());
    let table = table.map(|(table, column)| read_column(table, column, &args.read)).transpose()?;
    let column = table.as_ref().map(|table| &table.columns()[0]);
    let draft = match column {
        Some(column) => draft.for_values(&column.domain),
        None => draft,
    };
    let findings = lint::check(&draft, column);
    let mut out = String::new();
    list(&mut out, &findings);
    let size = draft.assemble().map_or_else(
        |_| "no tree".to_owned(),
        |tree| {
            let (n_leaves, n_nodes, height) = (tree.n_leaves(), tree.len(), tree.height());
            let (values, nodes) = (counted(n_leaves, "value"), counted(n_nodes, "node"));
            format!("{values}, {nodes}, height {height}")
        },
    );
    let _ = writeln!(out, "{}: {size}; findings: {}", args.file.display(), findings.len());
    let Some(path) = &args.fix else {
        console::print(&out)?;
        return Ok(verdict(&findings));
    };
    let (fixed, changes) = lint::fix(&draft, column);
    for change in &changes {
        let _ = writeln!(out, "fixed: {change}");
    }
    let left = lint::check(&fixed, column);
    list(&mut out, &left);
    let _ = writeln!(
        out,
        "{}: changes: {}; findings that are left: {}",
        path.display(),
        changes.len(),
        left.len()
    );
    console::print(&out)?;
    match fixed.assemble() {
        Ok(tree) => {
            // The input's own format, unless the ending of the output speaks against it.
            let has_ending = path.extension().is_none_or(|ending| ending == format.extension);
            let format = if has_ending { format } else { Format::of_path(path)? };
            save(&tree, path, format, (args.force, args.lossy))?;
        }
        Err(_) => console::note(&format!("{} is not written: it is no tree yet", path.display())),
    }
    Ok(verdict(&left))
}

fn list(out: &mut String, findings: &[Finding]) {
    for finding in findings {
        let severity = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let _ = writeln!(out, "{severity}: {finding}");
    }
}

fn verdict(findings: &[Finding]) -> Verdict {
    let is_sound = findings.iter().all(|finding| finding.severity != Severity::Error);
    if is_sound { Verdict::Fine } else { Verdict::Violation }
}
