//! Measures of a release from files alone: the privacy it attains, and its losses.

mod blank;
mod cells;
mod unwritten;
mod classes;
mod origins;
mod owners;
mod rounded;
mod belongs;
mod unknown;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) use belongs::{check as check_belongs, doubts as doubts_of_belonging, unexplained};
pub use classes::{ClassRow, Classes};
use hashbrown::HashMap;
pub use owners::{Owners, owners};
use serde::Serialize;
pub(crate) use unknown::Alike;
pub use unwritten::of_release;

use self::blank::Blank;
pub(crate) use self::blank::blank_cells;
use self::cells::Original;
use crate::error::Advice;
use crate::hierarchy::{Hierarchy, Notation};
use crate::loss::{Cell, Histogram, Partition, Sets, Whole};
use crate::noun::counted;
use crate::privacy::{ClassView, KAnonymity, Number, PrivacyModel, Secret, Sense};
use crate::table::{Code, Cohort, Cohorts, Column, Table};
use crate::{Error, Result};

/// The requested parameter of a privacy model, and what a release attains.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Attained {
    /// The model's name.
    pub model: &'static str,
    /// The sensitive column it looks at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The requested parameter.
    pub asked: Number,
    /// The strictest parameter that the release meets.
    pub attained: Number,
    /// Whether every class meets the requested parameter; true for a release without classes.
    pub holds: bool,
    /// Number of classes that fail; `None` if all hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing_classes: Option<usize>,
    /// The indices of the failing classes, the weakest first.
    #[serde(skip)]
    failing: Vec<usize>,
    /// Whether the model counts records of the population.
    #[serde(skip)]
    counts_population: bool,
    /// The demand and the attained parameter as text.
    #[serde(skip)]
    told: [String; 2],
}

impl Attained {
    /// The parameter of a model that all classes attain together.
    pub fn of(model: &dyn PrivacyModel, classes: &[ClassView<'_>]) -> Self {
        let of_classes = classes.iter().map(|class| model.attained(class));
        // A release attains what its weakest class attains.
        let weakest = model.sense().weakest(of_classes).unwrap_or(0.0);
        let [asked, attained] = Number::apart(model.asked(), weakest);
        let weakness = |class: &ClassView<'_>| match model.sense() {
            Sense::AtLeast => model.attained(class),
            // Negated, so that the weakest class comes first in either case.
            Sense::AtMost | Sense::Below => -model.attained(class),
        };
        let mut weak: Vec<(f64, usize)> = (classes.iter().enumerate())
            .filter(|(_, class)| !model.holds(class))
            .map(|(place, class)| (weakness(class), place))
            .collect();
        // Ties are in the order of the classes.
        weak.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let failing: Vec<usize> = weak.into_iter().map(|(_, place)| place).collect();
        Self {
            model: model.name(),
            column: model.secret().map(|secret| secret.name().to_owned()),
            asked: Number(model.asked()),
            attained: Number(weakest),
            holds: failing.is_empty(),
            failing_classes: (!failing.is_empty()).then_some(failing.len()),
            failing,
            counts_population: model.counts_population(),
            told: [model.demand(&asked), attained],
        }
    }

    /// Whether the model counts records of the population rather than those of the class.
    pub fn counts_population(&self) -> bool {
        self.counts_population
    }

    /// The requested parameter as a demand: `5`, or `at most 0.2`.
    pub fn demand(&self) -> &str {
        &self.told[0]
    }

    /// The attained parameter, with enough decimals to distinguish it from the requested one.
    pub fn shown(&self) -> &str {
        &self.told[1]
    }
}

/// The classes of a release, recounted from its published quasi-identifiers.
///
/// # Examples
///
/// ```
/// use hedgerow::measure::Recount;
/// use hedgerow::privacy::KAnonymity;
/// use hedgerow::table::Table;
/// let release = Table::from_rows(&["age"], &[["[20, 21]"], ["[20, 21]"], ["*"]])?;
/// let recount = Recount::of(&release, &[&KAnonymity::new(2)?])?;
/// assert_eq!((recount.sizes.as_slice(), recount.n_suppressed), (&[2][..], 1));
/// assert!(recount.holds());
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Recount {
    /// Number of records in the release.
    pub n_rows: u64,
    /// Number of suppressed records, which show `*` in every quasi-identifier.
    pub n_suppressed: u64,
    /// The class sizes.
    pub sizes: Vec<u64>,
    /// Number of people in each class; equal to `sizes` if every record is a person of its own.
    people: Vec<u64>,
    /// For each class, one of its cohorts in the table of the release.
    pub cohorts: Vec<Cohort>,
    /// One cohort of each group of suppressed records that look the same, and the number of
    /// records.
    suppressed: Vec<(Cohort, u64)>,
    /// The privacy that each model requires and the release attains.
    pub privacy: Vec<Attained>,
    /// Whether any record shows more than `*`.
    says_something: bool,
}

impl Recount {
    /// Counts the classes of a release whose quasi-identifiers were read as text, and what they
    /// attain.
    ///
    /// Records that show `*` everywhere (or nothing, in columns of bounds) are suppressed and are
    /// not a class, however many they are. Only if no record shows more do they form a class,
    /// provided that it satisfies the models. Models of sensitive columns must hold for suppressed
    /// records too.
    pub fn of(release: &Table, models: &[&dyn PrivacyModel]) -> Result<Self> {
        Self::among(release, models, &[])
    }

    /// Like [`Recount::of`], given the number of population records that each cohort of the release
    /// represents.
    pub fn among(
        release: &Table,
        models: &[&dyn PrivacyModel],
        population: &[u64],
    ) -> Result<Self> {
        let cohorts = release.cohorts();
        let codes: Vec<Option<Vec<Code>>> = models
            .iter()
            .map(|model| model.secret().map(|secret| secret.codes_in(release)).transpose())
            .collect::<Result<_>>()?;
        let people = release.people();
        let mut counted: Vec<Counted> = Vec::new();
        let (mut suppressed, mut places) = (Vec::<Counted>::new(), Vec::new());
        let (mut sizes, mut shown, mut n_suppressed) = (Vec::new(), Vec::new(), 0);
        let classes = classes(release);
        // Decided before the loop, because it depends on all classes.
        let blank = Blank::of(release);
        let says_something = classes.iter().any(|class| !blank.has(class[0]));
        for class in classes {
            let members = Members { cohorts: &class, people: people.as_deref() };
            let class_counted = Counted::of(members, cohorts, &codes, population);
            let size = class_counted.size;
            let mut asked = models.iter().enumerate();
            let holds = asked.all(|(place, model)| model.holds(&class_counted.view(place)));
            if !is_class(blank.has(class[0]), says_something, holds) {
                n_suppressed += size;
                suppressed.push(class_counted);
                places.push((class[0], size));
                continue;
            }
            sizes.push(size);
            shown.push(class[0]);
            counted.push(class_counted);
        }
        let privacy = (models.iter().enumerate())
            .map(|(place, &model)| claim(model, place, &counted, &suppressed))
            .collect();
        Ok(Self {
            n_rows: release.n_rows(),
            n_suppressed,
            sizes,
            people: counted.iter().map(|class| class.people).collect(),
            cohorts: shown,
            suppressed: places,
            privacy,
            says_something,
        })
    }

    /// The classes that fail a claim, the weakest first: one cohort of each in the table of the
    /// release, and the number of records.
    pub fn failing<'a>(&'a self, claim: &'a Attained) -> impl Iterator<Item = (Cohort, u64)> + 'a {
        let n_classes = self.sizes.len();
        claim.failing.iter().map(move |&place| match place.checked_sub(n_classes) {
            None => (self.cohorts[place], self.sizes[place]),
            Some(place) => self.suppressed[place], // they follow the classes
        })
    }

    /// Whether no record shows more than `*`, so that suppressed records look like all others.
    pub(crate) fn is_blank(&self) -> bool {
        !self.says_something
    }

    /// Whether every claim holds.
    pub fn holds(&self) -> bool {
        self.privacy.iter().all(|claim| claim.holds)
    }

    /// Number of people in each class; the class sizes if every record is a person of its own.
    pub(crate) fn people(&self) -> &[u64] {
        &self.people
    }

    /// Number of people in the class with fewest of them; 0 if there is no class.
    pub fn fewest_people(&self) -> u64 {
        self.people.iter().copied().min().unwrap_or(0)
    }

    /// Size of the smallest class; 0 if there is no class.
    pub fn smallest(&self) -> u64 {
        self.sizes.iter().copied().min().unwrap_or(0)
    }
}

/// A class of a release, with the counts that each model needs.
struct Counted {
    /// Number of records.
    size: u64,
    /// Number of people; the number of records if every record is a person of its own.
    people: u64,
    population: f64,
    counts: Vec<Vec<(Code, u64)>>,
}

/// The members of a class.
#[derive(Clone, Copy)]
struct Members<'a> {
    cohorts: &'a [Cohort],
    /// The person of every cohort of the release, if a person can have several records.
    people: Option<&'a [Code]>,
}

impl Counted {
    /// Counts a class. `codes` are the sensitive values that each model looks at, and `population`
    /// is the number of population records that each cohort represents, if it is known.
    fn of(
        class: Members<'_>,
        cohorts: &Cohorts,
        codes: &[Option<Vec<Code>>],
        population: &[u64],
    ) -> Self {
        let size: u64 = class.cohorts.iter().map(|&cohort| cohorts.counts[cohort.index()]).sum();
        let counts = codes.iter().map(|codes| histogram(class, codes.as_deref(), cohorts));
        // All cohorts of a class publish the same cells, so they cover the same population.
        let first = class.cohorts[0].index();
        let represented = population.get(first).map_or(size as f64, |&n_people| n_people as f64);
        let people = class.people.map_or(size, |people| {
            let own = class.cohorts.iter().map(|cohort| people[cohort.index()]);
            own.collect::<BTreeSet<Code>>().len() as u64
        });
        Self { size, people, population: represented, counts: counts.collect() }
    }

    fn view(&self, model: usize) -> ClassView<'_> {
        let Self { people, population, counts, .. } = self;
        ClassView { size: *people, population: *population, counts: &counts[model] }
    }
}

/// Returns the privacy that a model attains, given its index among the models.
fn claim(
    model: &dyn PrivacyModel,
    place: usize,
    classes: &[Counted],
    suppressed: &[Counted],
) -> Attained {
    // Suppressed records still show their sensitive values, so they count for these models.
    let with_secrets = suppressed.iter().filter(|_| model.secret().is_some());
    let counted = classes.iter().chain(with_secrets);
    let views: Vec<ClassView<'_>> = counted.map(|class| class.view(place)).collect();
    Attained::of(model, &views)
}

/// The cohorts of a release grouped by their quasi-identifiers, in order of the first cohort.
fn classes(release: &Table) -> Vec<Vec<Cohort>> {
    let (cohorts, n_quasi) = (release.cohorts(), release.columns().len());
    let mut places: HashMap<&[Code], usize> = HashMap::new();
    let mut members: Vec<Vec<Cohort>> = Vec::new();
    for cohort in cohorts.all() {
        let next = members.len();
        let place = *places.entry(&cohorts.tuple(cohort)[..n_quasi]).or_insert(next);
        members.resize_with(members.len().max(place + 1), Vec::new);
        members[place].push(cohort);
    }
    members
}

/// Whether records that look the same are a class rather than suppressed: if they show something,
/// or if no record does and all of them together satisfy the models.
fn is_class(says_nothing: bool, others_say: bool, holds: bool) -> bool {
    !says_nothing || (!others_say && holds)
}

/// Whether a published text shows nothing.
fn is_anything(text: &str) -> bool {
    Notation::read(text) == Notation::Anything
}

/// Number of records, or people, of a class with each code, sorted by code.
fn histogram(class: Members<'_>, codes: Option<&[Code]>, cohorts: &Cohorts) -> Vec<(Code, u64)> {
    let Some(codes) = codes else { return Vec::new() };
    let mut counts: BTreeMap<Code, u64> = BTreeMap::new();
    match class.people {
        None => {
            for &cohort in class.cohorts {
                *counts.entry(codes[cohort.index()]).or_default() += cohorts.counts[cohort.index()];
            }
        }
        Some(people) => {
            let own = class.cohorts.iter().map(|c| (codes[c.index()], people[c.index()]));
            let pairs: BTreeSet<(Code, Code)> = own.collect();
            pairs.into_iter().for_each(|(code, _)| *counts.entry(code).or_default() += 1);
        }
    }
    counts.into_iter().collect()
}

/// The partition of a release, with losses read from its published values.
///
/// A cell costs the share of the original range that it covers. `hierarchies` provide levels, and
/// the costs of labels that are not values of the original. Records that are missing from the
/// release are suppressed, and so are those that show `*` everywhere, as in [`Recount`]. If `k` is
/// `None`, the size of the smallest class is used. If the release was read with a column besides
/// the quasi-identifiers, that is the column to predict.
pub fn partition(
    original: &Table,
    release: &Table,
    hierarchies: &BTreeMap<String, Hierarchy>,
    k: Option<u64>,
) -> Result<Partition> {
    // Losses need class sizes only, so any k will do to count them.
    let recount = Recount::of(release, &[&KAnonymity::new(k.unwrap_or(1))?])?;
    let k = k.or(recount.sizes.iter().copied().min()).unwrap_or(1);
    let (n_original, n_released) = (original.cohorts().n_records(), release.n_rows());
    let n_lacking =
        n_original.checked_sub(n_released).ok_or_else(|| larger_release(n_released, n_original))?;
    let of_column = |(place, shown): (usize, &Column)| {
        let tree = hierarchies.get(&shown.name);
        cells::of_column(shown, Original { table: original, place }, tree)
    };
    let columns: Vec<(Whole, Vec<Cell>)> =
        release.columns().iter().enumerate().map(of_column).collect::<Result<_>>()?;
    // Cells of all columns share one vector; `starts` holds the first index of each column.
    let mut starts: Vec<u32> = Vec::with_capacity(columns.len());
    let mut n_cells = 0;
    for (_, cells) in &columns {
        starts.push(n_cells);
        n_cells += cells.len() as u32;
    }
    let shown = recount.cohorts.iter().flat_map(|&cohort| {
        let codes = release.cohorts().tuple(cohort).iter().zip(&starts);
        // The cell of a value has its code as its place within the column.
        codes.map(|(code, start)| start + code.get())
    });
    Ok(Partition {
        k,
        columns: columns.iter().map(|(whole, _)| *whole).collect(),
        shapes: (0..recount.sizes.len() as u32).collect(),
        shown: shown.collect(),
        cells: columns.iter().flat_map(|(_, cells)| cells).copied().collect(),
        labels: labels(release, &recount),
        sizes: recount.sizes,
        n_suppressed: recount.n_suppressed + n_lacking,
    })
}

/// Returns an error if a cell of a release is not what its hierarchy allows: a node of it, or
/// without a hierarchy an interval of numbers or a set of other values.
pub(crate) fn check_cells(
    original: &Table,
    release: &Table,
    hierarchies: &BTreeMap<String, Hierarchy>,
) -> Result<()> {
    release.columns().iter().enumerate().try_for_each(|(place, shown)| {
        let tree = hierarchies.get(&shown.name);
        cells::check(shown, Original { table: original, place }, tree)
    })
}

/// The error for a release with more records than the original.
fn larger_release(n_released: u64, n_original: u64) -> Error {
    let problem = format!(
        "the release has {}, more than the original, which has {n_original}",
        counted(n_released, "record")
    );
    Error::invalid(problem)
        .advise([Advice::words("check which file is the original and which the release")])
}

/// The label counts of each class, if the release was read with a column to predict.
fn labels(release: &Table, recount: &Recount) -> Option<Vec<Histogram>> {
    let class = Secret::of(release, &release.beside().first()?.name).ok()?;
    let classes = classes(release);
    let of_class = |cohort: &Cohort| {
        // Classes are sorted by their first cohort.
        let place = classes.partition_point(|class| class[0] < *cohort);
        let members = Members { cohorts: &classes[place], people: None };
        histogram(members, Some(class.of_cohort()), release.cohorts())
    };
    Some(recount.cohorts.iter().map(of_class).collect())
}

/// The generalization sets of every column in which each value is published either unchanged or in
/// one set, in all its records.
pub fn sets(original: &Table, release: &Table) -> BTreeMap<String, Sets> {
    let columns = original.columns().iter().zip(release.columns());
    columns
        .filter_map(|(column, shown)| Some((column.name.clone(), column_sets(column, shown)?)))
        .collect()
}

/// The generalization sets of a column. Records whose missing value matches any value can be in any
/// set.
fn column_sets(original: &Column, shown: &Column) -> Option<Sets> {
    let (domain, shown) = (&original.domain, &shown.domain);
    let missing = domain.missing.as_ref();
    let n_codes = domain.len() + usize::from(missing.is_some_and(|missing| missing.is_value));
    let n_anywhere = missing.filter(|missing| !missing.is_value).map_or(0, |found| found.count);
    let mut left: HashMap<_, u64> = domain
        .codes()
        .take(n_codes)
        .map(|code| (domain.spelling(code), domain.count(code)))
        .collect();
    let n_records = left.values().sum();
    let mut sets = Vec::new();
    for code in shown.codes() {
        let text = shown.spelling(code);
        // `remove` ensures that no value is in two sets.
        let counts: Vec<u64> = match (left.remove(&text), Notation::read(&text)) {
            (Some(count), _) => vec![count],
            (None, Notation::Set(members)) => members
                .into_iter()
                .map(|member| left.remove(&Cow::from(member)))
                .collect::<Option<_>>()?,
            _ => return None,
        };
        let n_members: u64 = counts.iter().sum();
        // A set must be shown by all records of its members, and by no others with a known value.
        if !(n_members..=n_members + n_anywhere).contains(&shown.count(code)) {
            return None;
        }
        if counts.len() > 1 {
            sets.push(counts);
        }
    }
    // A value that is in no set and not shown unchanged must have been shown as something else.
    left.is_empty().then_some(Sets { n_records, n_values: n_codes, counts: sets })
}
