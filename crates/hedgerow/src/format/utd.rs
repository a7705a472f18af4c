//! The UTD Anonymization Toolbox: a configuration whose `vgh` elements are value hierarchies.
//!
//! Verified against the toolbox's `Configuration`, `QIDAttribute` and `Interval`. Nodes are
//! intervals, `[0:50)` or `[3]`. Categories are numbered in a `map`, and leaves of a single
//! category can be omitted. The toolbox ignores attributes that it does not know, so the name of a
//! group, for which it has no place, is stored in an attribute `label`.

use std::io::Write;

use super::markup::{Element, Piece, Pieces, attribute, root_name};
use super::{WriteError, markup};
use crate::error::Advice;
use crate::format::{draft::Draft, finding::Severity};
use crate::hierarchy::{Hierarchy, Leaf, Node, write_set};
use crate::table::{Kind, Reading, read_number};
use crate::{Error, Result};

/// Groups of more categories are named by their first and last category.
const MOST_NAMED: usize = 5;

pub(super) fn looks_so(text: &str) -> bool {
    root_name(text).is_some_and(|name| matches!(name.as_str(), "config" | "vgh" | "att" | "qid"))
}

pub(super) fn parse(text: &str, attribute: Option<&str>) -> Result<Draft> {
    let mut found = attributes(text)?;
    found.retain(|attribute| !attribute.nodes.is_empty());
    let named = |name: &str| found.iter().position(|attribute| attribute.name == name);
    // The name of the column selects a hierarchy; without it there must be only one.
    let place = match attribute.and_then(named) {
        Some(place) => place,
        None if found.len() == 1 => 0,
        None if found.is_empty() => {
            return Err(Error::syntax(None, "there is no <vgh>, so the file has no hierarchy"));
        }
        None => {
            let columns = found.iter().map(|attribute| attribute.name.clone()).collect();
            return Err(Error::syntax(None, "the file has several hierarchies")
                .advise([Advice::ChooseColumn { columns }]));
        }
    };
    let chosen = found.swap_remove(place);
    let name = attribute.unwrap_or(&chosen.name).to_owned();
    let is_numeric = chosen.categories.is_empty();
    let draft = if is_numeric { chosen.numeric() } else { chosen.categorical() };
    Ok(draft.of_attribute(&name))
}

/// The contents of the file for one attribute.
#[derive(Default)]
struct Attribute {
    name: String,
    /// The number, name and line of each category.
    categories: Vec<(f64, String, u64)>,
    nodes: Vec<Interval>,
}

/// A node: `[lo:hi)`, `[value]` or `value`.
struct Interval {
    parent: Option<usize>,
    line: u64,
    label: Option<String>,
    /// The value as the file has it.
    text: String,
    lo: f64,
    hi: f64,
    is_single: bool,
}

fn attributes(text: &str) -> Result<Vec<Attribute>> {
    let mut pieces = Pieces::of(text);
    let mut found: Vec<Attribute> = Vec::new();
    // The node of each open element, or `None` if the element is not a node.
    let mut open: Vec<Option<usize>> = Vec::new();
    while let Some(piece) = pieces.next()? {
        match piece {
            Piece::Open(element) => {
                let parent = open.last().copied().flatten();
                open.push(add_element(&element, parent, &mut found)?);
            }
            Piece::Close => {
                open.pop();
            }
            Piece::Text(_) => {}
        }
    }
    Ok(found)
}

/// Adds an element to the last attribute. Returns its index if it is a node.
fn add_element(
    element: &Element,
    parent: Option<usize>,
    found: &mut Vec<Attribute>,
) -> Result<Option<usize>> {
    match element.name.as_str() {
        "att" => found.push(Attribute {
            name: element.get("name").or(element.get("index")).unwrap_or("").to_owned(),
            ..Attribute::default()
        }),
        "vgh" | "node" if element.name == "vgh" || parent.is_some() => {
            // A file can have a hierarchy without an attribute around it.
            if found.is_empty() {
                found.push(Attribute::default());
            }
            let last = found.len() - 1;
            found[last].nodes.push(Interval::of(element, parent)?);
            return Ok(Some(found[last].nodes.len() - 1));
        }
        "entry" => {
            if let Some(attribute) = found.last_mut() {
                attribute.categories.push(category(element)?);
            }
        }
        _ => {}
    }
    Ok(None)
}

fn category(entry: &Element) -> Result<(f64, String, u64)> {
    let (line, number) = (entry.line, entry.need("int")?);
    let found = read_number(number).map(Reading::value);
    let number = found.ok_or_else(|| {
        Error::syntax(line, format!("'{number}' is not the number of a category"))
    })?;
    Ok((number, entry.need("cat")?.to_owned(), line))
}

impl Interval {
    fn of(element: &Element, parent: Option<usize>) -> Result<Self> {
        let (line, text) = (element.line, element.need("value")?);
        let fault = || {
            Error::syntax(line, format!("'{text}' is not an interval"))
                .advise([Advice::words("write [0:50), [3] or 3")])
        };
        let inner = text.trim().trim_start_matches(['[', '(']).trim_end_matches([']', ')']);
        let (lo, hi) = inner.split_once(':').unwrap_or((inner, inner));
        let number = |text: &str| read_number(text).map(Reading::value);
        let (lo, hi) = (number(lo).ok_or_else(fault)?, number(hi).ok_or_else(fault)?);
        Ok(Self {
            parent,
            line,
            label: element.get("label").map(str::to_owned),
            text: text.trim().to_owned(),
            lo,
            hi,
            is_single: !inner.contains(':'),
        })
    }

    /// Formats the node in our notation for intervals: `[0, 50)`, `3`.
    fn notation(&self) -> String {
        let inner = self.text.trim_start_matches(['[', '(']).trim_end_matches([']', ')']);
        match inner.split_once(':') {
            None => inner.to_owned(),
            Some((lo, hi)) => {
                let open = if self.text.starts_with('(') { '(' } else { '[' };
                let close = if self.text.ends_with(')') { ')' } else { ']' };
                format!("{open}{}, {}{close}", lo.trim(), hi.trim())
            }
        }
    }

    /// Whether the interval contains a number.
    fn contains(&self, number: f64) -> bool {
        let is_above =
            if self.text.starts_with('(') { self.lo < number } else { self.lo <= number };
        let is_below = if self.text.ends_with(')') { number < self.hi } else { number <= self.hi };
        is_above && is_below
    }
}

impl Attribute {
    fn numeric(self) -> Draft {
        let mut draft = Draft::default();
        for node in self.nodes {
            let notation = node.notation();
            let place = draft.push(node.parent, &notation, node.line);
            if let Some(label) = node.label {
                draft.nodes[place].label = label.into();
            }
        }
        draft
    }

    fn categorical(mut self) -> Draft {
        self.categories.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut draft = Draft::default();
        self.add_groups(&mut draft);
        self.add_categories(&mut draft);
        draft
    }

    /// Adds the nodes as groups, and records those that exceed their parents.
    fn add_groups(&self, draft: &mut Draft) {
        for node in &self.nodes {
            let place = draft.push(node.parent, &self.name_of(node), node.line);
            draft.nodes[place].is_group = true;
            let Some(outer) = node.parent.map(|parent| &self.nodes[parent]) else { continue };
            if node.lo < outer.lo || node.hi > outer.hi {
                let message = format!("'{}' does not lie within '{}'", node.text, outer.text);
                draft.odd(Severity::Error, node.line, message, "it is kept there");
            }
        }
    }

    /// Adds each category below the lowest node that contains it.
    fn add_categories(&self, draft: &mut Draft) {
        let mut has_children = vec![false; self.nodes.len()];
        let parents = self.nodes.iter().filter_map(|node| node.parent);
        parents.for_each(|parent| has_children[parent] = true);
        for ((_, name, line), owner) in self.categories.iter().zip(self.owners()) {
            // The first category of a leaf with a single value becomes that leaf; others become its
            // children.
            let is_new_leaf = |node: usize| {
                self.nodes[node].is_single && !has_children[node] && draft.nodes[node].is_group
            };
            match owner {
                Some(node) if is_new_leaf(node) => {
                    draft.nodes[node].label = name.as_str().into();
                    draft.nodes[node].is_group = false;
                }
                Some(node) => drop(draft.push(Some(node), name, *line)),
                None => {
                    let message = format!("the number of category '{name}' is in no node");
                    draft.odd(Severity::Error, *line, message, "it is put below the root");
                    draft.push(Some(0), name, *line);
                }
            }
        }
    }

    /// Returns the name of a group of categories: its label, or else its categories.
    fn name_of(&self, node: &Interval) -> String {
        if let Some(label) = &node.label {
            return label.clone();
        }
        if node.parent.is_none() {
            return "*".to_owned();
        }
        // Categories are sorted by their numbers. One more than can be named is enough to know that
        // there are too many.
        let first = self.categories.partition_point(|category| category.0 < node.lo);
        let within = self.categories[first..].iter().take_while(|category| category.0 <= node.hi);
        let names: Vec<&str> = within
            .filter(|category| node.contains(category.0))
            .take(MOST_NAMED + 1)
            .map(|category| category.1.as_str())
            .collect();
        match names.len() {
            0 => node.text.clone(),
            1..=MOST_NAMED => write_set(&names),
            _ => {
                let end = self.categories.partition_point(|category| category.0 <= node.hi);
                let last = self.categories[..end]
                    .iter()
                    .rfind(|category| node.contains(category.0))
                    .map_or("", |category| category.1.as_str());
                format!("{} to {last} {}", names[0], node.text)
            }
        }
    }

    /// Returns the lowest node that contains each category.
    ///
    /// Descendants come after their ancestors, so nodes are visited from the last to the first and
    /// each takes the categories that are still free. Categories that are taken are skipped, so
    /// each is visited about once.
    fn owners(&self) -> Vec<Option<usize>> {
        let n_categories = self.categories.len();
        let mut owners = vec![None; n_categories];
        let mut next_free: Vec<usize> = (0..=n_categories).collect();
        for (place, node) in self.nodes.iter().enumerate().rev() {
            let mut at = self.categories.partition_point(|category| category.0 < node.lo);
            loop {
                at = free_from(&mut next_free, at);
                if at == n_categories || self.categories[at].0 > node.hi {
                    break;
                }
                if node.contains(self.categories[at].0) {
                    owners[at] = Some(place);
                    next_free[at] = at + 1;
                }
                at += 1;
            }
        }
        owners
    }
}

/// Returns the first free place from `at` on and compresses the path to it (union-find).
fn free_from(next_free: &mut [usize], at: usize) -> usize {
    let mut free = at;
    while next_free[free] != free {
        free = next_free[free];
    }
    let mut walked = at;
    while next_free[walked] != walked {
        walked = std::mem::replace(&mut next_free[walked], free);
    }
    free
}

pub(super) fn write(tree: &Hierarchy, out: &mut dyn Write) -> Result<(), WriteError> {
    // A leaf for missing values is not a number, so such trees are written as categories.
    let is_numeric = tree.kind() == Kind::Number && tree.leaves().len() == tree.n_leaves();
    out.write_all(
        b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<config>\n<qid>\n<att index=\"0\"",
    )?;
    attribute(out, "name", &markup::sayable(tree.attribute()))?;
    out.write_all(b">\n")?;
    // Categories are numbered like their leaves, so that each group is an interval.
    if !is_numeric {
        out.write_all(b"<map>\n")?;
        for leaf in Leaf::first(tree.n_leaves()) {
            out.write_all(b"<entry")?;
            attribute(out, "cat", &tree.spelling(leaf))?;
            writeln!(out, " int=\"{}\"/>", leaf.get())?;
        }
        out.write_all(b"</map>\n")?;
    }
    let mut open: Vec<Node> = Vec::new();
    for node in tree.nodes() {
        while open.last().is_some_and(|&above| Some(above) != tree.parent(node)) {
            open.pop();
            out.write_all(b"</node>\n")?;
        }
        out.write_all(if node == Node::ROOT { b"<vgh" } else { b"<node" })?;
        attribute(out, "value", &interval(tree, node, is_numeric))?;
        if tree.as_leaf(node).is_none() {
            attribute(out, "label", &tree.label(node))?;
        }
        // The root is `<vgh>` and is closed at the end, even if it is a leaf.
        if tree.as_leaf(node).is_some() && node != Node::ROOT {
            out.write_all(b"/>\n")?;
        } else {
            out.write_all(b">\n")?;
            open.push(node);
        }
    }
    out.write_all(&b"</node>\n".repeat(open.len() - 1))?;
    out.write_all(b"</vgh>\n</att>\n</qid>\n</config>\n")?;
    Ok(())
}

fn interval(tree: &Hierarchy, node: Node, is_numeric: bool) -> String {
    let leaves = tree.leaves_of(node);
    let (first, last) = (leaves.start.get(), leaves.greatest().get());
    match (tree.as_leaf(node), tree.bounds(node)) {
        (Some(leaf), _) if is_numeric => format!("[{}]", tree.spelling(leaf)),
        (Some(leaf), _) => format!("[{}]", leaf.get()),
        (None, Some((lo, hi))) if is_numeric => format!("[{lo}:{hi}]"),
        (None, _) => format!("[{first}:{last}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = "<config method='Datafly' k='5'>
        <qid><att index='12' name='sex'><map><entry cat='Female' int='0'/><entry cat='Male' int='1'/>
        </map><vgh value='[0:1]'> <!-- categories may be left out --> </vgh></att>
        <att index='0' name='age'><vgh value='[0:100)'><node value='[0:50)'/><node value='[50:100)'/>
        </vgh></att></qid></config>";

    fn outline(text: &str, attribute: Option<&str>) -> String {
        parse(text, attribute).unwrap().assemble().unwrap().outline()
    }

    #[test]
    fn numbers_and_categories_are_read() {
        assert_eq!(outline(CONFIG, Some("sex")), "*(Female,Male)");
        assert_eq!(outline(CONFIG, Some("age")), "[0-100)([0-50),[50-100))");
        let nested = "<vgh value='[0:3]'><node value='[0:1]'><node value='[0]'/></node>\
            <node value='[2:3]'/></vgh>";
        let map = "<map><entry cat='a' int='0'/><entry cat='b' int='1'/><entry cat='c' int='2'/>\
            <entry cat='d' int='3'/></map>";
        let text = format!("<att name='x'>{map}{nested}</att>");
        assert_eq!(outline(&text, None), "*({a-b}(a,b),{c-d}(c,d))");
    }

    #[test]
    fn which_attribute_must_be_said_if_there_are_several() {
        let error = parse(CONFIG, Some("job")).unwrap_err();
        let columns = vec!["sex".to_owned(), "age".to_owned()];
        assert_eq!(error.advice(), [Advice::ChooseColumn { columns }]);
    }

    #[test]
    fn faults_name_their_line() {
        let error = |text: &str| match parse(text, None).and_then(|draft| draft.assemble()) {
            Ok(tree) => panic!("{}", tree.outline()),
            Err(error) => error.to_string(),
        };
        assert!(
            error("<vgh value='[0:3]'>\n<node value='x'/></vgh>")
                .contains("line 2: 'x' is not an in")
        );
        let lost = "<att><map>\n<entry cat='a' int='7'/></map><vgh value='[0:3]'/></att>";
        assert!(error(lost).contains("line 2: the number of category 'a' is in no node"));
        assert!(error("<config></config>").contains("has no hierarchy"));
    }
}
