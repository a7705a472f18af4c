//! Warnings about a release: what a publisher should know before others see it.

use super::{Detail, Exposure, Release};
use crate::error::{Advice, Warning};
use crate::noun::counted;
use crate::problem::Tally;

impl Release {
    /// Warnings about this release: those of its [problem](crate::problem::Problem::warnings), few
    /// suppressed records, rare values that are spelt out, and columns that show nothing.
    ///
    /// [`Study::warnings_of`](crate::study::Study::warnings_of) adds those that follow only from
    /// the demands, such as sensitive columns that no model uses. A
    /// [`Publication`](crate::publish::Publication) and a [`Job`](crate::job::Job) return their
    /// warnings with the release.
    ///
    /// # Examples
    ///
    /// ```
    /// use hedgerow::prelude::*;
    ///
    /// let table = Table::from_rows(&["age"], &[["23"], ["25"], ["41"], ["44"]])?;
    /// let free = Free.build(&table.columns()[0])?;
    /// let problem = Problem::new(&table, vec![free], vec![Box::new(KAnonymity::new(2)?)])?;
    /// let recoding = problem.solve(&Hedge::default(), &Silent)?;
    /// let release = Release::new(&recoding, &Style::default(), &Silent)?;
    /// let warning = release.warnings()[0].to_string();
    /// assert!(warning.starts_with("labels spell out values that fewer than 2 records have"));
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

    /// Returns a warning if suppressed records are published and fewer than `k`. `n_suppressed` is
    /// the number of records that a reader takes for suppressed.
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

    /// Returns a warning for each column that shows nothing in any record, although it has values
    /// to show.
    pub(crate) fn hidden(&self) -> Vec<Warning> {
        let details = Detail::of(self, false).into_iter();
        let is_hidden = |(_, of): &(String, Detail)| of.hidden >= 1.0 && of.values > 1;
        let warning = |(column, _): (String, Detail)| {
            let problem = format!("column '{column}' is hidden in every record");
            let suppress = Advice::AllowSuppression { least: None };
            Warning::new(problem).advise([suppress, Advice::FewerQuasi])
        };
        details.filter(is_hidden).map(warning).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{Free, HierarchyBuilder};
    use crate::privacy::KAnonymity;
    use crate::problem::{Limits, Problem};
    use crate::progress::Silent;
    use crate::proposal::{Class, Proposal, Take};
    use crate::recoding::Recoding;
    use crate::release::Style;
    use crate::table::Table;

    /// The ages 23 and 24 twice each, and 90 in `n_old` records, which are suppressed.
    fn release(n_old: usize) -> Release {
        let rows: Vec<[&str; 1]> = ["23", "23", "24", "24"]
            .into_iter()
            .chain(std::iter::repeat_n("90", n_old))
            .map(|age| [age])
            .collect();
        let table = Table::from_rows(&["age"], &rows).unwrap();
        let free = Free.build(&table.columns()[0]).unwrap();
        let limits = Limits { most_suppressed: n_old as u64, ..Limits::default() };
        let model = Box::new(KAnonymity::new(2).unwrap());
        let problem = Problem::with_limits(&table, vec![free], vec![model], limits).unwrap();
        let classes = [Some(Class::new(0)), Some(Class::new(1)), None];
        let cohorts = problem.cohorts().counted().zip(classes);
        let takes = cohorts.map(|((cohort, count), class)| Take { cohort, class, count });
        let proposal = Proposal::new(&problem, 2, takes.collect()).unwrap();
        let recoding = Recoding::of(&problem, proposal, &Silent).unwrap();
        Release::new(&recoding, &Style::default(), &Silent).unwrap()
    }

    #[test]
    fn fewer_suppressed_records_than_k_can_be_recognized() {
        let warnings = release(1).warnings();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].problem().starts_with("1 record is suppressed and published"));
        assert_eq!(release(2).warnings(), []);
    }
}
