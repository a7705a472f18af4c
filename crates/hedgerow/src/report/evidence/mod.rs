//! Evidence about a release that a review board wants to see, as data.
//!
//! Everything is computed from the original and the release as they are read from their files; what
//! only the run knows (how hierarchies were chosen, what else was tried) is added by the caller.

mod attacked;
mod classes;
mod limits;
mod distribution;
mod columns;
mod decide;
mod hierarchies;
mod public;

use std::collections::BTreeMap;

pub use attacked::Attacked;
pub use classes::{Band, Headline, Sides};
pub use columns::{ColumnEvidence, Named, Sample};
pub use decide::{Decision, Verdict};
pub use distribution::Chart;
pub use hierarchies::{HierarchyEvidence, LevelShare};
use serde::Serialize;

use self::classes::Classes;
use super::Outcome;
use crate::Result;
use crate::attack;
use crate::auto::Choosing;
use crate::certificate::Certified;
use crate::classify::{self, Classification};
use crate::hierarchy::Hierarchy;
use crate::measure::{self, Attained};
use crate::progress::Progress;
use crate::release::IntervalStyle;
use crate::risk::{self, Assessment, Extent};
use crate::schema::Role;
use crate::table::Table;
use crate::utility::{self, Correlations, QueryError, Spread};

/// Name and version of the schema of the JSON. The version grows if a field is renamed or removed
/// or changes its meaning, not if one is added.
pub const SCHEMA: &str = "hedgerow-report-1";

/// The readers of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Flavour {
    /// For those who have the original: it has examples, and the values of charts and warnings.
    #[default]
    Internal,
    /// For everyone: it has no value, bound or example of the original that fewer than `k` records
    /// have, and no digest of the original.
    Public,
}

impl Flavour {
    /// All readers.
    pub const ALL: [Self; 2] = [Self::Internal, Self::Public];
}

/// The way in which a caller with commands spells the one that verifies a release, given the outcome
/// of its run, for the readers of a report.
pub type Spell<'a> = &'a dyn Fn(&Outcome, Flavour) -> String;

/// A file that the report is about.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct File {
    /// Its name, without folders.
    pub name: String,
    /// Its SHA-256 digest, in hexadecimal digits; empty if it is not known.
    pub sha256: String,
}

impl File {
    /// A file by its name and digest.
    pub fn new(name: impl Into<String>, sha256: impl Into<String>) -> Self {
        Self { name: name.into(), sha256: sha256.into() }
    }
}

/// The tables that are compared, and what is known about them.
#[derive(Debug, Clone)]
pub struct Case<'a> {
    /// The original, with quasi-identifiers and all other published columns; the column to predict
    /// is the first of these.
    pub original: &'a Table,
    /// The release with the same columns, read as a release.
    pub release: &'a Table,
    /// The hierarchies of quasi-identifiers, where they are trees.
    pub hierarchies: BTreeMap<String, &'a Hierarchy>,
    /// The release as the run read it back from its file, with the people of its records where the
    /// original names them. Its columns can differ in text, if the file shows midpoints or bounds
    /// instead of ranges. `None` if it is `release`.
    pub shown: Option<&'a Table>,
    /// The known extent of the population that the original is a sample of.
    pub extent: Extent<'a>,
    /// The original with sampling weights that the release does not have. `None` if it is
    /// `original`.
    pub sampled: Option<&'a Table>,
    /// Facts that the tables do not have.
    pub facts: Facts,
}

impl<'a> Case<'a> {
    /// Attacks the release, except with attacks that would take too long. A run can write a release
    /// that attacks cannot read; the result is then a warning that says why.
    ///
    /// # Errors
    ///
    /// Those of [`attack::Scene::new`] for a release that no run wrote, and those of
    /// [`attack::run`].
    pub fn attacks(&self, progress: &dyn Progress) -> Result<Attacked> {
        attacked::attacked(self, progress)
    }

    /// The release in which classes are counted.
    fn shown(&self) -> &'a Table {
        self.shown.unwrap_or(self.release)
    }

    fn owned_trees(&self) -> BTreeMap<String, Hierarchy> {
        self.hierarchies.iter().map(|(name, tree)| (name.clone(), (*tree).clone())).collect()
    }
}

/// Facts that the tables of a case do not have.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Minimum number of records or people in a class.
    pub k: u64,
    /// The required and the attained privacy, recounted in the file of the release.
    pub claims: Vec<Attained>,
    /// All columns of the original with their roles.
    pub roles: Vec<(String, Role)>,
    /// The file of the original.
    pub input: File,
    /// The file of the release.
    pub output: File,
    /// The outcome of the run, if this is its report.
    pub outcome: Option<Outcome>,
    /// The job as TOML, to repeat the run.
    pub job: Option<String>,
    /// The commands that verify the release for the readers of [`Flavour::ALL`], if the caller has
    /// commands.
    pub verify: Option<[String; 2]>,
    /// Seed of queries and of training records.
    pub seed: u64,
    /// Risks above which records are counted; the [usual ones](risk::THRESHOLDS) if empty.
    pub thresholds: Vec<f64>,
    /// The notation of ranges in the file of the release.
    pub interval_style: IntervalStyle,
    /// Number of threads; 0 means 1. The report does not depend on it.
    pub threads: usize,
}

impl Facts {
    /// The columns with a role.
    fn with(&self, role: Role) -> Vec<&String> {
        self.roles.iter().filter(|(_, of)| *of == role).map(|(name, _)| name).collect()
    }
}

/// Everything that a report shows.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Evidence {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The readers of the report.
    pub flavour: Flavour,
    /// Version of hedgerow that made the report.
    pub hedgerow: &'static str,
    /// The file of the original.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<File>,
    /// The file of the release.
    pub release: File,
    /// Minimum number of records or people in a class.
    pub k: u64,
    /// The method with its parameters, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Seed of the random number generator.
    pub seed: u64,
    /// The notation of ranges in the file of the release. With `midpoint` and `bounds`, visible
    /// values, attacks and utility are those of the ranges that the cells represent.
    pub interval_style: IntervalStyle,
    /// The verdict, as text.
    pub verdict: Verdict,
    /// The privacy that each model requires and the release attains.
    pub claims: Vec<Attained>,
    /// The figures on top.
    pub headline: Headline,
    /// The one thing to decide before publishing, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// Number of records in classes of each size, before and after.
    pub class_sizes: Sides<Vec<Band>>,
    /// The risk of re-identification by every model; `None` if it could not be assessed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<Assessment>,
    /// The findings of attacks on the release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attacks: Option<attack::Evidence>,
    /// The reason why the release could not be attacked, if that was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_attacked: Option<String>,
    /// Information about each quasi-identifier that is still visible in the release.
    pub columns: Vec<ColumnEvidence>,
    /// The columns by role, in the order of the page.
    pub roles: Vec<Named>,
    /// Some records of the release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<Sample>,
    /// The generalization of each quasi-identifier.
    pub hierarchies: Vec<HierarchyEvidence>,
    /// Losses of the release by name.
    pub losses: BTreeMap<&'static str, f64>,
    /// The distance of the release from the optimum, if the run was asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certified>,
    /// Number of cells of quasi-identifiers that show exactly one value of the original.
    pub cells_unchanged: u64,
    /// Number of cells of quasi-identifiers in the release.
    pub cells: u64,
    /// Errors of counting queries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queries: Option<QueryError>,
    /// The changes of the dependence between columns; the pairs that changed most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correlations: Option<Correlations>,
    /// The accuracy with which the class column can be predicted, if one is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classification: Option<Classification>,
    /// The accounting of the records of the original.
    pub accounting: Accounting,
    /// The methods and hierarchies that `auto` tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tried: Option<Choosing>,
    /// Notes of the run about reading and about its search, such as how far from the optimum it can
    /// be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Warnings to read before publishing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The job as TOML.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    /// The command that verifies the release, if the caller has commands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<String>,
}

/// Numbers of released, dropped and omitted records of the original, and of missing values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Accounting {
    /// Number of records in the original.
    pub records: u64,
    /// Number of records that were dropped because a value is missing.
    pub dropped: u64,
    /// Number of records in the release.
    pub released: u64,
    /// Number of these with `*` in every quasi-identifier.
    pub show_nothing: u64,
    /// Number of records that the release lacks, without dropped ones.
    pub left_out: u64,
    /// Number of missing values of quasi-identifiers in the original, by column.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub missing: BTreeMap<String, u64>,
    /// Number of records that show a value although theirs is missing, by column; known only to the
    /// run itself.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub filled: BTreeMap<String, u64>,
}

/// Maximum number of pairs of columns in a report.
const MOST_PAIRS: usize = 12;

impl Evidence {
    /// Computes everything from a case.
    ///
    /// # Errors
    ///
    /// Those of [`measure::partition`]: the release has more records than the original, or cells
    /// that it does not explain; and [`Error::Column`](crate::Error::Column) if a column of the
    /// release cannot come from the original.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use hedgerow::progress::Silent;
    /// use hedgerow::report::{Case, Evidence, Facts, page};
    /// use hedgerow::risk::Extent;
    /// use hedgerow::table::Table;
    /// let original = Table::from_rows(&["age"], &[["30"], ["31"], ["40"], ["41"]])?;
    /// let rows = [["[30, 31]"], ["[30, 31]"], ["[40, 41]"], ["[40, 41]"]];
    /// let release = Table::from_rows(&["age"], &rows)?;
    /// let facts = Facts { k: 2, ..Facts::default() };
    /// let case = Case {
    ///     original: &original,
    ///     release: &release,
    ///     hierarchies: BTreeMap::new(),
    ///     shown: None,
    ///     extent: Extent::Unknown,
    ///     sampled: None,
    ///     facts,
    /// };
    /// let evidence = Evidence::gather(&case, &Silent)?;
    /// assert_eq!((evidence.headline.alone.before, evidence.headline.alone.after), (4, Some(0)));
    /// assert!(page(&evidence).starts_with("<!doctype html>"));
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn gather(case: &Case<'_>, progress: &dyn Progress) -> Result<Self> {
        let evidence = Self::unattacked(case)?;
        Ok(evidence.with_attacks(case, Some(case.attacks(progress)?)))
    }

    /// Computes everything but the attacks, which take longest.
    ///
    /// # Errors
    ///
    /// Those of [`Evidence::gather`].
    pub fn unattacked(case: &Case<'_>) -> Result<Self> {
        let Case { original, release, facts, .. } = case;
        let class = facts.with(Role::Class).first().copied();
        let losses = losses(case, class.is_some())?;
        // A release that the run made itself comes from the table, so it is not checked.
        if facts.outcome.is_none() {
            let used = [Role::Sensitive, Role::Class].map(|role| facts.with(role)).concat();
            let used: Vec<String> = used.into_iter().cloned().collect();
            measure::check_belongs(original, release, &case.hierarchies, &used)?;
        }
        let found = utility::compare(original, release, &case.hierarchies, facts.seed);
        let spread = Spread::new(original, release, &case.hierarchies);
        let classes = Classes::count(case)?;
        let risk = assessed(case)?;
        let classification = class.map(|name| classification(case, name)).transpose()?.flatten();
        let outcome = facts.outcome.as_ref();
        // Pairs are sorted by their change, so the first ones changed most.
        let correlations = found.correlations.map(|mut correlations| {
            correlations.pairs.truncate(MOST_PAIRS);
            correlations
        });
        Ok(Self {
            schema: SCHEMA,
            flavour: Flavour::Internal,
            hedgerow: env!("CARGO_PKG_VERSION"),
            input: Some(facts.input.clone()),
            release: facts.output.clone(),
            k: facts.k,
            method: outcome.map(|outcome| outcome.method.clone()),
            seed: facts.seed,
            interval_style: facts.interval_style,
            verdict: decide::verdict(case, &classes),
            claims: facts.claims.clone(),
            headline: classes.headline(losses.get("ntil").copied(), risk.as_ref()),
            decision: decide::decision(case, None),
            class_sizes: classes.bands(facts.k),
            risk,
            attacks: None,
            not_attacked: None,
            columns: columns::seen(case, &spread, &found.columns),
            roles: columns::named(facts),
            sample: columns::sample(case),
            hierarchies: hierarchies::all(case),
            losses,
            certificate: outcome.and_then(|outcome| outcome.certificate),
            cells_unchanged: found.cells_unchanged,
            cells: found.cells,
            queries: found.queries,
            correlations,
            classification,
            accounting: accounting(case, &classes),
            tried: outcome.and_then(|outcome| outcome.choosing.clone()),
            notes: outcome.map_or_else(Vec::new, |outcome| outcome.notes.clone()),
            warnings: warnings(outcome),
            job: facts.job.clone(),
            verify: facts.verify.as_ref().map(|[internal, _]| internal.clone()),
        })
    }

    /// The same evidence with what attacks found, which can change what is to be decided; `None` if
    /// the release was not attacked yet.
    #[must_use]
    pub(crate) fn with_attacks(self, case: &Case<'_>, attacked: Option<Attacked>) -> Self {
        let (attacks, not_attacked) = match attacked {
            Some(Ok(attacks)) => (Some(attacks), None),
            Some(Err(reason)) => (None, Some(reason.to_string())),
            None => (None, None),
        };
        Self { decision: decide::decision(case, attacks.as_ref()), attacks, not_attacked, ..self }
    }

    /// The same evidence for the public.
    #[must_use]
    pub fn public(self, case: &Case<'_>) -> Self {
        public::reduced(self, case)
    }

    /// The evidence as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("evidence has a text form") + "\n"
    }
}

/// The classification error of a column, if it is the first of the others in both tables.
fn classification(case: &Case<'_>, class: &str) -> Result<Option<Classification>> {
    let is_first =
        |table: &Table| table.beside().first().is_some_and(|column| column.name == class);
    if !is_first(case.original) || !is_first(case.release) {
        return Ok(None);
    }
    classify::release(case.original, case.release, case.facts.seed).map(Some)
}

/// The losses of the release: those that the run reported, or those computed from the files.
fn losses(case: &Case<'_>, has_class: bool) -> Result<BTreeMap<&'static str, f64>> {
    if let Some(outcome) = &case.facts.outcome {
        return Ok(outcome.release_loss.clone());
    }
    let k = Some(case.facts.k);
    let partition = measure::partition(case.original, case.release, &case.owned_trees(), k)?;
    let mut losses = partition.losses();
    // Without a column to predict, the first other column was used instead.
    losses.retain(|name, _| has_class || *name != "cm");
    Ok(losses)
}

/// The risk by every model. The run knows whose records are whose, what its file shows instead of
/// ranges, and the weight of every record.
fn assessed(case: &Case<'_>) -> Result<Option<Assessment>> {
    let counts_people = case.original.person().is_some();
    let is_weighted = matches!(case.extent, Extent::Weights(_));
    if let Some(outcome) = &case.facts.outcome
        // The files alone do not have people and weights, nor ranges that the style hides.
        && (counts_people || is_weighted || !case.facts.interval_style.shows_ranges())
    {
        return Ok(outcome.risk.clone());
    }
    let release = if counts_people { case.shown() } else { case.release };
    let sensitive: Vec<String> = case.facts.with(Role::Sensitive).into_iter().cloned().collect();
    // The tables were compared before.
    let request = risk::Request::new(case.sampled.unwrap_or(case.original))
        .own_release(release)
        .extent(case.extent)
        .thresholds(&case.facts.thresholds)
        .hierarchies(case.hierarchies.clone())
        .sensitive(&sensitive);
    risk::assess(&request).map(Some)
}

fn warnings(outcome: Option<&Outcome>) -> Vec<String> {
    outcome
        .map_or_else(Vec::new, |outcome| outcome.warnings.iter().map(ToString::to_string).collect())
}

fn accounting(case: &Case<'_>, classes: &Classes) -> Accounting {
    let Case { original, release, facts, .. } = case;
    // Dropped records have no cohort.
    let n_kept = original.cohorts().n_records();
    let missing = original.columns().iter().filter_map(|column| {
        let count = column.domain.missing.as_ref()?.count;
        (count > 0).then(|| (column.name.clone(), count))
    });
    let filled = facts.outcome.as_ref().map(|outcome| outcome.exposure.filled.clone());
    Accounting {
        records: original.n_rows(),
        dropped: original.n_rows() - n_kept,
        released: release.n_rows(),
        show_nothing: classes.n_blank(),
        left_out: n_kept.saturating_sub(release.n_rows()),
        missing: missing.collect(),
        filled: filled.unwrap_or_default(),
    }
}
