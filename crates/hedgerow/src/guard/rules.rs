//! Rules about single columns: what identifies people directly, and what gives a quasi-identifier
//! away.

use super::Reason;
use super::determine::{Grouped, Leak, Restored};
use super::glance::{Glance, Seen};
use super::names::{Meaning, meaning};
use super::owned::owned;
use super::patterns::{Pattern, are_coordinates, pattern_of};
use super::person_names::{Evidence, are_names};
use crate::table::Kind;

/// Number of records from which shares of them say something.
const LEAST_RECORDS: u64 = 20;
/// Number of records from which text that nearly everybody has alone can be nearly unique, and from
/// which values are the numbers of rows.
const FEWEST_RECORDS: u64 = 5;
/// Share of records that are alone with their value above which text is nearly unique.
const UNIQUE_TEXT: f64 = 0.5;
/// The same for numbers and dates, which are often unique without identifying a person.
const UNIQUE_NUMBER: f64 = 0.9;
/// Number of records for each value from which the name of a column is not taken as evidence of a
/// contact or a document: `phone` with the values yes and no.
const RECORDS_PER_VALUE: u64 = 10;
/// Number of records for each person from which records are not people.
const RECORDS_PER_PERSON: f64 = 1.5;

/// The greatest number of records for each person, and the smallest number of people, where only the
/// values say that a column numbers people.
const MOST_RECORDS_PER_PERSON: u64 = 100;
const FEWEST_PEOPLE: u64 = 30;
/// Share of the records that must have the same text in two columns.
const COPIED: f64 = 0.9;
/// Fewer values than this, each in more records than this, are categories rather than people.
const FEW: u64 = 20;

/// Returns why a column identifies people directly.
pub(super) fn identifies(glance: &Glance, seen: &Seen) -> Option<Reason> {
    let sketch = &seen.sketch;
    let (n_present, n_distinct) = (sketch.n_present(), sketch.n_distinct());
    if n_present == 0 {
        return None;
    }
    // Values in many records each are categories, such as yes and no.
    let is_shared = |records: u64| n_present >= LEAST_RECORDS && n_present >= records * n_distinct;
    let said = meaning(&seen.name);
    match said {
        // Two values do not name people, whatever the name says.
        Some((Meaning::Name | Meaning::Person, word)) if n_distinct > 2 || n_present < 10 => {
            return Some(Reason::Name { word });
        }
        Some((Meaning::Identifier, word)) if !is_shared(RECORDS_PER_VALUE) || n_distinct > 50 => {
            return Some(Reason::Name { word });
        }
        Some((Meaning::Coordinate, _)) if are_coordinates(&seen.present()) => {
            return Some(Reason::Pattern { pattern: Pattern::Coordinates });
        }
        _ => {}
    }
    if let Some(pattern) = pattern_of(&seen.present()) {
        return Some(Reason::Pattern { pattern });
    }
    // A first column without a name, as R writes the names of rows, is called `row`.
    let names_rows = seen.name.starts_with("row") && is_nearly_unique(seen).is_some();
    if names_rows || is_row_number(glance, seen) {
        return Some(Reason::RowNumber);
    }
    if are_names(seen) == Some(Evidence::FirstNames) {
        return Some(Reason::PersonNames { has_first_names: true });
    }
    is_nearly_unique(seen).filter(|_| matches!(seen.kind, Kind::Text | Kind::Code))
}

/// Returns a reason if most records are alone with their value.
pub(super) fn is_nearly_unique(seen: &Seen) -> Option<Reason> {
    let (alone, records) = (seen.sketch.n_alone(), seen.sketch.n_present());
    let share = seen.sketch.alone();
    let is_unique = match (seen.kind, records) {
        (Kind::Text | Kind::Code, LEAST_RECORDS..) => share > UNIQUE_TEXT,
        // Of few records, a few more must be alone.
        (Kind::Text | Kind::Code, FEWEST_RECORDS..) => 2 * alone > records + 4,
        (Kind::Number | Kind::Date, LEAST_RECORDS..) => share > UNIQUE_NUMBER,
        _ => false,
    };
    let is_estimate = !seen.sketch.is_exact();
    let kind = seen.kind;
    is_unique.then_some(Reason::NearlyUnique { share, alone, records, is_estimate, kind })
}

/// Returns a reason if the values have the form of names but no first name is known.
pub(super) fn has_form_of_names(seen: &Seen) -> Option<Reason> {
    let has_form = are_names(seen) == Some(Evidence::Form);
    has_form.then_some(Reason::PersonNames { has_first_names: false })
}

/// Returns a reason if the values tell people apart who have several records.
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

/// Whether every sampled value is the number of its row, counted from 0 or 1.
fn is_row_number(glance: &Glance, seen: &Seen) -> bool {
    let offset = |(row, number): (&u64, &Option<u32>)| {
        let value: u64 = seen.spellings[(*number)? as usize].parse().ok()?;
        value.checked_sub(*row)
    };
    let mut offsets = glance.rows.iter().zip(&seen.of_record).map(offset);
    // Rows are counted from 0, so a number from 0 or 1 on has the offset 0 or 1.
    let first = offsets.next().flatten().filter(|&first| first < 2);
    glance.n_rows >= FEWEST_RECORDS && first.is_some() && offsets.all(|offset| offset == first)
}

/// A quasi-identifier with what was seen of it.
pub(super) struct Quasi<'a> {
    pub(super) seen: &'a Seen,
    pub(super) grouped: Grouped,
}

/// Returns the quasi-identifier that a column gives away, the value itself first.
pub(super) fn gives_away(seen: &Seen, column: &Grouped, quasi: &[Quasi<'_>]) -> Option<Reason> {
    if column.series.n_codes < 2 {
        return None;
    }
    let mut leaks: Vec<(Leak, usize)> = (quasi.iter().enumerate())
        .filter_map(|(place, quasi)| {
            let leak = copies(seen, quasi.seen).or_else(|| column.gives_away(&quasi.grouped))?;
            Some((leak, place))
        })
        .collect();
    leaks.sort_by_key(|(leak, place)| (leak.restored as u8, *place));
    let (Leak { restored, share }, place) = *leaks.first()?;
    Some(Reason::GivesAway { quasi: quasi[place].seen.name.clone(), restored, share })
}

/// Returns what a column gives away that repeats the values of another, however few records there are.
fn copies(seen: &Seen, quasi: &Seen) -> Option<Leak> {
    let is_same = |(one, other): &&(u32, u32)| {
        let (one, other) = (&seen.spellings[*one as usize], &quasi.spellings[*other as usize]);
        one.eq_ignore_ascii_case(other)
    };
    let both = seen.of_record.iter().zip(&quasi.of_record);
    let both: Vec<(u32, u32)> = both.filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
    let same = both.iter().filter(is_same).count();
    let share = same as f64 / both.len().max(1) as f64;
    let is_copy = share >= COPIED && both.len() as u64 >= FEWEST_RECORDS;
    (is_copy && quasi.series.n_codes > 2).then_some(Leak { restored: Restored::Value, share })
}

/// Whether a column of any name seems to number people with several records: its values repeat and
/// restore several quasi-identifiers with far fewer values.
pub(super) fn looks_like_a_person(seen: &Seen, quasi: &[Quasi<'_>]) -> bool {
    let (records, people) = (seen.sketch.n_present(), seen.sketch.n_distinct());
    let is_whole = |number: &f64| number.fract().abs() < f64::EPSILON;
    let is_number = seen.series.numbers.iter().all(is_whole)
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
    quasi.iter().filter(is_restored).count() > 1
}

/// Whether the values of a column have few records each.
pub(super) fn has_few_rows_each(seen: &Seen) -> bool {
    seen.sketch.n_present() <= FEW * seen.sketch.n_distinct()
}

/// Whether a column restores any quasi-identifier.
pub(super) fn restores_any(seen: &Seen, quasi: &[Quasi<'_>]) -> bool {
    let column = Grouped::new(seen.series.clone());
    quasi.iter().any(|quasi| column.gives_away(&quasi.grouped).is_some())
}

/// Returns a reason that calls a column a person with several rows.
pub(super) fn several_rows(seen: &Seen) -> Reason {
    let (records, people) = (seen.sketch.n_present(), seen.sketch.n_distinct());
    Reason::SeveralRowsPerPerson { people, records }
}

/// Returns a reason if the values are the numbers of people and repeat.
pub(super) fn has_several_rows(seen: &Seen) -> Option<Reason> {
    if !matches!(meaning(&seen.name), Some((Meaning::Person, _))) {
        return None;
    }
    let (records, people) = (seen.sketch.n_present(), seen.sketch.n_distinct());
    if people < FEW && records > FEW * people {
        return None;
    }
    let repeats = people > 2 && records as f64 >= RECORDS_PER_PERSON * people as f64;
    (repeats && records >= LEAST_RECORDS).then(|| several_rows(seen))
}
