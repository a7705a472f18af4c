//! Tests of all losses.

use super::*;
use crate::format::Format;
use crate::privacy::{KAnonymity, Secret};
use crate::problem::{Limits, Problem, Region};
use crate::proposal::Proposal;
use crate::table::{Code, Columns, Encoding, Part, Table};
use std::sync::Arc;

/// The table of METHODS 6.1 at one level of each column; classes of fewer than `k` are suppressed.
fn of_levels(k: u64, levels: [usize; 2]) -> Partition {
    let rows = ["M,z101,y", "M,z102,y", "F,z101,n", "F,z102,n", "M,z111,n", "F,z111,y"];
    let mut part = Part::default();
    for row in rows {
        part.push(row.split(',').map(str::as_bytes), true).unwrap();
    }
    let columns = Columns::quasi(&["sex", "zip"]).and_beside(&["ill"]);
    let table = Table::assemble(&columns, vec![part], &Encoding::default()).unwrap();
    let arx = Format::named("arx").unwrap();
    let trees = [
        arx.read("M;*\nF;*\n", Some("sex")).unwrap(),
        arx.read("z101;z10*;***\nz102;z10*;***\nz111;z11*;***\n", Some("zip")).unwrap(),
    ];
    let nodes = trees.iter().zip(levels).map(|(tree, level)| tree.levels().nodes[level].clone());
    let published: Vec<Vec<Region>> =
        nodes.map(|of_leaf| of_leaf.into_iter().map(Region::Node).collect()).collect();
    let class = Some(Arc::new(Secret::of(&table, "ill").unwrap()));
    let limits = Limits { most_suppressed: 6, class, ..Limits::default() };
    let models: Vec<Box<dyn crate::privacy::PrivacyModel>> =
        vec![Box::new(KAnonymity::new(k).unwrap())];
    let built = trees.map(Into::into).to_vec();
    let problem = Problem::with_limits(&table, built, models, limits).unwrap();
    Partition::of(&problem, &Proposal::global(&problem, &published).unwrap())
}

fn assert_losses(partition: &Partition, wanted: &[(&str, f64)]) {
    let losses = partition.losses();
    for (name, wanted) in wanted {
        assert!((losses[name] - wanted).abs() < 1e-6, "{name}: {} {wanted}", losses[name]);
    }
}

#[test]
fn losses_of_the_table_of_methods_6_1_are_those_of_methods_7() {
    let sex = of_levels(1, [1, 0]);
    assert_losses(&sex, &[("dm", 12.0), ("precision", 0.5), ("lm", 1.0), ("gen-iloss", 0.5)]);
    let zip = of_levels(1, [0, 1]);
    let lm = 1.0 / 3.0;
    assert_losses(&zip, &[("dm", 10.0), ("precision", 0.75), ("lm", lm), ("gen-iloss", lm / 2.0)]);
    assert_losses(&of_levels(2, [0, 1]), &[("dm", 20.0)]);
    assert_losses(&of_levels(1, [0, 2]), &[("dm", 18.0), ("precision", 0.5)]);
    let all = of_levels(1, [1, 2]);
    assert_losses(&all, &[("dm", 36.0), ("precision", 0.0), ("gen-iloss", 1.0), ("gcp", 1.0)]);
    assert_losses(&all, &[("entropy", 1.0), ("distortion", 1.0), ("cm", 0.5)]);
}

#[test]
fn certainty_penalty_entropy_and_distortion_are_as_counted_by_hand() {
    let one = of_levels(1, [0, 1]);
    // Four of the cells are published as one of two zips out of three; each takes a bit to guess.
    let of_column = 6.0 * 6f64.log2() - 3.0 * 2.0;
    let bits = 4.0 / (of_column + 6.0 * 6f64.log2() - 2.0 * 3.0 * 3f64.log2());
    assert_losses(&one, &[("ncp", 4.0 * 2.0 / 3.0), ("gcp", 4.0 * 2.0 / 36.0), ("entropy", bits)]);
    assert_losses(&one, &[("distortion", 6.0 / 18.0), ("cm", 0.0)]);
    let suppressed = of_levels(2, [0, 1]);
    let ncp = 4.0 * 2.0 / 3.0 + 4.0;
    assert_losses(&suppressed, &[("ncp", ncp), ("cm", 2.0 / 6.0), ("c-avg", 6.0 / 4.0)]);
    assert_losses(&suppressed, &[("navg", 1.0), ("precision", 1.0 - (4.0 * 0.5 + 4.0) / 12.0)]);
}

/// The histogram of labels with these codes and counts.
fn labels(counts: &[(usize, u64)]) -> Histogram {
    counts.iter().map(|&(code, count)| (Code::new(code), count)).collect()
}

#[test]
fn cm_is_that_of_methods_7() {
    let mut partition = Partition::of_costs(2, &[(4, &[0.5]), (4, &[0.5])], 0);
    partition.labels = Some(vec![labels(&[(0, 3), (1, 1)]), labels(&[(0, 2), (1, 2)])]);
    assert_losses(&partition, &[("cm", 0.375)]);
}

#[test]
fn losses_count_suppressed_records_as_wholly_lost() {
    let partition = Partition::of_costs(2, &[(2, &[0.5, 0.0]), (3, &[1.0, 0.25])], 1);
    let ntil = (2.0 * 0.5 + 3.0 * 1.25 + 2.0) / 12.0;
    assert_losses(&partition, &[("ntil", ntil), ("nil1", 3.75 / 6.0), ("nilinf", 1.0)]);
    assert_losses(&partition, &[("dm", 4.0 + 9.0 + 6.0), ("navg", 5.0 / 4.0)]);
}

#[test]
fn classes_of_fewer_than_k_are_as_indiscernible_as_suppressed_ones() {
    let small = Partition::of_costs(3, &[(2, &[0.5]), (3, &[1.0])], 0);
    assert_losses(&small, &[("dm", 9.0 + 2.0 * 5.0)]);
}

#[test]
fn merging_changes_sizes_but_not_what_a_record_costs() {
    let mut before = Partition::of_costs(2, &[(2, &[0.5, 0.0]), (3, &[0.5, 0.0])], 1);
    before.labels = Some(vec![labels(&[(1, 2)]), labels(&[(0, 1), (1, 2)])]);
    let after = before.merged(&[0, 0]);
    assert_eq!(after.sizes, [5]);
    assert_eq!(after.labels, Some(vec![labels(&[(0, 1), (1, 4)])]));
    assert_losses(&after, &[("ntil", before.losses()["ntil"]), ("cm", 2.0 / 6.0)]);
}

/// A shape that only suppressed records have is not a class of the release.
#[test]
fn merging_makes_no_class_of_nobody() {
    let mut partition = of_levels(2, [0, 1]);
    partition = partition.merged(&[0, 1, 2, 3]);
    assert_eq!(partition.sizes, [2, 2]);
}

/// Suppresses one record of a class.
fn with_one_more_suppressed(partition: &Partition, class: usize) -> Partition {
    let mut less = partition.clone();
    less.sizes[class] -= 1;
    less.n_suppressed += 1;
    let labels = less.labels.iter_mut().flat_map(|labels| &mut labels[class]);
    let label = labels.filter(|(_, count)| *count > 0).take(1);
    label.for_each(|(_, count)| *count -= 1);
    if less.sizes[class] == 0 {
        less.sizes.remove(class);
        less.shapes.remove(class);
        less.labels.iter_mut().for_each(|labels| drop(labels.remove(class)));
    }
    less
}

#[test]
fn suppressing_one_more_record_never_makes_a_loss_smaller() {
    for (k, levels) in
        [(1, [0, 0]), (1, [0, 1]), (2, [0, 1]), (1, [0, 2]), (2, [1, 0]), (1, [1, 2])]
    {
        let mut partition = of_levels(k, levels);
        while !partition.sizes.is_empty() {
            let class = partition.sizes.len() / 2;
            let less = with_one_more_suppressed(&partition, class);
            for loss in ALL {
                let name = loss.name;
                let [before, after] = [&partition, &less].map(|p| loss.item.penalty(p).unwrap());
                let may_fall = match name {
                    // Means over classes: fewer or smaller classes can have a smaller mean.
                    "navg" => true,
                    "nil1" => partition.sizes[class] == 1,
                    // The remaining records of a class with most of the records become more
                    // distinguishable.
                    "dm" => 2 * partition.sizes[class] > partition.n_records() + 1,
                    _ => false,
                };
                assert!(may_fall || after >= before - 1e-12, "{name} {before} {after}");
            }
            partition = less;
        }
        assert_losses(&partition, &[("ntil", 1.0), ("entropy", 1.0), ("precision", 0.0)]);
    }
}

/// Losses that are not 1 if everything is lost: sums and sizes.
const UNBOUNDED: &[&str] = &["lm", "ncp", "dm", "navg", "c-avg"];

#[test]
fn nothing_lost_costs_nothing_and_everything_suppressed_costs_all() {
    let fine = of_levels(1, [0, 0]);
    let mut lost = fine.clone();
    while !lost.sizes.is_empty() {
        lost = with_one_more_suppressed(&lost, 0);
    }
    for loss in ALL.iter().filter(|loss| !UNBOUNDED.contains(&loss.name)) {
        let [least, most] = [&fine, &lost].map(|partition| loss.item.penalty(partition).unwrap());
        assert!(least.abs() < 1e-12, "{}: {least}", loss.name);
        assert!((most - 1.0).abs() < 1e-12, "{}: {most}", loss.name);
    }
}

/// Equal records in two classes: the sums of logarithms differ only by rounding.
#[test]
fn records_that_are_all_alike_lose_nothing() {
    for (n, width) in (4..60).flat_map(|n| (1..6).map(move |width| (n, width))) {
        let costs = vec![0.0; width];
        let mut alike = Partition::of_costs(2, &[(n / 3 + 1, &costs), (n - n / 3 - 1, &costs)], 0);
        alike.cells.iter_mut().for_each(|cell| cell.mass = n);
        let log_counts = Some(log_counts(&[n]));
        alike.columns = vec![Whole { distortion: Some(0.0), log_counts }; width];
        for loss in ALL.iter().filter(|loss| loss.item.aspect() == Aspect::Cells) {
            let penalty = loss.item.penalty(&alike).unwrap();
            assert!(penalty.abs() < 1e-12, "{}: {penalty} of {n} x {width}", loss.name);
        }
    }
}

#[test]
fn a_gain_is_never_minimised() {
    let [fine, coarse] = [[0, 0], [1, 2]].map(|levels| of_levels(1, levels));
    for loss in ALL {
        let [fine, coarse] =
            [&fine, &coarse].map(|partition| loss.item.penalty(partition).unwrap());
        assert!(fine < coarse, "{}: {fine} {coarse}", loss.name);
    }
}

#[test]
fn what_does_not_apply_is_left_out() {
    let plain = Partition::of_costs(2, &[(2, &[0.5])], 0);
    let losses = plain.losses();
    for loss in ALL {
        assert_eq!(losses.contains_key(loss.name), loss.needs.is_empty(), "{}", loss.name);
    }
    let error = "cm".parse::<Choice>().unwrap().penalty(&plain).unwrap_err().to_string();
    assert!(error.contains("needs a column to predict"), "{error}");
}
