//! The method and the `k` that a job requests.

use serde::{Deserialize, Deserializer, de};

use super::Job;
use crate::anonymize::{self, Anonymizer};
use crate::error::Advice;
use crate::method::{Spec, Text};
use crate::registry::Registry;
use crate::{Error, Result};

/// Returns the method with the job's loss and stopping point as parameters. If the method does not
/// have such a parameter, the error names the methods that do.
pub(super) fn method(job: &Job) -> Result<Spec> {
    let mut method = job.method.clone();
    let plain = anonymize::named(&method)?;
    let description = Registry::Anonymizer.describe(&method.name)?;
    let until = job.until.as_ref().map(Text::as_str);
    // Both options are parameters of methods that have them.
    for (key, asked) in [("loss", job.loss.as_deref()), ("until", until)] {
        let Some(asked) = asked else { continue };
        let Some(parameter) = description.parameter(key) else {
            let takers = anonymize::descriptions().filter(|other| other.parameter(key).is_some());
            return Err(lacks(&method, key, &takers.map(|other| other.name).collect::<Vec<_>>()));
        };
        // The job's own option replaces the parameter, whichever of its names the spec uses.
        method.parameters.retain(|name, _| !parameter.is_called(name));
        method.parameters.insert(key.to_owned(), asked.into());
    }
    description.check(&method)?;
    // `auto` chooses methods by the time they are estimated to take.
    if job.time.is_some() && !plain.as_deref().is_none_or(Anonymizer::is_anytime) {
        return Err(lacks(&method, "time", &anonymize::anytime()));
    }
    // Last, because it needs a method whose parameters are known to be right.
    anonymize::check_recoding(&method, job.recoding)?;
    Ok(method)
}

fn lacks(method: &Spec, key: &'static str, takers: &[&str]) -> Error {
    let methods = takers.iter().map(|&name| name.to_owned()).collect();
    Error::method(&method.name, format!("does not use the option '{key}'"))
        .advise([Advice::LeaveOut { key, column: None }, Advice::OtherMethod { methods }])
}

/// Deserializes `k`.
pub(super) fn k<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let asked = toml::Value::deserialize(deserializer)?;
    // Read as any value first, so that the message can repeat what was written.
    let k = asked.as_integer().and_then(|k| u64::try_from(k).ok()).filter(|&k| k > 0);
    k.ok_or_else(|| {
        de::Error::custom(format!(
            "k is {asked}; it must be a whole number of at least 1, and only 2 or more protects"
        ))
    })
}
