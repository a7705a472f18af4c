//! Groups sorted by the class that they belong to.

/// Groups in the order of their classes.
#[derive(Debug, Clone, Default)]
pub(super) struct Sorted {
    /// The start of each class in `groups`, and the end of the last one.
    starts: Vec<u32>,
    groups: Vec<u32>,
}

impl Sorted {
    /// Sorts groups by their classes, which are below `n_classes`; groups of a class stay in order.
    pub(super) fn new(class_of: &[u32], n_classes: usize) -> Self {
        let mut starts = vec![0; n_classes + 1];
        class_of.iter().for_each(|&class| starts[class as usize + 1] += 1);
        for class in 0..n_classes {
            starts[class + 1] += starts[class];
        }
        let mut next = starts.clone();
        let mut groups = vec![0; class_of.len()];
        for (&class, group) in class_of.iter().zip(0..) {
            groups[next[class as usize] as usize] = group;
            next[class as usize] += 1;
        }
        Self { starts, groups }
    }

    /// Number of classes.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The groups of a class, ascending.
    pub(super) fn of(&self, class: usize) -> &[u32] {
        &self.groups[self.starts[class] as usize..self.starts[class + 1] as usize]
    }
}
