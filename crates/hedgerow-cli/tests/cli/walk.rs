//! The trees that are walked for generalization sets, with the real binary.

use crate::support::{Place, shown};

const AGES: &str = "age\n24\n46\n51\n28\n28\n23\n55\n45\n35\n40\n";

#[test]
fn a_tree_is_shown_with_its_walk() {
    let place = Place::new().with("t.csv", AGES);
    insta::assert_snapshot!(shown(
        &place.hedgerow("hierarchy build t.csv -c age -m huffman -k 4 --walk")
    ));
    insta::assert_snapshot!(shown(
        &place.hedgerow("hierarchy build t.csv -c age -m bst:order=post,k=4 --walk")
    ));
    let drawn = place.hedgerow("hierarchy build t.csv -c age -m avl -k 4 --walk -o w.svg");
    assert_eq!(drawn.status.code(), Some(0), "{}", shown(&drawn));
    let svg = String::from_utf8(place.read("w.svg")).unwrap();
    assert!(svg.starts_with("<svg xmlns=") && svg.contains(">55</text>"));
}

/// A walk is not a hierarchy, so its file must not look like one.
#[test]
fn a_walk_is_written_as_text_or_drawn() {
    let place = Place::new().with("t.csv", AGES);
    let walk = "hierarchy build t.csv -c age -m avl:k=4 --walk -o";
    for name in ["w.json", "w.csv", "w.xml"] {
        let run = place.hedgerow(&format!("{walk} {name}"));
        assert_eq!(run.status.code(), Some(2), "{}", shown(&run));
        assert!(shown(&run).contains("as text (.txt) or drawn (.svg)"), "{}", shown(&run));
    }
    assert_eq!(place.files(), ["t.csv"]);
    let written = place.hedgerow(&format!("{walk} w.txt"));
    assert_eq!(written.status.code(), Some(0), "{}", shown(&written));
    assert!(String::from_utf8(place.read("w.txt")).unwrap().contains("walk: "));
}

#[test]
fn methods_without_a_tree_to_walk_are_refused() {
    let place = Place::new().with("t.csv", AGES);
    insta::assert_snapshot!(shown(
        &place.hedgerow("hierarchy build t.csv -c age -m iotf -k 4 --walk")
    ));
    insta::assert_snapshot!(shown(&place.hedgerow("hierarchy build t.csv -c age -m avl --walk")));
    insta::assert_snapshot!(shown(
        &place.hedgerow("hierarchy build t.csv -c age -m avl -k 40 --walk")
    ));
    assert_eq!(place.files(), ["t.csv"]);
}
