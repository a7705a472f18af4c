//! Patterns of different values that are longer than one word, or not evidence alone: streets,
//! number plates, and texts with contacts in them.

use super::patterns::{Pattern, is_iban, is_phone};
use crate::letters::folded;

/// Number of different values from which these patterns are evidence.
const LEAST: usize = 10;
/// Number of different number plates from which they are not codes of something else.
const LEAST_PLATES: usize = 20;
/// Share of the values that must be streets with a number, streets with or without one, number
/// plates, and texts with contacts.
const NUMBERED_STREETS: f64 = 0.5;
const STREETS: f64 = 0.8;
const PLATES: f64 = 0.9;
const CONTACTS: f64 = 0.2;
/// Number of values that are examined.
const EXAMINED: usize = 2000;

/// Words for streets, and endings of words in German and Dutch.
const STREET_WORDS: &str = "street st road rd avenue ave lane ln drive dr boulevard blvd court ct \
                            square terrace way crescent close highway hwy parkway pkwy rue chemin \
                            impasse allee place quai route calle avenida avda paseo plaza camino \
                            carrer ronda via viale piazza corso vicolo largo rua travessa alameda \
                            estrada praca strasse str weg gasse platz ring damm ufer straat laan \
                            plein gracht kade steeg";
const STREET_ENDS: [&str; 14] = [
    "strasse", "str", "weg", "gasse", "platz", "allee", "damm", "ufer", "steig", "straat", "laan",
    "plein", "gracht", "kade",
];

/// Returns the pattern that the different values of a column of text follow.
pub(super) fn pattern_of_distinct(values: &[&str]) -> Option<Pattern> {
    let values = &values[..values.len().min(EXAMINED)];
    let share = |is: fn(&str) -> bool| {
        let n = values.iter().filter(|value| is(value)).count();
        n as f64 / values.len().max(1) as f64
    };
    if values.len() < LEAST {
        return None;
    }
    let has_number: fn(&str) -> bool =
        |value| value.contains(|c: char| c.is_ascii_digit()) && is_street(value);
    if share(has_number) >= NUMBERED_STREETS || share(is_street) >= STREETS {
        return Some(Pattern::Street);
    }
    if values.len() >= LEAST_PLATES && share(is_plate) >= PLATES {
        return Some(Pattern::NumberPlate);
    }
    (share(has_contact) >= CONTACTS).then_some(Pattern::TextWithContacts)
}

/// Whether a value has a word for a street besides other letters: `12 High Street`, `Hauptstr. 5`.
pub(super) fn is_street(value: &str) -> bool {
    let folded = folded(value);
    let words: Vec<&str> =
        folded.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect();
    let is_word = |word: &&str| STREET_WORDS.split_whitespace().any(|known| known == *word);
    let is_compound = |word: &&str| {
        STREET_ENDS.iter().any(|end| word.strip_suffix(end).is_some_and(|stem| stem.len() > 2))
    };
    let has_other = words.iter().any(|word| word.len() > 2 && !is_word(word));
    // Short words such as `st` and `dr` have other meanings in front of a name.
    let is_clear =
        |word: &&str| is_word(word) && (word.len() > 3 || ["rue", "rua", "via"].contains(word));
    let is_after = words.iter().rposition(is_word).is_some_and(|place| place > 0);
    let has_digit = value.contains(|c: char| c.is_ascii_digit());
    let has_compound = has_digit && words.iter().any(is_compound);
    let has_word = words.iter().any(is_clear) || (is_after && has_digit);
    has_compound || (has_other && has_word)
}

/// Whether a value has the form of a German, French, Italian, Spanish or British number plate.
fn is_plate(value: &str) -> bool {
    let shape: String = (value.trim().chars())
        .map(|c| match c {
            'A'..='Z' | 'Ä' | 'Ö' | 'Ü' => 'A',
            '0'..='9' => '9',
            // Plates are written with blanks or with hyphens.
            ' ' => '-',
            other => other,
        })
        .collect();
    let fixed = ["AA-999-AA", "AA999AA", "9999-AAA", "9999AAA", "AA99-AAA", "AA99AAA"];
    if fixed.contains(&shape.as_str()) {
        return true;
    }
    let parts: Vec<&str> = shape.split('-').collect();
    let [place, letters, number] = parts.as_slice() else { return false };
    let is = |part: &str, of: char, most: usize| {
        (1..=most).contains(&part.len()) && part.chars().all(|c| c == of)
    };
    is(place, 'A', 3) && is(letters, 'A', 2) && is(number.trim_end_matches('A'), '9', 4)
}

/// Whether a text of several words contains a phone number or an IBAN.
fn has_contact(value: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_digit() || " +()/-.".contains(c);
    let n_words =
        value.split_whitespace().filter(|word| word.chars().all(char::is_alphabetic)).count();
    let mut runs =
        value.split(|c: char| !is_sign(c)).map(|run| run.trim_matches([' ', '.', '-', '/']));
    let is_number = |run: &str| {
        let n_digits = run.chars().filter(char::is_ascii_digit).count();
        // A number in a text needs no separator after its leading zero.
        let is_plain =
            run.starts_with('0') && run.len() == n_digits && (8..=15).contains(&n_digits);
        is_plain || is_phone(run)
    };
    let has_iban = || value.split_whitespace().any(|word| word.len() >= 15 && is_iban(word));
    n_words >= 2 && (runs.any(is_number) || has_iban())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pattern: &str, values: &str) -> Option<Pattern> {
        // Different numbers make the values different.
        let number = |i: usize| pattern.replace('#', &(17 * i + 3).to_string());
        let values: Vec<String> = (0..40)
            .flat_map(|i| values.split("; ").map(move |value| (i, value)))
            .map(|(i, value)| number(i).replace('@', value))
            .collect();
        pattern_of_distinct(&values.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[test]
    fn streets_are_recognized_in_seven_languages() {
        for streets in [
            "High Street; Park Road; Elm Ave; Mill Lane",
            "Hauptstraße; Herrmannstr.; Chantal-Köster-Weg; Seipplatz",
            "rue de la Paix; avenue Foch; Chemin Vert",
            "Calle Mayor; Avenida de América; Paseo del Prado",
            "Via Roma; Viale Garibaldi; Piazza Dante",
            "Kerkstraat; Stationsweg; Prinsengracht",
            "Rua Augusta; Travessa do Carmo; Largo da Graça",
        ] {
            assert_eq!(of("@ #", streets), Some(Pattern::Street), "{streets}");
        }
    }

    #[test]
    fn plates_and_texts_with_contacts_are_recognized() {
        assert_eq!(of("KF-PD-#", ""), Some(Pattern::NumberPlate));
        assert_eq!(of("Called Mr. Weber on +49(0) 94956#", ""), Some(Pattern::TextWithContacts));
        assert_eq!(of("please call back 077311#", ""), Some(Pattern::TextWithContacts));
        assert_eq!(of("ask for Eva (01601) 815#", ""), Some(Pattern::TextWithContacts));
    }

    #[test]
    fn other_texts_are_not() {
        for (pattern, values) in [
            ("@ #", "ward; cluster; product; Model; Dr. Weber"),
            ("seen on 2024-01-# at 10:30", ""),
            ("@ # mg twice a day", "aspirin; ibuprofen"),
            ("@-#", "A; B; C"),
            ("Engineering @ #", "spring; steering; offspring"),
        ] {
            assert_eq!(of(pattern, values), None, "{pattern}, {values}");
        }
    }
}
