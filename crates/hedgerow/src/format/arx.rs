//! ARX's hierarchy files: one line for each leaf, from the leaf to the root.

use std::borrow::Cow;
use std::io::Write;

use hashbrown::HashMap;

use super::WriteError;
use super::records::{delimiter, records};
use crate::format::{
    draft::{Draft, Link},
    finding::Severity,
};
use crate::hierarchy::{Hierarchy, Leaf, Node};
use crate::noun::counted;
use crate::{Error, Result};

/// Maximum number of cells in a file. A larger file would be unusable.
const MOST_CELLS: u64 = 200_000_000;

pub(super) fn parse(text: &str, attribute: Option<&str>) -> Result<Draft> {
    // Labels often contain commas, so a semicolon takes precedence.
    let first_line = text.lines().next().unwrap_or("");
    let delimiter = if first_line.contains(';') { b';' } else { delimiter(text, b";,\t|") };
    let records = records(text, delimiter)?;
    let Some((first_line, first)) = records.iter().next() else {
        return Err(Error::syntax(None, "the file is empty; it needs one line for each value"));
    };
    let mut reading = Reading { repeated: vec![true; first.len() - 1], ..Reading::default() };
    for (line, record) in records.iter() {
        if record.len() != first.len() {
            let (found, expected) = (record.len(), first.len());
            let message = format!(
                "{}, but line {first_line} has {expected}; repeat the value on its lower levels to fill \
                 a short line",
                counted(found, "level")
            );
            reading.draft.odd(Severity::Error, line, message, "its lower levels are filled");
        }
        reading.row(line, record);
    }
    reading.note_roots_as_values();
    reading.note_repeated_levels(first_line);
    reading.keep_values_named_like_groups();
    Ok(reading.draft.of_attribute(attribute.unwrap_or("")))
}

/// State of the parser.
#[derive(Default)]
struct Reading<'a> {
    draft: Draft,
    /// Nodes by their depth and label.
    known: HashMap<(usize, &'a str), usize>,
    /// The lowest node of each row, with its line.
    lowest: Vec<(usize, u64)>,
    /// The labels of the current row.
    labels: Vec<&'a str>,
    /// The label and the node at each depth of the last row that had one there. Neighbouring rows
    /// have most of their nodes in common.
    last: Vec<(&'a str, usize)>,
    /// Whether each level is the same as the next one on every line.
    repeated: Vec<bool>,
}

impl<'a> Reading<'a> {
    fn row(&mut self, line: u64, record: &'a [Cow<'a, str>]) {
        let mut labels = std::mem::take(&mut self.labels);
        labels.clear();
        labels.extend(record.iter().map(|label| self.draft.trimmed(label, line)));
        for (level, is_same) in self.repeated.iter_mut().enumerate().filter(|(_, same)| **same) {
            *is_same = labels.get(level) == labels.get(level + 1);
        }
        let mut parent: Option<usize> = None;
        // From the root down. A label that is repeated on lower levels is the same node.
        let mut level = labels.len();
        while level > 0 {
            level -= 1;
            let label = labels[level];
            // Depths count from the root, because lines can have different lengths.
            let depth = labels.len() - 1 - level;
            while level > 0 && labels[level - 1] == label {
                level -= 1;
            }
            let next = self.draft.nodes.len();
            let node = self.node(depth, label);
            if node == next {
                self.draft.push(parent, label, line);
            // The same label at the same depth below another parent: not a tree.
            } else if let Some(parent) = parent.filter(|_| self.draft.nodes[node].parent != parent)
            {
                self.draft.second_parents.push(Link { child: node, parent, line });
            }
            parent = Some(node);
        }
        self.lowest.extend(parent.map(|node| (node, line)));
        self.labels = labels;
    }

    /// The node with a label at a depth, or the next one if it is new.
    fn node(&mut self, depth: usize, label: &'a str) -> usize {
        let next = self.draft.nodes.len();
        // Empty labels do not identify a node, so each becomes a node of its own.
        if label.is_empty() {
            return next;
        }
        match self.last.get(depth) {
            Some(&(last, node)) if last == label => return node,
            None => self.last.resize(depth + 1, ("", next)),
            Some(_) => {}
        }
        let node = *self.known.entry((depth, label)).or_insert(next);
        self.last[depth] = (label, node);
        node
    }

    /// Reports lines that contain only the root, because they have no value.
    fn note_roots_as_values(&mut self) {
        // A file with a single value has only the root, which is then the value.
        if self.draft.nodes.len() == 1 {
            return;
        }
        for place in 0..self.lowest.len() {
            let (node, line) = self.lowest[place];
            if self.draft.nodes[node].parent.is_none() {
                let label = &self.draft.nodes[node].label;
                let message =
                    format!("'{label}' is the root of other lines, so it cannot be a value");
                self.draft.odd(Severity::Error, line, message, "the line is left out");
            }
        }
        let nodes = &self.draft.nodes;
        self.lowest.retain(|&(node, _)| nodes[node].parent.is_some());
    }

    fn note_repeated_levels(&mut self, first_line: u64) {
        let repeated = std::mem::take(&mut self.repeated);
        for (level, _) in repeated.into_iter().enumerate().filter(|(_, is_same)| *is_same) {
            let message = format!("levels {level} and {} are the same on every line", level + 1);
            self.draft.odd(Severity::Warning, first_line, message, "one of them is left out");
        }
    }

    /// Adds a leaf below a group for a value with the group's name, as `Other;Other;*` next to
    /// `misc;Other;*`.
    fn keep_values_named_like_groups(&mut self) {
        let is_leaf = self.draft.leaf_flags();
        for &(node, line) in self.lowest.iter().filter(|(node, _)| !is_leaf[*node]) {
            let label = self.draft.nodes[node].label.clone();
            self.draft.push(Some(node), &label, line);
        }
    }
}

pub(super) fn write(tree: &Hierarchy, out: &mut dyn Write) -> Result<(), WriteError> {
    let depths = tree.depths();
    let height = depths.iter().copied().max().unwrap_or(0);
    // A deep chain of many leaves needs quadratic space.
    let n_cells = u64::from(height + 1) * tree.n_leaves() as u64;
    if n_cells > MOST_CELLS {
        return Err(WriteError::Unfit(format!(
            "has a cell for every level of every leaf, which is too many here: {n_cells}"
        )));
    }
    let mut writer = csv::WriterBuilder::new().delimiter(b';').has_headers(false).from_writer(out);
    let mut labels: Vec<Node> = Vec::new();
    for leaf in Leaf::first(tree.n_leaves()) {
        labels.clear();
        let mut node = tree.leaf_node(leaf);
        for level in 0..=height {
            // A leaf above the maximum depth is repeated on the levels below it.
            if depths[node.index()] > height - level {
                node = tree.parent(node).unwrap_or(Node::ROOT);
            }
            labels.push(node);
        }
        let row = labels.iter().map(|&node| tree.published(node).into_owned());
        writer.write_record(row).map_err(std::io::Error::from)?;
    }
    writer.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Hierarchy> {
        parse(text, Some("x"))?.assemble()
    }

    fn read_err(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn ragged_trees_come_back_as_they_went() {
        let text = "a;A;*\nb;A;*\nc;c;*\n";
        let tree = read(text).unwrap();
        assert_eq!(tree.outline(), "*(A(a,b),c)");
        let mut written = Vec::new();
        write(&tree, &mut written).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), text);
    }

    #[test]
    fn numbers_are_laid_out_in_order_whatever_the_order_of_lines() {
        let tree = read("10;5-14;*\n2;0-4;*\n7;5-14;*\n").unwrap();
        assert_eq!(tree.outline(), "*(0-4(2),5-14(7,10))");
        assert_eq!(tree.bounds(Node::ROOT), Some((0.0, 14.0)));
        assert!((tree.costs()[3] - 9.0 / 14.0).abs() < 1e-12);
    }

    #[test]
    fn a_value_may_have_the_name_of_its_group() {
        let text = "Other;Other;*\nmisc;Other;*\nx;X;*\n";
        assert_eq!(read(text).unwrap().outline(), "*(Other(misc,Other),X(x))");
    }

    #[test]
    fn any_of_four_delimiters_is_found_out() {
        for text in ["a,A,*\nb,A,*\n", "a\tA\t*\nb\tA\t*\n", "a|A|*\nb|A|*\n", "a; A; *\nb; A; *"] {
            assert_eq!(read(text).unwrap().outline(), "*(A(a,b))", "{text}");
        }
    }

    #[test]
    fn faults_name_their_line() {
        assert!(read_err("a;A;*\nb;B;*\nc;A;*\na;B;*\n").contains("line 4: 'a' has two parents"));
        assert!(read_err("a;A;*\nb;*\n").contains("line 2: 2 levels, but line 1 has 3"));
        assert!(read_err("a;A;*\nb;;*\n").contains("line 2: a label is empty"));
        assert!(read_err("a;A;*\nb;B;+\n").contains("line 2: '+' is a second root"));
        assert!(read_err("a;A;*\n*;*;*\n").contains("line 2: '*' is the root"));
        assert!(read_err("a;A;*\r\nb;A;*\r\n\r\nc;*\r\n").contains("line 4: 2 levels"));
        assert!(read_err("a;A;*\r\nb;B;+\r\n").contains("line 2: '+' is a second root"));
        assert!(read_err("a;A;*\n\"b;A;*\nc;A;*\n").contains("line 2: a quote is opened"));
        assert!(read_err("").contains("the file is empty"));
    }
}
