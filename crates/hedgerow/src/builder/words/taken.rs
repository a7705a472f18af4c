//! Concepts that the values of a tree of words were taken for, and the values that are doubtful.

use std::path::PathBuf;

use super::wordnet::Wordnet;
use crate::builder::ontology::source_keys;
use crate::error::{Advice, Warning};
use crate::hierarchy::{Hierarchy, Leaf, Origin};
use crate::knowledge::How;
use crate::method::Spec;
use crate::noun::listed;

/// The concept that a value was taken for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TakenFor {
    /// The value.
    pub value: String,
    /// The concept with the group above it: `man#10 (game equipment)`.
    pub meaning: String,
    /// The source of the concept, unless it is WordNet and the only source.
    pub source: Option<String>,
}

/// Lists the concept that each value of a tree of words was taken for. Values that were not found
/// are not listed.
pub fn taken_for(tree: &Hierarchy) -> Vec<TakenFor> {
    let taken = |leaf: Leaf| {
        let node = tree.leaf_node(leaf);
        let origin = tree.origin(node)?;
        let concept = origin.concept.as_deref()?;
        let name = match concept.rsplit_once(".n.") {
            Some((word, rank)) => format!("{word}#{}", rank.trim_start_matches('0')),
            None => concept.to_owned(),
        };
        let above = tree.parent(node).map_or_else(|| "*".into(), |parent| tree.label(parent));
        Some(TakenFor {
            value: tree.spelling(leaf).into_owned(),
            meaning: format!("{name} ({above})"),
            source: origin.source.as_deref().map(str::to_owned),
        })
    };
    Leaf::first(tree.n_leaves()).filter_map(taken).collect()
}

/// Lists the values of a tree of words that were not found, were found only by a part, or are known
/// to several classifications, and the sources that have none of the values.
pub(in crate::builder) fn doubts(tree: &Hierarchy) -> Vec<Warning> {
    let mut said = Vec::new();
    for (about, how) in [("not found", How::Unknown), ("approximate", How::Head)] {
        let values = values_with(tree, |origin| origin.how == Some(how));
        if !values.is_empty() {
            said.push(format!("{about}: {}", listed(&values)));
        }
    }
    let unclear = Warning::new(said.join("; "))
        .advise([Advice::words("state what they mean with wordnet:senses=FILE")]);
    let idle = idle_sources(tree).into_iter().map(|source| {
        Warning::new(format!("the source {source} has none of the values"))
            .advise([Advice::words("check that it is the right one, or leave it out")])
    });
    let shared = values_with(tree, |origin| origin.also.is_some());
    let shared = (!shared.is_empty()).then(|| {
        let words = "known to a later source as well, but the first decides";
        Warning::new(format!("{words}: {}", listed(&shared)))
            .advise([Advice::words("name the other source first if that is wrong")])
    });
    (!said.is_empty()).then_some(unclear).into_iter().chain(idle).chain(shared).collect()
}

/// Returns the values whose origin has a property, in the order of the leaves.
fn values_with(tree: &Hierarchy, has_it: impl Fn(&Origin) -> bool) -> Vec<String> {
    let is_it = |leaf: &Leaf| tree.origin(tree.leaf_node(*leaf)).is_some_and(&has_it);
    let leaves = Leaf::first(tree.n_leaves()).filter(is_it);
    leaves.map(|leaf| tree.spelling(leaf).into_owned()).collect()
}

/// Returns the sources that a tree was built from although they have none of its values.
fn idle_sources(tree: &Hierarchy) -> Vec<String> {
    let builder = tree.builder().filter(|builder| builder.name == "wordnet");
    let Some(Ok(wordnet)) = builder.map(Spec::read::<Wordnet>) else {
        return Vec::new();
    };
    let sources: Vec<PathBuf> = wordnet.sources();
    let is_used = |key: &str| {
        let knows = |origin: &Origin| {
            let mut later = origin.also.as_deref().unwrap_or("").split(", ");
            origin.source.as_deref() == Some(key) || later.any(|also| also == key)
        };
        !values_with(tree, knows).is_empty()
    };
    let is_idle = |key: &String| !is_used(key);
    let keys = source_keys(&sources).into_iter().filter(is_idle);
    // A tree of one source that has none of the values cannot be built.
    if sources.len() > 1 { keys.collect() } else { Vec::new() }
}
