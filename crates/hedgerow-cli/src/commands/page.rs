//! Help pages of methods, with the flags that select them.

use std::fmt::Write;

use hedgerow::method::{Description, Need, Parameter};
use hedgerow::registry::Registry;

use crate::advice;

/// Returns the flags that select a method of a registry; `NAME` is the method.
pub(super) fn usage(registry: Registry) -> &'static str {
    match registry {
        Registry::Anonymizer => "--method NAME",
        Registry::Hierarchy => "--hierarchy COLUMN=NAME",
        Registry::Privacy => "--privacy NAME",
        Registry::Loss => "--loss NAME",
        Registry::SetLoss => "reported with --method traversal",
        Registry::Risk => "hedgerow risk TABLE --model NAME",
        Registry::Format => "--from NAME, --to NAME",
        Registry::Attack => "--attack NAME",
    }
}

/// Returns the help page of a method.
pub(super) fn page(registry: Registry, method: &Description) -> String {
    let Description { name, about, reference, needs, parameters } = method;
    let mut text = format!("{name} ({}): {about}\n\n", registry.noun());
    let usage = usage(registry).replace("NAME", name);
    // A usage line that can be copied should not invite parameters that do not exist.
    let with = if parameters.is_empty() { "" } else { ":parameter=value,..." };
    let _ = writeln!(text, "usage      {usage}{with}");
    let recoding = hedgerow::anonymize::recoding(name);
    // A name can occur in several registries, but only anonymizers recode.
    if let (Registry::Anonymizer, Some(recoding)) = (registry, recoding) {
        let _ = writeln!(text, "recoding   {recoding}");
    }
    for need in *needs {
        let _ = writeln!(text, "needs      {need}{}", flag(*need));
    }
    if let Some(reference) = reference {
        let _ = writeln!(text, "reference  [{reference}] in docs/references.md");
    }
    match parameters {
        [] => text.push_str("\nIt has no parameters.\n"),
        _ => text.push_str("\nParameters:\n"),
    }
    for parameter in *parameters {
        let _ = writeln!(text, "  {:<14} {}", names(parameter), parameter.about);
        let _ = writeln!(text, "  {:<14} {}{}", "", parameter.kind, note(parameter));
    }
    text
}

/// Returns the flag that satisfies a need of a method, in parentheses, or an empty text if there is
/// none.
fn flag(need: Need) -> String {
    let setting = need.advice().and_then(|advice| advice.setting());
    setting.map_or_else(String::new, |setting| format!(" ({})", advice::flag(&setting)))
}

fn names(parameter: &Parameter) -> String {
    match parameter.alias {
        Some(alias) => format!("{}, {alias}", parameter.name),
        None => parameter.name.to_owned(),
    }
}

fn note(parameter: &Parameter) -> String {
    match parameter.default {
        // A required parameter has no default worth showing.
        _ if parameter.is_required => " [required]".to_owned(),
        Some(default) => format!(" [default: {default}]"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_shows_parameters_with_ranges() {
        let page = page(Registry::Hierarchy, Registry::Hierarchy.describe("han").unwrap());
        for part in [
            "--hierarchy COLUMN=han:parameter=value,...",
            "needs      a column of numbers or dates",
            "reference  [Han1994]",
            "fan-out        number of parts into which a range is divided",
            "a whole number of at least 2 [default: 5]",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }

    #[test]
    fn a_page_names_the_flag_of_what_is_needed() {
        let page = page(Registry::Loss, Registry::Loss.describe("cm").unwrap());
        assert!(page.contains("needs      a column to predict (--class)"), "{page}");
    }
}
