//! The figures of METHODS 5.7, and the rules behind them.

use super::*;
use crate::builder::{HierarchyBuilder, Iotf, Otf};
use crate::format::Format;
use crate::hierarchy::{Node, Origin, tree_of};
use crate::knowledge::{Entry, Senses};
use crate::table::Table;

const A: &str = "person\n@health_professional\n@@doctor\n@@@surgeon\n@@@pediatrician\n@@nurse\n\
    @educator\n@@teacher\n@@@math_teacher\n@@@music_teacher\n";
const B: &str = "person\n@health_professional\n@@surgeon\n@@pediatrician\n@@nurse\n\
    @teacher\n@@math_teacher\n@@music_teacher\n";
const C: &str = "person\n@surgeon\n@pediatrician\n@nurse\n@math_teacher\n@music_teacher\n";

/// The chain of METHODS 5.3, with a second, more common sense of `doctor`.
fn chain() -> Knowledge {
    let entries: Vec<Entry> = [
        ("entity", None),
        ("scholar doctor", Some(0)),
        ("person", Some(0)),
        ("health_professional", Some(2)),
        ("doctor", Some(3)),
        ("surgeon", Some(4)),
        ("pediatrician", Some(4)),
        ("nurse", Some(3)),
        ("educator", Some(2)),
        ("teacher", Some(8)),
        ("math_teacher", Some(9)),
        ("music_teacher", Some(9)),
    ]
    .into_iter()
    .map(|(words, parent)| Entry {
        words: words.split(' ').map(str::to_owned).collect(),
        parents: parent.into_iter().collect(),
        ..Entry::default()
    })
    .collect();
    Knowledge::of_entries("chain".into(), &entries).unwrap()
}

fn table(jobs: &[(&str, usize)]) -> Table {
    let rows = jobs.iter().flat_map(|&(job, count)| vec![[job]; count]);
    Table::from_rows(&["job"], &rows.collect::<Vec<_>>()).unwrap()
}

fn jobs() -> Table {
    table(&[
        ("surgeon", 4),
        ("pediatrician", 1),
        ("nurse", 3),
        ("math_teacher", 2),
        ("music_teacher", 2),
    ])
}

fn tree(text: &str) -> Hierarchy {
    Format::named("hrc").unwrap().read(text, Some("job")).unwrap()
}

fn evaluated(table: &Table, trees: &[&Hierarchy], k: u64) -> Vec<Evaluated> {
    let (column, knowledge) = (&table.columns()[0], &chain());
    let meanings = &meanings(knowledge, column, &Senses::default(), trees).unwrap();
    evaluate(&Question { column, knowledge, meanings, k }, trees).unwrap()
}

fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 5e-7, "{found}, not {wanted}");
}

#[test]
fn aspects_are_those_of_methods() {
    let (a, b, c) = (tree(A), tree(B), tree(C));
    let found = evaluated(&jobs(), &[&a, &b, &c], 3);
    let wanted = [
        [0.202_576, 0.492_100, 1.0 / 3.0, 1.8],
        [0.227_626, 0.424_994, 1.0 / 2.0, 7.0 / 3.0],
        [0.316_667, 0.285_151, 1.0, 5.0],
    ];
    for (candidate, [semantic, privacy, distortion, interval]) in found.iter().zip(wanted) {
        near(candidate.aspects.semantic.unwrap(), semantic);
        near(candidate.aspects.privacy, privacy);
        near(candidate.aspects.distortion, distortion);
        near(candidate.aspects.interval, interval);
    }
}

#[test]
fn rewards_and_scores_are_those_of_methods() {
    let (a, b, c) = (tree(A), tree(B), tree(C));
    let found = evaluated(&jobs(), &[&a, &b, &c], 3);
    let as_array = |r: &Rewards| [r.semantic, r.privacy, r.distortion, r.interval];
    let rewards: Vec<_> = found.iter().map(|found| as_array(&found.rewards)).collect();
    assert_eq!(rewards, [[3, 1, 3, 3], [2, 2, 2, 2], [1, 3, 1, 1]]);
    let scores = |weights: &str| {
        let weights = weights.parse().unwrap();
        found.iter().map(|found| found.rewards.score(&weights)).collect::<Vec<_>>()
    };
    assert_eq!(scores("semantic=1,privacy=1,distortion=1,interval=1"), [2.5, 2.0, 1.5]);
    assert_eq!(scores("privacy=7"), [1.0, 2.0, 3.0]);
    assert_eq!(scores("distortion=0.25,privacy=0.75"), [1.5, 2.0, 2.5]);
    let order = |weights: &Weights| {
        rank(&found, weights).iter().map(|ranked| ranked.candidate).collect::<Vec<_>>()
    };
    assert_eq!(order(&Weights::default()), [0, 1, 2]);
    assert_eq!(order(&"privacy=1".parse().unwrap()), [2, 1, 0]);
    // Half of the weight is for A and half against it: all have 2, and C has the fewest nodes.
    assert_eq!(order(&"privacy=1,interval=1".parse().unwrap()), [2, 1, 0]);
}

#[test]
fn equal_candidates_share_the_better_place() {
    let (a, c) = (tree(A), tree(C));
    let found = evaluated(&jobs(), &[&c, &a, &a], 3);
    let semantic: Vec<usize> = found.iter().map(|found| found.rewards.semantic).collect();
    assert_eq!(semantic, [1, 3, 3]);
    let ranked = rank(&found, &"semantic=1".parse().unwrap());
    assert_eq!(ranked.iter().map(|r| r.candidate).collect::<Vec<_>>(), [1, 2, 0]);
}

#[test]
fn the_order_of_children_makes_no_difference() {
    let turned = "person\n@educator\n@@teacher\n@@@music_teacher\n@@@math_teacher\n\
        @health_professional\n@@nurse\n@@doctor\n@@@pediatrician\n@@@surgeon\n";
    let found = evaluated(&jobs(), &[&tree(A), &tree(turned)], 3);
    assert_eq!(found[0].rewards, found[1].rewards);
}

/// Returns the names of the concepts of the inner nodes of a tree over the five jobs.
fn names(tree: &Hierarchy) -> Vec<Option<String>> {
    let (knowledge, table) = (chain(), jobs());
    let column = &table.columns()[0];
    let known = meanings(&knowledge, column, &Senses::default(), &[tree]).unwrap();
    let mut leaf_concepts = vec![None; tree.n_leaves()];
    for (code, leaf) in tree.ground().bind(&column.domain).unwrap().into_iter().enumerate() {
        leaf_concepts[leaf.index()] = known[code];
    }
    let found = concepts(tree, &leaf_concepts, &mut Lexicon::new(&knowledge));
    let inner = tree.nodes().filter(|&node| tree.as_leaf(node).is_none());
    inner.map(|node| found[node.index()].map(|concept| knowledge.name(concept))).collect()
}

#[test]
fn a_label_means_what_is_most_like_the_leaves_below() {
    let wanted = ["person", "health_professional", "doctor#2", "educator", "teacher"];
    assert_eq!(names(&tree(A)), wanted.map(|name| Some(name.to_owned())));
    let said = A.replace("doctor", "doctor (doctor#1)");
    assert_eq!(names(&tree(&said))[2].as_deref(), Some("scholar"));
}

#[test]
fn a_label_that_nobody_knows_means_what_is_above_it() {
    let own = A.replace("doctor", "MDs").replace("educator", "other");
    let wanted = ["person", "health_professional", "health_professional", "person", "teacher"];
    assert_eq!(names(&tree(&own)), wanted.map(|name| Some(name.to_owned())));
    let star = B.replace("person", "*").replace("health_professional", "MDs");
    assert_eq!(names(&tree(&star)), [None, None, Some("teacher".to_owned())]);
}

#[test]
fn what_means_nothing_is_like_nothing() {
    // 'person' and '*' are above five leaves, so half of the nodes above each have similarity 0.
    let below_star = format!("*\n{}", C.replace('@', "@@").replace("person", "@person"));
    let found = evaluated(&jobs(), &[&tree(&below_star)], 3);
    near(found[0].aspects.semantic.unwrap(), f64::midpoint(1.0, 0.316_667));
    // One of two values has no meaning.
    let found =
        evaluated(&table(&[("nurse", 1), ("xyz", 1)]), &[&tree("nurse\n@nurse\n@xyz\n")], 1);
    near(found[0].aspects.semantic.unwrap(), 0.5);
    let unknown = evaluated(&table(&[("abc", 1), ("xyz", 1)]), &[&tree("nurse\n@abc\n@xyz\n")], 1);
    assert_eq!((unknown[0].aspects.semantic, unknown[0].rewards.semantic), (None, 1));
}

#[test]
fn nodes_say_themselves_what_they_stand_for() {
    let origin = |concept: &str| Origin {
        concept: (!concept.is_empty()).then(|| concept.into()),
        ..Origin::default()
    };
    let said = |concepts: [&str; 5]| {
        let tree = tree("MDs\n@nurse\n@surgeon\n@x\n@y\n");
        tree.with_origins(concepts.map(origin).into())
    };
    // The second tree has another concept for x and the only one for y; 'no.n.01' does not exist.
    let one = said(["doctor#1", "surgeon", "no.n.01", "nurse", ""]);
    let other = said(["doctor#2", "teacher", "", "teacher", "person"]);
    let knowledge = chain();
    let table = table(&[("nurse", 1), ("surgeon", 1), ("x", 1), ("y", 1)]);
    let column = &table.columns()[0];
    let found = |senses: &Senses| {
        let concepts = meanings(&knowledge, column, senses, &[&one, &other]).unwrap();
        concepts.into_iter().map(|found| found.map(|c| knowledge.name(c))).collect::<Vec<_>>()
    };
    // The first candidate with a concept for a value decides; otherwise the value is looked up.
    let wanted = ["surgeon", "surgeon", "nurse", "person"].map(|name| Some(name.to_owned()));
    assert_eq!(found(&Senses::default()), wanted);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("senses.toml");
    std::fs::write(&path, "nurse = \"teacher\"\n").unwrap();
    let senses = Senses::read(Some(&path), &knowledge, &column.domain).unwrap();
    assert_eq!(found(&senses)[0].as_deref(), Some("teacher"));
    let mut lexicon = Lexicon::new(&knowledge);
    let root = concepts(&one, &[None; 4], &mut lexicon)[0].unwrap();
    assert_eq!(knowledge.name(root), "scholar");
}

#[test]
fn numbers_have_no_meaning_and_other_aspects_do() {
    let rows: Vec<[String; 1]> = (0..40).map(|row| [(row * row % 17).to_string()]).collect();
    let table = Table::from_rows(&["age"], &rows).unwrap();
    let column = &table.columns()[0];
    let build = |builder: &dyn HierarchyBuilder| tree_of(builder.build(column).unwrap()).unwrap();
    let trees = [&build(&Iotf), &build(&Otf::default())];
    let knowledge = Knowledge::wordnet(); // it contains the nouns '1' to '20'
    let meanings = &meanings(knowledge, column, &Senses::default(), &trees).unwrap();
    let found = evaluate(&Question { column, knowledge, meanings, k: 3 }, &trees).unwrap();
    for candidate in found {
        assert_eq!((candidate.aspects.semantic, candidate.rewards.semantic), (None, 2));
        assert!(candidate.aspects.privacy > 0.0 && candidate.aspects.interval >= 2.0);
    }
}

/// Computes the distortion from its definition, level by level.
fn distortion_by_levels(tree: &Hierarchy, counts: &[u64], k: u64) -> f64 {
    let levels = tree.levels().nodes;
    let is_enough = |nodes: &Vec<Node>| {
        let mut totals = vec![0; tree.len()];
        nodes.iter().zip(counts).for_each(|(&node, count)| totals[node.index()] += count);
        totals.into_iter().all(|total| total == 0 || total >= k)
    };
    let height = (levels.len() - 1).max(1) as f64;
    levels.iter().position(is_enough).map_or(1.0, |level| level as f64 / height)
}

#[test]
fn distortion_is_that_of_the_levels() {
    let ragged = "r\n@a\n@@b\n@@@c\n@@@@1\n@@@@2\n@@@3\n@@4\n@5\n@d\n@@6\n@@e\n@@@7\n";
    for text in [ragged, A, B, C, "only\n"] {
        let tree = tree(text);
        for seed in 0..50_u64 {
            let count = |leaf| (seed * 7 + leaf * leaf * 5 + leaf * 3) % 6;
            let counts: Vec<u64> = (0..tree.n_leaves() as u64).map(count).collect();
            for k in 1..12 {
                let wanted = distortion_by_levels(&tree, &counts, k);
                near(distortion(&tree, &counts, k), wanted);
            }
        }
    }
}

#[test]
fn values_that_do_not_occur_need_no_company() {
    let more = tree(&A.replace("@@nurse\n", "@@nurse\n@@midwife\n"));
    let found = evaluated(&jobs(), &[&tree(A), &more], 3);
    assert_eq!(found[0].aspects.semantic, found[1].aspects.semantic);
    near(found[1].aspects.distortion, 1.0 / 3.0);
    near(evaluated(&jobs(), &[&more], 13)[0].aspects.distortion, 1.0);
    let aspects = evaluated(&table(&[("nurse", 3)]), &[&tree("nurse\n")], 3)[0].aspects;
    assert_eq!(
        aspects,
        Aspects { semantic: Some(0.0), privacy: 0.0, distortion: 0.0, interval: 0.0 }
    );
}

#[test]
fn a_value_that_a_candidate_lacks_is_named() {
    let (table, knowledge) = (table(&[("nurse", 1), ("cook", 2)]), chain());
    let question =
        Question { column: &table.columns()[0], knowledge: &knowledge, meanings: &[None; 2], k: 1 };
    let error = evaluate(&question, &[&tree(A)]).unwrap_err().to_string();
    assert!(error.contains("value 'cook' (row 2) is missing from its hierarchy"), "{error}");
}

#[test]
fn there_are_35_ways_to_share_out_four_quarters() {
    let grid = Weights::grid();
    assert_eq!(grid.len(), 35);
    for (place, weights) in grid.iter().enumerate() {
        near(weights.shares().iter().sum(), 1.0);
        assert!(!grid[..place].contains(weights), "{weights}");
    }
    assert_eq!(grid[0], "semantic=1".parse().unwrap());
    assert!(grid.contains(&Weights::default()));
}

#[test]
fn weights_that_make_no_sense_are_refused() {
    let error = |text: &str| text.parse::<Weights>().unwrap_err().to_string();
    assert!(error("semantic=0,privacy=0").starts_with("all weights are 0"));
    assert_eq!(
        error("privacy=-1"),
        "the weight of privacy is '-1'; it must be a number of 0 or more"
    );
    for odd in ["nan", "inf", "1e999", "much", ""] {
        let message = error(&format!("interval={odd}"));
        assert!(message.starts_with("the weight of interval is"), "{message}");
    }
    assert!(error("privcy=1").contains("no aspect 'privcy' (did you mean 'privacy'?)"));
    assert!(error("privacy=1,privacy=2").starts_with("privacy has two weights"));
    assert!(error("privacy").starts_with("'privacy' is not a weight"));
    let huge: Weights = "privacy=1e308,interval=1e308".parse().unwrap();
    assert_eq!(huge, "privacy=1,interval=1".parse().unwrap());
}
