//! Hierarchies of codes and words, based on their spelling, frequency or order.

mod prefix;
mod frequency;
mod ordered;

pub use frequency::Frequency;
pub use ordered::{Basis, Ordered};
pub use prefix::{Prefix, Side};

use super::{HierarchyBuilder, method};
use crate::hierarchy::Leaves;
use crate::method::{Make, Method, Spec};
use crate::table::{Column, Kind, Values, is_address};
use crate::{Error, Result};

/// Every method that builds hierarchies of codes and words.
pub(super) const ALL: &[Method<Make<dyn HierarchyBuilder>>] =
    &[method::<Prefix>(), method::<Frequency>(), method::<Ordered>()];

/// Returns the values of a column as leaves in the given order, known only by their spelling.
pub(super) fn leaves_in_order(column: &Column, order: &[u32]) -> Leaves {
    let domain = &column.domain;
    let spelt = order.iter().map(|&code| domain.values.spelling(code as usize).into()).collect();
    Leaves {
        attribute: column.name.clone(),
        values: match domain.values.kind() {
            Kind::Number | Kind::Code => Values::Code(spelt),
            Kind::Date | Kind::Text => Values::Text(spelt),
        },
        counts: order.iter().map(|&code| domain.counts[code as usize]).collect(),
    }
}

/// Returns the method for a column of IP addresses, or `None` if it has anything else.
pub(super) fn addresses(column: &Column) -> Option<Spec> {
    let Values::Code(texts) = &column.domain.values else { return None };
    let separator = if texts.first()?.contains(':') { ":" } else { "." };
    let are_alike = texts.iter().all(|text| is_address(text) && text.contains(separator));
    let mut spec = Spec::named("prefix");
    spec.parameters.insert("split".into(), separator.into());
    are_alike.then_some(spec)
}

pub(super) fn demand_values(column: &Column) -> Result<()> {
    if column.domain.is_empty() {
        return Err(Error::no_values(&column.name));
    }
    Ok(())
}

/// Returns the code of a value for which `is_bad` holds, and its first row counted from 1.
///
/// If there are several, the one that occurs first in the table is returned.
fn first_in_table(column: &Column, is_bad: impl Fn(&str) -> bool) -> Option<(usize, u64)> {
    let domain = &column.domain;
    let bad = (0..domain.len()).filter(|&code| is_bad(&domain.values.spelling(code)));
    let code = bad.min_by_key(|&code| domain.first_rows[code])?;
    Some((code, domain.first_rows[code] + 1))
}
