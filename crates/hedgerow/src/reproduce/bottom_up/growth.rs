//! Figure 4: the time of a search as the table grows.

use hashbrown::HashSet;

use super::income::{CATEGORIES, Income, assembled, problem};
use super::trees::TreeSet;
use crate::Result;
use crate::anonymize::{Anonymizer, BottomUp, Search};
use crate::chart::{Plot, Series, Svg};
use crate::generate::Generator;
use crate::hierarchy::{Hierarchy, Leaf};
use crate::noun::grouped;
use crate::progress::{Progress, stop_if_cancelled};
use crate::reproduce::numbers::fixed;
use crate::reproduce::{Exhibit, Materials, Sheet, Verdict};
use crate::table::{Code, Table};

/// The largest setting of the paper; each panel varies one of its three numbers.
const SIGMA: u64 = 30;
const K: u64 = 150;
const RHO: usize = 3;

/// Distinct combinations of values that the paper reports for that setting.
const PRINTED_VIDS: usize = 127_831;

const SEARCHES: [(Search, &str); 2] = [(Search::Index, "index"), (Search::Pruning, "pruning")];

/// A panel of the figure: the varying setting, and the settings (sigma, K, rho) with the varying
/// number.
struct Panel {
    name: &'static str,
    settings: Vec<(u64, [u64; 3])>,
}

fn panels() -> [Panel; 3] {
    let rho = RHO as u64;
    [
        Panel {
            name: "sigma",
            settings: [5, 10, 20, 30].map(|sigma| (sigma, [sigma, K, rho])).to_vec(),
        },
        Panel {
            name: "k",
            settings: [10, 50, 100, 150, 200].map(|k| (k, [SIGMA, k, rho])).to_vec(),
        },
        Panel { name: "rho", settings: [1, 2, 3, 4, 5].map(|rho| (rho, [SIGMA, K, rho])).to_vec() },
    ]
}

/// The seconds of both searches in a setting.
struct Timed {
    panel: &'static str,
    x: u64,
    setting: [u64; 3],
    n_vids: usize,
    seconds: [Option<f64>; 2],
}

pub(super) fn exhibits(
    data: &Income,
    materials: &Materials<'_>,
    progress: &dyn Progress,
) -> Result<Vec<Exhibit>> {
    let mut all: Vec<Timed> = Vec::new();
    // Panel k varies only K, so neighbouring settings often have the same table of a million
    // records.
    let mut known: Option<([u64; 2], Table)> = None;
    let n_settings: usize = panels().iter().map(|panel| panel.settings.len()).sum();
    for panel in panels() {
        for (x, setting) in panel.settings {
            let [sigma, k, rho] = setting;
            // Settings run one after the other: threads would compete for memory and spoil the
            // times.
            stop_if_cancelled(progress)?;
            progress.advance(all.len() as u64, n_settings as u64);
            let table = match known.take() {
                Some((of, table)) if of == [sigma, rho] => table,
                _ => enlarged(data, sigma, rho as usize)?,
            };
            let seconds = [
                seconds(&table, k, SEARCHES[0].0, materials)?,
                seconds(&table, k, SEARCHES[1].0, materials)?,
            ];
            all.push(Timed { panel: panel.name, x, setting, n_vids: n_vids(&table), seconds });
            known = Some(([sigma, rho], table));
        }
    }
    Ok(vec![combinations(data, &all), times(&all)])
}

/// Adult, enlarged with variations whose values are drawn from all leaves of the hierarchies.
fn enlarged(data: &Income, sigma: u64, rho: usize) -> Result<Table> {
    let trees = TreeSet::Ours.read()?;
    let pool = |tree: &Hierarchy| -> Vec<String> {
        Leaf::first(tree.n_leaves()).map(|leaf| tree.spelling(leaf).into_owned()).collect()
    };
    // All leaves, also those that Adult lacks: the generator draws from the hierarchy, not the
    // data.
    let pools: Vec<Vec<String>> =
        trees.iter().filter_map(|tree| tree.hierarchy()).map(pool).collect();
    let sizes: Vec<usize> = pools.iter().map(Vec::len).collect();
    let columns = CATEGORIES.map(str::to_owned).to_vec();
    let hierarchies = std::collections::BTreeMap::new();
    let generator = Generator { columns, hierarchies, sigma, rho, seed: 0 };
    let copies = (0..data.len()).flat_map(|place| (0..sigma).map(move |copy| (place, copy)));
    let record = |(place, copy): (usize, u64)| {
        let own = data.record(place);
        // A draw is `None` for columns that keep the value of the original record.
        let draws = generator.draws(place as u64, copy, &sizes);
        let mut fields: Vec<String> = (draws.iter().zip(&pools).zip(own))
            .map(|((draw, pool), own)| {
                draw.map_or_else(|| own.clone(), |value| pool[value].clone())
            })
            .collect();
        // The class label is copied, so variations of a record all have its class.
        fields.extend(own.last().cloned());
        fields
    };
    assembled(CATEGORIES.len(), copies.map(record))
}

fn n_vids(table: &Table) -> usize {
    let cohorts = table.cohorts();
    // Without the class: two cohorts that differ in it only are one combination.
    let tuple = |cohort| &cohorts.tuple(cohort)[..CATEGORIES.len()];
    cohorts.all().map(tuple).collect::<HashSet<&[Code]>>().len()
}

/// The seconds of a search, if there is a clock.
fn seconds(
    table: &Table,
    k: u64,
    search: Search,
    materials: &Materials<'_>,
) -> Result<Option<f64>> {
    if materials.clock.is_none() {
        return Ok(None);
    }
    let problem = problem(table, TreeSet::Ours.read()?, k)?;
    let method = BottomUp { search, ..BottomUp::default() };
    // Proposing is the search alone, without checks and output, as in the figure.
    let run = || method.propose(&problem, &crate::progress::Silent);
    Ok(materials.seconds(run)?.1)
}

fn combinations(data: &Income, all: &[Timed]) -> Exhibit {
    let largest = all.iter().find(|timed| timed.setting == [SIGMA, K, RHO as u64]);
    let n_vids = largest.map_or(0, |timed| timed.n_vids);
    let n_records = data.len() as u64 * SIGMA;
    let heads = [">sigma", ">rho", ">records", ">combinations"];
    let mut sheet =
        Sheet::new("combinations", "Generated records and their distinct combinations", &heads);
    // K does not change the table, so its panel would repeat one row.
    for timed in all.iter().filter(|timed| timed.panel != "k") {
        let [sigma, _, rho] = timed.setting;
        let numbers = [sigma, rho, data.len() as u64 * sigma, timed.n_vids as u64];
        sheet.row(numbers.map(grouped));
    }
    let exhibit = Exhibit::new("Section 6.2", "the generated tables")
        .says(format!(
            "With sigma = {SIGMA} and rho = {RHO} there are 1,356,660 records with {} distinct combinations.",
            grouped(PRINTED_VIDS as u64)
        ))
        .found(format!(
            "{} records with {} combinations.",
            grouped(n_records),
            grouped(n_vids as u64)
        ))
        .with_sheet(sheet);
    // Values are drawn at random, so within 1% counts as the same.
    let is_near = |n: usize| n.abs_diff(PRINTED_VIDS) * 100 <= PRINTED_VIDS;
    // The printed number belongs to another rho; saying which is more useful than `not`.
    let other = all.iter().find(|timed| timed.setting[0] == SIGMA && is_near(timed.n_vids));
    match other {
        _ if is_near(n_vids) => exhibit.verdict(Verdict::Reproduced, "the same number, up to chance"),
        Some(other) => exhibit.verdict(
            Verdict::InDirection,
            format!(
                "the number of records is the same. The printed number of combinations is that of rho = {} ({}), up to \
                 chance",
                other.setting[2],
                grouped(other.n_vids as u64)
            ),
        ),
        None => exhibit.verdict(Verdict::Not, "no setting gives the printed number of combinations"),
    }
}

fn times(all: &[Timed]) -> Exhibit {
    let says = "Both searches grow linearly with the number of records, and pruning is several times faster than \
                trying every generalization on the index; the longest run takes about 730 s.";
    let mut exhibit = Exhibit::new("Figure 4", "the time of the search").says(says).timed();
    let known: Vec<(&Timed, [f64; 2])> = (all.iter())
        .filter_map(|timed| Some((timed, [timed.seconds[0]?, timed.seconds[1]?])))
        .collect();
    if known.is_empty() {
        return exhibit.verdict(Verdict::NotMeasured, "this run has no clock");
    }
    // The claim is that pruning is always faster, so the least ratio decides.
    let ratios = known.iter().map(|(_, [index, pruning])| index / pruning.max(1e-9));
    let (least, most) =
        ratios.fold((f64::INFINITY, 0.0f64), |(least, most), r| (least.min(r), most.max(r)));
    let longest = known.iter().map(|(_, seconds)| seconds[0].max(seconds[1])).fold(0.0, f64::max);
    let bend = bend(&known);
    exhibit = exhibit.found(format!(
        "Pruning is {} to {} times faster; the longest run takes {} s. From sigma = 5 to 30 the time for each record \
         changes by a factor of {}.",
        fixed(least, 1),
        fixed(most, 1),
        fixed(longest, 1),
        fixed(bend, 2)
    ));
    // Six times the records at less than 1.5 times the time for each: linear, up to caches.
    exhibit = if least > 1.0 && bend < 1.5 {
        exhibit.verdict(
            Verdict::InDirection,
            "pruning is faster everywhere and the growth is at most linear; seconds of two machines cannot be compared",
        )
    } else {
        exhibit.verdict(
            Verdict::Not,
            "pruning is not faster everywhere, or the growth is more than linear",
        )
    };
    for panel in panels() {
        let caption = format!("Seconds of the search against {}", panel.name);
        exhibit = exhibit.with_figure(
            &format!("time-{}", panel.name),
            &caption,
            plot(&known, panel.name),
        );
    }
    exhibit.with_sheet(sheet(&known))
}

/// The seconds per record of the largest table, as a multiple of those of the smallest one.
fn bend(known: &[(&Timed, [f64; 2])]) -> f64 {
    let of_sigma: Vec<&(&Timed, [f64; 2])> =
        known.iter().filter(|(timed, _)| timed.panel == "sigma").collect();
    // A table has sigma records for each one of Adult, so sigma takes the place of their number.
    let per = |(timed, seconds): &(&Timed, [f64; 2])| seconds[0] / timed.x as f64;
    match (of_sigma.first(), of_sigma.last()) {
        (Some(first), Some(last)) => per(last) / per(first).max(1e-12),
        _ => 1.0,
    }
}

fn plot(known: &[(&Timed, [f64; 2])], panel: &str) -> Svg {
    let series = SEARCHES.iter().enumerate().map(|(place, (_, name))| {
        let of_panel = || known.iter().filter(|(timed, _)| timed.panel == panel);
        let at = |(timed, seconds): &(&Timed, [f64; 2])| (timed.x as f64, seconds[place]);
        Series {
            name: (*name).to_owned(),
            points: of_panel().map(at).map(|(x, y)| (x, y, format!("{x}: {y:.3} s"))).collect(),
            line: of_panel().map(at).collect(),
        }
    });
    Plot {
        title: format!("Bottom-up on Adult enlarged: seconds against {panel}"),
        x: panel.to_owned(),
        is_linear: true,
        y: "seconds of the search".to_owned(),
        series: series.collect(),
        ..Plot::default()
    }
    .svg()
}

fn sheet(known: &[(&Timed, [f64; 2])]) -> Sheet {
    let heads = [">sigma", ">K", ">rho", ">combinations", ">index, s", ">pruning, s"];
    let mut sheet = Sheet::new("times", "Seconds of the search", &heads);
    for (timed, seconds) in known {
        let numbers = timed.setting.map(|number| number.to_string());
        let cells = [grouped(timed.n_vids as u64), fixed(seconds[0], 2), fixed(seconds[1], 2)];
        sheet.row(numbers.into_iter().chain(cells));
    }
    sheet
}
