//! Registries as text: a list of methods.

use super::Registry;
use crate::method::Description;

/// Returns one line for each method of a registry.
pub fn list(registry: Registry) -> String {
    let line = |method: &Description| format!("  {:<16} {}\n", method.name, method.about);
    registry.descriptions().into_iter().map(line).collect()
}
