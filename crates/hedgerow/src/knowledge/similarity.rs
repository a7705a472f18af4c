//! How alike concepts are, by where they stand.

use std::str::FromStr;

use hashbrown::HashSet;

use super::{Concept, Knowledge};
use crate::{Error, Result};

/// How depths are counted for Wu and Palmer's measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// All roots have one above them; the common ancestor is the one whose shortest way to it is
    /// longest, the nearest of several.
    #[default]
    Shortest,
    /// As NLTK does: no root is added, and the depth of the common ancestor is that of its longest way.
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

/// A concept and everything above it, with the fewest steps to it, sorted by concept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ancestors {
    of: Concept,
    steps: Vec<(Concept, u32)>,
}

impl Ancestors {
    /// The concepts and the fewest steps to each.
    pub fn iter(&self) -> impl Iterator<Item = (Concept, u32)> {
        self.steps.iter().copied()
    }

    /// Whether a concept is among them.
    pub fn contains(&self, concept: Concept) -> bool {
        self.steps.binary_search_by_key(&concept, |step| step.0).is_ok()
    }

    /// What both have, with the steps from either.
    fn common<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (Concept, u32, u32)> + 'a {
        let mut others = other.steps.iter().peekable();
        self.steps.iter().filter_map(move |&(concept, steps)| {
            while others.next_if(|other| other.0 < concept).is_some() {}
            others.next_if(|other| other.0 == concept).map(|other| (concept, steps, other.1))
        })
    }
}

impl Knowledge {
    /// A concept and everything above it.
    pub fn ancestors(&self, concept: Concept) -> Ancestors {
        let mut steps = vec![(concept, 0)];
        let mut seen: HashSet<Concept> = [concept].into_iter().collect();
        let mut next = 0;
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

    /// The fewest nodes on a way from a concept to the root that is put above all roots.
    pub fn least_depth(&self, concept: Concept) -> u32 {
        self.depths[concept as usize].0 + 2
    }

    /// The most nodes on such a way.
    pub fn greatest_depth(&self, concept: Concept) -> u32 {
        self.depths[concept as usize].1 + 2
    }

    /// How alike two concepts are, from 0 to 1: twice the depth of what they have in common over
    /// the sum of their own.
    ///
    /// # Complexity
    ///
    /// Linear in the ancestors of both.
    ///
    /// # Guarantees
    ///
    /// Symmetric, and 1 only for a concept and itself; 0 for concepts that have nothing in common. The order of parents
    /// makes no difference, except between equally deep common ancestors in mode `nltk`, where the
    /// first name counts.
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
        // NLTK has no such rule: dog has a shorter way up than canine, and is not just like itself there.
        if a.of == b.of && mode == Mode::Shortest {
            return 1.0;
        }
        let Some((ancestor, from_a, from_b)) = self.lowest_common(a, b, mode) else { return 0.0 };
        let depth = match mode {
            Mode::Shortest => self.least_depth(ancestor),
            Mode::Nltk => self.greatest_depth(ancestor) - 1,
        };
        f64::from(2 * depth) / f64::from(2 * depth + from_a + from_b)
    }

    /// The common ancestor whose shortest way to a root is longest, with the steps from either concept.
    pub fn lowest_common(
        &self,
        a: &Ancestors,
        b: &Ancestors,
        mode: Mode,
    ) -> Option<(Concept, u32, u32)> {
        let depth = |&(concept, ..): &(Concept, u32, u32)| self.depths[concept as usize].0;
        let deepest = a.common(b).map(|found| depth(&found)).max()?;
        let lowest = a.common(b).filter(|found| depth(found) == deepest);
        match mode {
            Mode::Shortest => lowest.min_by_key(|&(concept, x, y)| (x + y, concept)),
            Mode::Nltk => lowest.min_by_key(|&(concept, ..)| (concept != a.of, self.name(concept))),
        }
    }
}
