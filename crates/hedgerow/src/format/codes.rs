//! Classifications as tables with a code, a parent code and a label, as ISCO, NACE and ICD are
//! published.
//!
//! The header names the columns in any order, and other columns are ignored. A code that is not a
//! parent is a leaf. Leaves are named by their codes, unless more values of the column match their
//! labels. Groups are named by their labels. Several roots become children of `*`.

use std::io::Write;

use hashbrown::HashSet;

use super::WriteError;
use super::records::{delimiter, records};
use crate::format::{
    draft::{Draft, Given, Links},
    finding::Severity,
};
use crate::hierarchy::{Hierarchy, Leaf, finite_range};
use crate::{Error, Result};

/// Indices of the columns.
struct Header {
    code: usize,
    parent: usize,
    label: Option<usize>,
}

impl Header {
    fn of<'a>(fields: impl Iterator<Item = &'a str>) -> Option<Self> {
        let fields: Vec<String> = fields.map(|field| field.trim().to_lowercase()).collect();
        let find = |names: &[&str]| fields.iter().position(|field| names.contains(&field.as_str()));
        let label = find(&["label", "title", "description", "name"]);
        Some(Self { code: find(&["code"])?, parent: find(&["parent"])?, label })
    }
}

pub(super) fn looks_so(text: &str) -> bool {
    let line = text.lines().next().unwrap_or("");
    let fields = line.split([',', ';', '\t', '|']).map(|field| field.trim().trim_matches('"'));
    Header::of(fields).is_some()
}

pub(super) fn parse(text: &str, attribute: Option<&str>) -> Result<Draft> {
    let records = records(text, delimiter(text, b",;\t|"))?;
    let header = records.iter().next();
    let header = header.and_then(|(_, header)| Header::of(header.iter().map(AsRef::as_ref)));
    let Some(header) = header else {
        return Err(Error::syntax(1, "the header needs the columns code and parent"));
    };
    let mut links = Links::default();
    let mut odd = Draft::default();
    let mut parents = Vec::new();
    for (line, record) in records.iter().skip(1) {
        let field = |column: usize| record.get(column).map_or("", AsRef::as_ref);
        let mut field = |column: usize| odd.trimmed(field(column), line);
        let (code, parent) = (field(header.code), field(header.parent));
        let label = header.label.map_or("", field);
        if code.is_empty() {
            odd.odd(Severity::Error, line, "the code is empty", "the line is left out");
            continue;
        }
        // A code that occurs twice keeps its first line, but a second parent is still recorded.
        let is_new = links.find(code).is_none();
        let place = links.node(code, line);
        if is_new {
            let alias = Some(label).filter(|label| !label.is_empty()).map(Into::into);
            links.nodes[place] = Given { label: code.into(), alias, line, ..Given::default() };
        } else {
            let message = format!("the code '{code}' occurs twice");
            odd.odd(Severity::Warning, line, message, "its first line is kept");
        }
        parents.push((place, parent, line));
    }
    if links.nodes.is_empty() {
        return Err(Error::syntax(None, "there is a header but no line below it"));
    }
    // Links come after all nodes, because a parent can follow its children in the file.
    for (child, parent, line) in parents.into_iter().filter(|(_, parent, _)| !parent.is_empty()) {
        match links.find(parent) {
            Some(parent) => links.link(child, parent, line),
            None => {
                let code = &links.nodes[child].label;
                let message = format!("the parent '{parent}' of '{code}' has no line of its own");
                odd.odd(Severity::Error, line, message, "it is put below the root");
            }
        }
    }
    let mut draft = Draft { oddities: odd.oddities, ..links.into_draft().below_one_root() };
    name_groups(&mut draft);
    Ok(draft.of_attribute(attribute.unwrap_or("")))
}

/// Names groups by their labels; their codes become aliases.
fn name_groups(draft: &mut Draft) {
    let is_leaf = draft.leaf_flags();
    for (node, _) in draft.nodes.iter_mut().zip(is_leaf).filter(|(_, is_leaf)| !is_leaf) {
        node.is_group = true;
        if let Some(label) = node.alias.take() {
            node.bounds = finite_range(&label);
            // The code stays known, because the column may have codes of groups as values.
            node.alias = Some(std::mem::replace(&mut node.label, label));
        }
    }
}

pub(super) fn write(tree: &Hierarchy, out: &mut dyn Write) -> Result<(), WriteError> {
    let mut writer = csv::Writer::from_writer(out);
    let mut record = |fields: [&str; 3]| writer.write_record(fields).map_err(std::io::Error::from);
    record(["code", "parent", "label"])?;
    let codes = codes_of(tree);
    for node in tree.nodes() {
        let parent = tree.parent(node).map_or("", |parent| &codes[parent.index()]);
        record([&codes[node.index()], parent, &tree.published(node)])?;
    }
    writer.flush()?;
    Ok(())
}

/// Returns a code for each node: the spelling of a leaf, or the label of a group, with a number if
/// it is taken.
fn codes_of(tree: &Hierarchy) -> Vec<String> {
    // Leaves keep their spellings, so only groups get numbers.
    let mut taken: HashSet<String> =
        Leaf::first(tree.n_leaves()).map(|leaf| tree.spelling(leaf).into_owned()).collect();
    let mut number = 1;
    let mut codes = Vec::with_capacity(tree.len());
    for node in tree.nodes() {
        if let Some(leaf) = tree.as_leaf(node) {
            codes.push(tree.spelling(leaf).into_owned());
            continue;
        }
        let label = tree.published(node).into_owned();
        let mut code = label.clone();
        while !taken.insert(code.clone()) {
            number += 1;
            code = format!("{label} #{number}");
        }
        codes.push(code);
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    const ISCO: &str = "level;Label;Code;Parent\n1;Managers;1;\n2;Chief executives;11;1\n\
        2;Administrative managers;12;1\n1;Professionals;2;\n2;Health professionals;22;2\n";

    #[test]
    fn leaves_are_codes_or_labels_as_the_column_has_them() {
        let draft = || parse(ISCO, Some("job")).unwrap();
        let codes = "*(Managers(11,12),Professionals(22))";
        assert_eq!(draft().assemble().unwrap().outline(), codes);
        let rows = [["Chief executives"], ["12"], ["Health professionals"]];
        let table = Table::from_rows(&["job"], &rows).unwrap();
        let tree = draft().for_values(&table.columns()[0].domain).assemble().unwrap();
        let labels = "*(Managers(Chief executives,Administrative managers),\
            Professionals(Health professionals))";
        assert_eq!(tree.outline(), labels);
    }

    #[test]
    fn faults_name_their_line() {
        let error = |text: &str| match parse(text, None).and_then(|draft| draft.assemble()) {
            Ok(tree) => panic!("{}", tree.outline()),
            Err(error) => error.to_string(),
        };
        assert!(error("a;b\n").contains("the header needs the columns code and parent"));
        assert!(error("code,parent\n1,\n11,7\n").contains("line 3: the parent '7' of '11' has no"));
        assert!(error("code,parent\n1,\n2,\n3,1\n3,2\n").contains("line 5: '3' has two parents"));
        assert!(error("code,parent\n,1\n1,\n").contains("line 2: the code is empty"));
    }
}
