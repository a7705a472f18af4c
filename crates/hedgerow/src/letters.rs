//! Letters without case and accents, and the words of names.

/// Returns a text in lower case and without accents. `ß` is `ss`.
pub(crate) fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    text.chars().for_each(|letter| fold(letter, &mut folded));
    folded
}

/// Whether a word is in a list of words that blanks divide.
pub(crate) fn is_listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

/// Returns the words of a name in lower case and without accents, divided at everything that is
/// neither a letter nor a digit, between letters and digits, and at capitals: `patientName2` is
/// `patient`, `name` and `2`, and `IDNumber` is `id` and `number`.
pub(crate) fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    for (place, &letter) in letters.iter().enumerate() {
        let next_is_small = letters.get(place + 1).is_some_and(|c| c.is_lowercase());
        let is_capital = letter.is_uppercase()
            && (before.is_lowercase() || (before.is_uppercase() && next_is_small));
        let is_other = before.is_alphabetic() != letter.is_alphabetic();
        if is_capital || is_other || !letter.is_alphanumeric() {
            words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
        }
        if letter.is_alphanumeric() {
            fold(letter, &mut word);
        }
        before = letter;
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// Appends a letter in lower case and without its accent.
fn fold(letter: char, text: &mut String) {
    // The capital `İ` becomes an `i` with a dot of its own.
    for letter in letter.to_lowercase().filter(|&letter| letter != '\u{307}') {
        match plain(letter) {
            "" => text.push(letter),
            letters => text.push_str(letters),
        }
    }
}

/// Returns a lower-case letter without its accent; empty if it has none.
fn plain(letter: char) -> &'static str {
    match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'ç' | 'ć' | 'č' => "c",
        'ď' | 'đ' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'ğ' => "g",
        'ì' | 'í' | 'î' | 'ï' | 'ı' | 'ī' | 'į' => "i",
        'ł' | 'ľ' | 'ĺ' => "l",
        'ñ' | 'ń' | 'ň' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' => "o",
        'ř' | 'ŕ' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ť' | 'ţ' | 'ț' => "t",
        'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ů' | 'ű' => "u",
        'ý' | 'ÿ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        'ά' => "α",
        'έ' => "ε",
        'ή' => "η",
        'ί' | 'ϊ' | 'ΐ' => "ι",
        'ό' => "ο",
        'ύ' | 'ϋ' | 'ΰ' => "υ",
        'ώ' => "ω",
        'ς' => "σ",
        'ё' => "е",
        'ß' => "ss",
        'œ' => "oe",
        'æ' => "ae",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_words() {
        assert_eq!(words("homeZipCode_2"), ["home", "zip", "code", "2"]);
        assert_eq!(words("dx1"), ["dx", "1"]);
        assert_eq!(words("PLZ"), ["plz"]);
        assert_eq!(words("IDNumber"), ["id", "number"]);
        assert_eq!(words("Straße des Müllers"), ["strasse", "des", "mullers"]);
        assert_eq!(words("--"), [""; 0]);
    }

    #[test]
    fn letters_lose_case_and_accents() {
        assert_eq!(folded("ÄRZTIN, Ærø"), "arztin, aero");
        assert_eq!(folded("Příjmení, IMIĘ, Doğum, İsim"), "prijmeni, imie, dogum, isim");
        assert_eq!(folded("Επώνυμο, Ёлкин"), "επωνυμο, елкин");
    }
}
