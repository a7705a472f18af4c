//! The contents of a hierarchy file: nodes with their lines, not yet a tree.

use std::borrow::Cow;

use hashbrown::{HashMap, HashSet};

use super::finding::{Finding, Severity};
use crate::hierarchy::{Hierarchy, Node, Origin};
use crate::method::Spec;
use crate::table::{DateFormat, Domain, Kind, Values, read_number};

/// The contents of a hierarchy file, unchecked.
///
/// Parsers of formats build a draft and fail on syntax errors only. [`Draft::assemble`] builds a
/// tree from it or names the first error, [`super::lint::check`] lists all errors, and
/// [`super::lint::fix`] repairs them.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    pub(crate) attribute: String,
    pub(crate) kind: Option<Kind>,
    /// The format of dates, if the file states it.
    pub(crate) dates: Option<DateFormat>,
    pub(crate) builder: Option<Spec>,
    /// The nodes. Siblings are in the order of the file.
    pub(crate) nodes: Vec<Given>,
    /// Links that would give a node a second parent.
    pub(crate) second_parents: Vec<Link>,
    /// Problems of the file itself, which its nodes do not show.
    pub(crate) oddities: Vec<Oddity>,
}

/// A node as a file states it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Given {
    /// Index of the parent, or `None` for a root.
    pub(crate) parent: Option<usize>,
    pub(crate) label: Box<str>,
    /// Another name for the same value, such as the title of a code.
    pub(crate) alias: Option<Box<str>>,
    /// More names for the same value.
    pub(crate) synonyms: Vec<Box<str>>,
    /// Meaning of the node, in words.
    pub(crate) definition: Option<Box<str>>,
    /// The range of values that the label represents, if the file states it.
    pub(crate) bounds: Option<(f64, f64)>,
    /// Number of records with this value; used for leaves only.
    pub(crate) count: u64,
    /// Distortion of the node, if the file states it.
    pub(crate) distortion: Option<f64>,
    /// Origin of the node, if the file states it.
    pub(crate) origin: Origin,
    /// Line of the file; 0 if unknown.
    pub(crate) line: u64,
    /// Whether the file marks the node as a value. An empty label is then the missing value.
    pub(crate) is_value: bool,
    /// Whether the file marks the node as a group, even an empty one.
    pub(crate) is_group: bool,
    /// Whether the values below the node are never generalized above it.
    pub(crate) is_locked: bool,
}

/// A line that makes one node a child of another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link {
    pub(crate) child: usize,
    pub(crate) parent: usize,
    pub(crate) line: u64,
}

/// A problem that a parser found and worked around.
#[derive(Debug, Clone)]
pub(crate) struct Oddity {
    pub(crate) finding: Finding,
    /// The parser's workaround, in words; a repaired file contains its result.
    pub(crate) remedy: String,
}

impl Draft {
    /// Builds the draft of a tree, as if it had been read from a file.
    pub fn of(tree: &Hierarchy) -> Self {
        let distortions = tree.distortions();
        let distortion = |node: Node| tree.has_distortions().then(|| distortions[node.index()]);
        Self {
            attribute: tree.attribute().to_owned(),
            kind: Some(tree.kind()),
            dates: match tree.leaves() {
                Values::Date(_, format) => Some(format.clone()),
                _ => None,
            },
            builder: tree.builder().cloned(),
            nodes: tree.nodes().map(|node| Given::of(tree, node, distortion(node))).collect(),
            ..Self::default()
        }
    }

    /// Name of the attribute; empty if the file has none.
    pub fn attribute(&self) -> &str {
        &self.attribute
    }

    /// Sets the name of the attribute.
    #[must_use]
    pub(crate) fn of_attribute(mut self, attribute: &str) -> Self {
        attribute.clone_into(&mut self.attribute);
        self
    }

    /// Interprets the leaves as values of a column.
    ///
    /// Unless the file states a kind, the leaves get the column's kind and date format, provided
    /// that all of them can be parsed that way. They use their aliases if more values of the column
    /// match those than match their labels.
    #[must_use]
    pub fn for_values(self, domain: &Domain) -> Self {
        let mut draft = self.with_names_of(domain);
        let values = &domain.values;
        let is_leaf = draft.leaf_flags();
        let mut leaves = draft.nodes.iter().zip(is_leaf).filter(|(_, is_leaf)| *is_leaf);
        // The empty label is the missing value, which is not a number.
        let is_read = values.scale().is_none()
            || leaves.all(|(leaf, _)| leaf.label.is_empty() || values.read(&leaf.label).is_some());
        if draft.kind.is_none() && is_read {
            draft.kind = Some(values.kind());
            if let Values::Date(_, format) = values {
                draft.dates = Some(format.clone());
            }
        }
        draft
    }

    fn with_names_of(mut self, domain: &Domain) -> Self {
        if self.nodes.iter().all(|node| node.alias.is_none()) {
            return self;
        }
        let is_leaf = self.leaf_flags();
        let known = |name: fn(&Given) -> Option<&str>| {
            let leaves = self.nodes.iter().zip(&is_leaf).filter(|(_, is_leaf)| **is_leaf);
            let names: HashSet<&str> = leaves.filter_map(|(node, _)| name(node)).collect();
            (0..domain.len()).filter(|&code| names.contains(&*domain.values.spelling(code))).count()
        };
        // Ties keep the labels, so a file without matches stays as it is.
        let by_label = known(|node| Some(&node.label));
        let by_alias = known(|node| node.alias.as_deref());
        if by_alias > by_label {
            for (node, _) in self.nodes.iter_mut().zip(is_leaf).filter(|(_, is_leaf)| *is_leaf) {
                if let Some(alias) = node.alias.take() {
                    node.alias = Some(std::mem::replace(&mut node.label, alias));
                }
            }
        }
        self
    }

    /// Adds a node and returns its index.
    pub(crate) fn push(&mut self, parent: Option<usize>, label: &str, line: u64) -> usize {
        let bounds = crate::hierarchy::finite_range(label);
        self.nodes.push(Given { parent, label: label.into(), bounds, line, ..Given::default() });
        self.nodes.len() - 1
    }

    /// Records a problem.
    pub(crate) fn odd(
        &mut self,
        severity: Severity,
        line: u64,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let finding = Finding { severity, line: Some(line), message: message.into() };
        self.oddities.push(Oddity { finding, remedy: remedy.into() });
    }

    /// Removes the blanks around a label and records a warning if there were any.
    pub(crate) fn trimmed<'a>(&mut self, label: &'a str, line: u64) -> &'a str {
        let trimmed = label.trim();
        // A blank label is left to the check for empty labels.
        if trimmed.len() < label.len() && !trimmed.is_empty() {
            let message = format!("'{label}' has blanks around it; it is read as '{trimmed}'");
            self.odd(Severity::Warning, line, message, "the blanks are left out");
        }
        trimmed
    }

    /// Returns whether each node has no children.
    pub(crate) fn leaf_flags(&self) -> Vec<bool> {
        let mut is_leaf = vec![true; self.nodes.len()];
        self.nodes.iter().filter_map(|node| node.parent).for_each(|parent| is_leaf[parent] = false);
        is_leaf
    }

    /// Adds a common root above several roots, for files that list the top groups of a
    /// classification.
    pub(crate) fn below_one_root(mut self) -> Self {
        let n_roots = self.nodes.iter().filter(|node| node.parent.is_none()).count();
        if n_roots > 1 {
            let root = self.nodes.len();
            for node in self.nodes.iter_mut().filter(|node| node.parent.is_none()) {
                node.parent = Some(root);
            }
            self.nodes.push(Given { label: "*".into(), is_group: true, ..Given::default() });
        }
        self
    }
}

impl Given {
    /// Describes a node of a tree, with the distortion that its builder set.
    fn of(tree: &Hierarchy, node: Node, distortion: Option<f64>) -> Self {
        let leaf = tree.as_leaf(node);
        Self {
            parent: tree.parent(node).map(Node::index),
            label: leaf.map_or_else(|| tree.label(node), |leaf| tree.spelling(leaf)).into(),
            bounds: tree.bounds(node),
            count: leaf.map_or(0, |_| tree.count(node)),
            distortion,
            origin: tree.origin(node).cloned().unwrap_or_default(),
            is_value: leaf.is_some(),
            is_locked: tree.is_locked(node),
            ..Self::default()
        }
    }
}

/// Nodes that are identified by a key, and the links between them, in the order of a file.
#[derive(Debug, Default)]
pub(crate) struct Links<'a> {
    places: HashMap<Cow<'a, str>, usize>,
    pub(crate) nodes: Vec<Given>,
    made: Vec<Link>,
}

impl<'a> Links<'a> {
    /// Returns the index of a node and adds the node if its key is new.
    pub(crate) fn node(&mut self, key: impl Into<Cow<'a, str>>, line: u64) -> usize {
        let next = self.nodes.len();
        let place = *self.places.entry(key.into()).or_insert(next);
        if place == next {
            // The line where a key first occurs, until a link states a better one.
            self.nodes.push(Given { line, ..Given::default() });
        }
        place
    }

    /// Returns every key with its index, in the order of indices.
    pub(crate) fn keys(&self) -> Vec<(Cow<'a, str>, usize)> {
        let mut keys: Vec<_> =
            self.places.iter().map(|(key, &place)| (key.clone(), place)).collect();
        // The map has no order of its own.
        keys.sort_by_key(|(_, place)| *place);
        keys
    }

    /// Returns the index of an existing node, or `None`.
    pub(crate) fn find(&self, key: &str) -> Option<usize> {
        self.places.get(key).copied()
    }

    /// Makes a node the child of another.
    pub(crate) fn link(&mut self, child: usize, parent: usize, line: u64) {
        self.made.push(Link { child, parent, line });
    }

    /// Builds a draft in which siblings are in the order of their links. Only the first link of a
    /// node sets its parent. Further links to another parent are recorded as second parents, and
    /// repeated links are ignored.
    pub(crate) fn into_draft(mut self) -> Draft {
        let mut first_link: Vec<Option<usize>> = vec![None; self.nodes.len()];
        let mut seconds: Vec<Link> = Vec::new();
        for (at, link) in self.made.iter().enumerate() {
            let Some(first) = first_link[link.child] else {
                first_link[link.child] = Some(at);
                self.nodes[link.child].parent = Some(link.parent);
                self.nodes[link.child].line = link.line;
                continue;
            };
            if self.made[first].parent != link.parent {
                seconds.push(*link);
            }
        }
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        // `None` sorts first, so roots precede all linked nodes.
        order.sort_by_key(|&node| first_link[node]);
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &node)| places[node] = place);
        let mut nodes: Vec<Given> =
            order.iter().map(|&node| std::mem::take(&mut self.nodes[node])).collect();
        // Parents were places before the sort.
        for parent in nodes.iter_mut().filter_map(|node| node.parent.as_mut()) {
            *parent = places[*parent];
        }
        for link in &mut seconds {
            (link.child, link.parent) = (places[link.child], places[link.parent]);
        }
        Draft { nodes, second_parents: seconds, ..Draft::default() }
    }
}

/// Removes surrounding blanks, an unnecessary sign and decimals that are all zero from a number.
/// Returns `None` if the text is not a number or does not change.
pub(crate) fn plain_number(text: &str) -> Option<String> {
    read_number(text)?;
    let trimmed = text.trim();
    let unsigned = trimmed.strip_prefix('+').unwrap_or(trimmed);
    let plain = match unsigned.split_once('.') {
        Some((whole, zeros)) if !whole.is_empty() && zeros.bytes().all(|byte| byte == b'0') => {
            whole
        }
        _ => unsigned,
    };
    (plain != text).then(|| plain.to_owned())
}
