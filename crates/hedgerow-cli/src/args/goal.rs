//! What a release must satisfy and how it is searched, for commands that plan or write one.

use std::path::PathBuf;

use hedgerow::job::Job;
use hedgerow::method::{Scope, Spec};
use hedgerow::study::Share;

use super::{Intervals, Missing, Pair, PrivacyArgs, RoleArgs, lists, pairs, whole_k};

#[derive(Debug, clap::Args)]
pub(crate) struct GoalArgs {
    #[command(flatten)]
    pub(crate) roles: RoleArgs,
    /// Minimum number of records that share each published combination of quasi-identifiers
    #[arg(short, value_name = "K", allow_negative_numbers = true, value_parser = whole_k)]
    pub(crate) k: Option<u64>,
    #[command(flatten)]
    pub(crate) privacy: PrivacyArgs,
    /// Maximum share of the records that may be suppressed, such as 5% [default: 0%]
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    pub(crate) suppress: Option<Share>,
    /// Limits generalization: values below this node of the hierarchy are not generalized above it;
    /// may be repeated
    #[arg(long = "limit", value_name = "COLUMN=LABEL|level:N")]
    pub(crate) limits: Vec<Pair<String>>,
    /// Loss to minimize, for methods that let you choose (hedgerow help loss lists them)
    #[arg(long, value_name = "LOSS")]
    pub(crate) loss: Option<String>,
    /// Seconds that auto may plan for, as estimated [default: 60]; optimal stops then and uses the
    /// best solution found; hedge improves its solution until then
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub(crate) time: Option<f64>,
    /// Anonymization method, as METHOD or METHOD:parameter=value,... (hedgerow help method lists
    /// them) [default: auto]
    #[arg(long)]
    pub(crate) method: Option<Spec>,
    /// Least uniform recoding that auto may choose: full-domain (one level for a whole column), global
    /// (a value is published in the same way everywhere) or local (loses least) [default: local]
    #[arg(long, value_name = "RECODING")]
    pub(crate) recoding: Option<Scope>,
    /// Hierarchy of a column: a method with its parameters (hedgerow help hierarchy lists them) or
    /// a file; may be repeated
    #[arg(long = "hierarchy", value_name = "COLUMN=METHOD|FILE")]
    pub(crate) hierarchies: Vec<Pair<Spec>>,
    /// Source of concepts for columns of words: SKOS (.ttl), OBO (.obo), code,parent,label (.csv), a
    /// hierarchy file, or wordnet. Repeat it for several; a value belongs to the first that knows it
    #[arg(long, value_name = "SOURCE")]
    pub(crate) knowledge: Vec<PathBuf>,
    /// Edits of the hierarchy of a column: a script as for hedgerow hierarchy edit; may be repeated
    #[arg(long = "edits", value_name = "COLUMN=FILE")]
    pub(crate) edits: Vec<Pair<PathBuf>>,
    /// How missing values are treated [default: own]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub(crate) missing: Option<Missing>,
    /// How intervals are written [default: brackets]
    #[arg(long, value_enum, value_name = "STYLE")]
    pub(crate) interval_style: Option<Intervals>,
}

impl GoalArgs {
    /// Overrides the settings of a job.
    pub(crate) fn give(&self, job: &mut Job) -> hedgerow::Result<()> {
        self.roles.give(job);
        job.k = self.k.unwrap_or(job.k);
        if let Some(method) = &self.method {
            // The job file's loss, stopping point and time limit apply to the method in the file.
            (job.loss, job.until, job.time) = (None, None, None);
            job.method = method.clone();
        }
        job.recoding = self.recoding.unwrap_or(job.recoding);
        job.limit.extend(lists(&self.limits));
        job.suppress = self.suppress.unwrap_or(job.suppress);
        self.privacy.give(job);
        job.loss = self.loss.clone().or(job.loss.take());
        job.time = self.time.or(job.time);
        job.hierarchy.extend(pairs(&self.hierarchies)?);
        if !self.knowledge.is_empty() {
            job.knowledge.clone_from(&self.knowledge);
        }
        job.edits.extend(pairs(&self.edits)?);
        job.missing = self.missing.map_or(job.missing, Into::into);
        job.interval_style = self.interval_style.map_or(job.interval_style, Into::into);
        Ok(())
    }
}
