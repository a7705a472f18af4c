//! Maps the values of a column to concepts.

use super::lesk::Context;
use super::senses::Senses;
use super::{Ancestors, Concept, Knowledge, Source};
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
    /// The way in which it was matched with words.
    pub how: How,
    /// The concept it denotes; for several words, their lowest common ancestor.
    pub concept: Option<Concept>,
    /// The words of the value that were found, each with its sense.
    pub parts: Vec<Part>,
    /// Single words of an unknown value that have a meaning, as hints for the user; they are not
    /// used.
    pub hints: Vec<String>,
    /// Later sources, other than WordNet, that know the value as well.
    pub also: Vec<String>,
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
/// `unknown`) are not looked up, unless a classification has exactly that label. For other values,
/// the following are tried in order: the whole value, also with other characters between its words
/// or in the singular; the value without text in parentheses; the value as several words joined by
/// `/`, `and` and the like; its longest suffix that is a word.
///
/// Of several sources, the first that knows the value decides. A source that knows only a suffix
/// decides if no other source knows the whole value.
///
/// If a word has several senses, the result is the one whose definition, together with those of
/// related concepts, overlaps most with those of the other values from the same source; ties go to
/// the most common sense.
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
                also: Vec::new(),
            },
            None => look_up(knowledge, value),
        });
    }
    knowledge.in_order().for_each(|source| disambiguate(source, values, &mut meanings));
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

    /// Whether there are several senses of a source to choose from.
    fn is_open(&self, source: &Source) -> bool {
        self.scores.len() > 1 && self.is_of(source)
    }

    fn is_of(&self, source: &Source) -> bool {
        source.concepts().contains(&self.sense)
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
        look_up(self, value).is_exact()
    }
}

impl Meaning {
    /// Whether the value was found as it stands, and not only by a part.
    pub(crate) fn is_exact(&self) -> bool {
        matches!(self.how, How::Whole | How::WithoutParenthesis | How::Together)
    }

    /// The less, the better the value was found.
    fn doubt(&self) -> usize {
        match self.how {
            How::Given | How::Whole | How::WithoutParenthesis | How::Together => 0,
            How::Head => 1,
            How::Residual => 2,
            How::Unknown => 3 + usize::from(self.hints.is_empty()),
        }
    }
}

/// Returns the possible meanings of a value, before one of its senses is chosen.
pub(crate) fn look_up(knowledge: &Knowledge, value: &str) -> Meaning {
    let mut found: Vec<(&Source, Meaning)> = Vec::new();
    for source in knowledge.in_order() {
        // WordNet knows most words, so that it knows one of an earlier source is not worth a look.
        let is_settled = found.iter().any(|(_, meaning)| meaning.is_exact());
        if !(is_settled && source.is_wordnet()) {
            found.push((source, look_up_in(source, value)));
        }
    }
    // The first of those that found it best: `min_by_key` returns the first minimum.
    let best = (0..found.len()).min_by_key(|&place| found[place].1.doubt()).unwrap_or(0);
    let later = found[best + 1..].iter().filter(|(_, meaning)| meaning.is_exact());
    let also = later.map(|(source, _)| source.key().to_owned()).collect();
    Meaning { also, ..found.swap_remove(best).1 }
}

/// Returns the possible meanings of a value or label in one source.
pub(crate) fn look_up_in(source: &Source, value: &str) -> Meaning {
    let meaning = |how, parts| Meaning {
        value: value.to_owned(),
        how,
        concept: None,
        parts,
        hints: Vec::new(),
        also: Vec::new(),
    };
    // A long text is not a word, and its parts would be looked up one by one.
    if value.len() > LONGEST {
        return meaning(How::Unknown, Vec::new());
    }
    // Classifications have groups such as `Other clerical workers`; WordNet's `other` is a noun.
    let is_residual = is_residual(value);
    match whole(source, value).filter(|_| !(is_residual && source.is_wordnet())) {
        Some(part) => return meaning(How::Whole, vec![part]),
        None if is_residual => return meaning(How::Residual, Vec::new()),
        None => {}
    }
    let bare = without_parentheses(value);
    if let Some(part) = whole(source, &bare).filter(|_| bare != value) {
        return meaning(How::WithoutParenthesis, vec![part]);
    }
    let parts: Option<Vec<Part>> =
        coordinated(&bare).iter().map(|part| whole(source, part)).collect();
    if let Some(parts) = parts.filter(|parts| parts.len() > 1) {
        return meaning(How::Together, parts);
    }
    // The head of an English compound is at its end; try the longest end first.
    let words: Vec<&str> =
        bare.split([' ', '_', '-', '/']).filter(|word| !word.is_empty()).collect();
    let first = words.len().saturating_sub(MOST_WORDS).max(1);
    let mut heads =
        (first..words.len()).filter_map(|start| whole(source, &words[start..].join(" ")));
    if let Some(part) = heads.next() {
        return meaning(How::Head, vec![part]);
    }
    // Known words inside the value help a user to state its meaning.
    let hints =
        words.iter().take(MOST_WORDS).filter_map(|word| whole(source, word)).map(|part| part.word);
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
fn whole(source: &Source, value: &str) -> Option<Part> {
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
    let bases: Vec<String> = ways.iter().flat_map(|way| source.base_forms(way)).collect();
    let found = ways.into_iter().chain(bases).map(|word| (source.senses(&word), word));
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

/// Chooses among the senses of words of a source, depending on the other values it has.
///
/// Definitions of different sources are not compared: they number their words differently.
fn disambiguate(source: &Source, values: &[(&str, u64)], meanings: &mut [Meaning]) {
    // Comparing glosses is expensive, and not needed where every word has one sense.
    if !meanings.iter().flat_map(|meaning| &meaning.parts).any(|part| part.is_open(source)) {
        return;
    }
    let others = Others::of(source, values, meanings);
    for (place, meaning) in meanings.iter_mut().enumerate() {
        for part in meaning.parts.iter_mut().filter(|part| part.is_open(source)) {
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
    fn of(source: &'a Source, values: &[(&str, u64)], meanings: &[Meaning]) -> Self {
        let parts = |place: usize| meanings[place].parts.iter().filter(|part| part.is_of(source));
        let mut frequent: Vec<usize> =
            (0..meanings.len()).filter(|&place| parts(place).next().is_some()).collect();
        // A stable sort, so that equally frequent values keep their order.
        frequent.sort_by_key(|&place| std::cmp::Reverse(values[place].1));
        frequent.truncate(MOST_CONTEXT);
        let mut words = Vec::new();
        let mut senses = Vec::new();
        for place in frequent {
            for part in parts(place) {
                words.push((place, part.scores.len()));
                senses.extend(part.scores.iter().map(|score| score.0));
            }
        }
        Self { words, senses: Context::new(source, senses) }
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
            // A value is not evidence for its own meaning.
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

    /// A classification of jobs, before or after WordNet.
    fn both(is_first: bool) -> Knowledge {
        let entry = |word: &str, parents: &[Concept]| crate::knowledge::Entry {
            words: vec![word.into()],
            parents: parents.to_vec(),
            ..Default::default()
        };
        let entries =
            [entry("Health", &[]), entry("nurse", &[0]), entry("Other health workers", &[0])];
        let ours = Knowledge::of_entries("jobs.csv".into(), &entries).unwrap();
        let mut sources =
            [("jobs.csv".to_owned(), ours), ("wordnet".to_owned(), Knowledge::wordnet().clone())];
        if !is_first {
            sources.reverse();
        }
        Knowledge::of_sources(sources)
    }

    #[test]
    fn the_first_source_that_knows_a_value_decides() {
        let values = ["nurse", "surgeon", "Other health workers", "night nurse", "Other"];
        let found = |knowledge: &Knowledge| {
            let values: Vec<(&str, u64)> = values.iter().map(|&value| (value, 1)).collect();
            let meanings = resolve(knowledge, &values, &Senses::default()).unwrap();
            let name =
                |meaning: &Meaning| meaning.concept.map_or(String::new(), |c| knowledge.name(c));
            let names: Vec<String> = meanings.iter().map(name).collect();
            (names, meanings.into_iter().map(|meaning| meaning.also).collect::<Vec<_>>())
        };
        let (names, also) = found(&both(true));
        assert_eq!(names, ["nurse", "surgeon.n.01", "Other health workers", "nurse", ""]);
        assert!(also.iter().all(Vec::is_empty), "WordNet knows most words: {also:?}");
        let (names, also) = found(&both(false));
        assert_eq!(names, ["nurse.n.01", "surgeon.n.01", "Other health workers", "nurse.n.01", ""]);
        assert_eq!(also[0], ["jobs.csv"]);
    }

    #[test]
    fn names_of_concepts_are_unique_among_sources() {
        let (first, second) = (both(true), both(false));
        for knowledge in [&first, &second] {
            for concept in (0..knowledge.len() as Concept).step_by(997).chain(knowledge.roots()) {
                assert_eq!(knowledge.find(&knowledge.name(concept)), Some(concept));
            }
        }
        assert_eq!(first.source(), "jobs.csv and WordNet 3.0");
        let error = |name: &str| first.concept(name).unwrap_err().to_string();
        assert!(
            error("nurze").starts_with("none of the sources jobs.csv and WordNet 3.0 has a noun"),
            "{}",
            error("nurze")
        );
        assert!(error("wordnet:nurse").starts_with("'nurse' has 2 senses"));
        assert_eq!(first.name(first.concept("wordnet:surgeon#1").unwrap()), "surgeon.n.01");
    }

    #[test]
    fn other_values_say_which_sense_is_meant() {
        let found = meanings(&["bank", "river", "lake", "shore"]);
        assert_eq!(found[0].1, "bank.n.01"); // sloping land
        let found = meanings(&["bank", "insurance company", "brokerage", "credit union"]);
        assert_eq!(found[0].1, "depository_financial_institution.n.01");
    }
}
