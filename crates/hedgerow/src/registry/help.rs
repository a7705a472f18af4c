//! Registries as text: a list of methods.

use super::Registry;
use crate::anonymize;
use crate::method::Description;

/// Returns one line for each method of a registry.
pub fn list(registry: Registry) -> String {
    let line = |method: &Description| {
        let Description { name, about, .. } = method;
        // Other registries can have a method of the same name, which does not recode.
        match anonymize::recoding(name).filter(|_| registry == Registry::Anonymizer) {
            Some(recoding) => format!("  {name:<16} {recoding}: {about}\n"),
            None => format!("  {name:<16} {about}\n"),
        }
    };
    registry.descriptions().into_iter().map(line).collect()
}
