//! Recipes as files: JSON with a version and a checksum.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::rule::{self, Rule};
use super::{Form, Goal, Named, Reading, Recipe, Then, Writing};
use crate::error::Advice;
use crate::release::{IntervalStyle, published_columns};
use crate::{Error, Result, file};

/// The version of the format that this library reads and writes.
const VERSION: u64 = 1;

/// The outer object of a recipe file, as it is written.
#[derive(Serialize)]
struct Written<'a> {
    #[serde(rename = "hedgerow-recipe")]
    version: u64,
    checksum: String,
    recipe: &'a RawValue,
}

/// The outer object of a recipe file, as it is read.
#[derive(Deserialize)]
struct Read<'a> {
    #[serde(rename = "hedgerow-recipe")]
    version: Option<serde_json::Value>,
    checksum: Option<String>,
    #[serde(borrow)]
    recipe: Option<&'a RawValue>,
}

/// A recipe whose numbers are not checked yet.
#[derive(Deserialize)]
#[serde(remote = "Recipe", deny_unknown_fields, rename_all = "kebab-case")]
struct Unchecked {
    made_by: String,
    form: Form,
    goal: Goal,
    reading: Reading,
    writing: Writing,
    columns: Vec<Named>,
    salt: String,
    attributes: Vec<Rule>,
    #[serde(default)]
    levels: Vec<u32>,
    #[serde(default)]
    regions: Vec<Vec<u32>>,
    then: Then,
}

impl Recipe {
    /// The recipe as the text of a file.
    pub fn to_text(&self) -> Result<String> {
        let internal = |error: serde_json::Error| Error::Internal(format!("a recipe: {error}"));
        // The checksum is of the text as it is written, so no second serialization can differ from
        // it.
        let recipe = serde_json::value::to_raw_value(self).map_err(internal)?;
        let checksum = checksum(recipe.get());
        let written = Written { version: VERSION, checksum, recipe: &recipe };
        Ok(serde_json::to_string(&written).map_err(internal)? + "\n")
    }

    /// Reads the text of a recipe file.
    ///
    /// # Errors
    ///
    /// [`Error::Syntax`] if the text is not a recipe, is cut off, was changed after it was written,
    /// or has the format of another version.
    pub fn from_text(text: &str) -> Result<Self> {
        let read: Read<'_> = serde_json::from_str(text).map_err(|error| unreadable(&error))?;
        // The version comes before the checksum: another version may compute it differently.
        match &read.version {
            None => {
                let problem = "this is not a recipe: it lacks 'hedgerow-recipe'";
                return Err(Error::syntax(None, problem).advise([again()]));
            }
            Some(version) if version.as_u64() != Some(VERSION) => {
                let problem =
                    format!("the recipe has version {version} of the format, not {VERSION}");
                return Err(Error::syntax(None, problem).advise([
                    Advice::words("use the version of hedgerow that wrote it"),
                    again(),
                ]));
            }
            Some(_) => {}
        }
        let (Some(said), Some(recipe)) = (read.checksum, read.recipe) else {
            let problem = "this is not a whole recipe: it lacks its checksum or its rules";
            return Err(Error::syntax(None, problem).advise([again()]));
        };
        // An edited rule could publish less general labels than the release that was checked.
        if checksum(recipe.get()) != said {
            let problem =
                "the recipe was changed after it was written: its checksum does not match";
            return Err(Error::syntax(None, problem).advise([again()]));
        }
        Self::from_rules(recipe.get())
    }

    /// Reads the rules of a recipe without version and checksum: the object `recipe` of a file.
    ///
    /// # Errors
    ///
    /// [`Error::Syntax`] if they are not rules, or do not fit together.
    pub fn from_rules(text: &str) -> Result<Self> {
        let recipe = Unchecked::deserialize(&mut serde_json::Deserializer::from_str(text));
        let recipe: Self = recipe.map_err(|error| {
            Error::syntax(None, format!("this is not a recipe: {error}")).advise([again()])
        })?;
        recipe.check()?;
        Ok(recipe)
    }

    /// Reads a recipe file.
    pub fn from_file(path: &Path) -> Result<Self> {
        let text = file::read_to_string(path)?;
        Self::from_text(&text).map_err(|error| error.in_file(path))
    }

    /// Returns an error if numbers in the recipe refer to nothing, so that nothing needs to be
    /// checked again.
    fn check(&self) -> Result<()> {
        let n_labels: Vec<usize> = self.attributes.iter().map(|rule| rule.labels.len()).collect();
        // Indices are checked once here; the code that applies a recipe uses them without checks.
        let is_region = |region: &Vec<u32>| {
            region.len() == n_labels.len()
                && region.iter().zip(&n_labels).all(|(&label, &n)| (label as usize) < n)
        };
        let has_all = |rule: &Rule| rule.labels.iter().any(rule::Label::is_all);
        let style = self.writing.interval_style;
        let mut names: Vec<&String> = self.attributes.iter().map(|rule| &rule.name).collect();
        names.sort_unstable();
        names.dedup();
        let is_whole = !self.attributes.is_empty()
            && names.len() == self.attributes.len()
            && self.attributes.iter().all(|rule| has_all(rule) && rule.is_sound(style))
            && self.regions.iter().all(is_region)
            // Only a local recoding has regions, and it needs at least one.
            && self.form.is_global() == self.regions.is_empty()
            && self.goal.k > 0;
        if is_whole {
            return Ok(());
        }
        Err(Error::syntax(None, "this is not a recipe: its rules do not fit together")
            .advise([again()]))
    }
}

impl Rule {
    /// Whether labels refer only to known values, and runs of places are in order.
    fn is_sound(&self, style: IntervalStyle) -> bool {
        let n = self.values.len() as u32;
        let n_columns = published_columns(&self.name, self.kind, style).len();
        let is_span = self.span.is_none_or(|span| span.low.0 <= span.high.0);
        is_span && self.labels.iter().all(|label| label.is_sound(n, n_columns))
    }
}

impl rule::Label {
    /// Whether the label refers only to the first `n` known values, and has a cell for each of
    /// `n_columns` columns.
    fn is_sound(&self, n: u32, n_columns: usize) -> bool {
        let runs = &self.places;
        let is_range = self.range.is_none_or(|range| range.low.0 <= range.high.0);
        // A label without a text is that of one value.
        let is_named = self.text.is_some()
            || matches!(runs.as_slice(), [(start, end)] if end.checked_sub(*start) == Some(1));
        let is_shown = self.cells.is_empty() || self.cells.len() == n_columns;
        is_range
            && is_shown
            && runs.iter().all(|&(start, end)| start < end && end <= n)
            && runs.windows(2).all(|two| two[0].1 <= two[1].0)
            && is_named
    }
}

/// The error of a text that is not JSON, or not all of it.
fn unreadable(error: &serde_json::Error) -> Error {
    let problem = if error.is_eof() {
        "the recipe is cut off: the file ends in the middle".to_owned()
    } else {
        format!("this is not a recipe: {error}")
    };
    Error::syntax(Some(error.line() as u64), problem).advise([again()])
}

/// The advice for every fault: a recipe is not meant to be edited by hand.
fn again() -> Advice {
    Advice::words("write the recipe again, with the release")
}

/// The SHA-256 of the rules as they are written.
fn checksum(text: &str) -> String {
    file::hex(&Sha256::digest(text.as_bytes()))
}
