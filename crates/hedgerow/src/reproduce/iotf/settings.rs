//! The six settings, and one run of k-member for each of them and each k.

use std::collections::BTreeMap;

use crate::Result;
use crate::anonymize::KMember;
use crate::builder;
use crate::format::Format;
use crate::hierarchy::Generalization;
use crate::loss::Partition;
use crate::measure;
use crate::progress::{Progress, Silent};
use crate::recoding::Recoding;
use crate::release::{Release, Style};
use crate::reproduce::Materials;
use crate::reproduce::setup::problem;
use crate::table::{Column, Columns, Table};

pub(super) const COLUMNS: [&str; 3] = ["age", "education-num", "hours-per-week"];
pub(super) const KS: std::ops::RangeInclusive<u64> = 2..=20;

/// The names of the settings, as the paper abbreviates them, with our method.
pub(super) const SETTINGS: [(&str, &str); 6] = [
    ("IOTF", "iotf"),
    ("OTF", "otf"),
    ("CHU", "chu"),
    ("HAN", "han"),
    ("PH", "predefined"),
    ("HF", "free"),
];
/// The place of the setting without hierarchies, after all that have one.
pub(super) const FREE: usize = 5;

/// The predefined trees.
const PREDEFINED: [&str; 3] = [
    include_str!("../../../data/hierarchies/age.csv"),
    include_str!("../../../data/hierarchies/education-num.csv"),
    include_str!("../../../data/hierarchies/hours-per-week.csv"),
];

/// The losses of one run.
pub(super) struct Run {
    /// Index into [`SETTINGS`].
    pub(super) setting: usize,
    pub(super) k: u64,
    /// Losses of the clusters, as the paper defines them.
    pub(super) clusters: BTreeMap<&'static str, f64>,
    /// Losses of the release, in which clusters with equal cells are one class.
    pub(super) release: BTreeMap<&'static str, f64>,
}

impl Run {
    fn of(table: &Table, setting: usize, k: u64) -> Result<Self> {
        let recoding = clusters(table, setting, k)?;
        let release = Release::new(&recoding, &Style::default())?;
        Ok(Self {
            setting,
            k,
            // Definitions 7 to 10 of the paper are about clusters, even if two of them publish the
            // same cells.
            clusters: Partition::of(recoding.problem(), &recoding).losses(),
            // DM and AVG of clusters hardly depend on the hierarchy, because all clusters have k
            // records.
            release: measure::of_release(&release, true).losses(),
        })
    }
}

pub(super) fn table(materials: &Materials<'_>) -> Result<Table> {
    materials.read("adult", &Columns::quasi(&COLUMNS))
}

/// The hierarchy of a column in a setting.
pub(super) fn hierarchy(setting: usize, column: &Column) -> Result<Generalization> {
    let (_, method) = SETTINGS[setting];
    // The automatic hierarchies are built from the values of the column alone.
    if method != "predefined" {
        return builder::build(&method.parse()?, column, None);
    }
    // Both lists are constants of this file with the same three columns.
    let place = COLUMNS.iter().position(|name| *name == column.name).unwrap_or_default();
    let draft = (Format::named("arx")?.item.parse)(PREDEFINED[place], Some(&column.name))?;
    // The leaves of a file are texts until they are read as numbers of the column.
    Ok(draft.for_values(&column.domain).assemble()?.into())
}

/// The clusters that k-member finds in a setting.
pub(super) fn clusters(table: &Table, setting: usize, k: u64) -> Result<Recoding> {
    let columns = table.columns().iter();
    let built = columns.map(|column| hierarchy(setting, column)).collect::<Result<_>>()?;
    problem(table, built, k)?.solve(&KMember::default(), &Silent)
}

/// Runs every setting with every k.
pub(super) fn run(
    materials: &Materials<'_>,
    table: &Table,
    progress: &dyn Progress,
) -> Result<Vec<Run>> {
    // Runs differ in time by their k, so threads take single runs and not whole settings.
    let items: Vec<(usize, u64)> =
        (0..SETTINGS.len()).flat_map(|setting| KS.map(move |k| (setting, k))).collect();
    materials.each(&items, progress, |&(setting, k)| Run::of(table, setting, k))
}
