//! Reads the table of a job, and stops if a column should not be published without a decision.

use std::collections::BTreeMap;

use crate::error::{Advice, Warning};
use crate::guard::{self, Finding, Glance, Reason};
use crate::io::{ReadOptions, Source};
use crate::noun::{all_of, counted};
use crate::privacy::KAnonymity;
use crate::problem::{check_records, check_size};
use crate::progress::Progress;
use crate::schema::{Role, Schema};
use crate::table::{Columns, Table};
use crate::{Error, Result};

/// The table of a job and the columns to read.
pub(crate) struct Guarded<'a> {
    pub(crate) source: &'a Source,
    pub(crate) columns: &'a Columns,
    /// The least number of records, or people, in a class.
    pub(crate) k: u64,
}

/// A table that was read, and the schema as one that can be published.
pub(crate) struct Admitted {
    pub(crate) table: Table,
    pub(crate) schema: Schema,
    pub(crate) looked: Looked,
    /// The number of distinct values of sensitive columns, in a sample of the records.
    pub(crate) distinct: BTreeMap<String, usize>,
}

/// A sample of the columns that are published, and the findings about them.
#[derive(Debug)]
pub(crate) struct Looked {
    pub(super) glance: Glance,
    pub(super) findings: Vec<Finding>,
}

impl Looked {
    /// The findings about the columns.
    pub(crate) fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

impl Guarded<'_> {
    /// Reads the table and examines the columns that would be published, in one pass.
    ///
    /// # Errors
    ///
    /// [`Error::Undecided`] if columns without a role should not be published as they are, and
    /// [`Error::Unreachable`] if there are fewer records, or people, than `k`.
    pub(crate) fn read(
        &self,
        schema: Schema,
        options: &ReadOptions,
        progress: &dyn Progress,
    ) -> Result<Admitted> {
        let Self { source, columns, k } = *self;
        let names = source.header().iter().enumerate();
        // Quasi-identifiers are examined too, because other columns may reveal them.
        let looked: Vec<usize> = names
            .filter(|(place, name)| guard::is_examined(schema.role(*place), name))
            .map(|(place, _)| place)
            .filter(|&place| source.unusable(place).is_none())
            .collect();
        let groups = std::slice::from_ref(columns);
        let (mut tables, glance) = source.read_and_look(groups, &looked, options, progress)?;
        let table =
            tables.pop().ok_or_else(|| Error::Internal("one group gives one table".into()))?;
        // A `k` that no decision about columns makes possible is said first.
        check_records(&table)?;
        check_size(&KAnonymity::new(k)?, &table)?;
        let left_out = schema.left_out();
        // Before the search, which can take long.
        let (schema, findings) = guard::admit(schema, &glance).map_err(|error| match error {
            // A column that was read in a wrong encoding can look like something else.
            Error::Undecided { columns, .. } => {
                let reading = source.warnings(&left_out, &options.encoding.na);
                Error::Undecided { columns, reading }
            }
            other => other,
        })?;
        let sensitive = schema.with(Role::Sensitive);
        let distinct =
            sensitive.filter_map(|name| Some((name.clone(), glance.n_distinct(name)?))).collect();
        let looked = Looked { glance, findings };
        Ok(Admitted { table, schema, looked, distinct })
    }
}

/// Returns the findings that did not stop the run. Open columns in which many records have a value
/// of their own are one warning, because there can be many and the remedy is the same.
pub(crate) fn warnings(findings: &[Finding], schema: &Schema) -> Vec<Warning> {
    let role_of = |column: &str| {
        let place = schema.names().iter().position(|name| name == column);
        place.map_or(Role::Undecided, |place| schema.role(place))
    };
    let warning = |finding: &Finding| {
        let warning = Warning::new(format!("column '{}': {}", finding.column, finding.reason));
        warning.advise(advice(finding, role_of(&finding.column)))
    };
    let is_unique = |finding: &&Finding| {
        matches!(finding.reason, Reason::NearlyUnique { .. })
            && role_of(&finding.column) == Role::Undecided
    };
    let (unique, others): (Vec<&Finding>, Vec<&Finding>) = findings.iter().partition(is_unique);
    if unique.len() < 2 {
        return findings.iter().map(warning).collect();
    }
    others.into_iter().map(warning).chain(together(&unique)).collect()
}

/// One warning about several columns in which many records have a value that no other has.
fn together(unique: &[&Finding]) -> Option<Warning> {
    let share = |finding: &Finding| match finding.reason {
        Reason::NearlyUnique { share, .. } => share,
        _ => 0.0,
    };
    let most = unique.iter().max_by(|a, b| share(a).total_cmp(&share(b)))?;
    let columns: Vec<String> = unique.iter().map(|finding| finding.column.clone()).collect();
    let names: Vec<String> = columns.iter().map(|name| format!("'{name}'")).collect();
    let problem = format!("columns {}: up to {}", all_of(&names), most.reason);
    Some(Warning::new(problem).advise([
        Advice::DropColumns { columns: columns.clone() },
        Advice::NameQuasi { column: None },
        Advice::KeepColumns { columns },
    ]))
}

/// Advice about a finding that did not stop the run, in a column with this role.
fn advice(Finding { column, reason, .. }: &Finding, role: Role) -> Vec<Advice> {
    let (person, drop) = (
        Advice::NamePerson { column: column.clone() },
        Advice::DropColumn { column: column.clone() },
    );
    let generalize = Advice::NameQuasi { column: Some(column.clone()) };
    match (reason, role) {
        (Reason::SeveralRowsPerPerson { .. }, _) => vec![person],
        (_, Role::Quasi) => vec![Advice::NameIdentifier { column: column.clone() }],
        // All three remedies: drop the column, generalize it, or keep it.
        (_, Role::Undecided) => {
            vec![drop, generalize, Advice::KeepColumns { columns: vec![column.clone()] }]
        }
        (Reason::Household { .. }, _) => vec![drop, person],
        // A group of names or contacts would still have them in it.
        (
            Reason::Name { .. }
            | Reason::Pattern { .. }
            | Reason::Contains { .. }
            | Reason::RowNumber
            | Reason::PersonNames { .. }
            | Reason::MayBeNames,
            _,
        ) => vec![drop],
        _ => vec![drop, generalize],
    }
}

/// Returns a warning if records were left out because a value is missing.
pub(crate) fn dropped(table: &Table) -> Option<Warning> {
    let n_dropped = table.n_dropped();
    (n_dropped > 0).then(|| {
        let were = if n_dropped == 1 { "was" } else { "were" };
        let of = counted(table.n_rows(), "record");
        Warning::new(format!("{n_dropped} of {of} {were} left out because a value is missing"))
            .advise([Advice::OtherMissingPolicy])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Kind;

    fn unique(column: &str, alone: u64) -> Finding {
        let (records, is_estimate, kind) = (38, false, Kind::Number);
        let share = alone as f64 / records as f64;
        let reason = Reason::NearlyUnique { share, alone, records, is_estimate, kind };
        let (suggested, or_quasi, stops) = (Role::Dropped, false, false);
        Finding { column: column.to_owned(), reason, suggested, or_quasi, stops }
    }

    #[test]
    fn columns_of_nearly_unique_numbers_are_one_warning() {
        let header = ["age", "a", "b"].map(str::to_owned);
        let schema = Schema::new(&header, &[("age", Role::Quasi)]).unwrap();
        let of = |findings: &[Finding]| -> Vec<String> {
            warnings(findings, &schema).iter().map(Warning::to_string).collect()
        };
        assert_eq!(
            of(&[unique("a", 36), unique("b", 38)]),
            [
                "columns 'a' and 'b': up to 38 of 38 records have a value that no other has; leave them \
              out, name the columns that others may know, or keep what should be published as it is"
            ]
        );
        assert!(of(&[unique("a", 36)])[0].starts_with("column 'a': 36 of 38 records"));
    }
}
