//! Countries, grouped by the regions of the world.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::places::{Fields, Places};
use super::{Catalogue, grow};
use crate::Result;
use crate::builder::HierarchyBuilder;
use crate::hierarchy::Generalization;
use crate::method::{Described, Description};
use crate::table::Column;

/// Groups countries by subregion and region of the world: `Western Europe`, `Europe`.
///
/// Countries are found by their names, by usual other names (`USA`, `South Korea`, `England`) and
/// by their ISO 3166-1 codes (`DE`, `DEU`, `276`), without regard to case, accents and punctuation:
/// `United-States` is found. Spellings of one country form a group that has its name. Unknown
/// values are children of the root; the summary lists them. A group that has the name of a value is
/// called `Germany (any spelling)`, `Europe (region)`.
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
/// \[UNM49\] United Nations Statistics Division: Standard country or area codes for statistical use
/// (M49); \[ISO3166\] codes and names. The intermediate regions of M49 (`Eastern Africa`,
/// `Caribbean`) are subregions here. Not in M49: Taiwan is in Eastern Asia and Kosovo in Southern
/// Europe, after their neighbours; Yugoslavia, Czechoslovakia and the Netherlands Antilles are in
/// the subregion of all their successors.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{Country, HierarchyBuilder};
/// use hedgerow::table::Table;
/// let rows = [["Germany"], ["FRA"], ["Spain"], ["Japan"], ["South Korea"]];
/// let table = Table::from_rows(&["born"], &rows)?;
/// let tree = Country.build(&table.columns()[0])?;
/// assert_eq!(
///     tree.hierarchy().unwrap().outline(),
///     "*(Asia(Eastern Asia(Japan,South Korea)),\
///      Europe(Southern Europe(Spain),Western Europe(FRA,Germany)))"
/// );
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Country;

impl Described for Country {
    const DESCRIPTION: Description = Description {
        name: "country",
        about: "countries by name or code: subregion and region of the world",
        reference: Some("UNM49"),
        needs: &[],
        parameters: &[],
    };
}

impl HierarchyBuilder for Country {
    fn grow(&self, column: &Column) -> Result<Generalization> {
        grow::<Self>(column)
    }
}

impl Catalogue for Country {
    const WORDS: &'static str = "country countries nation nationality citizenship land staat \
                                 staatsangehorigkeit staatsangehoerigkeit herkunftsland geburtsland pays nationalite \
                                 pais nacionalidad nacionalidade paese nazione nazionalita \
                                 nationaliteit iso2 iso3";

    const LEVELS: [&'static str; 3] = ["any spelling", "subregion", "region"];

    fn groups(value: &str) -> Option<Vec<String>> {
        let row = COUNTRIES.find(value)?;
        let (name, subregion) = (row[NAME], row[SUBREGION]);
        Some([name, subregion, region(subregion)].map(str::to_owned).to_vec())
    }

    fn is_telling(value: &str) -> bool {
        value.trim().chars().filter(|c| c.is_alphabetic()).count() > 3
    }

    fn names() -> Vec<&'static str> {
        COUNTRIES.all(NAME)
    }
}

const NAME: usize = 3;
const SUBREGION: usize = 4;

static COUNTRIES: LazyLock<Places> = LazyLock::new(|| {
    Places::new(include_str!("country.csv"), &Fields { names: &[0, 1, NAME], number: 2, others: 5 })
});

/// Returns the region of the world that a subregion is in.
fn region(subregion: &'static str) -> &'static str {
    match subregion {
        "Caribbean" | "Central America" | "South America" | "Northern America" => "Americas",
        "Australia and New Zealand" | "Melanesia" | "Micronesia" | "Polynesia" => "Oceania",
        _ => {
            let regions = ["Africa", "Asia", "Europe"];
            regions.into_iter().find(|region| subregion.ends_with(region)).unwrap_or(subregion)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subregion(value: &str) -> Option<String> {
        Country::groups(value).map(|groups| groups[1].clone())
    }

    #[test]
    fn names_codes_and_usual_spellings_are_known() {
        for value in ["USA", "us", "U.S.", "United-States", "United States of America", "840"] {
            assert_eq!(Country::groups(value).unwrap()[0], "United States", "{value}");
        }
        for (value, expected) in [
            ("England", "Northern Europe"),
            ("South Korea", "Eastern Asia"),
            ("Korea, Republic of", "Eastern Asia"),
            ("Ivory Coast", "Western Africa"),
            ("Viet Nam", "South-eastern Asia"),
            ("4", "Southern Asia"),
            ("004", "Southern Asia"),
            ("Türkiye", "Western Asia"),
            ("turkey", "Western Asia"),
            ("Cote dIvoire", "Western Africa"),
            ("U.K.", "Northern Europe"),
            ("Korea, Rep.", "Eastern Asia"),
            ("Congo, Dem. Rep.", "Middle Africa"),
            ("Bosnia-Herzegovina", "Southern Europe"),
            ("Lao PDR", "South-eastern Asia"),
            ("Netherlands Antilles", "Caribbean"),
        ] {
            assert_eq!(subregion(value).as_deref(), Some(expected), "{value}");
        }
        for value in ["Korea", "Congo Basin", "XX", "", "1", "America"] {
            assert_eq!(subregion(value), None, "{value}");
        }
    }

    /// M49 has 22 subregions (with the intermediate ones) and Antarctica.
    #[test]
    fn every_country_has_a_subregion_and_a_region() {
        let mut subregions = COUNTRIES.all(SUBREGION);
        assert_eq!(subregions.len(), 253);
        subregions.sort_unstable();
        subregions.dedup();
        assert_eq!(subregions.len(), 23);
        let mut regions: Vec<&str> = subregions.into_iter().map(region).collect();
        regions.sort_unstable();
        regions.dedup();
        assert_eq!(regions, ["Africa", "Americas", "Antarctica", "Asia", "Europe", "Oceania"]);
    }
}
