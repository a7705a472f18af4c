//! Changes the meaning of a value, and builds the hierarchy of words again.

use super::sketch::Sketch;
use crate::Result;

/// Builds the hierarchy with another sense of one value.
#[cfg(feature = "wordnet")]
pub(super) fn set_sense(sketch: &mut Sketch<'_>, value: &str, sense: &str) -> Result<usize> {
    use std::collections::BTreeMap;

    use super::address::leaf_of;
    use super::item::is_edited;
    use super::regrow::{column, graft};
    use super::single::clear;
    use crate::builder::Wordnet;
    use crate::error::Advice;
    use crate::hierarchy::{How, Leaf};

    let tree = sketch.tree;
    let leaf = leaf_of(tree, value)?;
    let Some(builder) = tree.builder().filter(|builder| builder.name == "wordnet") else {
        let problem = "its hierarchy was not built from the meanings of the values";
        return Err(sketch
            .refuse(problem)
            .advise([Advice::words("regrow its root with the method wordnet first")]));
    };
    let wordnet: Wordnet = builder.read()?;
    // Senses that were set before are recorded in the tree, because the builder does not know them.
    let set_before = |leaf: Leaf| {
        let origin = tree.origin(tree.leaf_node(leaf))?;
        let is_set = origin.how == Some(How::Given) && is_edited(origin);
        let sense = || origin.concept.as_deref().unwrap_or("").to_owned();
        is_set.then(|| (tree.spelling(leaf).into_owned(), sense()))
    };
    let mut senses: BTreeMap<String, String> =
        Leaf::first(tree.n_leaves()).filter_map(set_before).collect();
    senses.insert(tree.spelling(leaf).into_owned(), sense.to_owned());
    clear(sketch, sketch.root)?;
    let column = column(tree, Leaf::first(tree.n_leaves()))?;
    let grown = wordnet.with_senses(&column, &senses)?.built_by(builder.clone());
    let root = sketch.root;
    graft(sketch, root, &grown)?;
    for value in senses.keys() {
        let node = tree.leaf_node(leaf_of(tree, value)?).index();
        sketch.mark(node);
    }
    Ok(tree.leaf_node(leaf).index())
}

/// Returns an error, because this build does not know any meanings.
#[cfg(not(feature = "wordnet"))]
pub(super) fn set_sense(_: &mut Sketch<'_>, _: &str, _: &str) -> Result<usize> {
    Err(crate::Error::absent("the edit set-sense", "wordnet"))
}
