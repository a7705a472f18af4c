//! Values that a parameter accepts or rejects, for tests over registries.

use std::ops::Bound;

use super::{Description, Spec, Type};

/// Returns a value that is accepted.
pub(crate) fn sample(kind: &Type) -> String {
    match kind {
        Type::Whole { least, .. } => least.to_string(),
        Type::Number { least: Bound::Included(least), .. } => least.to_string(),
        Type::Number { .. } | Type::Character | Type::Text | Type::Form { .. } => "1".to_owned(),
        Type::Flag => "true".to_owned(),
        Type::Choice(_) | Type::Loss(_) => kind.names()[0].to_owned(),
        Type::List(items) => sample(items),
        Type::File | Type::FileOr(_) | Type::Directory | Type::Column => "x".to_owned(),
    }
}

/// Returns values just outside the range, or unknown names.
pub(crate) fn outside(kind: &Type) -> Vec<String> {
    match kind {
        Type::Whole { least, most } => {
            let ends = [least.checked_sub(1), most.and_then(|most| most.checked_add(1))];
            ends.into_iter().flatten().map(|end| end.to_string()).collect()
        }
        Type::Number { least, most } => {
            let end = |bound: &Bound<f64>, step: f64| match bound {
                Bound::Included(end) => Some(end + step),
                Bound::Excluded(end) => Some(*end),
                Bound::Unbounded => None,
            };
            let ends = [end(least, -1e-6), end(most, 1e-6)];
            ends.into_iter().flatten().map(|end| end.to_string()).collect()
        }
        Type::Choice(_) | Type::Loss(_) | Type::Form { .. } | Type::Flag => vec!["no such".into()],
        Type::Character => vec!["ab".to_owned()],
        Type::List(items) => outside(items),
        Type::Text | Type::File | Type::FileOr(_) | Type::Directory | Type::Column => Vec::new(),
    }
}

/// Returns a spec with all required parameters and one more.
pub(crate) fn spec_with(method: &Description, name: &str, value: &str) -> Spec {
    let given = method
        .parameters
        .iter()
        .filter(|p| p.is_required && p.name != name)
        .map(|p| (p.name.to_owned(), sample(&p.kind)))
        .chain([(name.to_owned(), value.to_owned())]);
    let written: Vec<String> = given.map(|(name, value)| format!("{name}={value}")).collect();
    format!("{}:{}", method.name, written.join(",")).parse().unwrap()
}

/// Returns a spec with all required parameters.
pub(crate) fn plain(method: &Description) -> Spec {
    let mut spec = spec_with(method, "x", "x");
    spec.parameters.remove("x");
    spec
}

/// Extracts the names that serde expected from its message.
pub(crate) fn expected(message: &str) -> Vec<String> {
    let (_, names) = message.split_once("expected").unwrap_or_else(|| panic!("{message}"));
    names.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
