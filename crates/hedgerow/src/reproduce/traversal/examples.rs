//! The worked examples of the paper, with pictures of the trees and walks.

use crate::Result;
use crate::builder::{Walked, walked};
use crate::loss::Sets;
use crate::reproduce::numbers::fixed;
use crate::reproduce::{Exhibit, Sheet, Verdict};
use crate::table::Table;

/// The ages of the example, with K = 4.
const AGES: [&str; 10] = ["24", "46", "51", "28", "28", "23", "55", "45", "35", "40"];
const K: u64 = 4;
/// The sets as printed.
const PRINTED: [&[&str]; 2] = [&["24", "40", "55", "51"], &["45", "23", "28", "46", "35"]];

pub(super) fn exhibits() -> Result<Vec<Exhibit>> {
    Ok(vec![sets()?, hdm(), trees()?])
}

fn example(method: &str) -> Result<Walked> {
    let table = Table::from_rows(&["age"], &AGES.map(|age| [age]))?;
    walked(&method.parse()?, &table.columns()[0], Some(K))
}

/// The sets of the example and their loss.
fn sets() -> Result<Exhibit> {
    let found = example("huffman")?;
    // 28 occurs twice, hence nine values of ten records.
    let losses = Sets { n_records: 10, n_values: 9, counts: found.set_counts() }.losses();
    let il = losses["il"];
    // The order of members is compared too: it shows how ties of the tree are broken.
    let is_same = found.sets() == PRINTED && (il - 0.575).abs() < 5e-4;
    let mut sheet =
        Sheet::new("example-sets", "The sets, in the order of their members", &["Printed", "Ours"]);
    for (printed, ours) in PRINTED.iter().zip(found.sets()) {
        sheet.row([printed.join(" "), ours.join(" ")]);
    }
    Ok(Exhibit::new("Section III, example", "sets of ten ages along a Huffman tree, K = 4")
        .says("Two sets with losses of 0.5 and 0.625; the column loses 0.575.")
        .found(format!(
            "The column loses {}; as the mean of the two sets it would be {}, and HDM is {}.",
            fixed(il, 4),
            fixed(losses["il-set-mean"], 4),
            fixed(losses["hdm"], 6)
        ))
        .verdict(
            if is_same { Verdict::Reproduced } else { Verdict::Not },
            if is_same {
                "sets, order of their members and loss are equal"
            } else {
                "the sets, the order of their members or the loss differ"
            },
        )
        .with_sheet(sheet)
        .with_figure("example-huffman", "The Huffman tree of the example", found.drawing().svg()))
}

/// The example of the utility loss.
fn hdm() -> Exhibit {
    // Equations 3 and 4 with the paper's own numbers, so no tree is needed.
    let sets = Sets { n_records: 1000, n_values: 12, counts: vec![vec![50, 200]] };
    let hdm = sets.losses()["hdm"];
    let (verdict, reason) = match (hdm - 0.136_516).abs() {
        // Half a unit of the last printed digit; ten times as much is rounding in between.
        off if off < 5e-7 => (Verdict::Reproduced, "the same number"),
        off if off < 5e-6 => (
            Verdict::InDirection,
            "the last digits differ, as if the paper had added rounded numbers",
        ),
        _ => (Verdict::Not, "the numbers differ by more than rounding"),
    };
    Exhibit::new("Section III, equations 3 and 4", "HDM of a set of 50 and 200 records among 1,000")
        .says("The mean of the two values is 0.136516.")
        .found(format!("The mean of 4/19 and 1/16 is {}.", fixed(hdm, 6)))
        .verdict(verdict, reason)
}

/// The walks of each tree.
fn trees() -> Result<Exhibit> {
    let mut sheet = Sheet::new(
        "figures-trees",
        "Walks and sets of the example",
        &["Tree", "Order", "Walk", "Sets"],
    );
    let mut walks = Vec::new();
    let mut exhibit = Exhibit::new(
        "Figures 1 to 3",
        "Huffman, search and AVL trees of the example",
    )
    .says("The order of the walk does not matter for a Huffman tree, whose values are all leaves.");
    for tree in ["huffman", "bst", "avl"] {
        for order in ["pre", "in", "post"] {
            let found = example(&format!("{tree}:order={order}"))?;
            let sets: Vec<String> =
                found.sets().iter().map(|set| format!("{{{}}}", set.join(", "))).collect();
            sheet.row([tree.to_owned(), order.to_owned(), found.walk().join(" "), sets.join(" ")]);
            // Walks are listed tree by tree, so the first three are those of the Huffman tree.
            walks.push(found.walk().join(" "));
            let name = format!("walk-{tree}-{order}");
            let caption = format!("`{tree}`, {order}-order");
            exhibit = exhibit.with_figure(&name, &caption, found.drawing().svg());
        }
    }
    let is_same = walks[..3].iter().all(|walk| *walk == walks[0]);
    let n_others = walks[3..].iter().collect::<std::collections::BTreeSet<_>>().len();
    Ok(exhibit
        .found(format!(
            "The three walks of the Huffman tree are {}; the six of the search trees give {n_others} orders.",
            if is_same { "equal" } else { "different" }
        ))
        .verdict(
            if is_same { Verdict::Reproduced } else { Verdict::Not },
            if is_same {
                "inner nodes of a Huffman tree have no values, so a walk visits the leaves from left to right"
            } else {
                "a walk of the Huffman tree visits the leaves in another order"
            },
        )
        .with_sheet(sheet))
}
