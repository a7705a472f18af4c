//! The roles of columns, for commands that anonymize.

use hedgerow::job::Job;

#[derive(Debug, clap::Args)]
pub(crate) struct RoleArgs {
    /// Quasi-identifiers: columns that an attacker may know; they are generalized
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) quasi: Vec<String>,
    /// Sensitive columns: their values must not be linked to a person; published unchanged
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) sensitive: Vec<String>,
    /// Identifiers: columns that identify a person directly; left out of the release
    #[arg(short, long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) identifier: Vec<String>,
    /// Column that names the person of each record, if people can have several records; k and the
    /// models then count people, and the column is left out of the release
    #[arg(long, value_name = "COLUMN")]
    pub(crate) person: Option<String>,
    /// Columns to publish as they are, knowingly
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) keep: Vec<String>,
    /// Columns to leave out of the release
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub(crate) drop: Vec<String>,
    /// Publishes all columns without a role as they are, knowingly
    #[arg(long)]
    pub(crate) keep_others: bool,
    /// Class column: the column that a classifier predicts; published unchanged
    #[arg(long, value_name = "COLUMN")]
    pub(crate) class: Option<String>,
}

impl RoleArgs {
    /// Overrides the roles of a job.
    pub(crate) fn give(&self, job: &mut Job) {
        let lists = [
            (&mut job.quasi, &self.quasi),
            (&mut job.sensitive, &self.sensitive),
            (&mut job.identifier, &self.identifier),
            (&mut job.keep, &self.keep),
            (&mut job.drop, &self.drop),
        ];
        // A flag replaces the list of the file; it does not add to it.
        for (list, given) in lists.into_iter().filter(|(_, given)| !given.is_empty()) {
            list.clone_from(given);
        }
        // Switches can only be turned on, because there is no flag that turns them off.
        job.keep_others |= self.keep_others;
        job.person = self.person.clone().or(job.person.take());
        job.class = self.class.clone().or(job.class.take());
    }
}
