//! Reads hierarchy files as a source of concepts and the words for them.

use std::path::Path;

use crate::error::Advice;
use crate::format::{self, Draft, Given, lint::Severity};
use crate::knowledge::{Entry, Knowledge};
use crate::{Error, Result};

/// Reads the concepts of a SKOS vocabulary, an OBO ontology, a table of codes, or any other
/// hierarchy file.
///
/// Each node is a concept; its label, code and other names are words for it. Unlike a node of a
/// hierarchy, a concept may have several parents.
pub fn knowledge(path: &Path) -> Result<Knowledge> {
    let (draft, format) = format::read_draft(path, None, None)?;
    let name =
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let read = sound(&draft)
        .and_then(|()| Knowledge::of_entries(name, &entries(&draft, format.name == "codes")));
    read.map_err(|error| error.in_file(path))
}

/// Calls `say` with the concepts of a source: a directory of WordNet's own files, a file of
/// concepts, or the built-in nouns.
pub fn with_knowledge<T, E: From<Error>>(
    wordnet: Option<&Path>,
    file: Option<&Path>,
    say: impl FnOnce(&Knowledge) -> Result<T, E>,
) -> Result<T, E> {
    match (wordnet, file) {
        (Some(_), Some(_)) => Err(E::from(
            Error::invalid("a directory of WordNet and a file of concepts are both given")
                .advise([Advice::words("give one of them")]),
        )),
        (Some(directory), None) => say(&Knowledge::of_directory(directory)?),
        (None, Some(file)) => say(&knowledge(file)?),
        (None, None) => say(Knowledge::wordnet()),
    }
}

/// Fails with the first error that was found while the file was read.
fn sound(draft: &Draft) -> Result<()> {
    let mut findings = draft.oddities.iter().map(|oddity| &oddity.finding);
    match findings.find(|finding| finding.severity == Severity::Error) {
        Some(fault) => Err(fault.to_error()),
        None => Ok(()),
    }
}

/// Converts each node into an entry; with `has_titles`, the alias of a leaf is its preferred word.
fn entries(draft: &Draft, has_titles: bool) -> Vec<Entry> {
    let nodes = draft.nodes.iter().zip(draft.leaf_flags());
    let mut entries: Vec<Entry> =
        nodes.map(|(node, is_leaf)| entry(node, has_titles && is_leaf)).collect();
    for link in &draft.second_parents {
        entries[link.child].parents.push(link.parent as u32);
    }
    // A root labelled `*` would make all concepts below it look related.
    let nothing = draft.nodes.iter().position(|node| node.parent.is_none() && &*node.label == "*");
    match nothing {
        Some(nothing) => without(entries, nothing),
        None => entries,
    }
}

/// Converts a node, without its second parents; with `has_title`, its alias is its preferred word.
fn entry(node: &Given, has_title: bool) -> Entry {
    // The first name becomes the label: for a leaf of a table of codes, that is the title.
    let title = node.alias.as_ref().filter(|_| has_title);
    let names = title.into_iter().chain([&node.label]).chain(&node.alias).chain(&node.synonyms);
    Entry {
        words: names.filter(|name| !name.is_empty()).map(ToString::to_string).collect(),
        parents: node.parent.into_iter().map(|parent| parent as u32).collect(),
        definition: node.definition.clone().unwrap_or_default(),
    }
}

/// Removes the root `nothing`, which has no meaning of its own, and renumbers the parents.
fn without(mut entries: Vec<Entry>, nothing: usize) -> Vec<Entry> {
    entries.remove(nothing);
    for parents in entries.iter_mut().map(|entry| &mut entry.parents) {
        // Indices after the removed entry move down by one.
        parents.retain(|&parent| parent as usize != nothing);
        parents.iter_mut().for_each(|parent| *parent -= u32::from(*parent as usize > nothing));
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Result<Knowledge> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        knowledge(&path)
    }

    #[test]
    fn codes_labels_and_synonyms_are_words() {
        let text = "[Term]\nid: D:1\nname: disease\n\n[Term]\nid: D:2\nname: influenza\nsynonym: \"flu\" EXACT []\n\
            def: \"a disease of the lungs\" []\nis_a: D:1\n\n[Term]\nid: D:3\nname: lung disease\nis_a: D:1\n\n\
            [Term]\nid: D:4\nname: pneumonia\nis_a: D:3\nis_a: D:1\n";
        let found = read("x.obo", text).unwrap();
        let flu = found.concept("flu").unwrap();
        assert_eq!(found.concept("D:2").unwrap(), flu);
        assert_eq!((found.label(flu), found.source()), ("influenza".into(), "x.obo"));
        assert_eq!(found.glosses().text(flu), "a disease of the lungs");
        let pneumonia = found.concept("Pneumonia").unwrap();
        let parents: Vec<String> =
            found.parents(pneumonia).iter().map(|&c| found.label(c)).collect();
        assert_eq!(parents, ["lung disease", "disease"]);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let error = |name: &str, text: &str| read(name, text).unwrap_err().to_string();
        let around = error("x.csv", "code,parent,label\na,b,\nb,a,\nc,,\n");
        assert!(around.contains("a concept is its own ancestor: a < b < a"), "{around}");
        let dangling = error("x.csv", "code,parent,label\na,b,A\n");
        assert!(
            dangling.contains("line 2: the parent 'b' of 'a' has no line of its own"),
            "{dangling}"
        );
    }
}
