//! Titles in front of names of people: `Dr. Brown`, `Mme Martin`.

use crate::letters::folded;

/// Titles in several languages, without accents. Those that are also other words are left out.
const TITLES: &str = "dr prof professor mr mrs ms miss mme mlle herr frau sra srta senor senora dott \
                      dottssa sig dhr mevr pani bayan rev sir lady lord sheikh";
/// Share of the different values that must begin with a title.
const TITLED: f64 = 0.5;
/// Number of different values from which titles are not an exception.
const LEAST: usize = 2;
/// Most words of a name behind its titles.
const MOST_WORDS: usize = 4;
/// Number of values that are examined.
const EXAMINED: usize = 2000;

/// Whether many values are names of people, because they begin with a title.
pub(super) fn have_titles(spellings: &[Box<str>]) -> bool {
    let values = &spellings[..spellings.len().min(EXAMINED)];
    let n_titled = values.iter().filter(|value| is_titled(value)).count();
    n_titled >= LEAST && n_titled as f64 >= TITLED * values.len() as f64
}

/// Whether a value is a title and a few words, one of which is capitalized if it has capitals.
fn is_titled(value: &str) -> bool {
    let is_title = |word: &&str| {
        let word = folded(word.trim_matches('.'));
        TITLES.split_whitespace().any(|title| title == word)
    };
    let words: Vec<&str> = value.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let n_titles = words.iter().take_while(|word| is_title(word)).count();
    let rest = &words[n_titles..];
    let is_name = |word: &&str| {
        word.chars().all(|c| c.is_alphabetic() || "-'’.".contains(c))
            && !word.starts_with(char::is_lowercase)
    };
    n_titles > 0 && (1..=MOST_WORDS).contains(&rest.len()) && rest.iter().any(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titled(values: &str) -> bool {
        have_titles(&values.split("; ").map(Into::into).collect::<Vec<_>>())
    }

    #[test]
    fn a_title_in_front_of_a_word_makes_a_name() {
        for values in [
            "Dr Martin; Dr Durand; Dr Petit",
            "Prof. Dr. Weber; Frau Dr. Vogt",
            "Mrs Young; Mr Boyd; unknown",
            "Mme Lemaître; Mlle de la Tour",
        ] {
            assert!(titled(values), "{values}");
        }
        for values in ["Dr; Mr; Mrs; Miss", "Miss; Mister", "dr visit; none", "Ring Dr; Elm Dr"] {
            assert!(!titled(values), "{values}");
        }
    }
}
