//! What a job returns, from its finished stages.

use std::collections::BTreeMap;

use super::guarded::{self, Looked};
use super::narrowed::Narrowed;
use super::{Job, assessed};
use crate::auto::Choice;
use crate::builder;
use crate::error::{Advice, Warning};
use crate::hierarchy::Generalization;
use crate::io::Source;
use crate::loss::Partition;
use crate::measure::{self, Recount};
use crate::method::Spec;
use crate::problem::Problem;
use crate::publish::Counted;
use crate::recoding::Recoding;
use crate::release::{Detail, Release};
use crate::report::{HierarchyOutcome, Outcome, People};
use crate::schema::{self, Role, Schema};
use crate::study::Study;
use crate::table::Table;

/// The stages of a job whose release is written.
pub(super) struct Concluded<'a> {
    pub(super) job: &'a Job,
    pub(super) study: &'a Study,
    pub(super) source: &'a Source,
    pub(super) schema: &'a Schema,
    pub(super) release: &'a Release,
    pub(super) looked: Looked,
    /// Whether the method publishes sets of a hierarchy that only it uses.
    pub(super) has_sets: bool,
}

impl Concluded<'_> {
    /// Builds the outcome. `failed` are warnings about other outputs that could not be written.
    pub(super) fn outcome(self, method: &Spec, counted: &Counted, failed: Vec<Warning>) -> Outcome {
        let Self { job, study, release, .. } = self;
        let (problem, recoding) = (study.problem(), release.recoding());
        let table = problem.table();
        let is_full = !(job.drop_suppressed || release.drops_suppressed());
        let (risk, not_assessed) = match assessed::assess(job, study, release, &counted.shown) {
            Ok(risk) => (Some(risk), None),
            // The release is written and verified, so this is not an error of the run.
            Err(error) => (None, Some(Warning::new(format!("the risk was not assessed: {error}")))),
        };
        let warnings = self.warnings(counted).chain(failed).chain(not_assessed).collect();
        let sets =
            if self.has_sets { measure::sets(table, &counted.shown) } else { BTreeMap::new() };
        let recount = &counted.recount;
        Outcome {
            rows: table.n_rows(),
            released: recount.n_rows,
            suppressed: recoding.n_suppressed(),
            show_nothing: show_nothing(problem, recoding, recount),
            dropped: table.n_rows() - table.cohorts().n_records(),
            people: People::of(table, recount),
            classes: recount.sizes.len(),
            smallest_class: recount.smallest(),
            method: method.to_string(),
            choosing: study.choosing().cloned(),
            seed: job.seed,
            quasi: job.quasi.clone(),
            privacy: recount.privacy.clone(),
            notes: (table.notes().into_iter())
                .chain(recoding.notes.iter().cloned())
                .chain(left_out(job, release))
                .collect(),
            hierarchies: describe(table, study.choices()),
            columns: Detail::of(release, is_full).into_iter().collect(),
            exposure: counted.exposure.clone(),
            undecided: self.schema.with(Role::Undecided).cloned().collect(),
            risk,
            warnings,
            // The loss that the method minimised, and the one that a reader sees.
            loss: Partition::of(problem, recoding).losses(),
            release_loss: measure::of_release(release, is_full).losses(),
            sets: sets.into_iter().map(|(column, sets)| (column, sets.losses())).collect(),
        }
    }

    /// Returns the warnings in the order in which the stages of the flow found them.
    fn warnings(&self, counted: &Counted) -> impl Iterator<Item = Warning> {
        let Self { job, study, source, .. } = self;
        let has_header = job.header.is_empty() && !job.no_header;
        (first_line(source.header()).filter(|_| has_header).into_iter())
            .chain(source.warnings(&job.left_out(), &job.na))
            .chain(guarded::warnings(&self.looked.findings))
            .chain(guarded::dropped(study.problem().table()))
            .chain(study.warnings().iter().cloned())
            .chain(counted.warnings.iter().cloned())
            .chain(self.narrowed())
    }

    /// Returns warnings about published cells that other published columns narrow.
    fn narrowed(&self) -> Vec<Warning> {
        let has_suppressed = !(self.job.drop_suppressed || self.release.drops_suppressed());
        Narrowed::new(&self.looked.glance, self.schema, self.release, has_suppressed).warnings()
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
