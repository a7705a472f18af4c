//! hedgerow's own hierarchy files: JSON, nodes flat and in pre-order, so any depth can be read.

use std::io::Write;

use hashbrown::HashMap;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Serialize, Serializer};

use super::WriteError;
use crate::hierarchy::Hierarchy;
use crate::hierarchy::assemble::{Given, assemble_dates};
use crate::method::Spec;
use crate::table::{DateFormat, Kind, Values};
use crate::{Error, Result};

/// The version of the format.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Written<'a> {
    hedgerow: u32,
    attribute: &'a str,
    kind: Kind,
    #[serde(rename = "date-format", skip_serializing_if = "Option::is_none")]
    date_format: Option<&'a DateFormat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    builder: Option<Builder>,
    #[serde(serialize_with = "write_nodes")]
    nodes: &'a Hierarchy,
}

#[derive(Serialize, Deserialize)]
struct Builder {
    method: String,
    #[serde(flatten)]
    parameters: toml::Table,
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
}

#[derive(Deserialize)]
struct Read {
    hedgerow: u32,
    #[serde(default)]
    attribute: String,
    kind: Option<Kind>,
    #[serde(rename = "date-format")]
    date_format: Option<DateFormat>,
    builder: Option<Builder>,
    nodes: Vec<ReadNode>,
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
}

pub(super) fn write(tree: &Hierarchy, out: &mut dyn Write) -> Result<(), WriteError> {
    let builder = tree
        .builder()
        .map(|spec| Builder { method: spec.name.clone(), parameters: spec.parameters.clone() });
    let written = Written {
        hedgerow: VERSION,
        attribute: tree.attribute(),
        kind: tree.kind(),
        date_format: match tree.leaves() {
            Values::Date(_, format) => Some(format),
            _ => None,
        },
        builder,
        nodes: tree,
    };
    serde_json::to_writer(&mut *out, &written).map_err(std::io::Error::from)?;
    out.write_all(b"\n")?;
    Ok(())
}

/// Whole numbers without a decimal point.
#[expect(clippy::ref_option, reason = "serde gives a reference to the field")]
fn write_number<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match *number {
        Some(number) if number.fract() == 0.0 && number.abs() < 9e15 => {
            serializer.serialize_i64(number as i64)
        }
        number => number.serialize(serializer),
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference to the field")]
fn write_nodes<S: Serializer>(tree: &&Hierarchy, serializer: S) -> Result<S::Ok, S::Error> {
    let has_counts = tree.count(0) > 0;
    let mut nodes = serializer.serialize_seq(Some(tree.len()))?;
    for id in 0..tree.len() as u32 {
        let bounds = tree.bounds(id);
        let label = tree.label(id);
        let value = tree.as_leaf(id).map(|leaf| tree.spelling(leaf));
        nodes.serialize_element(&WrittenNode {
            id,
            parent: tree.parent(id),
            label: &label,
            value: value.as_deref(),
            min: bounds.map(|(min, _)| min),
            max: bounds.map(|(_, max)| max),
            count: has_counts.then(|| tree.count(id)),
        })?;
    }
    nodes.end()
}

pub(super) fn read(text: &str, attribute: Option<&str>) -> Result<Hierarchy> {
    let read: Read = serde_json::from_str(text)
        .map_err(|error| Error::invalid(format!("this is not a hierarchy of ours: {error}")))?;
    if read.hedgerow != VERSION {
        return Err(Error::invalid(format!(
            "the file has version {}, this program reads version {VERSION}",
            read.hedgerow
        )));
    }
    let mut places: HashMap<u64, usize> = HashMap::with_capacity(read.nodes.len());
    for (place, node) in read.nodes.iter().enumerate() {
        if places.insert(node.id, place).is_some() {
            return Err(Error::invalid(format!(
                "node {} stands twice, so it would have two parents; give each node its own id",
                node.id
            )));
        }
    }
    let given = |node: ReadNode| {
        let parent = node.parent.map(|id| {
            places.get(&id).copied().ok_or_else(|| {
                Error::invalid(format!("node {} has the parent {id}, which is not there", node.id))
            })
        });
        // A value may be empty: so a missing one is written. A name may not.
        let label = node.label.filter(|label| !label.trim().is_empty());
        Ok(Given {
            parent: parent.transpose()?,
            label: node
                .value
                .or(label)
                .ok_or_else(|| Error::invalid(format!("node {} has an empty label", node.id)))?,
            bounds: node.min.zip(node.max),
            count: node.count,
        })
    };
    let nodes: Vec<Given> = read.nodes.into_iter().map(given).collect::<Result<_>>()?;
    let attribute = attribute.unwrap_or(&read.attribute);
    let tree = assemble_dates(attribute, &nodes, read.kind, read.date_format.as_ref())?;
    Ok(match read.builder {
        Some(Builder { method, parameters }) => tree.built_by(Spec { name: method, parameters }),
        None => tree,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::{HierarchyBuilder, Iotf, tree_of};
    use crate::table::Table;

    #[test]
    fn a_tree_comes_back_as_it_went() {
        let rows = [["1.50"], ["2.25"], ["2.25"], ["9.00"], ["-4"]];
        let table = Table::from_rows(&["x"], &rows).unwrap();
        let tree = tree_of(Iotf.build(&table.columns()[0]).unwrap()).unwrap();
        let tree = tree.built_by(Spec::named("iotf"));
        let mut written = Vec::new();
        write(&tree, &mut written).unwrap();
        assert_eq!(read(&String::from_utf8(written).unwrap(), None).unwrap(), tree);
    }

    #[test]
    fn faults_name_their_node() {
        let file = |nodes: &str| format!(r#"{{"hedgerow":1,"attribute":"x","nodes":[{nodes}]}}"#);
        let message = |nodes: &str| read(&file(nodes), None).unwrap_err().to_string();
        let root = r#"{"id":0,"parent":null,"label":"*"},"#;
        let twice = r#"{"id":1,"parent":0,"label":"a"},{"id":1,"parent":0,"label":"b"}"#;
        assert!(message(&format!("{root}{twice}")).starts_with("node 1 stands twice"));
        let dangling = r#"{"id":1,"parent":7,"label":"a"}"#;
        assert!(message(&format!("{root}{dangling}")).contains("the parent 7, which is not there"));
        let double = r#"{"id":1,"parent":0,"label":"A"},{"id":2,"parent":0,"label":"B"},
            {"id":3,"parent":1,"label":"x"},{"id":4,"parent":2,"label":"x"}"#;
        assert!(message(&format!("{root}{double}")).contains("'x' stands twice, below 'A' and"));
        let empty = r#"{"id":1,"parent":0,"label":" "}"#;
        assert!(message(&format!("{root}{empty}")).contains("node 1 has an empty label"));
        let cycle = r#"{"id":1,"parent":2,"label":"a"},{"id":2,"parent":1,"label":"b"}"#;
        assert!(message(&format!("{root}{cycle}")).contains("2 nodes are not below the root"));
    }
}
