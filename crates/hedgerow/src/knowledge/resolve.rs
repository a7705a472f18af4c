//! Maps the values of a column to concepts.

use super::lesk::Context;
use super::senses::Senses;
use super::{Ancestors, Concept, Knowledge};
use crate::Result;
use crate::how::How;

/// Maximum number of values that serve as context for the others; the most frequent ones are used.
const MOST_CONTEXT: usize = 256;

/// Maximum number of words in the ends of values that are looked up.
const MOST_WORDS: usize = 9;

/// Maximum length of a value in bytes; a longer one is a text rather than a word.
const LONGEST: usize = 1_000;

/// The meaning of a value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Meaning {
    /// The value.
    pub value: String,
    /// How it was matched with words.
    pub how: How,
    /// The concept it denotes; for several words, their lowest common ancestor.
    pub concept: Option<Concept>,
    /// The words of the value that were found, each with its sense.
    pub parts: Vec<Part>,
    /// Single words of an unknown value that have a meaning, as hints for the user; they are not
    /// used.
    pub hints: Vec<String>,
}

/// A word of a value, and its possible meanings.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// The word as it was found.
    pub word: String,
    /// The chosen sense.
    pub sense: Concept,
    /// All senses of the word with their scores, most common first.
    pub scores: Vec<(Concept, u64)>,
}

/// Finds the meanings of values, given with their numbers of records.
///
/// An entry in `senses` takes precedence. Labels for everything else (`other`, `not ...`,
/// `unknown`) are not looked up. For other values, the following are tried in order: the whole
/// value, also with other characters between its words or in the singular; the value without text
/// in parentheses; the value as several words joined by `/`, `and` and the like; its longest suffix
/// that is a word. Of several senses, the one is chosen whose definition, together with those of
/// related concepts, overlaps most with those of the other values; ties go to the most common
/// sense.
///
/// # Complexity
///
/// A few lookups for each value, and one comparison of definitions for each pair of senses that
/// share several words; at most 256 values serve as context.
///
/// # References
///
/// \[Banerjee2002\] for the choice of senses; METHODS 5.1 and 5.2.
pub fn resolve(
    knowledge: &Knowledge,
    values: &[(&str, u64)],
    senses: &Senses,
) -> Result<Vec<Meaning>> {
    let mut meanings = Vec::with_capacity(values.len());
    for (value, _) in values {
        meanings.push(match senses.get(value) {
            // An empty list of senses means that the user wants no concept for this value.
            Some(given) => Meaning {
                value: (*value).to_owned(),
                how: if given.is_empty() { How::Residual } else { How::Given },
                concept: None,
                parts: given.iter().map(|&(ref word, sense)| Part::of(word, vec![sense])).collect(),
                hints: Vec::new(),
            },
            None => look_up(knowledge, value),
        });
    }
    disambiguate(knowledge, values, &mut meanings);
    for meaning in &mut meanings {
        let senses: Vec<Concept> = meaning.parts.iter().map(|part| part.sense).collect();
        // Several senses of one value are represented by their lowest common ancestor.
        meaning.concept = in_common(knowledge, &senses);
        if meaning.concept.is_none() && meaning.how != How::Residual {
            meaning.how = How::Unknown;
        }
    }
    Ok(meanings)
}

impl Part {
    /// Returns a word with its first sense chosen, which [`disambiguate`] may change.
    fn of(word: &str, senses: Vec<Concept>) -> Self {
        let scores: Vec<(Concept, u64)> = senses.into_iter().map(|sense| (sense, 0)).collect();
        Self { word: word.to_owned(), sense: scores[0].0, scores }
    }

    /// Whether there are several senses to choose from.
    fn is_open(&self) -> bool {
        self.scores.len() > 1
    }

    /// Chooses the sense with the highest score; ties go to the first, most common sense (METHODS
    /// 5.2).
    fn choose(&mut self) {
        let best = self.scores.iter().map(|score| score.1).max();
        let first_best = self.scores.iter().find(|score| Some(score.1) == best);
        self.sense = first_best.map_or(self.sense, |score| score.0);
    }
}

impl Knowledge {
    /// Whether a value is a word, or several joined words; a known head noun is not enough.
    pub(crate) fn finds(&self, value: &str) -> bool {
        matches!(look_up(self, value).how, How::Whole | How::WithoutParenthesis | How::Together)
    }
}

/// Returns the possible meanings of a value or label, before one of its senses is chosen.
pub(crate) fn look_up(knowledge: &Knowledge, value: &str) -> Meaning {
    let meaning = |how, parts| Meaning {
        value: value.to_owned(),
        how,
        concept: None,
        parts,
        hints: Vec::new(),
    };
    if is_residual(value) {
        return meaning(How::Residual, Vec::new());
    }
    if value.len() > LONGEST {
        return meaning(How::Unknown, Vec::new());
    }
    if let Some(part) = whole(knowledge, value) {
        return meaning(How::Whole, vec![part]);
    }
    let bare = without_parentheses(value);
    if let Some(part) = whole(knowledge, &bare).filter(|_| bare != value) {
        return meaning(How::WithoutParenthesis, vec![part]);
    }
    let parts: Option<Vec<Part>> =
        coordinated(&bare).iter().map(|part| whole(knowledge, part)).collect();
    if let Some(parts) = parts.filter(|parts| parts.len() > 1) {
        return meaning(How::Together, parts);
    }
    // The head of an English compound is at its end; try the longest end first.
    let words: Vec<&str> =
        bare.split([' ', '_', '-', '/']).filter(|word| !word.is_empty()).collect();
    let first = words.len().saturating_sub(MOST_WORDS).max(1);
    let mut heads =
        (first..words.len()).filter_map(|start| whole(knowledge, &words[start..].join(" ")));
    if let Some(part) = heads.next() {
        return meaning(How::Head, vec![part]);
    }
    let hints = words
        .iter()
        .take(MOST_WORDS)
        .filter_map(|word| whole(knowledge, word))
        .map(|part| part.word);
    Meaning { hints: hints.collect(), ..meaning(How::Unknown, Vec::new()) }
}

/// Whether a label means everything else, so that the words in it are not its meaning.
fn is_residual(value: &str) -> bool {
    const WHOLE: [&str; 8] = ["misc", "miscellaneous", "unknown", "n/a", "na", "?", "-", ""];
    const FIRST: [&str; 9] =
        ["other", "others", "not", "no", "non", "none", "never", "without", "except"];
    let value = value.trim().trim_end_matches('.').to_lowercase();
    let first = value.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    WHOLE.contains(&value.as_str()) || FIRST.contains(&first)
}

/// Looks up a value as a single word, with any character between its parts, or as a plural.
fn whole(knowledge: &Knowledge, value: &str) -> Option<Part> {
    let value = value.trim();
    let joined = |by: &str| {
        let parts: Vec<&str> =
            value.split([' ', '_', '-']).filter(|part| !part.is_empty()).collect();
        parts.join(by)
    };
    // WordNet joins the words of a phrase by `_` or `-`, or writes them as one.
    let mut ways = vec![value.to_owned()];
    for way in ["_", "-", ""].map(joined) {
        if !ways.contains(&way) && !way.is_empty() {
            ways.push(way);
        }
    }
    let bases: Vec<String> = ways.iter().flat_map(|way| knowledge.base_forms(way)).collect();
    let found = ways.into_iter().chain(bases).map(|word| (knowledge.senses(&word), word));
    let (senses, word) = found.into_iter().find(|(senses, _)| !senses.is_empty())?;
    Some(Part::of(&word, senses))
}

fn without_parentheses(value: &str) -> String {
    let mut depth = 0usize;
    let mut bare = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            c if depth == 0 => bare.push(c),
            _ => {}
        }
    }
    bare.trim().to_owned()
}

/// Splits a value into joined words: `farmer/fisher`, `farmer and fisher`, and `Farming-fishing`,
/// whose halves have the same ending.
fn coordinated(value: &str) -> Vec<String> {
    let spaced = value.replace(['/', ',', ';', '&', '+'], " / ");
    let mut phrases: Vec<Vec<&str>> = vec![Vec::new()];
    for word in spaced.split([' ', '_']).filter(|word| !word.is_empty()) {
        if ["/", "and", "or"].contains(&word.to_lowercase().as_str()) {
            phrases.push(Vec::new());
        } else if let Some(phrase) = phrases.last_mut() {
            phrase.push(word);
        }
    }
    let parts: Vec<String> =
        phrases.iter().filter(|words| !words.is_empty()).map(|words| words.join(" ")).collect();
    match parts.as_slice() {
        [only] => halves(only).unwrap_or(parts),
        _ => parts,
    }
}

fn halves(value: &str) -> Option<Vec<String>> {
    // Exactly one hyphen, as in `Farming-fishing`.
    let (a, b) = value.split_once('-').filter(|(_, b)| !b.contains('-'))?;
    let alike = |ending: &&str| a.ends_with(*ending) && b.ends_with(*ending);
    ["ing", "s", "er", "or"].iter().any(alike).then(|| vec![a.into(), b.into()])
}

/// Returns the common ancestor of concepts that has the longest path to a root.
fn in_common(knowledge: &Knowledge, concepts: &[Concept]) -> Option<Concept> {
    let above: Vec<Ancestors> =
        concepts.iter().map(|&concept| knowledge.ancestors(concept)).collect();
    let (first, rest) = above.split_first()?;
    // A concept is its own ancestor, so one concept has itself in common.
    let candidates = first.iter().map(|(concept, _)| concept);
    let common = candidates.filter(|&concept| rest.iter().all(|other| other.contains(concept)));
    common.max_by_key(|&concept| (knowledge.greatest_depth(concept), std::cmp::Reverse(concept)))
}

/// Chooses among the senses of words, depending on the meanings of the other values.
fn disambiguate(knowledge: &Knowledge, values: &[(&str, u64)], meanings: &mut [Meaning]) {
    if !meanings.iter().flat_map(|meaning| &meaning.parts).any(Part::is_open) {
        return;
    }
    let others = Others::of(knowledge, values, meanings);
    for (place, meaning) in meanings.iter_mut().enumerate() {
        for part in meaning.parts.iter_mut().filter(|part| part.is_open()) {
            for (sense, score) in &mut part.scores {
                *score += others.score(place, *sense);
            }
            part.choose();
        }
    }
}

/// The words of the most frequent values, which serve as context for the others.
struct Others<'a> {
    /// For each word, the index of its value and the number of its senses.
    words: Vec<(usize, usize)>,
    /// The senses of all words, one word after another.
    senses: Context<'a>,
}

impl<'a> Others<'a> {
    fn of(knowledge: &'a Knowledge, values: &[(&str, u64)], meanings: &[Meaning]) -> Self {
        let mut frequent: Vec<usize> =
            (0..meanings.len()).filter(|&place| !meanings[place].parts.is_empty()).collect();
        // A stable sort, so that equally frequent values keep their order.
        frequent.sort_by_key(|&place| std::cmp::Reverse(values[place].1));
        frequent.truncate(MOST_CONTEXT);
        let mut words = Vec::new();
        let mut senses = Vec::new();
        for place in frequent {
            for part in &meanings[place].parts {
                words.push((place, part.scores.len()));
                senses.extend(part.scores.iter().map(|score| score.0));
            }
        }
        Self { words, senses: Context::new(knowledge, senses) }
    }

    /// Returns the score of a sense of the value at index `place`.
    ///
    /// The sense is compared with the best matching sense of each word of the other values.
    fn score(&self, place: usize, sense: Concept) -> u64 {
        let overlaps = self.senses.scores(sense);
        let mut rest = overlaps.as_slice();
        let mut score = 0;
        for &(of_value, n_senses) in &self.words {
            let (of_word, others) = rest.split_at(n_senses);
            rest = others;
            if of_value != place {
                score += of_word.iter().copied().max().unwrap_or(0);
            }
        }
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meanings(values: &[&str]) -> Vec<(How, String)> {
        let wordnet = Knowledge::wordnet();
        let values: Vec<(&str, u64)> = values.iter().map(|value| (*value, 1)).collect();
        let found = resolve(wordnet, &values, &Senses::default()).unwrap();
        let name = |meaning: Meaning| {
            let name = meaning.concept.map_or(String::new(), |concept| wordnet.name(concept));
            (meaning.how, name)
        };
        found.into_iter().map(name).collect()
    }

    #[test]
    fn values_are_understood_step_by_step() {
        let values = [
            "Surgeons",
            "registered-nurse",
            "painter (retired)",
            "carpenter/plumber",
            "Not knife",
            "?",
            "Exec-managerial",
            "junior dentist",
            "Farming-fishing",
        ];
        let hows: Vec<How> = meanings(&values).into_iter().map(|(how, _)| how).collect();
        assert_eq!(
            hows,
            [
                How::Whole,
                How::Whole,
                How::WithoutParenthesis,
                How::Together,
                How::Residual,
                How::Residual,
                How::Unknown,
                How::Head,
                How::Together
            ]
        );
    }

    #[test]
    fn other_values_say_which_sense_is_meant() {
        let found = meanings(&["bank", "river", "lake", "shore"]);
        assert_eq!(found[0].1, "bank.n.01"); // sloping land
        let found = meanings(&["bank", "insurance company", "brokerage", "credit union"]);
        assert_eq!(found[0].1, "depository_financial_institution.n.01");
    }
}
