//! States of the United States, grouped by the divisions and regions of the Census Bureau.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::places::{Fields, Places};
use super::{Catalogue, grow};
use crate::Result;
use crate::builder::HierarchyBuilder;
use crate::hierarchy::Generalization;
use crate::method::{Described, Description};
use crate::table::Column;

/// Groups states of the United States by Census division and region: `New England`, `Northeast`.
///
/// States are found by name, postal code (`MA`) and FIPS code (`25`), without regard to case and
/// punctuation. The District of Columbia is in the South Atlantic division; Puerto Rico and the
/// island areas are outside all divisions and have a group of their own. Spellings of one state
/// form a group that has its name. Unknown values are children of the root; the summary lists them.
///
/// # Complexity
///
/// `O(m log m)` for `m` distinct values.
///
/// # Guarantees
///
/// Deterministic. All known values have the same levels above them; a level is left out if it
/// merges nothing. Fails if more than a fifth of the distinct values are unknown.
///
/// # References
///
/// \[Census2020\] U.S. Census Bureau: Census Regions and Divisions of the United States.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{HierarchyBuilder, UsState};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["state"], &[["MA"], ["Vermont"], ["NY"], ["Texas"]])?;
/// let tree = UsState.build(&table.columns()[0])?;
/// assert_eq!(
///     tree.hierarchy().unwrap().outline(),
///     "*(Northeast(Middle Atlantic(NY),New England(MA,Vermont)),South(West South Central(Texas)))"
/// );
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct UsState;

impl Described for UsState {
    const DESCRIPTION: Description = Description {
        name: "us-state",
        about: "states of the USA by name or code: Census division and region",
        reference: Some("Census2020"),
        needs: &[],
        parameters: &[],
    };
}

impl HierarchyBuilder for UsState {
    fn grow(&self, column: &Column) -> Result<Generalization> {
        grow::<Self>(column)
    }
}

impl Catalogue for UsState {
    const WORDS: &'static str = "state states statefip fips usstate";

    const LEVELS: [&'static str; 3] = ["any spelling", "division", "region"];

    fn groups(value: &str) -> Option<Vec<String>> {
        let row = STATES.find(value)?;
        Some([row[NAME], row[3], row[4]].map(str::to_owned).to_vec())
    }

    fn is_telling(value: &str) -> bool {
        value.trim().chars().filter(|c| c.is_alphabetic()).count() > 3
    }

    fn names() -> Vec<&'static str> {
        STATES.all(NAME)
    }
}

const NAME: usize = 2;

static STATES: LazyLock<Places> = LazyLock::new(|| {
    Places::new(include_str!("us_state.csv"), &Fields { names: &[0, NAME], number: 1, others: 5 })
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_have_their_divisions() {
        for (value, division, region) in [
            ("ma", "New England", "Northeast"),
            ("District of Columbia", "South Atlantic", "South"),
            ("Washington, D.C.", "South Atlantic", "South"),
            ("Washington", "Pacific", "West"),
            ("06", "Pacific", "West"),
            ("6", "Pacific", "West"),
            ("new-mexico", "Mountain", "West"),
        ] {
            assert_eq!(UsState::groups(value).unwrap()[1..], [division, region], "{value}");
        }
        for value in ["3", "ZZ", "Ontario"] {
            assert_eq!(UsState::groups(value), None, "{value}");
        }
    }

    /// 50 states and the District of Columbia in nine divisions, and five areas outside them.
    #[test]
    fn the_list_is_complete() {
        assert_eq!(UsState::names().len(), 56);
        let mut divisions = STATES.all(3);
        divisions.sort_unstable();
        divisions.dedup();
        assert_eq!(divisions.len(), 10);
    }
}
