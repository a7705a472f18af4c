//! Meanings of words: concepts, their hierarchy and their similarity.

mod lists;
mod words;
mod gloss;
mod morphy;
mod source;
mod pack;
mod lesk;
mod similarity;
mod resolve;
mod senses;
mod wndb;

pub use crate::how::How;
pub(crate) use gloss::Glosses;
pub(crate) use resolve::look_up_in;
pub use resolve::{Meaning, Part, resolve};
pub use senses::{Senses, template};
pub use similarity::{Ancestors, Mode};
pub(crate) use source::Source;

use std::cmp::Reverse;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use self::source::Parts;
use crate::error::{Advice, did_you_mean};
use crate::noun::all_of;
use crate::table::Kind;
use crate::{Error, Result};

/// The licence notice that must accompany copies of WordNet's nouns.
pub const WORDNET_NOTICE: &str = include_str!("../../assets/WORDNET-LICENSE");

/// Name of WordNet as a source.
pub const WORDNET: &str = "wordnet";

/// The number of a concept: a meaning that words share, called a *synset* in WordNet.
pub type Concept = u32;

/// Concepts, the words for them, and the relations between them.
///
/// Every source is read into this type: the built-in WordNet, a directory of WordNet's own files, a
/// SKOS vocabulary, an OBO ontology, a classification of codes. A word can denote several concepts,
/// its *senses*, most common first; a concept can have several parents.
///
/// [`Knowledge::of_sources`] combines several sources in an order. A word belongs to the first
/// source that has it. Concepts of different sources are not related: they have no common ancestor,
/// so their similarity is 0.
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
#[derive(Debug, Clone)]
pub struct Knowledge {
    name: String,
    /// In the order in which words are looked up.
    sources: Vec<Arc<Source>>,
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
        Source::of_entries(name, entries).map(Self::of_source)
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

    /// Combines sources, each with the name that users call it, in the order in which words are
    /// looked up. The names must differ.
    ///
    /// ```
    /// use hedgerow::knowledge::{Entry, Knowledge, Mode};
    /// let healer = Entry { words: vec!["shaman".into()], ..Entry::default() };
    /// let ours = Knowledge::of_entries("ours".into(), &[healer])?;
    /// let wordnet = Knowledge::wordnet().clone();
    /// let both = Knowledge::of_sources([("ours".into(), ours), ("wordnet".into(), wordnet)]);
    /// let (shaman, nurse) = (both.concept("shaman")?, both.concept("nurse#1")?);
    /// assert_eq!((both.source_of(shaman), both.source_of(nurse)), ("ours", "wordnet"));
    /// let other = both.concept("wordnet:shaman#1")?;
    /// assert_eq!((both.name(other).as_str(), both.concept("shaman.n.01")?), ("shaman.n.01", other));
    /// let alike = both.wu_palmer(&both.ancestors(shaman), &both.ancestors(nurse), Mode::default());
    /// assert!(alike.abs() < 1e-12);
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn of_sources(sources: impl IntoIterator<Item = (String, Self)>) -> Self {
        let mut all: Vec<Arc<Source>> = Vec::new();
        for (key, knowledge) in sources {
            for mut source in knowledge.sources {
                if source.key() != key {
                    Arc::make_mut(&mut source).set_key(key.clone());
                }
                all.push(source);
            }
        }
        // The largest source comes first: WordNet is shared, and would be copied to be renumbered.
        let mut by_size: Vec<usize> = (0..all.len()).collect();
        by_size.sort_by_key(|&place| Reverse(all[place].len()));
        let mut start = 0;
        for place in by_size {
            if all[place].concepts().start != start {
                Arc::make_mut(&mut all[place]).renumber(start);
            }
            start = all[place].concepts().end;
        }
        Self::in_this_order(all)
    }

    /// Returns the packed form from which [`Knowledge::wordnet`] is built.
    pub fn pack(&self) -> Result<Vec<u8>> {
        match self.sources.as_slice() {
            [only] => pack::pack(only),
            _ => Err(Error::invalid("several sources cannot be packed together")),
        }
    }

    fn new(parts: Parts) -> Result<Self> {
        Source::new(parts).map(Self::of_source)
    }

    fn of_source(source: Source) -> Self {
        Self::in_this_order(vec![Arc::new(source)])
    }

    fn in_this_order(sources: Vec<Arc<Source>>) -> Self {
        let names: Vec<&str> = sources.iter().map(|source| source.name.as_str()).collect();
        Self { name: all_of(&names), sources }
    }

    /// Returns the name of the source, such as `WordNet 3.0`, or of all sources.
    pub fn source(&self) -> &str {
        &self.name
    }

    /// Returns what users call the sources, in their order.
    pub fn sources(&self) -> impl ExactSizeIterator<Item = &str> {
        self.sources.iter().map(|source| source.key())
    }

    /// Returns what users call the source of a concept.
    pub fn source_of(&self, concept: Concept) -> &str {
        self.at(concept).key()
    }

    /// Returns each source by itself, in their order, with the same numbers of concepts.
    pub fn each_source(&self) -> impl Iterator<Item = Self> {
        self.sources.iter().map(|source| Self::in_this_order(vec![Arc::clone(source)]))
    }

    /// Returns the number of concepts.
    pub fn len(&self) -> usize {
        self.sources.iter().map(|source| source.len()).sum()
    }

    /// Whether there are no concepts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the concepts without parents.
    pub fn roots(&self) -> impl Iterator<Item = Concept> {
        self.sources.iter().flat_map(|source| source.roots())
    }

    /// Returns the parents of a concept, in the order of the source.
    pub fn parents(&self, concept: Concept) -> &[Concept] {
        self.at(concept).parents(concept)
    }

    /// Returns the children of a concept.
    pub fn children(&self, concept: Concept) -> &[Concept] {
        self.at(concept).children(concept)
    }

    /// Returns the concepts that a concept is a part, a member or a substance of.
    pub(crate) fn wholes(&self, concept: Concept) -> &[Concept] {
        self.at(concept).wholes(concept)
    }

    /// Returns the parts, members and substances of a concept.
    pub fn parts(&self, concept: Concept) -> &[Concept] {
        self.at(concept).parts(concept)
    }

    /// Returns the words for a concept, with `_` for a blank if the source writes it so.
    pub fn words(&self, concept: Concept) -> impl Iterator<Item = &str> {
        self.at(concept).words(concept)
    }

    /// Returns the label of a concept, for people.
    pub fn label(&self, concept: Concept) -> String {
        source::label(self.at(concept), concept)
    }

    /// Returns the unique name of a concept: `nurse.n.01`, the first sense of the noun nurse.
    ///
    /// In sources other than WordNet, the name is just `nurse` if the word has a single sense,
    /// otherwise `nurse#1`. If an earlier source has a concept with that name, it begins with the
    /// source: `isco.csv:nurse`.
    pub fn name(&self, concept: Concept) -> String {
        let source = self.at(concept);
        let name = source.name(concept);
        let is_taken = |earlier: &&Arc<Source>| earlier.decides(&name);
        let mut earlier = self.sources.iter().take_while(|other| other.key() != source.key());
        match earlier.find(is_taken) {
            Some(_) => format!("{}:{name}", source.key()),
            None => name,
        }
    }

    /// Returns the name of a concept in its own source.
    pub(crate) fn name_in_source(&self, concept: Concept) -> String {
        self.at(concept).name(concept)
    }

    /// Returns the concepts that a word denotes in the first source that has it, most common first;
    /// empty if the word is unknown.
    ///
    /// The lookup ignores case and treats `_` like a blank.
    pub fn senses(&self, word: &str) -> Vec<Concept> {
        let senses = self.sources.iter().map(|source| source.senses(word));
        senses.into_iter().find(|senses| !senses.is_empty()).unwrap_or_default()
    }

    /// Returns how often a word occurs with this sense in tagged texts.
    pub fn tag_count(&self, word: &str, sense: Concept) -> u32 {
        self.at(sense).tag_count(word, sense)
    }

    /// Returns the known words of which a noun may be the plural.
    pub fn base_forms(&self, noun: &str) -> Vec<String> {
        self.sources.iter().flat_map(|source| source.base_forms(noun)).collect()
    }

    /// Returns the concept with the name `nurse.n.01` or `nurse#1`, or just `nurse` if the word has
    /// one sense.
    ///
    /// The first source that has the sense decides; `isco.csv:nurse` names the source.
    pub fn concept(&self, name: &str) -> Result<Concept> {
        let (source, name) = self.deciding(name);
        source.ok_or_else(|| self.unknown(name))?.concept(name)
    }

    /// Returns the concept with a name, or `None` where [`Knowledge::concept`] fails.
    pub fn find(&self, name: &str) -> Option<Concept> {
        let (source, name) = self.deciding(name);
        source?.find(name)
    }

    /// Returns the source that decides what a name means, and the name in that source.
    fn deciding<'a>(&self, name: &'a str) -> (Option<&Source>, &'a str) {
        for source in &self.sources {
            let rest = name.strip_prefix(source.key()).and_then(|rest| rest.strip_prefix(':'));
            if let Some(rest) = rest {
                return (Some(source), rest);
            }
        }
        let first = |is_it: &dyn Fn(&Source) -> bool| self.sources.iter().find(|s| is_it(s));
        let found = first(&|source| source.decides(name)).or_else(|| first(&|s| s.has(name)));
        // If there is only one source, its error is the most precise.
        let only = if let [only] = self.sources.as_slice() { Some(only) } else { None };
        (found.or(only).map(|source| &**source), name)
    }

    /// The error for a name that no source has.
    fn unknown(&self, name: &str) -> Error {
        let near: Vec<String> =
            self.sources.iter().filter_map(|source| source.nearest(name)).collect();
        let near = did_you_mean(name, near.iter().map(String::as_str));
        let problem = format!("none of the sources {} has a noun '{name}'{near}", self.name);
        let keys: Vec<&str> = self.sources().collect();
        let words = format!("a source is named as in {}:{name}", keys[0]);
        Error::invalid(problem).advise([Advice::words(words)])
    }

    /// Returns the definition of a concept as far as its words are stored.
    pub fn definition(&self, concept: Concept) -> String {
        self.at(concept).definition(concept)
    }

    /// Returns the sources in their order.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = &Source> {
        self.sources.iter().map(|source| &**source)
    }

    /// Returns the source of a concept.
    pub(crate) fn at(&self, concept: Concept) -> &Source {
        let mut sources = self.in_order();
        let found = sources.find(|source| source.concepts().contains(&concept));
        found.expect("concepts are numbers of their own knowledge")
    }

    /// Returns the sources that can know values of a kind, or `None` if none can.
    ///
    /// WordNet has nouns such as `17`, but their meanings are not those of a column of numbers.
    pub(crate) fn for_kind(&self, kind: Kind) -> Option<Self> {
        let is_scaled = matches!(kind, Kind::Number | Kind::Date);
        let sources = self.sources.iter().filter(|source| !is_scaled || !source.is_wordnet());
        let sources: Vec<Arc<Source>> = sources.cloned().collect();
        (!sources.is_empty()).then(|| Self::in_this_order(sources))
    }

    /// Whether the origin of a node should state the source of its concept.
    pub(crate) fn states_sources(&self) -> bool {
        self.sources.len() > 1 || self.in_order().any(|source| !source.is_wordnet())
    }
}
