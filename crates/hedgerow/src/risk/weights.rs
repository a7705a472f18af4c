//! Sampling weights: how many members of the population each record represents.

use std::collections::BTreeMap;

use super::classes::Classes;
use crate::error::Advice;
use crate::table::{Code, Column, Table, Values};
use crate::{Error, Result};

/// The weight of each record of each cohort, read from a column.
pub(crate) fn of_cohorts(table: &Table, name: &str) -> Result<Vec<f64>> {
    let columns = table.all_columns();
    let Some(place) = columns.iter().position(|column| column.name == name) else {
        return Err(Error::unknown_column(name, columns.iter().map(|column| column.name.as_str())));
    };
    let column = &columns[place];
    let weights = weights_of(column)?;
    let cohorts = table.cohorts();
    let of_cohort = |cohort: crate::table::Cohort| {
        let code = cohorts.tuple(cohort)[place];
        let row = cohorts.first_rows[cohort.index()] + 1;
        if Some(code) == column.domain.missing_code() {
            let problem = format!("the weight in row {row} is missing");
            return Err(Error::column(name, problem).advise([must_be_positive()]));
        }
        let weight = weights[code.index()];
        if weight > 0.0 { Ok(weight) } else { Err(refused(column, code, row)) }
    };
    cohorts.all().map(of_cohort).collect()
}

/// The weight of each value. Two different whole numbers are read as categories, but they are
/// numbers in a column of weights.
fn weights_of(column: &Column) -> Result<Vec<f64>> {
    let domain = &column.domain;
    let weight = |place: usize| {
        let text = domain.values.spelling(place);
        let read = match &domain.values {
            Values::Number(scale) => Some(scale.value(place)),
            _ => text.trim().parse().ok(),
        };
        read.ok_or_else(|| {
            let problem =
                format!("the weights must be numbers, but the column has values such as '{text}'");
            Error::column(&column.name, problem)
        })
    };
    (0..domain.len()).map(weight).collect()
}

fn refused(column: &Column, code: Code, row: u64) -> Error {
    let value = column.domain.spelling(code);
    Error::column(&column.name, format!("the weight in row {row} is {value}"))
        .advise([must_be_positive()])
}

fn must_be_positive() -> Advice {
    Advice::words(
        "every weight must be a number above 0: how many members of the population the record \
         represents",
    )
}

/// The number of members of the population that all records represent together.
pub(super) fn total(table: &Table, of_cohort: &[f64]) -> f64 {
    match of_people(table, of_cohort) {
        Some(of_person) => of_person.into_values().sum(),
        None => weighted(table, of_cohort).sum(),
    }
}

/// The weight of each tuple, or of each person by code.
pub(super) fn of_tuples(table: &Table, classes: &Classes, of_cohort: &[f64]) -> Vec<f64> {
    // A person is one member of the sample, however many records they have.
    if let (Some(of_person), Some(person)) = (of_people(table, of_cohort), table.person()) {
        let codes = person.domain.codes();
        return codes.map(|code| of_person.get(&code).copied().unwrap_or(0.0)).collect();
    }
    let mut of_tuple = vec![0.0; classes.len()];
    for (&tuple, weight) in classes.of_cohort().iter().zip(weighted(table, of_cohort)) {
        of_tuple[tuple as usize] += weight;
    }
    of_tuple
}

/// The total weight of each cohort.
fn weighted(table: &Table, of_cohort: &[f64]) -> impl Iterator<Item = f64> {
    table.cohorts().counts.iter().zip(of_cohort).map(|(&count, weight)| count as f64 * weight)
}

/// The least weight of the records of each person, or `None` if every record is a different
/// person.
fn of_people(table: &Table, of_cohort: &[f64]) -> Option<BTreeMap<Code, f64>> {
    let mut of_person: BTreeMap<Code, f64> = BTreeMap::new();
    for (person, &weight) in table.people()?.into_iter().zip(of_cohort) {
        // The least weight gives the highest risk, which errs on the safe side.
        let least = of_person.entry(person).or_insert(weight);
        *least = least.min(weight);
    }
    Some(of_person)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_whole_numbers_are_weights_and_words_are_not() {
        let table = |weights: [&str; 2]| {
            let rows: Vec<[&str; 2]> = (0..40).map(|row| ["30", weights[row % 2]]).collect();
            Table::from_rows(&["age", "w"], &rows).unwrap()
        };
        let weights = of_cohorts(&table(["10", "20"]), "w").unwrap();
        assert_eq!(weights.iter().copied().fold(0.0, f64::max).to_string(), "20");
        let refused = of_cohorts(&table(["10", "many"]), "w").unwrap_err().to_string();
        assert!(refused.contains("such as 'many'"), "{refused}");
    }
}
