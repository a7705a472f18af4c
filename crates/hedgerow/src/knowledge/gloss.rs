//! The words of definitions.

use hashbrown::HashMap;

use super::Concept;
use super::lists::Lists;
use super::pack;
use super::words::Words;

/// Words without a meaning of their own.
const STOP_WORDS: [&str; 17] = [
    "a", "an", "the", "of", "or", "and", "to", "in", "on", "for", "with", "that", "is", "by",
    "from", "as", "at",
];

/// The definitions as given by their source.
#[derive(Debug, Clone, Default)]
pub(crate) enum Definitions {
    /// There are no definitions.
    #[default]
    None,
    /// The built-in definitions, which are unpacked when they are needed.
    Packed(&'static [u8]),
    /// The text for each concept.
    Texts(Vec<Box<str>>),
}

impl Definitions {
    pub(crate) fn glosses(&self) -> Glosses {
        match self {
            Self::None => Glosses::default(),
            Self::Packed(bytes) => pack::unpack_glosses(bytes)
                .expect("the built-in knowledge was read when it was packed"),
            Self::Texts(texts) => Glosses::of(texts),
        }
    }
}

/// The definition of each concept as a sequence of words, without quoted examples.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Glosses {
    vocabulary: Words,
    of: Lists,
    /// Whether each word of the vocabulary is a stop word.
    is_stop: Vec<bool>,
}

impl Glosses {
    pub(crate) fn new(vocabulary: Words, of: Lists) -> Self {
        let mut is_stop = vec![false; vocabulary.len()];
        let stops = STOP_WORDS.iter().filter_map(|word| vocabulary.number(word));
        stops.for_each(|word| is_stop[word as usize] = true);
        Self { vocabulary, of, is_stop }
    }

    fn of(texts: &[Box<str>]) -> Self {
        let all: Vec<Vec<String>> = texts.iter().map(|text| tokens(text).collect()).collect();
        let vocabulary = Words::of(all.iter().flatten());
        // A hash map, because `Words::find` takes a binary search for each word.
        let numbers: HashMap<&str, u32> =
            (0..vocabulary.len() as u32).map(|number| (vocabulary.get(number), number)).collect();
        let numbered = all.iter().map(|words| words.iter().map(|word| numbers[word.as_str()]));
        let of = Lists::of(numbered);
        drop(numbers);
        Self::new(vocabulary, of)
    }

    /// Returns the words of a concept's definition, as numbers.
    pub(crate) fn get(&self, concept: Concept) -> &[u32] {
        if self.of.len() == 0 { &[] } else { self.of.get(concept) }
    }

    /// Whether a word is a stop word.
    pub(crate) fn is_stop(&self, word: u32) -> bool {
        self.is_stop[word as usize]
    }

    /// Returns a definition as far as its words are stored, in lower case and without punctuation.
    pub(crate) fn text(&self, concept: Concept) -> String {
        let words: Vec<&str> =
            self.get(concept).iter().map(|&word| self.vocabulary.get(word)).collect();
        words.join(" ")
    }

    pub(crate) fn vocabulary(&self) -> &Words {
        &self.vocabulary
    }

    pub(crate) fn lists(&self) -> &Lists {
        &self.of
    }
}

/// Returns the words of a definition in lower case, up to the first quoted example.
fn tokens(definition: &str) -> impl Iterator<Item = String> {
    // WordNet's glosses end with quoted examples of use.
    let explanation = definition.split('"').next().unwrap_or("");
    explanation
        .split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '-'))
        .map(|word| word.trim_matches(['\'', '-']).to_lowercase())
        .filter(|word| !word.is_empty())
}
