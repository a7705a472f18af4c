//! Warnings about a release: what a publisher should know before others see it.

use super::{Detail, Exposure, Release};
use crate::error::{Advice, Warning};
use crate::noun::counted;
use crate::problem::Tally;

impl Release {
    /// What a publisher should know about this release: the warnings of its
    /// [problem](crate::problem::Problem::warnings), few suppressed records, rare values that are spelt
    /// out, and columns that show nothing.
    ///
    /// [`Study::warnings_of`](crate::study::Study::warnings_of) adds what only the demands tell, such as
    /// sensitive columns that no model uses. A [`Publication`](crate::publish::Publication) and a
    /// [`Job`](crate::job::Job) return their warnings with the release.
    ///
    /// # Examples
    ///
    /// ```
    /// use hedgerow::prelude::*;
    ///
    /// let rows = [["23"], ["23"], ["24"], ["24"], ["90"]];
    /// let table = Table::from_rows(&["age"], &rows)?;
    /// let limits = Limits { most_suppressed: 1, ..Limits::default() };
    /// let models: Vec<Box<dyn PrivacyModel>> = vec![Box::new(KAnonymity::new(2)?)];
    /// let tree = Iotf.build(&table.columns()[0])?;
    /// let problem = Problem::with_limits(&table, vec![tree], models, limits)?;
    /// let recoding = problem.solve(&Mondrian::default(), &Silent)?;
    /// let release = Release::new(&recoding, &Style::default(), &Silent)?;
    /// if recoding.n_suppressed() == 1 {
    ///     let warning = release.warnings()[0].to_string();
    ///     assert!(warning.starts_with("1 record is suppressed and published with `*`"));
    /// }
    /// # Ok::<(), Error>(())
    /// ```
    pub fn warnings(&self) -> Vec<Warning> {
        let problem = self.recoding.problem();
        problem.warnings().into_iter().chain(self.own_warnings()).collect()
    }

    /// The warnings that are about this release alone, not about its problem.
    pub(crate) fn own_warnings(&self) -> Vec<Warning> {
        let n_suppressed = self.of_nothing().map_or(0, |(records, _)| records);
        let few = self.few_suppressed(n_suppressed, !self.drops_suppressed());
        few.into_iter().chain(self.rare_values()).chain(self.hidden()).collect()
    }

    /// Returns a warning if suppressed records are published and fewer than `k`. `n_suppressed` is the
    /// number of records that a reader takes for suppressed.
    pub(crate) fn few_suppressed(
        &self,
        n_suppressed: u64,
        has_suppressed: bool,
    ) -> Option<Warning> {
        let is_published = self.recoding.n_suppressed() > 0 && has_suppressed;
        // Records that are generalized to `*` look the same and hide them.
        let n_people = self.of_nothing().map_or(n_suppressed, |(_, people)| people);
        if !is_published || !(1..self.recoding.problem().k()).contains(&n_people) {
            return None;
        }
        let are = if n_suppressed == 1 { "is" } else { "are" };
        let problem = format!(
            "{} {are} suppressed and published with `*` in every quasi-identifier: a group smaller \
             than k that can be distinguished from the rest",
            counted(n_suppressed, "record")
        );
        Some(Warning::new(problem).advise([Advice::DropSuppressed]))
    }

    /// Number of records that show nothing, and of their people.
    fn of_nothing(&self) -> Option<(u64, u64)> {
        let shown = self.shown(true);
        let tally: &Tally = shown.get(self.numbers(None))?;
        Some((tally.size(), tally.n_people()))
    }

    /// Returns a warning if labels spell out values that fewer than `k` records have.
    fn rare_values(&self) -> Option<Warning> {
        let exposure = Exposure::of(self);
        let rare = exposure.spelled.iter().filter(|(_, spelled)| spelled.rare > 0);
        let columns: Vec<String> = rare
            .map(|(column, spelled)| format!("'{column}' ({} of {})", spelled.rare, spelled.values))
            .collect();
        if columns.is_empty() {
            return None;
        }
        let problem = format!(
            "labels spell out values that fewer than {} records have, in column {}",
            self.recoding.problem().k(),
            columns.join(", ")
        );
        Some(Warning::new(problem).advise([Advice::HideRareValues]))
    }

    /// Returns a warning for each column that shows nothing in any record, although it has values to
    /// show.
    pub(crate) fn hidden(&self) -> Vec<Warning> {
        let details = Detail::of(self, false).into_iter();
        let is_hidden = |(_, of): &(String, Detail)| of.hidden >= 1.0 && of.values > 1;
        let warning = |(column, _): (String, Detail)| {
            let problem = format!("column '{column}' is hidden in every record");
            let suppress = Advice::AllowSuppression { records: None };
            Warning::new(problem).advise([suppress, Advice::FewerQuasi])
        };
        details.filter(is_hidden).map(warning).collect()
    }
}
