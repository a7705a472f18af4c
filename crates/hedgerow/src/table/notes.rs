//! Notes on how the columns of a table were read.

use super::domain::Values;
use super::numbers::have_doubtful_commas;
use super::{Column, Decimal, Table, strays, usual};
use crate::error::{Advice, Warning};

impl Table {
    /// What was recognized in the columns: spellings of missing values, and decimal commas.
    pub fn notes(&self) -> Vec<String> {
        let each = self.columns.iter().zip(self.recognized.iter());
        let notes = each.flat_map(|(column, found)| {
            [usual::note(column, found), decimal_comma(column), short_years(column)]
        });
        notes.flatten().collect()
    }

    /// Values that may mean something else than what they were read as: missing values among words,
    /// codes such as -99 among numbers, commas that may separate thousands, and a few words among
    /// numbers or dates.
    pub fn doubts(&self) -> Vec<Warning> {
        let of_column = |column: &Column| {
            let is_stated = self.stated.contains(&column.name);
            let stray = if is_stated { None } else { strays::doubt(column) };
            [usual::doubt(column).filter(|_| stray.is_none()), doubtful_commas(column), stray]
        };
        self.columns.iter().flat_map(of_column).flatten().collect()
    }
}

/// A note that the numbers of a column have a decimal comma.
fn decimal_comma(column: &Column) -> Option<String> {
    let scale = column.domain.values.scale()?;
    let has_comma = |place: &usize| scale.spelling(*place).contains(',');
    // Whole numbers have no comma to show, even in a column with a decimal comma.
    let place = (0..scale.len()).filter(|_| scale.decimal() == Decimal::Comma).find(has_comma)?;
    Some(format!(
        "column '{}' has a decimal comma, such as '{}'; its intervals are written as {}",
        column.name,
        scale.spelling(place),
        column.domain.values.interval("1,5", "2,5")
    ))
}

/// A note on the century of years with two digits.
fn short_years(column: &Column) -> Option<String> {
    let Values::Date(_, format) = &column.domain.values else { return None };
    let (first, last) = format.short_years()?;
    Some(format!(
        "the years of column '{}' have two digits and are read as {first} to {last}; for others, state the \
         last one in its date format: '{} until {}'",
        column.name,
        format.pattern(),
        last + 50
    ))
}

/// A warning about numbers such as `1,234`.
fn doubtful_commas(column: &Column) -> Option<Warning> {
    let Values::Text(texts) = &column.domain.values else { return None };
    let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
    let first = texts.iter().find(|text| text.contains(','))?;
    have_doubtful_commas(&texts).then(|| {
        let problem = format!(
            "column '{}': the comma of numbers such as '{first}' can be a decimal sign or separate \
             thousands, so they are read as text",
            column.name
        );
        Warning::new(problem).advise([
            Advice::StateDecimal,
            Advice::words("remove the commas between thousands from the input"),
        ])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_commas_are_said_and_thousands_doubted() {
        let table = Table::from_rows(&["x", "y"], &[["27,5", "1,234"], ["3", "12,500"]]).unwrap();
        let note = "column 'x' has a decimal comma, such as '27,5'; its intervals are written as \
                    [1,5; 2,5]";
        assert_eq!(table.notes(), [note]);
        let doubts = table.doubts();
        assert_eq!(doubts.len(), 1);
        assert!(
            doubts[0].to_string().starts_with("column 'y': the comma of numbers such as '1,234'")
        );
    }
}
