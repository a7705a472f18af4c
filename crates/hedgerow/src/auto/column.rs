//! The hierarchies that a column can get.

use std::fmt::Write;

use super::{Choice, Request};
use crate::builder::{self, Asked, Shelf, Suited};
use crate::error::{Advice, HierarchySource, Warning};
use crate::format::lint;
use crate::hierarchy::Generalization;
use crate::method::Spec;
use crate::table::{Column, Kind};
use crate::{Error, Result};

/// A column with more distinct values gets one hierarchy without a trial: building others would
/// take longer than they could save.
const MOST_VALUES: usize = 100_000;

/// A column with the hierarchies that it can get, the most promising first.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) built: Vec<Built>,
    /// Reason that the first hierarchy was chosen if no other is tried; `None` if the user chose
    /// it.
    why: Option<&'static str>,
    /// Whether `free` was left out because most values are rare.
    omits_free: bool,
    /// Reasons that other hierarchies were not considered.
    dropped: Vec<String>,
    /// Whether the user's sources of concepts decide.
    is_of_sources: bool,
}

/// A hierarchy and the method that built it.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) spec: Spec,
    pub(super) generalization: Generalization,
}

impl Open {
    /// Builds the hierarchy that was asked for, or all that suit the column.
    pub(super) fn new(column: &Column, request: &Request) -> Result<Self> {
        let (asked, k) = (request.asked.get(&column.name), request.k);
        // An explicit `auto` is a spec too, so its parameters are checked.
        asked.and_then(Asked::as_auto).map_or(Ok(()), |auto| builder::AUTO.check(auto))?;
        if let Some(asked) = asked.filter(|asked| asked.as_auto().is_none()) {
            // The sources are for every column of words that names none of its own.
            let sourced = asked.with_sources(request.sources);
            let generalization =
                request.shelf.asked(sourced.as_ref().unwrap_or(asked), column, k)?;
            let spec = Spec::named(generalization.method());
            let decided = Self::decided(vec![Built { spec, generalization }], None);
            return Ok(Self { is_of_sources: sourced.is_some(), ..decided });
        }
        if let Some(spec) = request.sources.method(column) {
            let generalization = request.shelf.build(&spec, column, k)?;
            let why = Some("knows its values");
            let open = Self::decided(vec![Built { spec, generalization }], why);
            return Ok(Self { is_of_sources: true, ..open });
        }
        let Suited { methods, why } = suited(column, request.shelf);
        let omits_free = omits_free(column, k, &methods);
        let is_left_out = |spec: &Spec| match spec.name.as_str() {
            "free" => omits_free,
            "wordnet" => !request.sources.has_wordnet(),
            _ => false,
        };
        let wanted = methods.into_iter().filter(|spec| !is_left_out(spec));
        // A candidate that cannot be built is left out without an error, because the user did not
        // ask for it.
        let mut built: Vec<Built> =
            (wanted.filter_map(|spec| Built::new(spec, column, request))).collect();
        if built.is_empty() {
            return Err(no_candidate(column));
        }
        let promising = built[0].spec.clone();
        let dropped = if request.force_labels { Vec::new() } else { drop_borrowed(&mut built) };
        // If the most promising candidate was dropped, its reason does not apply to the next one.
        let why = if built[0].spec == promising { why } else { "suits its kind" };
        let omits_free = omits_free && asked.is_none();
        Ok(Self { built, why: Some(why), omits_free, dropped, is_of_sources: false })
    }

    /// A column without a choice between hierarchies.
    fn decided(built: Vec<Built>, why: Option<&'static str>) -> Self {
        Self { built, why, omits_free: false, dropped: Vec::new(), is_of_sources: false }
    }

    /// Whether the column is grouped by the sources of concepts that the user named.
    pub(super) fn is_of_sources(&self) -> bool {
        self.is_of_sources
    }

    /// Keeps only hierarchies with levels. An error if none has them; a choice of the user is kept.
    pub(super) fn with_levels(mut self, column: &Column) -> Result<Self> {
        // A hierarchy that the user chose has no `why` and is kept.
        if self.why.is_some() {
            self.built.retain(Built::has_levels);
        }
        if self.built.is_empty() { Err(no_candidate(column)) } else { Ok(self) }
    }

    /// Returns the position of the hierarchy that a method built.
    pub(super) fn position(&self, method: &str) -> Option<usize> {
        self.built.iter().position(|built| built.spec.name == method)
    }

    /// Makes the hierarchy at a position the choice; `losses` describes the trials, if there were
    /// any.
    pub(super) fn choose(&self, pick: usize, losses: Option<String>, k: u64) -> Choice {
        let Built { spec, generalization } = &self.built[pick];
        let doubts = generalization.hierarchy().map_or_else(Vec::new, builder::doubts);
        let doubts: Vec<&str> = doubts.iter().map(Warning::problem).collect();
        let generalization = generalization.clone();
        let Some(suits) = self.why else {
            let why = (!doubts.is_empty()).then(|| doubts.join("; "));
            return Choice { generalization, why };
        };
        let mut why = losses.unwrap_or_else(|| format!("{spec} {suits}"));
        for doubt in doubts {
            let _ = write!(why, "; {doubt}");
        }
        for reason in &self.dropped {
            let _ = write!(why, "; {reason}");
        }
        if self.omits_free {
            let _ = write!(
                why,
                "; free was not tried, because most values belong to fewer than {k} records"
            );
        }
        Choice { generalization, why: Some(why) }
    }
}

impl Built {
    fn new(spec: Spec, column: &Column, request: &Request) -> Option<Self> {
        let generalization = request.shelf.build(&spec, column, request.k).ok()?;
        Some(Self { spec, generalization })
    }

    pub(super) fn has_levels(&self) -> bool {
        self.generalization.ground().is_some()
    }
}

/// Removes the hierarchies that would publish records under a value that they do not have, and
/// returns the reasons. If all would, all are kept, so that the error names the problem.
fn drop_borrowed(built: &mut Vec<Built>) -> Vec<String> {
    let borrowed = |built: &Built| built.generalization.hierarchy().and_then(lint::borrowed_name);
    if built.iter().all(|built| borrowed(built).is_some()) {
        return Vec::new();
    }
    let reason =
        |built: &Built| Some(format!("{} was not tried: {}", built.spec, borrowed(built)?));
    let reasons: Vec<String> = built.iter().filter_map(reason).collect();
    built.retain(|built| borrowed(built).is_none());
    reasons
}

/// The methods that suit a column; of a column with very many values, the fastest.
pub(crate) fn suited(column: &Column, shelf: &Shelf) -> Suited {
    let mut suited = shelf.suited(column);
    if column.domain.len() > MOST_VALUES {
        let is_fast = |spec: &Spec| spec.name == "iotf" || spec.name == "frequency";
        let fast = suited.methods.iter().position(is_fast).unwrap_or(0);
        suited.methods.swap(0, fast);
        suited.methods.truncate(1);
    }
    suited
}

/// Whether `free` would mostly spell out codes of fewer than `k` records, which a prefix does not.
/// Groups of words are spelt out with or without a tree.
fn omits_free(column: &Column, k: u64, methods: &[Spec]) -> bool {
    let counts = &column.domain.counts;
    let n_rare = counts.iter().filter(|&&count| count < k).count();
    let is_tried = methods.len() > 1 && methods.iter().any(|method| method.name == "free");
    column.domain.values.kind() == Kind::Code && 2 * n_rare > counts.len() && is_tried
}

fn no_candidate(column: &Column) -> Error {
    let source = HierarchySource::Any;
    Error::column(&column.name, "no hierarchy can be built from its values alone")
        .advise([Advice::GiveHierarchy { column: column.name.clone(), source }])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;

    fn built(name: &str, text: &str) -> Built {
        let tree = Format::named("hrc").unwrap().read(text, Some("x")).unwrap();
        Built { spec: Spec::named(name), generalization: tree.into() }
    }

    #[test]
    fn a_hierarchy_that_calls_a_group_like_a_value_is_not_tried() {
        let bad = || built("bad", "*\n@Europe\n@@France\n@@Spain\n@Other\n@@Europe\n@@Asia\n");
        let good = || built("good", "*\n@France\n@Spain\n@Europe\n@Asia\n");
        let mut both = vec![bad(), good()];
        let reasons = drop_borrowed(&mut both);
        assert_eq!((both.len(), both[0].spec.name.as_str()), (1, "good"));
        assert!(reasons[0].starts_with("bad was not tried: the group of 'France'"), "{reasons:?}");
        // If nothing else is left, the run ends with the reason.
        let mut only = vec![bad()];
        assert!(drop_borrowed(&mut only).is_empty());
        assert_eq!(only.len(), 1);
    }
}
