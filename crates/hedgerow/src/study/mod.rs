//! A study: everything before a search, for as many searches as a caller likes.

mod claims;
mod share;
mod warnings;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use self::claims::Claims;
pub use self::share::Share;

use crate::anonymize::{self, Solved};
use crate::auto::{Auto, Choice};
use crate::builder::Asked;
use crate::error::{Advice, Warning};
use crate::format::lint;
use crate::hierarchy::{Generalization, RareValues};
use crate::method::Spec;
use crate::population::{Population, Weights};
use crate::privacy::{PrivacyModel, Secret};
use crate::problem::{self, Limits, Problem};
use crate::progress::{Deadline, Progress, Stage};
use crate::table::Table;
use crate::{Error, Result};

/// What a release must hold, and how values may be generalized.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Demands {
    /// The least number of records of a class; at least 1.
    pub k: u64,
    /// Privacy models besides k-anonymity.
    pub privacy: Vec<Spec>,
    /// The columns that are called sensitive.
    pub sensitive: Vec<String>,
    /// The column that a learner is to predict.
    pub class: Option<String>,
    /// The share of the records that may be suppressed.
    pub suppress: Share,
    /// How far values may be generalized at most: labels of nodes, or `level:N`, by column.
    pub limit: BTreeMap<String, Vec<String>>,
    /// Hierarchies by column. A quasi-identifier that is not named gets the one that loses least of
    /// those that fit its kind; a sensitive column gets none.
    pub hierarchies: BTreeMap<String, Asked>,
    /// Chooses only hierarchies with levels, which full-domain methods need.
    pub needs_levels: bool,
    /// Whether values that fewer than `k` records have may be spelt out.
    pub rare_values: RareValues,
    /// Publishes groups under names that are values of other records.
    pub force_labels: bool,
    /// Seed of the random number generator.
    pub seed: u64,
}

impl Demands {
    /// The privacy that is asked for.
    pub fn claims(&self, has_population: bool) -> Claims<'_> {
        Claims {
            k: self.k,
            privacy: &self.privacy,
            sensitive: &self.sensitive,
            hierarchy: &self.hierarchies,
            has_population,
        }
    }

    /// The columns that a table is read with besides the quasi-identifiers: those that models look at,
    /// and the class.
    ///
    /// # Errors
    ///
    /// [`Error::Method`] if a model needs a column that is not named as sensitive, [`Error::Invalid`] if
    /// no model uses the population.
    pub fn beside(&self, has_population: bool) -> Result<Vec<String>> {
        let mut beside = self.claims(has_population).columns()?;
        beside.extend(self.class.clone());
        Ok(beside)
    }
}

/// A table, how its quasi-identifiers are generalized, and what must hold.
///
/// # Examples
///
/// One study, two searches:
///
/// ```
/// use hedgerow::progress::Silent;
/// use hedgerow::release::{Release, Style};
/// use hedgerow::study::{Demands, Study};
/// use hedgerow::table::Table;
/// let rows = [["23", "M"], ["25", "F"], ["41", "F"], ["44", "M"], ["46", "M"]];
/// let table = Table::from_rows(&["age", "sex"], &rows)?;
/// let study = Study::new(&table, Demands { k: 2, ..Demands::default() }, None, &Silent)?;
/// for (column, choice) in table.columns().iter().zip(study.choices()) {
///     println!("{}: {} ({:?})", column.name, choice.generalization.method(), choice.why);
/// }
/// for method in ["hedge", "mondrian"] {
///     let solved = study.search(&method.parse()?, None, &Silent)?;
///     let release = Release::new(&solved.recoding, &Style::default())?;
///     assert_eq!(release.rows()?.len(), 5);
/// }
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Study {
    demands: Demands,
    choices: Vec<Choice>,
    population: Option<Population>,
    problem: Problem,
    warnings: Vec<Warning>,
}

impl Study {
    /// Builds or chooses the hierarchies, and checks that the demands can be met at all.
    ///
    /// `table` must have been read with [`Demands::beside`] besides its quasi-identifiers. `population`
    /// is what the table is a sample of, with the same quasi-identifiers.
    ///
    /// # Errors
    ///
    /// [`Error::Unreachable`] if no release can meet the demands, [`Error::Cancelled`] if `progress`
    /// says so, and other variants if the demands contradict the table or themselves.
    pub fn new(
        table: &Table,
        demands: Demands,
        population: Option<Population>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        progress.stage(Stage::Hierarchies);
        let models = models(table, demands.claims(population.is_some()))?;
        let Demands { k, seed, needs_levels, .. } = demands;
        let mut asked = demands.hierarchies.clone();
        asked.retain(|name, _| table.columns().iter().any(|column| column.name == *name));
        let choices = Auto { k, seed, needs_levels }.choose(table, &asked, progress)?;
        let built: Vec<Generalization> =
            choices.iter().map(|choice| choice.generalization.clone()).collect();
        check_labels(&demands, &built)?;
        let weights = population.as_ref().map(|population| population.weights(table));
        let warnings = warnings::warnings(&demands, table, &built, weights.as_ref())?;
        let limits = limits(&demands, table, weights)?;
        let problem = Problem::with_limits(table, built, models, limits)?;
        Ok(Self { demands, choices, population, problem, warnings })
    }

    /// Runs a method, or the one that `auto` chooses. After `time` seconds, a method that can stop at
    /// any time returns the best that it has found.
    ///
    /// # Errors
    ///
    /// Those of [`Problem::solve`]; an unreachable goal comes with another method that meets it, if one
    /// of the fast methods does.
    pub fn search(
        &self,
        method: &Spec,
        time: Option<f64>,
        progress: &dyn Progress,
    ) -> Result<Solved> {
        progress.stage(Stage::Search);
        anonymize::run(method, &self.problem, &Deadline::after(time, progress))
    }

    /// What must hold, and how values may be generalized.
    pub fn demands(&self) -> &Demands {
        &self.demands
    }

    /// How each quasi-identifier is generalized, in order, and why.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The population that the table is a sample of.
    pub fn population(&self) -> Option<&Population> {
        self.population.as_ref()
    }

    /// What searches solve.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// What a reader of any release of this study should know before it is published.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The privacy that is asked for.
    pub fn claims(&self) -> Claims<'_> {
        self.demands.claims(self.population.is_some())
    }
}

/// The models; there must be enough records for those that only count them.
fn models(table: &Table, claims: Claims<'_>) -> Result<Vec<Box<dyn PrivacyModel>>> {
    problem::check_records(table)?;
    let models = claims.models(table)?;
    let n_records = table.cohorts().n_records();
    let of_sizes = models.iter().filter(|model| model.secret().is_none());
    of_sizes.map(AsRef::as_ref).try_for_each(|model| problem::check_size(model, n_records))?;
    Ok(models)
}

fn limits(demands: &Demands, table: &Table, weights: Option<Weights>) -> Result<Limits> {
    let class = demands.class.as_ref().map(|class| Secret::of(table, class)).transpose()?;
    Ok(Limits {
        most_suppressed: demands.suppress.of(table.cohorts().n_records()),
        seed: demands.seed,
        class: class.map(Arc::new),
        caps: demands.limit.clone(),
        weights: weights.map_or_else(Vec::new, |weights| weights.of_cohort),
        rare_values: demands.rare_values,
    })
}

/// Refuses hierarchies that publish records under a value they do not have.
fn check_labels(demands: &Demands, built: &[Generalization]) -> Result<()> {
    let mut trees = built.iter().filter_map(Generalization::hierarchy);
    match trees.find_map(|tree| Some((tree.attribute(), lint::borrowed_name(tree)?))) {
        Some((column, found)) if !demands.force_labels => {
            Err(Error::column(column, format!("in its hierarchy, {found}"))
                .advise([Advice::words("rename the group"), Advice::ForceLabels]))
        }
        _ => Ok(()),
    }
}
