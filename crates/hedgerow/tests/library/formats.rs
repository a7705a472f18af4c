//! Properties of every file format: trees survive a round trip, and reading never panics.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::cases::cases;
use hedgerow::format::{ALL, Draft, Format, lint};
use hedgerow::hierarchy::Hierarchy;
use proptest::prelude::*;

/// A usual label, or one with characters that need care.
fn label() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-e]{1,2}",
        2 => "[A-C] [a-z]{1,3}",
        2 => (0..30i32).prop_map(|number| number.to_string()),
        1 => "[0-9]-[0-9]",
        1 => Just("has".to_owned()),
        1 => Just("*".to_owned()),
        2 => "[@;,|\"'<>&#:\\\\ \t\n\r{}()_é→a*0.]{1,4}",
        1 => any::<String>(),
    ]
}

/// A tree of any shape, assembled from the node list of a `.json` file; `None` if the labels do not
/// make a valid tree.
fn tree() -> impl Strategy<Value = Option<Hierarchy>> {
    let node = (label(), any::<prop::sample::Index>());
    let words = prop::collection::vec(node, 1..24).prop_map(|nodes| assembled(&nodes));
    let number = (0..99i32).prop_map(|number| number.to_string());
    let node = (number, any::<prop::sample::Index>());
    let numbers = prop::collection::vec(node, 1..24).prop_map(|nodes| assembled(&nodes));
    prop_oneof![3 => words, 1 => numbers]
}

fn assembled(nodes: &[(String, prop::sample::Index)]) -> Option<Hierarchy> {
    let node = |(id, (label, parent)): (usize, &(String, prop::sample::Index))| {
        let parent = (id > 0).then(|| parent.index(id));
        serde_json::json!({"id": id, "parent": parent, "label": label})
    };
    let nodes: Vec<_> = nodes.iter().enumerate().map(node).collect();
    let text = serde_json::json!({"hedgerow": 1, "attribute": "x", "nodes": nodes}).to_string();
    Format::named("json").unwrap().read(&text, None).ok()
}

fn outline(tree: &Hierarchy) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for node in tree.nodes() {
        let above = tree.parent(node).map_or("", |parent| &paths[parent.index()]);
        paths.push(format!("{above}/{}", tree.published(node)));
    }
    paths.sort();
    paths
}

/// Reads, checks and repairs a file, as the commands do with a file of the user.
fn read_check_and_fix(format: &Format, text: &str) {
    let _ = Format::of_text(Path::new(&format!("x.{}", format.item.extension)), text);
    let Ok(draft) = (format.item.parse)(text, None) else { return };
    let findings = lint::check(&draft, None);
    let is_sound = findings.iter().all(|finding| finding.severity == lint::Severity::Warning);
    // A file whose only errors are in ranges is still a tree.
    assert!(draft.assemble().is_ok() || !is_sound, "{}: {text:?}", format.name);
    let (fixed, _) = lint::fix(&draft, None);
    if let Ok(tree) = fixed.assemble() {
        let (again, changes) = lint::fix(&Draft::of(&tree), None);
        assert_eq!(changes, Vec::<String>::new(), "{}: {text:?}", format.name);
        assert_eq!(outline(&again.assemble().unwrap()), outline(&tree));
    }
}

fn sample(format: &Format) -> Vec<u8> {
    let text = "*\n@A\n@@a 1\n@@\"b\"\n@10-19\n@@12\n@@[13, 15]\n@@@13\n@@@15\n@c\n";
    let tree = Format::named("hrc").unwrap().read(text, Some("x")).unwrap();
    format.encode(&tree, true).unwrap().bytes
}

/// A change of a few bytes.
#[derive(Debug, Clone)]
enum Mutation {
    Cut(prop::sample::Index),
    Drop(prop::sample::Index, usize),
    Put(prop::sample::Index, Vec<u8>),
    Copy(prop::sample::Index, prop::sample::Index, usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<prop::sample::Index>;
    let bytes = prop_oneof![
        prop::collection::vec(any::<u8>(), 1..4),
        prop::sample::select(vec![
            "\n", "\"", "@", "@@@", ";", ",", "<", "</node>", "has", "  ", "\u{feff}"
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop_oneof![
        1 => at().prop_map(Mutation::Cut),
        3 => (at(), 1..20usize).prop_map(|(at, n)| Mutation::Drop(at, n)),
        3 => (at(), bytes).prop_map(|(at, bytes)| Mutation::Put(at, bytes)),
        3 => (at(), at(), 1..40usize).prop_map(|(from, to, n)| Mutation::Copy(from, to, n)),
    ]
}

fn mutated(bytes: &[u8], mutations: &[Mutation]) -> String {
    let mut bytes = bytes.to_vec();
    for mutation in mutations {
        if bytes.is_empty() {
            break;
        }
        let end = |at: usize, n: usize, len: usize| (at + n).min(len);
        match mutation {
            Mutation::Cut(at) => bytes.truncate(at.index(bytes.len())),
            Mutation::Drop(at, n) => {
                let at = at.index(bytes.len());
                bytes.drain(at..end(at, *n, bytes.len()));
            }
            Mutation::Put(at, new) => {
                let at = at.index(bytes.len());
                bytes.splice(at..at, new.iter().copied());
            }
            Mutation::Copy(from, to, n) => {
                let (from, to) = (from.index(bytes.len()), to.index(bytes.len()));
                let copied = bytes[from..end(from, *n, bytes.len())].to_vec();
                bytes.splice(to..to, copied);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn a_tree_comes_back_or_the_writer_says_that_it_cannot(tree in tree()) {
        let Some(tree) = tree else { return Err(TestCaseError::reject("no tree")) };
        for format in ALL {
            match format.encode(&tree, false) {
                Ok(encoded) => {
                    let text = String::from_utf8(encoded.bytes).unwrap();
                    let back = format.read(&text, Some("x")).unwrap();
                    prop_assert_eq!(outline(&back), outline(&tree), "{}: {}", format.name, text);
                }
                Err(hedgerow::Error::Unfit { .. }) => {
                    prop_assert!(!["json", "amnesia-json", "skos"].contains(&format.name));
                    // A lossy writer changes names, but not the shape.
                    let Ok(encoded) = format.encode(&tree, true) else { continue };
                    let text = String::from_utf8(encoded.bytes).unwrap();
                    let back = format.read(&text, Some("x")).unwrap();
                    prop_assert_eq!(back.n_leaves(), tree.n_leaves(), "{}: {}", format.name, text);
                    prop_assert!(!encoded.changes.is_empty());
                }
                Err(other) => panic!("{}: {other}", format.name),
            }
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        for format in ALL {
            read_check_and_fix(format, &text);
        }
    }

    #[test]
    fn mutated_files_never_panic(mutations in prop::collection::vec(mutation(), 1..6)) {
        for format in ALL {
            read_check_and_fix(format, &mutated(&sample(format), &mutations));
        }
    }
}

#[test]
fn inputs_that_once_caused_panics_do_not_panic() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut n_files = 0;
    for format in ALL {
        let files = std::fs::read_dir(corpus.join(format.name));
        for entry in files.unwrap_or_else(|_| panic!("tests/corpus/{} is missing", format.name)) {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            read_check_and_fix(format, &String::from_utf8_lossy(&bytes));
            n_files += 1;
        }
    }
    assert!(n_files >= ALL.len(), "every format has a file in tests/corpus");
}

#[test]
fn deep_files_are_read_in_time() {
    // The time is linear in the levels; this number is enough to overflow the stack of a recursion.
    const N: usize = 200_000;
    let chain = |head: &str, line: fn(usize) -> String, tail: &str| {
        let lines: String = (0..N).map(line).collect();
        format!("{head}{lines}{tail}")
    };
    let node = |id: usize| match id {
        0 => "{\"id\":0,\"label\":\"n0\"}".to_owned(),
        id => format!(",\n{{\"id\":{id},\"parent\":{},\"label\":\"n{id}\"}}", id - 1),
    };
    let files = [
        ("json", chain("{\"hedgerow\":1,\"nodes\":[", node, "]}")),
        (
            "xml",
            chain("<hierarchy>", |id| format!("<node label=\"n{id}\">\n"), "")
                + &"</node>".repeat(N)
                + "</hierarchy>",
        ),
        (
            "utd",
            chain("<vgh value=\"[0:9]\">", |_| "<node value=\"[0:9]\">\n".to_owned(), "")
                + &"</node>".repeat(N)
                + "</vgh>",
        ),
        ("amnesia", chain("distinct\n\n", |id| format!("n{id} has n{}\n", id + 1), "")),
        ("codes", chain("code,parent\nn0,\n", |id| format!("n{},n{id}\n", id + 1), "")),
        ("arx", chain("x", |id| format!(";n{id}"), "\n")),
        (
            "skos",
            chain(
                "@prefix s: <http://www.w3.org/2004/02/skos/core#> .\n",
                |id| format!("<u:n{}> s:broader <u:n{id}> .\n", id + 1),
                "",
            ),
        ),
        ("hrc", format!("*\n{}x\n", "@".repeat(N))),
    ];
    for (name, text) in files {
        let begun = Instant::now();
        let draft = (Format::named(name).unwrap().item.parse)(&text, None).unwrap();
        let height = draft.assemble().map(|tree| tree.height());
        assert!(name == "hrc" || height.unwrap() as usize >= N - 1, "{name}");
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(30), "{name} took {took:?}");
    }
}
