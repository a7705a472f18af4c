//! Reads counted tuples from a file, and writes what each of them publishes to another.

use std::ops::Range;
use std::sync::Arc;

use super::on_counts::{Planned, run_on_counts};
use super::plan::Plan;
use super::{Job, check, extras};
use crate::error::Advice;
use crate::io::{CountColumns, Frame, Output, Source, Texts};
use crate::progress::{Progress, Stage};
use crate::table::Counted;
use crate::{Error, Result};

/// The columns of a plan, before the published ones.
const COLUMNS: [&str; 4] = ["first", "cohort", "low", "high"];
/// Comes before the names of published columns, so that they differ from those of the table.
const PREFIX: &str = "published_";

/// Plans the release of a table that is elsewhere from a file of counted tuples, and writes the
/// plan to the output of the job, a Parquet file.
///
/// A row of the plan has the columns `first` (the position of the first record of a tuple, as it
/// was counted), `cohort` (tuples of one cohort mean the same), `low` and `high` (the records of
/// the cohort with these numbers, counted from 1 in the order of the table), and the cells that
/// these records publish, in columns that begin with `published_`. Records without a row in the
/// plan are left out of the release.
///
/// # Errors
///
/// Those of [`run_on_counts`], and of reading and writing files.
pub fn run_on_count_file(
    job: &Job,
    columns: &CountColumns,
    progress: &dyn Progress,
) -> Result<Planned> {
    check::can_run(job)?;
    let plan = Plan::of(job)?;
    let output = Output::create_table(&job.output, job.force, &extras::inputs(job))?;
    if !output.is_parquet() {
        return Err(Error::file(&job.output, "a plan is written as Parquet")
            .advise([Advice::words("name a .parquet file")]));
    }
    let source = job.open(&job.input)?;
    // Columns that nothing looks at must exist all the same.
    let schema = job.schema(source.header(), &plan.claims())?;
    let wanted = plan.columns(&schema);
    progress.stage(Stage::Read);
    let counts = source.read_tuples(&wanted, columns, &job.reading(false), progress)?;
    let planned = run_on_counts(job, &wanted.names(), &counts, progress)?;
    progress.stage(Stage::Write);
    let table = PlanTable::of(&planned, &counts);
    let is_numeric = planned.mapping.columns.iter().map(|column| column.is_numeric);
    let names = table.names();
    let published = names[COLUMNS.len()..].iter().zip(is_numeric);
    let as_text: Vec<&String> =
        published.filter(|(_, is_numeric)| !is_numeric).map(|(name, _)| name).collect();
    let table = Source::of_frame(Arc::new(table), "the plan")?;
    table.write_parquet(&as_text, &output, progress)?;
    output.finish()?;
    Ok(planned)
}

/// A plan as a table in memory.
#[derive(Debug)]
struct PlanTable {
    names: Vec<String>,
    rows: Vec<Row>,
}

/// Records of the cohort of a tuple that publish the same cells.
#[derive(Debug)]
struct Row {
    /// Position, cohort, first number and last number.
    numbers: [u64; 4],
    cells: Arc<Vec<String>>,
}

impl PlanTable {
    fn of<T>(planned: &Planned, counts: &[Counted<T>]) -> Self {
        let published = planned.mapping.columns.iter();
        let published = published.map(|column| format!("{PREFIX}{}", column.name));
        let names = COLUMNS.map(str::to_owned).into_iter().chain(published).collect();
        let cohorts: Vec<Vec<Row>> = (planned.mapping.groups.iter().enumerate())
            .map(|(cohort, runs)| {
                let mut high = 0;
                let mut rows = Vec::with_capacity(runs.len());
                for run in runs.iter().filter(|run| run.count > 0) {
                    let low = high + 1;
                    high += run.count;
                    let cells = run.cells.iter();
                    rows.extend(cells.map(|cells| Row {
                        numbers: [0, cohort as u64, low, high],
                        cells: Arc::new(cells.clone()),
                    }));
                }
                rows
            })
            .collect();
        let rows = counts.iter().zip(&planned.groups).flat_map(|(tuple, cohort)| {
            let rows = cohort.map_or(&[][..], |cohort| cohorts[cohort].as_slice());
            rows.iter().map(|row| {
                let [_, cohort, low, high] = row.numbers;
                let numbers = [tuple.first_row, cohort, low, high];
                Row { numbers, cells: Arc::clone(&row.cells) }
            })
        });
        Self { names, rows: rows.collect() }
    }
}

impl Frame for PlanTable {
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    fn n_rows(&self) -> u64 {
        self.rows.len() as u64
    }

    fn texts(&self, column: usize, rows: Range<u64>, texts: &mut Texts) -> Result<()> {
        for row in &self.rows[rows.start as usize..rows.end as usize] {
            match column.checked_sub(COLUMNS.len()) {
                None => texts.push(&row.numbers[column].to_string()),
                Some(cell) => texts.push(&row.cells[cell]),
            }
        }
        Ok(())
    }
}
