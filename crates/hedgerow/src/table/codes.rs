//! Recognises columns of codes by their names and values.

use std::net::IpAddr;

use crate::letters::{self, is_listed};

/// Number of digits from which whole numbers can be postal codes.
const LEAST_DIGITS: usize = 4;

/// Words in the names of columns of postal codes.
const POSTAL: &str = "zip zipcode zcta plz postcode postalcode postal postleitzahl codepostal \
                      codigopostal codicepostale kodpocztowy postnummer postnr postcodes pincode \
                      postinumero postakodu iranyitoszam";

/// Short words for a postal code that mean something else next to most words: `cap_color`.
const SHORT_POSTAL: &str = "cp cap cep";

/// Words next to which they mean a postal code: what it is the code of, or whose.
const OF_PLACES: &str = "code cod codigo codice numero num residence residenza residencia domicile \
                         domicilio naissance nacimiento nascita nascimento commune comune ville \
                         citta ciudad cidade adresse direccion indirizzo endereco patient patiente \
                         paciente paziente client cliente assure travail trabajo lavoro";

/// Words in the names of columns of other codes that are written with digits.
const DIGITS: &str = "fips geoid insee ags gemeindeschlussel gemeindeschluessel naics isco nace";

/// Words in the names of columns of diagnoses.
pub(crate) const DIAGNOSES: &str = "icd diag diagnosis diagnoses diagnose dx diagnostic \
                                    diagnostico diagnosi morbidity";

/// Whether a name has one of these words, without regard to case and accents. Two adjacent words
/// may form one: `code_postal`, `iso3`.
pub(crate) fn has_word(name: &str, words: &str) -> bool {
    let parts = letters::words(name);
    let pairs = parts.windows(2).map(<[String]>::concat);
    let forms: Vec<String> = pairs.chain(parts.iter().cloned()).collect();
    words.split_whitespace().any(|word| forms.iter().any(|form| form == word))
}

/// Whether columns of this name have codes even if they look like whole numbers; `longest` is the
/// number of digits of the longest value.
pub(crate) fn are_codes(name: &str, longest: usize) -> bool {
    has_word(name, DIGITS) || (longest >= LEAST_DIGITS && is_postal(name))
}

/// Whether texts are postal codes with letters, a hyphen or a blank: `1234 AB`, `SW1A 1AA`,
/// `00-950`. The name of the column says so, and nearly all values have their form.
pub(crate) fn are_postal_codes(name: &str, texts: &[&str]) -> bool {
    const SHARE: f64 = 0.95;
    let n_codes = texts.iter().filter(|text| has_postal_form(text)).count();
    is_postal(name) && n_codes as f64 >= SHARE * texts.len() as f64
}

fn has_postal_form(text: &str) -> bool {
    let text = text.trim();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-');
    (3..=10).contains(&text.len())
        && text.chars().all(is_part)
        && text.bytes().any(|byte| byte.is_ascii_digit())
}

fn is_postal(name: &str) -> bool {
    has_word(name, POSTAL) || is_short_postal(&letters::words(name))
}

/// Whether a word is a short one for a postal code.
pub(crate) fn is_short_word(word: &str) -> bool {
    is_listed(SHORT_POSTAL, word)
}

/// Whether a name with a short word for a postal code means one.
pub(crate) fn is_short_postal(words: &[String]) -> bool {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let may_be =
        |word: &String| is_short_word(word) || is_listed(OF_PLACES, word) || is_number(word);
    words.iter().any(|word| is_short_word(word)) && words.iter().all(may_be)
}

/// Whether values in a column with a short word for its name are too short for postal codes, such
/// as the kinds of chest pain in a column `cp`.
pub(crate) fn are_too_short<'a>(name: &str, mut texts: impl Iterator<Item = &'a str>) -> bool {
    is_short_postal(&letters::words(name)) && texts.all(|text| text.trim().len() < LEAST_DIGITS)
}

/// Whether a text is an IP address.
pub(crate) fn is_address(text: &str) -> bool {
    text.trim().parse::<IpAddr>().is_ok()
}

/// Returns the category of a text that has the form of an ICD-10 code: `I21` of `I21.4`, `I214` and
/// `I21.-`.
pub(crate) fn icd_category(text: &str) -> Option<String> {
    let text = text.trim();
    let (category, rest) = text.split_at_checked(3)?;
    let mut letters = category.chars();
    // A letter, a digit, and a digit or letter: `C7A` is a category of ICD-10-CM.
    let has_form = letters.next()?.is_ascii_alphabetic()
        && letters.next()?.is_ascii_digit()
        && letters.next()?.is_ascii_alphanumeric();
    let is_detail = |rest: &str| {
        (1..=4).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let has_detail = match rest.strip_prefix('.') {
        Some(detail) => detail == "-" || is_detail(detail),
        None => rest.is_empty() || is_detail(rest),
    };
    (has_form && has_detail).then(|| category.to_ascii_uppercase())
}

/// Whether texts are ICD-10 codes: all have the form, and one has a dot or the name of the column
/// says so, because other codes have the same form.
pub(crate) fn are_diagnoses(name: &str, texts: &[&str]) -> bool {
    let is_dotted = |text: &&str| text.trim().find('.') == Some(3);
    texts.iter().all(|text| icd_category(text).is_some())
        && (has_word(name, DIAGNOSES) || texts.iter().any(is_dotted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_recognised_by_the_name_of_their_column() {
        for name in
            "zip ZIP_Code plz PLZ_Wohnort code_postal codePostal codigo_postal CP cap cap_residenza \
             cp_patient CPDomicile cod_cp CP2".split_whitespace()
        {
            assert!(are_codes(name, 5), "{name}");
        }
        assert!(are_codes("state_fips", 2));
        for name in ["age", "market_cap", "cap_color", "cp_type", "capital", "zipper", "code"] {
            assert!(!are_codes(name, 5), "{name}");
        }
        assert!(!are_codes("cp", 1), "kinds of chest pain");
    }

    #[test]
    fn postal_codes_can_have_letters_and_hyphens() {
        for texts in [
            ["3971OD", "8070 SV"],
            ["SW1A 1AA", "M1 1AE"],
            ["00-950", "31-007"],
            ["01003-000", "01310-100"],
        ] {
            assert!(are_postal_codes("postcode", &texts), "{texts:?}");
            assert!(are_postal_codes("cep", &texts), "{texts:?}");
            assert!(!are_postal_codes("room", &texts), "{texts:?}");
        }
        assert!(!are_postal_codes("postcode", &["north", "south"]));
    }

    #[test]
    fn diagnoses_need_a_dot_or_a_name() {
        assert!(are_diagnoses("x", &["I21", "E11.9"]) && are_diagnoses("dx1", &["I21", "E119"]));
        assert!(!are_diagnoses("room", &["I21", "E11"]) && !are_diagnoses("dx", &["I21", "flu"]));
    }
}
