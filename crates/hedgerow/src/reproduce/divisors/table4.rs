//! Table 4: the nodes and the distortion of each level, for hours from 1 to 100.

use crate::Result;
use crate::builder;
use crate::hierarchy::{Entry, Generalization, LevelFunction};
use crate::reproduce::numbers::fixed;
use crate::reproduce::{Exhibit, Materials, Sheet, Verdict};
use crate::table::Columns;

/// A column of the table as printed: nodes and distortions, lowest level first. `None` is a
/// distortion that differs within the level.
struct Printed {
    name: &'static str,
    /// The method with the parameters of the table.
    spec: &'static str,
    nodes: &'static [usize],
    /// The distinct distortions of each level.
    distortions: &'static [&'static [f64]],
    /// Number of decimals that are printed.
    decimals: usize,
}

const COLUMNS: [Printed; 4] = [
    Printed {
        name: "Conventional",
        spec: "cgh:lo=1,hi=100,min-width=10",
        nodes: &[8, 4, 2, 1],
        distortions: &[&[0.5], &[1.0], &[2.0], &[4.0]],
        decimals: 2,
    },
    Printed {
        name: "DBGH",
        spec: "dbgh:hi=100,min-width=10,distortion=cumulative",
        nodes: &[10, 5, 4, 2, 1],
        distortions: &[&[0.1], &[0.125], &[0.625], &[2.5], &[5.0]],
        decimals: 3,
    },
    Printed {
        name: "CBGH",
        spec: "cbgh:lo=1,hi=100,width=10",
        nodes: &[10, 5, 3, 2, 1],
        distortions: &[&[0.45], &[0.96], &[0.96, 1.97], &[1.97, 2.98], &[5.0]],
        decimals: 2,
    },
    Printed {
        name: "IOTF",
        spec: "iotf",
        nodes: &[24, 16, 4, 1],
        distortions: &[&[0.041], &[0.25], &[1.0], &[4.0]],
        decimals: 3,
    },
];

/// A level as we build it.
struct Found {
    nodes: usize,
    /// The distinct distortions, ascending.
    distortions: Vec<f64>,
}

impl Found {
    /// The level whose entry of each value is given.
    fn of(entries: &[Entry], distortions: &[f64]) -> Self {
        // Values of one interval are adjacent, so equal neighbours are one node.
        let mut entries = entries.to_vec();
        entries.dedup();
        let mut of_level: Vec<f64> =
            entries.iter().map(|entry| distortions[entry.index()]).collect();
        of_level.sort_by(f64::total_cmp);
        // Equal distortions that were computed differently can differ in their last bits.
        of_level.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
        Self { nodes: entries.len(), distortions: of_level }
    }
}

/// One exhibit for each column of the table.
pub(super) fn exhibits(materials: &Materials<'_>) -> Result<Vec<Exhibit>> {
    // The specs state the range 1 to 100 of the paper; the data end at 99.
    let table = materials.read("adult", &Columns::quasi(&["hours-per-week"]))?;
    let exhibit = |printed: &Printed| {
        let built = builder::build(&printed.spec.parse()?, &table.columns()[0], None)?;
        Ok(compared(printed, &levels(&built)))
    };
    COLUMNS.iter().map(exhibit).collect()
}

/// The levels above the values, lowest first.
fn levels(built: &Generalization) -> Vec<Found> {
    let Some(LevelFunction { nodes, distortions, .. }) = built.levels() else { return Vec::new() };
    // Level 0 has the values themselves, which the table does not list.
    nodes.iter().skip(1).map(|entries| Found::of(entries, &distortions)).collect()
}

fn compared(printed: &Printed, found: &[Found]) -> Exhibit {
    let Printed { name, spec, decimals, .. } = *printed;
    let heads =
        [">Level", ">Nodes, printed", ">Nodes, ours", "Distortion, printed", "Distortion, ours"];
    let caption = format!("Levels of hours-per-week by `{spec}`, lowest level first");
    let mut sheet = Sheet::new(&format!("table-4-{}", name.to_lowercase()), &caption, &heads);
    let written = |numbers: &[f64]| -> String {
        numbers.iter().map(|&number| fixed(number, decimals)).collect::<Vec<_>>().join(", ")
    };
    let (mut n_nodes, mut n_distortions) = (0, 0);
    // The longer of both, so that a missing or an extra level shows as an empty cell.
    for level in 0..found.len().max(printed.nodes.len()) {
        let theirs = printed.nodes.get(level).zip(printed.distortions.get(level));
        let ours = found.get(level);
        n_nodes += usize::from(theirs.zip(ours).is_some_and(|(t, o)| *t.0 == o.nodes));
        let of_theirs = theirs.map_or_else(String::new, |(_, numbers)| written(numbers));
        let of_ours = ours.map_or_else(String::new, |found| written(&found.distortions));
        // Compared as written: two digits of the paper cannot distinguish more.
        n_distortions += usize::from(of_theirs == of_ours);
        sheet.row([
            (level + 1).to_string(),
            theirs.map_or_else(String::new, |(nodes, _)| nodes.to_string()),
            ours.map_or_else(String::new, |found| found.nodes.to_string()),
            of_theirs,
            of_ours,
        ]);
    }
    let n_levels = printed.nodes.len();
    let (verdict, reason) = judged(name, [n_levels, found.len(), n_nodes, n_distortions]);
    let printed_nodes: Vec<String> = printed.nodes.iter().map(usize::to_string).collect();
    Exhibit::new("Table 4", &format!("levels of {name}"))
        .says(format!("{n_levels} levels with {} nodes, lowest first.", printed_nodes.join(", ")))
        .found(format!(
            "{} levels; of the {n_levels} printed ones, {n_nodes} have our number of nodes and \
             {n_distortions} our distortion.",
            found.len()
        ))
        .verdict(verdict, reason)
        .with_sheet(sheet)
}

/// The verdict, given the numbers of printed levels, of ours, and of levels with equal nodes and
/// equal distortions.
fn judged(name: &str, [printed, ours, nodes, distortions]: [usize; 4]) -> (Verdict, &'static str) {
    match name {
        // Before the case of IOTF, so that even its verdict would follow from the cells.
        _ if ours == printed && nodes == printed && distortions == printed => {
            (Verdict::Reproduced, "all cells are equal")
        }
        "IOTF" => (
            Verdict::Not,
            "IOTF merges two neighbours at a time, so its tree is binary: 96 values need at least 7 levels. The \
             printed 0.25 and 1 are 4 / 16 and 4 / 4, but 0.041 is not 4 / 24",
        ),
        // One cell that no rule explains does not refute a table whose other cells all agree.
        _ if ours == printed && nodes == printed && distortions + 1 == printed => (
            Verdict::InDirection,
            "all cells but one are equal: no rule that gives the other levels gives the lowest distortion",
        ),
        _ => (Verdict::Not, "several cells differ"),
    }
}
