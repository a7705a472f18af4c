//! The view that losses have: class sizes, and what each class publishes in each attribute.

use std::collections::BTreeMap;

use super::ALL;
use super::facts::Facts;
use crate::problem::{Problem, add};
use crate::proposal::{Class, Proposal};
use crate::table::Code;

/// The input of all losses: the size of each class and what it loses in each attribute.
///
/// A partition comes from a search, from a release whose equal classes are merged, or from files
/// alone; a loss does not depend on the origin.
#[derive(Debug, Clone, PartialEq)]
pub struct Partition {
    /// The requested `k`.
    pub k: u64,
    /// Properties of each quasi-identifier as a whole.
    pub columns: Vec<Whole>,
    /// Number of records in each class.
    pub sizes: Vec<u64>,
    /// The shape of each class; classes with the same shape publish the same cells.
    pub shapes: Vec<u32>,
    /// The distinct published cells of all attributes.
    pub cells: Vec<Cell>,
    /// Indices into `cells`: `width` of them for each shape, one per attribute.
    pub shown: Vec<u32>,
    /// For each class, the counts of the codes of the column to predict; `None` without such a
    /// column.
    pub labels: Option<Vec<Histogram>>,
    /// Number of suppressed records, which are in no class and lose everything.
    pub n_suppressed: u64,
}

/// Codes that occur, ascending, with their counts.
pub type Histogram = Vec<(Code, u64)>;

/// The loss of a published value.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Cell {
    /// The share of the range, or of the other values, that the cell covers: 0 to 1.
    pub cost: f64,
    /// Like `cost`, but `m` of `M` words count `m / M`, and a single word counts 0.
    pub share: f64,
    /// Level in the hierarchy divided by the height of the hierarchy; 0 without levels.
    pub level: f64,
    /// Distance from the original values as defined by the hierarchy; 0 without levels.
    pub distortion: f64,
    /// Number of records of the column that have one of the cell's values.
    pub mass: u64,
}

/// Properties of an attribute as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Whole {
    /// The distortion of the root; `None` if published values have no levels.
    pub distortion: Option<f64>,
    /// The sum of `c log2 c` over the counts `c` of the values; `None` if missing values match
    /// anything.
    pub log_counts: Option<f64>,
}

impl Partition {
    /// The partition that an anonymizer proposes.
    pub fn of(problem: &Problem, proposal: &Proposal) -> Self {
        let counts = &problem.cohorts().counts;
        let facts: Vec<Facts<'_>> =
            problem.attributes().iter().map(|attribute| Facts::of(attribute, counts)).collect();
        // Cells of all attributes share one vector; `starts` holds the first index of each
        // attribute.
        let mut cells = Vec::new();
        let mut starts: Vec<u32> = Vec::with_capacity(facts.len());
        for (place, facts) in facts.iter().enumerate() {
            starts.push(cells.len() as u32);
            cells.extend(proposal.regions_of(place).iter().map(|region| facts.cell(region)));
        }
        let numbers = (0..proposal.n_shapes()).flat_map(|shape| proposal.numbers(shape));
        // Numbers of regions count within their attribute; the starts make them indices into
        // `cells`.
        let shown = numbers.zip(starts.iter().cycle()).map(|(number, start)| start + number);
        Self {
            k: problem.k(),
            columns: facts.iter().map(Facts::whole).collect(),
            sizes: proposal.sizes(),
            shapes: Class::first(proposal.n_classes())
                .map(|class| proposal.shape(class) as u32)
                .collect(),
            shown: shown.collect(),
            cells,
            labels: labels(problem, proposal),
            n_suppressed: proposal.n_suppressed(),
        }
    }

    /// A partition that knows only the size and the costs of each class.
    ///
    /// ```
    /// use hedgerow::loss::Partition;
    /// let partition = Partition::of_costs(2, &[(2, &[0.5, 0.0]), (3, &[1.0, 0.25])], 1);
    /// assert_eq!(partition.n_records(), 6);
    /// assert!(!partition.losses().contains_key("precision"), "nothing is known of levels");
    /// ```
    pub fn of_costs(k: u64, classes: &[(u64, &[f64])], n_suppressed: u64) -> Self {
        let width = classes.first().map_or(0, |(_, costs)| costs.len());
        let costs = classes.iter().flat_map(|(_, costs)| costs.iter().copied());
        Self {
            k,
            columns: vec![Whole::default(); width],
            sizes: classes.iter().map(|&(size, _)| size).collect(),
            shapes: (0..classes.len() as u32).collect(),
            cells: costs.map(|cost| Cell { cost, share: cost, ..Cell::default() }).collect(),
            shown: (0..(classes.len() * width) as u32).collect(),
            labels: None,
            n_suppressed,
        }
    }

    /// Merges classes that publish the same. `groups` numbers, from 0 on, what each shape
    /// publishes.
    #[must_use]
    pub fn merged(&self, groups: &[u32]) -> Self {
        let width = self.columns.len();
        let n_groups = groups.iter().max().map_or(0, |&last| last as usize + 1);
        let mut class_of_group: Vec<Option<usize>> = vec![None; n_groups];
        let (mut sizes, mut shown) = (Vec::new(), Vec::new());
        let mut labels = self.labels.as_ref().map(|_| Vec::new());
        for (class, (&size, &shape)) in self.sizes.iter().zip(&self.shapes).enumerate() {
            let class_of_group = &mut class_of_group[groups[shape as usize] as usize];
            // Groups become classes in order of appearance; groups without records become none.
            let merged = *class_of_group.get_or_insert(sizes.len());
            if merged == sizes.len() {
                sizes.push(0);
                shown.extend_from_slice(&self.shown[shape as usize * width..][..width]);
                labels.iter_mut().for_each(|labels: &mut Vec<Histogram>| labels.push(Vec::new()));
            }
            sizes[merged] += size;
            if let (Some(labels), Some(of_class)) = (&mut labels, &self.labels) {
                for &(label, count) in &of_class[class] {
                    add(&mut labels[merged], label, count);
                }
            }
        }
        let (k, columns) = (self.k, self.columns.clone());
        let (shapes, cells) = ((0..sizes.len() as u32).collect(), self.cells.clone());
        let n_suppressed = self.n_suppressed;
        Self { k, columns, sizes, shapes, cells, shown, labels, n_suppressed }
    }

    /// The partition as readers of the release see it: classes with the same shape are merged.
    #[must_use]
    pub fn published(&self) -> Self {
        let n_shapes = self.shapes.iter().max().map_or(0, |&last| last + 1);
        self.merged(&(0..n_shapes).collect::<Vec<_>>())
    }

    /// Number of quasi-identifiers.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// Number of records, including suppressed ones.
    pub fn n_records(&self) -> u64 {
        self.sizes.iter().sum::<u64>() + self.n_suppressed
    }

    /// Number of cells, including those of suppressed records.
    pub fn n_cells(&self) -> f64 {
        self.n_records() as f64 * self.width() as f64
    }

    /// The cells that a class publishes, one per attribute.
    pub(crate) fn class_cells(&self, class: usize) -> impl Iterator<Item = &Cell> {
        self.shown_by(class).iter().map(|&cell| &self.cells[cell as usize])
    }

    fn shown_by(&self, class: usize) -> &[u32] {
        let width = self.width();
        &self.shown[self.shapes[class] as usize * width..][..width]
    }

    /// The sum of `of_cell` over the published cells of all records.
    pub fn sum(&self, of_cell: impl Fn(&Cell) -> f64) -> f64 {
        // Evaluate each distinct cell once, because many classes share cells.
        let numbers: Vec<f64> = self.cells.iter().map(of_cell).collect();
        let of_class = |(class, &size): (usize, &u64)| {
            let cells = self.shown_by(class).iter();
            size as f64 * cells.map(|&cell| numbers[cell as usize]).sum::<f64>()
        };
        self.sizes.iter().enumerate().map(of_class).sum()
    }

    /// The distortion of the root of each attribute, or `None` if an attribute has no levels.
    pub(crate) fn root_distortions(&self) -> Option<Vec<f64>> {
        self.columns.iter().map(|column| column.distortion).collect()
    }

    /// The losses that apply to this partition, by name.
    pub fn losses(&self) -> BTreeMap<&'static str, f64> {
        ALL.iter().filter_map(|loss| Some((loss.name, loss.item.of(self)?))).collect()
    }
}

/// The counts of the labels in each class.
fn labels(problem: &Problem, proposal: &Proposal) -> Option<Vec<Histogram>> {
    let label_of = problem.class()?.of_cohort();
    let mut labels = vec![Vec::new(); proposal.n_classes()];
    for take in proposal.takes() {
        let Some(class) = take.class else { continue };
        add(&mut labels[class.index()], label_of[take.cohort.index()], take.count);
    }
    Some(labels)
}
