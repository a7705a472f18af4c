//! The result that a job returns, from its finished stages.

use std::collections::BTreeMap;

use super::assessed::Assessed;
use super::certified::Searched;
use super::guarded::{self, Looked};
use super::narrowed::Narrowed;
use super::{Job, rules};
use crate::auto::Choice;
use crate::builder;
use crate::error::{Advice, Warning};
use crate::hierarchy::{Generalization, Notation, RareValues};
use crate::loss::Partition;
use crate::measure::{self, Recount};
use crate::problem::Problem;
use crate::publish::{Counted, Publication};
use crate::recoding::Recoding;
use crate::release::{Detail, Release};
use crate::report::{HierarchyOutcome, Outcome, People};
use crate::risk::Side;
use crate::schema::{self, Role};
use crate::table::Table;

/// The stages of a job whose release is written, or counted as if it were.
pub(super) struct Concluded<'a> {
    pub(super) job: &'a Job,
    pub(super) publication: &'a Publication<'a>,
    pub(super) searched: &'a Searched,
    /// The examination of the columns, if they were examined for this release.
    pub(super) looked: Option<&'a Looked>,
    /// Whether the method publishes sets of a hierarchy that only it uses.
    pub(super) has_sets: bool,
    /// The risk of the input, if it is known.
    pub(super) before: Option<&'a Side>,
}

impl Concluded<'_> {
    /// Builds the outcome. `failed` are warnings about other outputs that could not be written.
    pub(super) fn outcome(self, counted: &Counted, failed: Vec<Warning>) -> Outcome {
        let Self { job, publication, before, .. } = self;
        let Searched { solved, release, certified } = self.searched;
        let (study, shown) = (publication.study, &counted.shown);
        let (problem, recoding) = (study.problem(), release.recoding());
        let table = problem.table();
        // Losses and details are about the records that the file contains.
        let is_full = !(job.drop_suppressed || release.drops_suppressed());
        let (risk, not_assessed) =
            match (Assessed { publication, release, shown, before }).assess(job) {
                Ok(risk) => (Some(risk), None),
                // The release is written and verified, so this is not an error of the run.
                Err(error) => {
                    let problem = format!("the risk was not assessed: {}", error.problem());
                    (None, Some(Warning::new(problem).advise(error.advice())))
                }
            };
        let warnings = self.warnings(counted).chain(failed).chain(not_assessed).collect();
        let sets = if self.has_sets { measure::sets(table, shown) } else { BTreeMap::new() };
        let recount = &counted.recount;
        let reading = [publication.source.notes(), table.notes()].concat();
        Outcome {
            rows: table.n_rows(),
            released: recount.n_rows,
            suppressed: recoding.n_suppressed(),
            show_nothing: show_nothing(problem, recoding, recount),
            dropped: table.n_rows() - table.cohorts().n_records(),
            people: People::of(table, recount),
            classes: recount.sizes.len(),
            smallest_class: recount.smallest(),
            method: solved.method.to_string(),
            choosing: study.choosing().cloned(),
            seed: job.seed,
            quasi: job.quasi.clone(),
            privacy: recount.privacy.clone(),
            notes: (reading.iter().cloned())
                .chain(recoding.notes.iter().cloned())
                .chain(left_out(job, release))
                .chain(listed_in_folder(job, release))
                .chain(rules::note(job, release))
                .collect(),
            reading,
            hierarchies: describe(table, study.choices()),
            columns: Detail::of(release, is_full).into_iter().collect(),
            exposure: counted.exposure.clone(),
            undecided: publication.schema.with(Role::Undecided).cloned().collect(),
            risk,
            warnings,
            certificate: *certified,
            // The loss that the method minimised, and the one that a reader sees.
            loss: Partition::of(problem, recoding).losses(),
            release_loss: measure::of_release(release, is_full).losses(),
            sets: sets.into_iter().map(|(column, sets)| (column, sets.losses())).collect(),
        }
    }

    /// Returns the warnings in the order in which the stages of the flow found them.
    fn warnings(&self, counted: &Counted) -> impl Iterator<Item = Warning> {
        let Self { job, publication: Publication { study, source, .. }, .. } = self;
        // Names that the user gave are not mistaken for a record.
        let has_header = job.header.is_empty() && !job.no_header;
        (first_line(source.header()).filter(|_| has_header).into_iter())
            .chain(source.warnings(&job.left_out(), &job.na))
            .chain(guarded::warnings(
                self.looked.map_or(&[][..], Looked::findings),
                self.publication.schema,
            ))
            .chain(guarded::dropped(study.problem().table()))
            .chain(study.warnings().iter().cloned())
            .chain(counted.warnings.iter().cloned())
            .chain(job.recipe.as_ref().and_then(|_| rules::warning(job, &counted.exposure)))
            .chain(unlisted(job, &self.searched.release))
            .chain(self.searched.release.hidden())
            .chain(self.narrowed())
    }

    /// Returns warnings about published cells that other published columns narrow.
    fn narrowed(&self) -> Vec<Warning> {
        let release = &self.searched.release;
        let has_suppressed = !(self.job.drop_suppressed || release.drops_suppressed());
        let schema = self.publication.schema;
        self.looked.map_or_else(Vec::new, |looked| {
            Narrowed::new(&looked.glance, schema, release, has_suppressed).warnings()
        })
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

/// Returns a note if labels do not name all their values, but the saved hierarchies do.
fn listed_in_folder(job: &Job, release: &Release) -> Option<String> {
    let folder = job.hierarchies.as_ref()?;
    let problem = not_all_named(job, release)?;
    Some(format!("{problem}; the files in {} do", folder.display()))
}

/// Returns a warning if labels do not name all their values and nothing else does.
fn unlisted(job: &Job, release: &Release) -> Option<Warning> {
    let problem = not_all_named(job, release).filter(|_| job.hierarchies.is_none())?;
    Some(Warning::new(problem).advise([Advice::SaveHierarchies]))
}

/// Returns what to say if labels of hierarchies do not name all their values. Sets that hide rare
/// values do so deliberately.
fn not_all_named(job: &Job, release: &Release) -> Option<String> {
    // Hidden members are left out deliberately, and saying where they are listed would undo that.
    if job.rare_values == RareValues::Hide {
        return None;
    }
    let is_partial = |text: &&str| {
        text.ends_with('}') && matches!(Notation::read(text), Notation::PartialSet(..))
    };
    let attributes = release.recoding().problem().attributes().iter().enumerate();
    let mut labels = attributes.filter_map(|(place, attribute)| {
        Some((attribute.name(), release.texts(place).find(is_partial)?))
    });
    labels.next().map(|(column, label)| {
        format!(
            "labels such as '{label}' in column '{column}' represent one group each, but do not name all \
             its values"
        )
    })
}

/// Number of records that show nothing although the method did not suppress them.
fn show_nothing(problem: &Problem, recoding: &Recoding, recount: &Recount) -> u64 {
    // Records that the file lacks show nothing either; those that the method suppressed are counted
    // elsewhere.
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
        Generalization::Interval(_) | Generalization::Set(_) | Generalization::Fixed(_) => (0, 0),
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
