//! Rows of totals, which spreadsheets put below their records.

use super::Column;
use super::domain::Values;
use crate::error::{Advice, Warning};
use crate::letters;

/// Words that name a row of totals or means in English, German, French, Spanish, Italian, Dutch and
/// Portuguese, without accents.
const TOTALS: &str = "total totals grandtotal subtotal summe gesamt insgesamt gesamtsumme \
                      totalgeneral totaux somme totale totaal suma soma overall \
                      mean average mittelwert durchschnitt moyenne media promedio gemiddelde";
/// Least number of records in which one of them is a total. In a smaller table it may be a value
/// like any other.
const FEWEST: u64 = 20;

/// Returns a warning if exactly one record has the name of a total as its value.
pub(super) fn doubt(column: &Column) -> Option<Warning> {
    let Values::Text(texts) = &column.domain.values else { return None };
    let counts = &column.domain.counts;
    if counts.iter().sum::<u64>() < FEWEST {
        return None;
    }
    let is_total = |&code: &usize| counts[code] == 1 && names_a_total(&texts[code]);
    let mut found = (0..texts.len()).filter(is_total);
    let total = found.next().filter(|_| found.next().is_none())?;
    let problem = format!(
        "column '{}': the value '{}' of one record may name a row of totals, which is not the record of a person",
        column.name,
        texts[total].trim()
    );
    Some(Warning::new(problem).advise([Advice::words("remove that row from the input")]))
}

fn names_a_total(text: &str) -> bool {
    let words = letters::words(text).concat();
    matches!(text.trim(), "Σ" | "∑" | "Ø") || letters::is_listed(TOTALS, &words)
}

#[cfg(test)]
mod tests {
    use crate::table::{Columns, Encoding, Table};

    fn doubts(last: &str) -> Vec<String> {
        let others = (0..30).map(|row| [["north", "south", "west"][row % 3]]);
        let rows: Vec<[&str; 1]> = others.chain([[last]]).collect();
        let table = Table::encode(&Columns::quasi(&["town"]), &rows, &Encoding::default()).unwrap();
        table.doubts().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_row_of_totals_is_named() {
        for last in ["TOTAL", "Grand total", "Total général", "Summe:", "Σ"] {
            let said = doubts(last);
            assert!(said.len() == 1 && said[0].contains("may name a row of totals"), "{said:?}");
        }
        assert!(doubts("east").is_empty());
    }
}
