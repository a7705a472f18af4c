//! Renders the library's advice for the command line: each option is named by its flag.

use hedgerow::error::{Advice, Setting};

/// Returns a piece of advice followed by the flag of its option:
/// `allow more records to be suppressed (--suppress)`.
pub(crate) fn spell(advice: &Advice) -> String {
    match advice.setting() {
        Some(setting) => format!("{advice} ({})", flag(&setting)),
        None => advice.to_string(),
    }
}

/// The flag of an option: `--hierarchy age=METHOD`.
fn flag(setting: &Setting) -> String {
    let Setting { key, column, value, .. } = setting;
    match (column, value) {
        (Some(column), Some(value)) => format!("--{key} {}", quoted(&format!("{column}={value}"))),
        (None, Some(value)) => format!("--{key} {}", quoted(value)),
        (_, None) => format!("--{key}"),
    }
}

/// Quotes an argument for the shell if it needs quoting.
fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=:,.%/|".contains(c);
    if argument.chars().all(is_plain) && !argument.is_empty() {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', r"'\''"))
    }
}

/// Returns the message of an error, with its advice spelled as flags.
pub(crate) fn message(error: &anyhow::Error) -> String {
    match error.downcast_ref::<hedgerow::Error>() {
        Some(error) => error.message(&spell),
        None => format!("{error:#}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_named_by_its_flag() {
        let advice = Advice::ListAsMissing { value: Some("not known".to_owned()) };
        assert_eq!(
            spell(&advice),
            "list 'not known' as a missing value if it means that (--na 'not known')"
        );
    }
}
