//! Projects of other tools: reads their roles, kinds and hierarchies, but never their data.

mod zip;
mod deid;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::format::{
    Format,
    lint::{self, Severity},
};
use crate::io::{OutputFolder, file_names, has_only};
use crate::noun::counted;
use crate::progress::{Progress, stop_if_cancelled};
use crate::schema::Role;
use crate::table::{DateFormat, Kind};
use crate::{Error, Result, file};

/// Name of the job file.
const JOB: &str = "job.toml";

/// The settings of a project.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Project {
    /// The columns in the order of the project.
    pub columns: Vec<Column>,
    /// The `k` of k-anonymity, if the project requires it.
    pub k: Option<u64>,
    /// Settings of the project that a job cannot express.
    pub left_out: Vec<String>,
}

/// The settings of a project for one column.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Column {
    /// Name of the column.
    pub name: String,
    /// Role of the column.
    pub role: Role,
    /// Kind of its values.
    pub kind: Option<Kind>,
    /// Format of its dates.
    pub dates: Option<DateFormat>,
    /// Its hierarchy, as the text of an ARX file.
    pub hierarchy: Option<String>,
}

/// A job without the options that the project does not have.
#[derive(Serialize)]
struct JobFile {
    input: &'static str,
    output: &'static str,
    quasi: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sensitive: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    identifier: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    keep: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<u64>,
    hierarchy: BTreeMap<String, String>,
    kind: BTreeMap<String, Kind>,
    #[serde(rename = "date-format", skip_serializing_if = "BTreeMap::is_empty")]
    date_format: BTreeMap<String, DateFormat>,
}

impl Project {
    /// Reads an ARX project, a `.deid` file.
    pub fn read(path: &Path) -> Result<Self> {
        let file = file::open(path)?;
        deid::read(file, path)
    }

    /// Writes a job file and a file for each hierarchy to a folder, which appears complete or not
    /// at all. With `force`, an existing folder is replaced if it contains only files with the same
    /// names. Returns the paths of the files and notes for the user.
    pub fn write(
        &self,
        directory: &Path,
        force: bool,
        progress: &dyn Progress,
    ) -> Result<(Vec<PathBuf>, Vec<String>)> {
        let mut notes = self.left_out.clone();
        let names = self.file_names();
        let mut written: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
        written.push(JOB);
        let is_written_anew = |folder: &Path| has_only(folder, &written);
        // Nothing is written before `finish`, so an error in a hierarchy leaves no folder behind.
        let mut folder = OutputFolder::create(directory, force, &is_written_anew)?;
        for (column, name) in self.columns.iter().zip(&names) {
            let Some((name, text)) = name.as_ref().zip(column.hierarchy.as_ref()) else { continue };
            stop_if_cancelled(progress)?;
            folder.write(name, text.clone().into_bytes());
            notes.extend(faults(name, text, &column.name)?);
        }
        if self.k.is_none() {
            notes.push(format!("the project does not state k; add it to {JOB}"));
        }
        folder.write(JOB, self.job(&names)?.into_bytes());
        folder.finish(progress)?;
        Ok((written.iter().map(|name| directory.join(name)).collect(), notes))
    }

    /// Returns the file name of each column's hierarchy.
    fn file_names(&self) -> Vec<Option<String>> {
        let columns = self.columns.iter();
        let with_file = columns.clone().filter(|column| column.hierarchy.is_some());
        let names: Vec<&str> = with_file.map(|column| column.name.as_str()).collect();
        let mut files = file_names(&names, "csv").into_iter();
        // `files` has one name for each column with a hierarchy, in order.
        columns.map(|column| column.hierarchy.as_ref().and_then(|_| files.next())).collect()
    }

    fn job(&self, names: &[Option<String>]) -> Result<String> {
        let with = |role: Role| {
            let columns = self.columns.iter().filter(|column| column.role == role);
            columns.map(|column| column.name.clone()).collect()
        };
        // In a job only quasi-identifiers have a hierarchy or a kind.
        let quasi = || {
            let columns = self.columns.iter().zip(names);
            columns.filter(|(column, _)| column.role == Role::Quasi)
        };
        let job = JobFile {
            input: "table.csv",
            output: "release.csv",
            quasi: with(Role::Quasi),
            sensitive: with(Role::Sensitive),
            identifier: with(Role::Identifier),
            keep: with(Role::Insensitive),
            k: self.k,
            hierarchy: quasi().filter_map(|(c, n)| Some((c.name.clone(), n.clone()?))).collect(),
            kind: quasi().filter_map(|(c, _)| Some((c.name.clone(), c.kind?))).collect(),
            date_format: quasi()
                .filter_map(|(c, _)| Some((c.name.clone(), c.dates.clone()?)))
                .collect(),
        };
        let text = toml::to_string(&job).map_err(|error| Error::Internal(error.to_string()))?;
        Ok(format!(
            "# From an ARX project, without its data: put the name of your table here.\n{text}"
        ))
    }
}

/// Summarizes the errors in a hierarchy of a project.
fn faults(name: &str, text: &str, column: &str) -> Result<Option<String>> {
    let parse = Format::named("arx")?.item.parse;
    let draft = parse(text, Some(column)).map_err(|error| error.in_file(Path::new(name)))?;
    let findings = lint::check(&draft, None);
    let n_errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    Ok((n_errors > 0).then(|| {
        let faults = counted(n_errors, "fault");
        format!("{name} has {faults}; run the hierarchy check on it, which can also repair some")
    }))
}
