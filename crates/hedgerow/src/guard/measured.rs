//! Recognizes texts that are numbers with a sign, pairs of numbers, times or colours, which are
//! measurements although they are not read as numbers.

use super::glance::Seen;
use crate::table::Kind;

/// Share of the different values that must be measurements.
const MEASURED: f64 = 0.95;
/// Number of values that are examined.
const EXAMINED: usize = 2000;
/// Most digits of a number, so that numbers of accounts and phones are not amounts.
const MOST_DIGITS: usize = 12;
/// Codes of currencies, in front of or behind an amount, and units behind a number, in small
/// letters.
const CURRENCIES: &str = "usd eur gbp chf sek nok dkk jpy cny rmb inr brl pln czk huf kr zl ft rs kc lei ron \
                          r$ us$ a$ c$ s$ hk$";
const UNITS: &str = "kg g mg cm mm m km lb lbs ml l mmhg bpm h hr hrs min mins s sec ms years yrs y days d \
                     weeks months mmol mol ug iu kcal w kw kwh mb gb percent pct prozent";

/// Whether nearly all values of a column of text are measurements.
pub(super) fn are_measured(seen: &Seen) -> bool {
    let values = &seen.spellings[..seen.spellings.len().min(EXAMINED)];
    let n_measured = values.iter().filter(|value| is_measured(value)).count();
    seen.kind == Kind::Text && n_measured > 0 && n_measured as f64 >= MEASURED * values.len() as f64
}

fn is_measured(value: &str) -> bool {
    is_amount(value) || is_pair(value) || is_time(value) || is_colour(value)
}

/// A number with the sign of a currency or of percents, with a unit, or compared: `50.5 %`, `1 200
/// €`, `82 kg`, `<0.05`.
fn is_amount(value: &str) -> bool {
    let value = value.trim_start_matches(['<', '>', '≤', '≥', '~', '±']);
    let is_sign = |c: char| "%‰€$£¥₹₽₩₺₴₪円元원".contains(c);
    let is_digit = |c: char| c.is_ascii_digit();
    let (Some(first), Some(last)) = (value.find(is_digit), value.rfind(is_digit)) else {
        return false;
    };
    let is_one_of = |text: &str, lists: &[&str]| {
        let word = text.trim().trim_end_matches('.').to_lowercase();
        let mut known = lists.iter().flat_map(|list| list.split_whitespace());
        word.chars().all(is_sign) || known.any(|unit| unit == word)
    };
    let number = &value[first..=last];
    let n_digits = number.chars().filter(char::is_ascii_digit).count();
    let is_number = number.chars().all(|c| is_digit(c) || ".,'’ \u{a0}\u{202f}".contains(c));
    let front = value[..first].trim_end_matches(['-', '−', '+', '(', '.', ' ']);
    let back = value[last + 1..].trim_start_matches([')', ',', '-', '.']);
    // Digits alone are a number or a code, and were read as such.
    let has_unit = value.chars().any(|c| !is_digit(c));
    is_number
        && has_unit
        && n_digits <= MOST_DIGITS
        && is_one_of(front, &[CURRENCIES])
        && is_one_of(back, &[CURRENCIES, UNITS])
}

/// Two numbers of up to three digits: a blood pressure of `125/72`.
fn is_pair(value: &str) -> bool {
    let is_short =
        |text: &str| (1..=3).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    value.split_once('/').is_some_and(|(a, b)| is_short(a.trim()) && is_short(b.trim()))
}

/// A time of day or a duration: `12:43`, `1:54:04.5`, `9:05 pm`.
fn is_time(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    let time = value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '.').trim_end();
    let is_suffixed = ["", "am", "pm", "a.m.", "p.m.", "h", "uhr", "z"];
    let parts: Vec<&str> = time.split(':').collect();
    let is_part = |part: &&str| {
        let whole = part.split_once(['.', ',']).map_or(*part, |(whole, _)| whole);
        let is_sign = |b: u8| b.is_ascii_digit() || b == b'.' || b == b',';
        (1..=3).contains(&whole.len()) && part.bytes().all(is_sign)
    };
    (2..=4).contains(&parts.len())
        && parts.iter().all(is_part)
        && is_suffixed.contains(&value[time.len()..].trim())
}

/// `#1800c0`.
fn is_colour(value: &str) -> bool {
    let digits = value.strip_prefix('#').unwrap_or("");
    matches!(digits.len(), 3 | 6 | 8) && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_pairs_times_and_colours_are_measurements() {
        for value in [
            "125/72",
            "50.5 %",
            "12,5%",
            "12:43",
            "00:18:33",
            "1:54:04",
            "1:54:04,5",
            "9:05 pm",
            "#1800c0",
            "£62,136",
            "1 200,50 €",
            "R$ 3.200,00",
            "82 kg",
            "<0.05",
            "$1,200",
            "(1,031) $",
            "SEK 12 000",
        ] {
            assert!(is_measured(value), "{value}");
        }
        for value in [
            "A-17",
            "AB 12 345",
            "2024-01-31",
            "039-10-0371",
            "12",
            "w83121",
            "+49 30 1234567890 12",
            "x1",
            "kg",
            "#12",
        ] {
            assert!(!is_measured(value), "{value}");
        }
    }
}
