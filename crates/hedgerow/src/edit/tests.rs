//! Worked examples of every operation, of histories and of scripts.

use super::*;
use crate::format::Format;
use crate::hierarchy::Leaves;
use crate::method::Spec;
use crate::table::Values;

fn words(text: &str) -> Hierarchy {
    Format::named("hrc").unwrap().read(text, Some("job")).unwrap()
}

/// The tree of the outline `[1-8](...)` over whole numbers.
fn numbers(ranges: &[(u32, u32)]) -> Hierarchy {
    let n = ranges[0].1 as usize;
    let spelt: Vec<String> = (0..n).map(|value| (value + 10).to_string()).collect();
    let texts: Vec<&str> = spelt.iter().map(String::as_str).collect();
    let (values, _) = Values::of_kind(crate::table::Kind::Number, &texts, None).unwrap();
    let leaves = Leaves { attribute: "age".into(), values, counts: vec![3; n] };
    Hierarchy::from_ranges(leaves, ranges).unwrap()
}

fn balanced() -> Hierarchy {
    numbers(&[
        (0, 8),
        (0, 4),
        (0, 2),
        (0, 1),
        (1, 2),
        (2, 4),
        (2, 3),
        (3, 4),
        (4, 8),
        (4, 6),
        (4, 5),
        (5, 6),
        (6, 8),
        (6, 7),
        (7, 8),
    ])
}

fn done(tree: &Hierarchy, operation: &Operation) -> Hierarchy {
    let edited = apply(tree, operation).unwrap();
    let back = apply(&edited.tree, &edited.inverse).unwrap();
    assert_eq!(back.tree, *tree, "{operation:?} undone");
    assert_eq!(apply(&back.tree, &back.inverse).unwrap().tree, edited.tree, "{operation:?} redone");
    edited.tree
}

fn refused(tree: &Hierarchy, operation: &Operation) -> String {
    apply(tree, operation).unwrap_err().to_string()
}

const JOBS: &str =
    "*\n@care\n@@nurse\n@@surgeon\n@music\n@@strings\n@@@violinist\n@@pianist\n@cook\n";

#[test]
fn groups_are_renamed_and_values_are_not() {
    let tree = words(JOBS);
    let rename = |node: &str, label: &str| Operation::Rename {
        node: node.into(),
        label: Some(label.to_owned()),
    };
    let new = done(&tree, &rename("care", "health"));
    assert!(new.outline().starts_with("*(health(nurse,surgeon)"), "{}", new.outline());
    let node = Address::from("health").find(&new).unwrap();
    assert_eq!(new.origin(node).unwrap().note.as_deref(), Some("edited"));
    assert!(refused(&tree, &rename("nurse", "x")).contains("'nurse' is a value"));
    assert!(refused(&tree, &rename("care", " ")).contains("empty label"));
    assert!(refused(&tree, &rename("care", "care")).contains("stay the same"));
    assert!(refused(&tree, &rename("caer", "x")).contains("did you mean 'care'?"));
}

#[test]
fn a_named_interval_leaves_the_root_a_star() {
    let tree = balanced();
    let node = Address::covering(["10", "13"]);
    let new = done(&tree, &Operation::Rename { node: node.clone(), label: Some("low".into()) });
    assert_eq!(
        (new.published(Node::ROOT), new.published(node.find(&new).unwrap())),
        ("*".into(), "low".into())
    );
    let untrue = Operation::Rename { node, label: Some("[10, 12]".into()) };
    assert!(refused(&tree, &untrue).contains("13 is below '[10, 12]', which does not contain it"));
}

#[test]
fn siblings_are_merged() {
    let merge = |nodes: &[&str]| Operation::Merge {
        nodes: nodes.iter().map(|&node| node.into()).collect(),
        label: None,
    };
    let tree = words(JOBS);
    let new = done(&tree, &merge(&["care", "cook"]));
    assert_eq!(
        new.outline(),
        "*(care or cook(nurse,surgeon,cook),music(strings(violinist),pianist))"
    );
    assert!(refused(&tree, &merge(&["nurse", "cook"])).contains("not children of the same group"));
    assert!(refused(&tree, &merge(&["care"])).contains("one node"));
    assert!(refused(&tree, &merge(&["care", "care"])).contains("named twice"));
    assert!(refused(&tree, &merge(&["*", "care"])).contains("is the root"));
    // All children: the groups go, and the parent is the merged group.
    let tree = balanced();
    let new = done(&tree, &merge(&["[10, 11]", "[12, 13]"]));
    assert!(new.outline().starts_with("[10-17]([10-13](10,11,12,13),"), "{}", new.outline());
    let tree = numbers(&[(0, 3), (0, 1), (1, 2), (2, 3)]);
    assert!(refused(&tree, &merge(&["10", "12"])).contains("not adjacent"));
    assert_eq!(done(&tree, &merge(&["11", "12"])).outline(), "[10-12](10,[11-12](11,12))");
}

#[test]
fn a_cut_goes_through_all_levels() {
    let tree = balanced();
    let split = |at: &str| Operation::SplitAt { node: "[10, 13]".into(), at: at.into() };
    let new = done(&tree, &split("13"));
    assert!(
        new.outline().starts_with("[10-17]([10-12]([10-11](10,11),12),13,["),
        "{}",
        new.outline()
    );
    assert!(refused(&tree, &split("10")).contains("choose a value from 11 to 13"));
    assert!(refused(&tree, &split("ten")).contains("'ten' is not a number"));
    // A group of the last value alone.
    let chain = numbers(&[(0, 2), (0, 1), (1, 2), (1, 2)]);
    let node = Address::Covers(Covers { covers: vec!["11".into()], up: 1 });
    let said = refused(&chain, &Operation::SplitAt { node, at: "11".into() });
    assert!(said.contains("'11' has one value only"), "{said}");
    let root = Operation::SplitAt { node: "[10, 17]".into(), at: "13".into() };
    let new = done(&tree, &root);
    assert_eq!(
        new.outline(),
        "[10-17]([10-12]([10-11](10,11),12),[13-17](13,[14-17]([14-15](14,15),[16-17](16,17))))"
    );
}

#[test]
fn a_cut_moves_with_the_groups_below_it() {
    let tree = balanced();
    let cut = |from: &str, to: &str| Operation::MoveCut { from: from.into(), to: to.into() };
    let new = done(&tree, &cut("14", "13"));
    assert_eq!(
        new.outline(),
        "[10-17]([10-12]([10-11](10,11),12),[13-17]([13-15](13,14,15),[16-17](16,17)))"
    );
    let new = done(&tree, &cut("14", "16"));
    assert_eq!(
        new.outline(),
        "[10-17]([10-15]([10-11](10,11),[12-13](12,13),[14-15](14,15)),[16-17](16,17))"
    );
    assert!(refused(&tree, &cut("14", "18")).contains("choose a value from 11 to 17"));
    assert!(refused(&tree, &cut("14", "14")).contains("divides the same values"));
    assert!(refused(&tree, &cut("10", "11")).contains("nothing is cut there"));
    assert!(refused(&words(JOBS), &cut("a", "b")).contains("words or codes"));
}

#[test]
fn ranges_in_labels_follow_the_values() {
    let text = "20;20-29;*\n25;20-29;*\n31;30-39;*\n38;30-39;*\n";
    let tree = Format::named("arx").unwrap().read(text, Some("age")).unwrap();
    let cut = Operation::MoveCut { from: "31".into(), to: "25".into() };
    assert_eq!(done(&tree, &cut).outline(), "*(20,[25-39](25,31,38))");
}

#[test]
fn words_move_and_empty_groups_go() {
    let tree = words(JOBS);
    let to = |node: &str, below: &str| Operation::Move { node: node.into(), below: below.into() };
    let new = done(&tree, &to("violinist", "care"));
    assert_eq!(new.outline(), "*(care(nurse,surgeon,violinist),music(pianist),cook)");
    assert!(refused(&tree, &to("music", "strings")).contains("below itself"));
    assert!(refused(&tree, &to("nurse", "cook")).contains("'cook' is a value"));
    assert!(refused(&tree, &to("nurse", "care")).contains("a child of 'care' already"));
    assert!(refused(&balanced(), &to("10", "[14, 17]")).contains("move a cut"));
}

#[test]
fn lists_of_values_follow_them() {
    let tree = words("*\n@{a, b}\n@@a\n@@b\n@{c, d}\n@@c\n@@d\n");
    let new = done(&tree, &Operation::Move { node: "a".into(), below: "{c, d}".into() });
    assert_eq!(new.outline(), "*({b}(b),{a-c-d}(c,d,a))");
}

#[test]
fn groups_are_split_by_children_inserted_removed_and_pruned() {
    let tree = words(JOBS);
    let part = Part { label: Some("keys".into()), nodes: vec!["pianist".into()] };
    let split = |node: &str| Operation::SplitBy { node: node.into(), groups: vec![part.clone()] };
    assert_eq!(
        done(&tree, &split("music")).outline(),
        "*(care(nurse,surgeon),music(strings(violinist)),keys(pianist),cook)"
    );
    assert!(refused(&tree, &split("care")).contains("'pianist' is not a child of 'care'"));
    let nodes = vec!["care".into(), "cook".into()];
    let insert = Operation::Insert { nodes, label: Some("service".into()) };
    assert!(done(&tree, &insert).outline().starts_with("*(service(care(nurse,surgeon),cook),"));
    let remove = |node: &str| Operation::Remove { node: node.into() };
    assert!(done(&tree, &remove("music")).outline().contains(",strings(violinist),pianist,cook)"));
    assert!(refused(&tree, &remove("*")).contains("would have no root"));
    assert!(refused(&tree, &remove("cook")).contains("'cook' is a value"));
    let prune = Operation::Prune { node: "music".into() };
    assert!(done(&tree, &prune).outline().contains("music(violinist,pianist)"));
}

#[test]
fn locks_do_not_nest_and_are_not_lost() {
    let tree = words(JOBS);
    let locked = done(&tree, &Operation::Lock { node: "music".into() });
    let node = Address::from("music").find(&locked).unwrap();
    assert_eq!(locked.locks(), [node]);
    let below = Operation::Lock { node: "strings".into() };
    assert!(refused(&locked, &below).contains("below the locked node 'music'"));
    assert!(
        refused(&locked, &Operation::Remove { node: "music".into() }).contains("unlock it first")
    );
    assert!(refused(&tree, &Operation::Lock { node: "*".into() }).contains("limits nothing"));
    assert!(refused(&tree, &Operation::Unlock { node: "cook".into() }).contains("is not locked"));
    done(&locked, &Operation::Unlock { node: "music".into() });
    let json = Format::named("json").unwrap();
    let text = String::from_utf8(json.encode(&locked, false).unwrap().bytes).unwrap();
    assert_eq!(json.read(&text, None).unwrap(), locked);
    let said = Format::named("arx").unwrap().encode(&locked, false).unwrap().changes;
    assert!(said.iter().any(|change| change.starts_with("locks are not written")), "{said:?}");
}

#[test]
fn a_subtree_is_regrown() {
    let tree = balanced();
    let regrow = |node: &str, method: &str| Operation::Regrow {
        node: node.into(),
        method: method.parse().unwrap(),
    };
    let new = done(&tree, &regrow("[10, 13]", "equal-width:fan-out=4"));
    assert!(new.outline().starts_with("[10-17]([10-13](10,11,12,13),"), "{}", new.outline());
    assert_eq!(new.builder(), None);
    let new = done(&tree, &regrow("[10, 17]", "equal-width:fan-out=8"));
    assert_eq!(new.builder().map(Spec::to_string).as_deref(), Some("equal-width:fan-out=8"));
    assert!(refused(&tree, &regrow("[10, 17]", "free")).contains("no tree"));
    assert!(refused(&tree, &regrow("10", "iotf")).contains("is a value"));
    let only = Operation::Insert { nodes: vec!["10".into()], label: Some("ten".to_owned()) };
    assert!(refused(&done(&tree, &only), &regrow("ten", "iotf")).contains("one value only"));
    let new = done(&words(JOBS), &regrow("*", "frequency"));
    assert_eq!(new.n_leaves(), 5);
}

#[cfg(feature = "wordnet")]
#[test]
fn a_sense_is_corrected_and_the_others_stay() {
    let rows = [["bank"], ["nurse"], ["surgeon"], ["river"]];
    let table = crate::table::Table::from_rows(&["job"], &rows).unwrap();
    let spec = "wordnet".parse().unwrap();
    let built = crate::builder::build(&spec, &table.columns()[0], None).unwrap();
    let tree = built.hierarchy().unwrap();
    let sense = |tree: &Hierarchy, value: &str| {
        let node = Address::from(value).find(tree).unwrap();
        tree.origin(node).and_then(|origin| origin.concept.clone())
    };
    let set =
        |value: &str, sense: &str| Operation::SetSense { value: value.into(), sense: sense.into() };
    let other =
        if sense(tree, "bank").as_deref() == Some("bank.n.01") { "bank.n.02" } else { "bank.n.01" };
    let new = done(tree, &set("bank", other));
    assert_eq!(sense(&new, "bank").as_deref(), Some(other));
    assert_eq!(sense(&new, "nurse"), sense(tree, "nurse"));
    // A second correction keeps the first.
    let both = done(&new, &set("nurse", "nanny.n.01"));
    assert_eq!(sense(&both, "bank").as_deref(), Some(other));
    assert_eq!(sense(&both, "nurse").as_deref(), Some("nanny.n.01"));
    assert!(refused(tree, &set("bank", "bank.n.99")).contains("bank.n.99"));
    assert!(refused(tree, &set("bnak", other)).contains("did you mean 'bank'?"));
    assert!(refused(&words(JOBS), &set("nurse", "nanny.n.01")).contains("regrow its root"));
}

#[test]
fn an_inverse_belongs_to_one_tree() {
    let tree = words(JOBS);
    let edited = apply(&tree, &Operation::Remove { node: "strings".into() }).unwrap();
    let said = refused(&tree, &edited.inverse);
    assert!(said.contains("takes back 'remove' of another hierarchy"), "{said}");
}

#[test]
fn labels_of_two_nodes_are_refused_with_an_address() {
    let tree = words("*\n@A\n@@A\n@@b\n@c\n");
    let said = refused(&tree, &Operation::Prune { node: "A".into() });
    assert!(
        said.contains(
            r#"the label of 2 nodes; name the node by its values, for example {"covers":["A","b"]}"#
        ),
        "{said}"
    );
}

#[test]
fn scripts_that_are_damaged_say_what_to_do() {
    let good = r#"{"hedgerow-edits":1,"attribute":"job","edits":[
{"edit":"remove","node":"strings"},
{"edit":"lock","node":{"covers":["nurse"],"up":1}}
]}"#;
    let script = Script::parse(good).unwrap();
    assert_eq!(Script::parse(&script.to_text()).unwrap(), script);
    let said = |text: &str| Script::parse(text).unwrap_err().to_string();
    for end in 1..good.len() {
        assert!(Script::parse(&good[..end]).is_err(), "cut after {end} bytes");
    }
    assert!(
        said(&good[..60]).contains("line 2: the script ends in the middle of an entry; restore")
    );
    assert!(said("").contains("the script is empty; write {"));
    assert!(
        said(&good.replace("edits\":1", "edits\":2"))
            .contains("has version 2, but hedgerow reads 1")
    );
    assert!(said("{\"hedgerow\":1}").contains("not an edit script"));
    assert!(
        said(&good.replace("remove", "delete"))
            .starts_with("line 2: this is not an edit: unknown variant `delete`")
    );
    assert!(
        said(&good.replace("\"up\":1", "\"u\":1"))
            .starts_with("line 3: this is not an edit: a node is a label")
    );
    assert!(said(&good.replace("attribute", "column")).contains("unknown field `column`"));
    assert!(said(&good.replace("]}", "]]")).contains("not JSON"));
    // Replayed on another attribute, or on a hierarchy that lacks a node.
    let of_other = numbers(&[(0, 2), (0, 1), (1, 2)]);
    assert!(
        History::replay(of_other, &script)
            .unwrap_err()
            .to_string()
            .contains("the edits are for 'job'")
    );
    let lacking = words("*\n@care\n@@nurse\n@@surgeon\n@cook\n");
    let said = History::replay(lacking, &script).unwrap_err().to_string();
    assert!(
        said.starts_with("edit 1, remove: column 'job': 'strings' is not a value or group"),
        "{said}"
    );
}

#[test]
fn histories_go_back_and_forth() {
    let tree = words(JOBS);
    let mut history = History::new(tree.clone());
    let edits = [
        Operation::Remove { node: "strings".into() },
        Operation::Merge {
            nodes: vec!["care".into(), "cook".into()],
            label: Some("service".into()),
        },
        Operation::Lock { node: "service".into() },
    ];
    let mut states = vec![tree];
    for edit in edits {
        states.push(history.apply(edit).unwrap().clone());
    }
    for state in states.iter().rev().skip(1) {
        assert!(history.undo().unwrap().is_some());
        assert_eq!(history.tree(), state);
    }
    assert!(history.undo().unwrap().is_none());
    for state in &states[1..] {
        assert!(history.redo().unwrap().is_some());
        assert_eq!(history.tree(), state);
    }
    assert!(history.redo().unwrap().is_none());
    history.undo().unwrap();
    // Undone edits survive in the file.
    let script = Script::parse(&history.script().to_text()).unwrap();
    assert_eq!((script.edits.len(), script.undone.len()), (2, 1));
    let mut again = History::replay(states[0].clone(), &script).unwrap();
    assert_eq!(again.tree(), &states[2]);
    again.redo().unwrap();
    assert_eq!(again.tree(), &states[3]);
    // A refused edit changes nothing.
    assert!(again.apply(Operation::Remove { node: "service".into() }).is_err());
    assert_eq!((again.tree(), again.done().len()), (&states[3], 3));
}
