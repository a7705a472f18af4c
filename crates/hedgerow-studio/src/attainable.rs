//! The goal that can be reached instead of one that cannot, as a change of the job.

use hedgerow::Error;
use hedgerow::error::{Advice, Unmet};
use hedgerow::job::Job;
use hedgerow::method::Spec;
use hedgerow::privacy::Number;
use serde::Serialize;
use serde_json::{Value, json};

/// A goal that can be reached instead.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Attainable {
    pub(crate) about: String,
    /// A change of the job, as `PATCH /api/job` takes it.
    pub(crate) change: Value,
}

impl Attainable {
    /// The best that can be reached, if the error says so: a share of suppressed records, or a `k`.
    pub(crate) fn of(error: &Error) -> Option<Self> {
        let allow = error.advice().into_iter().find_map(|advice| match advice {
            Advice::AllowSuppression { least: Some(least) } => {
                let share = least.records as f64 / least.of.max(1) as f64;
                // Rounded up, so that the share allows at least this number of records.
                let share = ((share * 1e6).ceil() / 1e6).min(1.0);
                let about =
                    format!("Allow {} of {} records to be suppressed", least.records, least.of);
                Some(Self { about, change: json!({ "suppress": share }) })
            }
            _ => None,
        });
        allow.or_else(|| {
            let k = unmet(error).filter(|unmet| unmet.model == "k-anonymity")?.best.floor();
            let about = format!("Ask for k = {k}");
            (k >= 1.0).then(|| Self { about, change: json!({ "k": k as u64 }) })
        })
    }

    /// The strictest parameter that a model of the job is known to reach. The job has the paths that
    /// the user wrote. Only this model is changed: others may have been added since the run began.
    pub(crate) fn of_model(error: &Error, job: &Job) -> Option<Self> {
        let unmet = unmet(error)?;
        let eased = unmet.eased?;
        // Variants of a model have a parameter as the first word of their name.
        let (variant, name) = match unmet.model.split_once(' ') {
            Some((variant, name)) => (Some(variant), name),
            None => (None, &*unmet.model),
        };
        let is_about = |spec: &Spec| {
            let column = spec.parameters.get("column").and_then(toml::Value::as_str);
            let has = |word| spec.parameters.values().any(|value| value.as_str() == Some(word));
            spec.name == name
                && variant.is_none_or(has)
                && (column.is_none() || column == unmet.column.as_deref())
        };
        // The same model can be required several times, with different parameters.
        let is_asked = |spec: &Spec| {
            let asked = spec.parameters.get(eased.parameter);
            asked.and_then(number).is_some_and(|asked| (asked - unmet.asked).abs() < f64::EPSILON)
        };
        let models = &job.privacy;
        let strictest = models.iter().position(|spec| is_about(spec) && is_asked(spec));
        let place = strictest.or_else(|| models.iter().position(is_about))?;
        let (from, to) = (models[place].to_string(), eased.in_spec(&models[place]));
        let to = json!({ "name": to.name, "parameters": to.parameters });
        let about =
            format!("Ask for {} with {} = {}", unmet.model, eased.parameter, Number(eased.value));
        Some(Self { about, change: json!({ "model": { "from": from, "to": to } }) })
    }
}

fn unmet(error: &Error) -> Option<&Unmet> {
    match error {
        Error::Unreachable { unmet, .. } => unmet.as_deref(),
        _ => None,
    }
}

fn number(value: &toml::Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64))
}
