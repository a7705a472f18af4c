//! Methods as tests on many small tables run them.

use hedgerow::method::Spec;

/// A method with its usual parameters; the genetic one breeds for a shorter time.
pub(crate) fn spec(method: &str) -> Spec {
    let spec = if method == "genetic" { "genetic:population=10,steps=50" } else { method };
    spec.parse().unwrap()
}
