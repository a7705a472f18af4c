//! Roles of columns, and suggestions for them.

use serde::{Deserialize, Serialize};

use crate::error::Advice;
use crate::table::Column;
use crate::{Error, Result};

/// Role of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Identifies a person directly. It is omitted from the release.
    Identifier,
    /// Names the person of each record, who can have several. It is omitted from the release.
    Person,
    /// Known to an attacker and identifying in combination with others. It is generalized.
    Quasi,
    /// Must not be disclosed about a person.
    Sensitive,
    /// To be predicted by a learner from the release.
    Class,
    /// Any other column, published unchanged.
    Insensitive,
}

impl Role {
    /// Name of the role as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Identifier => "identifier",
            Self::Person => "person",
            Self::Quasi => "quasi",
            Self::Sensitive => "sensitive",
            Self::Class => "class",
            Self::Insensitive => "insensitive",
        }
    }
}

/// The columns of a file with the role of each.
///
/// It can be built only from columns that exist, each named at most once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    names: Vec<String>,
    roles: Vec<Role>,
    quasi: Vec<usize>,
}

impl Schema {
    /// Assigns roles to some columns of `header`. The others are insensitive.
    ///
    /// ```
    /// use hedgerow::schema::{Role, Schema};
    /// let header = ["name".to_owned(), "age".to_owned(), "diagnosis".to_owned()];
    /// let schema = Schema::new(&header, &[("age", Role::Quasi), ("name", Role::Identifier)])?;
    /// assert_eq!(schema.quasi(), [1]);
    /// assert_eq!(schema.role(2), Role::Insensitive);
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn new(header: &[String], roles: &[(&str, Role)]) -> Result<Self> {
        let mut given: Vec<Option<Role>> = vec![None; header.len()];
        let mut quasi = Vec::new();
        for &(name, role) in roles {
            let place = find(header, name)?;
            if let Some(before) = given[place].replace(role) {
                let (before, role) = (before.name(), role.name());
                return Err(if before == role {
                    Error::named_twice(name)
                } else {
                    let problem = format!("it is named as {before} and as {role}");
                    Error::column(name, problem).advise([Advice::words("give it one role")])
                });
            }
            if role == Role::Quasi {
                quasi.push(place);
            }
        }
        let roles = given.into_iter().map(|role| role.unwrap_or(Role::Insensitive)).collect();
        Ok(Self { names: header.to_vec(), roles, quasi })
    }

    /// Returns the columns that a release contains in some form: all but identifiers.
    pub(crate) fn published(&self) -> Vec<usize> {
        (0..self.roles.len()).filter(|&place| self.is_published(place)).collect()
    }

    /// Whether a release contains a column in some form.
    pub(crate) fn is_published(&self, place: usize) -> bool {
        !matches!(self.roles[place], Role::Identifier | Role::Person)
    }

    /// The names of all columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The role of a column.
    pub fn role(&self, place: usize) -> Role {
        self.roles[place]
    }

    /// The indices of the quasi-identifiers, in the order in which they were named.
    pub fn quasi(&self) -> &[usize] {
        &self.quasi
    }
}

/// Returns the index of a column in a header.
pub fn find(header: &[String], name: &str) -> Result<usize> {
    header
        .iter()
        .position(|column| column == name)
        .ok_or_else(|| Error::unknown_column(name, header.iter().map(String::as_str)))
}

/// Returns a name that looks like a value: a number that is not a year.
pub fn looks_like_data(header: &[String]) -> Option<&String> {
    header
        .iter()
        .find(|name| name.parse::<f64>().is_ok_and(|number| !(1900.0..2100.0).contains(&number)))
}

/// Words in the names of columns that identify a person.
const IDENTIFIERS: &str =
    "id name surname firstname lastname ssn email phone telephone mobile passport iban address";
/// Words in the names of sensitive columns.
const SENSITIVE: &str = "diagnosis disease illness condition salary income wage religion charges \
                         treatment medication hiv credit debt";
/// Words in the names of quasi-identifiers.
const QUASI: &str = "age sex gender zip zipcode postcode postal birth birthdate dob race ethnicity \
                     nationality country city region state county marital education occupation \
                     job profession workclass employer hours height weight";

/// Suggests a role for a column of a table with `n_rows` records, from its name and its values.
///
/// The lists are short and in English. A suggestion is a starting point, not a decision.
pub fn suggest(column: &Column, n_rows: u64) -> Role {
    let name = column.name.to_lowercase();
    let has = |words: &str| {
        let mut parts = name.split(|c: char| !c.is_alphanumeric());
        parts.any(|part| words.split_whitespace().any(|word| word == part))
    };
    // Text that is nearly unique is probably an identifier. Numbers and dates are often unique
    // without identifying a person.
    let is_nearly_unique = n_rows > 20 && column.domain.len() as u64 * 10 > n_rows * 9;
    if has(IDENTIFIERS) || (is_nearly_unique && column.domain.values.scale().is_none()) {
        Role::Identifier
    } else if has(SENSITIVE) {
        Role::Sensitive
    } else if has(QUASI) {
        Role::Quasi
    } else {
        Role::Insensitive
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn a_column_has_one_role() {
        let header = ["age".to_owned()];
        let twice = Schema::new(&header, &[("age", Role::Quasi), ("age", Role::Sensitive)]);
        let message = twice.unwrap_err().to_string();
        assert!(message.contains("named as quasi and as sensitive"), "{message}");
    }

    #[test]
    fn names_suggest_roles() {
        let table = Table::from_rows(
            &["patient-id", "marital-status", "Diagnosis", "fnlwgt"],
            &[["1", "single", "flu", "7"]],
        );
        let columns = table.unwrap().columns().to_vec();
        let roles: Vec<_> = columns.iter().map(|column| suggest(column, 1)).collect();
        assert_eq!(roles, [Role::Identifier, Role::Quasi, Role::Sensitive, Role::Insensitive]);
    }
}
