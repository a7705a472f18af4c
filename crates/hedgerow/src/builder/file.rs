//! Predefined hierarchies.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::HierarchyBuilder;
use crate::Result;
use crate::format;
use crate::hierarchy::Generalization;
use crate::method::{Described, Description, Parameter, Type};
use crate::table::Column;

/// Reads a predefined hierarchy from a file and checks that it contains every value of the column.
///
/// # Complexity
///
/// Linear in the size of the file.
///
/// # Guarantees
///
/// Every value of the column is a leaf; the file may contain more values. The levels of a file need
/// not nest.
///
/// # References
///
/// \[Iyengar2002\] V. S. Iyengar: Transforming Data to Satisfy Privacy Constraints, KDD 2002
/// (user-given taxonomy trees); METHODS 1.10.
///
/// # Examples
///
/// ```no_run
/// use hedgerow::builder::{File, HierarchyBuilder};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["race"], &[["White"], ["Black"]])?;
/// File { path: "race.csv".into() }.build(&table.columns()[0])?;
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Path of the file; its extension determines the format.
    pub path: PathBuf,
}

impl Described for File {
    const DESCRIPTION: Description = Description {
        name: "file",
        about: "any kind: a hierarchy from a file",
        reference: Some("Iyengar2002"),
        needs: &[],
        parameters: &[Parameter::new(
            "path",
            Type::File,
            "path of the file; its extension determines the format",
        )
        .required()],
    };
}

impl HierarchyBuilder for File {
    fn grow(&self, column: &Column) -> Result<Generalization> {
        let read = format::read_any_of(&self.path, column)?;
        match &read {
            Generalization::Levels(levels) => levels.ground().bind(&column.domain)?,
            read => match read.hierarchy() {
                Some(tree) => tree.ground().bind(&column.domain)?,
                None => Vec::new(),
            },
        };
        Ok(read)
    }
}
