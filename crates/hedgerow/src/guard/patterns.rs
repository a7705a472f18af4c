//! Patterns of values that identify a person or a place directly.

use serde::Serialize;

use crate::table::is_address;

/// A pattern that most values of a column follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Pattern {
    /// E-mail addresses.
    Email,
    /// Phone numbers.
    Phone,
    /// International bank account numbers with valid check digits.
    Iban,
    /// Numbers of credit cards with a valid check digit.
    CreditCard,
    /// National numbers: US social security, Italian, Spanish, Dutch, French, Brazilian, British,
    /// German and Swiss ones, with valid check digits if they have any.
    NationalNumber,
    /// Addresses of web pages.
    Url,
    /// IP addresses.
    Ip,
    /// Coordinates with enough decimals to show a house.
    Coordinates,
    /// Streets, usually with the number of a house.
    Street,
    /// Number plates of cars.
    NumberPlate,
    /// Longer texts with a phone number, an e-mail address or an IBAN in them.
    TextWithContacts,
    /// Dates of birth, in texts that name them as such.
    BirthDate,
}

impl Pattern {
    /// The values in words: `e-mail addresses`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Email => "e-mail addresses",
            Self::Phone => "phone numbers",
            Self::Iban => "bank account numbers (IBAN)",
            Self::CreditCard => "credit card numbers",
            Self::NationalNumber => "national identity numbers",
            Self::Url => "web addresses",
            Self::Ip => "IP addresses",
            Self::Coordinates => "coordinates",
            Self::Street => "streets",
            Self::NumberPlate => "number plates",
            Self::TextWithContacts => "texts with phone or account numbers in them",
            Self::BirthDate => "dates of birth",
        }
    }
}

/// The condition for a column to follow a pattern. Patterns that other values follow by chance need
/// more values.
struct Rule {
    pattern: Pattern,
    is: fn(&str) -> bool,
    /// The share of values that must follow it.
    share: f64,
    /// The number of values that must follow it.
    least: usize,
}

impl Rule {
    const fn new(pattern: Pattern, is: fn(&str) -> bool, share: f64, least: usize) -> Self {
        Self { pattern, is, share, least }
    }

    /// The share of values that follow it, if that is enough.
    fn holds(&self, values: &[&str]) -> Option<f64> {
        let count = |values: &[&str]| values.iter().filter(|value| (self.is)(value.trim())).count();
        // A pattern that the first hundred values do not follow at all is not tried on the others.
        if count(&values[..values.len().min(100)]) == 0 {
            return None;
        }
        let found = count(values);
        let share = found as f64 / values.len() as f64;
        (found >= self.least && share >= self.share).then_some(share)
    }
}

const RULES: [Rule; 8] = [
    Rule::new(Pattern::Email, is_email, 0.2, 1),
    Rule::new(Pattern::Url, is_url, 0.5, 1),
    Rule::new(Pattern::Iban, is_iban, 0.5, 1),
    Rule::new(Pattern::NationalNumber, is_national_number, 0.9, 4),
    Rule::new(Pattern::CreditCard, is_credit_card, 0.9, 4),
    Rule::new(Pattern::Ip, is_address, 0.9, 2),
    Rule::new(Pattern::Phone, is_phone, 0.8, 2),
    Rule::new(Pattern::Coordinates, is_pair_of_coordinates, 0.9, 2),
];

/// Returns the pattern that the present values of a column follow, and the share of them that do.
pub(super) fn pattern_of(values: &[&str]) -> Option<(Pattern, f64)> {
    RULES.iter().find_map(|rule| Some((rule.pattern, rule.holds(values)?)))
}

/// Whether numbers are coordinates to within some hundred metres: nearly all in range, and most
/// with three or more decimals.
pub(super) fn are_coordinates(values: &[&str]) -> bool {
    let is_fine = |value: &&&str| coordinate(value, 180.0).is_some_and(|decimals| decimals >= 3);
    let is_in_range = |value: &&&str| coordinate(value, 180.0).is_some();
    let share = |n: usize| n as f64 / values.len().max(1) as f64;
    share(values.iter().filter(is_in_range).count()) > 0.95
        && share(values.iter().filter(is_fine).count()) > 0.5
}

pub(super) fn is_email(text: &str) -> bool {
    let Some((user, host)) = text.split_once('@') else { return false };
    // An address inside a longer text counts too.
    let user = user.rsplit(char::is_whitespace).next().unwrap_or("");
    let host = host.split(|c: char| c.is_whitespace() || ",;>)".contains(c)).next().unwrap_or("");
    let is_label =
        |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    let labels: Vec<&str> = host.trim_end_matches('.').split('.').collect();
    !user.is_empty()
        && labels.len() > 1
        && labels.iter().all(|label| is_label(label))
        && labels.last().is_some_and(|last| last.len() > 1 && last.chars().all(char::is_alphabetic))
}

fn is_url(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["http://", "https://", "ftp://", "www."].iter().any(|start| text.starts_with(start))
        && text.contains('.')
}

pub(super) fn is_iban(text: &str) -> bool {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let is_shaped = (15..=34).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric())
        && text.bytes().take(2).all(|b| b.is_ascii_alphabetic())
        && text.bytes().skip(2).take(2).all(|b| b.is_ascii_digit());
    is_shaped && {
        // ISO 13616: the country and the check digits move to the end, and the number modulo 97
        // must be 1.
        let moved = text[4..].chars().chain(text[..4].chars());
        let digits = moved.filter_map(|c| c.to_digit(36));
        // Letters are two digits: A is 10.
        digits.fold(0, |rest, d| (rest * if d > 9 { 100 } else { 10 } + d) % 97) == 1
    }
}

fn is_credit_card(text: &str) -> bool {
    let Some(digits) = digits_of(text, " -") else { return false };
    let known = matches!(
        (digits.first(), digits.len()),
        // The first digit and the length of the usual cards.
        (Some(3), 14..=16) | (Some(4), 13 | 16 | 19) | (Some(2 | 5 | 6), 16)
    );
    known && is_luhn(&digits)
}

fn is_luhn(digits: &[u32]) -> bool {
    // Luhn: every second digit from the right is doubled, and the digits of the product are added.
    let doubled = |digit: u32| if digit > 4 { 2 * digit - 9 } else { 2 * digit };
    let sum: u32 = (digits.iter().rev().enumerate())
        .map(|(place, &digit)| if place % 2 == 1 { doubled(digit) } else { digit })
        .sum();
    sum.is_multiple_of(10)
}

fn is_national_number(text: &str) -> bool {
    is_us_ssn(text) || is_coded(text) || is_checked(text)
}

/// Whether a word of a text is a social security number of the United States.
pub(super) fn is_pure_ssn(word: &str) -> bool {
    is_us_ssn(word)
}

/// Whether a word of a text is another national number that nothing else looks like: a codice
/// fiscale, or a CPF or an AHV number with its separators and a valid check digit.
pub(super) fn is_written_number(word: &str) -> bool {
    let groups = || word.split(['.', '-']).map(str::len);
    let is_divided = groups().eq([3, 3, 3, 2]) || groups().eq([3, 4, 4, 2]);
    (is_divided && is_checked(word)) || (word.len() == 16 && is_coded(word))
}

/// `ddd-dd-dddd`.
fn is_us_ssn(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [area, group, serial] = parts.as_slice() else { return false };
    let is = |part: &str, n: usize| part.len() == n && part.bytes().all(|b| b.is_ascii_digit());
    is(area, 3)
        && is(group, 2)
        && is(serial, 4)
        && *area != "000"
        && *area != "666"
        && !area.starts_with('9')
        && *group != "00"
        && *serial != "0000"
}

/// Numbers with letters: Italy's codice fiscale, Spain's DNI, Britain's NINO.
fn is_coded(text: &str) -> bool {
    let shape: String = (text.chars().filter(|c| !" -.".contains(*c)))
        .map(|c| {
            if c.is_ascii_digit() {
                '9'
            } else if c.is_ascii_alphabetic() {
                'A'
            } else {
                '?'
            }
        })
        .collect();
    match shape.as_str() {
        "AAAAAA99A99A999A" | "AA999999A" => true,
        "99999999A" => {
            // The letter of a DNI is determined by its number modulo 23.
            let letters = b"TRWAGMYFPDXBNJZSQVHLCKE";
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            let check = digits.parse::<usize>().ok().map(|number| letters[number % 23]);
            let last = text.bytes().last().map(|b| b.to_ascii_uppercase());
            check.is_some() && check == last
        }
        _ => false,
    }
}

/// Numbers of digits only, with check digits: CPF, NIR, BSN, Steuer-ID, AHV.
fn is_checked(text: &str) -> bool {
    let Some(digits) = digits_of(text, " .-") else { return false };
    let value = |digits: &[u32]| digits.iter().fold(0u64, |value, &d| value * 10 + u64::from(d));
    match digits.len() {
        9 => digits[0] < 4 && is_bsn(&digits),
        11 => is_cpf(&digits) || (digits[0] != 0 && is_iso_7064(&digits)),
        // 756 is Switzerland's prefix of an AHV number.
        13 => value(&digits[..3]) == 756 && is_ean(&digits),
        // The key of a French NIR is 97 minus the number modulo 97.
        15 => matches!(digits[0], 1 | 2) && 97 - value(&digits[..13]) % 97 == value(&digits[13..]),
        _ => false,
    }
}

fn is_bsn(digits: &[u32]) -> bool {
    let weighted = digits.iter().zip([9i64, 8, 7, 6, 5, 4, 3, 2, -1]);
    let sum: i64 = weighted.map(|(&digit, weight)| i64::from(digit) * weight).sum();
    sum % 11 == 0 && digits.iter().any(|&digit| digit > 0)
}

fn is_cpf(digits: &[u32]) -> bool {
    let check = |n: usize| {
        let sum: u32 =
            digits[..n].iter().zip((2..=n as u32 + 1).rev()).map(|(&d, weight)| d * weight).sum();
        (sum * 10 % 11) % 10
    };
    // Eleven equal digits pass the check, but are not issued.
    check(9) == digits[9] && check(10) == digits[10] && digits.iter().any(|&d| d != digits[0])
}

/// The check digit of ISO 7064, MOD 11,10.
fn is_iso_7064(digits: &[u32]) -> bool {
    let (last, rest) = digits.split_last().unwrap_or((&0, &[]));
    let product = rest.iter().fold(10, |product, &digit| {
        let sum = (digit + product) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    (11 - product) % 10 == *last
}

fn is_ean(digits: &[u32]) -> bool {
    let sum: u32 = digits.iter().zip([1, 3].iter().cycle()).map(|(&d, &weight)| d * weight).sum();
    sum.is_multiple_of(10)
}

/// A phone number has 8 to 15 digits with a `+`, a `0` or a bracket in front, or the groups of
/// North America.
pub(super) fn is_phone(text: &str) -> bool {
    let groups: Vec<usize> = text.split(['-', '.', ' ']).map(str::len).collect();
    let Some(digits) = digits_of(text.trim_start_matches('+'), " -./()") else { return false };
    let is_american = groups == [3, 3, 4] || groups == [1, 3, 3, 4];
    let is_separated = text.contains([' ', '-', '/', '(']);
    let is_led = text.starts_with(['+', '(']) || (text.starts_with('0') && is_separated);
    // `2024-01-31`, `01/02/2024` and `02139-4307` are not phone numbers.
    let is_short = digits.len() == 8 && groups.len() == 3 || groups == [5, 4];
    let is_date = text.split(['/', '.', '-']).count() == 3 && digits.len() == 8;
    (8..=15).contains(&digits.len()) && !is_date && !is_short && (is_american || is_led)
}

/// `52.5200, 13.4050`, or with decimal commas `52,5200; 13,4050`.
fn is_pair_of_coordinates(text: &str) -> bool {
    let text = text.trim_start_matches("POINT").trim().trim_matches(['(', ')']);
    let split = |signs: &[char]| -> Vec<&str> {
        let parts = text.split(signs).map(|part| part.trim_matches([',', ' ']));
        parts.filter(|part| !part.is_empty()).collect()
    };
    // A comma divides the pair only if nothing else does.
    let divided = split(&[';', ' ']);
    let parts = if divided.len() > 1 { divided } else { split(&[',']) };
    let [first, second] = parts.as_slice() else { return false };
    let is_fine = |text: &str| coordinate(text, 180.0).is_some_and(|decimals| decimals >= 3);
    is_fine(first) && is_fine(second)
}

/// Returns the number of decimals of a coordinate of at most `most` degrees, with a decimal point
/// or comma.
fn coordinate(text: &str, most: f64) -> Option<usize> {
    let text = text.trim().replacen(',', ".", 1);
    let is_in_range = text.parse::<f64>().is_ok_and(|degrees| degrees.abs() <= most);
    is_in_range.then(|| text.split_once('.').map_or(0, |(_, decimals)| decimals.len()))
}

/// Returns the digits of a text that has only digits and separators.
fn digits_of(text: &str, separators: &str) -> Option<Vec<u32>> {
    let kept = text.chars().filter(|c| !separators.contains(*c));
    kept.map(|c| c.to_digit(10)).collect::<Option<Vec<u32>>>().filter(|digits| !digits.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[&str]) -> Option<Pattern> {
        pattern_of(values).map(|(pattern, _)| pattern)
    }

    #[test]
    fn contacts_are_recognized() {
        assert_eq!(of(&["a.b@example.org", "c@d.co.uk", ""]), Some(Pattern::Email));
        assert_eq!(of(&["write to me@example.com, please", "no", "no"]), Some(Pattern::Email));
        assert_eq!(of(&["https://example.org/u/7", "www.example.com"]), Some(Pattern::Url));
        assert_eq!(of(&["+49 30 1234567", "030/1234567"]), Some(Pattern::Phone));
        assert_eq!(of(&["(555) 123-4567", "555-123-4567"]), Some(Pattern::Phone));
        assert_eq!(of(&["192.168.0.1", "2001:db8::1"]), Some(Pattern::Ip));
    }

    #[test]
    fn numbers_with_check_digits_are_recognized() {
        assert_eq!(
            of(&["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"]),
            Some(Pattern::Iban)
        );
        assert_eq!(of(&["DE89 3704 0044 0532 0130 01"]), None);
        let cards =
            ["4111111111111111", "5500 0000 0000 0004", "340000000000009", "6011000000000004"];
        assert_eq!(of(&cards), Some(Pattern::CreditCard));
        assert_eq!(
            of(&["219-09-9999", "078-05-1120", "457-55-5462", "123-45-6789"]),
            Some(Pattern::NationalNumber)
        );
        for number in [
            "529.982.247-25",
            "12345678Z",
            "RSSMRA85T10A562S",
            "111222333",
            "AB123456C",
            "756.9217.0769.85",
            "86095742719",
            "255081416802538",
        ] {
            assert_eq!(of(&[number; 4]), Some(Pattern::NationalNumber), "{number}");
        }
    }

    #[test]
    fn dates_codes_and_numbers_are_not_phones_or_cards() {
        for values in [
            ["2024-01-31", "2023-12-01"],
            ["01/02/2024", "05.03.1999"],
            ["02139-4307", "02139-0001"],
            ["1234567890", "2345678901"],
            ["0.123456789", "0.223456789"],
            ["20240131", "20231201"],
            ["10:30:00", "2024-01-31 10:30"],
            ["A-17", "B-22"],
            ["012345678", "000000012"],
        ] {
            assert_eq!(of(&values), None, "{values:?}");
        }
        let numbers: Vec<String> =
            (0..1000u64).map(|i| (4_000_000_000_000_000 + i * 7).to_string()).collect();
        assert_eq!(of(&numbers.iter().map(String::as_str).collect::<Vec<_>>()), None);
    }

    #[test]
    fn coordinates_need_decimals_and_a_range() {
        assert!(are_coordinates(&["52.5200", "48.137", "-33.86882"]));
        assert!(!are_coordinates(&["52.5", "48.1"]) && !are_coordinates(&["1052.5200", "48.137"]));
        assert_eq!(of(&["52.5200, 13.4050", "POINT(13.4050 52.5200)"]), Some(Pattern::Coordinates));
        assert_eq!(of(&["52.5200,13.4050", "48.1370;11.5750"]), Some(Pattern::Coordinates));
    }

    #[test]
    fn coordinates_may_have_decimal_commas() {
        assert!(are_coordinates(&["52,5200", "48,137", "-33,86882"]));
        assert!(!are_coordinates(&["52,5", "48,1"]) && !are_coordinates(&["468,298", "5,331,482"]));
        assert_eq!(of(&["52,5200; 13,4050", "52,5200 13,4050"]), Some(Pattern::Coordinates));
        assert_eq!(of(&["52,5200, 13,4050", "POINT(13,4050 52,5200)"]), Some(Pattern::Coordinates));
    }
}
