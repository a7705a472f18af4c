//! Records as input of a learner: the text of every cell.

use std::borrow::Cow;

use hashbrown::HashMap;

use super::examples::Examples;
use crate::hierarchy::Notation;
use crate::table::{Column, Reading, Table, Values};
use crate::{Error, Result};

/// Records, with equal ones merged.
pub(super) struct View<'a> {
    pub(super) columns: Vec<Texts<'a>>,
    pub(super) labels: Texts<'a>,
    pub(super) weights: Vec<u64>,
}

/// A column of texts.
#[derive(Clone)]
pub(super) struct Texts<'a> {
    pub(super) known: Vec<Cow<'a, str>>,
    /// For each record, the index of its text in `known`.
    pub(super) codes: Vec<u32>,
}

impl<'a> View<'a> {
    /// The cohorts of a table as they are; `class` is a column besides the quasi-identifiers.
    pub(super) fn of(table: &'a Table, class: &str) -> Result<Self> {
        let names = || table.beside().iter().map(|column| column.name.as_str());
        let place = names()
            .position(|name| name == class)
            .ok_or_else(|| Error::unknown_column(class, names()))?;
        let columns = table.columns().iter().enumerate();
        Ok(Self {
            columns: columns.map(|(place, column)| Texts::of(table, column, place)).collect(),
            labels: Texts::of(table, &table.beside()[place], table.columns().len() + place),
            weights: table.cohorts().counts.clone(),
        })
    }
}

impl<'a> Texts<'a> {
    fn of(table: &'a Table, column: &'a Column, place: usize) -> Self {
        let (domain, cohorts) = (&column.domain, table.cohorts());
        let known = domain.codes().map(|code| domain.spelling(code)).collect();
        let codes = cohorts.all().map(|cohort| cohorts.tuple(cohort)[place].get()).collect();
        Self { known, codes }
    }

    /// Numbers texts in order of first appearance.
    pub(super) fn numbered(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let (mut known, mut codes) = (Vec::new(), Vec::new());
        for text in texts {
            let next = known.len() as u32;
            let code = *numbers.entry(text).or_insert(next);
            if code == next {
                known.push(Cow::Borrowed(text));
            }
            codes.push(code);
        }
        Self { known, codes }
    }
}

/// Encodes views of the same columns with common codes; `columns` are the original columns.
///
/// Numbers and dates are ordered. A published range has the position of its midpoint after clipping
/// to the column's range, a set has the mean of its members, and a cell that shows nothing has the
/// middle of the column. If any text of a column has no position, the column is treated as
/// categorical, like a column of words.
pub(super) fn encode(columns: &[Column], views: &[&View<'_>]) -> Vec<Examples> {
    let coded: Vec<Coded> = (columns.iter().enumerate())
        .map(|(place, column)| {
            let texts: Vec<_> = views.iter().map(|view| &view.columns[place]).collect();
            Coded::of(&column.domain.values, &texts)
        })
        .collect();
    let labels = numbers(&views.iter().map(|view| &view.labels).collect::<Vec<_>>());
    let numbered = views.iter().zip(&labels).enumerate();
    numbered.map(|(at, (view, labels))| examples_of(view, at, &coded, labels)).collect()
}

/// The codes of a column, which all views share.
struct Coded {
    is_ordered: bool,
    /// For each view, the code of each of its texts.
    codes: Vec<Vec<u32>>,
}

impl Coded {
    fn of(values: &Values, texts: &[&Texts<'_>]) -> Self {
        match ranks(values, texts) {
            Some(codes) => Self { is_ordered: true, codes },
            None => Self { is_ordered: false, codes: numbers(texts) },
        }
    }
}

/// Encodes the view with index `at`, whose labels have the codes `labels`.
fn examples_of(view: &View<'_>, at: usize, coded: &[Coded], labels: &[u32]) -> Examples {
    let row = |record: usize| {
        let cells = view.columns.iter().zip(coded);
        cells.map(move |(texts, column)| column.codes[at][texts.codes[record] as usize])
    };
    Examples {
        is_ordered: coded.iter().map(|column| column.is_ordered).collect(),
        codes: (0..view.weights.len()).flat_map(row).collect(),
        labels: view.labels.codes.iter().map(|&code| labels[code as usize]).collect(),
        weights: view.weights.clone(),
    }
}

/// A number for each text of each view; equal texts have equal numbers.
fn numbers(texts: &[&Texts<'_>]) -> Vec<Vec<u32>> {
    let mut known: HashMap<&str, u32> = HashMap::new();
    let mut all = Vec::with_capacity(texts.len());
    for texts in texts {
        let mut codes = Vec::with_capacity(texts.known.len());
        for text in &texts.known {
            let next = known.len() as u32;
            codes.push(*known.entry(text).or_insert(next));
        }
        all.push(codes);
    }
    all
}

/// The rank of each text of each view among all positions, or `None` if a text has no position.
fn ranks(values: &Values, texts: &[&Texts<'_>]) -> Option<Vec<Vec<u32>>> {
    let place = |text: &Cow<'_, str>| place(values, text);
    // One text without a position makes the whole column categorical.
    let of_view = |texts: &&Texts<'_>| texts.known.iter().map(place).collect::<Option<Vec<f64>>>();
    let places: Vec<Vec<f64>> = texts.iter().map(of_view).collect::<Option<_>>()?;
    let mut order: Vec<f64> = places.iter().flatten().copied().collect();
    order.sort_by(f64::total_cmp);
    order.dedup_by(|a, b| a.total_cmp(b).is_eq());
    // Ranks keep the order, which is all that a threshold uses.
    let rank = |place: &f64| order.partition_point(|one| one.total_cmp(place).is_lt()) as u32;
    Some(places.iter().map(|places| places.iter().map(rank).collect()).collect())
}

/// The position of a published number or date.
fn place(values: &Values, text: &str) -> Option<f64> {
    let (least, greatest) = values.scale()?.ends()?;
    let read = |text: &str| values.read(text).map(Reading::value);
    let middle = |low: f64, high: f64| f64::midpoint(low.max(least), high.min(greatest));
    if text.trim().is_empty() {
        return Some(middle(least, greatest));
    }
    match Notation::read_as(values, text) {
        Notation::Anything => Some(middle(least, greatest)),
        Notation::Range(low, high) => Some(middle(low, high)),
        Notation::Set(members) | Notation::PartialSet(members, _) => {
            let places: Vec<f64> = members.iter().map(|text| read(text)).collect::<Option<_>>()?;
            Some(places.iter().sum::<f64>() / places.len() as f64)
        }
        Notation::Name(text) => read(&text),
    }
}
