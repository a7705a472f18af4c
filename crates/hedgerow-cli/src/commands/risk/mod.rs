//! `hedgerow risk`: estimates the re-identification risk of a table and of its release.

mod text;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, bail};
use hedgerow::error::Advice;
use hedgerow::format;
use hedgerow::hierarchy::Hierarchy;
use hedgerow::io::{ReadOptions, Source};
use hedgerow::measure::Owners;
use hedgerow::noun::counted;
use hedgerow::publish;
use hedgerow::risk::{self, Depth, Request};
use hedgerow::schema;
use hedgerow::table::{Columns, Encoding, MissingPolicy, Table};

use super::people::Compared;
use super::population;
use crate::Verdict;
use crate::args::{RiskArgs, pairs_of};
use crate::console::{self, Console};

pub(crate) fn run(args: &RiskArgs) -> Result<Verdict> {
    let console = Console::new(false);
    if args.shown.keep_order && args.release.is_none() {
        bail!("--keep-order is about a release; name one with --release FILE, or leave it out");
    }
    let source = args.shown.read.file.open(&args.table)?;
    check_names(args, source.header())?;
    let original = read_original(args, &source, &console)?;
    console::note_reading(&source, &original.notes());
    let trees = trees(args, &original)?;
    let (release, notes) = match &args.release {
        Some(path) => read_release(args, &source, path, &trees, &console)?,
        None => (None, Vec::new()),
    };
    let population =
        population::read(args.population.as_ref(), &original, &args.shown.read, &console)?;
    let request = Request::new(&original)
        .release(release.as_ref())
        .extent(args.sample.extent(population.as_ref()))
        .hierarchies(trees.iter().map(|(name, tree)| (name.clone(), tree)).collect())
        .thresholds(&args.sample.thresholds)
        .sensitive(&args.sensitive)
        .models(&args.models)
        .depth(Depth::Columns);
    let mut found = risk::assess(&request)?;
    found.notes.extend(notes);
    drop(console.seconds());
    if args.json {
        console::print_json(&found)?;
    } else {
        console::print(&text::text(&found))?;
    }
    Ok(Verdict::Fine)
}

/// Returns an error if a column that is named does not exist, or has two roles.
fn check_names(args: &RiskArgs, header: &[String]) -> Result<()> {
    let named = args
        .shown
        .quasi
        .iter()
        .chain(&args.sensitive)
        .chain(&args.sample.weights)
        .chain(&args.person);
    for name in named {
        schema::find(header, name)?;
    }
    // A quasi-identifier is generalized, so it cannot also be published unchanged.
    let others = args.sensitive.iter().chain(&args.sample.weights).chain(&args.person);
    for name in others {
        if args.shown.quasi.contains(name) {
            let problem = "the column is named as a quasi-identifier and in another role";
            let advice = Advice::words("name it once");
            return Err(hedgerow::Error::column(name, problem).advise([advice]).into());
        }
    }
    Ok(())
}

/// Reads all columns of the original, to compute what each would contribute.
fn read_original(args: &RiskArgs, source: &Source, console: &Console) -> Result<Table> {
    let is_other =
        |name: &&String| !args.shown.quasi.contains(name) && args.person.as_ref() != Some(*name);
    let others: Vec<String> = source.header().iter().filter(is_other).cloned().collect();
    let columns =
        Columns { quasi: args.shown.quasi.clone(), beside: others, person: args.person.clone() };
    Ok(source.read(
        &columns,
        &options(args, args.shown.read.encoding(args.missing.into())?),
        console,
    )?)
}

fn options(args: &RiskArgs, encoding: Encoding) -> ReadOptions {
    ReadOptions { encoding, threads: args.shown.read.file.threads(), ..ReadOptions::default() }
}

/// Reads the release; if people are counted, with the person of each record, or not at all if these
/// are not known. Also returns notes.
fn read_release(
    args: &RiskArgs,
    original: &Source,
    path: &Path,
    trees: &BTreeMap<String, Hierarchy>,
    console: &Console,
) -> Result<(Option<Table>, Vec<String>)> {
    let mut source = args.shown.read.file.open_release(path, args.output_encoding)?;
    if args.shown.spreadsheet_safe {
        source = source.without_guards();
    }
    for name in &args.shown.quasi {
        schema::find(source.header(), name).map_err(|error| error.in_file(path))?;
    }
    let is_there = |name: &&String| source.header().contains(name);
    let named = args.person.as_ref().filter(is_there);
    let is_guarded = args.shown.spreadsheet_safe;
    let encoding = Encoding { is_guarded, ..args.shown.read.encoding(MissingPolicy::Own)? };
    // Other columns are compared one by one, because together they would make most records
    // different.
    let used = args.sensitive.iter().chain(&args.sample.weights).filter(is_there);
    let columns = Columns {
        quasi: args.shown.quasi.clone(),
        beside: used.cloned().collect(),
        person: args.person.clone(),
    };
    let reading = options(args, encoding);
    let pair = publish::Pair {
        original,
        release: &source,
        columns: &columns,
        reading: &reading,
        is_guarded,
    };
    let mut notes: Vec<String> = pair.doubts(console)?.iter().map(ToString::to_string).collect();
    // A release usually leaves people out, so they are found by comparing it with the original.
    if let (Some(person), None) = (&args.person, named) {
        let (release, note) = owners(args, [original, &source], person, trees, console)?;
        notes.extend(note);
        return Ok((release, notes));
    }
    let columns = Columns { person: named.cloned(), ..columns.clone() };
    let release = publish::read_release(&source, &columns, reading, console);
    Ok((Some(release.map_err(|error| error.in_file(path))?), notes))
}

/// Finds the people of a release that does not name them. Also returns a note if they are not
/// known.
fn owners(
    args: &RiskArgs,
    [original, release]: [&Source; 2],
    person: &str,
    trees: &BTreeMap<String, Hierarchy>,
    console: &Console,
) -> Result<(Option<Table>, Option<String>)> {
    let compared =
        Compared { release, original, person, args: &args.shown, missing: args.missing.into() };
    Ok(match compared.owners(|_| Ok(trees.clone()), console)? {
        Owners::Known(named) => (Some(named), None),
        Owners::Uncertain { at_least } => {
            let fewest = counted(at_least, "person");
            let note = format!(
                "records of the release could belong to different people, so its risk cannot be counted \
                 in people; every class has at least {fewest}. A release in the order of its original \
                 (--keep-order) can be counted before it is shuffled"
            );
            (None, Some(note))
        }
    })
}

/// Reads the hierarchies that are given for columns of the original.
fn trees(args: &RiskArgs, original: &Table) -> Result<BTreeMap<String, Hierarchy>> {
    let mut given = match &args.saved {
        Some(folder) => publish::saved_hierarchies(folder, &args.shown.quasi)?,
        None => BTreeMap::new(),
    };
    given.extend(pairs_of(&args.hierarchies, &args.shown.quasi)?);
    let mut trees = BTreeMap::new();
    for column in original.columns() {
        if let Some(path) = given.get(&column.name) {
            trees.insert(column.name.clone(), format::read_file_of(path, column)?);
        }
    }
    Ok(trees)
}
