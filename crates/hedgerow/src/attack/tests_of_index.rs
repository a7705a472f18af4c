//! The index of classes, compared with a check of every class.

use super::*;
use crate::random::Random;
use crate::table::{Columns, Encoding, Table};

/// Several leaves, hulls of both forms, and classes that differ in one column only.
#[test]
fn the_index_finds_what_comparing_every_class_finds_in_many_classes() {
    let names = ["zip", "age", "sex"];
    let mut random = Random::new(3);
    let mut drawn = |most: usize| random.below(most);
    let mut people: Vec<[String; 3]> =
        (0..700).map(|n| [n.to_string(), (n % 90).to_string(), (n % 2).to_string()]).collect();
    let range = |low: usize, width: usize| format!("[{low}, {}]", low + width);
    let cells: Vec<[String; 3]> = (0..600)
        .map(|_| {
            let sex = ["0", "1", "*"][drawn(3)].to_owned();
            [range(drawn(500), 1 + drawn(150)), range(drawn(60), drawn(29)), sex]
        })
        .collect();
    people.extend((0..300).map(|_| [700, 90, 2].map(|most| drawn(most).to_string())));
    let original = Table::from_rows(&names, &people).unwrap();
    let encoding = Encoding { is_release: true, ..Encoding::default() };
    let release = Table::encode(&Columns::quasi(&names), &cells, &encoding).unwrap();
    let scene = Scene::new(Given::new(original, release)).unwrap();
    let (view, index) = (&scene.view, scene.index());
    assert!(view.len() > 500, "several leaves");
    for target in 0..scene.targets.len() {
        let tuple = scene.targets.tuple(target);
        for n_wrong in 0..2 {
            let mut found: Vec<usize> = Vec::new();
            index.search(tuple, n_wrong, |class| {
                found.push(class as usize);
                true
            });
            found.sort_unstable();
            let missed = |class: usize| {
                let codes = tuple.iter().enumerate();
                codes.filter(|(place, code)| !view.cover(class, *place).has(**code)).count()
            };
            let fitting: Vec<usize> =
                (0..view.len()).filter(|&class| missed(class) <= n_wrong).collect();
            assert_eq!(found, fitting, "{tuple:?} with {n_wrong} wrong");
        }
    }
}

/// One column, of which the release shows nothing, has no class that could be found.
#[test]
fn a_release_that_shows_nothing_has_no_candidates() {
    let original = Table::from_rows(&["age"], &[["20"], ["30"]]).unwrap();
    let encoding = Encoding { is_release: true, ..Encoding::default() };
    let release = Table::encode(&Columns::quasi(&["age"]), &[["*"], ["*"]], &encoding).unwrap();
    let scene = Scene::new(Given::new(original, release)).unwrap();
    scene.index().search(scene.targets.tuple(0), 1, |_| unreachable!("nothing is shown"));
}
