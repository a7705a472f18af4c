//! Hierarchies of words by their meaning.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::constructor::{Candidate, Constructor, LOW_ROOT};
use super::pins::Pins;
use crate::builder::{HierarchyBuilder, categorical::demand_values, gather};
use crate::error::Advice;
use crate::hierarchy::{Generalization, Hierarchy};
use crate::knowledge::{Knowledge, Meaning, Senses, WORDNET, resolve};
use crate::method::{Described, Description, Parameter, Spec, Text, Type, Validate};
use crate::table::Column;
use crate::{Error, Result};

/// Default for `k`: groups with fewer records are outliers.
const USUAL_K: u64 = 5;

/// Looks up the concepts that values mean and groups the values by their hypernyms.
///
/// A nurse and a surgeon are both health professionals, and WordNet knows that. Values are looked
/// up (see [`resolve`]), their concepts and all concepts above them are made into a tree, and its
/// root is the lowest common ancestor of the values. If some values are not found, the root is `*`,
/// with these values and that ancestor as its children. Of several sources, each has such a tree of
/// the values that it knows before the others, and `*` is above these trees. Any other candidate of
/// the values can be selected by its name.
///
/// # Complexity
///
/// A few lookups for each value, comparisons of definitions for ambiguous values, and a pass over
/// all concepts above the values.
///
/// # Guarantees
///
/// Deterministic. Fails if no value is found.
///
/// # References
///
/// \[Ayala2016\] V. Ayala-Rivera, L. Murphy, C. Thorpe: Automatic Construction of Generalization
/// Hierarchies for Publishing Anonymized Data, KSEM 2016; METHODS 5.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{HierarchyBuilder, Wordnet};
/// use hedgerow::hierarchy::{Leaf, Node};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["job"], &[["surgeon"], ["nurse"], ["pianist"], ["violinist"]])?;
/// let built = Wordnet::default().build(&table.columns()[0])?;
/// let tree = built.hierarchy().unwrap();
/// assert_eq!(tree.label(Node::ROOT), "person");
/// let both = tree.lowest_common_ancestor(Leaf::new(2), Leaf::new(3));
/// assert_eq!(tree.label(both), "musician");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Wordnet {
    /// A file that defines the meanings of values.
    pub senses: Option<PathBuf>,
    /// A directory of WordNet's own files, used as `wordnet` instead of the built-in nouns.
    pub wordnet: Option<PathBuf>,
    /// The sources of concepts in the order in which values are looked up, written
    /// `isco.csv+wordnet`: files (SKOS, OBO, codes, or any hierarchy), directories of WordNet's own
    /// files, or `wordnet`. Without any, WordNet is the only source.
    pub knowledge: Text,
    /// Name of the candidate to use.
    pub candidate: Option<String>,
    /// Groups with fewer records are outliers, which some candidates merge; defaults to the `k` of
    /// the release, or 5.
    pub k: Option<u64>,
    /// Least similarity of outliers to the concept of their group, from 0 to 1.
    pub consistent: f64,
    /// Least similarity of a node's concept to its replacement, from 0 to 1.
    pub alike: f64,
    /// Maximum number of candidates.
    pub most: usize,
}

impl Default for Wordnet {
    fn default() -> Self {
        Self {
            senses: None,
            wordnet: None,
            knowledge: Text::default(),
            candidate: None,
            k: None,
            consistent: 0.5,
            alike: 0.75,
            most: 100,
        }
    }
}

impl Described for Wordnet {
    const DESCRIPTION: Description = Description {
        name: "wordnet",
        about: "words: grouped by meaning, from WordNet or another source",
        reference: Some("Ayala2016"),
        needs: &[],
        parameters: &[
            Parameter::new("senses", Type::File, "a file that defines the meanings of values"),
            Parameter::new(
                "wordnet",
                Type::Directory,
                "a directory of WordNet's own files, instead of the built-in nouns",
            ),
            Parameter::new(
                "knowledge",
                Type::List(&Type::FileOr(&[WORDNET])),
                "sources of concepts in their order: SKOS, OBO, codes, any hierarchy, or wordnet",
            ),
            Parameter::new("candidate", Type::Text, "name of the candidate to use"),
            Parameter::new(
                "k",
                Type::at_least(1),
                "groups with fewer records are outliers; that of the release, or 5, if not given",
            ),
            Parameter::new(
                "consistent",
                Type::UNIT,
                "least similarity of outliers to the concept of their group",
            )
            .or("0.5"),
            Parameter::new(
                "alike",
                Type::UNIT,
                "least similarity of a node's concept to its replacement",
            )
            .or("0.75"),
            Parameter::new("most", Type::at_least(1), "the greatest number of candidates to make")
                .or("100"),
        ],
    };
}

/// The candidates for a column of words, and the meanings they are based on.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Constructed {
    /// Groups with fewer records were outliers.
    pub k: u64,
    /// The meaning of each value, in the order of the column's values.
    pub meanings: Vec<Meaning>,
    /// The few values that prevent a more specific root, if any.
    pub pins: Option<Pins>,
    /// The candidates.
    pub candidates: Vec<Candidate>,
}

impl HierarchyBuilder for Wordnet {
    fn grow(&self, column: &Column) -> Result<Generalization> {
        self.chosen(&self.gather()?, column).map(Generalization::from)
    }

    fn for_k(&mut self, k: u64) -> bool {
        self.k.get_or_insert(k);
        // The default candidate does not merge outliers, so it is the same for every `k`.
        self.candidate.is_some()
    }
}

impl Wordnet {
    /// Builds all candidates of a column.
    pub fn construct(&self, knowledge: &Knowledge, column: &Column) -> Result<Constructed> {
        self.validate()?;
        let meanings = self.meanings(knowledge, column)?;
        let constructor = self.constructor(knowledge);
        let (candidates, pins) = constructor.candidates(column, &meanings)?;
        // Each tree records the parameters that build exactly this candidate again.
        let built = |Candidate { name, hierarchy }| {
            let candidate = Some(String::clone(&name));
            let method = Self { candidate, k: Some(constructor.k), ..self.clone() };
            Ok(Candidate { hierarchy: hierarchy.built_by(method.spec()?), name })
        };
        let candidates = candidates.into_iter().map(built).collect::<Result<_>>()?;
        Ok(Constructed { k: constructor.k, meanings, pins, candidates })
    }

    /// Builds the candidate that `candidate` names, or the default one.
    fn chosen(&self, knowledge: &Knowledge, column: &Column) -> Result<Hierarchy> {
        let meanings = self.meanings(knowledge, column)?;
        self.of_meanings(knowledge, column, &meanings)
    }

    /// Builds the hierarchy with other senses of some values; the meanings of all other values do
    /// not change.
    pub(crate) fn with_senses(
        &self,
        column: &Column,
        senses: &BTreeMap<String, String>,
    ) -> Result<Hierarchy> {
        let knowledge = self.gather()?;
        let mut meanings = self.meanings(&knowledge, column)?;
        let senses = Senses::of_map(senses, &knowledge, &column.domain)?;
        let corrected = resolved(&knowledge, column, &senses)?;
        for (meaning, corrected) in meanings.iter_mut().zip(corrected) {
            if senses.get(&meaning.value).is_some() {
                *meaning = corrected;
            }
        }
        self.of_meanings(&knowledge, column, &meanings)
    }

    /// Builds the chosen candidate for values of these meanings.
    fn of_meanings(
        &self,
        knowledge: &Knowledge,
        column: &Column,
        meanings: &[Meaning],
    ) -> Result<Hierarchy> {
        let constructor = self.constructor(knowledge);
        // The default candidate needs no other one to be built.
        let Some(wanted) = self.candidate.as_deref().filter(|&name| name != LOW_ROOT) else {
            return constructor.plain(column, meanings);
        };
        let (mut candidates, _) = constructor.candidates(column, meanings)?;
        match candidates.iter().position(|candidate| candidate.name == wanted) {
            Some(place) => Ok(candidates.swap_remove(place).hierarchy),
            None => {
                let names = candidates.iter().map(|candidate| candidate.name.as_str());
                Err(Error::unknown("candidate", wanted, names))
            }
        }
    }

    /// Returns the method as users write it, without parameters that have their default values.
    fn spec(&self) -> Result<Spec> {
        let parameters = |method: &Self| {
            toml::Table::try_from(method).map_err(|error| Error::Internal(error.to_string()))
        };
        let usual = parameters(&Self::default())?;
        let mut spec = Spec { name: "wordnet".into(), parameters: parameters(self)? };
        spec.parameters.retain(|name, value| usual.get(name) != Some(value));
        Ok(spec)
    }

    /// Returns the sources of concepts, in their order.
    pub fn sources(&self) -> Vec<PathBuf> {
        // A file name can contain a plus sign.
        let whole = PathBuf::from(self.knowledge.as_str());
        if whole.exists() {
            return vec![whole];
        }
        self.knowledge.items().map(PathBuf::from).collect()
    }

    /// Reads the concepts of the sources.
    pub fn gather(&self) -> Result<Knowledge> {
        gather(&self.sources(), self.wordnet.as_deref())
    }

    /// Returns the meanings of the values of a column, taking the senses file into account.
    fn meanings(&self, knowledge: &Knowledge, column: &Column) -> Result<Vec<Meaning>> {
        demand_values(column)?;
        let domain = &column.domain;
        // With a senses file, users define the meaning of numbers themselves.
        let suited = knowledge.for_kind(domain.values.kind());
        let suited = suited.or_else(|| self.senses.is_some().then(|| knowledge.clone()));
        let Some(suited) = suited else {
            let problem =
                format!("it holds {}s, but WordNet has words", domain.values.kind().name());
            return Err(Error::column(&column.name, problem).advise([
                Advice::other_hierarchy(&column.name, &["auto"]),
                Advice::words(
                    "for codes, give a classification that has them with wordnet:knowledge=FILE",
                ),
            ]));
        };
        let senses = Senses::read(self.senses.as_deref(), knowledge, domain)?;
        resolved(&suited, column, &senses)
    }

    fn constructor<'a>(&self, knowledge: &'a Knowledge) -> Constructor<'a> {
        Constructor {
            knowledge,
            k: self.k.unwrap_or(USUAL_K),
            consistent: self.consistent,
            alike: self.alike,
            most: self.most,
        }
    }
}

/// Looks up the values of a column.
fn resolved(knowledge: &Knowledge, column: &Column, senses: &Senses) -> Result<Vec<Meaning>> {
    let domain = &column.domain;
    let spelt: Vec<_> = (0..domain.len()).map(|code| domain.values.spelling(code)).collect();
    let values: Vec<(&str, u64)> =
        spelt.iter().zip(&domain.counts).map(|(value, &count)| (&**value, count)).collect();
    resolve(knowledge, &values, senses)
}
