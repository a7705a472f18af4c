//! Tree traversal: the paper's examples, and its experiment on samples of Adult.

mod examples;
mod experiment;
mod wins;

use super::{Dataset, Exhibit, Materials, Paper};
use crate::Result;
use crate::method::{Described, Description};
use crate::progress::Progress;

/// Hernandez, Garcia and Rabbani 2018: generalization sets along walks of trees.
///
/// # References
///
/// \[Hernandez2018\].
#[derive(Debug, Clone, Copy, Default)]
pub struct Traversal;

impl Described for Traversal {
    const DESCRIPTION: Description = Description {
        name: "traversal",
        about: "generalization sets along walks of Huffman, search and AVL trees",
        reference: Some("Hernandez2018"),
        needs: &[],
        parameters: &[],
    };
}

impl Paper for Traversal {
    fn citation(&self) -> &'static str {
        "J. C. D. Hernandez, D. A. Garcia, F. Rabbani: Tree Traversal to Achieve Generalization for Data \
         De-identification. International Journal of Open Information Technologies, 2018."
    }

    fn datasets(&self) -> &'static [Dataset] {
        &[Dataset::ADULT]
    }

    fn readings(&self) -> &'static [&'static str] {
        &[
            "The paper runs 80 times and does not say on which records. We draw 80 samples of 500 records \
             with the seeds 0 to 79, in the order of the file: the printed losses fit 450 to 500 records.",
            "Ties of the Huffman tree are broken as in Java's priority queue, filled in the order of first \
             records. Of 80 rules only this one, and its mirror image, gives the sets of the paper's example.",
            "Search trees compare values. The figures, which would show it, are not legible; comparison of \
             frequencies is reported too.",
            "The loss of a column is the mean over the records in sets: only this gives the printed 0.575. \
             Values that stay as they are do not count.",
            "Rule 4 refers to rule four where rule 3 is meant.",
        ]
    }

    fn is_quick(&self) -> bool {
        true
    }

    fn run(&self, materials: &Materials<'_>, progress: &dyn Progress) -> Result<Vec<Exhibit>> {
        // The examples need no data: they check the reading before the experiment relies on it.
        let mut exhibits = examples::exhibits()?;
        let runs = experiment::run(materials, progress)?;
        exhibits.extend(experiment::exhibits(&runs));
        exhibits.extend(wins::exhibits(&runs));
        Ok(exhibits)
    }
}
