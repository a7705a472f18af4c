//! One source of concepts: its words, the relations between its concepts, and their definitions.

use std::ops::Range;
use std::sync::OnceLock;

use hashbrown::HashMap;

use super::gloss::{Definitions, Glosses};
use super::lists::Lists;
use super::morphy::Exceptions;
use super::words::Words;
use super::{Concept, Entry};
use crate::error::Advice;
use crate::noun::counted;
use crate::{Error, Result};

/// The concepts of one source, numbered from `start`.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// Name of the source for users: `wordnet`, or the name of a file.
    key: String,
    /// Number of its first concept; other sources can have the numbers before it.
    start: Concept,
    pub(super) name: String,
    pub(super) words: Words,
    /// The words for each concept; the first is its label.
    pub(super) members: Lists,
    /// For each member, its rank among the senses of the word, counted from 1.
    pub(super) ranks: Vec<u32>,
    /// Number of occurrences of each member with that sense in tagged texts.
    pub(super) tags: Vec<u32>,
    pub(super) parents: Lists,
    /// The concepts that each concept is a part, a member or a substance of.
    pub(super) wholes: Lists,
    definitions: Definitions,
    /// Irregular base forms; `None` if the words are not English nouns.
    pub(super) exceptions: Option<Exceptions>,
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

impl Source {
    /// Builds a source from concepts; the senses of a word are ranked in that order.
    pub(super) fn of_entries(name: String, entries: &[Entry]) -> Result<Self> {
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

    pub(super) fn new(parts: Parts) -> Result<Self> {
        let n_concepts = parts.members.len();
        let places = parts.members.places(parts.words.len());
        let children = parts.parents.inverse(n_concepts);
        let is_wordnet = parts.exceptions.is_some();
        let mut source = Self {
            key: if is_wordnet { super::WORDNET.to_owned() } else { parts.name.clone() },
            start: 0,
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
        source.depths = source.measure_depths()?;
        Ok(source)
    }

    /// Sets what users call the source.
    pub(super) fn set_key(&mut self, key: String) {
        if !self.is_wordnet() {
            self.name.clone_from(&key);
        }
        self.key = key;
    }

    /// Numbers the concepts from `start` on.
    pub(super) fn renumber(&mut self, start: Concept) {
        let moved = |concept: &mut Concept| *concept = *concept - self.start + start;
        for list in [&mut self.parents, &mut self.children, &mut self.wholes, &mut self.parts] {
            list.items_mut().iter_mut().for_each(moved);
        }
        self.owners.iter_mut().for_each(moved);
        self.start = start;
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

    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// Returns the numbers of its concepts.
    pub(crate) fn concepts(&self) -> Range<Concept> {
        self.start..self.start + self.len() as Concept
    }

    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns the concepts without parents.
    pub(crate) fn roots(&self) -> impl Iterator<Item = Concept> {
        self.concepts().filter(|&concept| self.parents(concept).is_empty())
    }

    pub(crate) fn parents(&self, concept: Concept) -> &[Concept] {
        self.parents.get(concept - self.start)
    }

    pub(crate) fn children(&self, concept: Concept) -> &[Concept] {
        self.children.get(concept - self.start)
    }

    pub(crate) fn wholes(&self, concept: Concept) -> &[Concept] {
        self.wholes.get(concept - self.start)
    }

    pub(crate) fn parts(&self, concept: Concept) -> &[Concept] {
        self.parts.get(concept - self.start)
    }

    /// Returns the lengths of the shortest and of the longest path from a concept to a root.
    pub(crate) fn depths(&self, concept: Concept) -> (u32, u32) {
        self.depths[(concept - self.start) as usize]
    }

    pub(crate) fn words(&self, concept: Concept) -> impl Iterator<Item = &str> {
        self.members.get(concept - self.start).iter().map(|&word| self.words.get(word))
    }

    /// Returns the name of a concept, which is unique in this source.
    pub(crate) fn name(&self, concept: Concept) -> String {
        let first = self.members.range(concept - self.start).start;
        let rank = self.ranks.get(first).copied().unwrap_or(1);
        let word = self.words(concept).next().unwrap_or("");
        match self.exceptions {
            Some(_) => format!("{}.n.{rank:02}", word.to_lowercase()),
            None if self.senses(word).len() == 1 => word.to_owned(),
            None => format!("{word}#{rank}"),
        }
    }

    pub(crate) fn senses(&self, word: &str) -> Vec<Concept> {
        let places = self.words.find(word).flat_map(|word| self.places.get(word));
        let mut senses: Vec<(u32, Concept)> = places
            .map(|&place| (self.ranks[place as usize], self.owners[place as usize]))
            .collect();
        // By rank; words that differ only in case can share a concept, which is listed once.
        senses.sort_unstable();
        senses.dedup();
        senses.into_iter().map(|(_, concept)| concept).collect()
    }

    pub(crate) fn tag_count(&self, word: &str, sense: Concept) -> u32 {
        let places = self.words.find(word).flat_map(|word| self.places.get(word));
        let of_sense = places.filter(|&&place| self.owners[place as usize] == sense);
        of_sense.map(|&place| self.tags[place as usize]).sum()
    }

    pub(crate) fn base_forms(&self, noun: &str) -> Vec<String> {
        let exceptions = self.exceptions.as_ref();
        let forms = exceptions.map_or_else(Vec::new, |exceptions| exceptions.base_forms(noun));
        forms.into_iter().filter(|form| !self.words.find(form).is_empty()).collect()
    }

    /// Returns the concept with a name, as [`Knowledge::concept`](super::Knowledge::concept) does.
    pub(crate) fn concept(&self, name: &str) -> Result<Concept> {
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
                // Senses are counted from 1; `checked_sub` refuses 0.
                let found = rank.checked_sub(1).and_then(|place| senses.get(place));
                found.copied().ok_or_else(|| {
                    let n_senses = counted(senses.len(), "sense");
                    let problem = format!("there is no '{name}': '{word}' has {n_senses}");
                    Error::invalid(problem).advise([self.choose(word, senses)])
                })
            }
        }
    }

    /// Returns the concept with a name, or `None` where [`Source::concept`] fails.
    pub(crate) fn find(&self, name: &str) -> Option<Concept> {
        let (word, rank) = self.split_name(name);
        let senses = self.senses(word);
        match rank {
            Some(rank) => senses.get(rank.checked_sub(1)?).copied(),
            None => senses.first().copied().filter(|_| senses.len() == 1),
        }
    }

    /// Whether the word of a name is known, even if the name does not state which sense it means.
    pub(crate) fn has(&self, name: &str) -> bool {
        !self.senses(self.split_name(name).0).is_empty()
    }

    /// Whether this source decides what a name means: it has the sense, or the name states none.
    pub(super) fn decides(&self, name: &str) -> bool {
        let (word, rank) = self.split_name(name);
        let n_senses = self.senses(word).len();
        rank.map_or(n_senses > 0, |rank| (1..=n_senses).contains(&rank))
    }

    /// Advice to choose one of the senses of a word.
    fn choose(&self, word: &str, senses: &[Concept]) -> Advice {
        let about = |(rank, &sense): (usize, &Concept)| {
            let parent = self.parents(sense).first().map(|&parent| label(self, parent));
            format!("{word}#{rank} ({})", parent.unwrap_or_else(|| label(self, sense)))
        };
        let senses: Vec<String> = (1..).zip(senses).map(about).collect();
        Advice::words(format!("choose from {}", senses.join(", ")))
    }

    fn unknown(&self, name: &str, word: &str) -> Error {
        let near =
            self.nearest(word).map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
        let part = if name == word { String::new() } else { format!(" (in '{name}')") };
        Error::invalid(format!("{} has no noun '{word}'{part}{near}", self.name))
    }

    /// Returns the word of the source that is most similar to an unknown one.
    pub(super) fn nearest(&self, word: &str) -> Option<String> {
        // Suggestions share the first two letters, which keeps the comparison fast.
        let start: String = word.chars().take(2).collect();
        crate::error::nearest(word, self.words.beginning_with(&start))
    }

    /// Returns the words of all definitions.
    pub(crate) fn glosses(&self) -> &Glosses {
        self.glosses.get_or_init(|| self.definitions.glosses())
    }

    /// Returns the words of a concept's definition, as numbers.
    pub(crate) fn gloss(&self, concept: Concept) -> &[u32] {
        self.glosses().get(concept - self.start)
    }

    /// Returns the definition of a concept.
    pub(crate) fn definition(&self, concept: Concept) -> String {
        self.glosses().text(concept - self.start)
    }

    /// Whether the words are English nouns from WordNet.
    pub(crate) fn is_wordnet(&self) -> bool {
        self.exceptions.is_some()
    }

    /// Splits `nurse.n.01` and `nurse#1` into word and rank, unless the whole name is a known word.
    pub(super) fn split_name<'a>(&self, name: &'a str) -> (&'a str, Option<usize>) {
        // A code such as `a#1` can be a word itself.
        if !self.words.find(name).is_empty() {
            return (name, None);
        }
        // Only WordNet's own names end in `.n.01`, so that no other source claims them.
        let of_wordnet = name.rsplit_once(".n.").filter(|_| self.is_wordnet());
        let found = of_wordnet.or_else(|| name.rsplit_once('#'));
        let numbered = found.and_then(|(word, rank)| Some((word, Some(rank.parse().ok()?))));
        numbered.unwrap_or((name, None))
    }
}

/// Returns the label of a concept, for people.
pub(super) fn label(source: &Source, concept: Concept) -> String {
    source.words(concept).next().unwrap_or("").replace('_', " ")
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
