//! Divisor and cardinality based hierarchies: table 4, the figures of its lattices, and the
//! techniques that its tables 1 and 2 name.

mod table4;
mod lattices;
mod techniques;

use super::{Dataset, Exhibit, Materials, Paper};
use crate::Result;
use crate::method::{Described, Description};
use crate::progress::Progress;

/// Yaseen et al. 2018: `cgh`, `dbgh` and `cbgh`.
///
/// # References
///
/// \[Yaseen2018\].
#[derive(Debug, Clone, Copy, Default)]
pub struct Divisors;

impl Described for Divisors {
    const DESCRIPTION: Description = Description {
        name: "divisors",
        about: "conventional, divisor based and cardinality based hierarchies",
        reference: Some("Yaseen2018"),
        needs: &[],
        parameters: &[],
    };
}

impl Paper for Divisors {
    fn citation(&self) -> &'static str {
        "S. Yaseen et al.: Improved Generalization for Secure Data Publishing. IEEE Access 6, 2018."
    }

    fn datasets(&self) -> &'static [Dataset] {
        &[Dataset::ADULT]
    }

    fn readings(&self) -> &'static [&'static str] {
        &[
            "What the paper calls height is the number of levels, and its range of hours is 1 to 100 with \
             intervals of at least 10: only then does table 4 have its numbers of nodes.",
            "The paper prints 48,834 records; the complete records of Adult are 45,222.",
            "The distortion of `dbgh` is stated as proportional to the width; table 4 follows another rule, \
             in which a level has the distortion of the level above times its share of the root's width \
             (`distortion=cumulative`).",
            "Divisors do not nest: [21, 40] is in neither [1, 25] nor [26, 50]. A higher level can have a \
             smaller class than a lower one, so no node of a lattice is skipped.",
            "DCP is the discernibility penalty, the sum of the squared sizes of classes.",
            "The intervals of age and hours are at least 10 wide, those of education-num at least 2; the \
             paper states widths for hours only.",
        ]
    }

    fn is_quick(&self) -> bool {
        true
    }

    fn run(&self, materials: &Materials<'_>, progress: &dyn Progress) -> Result<Vec<Exhibit>> {
        // Exhibits are in the order of the tables and figures of the paper.
        let mut exhibits = vec![techniques::exhibit(materials, progress)?];
        exhibits.extend(table4::exhibits(materials)?);
        exhibits.extend(lattices::exhibits(materials, progress)?);
        Ok(exhibits)
    }
}
