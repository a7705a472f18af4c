//! `hedgerow measure`: measures the information loss of a release, from its files alone.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use hedgerow::error::Warning;
use hedgerow::format;
use hedgerow::hierarchy::Hierarchy;
use hedgerow::io::{Inputs, Output, ReadOptions, Source};
use hedgerow::measure::{Classes, Owners, Recount};
use hedgerow::noun::counted;
use hedgerow::privacy::KAnonymity;
use hedgerow::publish;
use hedgerow::report::{self, Measured, Measurement, PeopleShown};
use hedgerow::table::{Columns, Table};

use super::people::Compared;
use crate::Verdict;
use crate::args::{MeasureArgs, Pair, pairs_of};
use crate::console::{self, Console};

pub(crate) fn run(args: &MeasureArgs) -> Result<Verdict> {
    let console = Console::new(false);
    let file = &args.shown.read.file;
    let threads = file.threads();
    file.check_sheet([args.original.as_path(), &args.release])?;
    let classes = classes_file(args)?;
    let original_file = file.open_one(&args.original)?;
    let mut release_file = file.open_release(&args.release, args.output_encoding)?;
    if args.shown.spreadsheet_safe {
        release_file = release_file.without_guards();
    }
    // The class column is read with both tables, and is not part of the quasi-identifiers.
    let class: Vec<String> = args.class.iter().cloned().collect();
    let encoding = args.shown.read.encoding(args.missing.into())?;
    let options = ReadOptions { encoding, threads, ..ReadOptions::default() };
    let columns = Columns::quasi(&args.shown.quasi).and_beside(&class);
    let pair = publish::Pair {
        original: &original_file,
        release: &release_file,
        columns: &columns,
        reading: &options,
        is_guarded: args.shown.spreadsheet_safe,
    };
    let (original, release) = pair.read(&console)?;
    console::note_reading(&original_file, &original.notes());
    let hierarchies = trees(args, &original)?;
    let files = [&original_file, &release_file];
    let of_person = |person: &String| people(args, files, person, &hierarchies, &console);
    let people = args.person.as_ref().map(of_person).transpose()?;
    let measured =
        Measured { original: &original, release: &release, hierarchies: &hierarchies, k: args.k };
    let mut measurement = measured.measure(args.classify, args.seed)?;
    measurement.people = people;
    measurement.warnings = doubts(args, pair, &console)?;
    if args.certificate {
        measurement.certificate = Some(measured.certify(&measurement, &console)?);
    }
    if let Some(output) = classes {
        let found = Classes::of_files(&original, &release, &hierarchies)?;
        output.finish_with(found.csv(args.shown.spreadsheet_safe)?.as_bytes())?;
    }
    drop(console.seconds());
    if args.json {
        console::print_json(&measurement)?;
    } else {
        console::print(&text(&measurement, args.k.is_none()))?;
    }
    Ok(Verdict::Fine)
}

/// Prints and returns warnings about columns that are not measured.
fn doubts(args: &MeasureArgs, pair: publish::Pair<'_>, console: &Console) -> Result<Vec<Warning>> {
    // Not one of the columns that are compared: the release usually does not have it.
    let columns = Columns { person: args.person.clone(), ..pair.columns.clone() };
    let doubts = publish::Pair { columns: &columns, ..pair }.doubts(console)?;
    console::warn(&doubts);
    Ok(doubts)
}

/// Starts the file of classes before anything is read, so that a bad path fails early.
fn classes_file(args: &MeasureArgs) -> Result<Option<Output>> {
    let inputs = Inputs::of([&args.original, &args.release])
        .and(&args.saved)
        .and(args.hierarchies.iter().map(Pair::value));
    let create = |path: &PathBuf| Output::create(path, args.force, &inputs);
    Ok(args.classes.as_ref().map(create).transpose()?)
}

/// Reads the hierarchies that are given for columns of the original.
fn trees(args: &MeasureArgs, original: &Table) -> Result<BTreeMap<String, Hierarchy>> {
    let mut given = match &args.saved {
        Some(folder) => publish::saved_hierarchies(folder, &args.shown.quasi)?,
        None => BTreeMap::new(),
    };
    // A file given for a column replaces the saved hierarchy.
    given.extend(pairs_of(&args.hierarchies, &args.shown.quasi)?);
    let files =
        original.columns().iter().filter_map(|column| Some((column, given.get(&column.name)?)));
    let trees: hedgerow::Result<_> = files
        .map(|(column, path)| Ok((column.name.clone(), format::read_file_of(path, column)?)))
        .collect();
    Ok(trees?)
}

/// Counts the people of a release, whose original names them in the column `person`.
fn people(
    args: &MeasureArgs,
    [original, release]: [&Source; 2],
    person: &str,
    hierarchies: &BTreeMap<String, Hierarchy>,
    console: &Console,
) -> Result<PeopleShown> {
    let compared =
        Compared { release, original, person, args: &args.shown, missing: args.missing.into() };
    let (people, smallest_class) = match compared.owners(|_| Ok(hierarchies.clone()), console)? {
        Owners::Known(named) => {
            // k = 1 accepts every class; only the numbers of people are needed.
            let recount = Recount::of(&named, &[&KAnonymity::new(1)?])?;
            (Some(named.n_people()), recount.fewest_people())
        }
        Owners::Uncertain { at_least } => (None, at_least),
    };
    Ok(PeopleShown { column: person.to_owned(), people, smallest_class })
}

/// Formats the people of a release as a line.
fn told(people: &PeopleShown) -> String {
    let all = people.people.map_or_else(String::new, |all| format!("{}, ", counted(all, "person")));
    let fewest = counted(people.smallest_class, "person");
    format!("\npeople by '{}': {all}at least {fewest} in each class", people.column)
}

/// Formats a measurement as text. `by_smallest` is true if no `k` was given and the size of the
/// smallest class is used instead.
fn text(measurement: &Measurement, by_smallest: bool) -> String {
    let classification = measurement.classification.as_ref();
    let certified = measurement.certificate.as_ref();
    let certified = certified.map(|found| format!("The release {}.\n", report::certified(found)));
    format!(
        "{} of {} released, {} suppressed or left out; {}, smallest size {}; losses that depend on k use k = \
         {}{}{}\n\n{}\nTo quote one loss, take ntil: the mean share of the range or values of its column that a cell \
         covers.\n{}{}{}{}",
        measurement.released,
        counted(measurement.rows, "record"),
        measurement.suppressed,
        counted(measurement.classes, "class"),
        measurement.smallest_class,
        measurement.k,
        if by_smallest { ", the size of the smallest class; choose another with -k" } else { "" },
        measurement.people.as_ref().map_or_else(String::new, told),
        report::loss_table(&measurement.release_loss),
        certified.unwrap_or_default(),
        report::utility(&measurement.utility),
        classification.map_or_else(String::new, report::classification),
        report::set_table(&measurement.sets)
    )
}
