//! Evidence for the public: nothing about the original that fewer than `k` records have.

use super::distribution;
use super::limits::Limits;
use super::{Case, ColumnEvidence, Evidence, Flavour, HierarchyEvidence, Named};
use crate::auto::Choosing;
use crate::chart::Icicle;
use crate::method::Spec;
use crate::release::Ends;
use crate::schema::Role;
use crate::table::Domain;
use crate::utility::Spread;

/// The reason in a public report if attacks cannot read the release.
const UNREAD: &str = "its cells do not tell which values they represent";

/// Leaves out everything that only readers with the original should see.
///
/// Values and their bounds stay if at least `k` records of the original have them. Texts that may
/// contain values (parameters of methods, meanings, notes, warnings, the job) are left out, as are
/// the records of the release, the names of columns that it does not have, and the digest of the
/// original, with which guesses about a small table could be tested. The decision of the publisher
/// stays: it names published columns and counts records.
pub(super) fn reduced(evidence: Evidence, case: &Case<'_>) -> Evidence {
    let spread = Spread::new(case.original, case.release, &case.hierarchies);
    let columns = evidence.columns.into_iter().enumerate().map(|(place, column)| {
        let limits = Limits::of(case.original, place, case.facts.k);
        public_column(column, &spread, place, &limits)
    });
    let tried = evidence.tried.map(without_parameters);
    // Minimal sample uniques list single rows, and notes can name values.
    let risk = evidence.risk.map(|mut risk| {
        (risk.special, risk.notes) = (None, Vec::new());
        risk
    });
    let attacks = evidence.attacks.map(|mut attacks| {
        // Examples are classes with real values, even if rare ones are masked.
        attacks.attempts.iter_mut().for_each(|attempt| attempt.examples.clear());
        attacks
    });
    let mut accounting = evidence.accounting;
    // Fewer than k missing values could reveal whose they are.
    accounting.missing.retain(|_, count| *count >= case.facts.k);
    accounting.filled.retain(|_, count| *count >= case.facts.k);
    Evidence {
        accounting,
        risk,
        attacks,
        // The reason can name a cell.
        not_attacked: evidence.not_attacked.map(|_| UNREAD.to_owned()),
        flavour: Flavour::Public,
        input: None,
        method: evidence.method.as_deref().map(name_of),
        columns: columns.collect(),
        roles: evidence.roles.into_iter().map(named).collect(),
        sample: None,
        hierarchies: evidence.hierarchies.into_iter().map(hierarchy).collect(),
        tried,
        notes: Vec::new(),
        warnings: Vec::new(),
        job: None,
        // Only the original tells whose records they are, and these readers do not have it.
        verify: (case.facts.verify.as_ref())
            .filter(|_| evidence.headline.unit != "person")
            .map(|[_, public]| public.clone()),
        ..evidence
    }
}

/// Information about a column without values that few records have.
fn public_column(
    column: ColumnEvidence,
    spread: &Spread<'_>,
    place: usize,
    limits: &Limits,
) -> ColumnEvidence {
    let counts = [spread.before(place), spread.after(place)];
    let domain = spread.domain(place);
    ColumnEvidence {
        example: None,
        detail: spread.detail_within(place, &ends(domain, limits)),
        chart: distribution::chart(domain, &counts, limits),
        ..column
    }
}

/// The ends of ranges: values that may be shown. The width of `>= 60` would reveal the greatest
/// value, and that of `[0, 893]` would reveal 893.
fn ends(domain: &Domain, limits: &Limits) -> Ends {
    let Some(scale) = domain.values.scale() else { return Ends::default() };
    let is_hidden: Vec<bool> = (0..scale.len()).map(|place| !limits.allow(place)).collect();
    let mut shown = (0..scale.len()).filter(|&place| limits.allow(place));
    let open = shown.next().map(|first| {
        let last = shown.next_back().unwrap_or(first);
        (scale.value(first), scale.value(last))
    });
    Ends { open, is_hidden }
}

/// The attempts of `auto`, with the names of methods and hierarchies only.
fn without_parameters(mut tried: Choosing) -> Choosing {
    for trial in &mut tried.tried {
        trial.method = name_of(&trial.method);
        trial.hierarchies.values_mut().for_each(|hierarchy| *hierarchy = name_of(hierarchy));
    }
    tried.left_out.iter_mut().for_each(|left| left.method = name_of(&left.method));
    tried
}

/// The name of a method without its parameters, which may be values or files.
fn name_of(spec: &str) -> String {
    match spec.parse::<Spec>() {
        // A name with a path is a file of the publisher.
        Ok(spec) if !spec.name.contains(['/', '\\', '.']) => spec.name,
        _ => "file".to_owned(),
    }
}

/// Columns that are not in the release have no names.
fn named(named: Named) -> Named {
    let is_published = named.role.is_published() && named.role != Role::Person;
    Named { columns: if is_published { named.columns } else { Vec::new() }, ..named }
}

/// The tree without labels, whose shape stays.
fn hierarchy(hierarchy: HierarchyEvidence) -> HierarchyEvidence {
    // Leaves of numbers are placed by their values, which the shape does not reveal.
    let picture = hierarchy.picture.map(Icicle::only_shape);
    HierarchyEvidence { method: name_of(&hierarchy.method), why: None, picture, ..hierarchy }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::collections::BTreeMap;

    use super::super::Facts;
    use super::*;
    use crate::release::Detail;
    use crate::risk::Extent;
    use crate::table::Table;

    /// Only one record has 893, and 0 is known as the least value, so a width of 893 would reveal
    /// it.
    #[test]
    fn the_width_of_a_range_does_not_tell_a_rare_end() {
        let numbers = ["0", "0", "0", "100", "100", "100", "893"];
        let original = Table::from_rows(&["debt"], &numbers.map(|number| [number])).unwrap();
        let release = Table::from_rows(&["debt"], &[["[0, 893]"]; 7]).unwrap();
        let case = Case {
            original: &original,
            release: &release,
            hierarchies: BTreeMap::new(),
            shown: None,
            extent: Extent::Unknown,
            sampled: None,
            facts: Facts { k: 3, ..Facts::default() },
        };
        let internal = Evidence::unattacked(&case).unwrap();
        let widths = |evidence: &Evidence| {
            let ranges = evidence.columns[0].detail.ranges.unwrap();
            [ranges.mean, ranges.most].map(|width| width.round() as u64)
        };
        assert_eq!(widths(&internal), [893, 893]);
        assert_eq!(widths(&internal.public(&case)), [100, 100]);
    }

    #[test]
    fn ends_that_are_no_values_stay() {
        let numbers = ["0", "0", "10", "10", "40"];
        let table = Table::from_rows(&["x"], &numbers.map(|number| [number])).unwrap();
        let limits = Limits::of(&table, 0, 2);
        let domain = &table.columns()[0].domain;
        let width = |label: &'static str| {
            let labels = std::iter::once((Cow::Borrowed(label), (false, 2), 5));
            let detail = Detail::of_labels(domain, &ends(domain, &limits), labels);
            detail.ranges.unwrap().most.round() as u64
        };
        let labels = ["[0, 40]", "[0, 39]", "[0, 10]", ">=10", "[11, 40]"];
        assert_eq!(labels.map(width), [10, 39, 10, 0, 0]);
    }
}
