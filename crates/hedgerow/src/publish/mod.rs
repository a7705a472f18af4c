//! Writes a release and verifies the written file before it gets its final name.

mod hierarchies;
mod compared;
mod attacked;
mod placed;
mod unwritten;
mod judged;

pub use self::attacked::{AttackFiles, AttackInputs};
pub use self::compared::Pair;
pub(crate) use self::hierarchies::HierarchyFolder;
pub use self::hierarchies::saved_hierarchies;
use self::judged::Judged;
pub use self::placed::{Placed, PlacedColumn};
use self::unwritten::Unwritten;

use crate::error::{Advice, Misuse, Warning};
use crate::hierarchy::RareValues;
use crate::io::{Input, Inputs, Output, ReadOptions, Source, WriteOptions, Written, write_release};
use crate::measure::{Attained, Recount};
use crate::noun::counted;
use crate::privacy::PrivacyModel;
use crate::problem::Problem;
use crate::progress::{Progress, Stage, stop_if_cancelled};
use crate::release::{Exposure, Release};
use crate::schema::{Role, Schema};
use crate::study::Study;
use crate::table::{Code, Cohort, Column, Columns, Encoding, Table};
use crate::{Error, Result};

/// A publication of a release as a file, with the other columns of its source.
///
/// # Examples
///
/// ```
/// use hedgerow::io::{Inputs, Output, ReadOptions, Source, WriteOptions};
/// use hedgerow::progress::Silent;
/// use hedgerow::publish::Publication;
/// use hedgerow::release::{Release, Style};
/// use hedgerow::schema::{Role, Schema};
/// use hedgerow::study::{Demands, Study};
/// # let folder = tempfile::tempdir().unwrap();
/// # let (input, output) = (folder.path().join("people.csv"), folder.path().join("release.csv"));
/// std::fs::write(&input, "age,ill\n23,flu\n25,cold\n41,flu\n44,gout\n").unwrap();
/// let source = Source::open(&input, None)?;
/// let roles = [("age", Role::Quasi), ("ill", Role::Sensitive)];
/// let schema = Schema::new(source.header(), &roles)?;
/// let demands = Demands { k: 2, ..Demands::of(&schema) };
/// let columns = demands.columns(&schema)?;
/// let table = source.read(&columns, &ReadOptions::default(), &Silent)?;
/// let study = Study::new(&table, demands, None, &Silent)?;
/// let solved = study.search(study.method(), None, &Silent)?;
/// let release = Release::new(&solved.recoding, &Style::default(), &Silent)?;
/// let options = WriteOptions::default();
/// let (study, source, schema, options) = (&study, &source, &schema, &options);
/// let publication = Publication { study, source, schema, na: &[], options };
/// let output = Output::create_table(&output, false, &Inputs::of([&input]))?;
/// let counted = publication.publish(&release, output, &Silent)?;
/// assert!(counted.recount.smallest() >= 2);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Publication<'a> {
    /// The study of the release.
    pub study: &'a Study,
    /// The file that the table was read from. It is read again.
    pub source: &'a Source,
    /// The roles of its columns.
    pub schema: &'a Schema,
    /// Spellings of a missing value, in addition to the empty text.
    pub na: &'a [String],
    /// Options for writing the release.
    pub options: &'a WriteOptions,
}

/// Results of reading a published file back.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Counted {
    /// The file as a reader sees it.
    pub shown: Table,
    /// The privacy that it attains.
    pub recount: Recount,
    /// The original values that it reveals, and the number of cells with a value that their record
    /// did not have.
    pub exposure: Exposure,
    /// Warnings for the publisher, in addition to those of the study.
    pub warnings: Vec<Warning>,
}

impl Publication<'_> {
    /// Returns an error if a column that `bounds` adds has the name of another column.
    fn check_names(&self, release: &Release) -> Result<()> {
        let (quasi, names) = (self.problem().table().columns(), self.schema.names());
        // A column that keeps its name replaces itself; a new one must not replace another.
        let mut new = quasi.iter().enumerate().flat_map(|(place, column)| {
            release.columns(place).iter().filter(move |name| **name != column.name)
        });
        match new.find(|name| names.contains(name)) {
            None => Ok(()),
            Some(name) => {
                let problem = "the interval style bounds would write a column of this name, which the \
                               input already has";
                Err(Error::column(name, problem).advise([
                    Advice::words("rename it"),
                    Advice::OtherIntervalStyle { styles: Vec::new() },
                ]))
            }
        }
    }

    /// Writes a release, verifies the written file, and only then gives it its final name.
    ///
    /// # Errors
    ///
    /// [`Error::Misuse`] if the release does not belong to the study or the schema has other
    /// quasi-identifiers, [`Error::Column`] if a column would be written twice, [`Error::File`] if
    /// the output would replace the source, and [`Error::Internal`] if the written file does not
    /// meet the demands. In all cases no file is left.
    pub fn publish(
        &self,
        release: &Release,
        output: Output,
        progress: &dyn Progress,
    ) -> Result<Counted> {
        self.publish_if(release, output, progress, |_| Ok(()))
    }

    /// Like [`Publication::publish`], but the file gets its final name only if `agrees` does not
    /// return an error. It is given the written file.
    pub(crate) fn publish_if(
        &self,
        release: &Release,
        mut output: Output,
        progress: &dyn Progress,
        agrees: impl FnOnce(&Source) -> Result<()>,
    ) -> Result<Counted> {
        progress.stage(Stage::Write);
        self.check_own(release)?;
        // Even if the caller forgot to list the source among the inputs of the output.
        Inputs::of([self.source.path()]).check(output.path())?;
        // Checked before anything is written.
        let exposure = Exposure::of(release);
        self.check_rare_values(&exposure)?;
        let Self { source, schema, options, .. } = *self;
        let records = Input { source, schema };
        // The file has a temporary name until it is verified.
        let written = write_release(records, release, options, &mut output, progress)?;

        progress.stage(Stage::Verify);
        let shown = self.read_back(release, &output, progress)?;
        let shown = match &written.cohorts {
            Some(cohorts) => self.with_people(&shown, cohorts)?,
            None => shown,
        };
        let recount = self.recount(&shown, release)?;
        check_written(&recount, &written)?;
        let warnings = self.warnings(&shown, release, &recount)?;
        agrees(&self.reopened(&output)?)?;
        output.finish()?;
        Ok(Counted { shown, recount, exposure, warnings })
    }

    /// Counts what the file would show, without writing it.
    ///
    /// The figures are those that [`Publication::publish`] would find in the file, because both
    /// count a table of published cells; here it is made from the release in memory.
    ///
    /// # Errors
    ///
    /// Those of [`Publication::publish`], except for those of the source: its file is not read, and
    /// columns without a role are not examined. [`Error::Cancelled`] if `progress` is cancelled.
    pub fn count(&self, release: &Release, progress: &dyn Progress) -> Result<Counted> {
        self.check_own(release)?;
        let exposure = Exposure::of(release);
        self.check_rare_values(&exposure)?;
        let shown = self.shown(release, progress)?;
        stop_if_cancelled(progress)?;
        let recount = self.recount(&shown, release)?;
        if !recount.holds() {
            return Err(unmet(&recount.privacy));
        }
        let warnings = self.warnings(&shown, release, &recount)?;
        Ok(Counted { shown, recount, exposure, warnings })
    }

    /// The published cells as a reader of the file will see them, with the person of each record.
    pub(crate) fn shown(&self, release: &Release, progress: &dyn Progress) -> Result<Table> {
        let unwritten = Unwritten {
            is_published: &|column| self.is_published(column),
            has_suppressed: !self.drops_suppressed(release),
            na: self.na,
        };
        unwritten.shown(release, progress)
    }

    /// Returns an error if the release does not belong to the study and the schema, or if a column
    /// would have the name of another.
    fn check_own(&self, release: &Release) -> Result<()> {
        // Classes of another study would be applied to the wrong records.
        if !release.recoding().problem().is_same(self.problem()) {
            return Err(Error::misuse(Misuse::OtherStudy));
        }
        let Self { source, schema, .. } = *self;
        Input { source, schema }.check_roles(release)?;
        self.study.demands().check_roles(schema)?;
        self.check_guards()?;
        self.check_names(release)
    }

    /// Returns an error if a column would be published in which records state what they guard.
    fn check_guards(&self) -> Result<()> {
        let guards = self.study.claims().guards()?;
        let is_shown = |name: &&String| {
            let place = self.schema.names().iter().position(|other| other == *name);
            let role = place.map(|place| self.schema.role(place));
            role.is_some_and(|role| role.is_published() && role != Role::Sensitive)
        };
        match guards.iter().find(is_shown) {
            None => Ok(()),
            Some(guard) => {
                let column = guard.clone();
                Err(Error::misuse(Misuse::PublishedGuard { column: column.clone() })
                    .advise([Advice::NameIdentifier { column }]))
            }
        }
    }

    /// Counts what the models attain in the published cells.
    fn recount(&self, shown: &Table, release: &Release) -> Result<Recount> {
        let mut recount = Recount::among(shown, &self.published_models(), &self.covered(shown)?)?;
        // Models of columns that are not published cannot be counted in the cells.
        for place in self.unpublished_models() {
            let claim = self.claim_before_writing(place, release)?;
            // Ascending places, so every claim ends up at the place of its model.
            recount.privacy.insert(place, claim);
        }
        Ok(recount)
    }

    fn warnings(
        &self,
        shown: &Table,
        release: &Release,
        recount: &Recount,
    ) -> Result<Vec<Warning>> {
        let has_suppressed = !self.drops_suppressed(release);
        let few = release.few_suppressed(recount.n_suppressed, has_suppressed);
        let judged = self.judged(&|column| self.is_published(column)).warnings(shown)?;
        Ok(judged.into_iter().chain(few).collect())
    }

    /// The judge that predicts the result of `verify`.
    fn judged<'a>(&'a self, is_published: &'a dyn Fn(&str) -> bool) -> Judged<'a> {
        Judged { study: self.study, is_published }
    }

    /// Returns the number of records of the population that each cohort of the release represents.
    fn covered(&self, shown: &Table) -> Result<Vec<u64>> {
        judged::covered(self.study, shown)
    }

    fn problem(&self) -> &Problem {
        self.study.problem()
    }

    /// Whether suppressed records are omitted.
    fn drops_suppressed(&self, release: &Release) -> bool {
        self.options.drop_suppressed || release.drops_suppressed()
    }

    /// Reads a written file the way `verify` does.
    fn read_back(
        &self,
        release: &Release,
        output: &Output,
        progress: &dyn Progress,
    ) -> Result<Table> {
        let options = self.options;
        let table = self.problem().table();
        let n_quasi = table.columns().len();
        let quasi = (0..n_quasi).flat_map(|place| release.columns(place).to_vec()).collect();
        let written = self.reopened(output)?;
        let published: Vec<&Column> =
            table.beside().iter().filter(|column| self.is_published(&column.name)).collect();
        let beside = published.iter().map(|column| column.name.clone()).collect();
        let encoding = Encoding {
            is_guarded: options.spreadsheet_safe,
            ..Encoding::like(&published, self.na)
        };
        let threads = options.threads;
        // The person of each row is known by its place in the file.
        let keep_rows = table.people().is_some();
        let options = ReadOptions { encoding, keep_rows, threads, ..ReadOptions::default() };
        read_release(&written, &Columns { quasi, beside, person: None }, options, progress)
    }

    /// Opens a written file that has no name yet.
    fn reopened(&self, output: &Output) -> Result<Source> {
        let written = self.options.reopen(output.temporary_path(), self.source)?;
        // Guards are part of the file, not of the values.
        Ok(if self.options.spreadsheet_safe { written.without_guards() } else { written })
    }

    /// Adds the person of each row to what was read back, given the cohort that it was written
    /// from.
    fn with_people(&self, shown: &Table, cohorts: &[Cohort]) -> Result<Table> {
        let table = self.problem().table();
        let (Some(person), Some(people)) = (table.person(), table.people()) else {
            return Err(Error::Internal("the table does not name people".into()));
        };
        let owners: Vec<Code> = cohorts.iter().map(|cohort| people[cohort.index()]).collect();
        shown.owned_by(person, &owners)
    }

    /// Returns an error if the release would reveal rare values that must be hidden.
    fn check_rare_values(&self, exposure: &Exposure) -> Result<()> {
        let is_hidden = self.study.demands().rare_values == RareValues::Hide;
        match exposure.spelled.iter().find(|(_, spelled)| is_hidden && spelled.rare > 0) {
            Some((column, _)) => {
                Err(Error::Internal(format!("a rare value of '{column}' would be published")))
            }
            None => Ok(()),
        }
    }

    fn is_published(&self, column: &str) -> bool {
        let place = self.schema.names().iter().position(|name| name == column);
        place.is_some_and(|place| self.schema.role(place).is_published())
    }

    /// Returns the models that can be counted in the written file.
    fn published_models(&self) -> Vec<&dyn PrivacyModel> {
        let hidden = self.unpublished_models();
        let models = self.problem().goal().models().iter().enumerate();
        let shown = models.filter(|(place, _)| !hidden.contains(place));
        shown.map(|(_, model)| model.as_ref()).collect()
    }

    /// Returns the indices of the models that examine a column which is not published.
    fn unpublished_models(&self) -> Vec<usize> {
        let models = self.problem().goal().models().iter().enumerate();
        let hidden = models.filter(|(_, model)| {
            let mut columns = model.secret().into_iter().flat_map(|secret| secret.columns());
            columns.any(|column| !self.is_published(column))
        });
        hidden.map(|(place, _)| place).collect()
    }

    /// Determines what a model attains on the records that look the same, counted before they are
    /// written.
    fn claim_before_writing(&self, place: usize, release: &Release) -> Result<Attained> {
        let goal = self.problem().goal();
        let mut classes = release.shown(!self.drops_suppressed(release));
        let nothing = release.numbers(None);
        let model = goal.models()[place].as_ref();
        // Records that show nothing count as suppressed unless they satisfy the model as one class.
        classes.retain(|&cells, tally| cells != nothing || model.holds(&goal.view(tally, place)));
        let views: Vec<_> = classes.values().map(|tally| goal.view(tally, place)).collect();
        let claim = Attained::of(model, &views);
        if claim.holds { Ok(claim) } else { Err(unmet(std::slice::from_ref(&claim))) }
    }
}

/// Returns an error if the written file differs from what was meant to be written.
fn check_written(recount: &Recount, written: &Written) -> Result<()> {
    // Other records may show nothing too; if all do, they count as a class.
    let is_suppressed = recount.n_suppressed >= written.n_suppressed || recount.is_blank();
    if recount.n_rows != written.n_rows || !is_suppressed {
        return Err(Error::Internal(format!(
            "the written file has {} of {}, and {} of at least {} suppressed",
            recount.n_rows,
            counted(written.n_rows, "record"),
            recount.n_suppressed,
            written.n_suppressed
        )));
    }
    if recount.holds() { Ok(()) } else { Err(unmet(&recount.privacy)) }
}

fn unmet(claims: &[Attained]) -> Error {
    let unmet: Vec<String> = claims
        .iter()
        .filter(|claim| !claim.holds)
        .map(|claim| format!("{} of {}, not {}", claim.model, claim.shown(), claim.demand()))
        .collect();
    Error::Internal(format!("the written file has {}", unmet.join(", ")))
}

/// Reads columns of a release: quasi-identifiers as text, and the columns that models examine in
/// the encoding of `options`. An empty cell is what the release shows, whatever the policy for
/// missing values of the original.
pub fn read_release(
    source: &Source,
    columns: &Columns,
    mut options: ReadOptions,
    progress: &dyn Progress,
) -> Result<Table> {
    options.encoding = options.encoding.of_release();
    source.read(columns, &options, progress)
}
