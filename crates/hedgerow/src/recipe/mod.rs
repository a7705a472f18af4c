//! Recipes: the rules of a release, for the next table.
//!
//! A [`Recipe`] has the labels of a release with what each covers, the goal that the release
//! satisfies, and how its table was read. [`Recipe::apply`] recodes another table by these rules,
//! repairs classes that fail the goal, and counts how far the table differs from the first.

mod rule;
mod secrecy;
mod holders;
mod file;
mod labels;
mod learn;
mod near;
mod bind;
mod joins;
mod boxes;
mod place;
mod repair;
mod drift;
mod tree;
mod apply;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use self::apply::{Applied, Policy, Unchecked};
pub use self::drift::{ColumnDrift, Drift, Mean};
pub use self::near::Unseen;
pub use self::repair::{Mended, Repair};
use self::rule::Rule;

use crate::charset::Charset;
use crate::hierarchy::RareValues;
use crate::method::{Scope, Spec};
use crate::release::IntervalStyle;
use crate::schema::{Role, Schema};
use crate::study::{Demands, Share};
use crate::table::{Columns, DateFormat, Decimal, Encoding, Kind, MissingPolicy, NaDetect};

/// The rules of a release.
///
/// A recipe contains no records. It names a value only if at least `k` records (people, if a column
/// names them) had it; other values are kept as salted hashes. Labels that the release published
/// are kept as they are, so a label that spells out a rare value is in the recipe too unless rare
/// values were hidden ([`RareValues::Hide`]). Other labels are in the recipe only if at least `k`
/// records had one of their values.
///
/// # Examples
///
/// A cut that was found on one part of a table, applied to the other part:
///
/// ```
/// use hedgerow::progress::Silent;
/// use hedgerow::recipe::{Policy, Recipe, Repair};
/// use hedgerow::release::{Release, RowOrder, Style};
/// use hedgerow::study::{Demands, Study};
/// use hedgerow::table::Table;
/// let rows = [["23", "M"], ["25", "F"], ["41", "F"], ["44", "M"], ["45", "M"]];
/// let first = Table::from_rows(&["age", "sex"], &rows)?;
/// let method = "datafly".parse()?;
/// let demands = Demands { k: 2, method: Some(method), needs_levels: true, ..Demands::default() };
/// let study = Study::new(&first, demands, None, &Silent)?;
/// let solved = study.search(study.method(), None, &Silent)?;
/// let release = Release::new(&solved.recoding, &Style::default(), &Silent)?;
/// let recipe = Recipe::of(&study, &release, &Silent)?;
///
/// let next = [["24", "F"], ["23", "M"], ["44", "F"], ["45", "M"]];
/// let next = Table::encode(&recipe.columns()?, &next, &recipe.encoding())?;
/// let policy = Policy { repair: Repair::Merge, ..Policy::default() };
/// let applied = recipe.apply(&next, policy, &Silent)?;
/// assert_eq!(applied.release.rows(RowOrder::Input, &Silent)?.len(), 4);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Recipe {
    /// The version of hedgerow that made the recipe.
    made_by: String,
    form: Form,
    goal: Goal,
    reading: Reading,
    writing: Writing,
    /// The columns of the first table with their roles, in the order of its header.
    columns: Vec<Named>,
    /// The text that values are hashed with.
    salt: String,
    /// The rules of each quasi-identifier.
    attributes: Vec<Rule>,
    /// The level of each quasi-identifier, if all values of a column have the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    levels: Vec<u32>,
    /// The classes of a local recoding: the label of each quasi-identifier, by number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    regions: Vec<Vec<u32>>,
    then: Then,
}

/// The form in which the rules of a recipe state the cells of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Form {
    /// Every value of a column is published on the same level of its hierarchy.
    Levels,
    /// Every value of a column is published in the same way in all records.
    Cuts,
    /// A record is published as the region that it fits, which depends on all its values.
    Regions,
}

impl Form {
    /// Whether a value is published in the same way in all records.
    pub fn is_global(self) -> bool {
        self != Self::Regions
    }

    /// Its name, as in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Levels => "levels",
            Self::Cuts => "cuts",
            Self::Regions => "regions",
        }
    }
}

/// The goal that the release satisfies, and that the next one must satisfy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Goal {
    k: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    privacy: Vec<Spec>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sensitive: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    person: Option<String>,
    suppress: Share,
    /// The least uniform recoding that is allowed.
    #[serde(default, skip_serializing_if = "is_local")]
    recoding: Scope,
    /// The hierarchies of sensitive columns, by method or file.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    hierarchies: BTreeMap<String, Spec>,
}

/// Whether any recoding is allowed. Recipes do not say so, as they did not before a recoding could
/// be required.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_local(recoding: &Scope) -> bool {
    *recoding == Scope::Local
}

/// The options with which the first table was read.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[non_exhaustive]
pub struct Reading {
    /// Treatment of missing values.
    pub missing: MissingPolicy,
    /// Spellings of a missing value, in addition to the empty text.
    pub na: Vec<String>,
    /// Whether the usual spellings of missing values are recognized.
    pub na_detect: NaDetect,
    /// Kinds by column.
    pub kinds: BTreeMap<String, Kind>,
    /// Date formats by column.
    pub date_formats: BTreeMap<String, DateFormat>,
    /// Decimal signs by column.
    pub decimals: BTreeMap<String, Decimal>,
    /// Delimiter of a CSV file; detected if not given.
    pub delimiter: Option<char>,
    /// Encoding of a CSV file; detected if not given.
    pub encoding: Option<Charset>,
    /// The CSV file has no header: columns are `column1`, `column2` and so on.
    pub no_header: bool,
    /// The CSV file has no header: columns have these names.
    pub header: Vec<String>,
}

/// The options with which the release was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[non_exhaustive]
pub(crate) struct Writing {
    /// Notation of intervals.
    pub interval_style: IntervalStyle,
    /// Whether values of fewer than `k` records were published.
    pub rare_values: RareValues,
    /// Omits suppressed records instead of publishing them as `*`.
    pub drop_suppressed: bool,
    /// Puts a `'` in front of cells that a spreadsheet would evaluate as formulas.
    pub spreadsheet_safe: bool,
    /// Encoding of the release; UTF-8 if not given.
    pub output_encoding: Option<Charset>,
}

/// A column with its role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
    role: Role,
}

/// Counts of the first release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Then {
    /// Number of records in the table.
    pub rows: u64,
    /// Number of suppressed records.
    pub suppressed: u64,
    /// Number of classes.
    pub classes: u64,
}

impl Recipe {
    /// The recipe for a table whose columns have these roles, read and written in this way.
    #[must_use]
    pub(crate) fn with_files(
        mut self,
        schema: &Schema,
        reading: Reading,
        writing: Writing,
    ) -> Self {
        let roles = (0..schema.names().len()).map(|place| schema.role(place));
        let named = schema.names().iter().zip(roles);
        self.columns = named.map(|(name, role)| Named { name: name.clone(), role }).collect();
        // Kinds were found in the table itself, whatever the options say.
        let Reading { kinds, date_formats, decimals, .. } = std::mem::take(&mut self.reading);
        self.reading = Reading { kinds, date_formats, decimals, ..reading };
        // The style of the labels cannot be changed afterwards.
        let interval_style = self.writing.interval_style;
        self.writing = Writing { interval_style, ..writing };
        self
    }

    /// The form in which the rules state the cells of a record.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The columns that a table must be read with.
    ///
    /// # Errors
    ///
    /// [`Error::Method`](crate::Error::Method) if the goal names a privacy model that does not
    /// exist.
    pub fn columns(&self) -> crate::Result<Columns> {
        Ok(Columns {
            quasi: self.attributes.iter().map(|rule| rule.name.clone()).collect(),
            // Without a population, which a recipe never has.
            beside: self.demands().beside()?,
            person: self.goal.person.clone(),
        })
    }

    /// The conversion of the fields of a table to values.
    pub fn encoding(&self) -> Encoding {
        let reading = &self.reading;
        Encoding {
            na: reading.na.clone(),
            na_detect: reading.na_detect,
            missing: reading.missing,
            kinds: reading.kinds.clone(),
            date_formats: reading.date_formats.clone(),
            decimals: reading.decimals.clone(),
            ..Encoding::default()
        }
    }

    /// The requirements for a release.
    pub fn demands(&self) -> Demands {
        let Goal { k, privacy, sensitive, class, suppress, recoding, hierarchies, .. } =
            self.goal.clone();
        let hierarchies = hierarchies.into_iter().map(|(column, spec)| (column, spec.into()));
        Demands {
            k,
            privacy,
            sensitive,
            class,
            suppress,
            recoding,
            hierarchies: hierarchies.collect(),
            // Labels are fixed, whatever values the next table has.
            rare_values: RareValues::Show,
            ..Demands::default()
        }
    }

    /// The columns of the first table with their roles.
    pub fn roles(&self) -> impl Iterator<Item = (&str, Role)> {
        self.columns.iter().map(|named| (named.name.as_str(), named.role))
    }

    /// The options with which the first table was read.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The options with which the first release was written.
    pub(crate) fn writing(&self) -> Writing {
        self.writing
    }

    /// Counts of the first release.
    pub fn then(&self) -> Then {
        self.then
    }

    /// The same recipe with another method or file for the hierarchy of a sensitive column.
    #[must_use]
    pub(crate) fn with_hierarchies(mut self, given: BTreeMap<String, Spec>) -> Self {
        self.goal.hierarchies.extend(given);
        self
    }
}
