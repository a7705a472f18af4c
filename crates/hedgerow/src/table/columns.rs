//! Which columns of a table are read, and what for.

/// The columns that are read of a table, each named once.
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
    /// Columns that privacy models look at, or whose classes are to stay predictable. They are
    /// published as they are, and a missing value is a value like any other there.
    pub beside: Vec<String>,
}

impl Columns {
    /// Quasi-identifiers only.
    pub fn quasi<S: AsRef<str>>(names: &[S]) -> Self {
        Self { quasi: owned(names), beside: Vec::new() }
    }

    /// The same quasi-identifiers, with these columns beside them.
    #[must_use]
    pub fn and_beside<S: AsRef<str>>(self, names: &[S]) -> Self {
        Self { beside: owned(names), ..self }
    }

    /// All names, quasi-identifiers first.
    pub fn names(&self) -> Vec<String> {
        [self.quasi.as_slice(), &self.beside].concat()
    }
}

fn owned<S: AsRef<str>>(names: &[S]) -> Vec<String> {
    names.iter().map(|name| name.as_ref().to_owned()).collect()
}
