//! Runs the stages of a job on distinct tuples that were counted elsewhere, such as on a cluster.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::plan::Plan;
use super::staged::{Opened, Records, Staged};
use super::{Job, check};
use crate::error::{Advice, Misuse};
use crate::io::{Frame, Source, Texts};
use crate::method::Need;
use crate::progress::Progress;
use crate::release::Mapping;
use crate::report::Outcome;
use crate::schema::{self, Schema};
use crate::study::Study;
use crate::table::{Columns, Counted, Margin, Table, check_width};
use crate::{Error, Result, anonymize};

/// A plan for publishing records that were counted elsewhere.
#[derive(Debug)]
#[non_exhaustive]
pub struct Planned {
    /// The cells that each group of tuples publishes.
    pub mapping: Mapping,
    /// The group of each counted tuple, in the order of the counts; records of tuples without a
    /// group are left out.
    pub groups: Vec<Option<usize>>,
    /// The table with its hierarchies and requirements.
    pub study: Study,
    /// The figures and warnings.
    pub outcome: Outcome,
}

/// Distinct tuples that were counted elsewhere.
#[derive(Debug, Clone, Copy)]
pub struct Counts<'a> {
    /// The names of the columns.
    pub names: &'a [String],
    /// The tuples, with the number of their records and the position of the first.
    pub counts: &'a [Counted<Vec<String>>],
    /// The distinct fields of each column in the whole table, if the tuples are a part of it.
    pub whole: Option<&'a [Margin]>,
}

impl Counts<'_> {
    /// The distinct fields of a column in the whole table.
    pub(super) fn margin(&self, column: &str) -> Result<&Margin> {
        let whole = self.whole.unwrap_or_default();
        self.check_margins(whole)?;
        Ok(&whole[schema::find(self.names, column)?])
    }

    /// Returns an error if there is not one margin for each column.
    fn check_margins(&self, whole: &[Margin]) -> Result<()> {
        let (given, columns) = (whole.len(), self.names.len());
        if given == columns {
            return Ok(());
        }
        Err(Error::misuse(Misuse::Margins { given, columns }))
    }
}

/// The columns that must be counted for a job, and those that its release has.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counting {
    /// The columns of the tuples that [`run_on_counts`] needs.
    pub counted: Vec<String>,
    /// The columns of the table that are published, in their order. Quasi-identifiers are replaced
    /// by the columns of the mapping.
    pub published: Vec<String>,
}

impl Counting {
    /// Returns what to count in a table with these columns.
    ///
    /// # Errors
    ///
    /// Those of [`run_on_counts`] that do not depend on the counts.
    ///
    /// # Examples
    ///
    /// ```
    /// use hedgerow::job::{Counting, Job};
    /// let job = Job::new("".into(), "".into(), vec!["age".to_owned()], 2);
    /// let counting = Counting::of(&job, &["age".to_owned(), "ill".to_owned()])?;
    /// assert_eq!(counting.counted, ["age"]);
    /// assert_eq!(counting.published, ["age", "ill"]);
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn of(job: &Job, header: &[String]) -> Result<Self> {
        let plan = planned(job)?;
        let source = Source::of_frame(Arc::new(Names(header.to_vec())), "the table")?;
        let schema = job.schema(source.header(), &plan.claims())?;
        let counted = plan.columns(&schema).names();
        counted.iter().try_for_each(|name| schema::find(header, name).map(drop))?;
        let published = schema.published().into_iter().map(|place| header[place].clone());
        Ok(Self { counted, published: published.collect() })
    }
}

/// Anonymizes a table of which only counts are known: distinct tuples of the columns `names`, with
/// the number of their records and the position of the first.
///
/// Tuples that are equal in the columns that the job needs are counted together. Positions only
/// need to be in the order of the records; messages name them as rows if they are below the number
/// of records. Columns of the table that are not counted are unknown here, so the caller examines
/// them with [`guard::admit`](crate::guard::admit) before publishing them.
///
/// # Errors
///
/// Those of [`run`](super::run) that are not about files, [`Error::Ragged`] for a tuple that does
/// not have one field for each name, and [`Error::Method`] for a method that looks at single
/// records.
///
/// # Examples
///
/// ```
/// use hedgerow::job::{Job, run_on_counts};
/// use hedgerow::progress::Silent;
/// use hedgerow::table::Counted;
/// let job = Job::new("".into(), "".into(), vec!["age".to_owned()], 2);
/// let tuple = |age: &str, count, first_row| Counted { fields: vec![age.to_owned()], count, first_row };
/// let counts = [tuple("20", 3, 0), tuple("21", 1, 1), tuple("60", 2, 4)];
/// let planned = run_on_counts(&job, &["age".to_owned()], &counts, &Silent)?;
/// let runs = &planned.mapping.groups[planned.groups[1].unwrap()];
/// assert_eq!(runs[0].cells.as_ref().unwrap(), &["[20, 21]"]);
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn run_on_counts(
    job: &Job,
    names: &[String],
    counts: &[Counted<Vec<String>>],
    progress: &dyn Progress,
) -> Result<Planned> {
    run_counted(job, &Counts { names, counts, whole: None }, progress)
}

/// Anonymizes a part of a table of which only counts are known, with the columns of the whole:
/// their values, and hierarchies and costs that depend on these. [`divide`](super::divide) makes
/// parts.
///
/// # Errors
///
/// Those of [`run_on_counts`] and [`divide`](super::divide).
pub fn run_on_part(job: &Job, part: &Counts<'_>, progress: &dyn Progress) -> Result<Planned> {
    check::can_be_divided(job)?;
    run_counted(job, part, progress)
}

fn run_counted(job: &Job, given: &Counts<'_>, progress: &dyn Progress) -> Result<Planned> {
    let plan = planned(job)?;
    let (job, schema) = counted_part(job, &plan, given.names)?;
    let source = Source::of_frame(Arc::new(Names(given.names.to_vec())), "the counted table")?;
    let (table, places) = table_of(&job, &plan.columns(&schema), given, progress)?;
    check::hold_together(&plan.demands, &table)?;
    let table = source.adopt(table);
    let population = job.read_population(&table, progress)?;
    // The caller examines the columns, because their values are elsewhere.
    let records = Records { table, population, looked: None };
    let staged = Staged::search(job, plan, Opened { source, schema }, records, progress)?;
    let (job, release) = (&staged.job, &staged.searched.release);
    let options = job.writing();
    let publication = staged.publication(job, &options);
    let counted = publication.count(release, progress)?;
    let outcome = staged.concluded(job, &publication).outcome(&counted, Vec::new());
    let has_suppressed = !(job.drop_suppressed || release.drops_suppressed());
    let mapping = release.mapping_with(has_suppressed, progress)?;
    let groups = places.iter().map(|&place| mapping.tuples[place].1).collect();
    Ok(Planned { mapping, groups, study: staged.study, outcome })
}

/// The counted tuples as a table, and the index of each of them among its raw tuples.
pub(super) fn table_of(
    job: &Job,
    wanted: &Columns,
    given: &Counts<'_>,
    progress: &dyn Progress,
) -> Result<(Table, Vec<usize>)> {
    let find = |name: &String| schema::find(given.names, name);
    let columns: Vec<usize> = wanted.names().iter().map(find).collect::<Result<_>>()?;
    let Merged { counts, places } = Merged::new(&columns, given)?;
    let encoding = job.reading(false).encoding;
    let table = match given.whole {
        None => Table::of_counts(wanted, &counts, &encoding, progress)?,
        Some(whole) => {
            given.check_margins(whole)?;
            let whole: Vec<Margin> = columns.iter().map(|&place| whole[place].clone()).collect();
            Table::of_part(wanted, &counts, &whole, &encoding)?
        }
    };
    Ok((table, places))
}

/// The job without options for columns that were not counted, and the roles of the others.
/// Nothing but quasi-identifiers is published from here, so other columns need no decision.
pub(super) fn counted_part(job: &Job, plan: &Plan, names: &[String]) -> Result<(Job, Schema)> {
    let mut job = job.clone();
    job.identifier.clear();
    job.drop.clear();
    job.keep.clear();
    job.keep_others = true;
    let is_counted = |name: &String| names.contains(name);
    job.sensitive.retain(is_counted);
    job.class = job.class.filter(is_counted);
    job.kind.retain(|name, _| is_counted(name));
    job.date_format.retain(|name, _| is_counted(name));
    let schema = job.schema(names, &plan.claims())?;
    Ok((job, schema))
}

/// Checks a job that runs on counts, and returns what it asks for.
pub(super) fn planned(job: &Job) -> Result<Plan> {
    check::can_search(job)?;
    check::is_decided(job)?;
    let plan = Plan::of(job)?;
    if job.weights.is_some() {
        let problem = "sampling weights are read record by record, and only counts are known here";
        return Err(
            Error::invalid(problem).advise([Advice::LeaveOut { key: "weights", column: None }])
        );
    }
    if plan.needs_rows {
        return Err(looks_at_records(&job.method.name));
    }
    Ok(plan)
}

/// The columns of a table whose records are elsewhere.
#[derive(Debug)]
struct Names(Vec<String>);

impl Frame for Names {
    fn names(&self) -> Vec<String> {
        self.0.clone()
    }

    fn n_rows(&self) -> u64 {
        0
    }

    fn texts(&self, _column: usize, _rows: Range<u64>, _texts: &mut Texts) -> Result<()> {
        Ok(())
    }
}

/// Counts of distinct tuples of the columns that a job needs.
struct Merged<'a> {
    counts: Vec<Counted<Vec<&'a str>>>,
    /// The index in `counts` of each tuple that was given.
    places: Vec<usize>,
}

impl<'a> Merged<'a> {
    fn new(columns: &[usize], given: &Counts<'a>) -> Result<Self> {
        let Counts { names, counts: given, .. } = *given;
        let mut place_of: HashMap<Vec<&str>, usize> = HashMap::with_capacity(given.len());
        let mut counts: Vec<Counted<Vec<&str>>> = Vec::new();
        let mut places = Vec::with_capacity(given.len());
        for (row, Counted { fields, count, first_row }) in given.iter().enumerate() {
            check_width(row, fields.len(), names.len())?;
            let fields: Vec<&str> = columns.iter().map(|&at| fields[at].as_str()).collect();
            let place = *place_of.entry(fields.clone()).or_insert(counts.len());
            places.push(place);
            let Some(known) = counts.get_mut(place) else {
                counts.push(Counted { fields, count: *count, first_row: *first_row });
                continue;
            };
            known.first_row = known.first_row.min(*first_row);
            known.count = known
                .count
                .checked_add(*count)
                .ok_or_else(|| Error::invalid("the counts add up to more than 2^64 records"))?;
        }
        number(&mut counts);
        Ok(Self { counts, places })
    }
}

/// Replaces positions that are not row numbers by their ranks, which have the same order.
fn number<T>(counts: &mut [Counted<T>]) {
    let n_rows = counts.iter().fold(0, |sum: u64, tuple| sum.saturating_add(tuple.count));
    if counts.iter().all(|tuple| tuple.first_row < n_rows) {
        return;
    }
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|&place| counts[place].first_row);
    for (rank, place) in order.into_iter().enumerate() {
        counts[place].first_row = rank as u64;
    }
}

/// The error for a method that needs the records one by one.
fn looks_at_records(method: &str) -> Error {
    let needs_rows = |name: &&str| {
        let of_name = anonymize::named(&crate::method::Spec::named(*name)).ok().flatten();
        of_name.is_some_and(|method| method.needs(Need::Rows))
    };
    let methods = anonymize::ALL.iter().map(|method| method.description.name);
    let others = methods.filter(|name| !needs_rows(name)).map(str::to_owned).collect();
    Error::method(method, "looks at single records, and only counts of them are known here")
        .advise([Advice::OtherMethod { methods: others }])
}
