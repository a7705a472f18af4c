//! Random privacy models.

use hedgerow::method::Spec;
use proptest::sample::Index;

use crate::second::Demand;

/// A model as a job names it, and its demand on a column.
pub(crate) struct Model {
    pub(crate) spec: Spec,
    pub(crate) column: &'static str,
    pub(crate) demand: Demand,
}

impl Model {
    pub(super) fn new(which: Index, strength: u32) -> Self {
        let n = strength + 1;
        let l = f64::from(n);
        let share = 1.0 / l;
        let (tau, lambda) = (n as usize, 3);
        let beta = |is_enhanced| Demand::Like { beta: l, is_enhanced };
        let delta = |may_lack| Demand::Disclose { delta: l, may_lack };
        let of_words = |name: &str, demand| (format!("{name},column=s"), "s", demand);
        let of_numbers = |name: &str, demand| (format!("{name},column=x"), "x", demand);
        let all = [
            (format!("k-anonymity:k={n}"), "s", Demand::Records(u64::from(n))),
            of_words(&format!("l-diversity:l={l}"), Demand::Different(l)),
            of_words(&format!("l-diversity:kind=entropy,l={l}"), Demand::Entropy(l)),
            of_words(
                &format!("l-diversity:kind=recursive,c=2,l={l}"),
                Demand::Recursive { l: n as usize, c: 2.0 },
            ),
            of_words(&format!("p-sensitive:p={l}"), Demand::Different(l)),
            of_words(&format!("alpha-k:alpha={share}"), Demand::Share(share)),
            of_words(&format!("l-plus:l={}", l + 0.5), Demand::Share(1.0 / (l + 0.5))),
            of_words(&format!("t-closeness:t={share}"), Demand::Close(share)),
            of_numbers(
                &format!("t-closeness:distance=ordered,t={share}"),
                Demand::CloseInOrder(share),
            ),
            of_words(&format!("beta-likeness:beta={l}"), beta(false)),
            of_words(&format!("beta-likeness:kind=enhanced,beta={l}"), beta(true)),
            of_words(&format!("delta-disclosure:delta={l}"), delta(false)),
            of_words(&format!("delta-disclosure:absent=allowed,delta={l}"), delta(true)),
            of_words(
                &format!("tau-lambda:tau={tau},lambda={lambda}"),
                Demand::Unique { tau, lambda },
            ),
            of_numbers(
                &format!("epsilon-m:epsilon=10,m={l}"),
                Demand::Apart { epsilon: 10.0, m: l },
            ),
        ];
        let (spec, column, demand) = which.get(&all).clone();
        Self { spec: spec.parse().unwrap(), column, demand }
    }

    /// Whether the model depends only on the sizes of classes.
    pub(crate) fn is_of_sizes(&self) -> bool {
        matches!(self.demand, Demand::Records(_))
    }
}
