//! `hedgerow hierarchy`: builds, shows, converts and checks hierarchies.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;
use hedgerow::auto::{Auto, Choice, USUAL_K};
use hedgerow::builder;
use hedgerow::edit::{History, Script};
use hedgerow::format::{
    self, Draft, Format, draw,
    lint::{self, Finding, Severity},
};
use hedgerow::hierarchy::{self, Generalization, Hierarchy, Levels, Node};
use hedgerow::io::{Inputs, Output, ReadOptions};
use hedgerow::method::Spec;
use hedgerow::noun::counted;
use hedgerow::registry::Registry;
use hedgerow::table::{Column, Columns, MissingPolicy, Table};

use super::candidates;
use crate::Verdict;
use crate::advice;
use crate::args::{CheckArgs, EditArgs, HierarchyArgs, HierarchyCommand, ReadArgs, ShowFormat};
use crate::console::{self, Console};

pub(crate) fn run(args: &HierarchyArgs) -> Result<Verdict> {
    match &args.command {
        HierarchyCommand::Build {
            table,
            column,
            method,
            k,
            output,
            force,
            read,
            walk: true,
            ..
        } => {
            let inputs = Inputs::of([table]);
            let begin = |path: &PathBuf| -> Result<Output> {
                let output = Output::create(path, *force, &inputs)?;
                is_drawing(path)?;
                Ok(output)
            };
            let output = output.as_ref().map(begin).transpose()?;
            let table = read_column(table, column, read)?;
            show_walk(&builder::walked(method, &table.columns()[0], *k)?, output)?;
        }
        HierarchyCommand::Build {
            table, column, method, k, output, force, lossy, read, ..
        } => {
            let inputs = Inputs::of([table]).and_of(Registry::Hierarchy, [method]);
            let begin = |path: &PathBuf| -> Result<Saving> {
                let format = Format::of_path(path)?;
                Ok(Saving { output: Output::create(path, *force, &inputs)?, format, lossy: *lossy })
            };
            // The output is started before the table is read, so that a bad path fails early.
            let saving = output.as_ref().map(begin).transpose()?;
            let table = read_column(table, column, read)?;
            show_or_save(build(&table, method, *k)?, saving)?;
        }
        HierarchyCommand::Candidates(args) => return candidates::run(args),
        HierarchyCommand::Show { file, format, from, depth, column } => {
            let from = from.as_deref().map(Format::named).transpose()?;
            let text = match format::read_any(file, column.as_deref(), from)? {
                Generalization::Levels(levels) => shown_levels(&levels, *format)?,
                read => shown(&hierarchy::tree_of(read)?, *format, *depth)?,
            };
            console::print(&text)?;
        }
        HierarchyCommand::Convert { input, output, from, to, column, force, lossy } => {
            let from = from.as_deref().map(Format::named).transpose()?;
            let to = match to.as_deref() {
                Some(name) => Format::named(name)?,
                None => Format::of_path(output)?,
            };
            let output = Output::create(output, *force, &Inputs::of([input]))?;
            let tree = format::read_file(input, column.as_deref(), from)?;
            Saving { output, format: to, lossy: *lossy }.save(&tree)?;
        }
        HierarchyCommand::Edit(args) => edit(args)?,
        HierarchyCommand::Check(args) => return check(args),
        HierarchyCommand::Rank(args) => return super::rank::run(args),
    }
    Ok(Verdict::Fine)
}

/// Applies the edits of a script, and writes or prints the hierarchy.
fn edit(args: &EditArgs) -> Result<()> {
    // Read before the output is started, because its methods can name more files that are read.
    let mut script = Script::read(&args.script)?;
    let n_edits = script.edits.len();
    if args.undo > n_edits {
        let has = counted(n_edits, "edit");
        anyhow::bail!("{} has {has}, so {} cannot be left out", args.script.display(), args.undo);
    }
    script.edits.truncate(n_edits - args.undo);
    let inputs = Inputs::of([&args.file, &args.script]).and(script.paths());
    let begin = |path: &PathBuf| -> Result<Saving> {
        let format = Format::of_path(path)?;
        Ok(Saving { output: Output::create(path, args.force, &inputs)?, format, lossy: args.lossy })
    };
    let saving = args.output.as_ref().map(begin).transpose()?;
    let from = args.from.as_deref().map(Format::named).transpose()?;
    let tree = format::read_file(&args.file, args.column.as_deref(), from)?;
    let edited = History::replay(tree, &script).map_err(|error| error.in_file(&args.script))?;
    match saving {
        Some(saving) => saving.save(edited.tree()),
        None => Ok(console::print(&draw::text(edited.tree(), None))?),
    }
}

/// Writes the tree that a method walks: a drawing to a file ending in .svg, otherwise text.
fn show_walk(walked: &builder::Walked, output: Option<Output>) -> Result<()> {
    let Some(output) = output else { return Ok(console::print(&walked.text())?) };
    let text = if is_drawing(output.path())? {
        walked.drawing().svg().standalone()
    } else {
        walked.text()
    };
    Ok(output.finish_with(text.as_bytes())?)
}

/// Whether a walk is drawn in a file rather than written as text, as its extension decides.
fn is_drawing(path: &Path) -> Result<bool> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match ending.as_str() {
        "svg" => Ok(true),
        "" | "txt" => Ok(false),
        // A walk in a .json file would be read as the hierarchy of its sets.
        _ => anyhow::bail!(hedgerow::Error::file(
            path,
            "a walk can be written as text (.txt) or drawn (.svg); without --walk, the hierarchy of its \
             sets is written"
        )),
    }
}

/// Writes the hierarchy to a file, or prints it if no file is given.
fn show_or_save(built: Generalization, saving: Option<Saving>) -> Result<()> {
    // Levels that are not nested fit into one format only.
    if let Generalization::Levels(levels) = &built {
        match saving {
            None => return Ok(console::print(&draw::levels(levels))?),
            // hedgerow's own format is the only one with levels that are not nested.
            Some(saving) if saving.format.name == "json" => {
                return Ok(saving.output.finish_with(format::write_levels(levels)?.as_bytes())?);
            }
            Some(_) => {}
        }
    }
    let tree = hierarchy::tree_of(built)?;
    for doubt in builder::doubts(&tree) {
        console::note(&doubt.message(&advice::spell));
    }
    match saving {
        Some(saving) => saving.save(&tree),
        None => Ok(console::print(&draw::text(&tree, None))?),
    }
}

/// Builds a hierarchy with the given method. `auto` tries the methods that fit the column, and the
/// reason for its choice is printed.
fn build(table: &Table, method: &Spec, k: Option<u64>) -> Result<Generalization> {
    let column = &table.columns()[0];
    if method.name != "auto" {
        return Ok(builder::build(method, column, k)?);
    }
    // `free` has no tree to show or save.
    let auto = Auto { k: k.unwrap_or(USUAL_K), seed: 0, needs_levels: true };
    let asked = BTreeMap::from([(column.name.clone(), method.clone().into())]);
    let console = Console::new(false);
    let mut choices = auto.choose(table, &asked, &console)?;
    drop(console.seconds());
    let Choice { generalization, why, .. } = choices.swap_remove(0);
    // Doubts about the meanings of words are printed together with the tree.
    let has_doubts =
        generalization.hierarchy().is_some_and(|tree| !builder::doubts(tree).is_empty());
    let why = why.filter(|_| !has_doubts).map_or_else(String::new, |why| format!(": {why}"));
    console::note(&format!("auto chose {} for k = {}{why}", generalization.method(), auto.k));
    Ok(generalization)
}

pub(super) fn read_column(path: &Path, column: &str, read: &ReadArgs) -> Result<Table> {
    read_with(path, column, read, MissingPolicy::Own)
}

/// Reads one column, with the given policy for missing values.
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
    let table = source.read(&Columns::quasi(&[column]), &options, &console)?;
    drop(console.seconds());
    console::note_reading(&source, &table.notes());
    console::note_doubts(&table);
    Ok(table)
}

/// Output file of a hierarchy, and its format.
struct Saving {
    output: Output,
    format: &'static Format,
    /// Allows changing labels that the format cannot represent.
    lossy: bool,
}

impl Saving {
    fn save(self, tree: &Hierarchy) -> Result<()> {
        let Self { output, format, lossy } = self;
        let path = output.path().display().to_string();
        // Encoded and read back before the file is written, so a format that cannot hold the tree
        // leaves no file.
        let encoded = format.encode(tree, lossy)?;
        output.finish_with(&encoded.bytes)?;
        for change in encoded.changes {
            console::note(&format!("{path}: {change}"));
        }
        // Counts and the method are lost in most formats; a tree without them loses nothing.
        let has_more = tree.count(Node::ROOT) > 0 || tree.builder().is_some();
        if let Some(lost) = format.item.leaves_out.filter(|_| has_more) {
            console::note(&format!("{path} does not contain {lost}; a .json file does"));
        }
        Ok(())
    }
}

/// Formats levels that are not nested; formats of trees cannot hold them.
fn shown_levels(levels: &Levels, format: ShowFormat) -> Result<String> {
    match format {
        ShowFormat::Tree => Ok(draw::levels(levels)),
        ShowFormat::Json => Ok(format::write_levels(levels)?),
        ShowFormat::Svg | ShowFormat::Icicle => Ok(draw::level_icicle(levels).svg().standalone()),
        ShowFormat::Dot | ShowFormat::Csv | ShowFormat::Xml => {
            let tree = hierarchy::tree_of(Generalization::Levels(levels.clone().into()))?;
            shown(&tree, format, None)
        }
    }
}

fn shown(tree: &Hierarchy, format: ShowFormat, depth: Option<u32>) -> Result<String> {
    let written = |name: &str| -> Result<String> {
        let mut bytes = Vec::new();
        (Format::named(name)?.item.write)(tree, &mut bytes)?;
        Ok(String::from_utf8(bytes)?)
    };
    match format {
        ShowFormat::Tree => Ok(draw::text(tree, depth)),
        ShowFormat::Dot => Ok(draw::dot(tree, depth)),
        ShowFormat::Svg => Ok(draw::svg(tree).standalone()),
        ShowFormat::Icicle => Ok(draw::icicle(tree, |_| 0.25).svg().standalone()),
        ShowFormat::Csv => written("arx"),
        ShowFormat::Json => written("json"),
        ShowFormat::Xml => written("xml"),
    }
}

fn check(args: &CheckArgs) -> Result<Verdict> {
    let inputs = Inputs::of([&args.file]).and(&args.table);
    let create = |path: &PathBuf| Output::create(path, args.force, &inputs);
    let output = args.fix.as_ref().map(create).transpose()?;
    let from = args.from.as_deref().map(Format::named).transpose()?;
    let (draft, format) = format::read_draft(&args.file, args.column.as_deref(), from)?;
    let table = (args.table.as_deref().zip(args.column.as_deref()))
        .map(|(table, column)| read_column(table, column, &args.read))
        .transpose()?;
    let column = table.as_ref().map(|table| &table.columns()[0]);
    // Values of the column decide which names of leaves are meant.
    let draft = match column {
        Some(column) => draft.for_values(&column.domain),
        None => draft,
    };
    let findings = lint::check(&draft, column);
    let mut out = String::new();
    list(&mut out, &findings);
    // A faulty file may not be a tree at all; its findings are still worth listing.
    let size = draft.assemble().map_or_else(
        |_| "not a tree".to_owned(),
        |tree| {
            let (n_leaves, n_nodes, height) = (tree.n_leaves(), tree.len(), tree.height());
            let (values, nodes) = (counted(n_leaves, "value"), counted(n_nodes, "node"));
            format!("{values}, {nodes}, height {height}")
        },
    );
    let _ = writeln!(out, "{}: {size}; findings: {}", args.file.display(), findings.len());
    let Some(output) = output else {
        console::print(&out)?;
        return Ok(verdict(&findings));
    };
    // The input's own format, unless the output has the extension of another.
    let path = output.path();
    let has_ending = path.extension().is_none_or(|ending| ending == format.item.extension);
    let format = if has_ending { format } else { Format::of_path(path)? };
    let saving = Saving { output, format, lossy: args.lossy };
    let left = fix(&draft, column, saving, &mut out)?;
    Ok(verdict(&left))
}

/// Repairs a draft, reports the changes, and returns the remaining findings.
fn fix(
    draft: &Draft,
    column: Option<&Column>,
    saving: Saving,
    out: &mut String,
) -> Result<Vec<Finding>> {
    let path = saving.output.path().display().to_string();
    // Only mistakes with one obvious repair are changed; the rest is listed again below.
    let (fixed, changes) = lint::fix(draft, column);
    for change in &changes {
        let _ = writeln!(out, "fixed: {change}");
    }
    // The repaired draft is checked again: a repair can uncover another fault.
    let left = lint::check(&fixed, column);
    list(out, &left);
    let (n_changes, n_left) = (changes.len(), left.len());
    let _ = writeln!(out, "{path}: changes: {n_changes}; remaining findings: {n_left}");
    match fixed.assemble() {
        Ok(tree) => {
            saving.save(&tree)?;
            console::report(out);
        }
        Err(_) => {
            console::print(out)?;
            console::note(&format!("{path} is not written, because it is not a tree yet"));
        }
    }
    Ok(left)
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
    // Warnings do not fail a check, so that it can guard a build.
    let is_sound = findings.iter().all(|finding| finding.severity != Severity::Error);
    if is_sound { Verdict::Fine } else { Verdict::Violation }
}
