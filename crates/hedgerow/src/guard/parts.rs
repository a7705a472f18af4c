//! Dates of birth that are divided into columns: a year, a month and a day.

use super::Reason;
use super::glance::Seen;
use super::series::Series;
use crate::letters;

/// A part of a date of birth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Year,
    Month,
    Day,
}

/// Words for a birth, without accents. Longer ones come first, so that they are taken as a whole.
const BIRTHS: [&str; 17] = [
    "birthdate",
    "geburtsdatum",
    "geboortedatum",
    "nascimento",
    "nacimiento",
    "naissance",
    "geboorte",
    "geburts",
    "nascita",
    "geburt",
    "birth",
    "naiss",
    "born",
    "nasc",
    "dob",
    "geb",
    "nac",
];
/// Words for parts of a date, with the usual abbreviations.
const YEARS: &str = "year yr y yy yyyy jahr j annee an ano anno jaar";
const MONTHS: &str = "month mon mo mth mnth m mm monat mois mes mese maand";
const DAYS: &str = "day dy d dd tag t jour dia giorno dag";
/// Whole names of such columns.
const NAMED_YEARS: &str = "yob byear byr birthyr yrob yofb";
const NAMED_MONTHS: &str = "mob bmonth bmon bmo bmth bmnth mofb";
const NAMED_DAYS: &str = "bday bdy dob dofb";
/// Words between them: `year_of_birth`, `annee_de_naissance`.
const BETWEEN: [&str; 8] = ["of", "date", "de", "di", "do", "data", "van", "s"];

/// Number of different years and days from which they can be those of births.
const LEAST_YEARS: usize = 5;
const LEAST_DAYS: usize = 13;
/// Share of records with a unique month of birth above which it is nearly unique, as for other
/// dates.
const ALONE: f64 = 0.9;

/// Returns the part of a date of birth that a column has, by its name and its values.
pub(super) fn part_of_birth(seen: &Seen) -> Option<Part> {
    let part = named(&seen.name)?;
    let numbers: Option<Vec<u32>> = seen.spellings.iter().map(|text| whole(text)).collect();
    let n_values = seen.spellings.len();
    let is_one = match (part, numbers) {
        (Part::Year, Some(years)) => {
            let is_year = |&year: &u32| year < 100 || (1850..2100).contains(&year);
            n_values >= LEAST_YEARS && years.iter().all(is_year)
        }
        (Part::Month, Some(months)) => {
            months.iter().all(|month| (1..=12).contains(month)) && n_values > 2
        }
        // Names of months are words.
        (Part::Month, None) => {
            (3..=12).contains(&n_values) && seen.spellings.iter().all(|t| is_word(t))
        }
        (Part::Day, Some(days)) => {
            days.iter().all(|day| (1..=31).contains(day)) && n_values >= LEAST_DAYS
        }
        (Part::Year | Part::Day, None) => false,
    };
    is_one.then_some(part)
}

/// A column that is published unchanged.
pub(super) struct Published<'a> {
    pub(super) seen: &'a Seen,
    /// Whether it has no role yet, so that it can be left out.
    pub(super) is_open: bool,
}

/// Columns that form dates of birth with others.
pub(super) struct Divided<'a> {
    /// The columns to leave out.
    pub(super) columns: Vec<&'a Seen>,
    pub(super) reason: Reason,
    /// Whether the dates are those of days.
    pub(super) is_exact: bool,
}

/// Returns the columns to leave out of those that form dates of birth together: days if there are a
/// year, a month and a day; months if there is no day and most records have a unique month, as for
/// a column of months. `is_whole` is whether all records were sampled.
pub(super) fn divided<'a>(columns: &[Published<'a>], is_whole: bool) -> Option<Divided<'a>> {
    let of = |part: Part| -> Vec<&Published<'a>> {
        columns.iter().filter(|column| part_of_birth(column.seen) == Some(part)).collect()
    };
    let parts = [of(Part::Day), of(Part::Month), of(Part::Year)];
    let [days, months, years] = &parts;
    let (Some(month), Some(year)) = (months.first(), years.first()) else { return None };
    let is_exact = !days.is_empty();
    let (alone, records) = alone_with(month.seen, year.seen);
    let is_alone = is_whole && alone as f64 > ALONE * records as f64;
    if !is_exact && !is_alone {
        return None;
    }
    // The finest part whose columns have no role yet.
    let is_open = |part: &&Vec<&Published<'a>>| !part.is_empty() && part.iter().all(|p| p.is_open);
    let chosen = parts.iter().find(is_open)?;
    let others = parts.iter().filter(|part| !std::ptr::eq(*part, chosen));
    let others =
        others.filter_map(|part| part.first()).map(|part| part.seen.name.clone()).collect();
    let reason = Reason::BirthParts { others, is_exact, alone, records };
    Some(Divided { columns: chosen.iter().map(|part| part.seen).collect(), reason, is_exact })
}

/// Number of sampled records whose month no other record has, and of those that have a month.
fn alone_with(month: &Seen, year: &Seen) -> (u64, u64) {
    let both = Series::joint(&[&month.series, &year.series]);
    let mut counts = vec![0u64; both.n_codes];
    both.codes.iter().flatten().for_each(|&code| counts[code as usize] += 1);
    let alone = counts.iter().filter(|&&count| count == 1).count() as u64;
    (alone, counts.iter().sum())
}

/// A whole number, also as it is written next to missing values: `7.0`.
fn whole(text: &str) -> Option<u32> {
    text.strip_suffix(".0").unwrap_or(text).parse().ok()
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_alphabetic() || c == '.')
}

/// The part of a date of birth that a name announces.
fn named(name: &str) -> Option<Part> {
    let words = letters::words(name);
    let whole = words.concat();
    let of = |lists: [&str; 3], word: &str| {
        let is_in = |list: &&str| list.split_whitespace().any(|known| known == word);
        let parts = [Part::Year, Part::Month, Part::Day];
        lists.iter().zip(parts).find(|(list, _)| is_in(list)).map(|(_, part)| part)
    };
    if let Some(part) = of([NAMED_YEARS, NAMED_MONTHS, NAMED_DAYS], &whole) {
        return Some(part);
    }
    let birth = BIRTHS.iter().find(|birth| whole.contains(**birth))?;
    let without = whole.replacen(*birth, "", 1);
    let mut rest = Some(without.as_str());
    // Words such as `of` are taken off until a word for a part of a date is left.
    while let Some(word) = rest {
        if let Some(part) = of([YEARS, MONTHS, DAYS], word) {
            return Some(part);
        }
        let strip = |of: &&str| word.strip_prefix(*of).or_else(|| word.strip_suffix(*of));
        rest = BETWEEN.iter().find_map(strip);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_births_are_known_in_seven_languages() {
        for (names, part) in [
            (
                "birth_year yearborn byear yob year_of_birth dob_y Geburtsjahr annee_naissance \
                 année_de_naissance anoNacimiento anno_di_nascita geboortejaar ano_nascimento geb.jahr",
                Part::Year,
            ),
            (
                "birth_month mnthborn bmon mob month_of_birth dob_mm Geburtsmonat mois_naissance \
                 mes_de_nacimiento mese_nascita geboortemaand mesNascimento",
                Part::Month,
            ),
            (
                "birth_day bday dob_day day_of_birth Geburtstag jour_naissance dia_nacimiento \
                 giorno_nascita geboortedag dia_nasc birthday",
                Part::Day,
            ),
        ] {
            for name in names.split_whitespace() {
                assert_eq!(named(name), Some(part), "{name}");
            }
        }
        for name in
            "year month day birthweight born60 birthplace mobile newborn dob_date".split(' ')
        {
            assert_eq!(named(name), None, "{name}");
        }
    }
}
