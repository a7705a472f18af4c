//! The folder of a comparison: one file for each cell that is done, so that a run can be resumed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Cell, Comparison, Grid, Row, Weights, plots};
use crate::error::Advice;
use crate::io::{Inputs, Output, Source};
use crate::job::Job;
use crate::progress::Progress;
use crate::{Error, Result, file};

/// The file that identifies the grid of a folder.
const GRID: &str = "grid.json";
/// The folder of the files of cells.
const CELLS: &str = "cells";
/// The results besides the charts. The page is last, because its presence shows a reader that the
/// folder is complete.
const RESULTS: [&str; 4] = ["grid.toml", "cells.csv", "cells.json", "index.html"];

/// A folder for the results of a grid.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
    force: bool,
}

/// The input, grid and version of a folder. Others give other results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Identity {
    /// Version of the format.
    schema: u32,
    /// Version of hedgerow.
    hedgerow: String,
    /// SHA-256 digest of the input, which can be a table in memory.
    input: String,
    /// The grid as a grid file, without weights and paths of the input and of outputs.
    grid: String,
}

/// A result with the name that it is kept under.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    key: String,
    row: Row,
}

/// A folder in use, with the key of each cell.
#[derive(Debug)]
pub(super) struct Begun {
    path: PathBuf,
    own: Identity,
    /// Whether the folder has, or may have, results of another grid.
    has_others: bool,
    keys: BTreeMap<usize, String>,
}

impl Folder {
    /// Checks a folder. It must be new, empty, or of an earlier comparison; none of `inputs` may be
    /// in it. With `force`, it may be that of another grid.
    ///
    /// # Errors
    ///
    /// [`Error::File`] if it is something else.
    pub fn open(path: &Path, force: bool, inputs: &Inputs) -> Result<Self> {
        let folder = Self { path: path.to_owned(), force };
        // Checked before hours of work, not when the first file is written.
        if path.exists() && !path.is_dir() {
            let advice = [Advice::words("choose another name")];
            return Err(Error::file(path, "this is not a folder").advise(advice));
        }
        let mut entries = std::fs::read_dir(path).into_iter().flatten();
        // A folder that is not ours is never written to, not even with `force`.
        if entries.next().is_some() && !path.join(GRID).is_file() {
            let problem = "the folder is not empty, and it is not that of a comparison";
            return Err(Error::file(path, problem).advise([Advice::words("choose another name")]));
        }
        let mut names = RESULTS.iter().chain([&GRID]);
        // An input inside the folder could have the name of a result and be overwritten by it.
        names.try_for_each(|name| inputs.check(&path.join(name)))?;
        Ok(folder)
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns an error if the folder belongs to another grid or input. Nothing is written yet.
    pub(super) fn begin(
        &self,
        grid: &Grid,
        cells: &[Cell],
        source: &Source,
        progress: &dyn Progress,
    ) -> Result<Begun> {
        let own = Identity::of(grid, source, progress)?;
        let digests = Digests::of(grid, &own)?;
        let keys: BTreeMap<usize, String> =
            cells.iter().map(|cell| (cell.number, digests.key(cell, grid))).collect();
        let found = read::<Identity>(&self.path.join(GRID));
        // A folder without a legible identity is treated as new: its cells have keys of their own.
        let has_others = found.as_ref() != Some(&own);
        if let Some(found) = found.filter(|_| has_others && !self.force) {
            return Err(Error::file(&self.path, own.difference(&found))
                .advise([Advice::words("choose another name"), Advice::Overwrite]));
        }
        Ok(Begun { path: self.path.clone(), own, has_others, keys })
    }

    /// Writes the results: `cells.csv`, `cells.json`, the charts, and the page `index.html`. Each
    /// file appears whole.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if a file cannot be written.
    pub fn write(&self, grid: &Grid, comparison: &Comparison) -> Result<()> {
        let put = |name: &str, text: &str| write(&self.path.join(name), text);
        let [of_grid, csv, json, page] = RESULTS;
        // Absolute, because the file would otherwise mean other inputs than the run had.
        put(of_grid, &grid.absolute().to_toml())?;
        put(csv, &comparison.csv())?;
        put(json, &comparison.json())?;
        for (name, chart) in comparison.charts() {
            put(&format!("{name}.svg"), &chart.standalone())?;
        }
        put(page, &comparison.page(grid))
    }
}

impl Identity {
    fn of(grid: &Grid, source: &Source, progress: &dyn Progress) -> Result<Self> {
        Ok(Self {
            schema: Comparison::SCHEMA,
            hedgerow: env!("CARGO_PKG_VERSION").to_owned(),
            input: source.identity(progress)?,
            grid: plain(grid).to_toml(),
        })
    }

    /// Describes the differences from the identity of a folder.
    fn difference(&self, found: &Self) -> String {
        // The most general difference is named first: another version explains any other
        // difference.
        if found.hedgerow != self.hedgerow || found.schema != self.schema {
            let version = &found.hedgerow;
            return format!("the folder has results of hedgerow {version}, which may differ");
        }
        if found.input != self.input {
            return "the folder has results of another table".to_owned();
        }
        // Both grids as sets of lines, so that only keys with different values are named.
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<String>>();
        let (own, other) = (lines(&self.grid), lines(&found.grid));
        let list = |lines: Vec<&String>| {
            // Three lines are enough to recognize a grid, and fit a message.
            let first: Vec<String> = lines.into_iter().take(3).cloned().collect();
            if first.is_empty() { "nothing of this".to_owned() } else { first.join(", ") }
        };
        format!(
            "the folder has results of another grid: it has {}, but {} is asked for",
            list(other.difference(&own).collect()),
            list(own.difference(&other).collect())
        )
    }
}

/// A grid without settings that do not change the results of cells.
fn plain(grid: &Grid) -> Grid {
    let base = Job {
        // The digest identifies the input, so a file that was moved keeps its results.
        input: PathBuf::new(),
        output: PathBuf::new(),
        trace: None,
        classes: None,
        recipe: None,
        hierarchies: None,
        report: None,
        report_public: None,
        force: false,
        threads: 0,
        ..grid.base.clone()
    };
    Grid { base, weights: Weights::default(), output: None, ..grid.clone() }
}

/// The digests of everything that cells read.
struct Digests {
    input: String,
    version: String,
    /// The digests of the files that all cells read.
    common: String,
    /// For each setting of hierarchies, as text.
    settings: BTreeMap<String, String>,
}

impl Digests {
    fn of(grid: &Grid, own: &Identity) -> Result<Self> {
        let mut settings = BTreeMap::new();
        for setting in &grid.hierarchies {
            settings.insert(setting.to_string(), of_files(&setting.files(&grid.base.quasi)?)?);
        }
        let (input, version) = (own.input.clone(), format!("{} {}", own.schema, own.hedgerow));
        // Files are part of the key by content: a hierarchy that was edited must not give old
        // results.
        let common = of_files(&grid.files())?;
        Ok(Self { input, version, common, settings })
    }

    /// The key of a cell: a digest of its job, its files, the input and the version.
    fn key(&self, cell: &Cell, grid: &Grid) -> String {
        // The job of the cell alone, so that a larger grid finds the cells of a smaller one.
        let job = cell.job(&plain(grid).base).to_toml();
        let setting = cell.hierarchies.to_string();
        let files = self.settings.get(&setting).map_or("", String::as_str);
        let repeat = grid.repeat.to_string();
        let mut digest = Sha256::new();
        for part in
            [&self.version, &self.input, &self.common, &job, &setting, files, repeat.as_str()]
        {
            // Lengths keep the parts apart.
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part.as_bytes());
        }
        // 128 bits identify a cell, and keep file names short.
        file::hex(&digest.finalize()[..16])
    }
}

/// The digests of files and directories, one after the other.
fn of_files(paths: &[PathBuf]) -> Result<String> {
    Ok(paths.iter().map(|path| digest(path)).collect::<Result<Vec<_>>>()?.join(" "))
}

/// The digest of a file, or of all files of a directory; empty if there is neither.
fn digest(path: &Path) -> Result<String> {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).map_err(Error::io("read", path))?;
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|path| path.is_file());
        files.sort();
        return of_files(&files);
    }
    // A file that does not exist makes cells impossible, with a better message than this one.
    if path.is_file() { file::sha256(path) } else { Ok(String::new()) }
}

impl Begun {
    /// Creates the folder, and removes the results of another grid.
    pub(super) fn create(&self) -> Result<()> {
        let folder = self.path.join(CELLS);
        std::fs::create_dir_all(&folder).map_err(Error::io("write", &folder))?;
        if self.has_others {
            self.remove_others(&folder)?;
        }
        // Before any cell, so that a run that is stopped leaves a folder that can be resumed.
        write(&self.path.join(GRID), &json(&self.own))
    }

    fn file(&self, key: &str) -> PathBuf {
        self.path.join(CELLS).join(format!("{key}.json"))
    }

    /// The result of a cell that is done. A file that cannot be read counts as absent.
    pub(super) fn kept(&self, cell: &Cell) -> Option<Row> {
        let key = self.keys.get(&cell.number)?;
        let kept: Kept = read(&self.file(key))?;
        // The same combination can have another number in a larger grid.
        (kept.key == *key).then_some(Row { cell: cell.number, ..kept.row })
    }

    /// Keeps the result of a cell.
    pub(super) fn keep(&self, cell: &Cell, row: &Row) -> Result<()> {
        let Some(key) = self.keys.get(&cell.number) else { return Ok(()) };
        write(&self.file(key), &json(&Kept { key: key.clone(), row: row.clone() }))
    }

    /// Removes the results of another grid, of which only files that a comparison writes.
    fn remove_others(&self, folder: &Path) -> Result<()> {
        let own: BTreeSet<PathBuf> = self.keys.values().map(|key| self.file(key)).collect();
        let is_cell = |path: &Path| path.extension().is_some_and(|ending| ending == "json");
        remove(folder, |path| is_cell(path) && !own.contains(path))?;
        // A page of the other grid would suggest that this one is done.
        remove(&self.path, |path| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| RESULTS.contains(&name) || plots::is_chart(name))
        })
    }
}

/// Removes some of the files of a folder.
fn remove(folder: &Path, is_old: impl Fn(&Path) -> bool) -> Result<()> {
    let entries = std::fs::read_dir(folder).map_err(Error::io("read", folder))?;
    let mut old = entries.flatten().map(|entry| entry.path()).filter(|path| is_old(path));
    old.try_for_each(|path| std::fs::remove_file(&path).map_err(Error::io("write", &path)))
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Option<T> {
    serde_json::from_slice(&file::read(path).ok()?).ok()
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

fn write(path: &Path, text: &str) -> Result<()> {
    // Renamed to its name when whole: a kill in between leaves the old file or none.
    Output::create(path, true, &Inputs::of([""; 0]))?.finish_with(text.as_bytes())
}
