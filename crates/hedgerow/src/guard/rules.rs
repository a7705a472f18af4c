//! Rules about single columns: those that identify people directly, and those that reveal a
//! quasi-identifier.

use super::Reason;
use super::births::{are_births, are_exact};
use super::determine::{Grouped, Leak, Restored, VALUE};
use super::exact::EXACT;
use super::fused::{Household, household};
use super::glance::{Counts, Glance, Seen};
use super::inside::inside;
use super::measured::are_measured;
use super::names::{
    Meaning, announces_number, is_of_another, is_of_group, is_plain_identifier, meaning,
};
use super::owned::owned;
use super::patterns::{Pattern, are_coordinates, pattern_of};
use super::person_names::{ARE_USERS, Evidence, MAY_BE_USERS, are_names, share_of_users};
use super::texts::pattern_of_distinct;
use super::titles::have_titles;
use crate::table::{Kind, are_postal_codes};

/// Minimum number of records for shares of them to be meaningful.
const LEAST_RECORDS: u64 = 20;
/// Minimum number of records for text to be called nearly unique, and for values to be called the
/// numbers of rows.
const FEWEST_RECORDS: u64 = 5;
/// Share of records with a value that no other has above which text is nearly unique.
const UNIQUE_TEXT: f64 = 0.5;
/// The same for numbers and dates, which are often unique without identifying a person.
const UNIQUE_NUMBER: f64 = 0.9;
/// The same for words in columns with the name of a quasi-identifier, which is a warning.
const OFTEN_ALONE: f64 = 0.2;
/// Number of records for each value from which the name of a column is not taken as evidence of a
/// contact or a document: `phone` with the values yes and no.
const RECORDS_PER_VALUE: u64 = 10;
/// Number of records for each person from which records are not people, where only the values
/// suggest it.
const RECORDS_PER_PERSON: f64 = 1.5;
/// Number of different values up to which the name of something is a category, if each has this
/// number of records.
const FEW_NAMES: u64 = 20;
const RECORDS_PER_NAME: u64 = 5;
/// Whole numbers below this are not contacts or documents.
const LEAST_CONTACT: f64 = 100_000.0;
/// Number of different values from which numbers are not those of people within a household or a
/// group.
const MANY_PEOPLE: u64 = 100;
/// The part of the records up to which an estimated number of values means that values repeat.
const REPEATED: f64 = 0.9;

/// The greatest share of rows without a number, where numbers are those of rows.
const UNNUMBERED: f64 = 0.1;
/// Share of different whole numbers that one record must have if they number the records.
const DIFFERENT: f64 = 0.99;
/// Number of pairs of equal numbers that would be expected by chance, and the part of them that
/// there may be.
const LEAST_PAIRS: f64 = 5.0;
const PAIRS_LEFT: f64 = 0.1;
/// Share of whole numbers that must have the same number of digits, and that may end in 0.
const SAME_LENGTH: f64 = 0.95;
const ROUNDED: f64 = 0.25;
/// The greatest range of numbers of people, for each of them.
const RANGE_PER_PERSON: f64 = 20.0;
/// Share of values that must be points in time.
const TIMES: f64 = 0.9;

/// The greatest number of records for each person, and the smallest number of people, where only
/// the values suggest that a column numbers people.
const MOST_RECORDS_PER_PERSON: u64 = 100;
const FEWEST_PEOPLE: u64 = 30;
/// Share of the records that must have the same text in two columns.
const COPIED: f64 = 0.9;
/// Number of households from which numbers of them are not categories.
const FEWEST_HOUSEHOLDS: u64 = 10;
/// Fewer values than this, each in more records than this, are categories rather than people.
const FEW: u64 = 20;

/// Returns the reason that a column identifies people directly.
pub(super) fn identifies(glance: &Glance, seen: &Seen) -> Option<Reason> {
    let (n_present, n_distinct) = (seen.counts.present, seen.counts.distinct);
    if n_present == 0 {
        return None;
    }
    if let Some(reason) = numbers_households(seen) {
        return Some(reason);
    }
    if let Some(reason) = is_called_identifying(seen) {
        return Some(reason);
    }
    // A postal code can have the form of a phone number, or of a number plate.
    let distinct: Vec<&str> = seen.spellings.iter().map(AsRef::as_ref).collect();
    let is_postal = are_postal_codes(&seen.name, &distinct);
    let pattern = pattern_of(&seen.present()).filter(|_| !is_postal);
    if let Some((pattern, share)) = pattern {
        return Some(Reason::Pattern { pattern, share });
    }
    if let Some(reason) = contains(glance, seen).filter(|_| !is_postal) {
        return Some(reason);
    }
    if are_births(seen) {
        return Some(Reason::BirthDates { n_distinct });
    }
    if names_rows(seen) || is_row_number(glance, seen) {
        return Some(Reason::RowNumber);
    }
    let are_names = are_names(seen).is_some_and(Evidence::is_strong)
        || (seen.kind == Kind::Text && have_titles(&seen.spellings));
    if are_names {
        return Some(Reason::PersonNames { has_first_names: true });
    }
    if seen.kind == Kind::Text && share_of_users(&seen.spellings) >= ARE_USERS {
        return Some(Reason::MayBeNames);
    }
    let is_text = seen.kind == Kind::Text && !is_postal;
    if let Some(pattern) = pattern_of_distinct(&distinct).filter(|_| is_text) {
        return Some(Reason::Pattern { pattern, share: 1.0 });
    }
    let is_word = matches!(seen.kind, Kind::Text | Kind::Code) && !are_measured(seen);
    is_nearly_unique(seen).filter(|_| is_word || numbers_records(seen))
}

/// Returns the reason that a quasi-identifier names people, so that sets of its values would still
/// name them.
///
/// Places, dates and addresses of computers become ranges, groups and prefixes, which do not.
pub(super) fn names_people(glance: &Glance, seen: &Seen) -> Option<Reason> {
    let is_called_quasi = matches!(meaning(&seen.name), Some((Meaning::Quasi, _)));
    identifies(glance, seen).filter(|reason| match reason {
        Reason::Name { .. } | Reason::Contains { .. } => true,
        // Names of places and languages are also those of people.
        Reason::PersonNames { .. } => !is_called_quasi,
        Reason::Pattern { pattern, .. } => {
            !matches!(pattern, Pattern::Coordinates | Pattern::Ip | Pattern::Street)
        }
        _ => false,
    })
}

/// Returns the reason that the name of a column identifies people, unless its values contradict.
fn is_called_identifying(seen: &Seen) -> Option<Reason> {
    let (n_present, n_distinct) = (seen.counts.present, seen.counts.distinct);
    // Values in many records each are categories, such as yes and no.
    let is_shared = |records: u64| n_present >= LEAST_RECORDS && n_present >= records * n_distinct;
    match meaning(&seen.name)? {
        // Two values do not name people, even under a name for names.
        (Meaning::Name, word) if n_distinct > 2 || n_present < 10 => Some(Reason::Name { word }),
        (Meaning::NameOf, word) if !is_shared(RECORDS_PER_NAME) || n_distinct > FEW_NAMES => {
            Some(Reason::Name { word })
        }
        (Meaning::Person, word) if !are_categories(seen) => Some(Reason::Name { word }),
        (Meaning::Identifier, word)
            if (!is_shared(RECORDS_PER_VALUE) || n_distinct > 50) && !is_amount(seen) =>
        {
            Some(Reason::Name { word })
        }
        (Meaning::Coordinate, _) if are_coordinates(&seen.present()) => {
            Some(Reason::Pattern { pattern: Pattern::Coordinates, share: 1.0 })
        }
        _ => None,
    }
}

/// Whether a column has the names of the rows: a first column without a name, as R writes it, is
/// called `row`. A row without a name does not matter.
fn names_rows(seen: &Seen) -> bool {
    let is_different =
        seen.counts.present >= FEWEST_RECORDS && seen.counts.alone == seen.counts.present;
    let is_row =
        ["row", "rowname", "rownames", "row_names", "row.names"].contains(&seen.name.as_str());
    (is_row && is_different) || (seen.name.starts_with("row") && is_nearly_unique(seen).is_some())
}

/// Returns a reason if the name of a column is that of the number of a household, and the column
/// has enough values.
fn numbers_households(seen: &Seen) -> Option<Reason> {
    let (records, households) = (seen.counts.present, seen.counts.distinct);
    let (is_number, least) = match household(&seen.name)? {
        // Such a column can also count the members of a household, or have the families of plants.
        Household::Word => (seen.kind == Kind::Number && are_whole(seen), FEWEST_PEOPLE),
        Household::Number => (seen.kind != Kind::Number || are_whole(seen), FEWEST_HOUSEHOLDS),
    };
    let are_many = households >= least && records >= LEAST_RECORDS && records <= FEW * households;
    if !is_number || !are_many {
        return None;
    }
    let is_estimate = !seen.counts.is_exact;
    Some(if is_repeated(seen) {
        Reason::Household { households, records, is_estimate }
    } else {
        Reason::Name { word: seen.name.to_lowercase() }
    })
}

/// Returns a reason if texts contain direct identifiers, with the number of records that do.
fn contains(glance: &Glance, seen: &Seen) -> Option<Reason> {
    let found = inside(seen)?;
    let n_sampled = glance.rows.len() as u64;
    let is_estimate = n_sampled < glance.n_rows;
    let records = found.records * glance.n_rows / n_sampled.max(1);
    Some(Reason::Contains { pattern: found.pattern, records, is_estimate })
}

/// Whether numbers measure or count something rather than being a contact or the number of a
/// document: numbers with decimals, and small ones unless the name of the column has no other
/// meaning.
fn is_amount(seen: &Seen) -> bool {
    let is_small = |number: &f64| number.abs() < LEAST_CONTACT;
    let are_small = seen.series.numbers.iter().all(is_small) && !is_plain_identifier(&seen.name);
    seen.kind == Kind::Number && (!are_whole(seen) || are_small)
}

/// Whether few values with many records each are categories, such as a party in a column `PID`.
fn are_categories(seen: &Seen) -> bool {
    let (records, values) = (seen.counts.present, seen.counts.distinct);
    (values <= 2 && records >= 10) || (values < FEW && records > FEW * values)
}

/// Whether whole numbers are different for practically every record, and not because they measure
/// something: numbers from so narrow a range would repeat by chance, or nearly all have the same
/// length, from five digits on, and are not rounded.
fn numbers_records(seen: &Seen) -> bool {
    let counts = &seen.counts;
    let said = meaning(&seen.name).map(|(meaning, _)| meaning);
    let is_other = matches!(said, Some(Meaning::Quasi | Meaning::Sensitive | Meaning::Weight));
    let is_different = counts.present >= LEAST_RECORDS
        && counts.alone as f64 >= DIFFERENT * counts.distinct as f64;
    if seen.kind != Kind::Number || is_other || !is_different || !are_whole(seen) {
        return false;
    }
    // Pairs of equal numbers that are expected if numbers of this range are drawn at random.
    let n = counts.present as f64;
    let n_pairs = n * n / (2.0 * range(seen));
    let is_sparse = (counts.present - counts.alone) as f64 <= n_pairs * PAIRS_LEFT;
    (n_pairs >= LEAST_PAIRS && is_sparse)
        || (have_same_length(seen, 5) && share_rounded(seen) <= ROUNDED)
}

fn are_whole(seen: &Seen) -> bool {
    let is_whole = |number: &f64| number.fract().abs() < f64::EPSILON;
    !seen.series.numbers.is_empty() && seen.series.numbers.iter().all(is_whole)
}

/// Number of whole numbers from the least to the greatest.
fn range(seen: &Seen) -> f64 {
    let numbers = &seen.series.numbers;
    numbers.last().zip(numbers.first()).map_or(1.0, |(last, first)| last - first + 1.0)
}

/// Whether nearly all whole numbers have the same number of digits, `least` or more.
fn have_same_length(seen: &Seen, least: usize) -> bool {
    let length = |number: &f64| number.abs().max(1.0).log10().floor() as usize + 1;
    let mut n_of_length = [0usize; 400];
    for number in &seen.series.numbers {
        n_of_length[length(number).min(399)] += 1;
    }
    let most = n_of_length[least..].iter().copied().max().unwrap_or(0);
    most as f64 >= SAME_LENGTH * seen.series.numbers.len() as f64
}

/// The share of whole numbers that end in 0.
fn share_rounded(seen: &Seen) -> f64 {
    let numbers = &seen.series.numbers;
    let n_rounded = numbers.iter().filter(|number| number.rem_euclid(10.0) < 0.5).count();
    n_rounded as f64 / numbers.len().max(1) as f64
}

/// Returns a reason if most records have a value that no other has.
pub(super) fn is_nearly_unique(seen: &Seen) -> Option<Reason> {
    let (alone, records) = (seen.counts.alone, seen.counts.present);
    let share = seen.counts.share_alone();
    let kind = if are_measured(seen) { Kind::Number } else { seen.kind };
    let is_unique = match (kind, records) {
        (Kind::Text | Kind::Code, LEAST_RECORDS..) => share > UNIQUE_TEXT,
        // Of few records, a few more must be alone.
        (Kind::Text | Kind::Code, FEWEST_RECORDS..) => 2 * alone > records + 4,
        // Several decimals or a time of day are as exact as a text.
        (Kind::Number | Kind::Date, LEAST_RECORDS..) => {
            share > UNIQUE_NUMBER || (share > UNIQUE_TEXT && are_exact(seen))
        }
        _ => false,
    };
    let is_estimate = !seen.counts.is_exact;
    is_unique.then_some(Reason::NearlyUnique { share, alone, records, is_estimate, kind })
}

/// Returns a reason if many records have a unique word in a column with the name of a
/// quasi-identifier, such as the name of a small town.
pub(super) fn is_often_alone(seen: &Seen) -> Option<Reason> {
    let Counts { alone, present: records, .. } = seen.counts;
    let share = seen.counts.share_alone();
    let is_word = matches!(seen.kind, Kind::Text | Kind::Code) && !are_measured(seen);
    let is_called = matches!(meaning(&seen.name), Some((Meaning::Quasi, _)));
    let is_found = is_word && is_called && records >= LEAST_RECORDS && share >= OFTEN_ALONE;
    let (is_estimate, kind) = (!seen.counts.is_exact, seen.kind);
    is_found.then_some(Reason::NearlyUnique { share, alone, records, is_estimate, kind })
}

/// Returns a reason if the values have the form of names but no first name is known.
pub(super) fn has_form_of_names(seen: &Seen) -> Option<Reason> {
    match are_names(seen)? {
        strong if strong.is_strong() => None,
        Evidence::Form => Some(Reason::PersonNames { has_first_names: false }),
        _ => Some(Reason::MayBeNames),
    }
}

/// Returns a reason if the values may be names of users.
pub(super) fn may_be_users(seen: &Seen) -> Option<Reason> {
    let may_be = seen.kind == Kind::Text && share_of_users(&seen.spellings) >= MAY_BE_USERS;
    may_be.then_some(Reason::MayBeNames)
}

/// Returns a reason if the values distinguish people who have several records.
pub(super) fn tells_apart(glance: &Glance, seen: &Seen, person: &Seen) -> Option<Reason> {
    let is_partial = (glance.rows.len() as u64) < glance.n_rows;
    let owned = owned(seen, person, is_partial)?;
    let tells = match seen.kind {
        Kind::Text | Kind::Code => owned.share > UNIQUE_TEXT,
        // Amounts and dates of single records are often unique; a number of a person is constant.
        Kind::Number | Kind::Date => owned.share > UNIQUE_NUMBER && owned.is_constant,
    };
    tells.then(|| Reason::OnePersonEach { person: person.name.clone(), share: owned.share })
}

/// Whether every sampled value is the number of its row, counted from 0 or 1. Few may be missing.
fn is_row_number(glance: &Glance, seen: &Seen) -> bool {
    let offset = |(row, number): (&u64, &u32)| {
        let value: u64 = seen.spellings[*number as usize].parse().ok()?;
        value.checked_sub(*row)
    };
    let both = glance.rows.iter().zip(&seen.of_record);
    let present: Vec<(&u64, &u32)> =
        both.filter_map(|(row, number)| Some((row, number.as_ref()?))).collect();
    let n_missing = glance.rows.len() - present.len();
    let mut offsets = present.into_iter().map(offset);
    // Rows are counted from 0, so a number from 0 or 1 on has the offset 0 or 1.
    let first = offsets.next().flatten().filter(|&first| first < 2);
    seen.counts.present >= FEWEST_RECORDS
        && n_missing as f64 <= UNNUMBERED * glance.rows.len() as f64
        && first.is_some()
        && offsets.all(|offset| offset == first)
}

/// A quasi-identifier with its sample.
pub(super) struct Quasi<'a> {
    pub(super) seen: &'a Seen,
    pub(super) grouped: Grouped,
}

/// Returns the quasi-identifier that a column reveals, the value itself first.
pub(super) fn gives_away(seen: &Seen, column: &Grouped, quasi: &[Quasi<'_>]) -> Option<Reason> {
    if column.series.n_codes < 2 {
        return None;
    }
    let mut leaks: Vec<(Leak, usize, u64)> = (quasi.iter().enumerate())
        .filter_map(|(place, quasi)| {
            let restored = || {
                let leak = column.gives_away(&quasi.grouped)?;
                Some((leak, column.n_compared(&quasi.grouped)))
            };
            let (leak, records) = copies(seen, quasi.seen).or_else(restored)?;
            Some((leak, place, records))
        })
        .collect();
    // The order of the variants of `Restored` is that of their severity.
    leaks.sort_by_key(|(leak, place, _)| (leak.restored as u8, *place));
    let (Leak { restored, share }, place, records) = *leaks.first()?;
    Some(Reason::GivesAway { quasi: quasi[place].seen.name.clone(), restored, share, records })
}

/// Returns the information that a column reveals if it repeats the values of another, for any
/// number of records, and the number of records with both.
fn copies(seen: &Seen, quasi: &Seen) -> Option<(Leak, u64)> {
    let is_same = |(one, other): &&(u32, u32)| {
        let (one, other) = (&seen.spellings[*one as usize], &quasi.spellings[*other as usize]);
        one.eq_ignore_ascii_case(other)
    };
    let both = seen.of_record.iter().zip(&quasi.of_record);
    let both: Vec<(u32, u32)> = both.filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
    let same = both.iter().filter(is_same).count();
    let records = both.len() as u64;
    // Without the column, the most frequent value is guessed. Two columns that are mostly 0 agree
    // as often as that guess is right.
    let mut counts = vec![0; quasi.spellings.len()];
    both.iter().for_each(|&(_, own)| counts[own as usize] += 1);
    let known = counts.into_iter().max().unwrap_or(0);
    let share = same.saturating_sub(known) as f64 / (both.len() - known).max(1) as f64;
    let n_codes = quasi.series.n_codes;
    let is_copy =
        n_codes > 2 && same as f64 >= COPIED * both.len() as f64 && records >= FEWEST_RECORDS;
    let is_often = n_codes as u64 >= FEWEST_RECORDS && same as u64 >= LEAST_RECORDS;
    let restored = if share >= VALUE { Restored::Value } else { Restored::Exactly };
    let is_found = share >= EXACT && (is_copy || is_often);
    is_found.then_some((Leak { restored, share }, records))
}

/// Whether a column of any name seems to number people with several records: its values repeat and
/// restore several quasi-identifiers with far fewer values.
pub(super) fn looks_like_a_person(seen: &Seen, quasi: &[Quasi<'_>]) -> bool {
    let (records, people) = (seen.counts.present, seen.counts.distinct);
    let is_number = can_number_people(seen)
        && records as f64 >= RECORDS_PER_PERSON * people as f64
        && records <= MOST_RECORDS_PER_PERSON * people
        && people >= FEWEST_PEOPLE
        && !matches!(meaning(&seen.name), Some((Meaning::Quasi | Meaning::Sensitive, _)));
    if !is_number || quasi.len() < 2 {
        return false;
    }
    let column = Grouped::new(seen.series.clone());
    let is_restored = |quasi: &&Quasi<'_>| {
        let is_value = |leak: Leak| leak.restored == Restored::Value;
        2 * quasi.grouped.series.n_codes <= column.series.n_codes
            && column.gives_away(&quasi.grouped).is_some_and(is_value)
    };
    // The code of a place restores the region of the place, too.
    let is_code_of = |quasi: &Quasi<'_>| {
        let is_value = |leak: Option<Leak>| leak.is_some_and(|l| l.restored == Restored::Value);
        is_of_another(&quasi.seen.name)
            && is_value(column.gives_away(&quasi.grouped))
            && is_value(quasi.grouped.gives_away(&column))
    };
    !quasi.iter().any(is_code_of) && quasi.iter().filter(is_restored).count() > 1
}

/// Whether values can be names or numbers of people: not points in time, not numbers with decimals,
/// and not numbers that vary as measurements do, unless the name of the column announces a number.
fn can_number_people(seen: &Seen) -> bool {
    match seen.kind {
        Kind::Date => false,
        Kind::Text | Kind::Code => {
            let n_times = seen.spellings.iter().filter(|text| is_time(text)).count();
            (n_times as f64) < TIMES * seen.spellings.len() as f64
        }
        Kind::Number => {
            let is_narrow = range(seen) <= RANGE_PER_PERSON * seen.series.numbers.len() as f64;
            let is_regular = is_narrow || have_same_length(seen, 4);
            are_whole(seen) && (is_regular || announces_number(&seen.name))
        }
    }
}

/// Whether a text is a date with or without a time: `2013-01-01T10:00:00Z`.
fn is_time(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || "-/.: TZ+".contains(c);
    let n_digits = text.chars().filter(char::is_ascii_digit).count();
    n_digits >= 6 && text.contains(['-', '/', '.', ':']) && text.chars().all(is_part)
}

/// Whether the values of a column have few records each, or are too many to number the people of a
/// household or a group.
pub(super) fn can_be_people(seen: &Seen) -> bool {
    seen.counts.present <= FEW * seen.counts.distinct || seen.counts.distinct >= MANY_PEOPLE
}

/// Whether a column restores any quasi-identifier.
pub(super) fn restores_any(seen: &Seen, quasi: &[Quasi<'_>]) -> bool {
    let column = Grouped::new(seen.series.clone());
    quasi.iter().any(|quasi| column.gives_away(&quasi.grouped).is_some())
}

/// Returns a reason that calls a column a person with several rows.
pub(super) fn several_rows(seen: &Seen, n_rows: u64) -> Reason {
    let (records, people) = (seen.counts.present, seen.counts.distinct);
    let (unnamed, is_estimate) = (n_rows.saturating_sub(records), !seen.counts.is_exact);
    Reason::SeveralRowsPerPerson { people, records, unnamed, is_estimate }
}

/// Whether the name of a column is that of the number of a person and its values can be such
/// numbers.
pub(super) fn is_called_person(seen: &Seen) -> bool {
    let is_called = matches!(meaning(&seen.name), Some((Meaning::Person, _)));
    is_called && !is_of_group(&seen.name) && seen.counts.distinct > 2 && !are_categories(seen)
}

/// Whether the values are the numbers of people and repeat, however rarely.
pub(super) fn has_several_rows(seen: &Seen) -> bool {
    let is_enough = seen.counts.present >= LEAST_RECORDS;
    is_called_person(seen) && is_enough && is_repeated(seen)
}

/// Whether a value surely has several records: in the sample, or by a clear estimate.
fn is_repeated(seen: &Seen) -> bool {
    let counts = &seen.counts;
    let n_sampled = seen.of_record.iter().flatten().count();
    let is_estimated = (counts.distinct as f64) < REPEATED * counts.present as f64;
    seen.spellings.len() < n_sampled || is_estimated
}
