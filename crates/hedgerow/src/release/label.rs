//! The text of regions in each style.

use super::IntervalStyle;
use crate::hierarchy::{Generalization, Label, Leaf, LeafRange, Notation};
use crate::problem::{Attribute, Region};
use crate::table::Kind;

/// The names of the columns in which an attribute is published.
pub(super) fn columns(attribute: &Attribute, style: IntervalStyle) -> Vec<String> {
    published_columns(attribute.name(), attribute.values().kind(), style)
}

/// The names of the columns in which a quasi-identifier of this name and kind is published.
pub(crate) fn published_columns(name: &str, kind: Kind, style: IntervalStyle) -> Vec<String> {
    if style == IntervalStyle::Bounds && kind == Kind::Number {
        vec![format!("{name}_min"), format!("{name}_max")]
    } else {
        vec![name.to_owned()]
    }
}

/// The cells of a region in these columns.
pub(super) fn cells(attribute: &Attribute, region: &Region, style: IntervalStyle) -> Vec<String> {
    if let Some(label) = fixed(attribute, region) {
        return label.cells.iter().map(ToString::to_string).collect();
    }
    let Some(Ends { low, high, middle, .. }) = styled(attribute, region, style) else {
        let columns = columns(attribute, style);
        let text = attribute.text(region);
        // A column of bounds has numbers only, so a cell that says nothing is empty.
        return match columns.len() {
            2 if attribute.says_nothing(region) => suppressed(attribute, style),
            n_columns => vec![text; n_columns],
        };
    };
    match style {
        IntervalStyle::Bounds => vec![low, high],
        _ if low == high => vec![low],
        IntervalStyle::Dash => vec![format!("{low}-{high}")],
        _ => vec![middle],
    }
}

/// The cells of a suppressed record in these columns: `*`, or nothing in columns of bounds.
pub(super) fn suppressed(attribute: &Attribute, style: IntervalStyle) -> Vec<String> {
    match columns(attribute, style).len() {
        1 => vec!["*".to_owned()],
        n_columns => vec![String::new(); n_columns],
    }
}

/// The leaves whose values a region spells out in a style other than the plain one. `None` if the
/// region is shown in the plain style; an empty list if the style shows no value of the region, as
/// a midpoint does.
pub(super) fn spelt_leaves(
    attribute: &Attribute,
    region: &Region,
    style: IntervalStyle,
) -> Option<Vec<Leaf>> {
    let Ends { low, high, leaves, .. } = styled(attribute, region, style)?;
    Some(match style {
        IntervalStyle::Midpoint if low != high => Vec::new(),
        _ => leaves,
    })
}

/// Whether the text of a region says nothing about the values in it.
pub(super) fn says_nothing(attribute: &Attribute, region: &Region, style: IntervalStyle) -> bool {
    attribute.says_nothing(region) && styled(attribute, region, style).is_none()
}

/// The ends of a region, or `None` if it is shown as its plain text.
fn styled(attribute: &Attribute, region: &Region, style: IntervalStyle) -> Option<Ends> {
    let has_style = style != IntervalStyle::Brackets && is_numeric(attribute);
    let hides_all = attribute.hides_rare() || style == IntervalStyle::Dash;
    if !has_style || hides_all && attribute.says_nothing(region) {
        return None;
    }
    ends(attribute, region, style)
}

/// The text from which a region can be read back: in styles that do not show intervals, the text of
/// the plain style.
pub(super) fn text(attribute: &Attribute, region: &Region, style: IntervalStyle) -> String {
    if let Some(label) = fixed(attribute, region) {
        return label.text.to_string();
    }
    let readable = match style {
        IntervalStyle::Dash => IntervalStyle::Dash,
        _ => IntervalStyle::Brackets,
    };
    cells(attribute, region, readable).swap_remove(0)
}

/// The label of a region that was fixed before.
fn fixed<'a>(attribute: &'a Attribute, region: &Region) -> Option<&'a Label> {
    match region {
        Region::Label(tag) => attribute.label(*tag),
        _ => None,
    }
}

/// The texts of the ends and the midpoint of a region of numbers.
struct Ends {
    low: String,
    high: String,
    middle: String,
    /// The leaf of each end that is a value.
    leaves: Vec<Leaf>,
}

/// The ends of a region of numbers; `None` if it contains a missing value, is a set, or is a node
/// whose name is not a range.
fn ends(attribute: &Attribute, region: &Region, style: IntervalStyle) -> Option<Ends> {
    let scale = attribute.values().scale()?;
    let (leaves, stated) = match (region, attribute.generalization()) {
        (Region::Node(node), Generalization::Tree(tree)) if !tree.has_names() => {
            // A leaf shows its own spelling, whatever bounds it has.
            let is_wider = tree.has_bounds() && tree.as_leaf(*node).is_none();
            (tree.leaves_of(*node), tree.bounds(*node).filter(|_| is_wider))
        }
        (Region::Node(node), Generalization::Tree(tree)) => {
            return named(attribute, &tree.published(*node), style);
        }
        (Region::Group(group), Generalization::Levels(levels)) => {
            // As with trees, a single value shows its spelling and not its bounds.
            let is_leaf = levels.is_leaf(*group);
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
    // The leaf of missing values comes after those of all numbers.
    if last >= scale.len() {
        return None;
    }
    let (low, high) = stated.unwrap_or((scale.value(first), scale.value(last)));
    let middle = scale.middle(low, high);
    Some(match stated {
        Some(_) => {
            let places = [low, high].into_iter().filter_map(|end| scale.place_rounded(end));
            let leaves = places.map(Leaf::new).collect();
            Ends { low: scale.spell(low), high: scale.spell(high), middle, leaves }
        }
        None => Ends {
            low: scale.spelling(first).into_owned(),
            high: scale.spelling(last).into_owned(),
            middle,
            leaves: vec![Leaf::new(first), Leaf::new(last)],
        },
    })
}

/// The ends of the range that the name of a node states. An open side is empty in columns of
/// bounds; the other styles show the name as it is.
///
/// The name is parsed because a hierarchy from a file says only with its names what a node covers
/// besides its leaves: `[20, 40[` reaches further than the values between its ends.
fn named(attribute: &Attribute, label: &str, style: IntervalStyle) -> Option<Ends> {
    let scale = attribute.values().scale()?;
    if let Some(reading) = attribute.values().read(label) {
        let (value, place) = (label.to_owned(), scale.place_of(reading));
        let leaves = place.map(Leaf::new).into_iter().collect();
        return Some(Ends { low: value.clone(), high: value.clone(), middle: value, leaves });
    }
    let Notation::Range(low, high) = Notation::read_as(attribute.values(), label) else {
        return None;
    };
    let is_closed = low.is_finite() && high.is_finite();
    if !is_closed && style != IntervalStyle::Bounds {
        return None;
    }
    let finite = [low, high].into_iter().filter(|end| end.is_finite());
    // Rounded to the unit of the scale, as the text is, because a reader sees the text.
    let leaves = finite.filter_map(|end| scale.place_rounded(end)).map(Leaf::new).collect();
    let spell = |end: f64| if end.is_finite() { scale.spell(end) } else { String::new() };
    let middle = if is_closed { scale.middle(low, high) } else { label.to_owned() };
    Some(Ends { low: spell(low), high: spell(high), middle, leaves })
}

fn is_numeric(attribute: &Attribute) -> bool {
    attribute.values().kind() == Kind::Number
}
