//! Base forms of English nouns.

use hashbrown::HashMap;

/// Plural endings and the endings that replace them.
const ENDINGS: [(&str, &str); 8] = [
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
    ("s", ""),
];

/// Words with irregular base forms: `mice` is `mouse`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Exceptions {
    of: HashMap<Box<str>, Vec<Box<str>>>,
}

impl Exceptions {
    /// Reads lines with a word followed by its base forms.
    pub(crate) fn of_lines(text: &str) -> Self {
        let mut of: HashMap<Box<str>, Vec<Box<str>>> = HashMap::new();
        for line in text.lines() {
            let mut words = line.split_whitespace();
            if let Some(word) = words.next() {
                of.entry(word.into()).or_default().extend(words.map(Into::into));
            }
        }
        Self { of }
    }

    /// Returns the lines from which it was read, sorted.
    pub(crate) fn lines(&self) -> String {
        let mut lines: Vec<String> =
            self.of.iter().map(|(word, bases)| format!("{word} {}\n", bases.join(" "))).collect();
        lines.sort_unstable();
        lines.concat()
    }

    /// Returns the words of which a noun may be the plural, most likely first.
    ///
    /// These are its exceptions or, if it has none, the results of the endings in [`ENDINGS`]. In a
    /// phrase, each word is replaced in turn. The rules are those of WordNet's `morphy` (its
    /// manual, `morphy(7WN)`).
    pub(crate) fn base_forms(&self, noun: &str) -> Vec<String> {
        let noun = noun.to_lowercase().replace(' ', "_");
        let mut forms = self.of_word(&noun);
        if noun.contains('_') {
            let words: Vec<&str> = noun.split('_').collect();
            // One word at a time: `attorneys general` becomes `attorney general`.
            for place in 0..words.len() {
                for base in self.of_word(words[place]) {
                    let mut replaced = words.clone();
                    replaced[place] = &base;
                    let phrase = replaced.join("_");
                    if !forms.contains(&phrase) {
                        forms.push(phrase);
                    }
                }
            }
        }
        forms
    }

    fn of_word(&self, word: &str) -> Vec<String> {
        if let Some(bases) = self.of.get(word) {
            return bases.iter().map(ToString::to_string).collect();
        }
        // `boxesful` becomes `boxful`.
        let (word, ful) = word.strip_suffix("ful").map_or((word, ""), |word| (word, "ful"));
        // `glass` and `is` are not plurals.
        if word.ends_with("ss") || word.chars().count() <= 2 {
            return Vec::new();
        }
        let base_form = |(ending, base): &(&str, &str)| {
            let stem = word.strip_suffix(ending).filter(|stem| !stem.is_empty())?;
            Some(format!("{stem}{base}{ful}"))
        };
        ENDINGS.iter().filter_map(base_form).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_have_base_forms() {
        let exceptions = Exceptions::of_lines("mice mouse\nattorneys_general attorney_general\n");
        let forms = |noun: &str| exceptions.base_forms(noun);
        assert_eq!(forms("nurses"), ["nurs", "nurse"]);
        assert_eq!(forms("Boxes"), ["box", "boxe"]);
        assert_eq!(forms("mice"), ["mouse"]);
        assert_eq!(forms("Armed Forces"), ["armed_force"]);
        assert_eq!(forms("attorneys general"), ["attorney_general"]);
        assert_eq!(forms("glass"), [""; 0]);
    }
}
