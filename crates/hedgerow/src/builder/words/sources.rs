//! Sources of concepts that a user names for all columns of words.

use std::path::PathBuf;

use super::sound::{FOUND, are_sound};
use crate::Result;
use crate::builder::{gather, is_wordnet};
use crate::knowledge::Knowledge;
use crate::method::{Spec, Text};
use crate::table::{Column, Kind};

/// The sources of concepts of a run, in the order in which values are looked up.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    paths: Vec<PathBuf>,
    /// The concepts of all sources, and of all but the built-in WordNet; `None` if there are no
    /// others.
    known: Option<(Knowledge, Knowledge)>,
}

impl Sources {
    /// Reads the sources, so that one that cannot be read is an error before anything is built.
    pub(crate) fn read(paths: &[PathBuf]) -> Result<Self> {
        let own: Vec<PathBuf> = paths.iter().filter(|path| !is_wordnet(path)).cloned().collect();
        // Without any source, `gather` would return WordNet.
        let known =
            if own.is_empty() { None } else { Some((gather(paths, None)?, gather(&own, None)?)) };
        Ok(Self { paths: paths.to_vec(), known })
    }

    /// Whether no source was named.
    pub(crate) fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Whether WordNet may be used.
    pub(crate) fn has_wordnet(&self) -> bool {
        self.is_empty() || self.paths.iter().any(|path| is_wordnet(path))
    }

    /// Returns the method that groups a column by these sources, if they know it: at least 80% of
    /// its values as they stand, and not all of them only from WordNet, which must be sound for the
    /// column.
    pub(crate) fn method(&self, column: &Column) -> Option<Spec> {
        let knows = self.known.as_ref().is_some_and(|(all, own)| {
            let n_values = column.domain.len();
            n_found(own, column) > 0 && 100 * n_found(all, column) >= FOUND * n_values
        });
        let is_text = column.domain.values.kind() == Kind::Text;
        if self.is_empty() || !(knows || is_text && self.has_wordnet() && are_sound(column)) {
            return None;
        }
        Some(self.knowledge_of(Spec::named("wordnet")))
    }

    /// Returns the same method with these sources, if it makes a tree of words and names no source
    /// of its own.
    pub(crate) fn given_to(&self, asked: &Spec) -> Option<Spec> {
        let is_open = asked.name == "wordnet" && !asked.parameters.contains_key("knowledge");
        (is_open && !self.is_empty()).then(|| self.knowledge_of(asked.clone()))
    }

    /// Adds these sources to the parameters of a method.
    fn knowledge_of(&self, mut spec: Spec) -> Spec {
        let paths: Vec<_> = self.paths.iter().map(|path| path.to_string_lossy()).collect();
        spec.parameters.insert("knowledge".into(), Text::list(paths).as_str().into());
        spec
    }
}

/// Number of values that are words of a kind that these sources have, as they stand.
fn n_found(sources: &Knowledge, column: &Column) -> usize {
    let values = &column.domain.values;
    sources.for_kind(values.kind()).map_or(0, |suited| {
        (0..column.domain.len()).filter(|&code| suited.finds(&values.spelling(code))).count()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    /// A list is divided at plus signs, which names of files can contain.
    #[test]
    fn names_of_sources_can_contain_plus_signs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jobs+more.csv");
        std::fs::write(&path, "code,parent,label\n1,,Health\n11,1,Nurse\n12,1,Surgeon\n").unwrap();
        let table = Table::from_rows(&["job"], &[["Nurse"], ["Surgeon"]]).unwrap();
        let sources = Sources::read(&[path, "wordnet".into()]).unwrap();
        let column = &table.columns()[0];
        let spec = sources.method(column).unwrap();
        assert!(crate::builder::build(&spec, column, None).is_ok());
    }

    #[test]
    fn sources_are_for_columns_that_they_know() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jobs.csv");
        std::fs::write(&path, "code,parent,label\n1,,Health\n11,1,Nurse\n12,1,Surgeon\n").unwrap();
        let rows = [["Nurse", "red"], ["Surgeon", "blue"], ["Nurse", "green"]];
        let table = Table::from_rows(&["job", "team"], &rows).unwrap();
        let sources = Sources::read(std::slice::from_ref(&path)).unwrap();
        let spec = sources.method(&table.columns()[0]).unwrap();
        assert_eq!(spec.name, "wordnet");
        assert_eq!(spec.parameters["knowledge"].as_str(), path.to_str());
        assert_eq!(sources.method(&table.columns()[1]), None);
        assert!(!sources.has_wordnet());
    }

    #[test]
    fn sources_are_given_to_methods_of_words_without_their_own() {
        let sources = Sources::read(&["wordnet".into()]).unwrap();
        let given = |text: &str| sources.given_to(&text.parse().unwrap());
        assert_eq!(given("wordnet"), Some("wordnet:knowledge=wordnet".parse().unwrap()));
        assert_eq!(given("wordnet:knowledge=jobs.csv"), None);
        assert_eq!(given("free"), None);
        assert_eq!(Sources::default().given_to(&Spec::named("wordnet")), None);
    }
}
