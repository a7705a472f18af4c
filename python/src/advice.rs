//! Renders the library's advice for Python: each option is named by its keyword argument.

use hedgerow::error::{Advice, Setting, Undecided};

/// Options whose values are lists.
const LISTS: [&str; 8] =
    ["quasi", "sensitive", "identifier", "keep", "drop", "na", "privacy", "other"];

/// Returns a piece of advice followed by the keyword argument of its option:
/// `allow more records to be suppressed (suppress=...)`.
pub(crate) fn spell(advice: &Advice) -> String {
    match (advice, advice.setting()) {
        (Advice::Together(all), _) => all.iter().map(spell).collect::<Vec<_>>().join(" and "),
        (Advice::Decide { columns }, _) => decide(columns),
        (Advice::KeepColumns { columns }, _) => format!("{advice} (keep={})", list(columns)),
        (Advice::DropColumns { columns }, _) => format!("{advice} (drop={})", list(columns)),
        (Advice::LeaveOut { key, .. }, _) => format!("{advice} ({})", keyword(key)),
        // There are several ways to ask for models, and the user knows which one was used.
        (Advice::AskForLess { .. }, _) | (_, None) => advice.to_string(),
        (_, Some(setting)) => format!("{advice} ({})", argument(&setting)),
    }
}

/// Returns the keyword arguments that decide about columns as suggested, ready to be added to the
/// call.
fn decide(columns: &[Undecided]) -> String {
    let of_key = |key: &str| -> Vec<String> {
        columns.iter().filter(|found| found.key == key).map(|found| found.column.clone()).collect()
    };
    let person = of_key("person").first().map(|name| format!("person={}", text(name)));
    let lists = ["identifier", "drop"].into_iter().filter_map(|key| {
        let names = of_key(key);
        (!names.is_empty()).then(|| format!("{key}={}", list(&names)))
    });
    let arguments: Vec<String> = person.into_iter().chain(lists).collect();
    let these = if columns.len() == 1 { "it" } else { "them" };
    format!(
        "to leave {these} out, add\n  {}\nto publish a column as it is, knowingly: keep=[\"COLUMN\"], or \
         keep_others=True for all without a role",
        arguments.join(", ")
    )
}

/// Returns the keyword argument of an option: `hierarchies={"age": "METHOD"}`.
fn argument(setting: &Setting) -> String {
    let name = keyword(setting.key);
    match (&setting.column, &setting.value) {
        (Some(column), Some(value)) => format!("{name}={{{}: {}}}", text(column), text(value)),
        (_, Some(value)) if LISTS.contains(&setting.key) => format!("{name}=[{}]", text(value)),
        (_, Some(value)) if value.parse::<f64>().is_ok() => format!("{name}={value}"),
        (_, Some(value)) => format!("{name}={}", text(value)),
        (_, None) if is_switch(setting.key) => format!("{name}=True"),
        (_, None) => format!("{name}=..."),
    }
}

fn is_switch(key: &str) -> bool {
    matches!(key, "drop-suppressed" | "force-labels" | "force" | "no-header" | "lossy")
}

/// The keyword of an option. In Python, `hierarchies` are given by column, and `class` is a
/// reserved word.
pub(crate) fn keyword(key: &str) -> String {
    match key {
        "hierarchy" => "hierarchies".to_owned(),
        "class" => "class_".to_owned(),
        other => other.replace('-', "_"),
    }
}

fn list(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| text(name)).collect();
    format!("[{}]", names.join(", "))
}

/// A text as Python writes it.
fn text(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
