//! The columns of a table that are read, and their purposes.

/// The columns to read from a table, each named once.
///
/// ```
/// use hedgerow::table::Columns;
/// let columns = Columns::quasi(&["age", "sex"]).and_beside(&["diagnosis"]);
/// assert_eq!(columns.names(), ["age", "sex", "diagnosis"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Columns {
    /// The quasi-identifiers.
    pub quasi: Vec<String>,
    /// Columns that a privacy model examines, or whose class should stay predictable. They are
    /// published unchanged, and a missing value in them is an ordinary value.
    pub beside: Vec<String>,
    /// The column that names the person of each record, if a person can have several records.
    /// Privacy models then count people instead of records. A missing value in it is an error.
    pub person: Option<String>,
}

impl Columns {
    /// Selects quasi-identifiers only.
    pub fn quasi<S: AsRef<str>>(names: &[S]) -> Self {
        Self { quasi: owned(names), ..Self::default() }
    }

    /// Returns the same quasi-identifiers with these additional columns.
    #[must_use]
    pub fn and_beside<S: AsRef<str>>(self, names: &[S]) -> Self {
        Self { beside: owned(names), ..self }
    }

    /// Returns the same columns with the column that names the person of each record.
    #[must_use]
    pub fn and_person(self, name: &str) -> Self {
        Self { person: Some(name.to_owned()), ..self }
    }

    /// Returns all names: quasi-identifiers, additional columns, and the person.
    pub fn names(&self) -> Vec<String> {
        [self.quasi.as_slice(), &self.beside, self.person.as_slice()].concat()
    }
}

fn owned<S: AsRef<str>>(names: &[S]) -> Vec<String> {
    names.iter().map(|name| name.as_ref().to_owned()).collect()
}
