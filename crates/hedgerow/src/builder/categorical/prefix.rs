//! Hierarchies of codes by their prefixes.

use serde::{Deserialize, Serialize};

use super::{demand_values, first_in_table, leaves_in_order};
use crate::builder::{HierarchyBuilder, even};
use crate::error::Advice;
use crate::hierarchy::{Generalization, has_lost_zeros};
use crate::method::{Described, Description, Parameter, Text, Type};
use crate::table::{Column, Kind};
use crate::{Error, Result};

/// Masks more and more of a code: `02139`, `0213*`, `021**`, `02***`, `0****`, `*`.
///
/// Codes with the same prefix form a group. The parts of a code are its characters or, with
/// `split`, the text between separators: with `split=.`, `192.168.1.7` is below `192.168.1.*`. All
/// codes are treated as if they were as long as the longest; shorter codes are padded with `pad`,
/// or simply end early if there is no `pad`. A level that merges nothing in this column, or
/// everything, is left out.
///
/// # Complexity
///
/// `O(m log m)` comparisons of codes, plus time and memory linear in the number of nodes, which is
/// at most `m` per level.
///
/// # Guarantees
///
/// Every code has the same levels above it. No two groups have the same label.
///
/// # References
///
/// \[Samarati2001\] generalizes ZIP codes this way.
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{HierarchyBuilder, Prefix};
/// use hedgerow::table::Table;
/// let table = Table::from_rows(&["zip"], &[["02139"], ["02138"], ["02141"], ["94110"]])?;
/// let tree = Prefix { steps: "1+2".into(), ..Prefix::default() }.build(&table.columns()[0])?;
/// assert_eq!(
///     tree.hierarchy().unwrap().outline(),
///     "*(02***(0213*(02138,02139),0214*(02141)),94***(9411*(94110)))"
/// );
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Prefix {
    /// The side of a code that is kept longest.
    pub keep: Side,
    /// Number of further parts that each level hides; the last number repeats.
    pub steps: Text,
    /// The character that separates parts; if empty, every character is a part.
    pub split: Text,
    /// The character that pads short codes; if empty, only numbers are padded, with 0.
    pub pad: Text,
    /// The side on which short codes are padded.
    pub pad_side: Side,
    /// The character that replaces a hidden part.
    pub mask: Text,
}

/// A side of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The beginning of a code.
    Left,
    /// The end of a code.
    Right,
}

impl Default for Prefix {
    /// Hides one more character per level from the right, as is usual for ZIP codes.
    fn default() -> Self {
        Self {
            keep: Side::Left,
            steps: "1".into(),
            split: Text::default(),
            pad: Text::default(),
            pad_side: Side::Left,
            mask: "*".into(),
        }
    }
}

impl Described for Prefix {
    const DESCRIPTION: Description = Description {
        name: "prefix",
        about: "codes: keeps fewer and fewer of their first characters",
        reference: Some("Samarati2001"),
        needs: &[],
        parameters: &[
            Parameter::new(
                "keep",
                Type::Choice(&["left", "right"]),
                "the side of a code that is kept longest",
            )
            .or("left"),
            Parameter::new(
                "steps",
                Type::List(&Type::at_least(1)),
                "number of further parts that each level hides; the last number repeats",
            )
            .or("1"),
            Parameter::new(
                "split",
                Type::Character,
                "the character that separates parts; every character is a part if not given",
            ),
            Parameter::new(
                "pad",
                Type::Character,
                "the character that pads short codes; 0 for numbers if not given",
            ),
            Parameter::new(
                "pad-side",
                Type::Choice(&["left", "right"]),
                "the side on which short codes are padded",
            )
            .or("left"),
            Parameter::new("mask", Type::Character, "the character that replaces a hidden part")
                .or("*"),
        ],
    };
}

impl HierarchyBuilder for Prefix {
    fn grow(&self, column: &Column) -> Result<Generalization> {
        let shape = self.shape(column)?;
        let domain = &column.domain;
        let spelling = |code: u32| domain.values.spelling(code as usize);
        let mut codes: Vec<(String, u32)> =
            (0..domain.len() as u32).map(|code| (shape.key(&spelling(code)), code)).collect();
        // Sorting by key makes groups contiguous; the code breaks ties between equal keys.
        codes.sort_unstable();
        // In sorted order, a group with a common prefix is a run in which each neighbour shares it.
        let shared: Vec<usize> =
            codes.windows(2).map(|pair| shape.n_shared(&pair[0].0, &pair[1].0)).collect();
        // A level that keeps more parts than any two codes share merges nothing.
        let most_shared = shared.iter().copied().max().unwrap_or(0);
        let mut kept = self.kept(shape.n_parts);
        kept.retain(|&kept| kept <= most_shared);
        let starts_of = |&kept: &usize| {
            let begins = |&leaf: &u32| leaf == 0 || shared[leaf as usize - 1] < kept;
            (0..codes.len() as u32).filter(begins).collect()
        };
        let starts: Vec<even::Starts> = kept.iter().map(starts_of).collect();
        let placed = even::lay_out(codes.len(), &starts, 2)?;
        let order: Vec<u32> = codes.iter().map(|&(_, code)| code).collect();
        let label = |level: usize, leaf: u32| shape.label(&codes[leaf as usize].0, kept[level]);
        even::tree(leaves_in_order(column, &order), &placed, label).map(Generalization::from)
    }
}

impl Prefix {
    /// Returns the number of parts that each level keeps, from fine to coarse.
    fn kept(&self, n_parts: usize) -> Vec<usize> {
        let steps: Vec<usize> = self.steps.items().filter_map(|step| step.parse().ok()).collect();
        let last = steps.last().copied().unwrap_or(1);
        let mut kept = n_parts;
        steps
            .into_iter()
            .chain(std::iter::repeat(last))
            .map_while(|step| {
                // A level that keeps nothing would be the root, which exists anyway.
                kept = kept.checked_sub(step).filter(|&kept| kept > 0)?;
                Some(kept)
            })
            .collect()
    }

    /// Determines how the codes of a column are split into parts.
    fn shape(&self, column: &Column) -> Result<Shape> {
        demand_values(column)?;
        let domain = &column.domain;
        let mask = one(&self.mask).unwrap_or('*');
        let split = one(&self.split);
        let is_number = domain.values.kind() == Kind::Number;
        // Numbers have lost their leading zeros, so they are padded with 0 by default.
        let pad = one(&self.pad).or((split.is_none() && has_lost_zeros(column)).then_some('0'));
        if let (Some(_), Some(pad)) = (split, pad) {
            let problem = "codes that are divided by split are not padded";
            return Err(Error::parameter("prefix", "pad", Some(&pad.to_string()), problem)
                .advise([Advice::words("leave pad out")]));
        }
        let is_whole = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        // A code that contains the mask could not be distinguished from a group.
        let refused = |text: &str| text.contains(mask) || (is_number && !is_whole(text));
        if let Some((code, row)) = first_in_table(column, refused) {
            return Err(not_a_code(column, code, row, mask));
        }
        let mut shape = Shape {
            keep: self.keep,
            pad: pad.map(|c| (c, self.pad_side)),
            split,
            mask,
            n_parts: 0,
        };
        let n_parts = |code| shape.n_parts_of(&domain.values.spelling(code));
        shape.n_parts = (0..domain.len()).map(n_parts).max().unwrap_or(0);
        Ok(shape)
    }
}

/// Returns the character of a parameter, or `None` if the parameter is empty.
fn one(text: &Text) -> Option<char> {
    text.as_str().chars().next()
}

/// Returns the error for a value that contains the mask, or else for a number with a sign or
/// decimals.
fn not_a_code(column: &Column, code: usize, row: u64, mask: char) -> Error {
    let (name, value) = (&column.name, column.domain.values.spelling(code));
    if value.contains(mask) {
        let problem = format!("contains '{mask}', the character that hides parts");
        return Error::value(name, value, row, problem)
            .advise([Advice::words("choose another with prefix:mask=#")]);
    }
    Error::value(name, value, row, "is a number with a sign or decimals, not a code").advise([
        Advice::other_hierarchy(name, &["iotf"]),
        Advice::StateKind { column: name.clone(), kind: "code" },
    ])
}

/// Rules for splitting codes into parts and putting them together again.
struct Shape {
    keep: Side,
    pad: Option<(char, Side)>,
    split: Option<char>,
    mask: char,
    /// Number of parts of the longest code.
    n_parts: usize,
}

/// Separates parts in keys; it sorts before all other characters, so codes with common first parts
/// are neighbours.
const BETWEEN: char = '\0';

impl Shape {
    fn n_parts_of(&self, text: &str) -> usize {
        match self.split {
            Some(separator) => text.split(separator).count(),
            None => text.chars().count(),
        }
    }

    /// Returns the parts of a code, those that are kept longest first.
    fn key(&self, text: &str) -> String {
        match (self.split, self.keep) {
            (None, Side::Left) => self.padded(text),
            (None, Side::Right) => self.padded(text).chars().rev().collect(),
            (Some(separator), Side::Left) => text.replace(separator, &BETWEEN.to_string()),
            (Some(separator), Side::Right) => {
                text.rsplit(separator).collect::<Vec<_>>().join(&BETWEEN.to_string())
            }
        }
    }

    fn padded(&self, text: &str) -> String {
        let Some((pad, side)) = self.pad else {
            return text.to_owned();
        };
        let lacking = self.n_parts.saturating_sub(text.chars().count());
        let filling: String = std::iter::repeat_n(pad, lacking).collect();
        match side {
            Side::Left => filling + text,
            Side::Right => text.to_owned() + &filling,
        }
    }

    /// Returns the number of leading parts that two keys have in common.
    fn n_shared(&self, one: &str, other: &str) -> usize {
        if self.split.is_some() {
            // Whole parts count: `10` and `100` share no part, though they share characters.
            let parts = one.split(BETWEEN).zip(other.split(BETWEEN));
            parts.take_while(|(one, other)| one == other).count()
        } else {
            one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count()
        }
    }

    /// Returns a code with only its first `n_kept` parts shown; a code with fewer parts is shown
    /// whole.
    fn label(&self, key: &str, n_kept: usize) -> String {
        let mask = self.mask.to_string();
        let parts: Vec<&str> = match self.split {
            Some(_) => key.split(BETWEEN).take(n_kept).collect(),
            None => key.split("").filter(|part| !part.is_empty()).take(n_kept).collect(),
        };
        // A code that ends before `n_kept` parts must differ in label from longer codes with its
        // prefix.
        let n_hidden = if parts.len() < n_kept { 0 } else { self.n_parts.saturating_sub(n_kept) };
        let hidden = std::iter::repeat_n(mask.as_str(), n_hidden);
        let mut shown: Vec<&str> = parts.into_iter().chain(hidden).collect();
        if self.keep == Side::Right {
            shown.reverse();
        }
        shown.join(&self.split.map_or_else(String::new, String::from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::Spec;
    use crate::table::Table;

    fn outline(spec: &str, codes: &[&str]) -> Result<String> {
        let rows: Vec<[&str; 1]> = codes.iter().map(|&code| [code]).collect();
        let table = Table::from_rows(&["c"], &rows).unwrap();
        let prefix: Prefix = spec.parse::<Spec>()?.read()?;
        Ok(prefix.build(&table.columns()[0])?.hierarchy().unwrap().outline())
    }

    #[test]
    fn ends_may_stay_instead_of_beginnings() {
        let found = outline("prefix:keep=right", &["A17", "B17", "B27"]).unwrap();
        assert_eq!(found, "*(*17(A17,B17),*27(B27))");
        let found = outline("prefix:keep=right,split=.", &["a.x.org", "b.x.org", "x.org", "y.net"]);
        assert_eq!(found.unwrap(), "*(*.y.net(y.net),*.x.org(x.org,a.x.org,b.x.org))");
    }

    #[test]
    fn short_codes_are_groups_of_longer_ones() {
        let found = outline("prefix", &["E1", "E11", "E119", "E12", "F"]).unwrap();
        assert_eq!(found, "*(E1**(E1(E1),E11*(E11,E119),E12*(E12)),F(F(F)))");
    }

    #[test]
    fn characters_are_not_bytes() {
        assert_eq!(outline("prefix", &["é1", "é2", "ö1"]).unwrap(), "*(é*(é1,é2),ö*(ö1))");
    }

    #[test]
    fn codes_that_padding_makes_equal_stay_two() {
        let found = outline("prefix:pad=0", &["0501", "501", "9999"]).unwrap();
        assert_eq!(found, "*(050*(0501,501),999*(9999))");
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let message = |spec| outline(spec, &["a1", "b*"]).unwrap_err().to_string();
        assert!(message("prefix").contains("'b*' (row 2) contains '*', the character that hides"));
        assert!(message("prefix:mask=##").contains("mask is '##'; it must be one character"));
        assert!(
            message("prefix:mask=#,steps=1+0")
                .contains("'0' is not allowed in it: it must be a list")
        );
        assert!(outline("prefix", &["1.5"]).unwrap_err().to_string().contains("sign or decimals"));
    }
}
