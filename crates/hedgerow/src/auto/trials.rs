//! What was tried before a search, as data.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use crate::error::Advice;
use crate::noun::counted;

/// How `auto` came to its choice.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct Choosing {
    /// Whether the method was chosen, not only the hierarchies.
    pub of_method: bool,
    /// The loss that decided.
    pub loss: &'static str,
    /// Seconds that the search was estimated to take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_seconds: Option<f64>,
    /// What was tried, in that order.
    pub tried: Vec<Trial>,
    /// Methods that were not tried because they would have taken too long.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
}

/// A combination of a method and hierarchies that was tried on a sample.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Trial {
    /// The method, with its parameters.
    pub method: String,
    /// The hierarchy of each column that had several candidates.
    pub hierarchies: BTreeMap<String, String>,
    /// Number of sampled records.
    pub records: u64,
    /// Whether these were all records of the table.
    pub all: bool,
    /// The loss of the release; `None` if the method did not meet the goal on the sample.
    pub loss: Option<f64>,
}

/// A method that was not tried.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LeftOut {
    /// The method, with its parameters.
    pub method: String,
    /// Seconds that it was estimated to take.
    pub estimated_seconds: f64,
}

impl Choosing {
    /// Formats the choice of a method in one line: `chose hedge: loses least of 5 tried (2000
    /// sampled records); the search was estimated to take 8.7 s`.
    pub fn line(&self, method: &str) -> Option<String> {
        let last = self.tried.iter().rev().find(|trial| trial.method == method);
        let mut line = match last {
            _ if !self.of_method => return None,
            Some(Trial { loss: Some(_), records, all, .. }) => {
                let what = if *all { "record" } else { "sampled record" };
                let n_tried = self.n_tried();
                let why = if n_tried > 1 {
                    format!("loses least of {n_tried} tried")
                } else {
                    "the only combination to try".to_owned()
                };
                format!("chose {method}: {why} ({})", counted(*records, what))
            }
            Some(_) => format!("chose {method}: no method met the goal on the sample"),
            None => format!("chose {method}, which usually loses least, without a trial"),
        };
        if let Some(seconds) = self.estimated_seconds {
            let _ = write!(line, "; estimated {}", written(seconds));
        }
        Some(line)
    }

    /// Formats the methods that were left out, with advice on how to ask for them.
    pub fn omissions(&self, spell: &dyn Fn(&Advice) -> String) -> Vec<String> {
        let line = |left: &LeftOut| {
            let advice = [
                Advice::AllowTime { seconds: (2.0 * left.estimated_seconds).ceil() as u64 },
                Advice::ChooseMethod { method: left.method.clone() },
            ];
            let advice = advice.each_ref().map(spell).join(" or ");
            let seconds = written(left.estimated_seconds);
            format!("left out {}, estimated {seconds}: {advice}", left.method)
        };
        self.left_out.iter().map(line).collect()
    }

    /// Number of distinct combinations that were tried.
    fn n_tried(&self) -> usize {
        let mut combinations: Vec<(&str, &BTreeMap<String, String>)> =
            self.tried.iter().map(|trial| (trial.method.as_str(), &trial.hierarchies)).collect();
        combinations.sort_unstable();
        combinations.dedup();
        combinations.len()
    }
}

fn written(seconds: f64) -> String {
    if seconds < 0.1 { "less than 0.1 s".to_owned() } else { format!("{seconds:.1} s") }
}
