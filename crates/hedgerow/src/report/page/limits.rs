//! Limits of the protection that a release gives.

use std::fmt::Write;

use super::html::escaped;
use crate::report::{Evidence, Named};
use crate::schema::Role;

pub(super) fn body(evidence: &Evidence) -> String {
    let mut out = "<p>k-anonymity hides which record belongs to whom. It does not hide what all records of a class \
         have in common, and it does not tell whether a person is in the table.</p>\n"
        .to_owned();
    let has = |role: Role| evidence.roles.iter().find(|named: &&Named| named.role == role);
    // These columns are published as they are.
    if [Role::Insensitive, Role::Undecided, Role::Sensitive]
        .into_iter()
        .any(|role| has(role).is_some())
    {
        out.push_str(
            "<p>It counts on others knowing the quasi-identifiers of a person and nothing else. If they also know a \
             value that is published as it is, they can tell records of a class apart by it.</p>\n",
        );
    }
    // Variants have longer names, such as `entropy l-diversity`.
    let is_met = |model: &str| evidence.claims.iter().any(|claim| claim.model.contains(model));
    if !is_met("diversity") && !is_met("closeness") && has(Role::Sensitive).is_some() {
        out.push_str("<p>No model limits what a class tells about a sensitive column.</p>\n");
    }
    out.push_str(
        "<p>Another release of the same people, even of other columns, can undo it: records can be matched through \
         both. The figures hold for these two files; attackers may know more than was assumed.</p>\n",
    );
    if let Some(claim) = evidence.claims.iter().find(|claim| !claim.holds) {
        let text = format!("{} was asked for and does not hold.", claim.model);
        let _ = writeln!(out, "<p><b>{}</b></p>", escaped(&text));
    }
    out
}
