//! Similarity of concepts by their positions in the hierarchy.

use std::str::FromStr;

use hashbrown::HashSet;

use super::{Concept, Knowledge};
use crate::{Error, Result};

/// Definition of depth for the Wu-Palmer similarity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// A virtual root is added above all roots. The common ancestor is the one with the longest
    /// shortest path to it; ties go to the nearest.
    #[default]
    Shortest,
    /// As in NLTK: no root is added, and the depth of the common ancestor is that of its longest
    /// path.
    Nltk,
}

impl FromStr for Mode {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "shortest" => Ok(Self::Shortest),
            "nltk" => Ok(Self::Nltk),
            _ => Err(Error::unknown("similarity mode", name, ["shortest", "nltk"].into_iter())),
        }
    }
}

/// A concept and its ancestors, with the least number of steps to each, sorted by concept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ancestors {
    of: Concept,
    steps: Vec<(Concept, u32)>,
}

impl Ancestors {
    /// Returns the concepts and the least number of steps to each.
    pub fn iter(&self) -> impl Iterator<Item = (Concept, u32)> {
        self.steps.iter().copied()
    }

    /// Whether `concept` is among them.
    pub fn contains(&self, concept: Concept) -> bool {
        self.steps.binary_search_by_key(&concept, |step| step.0).is_ok()
    }

    /// Returns the common ancestors, with the steps from both concepts.
    fn common<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (Concept, u32, u32)> + 'a {
        let mut others = other.steps.iter().peekable();
        self.steps.iter().filter_map(move |&(concept, steps)| {
            while others.next_if(|other| other.0 < concept).is_some() {}
            others.next_if(|other| other.0 == concept).map(|other| (concept, steps, other.1))
        })
    }
}

impl Knowledge {
    /// Returns a concept and its ancestors.
    pub fn ancestors(&self, concept: Concept) -> Ancestors {
        let mut steps = vec![(concept, 0)];
        let mut seen: HashSet<Concept> = [concept].into_iter().collect();
        let mut next = 0;
        // Breadth-first, so that the first visit has the fewest steps.
        while let Some(&(below, n_steps)) = steps.get(next) {
            next += 1;
            for &parent in self.parents(below) {
                if seen.insert(parent) {
                    steps.push((parent, n_steps + 1));
                }
            }
        }
        steps.sort_unstable();
        Ancestors { of: concept, steps }
    }

    /// Returns the number of nodes on the shortest path from a concept to the virtual root.
    pub fn least_depth(&self, concept: Concept) -> u32 {
        self.at(concept).depths(concept).0 + 2
    }

    /// Returns the number of nodes on the longest path from a concept to the virtual root.
    pub(crate) fn greatest_depth(&self, concept: Concept) -> u32 {
        self.at(concept).depths(concept).1 + 2
    }

    /// Returns the Wu-Palmer similarity of two concepts, from 0 to 1.
    ///
    /// It is twice the depth of their lowest common ancestor, divided by the sum of their own
    /// depths.
    ///
    /// # Complexity
    ///
    /// Linear in the ancestors of both.
    ///
    /// # Guarantees
    ///
    /// 1 only for a concept and itself; 0 for concepts without a common ancestor, such as those of
    /// different sources. The order of
    /// parents has no influence. Symmetric in mode `shortest`. In mode `nltk`, ties between equally
    /// deep common ancestors go to the concept of `a`, then to the first name, so the order of the
    /// arguments can matter.
    ///
    /// # References
    ///
    /// \[Wu1994\]; METHODS 5.3.
    ///
    /// # Examples
    ///
    /// ```
    /// use hedgerow::knowledge::{Knowledge, Mode};
    /// let wordnet = Knowledge::wordnet();
    /// let of = |name: &str| wordnet.concept(name).map(|concept| wordnet.ancestors(concept));
    /// let alike = wordnet.wu_palmer(&of("surgeon#1")?, &of("nurse#1")?, Mode::default());
    /// assert!((alike - 0.8).abs() < 1e-9);
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn wu_palmer(&self, a: &Ancestors, b: &Ancestors, mode: Mode) -> f64 {
        // NLTK has no such rule: there `dog`, which has a shorter path to a root than `canine`, is
        // not fully similar to itself.
        if a.of == b.of && mode == Mode::Shortest {
            return 1.0;
        }
        let Some((ancestor, from_a, from_b)) = self.lowest_common(a, b, mode) else { return 0.0 };
        let depth = match mode {
            Mode::Shortest => self.least_depth(ancestor),
            Mode::Nltk => self.greatest_depth(ancestor) - 1,
        };
        // The depth of either concept is measured through the common ancestor.
        f64::from(2 * depth) / f64::from(2 * depth + from_a + from_b)
    }

    /// Returns the common ancestor with the longest shortest path to a root, with the steps from
    /// both concepts.
    pub(crate) fn lowest_common(
        &self,
        a: &Ancestors,
        b: &Ancestors,
        mode: Mode,
    ) -> Option<(Concept, u32, u32)> {
        let depth = |&(concept, ..): &(Concept, u32, u32)| self.at(concept).depths(concept).0;
        let deepest = a.common(b).map(|found| depth(&found)).max()?;
        let lowest = a.common(b).filter(|found| depth(found) == deepest);
        match mode {
            Mode::Shortest => lowest.min_by_key(|&(concept, x, y)| (x + y, concept)),
            Mode::Nltk => lowest.min_by_key(|&(concept, ..)| (concept != a.of, self.name(concept))),
        }
    }
}
