//! `hedgerow measure`: measures the information loss of a release, from its files alone.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use hedgerow::classify::{self, Classification};
use hedgerow::format;
use hedgerow::hierarchy::Hierarchy;
use hedgerow::io::{Inputs, Output, ReadOptions, Source};
use hedgerow::measure::{self, Classes, Owners, Recount};
use hedgerow::noun::counted;
use hedgerow::privacy::KAnonymity;
use hedgerow::publish;
use hedgerow::report;
use hedgerow::table::{Columns, Encoding, MissingPolicy, Table};
use hedgerow::utility::{self, Utility};
use serde::Serialize;

use super::people::Compared;
use crate::Verdict;
use crate::args::{MeasureArgs, Pair, pairs_of};
use crate::console::{self, Console};

#[derive(Serialize)]
struct Measurement {
    rows: u64,
    released: u64,
    suppressed: u64,
    classes: usize,
    smallest_class: u64,
    /// The `k` of the losses that depend on one, such as `navg` and `c_avg`.
    k: u64,
    quasi: Vec<String>,
    /// The people of the release, if the original names them.
    #[serde(skip_serializing_if = "Option::is_none")]
    people: Option<Counted>,
    release_loss: BTreeMap<&'static str, f64>,
    /// What the release is still good for.
    utility: Utility,
    #[serde(skip_serializing_if = "Option::is_none")]
    classification: Option<Classification>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    sets: BTreeMap<String, BTreeMap<&'static str, f64>>,
}

/// The people of a release.
#[derive(Serialize)]
struct Counted {
    /// The column of the original that names them.
    column: String,
    /// Number of people; `None` if those of single records are not known.
    people: Option<u64>,
    /// Number of people that every class has at least.
    smallest_class: u64,
}

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
    let original = original_file.read(&columns, &options, &console)?;
    console::note_reading(&original_file, &original.notes());
    // An empty cell of a release is what it shows, whatever the policy for the original.
    let as_shown = Encoding {
        missing: MissingPolicy::Own,
        is_guarded: args.shown.spreadsheet_safe,
        ..options.encoding.clone()
    };
    let options = ReadOptions { encoding: as_shown, threads, ..ReadOptions::default() };
    let release = publish::read_release(&release_file, &columns, options, &console)?;
    let hierarchies = trees(args, &original)?;
    let files = [&original_file, &release_file];
    let of_person = |person: &String| people(args, files, person, &hierarchies, &console);
    let people = args.person.as_ref().map(of_person).transpose()?;
    let classification =
        args.classify.then(|| classify::release(&original, &release, args.seed)).transpose()?;
    let sets =
        measure::sets(&original, &release).into_iter().filter(|(_, sets)| !sets.counts.is_empty());
    // From labels alone: a release of another tool is measured in the same way.
    let partition = measure::partition(&original, &release, &hierarchies, args.k)?;
    if let Some(output) = classes {
        let found = Classes::of_files(&original, &release, &hierarchies)?;
        output.write_all(found.csv(args.shown.spreadsheet_safe)?.as_bytes())?;
    }
    let labels = hierarchies.iter().map(|(name, tree)| (name.clone(), tree)).collect();
    let utility = utility::compare(&original, &release, &labels, args.seed);
    let smallest = partition.sizes.iter().copied().min().unwrap_or(0);
    drop(console.seconds());
    let measurement = Measurement {
        rows: original.cohorts().n_records(),
        released: release.n_rows(),
        suppressed: partition.n_suppressed,
        classes: partition.sizes.len(),
        smallest_class: smallest,
        // Without -k the release is judged by what it attains.
        k: args.k.unwrap_or(smallest),
        quasi: args.shown.quasi.clone(),
        people,
        release_loss: partition.losses(),
        utility,
        classification,
        sets: sets.map(|(column, sets)| (column, sets.losses())).collect(),
    };
    if args.json {
        console::print_json(&measurement)?;
    } else {
        console::print(&text(&measurement, args.k.is_none()))?;
    }
    Ok(Verdict::Fine)
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
) -> Result<Counted> {
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
    Ok(Counted { column: person.to_owned(), people, smallest_class })
}

/// Formats the people of a release as a line.
fn told(people: &Counted) -> String {
    let all = people.people.map_or_else(String::new, |all| format!("{}, ", counted(all, "person")));
    let fewest = counted(people.smallest_class, "person");
    format!("\npeople by '{}': {all}at least {fewest} in each class", people.column)
}

/// Formats a measurement as text. `by_smallest` is true if no `k` was given and the size of the
/// smallest class is used instead.
fn text(measurement: &Measurement, by_smallest: bool) -> String {
    let classification = measurement.classification.as_ref();
    format!(
        "{} of {} released, {} suppressed or left out; {}, smallest size {}; losses that depend on k use k = \
         {}{}{}\n\n{}{}{}{}",
        measurement.released,
        counted(measurement.rows, "record"),
        measurement.suppressed,
        counted(measurement.classes, "class"),
        measurement.smallest_class,
        measurement.k,
        if by_smallest { ", the size of the smallest class; choose another with -k" } else { "" },
        measurement.people.as_ref().map_or_else(String::new, told),
        report::loss_table(&measurement.release_loss),
        report::utility(&measurement.utility),
        classification.map_or_else(String::new, report::classification),
        report::set_table(&measurement.sets)
    )
}
