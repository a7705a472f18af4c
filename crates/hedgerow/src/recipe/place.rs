//! Finds what each record of the next table publishes.

use hashbrown::HashMap;

use super::Recipe;
use super::bind::Bound;
use super::boxes::Boxes;
use super::joins::{Ends, Joins};
use super::near::Unseen;
use crate::Result;
use crate::progress::{Progress, stop_at};
use crate::table::{Code, Cohort, Column, Table};

/// The label of each attribute; `None` where all values are missing and match any.
pub(super) type Shape = Box<[Option<u32>]>;

/// The classes of the next table before any is repaired.
#[derive(Debug)]
pub(super) struct Placed {
    /// The labels of each class.
    pub(super) shapes: Vec<Shape>,
    /// The class of each cohort; `None` if its records are suppressed because of a value.
    pub(super) of_cohort: Vec<Option<u32>>,
    /// For each attribute and label of the recipe, the number of records that fit it; records that
    /// fit none come last.
    pub(super) counts: Vec<Vec<u64>>,
    /// Number of records that fit no region.
    pub(super) n_outside: u64,
}

/// Options for placing records in classes.
#[derive(Clone, Copy)]
pub(super) struct Manner<'a> {
    pub(super) progress: &'a dyn Progress,
    pub(super) unseen: Unseen,
    /// Whether a record that fits no region joins the nearest one, which then gets wider. Otherwise
    /// it is published on its own.
    pub(super) joins_nearest: bool,
}

/// The place of the records with a tuple of values.
#[derive(Debug, Clone)]
enum Home {
    Region(u32),
    /// A region that does not cover the values, and is widened.
    Nearest(u32),
    Own(Shape),
    Suppressed,
}

/// Places every distinct tuple of values once.
pub(super) fn place(
    recipe: &Recipe,
    table: &Table,
    joins: &mut [Joins<'_>],
    manner: Manner<'_>,
) -> Result<Placed> {
    let mut finder = Finder::new(recipe, table.columns(), joins, manner);
    let Found { mut homes, sizes, of_cohort } = Found::find(table, &mut finder)?;
    let is_local = !recipe.form.is_global();
    let is_outside = |home: &&Home| is_local && matches!(home, Home::Own(_));
    let outside = homes.iter().zip(&sizes).filter(|(home, _)| is_outside(home));
    let n_outside = outside.map(|(_, size)| size).sum();
    // Before records join regions, because drift is about the effect of the rules alone.
    let counts = finder.counts(table, &homes, &of_cohort);
    if manner.joins_nearest && is_local {
        finder.join_nearest(&mut homes, &sizes);
    }
    let (shapes, class_of_home) = classes(&homes, &finder.widened);
    let of_cohort = of_cohort.iter().map(|&home| class_of_home[home]).collect();
    Ok(Placed { shapes, of_cohort, counts, n_outside })
}

/// The homes of all records.
struct Found {
    /// The home of each distinct tuple of quasi-identifiers.
    homes: Vec<Home>,
    /// The number of records with each of these tuples.
    sizes: Vec<u64>,
    /// The place of each cohort's tuple in `homes`.
    of_cohort: Vec<usize>,
}

impl Found {
    fn find(table: &Table, finder: &mut Finder<'_, '_>) -> Result<Self> {
        let (cohorts, columns) = (table.cohorts(), table.columns());
        let mut number_of: HashMap<&[Code], usize> = HashMap::new();
        let mut homes: Vec<Home> = Vec::new();
        let mut sizes: Vec<u64> = Vec::new();
        let mut of_cohort = Vec::with_capacity(cohorts.len());
        for (cohort, count) in cohorts.counted() {
            stop_at(cohort.index(), finder.manner.progress)?;
            // Cohorts also differ in sensitive values, which do not decide the home.
            let tuple = &cohorts.tuple(cohort)[..columns.len()];
            let home = *number_of.entry(tuple).or_insert_with(|| {
                homes.push(finder.home(tuple));
                sizes.push(0);
                homes.len() - 1
            });
            sizes[home] += count;
            of_cohort.push(home);
        }
        Ok(Self { homes, sizes, of_cohort })
    }
}

/// The shapes of classes, and the class of each home. Homes with the same labels are one class, as
/// a reader cannot distinguish them.
fn classes(homes: &[Home], widened: &[Shape]) -> (Vec<Shape>, Vec<Option<u32>>) {
    let mut number_of: HashMap<&Shape, u32> = HashMap::new();
    let mut shapes: Vec<Shape> = Vec::new();
    let mut of_home = Vec::with_capacity(homes.len());
    for home in homes {
        let shape = match home {
            Home::Region(region) | Home::Nearest(region) => Some(&widened[*region as usize]),
            Home::Own(shape) => Some(shape),
            Home::Suppressed => None,
        };
        of_home.push(shape.map(|shape| {
            *number_of.entry(shape).or_insert_with(|| {
                shapes.push(shape.clone());
                shapes.len() as u32 - 1
            })
        }));
    }
    (shapes, of_home)
}

/// Finds the homes of tuples.
struct Finder<'a, 'b> {
    recipe: &'a Recipe,
    columns: &'a [Column],
    joins: &'a mut [Joins<'b>],
    manner: Manner<'a>,
    /// The label of each leaf of each attribute, in a global recoding.
    cuts: Vec<Vec<u32>>,
    boxes: Option<Boxes>,
    /// The labels of each region, joined with those of records that fit no region.
    widened: Vec<Shape>,
}

impl<'a, 'b> Finder<'a, 'b> {
    fn new(
        recipe: &'a Recipe,
        columns: &'a [Column],
        joins: &'a mut [Joins<'b>],
        manner: Manner<'a>,
    ) -> Self {
        let is_global = recipe.form.is_global();
        let bounds = joins.iter().map(|joins| &joins.bound).filter(|_| is_global);
        let cuts = bounds.map(Bound::cut).collect();
        // A global recoding needs no search: each leaf has one label.
        let boxes = (!is_global).then(|| Boxes::new(&recipe.regions, joins));
        let label =
            |(joins, &label): (&Joins<'_>, &u32)| (!joins.bound.is_unknown(label)).then_some(label);
        let widened = recipe.regions.iter();
        let widened = widened.map(|region| joins.iter().zip(region).map(label).collect()).collect();
        Self { recipe, columns, joins, manner, cuts, boxes, widened }
    }

    fn home(&mut self, tuple: &[Code]) -> Home {
        let is_strange = |(joins, code): (&Joins<'_>, &Code)| joins.bound.is_strange[code.index()];
        // First, because such a record is not published whatever region it would fit.
        if self.manner.unseen == Unseen::Suppress && self.joins.iter().zip(tuple).any(is_strange) {
            return Home::Suppressed;
        }
        let leaf = |(column, &code): (&Column, &Code)| leaf_of(column, code);
        let point: Vec<Option<u32>> = self.columns.iter().zip(tuple).map(leaf).collect();
        let Some(boxes) = &self.boxes else {
            let of_leaf = self.cuts.iter().zip(&point);
            let labels = of_leaf.map(|(cut, leaf)| leaf.map(|leaf| cut[leaf as usize]));
            return Home::Own(labels.collect());
        };
        let regions = &self.recipe.regions;
        if let Some(region) = boxes.find(&point, |region| {
            let labels = regions[region as usize].iter().zip(self.joins.iter()).zip(&point);
            labels.into_iter().all(|((&label, joins), leaf)| {
                leaf.is_none_or(|leaf| joins.bound.labels[label as usize].covers(leaf.into()))
            })
        }) {
            return Home::Region(region);
        }
        // No region fits: each value gets its narrowest label, which may widen when classes are
        // repaired.
        let own = self.joins.iter_mut().zip(&point);
        Home::Own(own.map(|(joins, leaf)| leaf.map(|leaf| joins.own(leaf))).collect())
    }

    /// Lets records that fit no region, and are fewer than `k` with the same labels, join the
    /// region that loses least by being widened.
    fn join_nearest(&mut self, homes: &mut [Home], sizes: &[u64]) {
        let mut of_region = vec![0; self.recipe.regions.len()];
        let mut groups: HashMap<Shape, (usize, u64)> = HashMap::new();
        for (place, (home, size)) in homes.iter().zip(sizes).enumerate() {
            match home {
                Home::Region(region) => of_region[*region as usize] += size,
                Home::Own(shape) => groups.entry(shape.clone()).or_insert((place, 0)).1 += size,
                Home::Nearest(_) | Home::Suppressed => {}
            }
        }
        // In the order of the first record, because the map has none.
        let mut few: Vec<(usize, u64, Shape)> = groups
            .into_iter()
            // A group of k records is a class of its own, and widening others for it would only
            // lose.
            .filter(|(_, (_, size))| *size < self.recipe.goal.k)
            .map(|(shape, (first, size))| (first, size, shape))
            .collect();
        few.sort_unstable_by_key(|(first, ..)| *first);
        let mut joined: HashMap<Shape, u32> = HashMap::new();
        for (_, size, shape) in few {
            if let Some(region) = self.nearest(&shape, size, &of_region) {
                // Later groups see the region as it is now, larger and wider.
                of_region[region as usize] += size;
                joined.insert(shape, region);
            }
        }
        for home in homes {
            if let Home::Own(shape) = home
                && let Some(&region) = joined.get(shape)
            {
                *home = Home::Nearest(region);
            }
        }
    }

    /// The region with records that loses least if it is widened by `n` records with these labels,
    /// and widens it.
    fn nearest(&mut self, own: &Shape, n: u64, sizes: &[u64]) -> Option<u32> {
        let (boxes, widened) = (self.boxes.as_ref()?, &self.widened);
        // The bound reads labels while the cost may add some, in turns and never at once.
        let joins = std::cell::RefCell::new(&mut *self.joins);
        // The records themselves lose at least the gap, whatever the others lose.
        let bound = |hull: &[Option<Ends>]| n as f64 * gap(&joins.borrow(), own, hull);
        let region = boxes.nearest(bound, |region| match sizes[region as usize] {
            // A region without records is not a class that others could hide in.
            0 => f64::INFINITY,
            size => {
                let labels = &widened[region as usize];
                let (apart, together) = costs(&mut joins.borrow_mut(), labels, own);
                (size + n) as f64 * together - size as f64 * apart
            }
        })?;
        if sizes[region as usize] == 0 {
            return None;
        }
        let widened = &mut self.widened[region as usize];
        for ((label, &own), joins) in widened.iter_mut().zip(own).zip(self.joins.iter_mut()) {
            *label = join(joins, *label, own);
        }
        Some(region)
    }

    /// Number of records that fit each label of the recipe.
    fn counts(&self, table: &Table, homes: &[Home], of_cohort: &[usize]) -> Vec<Vec<u64>> {
        let n_labels = self.recipe.attributes.iter().map(|rule| rule.labels.len());
        let mut counts: Vec<Vec<u64>> = n_labels.map(|n| vec![0; n + 1]).collect();
        let cohorts = table.cohorts();
        for ((cohort, count), &home) in cohorts.counted().zip(of_cohort) {
            for (place, counts) in counts.iter_mut().enumerate() {
                // The last entry counts records without a label; joined labels have higher numbers
                // and count there too.
                let none = counts.len() - 1;
                let is_strange = self.joins[place].bound.is_strange[code(table, cohort, place)];
                let label = match &homes[home] {
                    _ if is_strange => none,
                    Home::Region(region) => self.recipe.regions[*region as usize][place] as usize,
                    Home::Own(shape) => shape[place].map_or(none, |label| label as usize),
                    Home::Nearest(_) | Home::Suppressed => none,
                };
                counts[label.min(none)] += count;
            }
        }
        counts
    }
}

/// A lower bound for the cost of any labels that cover both `own` and a label with leaves in a box.
fn gap(joins: &[Joins<'_>], own: &Shape, hull: &[Option<Ends>]) -> f64 {
    let labels = joins.iter().zip(own).zip(hull);
    labels.map(|((joins, own), &hull)| own.map_or(0.0, |own| joins.gap(own, hull))).sum()
}

/// The sum of the costs of labels, and that of their joins with others.
fn costs(joins: &mut [Joins<'_>], labels: &Shape, others: &Shape) -> (f64, f64) {
    let (mut apart, mut together) = (0.0, 0.0);
    for ((&label, &other), joins) in labels.iter().zip(others).zip(joins) {
        apart += label.map_or(0.0, |label| joins.cost(label));
        together += cost_of_join(joins, label, other);
    }
    (apart, together)
}

fn code(table: &Table, cohort: Cohort, place: usize) -> usize {
    table.cohorts().tuple(cohort)[place].index()
}

/// The leaf of a code; `None` if it is missing and matches any value.
fn leaf_of(column: &Column, code: Code) -> Option<u32> {
    let is_own = column.domain.missing.as_ref().is_none_or(|missing| missing.is_value);
    (code.index() < column.domain.len() || is_own).then_some(code.get())
}

/// The join of two labels; a value that matches any takes the label of the others.
pub(super) fn join(joins: &mut Joins<'_>, one: Option<u32>, other: Option<u32>) -> Option<u32> {
    match (one, other) {
        (Some(one), Some(other)) => Some(joins.of(one, other)),
        (one, other) => one.or(other),
    }
}

/// The cost of the join of two labels.
pub(super) fn cost_of_join(joins: &mut Joins<'_>, one: Option<u32>, other: Option<u32>) -> f64 {
    match (one, other) {
        (Some(one), Some(other)) => joins.cost_of(one, other),
        (one, other) => one.or(other).map_or(0.0, |label| joins.cost(label)),
    }
}
