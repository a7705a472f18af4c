//! Identifiers inside longer texts: a phone number in a note, `born 1962-04-25` in a comment.

use super::glance::Seen;
use super::patterns::{Pattern, is_email, is_iban, is_phone, is_pure_ssn, is_written_number};
use super::texts::is_street;
use super::words::BIRTHS;
use crate::letters::{folded, is_listed};
use crate::table::Kind;

/// A pattern inside texts, and the function that finds it.
struct Rule {
    pattern: Pattern,
    has: fn(&Text<'_>) -> Find,
}

/// The certainty with which a text contains a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Find {
    Nothing,
    /// Something that a few coincidences could be.
    Weak,
    /// Something that hardly any coincidence could be.
    Strong,
    /// Something that a word in front explains, or that is nothing else.
    Sure,
}

/// Number of records that must have a weak and a strong find. One sure find is enough.
const LEAST_WEAK: u64 = 3;
const LEAST_STRONG: u64 = 2;
/// Number of letters in a row that a national number has at most: a codice fiscale has six.
const LONGEST_RUN: usize = 6;

const RULES: [Rule; 6] = [
    Rule {
        pattern: Pattern::Email,
        has: |text| sure(text.parts.iter().any(|part| is_email(part))),
    },
    Rule { pattern: Pattern::NationalNumber, has: national_number },
    Rule { pattern: Pattern::Iban, has: iban },
    Rule { pattern: Pattern::Phone, has: phone },
    Rule { pattern: Pattern::BirthDate, has: birth },
    Rule { pattern: Pattern::Street, has: address },
];
/// Pages of single users, in texts with other words.
const PAGES: Rule = Rule { pattern: Pattern::Url, has: page };

/// Words in front of a phone number.
const CALLS: &str = "call called calls calling tel phone phoned telephone mobile cell cellphone fax \
                     whatsapp sms ring dial ph mob telefon telefonnummer handy mobil ruf anruf rufen \
                     anrufen angerufen zuruckrufen ruckruf rueckruf erreichbar festnetz rappeler \
                     telefone telephoner appeler appelez portable llamar llame telefono movil celular \
                     chiamare cellulare bellen telefoon mobiel gsm ligar telemovel";
/// Words in front of a national number.
const NUMBERS: &str = "ssn socialsecurity sozialversicherung svnr steuerid nir secu securitesociale \
                       dni nie nif curp cpf cns bsn burgerservicenummer codicefiscale cf nino nhs \
                       pesel cnp personnummer fodselsnummer cpr passport reisepass passeport \
                       pasaporte passaporto paspoort ahv";
/// Words in front of an account.
const ACCOUNTS: &str = "iban account konto compte cuenta conto rekening conta bank";
/// Words in front of an address.
const LIVES: &str = "live lives lived living resides residing address addr wohnt wohnhaft adresse \
                     anschrift habite habitant demeurant vive domiciliado direccion domicilio abita \
                     residente indirizzo woont woonachtig adres mora morador endereco morada";
/// Words between such a word and the number or address after it.
const BETWEEN: &str = "at is in on an am der die das dem den im no nr number the a au aux du de la le \
                       les en el los con il lo alla op te het een na em o to back his her their \
                       alone flat apt";
/// Hosts with a page for each user, and parts of addresses in front of one.
const HOSTS: &str = "facebook.com twitter.com x.com instagram.com linkedin.com tiktok.com github.com \
                     t.me vk.com xing.com youtube.com reddit.com mastodon.social threads.net";
const USERS: &str = "user users u profile profiles in people member members";

/// The pattern that texts of a column contain, and the number of sampled records that do.
pub(super) struct Inside {
    pub(super) pattern: Pattern,
    pub(super) records: u64,
}

/// Returns the first pattern that enough texts of a column contain.
pub(super) fn inside(seen: &Seen) -> Option<Inside> {
    if !matches!(seen.kind, Kind::Text | Kind::Code) {
        return None;
    }
    let can_contain =
        |text: &str| text.contains(|c: char| c == '@' || c.is_ascii_digit() || c == '/');
    let mut records = vec![0u64; seen.spellings.len()];
    seen.of_record.iter().flatten().for_each(|&number| records[number as usize] += 1);
    let texts: Vec<(Text<'_>, u64)> = (seen.spellings.iter().zip(records))
        .filter(|(value, _)| can_contain(value))
        .map(|(value, records)| (Text::new(value), records))
        .collect();
    RULES.iter().chain([&PAGES]).find_map(|rule| rule.inside(&texts))
}

impl Rule {
    fn inside(&self, texts: &[(Text<'_>, u64)]) -> Option<Inside> {
        let finds: Vec<(Find, u64)> =
            texts.iter().map(|(text, records)| ((self.has)(text), *records)).collect();
        let least = |least: Find| -> u64 {
            let enough = finds.iter().filter(|(find, _)| *find as u8 >= least as u8);
            enough.map(|(_, records)| records).sum()
        };
        let (weak, strong) = (least(Find::Weak), least(Find::Strong));
        let is_found = least(Find::Sure) > 0 || strong >= LEAST_STRONG || weak >= LEAST_WEAK;
        is_found.then_some(Inside { pattern: self.pattern, records: weak })
    }
}

/// A value in parts.
struct Text<'a> {
    /// Parts between blanks, without the punctuation around them.
    parts: Vec<&'a str>,
    /// The same in lower case and without accents.
    folded: Vec<String>,
}

impl<'a> Text<'a> {
    fn new(value: &'a str) -> Self {
        let parts: Vec<&str> = (value.split_whitespace())
            .map(|part| part.trim_matches(|c: char| ",;:.!?\"'<>[]".contains(c)))
            .filter(|part| !part.is_empty())
            .collect();
        let folded = parts.iter().map(|part| folded(part)).collect();
        Self { parts, folded }
    }

    /// The places after each word of a list, behind the words that may be in between.
    fn after(&self, list: &'static str) -> impl Iterator<Item = usize> + '_ {
        let is_word = move |place: &usize| {
            let plain: String = self.folded[*place].chars().filter(|c| c.is_alphabetic()).collect();
            is_listed(list, &plain)
        };
        (0..self.parts.len()).filter(is_word).map(|place| {
            let is_between = |next: &usize| is_listed(BETWEEN, &self.folded[*next]);
            (place + 1..self.parts.len()).take_while(is_between).count() + place + 1
        })
    }

    /// Runs of parts that consist of the signs of phone numbers, from their first place on. Dates
    /// and times are not part of one.
    fn runs(&self) -> Vec<(usize, String)> {
        let is_sign = |c: char| c.is_ascii_digit() || "+()/-.".contains(c);
        let is_part = |part: &str| part.chars().all(is_sign) && !is_date(part) && part.len() < 20;
        let mut runs: Vec<(usize, String)> = Vec::new();
        let mut is_open = false;
        for (place, part) in self.parts.iter().enumerate() {
            let is_number = is_part(part);
            match runs.last_mut().filter(|_| is_open && !part.starts_with('+')) {
                Some((_, run)) if is_number => *run = format!("{run} {part}"),
                _ if is_number => runs.push((place, (*part).to_owned())),
                _ => {}
            }
            is_open = is_number;
        }
        runs
    }

    fn has_words(&self) -> bool {
        let is_word = |part: &&&str| part.len() > 1 && part.chars().all(char::is_alphabetic);
        self.parts.iter().any(|part| is_word(&part))
    }
}

fn sure(is: bool) -> Find {
    if is { Find::Sure } else { Find::Nothing }
}

fn n_digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

/// Three numbers of a date: `1962-04-25`, `25.4.62`.
fn is_date(part: &str) -> bool {
    let texts: Vec<&str> = part.split(['-', '/', '.']).collect();
    let number = |text: &&str| text.parse::<u32>().ok().filter(|_| text.len() <= 4);
    let numbers: Option<Vec<u32>> = texts.iter().map(number).collect();
    let Some(&[first, second, third]) = numbers.as_deref() else { return false };
    let is_year = |text: &str, number: u32| match text.len() {
        4 => (1850..2100).contains(&number),
        length => length == 2,
    };
    let is_day_of = |day: u32, month: u32| (1..=31).contains(&day) && (1..=12).contains(&month);
    let is_last = is_day_of(first, second) || is_day_of(second, first);
    (is_year(texts[0], first) && is_day_of(third, second)) || (is_year(texts[2], third) && is_last)
}

fn national_number(text: &Text<'_>) -> Find {
    let is_announced = text.after(NUMBERS).any(|place| {
        // `Nino` is also a first name, so no word may follow.
        let is_word = |part: &str| {
            part.split(|c: char| !c.is_alphabetic()).any(|run| run.chars().count() > LONGEST_RUN)
        };
        let is_number = |part: &&str| n_digits(part) >= 6 && !is_date(part) && !is_word(part);
        let next = text.parts.get(place).is_some_and(is_number);
        // Numbers in groups of digits are divided by blanks.
        let groups = text.parts[place.min(text.parts.len())..].iter().take(5);
        let digits: usize = groups.take_while(|part| n_digits(part) > 0).map(|p| n_digits(p)).sum();
        next || (7..=20).contains(&digits)
    });
    if is_announced {
        return Find::Sure;
    }
    let is_written = text.parts.iter().any(|part| is_pure_ssn(part) || is_written_number(part));
    if is_written { Find::Strong } else { Find::Nothing }
}

fn iban(text: &Text<'_>) -> Find {
    let is_start = |part: &str| {
        let bytes = part.as_bytes();
        bytes.len() >= 4
            && bytes[..2].iter().all(u8::is_ascii_uppercase)
            && bytes[2..4].iter().all(u8::is_ascii_digit)
    };
    let at = |place: usize| {
        let mut joined = String::new();
        let parts = text.parts[place..].iter().take(9);
        // Each further group is tried, because the end of the number is not marked.
        parts
            .take_while(|part| part.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit()))
            .any(|part| {
                joined.push_str(part);
                joined.len() >= 15 && is_iban(&joined)
            })
    };
    let is_found = (0..text.parts.len()).any(|place| is_start(text.parts[place]) && at(place));
    match is_found {
        true if text.after(ACCOUNTS).next().is_some() => Find::Sure,
        true => Find::Strong,
        false => Find::Nothing,
    }
}

fn phone(text: &Text<'_>) -> Find {
    let runs = text.runs();
    let announced: Vec<usize> = text.after(CALLS).collect();
    let of_run = |(place, run): &(usize, String)| {
        let digits = n_digits(run);
        let is_local = run.split(['-', ' ', '.']).map(str::len).eq([3, 4]);
        let is_plain = run.len() == digits && (7..=15).contains(&digits) && !is_written_date(run);
        let is_american = run.split(['-', '.', ' ']).map(str::len).eq([3, 3, 4]);
        // With the prefix of a town, which most countries begin with 0.
        let is_national = run.starts_with('0') && is_phone(run);
        if announced.contains(place) && (is_phone(run) || is_local || is_plain) {
            Find::Sure
        } else if run.starts_with('+') && is_phone(run) {
            Find::Strong
        } else if (is_american || is_national) && text.has_words() {
            Find::Weak
        } else {
            Find::Nothing
        }
    };
    runs.iter().map(of_run).max_by_key(|find| *find as u8).unwrap_or(Find::Nothing)
}

/// `19620425`.
fn is_written_date(digits: &str) -> bool {
    digits.len() == 8 && (digits.starts_with("19") || digits.starts_with("20"))
}

/// A date behind a word for a birth: `born 1962-04-25`, `geb. am 25. April 1962`.
fn birth(text: &Text<'_>) -> Find {
    let is_year = |part: &str| part.parse::<u32>().is_ok_and(|year| (1900..2100).contains(&year));
    let is_day = |part: &str| {
        let digits = part.trim_end_matches(|c: char| c.is_alphabetic());
        digits.parse::<u32>().is_ok_and(|day| (1..=31).contains(&day))
    };
    let is_month = |part: &str| part.len() > 2 && part.chars().all(char::is_alphabetic);
    let is_date_at = |place: usize| match &text.parts[place..] {
        [date, ..] if is_date(date) => true,
        [a, b, c, ..] if is_year(c) => (is_day(a) && is_month(b)) || (is_month(a) && is_day(b)),
        _ => false,
    };
    sure(text.after(BIRTHS).any(|place| (place..text.parts.len().min(place + 2)).any(is_date_at)))
}

/// The number of a house and a street behind a word for living there.
fn address(text: &Text<'_>) -> Find {
    let is_number = |part: &str| part.starts_with(|c: char| c.is_ascii_digit()) && part.len() <= 6;
    let is_capital = |part: &str| part.starts_with(char::is_uppercase);
    let is_address = |place: usize| {
        let rest = &text.parts[place.min(text.parts.len())..];
        let rest = &rest[..rest.len().min(6)];
        let is_numbered =
            matches!(rest, [number, name, ..] if is_number(number) && is_capital(name));
        let has_digit = rest.iter().any(|part| n_digits(part) > 0);
        is_numbered || (has_digit && is_street(&rest.join(" ")))
    };
    if text.after(LIVES).any(is_address) { Find::Strong } else { Find::Nothing }
}

/// The address of a page that belongs to a user: `https://twitter.com/ada`.
fn page(text: &Text<'_>) -> Find {
    let is_page = |part: &String| {
        let rest = part.split_once("://").map_or(part.as_str(), |(_, rest)| rest);
        let rest = rest.trim_start_matches("www.");
        let mut segments = rest.split('/').filter(|segment| !segment.is_empty());
        let host = segments.next().unwrap_or("");
        let path: Vec<&str> = segments.collect();
        let is_web = part.contains("://") || part.starts_with("www.");
        let has_user = || {
            path.windows(2).any(|pair| is_listed(USERS, pair[0]))
                || path.iter().any(|segment| segment.starts_with(['~', '@']))
        };
        (is_listed(HOSTS, host) && !path.is_empty()) || (is_web && has_user())
    };
    if text.folded.iter().any(is_page) { Find::Strong } else { Find::Nothing }
}

#[cfg(test)]
mod tests {
    use super::super::Glance;
    use super::*;

    /// The pattern in a column of 200 notes, `n` of which are the given one.
    fn found(note: &str, n: usize) -> Option<(Pattern, u64)> {
        let others =
            ["stable", "no change", "follow up in 3 months", "seen 2024-01-31 at 10:30", "12/2020"];
        let rows: Vec<[&str; 1]> =
            (0..200).map(|row| [if row < n { note } else { others[row % 5] }]).collect();
        let glance = Glance::of_rows(&["x1"], &rows, &[]);
        inside(&glance.columns[0]).map(|found| (found.pattern, found.records))
    }

    #[test]
    fn one_contact_in_a_text_is_enough() {
        for (note, pattern) in [
            ("contact ada@example.org", Pattern::Email),
            ("SSN 039-10-0371", Pattern::NationalNumber),
            ("BSN: 111222333", Pattern::NationalNumber),
            ("call +49(0) 949567", Pattern::Phone),
            ("please call back 05571 431857", Pattern::Phone),
            ("Tel.: (04317) 593485", Pattern::Phone),
            ("Ehefrau anrufen 0221 4433556", Pattern::Phone),
            ("Rückruf 0221-4433556", Pattern::Phone),
            ("call 555-1234", Pattern::Phone),
            ("IBAN DE89 3704 0044 0532 0130 00", Pattern::Iban),
            ("NINO QQ123456C", Pattern::NationalNumber),
            ("born 1922-04-25", Pattern::BirthDate),
            ("geb. am 25. April 1962 in Ulm", Pattern::BirthDate),
            ("nacida; nacimiento 3/4/62", Pattern::BirthDate),
        ] {
            assert_eq!(found(note, 1), Some((pattern, 1)), "{note}");
        }
    }

    #[test]
    fn what_could_be_a_coincidence_needs_a_few_records() {
        for (note, pattern, least) in [
            ("moved, now 039-10-0371", Pattern::NationalNumber, 2),
            ("see +49 30 1234567", Pattern::Phone, 2),
            ("reach me at 555-123-4567", Pattern::Phone, 3),
            ("Ehefrau 0221 4433556", Pattern::Phone, 3),
            ("lives at 7045 Jason Circle Apt. 310", Pattern::Street, 2),
            ("wohnt in der Hauptstr. 5", Pattern::Street, 2),
            ("see https://twitter.com/ada", Pattern::Url, 2),
            ("paid from DE89 3704 0044 0532 0130 00", Pattern::Iban, 2),
        ] {
            assert_eq!(found(note, least - 1), None, "{note}");
            assert_eq!(found(note, least), Some((pattern, least as u64)), "{note}");
        }
    }

    #[test]
    fn other_texts_with_numbers_are_ordinary() {
        for note in [
            "called on 03/04/2024 08:30",
            "call 2 times in 2020-2021",
            "lives with 2 Children",
            "born in 1962",
            "part 12-345-6789 of 2020",
            "dose 500 mg 3x/day",
            "AB12 3456 7890",
            "room 12, bed 3",
            "see https://example.org/terms",
            "admitted 2020-01-31, discharged 2020-02-14",
            "account closed 2020-01-31",
            "AB123456C",
        ] {
            assert_eq!(found(note, 40), None, "{note}");
        }
    }
}
