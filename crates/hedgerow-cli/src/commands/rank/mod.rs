//! `hedgerow hierarchy rank`: ranks several hierarchies of a column, or of several columns.

mod grid;
mod notes;
mod outcomes;
mod ranking;
mod reading;

use anyhow::Result;
use hedgerow::hierarchy::Hierarchy;
use hedgerow::io::{Inputs, Output};
use hedgerow::knowledge::{Concept, Knowledge, Senses};
use hedgerow::rank::{self, Evaluated, Question};
use hedgerow::table::Table;

use crate::Verdict;
use crate::args::RankArgs;
use crate::console;

/// The hierarchies of a column, with its table and the meanings of its values.
struct Compared {
    table: Table,
    trees: Vec<Hierarchy>,
    /// The names of the files.
    names: Vec<String>,
    /// The meaning of each value.
    meanings: Vec<Option<Concept>>,
    /// The reason why values have no meaning, if that must be said with the results.
    why: Option<String>,
}

pub(crate) fn run(args: &RankArgs) -> Result<Verdict> {
    let files = reading::files(&args.files)?;
    // Everything that is read must not be overwritten by the outcomes.
    let inputs = Inputs::of(&files).and([&args.table]).and(args.source.paths().chain(&args.senses));
    let output = args.outcomes.as_ref().map(|path| Output::create(path, args.force, &inputs));
    let output = output.transpose()?;
    // Read before concepts are gathered, which takes longer than reporting a bad file.
    let columns = reading::columns(args, &files)?;
    let knowledge = args.source.gather()?;
    let compared: Vec<Compared> = columns
        .into_iter()
        .map(|column| compared(args, column, &knowledge))
        .collect::<Result<_>>()?;
    match output {
        Some(output) => outcomes::run(args, output, &compared, &knowledge)?,
        None if args.grid => grid::print(args, &compared, &knowledge)?,
        None => ranking::print(args, &compared, &knowledge)?,
    }
    Ok(Verdict::Fine)
}

/// Finds the meanings of the values of a column, and says what is known about them.
fn compared(args: &RankArgs, column: reading::Column, knowledge: &Knowledge) -> Result<Compared> {
    let reading::Column { table, trees, names } = column;
    let column = &table.columns()[0];
    let senses = Senses::read(args.senses.as_deref(), knowledge, &column.domain)?;
    let meanings = rank::meanings(knowledge, column, &senses, &trees.iter().collect::<Vec<_>>())?;
    let has_meaning = meanings.iter().any(Option::is_some);
    // All candidates have the same semantic aspect then, which needs saying.
    let prefix = if has_meaning { "" } else { "semantic is the same for all: " };
    notes::note_sources(knowledge, &meanings);
    let note = notes::without_meaning(column, knowledge, &meanings);
    let note = note.map(|why| format!("{prefix}{why}"));
    // If no value has a meaning, the note belongs to the ranking and follows it.
    let follows = !has_meaning && !args.grid && !args.json && args.outcomes.is_none();
    if let Some(note) = note.as_ref().filter(|_| !follows) {
        console::note(note);
    }
    Ok(Compared { table, trees, names, meanings, why: note.filter(|_| follows) })
}

impl Compared {
    /// The name of the column.
    fn column(&self) -> &str {
        &self.table.columns()[0].name
    }

    fn trees(&self) -> Vec<&Hierarchy> {
        self.trees.iter().collect()
    }

    fn question<'a>(&'a self, knowledge: &'a Knowledge, k: u64) -> Question<'a> {
        Question { column: &self.table.columns()[0], knowledge, meanings: &self.meanings, k }
    }

    fn evaluated(&self, knowledge: &Knowledge, k: u64) -> Result<Vec<Evaluated>> {
        Ok(rank::evaluate(&self.question(knowledge, k), &self.trees())?)
    }
}
