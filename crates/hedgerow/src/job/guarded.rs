//! Reads the table of a job, and stops if a column should not be published without a decision.

use std::collections::BTreeMap;

use crate::error::{Advice, Warning};
use crate::guard::{self, Finding, Glance, Reason};
use crate::io::{ReadOptions, Source};
use crate::noun::counted;
use crate::privacy::KAnonymity;
use crate::problem::{check_records, check_size};
use crate::progress::Progress;
use crate::schema::{Role, Schema};
use crate::table::{Columns, MissingPolicy, Table};
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

/// What was seen of the columns that are published, and what was found about them.
#[derive(Debug)]
pub(crate) struct Looked {
    pub(super) glance: Glance,
    pub(super) findings: Vec<Finding>,
}

impl Looked {
    /// What was found about the columns.
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
        // Quasi-identifiers are looked at too, because other columns may give them away.
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

/// Returns the findings that did not stop the run.
pub(crate) fn warnings(findings: &[Finding], schema: &Schema) -> Vec<Warning> {
    let role_of = |column: &str| {
        let place = schema.names().iter().position(|name| name == column);
        place.map_or(Role::Undecided, |place| schema.role(place))
    };
    let warning = |finding: &Finding| {
        let warning = Warning::new(format!("column '{}': {}", finding.column, finding.reason));
        warning.advise(advice(finding, role_of(&finding.column)))
    };
    findings.iter().map(warning).collect()
}

/// What to do about a finding that did not stop the run, in a column with this role.
fn advice(Finding { column, reason, .. }: &Finding, role: Role) -> Vec<Advice> {
    let (person, drop) = (
        Advice::NamePerson { column: column.clone() },
        Advice::DropColumn { column: column.clone() },
    );
    let generalize = Advice::NameQuasi { column: Some(column.clone()) };
    match (reason, role) {
        (Reason::SeveralRowsPerPerson { .. }, _) => vec![person],
        (_, Role::Quasi) => vec![Advice::NameIdentifier { column: column.clone() }],
        // Both ways out and the way on: leave out, generalize, or keep knowingly.
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
    let (n_rows, n_kept) = (table.n_rows(), table.cohorts().n_records());
    let n_dropped = n_rows - n_kept;
    (table.missing() == MissingPolicy::Drop && n_dropped > 0).then(|| {
        let were = if n_dropped == 1 { "was" } else { "were" };
        let of = counted(n_rows, "record");
        Warning::new(format!("{n_dropped} of {of} {were} left out because a value is missing"))
            .advise([Advice::OtherMissingPolicy])
    })
}
