//! ICD-10 codes, grouped by category, block and chapter.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::{Catalogue, grow};
use crate::Result;
use crate::builder::HierarchyBuilder;
use crate::hierarchy::Generalization;
use crate::method::{Described, Description};
use crate::table::{Column, icd_category};

/// Groups ICD-10 codes by category, block and chapter: `I21.-`, `Ischaemic heart diseases
/// (I20-I25)`, `Diseases of the circulatory system (I00-I99)`.
///
/// Codes are read with and without a dot and in any case: `I21.4`, `I214`, `i21.4`. National
/// modifications such as ICD-10-CM add digits and letters after the category, which do not matter
/// here. A category of such a modification that WHO's edition does not have (`C7A`, `Z3A`) is a
/// block of its own in its chapter. Unknown values are children of the root; the summary lists
/// them.
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
/// \[WHO2019\] World Health Organization: International Statistical Classification of Diseases and
/// Related Health Problems, 10th Revision, version of 2019: codes and titles of chapters and of the
/// lowest blocks. Ranges of chapters also cover the categories that ICD-10-CM appends (`D49`,
/// `V00`, `Y99`).
///
/// # Examples
///
/// ```
/// use hedgerow::builder::{HierarchyBuilder, Icd10};
/// use hedgerow::table::Table;
/// let rows = [["I10"], ["I21.0"], ["I219"], ["I25.1"], ["J45"]];
/// let table = Table::from_rows(&["dx"], &rows)?;
/// let tree = Icd10.build(&table.columns()[0])?;
/// assert_eq!(
///     tree.hierarchy().unwrap().outline(),
///     "*(Diseases of the circulatory system (I00-I99)(Hypertensive diseases (I10-I15)(I10.-(I10)),\
///      Ischaemic heart diseases (I20-I25)(I21.-(I21.0,I219),I25.-(I25.1))),\
///      Diseases of the respiratory system (J00-J99)(Chronic lower respiratory diseases (J40-J47)(J45.-(J45))))"
/// );
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Icd10;

impl Described for Icd10 {
    const DESCRIPTION: Description = Description {
        name: "icd10",
        about: "ICD-10 codes: category, block, chapter",
        reference: Some("WHO2019"),
        needs: &[],
        parameters: &[],
    };
}

impl HierarchyBuilder for Icd10 {
    fn grow(&self, column: &Column) -> Result<Generalization> {
        grow::<Self>(column)
    }
}

impl Catalogue for Icd10 {
    const WORDS: &'static str = crate::table::DIAGNOSES;

    const LEVELS: [&'static str; 3] = ["category", "block", "chapter"];

    fn groups(value: &str) -> Option<Vec<String>> {
        let category = icd_category(value)?;
        let chapter = TITLES.iter().find(|title| title.is_chapter && title.holds(&category))?;
        let block = TITLES.iter().find(|title| !title.is_chapter && title.holds(&category));
        // Only modifications of ICD-10 have a letter in the third place; WHO's blocks do not
        // contain such categories.
        let is_national = category.ends_with(|c: char| c.is_ascii_alphabetic());
        let block = match block.filter(|_| !is_national) {
            Some(block) => block.label(),
            None if is_national || chapter.is_edge(&category) => format!("{category}.-"),
            None => return None,
        };
        Some(vec![format!("{category}.-"), block, chapter.label()])
    }

    fn is_telling(value: &str) -> bool {
        value.trim().find('.') == Some(3)
    }

    fn names() -> Vec<&'static str> {
        Vec::new() // the nearest code is not a better guess than any other
    }
}

/// A chapter or a block.
struct Title {
    is_chapter: bool,
    /// The first and the last category: `A00-A09`.
    codes: &'static str,
    words: &'static str,
}

impl Title {
    fn holds(&self, category: &str) -> bool {
        (&self.codes[..3]..=&self.codes[4..]).contains(&category)
    }

    /// Whether a category is the first or the last.
    fn is_edge(&self, category: &str) -> bool {
        [&self.codes[..3], &self.codes[4..]].contains(&category)
    }

    fn label(&self) -> String {
        let (first, last) = (&self.codes[..3], &self.codes[4..]);
        let codes = if first == last { first } else { self.codes };
        format!("{} ({codes})", self.words)
    }
}

static TITLES: LazyLock<Vec<Title>> = LazyLock::new(|| {
    let lines = include_str!("icd10.csv").lines().skip(1);
    let title = |line: &'static str| {
        let mut fields = line.splitn(3, ';');
        let chapter = fields.next()?;
        Some(Title {
            is_chapter: !chapter.is_empty(),
            codes: fields.next()?,
            words: fields.next()?,
        })
    };
    lines.filter_map(title).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_hospitals_write_them() {
        for value in ["I21", "I21.4", "I214", "i21.4", "I21.4A", " I21 ", "I21.-"] {
            let groups = Icd10::groups(value).unwrap();
            assert_eq!(groups[0], "I21.-", "{value}");
            assert_eq!(groups[1], "Ischaemic heart diseases (I20-I25)");
            assert_eq!(groups[2], "Diseases of the circulatory system (I00-I99)");
        }
        for value in ["A10", "I2", "21.4", "flu", "", "I21.", "I21.44444", "II1"] {
            assert_eq!(Icd10::groups(value), None, "{value}");
        }
    }

    #[test]
    fn categories_of_modifications_are_blocks_of_their_own() {
        for value in ["C7A.0", "Z3A.2", "D49.1", "Y99.0"] {
            let groups = Icd10::groups(value).unwrap();
            assert_eq!(groups[0], groups[1], "{value}");
        }
        assert_eq!(Icd10::groups("C7A").unwrap()[2], "Neoplasms (C00-D49)");
    }

    #[test]
    fn all_chapters_and_blocks_are_there() {
        let n_chapters = TITLES.iter().filter(|title| title.is_chapter).count();
        assert_eq!((n_chapters, TITLES.len()), (22, 285));
        assert!(TITLES.iter().all(|title| title.codes.len() == 7 && !title.words.is_empty()));
    }
}
