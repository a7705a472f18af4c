//! Background knowledge: the attacker can rule some sensitive values out.

use serde::{Deserialize, Serialize};

use super::scene::{Guess, Scene};
use super::secrets::{Histogram, Secrets, count_of, total};
use super::{Attack, Attempt, Discloses, Tried};
use crate::Result;
use crate::error::Advice;
use crate::method::{Described, Description, Need, Parameter, Type};
use crate::noun::counted;
use crate::progress::Progress;
use crate::table::Code;

/// Rules values out until the candidates of a person have only one.
///
/// A neighbour knows that a person does not have diabetes, or that people of that origin hardly
/// ever have heart disease. The attacker can rule out `values` values of each person, and rules out
/// those that most candidates have, apart from the true one. A person is exposed if only the true
/// value is left; otherwise the guess is right with the probability of its share among the values
/// that are left.
///
/// # Complexity
///
/// `O(n log n)` for `n` records, after candidates were found as for [`Linking`](super::Linking).
///
/// # Guarantees
///
/// Deterministic. Nothing is exposed if every class has at least `values + 2` values, which
/// `l-diversity` demands for `l = values + 2`.
///
/// # References
///
/// \[Machanavajjhala2007\], also for the number of values that an attacker must rule out, which is
/// `l - 1`; the attacker here chooses the values that help most.
///
/// # Examples
///
/// ```
/// use hedgerow::attack::{Attack, BackgroundKnowledge, Given, Scene};
/// use hedgerow::progress::Silent;
/// use hedgerow::table::{Columns, Encoding, Table};
/// let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
/// let rows = [["20", "flu"], ["20", "gout"], ["30", "flu"], ["30", "gout"], ["30", "burn"]];
/// let table = Table::encode(&columns, &rows, &Encoding::default())?;
/// let mut given = Given::new(table.clone(), table);
/// given.sensitive = vec!["ill".to_owned()];
/// let tried = BackgroundKnowledge::default().run(&Scene::new(given)?, &Silent)?;
/// assert_eq!(tried[0].as_ref().expect("nothing is missing").exposed, 2);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct BackgroundKnowledge {
    /// Number of values that the attacker can rule out; at least 1.
    pub values: usize,
}

impl Default for BackgroundKnowledge {
    fn default() -> Self {
        Self { values: 1 }
    }
}

impl Described for BackgroundKnowledge {
    const DESCRIPTION: Description = Description {
        name: "background-knowledge",
        about: "rules sensitive values out until one is left",
        reference: Some("Machanavajjhala2007"),
        needs: &[Need::Sensitive],
        parameters: &[Parameter::new(
            "values",
            Type::at_least(1),
            "number of values that the attacker can rule out for each person",
        )
        .or("1")],
    };
}

impl Attack for BackgroundKnowledge {
    fn attack(&self, scene: &Scene, _: &dyn Progress) -> Result<Vec<Tried>> {
        Ok(scene.sensitive().iter().map(|&place| Ok(self.on_column(scene, place))).collect())
    }
}

impl BackgroundKnowledge {
    fn on_column(self, scene: &Scene, place: usize) -> Attempt {
        let secrets = Secrets::new(scene, place);
        let exposes = |values: &Histogram| values.len() <= self.values + 1;
        let tally = secrets.tally(|values, truth| {
            // The worst case: the attacker rules out the most frequent values but never the true
            // one.
            let left = self.left(values, truth);
            let own = count_of(values, truth);
            // Everyone who is left has the value, so the attacker knows it.
            Guess { probability: own as f64 / left.max(1) as f64, exposed: own == left }
        });
        let chance = secrets.chance(exposes);
        let told = |values: &Histogram| format!("only {}", counted(values.len() as u64, "value"));
        let out = counted(self.values as u64, "value");
        Attempt {
            column: Some(scene.name(place)),
            knew: format!(
                "{} of every {}, and {out} of '{}' that each does not have",
                scene.told_known(),
                scene.original().counted_noun(),
                scene.name(place)
            ),
            tried: format!("ruled out {out}, those that most candidates have"),
            examples: secrets.examples(|values| f64::from(u8::from(exposes(values))), told),
            prevention: vec![self.prevention(scene, place)],
            ..Attempt::new(Self::DESCRIPTION.name, Discloses::Attribute).counted(tally, chance)
        }
    }

    /// A model that prevents the attack or, if the column has too few values for it, to leave the
    /// column out.
    fn prevention(self, scene: &Scene, place: usize) -> Advice {
        let (column, least) = (scene.column(place), self.values + 2);
        if column.domain.n_codes() < least {
            return Advice::DropColumns { columns: vec![column.name.clone()] };
        }
        Advice::RequireModel { example: format!("l-diversity:l={least}") }
    }

    /// Number of candidates that are left after the most frequent other values were ruled out.
    fn left(self, values: &Histogram, truth: Code) -> u64 {
        let mut others: Vec<u64> =
            values.iter().filter(|(code, _)| *code != truth).map(|&(_, count)| count).collect();
        others.sort_unstable_by(|a, b| b.cmp(a));
        // The candidates that remain after the most frequent other values are excluded.
        total(values) - others.iter().take(self.values).sum::<u64>()
    }
}
