//! Methods with parameters that suit tests on many small tables.

use hedgerow::method::Spec;

/// Returns a method with its default parameters, except that the genetic one runs for a shorter
/// time.
pub(crate) fn spec(method: &str) -> Spec {
    let spec = if method == "genetic" { "genetic:population=10,steps=50" } else { method };
    spec.parse().unwrap()
}
