//! hedgerow's own hierarchy files: JSON with a flat list of nodes in pre-order, so that any depth
//! can be read.

use std::io::Write;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use super::WriteError;
use super::lines::Lines;
use crate::format::{
    draft::{Draft, Given, Links},
    finding::Severity,
};
use crate::hierarchy::{Hierarchy, How, Node, Origin};
use crate::method::Spec;
use crate::table::{DateFormat, Kind, Values};
use crate::{Error, Result};

/// Version of the format.
pub(super) const VERSION: u32 = 1;

#[derive(Serialize)]
struct Head<'a> {
    hedgerow: u32,
    attribute: &'a str,
    kind: Kind,
    #[serde(rename = "date-format", skip_serializing_if = "Option::is_none")]
    date_format: Option<&'a DateFormat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    builder: Option<Builder>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Builder {
    pub(super) method: String,
    #[serde(flatten)]
    pub(super) parameters: toml::Table,
}

#[derive(Serialize)]
struct WrittenNode<'a> {
    id: u32,
    parent: Option<u32>,
    label: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "write_number")]
    min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "write_number")]
    max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "write_number")]
    distortion: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    concept: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    also: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    how: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    locked: Option<bool>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object with hedgerow, attribute, kind and nodes")]
struct Read<'a> {
    hedgerow: u32,
    #[serde(default)]
    attribute: String,
    kind: Option<Kind>,
    #[serde(rename = "date-format")]
    date_format: Option<DateFormat>,
    builder: Option<Builder>,
    #[serde(borrow)]
    nodes: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct ReadNode {
    id: u64,
    parent: Option<u64>,
    label: Option<Box<str>>,
    value: Option<Box<str>>,
    min: Option<f64>,
    max: Option<f64>,
    #[serde(default)]
    count: u64,
    distortion: Option<f64>,
    concept: Option<Box<str>>,
    source: Option<Box<str>>,
    also: Option<Box<str>>,
    how: Option<Box<str>>,
    note: Option<Box<str>>,
    #[serde(default)]
    locked: bool,
}

/// Writes one node per line, so that errors can refer to lines.
pub(super) fn write(tree: &Hierarchy, out: &mut dyn Write) -> Result<(), WriteError> {
    let builder = tree
        .builder()
        .map(|spec| Builder { method: spec.name.clone(), parameters: spec.parameters.clone() });
    let head = Head {
        hedgerow: VERSION,
        attribute: tree.attribute(),
        kind: tree.kind(),
        date_format: match tree.leaves() {
            Values::Date(_, format) => Some(format),
            _ => None,
        },
        builder,
    };
    let text = serde_json::to_string(&head).map_err(std::io::Error::from)?;
    // The list of nodes replaces the closing brace of the head.
    write!(out, "{},\"nodes\":[", text.strip_suffix('}').unwrap_or(&text))?;
    let has_counts = tree.count(Node::ROOT) > 0;
    let distortions = tree.distortions();
    for id in tree.nodes() {
        out.write_all(if id == Node::ROOT { b"\n" } else { b",\n" })?;
        let bounds = tree.bounds(id);
        let label = tree.label(id);
        let value = tree.as_leaf(id).map(|leaf| tree.spelling(leaf));
        let origin = tree.origin(id);
        let node = WrittenNode {
            id: id.get(),
            parent: tree.parent(id).map(Node::get),
            label: &label,
            value: value.as_deref(),
            min: bounds.map(|(min, _)| min),
            max: bounds.map(|(_, max)| max),
            count: has_counts.then(|| tree.count(id)),
            distortion: tree.has_distortions().then(|| distortions[id.index()]),
            concept: origin.and_then(|origin| origin.concept.as_deref()),
            source: origin.and_then(|origin| origin.source.as_deref()),
            also: origin.and_then(|origin| origin.also.as_deref()),
            how: origin.and_then(|origin| origin.how).map(How::name),
            note: origin.and_then(|origin| origin.note.as_deref()),
            locked: tree.is_locked(id).then_some(true),
        };
        serde_json::to_writer(&mut *out, &node).map_err(std::io::Error::from)?;
    }
    out.write_all(b"\n]}\n")?;
    Ok(())
}

/// Writes whole numbers without a decimal point.
#[expect(clippy::ref_option, reason = "serde gives a reference to the field")]
fn write_number<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match *number {
        // Below 2^53 a whole number survives the conversion.
        Some(number) if number.fract() == 0.0 && number.abs() < 9e15 => {
            serializer.serialize_i64(number as i64)
        }
        number => number.serialize(serializer),
    }
}

pub(super) fn parse(text: &str, attribute: Option<&str>) -> Result<Draft> {
    let read = read(text)?;
    let nodes = nodes(text, &read.nodes)?;
    let mut links = Links::default();
    let mut odd = Draft::default();
    add_nodes(&nodes, &mut links, &mut odd);
    // In a second pass, because parents can follow their children in the file.
    link_to_parents(&nodes, &mut links, &mut odd);
    let builder =
        read.builder.map(|Builder { method, parameters }| Spec { name: method, parameters });
    let attribute = attribute.unwrap_or(&read.attribute).to_owned();
    Ok(Draft {
        attribute,
        kind: read.kind,
        dates: read.date_format,
        builder,
        oddities: odd.oddities,
        ..links.into_draft()
    })
}

/// Parses everything but the nodes and checks the version.
fn read(text: &str) -> Result<Read<'_>> {
    let read: Read<'_> = serde_json::from_str(text).map_err(|error| {
        Error::syntax(None, format!("this is not a hedgerow hierarchy: {error}"))
    })?;
    if read.hedgerow != VERSION {
        let found = read.hedgerow;
        let problem = format!("the file has version {found}, but hedgerow reads version {VERSION}");
        return Err(Error::syntax(None, problem));
    }
    Ok(read)
}

/// Parses the nodes and returns each with the line on which it begins.
fn nodes(text: &str, list: &[&RawValue]) -> Result<Vec<(u64, ReadNode)>> {
    let mut lines = Lines::of(text);
    let mut nodes = Vec::with_capacity(list.len());
    for raw in list {
        // A raw value is a slice of the text, so its address gives its offset.
        let line = lines.at(raw.get().as_ptr() as usize - text.as_ptr() as usize);
        let node = serde_json::from_str(raw.get()).map_err(|error| {
            Error::syntax(line, format!("this is not a node of a hedgerow hierarchy: {error}"))
        })?;
        nodes.push((line, node));
    }
    Ok(nodes)
}

/// Adds the nodes without their parents, and records those that occur twice.
fn add_nodes(nodes: &[(u64, ReadNode)], links: &mut Links<'_>, odd: &mut Draft) {
    for (line, node) in nodes {
        let n_before = links.nodes.len();
        let place = links.node(node.id.to_string(), *line);
        if place < n_before {
            let message = format!(
                "node {} occurs twice, so it would have two parents; give each node its own id",
                node.id
            );
            odd.odd(Severity::Error, *line, message, "the first is kept");
            continue;
        }
        // A leaf is known by its value; its label may be another spelling.
        let label = node.value.as_ref().or(node.label.as_ref());
        links.nodes[place] = Given {
            label: label.cloned().unwrap_or_default(),
            bounds: node.min.zip(node.max),
            // Counts of groups are sums of those of their leaves.
            count: if node.value.is_some() { node.count } else { 0 },
            distortion: node.distortion,
            origin: Origin {
                concept: node.concept.clone(),
                source: node.source.clone(),
                also: node.also.clone(),
                note: node.note.clone(),
                how: None,
            }
            .understood(node.how.as_deref()),
            is_value: node.value.is_some(),
            is_locked: node.locked,
            line: *line,
            ..Given::default()
        };
    }
}

/// Links the nodes to their parents, then those whose parents do not exist to the first node.
fn link_to_parents(nodes: &[(u64, ReadNode)], links: &mut Links<'_>, odd: &mut Draft) {
    let mut dangling = Vec::new();
    for (line, node) in nodes {
        let Some(parent) = node.parent else { continue };
        let child = links.node(node.id.to_string(), *line);
        match links.find(&parent.to_string()) {
            Some(parent) => links.link(child, parent, *line),
            None => dangling.push((child, *line, node.id, parent)),
        }
    }
    for (child, line, id, parent) in dangling {
        let message = format!("node {id} has the parent {parent}, which does not exist");
        odd.odd(Severity::Error, line, message, "it is put below the first node");
        // The first node in the file is usually the root.
        links.link(child, 0, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{HierarchyBuilder, Iotf};
    use crate::hierarchy::tree_of;
    use crate::table::Table;

    fn read(text: &str) -> Result<Hierarchy> {
        parse(text, None)?.assemble()
    }

    #[test]
    fn a_tree_comes_back_as_it_went() {
        let rows = [["1.50"], ["2.25"], ["2.25"], ["9.00"], ["-4"]];
        let table = Table::from_rows(&["x"], &rows).unwrap();
        let tree = tree_of(Iotf.build(&table.columns()[0]).unwrap()).unwrap();
        let tree = tree.built_by(Spec::named("iotf"));
        let origin = |node: usize| Origin {
            concept: (node > 0).then(|| "nurse.n.01".into()),
            source: (node > 0).then(|| "wordnet".into()),
            also: (node == 4).then(|| "a.csv, b.csv".into()),
            how: (node == 3).then_some(How::Head),
            note: (node == 2).then(|| "chosen among \"others\"".into()),
        };
        let origins = (0..tree.len()).map(origin).collect();
        let tree = tree.with_origins(origins);
        let mut written = Vec::new();
        write(&tree, &mut written).unwrap();
        assert_eq!(read(&String::from_utf8(written).unwrap()).unwrap(), tree);
    }

    #[test]
    fn faults_name_their_line() {
        let file =
            |nodes: &str| format!("{{\"hedgerow\":1,\"attribute\":\"x\",\"nodes\":[\n{nodes}]}}");
        let message = |nodes: &str| read(&file(nodes)).unwrap_err().to_string();
        let root = "{\"id\":0,\"parent\":null,\"label\":\"*\"},\n";
        let twice = r#"{"id":1,"parent":0,"label":"a"},{"id":1,"parent":0,"label":"b"}"#;
        assert!(message(&format!("{root}{twice}")).starts_with("line 3: node 1 occurs twice"));
        let dangling = r#"{"id":1,"parent":7,"label":"a"}"#;
        assert!(
            message(&format!("{root}{dangling}")).contains("the parent 7, which does not exist")
        );
        let double = r#"{"id":1,"parent":0,"label":"A"},{"id":2,"parent":0,"label":"B"},
            {"id":3,"parent":1,"label":"x"},{"id":4,"parent":2,"label":"x"}"#;
        assert!(message(&format!("{root}{double}")).contains("line 4: the value 'x' occurs twice"));
        let empty = r#"{"id":1,"parent":0,"label":" "}"#;
        assert!(message(&format!("{root}{empty}")).contains("line 3: a label is empty"));
        let cycle = r#"{"id":1,"parent":2,"label":"a"},{"id":2,"parent":1,"label":"b"}"#;
        assert!(message(&format!("{root}{cycle}")).contains("line 3: 'a' is not below the root"));
        assert!(message(&format!("{root}{{\"label\":3}}")).contains("line 3: this is not a node"));
    }
}
