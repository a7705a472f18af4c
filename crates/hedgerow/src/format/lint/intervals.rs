//! Checks whether the ranges that labels state are nested, overlap or leave gaps.

use super::Finding;
use super::structure::Reader;
use crate::format::{children::Children, draft::Draft};
use crate::hierarchy::{Notation, open_ends};
use crate::table::Reading;

/// The range of values that a node represents.
#[derive(Debug, Clone, Copy)]
struct Span {
    lo: f64,
    hi: f64,
    node: usize,
}

pub(super) fn findings(draft: &Draft, children: &Children) -> Vec<Finding> {
    let spans = Spans::of(draft, children);
    if spans.own.iter().all(Option::is_none) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    // The closest range at or above each node. Groups without a range pass on that of their parent.
    let mut around: Vec<Option<Span>> = vec![None; draft.nodes.len()];
    for node in children.preorder() {
        let outer = draft.nodes[node].parent.and_then(|parent| around[parent]);
        findings.extend(outer.and_then(|outer| spans.outside(node, outer)));
        around[node] = spans.own[node].or(outer);
        findings.extend(spans.between(children.below(node)));
    }
    findings
}

struct Spans<'a> {
    draft: &'a Draft,
    /// The range that each label states, if it states one.
    own: Vec<Option<Span>>,
    /// The range of the values below each node.
    hull: Vec<Option<(f64, f64)>>,
    /// The parser of the leaves.
    reader: Reader,
}

impl<'a> Spans<'a> {
    fn of(draft: &'a Draft, children: &Children) -> Self {
        let n_nodes = draft.nodes.len();
        let leaves = (0..n_nodes).filter(|&node| children.is_leaf(node));
        let reader = Reader::or_number(draft, children);
        let is_date = matches!(reader, Reader::Date(_));
        let own_of = |node: usize| match reader.notation(&draft.nodes[node].label) {
            Notation::Range(..) if is_date && children.is_leaf(node) => None, // a day is a value
            Notation::Range(lo, hi) => Some(Span { lo, hi, node }),
            _ => None,
        };
        let mut hull: Vec<Option<(f64, f64)>> = vec![None; n_nodes];
        for leaf in leaves {
            let value = reader.read(&draft.nodes[leaf].label).map(Reading::value);
            hull[leaf] = value.map(|value| (value, value));
        }
        for &node in children.preorder().iter().rev() {
            if let Some((parent, (lo, hi))) = draft.nodes[node].parent.zip(hull[node]) {
                let (least, most) = hull[parent].unwrap_or((lo, hi));
                hull[parent] = Some((least.min(lo), most.max(hi)));
            }
        }
        let own = (0..n_nodes).map(own_of).collect();
        Self { draft, own, hull, reader }
    }

    fn label(&self, node: usize) -> &str {
        &self.draft.nodes[node].label
    }

    /// Reports a value or range that does not lie within the range of its closest ancestor with a
    /// range.
    fn outside(&self, node: usize, outer: Span) -> Option<Finding> {
        let (label, above) = (self.label(node), self.label(outer.node));
        let is_within = |lo: f64, hi: f64| outer.lo <= lo && hi <= outer.hi;
        let holds = |value: f64| is_within(value, value) && !self.is_left_out(value, outer);
        let message = match (self.own[node], self.hull[node]) {
            (Some(span), _) if !is_within(span.lo, span.hi) => {
                format!("'{label}' does not lie within '{above}', its parent")
            }
            // A group of several values is not checked here, because each of its leaves is.
            (None, Some((lo, hi))) if lo.total_cmp(&hi).is_eq() && !holds(lo) => {
                format!("the value {label} is below '{above}', which does not contain it")
            }
            _ => return None,
        };
        Some(Finding::error(self.draft.nodes[node].line, message))
    }

    /// Whether a value is an end that the range excludes. Ranges of whole numbers are already
    /// closed.
    fn is_left_out(&self, value: f64, span: Span) -> bool {
        let excluded = open_ends(self.label(span.node));
        let is_end = |end: f64, is_open: bool| is_open && value.total_cmp(&end).is_eq();
        matches!(self.reader, Reader::Number { is_whole: false, .. })
            && (is_end(span.lo, excluded.low) || is_end(span.hi, excluded.high))
    }

    /// Reports sibling ranges that overlap or leave a gap between them.
    fn between(&self, siblings: &[usize]) -> Vec<Finding> {
        let mut spans: Vec<Span> = siblings.iter().filter_map(|&node| self.own[node]).collect();
        spans.sort_by(|a, b| a.lo.total_cmp(&b.lo).then(a.hi.total_cmp(&b.hi)));
        // Excluded ends of whole numbers were moved to the adjacent number when they were parsed,
        // so adjacent ranges are 1 apart.
        let is_whole = matches!(self.reader, Reader::Number { is_whole: true, .. });
        let step = if is_whole { 1.0 } else { 0.0 };
        let mut findings = Vec::new();
        // The range with the greatest end so far, so that overlaps with a long earlier range are
        // found too.
        let Some(mut widest) = spans.first().copied() else { return findings };
        for &span in spans.iter().skip(1) {
            let (one, other) = (self.label(widest.node), self.label(span.node));
            let lines = (self.draft.nodes[span.node].line, self.draft.nodes[widest.node].line);
            let message = |what: &str| format!("'{other}' {what} '{one}' (line {})", lines.1);
            let is_shared =
                if is_whole { span.lo.fract() == 0.0 } else { share_an_end(one, other) };
            if span.lo < widest.hi || (span.lo <= widest.hi && is_shared) {
                findings.push(Finding::error(lines.0, message("overlaps")));
            } else if span.lo > widest.hi + step && !self.is_meant(span, widest) {
                let gap = message("leaves a gap after") + ": nothing covers what lies between";
                findings.push(Finding::warning(lines.0, gap));
            }
            if span.hi > widest.hi {
                widest = span;
            }
        }
        findings
    }

    /// Whether a gap is intended: dates and builders leave out ranges without values, and labels
    /// can state exactly the range of the values below them.
    fn is_meant(&self, span: Span, widest: Span) -> bool {
        let is_date = matches!(self.reader, Reader::Date(_));
        is_date || self.draft.builder.is_some() || (self.is_hull(span) && self.is_hull(widest))
    }

    /// Whether a label states exactly the range of the values below it.
    fn is_hull(&self, span: Span) -> bool {
        self.hull[span.node].is_some_and(|(lo, hi)| {
            lo.total_cmp(&span.lo).is_eq() && hi.total_cmp(&span.hi).is_eq()
        })
    }
}

/// Whether two touching ranges both contain the value at which they touch.
fn share_an_end(lower: &str, upper: &str) -> bool {
    !open_ends(lower).high && !open_ends(upper).low
}
