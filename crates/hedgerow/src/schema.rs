//! Roles of columns.

use serde::{Deserialize, Serialize};

use crate::error::{Advice, Undecided};
use crate::table::{Columns, SourceId};
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
    /// Published unchanged, by an explicit decision.
    Insensitive,
    /// Left out of the release for another reason than that it identifies a person.
    Dropped,
    /// Without a decision. It is published unchanged if the [guard](crate::guard::admit) examined
    /// it and does not object.
    Undecided,
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
            Self::Insensitive => "keep",
            Self::Dropped => "drop",
            Self::Undecided => "undecided",
        }
    }

    /// Whether a release contains columns of this role in some form.
    pub fn is_published(self) -> bool {
        !matches!(self, Self::Identifier | Self::Person | Self::Dropped)
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
    /// The opened file whose undecided columns the guard examined without objecting.
    examined: Option<SourceId>,
}

impl Schema {
    /// Assigns roles to some columns of `header`. The others are undecided.
    ///
    /// ```
    /// use hedgerow::schema::{Role, Schema};
    /// let header = ["name".to_owned(), "age".to_owned(), "diagnosis".to_owned()];
    /// let schema = Schema::new(&header, &[("age", Role::Quasi), ("name", Role::Identifier)])?;
    /// assert_eq!(schema.quasi(), [1]);
    /// assert_eq!(schema.role(2), Role::Undecided);
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
            // In the order of the call, which is the order of the codes of a cohort.
            if role == Role::Quasi {
                quasi.push(place);
            }
        }
        let roles = given.into_iter().map(|role| role.unwrap_or(Role::Undecided)).collect();
        Ok(Self { names: header.to_vec(), roles, quasi, examined: None })
    }

    /// Gives all undecided columns the role [`Role::Insensitive`].
    #[must_use]
    pub(crate) fn keeping_others(mut self) -> Self {
        let undecided = self.roles.iter_mut().filter(|role| **role == Role::Undecided);
        undecided.for_each(|role| *role = Role::Insensitive);
        self
    }

    /// The same roles, after the guard examined the undecided columns of an opened file; `None` if
    /// it saw records in memory.
    pub(crate) fn examined(self, examined: Option<SourceId>) -> Self {
        Self { examined, ..self }
    }

    /// Returns an error if columns are undecided and were not examined in this file.
    pub(crate) fn check_decided(&self, source: SourceId) -> Result<()> {
        let columns: Vec<Undecided> =
            self.with(Role::Undecided).map(|name| not_examined(name)).collect();
        if self.examined == Some(source) || columns.is_empty() {
            Ok(())
        } else {
            Err(Error::Undecided { columns, reading: Vec::new() })
        }
    }

    /// Returns the columns that a release contains in some form: all but identifiers and dropped
    /// ones.
    pub(crate) fn published(&self) -> Vec<usize> {
        (0..self.roles.len()).filter(|&place| self.roles[place].is_published()).collect()
    }

    /// The columns that a release does not contain, by their names.
    pub(crate) fn left_out(&self) -> Vec<String> {
        let left_out = self.names.iter().zip(&self.roles).filter(|(_, role)| !role.is_published());
        left_out.map(|(name, _)| name.clone()).collect()
    }

    /// Returns the quasi-identifiers and the columns without a decision, which are read even if a
    /// release does not change them.
    pub(crate) fn read_or_undecided(&self) -> Vec<usize> {
        let is_read = |place: &usize| matches!(self.roles[*place], Role::Quasi | Role::Undecided);
        (0..self.roles.len()).filter(is_read).collect()
    }

    /// Returns the columns to read for a release with these roles: the quasi-identifiers, the
    /// person, and `beside`, which privacy models examine or a learner predicts.
    ///
    /// ```
    /// use hedgerow::schema::{Role, Schema};
    /// use hedgerow::table::Columns;
    /// let header = ["age".to_owned(), "patient".to_owned(), "diagnosis".to_owned()];
    /// let schema = Schema::new(&header, &[("age", Role::Quasi), ("patient", Role::Person)])?;
    /// let columns = schema.columns(&["diagnosis"]);
    /// assert_eq!(columns, Columns::quasi(&["age"]).and_beside(&["diagnosis"]).and_person("patient"));
    /// # Ok::<(), hedgerow::Error>(())
    /// ```
    pub fn columns<S: AsRef<str>>(&self, beside: &[S]) -> Columns {
        let quasi: Vec<&String> = self.quasi.iter().map(|&place| &self.names[place]).collect();
        let person = self.with(Role::Person).next().cloned();
        Columns { person, ..Columns::quasi(&quasi).and_beside(beside) }
    }

    /// Returns the columns with this role.
    pub fn with(&self, role: Role) -> impl Iterator<Item = &String> {
        self.names.iter().zip(&self.roles).filter(move |(_, of)| **of == role).map(|(name, _)| name)
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

/// An undecided column whose values were not examined.
pub(crate) fn not_examined(column: &str) -> Undecided {
    Undecided {
        column: column.to_owned(),
        reason: "it has no role, and its values were not examined".to_owned(),
        key: Role::Dropped.name(),
        or_quasi: false,
        n_unnamed: 0,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_one_role() {
        let header = ["age".to_owned()];
        let twice = Schema::new(&header, &[("age", Role::Quasi), ("age", Role::Sensitive)]);
        let message = twice.unwrap_err().to_string();
        assert!(message.contains("named as quasi and as sensitive"), "{message}");
    }
}
