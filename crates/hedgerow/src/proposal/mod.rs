//! The proposal of an anonymizer: classes and their records.

mod shapes;
mod uses;
mod flaws;

use hashbrown::HashMap;

use self::flaws::is_known;
use self::shapes::Shapes;
pub(crate) use self::uses::{Uses, level};
use crate::error::Flaw;
use crate::hierarchy::Node;
use crate::index::niche_index;
use crate::problem::{Attribute, Problem, Region, Tally};
use crate::table::Cohort;
use crate::{Error, Result};

/// Number of takes or classes whose leaves are looked up in one batch. Consecutive lookups let the
/// processor overlap cache misses.
const AT_ONCE: usize = 256;

niche_index! {
    /// The number of a class of a proposal.
    Class
}

/// A number of records of a cohort that go to one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Take {
    /// The cohort.
    pub cohort: Cohort,
    /// The class; `None` if the records are suppressed, so that their quasi-identifiers are not
    /// published.
    pub class: Option<Class>,
    /// Number of records.
    pub count: u64,
}

/// A partition of the records into classes, with the region of each class and attribute.
///
/// A cohort can be divided between classes. Its records then go to them in row order, in the order
/// of the takes, so a proposal determines the class of every record without listing records.
///
/// Many classes publish the same, so their regions are stored once for each *shape*, a tuple of
/// regions. There are far fewer distinct regions than shapes, so a shape stores region numbers.
///
/// # Examples
///
/// A proposal is not checked; [`Recoding::of`](crate::recoding::Recoding::of) does that:
///
/// ```
/// use hedgerow::prelude::*;
///
/// let table = Table::from_rows(&["age"], &[["23"], ["25"], ["41"], ["44"]])?;
/// let free = Free.build(&table.columns()[0])?;
/// let problem = Problem::new(&table, vec![free], vec![Box::new(KAnonymity::new(2)?)])?;
/// let proposal = Hedge::default().propose(&problem, &Silent)?;
/// assert_eq!(proposal.flaw(&problem, &Silent)?, None);
/// let recoding = Recoding::of(&problem, proposal, &Silent)?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The distinct regions of each attribute.
    regions: Vec<Vec<Region>>,
    /// For each shape, the number of the region of each attribute.
    shapes: Vec<u32>,
    shape_of_class: Vec<u32>,
    takes: Vec<Take>,
    /// Notes of the method about its search, for the report.
    pub notes: Vec<String>,
    /// The steps of the search as CSV, if the method records them.
    pub trace: Option<String>,
    /// The reason why the search ended before it could be sure of its result, if it did.
    pub early: Option<Early>,
}

/// The early end of a search that is not sure of its result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Early {
    /// The reason, as a clause: `the budget ended`.
    pub why: &'static str,
    /// Upper bound on how much less the best result can lose; `None` if unknown.
    pub gap: Option<f64>,
}

impl Early {
    /// The end of a search by its time limit.
    pub(crate) const OUT_OF_TIME: Self =
        Self { why: "the time limit was reached, so the result depends on the machine", gap: None };
}

impl Proposal {
    /// Creates a proposal from takes. The regions of a class are the smallest ones that contain its
    /// records.
    ///
    /// # Errors
    ///
    /// [`Error::Flawed`] with [`Flaw::UnknownIndex`] if a take refers to a cohort that the problem
    /// does not have, or to a class that is not among the first `n_classes`.
    ///
    /// # Examples
    ///
    /// Two ages in one class, and a third that is suppressed:
    ///
    /// ```
    /// use hedgerow::builder::{Free, HierarchyBuilder};
    /// use hedgerow::privacy::KAnonymity;
    /// use hedgerow::problem::Problem;
    /// use hedgerow::proposal::{Class, Proposal, Take};
    /// use hedgerow::table::Table;
    /// let table = Table::from_rows(&["age"], &[["20"], ["21"], ["60"]])?;
    /// let free = Free.build(&table.columns()[0])?;
    /// let problem = Problem::new(&table, vec![free], vec![Box::new(KAnonymity::new(2)?)])?;
    /// let classes = [Some(Class::new(0)), Some(Class::new(0)), None];
    /// let cohorts = problem.cohorts().counted().zip(classes);
    /// let takes = cohorts.map(|((cohort, count), class)| Take { cohort, class, count }).collect();
    /// let proposal = Proposal::new(&problem, 1, takes)?;
    /// assert_eq!((proposal.sizes(), proposal.n_suppressed()), (vec![2], 1));
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn new(problem: &Problem, n_classes: usize, takes: Vec<Take>) -> Result<Self> {
        if !takes.iter().all(|take| is_known(take, problem, n_classes)) {
            return Err(Error::Flawed(Flaw::UnknownIndex));
        }
        let attributes = problem.attributes();
        // Suppressed takes have no class, so they are left out.
        let (starts, order) = in_order_of(&takes, n_classes, |take| Some(take.class?.index()));
        let cohorts: Vec<Cohort> = order.iter().map(|&take| takes[take as usize].cohort).collect();
        let mut shapes = Shapes::new(attributes.len());
        let mut shape_of_class = Vec::with_capacity(n_classes);
        let mut leaves = Vec::new();
        for first in (0..n_classes).step_by(AT_ONCE) {
            // `leaves` holds the leaves of all members of the batch, attribute by attribute.
            let ends = &starts[first..=n_classes.min(first + AT_ONCE)];
            let cohorts = &cohorts[ends[0]..ends[ends.len() - 1]];
            problem.leaves_of(cohorts, &mut leaves);
            for class in ends.windows(2) {
                let members = class[0] - ends[0]..class[1] - ends[0];
                let regions = attributes.iter().enumerate().map(|(place, attribute)| {
                    let leaves = &leaves[place * cohorts.len()..][members.clone()];
                    attribute.region(leaves.iter().copied())
                });
                shape_of_class.push(shapes.number_of(regions));
            }
        }
        Ok(shapes.proposal(shape_of_class, takes))
    }

    /// Creates a proposal from takes and the regions of each class, one per attribute. A class with
    /// fewer regions publishes nothing about the other attributes, which [`Proposal::flaw`] reports
    /// if its records have values there.
    pub fn with_regions(
        problem: &Problem,
        of_classes: impl Iterator<Item = Box<[Region]>>,
        takes: Vec<Take>,
    ) -> Self {
        let attributes = problem.attributes();
        let mut shapes = Shapes::new(attributes.len());
        let shown = |regions: Box<[Region]>| {
            let all = regions.into_iter().chain(std::iter::repeat(Region::Unknown));
            let regions = all.zip(attributes);
            // Regions of methods may still spell out rare values.
            shapes.number_of(regions.map(|(region, attribute)| attribute.without_rare(region)))
        };
        let shape_of_class = of_classes.map(shown).collect();
        shapes.proposal(shape_of_class, takes)
    }

    /// Creates a proposal that publishes every value in the same way in all records (global
    /// recoding). `published` has the region of each leaf of each attribute. Classes that fail the
    /// goal are suppressed.
    ///
    /// # Errors
    ///
    /// [`Error::Flawed`] with [`Flaw::OtherProblem`] if the number of attributes or leaves differs
    /// from the problem's, or if a region is not one of its attribute.
    pub fn global(problem: &Problem, published: &[Vec<Region>]) -> Result<Self> {
        let attributes = problem.attributes();
        let has_all = |(of_leaf, attribute): (&Vec<Region>, &Attribute)| {
            of_leaf.len() == attribute.n_leaves()
                && of_leaf.iter().all(|region| attribute.has(region))
        };
        let is_own = published.len() == attributes.len();
        if !is_own || !published.iter().zip(attributes).all(has_all) {
            return Err(Error::Flawed(Flaw::OtherProblem));
        }
        Ok(Self::of_leaves(problem, published))
    }

    /// Like [`Proposal::global`], for regions that were made from the attributes of the problem.
    pub(crate) fn of_leaves(problem: &Problem, published: &[Vec<Region>]) -> Self {
        let attributes = problem.attributes();
        let mut shapes = Shapes::new(attributes.len());
        let columns = published.iter().zip(attributes).zip(&mut shapes.regions);
        let mut of_leaves: Vec<Vec<u32>> = Vec::with_capacity(attributes.len());
        for ((of_leaf, attribute), regions) in columns {
            let shown = of_leaf.iter().map(|region| attribute.without_rare(region.clone()));
            of_leaves.push(shown.map(|region| regions.number(region)).collect());
        }
        let mut shape = vec![0; attributes.len()];
        let mut takes = Vec::with_capacity(problem.cohorts().len());
        for (cohort, count) in problem.cohorts().counted() {
            for (place, attribute) in attributes.iter().enumerate() {
                shape[place] = match attribute.leaves()[cohort.index()].known() {
                    None => shapes.regions[place].number(Region::Unknown),
                    Some(leaf) => of_leaves[place][leaf.index()],
                };
            }
            // Every shape is a class.
            let class = Some(Class::from(shapes.number(&shape)));
            takes.push(Take { cohort, class, count });
        }
        let n_classes = shapes.numbers.len() as u32;
        let mut all = shapes.proposal((0..n_classes).collect(), takes);
        all.drop_failing(problem);
        all
    }

    /// Creates a proposal whose classes all publish something else: `shapes` has the number of a
    /// region of each attribute for one class after another.
    pub(crate) fn of_shapes(regions: Vec<Vec<Region>>, shapes: Vec<u32>, takes: Vec<Take>) -> Self {
        let n_classes = shapes.len() / regions.len().max(1);
        let shape_of_class = (0..n_classes as u32).collect();
        let (notes, trace) = (Vec::new(), None);
        Self { regions, shapes, shape_of_class, takes, notes, trace, early: None }
    }

    /// Replaces regions above the nodes `tops`, one per attribute, with these nodes. All records
    /// must lie below them.
    pub(crate) fn lower(&mut self, problem: &Problem, tops: &[Node]) {
        for ((regions, attribute), &top) in
            self.regions.iter_mut().zip(problem.attributes()).zip(tops)
        {
            let Some(tree) = attribute.generalization().hierarchy() else { continue };
            for region in regions {
                let Region::Node(node) = region else { continue };
                let (outer, inner) = (tree.leaves_of(*node), tree.leaves_of(top));
                // A descendant can have the same leaves, but its number is higher.
                if *node < top && outer.covers(&inner) {
                    *node = top;
                }
            }
        }
    }

    /// Combines the proposals for parts of a problem, each with its cohorts. Records that are in no
    /// part are suppressed.
    pub(crate) fn of_parts(problem: &Problem, parts: Vec<(&[Cohort], Self)>) -> Self {
        let mut shapes = Shapes::new(problem.attributes().len());
        let (mut shape_of_class, mut takes) = (Vec::new(), Vec::new());
        let mut notes = Vec::new();
        // Records that no part has assigned yet.
        let mut left = problem.cohorts().counts.clone();
        for (cohorts, part) in parts {
            let first = shape_of_class.len();
            let shape_of = |shape| {
                let places = 0..part.regions.len();
                shapes.number_of(places.map(|place| part.region(shape, place).clone()))
            };
            let numbers: Vec<u32> = (0..part.n_shapes()).map(shape_of).collect();
            shape_of_class.extend(part.shape_of_class.iter().map(|&shape| numbers[shape as usize]));
            notes.extend(part.notes);
            for take in part.takes {
                // Takes of a part use the part's own numbers of cohorts and classes.
                let cohort = cohorts[take.cohort.index()];
                let class = take.class.map(|class| Class::new(first + class.index()));
                left[cohort.index()] -= take.count;
                takes.push(Take { cohort, class, count: take.count });
            }
        }
        let left = problem.cohorts().all().zip(left).filter(|(_, count)| *count > 0);
        takes.extend(left.map(|(cohort, count)| Take { cohort, class: None, count }));
        Self { notes, ..shapes.proposal(shape_of_class, takes) }
    }

    /// Suppresses the classes that fail the goal.
    ///
    /// # Errors
    ///
    /// [`Error::Flawed`] if the proposal was made for another problem, or if a take refers to a
    /// class that does not exist.
    pub fn suppress_failing(&mut self, problem: &Problem) -> Result<()> {
        if let Some(flaw) = self.flaw_of_indices(problem) {
            return Err(Error::Flawed(flaw));
        }
        self.drop_failing(problem);
        Ok(())
    }

    /// Like [`Proposal::suppress_failing`], for a proposal that was made for this problem.
    pub(crate) fn drop_failing(&mut self, problem: &Problem) {
        let tallies = self.tallies(problem);
        // Renumber the remaining classes in order.
        let mut kept = Class::first(tallies.len());
        let number = |tally| if problem.goal().holds(tally) { kept.next() } else { None };
        let numbers: Vec<Option<Class>> = tallies.iter().map(number).collect();
        for take in &mut self.takes {
            take.class = take.class.and_then(|class| numbers[class.index()]);
        }
        let mut place = 0;
        self.shape_of_class.retain(|_| {
            place += 1;
            numbers[place - 1].is_some()
        });
    }

    /// The tally of each class.
    pub(crate) fn tallies(&self, problem: &Problem) -> Vec<Tally> {
        self.tallies_by(problem, self.n_classes(), Class::index)
    }

    /// The tallies of classes merged by what they publish; groups without records are left out.
    fn tallies_shown(&self, problem: &Problem) -> Vec<Tally> {
        let group_of = self.groups(problem);
        let mut tallies =
            self.tallies_by(problem, self.n_shapes(), |class| group_of[self.shape(class)] as usize);
        tallies.retain(|tally| tally.size() > 0);
        tallies
    }

    /// For each shape, the first shape that publishes the same text. Different regions can have the
    /// same text: two groups with the same label, or `*` for all values with and without the
    /// missing one.
    pub(crate) fn groups(&self, problem: &Problem) -> Vec<u32> {
        let columns = problem.attributes().iter().zip(&self.regions);
        let texts: Vec<Vec<u32>> =
            columns.map(|(attribute, regions)| first_like(attribute, regions)).collect();
        let mut firsts: HashMap<Vec<u32>, u32> = HashMap::new();
        let shapes = (0..self.n_shapes()).map(|shape| {
            let regions = self.numbers(shape).iter().zip(&texts);
            // Two shapes look the same if every attribute shows the same text.
            let shown = regions.map(|(&region, texts)| texts[region as usize]).collect();
            *firsts.entry(shown).or_insert(shape as u32)
        });
        shapes.collect()
    }

    fn tallies_by(
        &self,
        problem: &Problem,
        n_groups: usize,
        group_of: impl Fn(Class) -> usize,
    ) -> Vec<Tally> {
        let goal = problem.goal();
        let mut tallies = vec![goal.tally(); n_groups];
        // Suppressed records are in no class; the goal does not apply to them.
        for &Take { cohort, class, count } in &self.takes {
            let Some(class) = class else { continue };
            goal.add(&mut tallies[group_of(class)], cohort, count);
        }
        tallies
    }

    /// For each attribute, which regions are published by a class; the others belong to suppressed
    /// records.
    pub(crate) fn used_regions(&self) -> Vec<Vec<bool>> {
        let mut is_used: Vec<Vec<bool>> =
            self.regions.iter().map(|regions| vec![false; regions.len()]).collect();
        for class in Class::first(self.n_classes()) {
            for (is_used, &number) in is_used.iter_mut().zip(self.numbers(self.shape(class))) {
                is_used[number as usize] = true;
            }
        }
        is_used
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.shape_of_class.len()
    }

    /// Number of shapes.
    pub(crate) fn n_shapes(&self) -> usize {
        self.shapes.len() / self.regions.len()
    }

    /// The shape of a class.
    pub fn shape(&self, class: Class) -> usize {
        self.shape_of_class[class.index()] as usize
    }

    /// The region that classes of a shape publish for an attribute.
    pub fn region(&self, shape: usize, attribute: usize) -> &Region {
        &self.regions[attribute][self.numbers(shape)[attribute] as usize]
    }

    /// The number of the region that classes of a shape publish for each attribute.
    pub(crate) fn numbers(&self, shape: usize) -> &[u32] {
        let width = self.regions.len();
        &self.shapes[shape * width..][..width]
    }

    /// The distinct regions of an attribute, by number.
    pub(crate) fn regions_of(&self, attribute: usize) -> &[Region] {
        &self.regions[attribute]
    }

    /// The takes: the records that go to each class.
    pub fn takes(&self) -> &[Take] {
        &self.takes
    }

    /// Number of records in each class.
    pub fn sizes(&self) -> Vec<u64> {
        let mut sizes = vec![0; self.n_classes()];
        for take in &self.takes {
            // A class that does not exist is a flaw, which `flaw` reports.
            if let Some(size) = take.class.and_then(|class| sizes.get_mut(class.index())) {
                *size += take.count;
            }
        }
        sizes
    }

    /// Number of suppressed records.
    pub fn n_suppressed(&self) -> u64 {
        let suppressed = self.takes.iter().filter(|take| take.class.is_none());
        suppressed.map(|take| take.count).sum()
    }
}

/// For each region of an attribute, the number of the first region with the same text.
fn first_like(attribute: &Attribute, regions: &[Region]) -> Vec<u32> {
    let mut firsts: HashMap<String, u32> = HashMap::new();
    let first = |(region, number)| *firsts.entry(attribute.text(region)).or_insert(number);
    regions.iter().zip(0..).map(first).collect()
}

/// The start of each key in the order, and the indices of the takes sorted by a key below `n_keys`.
/// The sort is stable; takes without a key or with larger keys are left out.
pub(crate) fn in_order_of(
    takes: &[Take],
    n_keys: usize,
    key: impl Fn(&Take) -> Option<usize>,
) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0; n_keys + 1];
    let key = |take: &Take| key(take).filter(|&key| key < n_keys);
    let keyed = || (0..).zip(takes).filter_map(|(place, take)| Some((place, key(take)?)));
    for (_, key) in keyed() {
        starts[key + 1] += 1;
    }
    // Counting sort: turn counts into start positions, then place the takes.
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut order = vec![0; starts[n_keys]];
    let mut next = starts.clone();
    for (place, key) in keyed() {
        let position = &mut next[key];
        order[*position] = place;
        *position += 1;
    }
    (starts, order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{Bands, HierarchyBuilder};
    use crate::privacy::KAnonymity;
    use crate::table::Table;

    /// The text of all dates is `*`, and so is that of all dates with the missing value.
    #[test]
    fn classes_that_show_the_same_are_one_though_their_regions_differ() {
        let rows = [["2011-01-05"], ["2024-02-03"], ["2024-03-09"], [""]];
        let table = Table::from_rows(&["x"], &rows).unwrap();
        let bands = Bands { cuts: "2020".into(), ..Bands::default() };
        let tree = bands.build(&table.columns()[0]).unwrap();
        let model = Box::new(KAnonymity::new(2).unwrap());
        let problem = Problem::new(&table, vec![tree], vec![model]).unwrap();
        let take = |cohort, class| Take {
            cohort: Cohort::new(cohort),
            class: Some(Class::new(class)),
            count: 1,
        };
        let takes = vec![take(0, 0), take(1, 0), take(2, 1), take(3, 1)];
        let proposal = Proposal::new(&problem, 2, takes).unwrap();
        assert_eq!(proposal.n_shapes(), 2);
        assert_eq!(proposal.groups(&problem), [0, 0]);
    }
}
