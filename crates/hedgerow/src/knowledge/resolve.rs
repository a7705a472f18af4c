//! From the values of a column to concepts.

use super::lesk::Context;
use super::senses::Senses;
use super::{Ancestors, Concept, Knowledge};
use crate::Result;
use crate::how::How;

/// With more values than this, only the most frequent ones decide what the others mean.
const MOST_CONTEXT: usize = 256;

/// Words of a knowledge have no more parts than this, as far as ends of values are looked up.
const MOST_WORDS: usize = 9;

/// A longer value is a text, and no word.
const LONGEST: usize = 1_000;

/// What a value means.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Meaning {
    /// The value.
    pub value: String,
    /// How it was understood.
    pub how: How,
    /// The concept it stands for; that of several words is what they have in common.
    pub concept: Option<Concept>,
    /// The words of it that were found, with the sense of each.
    pub parts: Vec<Part>,
    /// Words in it that it might mean, but that nobody should guess.
    pub hints: Vec<String>,
}

/// A word of a value, and what it may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// The word as it was found.
    pub word: String,
    /// The sense that was taken.
    pub sense: Concept,
    /// All its senses with their scores, the commonest first.
    pub scores: Vec<(Concept, u64)>,
}

/// Finds what values mean, the most frequent first where there are very many.
///
/// What `senses` says of a value holds. Labels for what is left over (`other`, `not ...`, `unknown`) are not
/// looked up. Else the whole value is looked up, with other signs between its words, or in the
/// singular; then without what stands in parentheses; then as several words joined by `/`, `and` and
/// the like; then its longest right-hand part. Of several senses that one is taken whose definition, and those of its
/// neighbours, have most in common with those of the other values; of equal ones the commonest.
///
/// # Complexity
///
/// A few look-ups for each value, and one comparison of definitions for each pair of senses that
/// have several words in common; at most 256 values are compared with.
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
        meaning.concept = in_common(knowledge, &senses);
        if meaning.concept.is_none() && meaning.how != How::Residual {
            meaning.how = How::Unknown;
        }
    }
    Ok(meanings)
}

impl Part {
    /// A word whose first sense is taken until something speaks for another.
    fn of(word: &str, senses: Vec<Concept>) -> Self {
        let scores: Vec<(Concept, u64)> = senses.into_iter().map(|sense| (sense, 0)).collect();
        Self { word: word.to_owned(), sense: scores[0].0, scores }
    }
}

impl Knowledge {
    /// Whether a value is a word, or several that are joined; a head noun is not enough.
    pub(crate) fn finds(&self, value: &str) -> bool {
        matches!(look_up(self, value).how, How::Whole | How::WithoutParenthesis | How::Together)
    }
}

/// What a value or label may mean, before anything speaks for one of its senses.
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

/// Whether a label is for what is left over: what it names is not what is meant.
fn is_residual(value: &str) -> bool {
    const WHOLE: [&str; 8] = ["misc", "miscellaneous", "unknown", "n/a", "na", "?", "-", ""];
    const FIRST: [&str; 9] =
        ["other", "others", "not", "no", "non", "none", "never", "without", "except"];
    let value = value.trim().trim_end_matches('.').to_lowercase();
    let first = value.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    WHOLE.contains(&value.as_str()) || FIRST.contains(&first)
}

/// A value that is a word, however its parts are joined, or the plural of one.
fn whole(knowledge: &Knowledge, value: &str) -> Option<Part> {
    let value = value.trim();
    let joined = |by: &str| {
        let parts: Vec<&str> =
            value.split([' ', '_', '-']).filter(|part| !part.is_empty()).collect();
        parts.join(by)
    };
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

/// The words that a value joins: `farmer/fisher`, `farmer and fisher`, and `Farming-fishing`, whose halves
/// end alike.
fn coordinated(value: &str) -> Vec<String> {
    let spaced = value.replace(['/', ',', ';', '&', '+'], " / ");
    let mut parts: Vec<Vec<&str>> = vec![Vec::new()];
    for word in spaced.split([' ', '_']).filter(|word| !word.is_empty()) {
        if ["/", "and", "or"].contains(&word.to_lowercase().as_str()) {
            parts.push(Vec::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(word);
        }
    }
    let parts: Vec<String> =
        parts.into_iter().filter(|part| !part.is_empty()).map(|part| part.join(" ")).collect();
    match parts.as_slice() {
        [only] => halves(only).unwrap_or(parts),
        _ => parts,
    }
}

fn halves(value: &str) -> Option<Vec<String>> {
    let (a, b) = value.split_once('-').filter(|(_, b)| !b.contains('-'))?;
    let alike = |ending: &&str| a.ends_with(*ending) && b.ends_with(*ending);
    ["ing", "s", "er", "or"].iter().any(alike).then(|| vec![a.into(), b.into()])
}

/// What concepts have in common: the ancestor of all whose longest way to a root is longest.
fn in_common(knowledge: &Knowledge, concepts: &[Concept]) -> Option<Concept> {
    let above: Vec<Ancestors> =
        concepts.iter().map(|&concept| knowledge.ancestors(concept)).collect();
    let (first, rest) = above.split_first()?;
    let common = first.iter().map(|(concept, _)| concept);
    let common = common.filter(|&concept| rest.iter().all(|other| other.contains(concept)));
    common.max_by_key(|&concept| (knowledge.greatest_depth(concept), std::cmp::Reverse(concept)))
}

/// Chooses among the senses of words by what the other values mean.
fn disambiguate(knowledge: &Knowledge, values: &[(&str, u64)], meanings: &mut [Meaning]) {
    let is_open = |part: &Part| part.scores.len() > 1;
    if !meanings.iter().flat_map(|meaning| &meaning.parts).any(is_open) {
        return;
    }
    let mut frequent: Vec<usize> =
        (0..meanings.len()).filter(|&place| !meanings[place].parts.is_empty()).collect();
    frequent.sort_by_key(|&place| std::cmp::Reverse(values[place].1));
    frequent.truncate(MOST_CONTEXT);
    // The senses of each word of the context, one after the other, with the value it is part of.
    let mut words: Vec<(usize, usize)> = Vec::new();
    let mut senses = Vec::new();
    for place in frequent {
        for part in &meanings[place].parts {
            words.push((place, part.scores.len()));
            senses.extend(part.scores.iter().map(|score| score.0));
        }
    }
    let context = Context::new(knowledge, senses);
    for (place, meaning) in meanings.iter_mut().enumerate() {
        for part in meaning.parts.iter_mut().filter(|part| is_open(part)) {
            for (sense, score) in &mut part.scores {
                let scores = context.scores(*sense);
                let mut rest = scores.as_slice();
                for &(of_value, n_senses) in &words {
                    let (of_word, others) = rest.split_at(n_senses);
                    rest = others;
                    if of_value != place {
                        *score += of_word.iter().copied().max().unwrap_or(0);
                    }
                }
            }
            let best = part.scores.iter().map(|score| score.1).max();
            let first_best = part.scores.iter().find(|score| Some(score.1) == best);
            part.sense = first_best.map_or(part.sense, |score| score.0);
        }
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
