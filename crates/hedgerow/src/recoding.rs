//! What any anonymizer decides: classes, and which records are in them.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::hierarchy::Node;
use crate::problem::{ANY_LEAF, Attribute, Problem, Region, Tally};
use crate::{Error, Result};

/// Some records of a cohort go to a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Take {
    /// The cohort.
    pub cohort: u32,
    /// The class; [`Take::SUPPRESSED`] when the records are not published.
    pub class: u32,
    /// How many records.
    pub count: u64,
}

impl Take {
    /// Stands for the class of records whose quasi-identifiers are not published.
    pub const SUPPRESSED: u32 = u32::MAX;
}

/// A partition of the records into classes, with the region of each class and attribute.
///
/// A cohort may be divided between classes. Its records then go to them in row order, in the order
/// of the takes, so a recoding says of every record where it goes without naming any.
///
/// Many classes publish the same, so regions are kept once for each *shape*, a tuple of regions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recoding {
    width: usize,
    /// The regions of each shape.
    regions: Vec<Region>,
    shape_of_class: Vec<u32>,
    takes: Vec<Take>,
    /// What the method has to say about its search, for the report.
    pub notes: Vec<String>,
    /// The steps of the search as CSV, where the method keeps them.
    pub trace: Option<String>,
}

impl Recoding {
    /// Makes a recoding of takes: regions are the least ones that hold each class.
    pub fn new(problem: &Problem<'_>, n_classes: usize, takes: Vec<Take>) -> Self {
        let attributes = problem.attributes();
        let (starts, order) = in_order_of(&takes, n_classes, |take| take.class);
        let mut shapes = Shapes::default();
        let shape_of_class = (0..n_classes)
            .map(|class| {
                let members = &order[starts[class]..starts[class + 1]];
                let cohorts = members.iter().map(|&take| takes[take as usize].cohort as usize);
                let of = |a: &Attribute| a.region(cohorts.clone().map(|c| a.leaves()[c]));
                shapes.number(attributes.iter().map(of))
            })
            .collect();
        let width = attributes.len();
        Self {
            width,
            regions: shapes.regions,
            shape_of_class,
            takes,
            notes: Vec::new(),
            trace: None,
        }
    }

    /// Makes a recoding of takes and of what each class publishes.
    pub fn with_regions(
        problem: &Problem<'_>,
        of_classes: impl Iterator<Item = Box<[Region]>>,
        takes: Vec<Take>,
    ) -> Self {
        let mut shapes = Shapes::default();
        let shape_of_class = of_classes.map(|regions| shapes.number(regions.into_iter())).collect();
        let width = problem.attributes().len();
        let regions = shapes.regions;
        Self { width, regions, shape_of_class, takes, notes: Vec::new(), trace: None }
    }

    /// Makes a recoding in which every value is published alike wherever it stands (global
    /// recoding): `published` says for each attribute what each of its leaves becomes. Classes that
    /// are not private are suppressed.
    pub fn global(problem: &Problem<'_>, published: &[Vec<Region>]) -> Self {
        let attributes = problem.attributes();
        let mut shapes = Shapes::default();
        let class_of = (0..problem.cohorts().len()).map(|cohort| {
            let regions =
                attributes.iter().zip(published).map(|(a, of_leaf)| match a.leaves()[cohort] {
                    ANY_LEAF => Region::Unknown,
                    leaf => of_leaf[leaf as usize].clone(),
                });
            shapes.number(regions)
        });
        let class_of: Vec<u32> = class_of.collect();
        let n_classes = shapes.numbers.len();
        let takes = (0..).zip(&class_of).zip(&problem.cohorts().counts);
        let takes = takes.map(|((cohort, &class), &count)| Take { cohort, class, count }).collect();
        let shape_of_class = (0..n_classes as u32).collect();
        let (width, regions) = (attributes.len(), shapes.regions);
        let mut all =
            Self { width, regions, shape_of_class, takes, notes: Vec::new(), trace: None };
        all.suppress_failing(problem);
        all
    }

    /// Publishes no more than the nodes `tops`, one for each attribute, of which all records are
    /// below.
    pub(crate) fn lower(&mut self, problem: &Problem<'_>, tops: &[Node]) {
        for shape in self.regions.chunks_mut(self.width) {
            for ((region, attribute), &top) in shape.iter_mut().zip(problem.attributes()).zip(tops)
            {
                let (Region::Node(node), Some(tree)) =
                    (&mut *region, attribute.generalization().hierarchy())
                else {
                    continue;
                };
                let (outer, inner) = (tree.leaves_of(*node), tree.leaves_of(top));
                if outer.start <= inner.start && inner.end <= outer.end {
                    *node = top;
                }
            }
        }
    }

    /// Puts together what was decided for parts of a problem: each with the cohorts it is about.
    /// What none of them is about is suppressed.
    pub fn of_parts(problem: &Problem<'_>, parts: Vec<(&[u32], Self)>) -> Self {
        let mut shapes = Shapes::default();
        let mut whole = Self {
            width: problem.attributes().len(),
            regions: Vec::new(),
            shape_of_class: Vec::new(),
            takes: Vec::new(),
            notes: Vec::new(),
            trace: None,
        };
        let mut left = problem.cohorts().counts.clone();
        for (cohorts, part) in parts {
            let first = whole.shape_of_class.len() as u32;
            let numbers: Vec<u32> = (0..part.n_shapes())
                .map(|shape| shapes.number(part.regions(shape).iter().cloned()))
                .collect();
            let shape_of = |&shape: &u32| numbers[shape as usize];
            whole.shape_of_class.extend(part.shape_of_class.iter().map(shape_of));
            whole.notes.extend(part.notes);
            for take in part.takes {
                let cohort = cohorts[take.cohort as usize];
                let class = match take.class {
                    Take::SUPPRESSED => Take::SUPPRESSED,
                    class => first + class,
                };
                left[cohort as usize] -= take.count;
                whole.takes.push(Take { cohort, class, count: take.count });
            }
        }
        let left = (0..).zip(left).filter(|(_, count)| *count > 0);
        let suppress = |(cohort, count)| Take { cohort, class: Take::SUPPRESSED, count };
        whole.takes.extend(left.map(suppress));
        whole.regions = shapes.regions;
        whole
    }

    /// Suppresses the classes that are not private.
    pub fn suppress_failing(&mut self, problem: &Problem<'_>) {
        let tallies = self.tallies(problem);
        let mut next = 0;
        let numbers: Vec<u32> = tallies
            .iter()
            .map(|tally| {
                if !problem.goal().holds(tally) {
                    return Take::SUPPRESSED;
                }
                next += 1;
                next - 1
            })
            .collect();
        for take in self.takes.iter_mut().filter(|take| take.class != Take::SUPPRESSED) {
            take.class = numbers[take.class as usize];
        }
        let mut place = 0;
        self.shape_of_class.retain(|_| {
            place += 1;
            numbers[place - 1] != Take::SUPPRESSED
        });
    }

    /// What is in each class.
    pub fn tallies(&self, problem: &Problem<'_>) -> Vec<Tally> {
        self.tallies_by(problem, self.n_classes(), |class| class)
    }

    /// What is in all classes of each shape; shapes without records are left out.
    fn tallies_shown(&self, problem: &Problem<'_>) -> Vec<Tally> {
        let mut tallies = self.tallies_by(problem, self.n_shapes(), |class| self.shape(class));
        tallies.retain(|tally| tally.size() > 0);
        tallies
    }

    fn tallies_by(
        &self,
        problem: &Problem<'_>,
        n_groups: usize,
        group_of: impl Fn(usize) -> usize,
    ) -> Vec<Tally> {
        let goal = problem.goal();
        let mut tallies = vec![goal.tally(); n_groups];
        for take in self.takes.iter().filter(|take| take.class != Take::SUPPRESSED) {
            goal.add(&mut tallies[group_of(take.class as usize)], take.cohort, take.count);
        }
        tallies
    }

    /// How many classes.
    pub fn n_classes(&self) -> usize {
        self.shape_of_class.len()
    }

    /// How many shapes.
    pub fn n_shapes(&self) -> usize {
        self.regions.len() / self.width
    }

    /// The shape of a class.
    pub fn shape(&self, class: usize) -> usize {
        self.shape_of_class[class] as usize
    }

    /// What classes of a shape publish, attribute by attribute.
    pub fn regions(&self, shape: usize) -> &[Region] {
        &self.regions[shape * self.width..][..self.width]
    }

    /// Which records go where.
    pub fn takes(&self) -> &[Take] {
        &self.takes
    }

    /// How many records each class has.
    pub fn sizes(&self) -> Vec<u64> {
        let mut sizes = vec![0; self.n_classes()];
        for take in self.takes.iter().filter(|take| take.class != Take::SUPPRESSED) {
            sizes[take.class as usize] += take.count;
        }
        sizes
    }

    /// How many records are suppressed.
    pub fn n_suppressed(&self) -> u64 {
        let suppressed = self.takes.iter().filter(|take| take.class == Take::SUPPRESSED);
        suppressed.map(|take| take.count).sum()
    }

    /// Checks what every recoding must be: each record in exactly one class or suppressed, covered
    /// by what its class publishes, and every class as private as was asked.
    pub fn check(&self, problem: &Problem<'_>) -> Result<()> {
        let mut left: Vec<u64> = problem.cohorts().counts.clone();
        for take in &self.takes {
            let left = &mut left[take.cohort as usize];
            *left = left.checked_sub(take.count).ok_or_else(|| bug("a record has two classes"))?;
            if take.class == Take::SUPPRESSED {
                continue;
            }
            let regions = self.regions(self.shape(take.class as usize));
            for (place, (attribute, region)) in problem.attributes().iter().zip(regions).enumerate()
            {
                let leaf = attribute.leaves()[take.cohort as usize];
                if !attribute.covers(region, leaf) {
                    return Err(bug("a class does not cover one of its records"));
                }
                if !problem.allows(place, leaf, region) {
                    return Err(bug("a value is generalized further than its limit"));
                }
            }
        }
        if left.iter().any(|&left| left > 0) {
            return Err(bug("a record has no class"));
        }
        if self.n_suppressed() > problem.most_suppressed() {
            return Err(bug("more records are suppressed than may be"));
        }
        if self.is_private(problem) { Ok(()) } else { Err(bug("a class is not private")) }
    }

    /// Whether every class is private, and so is what a reader sees: classes of one shape together.
    pub fn is_private(&self, problem: &Problem<'_>) -> bool {
        let goal = problem.goal();
        let is_met = |tallies: Vec<Tally>| tallies.iter().all(|tally| goal.holds(tally));
        is_met(self.tallies(problem)) && (goal.is_monotone() || is_met(self.tallies_shown(problem)))
    }
}

/// Numbers shapes in the order of their first appearance.
#[derive(Default)]
struct Shapes {
    hasher: DefaultHashBuilder,
    /// The shapes by their hash, each with it.
    numbers: HashTable<(u64, u32)>,
    regions: Vec<Region>,
}

impl Shapes {
    fn number(&mut self, shape: impl Iterator<Item = Region>) -> u32 {
        // The shape stands behind the others, where it stays if it is new.
        let start = self.regions.len();
        self.regions.extend(shape);
        let (known, new) = self.regions.split_at(start);
        let hash = self.hash(new);
        let is_same = |&(its, number): &(u64, u32)| {
            its == hash && known[number as usize * new.len()..][..new.len()] == *new
        };
        if let Some(&(_, number)) = self.numbers.find(hash, is_same) {
            self.regions.truncate(start);
            return number;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert_unique(hash, (hash, number), |&(hash, _)| hash);
        number
    }

    /// One round for each region: most are one or two numbers.
    fn hash(&self, shape: &[Region]) -> u64 {
        let words = shape.iter().map(|region| match region {
            Region::Node(node) => u64::from(*node),
            Region::Interval(first, last) => u64::from(*first) << 32 | u64::from(*last),
            Region::Set(leaves) => self.hasher.hash_one(leaves),
            Region::Unknown => u64::MAX,
        });
        let mixed = words.fold(0, |hash: u64, word| {
            let mixed = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            mixed ^ mixed >> 32
        });
        self.hasher.hash_one(mixed)
    }
}

/// The places of takes in the order of a key below `n_keys`, takes of one key in their own order,
/// and where each key begins; takes with a larger key are left out.
pub(crate) fn in_order_of(
    takes: &[Take],
    n_keys: usize,
    key: impl Fn(&Take) -> u32,
) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0; n_keys + 1];
    let keyed = || takes.iter().enumerate().filter(|(_, take)| (key(take) as usize) < n_keys);
    for (_, take) in keyed() {
        starts[key(take) as usize + 1] += 1;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut order = vec![0; starts[n_keys]];
    let mut next = starts.clone();
    for (place, take) in keyed() {
        let next = &mut next[key(take) as usize];
        order[*next] = place as u32;
        *next += 1;
    }
    (starts, order)
}

fn bug(what: &str) -> Error {
    Error::Internal(what.to_owned())
}
