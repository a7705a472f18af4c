//! Hierarchies of what words mean.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::constructor::{Candidate, Constructor, LOW_ROOT};
use super::pins::Pins;
use crate::builder::{HierarchyBuilder, categorical::demand_values, with_knowledge};
use crate::error::Advice;
use crate::hierarchy::{Generalization, Hierarchy};
use crate::knowledge::{How, Knowledge, Meaning, Senses, resolve};
use crate::method::{Described, Description, Parameter, Spec, Type, Validate};
use crate::noun::listed;
use crate::table::{Column, Kind};
use crate::{Error, Result};

/// Groups of fewer records are outliers unless somebody says otherwise.
const USUAL_K: u64 = 5;

/// Looks up what the values of a column mean, and puts them below what is above their meanings.
///
/// The idea: a nurse and a surgeon are both health professionals, and WordNet knows. Values are looked
/// up (see [`resolve`]), everything above them is made a tree, and the root is the lowest node that
/// has all of them below it. Values that are not found stand directly below the root. Instead of this tree any
/// other candidate that the [`Constructor`] makes can be had by its name.
///
/// # Complexity
///
/// A few look-ups for each value, comparisons of definitions for those that mean several things, and
/// a pass over everything above them.
///
/// # Guarantees
///
/// Deterministic. An error if no value is found.
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
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["job"], &[["surgeon"], ["nurse"], ["pianist"], ["violinist"]])?;
/// let built = Wordnet::default().build(&table.columns()[0])?;
/// let tree = built.hierarchy().unwrap();
/// assert_eq!(tree.label(0), "person");
/// let both = tree.lowest_common_ancestor(2, 3);
/// assert_eq!(tree.label(both), "musician");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Wordnet {
    /// A file that says what values mean.
    pub senses: Option<PathBuf>,
    /// A directory of WordNet's own files, instead of the nouns that are built in.
    pub wordnet: Option<PathBuf>,
    /// A file of concepts instead: SKOS, OBO, codes, or any hierarchy.
    pub knowledge: Option<PathBuf>,
    /// The candidate to take, by its name.
    pub candidate: Option<String>,
    /// Groups of fewer records are outliers, which some candidates put together; 5 unless the release
    /// has a `k`.
    pub k: Option<u64>,
    /// How alike outliers must be to the name of their group, from 0 to 1.
    pub consistent: f64,
    /// How alike a node must be to what it is called instead, from 0 to 1.
    pub alike: f64,
    /// How many candidates at most.
    pub most: usize,
}

impl Default for Wordnet {
    fn default() -> Self {
        Self {
            senses: None,
            wordnet: None,
            knowledge: None,
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
        about: "words: what they mean, in WordNet or another source",
        reference: Some("Ayala2016"),
        needs: &[],
        parameters: &[
            Parameter::new("senses", Type::File, "a file that says what values mean"),
            Parameter::new(
                "wordnet",
                Type::Directory,
                "a directory of WordNet's own files, instead of the nouns that are built in",
            ),
            Parameter::new(
                "knowledge",
                Type::File,
                "a file of concepts instead: SKOS, OBO, codes, or any hierarchy",
            ),
            Parameter::new("candidate", Type::Text, "the candidate to take, by its name"),
            Parameter::new(
                "k",
                Type::at_least(1),
                "groups of fewer records are outliers; that of the release, or 5, if not given",
            ),
            Parameter::new(
                "consistent",
                Type::UNIT,
                "how similar outliers must be to the name of their group",
            )
            .or("0.5"),
            Parameter::new(
                "alike",
                Type::UNIT,
                "how similar a node must be to what it is called instead",
            )
            .or("0.75"),
            Parameter::new("most", Type::at_least(1), "how many candidates there are at most")
                .or("100"),
        ],
    };
}

/// What was made of a column of words.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Constructed {
    /// Groups of fewer records were outliers.
    pub k: u64,
    /// What each value means, in the order of the column's values.
    pub meanings: Vec<Meaning>,
    /// The few values that keep the root from saying more, if there are such.
    pub pins: Option<Pins>,
    /// The candidates.
    pub candidates: Vec<Candidate>,
}

impl HierarchyBuilder for Wordnet {
    fn grow(&self, column: &Column) -> Result<Generalization> {
        self.with_knowledge(|knowledge| {
            let meanings = self.meanings(knowledge, column)?;
            let constructor = self.constructor(knowledge);
            let Some(wanted) = self.candidate.as_deref().filter(|&name| name != LOW_ROOT) else {
                return Ok(constructor.plain(column, &meanings)?.into());
            };
            let (mut candidates, _) = constructor.candidates(column, &meanings)?;
            match candidates.iter().position(|candidate| candidate.name == wanted) {
                Some(place) => Ok(candidates.swap_remove(place).hierarchy.into()),
                None => {
                    let names = candidates.iter().map(|candidate| candidate.name.as_str());
                    Err(Error::unknown("candidate", wanted, names))
                }
            }
        })
    }

    fn for_k(&mut self, k: u64) -> bool {
        self.k.get_or_insert(k);
        self.candidate.is_some()
    }
}

impl Wordnet {
    /// Makes all candidates of a column.
    pub fn construct(&self, knowledge: &Knowledge, column: &Column) -> Result<Constructed> {
        self.validate()?;
        let meanings = self.meanings(knowledge, column)?;
        let constructor = self.constructor(knowledge);
        let (candidates, pins) = constructor.candidates(column, &meanings)?;
        let built = |Candidate { name, hierarchy }| {
            let candidate = Some(String::clone(&name));
            let method = Self { candidate, k: Some(constructor.k), ..self.clone() };
            Ok(Candidate { hierarchy: hierarchy.built_by(method.spec()?), name })
        };
        let candidates = candidates.into_iter().map(built).collect::<Result<_>>()?;
        Ok(Constructed { k: constructor.k, meanings, pins, candidates })
    }

    /// The method as users write it, without what is usual.
    fn spec(&self) -> Result<Spec> {
        let parameters = |method: &Self| {
            toml::Table::try_from(method).map_err(|error| Error::Internal(error.to_string()))
        };
        let usual = parameters(&Self::default())?;
        let mut spec = Spec { name: "wordnet".into(), parameters: parameters(self)? };
        spec.parameters.retain(|name, value| usual.get(name) != Some(value));
        Ok(spec)
    }

    /// What the concepts of the source say.
    pub fn with_knowledge<T>(&self, say: impl FnOnce(&Knowledge) -> Result<T>) -> Result<T> {
        with_knowledge(self.wordnet.as_deref(), self.knowledge.as_deref(), say)
    }

    /// What the values of a column mean, with what the senses file says of them.
    fn meanings(&self, knowledge: &Knowledge, column: &Column) -> Result<Vec<Meaning>> {
        demand_values(column)?;
        let domain = &column.domain;
        let is_scaled = matches!(domain.values.kind(), Kind::Number | Kind::Date);
        if is_scaled && knowledge.is_wordnet() && self.senses.is_none() {
            let problem =
                format!("it holds {}s, but WordNet has words", domain.values.kind().name());
            return Err(Error::column(&column.name, problem).advise([
                Advice::other_hierarchy(&column.name, &["auto"]),
                Advice::words(
                    "for codes, give a classification that has them with wordnet:knowledge=FILE",
                ),
            ]));
        }
        let senses = Senses::read(self.senses.as_deref(), knowledge, domain)?;
        let spelt: Vec<_> = (0..domain.len()).map(|code| domain.values.spelling(code)).collect();
        let values: Vec<(&str, u64)> =
            spelt.iter().zip(&domain.counts).map(|(value, &count)| (&**value, count)).collect();
        resolve(knowledge, &values, &senses)
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

/// A column of more distinct values is not looked up unless that is asked for.
const MOST_VALUES: usize = 5_000;

/// Whether WordNet knows most values of a column, and they are words: three or more of three letters
/// or more.
pub(in crate::builder) fn are_known(column: &Column) -> bool {
    let domain = &column.domain;
    if !(3..=MOST_VALUES).contains(&domain.len()) {
        return false;
    }
    let is_known = |code: &usize| {
        let value = domain.values.spelling(*code);
        value.chars().count() >= 3 && Knowledge::wordnet().finds(&value)
    };
    2 * (0..domain.len()).filter(is_known).count() > domain.len()
}

/// Which values a tree of words holds that were not found, or by a part only, as far as its nodes tell.
pub fn doubts(tree: &Hierarchy) -> Option<String> {
    let is_words = tree.builder().is_some_and(|method| method.name == "wordnet");
    let with = |how: How| {
        let is_it = |leaf: &u32| {
            let origin = tree.origin(tree.leaf_node(*leaf));
            let note = origin.and_then(|origin| origin.note.as_deref()).unwrap_or("");
            is_words && note.split([',', ';']).next() == Some(how.name())
        };
        let leaves = (0..tree.n_leaves() as u32).filter(is_it);
        leaves.map(|leaf| tree.spelling(leaf).into_owned()).collect::<Vec<_>>()
    };
    let about = [("not found", How::Unknown), ("approximate", How::Head)];
    let parts = about.map(|(about, how)| (about, with(how)));
    let said = parts.iter().filter(|(_, values)| !values.is_empty());
    let said: Vec<String> =
        said.map(|(about, values)| format!("{about}: {}", listed(values))).collect();
    (!said.is_empty()).then(|| said.join("; "))
}
