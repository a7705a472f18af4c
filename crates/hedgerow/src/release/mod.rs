//! The published table: what each class shows, and which record shows what.

mod label;

use std::borrow::Cow;

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use crate::loss::Partition;
use crate::problem::{Problem, Region};
use crate::recoding::{Recoding, Take, in_order_of};
use crate::table::{NO_COHORT, Table};

/// How intervals of numbers are written.
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

/// What quasi-identifiers of a release look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// How intervals are written.
    pub intervals: IntervalStyle,
}

/// Everything that is needed to publish records: the cells of each class, and where records go.
#[derive(Debug, Clone)]
pub struct Release<'a> {
    recoding: &'a Recoding,
    /// The published columns of each quasi-identifier.
    columns: Vec<Vec<String>>,
    /// The cells of each shape, in the order of the columns.
    cells: Vec<Box<[String]>>,
    suppressed: Box<[String]>,
    /// The takes of each cohort, in order, and where they begin.
    takes: Vec<u32>,
    starts: Vec<usize>,
}

impl<'a> Release<'a> {
    /// Writes the labels of every class.
    pub fn new(problem: &Problem<'_>, recoding: &'a Recoding, style: &Style) -> Self {
        let attributes = problem.attributes();
        let columns: Vec<_> =
            attributes.iter().map(|a| label::columns(a, style.intervals)).collect();
        let n_columns: usize = columns.iter().map(Vec::len).sum();
        // Many shapes have the same region, so each is spelt once.
        let mut spelt: Vec<HashMap<&Region, Vec<String>>> = vec![HashMap::new(); attributes.len()];
        let cells_of = |shape: usize| {
            let mut cells = Vec::with_capacity(n_columns);
            let regions = attributes.iter().zip(recoding.regions(shape));
            for ((attribute, region), spelt) in regions.zip(&mut spelt) {
                let of_region = || label::cells(attribute, region, style.intervals);
                cells.extend_from_slice(spelt.entry(region).or_insert_with(of_region));
            }
            cells.into()
        };
        let n_cohorts = problem.cohorts().len();
        let (starts, takes) = in_order_of(recoding.takes(), n_cohorts, |take| take.cohort);
        Self {
            recoding,
            columns,
            cells: (0..recoding.n_shapes()).map(cells_of).collect(),
            suppressed: vec!["*".to_owned(); n_columns].into(),
            takes,
            starts,
        }
    }

    /// The names of the columns that a quasi-identifier is published in.
    pub fn columns(&self, attribute: usize) -> &[String] {
        &self.columns[attribute]
    }

    /// The cells of a class, or of the suppressed records, in the order of all columns.
    pub fn cells(&self, class: u32) -> &[String] {
        if class == Take::SUPPRESSED {
            return &self.suppressed;
        }
        &self.cells[self.recoding.shape(class as usize)]
    }

    /// Hands records out to classes.
    pub fn assigner(&self) -> Assigner<'_> {
        let given = self.starts.iter().map(|&start| (start, 0)).collect();
        Assigner { release: self, given }
    }

    /// The cells of every published record of a table that is in memory, in row order.
    pub fn rows(&self, table: &Table) -> Vec<&[String]> {
        let mut assigner = self.assigner();
        let rows = table.rows().unwrap_or_default().iter();
        let known = rows.filter(|&&cohort| cohort != NO_COHORT);
        known.filter_map(|&cohort| assigner.class_of_next(cohort)).map(|c| self.cells(c)).collect()
    }

    /// The partition as a reader of the release sees it: classes that show the same are one.
    pub fn merge<'p>(&self, partition: &'p Partition) -> Cow<'p, Partition> {
        let mut groups: HashMap<&[String], u32> = HashMap::new();
        let of_shape = self.cells.iter().map(|cells| {
            let next = groups.len() as u32;
            *groups.entry(cells).or_insert(next)
        });
        let of_shape: Vec<u32> = of_shape.collect();
        let mut is_shown = vec![false; groups.len()];
        let mut shown = partition.shapes.iter().map(|&shape| of_shape[shape as usize] as usize);
        if shown.all(|group| !std::mem::replace(&mut is_shown[group], true)) {
            return Cow::Borrowed(partition);
        }
        Cow::Owned(partition.merged(&of_shape))
    }
}

/// Remembers how many records of each cohort were handed out.
#[derive(Debug)]
pub struct Assigner<'a> {
    release: &'a Release<'a>,
    /// For each cohort, its current take and how many records of that are gone.
    given: Vec<(usize, u64)>,
}

impl Assigner<'_> {
    /// The class of the next record of a cohort, records coming in row order; none when all
    /// records of the cohort were handed out.
    pub fn class_of_next(&mut self, cohort: u32) -> Option<u32> {
        let Release { recoding, takes, starts, .. } = self.release;
        let (place, gone) = &mut self.given[cohort as usize];
        while *place < starts[cohort as usize + 1] {
            let take = recoding.takes()[takes[*place] as usize];
            if *gone < take.count {
                *gone += 1;
                return Some(take.class);
            }
            *place += 1;
            *gone = 0;
        }
        None
    }
}
