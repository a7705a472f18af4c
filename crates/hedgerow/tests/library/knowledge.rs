//! The built-in WordNet, compared with known facts about it.

#![cfg(feature = "wordnet")]

use std::path::Path;

use hedgerow::knowledge::{Knowledge, Mode};

fn alike(a: &str, b: &str, mode: Mode) -> f64 {
    let wordnet = Knowledge::wordnet();
    let of = |name: &str| wordnet.ancestors(wordnet.concept(name).unwrap());
    wordnet.wu_palmer(&of(a), &of(b), mode)
}

#[test]
fn all_nouns_are_present() {
    let wordnet = Knowledge::wordnet();
    assert_eq!(wordnet.source(), "WordNet 3.0");
    assert_eq!(wordnet.len(), 82_115);
    let n_several = (0..82_115).filter(|&c| wordnet.parents(c).len() > 1).count();
    assert_eq!(n_several, 2_213);
    let roots: Vec<String> = wordnet.roots().map(|root| wordnet.name(root)).collect();
    assert_eq!(roots, ["entity.n.01"]);
}

#[test]
fn words_are_looked_up_in_every_form() {
    let wordnet = Knowledge::wordnet();
    let nurse = wordnet.concept("nurse.n.01").unwrap();
    assert_eq!(wordnet.senses("Nurse")[0], nurse);
    assert_eq!(wordnet.concept("nurse#1").unwrap(), nurse);
    assert_eq!(wordnet.tag_count("nurse", nurse), 2);
    assert_eq!(wordnet.base_forms("Nurses"), ["nurse"]);
    assert_eq!(wordnet.base_forms("mice"), ["mouse"]);
    assert_eq!(wordnet.label(wordnet.senses("new york")[0]), "New York");
    let error = |name: &str| wordnet.concept(name).unwrap_err().to_string();
    assert_eq!(
        error("nurze#1"),
        "WordNet 3.0 has no noun 'nurze' (in 'nurze#1'); did you mean 'nurse'?"
    );
    assert_eq!(
        error("nurse#3"),
        "there is no 'nurse#3': 'nurse' has 2 senses; choose from nurse#1 (health professional), \
         nurse#2 (woman)"
    );
    assert!(error("nurse").starts_with("'nurse' has 2 senses; choose from nurse#1"));
}

#[test]
fn similarity_in_nltk_mode_equals_that_of_nltk() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/wup-nltk.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let wordnet = Knowledge::wordnet();
    let mut n_pairs = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let of = |name: &str| wordnet.ancestors(wordnet.concept(name).unwrap());
        let (a, b) = (of(fields[0]), of(fields[1]));
        let found = wordnet.wu_palmer(&a, &b, Mode::Nltk);
        let wanted: f64 = fields[5].parse().unwrap();
        assert!((found - wanted).abs() < 1e-9, "{line}: {found}");
        let depths = [fields[0], fields[1]]
            .map(|name| wordnet.least_depth(wordnet.concept(name).unwrap()) - 2);
        assert_eq!(depths.map(|depth| depth.to_string()), [fields[3], fields[4]], "{line}");
        n_pairs += 1;
    }
    assert!(n_pairs > 100);
}

#[test]
fn our_similarity_agrees_with_the_tests_of_ws4j() {
    let near = |a: f64, b: f64| assert!((a - b).abs() < 5e-5, "{a} {b}");
    near(alike("cyclone#2", "hurricane#1", Mode::Shortest), 22.0 / 23.0);
    near(alike("cyclone#1", "hurricane#1", Mode::Shortest), 16.0 / 23.0);
    let first = |a: &str, b: &str| alike(&format!("{a}#1"), &format!("{b}#1"), Mode::Shortest);
    // Computed by a separate script from the files of WordNet 3.0.
    near(first("surgeon", "pediatrician"), 20.0 / 23.0);
    near(first("surgeon", "nurse"), 0.8);
    near(first("pianist", "violinist"), 8.0 / 9.0);
    near(first("surgeon", "pianist"), 7.0 / 13.0);
    near(first("dog", "cat"), 13.0 / 15.0);
    let wordnet = Knowledge::wordnet();
    let pairs = |a: &str, b: &str| {
        let senses = |word: &str| {
            let senses = wordnet.senses(word);
            senses.into_iter().map(|sense| wordnet.ancestors(sense)).collect::<Vec<_>>()
        };
        let (a, b) = (senses(a), senses(b));
        let alike = |x, y| wordnet.wu_palmer(x, y, Mode::Shortest);
        a.iter().flat_map(|x| b.iter().map(move |y| alike(x, y))).fold(0.0, f64::max)
    };
    near(pairs("chat", "talk"), 0.875);
}
