//! A study: everything that precedes a search, prepared once for any number of searches.

mod basis;
mod claims;
mod share;
mod warnings;
mod certified;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use self::basis::Basis;
pub use self::claims::Claims;
pub use self::share::Share;

use crate::anonymize::{self, Solved};
use crate::auto::{self, Choice, Choosing, Chosen, Request};
use crate::builder::{Asked, Sources};
use crate::error::{Advice, Misuse, Warning};
use crate::hierarchy::RareValues;
use crate::method::{Scope, Spec};
use crate::population::{Population, Weights};
use crate::privacy::{self, PrivacyModel, Secret};
use crate::problem::{self, Attribute, Limits, Problem};
use crate::progress::{Deadline, Progress, Stage, timed};
use crate::recoding::Recoding;
use crate::schema::{Role, Schema};
use crate::table::{Columns, Table};
use crate::{Error, Result};

/// The requirements for a release, and how values can be generalized.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Demands {
    /// Minimum number of records in a class; at least 1.
    pub k: u64,
    /// Privacy models besides k-anonymity.
    pub privacy: Vec<Spec>,
    /// The columns that are declared sensitive.
    pub sensitive: Vec<String>,
    /// Number of distinct values of sensitive columns, as far as it is known. Advice depends on it.
    pub distinct: BTreeMap<String, usize>,
    /// The column to predict.
    pub class: Option<String>,
    /// Maximum share of suppressed records.
    pub suppress: Share,
    /// Limits of generalization by column: labels of nodes, or `level:N`.
    pub limit: BTreeMap<String, Vec<String>>,
    /// Hierarchies by column. A quasi-identifier without an entry gets the hierarchy that loses
    /// least among those that fit its kind; a sensitive column without an entry gets none.
    pub hierarchies: BTreeMap<String, Asked>,
    /// Sources of concepts in the order in which values are looked up: files, or `wordnet`. Columns
    /// that they know and that have no entry in `hierarchies` are grouped by them.
    pub knowledge: Vec<PathBuf>,
    /// The method that will be run, which hierarchies are chosen for; `None` chooses it too.
    pub method: Option<Spec>,
    /// The least uniform recoding that may be chosen.
    pub recoding: Scope,
    /// Seconds that trials and search may take together, as estimated; `None` means 60.
    pub time: Option<f64>,
    /// Chooses only hierarchies with levels, which full-domain methods need.
    pub needs_levels: bool,
    /// Whether values of fewer than `k` records can be spelt out.
    pub rare_values: RareValues,
    /// Allows labels of groups that are values of other records.
    pub force_labels: bool,
    /// Seed of the random number generator.
    pub seed: u64,
    /// Number of threads that a search may use; 0 means 1. The result does not depend on it.
    pub threads: usize,
}

impl Demands {
    /// Demands that guard the sensitive columns of a schema and predict its class. `k` is still to
    /// be set.
    ///
    /// ```
    /// use hedgerow::schema::{Role, Schema};
    /// use hedgerow::study::Demands;
    /// use hedgerow::table::Columns;
    /// let header = ["age", "ill", "note"].map(str::to_owned);
    /// let schema = Schema::new(&header, &[("age", Role::Quasi), ("ill", Role::Sensitive)])?;
    /// let privacy = vec!["l-diversity:l=2".parse()?];
    /// let demands = Demands { k: 2, privacy, ..Demands::of(&schema) };
    /// assert_eq!(demands.sensitive, ["ill"]);
    /// assert_eq!(demands.columns(&schema)?, Columns::quasi(&["age"]).and_beside(&["ill"]));
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn of(schema: &Schema) -> Self {
        Self {
            sensitive: schema.with(Role::Sensitive).cloned().collect(),
            class: schema.with(Role::Class).next().cloned(),
            ..Self::default()
        }
    }

    /// Returns the columns to read from a table with the roles of `schema`.
    ///
    /// # Errors
    ///
    /// Those of [`Demands::beside`].
    pub fn columns(&self, schema: &Schema) -> Result<Columns> {
        Ok(schema.columns(&self.beside()?))
    }

    /// Returns an error if a column is sensitive or the class in the demands or in `schema`, but
    /// not in both. A column that `schema` does not have is not published, so the demands may name
    /// it.
    pub(crate) fn check_roles(&self, schema: &Schema) -> Result<()> {
        let sensitive: Vec<&String> = self.sensitive.iter().collect();
        for (role, demanded) in
            [(Role::Sensitive, sensitive), (Role::Class, self.class.iter().collect())]
        {
            let declared: Vec<&String> = schema.with(role).collect();
            let is_there = |name: &&&String| schema.names().contains(name);
            let undeclared = demanded.iter().filter(is_there).find(|name| !declared.contains(name));
            let forgotten = declared.iter().find(|name| !demanded.contains(name));
            if let Some(column) = undeclared.or(forgotten) {
                let (column, role) = ((*column).clone(), role.name());
                return Err(Error::misuse(Misuse::OtherRole { column, role })
                    .advise([Advice::words("make the demands from the schema")]));
            }
        }
        Ok(())
    }

    /// The requested privacy.
    pub fn claims(&self, has_population: bool) -> Claims<'_> {
        Claims {
            k: self.k,
            privacy: &self.privacy,
            sensitive: &self.sensitive,
            hierarchy: &self.hierarchies,
            has_population,
        }
    }

    /// The columns, besides the quasi-identifiers, that a table must be read with: those that
    /// models look at, and the class.
    ///
    /// # Errors
    ///
    /// [`Error::Method`] if a model needs a column that is not declared sensitive.
    ///
    /// [`Error::Method`]: crate::Error::Method
    pub fn beside(&self) -> Result<Vec<String>> {
        let mut beside = self.claims(false).columns()?;
        beside.extend(self.class.clone());
        Ok(beside)
    }
}

/// A table with its generalizations, its requirements, and warnings.
///
/// # Examples
///
/// One study, two searches:
///
/// ```
/// use hedgerow::progress::Silent;
/// use hedgerow::release::{Release, RowOrder, Style};
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
///     let release = Release::new(&solved.recoding, &Style::default(), &Silent)?;
///     assert_eq!(release.rows(RowOrder::Input, &Silent)?.len(), 5);
/// }
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Study {
    demands: Demands,
    choices: Vec<Choice>,
    method: Spec,
    choosing: Option<Choosing>,
    population: Option<Population>,
    problem: Problem,
    /// The solution by `method`, if that was tried on all records before it was chosen.
    found: Option<Recoding>,
    /// The time that the choice took.
    spent: Duration,
    warnings: Vec<Warning>,
}

impl Study {
    /// Builds or chooses the hierarchies, chooses the method unless the demands name one, and
    /// checks that the demands can be satisfied at all.
    ///
    /// `table` must have been read with the additional columns [`Demands::beside`]. `population` is
    /// the population that the table is a sample of, with the same quasi-identifiers.
    ///
    /// # Errors
    ///
    /// [`Error::Unreachable`] if no release can satisfy the demands, [`Error::Cancelled`] if
    /// `progress` is cancelled, and other variants if the demands contradict the table or each
    /// other.
    ///
    /// [`Error::Unreachable`]: crate::Error::Unreachable
    /// [`Error::Cancelled`]: crate::Error::Cancelled
    pub fn new(
        table: &Table,
        demands: Demands,
        population: Option<Population>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        Self::on(&Basis::new(table.clone(), population, progress)?, demands, progress)
    }

    /// Like [`Study::new`], sharing what other studies of the same table have built.
    ///
    /// # Errors
    ///
    /// Those of [`Study::new`].
    pub fn on(basis: &Basis, demands: Demands, progress: &dyn Progress) -> Result<Self> {
        let progress = &Deadline::after(None, progress).on_threads(demands.threads);
        progress.stage(Stage::Hierarchies);
        check_time(demands.time)?;
        // Models come first, because building hierarchies can take long.
        let table = basis.table();
        let (population, weights) = (basis.population().cloned(), basis.weights());
        let has_population = population.is_some();
        models(table, demands.claims(has_population))?;
        check_hierarchies(table, &demands)?;
        let mut asked = demands.hierarchies.clone();
        // Hierarchies of sensitive columns are used by the models only.
        asked.retain(|name, _| table.columns().iter().any(|column| column.name == *name));
        // A population that no model counts is for estimates of risk and changes no search.
        let is_counted = privacy::look_at_population(&demands.privacy)?;
        let limits = limits(&demands, table, weights.filter(|_| is_counted))?;
        let sources = Sources::read(&demands.knowledge)?;
        let request = request(basis, &asked, &sources, &demands);
        let claimed = || demands.claims(has_population).models(table);
        // A function, because every problem that is tried takes models of its own.
        let (chosen, spent) = timed(|| auto::choose(request, &claimed, &limits, progress));
        let Chosen { choices, method, problem, choosing, found } = chosen?;
        let warnings = warnings::warnings(&demands, &problem, weights)?;
        Ok(Self { demands, choices, method, choosing, population, problem, found, spent, warnings })
    }

    /// A study of a problem whose labels are fixed, so that nothing is to be chosen or searched.
    pub(crate) fn of_problem(demands: Demands, problem: Problem) -> Result<Self> {
        let warnings = warnings::warnings(&demands, &problem, None)?;
        let generalizations = problem.attributes().iter().map(Attribute::generalization);
        let choices =
            generalizations.map(|g| Choice { generalization: g.clone(), why: None }).collect();
        // Reports name the maker of the release, even if it was not a search.
        let method = Spec::named("recipe");
        let (choosing, population, found, spent) = (None, None, None, Duration::ZERO);
        Ok(Self { demands, choices, method, choosing, population, problem, found, spent, warnings })
    }

    /// Runs a method, or for `auto` the one that was chosen. After `time` seconds, a method that
    /// can stop at any time returns the best result it has found. For `auto`, these include the
    /// time that the choice took, if the demands limit it.
    ///
    /// # Errors
    ///
    /// Those of [`Problem::solve`]. The error for an unreachable goal names another method that
    /// reaches it, if one of the fast methods does.
    pub fn search(
        &self,
        method: &Spec,
        time: Option<f64>,
        progress: &dyn Progress,
    ) -> Result<Solved> {
        progress.stage(Stage::Search);
        check_time(time)?;
        let is_chosen = method.name == anonymize::AUTO.name;
        let is_shared = is_chosen && self.demands.time.is_some();
        let spent = if is_shared { self.spent.as_secs_f64() } else { 0.0 };
        let left = time.map(|time| (time - spent).max(0.0));
        let mut limited = Deadline::after(left, progress).on_threads(self.demands.threads);
        let method = if is_chosen { &self.method } else { method };
        anonymize::check_recoding(method, self.demands.recoding)?;
        // `auto` plans with the time, which need not be used up.
        if !is_chosen && time.is_some() && anonymize::from_spec(method)?.uses_time_up() {
            limited = limited.used_up();
        } else if let Some(recoding) =
            self.found.clone().filter(|found| self.is_kept(found, method, time))
        {
            return Ok(Solved::new(method.clone(), recoding));
        }
        auto::run(method, &self.problem, self.demands.recoding, &limited)
    }

    /// Whether a search would find the same again: it is the same method, and the time did not end
    /// it earlier than it would now.
    fn is_kept(&self, found: &Recoding, method: &Spec, time: Option<f64>) -> bool {
        // A result that ran out of time may be improved by a longer search.
        *method == self.method && (found.early.is_none() || time == self.demands.time)
    }

    /// The method that the demands name, or the one that was chosen.
    pub fn method(&self) -> &Spec {
        &self.method
    }

    /// The choice of hierarchies and of the method; `None` if there was nothing to choose.
    pub fn choosing(&self) -> Option<&Choosing> {
        self.choosing.as_ref()
    }

    /// The requirements that this study was created with.
    pub fn demands(&self) -> &Demands {
        &self.demands
    }

    /// The generalization of each quasi-identifier, in order, with the reason for it.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The population that the table is a sample of.
    pub fn population(&self) -> Option<&Population> {
        self.population.as_ref()
    }

    /// The problem that searches solve.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Warnings that apply to any release of this study.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The requested privacy.
    pub fn claims(&self) -> Claims<'_> {
        self.demands.claims(self.population.is_some())
    }
}

/// Returns an error if a limit of time is not a number of seconds above 0.
pub(crate) fn check_time(seconds: Option<f64>) -> Result<()> {
    // NaN compares as false, so it has to be asked for.
    if seconds.is_some_and(|seconds| seconds.is_nan() || seconds <= 0.0) {
        return Err(Error::invalid("the time limit must be a number of seconds above 0")
            .advise([Advice::LeaveOut { key: "time", column: None }]));
    }
    Ok(())
}

/// Returns an error if a hierarchy is given for a column that the table does not have, because it
/// would be ignored. Sensitive columns are read only if a model examines them.
fn check_hierarchies(table: &Table, demands: &Demands) -> Result<()> {
    let names = || table.all_columns().iter().map(|column| &column.name).chain(&demands.sensitive);
    match demands.hierarchies.keys().find(|asked| !names().any(|name| name == *asked)) {
        Some(asked) => Err(Error::unknown_column(asked, names().map(String::as_str))),
        None => Ok(()),
    }
}

/// Builds the models. An error if there are too few records for models that only count them.
fn models(table: &Table, claims: Claims<'_>) -> Result<Vec<Box<dyn PrivacyModel>>> {
    problem::check_records(table)?;
    let models = claims.models(table)?;
    // Models of sensitive columns are checked with the problem, whose message knows the best value.
    let of_sizes = models.iter().filter(|model| model.secret().is_none());
    of_sizes.map(AsRef::as_ref).try_for_each(|model| problem::check_size(model, table))?;
    Ok(models)
}

/// The request to choose hierarchies and a method for the table of a basis.
fn request<'a>(
    basis: &'a Basis,
    asked: &'a BTreeMap<String, Asked>,
    sources: &'a Sources,
    demands: &'a Demands,
) -> Request<'a> {
    Request {
        table: basis.table(),
        asked,
        shelf: basis.shelf(),
        sources,
        method: demands.method.as_ref(),
        recoding: demands.recoding,
        // The estimate needs a number even without a limit; `stop` is the limit itself.
        time: demands.time.unwrap_or(auto::USUAL_TIME),
        stop: demands.time,
        needs_levels: demands.needs_levels,
        k: demands.k,
        force_labels: demands.force_labels,
    }
}

fn limits(demands: &Demands, table: &Table, weights: Option<&Weights>) -> Result<Limits> {
    let class = demands.class.as_ref().map(|class| Secret::of(table, class)).transpose()?;
    Ok(Limits {
        most_suppressed: demands.suppress.of(table.cohorts().n_records()),
        seed: demands.seed,
        class: class.map(Arc::new),
        caps: demands.limit.clone(),
        weights: weights.map_or_else(Vec::new, |weights| weights.of_cohort.clone()),
        rare_values: demands.rare_values,
        force_labels: demands.force_labels,
        recoding: demands.recoding,
    })
}
