//! `hedgerow measure`: measures the information loss of a release, from its files alone.

use std::collections::BTreeMap;

use anyhow::Result;
use hedgerow::classify::{self, Classification};
use hedgerow::format;
use hedgerow::hierarchy::Hierarchy;
use hedgerow::io::ReadOptions;
use hedgerow::measure;
use hedgerow::noun::counted;
use hedgerow::publish;
use hedgerow::report;
use hedgerow::table::{Columns, Encoding, MissingPolicy};
use serde::Serialize;

use crate::Verdict;
use crate::args::{MeasureArgs, pairs_of};
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
    release_loss: BTreeMap<&'static str, f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    classification: Option<Classification>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    sets: BTreeMap<String, BTreeMap<&'static str, f64>>,
}

pub(crate) fn run(args: &MeasureArgs) -> Result<Verdict> {
    let console = Console::new(false);
    let threads = args.read.file.threads();
    let original_file = args.read.file.open(&args.original)?;
    let mut release_file = args.read.file.open_release(&args.release, args.output_encoding)?;
    if args.spreadsheet_safe {
        release_file = release_file.without_guards();
    }
    let class: Vec<String> = args.class.iter().cloned().collect();
    let encoding = args.read.encoding(args.missing.into())?;
    let options = ReadOptions { encoding, threads, ..ReadOptions::default() };
    let columns = Columns::quasi(&args.quasi).and_beside(&class);
    let original = original_file.read(&columns, &options, &console)?;
    console::note_reading(&original_file, &original.notes());
    let as_shown = Encoding {
        missing: MissingPolicy::Own,
        is_guarded: args.spreadsheet_safe,
        ..options.encoding.clone()
    };
    let options = ReadOptions { encoding: as_shown, threads, ..ReadOptions::default() };
    let release = publish::read_release(&release_file, &columns, options, &console)?;
    let mut given = match &args.saved {
        Some(folder) => publish::saved_hierarchies(folder, &args.quasi)?,
        None => BTreeMap::new(),
    };
    given.extend(pairs_of(&args.hierarchies, &args.quasi)?);
    let files =
        original.columns().iter().filter_map(|column| Some((column, given.get(&column.name)?)));
    let hierarchies: BTreeMap<String, Hierarchy> = files
        .map(|(column, path)| Ok((column.name.clone(), format::read_file_of(path, column)?)))
        .collect::<hedgerow::Result<_>>()?;
    let classification =
        args.classify.then(|| classify::release(&original, &release, args.seed)).transpose()?;
    let sets =
        measure::sets(&original, &release).into_iter().filter(|(_, sets)| !sets.counts.is_empty());
    let partition = measure::partition(&original, &release, &hierarchies, args.k)?;
    let smallest = partition.sizes.iter().copied().min().unwrap_or(0);
    drop(console.seconds());
    let measurement = Measurement {
        rows: original.cohorts().n_records(),
        released: release.n_rows(),
        suppressed: partition.n_suppressed,
        classes: partition.sizes.len(),
        smallest_class: smallest,
        k: args.k.unwrap_or(smallest),
        quasi: args.quasi.clone(),
        release_loss: partition.losses(),
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

/// Formats a measurement as text. `by_smallest` is true if no `k` was given and the size of the
/// smallest class is used instead.
fn text(measurement: &Measurement, by_smallest: bool) -> String {
    let classification = measurement.classification.as_ref();
    format!(
        "{} of {} released, {} suppressed or left out; {}, smallest size {}; losses that depend on k use k = \
         {}{}\n\n{}{}{}",
        measurement.released,
        counted(measurement.rows, "record"),
        measurement.suppressed,
        counted(measurement.classes, "class"),
        measurement.smallest_class,
        measurement.k,
        if by_smallest { ", the size of the smallest class; choose another with -k" } else { "" },
        report::loss_table(&measurement.release_loss),
        classification.map_or_else(String::new, report::classification),
        report::set_table(&measurement.sets)
    )
}
