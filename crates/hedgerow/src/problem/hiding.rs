//! Columns whose rare values cannot be hidden.

use crate::Error;
use crate::error::{Advice, HierarchySource};
use crate::hierarchy::{Generalization, Leaf, Rare};
use crate::table::Values;

/// Returns why rare values of a column cannot be hidden and what to do about it, or `None`.
pub(super) fn hiding_obstacle(rare: &Rare, built: &Generalization, name: &str) -> Option<Error> {
    let error =
        |why: &str| Error::column(name, format!("rare values cannot be hidden, because {why}"));
    if rare.n_leaves() == 1 && rare.is_rare(Leaf::new(0)) {
        return Some(
            error("it has no other value")
                .advise([Advice::NameIdentifier { column: name.to_owned() }]),
        );
    }
    if let Values::Number(scale) = built.values()
        && !scale.has_neighbours()
    {
        let why = "its numbers have too many digits to be distinguished from adjacent numbers";
        return Some(
            error(why).advise([Advice::StateKind { column: name.to_owned(), kind: "text" }]),
        );
    }
    matches!(built, Generalization::Levels(_)).then(|| {
        let (column, source) = (name.to_owned(), HierarchySource::Any);
        error("the levels of its hierarchy are not nested")
            .advise([Advice::words("set nested=true"), Advice::GiveHierarchy { column, source }])
    })
}
