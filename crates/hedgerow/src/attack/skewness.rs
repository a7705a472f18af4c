//! Skewness: a sensitive value is much more frequent among the candidates of a person than in the
//! whole release.

use serde::{Deserialize, Serialize};

use super::scene::{Guess, Scene};
use super::secrets::{Histogram, Secrets, count_of, total};
use super::{Attack, Attempt, Discloses, Tried};
use crate::Result;
use crate::error::Advice;
use crate::method::{Described, Description, Need, Parameter, Type};
use crate::noun::percent;
use crate::progress::Progress;
use crate::table::Code;

/// Finds people about whose sensitive value the release makes the attacker much surer.
///
/// If 1% of all people have a disease, but half of the candidates of a person, then the release has
/// revealed something about that person even though their class is diverse. The gain is the share
/// of the true value among the candidates, minus its share in the whole release. A person is
/// exposed if it is at least `gain`. The success is the greatest gain, not a probability. The
/// figure `distance` is the greatest total variation distance between the values of candidates and
/// those of the release.
///
/// # Complexity
///
/// `O(n)` for `n` records, after candidates were found as for [`Linking`](super::Linking).
///
/// # Guarantees
///
/// Deterministic. The success is at most `t` on a release that is t-close with equal distances.
///
/// # References
///
/// \[Li2007\] N. Li, T. Li, S. Venkatasubramanian: t-Closeness: Privacy Beyond k-Anonymity and
/// l-Diversity, ICDE 2007, limitations of l-diversity. The threshold is hedgerow's own; the example
/// of the paper, from 1% to 50%, is a gain of 0.49.
///
/// # Examples
///
/// ```
/// use hedgerow::attack::{Attack, Given, Scene, Skewness};
/// use hedgerow::progress::Silent;
/// use hedgerow::table::{Columns, Encoding, Table};
/// let columns = Columns::quasi(&["age"]).and_beside(&["test"]);
/// let mut rows = vec![["20", "positive"], ["20", "negative"]];
/// rows.extend([["30", "negative"]; 98]);
/// let table = Table::encode(&columns, &rows, &Encoding::default())?;
/// let mut given = Given::new(table.clone(), table);
/// given.sensitive = vec!["test".to_owned()];
/// let tried = Skewness::default().run(&Scene::new(given)?, &Silent)?;
/// let attempt = tried[0].as_ref().expect("nothing is missing");
/// assert_eq!(attempt.exposed, 1);
/// assert!((attempt.success - 0.49).abs() < 1e-9);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Skewness {
    /// Minimum gain that counts as disclosure, from 0 to 1.
    pub gain: f64,
}

impl Default for Skewness {
    fn default() -> Self {
        Self { gain: 0.4 }
    }
}

impl Described for Skewness {
    const DESCRIPTION: Description = Description {
        name: "skewness",
        about: "finds values that are much more frequent among candidates than overall",
        reference: Some("Li2007"),
        needs: &[Need::Sensitive],
        parameters: &[Parameter::new(
            "gain",
            Type::UNIT,
            "minimum increase of the share of a value that counts as disclosure",
        )
        .or("0.4")],
    };
}

impl Attack for Skewness {
    fn attack(&self, scene: &Scene, _: &dyn Progress) -> Result<Vec<Tried>> {
        Ok(scene.sensitive().iter().map(|&place| Ok(self.on_column(scene, place))).collect())
    }
}

impl Skewness {
    fn on_column(self, scene: &Scene, place: usize) -> Attempt {
        let secrets = Secrets::new(scene, place);
        let gain = |values: &Histogram, code: Code| gain(&secrets.overall, values, code);
        let tally = secrets.tally(|values, truth| {
            // A share that falls shows the attacker that a value is less likely, which is not
            // counted.
            let probability = gain(values, truth).max(0.0);
            Guess { probability, exposed: probability >= self.gain }
        });
        let best = |values: &Histogram| {
            let gains = values.iter().map(|&(code, _)| (gain(values, code), code));
            // The smallest code of equal gains.
            gains.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)))
        };
        let score = |values: &Histogram| best(values).map_or(0.0, |(gain, _)| gain);
        let told = |values: &Histogram| {
            let found = best(values);
            found.map_or_else(String::new, |(gain, code)| {
                let share = count_of(values, code) as f64 / total(values).max(1) as f64;
                let overall = 100.0 * (share - gain);
                format!("{} have {}, {overall:.1}% overall", percent(share), secrets.told(code))
            })
        };
        let mut attempt = Attempt {
            column: Some(scene.name(place)),
            knew: format!("{} of every {}", scene.told_known(), scene.original().counted_noun()),
            tried: format!(
                "compared the shares of '{}' among candidates with those of the whole release",
                scene.name(place)
            ),
            examples: secrets.examples(
                |values| if score(values) >= self.gain { score(values) } else { 0.0 },
                told,
            ),
            prevention: vec![Advice::RequireModel { example: "t-closeness:t=0.2".to_owned() }],
            ..Attempt::new(Self::DESCRIPTION.name, Discloses::Attribute)
        };
        // By chance, the expected number of records of a shuffled release whose value gained.
        let chance = secrets.chance_of(|values| {
            let exposed = values.iter().filter(|&&(code, _)| gain(values, code) >= self.gain);
            exposed.map(|&(_, count)| count).sum::<u64>() as f64 / total(values).max(1) as f64
        });
        attempt
            .figures
            .insert("distance", secrets.greatest(|values| distance(&secrets.overall, values)));
        attempt.counted(tally, chance)
    }
}

/// The share of a value among candidates, minus its share in the whole release.
fn gain(overall: &Histogram, values: &Histogram, code: Code) -> f64 {
    let share =
        |histogram: &Histogram| count_of(histogram, code) as f64 / total(histogram).max(1) as f64;
    share(values) - share(overall)
}

/// The total variation distance between two distributions.
fn distance(overall: &Histogram, values: &Histogram) -> f64 {
    let gains = values.iter().map(|&(code, _)| gain(overall, values, code));
    // The positive differences add up to the total variation distance: half of all differences.
    gains.filter(|gain| *gain > 0.0).sum()
}
