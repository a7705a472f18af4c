//! Salted hashes of values that a recipe must not name.

use std::hash::Hasher;

use sha2::{Digest, Sha256};
use twox_hash::XxHash3_64;

use crate::file::hex;
use crate::release::Release;
use crate::table::Values;

/// Number of bytes of a hash that are kept.
const KEPT: usize = 16;

/// Hashes values of one column.
pub(super) struct Salted<'a> {
    salt: &'a str,
    column: &'a str,
}

impl<'a> Salted<'a> {
    pub(super) fn new(salt: &'a str, column: &'a str) -> Self {
        Self { salt, column }
    }

    /// The hash of the value at `place`. Numbers and dates are hashed as numbers, so that `12` and
    /// `12.0` have the same hash.
    pub(super) fn of(&self, values: &Values, place: usize) -> String {
        match values.scale() {
            Some(scale) => self.of_text(&scale.value(place).to_string()),
            None => self.of_text(&values.spelling(place)),
        }
    }

    fn of_text(&self, text: &str) -> String {
        let mut digest = Sha256::new();
        for part in [self.salt, self.column, text] {
            // Lengths make the concatenation unambiguous.
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part.as_bytes());
        }
        hex(&digest.finalize()[..KEPT])
    }
}

/// The salt of a recipe: a digest of the release, so that the same release gives the same recipe
/// and two releases have different hashes.
pub(super) fn salt(release: &Release) -> String {
    let mut parts = Vec::with_capacity(2);
    for seed in 0..2 {
        // Two seeds give 128 bits; the salt needs to differ between releases, not to be secret.
        let mut hasher = XxHash3_64::with_seed(seed);
        release.digest(&mut hasher);
        parts.push(format!("{:016x}", hasher.finish()));
    }
    parts.concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn a_number_has_one_hash_however_it_is_spelt() {
        let values = |text: &str| {
            let table = Table::from_rows(&["x"], &[[text], ["99"]]).unwrap();
            table.columns()[0].domain.values.clone()
        };
        let hasher = Salted::new("salt", "x");
        assert_eq!(hasher.of(&values("12"), 0), hasher.of(&values("12.0"), 0));
        assert_ne!(hasher.of(&values("12"), 0), Salted::new("sel", "x").of(&values("12"), 0));
        assert_ne!(hasher.of(&values("12"), 0), Salted::new("salt", "y").of(&values("12"), 0));
    }
}
