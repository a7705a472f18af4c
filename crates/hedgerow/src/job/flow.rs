//! The stages of a job, one after the other.

use std::collections::BTreeMap;

use super::publication::Publication;
use super::warnings::warnings;
use super::{Job, asked, check};
use crate::anonymize::{self, Anonymizer};
use crate::auto::{Auto, Choice};
use crate::hierarchy::Generalization;
use crate::io::{Output, Source};
use crate::loss::Partition;
use crate::measure::{self, Recount};
use crate::method::{Need, Spec};
use crate::problem::Problem;
use crate::progress::{Deadline, Progress, Stage};
use crate::recoding::Recoding;
use crate::release::{Exposure, Release, Style};
use crate::report::{HierarchyOutcome, Outcome};
use crate::table::{Columns, Table};
use crate::{Error, Result};

/// Reads the input of a job, anonymizes it, writes the release, and counts again what was written.
pub fn run(job: &Job, progress: &dyn Progress) -> Result<Outcome> {
    run_on(job, || job.open(&job.input), progress)
}

/// The same with another source than the input that the job names; it is opened once the job is known
/// to say enough.
pub fn run_on(
    job: &Job,
    open: impl FnOnce() -> Result<Source>,
    progress: &dyn Progress,
) -> Result<Outcome> {
    check::is_complete(job)?;
    let beside = job.beside()?;
    let method = asked::method(job)?;
    let anonymizer = anonymize::named(&method)?;
    let anonymizer = anonymizer.as_deref();
    let own = anonymizer.and_then(Anonymizer::hierarchy);
    let asked = asked_hierarchies(job, own.as_ref())?;
    let source = open()?;
    let schema = job.schema(source.header())?;
    source.check_usable(&schema.published())?;
    let (output, trace) = check::outputs(job)?;

    progress.stage(Stage::Read);
    let columns = Columns { quasi: job.quasi.clone(), beside };
    let reading = job.reading(anonymizer.is_some_and(|method| method.needs(Need::Rows)));
    let table = source.read(&columns, &reading, progress)?;

    progress.stage(Stage::Hierarchies);
    let models = job.models(&table)?;
    let needs_levels = anonymizer.is_some_and(|method| method.needs(Need::Levels));
    let (hierarchies, generalizations) = built(job, &table, &asked, needs_levels, progress)?;
    let population = job.read_population(&table, progress)?;
    let weights = population.as_ref().map(|population| population.weights(&table));
    let mut warnings = warnings(job, source.header(), &table, &generalizations, weights.as_ref())?;
    let problem =
        Problem::with_limits(&table, generalizations, models, job.limits(&table, weights)?)?;

    progress.stage(Stage::Search);
    let (method, recoding) =
        anonymize::run(&method, &problem, &Deadline::after(job.time, progress))?;
    let trace = trace.map(|file| with_trace(file, &recoding, &method)).transpose()?;
    let release = Release::new(&recoding, &Style { intervals: job.interval_style })?;
    let exposure = Exposure::of(&release);
    check::rare_values(job, &exposure.spelled)?;
    let is_full = !job.drops_suppressed(&problem);
    let as_read = measure::of_release(&release, is_full);

    let (source, schema, problem) = (&source, &schema, &problem);
    let publication = Publication { job, source, schema, problem, population: population.as_ref() };
    let (shown, recount) = publication.publish(&release, output, progress)?;
    trace.map_or(Ok(()), Output::finish)?;
    warnings.extend(publication.refuted(&shown));
    let notes = recoding.notes.iter().cloned();
    let sets = if own.is_some() { measure::sets(&table, &shown) } else { BTreeMap::new() };
    Ok(Outcome {
        rows: table.n_rows(),
        released: recount.n_rows,
        suppressed: recoding.n_suppressed(),
        show_nothing: show_nothing(problem, &recoding, &recount),
        dropped: table.n_rows() - table.cohorts().n_records(),
        classes: recount.sizes.len(),
        smallest_class: recount.smallest(),
        method: method.to_string(),
        seed: job.seed,
        quasi: job.quasi.clone(),
        privacy: recount.privacy,
        notes: notes.chain(left_out(job, problem, &recoding)).collect(),
        hierarchies,
        exposure,
        warnings,
        loss: Partition::of(problem, &recoding).losses(),
        release_loss: as_read.losses(),
        sets: sets.into_iter().map(|(column, sets)| (column, sets.losses())).collect(),
    })
}

/// Builds or chooses how every quasi-identifier is generalized, and describes it.
fn built(
    job: &Job,
    table: &Table,
    asked: &BTreeMap<String, Spec>,
    needs_levels: bool,
    progress: &dyn Progress,
) -> Result<(BTreeMap<String, HierarchyOutcome>, Vec<Generalization>)> {
    let auto = Auto { k: job.k, seed: job.seed, needs_levels };
    let choices = auto.choose(table, asked, progress)?;
    let hierarchies = describe(table, &choices);
    let generalizations: Vec<_> = choices.into_iter().map(|c| c.generalization).collect();
    check::labels(job, &generalizations)?;
    Ok((hierarchies, generalizations))
}

/// Said of suppressed records where a model looks at sensitive values.
fn left_out(job: &Job, problem: &Problem, recoding: &Recoding<'_>) -> Option<String> {
    let is_asked = job.drop_suppressed || !job.drops_suppressed(problem);
    (!is_asked && recoding.n_suppressed() > 0).then(|| {
        "suppressed records are left out of the release: their sensitive values would be \
         published outside of any class"
            .to_owned()
    })
}

/// How many records show nothing though the method did not suppress them.
fn show_nothing(problem: &Problem, recoding: &Recoding<'_>, recount: &Recount) -> u64 {
    let n_left_out = problem.cohorts().n_records() - recount.n_rows;
    (recount.n_suppressed + n_left_out).saturating_sub(recoding.n_suppressed())
}

/// The hierarchies that are asked for: those of the job, or the one that the method insists on.
fn asked_hierarchies(job: &Job, own: Option<&Spec>) -> Result<BTreeMap<String, Spec>> {
    let mut of_job = job.hierarchy.iter().filter(|(column, _)| job.quasi.contains(column));
    match (own, of_job.clone().next()) {
        (Some(spec), Some((column, asked))) => Err(Error::invalid(format!(
            "method '{}' makes its own hierarchy, '{spec}', but --hierarchy {column}={asked} asks for \
             another; leave that out, or use it with --method k-member",
            job.method
        ))),
        (Some(own), None) => {
            Ok(job.quasi.iter().map(|column| (column.clone(), own.clone())).collect())
        }
        (None, _) => Ok(of_job.by_ref().map(|(name, spec)| (name.clone(), spec.clone())).collect()),
    }
}

/// Writes the steps of the search, which must have kept them.
fn with_trace(file: Output, recoding: &Recoding<'_>, method: &Spec) -> Result<Output> {
    let trace = recoding.trace.as_deref().ok_or_else(|| {
        Error::invalid(format!(
            "method '{}' keeps no trace of its steps; leave --trace out, or take bottom-up or top-down",
            method.name
        ))
    })?;
    file.with(trace.as_bytes())
}

fn describe(table: &Table, choices: &[Choice]) -> BTreeMap<String, HierarchyOutcome> {
    let columns = table.columns().iter().zip(choices);
    columns
        .map(|(column, Choice { generalization, why })| {
            let (nodes, height) = match generalization {
                Generalization::Tree(tree) => (tree.len(), tree.height()),
                Generalization::Levels(levels) => (levels.len(), levels.n_levels() - 1),
                Generalization::Interval(_) | Generalization::Set(_) => (0, 0),
            };
            let method = generalization.method();
            let outcome = HierarchyOutcome { method, nodes, height, why: why.clone() };
            (column.name.clone(), outcome)
        })
        .collect()
}
