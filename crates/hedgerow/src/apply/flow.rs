//! Runs the stages of an application in order.

use std::hash::Hasher;

use twox_hash::XxHash3_64;

use super::together::{self, Next};
use super::{Earlier, Outcome, Request, Tables, schema};
use crate::attack::Evidence;
use crate::error::Advice;
use crate::io::{Inputs, Output, ReadOptions, Source, WriteOptions};
use crate::job::guarded::{self, Admitted, Guarded, Looked};
use crate::progress::{Progress, Stage};
use crate::publish::{Counted, Placed, Publication};
use crate::recipe::{Applied, Policy, Recipe};
use crate::registry::Registry;
use crate::report::People;
use crate::schema::Schema;
use crate::table::Table;
use crate::{Error, Result};

/// Reads a recipe and the next table, recodes it, writes the release, and verifies the written
/// file.
///
/// # Errors
///
/// [`Error::Unreachable`] if the goal is not met, or if the release together with earlier ones
/// would disclose too much; other variants if the recipe, the table or the call is wrong. In all
/// cases no file is left.
pub fn run(request: &Request, progress: &dyn Progress) -> Result<Outcome> {
    let recipe = Recipe::from_file(&request.recipe)?;
    let options = request.opening(&recipe)?;
    run_on(request, &recipe, || request.open(&request.input, &options), progress)
}

/// Like [`run`], with a recipe in memory and another source than the input of the request. `open`
/// is called once the request is known to be complete.
pub fn run_on(
    request: &Request,
    recipe: &Recipe,
    open: impl FnOnce() -> Result<Source>,
    progress: &dyn Progress,
) -> Result<Outcome> {
    // Everything that can be wrong without the table comes first, because reading it can take
    // minutes.
    together::check(request, recipe, !request.previous.is_empty())?;
    let recipe = recipe.clone().with_hierarchies(request.hierarchy.clone());
    let writing = writing(request, &recipe)?;
    let output = output(request, &writing)?;
    let earlier = earlier(request)?;
    let source = open()?;
    let schema = schema::of(request, &recipe, source.header())?;
    // Only columns that are published have to be legible.
    source.check_usable(&schema.published())?;
    let reading = reading(request, &recipe);
    let rules = Rules { recipe: &recipe, reading: &reading, policy: request.policy };
    let recoded = rules.recode(&source, schema, progress)?;
    let Recoded { schema, applied, .. } = &recoded;
    let Applied { study, release, .. } = applied;
    let na = &reading.encoding.na;
    let publication = Publication { study, source: &source, schema, na, options: &writing };
    let next = Next {
        request,
        recipe: &recipe,
        schema,
        source: &source,
        applied,
        reading: &reading,
        earlier: &earlier,
    };
    let mut together = None;
    // Attacks examine the written file before it is renamed, so a release that fails is never
    // visible.
    let counted = publication.publish_if(release, output, progress, |written| {
        together = next.attack(written, progress)?;
        Ok(())
    })?;
    Ok(recoded.outcome(&rules, &source, counted).checked(together))
}

/// Opens the earlier releases of a request.
fn earlier(request: &Request) -> Result<Vec<Earlier>> {
    request.previous.iter().map(|path| request.open_earlier(path)).collect()
}

/// Starts the output of a request.
fn output(request: &Request, writing: &WriteOptions) -> Result<Output> {
    // The output must be none of these: it would be replaced while it is read.
    let inputs = Inputs::of([&request.input, &request.recipe])
        .and(&request.previous)
        .and_of(Registry::Hierarchy, request.hierarchy.values());
    let output = Output::create_table(&request.output, request.force, &inputs)?;
    if writing.charset.is_some() && output.is_parquet() {
        let problem = "a Parquet file has text in UTF-8 only";
        return Err(Error::invalid(problem)
            .advise([Advice::LeaveOut { key: "output-encoding", column: None }]));
    }
    Ok(output)
}

/// A release of the next table that stays in memory.
#[derive(Debug)]
#[non_exhaustive]
pub struct InMemory {
    /// The roles of its columns, which were examined.
    pub schema: Schema,
    /// Its rows and columns.
    pub placed: Placed,
    /// The figures and warnings.
    pub outcome: Outcome,
}

/// Like [`run_on`], but the release stays in memory. Paths of the request are ignored, except for
/// those of earlier releases and hierarchies.
///
/// # Errors
///
/// Those of [`run_on`], except for those of outputs.
pub fn run_in_memory(
    request: &Request,
    recipe: &Recipe,
    open: impl FnOnce() -> Result<Tables>,
    progress: &dyn Progress,
) -> Result<InMemory> {
    let recipe = recipe.clone().with_hierarchies(request.hierarchy.clone());
    let writing = writing(request, &recipe)?;
    let Tables { next: source, earlier: given } = open()?;
    let earlier: Vec<Earlier> = earlier(request)?.into_iter().chain(given).collect();
    together::check(request, &recipe, !earlier.is_empty())?;
    let schema = schema::of(request, &recipe, source.header())?;
    // A column of lists can stay as it is in memory, but only if that was decided.
    source.check_usable(&schema.read_or_undecided())?;
    let reading = ReadOptions { keep_rows: true, ..reading(request, &recipe) };
    let rules = Rules { recipe: &recipe, reading: &reading, policy: request.policy };
    let recoded = rules.recode(&source, schema, progress)?;
    let (study, schema) = (&recoded.applied.study, &recoded.schema);
    let na = &reading.encoding.na;
    let publication = Publication { study, source: &source, schema, na, options: &writing };
    let (counted, placed) = publication.place(&recoded.applied.release, progress)?;
    let next = Next {
        request,
        recipe: &recipe,
        schema,
        source: &source,
        applied: &recoded.applied,
        reading: &reading,
        earlier: &earlier,
    };
    let together = next.attack(&placed.source(&source)?, progress)?;
    let outcome = recoded.outcome(&rules, &source, counted).checked(together);
    Ok(InMemory { schema: recoded.schema, placed, outcome })
}

/// The rules by which the next table is recoded.
struct Rules<'a> {
    recipe: &'a Recipe,
    reading: &'a ReadOptions,
    policy: Policy,
}

impl Rules<'_> {
    /// Reads and examines a table, and applies the recipe.
    fn recode(&self, source: &Source, schema: Schema, progress: &dyn Progress) -> Result<Recoded> {
        progress.stage(Stage::Read);
        let columns = self.recipe.columns()?;
        // Classes that are too small are a matter of repair, so any number of records is read.
        let guarded = Guarded { source, columns: &columns, k: 1 };
        let admitted = guarded.read(schema, self.reading, progress);
        let Admitted { table, schema, looked, .. } =
            admitted.map_err(|error| self.of_another_kind(error))?;
        progress.stage(Stage::Search);
        let applied = self.recipe.apply(&table, self.policy, progress)?;
        Ok(Recoded { table, schema, looked, applied })
    }

    /// The error about a value that does not have the kind of its column in the recipe. That kind
    /// was not asked for, so there is nothing to leave out.
    fn of_another_kind(&self, error: Error) -> Error {
        let then = &self.recipe.reading().kinds;
        match error {
            Error::Value { column, value, row, problem, .. }
                if then.get(&column) == self.reading.encoding.kinds.get(&column) =>
            {
                let problem = format!("{problem}, as the values of the first table were");
                Error::value(&column, value.clone(), row, problem).advise([
                    Advice::words("correct it"),
                    Advice::ListAsMissing { value: Some(value) },
                    Advice::words("make a new recipe from a table that has such values"),
                ])
            }
            error => error,
        }
    }
}

/// The next table, recoded by the rules of a recipe.
struct Recoded {
    table: Table,
    schema: Schema,
    looked: Looked,
    applied: Applied,
}

impl Recoded {
    /// The outcome of a release that was counted.
    fn outcome(&self, rules: &Rules<'_>, source: &Source, counted: Counted) -> Outcome {
        let Self { table, schema, looked, applied } = self;
        let Applied { study, drift, .. } = applied;
        let na = &rules.reading.encoding.na;
        let warnings = (source.warnings(&schema.left_out(), na).into_iter())
            .chain(guarded::warnings(looked.findings(), schema))
            .chain(guarded::dropped(table))
            .chain(study.warnings().iter().cloned())
            .chain(counted.warnings.iter().cloned())
            .collect();
        let (suppressed, drift) = (drift.suppressed, drift.clone());
        Outcome { suppressed, drift, warnings, ..outcome(rules.recipe, table, counted) }
    }
}

impl Outcome {
    /// Adds the result of attacks on this release and earlier ones together.
    fn checked(mut self, together: Option<Evidence>) -> Self {
        self.warnings.extend(together.iter().flat_map(together::unchecked));
        Self { together, ..self }
    }
}

/// Builds the outcome, except for what is not counted in the written file.
fn outcome(recipe: &Recipe, table: &Table, Counted { recount, .. }: Counted) -> Outcome {
    Outcome {
        form: recipe.form(),
        quasi: table.columns().iter().map(|column| column.name.clone()).collect(),
        rows: table.n_rows(),
        released: recount.n_rows,
        suppressed: 0,
        dropped: table.n_rows() - table.cohorts().n_records(),
        people: People::of(table, &recount),
        classes: recount.sizes.len(),
        smallest_class: recount.smallest(),
        notes: table.notes(),
        privacy: recount.privacy,
        drift: crate::recipe::Drift::default(),
        together: None,
        warnings: Vec::new(),
    }
}

/// Options for reading the next table: those of the first, unless the request says otherwise.
fn reading(request: &Request, recipe: &Recipe) -> ReadOptions {
    let own = &request.reading;
    let mut encoding = recipe.encoding();
    if !own.na.is_empty() {
        encoding.na.clone_from(&own.na);
    }
    encoding.na_detect = own.na_detect.unwrap_or(encoding.na_detect);
    encoding.kinds.extend(own.kind.clone());
    encoding.date_formats.extend(own.date_format.clone());
    // A sign for all columns replaces those of single columns, which would otherwise win.
    if own.decimal.is_some() {
        encoding.decimal = own.decimal;
        encoding.decimals.clear();
    }
    ReadOptions { encoding, threads: request.threads, ..ReadOptions::default() }
}

fn writing(request: &Request, recipe: &Recipe) -> Result<WriteOptions> {
    let then = recipe.writing();
    let mut hasher = XxHash3_64::with_seed(request.seed);
    // The order of records depends on recipe and seed, not on paths or the time of day.
    hasher.write(recipe.to_text()?.as_bytes());
    Ok(WriteOptions {
        // A request can be stricter than the recipe, never laxer.
        drop_suppressed: request.drop_suppressed || then.drop_suppressed,
        keep_order: request.keep_order,
        digest: hasher.finish(),
        spreadsheet_safe: request.spreadsheet_safe || then.spreadsheet_safe,
        charset: request.output_encoding.or(then.output_encoding),
        threads: request.threads,
    })
}
