//! Messages of errors, and the information that is kept when one error contains another.

use std::path::Path;

use std::error::Error as _;

use super::*;

#[test]
fn a_misspelt_column_is_suggested() {
    let error = Error::unknown_column("Educaton_num", ["age", "education-num"].into_iter());
    assert_eq!(
        error.to_string(),
        "there is no column 'Educaton_num' (did you mean 'education-num'?); \
         the columns are 'age', 'education-num'"
    );
}

#[test]
fn advice_reaches_the_error_inside_a_file() {
    let path = Path::new("ages.csv");
    let error = Error::syntax(3, "a quote is never closed")
        .in_file(path)
        .advise([Advice::words("close it")]);
    assert_eq!(error.to_string(), "ages.csv: line 3: a quote is never closed; close it");
}

#[test]
fn an_error_about_a_file_is_not_wrapped_twice() {
    let path = Path::new("ages.csv");
    let error = Error::file(path, "the file is empty").in_file(Path::new("job.toml"));
    assert_eq!(error.to_string(), "ages.csv: the file is empty");
}

#[test]
fn the_error_of_the_system_is_the_source() {
    let cause = std::io::Error::from(std::io::ErrorKind::NotFound);
    let error = Error::io("open", Path::new("ages.csv"))(cause);
    assert!(error.source().is_some());
    let inner = Error::syntax(1, "this is not XML").in_file(Path::new("ages.xml"));
    assert_eq!(inner.source().map(ToString::to_string).as_deref(), Some("line 1: this is not XML"));
}
