//! Trials before a search, as data.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use crate::error::Advice;
use crate::noun::counted;

/// Record of the trials by which `auto` came to its choice.
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
    /// The trials, in their order.
    pub tried: Vec<Trial>,
    /// The position in `tried` of the last trial of the combination that was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<usize>,
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
    /// Seconds that the method was estimated to take for the whole table.
    pub estimated_seconds: f64,
    /// Number of sampled records.
    pub records: u64,
    /// Whether these were all records of the table.
    pub all: bool,
    /// The loss of the release; `None` if the method did not meet the goal on the sample. On a part
    /// of the records, it is that of the same part of `k`, and `hedge` does not rebuild classes.
    pub loss: Option<f64>,
    /// Mean risk of a published record: classes over records, or over people if they can have
    /// several records; `None` if the goal was not met.
    pub risk: Option<f64>,
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
    /// Formats the choice of a method in one line: `chose hedge: loses least of 5 tried (400
    /// records); estimated 8.7 s`. If another combination loses less on a sample, but not clearly,
    /// the line mentions it.
    pub fn line(&self, method: &str) -> Option<String> {
        if !self.of_method {
            return None;
        }
        let mut line = match self.chosen.map(|place| &self.tried[place]) {
            Some(Trial { loss: Some(loss), records, all, .. }) => {
                let what = if *all { "record" } else { "sampled record" };
                let why = self.comparison(*loss, *records);
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

    /// Compares the loss of the chosen combination with all others on the same records.
    fn comparison(&self, loss: f64, records: u64) -> String {
        let n_tried = self.n_tried();
        // Losses on samples of different size cannot be compared.
        let mut others = self.tried.iter().filter(|trial| trial.records == records);
        if n_tried == 1 {
            "the only combination to try".to_owned()
        } else if others.any(|trial| trial.loss.is_some_and(|other| other < loss)) {
            format!("no other of {n_tried} tried loses clearly less")
        } else {
            format!("loses least of {n_tried} tried")
        }
    }

    /// Formats the methods that were left out, with advice on how to ask for them.
    pub fn omissions(&self, spell: &dyn Fn(&Advice) -> String) -> Vec<String> {
        let line = |left: &LeftOut| {
            let advice = [
                // Twice the estimate: the search, and trials before it that may take as long.
                Advice::AllowTime { seconds: (2.0 * left.estimated_seconds).ceil() as u64 },
                Advice::ChooseMethod { method: left.method.clone() },
            ];
            let advice = advice.each_ref().map(spell).join(" or ");
            let seconds = written(left.estimated_seconds);
            format!("left out {}, estimated {seconds}: {advice}", left.method)
        };
        self.left_out.iter().map(line).collect()
    }

    /// Formats the estimated time of each method that was tried; `None` if the method was not
    /// chosen.
    pub fn estimates(&self) -> Option<String> {
        if !self.of_method || self.tried.is_empty() {
            return None;
        }
        let mut found: Vec<(&str, String)> = Vec::new();
        for trial in &self.tried {
            if !found.iter().any(|(method, _)| *method == trial.method) {
                found.push((&trial.method, written(trial.estimated_seconds)));
            }
        }
        let found: Vec<String> =
            found.iter().map(|(method, seconds)| format!("{method} {seconds}")).collect();
        Some(format!("estimated: {}", found.join(", ")))
    }

    /// Number of distinct combinations that were tried.
    fn n_tried(&self) -> usize {
        let mut combinations: Vec<(&str, &BTreeMap<String, String>)> =
            self.tried.iter().map(|trial| (trial.method.as_str(), &trial.hierarchies)).collect();
        // A combination that was tried on both samples counts once.
        combinations.sort_unstable();
        combinations.dedup();
        combinations.len()
    }
}

fn written(seconds: f64) -> String {
    if seconds < 0.1 { "less than 0.1 s".to_owned() } else { format!("{seconds:.1} s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_is_said_only_of_the_least() {
        let trial = |name: &str, loss| Trial {
            method: "hedge".to_owned(),
            hierarchies: BTreeMap::from([("age".to_owned(), name.to_owned())]),
            estimated_seconds: 0.2,
            records: 400,
            all: false,
            loss: Some(loss),
            risk: Some(0.1),
        };
        let line = |second| {
            let tried = vec![trial("least-loss", 0.20), trial("iotf", second)];
            let choosing =
                Choosing { of_method: true, tried, chosen: Some(0), ..Choosing::default() };
            choosing.line("hedge").unwrap()
        };
        assert_eq!(line(0.21), "chose hedge: loses least of 2 tried (400 sampled records)");
        let other = "chose hedge: no other of 2 tried loses clearly less (400 sampled records)";
        assert_eq!(line(0.199), other);
        let tried = vec![trial("least-loss", 0.20), trial("iotf", 0.21)];
        let choosing = Choosing { of_method: true, tried, ..Choosing::default() };
        assert_eq!(choosing.estimates().unwrap(), "estimated: hedge 0.2 s");
    }
}
