//! Figures 6 and 8: the correlations of ranks with losses and risk, by weight and by column.

use std::fmt::Write as _;

use super::measured::Measured;
use crate::chart::{Plot, Series, Svg};
use crate::downstream::{Agreement, Correlations, Suppression};
use crate::rank::ASPECTS;
use crate::reproduce::numbers::fixed;
use crate::reproduce::{Exhibit, Sheet, Verdict};

/// A correlation that the paper calls strong.
const STRONG: f64 = 0.6;

/// The correlations of some columns together.
fn pooled<'a>(measured: impl Iterator<Item = &'a Measured>) -> Vec<Agreement> {
    let mut all = Correlations::default();
    measured.for_each(|one| all.extend(&one.correlations));
    all.agreement()
}

/// Figure 6.
pub(super) fn by_weight(measured: &[Measured]) -> Exhibit {
    let with = |s: Suppression| pooled(measured.iter().filter(move |one| one.suppression == s));
    let of_both = [Suppression::K, Suppression::None].map(|s| (s, with(s)));
    // The toolbox of the paper suppresses up to k records by default, so that treatment decides.
    let main = &of_both[0].1;
    let at = |aspect: &str, weight: f64| {
        // Weights are multiples of 0.25 that were computed, so they are not compared exactly.
        let is_it = |one: &&Agreement| one.aspect == aspect && (one.weight - weight).abs() < 1e-9;
        main.iter().find(is_it).and_then(|one| one.correlation).unwrap_or(0.0)
    };
    // The paper names both weights, so an aspect must be strong at both.
    let is_strong = |aspect: &&&str| at(aspect, 0.75) >= STRONG && at(aspect, 1.0) >= STRONG;
    // Growth is judged by its ends; the means between them need not be monotone.
    let rises = |aspect: &&&str| at(aspect, 1.0) > at(aspect, 0.0);
    let strong: Vec<&str> = ASPECTS.iter().filter(is_strong).copied().collect();
    let others: Vec<&str> = ASPECTS.iter().filter(|aspect| !rises(aspect)).copied().collect();
    let shown: Vec<String> =
        ASPECTS.iter().map(|aspect| format!("{aspect} {}", fixed(at(aspect, 1.0), 2))).collect();
    let (verdict, reason) = by_aspects(strong.len(), &others);
    let mut exhibit = Exhibit::new("Figure 6", "ranks predict losses and risk, the more the aspect weighs")
        .says(
            "Each aspect predicts a measure of the release: semantic the semantic SSE, privacy the linkage, distortion \
             GenILoss, interval C_AVG. The correlations grow with the weight of the aspect and are strong (0.60 or more) \
             for weights of 75 and 100%.",
        )
        .found(format!(
            "With up to k records suppressed, the means at 100% are: {}. Strong at both weights: {}.",
            shown.join(", "),
            if strong.is_empty() { "none".to_owned() } else { strong.join(", ") }
        ))
        .verdict(verdict, reason);
    // The treatment of the paper is inferred from its toolbox, so the other one is shown too.
    for (suppression, agreement) in &of_both {
        let (name, about) = match suppression {
            Suppression::K => ("weights", "up to k records suppressed"),
            Suppression::None => ("weights-unsuppressed", "nothing suppressed"),
        };
        let caption =
            format!("Mean correlations of all columns with their standard deviations, {about}");
        exhibit = exhibit
            .with_figure(name, &caption, plot(agreement, about))
            .with_sheet(sheet(name, &caption, agreement));
    }
    exhibit
}

/// The verdict, given how many aspects are strong and which do not grow with their weights.
fn by_aspects(n_strong: usize, others: &[&str]) -> (Verdict, String) {
    match (n_strong, others) {
        // There are four aspects, and the claim is about each of them.
        (4, []) => (Verdict::Reproduced, "all four aspects".to_owned()),
        (_, []) => (
            Verdict::InDirection,
            format!(
                "the correlations of all aspects grow with their weights, but {n_strong} of 4 are strong"
            ),
        ),
        _ => (
            Verdict::Not,
            format!("the correlation of {} does not grow with its weight", others.join(" and of ")),
        ),
    }
}

fn plot(agreement: &[Agreement], about: &str) -> Svg {
    let of = |aspect: &str| {
        let of_aspect = agreement.iter().filter(move |one| one.aspect == aspect);
        of_aspect.collect::<Vec<&Agreement>>()
    };
    let aspects = || ASPECTS.iter().enumerate();
    let series = aspects().map(|(place, aspect)| series(place, aspect, &of(aspect)));
    let bars = aspects().map(|(place, aspect)| bars(place, &of(aspect)));
    let bars: Vec<Vec<(f64, f64, f64)>> = bars.collect();
    Plot {
        title: format!("How well ranks predict outcomes, {about}"),
        x: "weight of the aspect, %".to_owned(),
        is_linear: true,
        y: "Spearman's correlation, and its standard deviation".to_owned(),
        series: series.collect(),
        ..Plot::default()
    }
    .svg_with(&bars)
}

/// The horizontal position of a mean in a plot, in percent of the weight.
fn position(place: usize, one: &Agreement) -> f64 {
    // Lines of different aspects are moved apart a little, so that their bars do not overlap.
    let apart = 1.2 * place as f64;
    (100.0 * one.weight - apart).max(apart)
}

/// The line of an aspect through its means that are known.
fn series(place: usize, aspect: &str, means: &[&Agreement]) -> Series {
    let known = means.iter().filter_map(|one| Some((position(place, one), one.correlation?)));
    let line: Vec<(f64, f64)> = known.collect();
    let points = line.iter().map(|&(x, y)| (x, y, format!("{aspect}: {y:.3}"))).collect();
    Series { name: aspect.to_owned(), points, line }
}

/// The bars of one standard deviation around the means of an aspect: position, low and high end.
fn bars(place: usize, means: &[&Agreement]) -> Vec<(f64, f64, f64)> {
    let bar = |one: &&Agreement| {
        let (r, deviation) = one.correlation.zip(one.deviation)?;
        // A mean plus its deviation can exceed 1, which no correlation does.
        Some((position(place, one), (r - deviation).max(-1.0), (r + deviation).min(1.0)))
    };
    means.iter().filter_map(bar).collect()
}

fn sheet(name: &str, caption: &str, agreement: &[Agreement]) -> Sheet {
    let heads = ["aspect", "predicts", ">0%", ">25%", ">50%", ">75%", ">100%", ">correlations"];
    let mut sheet = Sheet::new(name, caption, &heads);
    // Agreements are listed aspect by aspect, each with its five weights.
    for of_aspect in agreement.chunks(5) {
        let cells = of_aspect.iter().map(cell);
        // The number of correlations that the five means summarize, so that a reader can weigh
        // them.
        let n: usize = of_aspect.iter().map(|one| one.n).sum();
        let names = [of_aspect[0].aspect, of_aspect[0].metric].map(str::to_owned);
        sheet.row(names.into_iter().chain(cells).chain([n.to_string()]));
    }
    sheet
}

/// A mean with its standard deviation, or why there is none.
fn cell(one: &Agreement) -> String {
    match (one.correlation, one.deviation, one.blank) {
        (Some(r), Some(deviation), _) => format!("{} ({})", fixed(r, 2), fixed(deviation, 2)),
        (Some(r), None, _) => fixed(r, 2),
        // A blank has a reason: without one it would look like a correlation of 0.
        (None, _, Some(blank)) => blank.describe().to_owned(),
        (None, _, None) => "-".to_owned(),
    }
}

/// Figure 8.
pub(super) fn by_column(measured: &[Measured]) -> Exhibit {
    let main = || measured.iter().filter(|one| one.suppression == Suppression::K);
    let known: Vec<f64> =
        main().flat_map(at_whole_weight).filter_map(|one| one.correlation).collect();
    // Counted over columns and aspects; pooling them first would hide columns that disagree.
    let n_of = |is: fn(f64) -> bool| known.iter().filter(|&&r| is(r)).count();
    let (n_known, n_strong, n_positive) = (known.len(), n_of(|r| r >= STRONG), n_of(|r| r > 0.0));
    // If no k changes the column, all candidates give the same release and nothing can correlate.
    let untold: Vec<&str> =
        main().filter(|one| one.n_untouched == one.n_ks).map(|one| one.name.as_str()).collect();
    let cannot = unmeasured(&untold, &indistinct(main()));
    let mut exhibit = Exhibit::new("Figure 8", "the same for each data set")
        .says("The correlations of figure 6 are shown for each data set.")
        .found(format!(
            "Of {n_known} correlations at a weight of 100% that can be measured, {n_strong} are strong and {n_positive} \
             positive.{cannot}"
        ))
        .with_sheet(by_set(measured))
        .with_sheet(column_sheet(measured));
    for set in sets(measured) {
        let agreement = pooled(main().filter(|one| one.set == set));
        // Nothing to draw where all candidates measure the same.
        if agreement.iter().any(|one| one.correlation.is_some()) {
            let about = format!("{set}, up to k records suppressed");
            let caption = format!("Mean correlations of the columns of {about}");
            exhibit =
                exhibit.with_figure(&format!("weights-{set}"), &caption, plot(&agreement, &about));
        }
    }
    if n_strong == n_known && untold.is_empty() {
        exhibit.verdict(Verdict::Reproduced, "every correlation is strong")
    } else if 4 * n_positive >= 3 * n_known {
        // Three quarters, because a sign that depends on chance is positive in half of all cases.
        exhibit.verdict(
            Verdict::InDirection,
            "most correlations are positive, but they differ between columns, and not all are strong",
        )
    } else {
        exhibit.verdict(Verdict::Not, "fewer than three quarters of the correlations are positive")
    }
}

/// The columns whose candidates generalize, but have the same measures at every k.
fn indistinct<'a>(measured: impl Iterator<Item = &'a Measured>) -> Vec<&'a str> {
    let is_blank = |one: &&Measured| {
        one.n_untouched < one.n_ks && at_whole_weight(one).iter().all(|one| one.n == 0)
    };
    measured.filter(is_blank).map(|one| one.name.as_str()).collect()
}

/// Sentences about columns without correlations: those that are not generalized, and those whose
/// candidates measure the same.
fn unmeasured(untold: &[&str], same: &[&str]) -> String {
    let mut sentences = String::new();
    if !untold.is_empty() {
        let _ = write!(
            sentences,
            " Nothing can be measured for {}: the rarest value has more records than the largest k, so nothing is \
             generalized.",
            untold.join(", ")
        );
    }
    if !same.is_empty() {
        let _ = write!(
            sentences,
            " All candidates measure the same for {}: its rare values are suppressed, and nothing else is generalized.",
            same.join(", ")
        );
    }
    sentences
}

/// The correlations of a column at a weight of 100%.
fn at_whole_weight(measured: &Measured) -> Vec<Agreement> {
    let agreement = measured.correlations.agreement();
    // Weights are multiples of 0.25, so this is the weight 1.
    agreement.into_iter().filter(|one| one.weight > 0.99).collect()
}

fn column_sheet(measured: &[Measured]) -> Sheet {
    let heads = [
        "column",
        "suppressed",
        ">rarest value",
        ">k that generalize",
        "semantic",
        "privacy",
        "distortion",
        "interval",
    ];
    let mut sheet = Sheet::new("by-column", "Correlations at a weight of 100%, by column", &heads);
    for one in measured {
        let suppressed = if one.suppression == Suppression::K { "up to k" } else { "none" };
        let first = [
            one.name.clone(),
            suppressed.to_owned(),
            one.rarest.to_string(),
            (one.n_ks - one.n_untouched).to_string(),
        ];
        sheet.row(first.into_iter().chain(at_whole_weight(one).iter().map(cell)));
    }
    sheet
}

/// The names of the data sets.
fn sets(measured: &[Measured]) -> Vec<&'static str> {
    let mut sets: Vec<&str> = measured.iter().map(|one| one.set).collect();
    // Columns of a data set follow each other.
    sets.dedup();
    sets
}

/// The correlations of the columns of each data set together.
fn by_set(measured: &[Measured]) -> Sheet {
    let heads = ["data set", "suppressed", "semantic", "privacy", "distortion", "interval"];
    let mut sheet = Sheet::new("by-set", "Correlations at a weight of 100%, by data set", &heads);
    for set in sets(measured) {
        for (suppression, suppressed) in [(Suppression::K, "up to k"), (Suppression::None, "none")]
        {
            let is_of = |one: &&Measured| (one.set, one.suppression) == (set, suppression);
            let all = pooled(measured.iter().filter(is_of));
            let whole = all.into_iter().filter(|one| one.weight > 0.99);
            let names = [set, suppressed].map(str::to_owned);
            sheet.row(names.into_iter().chain(whole.map(|one| cell(&one))));
        }
    }
    sheet
}
