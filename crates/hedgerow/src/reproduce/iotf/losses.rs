//! Figures 3 and 4: losses against k, and the clusters of one run.

use std::ops::RangeInclusive;

use super::settings::{FREE, KS, Run, SETTINGS, clusters};
use crate::Result;
use crate::chart::{Plot, Series};
use crate::measure::{ClassRow, Classes};
use crate::release::{Release, Style};
use crate::reproduce::numbers::fixed;
use crate::reproduce::{Exhibit, Sheet, Verdict};
use crate::table::Table;

/// A measure of the paper.
#[derive(Clone, Copy)]
pub(super) struct Measure {
    /// Its name in our losses.
    pub(super) loss: &'static str,
    /// Its name in the paper.
    pub(super) name: &'static str,
    /// Whether it is counted in the release instead of the clusters.
    pub(super) of_release: bool,
    pub(super) decimals: usize,
}

pub(super) const NTIL: Measure =
    Measure { loss: "ntil", name: "NTIL", of_release: false, decimals: 5 };
pub(super) const NIL1: Measure =
    Measure { loss: "nil1", name: "NIL1", of_release: false, decimals: 5 };
pub(super) const NILINF: Measure =
    Measure { loss: "nilinf", name: "NILinf", of_release: false, decimals: 4 };
pub(super) const DM: Measure = Measure { loss: "dm", name: "DM", of_release: true, decimals: 0 };
pub(super) const AVG: Measure =
    Measure { loss: "navg", name: "AVG", of_release: true, decimals: 4 };

impl Measure {
    /// The loss of a setting at a k.
    pub(super) fn of(self, runs: &[Run], setting: usize, k: u64) -> f64 {
        let run = runs.iter().find(|run| run.setting == setting && run.k == k);
        let losses = run.map(|run| if self.of_release { &run.release } else { &run.clusters });
        // NaN, not 0: a loss that is lacking must not win a comparison.
        losses.and_then(|losses| losses.get(self.loss).copied()).unwrap_or(f64::NAN)
    }

    /// A table of all settings and values of k.
    pub(super) fn sheet(self, runs: &[Run], figure: &str) -> Sheet {
        // Hierarchy-free generalization is a column too, as the lower bound of what a hierarchy can
        // reach.
        let settings = SETTINGS.iter().map(|(name, _)| format!(">{name}"));
        let heads: Vec<String> = std::iter::once(">k".to_owned()).chain(settings).collect();
        let place = if self.of_release { "the release" } else { "the clusters" };
        let caption = format!("{} of {place}", self.name);
        let mut sheet = Sheet::new(&format!("{figure}-{}", self.loss), &caption, &heads);
        for k in KS {
            let losses =
                (0..SETTINGS.len()).map(|setting| fixed(self.of(runs, setting, k), self.decimals));
            sheet.row(std::iter::once(k.to_string()).chain(losses));
        }
        sheet
    }

    pub(super) fn plot(self, runs: &[Run]) -> Plot {
        Plot {
            title: format!("{} against k", self.name),
            x: "k".to_owned(),
            is_linear: true,
            y: self.name.to_owned(),
            series: (0..SETTINGS.len()).map(|setting| self.series(runs, setting)).collect(),
            ..Plot::default()
        }
    }

    /// The curve of a setting.
    fn series(self, runs: &[Run], setting: usize) -> Series {
        let (name, _) = SETTINGS[setting];
        let line: Vec<(f64, f64)> = KS.map(|k| (k as f64, self.of(runs, setting, k))).collect();
        // The text is shown on hovering, with as many digits as the table.
        let told = |&(k, loss): &(f64, f64)| {
            (k, loss, format!("{name}, k = {k}: {}", fixed(loss, self.decimals)))
        };
        Series { name: name.to_owned(), points: line.iter().map(told).collect(), line }
    }
}

pub(super) fn exhibits(runs: &[Run]) -> Vec<Exhibit> {
    vec![lowest(runs, NTIL), lowest(runs, NIL1), worst(runs)]
}

/// Whether IOTF loses least of all hierarchies, and the setting without hierarchies less still.
fn lowest(runs: &[Run], measure: Measure) -> Exhibit {
    let leads: Vec<Lead> = KS.map(|k| Lead::of(runs, measure, k)).collect();
    let n_lowest = leads.iter().filter(|lead| lead.is_ahead()).count();
    let n_free = leads.iter().filter(|lead| lead.is_above_free()).count();
    // All 19 values of k reproduce the figure; a majority supports its direction.
    let verdict = match (n_lowest, n_free) {
        (lowest, free) if [lowest, free] == [leads.len(); 2] => Verdict::Reproduced,
        (lowest, _) if 2 * lowest > leads.len() => Verdict::InDirection,
        _ => Verdict::Not,
    };
    // The mean ratio to the best other hierarchy; below 1, IOTF loses less.
    let ratio = leads.iter().map(|lead| lead.own / lead.other).sum::<f64>() / leads.len() as f64;
    Exhibit::new("Figure 3", &format!("{} against k", measure.name))
        .says(format!(
            "The new hierarchies improve over the existing automatic and predefined ones in {}; only \
             hierarchy-free generalization loses less.",
            measure.name
        ))
        .found(format!(
            "IOTF has the least {} of the five hierarchies at {n_lowest} of {} values of k, on average {} of \
             the next; without hierarchies it is less at {n_free}.",
            measure.name,
            leads.len(),
            fixed(ratio, 3)
        ))
        .verdict(verdict, reason(&leads))
        .with_sheet(measure.sheet(runs, "figure-3"))
        .with_figure(
            &format!("figure-3-{}", measure.loss),
            &format!("{} of the six settings", measure.name),
            measure.plot(runs).svg(),
        )
}

/// The loss of IOTF at a k, and those that it is compared with.
struct Lead {
    k: u64,
    own: f64,
    /// The name and loss of the best other hierarchy.
    rival: &'static str,
    other: f64,
    /// The loss without hierarchies.
    free: f64,
}

impl Lead {
    fn of(runs: &[Run], measure: Measure, k: u64) -> Self {
        let loss = |setting| measure.of(runs, setting, k);
        // Settings 1 to FREE - 1 are the other hierarchies; the paper claims nothing against the
        // setting without them.
        let others = (1..FREE).map(|setting| (SETTINGS[setting].0, loss(setting)));
        let none = (SETTINGS[1].0, f64::INFINITY);
        let (rival, other) =
            others.fold(none, |best, other| if other.1 < best.1 { other } else { best });
        Self { k, own: loss(0), rival, other, free: loss(FREE) }
    }

    fn is_ahead(&self) -> bool {
        self.own < self.other
    }

    fn is_above_free(&self) -> bool {
        self.free < self.own
    }

    /// The loss that IOTF saves compared with the best other hierarchy, in percent.
    fn saved(&self) -> f64 {
        100.0 * (1.0 - self.own / self.other)
    }
}

/// The rivals of IOTF and the distance to them, and the values of k at which the claim fails.
fn reason(leads: &[Lead]) -> String {
    let (ahead, behind): (Vec<&Lead>, Vec<&Lead>) = leads.iter().partition(|lead| lead.is_ahead());
    let mut parts = Vec::new();
    if !ahead.is_empty() {
        let least = ahead.iter().map(|lead| lead.saved()).fold(f64::INFINITY, f64::min);
        let most = ahead.iter().map(|lead| lead.saved()).fold(0.0, f64::max);
        parts.push(format!(
            "IOTF saves {} to {}% of the loss of the next hierarchy ({})",
            fixed(least, 1),
            fixed(most, 1),
            rivals(&ahead)
        ));
    }
    if !behind.is_empty() {
        let (rivals, ks) = (rivals(&behind), ks(&behind));
        parts.push(format!("another hierarchy ({rivals}) loses no more at k = {ks}"));
    }
    let dear: Vec<&Lead> = leads.iter().filter(|lead| !lead.is_above_free()).collect();
    if !dear.is_empty() {
        parts.push(format!("without hierarchies the loss is not less at k = {}", ks(&dear)));
    }
    parts.join("; ")
}

/// The best other hierarchies with the number of their values of k: `OTF at 17, CHU at 2`.
fn rivals(leads: &[&Lead]) -> String {
    let count = |name: &str| leads.iter().filter(|lead| lead.rival == name).count();
    let named = SETTINGS.iter().map(|(name, _)| (name, count(name))).filter(|(_, n)| *n > 0);
    named.map(|(name, n)| format!("{name} at {n}")).collect::<Vec<_>>().join(", ")
}

fn ks(leads: &[&Lead]) -> String {
    leads.iter().map(|lead| lead.k.to_string()).collect::<Vec<_>>().join(", ")
}

/// The measure of the worst cluster.
fn worst(runs: &[Run]) -> Exhibit {
    // The mean over k, because the maximum over clusters jumps from one k to the next.
    let of =
        |setting| KS.map(move |k| NILINF.of(runs, setting, k)).sum::<f64>() / KS.count() as f64;
    let means: Vec<String> = SETTINGS
        .iter()
        .enumerate()
        .map(|(s, (name, _))| format!("{name} {}", fixed(of(s), 3)))
        .collect();
    Exhibit::new("Definition 10", "NILinf against k")
        .says("NILinf is the loss of the worst cluster of each attribute.")
        .found(format!("Means over k: {}.", means.join(", ")))
        .verdict(
            Verdict::NotMeasured,
            format!(
                "the values of the paper are only in a figure whose values are not known to us; here the worst \
                 clusters span the whole range of every attribute at {} of {} values of k",
                whole(runs).join(", "),
                KS.count()
            ),
        )
        .with_sheet(NILINF.sheet(runs, "definition-10"))
        .with_figure("definition-10-nilinf", "NILinf of the six settings", NILINF.plot(runs).svg())
}

/// The settings, each with the number of values of k at which the worst clusters lose everything.
fn whole(runs: &[Run]) -> Vec<String> {
    let n_whole = |setting| KS.filter(|&k| NILINF.of(runs, setting, k) > 1.0 - 1e-9).count();
    let settings = SETTINGS.iter().enumerate();
    settings.map(|(setting, (name, _))| format!("{name} {}", n_whole(setting))).collect()
}

/// Sizes and losses of the classes of IOTF's release at k = 5.
pub(super) fn by_class(table: &Table) -> Result<Exhibit> {
    // k = 5 is within the range of the figures and small enough for many classes.
    let release =
        Release::new(&clusters(table, 0, 5)?, &Style::default(), &crate::progress::Silent)?;
    Ok(listed(&Classes::of_release(&release, true)))
}

fn listed(classes: &Classes) -> Exhibit {
    let heads: Vec<&str> = (classes.columns.iter().map(String::as_str))
        .chain([">class-size", ">class-loss"])
        .collect();
    // Too many classes for a page: only in the file, with the cells that identify each.
    let mut all = Sheet::new("clusters", "Every class of IOTF at k = 5", &heads).file_only();
    for row in &classes.rows {
        let numbers = [row.size.to_string(), fixed(row.loss, 6)];
        all.row(row.cells.iter().cloned().chain(numbers));
    }
    // Every size, so this is the mean over the whole release.
    let (n_records, loss) = per_cell(&classes.rows, 1..=u64::MAX);
    Exhibit::new("Definition 7", "size and information loss of each cluster")
        .says("The loss of a cluster is its size times the sum of the shares that its intervals cover.")
        .found(format!(
            "{} classes of {n_records} records lose {} on average per cell.",
            classes.rows.len(),
            fixed(loss, 5)
        ))
        .verdict(
            Verdict::NotMeasured,
            "the paper prints no clusters; the table lets readers check the measures",
        )
        .with_sheet(by_size(&classes.rows))
        .with_sheet(all)
}

/// The classes in five ranges of sizes.
fn by_size(classes: &[ClassRow]) -> Sheet {
    let mut sheet = Sheet::new(
        "clusters-by-size",
        "Classes of IOTF at k = 5, by size",
        &["Size", ">Classes", ">Records", ">Mean loss of a cell"],
    );
    for (label, sizes) in [
        ("5", 5..=5),
        ("6 to 9", 6..=9),
        ("10 to 49", 10..=49),
        ("50 to 199", 50..=199),
        // Clusters that publish the same cells are one class, so classes can be far larger than k.
        ("200 and more", 200..=u64::MAX),
    ] {
        let n_classes = classes.iter().filter(|row| sizes.contains(&row.size)).count();
        let (n_records, loss) = per_cell(classes, sizes);
        sheet.row([label.to_owned(), n_classes.to_string(), n_records.to_string(), fixed(loss, 5)]);
    }
    sheet
}

/// The number of records in the classes of some sizes, and the mean loss of their cells.
fn per_cell(classes: &[ClassRow], sizes: RangeInclusive<u64>) -> (u64, f64) {
    let of_size = || classes.iter().filter(|row| sizes.contains(&row.size));
    let n_records: u64 = of_size().map(|row| row.size).sum();
    // A class counts once for each of its records, as in definition 7.
    let loss: f64 = of_size().map(|row| row.size as f64 * row.loss).sum();
    (n_records, loss / n_records.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lead(k: u64, own: f64, other: f64, free: f64) -> Lead {
        Lead { k, own, rival: if k < 4 { "OTF" } else { "CHU" }, other, free }
    }

    #[test]
    fn reasons_follow_from_the_losses() {
        let ahead = [lead(2, 0.09, 0.1, 0.05), lead(3, 0.19, 0.2, 0.1), lead(4, 0.3, 0.4, 0.2)];
        let said = "IOTF saves 5.0 to 25.0% of the loss of the next hierarchy (OTF at 2, CHU at 1)";
        assert_eq!(reason(&ahead), said);
        let [first, second, _] = ahead;
        let mixed = [first, second, lead(5, 0.4, 0.4, 0.5), lead(6, 0.4, 0.3, 0.2)];
        let said = "IOTF saves 5.0 to 10.0% of the loss of the next hierarchy (OTF at 2); another \
                    hierarchy (CHU at 2) loses no more at k = 5, 6; without hierarchies the loss is not \
                    less at k = 5";
        assert_eq!(reason(&mixed), said);
    }
}
