//! Names of columns with the numbers of people and of households: `pidnum`, `subjid`, `hhid`.

use super::more_words::LANGUAGES;
use crate::letters::{self, is_listed};

/// Short words for a person in front of a number, and those that may mean something else: a case of
/// a matched set, a record.
const PEOPLE: &str = "pid pat pt patient subj subject resp respondent participant pers person indiv ind \
                      stud student emp empl employee cust customer client mem member user usr voter \
                      donor worker proband prob vers";
const UNSURE: &str = "case id rec record";
/// Endings for a number.
const NUMBERS: [&str; 8] = ["nummer", "number", "num", "nbr", "key", "id", "no", "nr"];

/// Words for a household, whole and in front of a number.
const HOUSEHOLDS: &str = "household haushalt haushalts menage hogar huishouden huishoudens agregado \
                          domicilio family familien famille familia famiglia gezin gezins nucleo";
const SHORT_HOUSEHOLDS: &str = "hh hhold fam hshld hld";
const NUMBER_WORDS: &str = "id ids identifier key number num no nr nbr nummer numero code serial";

/// Short words for a place, next to a word for a number.
const SHORT_PLACES: &str = "vill vil vlg mun muni munic mpio dist distr cnty";
/// Words for a number, after a word for a place: `villnum`, `vill_id`.
const PLACE_NUMBERS: [&str; 14] = [
    "nummer",
    "number",
    "num",
    "nbr",
    "code",
    "kode",
    "cod",
    "key",
    "id",
    "no",
    "nr",
    "schluessel",
    "schlussel",
    "kennziffer",
];
/// Words for a number, joined to a word for a place that follows: `codmun`, `numcommune`.
const NUMBERS_OF_PLACES: [&str; 7] = ["codigo", "codice", "code", "cod", "numero", "num", "id"];
/// Endings of German and Dutch words for something sensitive.
const SENSITIVE_ENDS: [&str; 11] = [
    "diagnose",
    "diagnosen",
    "krankheit",
    "krankheiten",
    "erkrankung",
    "erkrankungen",
    "ziekte",
    "befund",
    "einkommen",
    "inkomen",
    "medikation",
];
/// Number of letters from which a word for a place can be in front of a number in one word.
const LEAST_OF_PLACE: usize = 4;

/// Returns a word that joins one for a place with one for a number (`villnum`, `towncode`,
/// `codmun`), or a short word for a place next to a number (`vill_id`, `cod_mun`).
pub(super) fn place_number(words: &[String]) -> Option<&str> {
    let is_long = |stem: &str| {
        stem.chars().count() >= LEAST_OF_PLACE
            && LANGUAGES.iter().any(|words| is_listed(words.places, stem))
    };
    let is_short = |stem: &str| is_listed(SHORT_PLACES, stem);
    let is_stem = |stem: &str| is_short(stem) || is_long(stem);
    let is_fused = |word: &str| {
        let mut stems = PLACE_NUMBERS.iter().filter_map(|end| word.strip_suffix(end));
        // German joins many words with an `s`: `Bezirksnummer`.
        let is_joined = |stem: &str| is_stem(stem) || stem.strip_suffix('s').is_some_and(is_long);
        let mut rests = NUMBERS_OF_PLACES.iter().filter_map(|start| word.strip_prefix(start));
        stems.any(is_joined) || rests.any(is_stem)
    };
    let is_number = |word: &str| PLACE_NUMBERS.contains(&word);
    let fused = words.iter().find(|word| is_fused(word));
    let pair = words.windows(2).find(|pair| {
        (is_short(&pair[0]) && is_number(&pair[1])) || (is_number(&pair[0]) && is_short(&pair[1]))
    });
    fused.or_else(|| pair.map(|pair| &pair[0])).map(String::as_str)
}

/// Returns a German or Dutch word that ends in one for something sensitive, or begins with one for a
/// diagnosis: `Hauptdiagnose`, `Diagnoseschlüssel`.
pub(super) fn sensitive_compound(words: &[String]) -> Option<&str> {
    let has_end = |word: &&String| {
        let stem = SENSITIVE_ENDS.iter().find_map(|end| word.strip_suffix(end));
        stem.is_some_and(|stem| stem.chars().count() > 1)
    };
    let is_coded = |word: &&String| word.starts_with("diagnose");
    words.iter().find(|word| has_end(word) || is_coded(word)).map(String::as_str)
}

/// Returns a word that joins a short word for a person with `id` or `number`, or is in front of
/// one, and whether it identifies the owner of the number.
pub(super) fn person_number(words: &[String]) -> Option<(&str, bool)> {
    let kind = |word: &str| {
        let stem = NUMBERS.iter().find_map(|end| word.strip_suffix(end))?;
        let is_unsure = || is_listed(UNSURE, stem).then_some(false);
        is_listed(PEOPLE, stem).then_some(true).or_else(is_unsure)
    };
    let is_pair =
        |pair: &&[String]| is_listed(PEOPLE, &pair[0]) && NUMBERS.contains(&pair[1].as_str());
    let fused = words.iter().find_map(|word| Some((word.as_str(), kind(word)?)));
    fused.or_else(|| words.windows(2).find(is_pair).map(|pair| (pair[0].as_str(), true)))
}

/// The form of a column's name that means a household.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Household {
    /// A word for it: `Haushalt`.
    Word,
    /// A word for it with one for a number: `hhid`, `family_id`.
    Number,
}

/// Returns the form of a column's name that means a household. With another word, the column would
/// count or measure something in it.
pub(super) fn household(name: &str) -> Option<Household> {
    let words: Vec<String> = (letters::words(name).into_iter())
        .filter(|word| word.chars().all(char::is_alphabetic))
        .collect();
    let is_stem = |stem: &str| is_listed(HOUSEHOLDS, stem) || is_listed(SHORT_HOUSEHOLDS, stem);
    let is_fused =
        |word: &str| NUMBERS.iter().any(|end| word.strip_suffix(end).is_some_and(is_stem));
    match words.as_slice() {
        [one] if is_fused(one) => Some(Household::Number),
        [one] if is_listed(HOUSEHOLDS, one) => Some(Household::Word),
        [one, other] => {
            let is_number = is_stem(one) && is_listed(NUMBER_WORDS, other)
                || is_listed(NUMBER_WORDS, one) && is_stem(other);
            is_number.then_some(Household::Number)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_one_word_belong_to_people() {
        let number = |name: &str| {
            let words = letters::words(name);
            person_number(&words).map(|(_, is_sure)| is_sure)
        };
        for name in "pidnum patno patid subjid ptid respid persnr EmpNo custno".split_whitespace() {
            assert_eq!(number(name), Some(true), "{name}");
        }
        for name in "caseid idnum recno".split_whitespace() {
            assert_eq!(number(name), Some(false), "{name}");
        }
        for name in "casino partno mono grid country piano valid household".split_whitespace() {
            assert_eq!(number(name), None, "{name}");
        }
    }

    #[test]
    fn compounds_of_sensitive_words_are_known() {
        let found = |name: &str| sensitive_compound(&letters::words(name)).is_some();
        for name in "Hauptdiagnose Entlassdiagnose nebendiagnosen Diagnoseschlüssel Grunderkrankung \
                     Vorerkrankungen Infektionskrankheit Röntgenbefund Jahreseinkommen gezinsinkomen"
            .split_whitespace()
        {
            assert!(found(name), "{name}");
        }
        for name in "Wassergehalt diagonal befund_nr Kinder".split_whitespace() {
            assert!(!found(name), "{name}");
        }
    }

    #[test]
    fn numbers_of_households_are_known() {
        for name in "hhid hh_id household_id famid fam_no Haushalt HaushaltsNr id_menage \
                     family_id gezin_nr"
            .split_whitespace()
        {
            assert!(household(name).is_some(), "{name}");
        }
        for name in
            "hhsize hhinc household_income family_size hh family_name id familiar".split(' ')
        {
            assert_eq!(household(name), None, "{name}");
        }
    }
}
