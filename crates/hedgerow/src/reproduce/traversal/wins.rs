//! Which order and which tree lose least, and how often.

use super::experiment::{COLUMNS, KS, MEASURES, Run, Setting, TREES, losses_at};
use crate::reproduce::numbers::{deviation, fixed, mean};
use crate::reproduce::{Exhibit, Sheet, Verdict};

/// Losses that differ by less than this are equal.
const TIE: f64 = 1e-12;

pub(super) fn exhibits(runs: &[Run]) -> Vec<Exhibit> {
    vec![orders(runs)]
}

/// Which of the three orders loses least in each run of a search tree.
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
        .verdict(
            verdict,
            "the orders only change which rare values share a set; the number of values in a set depends on \
             their frequencies, which are nearly independent of the walk",
        )
        .with_sheet(sheet(&settings))
}

/// The orders in one setting: column, tree and measure.
struct Compared {
    place: (usize, usize, usize),
    /// How often each order alone loses least, and how often several do.
    wins: [usize; 4],
    /// The differences of in-order and the best other order.
    margin: Vec<f64>,
}

impl Compared {
    fn of(runs: &[Run], (column, tree, measure): (usize, usize, usize)) -> Self {
        let (mut wins, mut margin) = ([0; 4], Vec::new());
        for k in KS {
            let [pre, inner, post] =
                [0, 1, 2].map(|order| losses_at(runs, measure, Setting { column, tree, order, k }));
            // Runs of one K are in the order of the samples, so zipped ones have the same records.
            for ((&pre, &inner), &post) in pre.iter().zip(&inner).zip(&post) {
                let found = [pre, inner, post];
                let least = found.into_iter().fold(f64::INFINITY, f64::min);
                let best: Vec<usize> = (0..3).filter(|&order| found[order] < least + TIE).collect();
                wins[if best.len() == 1 { best[0] } else { 3 }] += 1;
                margin.push(found[1] - found[0].min(found[2]));
            }
        }
        Self { place: (column, tree, measure), wins, margin }
    }

    fn is_inner_best(&self) -> bool {
        let [pre, inner, post, _] = self.wins;
        inner > pre && inner > post
    }

    fn row(&self) -> [String; 8] {
        let (column, tree, measure) = self.place;
        let [pre, inner, post, ties] = self.wins.map(|count| count.to_string());
        // Standard error of the mean: the deviation of a sample, divided by the root of its size.
        let error = deviation(&self.margin) / (self.margin.len() as f64).sqrt();
        [
            COLUMNS[column].to_owned(),
            TREES[tree].to_owned(),
            MEASURES[measure].to_uppercase(),
            pre,
            inner,
            post,
            ties,
            format!("{} ± {}", fixed(mean(&self.margin), 5), fixed(error, 5)),
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
        ">In-order minus the best other",
    ];
    let caption = "Of 240 runs (80 samples, 3 values of K), how often each order alone loses least; the last \
                   column is the mean difference with its standard error";
    let mut sheet = Sheet::new("wins-orders", caption, &heads);
    settings.iter().for_each(|one| sheet.row(one.row()));
    sheet
}

/// Search trees of both columns with both measures.
fn settings() -> impl Iterator<Item = (usize, usize, usize)> {
    (0..COLUMNS.len()).flat_map(|column| {
        // Tree 0 is the Huffman tree, whose walks are all equal.
        [1, 2].into_iter().flat_map(move |tree| (0..MEASURES.len()).map(move |m| (column, tree, m)))
    })
}
