//! Which order and which tree lose least, and how often.

use super::experiment::{COLUMNS, KS, MEASURES, Run, TREES, losses};
use crate::reproduce::numbers::{deviation, fixed, mean};
use crate::reproduce::{Exhibit, Sheet, Verdict};

/// Losses that differ by less than this are equal.
const TIE: f64 = 1e-12;

pub(super) fn exhibits(runs: &[Run]) -> Vec<Exhibit> {
    vec![orders(runs)]
}

/// Which of the three orders loses least in each run of a search tree.
fn orders(runs: &[Run]) -> Exhibit {
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
    let (mut n_best, mut n_rows) = (0, 0);
    let mut totals = [0; 4];
    for (column, tree, measure) in settings() {
        let (wins, margin) = wins(runs, column, tree, measure);
        let [pre, inner, post, ties] = wins;
        totals = [0, 1, 2, 3].map(|place| totals[place] + wins[place]);
        n_rows += 1;
        n_best += usize::from(inner > pre && inner > post);
        let error = deviation(&margin) / (margin.len() as f64).sqrt();
        sheet.row([
            COLUMNS[column].to_owned(),
            TREES[tree].to_owned(),
            MEASURES[measure].to_uppercase(),
            pre.to_string(),
            inner.to_string(),
            post.to_string(),
            ties.to_string(),
            format!("{} ± {}", fixed(mean(&margin), 5), fixed(error, 5)),
        ]);
    }
    let [pre, inner, post, ties] = totals;
    let verdict = match n_best {
        best if best == n_rows => Verdict::Reproduced,
        best if 2 * best > n_rows => Verdict::InDirection,
        _ => Verdict::Not,
    };
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
        .with_sheet(sheet)
}

/// Search trees of both columns with both measures.
fn settings() -> impl Iterator<Item = (usize, usize, usize)> {
    (0..COLUMNS.len()).flat_map(|column| {
        [1, 2].into_iter().flat_map(move |tree| (0..MEASURES.len()).map(move |m| (column, tree, m)))
    })
}

/// How often each order alone loses least, and how often several do; and the differences of in-order and
/// the best other order.
fn wins(runs: &[Run], column: usize, tree: usize, measure: usize) -> ([usize; 4], Vec<f64>) {
    let of_order = |order: usize, k: u64| {
        let is_of = |run: &Run| {
            run.key == "value"
                && (run.column, run.tree, run.order, run.k) == (column, tree, order, k)
        };
        losses(runs, measure, is_of)
    };
    let (mut wins, mut margin) = ([0; 4], Vec::new());
    for k in KS {
        let [pre, inner, post] = [0, 1, 2].map(|order| of_order(order, k));
        for ((&pre, &inner), &post) in pre.iter().zip(&inner).zip(&post) {
            let found = [pre, inner, post];
            let least = found.into_iter().fold(f64::INFINITY, f64::min);
            let best: Vec<usize> = (0..3).filter(|&order| found[order] < least + TIE).collect();
            wins[if best.len() == 1 { best[0] } else { 3 }] += 1;
            margin.push(found[1] - found[0].min(found[2]));
        }
    }
    (wins, margin)
}
