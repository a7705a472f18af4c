//! Reads hierarchy files as a source of concepts and the words for them.

use std::path::{Path, PathBuf};

use super::is_wordnet;
use crate::error::{Advice, did_you_mean};
use crate::format::{self, Draft, Given, lint::Severity};
use crate::knowledge::{Entry, Knowledge, WORDNET};
use crate::noun::all_of;
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

/// Reads the sources of concepts that users name, in the order in which values are looked up.
///
/// A source is `wordnet`, a file of concepts, or a directory of WordNet's own files. `wordnet`
/// means the built-in nouns, or those of the directory `wordnet` if one is given. Without any
/// source, it is the only one.
pub fn gather(sources: &[PathBuf], wordnet: Option<&Path>) -> Result<Knowledge> {
    if let Some(directory) = wordnet.filter(|_| !sources.is_empty())
        && !sources.iter().any(|source| is_wordnet(source))
    {
        let all: Vec<_> = sources.iter().map(|source| source.to_string_lossy()).collect();
        let problem = format!(
            "the directory of WordNet {} is given, but {WORDNET} is not among the sources {}",
            directory.display(),
            all_of(&all)
        );
        let words = format!("add {WORDNET} to the sources, or leave the directory out");
        return Err(Error::invalid(problem).advise([Advice::words(words)]));
    }
    let read = |source: &PathBuf| match wordnet {
        Some(directory) if is_wordnet(source) => Knowledge::of_directory(directory),
        None if is_wordnet(source) => Ok(Knowledge::wordnet().clone()),
        _ if source.is_dir() => Knowledge::of_directory(source),
        _ if source.exists() => knowledge(source),
        _ => Err(no_such_source(source)),
    };
    let wordnet_alone = [PathBuf::from(WORDNET)];
    let sources = if sources.is_empty() { &wordnet_alone } else { sources };
    no_source_twice(sources)?;
    let all: Vec<Knowledge> = sources.iter().map(read).collect::<Result<_>>()?;
    Ok(Knowledge::of_sources(source_keys(sources).into_iter().zip(all)))
}

/// Returns the names of sources in messages: their file names, or their whole paths if two have the
/// same file name.
pub(crate) fn source_keys(sources: &[PathBuf]) -> Vec<String> {
    let name = |source: &PathBuf| {
        let name = source.file_name().unwrap_or(source.as_os_str());
        name.to_string_lossy().into_owned()
    };
    let names: Vec<String> = sources.iter().map(name).collect();
    let is_unique = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
    let key = |(source, name): (&PathBuf, &String)| {
        if is_unique(name) { name.clone() } else { source.to_string_lossy().into_owned() }
    };
    sources.iter().zip(&names).map(key).collect()
}

fn no_source_twice(sources: &[PathBuf]) -> Result<()> {
    let place = |source: &PathBuf| match source.canonicalize() {
        Ok(path) if !is_wordnet(source) => path,
        _ => source.clone(),
    };
    let places: Vec<PathBuf> = sources.iter().map(place).collect();
    let again = (1..places.len()).find(|&n| places[..n].contains(&places[n]));
    again.map_or(Ok(()), |n| {
        let problem = format!("the source {} of concepts is named twice", sources[n].display());
        Err(Error::invalid(problem).advise([Advice::words("name each source once")]))
    })
}

fn no_such_source(source: &Path) -> Error {
    let name = source.to_string_lossy();
    let problem =
        format!("there is no source of concepts {name}{}", did_you_mean(&name, [WORDNET]));
    let words =
        format!("name a file of concepts, a directory of WordNet's own files, or {WORDNET}");
    Error::invalid(problem).advise([Advice::words(words)])
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
        assert_eq!(found.definition(flu), "a disease of the lungs");
        let pneumonia = found.concept("Pneumonia").unwrap();
        let parents: Vec<String> =
            found.parents(pneumonia).iter().map(|&c| found.label(c)).collect();
        assert_eq!(parents, ["lung disease", "disease"]);
    }

    #[test]
    fn sources_with_one_file_name_are_called_by_their_paths() {
        let keys =
            |sources: &[&str]| source_keys(&sources.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(keys(&["a/x.csv", "b/y.csv", "wordnet"]), ["x.csv", "y.csv", "wordnet"]);
        assert_eq!(keys(&["a/x.csv", "b/x.csv"]), ["a/x.csv", "b/x.csv"]);
    }

    #[test]
    fn sources_are_refused_by_their_names() {
        let error = |sources: &[&str]| {
            let sources: Vec<PathBuf> = sources.iter().map(PathBuf::from).collect();
            gather(&sources, None).unwrap_err().to_string()
        };
        let twice = error(&["wordnet", "wordnet"]);
        assert!(twice.starts_with("the source wordnet of concepts is named twice"), "{twice}");
        let unknown = error(&["wordnt"]);
        assert!(unknown.contains("no source of concepts wordnt (did you mean 'wordnet'?)"));
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
