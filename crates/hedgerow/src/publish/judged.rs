//! The result that `verify` will have on a release, and the warnings about it.

use std::collections::BTreeMap;

use super::unwritten::Unwritten;
use crate::error::{Advice, Misuse, Warning};
use crate::hierarchy::Hierarchy;
use crate::measure::{Alike, Recount};
use crate::noun::counted;
use crate::privacy::{self, Observed, PrivacyModel};
use crate::progress::Progress;
use crate::release::Release;
use crate::study::{Claims, Study};
use crate::table::Table;
use crate::{Error, Result};

impl Study {
    /// Warnings about a release of this study: the warnings of the study, claims that `verify` will
    /// reject, few suppressed records, rare values that are spelt out, and columns that show
    /// nothing.
    ///
    /// A [`Publication`](super::Publication) counts a release together with the other columns of
    /// its source, and has the same warnings. This method is for callers who publish the columns in
    /// memory themselves: it assumes that they publish every column that a model looks at, except
    /// those in which records state what they guard.
    ///
    /// # Errors
    ///
    /// [`Error::Misuse`] if the release was made from another study, and [`Error::Cancelled`] if
    /// `progress` is cancelled.
    ///
    /// # Examples
    ///
    /// ```
    /// use hedgerow::prelude::*;
    ///
    /// let columns = Columns::quasi(&["age"]).and_beside(&["ill"]);
    /// let rows = [["23", "flu"], ["25", "flu"], ["41", "cold"], ["44", "gout"]];
    /// let table = Table::encode(&columns, &rows, &Encoding::default())?;
    /// let sensitive = vec!["ill".to_owned()];
    /// let demands = Demands { k: 2, sensitive, ..Demands::default() };
    /// let study = Study::new(&table, demands, None, &Silent)?;
    /// let solved = study.search(study.method(), None, &Silent)?;
    /// let release = Release::new(&solved.recoding, &Style::default(), &Silent)?;
    /// let warnings = study.warnings_of(&release, &Silent)?;
    /// assert!(warnings[0].problem().starts_with("no privacy model uses the sensitive column 'ill'"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn warnings_of(&self, release: &Release, progress: &dyn Progress) -> Result<Vec<Warning>> {
        if !release.recoding().problem().is_same(self.problem()) {
            return Err(Error::misuse(Misuse::OtherStudy));
        }
        let guards = self.claims().guards()?;
        let is_published = |column: &str| !guards.iter().any(|guard| guard == column);
        let columns = self.problem().table().beside().iter();
        let missing = columns.filter_map(|column| column.domain.missing.as_ref());
        let na: Vec<String> = missing.map(|missing| missing.spelling.to_string()).collect();
        let unwritten = Unwritten {
            is_published: &is_published,
            has_suppressed: !release.drops_suppressed(),
            na: &na,
        };
        let shown = unwritten.shown(release, progress)?;
        let judged = Judged { study: self, is_published: &is_published }.warnings(&shown)?;
        let of_study = self.warnings().iter().cloned();
        Ok(of_study.chain(judged).chain(release.own_warnings()).collect())
    }
}

/// Judges a release as `verify` does.
pub(super) struct Judged<'a> {
    pub(super) study: &'a Study,
    /// Whether a column is in the release.
    pub(super) is_published: &'a dyn Fn(&str) -> bool,
}

impl Judged<'_> {
    /// Warnings about the release as a reader sees it.
    pub(super) fn warnings(&self, shown: &Table) -> Result<Vec<Warning>> {
        let claims = self.study.claims();
        let (looked_at, guards) = (claims.columns()?, claims.guards()?);
        let is_secret = |name: &&String| !guards.contains(name) && (self.is_published)(name);
        let alike = looked_at.iter().filter(is_secret).filter_map(|name| alike(shown, name));
        Ok(self.refuted(shown).into_iter().chain(alike).collect())
    }

    /// Returns a warning if `verify` will reject the release. `verify` uses the distribution of
    /// sensitive values in the release, whereas the models used that of the table, which has more
    /// records.
    fn refuted(&self, shown: &Table) -> Option<Warning> {
        let table = self.study.problem().table();
        let n_lacking = table.n_rows() - shown.n_rows();
        // The release alone does not show whose records they are, and `verify` sees all parts.
        if n_lacking == 0 || table.is_part() || self.study.problem().goal().counts_people() {
            return None;
        }
        let what = match self.judged_alone(shown) {
            Err(error) => error.problem(),
            Ok(recount) => {
                let claim = recount.privacy.iter().find(|claim| !claim.holds)?;
                let column =
                    claim.column.as_ref().map_or_else(String::new, |c| format!(" of '{c}'"));
                format!("{}{column} is {}, not {}", claim.model, claim.shown(), claim.demand())
            }
        };
        let problem = format!(
            "verify will reject this release: it omits {}, so its distribution of sensitive values differs \
             from the table's, which the models used. In the release alone, {what}",
            counted(n_lacking, "record")
        );
        Some(
            Warning::new(problem)
                .advise([Advice::FewerSuppressed, Advice::words("require a stricter parameter")]),
        )
    }

    /// Counts a release as `verify` will, with models that know nothing but the release.
    fn judged_alone(&self, shown: &Table) -> Result<Recount> {
        let claims = self.study.claims();
        let mut privacy = Vec::new();
        for spec in claims.privacy {
            let Observed { sensitive, guard } = privacy::columns(spec, claims.sensitive)?;
            // `verify` sees only published columns.
            if sensitive.iter().chain(&guard).all(|column| (self.is_published)(column)) {
                privacy.push(spec.clone());
            }
        }
        let built = Claims { privacy: &privacy, ..claims }.models(shown)?;
        let models: Vec<&dyn PrivacyModel> = built.iter().map(AsRef::as_ref).collect();
        Recount::among(shown, &models, &covered(self.study, shown)?)
    }
}

/// A warning about groups whose known values of a sensitive column are all the same, because models
/// count a missing value as a value of its own.
fn alike(shown: &Table, name: &str) -> Option<Warning> {
    let Alike { classes, records } = Alike::of(shown, name);
    if classes == 0 {
        return None;
    }
    let problem = format!(
        "column '{name}': in {}, all records with a known value have the same one ({} in all), because \
         models count a missing value as a value of its own",
        counted(classes, "group"),
        counted(records, "record")
    );
    // With a missing value and two others, not all known values are the same.
    let has_others =
        shown.beside().iter().any(|column| column.name == name && column.domain.len() > 1);
    let require = Advice::RequireModel { example: "l-diversity:l=3".to_owned() };
    let leave_out = Advice::words("leave records without a value out of the input");
    Some(Warning::new(problem).advise(has_others.then_some(require).into_iter().chain([leave_out])))
}

/// Returns the number of records of the population that each cohort of the release represents.
pub(super) fn covered(study: &Study, shown: &Table) -> Result<Vec<u64>> {
    // Without a model that counts it, a population is for estimates of risk only.
    let counts = privacy::look_at_population(study.claims().privacy)?;
    let Some(population) = study.population().filter(|_| counts) else {
        return Ok(Vec::new());
    };
    let trees = study.problem().attributes().iter().filter_map(|attribute| {
        Some((attribute.name().to_owned(), attribute.generalization().hierarchy()?))
    });
    population.covered(shown, &trees.collect::<BTreeMap<String, &Hierarchy>>())
}
