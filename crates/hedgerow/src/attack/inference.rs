//! Inference: learners that were trained on a release predict sensitive values.

use serde::{Deserialize, Serialize};

use super::scene::{EXAMPLES, Scene};
use super::{Attack, Attempt, Discloses, Tried};
use crate::Result;
use crate::classify::{self, Drawn, Membership};
use crate::error::Advice;
use crate::method::{Described, Description, Need, Parameter, Type};
use crate::noun::grouped;
use crate::progress::{Progress, stop_if_cancelled};
use crate::table::Cohort;

/// Predicts a sensitive column from the published cells, with a decision tree and with naive Bayes.
///
/// A prediction about people outside the release shows what the release teaches about everybody;
/// taking part does not change it. The additional accuracy for people whose records the learner was
/// trained on is what taking part costs them. Those that are exposed are the people inside whose
/// value is predicted correctly; chance is the number that is predicted correctly of people
/// outside. The success is the difference of the two accuracies, not a probability, and the mean is
/// the accuracy inside. The figures `inside`, `outside` and `majority` are accuracies; the last is
/// that of always predicting the most frequent value.
///
/// # Complexity
///
/// Training four times for each learner.
///
/// # Guarantees
///
/// The same seed gives the same sample and folds. Differences below about `1 / sqrt(n)` for `n`
/// records are not significant.
///
/// # References
///
/// \[Kifer2009\] D. Kifer: Attacks on Privacy and deFinetti's Theorem, SIGMOD 2009, for learning
/// from a release; \[Quinlan1993\] and \[Domingos1997\] for the learners. The comparison of people
/// inside and outside is hedgerow's own.
///
/// # Examples
///
/// ```
/// use hedgerow::attack::{Attack, Given, Inference, Scene};
/// use hedgerow::progress::Silent;
/// use hedgerow::table::{Columns, Encoding, Table};
/// let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
/// let row = |i: usize| [(i % 2).to_string(), ["flu", "gout"][i % 2].to_owned()];
/// let table = Table::encode(&columns, &(0..60).map(row).collect::<Vec<_>>(), &Encoding::default())?;
/// let mut given = Given::new(table.clone(), table);
/// given.sensitive = vec!["ill".to_owned()];
/// let tried = Inference::default().run(&Scene::new(given)?, &Silent)?;
/// let tree = tried[0].as_ref().expect("nothing is missing");
/// // The age determines the illness, inside and outside alike.
/// assert_eq!((tree.exposed, tree.success), (60, 0.0));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Inference {
    /// Seed of the choice of people who are held out, and of the sample.
    pub seed: u64,
    /// Maximum number of distinct records that learners are trained on; more are sampled. 0 means
    /// all.
    pub sample: usize,
}

impl Described for Inference {
    const DESCRIPTION: Description = Description {
        name: "inference",
        about: "learners trained on the release predict sensitive values inside and outside",
        reference: Some("Kifer2009"),
        needs: &[Need::Sensitive],
        parameters: &[
            Parameter::new(
                "seed",
                Type::at_least(0),
                "seed of the choice of people who are held out, and of the sample",
            )
            .or("0"),
            Parameter::new(
                "sample",
                Type::at_least(0),
                "maximum number of distinct records to learn from, of which more are sampled; 0 for all",
            )
            .or("0"),
        ],
    };
}

impl Attack for Inference {
    fn attack(&self, scene: &Scene, progress: &dyn Progress) -> Result<Vec<Tried>> {
        let mut tried = Vec::new();
        for &place in scene.sensitive() {
            stop_if_cancelled(progress)?;
            let column = scene.name(place);
            let drawn = Drawn { seed: self.seed, most: self.sample };
            let found = classify::membership(scene.original(), scene.release(), &column, drawn)?;
            tried.extend(found.map(|learnt| Ok(attempt(scene, place, learnt))));
        }
        Ok(tried)
    }
}

fn attempt(scene: &Scene, place: usize, learnt: Membership) -> Attempt {
    let column = scene.name(place);
    let Membership { learner, inside, outside, majority, tested, n_distinct, right } = learnt;
    let n_all = scene.release().cohorts().len();
    // Said, because the figures are then those of the sample.
    let drawn = if n_distinct < n_all {
        let [drawn, all] = [n_distinct, n_all].map(|n| grouped(n as u64));
        format!(" in a sample of {drawn} of {all} distinct records")
    } else {
        String::new()
    };
    Attempt {
        variant: Some(learner),
        column: Some(column.clone()),
        knew: format!("the published {} of every person{drawn}", scene.told_quasi()),
        tried: format!("trained {learner} on the release{drawn} and predicted '{column}'"),
        of_records: true,
        attacked: tested,
        exposed: (inside * tested as f64).round() as u64,
        // Correct predictions about others are due to the population; only the excess over them is
        // due to membership.
        chance: outside * tested as f64,
        success: (inside - outside).max(0.0),
        mean: inside,
        figures: [("inside", inside), ("outside", outside), ("majority", majority)].into(),
        examples: right.iter().take(EXAMPLES).map(|&cohort| told(scene, place, cohort)).collect(),
        prevention: vec![
            Advice::RequireModel { example: "t-closeness:t=0.2".to_owned() },
            Advice::words("choose a larger k, so that classes say less about single people"),
        ],
        ..Attempt::new(Inference::DESCRIPTION.name, Discloses::Attribute)
    }
}

/// Published cells, and the value that is predicted from them.
fn told(scene: &Scene, place: usize, cohort: Cohort) -> String {
    let tuple = scene.release().cohorts().tuple(cohort);
    let shown = |place: usize| scene.told_cell(place, tuple[place]);
    let cells: Vec<String> = (0..scene.release().columns().len()).map(shown).collect();
    format!("{}: predicts {}", cells.join(", "), shown(place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::Given;
    use crate::progress::Silent;
    use crate::table::{Columns, Encoding, Table};

    #[test]
    fn learners_say_that_they_saw_a_sample() {
        let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
        let rows: Vec<[String; 2]> =
            (0..300).map(|i| [i.to_string(), (i % 2).to_string()]).collect();
        let table = Table::encode(&columns, &rows, &Encoding::default()).unwrap();
        let mut given = Given::new(table.clone(), table);
        given.sensitive = vec!["ill".to_owned()];
        let scene = Scene::new(given).unwrap();
        let tried = |sample: usize| {
            let attack = Inference { sample, ..Inference::default() };
            attack.run(&scene, &Silent).unwrap().remove(0).unwrap()
        };
        let found = tried(40);
        assert_eq!(found.attacked, 40);
        let said = "in a sample of 40 of 300 distinct records";
        assert!(found.knew.ends_with(said) && found.tried.contains(said), "{found:?}");
        assert_eq!(tried(40), found);
        for all in [0, 300, 1_000] {
            let found = tried(all);
            assert!(found.attacked == 300 && !found.knew.contains("sample"), "{found:?}");
        }
    }
}
