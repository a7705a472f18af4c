//! What must hold of every class, besides its size.

use hedgerow::Error;
use hedgerow::method::Spec;

#[derive(Debug, clap::Args)]
pub(crate) struct PrivacyArgs {
    /// A further privacy model, as MODEL:parameter=value,...; may be repeated
    #[arg(long = "privacy", value_name = "MODEL")]
    models: Vec<Spec>,
    /// How diverse the sensitive values of a class must be: 3, entropy:3 or recursive:2,3
    #[arg(long, value_name = "L", value_parser = diversity)]
    l_diversity: Option<Spec>,
    /// How far the sensitive values of a class may be from those of all: 0.2, ordered:0.2 or
    /// hierarchical:0.2
    #[arg(long, value_name = "T", value_parser = closeness)]
    t_closeness: Option<Spec>,
}

impl PrivacyArgs {
    /// All models that are asked for.
    pub(crate) fn specs(&self) -> Vec<Spec> {
        let short = self.l_diversity.iter().chain(&self.t_closeness);
        short.chain(&self.models).cloned().collect()
    }
}

/// `3`, `distinct:3`, `entropy:3` or `recursive:2,3` (c, then l).
fn diversity(text: &str) -> Result<Spec, Error> {
    let (kind, numbers) = text.split_once(':').unwrap_or(("distinct", text));
    match numbers.split_once(',') {
        Some((c, l)) => format!("l-diversity:kind={kind},c={c},l={l}"),
        None => format!("l-diversity:kind={kind},l={numbers}"),
    }
    .parse()
}

/// `0.2`, `equal:0.2`, `ordered:0.2` or `hierarchical:0.2`.
fn closeness(text: &str) -> Result<Spec, Error> {
    let (distance, t) = text.split_once(':').unwrap_or(("equal", text));
    format!("t-closeness:distance={distance},t={t}").parse()
}
