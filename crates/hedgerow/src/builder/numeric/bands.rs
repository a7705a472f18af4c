//! Bands with cut points that people choose.

use serde::{Deserialize, Serialize};

pub use super::cut::BandLabels;
use super::cut::{Cut, Level, Steps, check_cuts, cuts_of};
use crate::builder::{HierarchyBuilder, even};
use crate::error::Advice;
use crate::hierarchy::{Generalization, Leaves};
use crate::method::{Described, Description, Need, Parameter, Text, Type, Validate};
use crate::table::{Column, Kind, Scale};
use crate::{Error, Result};

/// Groups numbers or dates into bands between given cut points: `<18`, `[18, 64]`, `65+`.
///
/// A band begins at its cut point and ends before the next one. Values below the first cut point
/// and from the last one on are in open bands, so a band never states the least or the greatest
/// value of the column. `then` lists the cut points of the next level, which must be cut points of
/// the level below it; further levels follow after `/`. With `width`, bands have equal widths, and
/// each level is `factor` times as wide as the one below. Without parameters, the width is a round
/// number near a tenth of the column's range.
///
/// # Complexity
///
/// `O(m log c)` per level for `m` distinct values and `c` cut points.
///
/// # Guarantees
///
/// Levels are nested, and all values have the same levels above them. A level is left out if it
/// merges nothing. The label of a band is true of exactly its values, and [`Notation::read_as`]
/// reads it back. Labels depend on the cut points only, not on the values, except for the number of
/// decimals in `labels=dash`.
///
/// [`Notation::read_as`]: crate::hierarchy::Notation::read_as
///
/// # References
///
/// \[Hundepool2012\] A. Hundepool et al.: Statistical Disclosure Control, Wiley 2012, section
/// 3.3.1: global recoding, top and bottom coding.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{Bands, HierarchyBuilder};
/// use hedgerow::table::Table;
/// let rows = [["3"], ["12"], ["17"], ["18"], ["40"], ["64"], ["71"], ["90"]];
/// let table = Table::from_rows(&["age"], &rows)?;
/// let bands = Bands { cuts: "5+18+65".into(), then: "18".into(), ..Bands::default() };
/// let tree = bands.build(&table.columns()[0])?;
/// assert_eq!(
///     tree.hierarchy().unwrap().outline(),
///     "*(<18(<5(3),[5-17](12,17)),18+([18-64](18,40,64),65+(71,90)))"
/// );
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Bands {
    /// The points at which bands begin, ascending.
    pub cuts: Text,
    /// The cut points of each further level, which are some of those of the level below; levels
    /// are separated by `/`.
    pub then: Text,
    /// Width of the narrowest bands, instead of cut points.
    pub width: Option<f64>,
    /// The start of one of the bands of equal width; defaults to 0.
    pub from: Option<f64>,
    /// Number of levels of bands of equal width; defaults to 3.
    pub levels: Option<u32>,
    /// Ratio of the widths of the bands of each level to those of the level below; defaults to 2.
    pub factor: Option<u32>,
    /// Notation of bands between two cut points.
    pub labels: BandLabels,
}

impl Described for Bands {
    const DESCRIPTION: Description = Description {
        name: "bands",
        about: "numbers and dates: bands with your own cut points (<18, [18, 64], 65+)",
        reference: Some("Hundepool2012"),
        needs: &[Need::Scale],
        parameters: &[
            Parameter::new("cuts", Type::List(&Type::Text), "where bands begin, ascending"),
            Parameter::new(
                "then",
                Type::List(&Type::Text),
                "which of the cut points the next level keeps; further levels after /",
            ),
            Parameter::new(
                "width",
                Type::POSITIVE,
                "width of the narrowest bands, instead of cuts; a round number if not given",
            ),
            Parameter::new(
                "from",
                Type::NUMBER,
                "where one of the bands of equal width begins; 0 if not given",
            ),
            Parameter::new(
                "levels",
                Type::between(1, 30),
                "number of levels of bands of equal width; 3 if not given",
            ),
            Parameter::new(
                "factor",
                Type::between(2, 1000),
                "how many times wider each level is than the one below; 2 if not given",
            ),
            Parameter::new(
                "labels",
                Type::Choice(&["brackets", "dash"]),
                "how a band between two cut points is written",
            )
            .or("brackets"),
        ],
    };
}

impl HierarchyBuilder for Bands {
    fn check(&self) -> Result<()> {
        self.validate()?;
        check_cuts("cuts", self.cuts.as_str())?;
        self.then.as_str().split('/').try_for_each(|list| check_cuts("then", list))
    }

    fn grow(&self, column: &Column) -> Result<Generalization> {
        let values = &column.domain.values;
        let Some(scale) = values.scale() else {
            return Err(super::not_numbers(column));
        };
        if scale.is_empty() {
            return Err(Error::no_values(&column.name));
        }
        let levels = self.levels_of(column, scale)?;
        let starts_of = |level: &Level| {
            even::starts_where_changed(scale.len(), |leaf| level.band_of(scale, leaf))
        };
        let starts: Vec<_> = levels.iter().map(starts_of).collect();
        // A band that holds all values is more informative than `*`, so a level of one band is
        // kept.
        let placed = even::lay_out(scale.len(), &starts, 1)?;
        let leaves = Leaves::of(&column.name, &column.domain);
        let band = |level: usize, leaf: u32| {
            levels[level].band(values, levels[level].band_of(scale, leaf as usize))
        };
        let label = |level: usize, leaf: u32| band(level, leaf).label(self.labels);
        let tree = even::tree(leaves, &placed, label)?;
        // Open bands get the ends of the column, so that their widths are finite.
        let (least, greatest) = (scale.value(0), scale.value(scale.len() - 1));
        let bounds = placed.iter().map(|node| match node.level {
            Some(level) => {
                let (low, high) = band(level, node.range.0).range();
                (low.max(least), high.min(greatest))
            }
            None => {
                let (first, last) = (node.range.0 as usize, node.range.1 as usize - 1);
                (scale.value(first), scale.value(last))
            }
        });
        Ok(tree.with_bounds(bounds.collect()).into())
    }
}

impl Bands {
    /// Returns the levels, from fine to coarse.
    fn levels_of(&self, column: &Column, scale: &Scale) -> Result<Vec<Level>> {
        let is_empty = |text: &Text| text.items().next().is_none();
        if is_empty(&self.cuts) {
            if !is_empty(&self.then) {
                let problem = "it thins out cut points, but there are none";
                return Err(self.refused("then", problem, "give them with cuts=0+18+65"));
            }
            return self.of_width(column, scale);
        }
        for (name, is_given) in [
            ("width", self.width.is_some()),
            ("from", self.from.is_some()),
            ("levels", self.levels.is_some()),
            ("factor", self.factor.is_some()),
        ] {
            if is_given {
                let problem = "is for bands of equal width, but cut points are given";
                return Err(self.refused(name, problem, "leave one of them out"));
            }
        }
        let cuts = cuts_of("cuts", self.cuts.as_str(), column)?;
        self.check_range(&cuts, scale)?;
        let mut levels = vec![cuts];
        for list in self.then.as_str().split('/').filter(|list| !list.trim().is_empty()) {
            let cuts = cuts_of("then", list, column)?;
            let below = &levels[levels.len() - 1];
            // Bands nest only if every cut of a level is also a cut of the level below.
            let is_below = |value: f64| below.iter().any(|cut| cut.value.total_cmp(&value).is_eq());
            if let Some(cut) = cuts.iter().find(|cut| !is_below(cut.value)) {
                let known: Vec<&str> = below.iter().map(|cut| cut.text.as_str()).collect();
                let problem = format!(
                    "'{}' is not a cut point of the level below ({}), so bands would not nest",
                    cut.text,
                    known.join(", ")
                );
                let advice = Advice::words("choose among those, or add it to the level below");
                return Err(Error::parameter("bands", "then", Some(list), problem).advise([advice]));
            }
            levels.push(cuts);
        }
        Ok(levels.into_iter().map(Level::Cuts).collect())
    }

    /// Returns an error if all values lie on one side of all cut points, so that bands only show
    /// which side that is.
    fn check_range(&self, cuts: &[Cut], scale: &Scale) -> Result<()> {
        let (Some((least, greatest)), [first, .., last] | [first @ last]) = (scale.ends(), cuts)
        else {
            return Ok(());
        };
        if first.value <= greatest && last.value > least {
            return Ok(());
        }
        let ends = [0, scale.len() - 1].map(|place| scale.spelling(place));
        let problem = format!(
            "all values are on one side of the cut points: they range from {} to {}",
            ends[0], ends[1]
        );
        let advice = Advice::words("choose cut points between these");
        Err(Error::parameter("bands", "cuts", Some(self.cuts.as_str()), problem).advise([advice]))
    }

    /// Returns levels of bands of equal width.
    fn of_width(&self, column: &Column, scale: &Scale) -> Result<Vec<Level>> {
        if column.domain.values.kind() == Kind::Date {
            let problem = "does not follow the calendar, and the column has dates";
            return Err(self
                .refused("width", problem, "give dates, as in cuts=2020+2022-07")
                .advise([Advice::other_hierarchy(&column.name, &["calendar"])]));
        }
        let Some(steps) = Steps::new(scale, self.width, self.from.unwrap_or(0.0)) else {
            let problem = "the column and its widths have no common unit (exponents, or more than \
                           18 digits)";
            return Err(Error::column(&column.name, problem).advise([
                Advice::words("give cut points with bands:cuts="),
                Advice::words("round the numbers first"),
            ]));
        };
        let factor = i128::from(self.factor.unwrap_or(2));
        let wider =
            |steps: &Steps| Some(Steps { width: steps.width.checked_mul(factor)?, ..*steps });
        let levels = std::iter::successors(Some(steps), wider);
        Ok(levels.take(self.levels.unwrap_or(3) as usize).map(Level::Steps).collect())
    }

    fn refused(&self, parameter: &str, problem: &str, advice: &'static str) -> Error {
        let value = match parameter {
            "then" => Some(self.then.as_str()),
            _ => None,
        };
        Error::parameter("bands", parameter, value, problem).advise([Advice::words(advice)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::{Notation, excluded_ends};
    use crate::method::Spec;
    use crate::table::Table;

    fn tree(spec: &str, values: &[&str]) -> Result<crate::hierarchy::Hierarchy> {
        let rows: Vec<[&str; 1]> = values.iter().map(|&value| [value]).collect();
        let table = Table::from_rows(&["x"], &rows).unwrap();
        let bands: Bands = spec.parse::<Spec>()?.read()?;
        Ok(bands.build(&table.columns()[0])?.hierarchy().unwrap().clone())
    }

    fn outline(spec: &str, values: &[&str]) -> String {
        tree(spec, values).unwrap().outline()
    }

    fn message(spec: &str) -> String {
        tree(spec, &["1", "20", "70"]).unwrap_err().to_string()
    }

    #[test]
    fn decimals_are_cut_where_people_say_so() {
        let values = ["17.25", "18.5", "24.99", "25", "31.1"];
        assert_eq!(
            outline("bands:cuts=18.5+25+30", &values),
            "*(<18.5(17.25),[18.5-25)(18.5,24.99),[25-30)(25),30+(31.1))"
        );
        assert_eq!(
            outline("bands:cuts=18.5+25+30,labels=dash", &values),
            "*(<18.5(17.25),18.50-24.99(18.5,24.99),25.00-29.99(25),30+(31.1))"
        );
    }

    #[test]
    fn dates_are_cut_at_periods() {
        let dates = ["2019-12-31", "2020-01-01", "2021-06-30", "2021-07-01"];
        assert_eq!(
            outline("bands:cuts=2020+2021-07,then=2020", &dates),
            "*(<2020(<2020(2019-12-31)),>=2020([2020-2021-07)(2020-01-01,2021-06-30),>=2021-07(2021-07-01)))"
        );
    }

    #[test]
    fn widths_multiply_from_level_to_level() {
        assert_eq!(
            outline("bands:width=5,levels=2,from=2", &["-4", "1", "2", "6", "7", "12"]),
            "*([-8-1]([-8--4](-4),[-3-1](1)),[2-11]([2-6](2,6),[7-11](7)),[12-21]([12-16](12)))"
        );
        assert_eq!(
            outline("bands:width=0.1,levels=1", &["0.1", "0.25", "0.3", "0.39", "0.7"]),
            "*([0.1-0.2)(0.1),[0.2-0.3)(0.25),[0.3-0.4)(0.3,0.39),[0.7-0.8)(0.7))"
        );
    }

    #[test]
    fn dashes_between_negative_numbers_are_words() {
        let found =
            outline("bands:cuts=-10+-5+5,labels=dash", &["-12", "-9", "-7", "-3", "0", "9"]);
        assert_eq!(found, "*(<-10(-12),-10 to -6(-9,-7),-5 to 4(-3,0),5+(9))");
    }

    #[test]
    fn labels_are_read_back_as_what_they_hold() {
        for (spec, values) in [
            ("bands:cuts=-5+0+5,labels=dash", &["-9", "-5", "-1", "0", "4", "5", "30"][..]),
            ("bands:cuts=-5+0+5", &["-9", "-5", "-1", "0", "4", "5", "30"]),
            ("bands:cuts=0.5+2,labels=dash", &["0.4", "0.5", "0.9", "1.9", "2"]),
            ("bands:cuts=5+18+65,then=18/18", &["1", "5", "17", "18", "64", "65"]),
        ] {
            let tree = tree(spec, values).unwrap();
            let scale = tree.leaves().scale().unwrap();
            for node in tree.nodes().skip(1).filter(|&node| tree.as_leaf(node).is_none()) {
                let label = tree.label(node);
                let Notation::Range(low, high) = Notation::read_as(tree.leaves(), &label) else {
                    panic!("{label}");
                };
                for leaf in crate::hierarchy::Leaf::first(tree.n_leaves()) {
                    let value = scale.value(leaf.index());
                    let is_below = excluded_ends(tree.leaves(), &label).high;
                    let is_inside = (low..=high).contains(&value) && !(is_below && value >= high);
                    assert_eq!(is_inside, tree.leaves_of(node).contains(leaf), "{label}");
                }
            }
        }
    }

    #[test]
    fn a_band_of_all_values_is_kept() {
        assert_eq!(outline("bands:cuts=18+65", &["20", "30"]), "*([18-64](20,30))");
    }

    #[test]
    fn round_widths_are_found() {
        assert_eq!(
            outline("bands:levels=1", &["17", "18", "44", "90"]),
            "*([10-19](17,18),[40-49](44),[90-99](90))"
        );
    }

    #[test]
    fn wrong_cut_points_are_named() {
        let swapped = message("bands:cuts=0+18+5");
        assert!(swapped.contains("'5' follows '18', but cut points must ascend"), "{swapped}");
        let twice = message("bands:cuts=0+18+18");
        assert!(twice.contains("'18' follows '18'"), "{twice}");
        let word = message("bands:cuts=0+adult");
        assert!(word.contains("'adult' is not a number"), "{word}");
        let loose = message("bands:cuts=0+18+65,then=0+21");
        assert!(
            loose.contains("'21' is not a cut point of the level below (0, 18, 65)"),
            "{loose}"
        );
        for outside in ["bands:cuts=100", "bands:cuts=-5+0", "bands:cuts=71+80", "bands:cuts=1"] {
            assert!(message(outside).contains("they range from 1 to 70"), "{outside}");
        }
        assert!(message("bands:then=18").contains("there are none"));
        assert!(message("bands:cuts=18,width=5").contains("equal width"));
        assert!(message("bands:width=0").contains("a number above 0"));
    }
}
