//! Suggestions for names that were misspelt.

/// The name most similar to `asked`: one that starts with it, or the one with the smallest edit
/// distance, which is at most a third of its length.
pub(crate) fn nearest<'a>(asked: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    // Case is the most common slip, and never a reason to suggest nothing.
    let asked = asked.to_lowercase();
    let most_changes = (asked.chars().count() / 3).max(1);
    let changes = |name: &str| match name.to_lowercase() {
        // A name that starts with the typed text needs no correction.
        name if name.starts_with(&asked) && !asked.is_empty() => 0,
        name => strsim::damerau_levenshtein(&asked, &name),
    };
    names
        .map(|name| (changes(name), name))
        .filter(|(changes, _)| *changes <= most_changes)
        // The first of equally similar names, in the order of the registry.
        .min_by_key(|(changes, _)| *changes)
        .map(|(_, name)| name.to_owned())
}

/// A hint at the name most similar to `asked`, to be appended to it in a message; empty if none is
/// similar enough.
pub(crate) fn did_you_mean<'a>(asked: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    or_rather(nearest(asked, names.into_iter()).as_ref())
}

pub(super) fn or_rather(suggestion: Option<&String>) -> String {
    suggestion.map_or_else(String::new, |name| format!(" (did you mean '{name}'?)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_suggested_when_nothing_is_near() {
        assert_eq!(nearest("xyzzy", ["age", "hours"].into_iter()), None);
    }
}
