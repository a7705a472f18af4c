//! Homogeneity: all candidates of a person have the same sensitive value.

use serde::{Deserialize, Serialize};

use super::scene::{Guess, Scene};
use super::secrets::{Histogram, Secrets, greatest_share, mode};
use super::{Attack, Attempt, Discloses, Tried};
use crate::Result;
use crate::error::Advice;
use crate::method::{Described, Description, Need};
use crate::privacy::l_diversity::usual_l;
use crate::progress::Progress;

/// Reads the sensitive value that all candidates of a person share.
///
/// Records need not be distinguished: if every record that a person can have shows the same
/// diagnosis, the diagnosis is known. A person is exposed in this case. Otherwise the attacker
/// guesses the most frequent value, and is right with the probability of its share. Chance is the
/// mean number of people who are exposed if the sensitive values are shuffled among all records of
/// the release.
///
/// # Complexity
///
/// `O(n)` for `n` records, after candidates were found as for [`Linking`](super::Linking).
///
/// # Guarantees
///
/// Deterministic. Nothing is exposed if every class has at least two values.
///
/// # References
///
/// \[Machanavajjhala2007\] A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam:
/// l-Diversity: Privacy Beyond k-Anonymity, ACM TKDD 1(1), 2007.
///
/// # Examples
///
/// ```
/// use hedgerow::attack::{Attack, Given, Homogeneity, Scene};
/// use hedgerow::progress::Silent;
/// use hedgerow::table::{Columns, Encoding, Table};
/// let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
/// let table = |rows: &[[&str; 2]]| Table::encode(&columns, rows, &Encoding::default());
/// let original = table(&[["20", "flu"], ["21", "flu"], ["30", "flu"], ["31", "gout"]])?;
/// let release = table(&[["20-21", "flu"], ["20-21", "flu"], ["30-31", "flu"], ["30-31", "gout"]])?;
/// let mut given = Given::new(original, release);
/// given.sensitive = vec!["ill".to_owned()];
/// let tried = Homogeneity.run(&Scene::new(given)?, &Silent)?;
/// assert_eq!(tried[0].as_ref().expect("nothing is missing").exposed, 2);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Homogeneity;

impl Described for Homogeneity {
    const DESCRIPTION: Description = Description {
        name: "homogeneity",
        about: "reads the sensitive value that all candidates share",
        reference: Some("Machanavajjhala2007"),
        needs: &[Need::Sensitive],
        parameters: &[],
    };
}

impl Attack for Homogeneity {
    fn attack(&self, scene: &Scene, _: &dyn Progress) -> Result<Vec<Tried>> {
        Ok(scene.sensitive().iter().map(|&place| Ok(on_column(scene, place))).collect())
    }
}

fn on_column(scene: &Scene, place: usize) -> Attempt {
    let secrets = Secrets::new(scene, place);
    let tally = secrets.tally(|values, _| Guess {
        probability: greatest_share(values),
        exposed: values.len() == 1,
    });
    // Chance is a release whose sensitive values are shuffled: small classes agree by accident,
    // too.
    let chance = secrets.chance(|values| values.len() == 1);
    let is_single = |values: &Histogram| f64::from(u8::from(values.len() == 1));
    let told = |values: &Histogram| {
        mode(values).map_or_else(String::new, |code| format!("all have {}", secrets.told(code)))
    };
    Attempt {
        column: Some(scene.name(place)),
        knew: format!("{} of every {}", scene.told_known(), scene.original().counted_noun()),
        tried: format!("looked for candidates that all have the same '{}'", scene.name(place)),
        examples: secrets.examples(is_single, told),
        prevention: prevention(scene, place),
        ..Attempt::new(Homogeneity::DESCRIPTION.name, Discloses::Attribute).counted(tally, chance)
    }
}

/// A model that prevents the attack, if the column has several values.
fn prevention(scene: &Scene, place: usize) -> Vec<Advice> {
    let n_distinct = scene.column(place).domain.n_codes();
    let l = usual_l(Some(n_distinct));
    l.map(|l| Advice::RequireModel { example: format!("l-diversity:l={l}") }).into_iter().collect()
}
