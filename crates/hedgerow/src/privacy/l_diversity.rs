//! l-diversity.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{COLUMN, ClassView, FROM_1, PrivacyModel, Secret, at_most_attained};
use crate::error::{Advice, Eased};
use crate::method::{Described, Description, Need, Parameter, Type, Validate};
use crate::table::Code;
use crate::{Error, Result};

/// The sensitive values of every class are at least `l`-diverse.
///
/// *Distinct* diversity is the number of distinct values. *Entropy* diversity is the exponential of
/// their entropy: the number of equally frequent values that would be as diverse. *Recursive* `(c,
/// l)`-diversity requires that the most frequent value has fewer records than `c` times the values
/// from the `l`-th most frequent on, so it does not dominate the class even after `l - 2` values
/// have been ruled out.
///
/// # Complexity
///
/// `O(m)` for a class with `m` distinct values, `O(m log m)` for recursive diversity.
///
/// # Guarantees
///
/// Monotone: the union of classes that satisfy the model satisfies it.
///
/// # References
///
/// \[Machanavajjhala2007\] A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam:
/// l-Diversity: Privacy Beyond k-Anonymity, ACM TKDD 1(1), 2007, sections 3 and 4; METHODS 6.11.
/// The comparison of recursive diversity is strict, as in the paper.
///
/// # Examples
///
/// ```
/// use hedgerow::privacy::{ClassView, Diversity, LDiversity, PrivacyModel, Secret};
/// use hedgerow::table::Code;
/// let code = Code::new;
/// let secret = Secret::from_values("illness", &["flu", "flu", "ulcer"])?.into();
/// let model = LDiversity::new(Diversity { l: 2.0, ..Diversity::default() }, &secret)?;
/// let class = ClassView { size: 5, population: 5.0, counts: &[(code(0), 4), (code(1), 1)] };
/// assert!(model.holds(&class));
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct LDiversity {
    asked: Diversity,
    secret: Arc<Secret>,
}

/// The diversity that a class must have.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Diversity {
    /// The measure of diversity.
    pub kind: DiversityKind,
    /// Required diversity; at least 1, and an integer unless the kind is entropy.
    pub l: f64,
    /// Bound on the count of the most frequent value, as a multiple of the counts from the `l`-th
    /// on; used only by recursive diversity.
    pub c: f64,
}

/// The three kinds of diversity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DiversityKind {
    /// Number of distinct values.
    #[default]
    Distinct,
    /// The exponential of the entropy; at least `l` means an entropy of at least `ln l`.
    Entropy,
    /// The most frequent value has fewer records than `c` times all values from the `l`-th on.
    Recursive,
}

impl Default for Diversity {
    fn default() -> Self {
        Self { kind: DiversityKind::Distinct, l: 2.0, c: 2.0 }
    }
}

impl Described for Diversity {
    const DESCRIPTION: Description = Description {
        name: "l-diversity",
        about: "each class has at least l sensitive values",
        reference: Some("Machanavajjhala2007"),
        needs: &[Need::Sensitive],
        parameters: &[
            Parameter::new(
                "kind",
                Type::Choice(&["distinct", "entropy", "recursive"]),
                "measure of diversity",
            )
            .or("distinct"),
            Parameter::new(
                "l",
                FROM_1,
                "minimum diversity of a class; whole unless kind=entropy; 2 or more protects",
            )
            .or("2"),
            Parameter::new(
                "c",
                Type::POSITIVE,
                "bound on the most frequent value, in multiples of the rest (kind=recursive)",
            )
            .or("2"),
            COLUMN,
        ],
    };
}

impl LDiversity {
    /// Creates the model for one sensitive column.
    pub fn new(asked: Diversity, secret: &Arc<Secret>) -> Result<Self> {
        asked.validate()?;
        if asked.l.fract() != 0.0 && asked.kind != DiversityKind::Entropy {
            let problem = "it must be a whole number unless kind=entropy";
            return Err(Error::parameter("l-diversity", "l", Some(&asked.l.to_string()), problem));
        }
        Ok(Self { asked, secret: Arc::clone(secret) })
    }

    /// The largest `l` for which the counts are recursively `(c, l)`-diverse; 0 if there is none.
    fn recursive(&self, counts: &[(Code, u64)]) -> f64 {
        let mut counts: Vec<u64> = counts.iter().map(|&(_, count)| count).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let most = counts.first().copied().unwrap_or(0) as f64;
        let mut tail = 0;
        // Go from the rarest value to the most frequent one: the first `l` that satisfies the
        // inequality is the largest.
        for (place, count) in counts.iter().enumerate().rev() {
            tail += count;
            // r_1 < c (r_l + .. + r_m): a longer tail makes the inequality easier to satisfy.
            if most < self.asked.c * tail as f64 {
                return (place + 1) as f64;
            }
        }
        0.0
    }
}

impl PrivacyModel for LDiversity {
    fn name(&self) -> &'static str {
        match self.asked.kind {
            DiversityKind::Distinct => "l-diversity",
            DiversityKind::Entropy => "entropy l-diversity",
            DiversityKind::Recursive => "recursive l-diversity",
        }
    }

    fn secret(&self) -> Option<&Arc<Secret>> {
        Some(&self.secret)
    }

    fn asked(&self) -> f64 {
        self.asked.l
    }

    fn least_size(&self) -> u64 {
        self.asked.l.ceil() as u64
    }

    fn best(&self) -> f64 {
        self.secret.n_values() as f64 // all values equally often
    }

    fn advice(&self, attained: f64) -> Vec<Advice> {
        // A larger `c` can help only if the column has at least `l` values.
        let may_c_help = self.asked.kind == DiversityKind::Recursive && self.asked.l <= self.best();
        let does_protect = attained >= 1.0001; // advice has four decimals
        let less = does_protect.then(|| at_most_attained(self.name(), self.sense(), attained));
        let larger_c = may_c_help.then(|| Advice::words("choose a larger c"));
        let advice: Vec<Advice> = less.into_iter().chain(larger_c).collect();
        if advice.is_empty() {
            let words = "leave this model out, because all records have the same value";
            return vec![Advice::words(words)];
        }
        advice
    }

    fn fails_in_parts(&self) -> bool {
        // For the other kinds, a subset can have a more even distribution than its class.
        self.asked.kind == DiversityKind::Distinct
    }

    fn least_distinct(&self) -> Option<u64> {
        (self.asked.kind == DiversityKind::Distinct).then_some(self.asked.l as u64)
    }

    fn eased(&self, attained: f64) -> Option<Eased> {
        Eased::of(self, "l", attained)
    }

    fn attained(&self, class: &ClassView<'_>) -> f64 {
        match self.asked.kind {
            DiversityKind::Distinct => class.counts.len() as f64,
            DiversityKind::Entropy => {
                // H = -sum of p ln p over the values of the class; exp(H) is compared with l.
                let entropy: f64 = class.shares().map(|(_, p)| -p * p.ln()).sum();
                entropy.exp()
            }
            DiversityKind::Recursive => self.recursive(class.counts),
        }
    }
}

/// The `l` to suggest for a column with this number of distinct values: 3, or fewer if there are
/// fewer. Without diversity there is none; if the number is not known, every column that has any
/// reaches 2.
pub(crate) fn usual_l(n_distinct: Option<usize>) -> Option<usize> {
    const USUAL: usize = 3;
    match n_distinct {
        Some(0 | 1) => None,
        Some(n) => Some(n.min(USUAL)),
        None => Some(2),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{class, column, near};
    use super::*;

    fn attained(kind: DiversityKind, c: f64, counts: &[u64]) -> f64 {
        let secret = column(&[("a", 1), ("b", 1), ("c", 1), ("d", 1)]);
        let model = LDiversity::new(Diversity { kind, l: 1.0, c }, &secret).unwrap();
        model.attained(&class(&mut Vec::new(), counts))
    }

    /// METHODS 6.11.
    #[test]
    fn the_counts_of_methods_have_these_diversities() {
        let entropy = |counts: &[u64]| attained(DiversityKind::Entropy, 2.0, counts);
        near(entropy(&[5, 3, 2, 1]), 3.458, 5e-4);
        near(entropy(&[2, 1, 1]), 2.828, 5e-4);
        let most_l = |c, counts: &[u64]| attained(DiversityKind::Recursive, c, counts);
        near(most_l(2.0, &[5, 3, 2, 1]), 3.0, 0.0); // (2,3): 5 < 6, but (2,4): 5 > 2
        near(most_l(1.0, &[5, 3, 2, 1]), 2.0, 0.0); // (1,2): 5 < 6
        near(most_l(2.0, &[2, 1, 1]), 2.0, 0.0); // (2,3): 2 < 2 is not
        near(attained(DiversityKind::Distinct, 2.0, &[5, 3, 2, 1]), 4.0, 0.0);
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let secret = column(&[("a", 1), ("b", 1)]);
        for (l, c) in [(0.0, 2.0), (2.5, 2.0), (f64::NAN, 2.0), (2.0, 0.0), (2.0, f64::INFINITY)] {
            let asked = Diversity { kind: DiversityKind::Recursive, l, c };
            assert!(LDiversity::new(asked, &secret).is_err(), "{l} {c}");
        }
    }
}
