//! l+-diversity.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{COLUMN, ClassView, FROM_1, PrivacyModel, Secret, Sense};
use crate::error::{Advice, Eased};
use crate::method::{Described, Description, Need, Parameter, Type, Validate};
use crate::table::Code;
use crate::{Error, Result, file};

/// Every sensitive value `v` has at most a share `1 / l(v)` of a class, with its own threshold
/// `l(v)`.
///
/// Illnesses differ in how much harm their disclosure does, so each value can have its own
/// threshold instead of that of the most harmful value. A class attains the largest ratio of a
/// value's share to its allowed share, and the requested parameter is 1: no value exceeds its
/// allowed share. A class that attains 0.8 would satisfy the model even if every `l` were divided
/// by 0.8.
///
/// # Complexity
///
/// `O(m)` for a class with `m` distinct values.
///
/// # Guarantees
///
/// Monotone: the share of a value in the union of two classes lies between its shares in each.
///
/// # References
///
/// \[Liu2010\] J. Liu, K. Wang: On Optimal Anonymization for l+-Diversity, ICDE 2010; METHODS 6.11.
/// Only the abstract was available.
///
/// # Examples
///
/// ```
/// use hedgerow::privacy::{ClassView, LPlus, PrivacyModel, Secret, Thresholds};
/// use hedgerow::table::Code;
/// let code = Code::new;
/// let secret = Secret::from_values("illness", &["flu", "flu", "ulcer"])?.into();
/// let model = LPlus::new(Thresholds { l: 2.0, file: None }, &secret)?;
/// let class = ClassView { size: 5, population: 5.0, counts: &[(code(0), 3), (code(1), 2)] };
/// assert!(!model.holds(&class) && (model.attained(&class) - 1.2).abs() < 1e-12);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct LPlus {
    /// The threshold of each value.
    thresholds: Vec<f64>,
    /// The threshold of all values, if no file is given.
    common: Option<f64>,
    secret: Arc<Secret>,
}

/// A limit on the share of each sensitive value in a class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Thresholds {
    /// The threshold of values that the file does not name; at least 1, which allows any share.
    pub l: f64,
    /// A CSV file of values and their thresholds, `value,l`.
    pub file: Option<PathBuf>,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { l: 1.0, file: None }
    }
}

impl Described for Thresholds {
    const DESCRIPTION: Description = Description {
        name: "l-plus",
        about: "no sensitive value has more than 1/l of a class, with an l for each value",
        reference: Some("Liu2010"),
        needs: &[Need::Sensitive],
        parameters: &[
            Parameter::new(
                "l",
                FROM_1,
                "the threshold of values that the file does not name; 1 allows any share",
            )
            .or("1"),
            Parameter::new(
                "file",
                Type::File,
                "a CSV file of values and their thresholds, value,l",
            ),
            COLUMN,
        ],
    };
}

impl LPlus {
    /// Creates the model for one sensitive column.
    pub fn new(asked: Thresholds, secret: &Arc<Secret>) -> Result<Self> {
        asked.validate()?;
        let Thresholds { l, file } = asked;
        if file.is_none() && l <= 1.0 {
            let advice = [
                Advice::words("give a file of thresholds with file=FILE (lines value,l)"),
                Advice::words("give one threshold for all values, such as l=3"),
            ];
            let problem = "demands nothing, because no threshold is given";
            return Err(Error::of_kind("privacy model", "l-plus", problem).advise(advice));
        }
        let common = file.is_none().then_some(l);
        let mut thresholds = vec![l; secret.counts().len()];
        if let Some(path) = file {
            // Thresholds of the file replace the common one.
            for (value, threshold) in read_thresholds(&path, secret)? {
                thresholds[value.index()] = threshold;
            }
        }
        Ok(Self { thresholds, common, secret: Arc::clone(secret) })
    }

    /// The thresholds of the values that occur.
    fn demanded(&self) -> impl Iterator<Item = f64> {
        let counts = self.thresholds.iter().zip(self.secret.counts());
        counts.filter(|(_, count)| **count > 0).map(|(threshold, _)| *threshold)
    }
}

fn is_threshold(l: f64) -> bool {
    l >= 1.0 && l.is_finite()
}

/// Reads the codes of values with their thresholds. The first line is a header if its first field
/// is not a value of the column and its second is not a number.
fn read_thresholds(path: &Path, secret: &Secret) -> Result<Vec<(Code, f64)>> {
    let bytes = file::read(path)?;
    let lines = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(&*bytes);
    let mut thresholds: Vec<(Code, f64)> = Vec::new();
    for (place, line) in lines.into_records().enumerate() {
        let line = line.map_err(|error| not_csv(&error).in_file(path))?;
        let number = line.position().map(csv::Position::line);
        let fault = |problem: String| Error::syntax(number, problem).in_file(path);
        let threshold = line.get(1).and_then(|field| field.trim().parse().ok());
        let (value, threshold) = match (line.get(0), threshold, line.len()) {
            (Some(value), Some(threshold), 2) => (value, threshold),
            // A header: its fields are neither a value of the column nor a number.
            (Some(value), None, 2) if place == 0 && secret.find(value).is_none() => continue,
            _ => return Err(fault("this is not of the form value,l with a number l".to_owned())),
        };
        let Some(code) = secret.find(value) else {
            return Err(fault(secret.lacks(value)));
        };
        if !is_threshold(threshold) {
            return Err(fault(format!("l of '{value}' is {threshold}; l must be at least 1")));
        }
        if thresholds.iter().any(|&(known, _)| known == code) {
            let problem = format!("'{value}' is given twice");
            return Err(fault(problem).advise([Advice::words("give it one l")]));
        }
        thresholds.push((code, threshold));
    }
    if thresholds.is_empty() {
        return Err(Error::file(path, "the file has no thresholds")
            .advise([Advice::words("write lines value,l")]));
    }
    Ok(thresholds)
}

/// An error of the CSV reader, with its line.
fn not_csv(error: &csv::Error) -> Error {
    Error::syntax(error.position().map(csv::Position::line), format!("this is not CSV: {error}"))
}

impl PrivacyModel for LPlus {
    fn name(&self) -> &'static str {
        "l-plus"
    }

    fn secret(&self) -> Option<&Arc<Secret>> {
        Some(&self.secret)
    }

    fn asked(&self) -> f64 {
        1.0
    }

    fn sense(&self) -> Sense {
        Sense::AtMost
    }

    fn best(&self) -> f64 {
        1.0 / self.demanded().map(|l| 1.0 / l).sum::<f64>() // every value with its allowed share
    }

    fn advice(&self, attained: f64) -> Vec<Advice> {
        vec![Advice::words(format!("divide every l by {}", Sense::AtMost.or_looser(attained)))]
    }

    fn eased(&self, attained: f64) -> Option<Eased> {
        let value = Sense::AtLeast.met_by(self.common? / attained);
        (value > 1.0).then_some(Eased { parameter: "l", value })
    }

    fn attained(&self, class: &ClassView<'_>) -> f64 {
        // The largest share(v) / (1 / l(v)) over the values v of the class.
        class.rates().map(|(code, share)| share * self.thresholds[code.index()]).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{class, column, near};
    use super::*;

    fn read(file: &str) -> Result<LPlus> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("l.csv");
        std::fs::write(&path, file).unwrap();
        let secret = column(&[("cold", 5), ("flu", 3), ("hiv", 2)]);
        LPlus::new(Thresholds { l: 1.0, file: Some(path) }, &secret)
    }

    #[test]
    fn every_value_has_its_own_threshold() {
        let model = read("value,l\nhiv,4\nflu,2\n").unwrap();
        let attained = |counts: &[u64]| model.attained(&class(&mut Vec::new(), counts));
        near(attained(&[9, 0, 1]), 0.9, 1e-12);
        near(attained(&[4, 0, 2]), 4.0 / 3.0, 1e-12);
        near(model.best(), 1.0 / 1.75, 1e-12);
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said_with_its_line() {
        let message = |file| read(file).unwrap_err().to_string();
        let ends = |file, end: &str| assert!(message(file).ends_with(end), "{}", message(file));
        ends("hiv,4\nfluu,2\n", "line 2: column 'x' has no value 'fluu' (did you mean 'flu'?)");
        ends("hiv,4\nflu,0.5\n", "line 2: l of 'flu' is 0.5; l must be at least 1");
        ends("hiv,4\nhiv,3\n", "line 2: 'hiv' is given twice; give it one l");
        ends("hiv,4\nflu\n", "line 2: this is not of the form value,l with a number l");
        assert!(matches!(read("hiv,4\nflu\n"), Err(Error::InFile { .. })));
    }
}
