//! Renders the library's advice for the command line: each option is named by its flag.

use hedgerow::error::{Advice, Setting, Undecided};

use crate::args::quoted_name;

/// Options whose values are lists.
const LISTS: [&str; 6] = ["quasi", "sensitive", "identifier", "keep", "drop", "na"];

/// Returns a piece of advice followed by the flag of its option:
/// `allow more records to be suppressed (--suppress)`.
pub(crate) fn spell(advice: &Advice) -> String {
    match (advice, advice.setting()) {
        (Advice::Together(all), _) => all.iter().map(spell).collect::<Vec<_>>().join(" and "),
        (Advice::Decide { columns }, _) => decide(columns),
        (Advice::KeepColumns { columns }, _) => of_columns(advice, "keep", columns),
        (Advice::DropColumns { columns }, _) => of_columns(advice, "drop", columns),
        // There are several flags for models, and the user knows which one was given.
        (Advice::AskForLess { .. }, _) | (_, None) => advice.to_string(),
        (_, Some(setting)) => format!("{advice} ({})", flag(&setting)),
    }
}

/// Returns a piece of advice about columns, followed by the flag with their list.
fn of_columns(advice: &Advice, key: &str, columns: &[String]) -> String {
    let names: Vec<&str> = columns.iter().map(String::as_str).collect();
    named(key, &names).map_or_else(|| advice.to_string(), |flag| format!("{advice} ({flag})"))
}

/// Returns the flags that decide about columns as suggested, ready to be added to the call.
fn decide(columns: &[Undecided]) -> String {
    // In this order: whose records they are, what identifies people, and columns that reveal
    // others.
    let flags = ["person", "identifier", "drop"].map(|key| {
        let of_key = columns.iter().filter(|found| found.key == key);
        named(key, &of_key.map(|found| found.column.as_str()).collect::<Vec<_>>())
    });
    let mut flags: Vec<String> = flags.into_iter().flatten().collect();
    let unnamed = columns.iter().find(|found| found.n_unnamed > 0);
    flags.extend(unnamed.map(|_| "--missing drop".to_owned()));
    let records = unnamed.map_or_else(String::new, |found| {
        format!(
            "--missing drop leaves out records with a missing value in '{name}' or a quasi-identifier; to keep \
             them, give each its person in the table, or leave the column out with {flag}: k then counts \
             records\n",
            name = found.column,
            flag = named("identifier", &[&found.column]).unwrap_or_default(),
        )
    });
    let these = if columns.len() == 1 { "it" } else { "them" };
    let quasi = columns.iter().filter(|found| found.or_quasi).map(|found| found.column.as_str());
    let generalized = named("quasi", &quasi.collect::<Vec<_>>())
        .map_or_else(String::new, |flag| format!("to generalize instead of leaving out: {flag}\n"));
    format!(
        "to leave {these} out, add\n  {}\n{records}{generalized}to publish a column as it is, knowingly: --keep COLUMN,..., or \
         --keep-others for all without a role",
        flags.join(" ")
    )
}

/// Returns a flag with its columns, or `None` without columns: `--drop street,city`.
pub(crate) fn named(key: &str, columns: &[&str]) -> Option<String> {
    let names: Vec<String> = columns.iter().map(|name| quoted_name(name)).collect();
    (!names.is_empty()).then(|| format!("--{key} {}", quoted(&names.join(","))))
}

/// Returns the flag of an option: `--hierarchy age=METHOD`.
pub(crate) fn flag(setting: &Setting) -> String {
    let Setting { key, column, value, .. } = setting;
    let dashes = if key.len() == 1 { "-" } else { "--" };
    match (column, value) {
        (Some(column), Some(value)) => {
            let column = quoted_name(column);
            format!("{dashes}{key} {}", quoted(&format!("{column}={value}")))
        }
        (None, Some(value)) => {
            // Lists are divided at commas.
            let value = if LISTS.contains(key) { quoted_name(value) } else { value.clone() };
            // A value that begins with a dash would be parsed as a flag.
            let sign = if value.starts_with('-') { '=' } else { ' ' };
            format!("{dashes}{key}{sign}{}", quoted(&value))
        }
        (_, None) => format!("{dashes}{key}"),
    }
}

/// Quotes an argument for the shell if it needs quoting.
pub(crate) fn quoted(argument: &str) -> String {
    // Characters that no shell treats specially, so that most commands can be copied without
    // quotes.
    let is_plain = |c: char| c.is_alphanumeric() || "-_=:,.%/|".contains(c);
    if argument.chars().all(is_plain) && !argument.is_empty() {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', r"'\''"))
    }
}

/// Like [`spell`], but for `hedgerow hierarchy`, where a hierarchy method is chosen with
/// `--method`.
pub(crate) fn spell_for_hierarchy(advice: &Advice) -> String {
    match advice {
        Advice::OtherHierarchyMethod { methods, .. } => {
            let method = methods.first().map_or("METHOD", String::as_str);
            format!("{advice} (--method {method})")
        }
        other => spell(other),
    }
}

/// Returns the message of an error, with its advice spelled as flags.
pub(crate) fn message(error: &anyhow::Error, spell: &dyn Fn(&Advice) -> String) -> String {
    match error.downcast_ref::<hedgerow::Error>() {
        Some(error) => error.message(spell) + &in_quotes(error),
        None => format!("{error:#}"),
    }
}

/// Advises to quote a name with a comma, if a part of it was used as the name of a column, or to
/// state the delimiter, if a name is a line of names.
fn in_quotes(error: &hedgerow::Error) -> String {
    let hedgerow::Error::UnknownColumn { name, columns, .. } = error else {
        return String::new();
    };
    let has_part = |own: &&String, delimiter: char| {
        own.contains(delimiter) && own.split(delimiter).any(|part| part.trim() == name.as_str())
    };
    let is_line = |delimiter: &char| match delimiter {
        // A comma can be part of a name if there are several columns, or if a space follows it.
        ',' => columns.len() == 1 && !columns[0].contains(", "),
        // So can another character, if only one of several names has it.
        other => {
            let n_with = columns.iter().filter(|own| own.contains(*other)).count();
            columns.len() == 1 || n_with > 1
        }
    };
    let of_lines = [';', '\t', '|', ','].into_iter().filter(is_line);
    for delimiter in of_lines {
        if columns.iter().any(|own| has_part(&own, delimiter)) {
            let flag = quoted(&if delimiter == '\t' { "tab".to_owned() } else { delimiter.into() });
            return format!(
                "; the first line was divided at another character: state the delimiter (--delimiter \
                 {flag})"
            );
        }
    }
    columns.iter().find(|own| has_part(own, ',')).map_or_else(String::new, |own| {
        format!("; write a name with a comma in quotes: {}", quoted(&quoted_name(own)))
    })
}

#[cfg(test)]
mod tests {
    use hedgerow::schema::{Role, Schema};

    use super::*;

    #[test]
    fn a_part_of_a_name_with_a_comma_says_how_to_quote_it() {
        let header = ["age, years", "sex"].map(str::to_owned);
        let unknown = |name: &str| {
            let error = Schema::new(&header, &[(name, Role::Quasi)]).unwrap_err();
            message(&anyhow::Error::from(error), &spell)
        };
        let told = unknown("age");
        assert!(
            told.ends_with("; write a name with a comma in quotes: '\"age, years\"'"),
            "{told}"
        );
        assert!(unknown("years").contains("in quotes") && !unknown("town").contains("in quotes"));
    }

    #[test]
    fn a_part_of_a_whole_line_says_to_state_the_delimiter() {
        let told = |header: &[&str], name: &str| {
            let header: Vec<String> = header.iter().map(|&name| name.to_owned()).collect();
            let error = Schema::new(&header, &[(name, Role::Quasi)]).unwrap_err();
            message(&anyhow::Error::from(error), &spell)
        };
        for (header, name, delimiter) in [
            (&["age;sex;zip"][..], "sex", "';'"),
            (&["age,sex,zip"], "age", ","),
            (&["age\tsex"], "sex", "tab"),
            (&["name", "first;name", "last;age"], "age", "';'"),
        ] {
            let told = told(header, name);
            let flag = format!("state the delimiter (--delimiter {delimiter})");
            assert!(told.ends_with(&flag) && !told.contains("in quotes"), "{told}");
        }
        assert!(told(&["age, years"], "age").contains("in quotes"));
        assert!(!told(&["age;sex"], "town").contains("delimiter"));
    }

    #[test]
    fn several_columns_are_one_list() {
        let columns = vec!["a".to_owned(), "b, c".to_owned()];
        assert_eq!(spell(&Advice::DropColumns { columns }), "leave them out (--drop 'a,\"b, c\"')");
    }

    #[test]
    fn an_option_is_named_by_its_flag() {
        let advice = Advice::ListAsMissing { value: Some("not known".to_owned()) };
        assert_eq!(
            spell(&advice),
            "list 'not known' as a missing value if it means that (--na 'not known')"
        );
    }

    #[test]
    fn a_value_is_not_taken_for_a_flag() {
        let advice = Advice::ListAsMissing { value: Some("--".to_owned()) };
        assert!(spell(&advice).ends_with("(--na=--)"), "{}", spell(&advice));
        let least = hedgerow::error::Portion { records: 307, of: 1500 };
        let advice = Advice::AllowSuppression { least: Some(least) };
        assert_eq!(spell(&advice), "allow 307 of 1500 records to be suppressed (--suppress 0.205)");
    }

    #[test]
    fn each_option_that_belongs_together_is_named() {
        let advice = Advice::Together(vec![Advice::NameOutput, Advice::ChooseK]);
        assert_eq!(
            spell(&advice),
            "name the file to write (--output FILE) and choose k, often 5 (-k 5)"
        );
    }
}
