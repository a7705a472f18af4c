//! How regions are written.

use super::IntervalStyle;
use crate::hierarchy::{Generalization, write_partial_set, write_set};
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
    let says_nothing = attribute.hides_rare() && plain == "*";
    let shown = ends(attribute, region).filter(|_| !says_nothing);
    let Some(Ends { low, high, middle }) = shown else {
        let n_columns = if style == IntervalStyle::Bounds { 2 } else { 1 };
        return vec![plain; n_columns];
    };
    match style {
        IntervalStyle::Bounds => vec![low, high],
        _ if low == high => vec![low],
        IntervalStyle::Dash if plain == "*" => vec![plain],
        IntervalStyle::Dash => vec![format!("{low}-{high}")],
        _ => vec![middle],
    }
}

/// The one text that says all of a region that can be read: in a style that does not show intervals,
/// that of the plain one.
pub(super) fn text(attribute: &Attribute, region: &Region, style: IntervalStyle) -> String {
    let readable = match style {
        IntervalStyle::Dash => IntervalStyle::Dash,
        _ => IntervalStyle::Brackets,
    };
    cells(attribute, region, readable).swap_remove(0)
}

/// The region in the plain style: a value as itself, `[a, b]`, `{a, b}`, a name, or `*`.
fn plain(attribute: &Attribute, region: &Region) -> String {
    let n_leaves = attribute.n_leaves();
    let spelt = |leaf: &u32| attribute.spelling(*leaf);
    match (region, attribute.generalization()) {
        (Region::Node(node), Generalization::Tree(tree)) => tree.published(*node).into_owned(),
        (Region::Node(group), Generalization::Levels(levels)) => {
            levels.published(*group).into_owned()
        }
        (Region::Interval(first, last), _) if attribute.is_anything(*first, *last) => {
            "*".to_owned()
        }
        (Region::Interval(first, last), _) => match attribute.hidden_ends(*first, *last) {
            None if first == last => spelt(first).into_owned(),
            None => format!("[{}, {}]", spelt(first), spelt(last)),
            Some([low, high]) => format!("[{}, {}]", low.text, high.text),
        },
        (Region::Set(leaves), _) if leaves.len() == 1 => attribute.spelling(leaves[0]).into_owned(),
        (Region::Set(leaves), _) if leaves.len() < n_leaves => {
            write_set(&leaves.iter().map(spelt).collect::<Vec<_>>())
        }
        (Region::PartialSet(leaves, n_more), _) => {
            write_partial_set(&leaves.iter().map(spelt).collect::<Vec<_>>(), *n_more as usize)
        }
        (Region::Unknown, _) => attribute.unknown().to_owned(),
        _ => "*".to_owned(),
    }
}

/// A region of numbers.
struct Ends {
    low: String,
    high: String,
    middle: String,
}

/// The least and greatest value of a region of numbers; none if it takes in a missing value or is
/// a group with a name of its own.
fn ends(attribute: &Attribute, region: &Region) -> Option<Ends> {
    let scale = attribute.values().scale()?;
    let (leaves, stated) = match (region, attribute.generalization()) {
        (Region::Node(node), Generalization::Tree(tree)) if !tree.has_names() => {
            let is_wider = tree.has_bounds() && tree.as_leaf(*node).is_none();
            (tree.leaves_of(*node), tree.bounds(*node).filter(|_| is_wider))
        }
        (Region::Node(group), Generalization::Levels(levels)) => {
            let is_leaf = levels.level(0).contains(group);
            (levels.leaves_of(*group), levels.bounds(*group).filter(|_| !is_leaf))
        }
        (Region::Interval(first, last), _) => {
            let hidden = attribute.hidden_ends(*first, *last);
            (*first..last + 1, hidden.map(|[low, high]| (low.value, high.value)))
        }
        _ => return None,
    };
    let (first, last) = (leaves.start as usize, leaves.end as usize - 1);
    if last >= scale.len() {
        return None;
    }
    let (low, high) = stated.unwrap_or((scale.value(first), scale.value(last)));
    let middle = scale.middle(low, high);
    Some(match stated {
        Some(_) => Ends { low: scale.spell(low), high: scale.spell(high), middle },
        None => Ends {
            low: scale.spelling(first).into_owned(),
            high: scale.spelling(last).into_owned(),
            middle,
        },
    })
}

fn is_numeric(attribute: &Attribute) -> bool {
    attribute.values().kind() == Kind::Number
}
