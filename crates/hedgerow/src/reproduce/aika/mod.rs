//! AIKA: hierarchies of words that are constructed and ranked, and the results.

mod subjects;
mod measured;
mod correlations;
mod scatter;
mod contest;
mod costs;

use self::measured::Measured;
use self::subjects::Subject;
use super::{Dataset, Exhibit, Materials, Paper};
use crate::Result;
use crate::method::{Described, Description};
use crate::progress::Progress;

/// Ayala-Rivera, Murphy and Thorpe 2016: construction and ranking of hierarchies of words.
///
/// # References
///
/// \[Ayala2016\].
#[derive(Debug, Clone, Copy, Default)]
pub struct Aika;

impl Described for Aika {
    const DESCRIPTION: Description = Description {
        name: "aika",
        about: "hierarchies of words that are constructed from WordNet, and ranked before use",
        reference: Some("Ayala2016"),
        needs: &[],
        parameters: &[],
    };
}

/// The authors' data set.
const INSURANCE: Dataset = Dataset {
    name: "insurance",
    about: "the Insurance data set of the authors: 10,000 records of eight columns, without a header",
    is_required: false,
};

impl Paper for Aika {
    fn citation(&self) -> &'static str {
        "V. Ayala-Rivera, L. Murphy, C. Thorpe: Automatic Construction of Generalization Hierarchies for Publishing \
         Anonymized Data. KSEM 2016, LNCS 9983."
    }

    fn datasets(&self) -> &'static [Dataset] {
        &[INSURANCE, Dataset::ADULT]
    }

    fn readings(&self) -> &'static [&'static str] {
        &[
            "The values of figures 6 to 10 are printed as charts only; we compare what the text says about them.",
            "A generated table of 10,000 claims takes the place of data that cannot be passed on; \
             the authors' Insurance data set is used if it is given. Adult's occupations have the senses that the \
             authors' own file of Adult gives them.",
            "Every column is anonymized alone, with Datafly and each of 100 candidates, for k = 2 to 100: only this \
             gives the number of solutions that the paper names. Up to k records may be suppressed, which is the \
             default of the toolbox that the paper uses; the same without suppression is reported too.",
            "The paper has no formulas for its aspects; ours are reconstructed. Semantic variance is measured in the \
             hierarchy, not in WordNet, where it would fall as nodes are added.",
            "Distortion is computed without suppression. Removing levels leaves no value alone on the root if it has a \
             group; hierarchies that do so are easy to tell by their distortion, and are not among the candidates.",
            "Correlations are Spearman's, between ranks and measures, for each k and each choice of the other weights; \
             shown are their means and standard deviations.",
            "Hand-made hierarchies are ours: one for each column of claims and `data/hierarchies/occupation.csv`. Those \
             of the paper are not available.",
        ]
    }

    fn run(&self, materials: &Materials<'_>, progress: &dyn Progress) -> Result<Vec<Exhibit>> {
        let subjects = Subject::all(materials)?;
        // All releases are made once; figures 6, 7 and 8 read the same outcomes.
        let measured = Measured::all(&subjects, materials, progress)?;
        let mut exhibits = vec![subjects::exhibit(&subjects)];
        exhibits.push(correlations::by_weight(&measured));
        exhibits.push(scatter::exhibit(&subjects, &measured)?);
        exhibits.push(correlations::by_column(&measured));
        exhibits.push(contest::exhibit(&subjects)?);
        exhibits.push(costs::exhibit(&subjects, materials));
        Ok(exhibits)
    }
}
