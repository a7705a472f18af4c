//! Arguments for privacy models besides k-anonymity.

use std::path::PathBuf;

use hedgerow::Error;
use hedgerow::job::Job;
use hedgerow::method::Spec;
use hedgerow::registry::Registry;

use crate::advice;

#[derive(Debug, clap::Args)]
pub(crate) struct PrivacyArgs {
    /// Privacy model that must hold besides k-anonymity, as MODEL:parameter=value,...
    /// (hedgerow help privacy lists them); may be repeated
    #[arg(long = "privacy", value_name = "MODEL", value_parser = model)]
    models: Vec<Spec>,
    /// Minimum diversity of the sensitive values of a class: 3, entropy:3, or recursive:2,3 for c =
    /// 2 and l = 3
    #[arg(long, value_name = "L", allow_negative_numbers = true, value_parser = diversity)]
    l_diversity: Option<Spec>,
    /// Maximum distance between the distribution of sensitive values in a class and in the table:
    /// 0.2, ordered:0.2 or hierarchical:0.2
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = closeness)]
    t_closeness: Option<Spec>,
    /// Table of the population that the records are a sample of, with the same quasi-identifiers:
    /// for k-map, and for estimates of risk where these are given
    #[arg(long, value_name = "TABLE")]
    pub(crate) population: Option<PathBuf>,
}

impl PrivacyArgs {
    /// Overrides the models and the population of a job.
    pub(crate) fn give(&self, job: &mut Job) {
        let models = self.specs();
        // A model given as a flag replaces that of the same name, with all its parameters.
        job.privacy.retain(|said| models.iter().all(|model| model.name != said.name));
        job.privacy.extend(models);
        job.population = self.population.clone().or(job.population.take());
    }

    /// Returns the specifications of all models in these arguments.
    pub(crate) fn specs(&self) -> Vec<Spec> {
        let short = self.l_diversity.iter().chain(&self.t_closeness);
        short.chain(&self.models).cloned().collect()
    }
}

fn model(text: &str) -> Result<Spec, String> {
    let spec: Spec = text.parse().map_err(|error: Error| error.message(&advice::spell))?;
    Registry::Privacy.describe(&spec.name).map_err(|error| error.message(&advice::spell))?;
    Ok(spec)
}

fn number(text: &str, what: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| what.to_owned())
}

/// Parses `3`, `distinct:3`, `entropy:3` or `recursive:2,3` (c, then l).
fn diversity(text: &str) -> Result<Spec, String> {
    const WAYS: &str = "write 3, distinct:3, entropy:3 or recursive:2,3 (c, then l)";
    // A bare number means the simplest kind, distinct values.
    let (kind, numbers) = text.split_once(':').unwrap_or(("distinct", text));
    let mut spec = Spec::named("l-diversity");
    // Only recursive diversity has two numbers.
    let l = match (kind, numbers.split_once(',')) {
        ("recursive", Some((c, l))) => {
            spec.parameters.insert("c".into(), number(c, WAYS)?.into());
            l
        }
        ("distinct" | "entropy", None) => numbers,
        _ => return Err(WAYS.to_owned()),
    };
    spec.parameters.insert("kind".into(), kind.into());
    spec.parameters.insert("l".into(), number(l, WAYS)?.into());
    Ok(spec)
}

/// Parses `0.2`, `equal:0.2`, `ordered:0.2` or `hierarchical:0.2`.
fn closeness(text: &str) -> Result<Spec, String> {
    const WAYS: &str = "write 0.2, equal:0.2, ordered:0.2 or hierarchical:0.2";
    let (distance, t) = text.split_once(':').unwrap_or(("equal", text));
    if !["equal", "ordered", "hierarchical"].contains(&distance) {
        return Err(WAYS.to_owned());
    }
    let mut spec = Spec::named("t-closeness");
    spec.parameters.insert("distance".into(), distance.into());
    // The range of t is checked where all parameters are, in its description.
    spec.parameters.insert("t".into(), number(t, WAYS)?.into());
    Ok(spec)
}
