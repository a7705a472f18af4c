//! How regions are written.

use super::IntervalStyle;
use crate::hierarchy::{Generalization, LeafRange};
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
    let plain = attribute.text(region);
    let Some(Ends { low, high, middle }) = styled(attribute, region, style, &plain) else {
        return vec![plain; columns(attribute, style).len()];
    };
    match style {
        IntervalStyle::Bounds => vec![low, high],
        _ if low == high => vec![low],
        IntervalStyle::Dash => vec![format!("{low}-{high}")],
        _ => vec![middle],
    }
}

/// The numbers that a region spells out in a style that is not plain. `None` if the region is shown
/// in the plain style; an empty list if the style shows no value, as a midpoint does.
pub(super) fn numbers(
    attribute: &Attribute,
    region: &Region,
    style: IntervalStyle,
) -> Option<Vec<String>> {
    let Ends { low, high, .. } = styled(attribute, region, style, &attribute.text(region))?;
    Some(match style {
        IntervalStyle::Midpoint if low != high => Vec::new(),
        _ => vec![low, high],
    })
}

/// The ends of a region that is not shown as its plain text.
fn styled(
    attribute: &Attribute,
    region: &Region,
    style: IntervalStyle,
    plain: &str,
) -> Option<Ends> {
    let has_style = style != IntervalStyle::Brackets && is_numeric(attribute);
    let says_nothing = plain == "*" && (attribute.hides_rare() || style == IntervalStyle::Dash);
    if has_style && !says_nothing { ends(attribute, region) } else { None }
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
            (
                LeafRange { start: *first, end: last.next() },
                hidden.map(|[low, high]| (low.value, high.value)),
            )
        }
        _ => return None,
    };
    let (first, last) = (leaves.start.index(), leaves.greatest().index());
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
