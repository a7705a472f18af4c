//! Mistakes of a program that calls the library: stages that do not belong together.

use crate::noun::counted;

/// A mistake of a program that calls the library, such as stages that do not belong together. The
/// command line cannot make one, because it runs the stages in order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Misuse {
    /// A release was made from another study than the one that is passed with it.
    #[error("the release was made from another study")]
    OtherStudy,
    /// A release was made from the records of another source.
    #[error("the release was not made from the records of this source")]
    OtherSource,
    /// A schema was made from another header.
    #[error("the columns of the schema are not those of the source")]
    OtherHeader,
    /// A schema has other quasi-identifiers than the release.
    #[error("the quasi-identifiers of the schema are not those that the release generalizes")]
    OtherQuasi,
    /// A schema and the demands do not agree on the role of a column.
    #[error("column '{column}': only one of the schema and the demands has it as {role}")]
    OtherRole {
        /// The column.
        column: String,
        /// The role that one of them gives it.
        role: &'static str,
    },
    /// The schema and the table do not agree on whose records they are.
    #[error("the schema and the table do not name the same column of people")]
    OtherPeople,
    /// A privacy model, or the class column, was built for another table.
    #[error(
        "column '{column}': its values are not those of the records, because it belongs to another \
         table"
    )]
    OtherTable {
        /// The column that it looks at.
        column: String,
    },
    /// Intervals or sets were made for another column.
    #[error("column '{column}': its intervals or sets were made for other values")]
    OtherValues {
        /// The column that they are given for.
        column: String,
    },
    /// There is not one generalization for each quasi-identifier.
    #[error("{} given for {}", counted(*given, "generalization"), counted(*columns, "quasi-identifier"))]
    Generalizations {
        /// Number of generalizations.
        given: usize,
        /// Number of quasi-identifiers.
        columns: usize,
    },
    /// A problem has no privacy model.
    #[error("no privacy model is given")]
    NoModel,
    /// There is not one weight for each cohort.
    #[error("{} given for {}", counted(*given, "weight"), counted(*cohorts, "cohort"))]
    Weights {
        /// Number of weights.
        given: usize,
        /// Number of cohorts.
        cohorts: usize,
    },
    /// There are not distinct fields of the whole table for each counted column.
    #[error("distinct fields of the whole table are given for {} of {}", given, counted(*columns, "column"))]
    Margins {
        /// Number of columns with such fields.
        given: usize,
        /// Number of counted columns.
        columns: usize,
    },
    /// A population has other columns than the quasi-identifiers of its sample.
    #[error(
        "the population has the columns {}, but the quasi-identifiers of the table are {}",
        .population.join(", "), .table.join(", ")
    )]
    OtherPopulation {
        /// The columns of the population.
        population: Vec<String>,
        /// The quasi-identifiers of the table.
        table: Vec<String>,
    },
    /// A table has copies of records, which would count as several people.
    #[error("a bootstrap sample cannot be published, because it has copies of records")]
    Copies,
    /// A column would be published in which records state what they guard.
    #[error("column '{column}': it states what records guard, so it must not be published")]
    PublishedGuard {
        /// The column.
        column: String,
    },
    /// A table that is read once was not read in the way that a job asks for.
    #[error("the table was not read in the way that this job asks for")]
    ReadOtherwise,
    /// A table that is read once was not read with the columns that a job needs.
    #[error("the table was not read with the columns that this job needs")]
    ColumnsNotRead,
    /// A recipe is applied to a table with other quasi-identifiers, or in another order.
    #[error("the recipe is for the quasi-identifiers {}, not {}", quoted(recipe), quoted(table))]
    OtherRecipe {
        /// The quasi-identifiers of the recipe.
        recipe: Vec<String>,
        /// Those of the table.
        table: Vec<String>,
    },
    /// A recipe and a table do not agree on whose records they are.
    #[error("the recipe and the table do not name the same column of people")]
    OtherPeopleOfRecipe,
    /// A recipe would need a hierarchy that was given in memory.
    #[error("column '{column}': its hierarchy was given in memory, so a recipe cannot name it")]
    HierarchyInMemory {
        /// The sensitive column of the hierarchy.
        column: String,
    },
    /// A recipe is made for a sample of a population.
    #[error(
        "a recipe cannot be made for a sample of a population, because the next table is a sample of \
         another one"
    )]
    RecipeOfSample,
    /// The ranges of nodes are not those of a tree.
    #[error("the ranges of nodes are not a tree: {problem}")]
    NotATree {
        /// The problem and its node.
        problem: String,
    },
    /// A column is named by an index that the table does not have.
    #[error("there is no column with the index {place}; the table has {}", counted(*columns, "column"))]
    NoColumn {
        /// The index.
        place: usize,
        /// Number of columns.
        columns: usize,
    },
    /// A table is asked for its mapping or its cells, but only a table in memory has them.
    #[error("the table is not in memory")]
    NotInMemory,
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ")
}
