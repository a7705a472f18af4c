//! The roles of the columns of the next table.

use super::Request;
use crate::error::Advice;
use crate::recipe::Recipe;
use crate::schema::{Role, Schema};
use crate::{Error, Result, schema};

/// Assigns the roles of the recipe to the columns of a table.
///
/// # Errors
///
/// [`Error::Column`] if the table lacks a column that is published or counted, or has one that the
/// recipe does not know and nothing was decided about.
pub(super) fn of(request: &Request, recipe: &Recipe, header: &[String]) -> Result<Schema> {
    let mut roles: Vec<(&str, Role)> = Vec::new();
    for (name, role) in recipe.roles() {
        let is_there = header.iter().any(|column| column == name);
        // A column that is left out anyway may be missing.
        let is_needed = role.is_published() || role == Role::Person;
        if !is_there && is_needed {
            return Err(lacking(name, role, header));
        }
        // A column that was published undecided is examined again, because its values may have
        // changed.
        if is_there && role != Role::Undecided {
            roles.push((name, role));
        }
    }
    // The order of the codes of a cohort is that of the rules, not that of the table.
    let quasi = recipe.columns()?.quasi;
    roles
        .sort_by_key(|(name, _)| quasi.iter().position(|rule| rule == name).unwrap_or(quasi.len()));
    for (names, role) in [(&request.keep, Role::Insensitive), (&request.drop, Role::Dropped)] {
        for name in names {
            schema::find(header, name)?;
            match roles.iter_mut().find(|(known, _)| known == name) {
                None => roles.push((name, role)),
                // Anything but a column that the goal needs can be decided again.
                Some((_, known)) if is_free(*known) => *known = role,
                Some((_, known)) => {
                    let problem =
                        format!("it is {} in the recipe, so it has its role already", told(*known));
                    return Err(Error::column(name, problem)
                        .advise([Advice::words("make a new recipe to change its role")]));
                }
            }
        }
    }
    // A new column may contain anything, so it is not published without a decision.
    let is_known = |name: &String| {
        recipe.roles().any(|(known, _)| known == name)
            || roles.iter().any(|(known, _)| known == name)
    };
    let strange: Vec<String> = header.iter().filter(|name| !is_known(name)).cloned().collect();
    match strange.first() {
        None => Schema::new(header, &roles),
        Some(first) => Err(unknown(first, &strange)),
    }
}

fn is_free(role: Role) -> bool {
    matches!(role, Role::Insensitive | Role::Dropped | Role::Undecided)
}

fn told(role: Role) -> &'static str {
    match role {
        Role::Quasi => "a quasi-identifier",
        Role::Sensitive => "a sensitive column",
        Role::Identifier => "an identifier",
        Role::Person => "the column that names people",
        Role::Class => "the class column",
        // To a user both look the same in the release.
        Role::Insensitive | Role::Undecided => "published as it is",
        Role::Dropped => "left out",
    }
}

fn lacking(name: &str, role: Role, header: &[String]) -> Error {
    let near = crate::error::did_you_mean(name, header.iter().map(String::as_str));
    let problem =
        format!("the table does not have it{near}, but it is {} in the recipe", told(role));
    Error::column(name, problem).advise([
        Advice::words("check that this is the next table"),
        Advice::words("rename the column of the table"),
    ])
}

fn unknown(first: &str, all: &[String]) -> Error {
    let others = match all.len() {
        1 => String::new(),
        _ => format!(", nor {}", crate::noun::listed(&all[1..])),
    };
    let columns = all.to_vec();
    Error::column(first, format!("the recipe does not know it{others}"))
        .advise([Advice::DropColumns { columns: columns.clone() }, Advice::KeepColumns { columns }])
}
