//! What any anonymizer decides: classes, and which records are in them.

use crate::privacy::ClassView;
use crate::problem::{Problem, Region};
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recoding {
    n_classes: usize,
    regions: Vec<Region>,
    takes: Vec<Take>,
}

impl Recoding {
    /// Makes a recoding of takes: regions are the least ones that hold each class.
    pub fn new(problem: &Problem<'_>, n_classes: usize, takes: Vec<Take>) -> Self {
        let mut by_class: Vec<Vec<u32>> = vec![Vec::new(); n_classes];
        for take in takes.iter().filter(|take| take.class != Take::SUPPRESSED) {
            by_class[take.class as usize].push(take.cohort);
        }
        let regions = by_class
            .iter()
            .flat_map(|cohorts| {
                problem.attributes().iter().map(|attribute| {
                    attribute
                        .region(cohorts.iter().map(|&cohort| attribute.leaves()[cohort as usize]))
                })
            })
            .collect();
        Self { n_classes, regions, takes }
    }

    /// How many classes.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// What a class publishes, attribute by attribute.
    pub fn regions(&self, class: usize) -> &[Region] {
        let width = self.regions.len() / self.n_classes.max(1);
        &self.regions[class * width..][..width]
    }

    /// Which records go where.
    pub fn takes(&self) -> &[Take] {
        &self.takes
    }

    /// How many records each class has.
    pub fn sizes(&self) -> Vec<u64> {
        let mut sizes = vec![0; self.n_classes];
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
            let regions = self.regions(take.class as usize);
            let covered = problem.attributes().iter().zip(regions).all(|(attribute, region)| {
                attribute.covers(region, attribute.leaves()[take.cohort as usize])
            });
            if !covered {
                return Err(bug("a class does not cover one of its records"));
            }
        }
        if left.iter().any(|&left| left > 0) {
            return Err(bug("a record has no class"));
        }
        let models = problem.models();
        let holds = |size: &u64| models.iter().all(|model| model.holds(ClassView { size: *size }));
        if self.sizes().iter().all(holds) { Ok(()) } else { Err(bug("a class is not private")) }
    }
}

fn bug(what: &str) -> Error {
    Error::Internal(what.to_owned())
}
