//! The published table: the cells of each class, and the class of each record.

mod label;
mod detail;
mod exposure;
mod mapping;
mod published;
mod shown;
mod warnings;

use std::hash::Hasher;

pub(crate) use detail::Ends;
pub use detail::{Detail, Spread};
pub use exposure::{Exposure, Spelled};
use hashbrown::HashMap;
pub(crate) use label::published_columns;
pub use mapping::{MappedColumn, Mapping, Run};
pub use published::{Published, RowOrder};
use serde::{Deserialize, Serialize};

use crate::error::Advice;
use crate::problem::{Attribute, Region};
use crate::progress::{Progress, stop_at};
use crate::proposal::{Class, Take, in_order_of};
use crate::recoding::Recoding;
use crate::table::{Cohort, Column, Kind};
use crate::{Error, Result};

/// Notation of intervals of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IntervalStyle {
    /// `[17, 25]`
    #[default]
    Brackets,
    /// `17-25`
    Dash,
    /// `21`
    Midpoint,
    /// Two columns, `age_min` and `age_max`.
    Bounds,
}

impl IntervalStyle {
    /// Whether a reader can see from a cell which values it covers.
    pub(crate) fn shows_ranges(self) -> bool {
        matches!(self, Self::Brackets | Self::Dash)
    }
}

/// The format of the quasi-identifiers of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// The format of intervals.
    pub intervals: IntervalStyle,
}

impl Style {
    /// Returns an error if a column cannot be published in this style: codes have no midpoint.
    fn check(self, attributes: &[Attribute]) -> Result<()> {
        let is_code = |attribute: &&Attribute| attribute.values().kind() == Kind::Code;
        match attributes.iter().find(is_code) {
            Some(attribute) if self.intervals == IntervalStyle::Midpoint => {
                let problem = "it has codes, which have no midpoint";
                Err(Error::column(attribute.name(), problem).advise([
                    Advice::words("choose intervals in brackets, with a dash or as bounds"),
                    Advice::StateKind { column: attribute.name().to_owned(), kind: "text" },
                ]))
            }
            _ => Ok(()),
        }
    }
}

/// Everything that is needed to publish records: the cells of each class, and the records in it.
///
/// A release can be written to a file
/// ([`Publication::publish`](crate::publish::Publication::publish)) or to columns in memory
/// ([`Release::publish`]), or turned into a mapping for records that are elsewhere
/// ([`Release::mapping`]).
///
/// # Examples
///
/// ```
/// use hedgerow::prelude::*;
///
/// let table = Table::from_rows(&["age"], &[["23"], ["25"], ["41"], ["44"]])?;
/// let tree = Iotf.build(&table.columns()[0])?;
/// let problem = Problem::new(&table, vec![tree], vec![Box::new(KAnonymity::new(2)?)])?;
/// let recoding = problem.solve(&KMember::default(), &Silent)?;
/// let release = Release::new(&recoding, &Style { intervals: IntervalStyle::Dash }, &Silent)?;
/// // Each age is one of a few records, so the ends of the ranges are rare values.
/// assert!(release.warnings()[0].to_string().contains("fewer than 2 records"));
/// let published = release.publish(RowOrder::Shuffled, &Silent)?;
/// assert_eq!(published.columns[0].iter().filter(|age| *age == "23-25").count(), 2);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Release {
    recoding: Recoding,
    style: Style,
    /// The published columns of each quasi-identifier.
    columns: Vec<Vec<String>>,
    /// The distinct texts of cells.
    labels: Vec<String>,
    /// For each shape, the number of the label in each column.
    cells: Vec<u32>,
    suppressed: Box<[u32]>,
    /// For each attribute, the label number of each region's text; see [`Release::texts`].
    texts: Vec<Vec<u32>>,
    /// Indices of the takes, sorted by cohort.
    takes: Vec<u32>,
    starts: Vec<usize>,
}

impl Release {
    /// Formats the labels of every class.
    ///
    /// # Errors
    ///
    /// [`Error::Unreachable`] if classes that have the same text in this
    /// style do not satisfy the goal together, [`Error::Cancelled`] if `progress` is cancelled, and
    /// another error if midpoints of codes are requested.
    pub fn new(recoding: &Recoding, style: &Style, progress: &dyn Progress) -> Result<Self> {
        let problem = recoding.problem();
        let attributes = problem.attributes();
        style.check(attributes)?;
        let columns: Vec<_> =
            attributes.iter().map(|a| label::columns(a, style.intervals)).collect();
        let n_columns: usize = columns.iter().map(Vec::len).sum();
        let mut labels = Labels::default();
        let of_suppressed = attributes.iter().flat_map(|a| label::suppressed(a, style.intervals));
        let suppressed = labels.numbers(of_suppressed).into();
        // Many shapes share regions, so each region is formatted once.
        let mut spelt: Vec<Vec<Vec<u32>>> = Vec::with_capacity(attributes.len());
        let mut texts: Vec<Vec<u32>> = Vec::with_capacity(attributes.len());
        for (place, attribute) in attributes.iter().enumerate() {
            let formatting = Formatting { attribute, style: *style, progress };
            let regions = recoding.regions_of(place);
            texts.push(formatting.texts(regions, &mut labels)?);
            spelt.push(formatting.cells(regions, &mut labels)?);
        }
        let mut cells = Vec::with_capacity(recoding.n_shapes() * n_columns);
        for shape in 0..recoding.n_shapes() {
            stop_at(shape, progress)?;
            for (&region, spelt) in recoding.numbers(shape).iter().zip(&spelt) {
                cells.extend_from_slice(&spelt[region as usize]);
            }
        }
        let n_cohorts = problem.cohorts().len();
        // Grouped by cohort, so that the records of a cohort can be assigned one after the other.
        let (starts, takes) =
            in_order_of(recoding.takes(), n_cohorts, |take| Some(take.cohort.index()));
        let (recoding, style, labels) = (recoding.clone(), *style, labels.texts);
        let release =
            Self { recoding, style, columns, labels, cells, suppressed, texts, takes, starts };
        // Classes can look the same once they are text, which the search did not know.
        release.check_shown(progress)?;
        Ok(release)
    }

    /// The recoding that this release publishes.
    pub fn recoding(&self) -> &Recoding {
        &self.recoding
    }

    /// The names of the columns in which a quasi-identifier is published.
    pub fn columns(&self, attribute: usize) -> &[String] {
        &self.columns[attribute]
    }

    /// The published columns whose cells are text even if they look like numbers: quasi-identifiers
    /// in styles that show intervals, and columns that were read as text or codes.
    pub(crate) fn text_columns(&self) -> Vec<&String> {
        let table = self.recoding.problem().table();
        let quasi = (self.columns.iter().zip(table.columns()))
            .filter(|(_, column)| shows_text(column, self.style.intervals))
            .flat_map(|(names, _)| names);
        let beside = table.beside().iter().filter(|column| column.domain.values.scale().is_none());
        quasi.chain(beside.map(|column| &column.name)).collect()
    }

    /// The cells of a class, or of the suppressed records, one per published column.
    pub fn cells(&self, class: Option<Class>) -> Vec<&String> {
        self.numbers(class).iter().map(|&number| self.label(number)).collect()
    }

    /// The label numbers of these cells; equal numbers mean equal cells.
    pub(crate) fn numbers(&self, class: Option<Class>) -> &[u32] {
        self.numbers_of(class.map(|class| self.recoding.shape(class)))
    }

    /// The label numbers of the cells of a shape, or of the suppressed records.
    fn numbers_of(&self, shape: Option<usize>) -> &[u32] {
        let Some(shape) = shape else { return &self.suppressed };
        &self.cells[shape * self.suppressed.len()..][..self.suppressed.len()]
    }

    /// The cells of a shape, or of the suppressed records, one per published column.
    pub(crate) fn texts_of(&self, shape: Option<usize>) -> Vec<String> {
        self.numbers_of(shape).iter().map(|&number| self.label(number).clone()).collect()
    }

    /// A label by its number.
    pub(crate) fn label(&self, number: u32) -> &String {
        &self.labels[number as usize]
    }

    /// The format of the quasi-identifiers.
    pub(crate) fn style(&self) -> Style {
        self.style
    }

    /// The text of a region of an attribute, which can be read back, and its cells, whether or not
    /// a class publishes it.
    pub(crate) fn shown_as(&self, place: usize, region: &Region) -> (String, Vec<String>) {
        let (attribute, style) = (self.attribute(place), self.style.intervals);
        (label::text(attribute, region, style), label::cells(attribute, region, style))
    }

    /// Whether the cells of a region of an attribute show nothing.
    pub(crate) fn shows_nothing(&self, place: usize, region: &Region) -> bool {
        label::says_nothing(self.attribute(place), region, self.style.intervals)
    }

    /// The cells of an attribute that show nothing.
    pub(crate) fn cells_of_nothing(&self, place: usize) -> Vec<String> {
        label::suppressed(self.attribute(place), self.style.intervals)
    }

    fn attribute(&self, place: usize) -> &Attribute {
        &self.recoding.problem().attributes()[place]
    }

    /// Adds the published cells of all records of all cohorts to a digest.
    pub(crate) fn digest(&self, hasher: &mut impl Hasher) {
        for label in &self.labels {
            // Lengths make the concatenation of labels unambiguous.
            hasher.write(&(label.len() as u64).to_le_bytes());
            hasher.write(label.as_bytes());
        }
        // Takes are in the order in which records are assigned, so they determine the cells of
        // each.
        for &Take { cohort, class, count } in self.recoding.takes() {
            hasher.write(&cohort.get().to_le_bytes());
            hasher.write(&count.to_le_bytes());
            self.numbers(class).iter().for_each(|number| hasher.write(&number.to_le_bytes()));
        }
    }

    /// The text of each region of an attribute: the label itself or, in styles that do not show
    /// intervals, the interval that the label represents.
    pub(crate) fn texts(&self, attribute: usize) -> impl Iterator<Item = &str> {
        self.texts[attribute].iter().map(|&number| self.label(number).as_str())
    }

    /// Assigns records to classes.
    pub fn assigner(&self) -> Assigner<'_> {
        let given = self.starts.iter().map(|&start| (start, 0)).collect();
        Assigner { release: self, given }
    }
}

/// Formats the regions of an attribute.
struct Formatting<'a> {
    attribute: &'a Attribute,
    style: Style,
    progress: &'a dyn Progress,
}

impl Formatting<'_> {
    /// The label number of the text of each region: what a reader can parse back, even if the style
    /// shows a midpoint.
    fn texts(&self, regions: &[Region], labels: &mut Labels) -> Result<Vec<u32>> {
        let mut texts = Vec::with_capacity(regions.len());
        for (place, region) in regions.iter().enumerate() {
            stop_at(place, self.progress)?;
            texts.push(labels.number(label::text(self.attribute, region, self.style.intervals)));
        }
        Ok(texts)
    }

    /// The label numbers of the cells of each region.
    fn cells(&self, regions: &[Region], labels: &mut Labels) -> Result<Vec<Vec<u32>>> {
        let mut spelt = Vec::with_capacity(regions.len());
        for (place, region) in regions.iter().enumerate() {
            stop_at(place, self.progress)?;
            let cells = label::cells(self.attribute, region, self.style.intervals);
            spelt.push(labels.numbers(cells.into_iter()));
        }
        Ok(spelt)
    }
}

/// Distinct texts, numbered in the order of their first occurrence.
#[derive(Default)]
struct Labels {
    number_of: HashMap<String, u32>,
    texts: Vec<String>,
}

impl Labels {
    /// Returns the number of a text, and adds the text if it is new.
    fn number(&mut self, text: String) -> u32 {
        *self.number_of.entry(text).or_insert_with_key(|text| {
            self.texts.push(text.clone());
            self.texts.len() as u32 - 1
        })
    }

    fn numbers(&mut self, texts: impl Iterator<Item = String>) -> Vec<u32> {
        texts.map(|text| self.number(text)).collect()
    }
}

/// Tracks how many records of each cohort have been assigned.
#[derive(Debug)]
pub struct Assigner<'a> {
    release: &'a Release,
    /// For each cohort, its current take and the number of records of that take already assigned.
    given: Vec<(usize, u64)>,
}

impl Assigner<'_> {
    /// Returns the take of the next record of a cohort, in row order, or `None` if all its records
    /// have been assigned or the table does not have the cohort.
    pub fn take_of_next(&mut self, cohort: Cohort) -> Option<Take> {
        let Release { recoding, takes, starts, .. } = self.release;
        let (place, gone) = self.given.get_mut(cohort.index())?;
        // A take without records is skipped, and so is one whose records are all assigned.
        while *place < starts[cohort.index() + 1] {
            let take = recoding.takes()[takes[*place] as usize];
            if *gone < take.count {
                *gone += 1;
                return Some(take);
            }
            *place += 1;
            *gone = 0;
        }
        None
    }
}
/// Whether a quasi-identifier is published as text in this style.
fn shows_text(column: &Column, style: IntervalStyle) -> bool {
    // These styles mix single numbers and intervals in one column.
    matches!(style, IntervalStyle::Brackets | IntervalStyle::Dash)
        || column.domain.values.scale().is_none()
}
