//! Columns of text in which nearly all values are numbers or dates.

use super::date_search;
use super::domain::Values;
use super::missing::is_usual;
use super::scale::{MOST, read_number_as};
use super::{Column, Decimal};
use crate::error::{Advice, Warning};
use crate::noun::counted;

/// Share of the records whose values must be numbers, or dates.
const SHARE: f64 = 0.9;
/// The same, if only a few other values repeat, such as `#N/A` and `unknown`.
const SHARE_OF_REPEATED: f64 = 0.5;
/// Maximum number of other values that repeat.
const MOST_REPEATED: usize = 3;
/// Least number of distinct numbers or dates.
const FEWEST: usize = 3;
/// Least number of distinct numbers or dates next to values that repeat. Answers such as 1, 2, 3
/// and `more` have fewer.
const FEWEST_BESIDE_REPEATED: usize = 10;
/// Maximum number of other values that a message shows.
const MOST_SHOWN: usize = 5;
/// Maximum number of characters of a value that a message shows.
const SHOWN: usize = 20;

/// Returns a warning if a few other values make the numbers or dates of a column text.
pub(super) fn doubt(column: &Column) -> Option<Warning> {
    let Values::Text(texts) = &column.domain.values else { return None };
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
    let sign = |sign: Decimal| move |text: &str| read_number_as(text, sign).is_some();
    let numbers = [Decimal::Point, Decimal::Comma].map(|point| strays(column, &texts, sign(point)));
    let [point, comma] = numbers;
    let dates = || {
        let format = date_search::most_frequent(&texts);
        strays(column, &texts, |text: &str| format.reads(text))
    };
    // However many they are, nothing but their size makes them text.
    let endless = || {
        let is_number = |text: &&&str| sign(Decimal::Point)(text) || is_usual(text);
        let found: Vec<usize> =
            (0..texts.len()).filter(|&place| !is_number(&&texts[place])).collect();
        let is_endless = |&place: &usize| is_infinite(texts[place]);
        (found.len() < texts.len() && found.iter().all(is_endless)).then_some(found)
    };
    let of_kind = |kind: &'static str| move |found: Vec<usize>| (kind, found);
    let (kind, found) = (point.map(of_kind("numbers")))
        .or_else(|| comma.map(of_kind("numbers")))
        .or_else(|| endless().filter(|found| !found.is_empty()).map(of_kind("numbers")))
        .or_else(|| dates().map(of_kind("dates")))?;
    Some(warning(column, kind, &found))
}

/// Returns the values that cannot be read, if nearly all records have others.
fn strays(column: &Column, texts: &[&str], is_read: impl Fn(&str) -> bool) -> Option<Vec<usize>> {
    let counts = &column.domain.counts;
    let n_records = counts.iter().sum::<u64>() as f64;
    let (mut found, mut n_strays) = (Vec::new(), 0);
    for (place, text) in texts.iter().enumerate() {
        if is_read(text) {
            continue;
        }
        found.push(place);
        n_strays += counts[place];
        let share = if found.len() <= MOST_REPEATED { SHARE_OF_REPEATED } else { SHARE };
        // Columns of words end here, after a few of their values.
        if n_strays as f64 > (1.0 - share) * n_records {
            return None;
        }
    }
    let n_read = texts.len() - found.len();
    let is_rare = n_strays as f64 <= (1.0 - SHARE) * n_records;
    let fewest = if is_rare { FEWEST } else { FEWEST_BESIDE_REPEATED };
    (!found.is_empty() && n_read >= fewest).then_some(found)
}

/// Returns the number of a text that represents all numbers beyond it: `90` of `90+` and `>=90`.
fn open_end(text: &str) -> Option<&str> {
    let text = text.trim();
    let number = text.strip_suffix('+').or_else(|| text.strip_prefix(['<', '>', '≤', '≥']))?;
    let number = number.strip_prefix('=').unwrap_or(number).trim();
    read_number_as(number, Decimal::Point).map(|_| number)
}

/// Whether a text is an infinite number, or one that is too large to be read.
fn is_infinite(text: &str) -> bool {
    text.trim().parse::<f64>().is_ok_and(|number| number.abs() >= MOST)
}

fn warning(column: &Column, kind: &str, found: &[usize]) -> Warning {
    let domain = &column.domain;
    let spelt = |&code: &usize| domain.values.spelling(code).trim().to_owned();
    let shown = |code: &usize| {
        let text = spelt(code);
        let start: String = text.chars().take(SHOWN).collect();
        let more = if start.len() < text.len() { "..." } else { "" };
        format!("'{start}{more}' ({})", counted(domain.counts[*code], "record"))
    };
    let mut each: Vec<String> = found.iter().take(MOST_SHOWN).map(shown).collect();
    let n_more = found.len().saturating_sub(MOST_SHOWN);
    each.extend((n_more > 0).then(|| format!("and {}", counted(n_more, "other value"))));
    let problem = format!(
        "column '{}' is read as text, because {} cannot be read, although all other values are {kind}",
        column.name,
        each.join(", ")
    );
    let remedy = |code: &usize| {
        let text = spelt(code);
        match open_end(&text) {
            // An age of `90+` is known, so it must not become a missing value.
            Some(number) => Advice::words(format!("write '{number}' for '{text}'")),
            None => Advice::ListAsMissing { value: Some(text) },
        }
    };
    // Many different values do not all mean that none is known.
    let remedies = found.iter().take(MOST_SHOWN).filter(|_| n_more == 0).map(remedy);
    let text = Advice::StateKind { column: column.name.clone(), kind: "text" };
    Warning::new(problem).advise(remedies.chain([Advice::words("correct the input"), text]))
}

#[cfg(test)]
mod tests {
    use crate::table::{Columns, Encoding, Kind, Table};

    fn doubts(
        stray: &[&str],
        others: impl Fn(usize) -> String,
        encoding: &Encoding,
    ) -> Vec<String> {
        let others = (0..60).map(|row| [others(row)]);
        let rows: Vec<[String; 1]> =
            stray.iter().map(|&text| [text.to_owned()]).chain(others).collect();
        let table = Table::encode(&Columns::quasi(&["x"]), &rows, encoding).unwrap();
        table.doubts().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn one_word_among_numbers_is_named_with_its_remedies() {
        let said = doubts(&["unknown"], |row| row.to_string(), &Encoding::default());
        let wanted = "column 'x' is read as text, because 'unknown' (1 record) cannot be read, although \
                      all other values are numbers; list 'unknown' as a missing value if it means that, \
                      correct the input, or state that 'x' holds values of the kind text";
        assert_eq!(said, [wanted]);
        let dates =
            doubts(&["soon"], |row| format!("2020-01-{:02}", row % 28 + 1), &Encoding::default());
        assert!(
            dates[0].contains("'soon' (1 record)") && dates[0].contains("are dates"),
            "{dates:?}"
        );
        let commas = doubts(&["viel"], |row| format!("{row},5"), &Encoding::default());
        assert!(commas[0].contains("are numbers"), "{commas:?}");
    }

    #[test]
    fn several_odd_values_among_numbers_are_said_too() {
        let odd = ["5'7\"", "6'", "5 ft", "five", "0.0.1", "1m80"];
        let said = doubts(&odd, |row| (60 + row).to_string(), &Encoding::default());
        assert!(said[0].contains("and 1 other value cannot be read"), "{said:?}");
        assert!(!said[0].contains("missing value"), "{said:?}");
    }

    #[test]
    fn markers_that_repeat_are_said_however_frequent_they_are() {
        let often = |row: usize| {
            if row.is_multiple_of(4) { "unbekannt".to_owned() } else { row.to_string() }
        };
        let said = doubts(&[], often, &Encoding::default());
        assert!(said[0].contains("'unbekannt' (15 records) cannot be read"), "{said:?}");
        let answers = |row: usize| ["1", "2", "3", "more"][row % 4].to_owned();
        assert!(doubts(&[], answers, &Encoding::default()).is_empty());
    }

    #[test]
    fn an_open_end_is_not_called_missing() {
        let said = doubts(&["90+", "<1"], |row| row.to_string(), &Encoding::default());
        assert!(said[0].contains("write '90' for '90+'"), "{said:?}");
        assert!(!said[0].contains("missing"), "{said:?}");
    }

    #[test]
    fn infinite_numbers_are_named_however_many_they_are() {
        for infinite in ["inf", "-Infinity", "1e999"] {
            let half = |row: usize| {
                if row.is_multiple_of(2) { infinite.to_owned() } else { row.to_string() }
            };
            let said = doubts(&["NaN"], half, &Encoding::default());
            assert!(said.iter().any(|said| said.contains(&format!("'{infinite}'"))), "{said:?}");
        }
    }

    #[test]
    fn words_and_stated_kinds_are_not_doubted() {
        let number = |row: usize| row.to_string();
        let words = ["a", "b", "c", "d", "e", "f", "g"];
        assert!(doubts(&words, number, &Encoding::default()).is_empty());
        let text = Encoding { kinds: [("x".to_owned(), Kind::Text)].into(), ..Encoding::default() };
        assert!(doubts(&["unknown"], number, &text).is_empty());
        assert!(doubts(&["unknown"], |row| (row % 2).to_string(), &Encoding::default()).is_empty());
    }
}
