//! Runs the stages of a job in order.

use std::collections::BTreeMap;

use super::reported::Reported;
use super::{Job, asked, assessed, check, extras, guarded};
use crate::anonymize::{self, Anonymizer};
use crate::auto::Choice;
use crate::builder;
use crate::error::{Advice, Warning};
use crate::hierarchy::Generalization;
use crate::io::Source;
use crate::loss::Partition;
use crate::measure::{self, Recount};
use crate::method::{Need, Spec};
use crate::problem::Problem;
use crate::progress::{Progress, Stage};
use crate::publish::{Counted, Publication};
use crate::recoding::Recoding;
use crate::release::{Detail, Release, Style};
use crate::report::{HierarchyOutcome, Outcome, People};
use crate::schema::{self, Role};
use crate::study::Study;
use crate::table::{Columns, Table};
use crate::{Error, Result};

/// Reads the input of a job, anonymizes it, writes the release, and verifies the written file.
pub fn run(job: &Job, progress: &dyn Progress) -> Result<Outcome> {
    run_on(job, || job.open(&job.input), progress)
}

/// Like [`run`], with another source than the job's input. `open` is called once the job is known
/// to be complete.
pub fn run_on(
    job: &Job,
    open: impl FnOnce() -> Result<Source>,
    progress: &dyn Progress,
) -> Result<Outcome> {
    check::is_complete(job)?;
    let method = asked::method(job)?;
    let named = anonymize::named(&method)?;
    let anonymizer = named.as_deref();
    let own = own_hierarchy(job, anonymizer)?;
    let demands = job.demands(
        &method,
        own.as_ref(),
        anonymizer.is_some_and(|method| method.needs(Need::Levels)),
    );
    let claims = demands.claims(job.population.is_some());
    let beside = demands.beside(claims.has_population)?;
    let columns = Columns { quasi: job.quasi.clone(), beside, person: job.person.clone() };
    // Outputs are started before the input is read, so that a bad path fails early.
    let (output, extras) = extras::outputs(job)?;
    check::can_be_encoded(job, &output)?;
    let source = open()?;
    let schema = job.schema(source.header(), &claims)?;
    // Before reading, because a nested column would stop the writing at the very end.
    source.check_usable(&schema.published())?;

    progress.stage(Stage::Read);
    let reading = job.reading(anonymizer.is_some_and(|method| method.needs(Need::Rows)));
    let (table, findings) = guarded::read(&source, &schema, &columns, &reading, progress)?;
    let population = job.read_population(&table, progress)?;
    // From here on everything is in memory, until the source is read again for writing.
    let study = Study::new(&table, demands, population, progress)?;
    let solved = study.search(&method, job.time, progress)?;
    let extras = extras.with_trace(&solved, progress)?;
    let release = Release::new(&solved.recoding, &Style { intervals: job.interval_style })?;
    let extras = extras.with_classes(&release, job)?;
    let (study, schema, options) = (&study, &schema, &job.writing());
    let publication = Publication { study, source: &source, schema, na: &job.na, options };
    let counted = publication.publish(&release, output, progress)?;
    // The release is in place now; what fails after it can only be a warning.
    let (failed, reports) = extras.finish(study, progress);
    let sets = own.map_or_else(BTreeMap::new, |_| measure::sets(&table, &counted.shown));
    let (risk, not_assessed) = match assessed::assess(job, study, &release, &counted.shown) {
        Ok(risk) => (Some(risk), None),
        // The release is written and verified, so this is not an error of the run.
        Err(error) => (None, Some(Warning::new(format!("the risk was not assessed: {error}")))),
    };
    let header = job.header.is_empty() && !job.no_header;
    // In the order in which the stages of the flow found them.
    let warnings = (first_line(source.header()).filter(|_| header).into_iter())
        .chain(source.warnings(&job.left_out(), &job.na))
        .chain(guarded::warnings(&findings))
        .chain(guarded::dropped(&table))
        .chain(study.warnings().iter().cloned())
        .chain(counted.warnings.iter().cloned())
        .chain(failed)
        .chain(not_assessed)
        .collect();
    let mut outcome = Outcome {
        method: solved.method.to_string(),
        warnings,
        risk,
        undecided: schema.with(Role::Undecided).cloned().collect(),
        sets: sets.into_iter().map(|(column, sets)| (column, sets.losses())).collect(),
        ..outcome(job, study, &release, counted)
    };
    let on = Reported { job, study, source: &source, schema, outcome: &outcome };
    let failed = extras::report(reports, &on, progress);
    outcome.warnings.extend(failed);
    Ok(outcome)
}

/// Builds the outcome, except for the method and the fields that depend on files.
fn outcome(
    job: &Job,
    study: &Study,
    release: &Release,
    Counted { recount, exposure, .. }: Counted,
) -> Outcome {
    let (problem, recoding) = (study.problem(), release.recoding());
    let table = problem.table();
    let is_full = !(job.drop_suppressed || release.drops_suppressed());
    Outcome {
        rows: table.n_rows(),
        released: recount.n_rows,
        suppressed: recoding.n_suppressed(),
        show_nothing: show_nothing(problem, recoding, &recount),
        dropped: table.n_rows() - table.cohorts().n_records(),
        people: People::of(table, &recount),
        classes: recount.sizes.len(),
        smallest_class: recount.smallest(),
        method: String::new(),
        choosing: study.choosing().cloned(),
        seed: job.seed,
        quasi: job.quasi.clone(),
        privacy: recount.privacy,
        notes: (table.notes().into_iter())
            .chain(recoding.notes.iter().cloned())
            .chain(left_out(job, release))
            .collect(),
        hierarchies: describe(table, study.choices()),
        columns: Detail::of(release, is_full).into_iter().collect(),
        exposure,
        undecided: Vec::new(),
        risk: None,
        warnings: Vec::new(),
        // The loss that the method minimised, and the one that a reader sees.
        loss: Partition::of(problem, recoding).losses(),
        release_loss: measure::of_release(release, is_full).losses(),
        sets: BTreeMap::new(),
    }
}

/// Returns a warning if the first line may be a record instead of a header.
fn first_line(header: &[String]) -> Option<Warning> {
    let name = schema::looks_like_data(header)?;
    let problem = format!(
        "a column is called '{name}', so the first line may be a record, which is then published \
         unchanged"
    );
    Some(Warning::new(problem).advise([Advice::StateNoHeader]))
}

/// Returns a note if suppressed records are omitted because a model examines sensitive values.
fn left_out(job: &Job, release: &Release) -> Option<String> {
    let is_left_out = !job.drop_suppressed && release.drops_suppressed();
    (is_left_out && release.recoding().n_suppressed() > 0).then(|| {
        "suppressed records are left out of the release, because their sensitive values would be \
         published outside any class"
            .to_owned()
    })
}

/// Number of records that show nothing although the method did not suppress them.
fn show_nothing(problem: &Problem, recoding: &Recoding, recount: &Recount) -> u64 {
    let n_left_out = problem.cohorts().n_records() - recount.n_rows;
    (recount.n_suppressed + n_left_out).saturating_sub(recoding.n_suppressed())
}

/// Returns the hierarchy that the method requires, if any. It is an error if the job requests
/// another.
fn own_hierarchy(job: &Job, anonymizer: Option<&dyn Anonymizer>) -> Result<Option<Spec>> {
    let own = anonymizer.and_then(Anonymizer::hierarchy);
    let mut asked = job.hierarchy.iter().filter(|(column, _)| job.quasi.contains(column));
    match (&own, asked.next()) {
        (Some(own), Some((column, asked))) => {
            let problem = format!(
                "builds its own hierarchy, '{own}', but '{asked}' is given as the hierarchy of column \
                 '{column}'"
            );
            Err(Error::method(&job.method.to_string(), problem).advise([
                Advice::LeaveOut { key: "hierarchy", column: Some(column.clone()) },
                Advice::ChooseMethod { method: "k-member".to_owned() },
            ]))
        }
        _ => Ok(own),
    }
}

fn describe(table: &Table, choices: &[Choice]) -> BTreeMap<String, HierarchyOutcome> {
    let columns = table.columns().iter().zip(choices);
    columns.map(|(column, choice)| (column.name.clone(), described(choice))).collect()
}

fn described(Choice { generalization, why }: &Choice) -> HierarchyOutcome {
    let (nodes, height) = match generalization {
        Generalization::Tree(tree) => (tree.len(), tree.height()),
        Generalization::Levels(levels) => (levels.len(), levels.n_levels() - 1),
        Generalization::Interval(_) | Generalization::Set(_) => (0, 0),
    };
    let taken = generalization.hierarchy().map_or_else(Vec::new, builder::taken_for);
    let sources = taken.iter().filter_map(|t| Some((t.value.clone(), t.source.clone()?))).collect();
    HierarchyOutcome {
        method: generalization.method(),
        nodes,
        height,
        why: why.clone(),
        meanings: taken.into_iter().map(|taken| (taken.value, taken.meaning)).collect(),
        sources,
    }
}
