//! The roles that a job assigns to columns.

use super::Job;
use crate::error::Advice;
use crate::privacy;
use crate::problem::not_limited;
use crate::schema::{self, Role, Schema};
use crate::study::Claims;
use crate::{Error, Result};

impl Job {
    /// Returns the roles that the job assigns.
    pub(super) fn schema(&self, header: &[String], claims: &Claims<'_>) -> Result<Schema> {
        let schema = Schema::new(header, &self.roles(&claims.guards()?)?)?;
        let schema = if self.keep_others { schema.keeping_others() } else { schema };
        let looked_at = claims.columns()?;
        self.check_weights(header)?;
        // The kind and the date format can be stated for every column, as `inspect` suggests.
        for name in self.kind.keys().chain(self.date_format.keys()) {
            schema::find(header, name)?;
        }
        for name in self.hierarchy.keys().chain(self.edits.keys()) {
            if !self.quasi.contains(name) && !looked_at.contains(name) {
                // An unknown column is the more likely mistake and has its own error.
                schema::find(header, name)?;
                return Err(not_used(name));
            }
        }
        // Only quasi-identifiers are generalized, so a limit elsewhere would do nothing without
        // notice.
        if let Some(name) = self.limit.keys().find(|name| !self.quasi.contains(name)) {
            schema::find(header, name)?;
            return Err(not_limited(name));
        }
        Ok(schema)
    }

    /// Returns an error if the column of weights does not exist, or is not published or left out as
    /// a whole.
    fn check_weights(&self, header: &[String]) -> Result<()> {
        let Some(name) = &self.weights else { return Ok(()) };
        schema::find(header, name)?;
        if self.quasi.contains(name) || self.person.as_ref() == Some(name) {
            let problem = "it has sampling weights, and is named as a quasi-identifier or person";
            return Err(Error::column(name, problem).advise([Advice::words("name it once")]));
        }
        Ok(())
    }

    /// Returns an error if the job names a column that the table does not have, or gives a column
    /// two roles.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownColumn`] with a suggestion, and those of [`Schema::new`].
    pub fn check_columns(&self, header: &[String]) -> Result<()> {
        Schema::new(header, &self.roles(&[])?)?;
        let names = self.undecided.iter().chain(self.hierarchy.keys()).chain(self.edits.keys());
        let names = names.chain(self.limit.keys()).chain(self.kind.keys());
        for name in names.chain(self.date_format.keys()).chain(&self.weights) {
            schema::find(header, name)?;
        }
        Ok(())
    }

    /// Returns the sensitive columns that no privacy model of the job looks at. A model that cannot
    /// be used looks at none.
    pub fn unguarded(&self) -> Vec<&String> {
        let observed = self.privacy.iter().map(|spec| privacy::columns(spec, &self.sensitive));
        let looked_at: Vec<String> = observed.flatten().flat_map(|of| of.sensitive).collect();
        self.sensitive.iter().filter(|name| !looked_at.contains(name)).collect()
    }

    /// Returns the columns that the job names, with their roles. Columns with the demands of
    /// records, `guards`, are identifiers unless they have another role.
    pub(super) fn roles<'a>(&'a self, guards: &'a [String]) -> Result<Vec<(&'a str, Role)>> {
        let mut roles: Vec<(&str, Role)> = Vec::new();
        roles.extend(self.quasi.iter().map(|name| (name.as_str(), Role::Quasi)));
        roles.extend(self.sensitive.iter().map(|name| (name.as_str(), Role::Sensitive)));
        // A column that names people can also be named as an identifier: both are left out.
        let identifiers = self.identifier.iter().filter(|name| self.person.as_ref() != Some(name));
        roles.extend(identifiers.map(|name| (name.as_str(), Role::Identifier)));
        roles.extend(self.person.iter().map(|name| (name.as_str(), Role::Person)));
        roles.extend(self.keep.iter().map(|name| (name.as_str(), Role::Insensitive)));
        roles.extend(self.drop.iter().map(|name| (name.as_str(), Role::Dropped)));
        roles.extend(self.class.iter().map(|name| (name.as_str(), Role::Class)));
        for guard in guards {
            match roles.iter().find(|(name, _)| name == guard) {
                None => roles.push((guard, Role::Identifier)), // a record's own demand is private
                Some((_, Role::Sensitive | Role::Identifier | Role::Dropped)) => {}
                Some((_, role)) => {
                    let role = role.name();
                    let problem = format!("it states what records guard, but is named as {role}");
                    return Err(Error::column(guard, problem)
                        .advise([Advice::words("do not give it this role")]));
                }
            }
        }
        Ok(roles)
    }
}

/// The error for a column that has a hierarchy but is not used.
fn not_used(column: &str) -> Error {
    let problem = "it has a hierarchy, but is not a quasi-identifier, and no privacy model uses it";
    Error::column(column, problem).advise([
        Advice::NameQuasi { column: Some(column.to_owned()) },
        Advice::RequireModel { example: "l-diversity:l=2".to_owned() },
        Advice::LeaveOut { key: "hierarchy", column: Some(column.to_owned()) },
    ])
}
