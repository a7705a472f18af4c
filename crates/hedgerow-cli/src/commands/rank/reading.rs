//! Reading the candidates of one or several columns.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use hedgerow::Error;
use hedgerow::builder::{Constructed, Wordnet};
use hedgerow::error::Advice;
use hedgerow::format;
use hedgerow::hierarchy::Hierarchy;
use hedgerow::knowledge::WORDNET;
use hedgerow::noun::counted;
use hedgerow::table::{self, MissingPolicy, Table};

use crate::args::{RankArgs, SourceArgs};
use crate::commands::hierarchy;
use crate::console;

/// A column with the hierarchies to compare.
pub(super) struct Column {
    pub(super) table: Table,
    pub(super) trees: Vec<Hierarchy>,
    pub(super) names: Vec<String>,
}

/// Reads the columns and their candidates.
pub(super) fn columns(args: &RankArgs, files: &[PathBuf]) -> Result<Vec<Column>> {
    let of_columns = assigned(&args.columns, files)?;
    let columns = args.columns.iter().zip(of_columns);
    columns.map(|(column, files)| read_column(args, column, &files)).collect()
}

/// Returns the files of each column. If there are several columns, a file belongs to the one it
/// names or, if it names none, the one that it is named after.
fn assigned(columns: &[String], files: &[PathBuf]) -> Result<Vec<Vec<PathBuf>>> {
    // With one column every file is about it, whatever name it has inside.
    if let [_] = columns {
        return Ok(vec![files.to_vec()]);
    }
    let mut of_columns = vec![Vec::new(); columns.len()];
    for path in files {
        let (draft, _) = format::read_draft(path, None, None)?;
        let attribute = draft.attribute();
        let Some(place) = columns.iter().position(|column| column == attribute) else {
            let problem = format!(
                "the hierarchy is that of '{attribute}', which is not one of the columns {}",
                columns.join(", ")
            );
            let words = "name its column, or name the file after it";
            return Err(Error::file(path, problem).advise([Advice::words(words)]).into());
        };
        of_columns[place].push(path.clone());
    }
    // A column without candidates would be missing from the result without a word.
    if let Some(place) = of_columns.iter().position(Vec::is_empty) {
        let advice = Advice::words("name its files, or leave the column out");
        let problem = "none of the hierarchies is one of this column";
        return Err(Error::column(&columns[place], problem).advise([advice]).into());
    }
    Ok(of_columns)
}

fn read_column(args: &RankArgs, column: &str, files: &[PathBuf]) -> Result<Column> {
    // Records without a value have no place in a candidate.
    let table = hierarchy::read_with(&args.table, column, &args.read, MissingPolicy::Drop)?;
    let column = &table.columns()[0];
    if column.domain.is_empty() {
        return Err(Error::column(&column.name, "the column has no values").into());
    }
    let trees: Vec<Hierarchy> =
        files.iter().map(|path| read(path, args, column)).collect::<Result<_>>()?;
    let n_left_out = table.n_rows() - table.cohorts().n_records();
    if n_left_out > 0 {
        let records = counted(n_left_out, "record");
        console::note(&format!("{records} left out because {} is missing", column.name));
    }
    Ok(Column { names: names(files), trees, table })
}

/// Returns the given files; a directory is replaced by its `.json` files, ordered by name.
pub(super) fn files(asked: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in asked {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).map_err(Error::io("read", path))?;
        let mut inside: Vec<PathBuf> = entries
            .map(|entry| Ok(entry.map_err(Error::io("read", path))?.path()))
            .collect::<Result<_>>()?;
        inside.retain(|path| {
            path.extension().is_some_and(|ending| ending == "json")
                && path.file_name().is_some_and(|name| name != Constructed::INDEX)
        });
        if inside.is_empty() {
            let problem = "the folder has no hierarchy file that ends in .json";
            let advice = Advice::words("name the files themselves");
            return Err(Error::file(path, problem).advise([advice]).into());
        }
        // A folder is listed in no particular order, and ties keep the order of files.
        inside.sort();
        files.append(&mut inside);
    }
    Ok(files)
}

/// Reads a candidate. It must contain every value of the column, and its concepts must come from
/// the same source.
fn read(path: &Path, args: &RankArgs, column: &table::Column) -> Result<Hierarchy> {
    let tree = format::read_file_of(path, column)?;
    let bound = tree.ground().bind(&column.domain);
    bound.map_err(|error| error.in_file(path))?;
    // A candidate built from other concepts cannot be compared by those of WordNet.
    if let Some(method) = tree.builder().filter(|method| method.name == "wordnet") {
        let recorded: Wordnet = method.read()?;
        let lacking = lacking_flags(&recorded, args);
        if !lacking.is_empty() {
            let sources = method.parameters.iter().filter(|(name, _)| lacking.contains(*name));
            let of: Vec<&str> = sources.filter_map(|(_, value)| value.as_str()).collect();
            let problem = format!("its concepts are those of {}", of.join(", "));
            let words = format!("name them with{lacking}");
            return Err(Error::file(path, problem).advise([Advice::words(words)]).into());
        }
    }
    Ok(tree)
}

/// Returns the flags for the sources that a tree was built from but that the call does not name.
fn lacking_flags(recorded: &Wordnet, args: &RankArgs) -> String {
    let name = |path: &PathBuf| path.file_name().map(ToOwned::to_owned);
    let is_given = |source: &PathBuf| {
        // By name without folders, because a candidate may have been built elsewhere.
        args.source.knowledge.iter().any(|given| name(given) == name(source))
            || (args.source.knowledge.is_empty() && source == Path::new(WORDNET))
    };
    let sources = recorded.sources();
    let knowledge = if sources.iter().all(is_given) { Vec::new() } else { sources };
    let wordnet = recorded.wordnet.clone().filter(|_| args.source.wordnet.is_none());
    SourceArgs { wordnet, knowledge }.flags()
}

/// Returns the names of files; files with equal names are shown with their folders.
fn names(files: &[PathBuf]) -> Vec<String> {
    let short = |path: &PathBuf| {
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    files.iter().for_each(|path| *counts.entry(short(path)).or_default() += 1);
    let name = |path: &PathBuf| match short(path) {
        name if counts[&name] == 1 => name,
        _ => path.display().to_string(),
    };
    files.iter().map(name).collect()
}
