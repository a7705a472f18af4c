//! Meanings of words: concepts, their hierarchy and their similarity.

mod gloss;
mod lesk;
mod lists;
mod morphy;
mod pack;
mod resolve;
mod senses;
mod similarity;
mod wndb;
mod words;

pub use crate::how::How;
pub use gloss::Glosses;
pub(crate) use resolve::look_up;
pub use resolve::{Meaning, Part, resolve};
pub use senses::{Senses, template};
pub use similarity::{Ancestors, Mode};

use std::path::Path;
use std::sync::OnceLock;

use hashbrown::HashMap;

use self::gloss::Definitions;
use self::lists::Lists;
use self::morphy::Exceptions;
use self::words::Words;
use crate::error::Advice;
use crate::noun::counted;
use crate::{Error, Result};

/// The licence notice that must accompany copies of WordNet's nouns.
pub const WORDNET_NOTICE: &str = include_str!("../../assets/WORDNET-LICENSE");

/// The number of a concept: a meaning that words share, called a *synset* in WordNet.
pub type Concept = u32;

/// Concepts, the words for them, and the relations between them.
///
/// Every source is read into this type: the built-in WordNet, a directory of WordNet's own files, a
/// SKOS vocabulary, an OBO ontology, a classification of codes. A word can denote several concepts,
/// its *senses*, most common first; a concept can have several parents.
///
/// # Examples
///
/// ```
/// use hedgerow::knowledge::Knowledge;
/// let wordnet = Knowledge::wordnet();
/// let nurse = wordnet.concept("nurse#1")?;
/// assert_eq!(wordnet.name(nurse), "nurse.n.01");
/// assert_eq!(wordnet.label(wordnet.parents(nurse)[0]), "health professional");
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug)]
pub struct Knowledge {
    name: String,
    words: Words,
    /// The words for each concept; the first is its label.
    members: Lists,
    /// For each member, its rank among the senses of the word, counted from 1.
    ranks: Vec<u32>,
    /// How often each member occurs with that sense in tagged texts.
    tags: Vec<u32>,
    parents: Lists,
    /// The concepts that each concept is a part, a member or a substance of.
    wholes: Lists,
    definitions: Definitions,
    /// Irregular base forms; `None` if the words are not English nouns.
    exceptions: Option<Exceptions>,
    /// The positions of each word among the members.
    places: Lists,
    /// The concept of each member.
    owners: Vec<Concept>,
    children: Lists,
    parts: Lists,
    /// The lengths of the shortest and of the longest path from each concept to a root.
    depths: Vec<(u32, u32)>,
    glosses: OnceLock<Glosses>,
}

/// The contents of a source.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) name: String,
    pub(crate) words: Words,
    pub(crate) members: Lists,
    pub(crate) ranks: Vec<u32>,
    pub(crate) tags: Vec<u32>,
    pub(crate) parents: Lists,
    pub(crate) wholes: Lists,
    pub(crate) definitions: Definitions,
    pub(crate) exceptions: Option<Exceptions>,
}

/// A concept as given by a source.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// The words for the concept; the first is its label.
    pub words: Vec<String>,
    /// The indices of its parents.
    pub parents: Vec<Concept>,
    /// Its definition.
    pub definition: Box<str>,
}

impl Knowledge {
    /// Builds knowledge from the concepts of a source; the senses of a word are ranked in that
    /// order.
    pub fn of_entries(name: String, entries: &[Entry]) -> Result<Self> {
        let words = Words::of(entries.iter().flat_map(|entry| &entry.words));
        let members = Lists::of(entries.iter().map(|entry| distinct_words(entry, &words)));
        // The `n`th concept that lists a word is the `n`th sense of the word.
        let mut n_senses: HashMap<u32, u32> = HashMap::new();
        let rank = |&word: &u32| {
            let n_so_far = n_senses.entry(words.first_alike(word)).or_default();
            *n_so_far += 1;
            *n_so_far
        };
        let ranks: Vec<u32> = members.items().iter().map(rank).collect();
        Self::new(Parts {
            name,
            tags: vec![0; ranks.len()],
            ranks,
            parents: Lists::of(entries.iter().map(|entry| entry.parents.iter().copied())),
            wholes: Lists::of(entries.iter().map(|_| [])),
            definitions: Definitions::Texts(
                entries.iter().map(|entry| entry.definition.clone()).collect(),
            ),
            words,
            members,
            exceptions: None,
        })
    }

    /// Returns the built-in nouns of WordNet 3.0.
    pub fn wordnet() -> &'static Self {
        static BUILT_IN: OnceLock<Knowledge> = OnceLock::new();
        BUILT_IN.get_or_init(|| {
            let read = pack::unpack(pack::WORDNET).and_then(Self::new);
            read.expect("the built-in knowledge was read when it was packed")
        })
    }

    /// Reads the nouns from a directory with WordNet's own files, version 3.0 or 3.1.
    pub fn of_directory(directory: &Path) -> Result<Self> {
        Self::new(wndb::read(directory)?)
    }

    /// Returns the packed form from which [`Knowledge::wordnet`] is built.
    pub fn pack(&self) -> Result<Vec<u8>> {
        pack::pack(self)
    }

    pub(crate) fn new(parts: Parts) -> Result<Self> {
        let n_concepts = parts.members.len();
        let places = parts.members.places(parts.words.len());
        let children = parts.parents.inverse(n_concepts);
        let mut knowledge = Self {
            owners: parts.members.owners(),
            places,
            children,
            // Sources state parents and wholes; children and parts are their inverse relations.
            parts: parts.wholes.inverse(n_concepts),
            depths: Vec::new(),
            glosses: OnceLock::new(),
            name: parts.name,
            words: parts.words,
            members: parts.members,
            ranks: parts.ranks,
            tags: parts.tags,
            parents: parts.parents,
            wholes: parts.wholes,
            definitions: parts.definitions,
            exceptions: parts.exceptions,
        };
        knowledge.depths = knowledge.measure_depths()?;
        Ok(knowledge)
    }

    /// Returns the shortest and longest distance of each concept to a root, or an error for a
    /// cycle.
    fn measure_depths(&self) -> Result<Vec<(u32, u32)>> {
        let mut depths = vec![(u32::MAX, 0); self.len()];
        // A topological sort: a concept is ready once all its parents have their final depths.
        let mut n_open: Vec<u32> = self.parents.lengths();
        let mut ready: Vec<Concept> = self.roots().collect();
        ready.iter().for_each(|&root| depths[root as usize] = (0, 0));
        let mut n_done = 0;
        while let Some(concept) = ready.pop() {
            n_done += 1;
            let (fewest, most) = depths[concept as usize];
            for &child in self.children.get(concept) {
                let depth = &mut depths[child as usize];
                *depth = (depth.0.min(fewest + 1), depth.1.max(most + 1));
                n_open[child as usize] -= 1;
                if n_open[child as usize] == 0 {
                    ready.push(child);
                }
            }
        }
        if n_done == self.len() {
            return Ok(depths);
        }
        let problem = format!("a concept is its own ancestor: {}", self.cycle(&n_open));
        Err(Error::syntax(None, problem))
    }

    /// Describes a cycle among the concepts that never became ready.
    fn cycle(&self, n_open: &[u32]) -> String {
        let is_open = |&concept: &Concept| n_open[concept as usize] > 0;
        let mut path: Vec<Concept> = Vec::new();
        let mut next = (0..self.len() as Concept).find(is_open);
        // Every open concept has an open parent, so the path must meet itself.
        while let Some(concept) = next {
            if let Some(start) = path.iter().position(|&other| other == concept) {
                let around = path[start..].iter().chain([&concept]);
                return around.map(|&concept| self.name(concept)).collect::<Vec<_>>().join(" < ");
            }
            path.push(concept);
            next = self.parents(concept).iter().copied().find(is_open);
        }
        String::new()
    }

    /// Returns the name of the source, such as `WordNet 3.0`.
    pub fn source(&self) -> &str {
        &self.name
    }

    /// Returns the number of concepts.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are no concepts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the concepts without parents.
    pub fn roots(&self) -> impl Iterator<Item = Concept> {
        (0..self.len() as Concept).filter(|&concept| self.parents(concept).is_empty())
    }

    /// Returns the parents of a concept, in the order of the source.
    pub fn parents(&self, concept: Concept) -> &[Concept] {
        self.parents.get(concept)
    }

    /// Returns the children of a concept.
    pub fn children(&self, concept: Concept) -> &[Concept] {
        self.children.get(concept)
    }

    /// Returns the concepts that a concept is a part, a member or a substance of.
    pub fn wholes(&self, concept: Concept) -> &[Concept] {
        self.wholes.get(concept)
    }

    /// Returns the parts, members and substances of a concept.
    pub fn parts(&self, concept: Concept) -> &[Concept] {
        self.parts.get(concept)
    }

    /// Returns the words for a concept, with `_` for a blank if the source writes it so.
    pub fn words(&self, concept: Concept) -> impl Iterator<Item = &str> {
        self.members.get(concept).iter().map(|&word| self.words.get(word))
    }

    /// Returns the label of a concept, for people.
    pub fn label(&self, concept: Concept) -> String {
        self.words(concept).next().unwrap_or("").replace('_', " ")
    }

    /// Returns the unique name of a concept: `nurse.n.01`, the first sense of the noun nurse.
    ///
    /// In sources other than WordNet, the name is just `nurse` if the word has a single sense,
    /// otherwise `nurse#1`.
    pub fn name(&self, concept: Concept) -> String {
        let rank = self.ranks.get(self.members.range(concept).start).copied().unwrap_or(1);
        let word = self.words(concept).next().unwrap_or("");
        match self.exceptions {
            Some(_) => format!("{}.n.{rank:02}", word.to_lowercase()),
            None if self.senses(word).len() == 1 => word.to_owned(),
            None => format!("{word}#{rank}"),
        }
    }

    /// Returns the concepts that a word denotes, most common first; empty if the word is unknown.
    ///
    /// The lookup ignores case and treats `_` like a blank.
    pub fn senses(&self, word: &str) -> Vec<Concept> {
        let places = self.words.find(word).flat_map(|word| self.places.get(word));
        let mut senses: Vec<(u32, Concept)> = places
            .map(|&place| (self.ranks[place as usize], self.owners[place as usize]))
            .collect();
        // By rank; words that differ only in case can share a concept, which is listed once.
        senses.sort_unstable();
        senses.dedup();
        senses.into_iter().map(|(_, concept)| concept).collect()
    }

    /// Returns how often a word occurs with this sense in tagged texts.
    pub fn tag_count(&self, word: &str, sense: Concept) -> u32 {
        let places = self.words.find(word).flat_map(|word| self.places.get(word));
        let of_sense = places.filter(|&&place| self.owners[place as usize] == sense);
        of_sense.map(|&place| self.tags[place as usize]).sum()
    }

    /// Returns the known words of which a noun may be the plural.
    pub fn base_forms(&self, noun: &str) -> Vec<String> {
        let exceptions = self.exceptions.as_ref();
        let forms = exceptions.map_or_else(Vec::new, |exceptions| exceptions.base_forms(noun));
        forms.into_iter().filter(|form| !self.words.find(form).is_empty()).collect()
    }

    /// Returns the concept with the name `nurse.n.01` or `nurse#1`, or just `nurse` if the word has
    /// one sense.
    pub fn concept(&self, name: &str) -> Result<Concept> {
        let (word, rank) = self.split_name(name);
        let senses = self.senses(word);
        match (rank, senses.as_slice()) {
            (_, []) => Err(self.unknown(name, word)),
            (None, &[only]) => Ok(only),
            (None, several) => {
                let problem = format!("'{name}' has {} senses", several.len());
                Err(Error::invalid(problem).advise([self.choose(word, several)]))
            }
            (Some(rank), senses) => {
                let found = rank.checked_sub(1).and_then(|place| senses.get(place));
                found.copied().ok_or_else(|| {
                    let n_senses = counted(senses.len(), "sense");
                    let problem = format!("there is no '{name}': '{word}' has {n_senses}");
                    Error::invalid(problem).advise([self.choose(word, senses)])
                })
            }
        }
    }

    /// Returns the concept with a name, or `None` where [`Knowledge::concept`] fails.
    pub fn find(&self, name: &str) -> Option<Concept> {
        let (word, rank) = self.split_name(name);
        let senses = self.senses(word);
        match rank {
            Some(rank) => senses.get(rank.checked_sub(1)?).copied(),
            None => senses.first().copied().filter(|_| senses.len() == 1),
        }
    }

    /// Advice to choose one of the senses of a word.
    fn choose(&self, word: &str, senses: &[Concept]) -> Advice {
        let about = |(rank, &sense): (usize, &Concept)| {
            let parent = self.parents(sense).first().map(|&parent| self.label(parent));
            format!("{word}#{rank} ({})", parent.unwrap_or_else(|| self.label(sense)))
        };
        let senses: Vec<String> = (1..).zip(senses).map(about).collect();
        Advice::words(format!("choose from {}", senses.join(", ")))
    }

    fn unknown(&self, name: &str, word: &str) -> Error {
        // Suggestions share the first two letters, which keeps the comparison fast.
        let start: String = word.chars().take(2).collect();
        let near = crate::error::nearest(word, self.words.beginning_with(&start))
            .map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
        let part = if name == word { String::new() } else { format!(" (in '{name}')") };
        Error::invalid(format!("{} has no noun '{word}'{part}{near}", self.name))
    }

    /// Returns the words of all definitions.
    pub fn glosses(&self) -> &Glosses {
        self.glosses.get_or_init(|| self.definitions.glosses())
    }

    /// Whether the words are English nouns from WordNet.
    pub(crate) fn is_wordnet(&self) -> bool {
        self.exceptions.is_some()
    }

    /// Splits `nurse.n.01` and `nurse#1` into word and rank, unless the whole name is a known word.
    fn split_name<'a>(&self, name: &'a str) -> (&'a str, Option<usize>) {
        // A code such as `a#1` can be a word itself.
        if !self.words.find(name).is_empty() {
            return (name, None);
        }
        let found = name.rsplit_once(".n.").or_else(|| name.rsplit_once('#'));
        let numbered = found.and_then(|(word, rank)| Some((word, Some(rank.parse().ok()?))));
        numbered.unwrap_or((name, None))
    }
}

/// Returns the numbers of an entry's words; of those with the same lookup form, only the first.
fn distinct_words(entry: &Entry, words: &Words) -> Vec<u32> {
    let mut distinct: Vec<u32> = Vec::new();
    for word in entry.words.iter().filter_map(|word| words.number(word)) {
        // Words that differ only in case or in `_` and a blank are the same word.
        if distinct.iter().all(|&other| words.first_alike(other) != words.first_alike(word)) {
            distinct.push(word);
        }
    }
    distinct
}
