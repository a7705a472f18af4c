//! Registries as text: a list of methods, and a page about one method.

use std::fmt::Write;

use super::Registry;
use crate::method::{Description, Parameter};

/// Returns one line for each method of a registry.
pub fn list(registry: Registry) -> String {
    let line = |method: &Description| format!("  {:<16} {}\n", method.name, method.about);
    registry.descriptions().into_iter().map(line).collect()
}

/// Returns the help page of a method.
pub fn page(registry: Registry, method: &Description) -> String {
    let Description { name, about, reference, needs, parameters } = method;
    let mut text = format!("{name} ({}): {about}\n\n", registry.noun());
    let usage = registry.usage().replace("NAME", name);
    let with = if parameters.is_empty() { "" } else { ":parameter=value,..." };
    let _ = writeln!(text, "usage      {usage}{with}");
    for need in *needs {
        let _ = writeln!(text, "needs      {need}");
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

fn names(parameter: &Parameter) -> String {
    match parameter.alias {
        Some(alias) => format!("{}, {alias}", parameter.name),
        None => parameter.name.to_owned(),
    }
}

fn note(parameter: &Parameter) -> String {
    match parameter.default {
        _ if parameter.is_required => " [required]".to_owned(),
        Some(default) => format!(" [default: {default}]"),
        None => String::new(),
    }
}
