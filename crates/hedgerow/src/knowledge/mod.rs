//! What words mean: concepts, which is broader than which, and how alike they are.

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

pub use gloss::Glosses;
pub(crate) use resolve::look_up;
pub use resolve::{How, Meaning, Part, resolve};
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

/// What must be said wherever the nouns of WordNet are copied.
pub const WORDNET_NOTICE: &str = include_str!("../../assets/WORDNET-LICENSE");

/// The number of a concept: something that words stand for, a *synset* of WordNet.
pub type Concept = u32;

/// Concepts, the words for them, and how they belong together.
///
/// Every source is read into one of these: WordNet, which is built in, a directory of WordNet's own
/// files, a SKOS vocabulary, an OBO ontology, a classification of codes. A word may stand for several
/// concepts, its *senses*, the commonest first; a concept may have several parents.
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
    /// The words for each concept; it is called by the first.
    members: Lists,
    /// Which sense of the word each member is, counted from 1.
    ranks: Vec<u32>,
    /// How often each member was met with that sense in tagged texts.
    tags: Vec<u32>,
    parents: Lists,
    /// What each concept is a part, a member or a substance of.
    wholes: Lists,
    definitions: Definitions,
    /// Base forms that no rule gives; none where words are not English nouns.
    exceptions: Option<Exceptions>,
    /// Where each word is a member.
    places: Lists,
    /// The concept of each member.
    owners: Vec<Concept>,
    children: Lists,
    parts: Lists,
    /// The fewest and the most steps from each concept to a root.
    depths: Vec<(u32, u32)>,
    glosses: OnceLock<Glosses>,
}

/// What a source says.
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

/// A concept as a source gives it.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// The words for it; it is called by the first.
    pub words: Vec<String>,
    /// The places of the concepts just above it.
    pub parents: Vec<Concept>,
    /// What it means, in words.
    pub definition: Box<str>,
}

impl Knowledge {
    /// The concepts that a source gives, in its order; the senses of a word stand in that order too.
    pub fn of_entries(name: String, entries: &[Entry]) -> Result<Self> {
        let words = Words::of(entries.iter().flat_map(|entry| &entry.words));
        // Words that are looked up alike are one.
        let key = |word: u32| words.find(words.get(word)).start;
        let members = entries.iter().map(|entry| {
            let mut members: Vec<u32> = Vec::new();
            for word in entry.words.iter().filter_map(|word| words.number(word)) {
                if members.iter().all(|&other| key(other) != key(word)) {
                    members.push(word);
                }
            }
            members
        });
        let members = Lists::of(members);
        let mut n_senses: HashMap<u32, u32> = HashMap::new();
        let rank = |&word: &u32| {
            let n_senses = n_senses.entry(key(word)).or_default();
            *n_senses += 1;
            *n_senses
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

    /// The nouns of WordNet 3.0, which are built in.
    pub fn wordnet() -> &'static Self {
        static BUILT_IN: OnceLock<Knowledge> = OnceLock::new();
        BUILT_IN.get_or_init(|| {
            let read = pack::unpack(pack::WORDNET).and_then(Self::new);
            read.expect("what is built in was read when it was packed")
        })
    }

    /// The nouns of a directory with WordNet's own files, of version 3.0 or 3.1.
    pub fn of_directory(directory: &Path) -> Result<Self> {
        Self::new(wndb::read(directory)?)
    }

    /// What [`Knowledge::wordnet`] is built from.
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

    /// The fewest and the most steps up to a root; an error if a concept is above itself.
    fn measure_depths(&self) -> Result<Vec<(u32, u32)>> {
        let mut depths = vec![(u32::MAX, 0); self.len()];
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

    /// The concepts of a cycle, of those that were never ready.
    fn cycle(&self, n_open: &[u32]) -> String {
        let is_open = |&concept: &Concept| n_open[concept as usize] > 0;
        let mut path: Vec<Concept> = Vec::new();
        let mut next = (0..self.len() as Concept).find(is_open);
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

    /// What it is called, as `WordNet 3.0`.
    pub fn source(&self) -> &str {
        &self.name
    }

    /// How many concepts there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is no concept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The concepts without parents.
    pub fn roots(&self) -> impl Iterator<Item = Concept> {
        (0..self.len() as Concept).filter(|&concept| self.parents(concept).is_empty())
    }

    /// The concepts just above one, in the order of their source.
    pub fn parents(&self, concept: Concept) -> &[Concept] {
        self.parents.get(concept)
    }

    /// The concepts just below one.
    pub fn children(&self, concept: Concept) -> &[Concept] {
        self.children.get(concept)
    }

    /// What a concept is a part, a member or a substance of.
    pub fn wholes(&self, concept: Concept) -> &[Concept] {
        self.wholes.get(concept)
    }

    /// The parts, members and substances of a concept.
    pub fn parts(&self, concept: Concept) -> &[Concept] {
        self.parts.get(concept)
    }

    /// The words for a concept, `_` for a blank where the source writes it so.
    pub fn words(&self, concept: Concept) -> impl Iterator<Item = &str> {
        self.members.get(concept).iter().map(|&word| self.words.get(word))
    }

    /// What a concept is called, for people.
    pub fn label(&self, concept: Concept) -> String {
        self.words(concept).next().unwrap_or("").replace('_', " ")
    }

    /// What a concept is called, for this program: `nurse.n.01`, the first sense of the noun nurse; in
    /// other sources than WordNet just `nurse`, if there is only one.
    pub fn name(&self, concept: Concept) -> String {
        let rank = self.ranks.get(self.members.range(concept).start).copied().unwrap_or(1);
        let word = self.words(concept).next().unwrap_or("");
        match self.exceptions {
            Some(_) => format!("{}.n.{rank:02}", word.to_lowercase()),
            None if self.senses(word).len() == 1 => word.to_owned(),
            None => format!("{word}#{rank}"),
        }
    }

    /// What a word stands for, the commonest first; nothing if there is no such word. Capitals, and
    /// `_` or a blank, make no difference.
    pub fn senses(&self, word: &str) -> Vec<Concept> {
        let places = self.words.find(word).flat_map(|word| self.places.get(word));
        let mut senses: Vec<(u32, Concept)> = places
            .map(|&place| (self.ranks[place as usize], self.owners[place as usize]))
            .collect();
        senses.sort_unstable();
        senses.dedup();
        senses.into_iter().map(|(_, concept)| concept).collect()
    }

    /// How often a word was met with this sense in tagged texts.
    pub fn tag_count(&self, word: &str, sense: Concept) -> u32 {
        let places = self.words.find(word).flat_map(|word| self.places.get(word));
        let of_sense = places.filter(|&&place| self.owners[place as usize] == sense);
        of_sense.map(|&place| self.tags[place as usize]).sum()
    }

    /// What a noun may be the plural of, as far as there are such words.
    pub fn base_forms(&self, noun: &str) -> Vec<String> {
        let exceptions = self.exceptions.as_ref();
        let forms = exceptions.map_or_else(Vec::new, |exceptions| exceptions.base_forms(noun));
        forms.into_iter().filter(|form| !self.words.find(form).is_empty()).collect()
    }

    /// The concept that a name stands for: `nurse.n.01` or `nurse#1`; just `nurse` if the word has one
    /// sense.
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

    /// The same, or nothing where that is an error.
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
        let start: String = word.chars().take(2).collect();
        let near = self.words.beginning_with(&start);
        let near =
            crate::error::nearest(word, near).map(|near| format!("; did you mean '{near}'?"));
        let near = near.unwrap_or_default();
        let part = if name == word { String::new() } else { format!(" (in '{name}')") };
        Error::invalid(format!("{} has no noun '{word}'{part}{near}", self.name))
    }

    /// The words of all definitions.
    pub fn glosses(&self) -> &Glosses {
        self.glosses.get_or_init(|| self.definitions.glosses())
    }

    /// Whether its words are English nouns, of WordNet.
    pub(crate) fn is_wordnet(&self) -> bool {
        self.exceptions.is_some()
    }

    /// `nurse.n.01` and `nurse#1` in two parts; a word that looks so is one.
    fn split_name<'a>(&self, name: &'a str) -> (&'a str, Option<usize>) {
        if !self.words.find(name).is_empty() {
            return (name, None);
        }
        let found = name.rsplit_once(".n.").or_else(|| name.rsplit_once('#'));
        let numbered = found.and_then(|(word, rank)| Some((word, Some(rank.parse().ok()?))));
        numbered.unwrap_or((name, None))
    }
}
