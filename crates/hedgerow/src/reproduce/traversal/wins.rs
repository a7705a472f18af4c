//! The order and the tree that lose least, and how often.

use super::experiment::{COLUMNS, KS, MEASURES, Run, Setting, TREES, losses_at};
use crate::reproduce::numbers::{deviation, fixed, mean};
use crate::reproduce::{Exhibit, Sheet, Verdict};

/// Losses that differ by less than this are equal.
const TIE: f64 = 1e-12;

pub(super) fn exhibits(runs: &[Run]) -> Vec<Exhibit> {
    vec![orders(runs)]
}

/// The order that loses least in each run of a search tree.
fn orders(runs: &[Run]) -> Exhibit {
    let settings: Vec<Compared> = settings().map(|place| Compared::of(runs, place)).collect();
    let n_rows = settings.len();
    let n_best = settings.iter().filter(|one| one.is_inner_best()).count();
    let verdict = match n_best {
        best if best == n_rows => Verdict::Reproduced,
        // The claim is general, so in-order has to win in every setting to be reproduced.
        best if 2 * best > n_rows => Verdict::InDirection,
        _ => Verdict::Not,
    };
    let total = |place: usize| settings.iter().map(|one| one.wins[place]).sum::<usize>();
    let [pre, inner, post, ties] = [0, 1, 2, 3].map(total);
    Exhibit::new("Conclusion", "in-order is the best walk")
        .says("Of the three orders, in-order loses least.")
        .found(format!(
            "In-order loses least in {inner} of {} comparisons, pre-order in {pre}, post-order in {post}, and {ties} \
             are ties. In-order wins most often in {n_best} of {n_rows} settings.",
            pre + inner + post + ties
        ))
        .verdict(verdict, reason(&settings))
        .with_sheet(sheet(&settings))
}

/// The reason for the verdict: the mean differences of in-order from the other orders.
fn reason(settings: &[Compared]) -> String {
    let differences: Vec<&Vec<f64>> = settings.iter().flat_map(|one| &one.minus).collect();
    // Two standard errors: a difference that chance alone seldom makes.
    let is_clear = |of: &Vec<f64>| mean(of).abs() > 2.0 * error(of);
    let clear = || differences.iter().filter(|of| is_clear(of));
    let n_less = clear().filter(|of| mean(of) < 0.0).count();
    format!(
        "of the {} mean differences of in-order from another order, {n_less} are below 0 by more than two standard \
         errors, {} above, and {} are within: the walk only decides which values share a set",
        differences.len(),
        clear().count() - n_less,
        differences.len() - clear().count()
    )
}

/// The standard error of a mean: the deviation of the sample, divided by the root of its size.
fn error(sample: &[f64]) -> f64 {
    deviation(sample) / (sample.len() as f64).sqrt()
}

/// A column, a tree and a measure, by number.
#[derive(Clone, Copy)]
struct Place {
    column: usize,
    tree: usize,
    measure: usize,
}

/// The orders in one place.
struct Compared {
    place: Place,
    /// Number of times that each order alone loses least, and that several do.
    wins: [usize; 4],
    /// The losses of in-order minus those of pre-order, and minus those of post-order. The better
    /// of the two would be ahead of any third order by choice alone.
    minus: [Vec<f64>; 2],
}

impl Compared {
    fn of(runs: &[Run], place: Place) -> Self {
        let Place { column, tree, measure } = place;
        let (mut wins, mut minus) = ([0; 4], [Vec::new(), Vec::new()]);
        for k in KS {
            let [pre, inner, post] =
                [0, 1, 2].map(|order| losses_at(runs, measure, Setting { column, tree, order, k }));
            // Runs of one K are in the order of the samples, so zipped ones have the same records.
            for ((&pre, &inner), &post) in pre.iter().zip(&inner).zip(&post) {
                let found = [pre, inner, post];
                let least = found.into_iter().fold(f64::INFINITY, f64::min);
                let best: Vec<usize> = (0..3).filter(|&order| found[order] < least + TIE).collect();
                wins[if best.len() == 1 { best[0] } else { 3 }] += 1;
                minus[0].push(inner - pre);
                minus[1].push(inner - post);
            }
        }
        Self { place, wins, minus }
    }

    fn is_inner_best(&self) -> bool {
        let [pre, inner, post, _] = self.wins;
        inner > pre && inner > post
    }

    fn row(&self) -> [String; 9] {
        let Place { column, tree, measure } = self.place;
        let [pre, inner, post, ties] = self.wins.map(|count| count.to_string());
        let difference =
            |of: &Vec<f64>| format!("{} ± {}", fixed(mean(of), 5), fixed(error(of), 5));
        let [minus_pre, minus_post] = self.minus.each_ref().map(difference);
        [
            COLUMNS[column].to_owned(),
            TREES[tree].to_owned(),
            MEASURES[measure].to_uppercase(),
            pre,
            inner,
            post,
            ties,
            minus_pre,
            minus_post,
        ]
    }
}

fn sheet(settings: &[Compared]) -> Sheet {
    let heads = [
        "Column",
        "Tree",
        "Loss",
        ">Pre-order wins",
        ">In-order wins",
        ">Post-order wins",
        ">Ties",
        ">In-order minus pre-order",
        ">In-order minus post-order",
    ];
    let caption = "Of 240 runs (80 samples, 3 values of K), how often each order alone loses least; the last \
                   columns are mean differences with their standard errors";
    let mut sheet = Sheet::new("wins-orders", caption, &heads);
    settings.iter().for_each(|one| sheet.row(one.row()));
    sheet
}

/// Search trees of both columns with both measures.
fn settings() -> impl Iterator<Item = Place> {
    (0..COLUMNS.len()).flat_map(|column| {
        // Tree 0 is the Huffman tree, whose walks are all equal.
        [1, 2].into_iter().flat_map(move |tree| {
            (0..MEASURES.len()).map(move |measure| Place { column, tree, measure })
        })
    })
}
