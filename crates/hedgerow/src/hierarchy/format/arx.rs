//! ARX's hierarchy files: one line for each leaf, from the leaf to the root.

use std::io::Write;

use hashbrown::HashMap;

use super::WriteError;
use crate::hierarchy::assemble::{Given, assemble};
use crate::hierarchy::{Hierarchy, Node, Notation};
use crate::{Error, Result};

/// More cells than this would make a file that nobody can use.
const MOST_CELLS: u64 = 200_000_000;

pub(super) fn read(text: &str, attribute: Option<&str>) -> Result<Hierarchy> {
    let rows = rows(text)?;
    let mut nodes: Vec<Given> = Vec::new();
    let mut known: HashMap<(usize, &str), (usize, u64)> = HashMap::new();
    let mut lowest = Vec::new();
    for Row { line, labels } in &rows {
        let mut parent: Option<usize> = None;
        // From the root down; a label that repeats on lower levels is the same node.
        let mut level = labels.len();
        while level > 0 {
            level -= 1;
            let label = labels[level].as_str();
            let top = level;
            while level > 0 && labels[level - 1] == label {
                level -= 1;
            }
            let next = nodes.len();
            let &mut (node, first_line) = known.entry((top, label)).or_insert((next, *line));
            if node == next {
                if parent.is_none() && node > 0 {
                    return Err(second_root(*line, label, &nodes[0].label));
                }
                let bounds = match Notation::read(label) {
                    Notation::Range(lo, hi) if lo.is_finite() && hi.is_finite() => Some((lo, hi)),
                    _ => None,
                };
                nodes.push(Given { parent, label: label.into(), bounds, count: 0 });
            } else if nodes[node].parent != parent {
                let name = |node: Option<usize>| node.map_or("none", |node| &*nodes[node].label);
                return Err(Error::invalid(format!(
                    "line {line}: '{label}' has two parents, '{}' here and '{}' on line \
                     {first_line}; a hierarchy is a tree, so rename or move one of them",
                    name(parent),
                    name(nodes[node].parent),
                )));
            }
            parent = Some(node);
        }
        lowest.extend(parent);
    }
    check_leaves(&rows, &nodes)?;
    keep_values_named_like_groups(&lowest, &mut nodes);
    assemble(attribute.unwrap_or(""), &nodes, None)
}

struct Row {
    line: u64,
    labels: Vec<String>,
}

fn rows(text: &str) -> Result<Vec<Row>> {
    let delimiter = if text.lines().next().is_some_and(|l| !l.contains(';') && l.contains(',')) {
        b','
    } else {
        b';'
    };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut rows: Vec<Row> = Vec::new();
    let (mut line, mut counted) = (1, 0);
    for record in reader.records() {
        let record = record.map_err(|error| Error::invalid(error.to_string()))?;
        // What is left of the line end before a record (all of it, or `\n` of `\r\n`) is not its own.
        let at = record.position().map_or(0, |position| position.byte() as usize);
        let blank = text[at..].bytes().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        line += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..at + blank]).count() as u64;
        counted = at + blank;
        let labels: Vec<String> = record.iter().map(|label| label.trim().to_owned()).collect();
        // A value may be empty on all its levels: so a missing one is written. A group may not.
        let own = labels.iter().take_while(|label| label.is_empty()).count() % labels.len();
        if let Some(level) = (own..labels.len()).find(|&level| labels[level].is_empty()) {
            return Err(Error::invalid(format!(
                "line {line}: the label on level {level} is empty"
            )));
        }
        if let Some(first) = rows.first().filter(|first| first.labels.len() != labels.len()) {
            return Err(Error::invalid(format!(
                "line {line} has {} levels, but line {} has {}; repeat the value on its lower \
                 levels to fill a short line",
                labels.len(),
                first.line,
                first.labels.len()
            )));
        }
        rows.push(Row { line, labels });
    }
    if rows.is_empty() {
        return Err(Error::invalid("the file is empty; it needs one line for each value"));
    }
    Ok(rows)
}

fn second_root(line: u64, label: &str, root: &str) -> Error {
    Error::invalid(format!(
        "line {line}: the last level is '{label}', but '{root}' above; all lines must end in the \
         same root, usually *"
    ))
}

/// A value that is also a group would vanish into it.
fn check_leaves(rows: &[Row], nodes: &[Given]) -> Result<()> {
    let root_alone = rows.iter().rfind(|row| row.labels.iter().all(|l| *l == row.labels[0]));
    match root_alone {
        Some(row) if nodes.len() > 1 => Err(Error::invalid(format!(
            "line {}: '{}' is the root of the other lines, so it cannot be a value",
            row.line, row.labels[0]
        ))),
        _ => Ok(()),
    }
}

/// A value that has its group's name, `Other;Other;*` beside `misc;Other;*`, is a leaf below it.
fn keep_values_named_like_groups(lowest: &[usize], nodes: &mut Vec<Given>) {
    let mut is_group = vec![false; nodes.len()];
    nodes.iter().filter_map(|node| node.parent).for_each(|parent| is_group[parent] = true);
    for &node in lowest.iter().filter(|&&node| is_group[node]) {
        let leaf = Given { parent: Some(node), ..nodes[node].clone() };
        nodes.push(leaf);
    }
}

pub(super) fn write(tree: &Hierarchy, out: &mut dyn Write) -> Result<(), WriteError> {
    let depths = tree.depths();
    let height = depths.iter().copied().max().unwrap_or(0);
    let n_cells = u64::from(height + 1) * tree.n_leaves() as u64;
    if n_cells > MOST_CELLS {
        return Err(WriteError::Unfit(format!(
            "the ARX format writes every level of every leaf, here {n_cells} cells; use .json"
        )));
    }
    let mut writer = csv::WriterBuilder::new().delimiter(b';').has_headers(false).from_writer(out);
    let mut labels: Vec<Node> = Vec::new();
    for leaf in 0..tree.n_leaves() as u32 {
        labels.clear();
        labels.extend((0..=height).map(|level| tree.at_level(leaf, level, &depths, height)));
        let row = labels.iter().map(|&node| tree.published(node).into_owned());
        writer.write_record(row).map_err(std::io::Error::from)?;
    }
    writer.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_err(text: &str) -> String {
        read(text, Some("x")).unwrap_err().to_string()
    }

    #[test]
    fn ragged_trees_come_back_as_they_went() {
        let text = "a;A;*\nb;A;*\nc;c;*\n";
        let tree = read(text, Some("x")).unwrap();
        assert_eq!(tree.outline(), "*(A(a,b),c)");
        let mut written = Vec::new();
        write(&tree, &mut written).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), text);
    }

    #[test]
    fn numbers_are_laid_out_in_order_whatever_the_order_of_lines() {
        let tree = read("10;5-14;*\n2;0-4;*\n7;5-14;*\n", Some("x")).unwrap();
        assert_eq!(tree.outline(), "*(0-4(2),5-14(7,10))");
        assert_eq!(tree.bounds(0), Some((0.0, 14.0)));
        assert!((tree.costs()[3] - 9.0 / 14.0).abs() < 1e-12);
    }

    #[test]
    fn a_value_may_have_the_name_of_its_group() {
        let text = "Other;Other;*\nmisc;Other;*\nx;X;*\n";
        let tree = read(text, Some("x")).unwrap();
        assert_eq!(tree.outline(), "*(Other(misc,Other),X(x))");
    }

    #[test]
    fn a_missing_value_is_an_empty_leaf() {
        let text = "a;A;*\n\"\";A;*\nc;c;*\n";
        assert_eq!(read(text, Some("x")).unwrap().outline(), "*(A(a,),c)");
        assert_eq!(read("a;A;*\n;;*\n", Some("x")).unwrap().outline(), "*(A(a),)");
    }

    #[test]
    fn faults_name_their_line() {
        assert!(read_err("a;A;*\nb;B;*\nc;A;*\na;B;*\n").contains("line 4: 'a' has two parents"));
        assert!(read_err("a;A;*\nb;*\n").contains("line 2 has 2 levels, but line 1 has 3"));
        assert!(read_err("a;A;*\nb;;*\n").contains("line 2: the label on level 1 is empty"));
        assert!(read_err("a;A;*\nb;A;+\n").contains("line 2: the last level is '+', but '*'"));
        assert!(read_err("a;A;*\n*;*;*\n").contains("line 2: '*' is the root"));
        assert!(read_err("a;A;*\r\nb;A;*\r\n\r\nc;*\r\n").contains("line 4 has 2 levels"));
        assert!(read_err("a;A;*\r\nb;B;+\r\n").contains("line 2: the last level is '+'"));
        assert!(read_err("\"\";\"\"\n").contains("line 1: the label on level 0 is empty"));
        assert!(read_err("").contains("the file is empty"));
    }
}
