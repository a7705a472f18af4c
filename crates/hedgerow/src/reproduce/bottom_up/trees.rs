//! Table 1: the hierarchies of the seven columns, in two arrangements.

use super::income::{CATEGORIES, Income};
use crate::Result;
use crate::format::Format;
use crate::hierarchy::{Generalization, Hierarchy};
use crate::reproduce::{Exhibit, Sheet, Verdict};

/// Leaves and levels that the paper prints for each column, in the order of [`CATEGORIES`].
const PRINTED: [(usize, usize); 7] = [(8, 3), (16, 5), (7, 3), (14, 3), (5, 2), (2, 2), (41, 4)];

/// A hierarchy for each column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TreeSet {
    /// Those of `data/hierarchies`, with the leaves and levels that the paper prints.
    Ours,
    /// Deeper ones, with the leaves, levels and inner nodes of Fung's published trees.
    Deeper,
}

impl TreeSet {
    pub(super) const ALL: [Self; 2] = [Self::Ours, Self::Deeper];

    /// The texts of the hierarchies, in the order of [`CATEGORIES`].
    fn texts(self) -> [&'static str; 7] {
        let ours = [
            include_str!("../../../data/hierarchies/workclass.csv"),
            include_str!("../../../data/hierarchies/education.csv"),
            include_str!("../../../data/hierarchies/marital-status.csv"),
            include_str!("../../../data/hierarchies/occupation.csv"),
            include_str!("../../../data/hierarchies/race.csv"),
            include_str!("../../../data/hierarchies/sex.csv"),
            include_str!("../../../data/hierarchies/native-country.csv"),
        ];
        match self {
            Self::Ours => ours,
            // Three of Fung's trees have the same shape as ours, so they are not repeated.
            Self::Deeper => [
                include_str!("deeper-workclass.csv"),
                ours[1],
                include_str!("deeper-marital-status.csv"),
                ours[3],
                include_str!("deeper-race.csv"),
                ours[5],
                include_str!("deeper-native-country.csv"),
            ],
        }
    }

    /// Reads the hierarchies.
    pub(super) fn read(self) -> Result<Vec<Generalization>> {
        let arx = Format::named("arx")?;
        let columns = CATEGORIES.iter().zip(self.texts());
        columns.map(|(name, text)| arx.read(text, Some(name)).map(Generalization::from)).collect()
    }
}

pub(super) fn exhibit(data: &Income) -> Result<Exhibit> {
    let heads = [
        "column",
        ">values",
        ">paper: leaves",
        ">levels",
        ">ours: leaves",
        ">levels",
        ">deeper: levels",
    ];
    let mut sheet = Sheet::new("trees", "Leaves and levels of the hierarchies", &heads);
    let sets = TreeSet::ALL.map(TreeSet::read);
    let [ours, deeper] = sets;
    let (ours, deeper) = (ours?, deeper?);
    let mut are_same = true;
    for (place, (name, printed)) in CATEGORIES.iter().zip(PRINTED).enumerate() {
        let [own, deep] = [&ours, &deeper].map(|set| set[place].hierarchy().map_or((0, 0), shape));
        // The deeper trees differ from the printed numbers deliberately and are not compared.
        are_same &= own == printed;
        let numbers = [data.n_values(place), printed.0, printed.1, own.0, own.1, deep.1];
        sheet.row(std::iter::once((*name).to_owned()).chain(numbers.map(|n| n.to_string())));
    }
    let exhibit = Exhibit::new("Table 1", "the hierarchies")
        .says("Seven categories of Adult; the table has the leaves and levels of each hierarchy, which is not printed.")
        .found("Our trees have the printed leaves and levels; the deeper ones have more levels for four columns.")
        .with_sheet(sheet);
    Ok(if are_same {
        exhibit.verdict(
            Verdict::InDirection,
            "the numbers are the same by construction, but not necessarily the trees",
        )
    } else {
        exhibit.verdict(Verdict::Not, "the leaves or levels differ")
    })
}

/// The numbers of leaves and of levels, counting those of the root and of the leaves.
fn shape(tree: &Hierarchy) -> (usize, usize) {
    // The paper counts levels, which are one more than the edges to the deepest leaf.
    let height = tree.depths().into_iter().max().unwrap_or(0);
    (tree.n_leaves(), height as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_have_the_numbers_of_methods_4_5() {
        let shapes = |set: TreeSet| -> Vec<(usize, usize)> {
            set.read().unwrap().iter().map(|tree| shape(tree.hierarchy().unwrap())).collect()
        };
        assert_eq!(shapes(TreeSet::Ours), PRINTED);
        let deeper = [(8, 5), (16, 5), (7, 4), (14, 3), (5, 3), (2, 2), (41, 4)];
        assert_eq!(shapes(TreeSet::Deeper), deeper);
        let inner = |tree: &Generalization| {
            let tree = tree.hierarchy().unwrap();
            tree.len() - tree.n_leaves()
        };
        let deeper = TreeSet::Deeper.read().unwrap();
        assert_eq!([1, 3, 6].map(|place| inner(&deeper[place])), [10, 4, 19]);
    }
}
