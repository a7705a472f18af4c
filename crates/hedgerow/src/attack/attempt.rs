//! Reports of attacks, as data for texts, JSON and charts.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::scene::{Scene, Tally};
use crate::error::{Advice, Warning};

/// The information that a successful attack discloses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Discloses {
    /// The record of a person.
    Identity,
    /// A value of a person that the release should hide.
    Attribute,
}

/// The information about a person that several releases reveal together, beyond that of a single
/// one.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct Gain {
    /// The probability of the true value by the release that reveals most alone; of a record, by
    /// the release that has it.
    pub alone: f64,
    /// The probability of the true value, or record, by all releases.
    pub together: f64,
    /// The part of the doubt, `1 - alone`, that the releases remove together; from 0 to 1, which
    /// means that the value, or record, is certain.
    pub share: f64,
}

impl Gain {
    pub(super) fn new(alone: f64, together: f64) -> Self {
        // Nothing can be gained about a value that one release shows.
        let share = if alone < 1.0 { (together - alone) / (1.0 - alone) } else { 0.0 };
        Self { alone, together, share: share.max(0.0) }
    }
}

/// Result of one attempt to break a release.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Attempt {
    /// Name of the attack.
    pub attack: &'static str,
    /// The variant of the attack, if it has several: `exact` and `noisy` knowledge, a learner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<&'static str>,
    /// The column that is disclosed, if a column is disclosed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The other release that was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    /// The information that is disclosed.
    pub discloses: Discloses,
    /// The knowledge of the attacker, as a clause: `age and sex of every person`.
    pub knew: String,
    /// The actions of the attacker, as a sentence.
    pub tried: String,
    /// Whether records are counted even if people have several: the attack is about rows.
    #[serde(skip)]
    pub of_records: bool,
    /// Number of records, or people, that were attacked.
    pub attacked: u64,
    /// Number of these that are exposed: the attacker is right about them, and knows it.
    pub exposed: u64,
    /// Number of records, or people, that would be exposed by chance.
    pub chance: f64,
    /// The greatest probability with which the attacker is right about one of them, unless the
    /// documentation of the attack defines another measure; from 0 to 1.
    pub success: f64,
    /// The mean of this probability over all that were attacked.
    pub mean: f64,
    /// The gain about one person, if several releases were attacked for a value or joined: the
    /// greatest gain about a value, and that about the record that is found with the greatest
    /// probability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<Gain>,
    /// Further figures by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub figures: BTreeMap<&'static str, f64>,
    /// Up to three of those that are exposed or came closest, as published classes with rare values
    /// masked.
    pub examples: Vec<String>,
    /// Advice that would prevent the attack; written in plain words in JSON.
    #[serde(serialize_with = "in_words")]
    pub prevention: Vec<Advice>,
}

impl Attempt {
    /// An attempt without result: nothing was attacked.
    pub(super) fn new(attack: &'static str, discloses: Discloses) -> Self {
        Self {
            attack,
            variant: None,
            column: None,
            other: None,
            discloses,
            knew: String::new(),
            tried: String::new(),
            of_records: false,
            attacked: 0,
            exposed: 0,
            chance: 0.0,
            success: 0.0,
            mean: 0.0,
            gain: None,
            figures: BTreeMap::new(),
            examples: Vec::new(),
            prevention: Vec::new(),
        }
    }

    /// Advice that would prevent the attack, if it was right about anyone. Otherwise following it
    /// would only cost information.
    pub fn remedies(&self) -> &[Advice] {
        if self.exposed > 0 && self.success > 0.0 { &self.prevention } else { &[] }
    }

    /// The same attempt with these counts.
    pub(super) fn counted(self, tally: Tally, chance: f64) -> Self {
        // `mean` is the expected share of right guesses, `success` that about the most exposed
        // person.
        let Tally { attacked, exposed, success, mean } = tally;
        // The sum of no chances is -0; adding 0 removes the sign.
        Self { attacked, exposed, chance: chance + 0.0, success, mean, ..self }
    }

    /// The unit that the attempt counts, if the evidence counts `unit`.
    pub fn unit(&self, unit: &'static str) -> &'static str {
        if self.of_records { "record" } else { unit }
    }

    /// The gain as a clause: the probability by one release alone, by all together, and what the
    /// others add; `None` if the attempt has no gain.
    pub fn told_gain(&self) -> Option<String> {
        let Gain { alone, together, share } = self.gain?;
        let what = match self.discloses {
            Discloses::Identity => "the right record",
            Discloses::Attribute => "the true value",
        };
        // Probabilities that differ by less than is shown are the same to a reader.
        Some(if share < 0.00005 {
            format!("all releases together tell no more about {what} than one of them alone")
        } else {
            format!(
                "{what} of one person has a probability of {alone:.4} by one release alone and of \
                 {together:.4} by all together, which removes {share:.4} of the doubt"
            )
        })
    }

    /// The figure that decides whether releases are refused when they are judged together.
    ///
    /// k-anonymity promises that no attacker finds a record with a probability above 1/k, so for a
    /// record the figure is the probability, if the releases find any record better together than
    /// alone. The models of a single release decide how much it may reveal about a value, so for a
    /// value the figure is the gain.
    pub(crate) fn judged(&self) -> f64 {
        match (&self.gain, self.discloses) {
            (Some(gain), Discloses::Identity) if gain.share > 0.0 => gain.together,
            (Some(gain), _) => gain.share,
            (None, _) => self.success,
        }
    }

    /// The share of the attacked that are exposed.
    pub fn share(&self) -> f64 {
        if self.attacked > 0 { self.exposed as f64 / self.attacked as f64 } else { 0.0 }
    }
}

fn in_words<S: Serializer>(advice: &[Advice], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(advice.iter().map(Advice::to_string))
}

/// An attack that was not run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Skipped {
    /// Name of the attack.
    pub attack: &'static str,
    /// The reason, such as a column that is missing.
    pub reason: Warning,
}

impl Skipped {
    pub(crate) fn new(attack: &'static str, reason: Warning) -> Self {
        Self { attack, reason }
    }
}

/// Results of all attacks on a release.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Evidence {
    /// Number of records in the original.
    pub rows: u64,
    /// Number of records in the release.
    pub released: u64,
    /// The unit that is counted: `record`, or `person` if a column of the original names people.
    pub unit: &'static str,
    /// The generalized columns.
    pub quasi: Vec<String>,
    /// The columns that the attacker knows of every person.
    pub known: Vec<String>,
    /// The sensitive columns.
    pub sensitive: Vec<String>,
    /// The attempts, in the order of the attacks.
    pub attempts: Vec<Attempt>,
    /// The attacks that were not run.
    pub skipped: Vec<Skipped>,
}

impl Evidence {
    /// Evidence without attempts.
    pub(super) fn of(scene: &Scene) -> Self {
        let names = |columns: &[crate::table::Column]| {
            columns.iter().map(|column| column.name.clone()).collect()
        };
        let named = |places: &[usize]| places.iter().map(|&place| scene.name(place)).collect();
        Self {
            rows: scene.original().cohorts().n_records(),
            released: scene.release().n_rows(),
            unit: scene.original().counted_noun(),
            quasi: names(scene.original().columns()),
            known: named(scene.known()),
            sensitive: named(scene.sensitive()),
            attempts: Vec::new(),
            skipped: Vec::new(),
        }
    }

    /// The attempts whose success exceeds a limit.
    pub fn above(&self, limit: f64) -> impl Iterator<Item = &Attempt> {
        // A probability of 1/k must not exceed a limit of 1/k by rounding.
        self.attempts.iter().filter(move |attempt| attempt.success > limit + 1e-9)
    }
}
