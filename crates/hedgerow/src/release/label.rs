//! How regions are written.

use super::IntervalStyle;
use crate::hierarchy::{Generalization, write_set};
use crate::problem::{Attribute, Region};
use crate::table::Kind;

/// The columns in which an attribute is published.
pub(super) fn columns(attribute: &Attribute, style: IntervalStyle) -> Vec<String> {
    let name = attribute.name();
    if style == IntervalStyle::Bounds && is_numeric(attribute) {
        vec![format!("{name}_min"), format!("{name}_max")]
    } else {
        vec![name.to_owned()]
    }
}

/// What a region shows in these columns.
pub(super) fn cells(attribute: &Attribute, region: &Region, style: IntervalStyle) -> Vec<String> {
    let plain = plain(attribute, region);
    if style == IntervalStyle::Brackets || !is_numeric(attribute) {
        return vec![plain];
    }
    let Some((first, last)) = ends(attribute, region) else {
        let n_columns = if style == IntervalStyle::Bounds { 2 } else { 1 };
        return vec![plain; n_columns];
    };
    let (low, high) = (attribute.spelling(first), attribute.spelling(last));
    match style {
        IntervalStyle::Bounds => vec![low.into_owned(), high.into_owned()],
        _ if first == last => vec![low.into_owned()],
        IntervalStyle::Dash if plain == "*" => vec![plain],
        IntervalStyle::Dash => vec![format!("{low}-{high}")],
        _ => {
            let scale = attribute.values().scale();
            vec![scale.map_or(plain, |scale| scale.middle(first as usize, last as usize))]
        }
    }
}

/// The region in the plain style: a value as itself, `[a, b]`, `{a, b}`, a name, or `*`.
fn plain(attribute: &Attribute, region: &Region) -> String {
    let n_leaves = attribute.n_leaves();
    match (region, attribute.generalization()) {
        (Region::Node(node), Generalization::Tree(tree)) => tree.published(*node).into_owned(),
        (Region::Interval(first, last), _) if first == last => {
            attribute.spelling(*first).into_owned()
        }
        (Region::Interval(first, last), _) => {
            let is_all = (*last - *first) as usize + 1 == n_leaves;
            if is_all || attribute.mixes_missing(&(*first..=*last)) {
                return "*".to_owned();
            }
            format!("[{}, {}]", attribute.spelling(*first), attribute.spelling(*last))
        }
        (Region::Set(leaves), _) if leaves.len() == 1 => attribute.spelling(leaves[0]).into_owned(),
        (Region::Set(leaves), _) if leaves.len() < n_leaves => {
            let members: Vec<_> = leaves.iter().map(|&leaf| attribute.spelling(leaf)).collect();
            write_set(&members)
        }
        (Region::Unknown, _) => attribute.unknown().to_owned(),
        _ => "*".to_owned(),
    }
}

/// The least and greatest value of a region of numbers; none if it takes in a missing value or is
/// a group with a name of its own.
fn ends(attribute: &Attribute, region: &Region) -> Option<(u32, u32)> {
    let leaves = match (region, attribute.generalization()) {
        (Region::Node(node), Generalization::Tree(tree)) if !tree.has_names() => {
            let leaves = tree.leaves_of(*node);
            leaves.start..=leaves.end - 1
        }
        (Region::Interval(first, last), _) => *first..=*last,
        _ => return None,
    };
    let is_missing = *leaves.start() as usize >= attribute.values().len();
    (!is_missing && !attribute.mixes_missing(&leaves)).then(|| leaves.into_inner())
}

fn is_numeric(attribute: &Attribute) -> bool {
    attribute.values().kind() == Kind::Number
}
