//! Numbering of the shapes that classes publish, so that equal ones are stored once.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::{Proposal, Take};
use crate::problem::Region;

/// Numbers regions, and shapes made of them, in order of first appearance.
pub(super) struct Shapes {
    /// The regions of each attribute.
    pub(super) regions: Vec<Regions>,
    hasher: DefaultHashBuilder,
    /// The numbers of the shapes, each with its hash.
    pub(super) numbers: HashTable<(u64, u32)>,
    /// For each shape, the numbers of its regions.
    tuples: Vec<u32>,
}

impl Shapes {
    pub(super) fn new(width: usize) -> Self {
        let regions = std::iter::repeat_with(Regions::default).take(width).collect();
        let (hasher, numbers) = (DefaultHashBuilder::default(), HashTable::new());
        Self { regions, hasher, numbers, tuples: Vec::new() }
    }

    /// The number of the shape with these regions.
    pub(super) fn number_of(&mut self, shape: impl IntoIterator<Item = Region>) -> u32 {
        let columns = self.regions.iter_mut().zip(shape);
        let numbers: Vec<u32> = columns.map(|(regions, region)| regions.number(region)).collect();
        self.number(&numbers)
    }

    /// The number of the shape with these region numbers.
    pub(super) fn number(&mut self, shape: &[u32]) -> u32 {
        let Self { hasher, numbers, tuples, .. } = self;
        // Mixing the numbers here and hashing the result once is faster than hashing every number.
        let hash = hasher.hash_one(shape.iter().fold(0, |hash: u64, &number| {
            let mixed = (hash ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            mixed ^ mixed >> 32
        }));
        let is_same = |&(its, number): &(u64, u32)| {
            its == hash && tuples[number as usize * shape.len()..][..shape.len()] == *shape
        };
        if let Some(&(_, number)) = numbers.find(hash, is_same) {
            return number;
        }
        let number = numbers.len() as u32;
        numbers.insert_unique(hash, (hash, number), |&(hash, _)| hash);
        tuples.extend_from_slice(shape);
        number
    }

    /// A proposal whose classes have these shapes.
    pub(super) fn proposal(self, shape_of_class: Vec<u32>, takes: Vec<Take>) -> Proposal {
        let regions = self.regions.into_iter().map(|regions| regions.list).collect();
        let (notes, trace) = (Vec::new(), None);
        Proposal { regions, shapes: self.tuples, shape_of_class, takes, notes, trace, early: None }
    }
}

/// The distinct regions of an attribute.
#[derive(Default)]
pub(super) struct Regions {
    list: Vec<Region>,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Regions {
    pub(super) fn number(&mut self, region: Region) -> u32 {
        let Self { list, numbers, hasher } = self;
        let hash = hasher.hash_one(&region);
        if let Some(&number) = numbers.find(hash, |&number| list[number as usize] == region) {
            return number;
        }
        let number = list.len() as u32;
        numbers.insert_unique(hash, number, |&number| hasher.hash_one(&list[number as usize]));
        list.push(region);
        number
    }
}
