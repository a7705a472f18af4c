//! Amnesia's graph of a hierarchy as JSON: a list of nodes and a list of edges.
//!
//! Verified against Amnesia's classes `Graph`, `Node` and `Edge`, which its service sends to the
//! browser: `nodeList` with `id`, `label` and `level`, `edgeList` with `from` and `to`. The end of
//! an edge with the lower level is the parent. Without levels the parent is `from`.

use std::io::Write;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::WriteError;
use super::lines::Lines;
use crate::format::{
    draft::{Draft, Given, Links},
    finding::Severity,
};
use crate::hierarchy::{Hierarchy, Node, finite_range};
use crate::{Error, Result};

#[derive(Deserialize)]
struct Graph<'a> {
    #[serde(rename = "nodeList", borrow)]
    nodes: Vec<&'a RawValue>,
    #[serde(rename = "edgeList", borrow)]
    edges: Vec<&'a RawValue>,
}

#[derive(Serialize, Deserialize)]
struct GraphNode {
    id: Id,
    label: Box<str>,
    level: Option<u32>,
}

#[derive(Serialize, Deserialize)]
struct Edge {
    from: Id,
    to: Id,
}

/// Identifier of a node in edges.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(i64),
}

impl Id {
    fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string(),
        }
    }
}

pub(super) fn looks_so(text: &str) -> bool {
    text.contains("\"nodeList\"")
}

pub(super) fn parse(text: &str, attribute: Option<&str>) -> Result<Draft> {
    let graph: Graph<'_> = serde_json::from_str(text)
        .map_err(|error| Error::syntax(None, format!("this is not a graph of Amnesia: {error}")))?;
    let mut links = Links::default();
    let mut odd = Draft::default();
    let mut levels = Vec::new();
    for (line, node) in each::<GraphNode>(text, &graph.nodes)? {
        let id = node.id.into_text();
        if links.find(&id).is_some() {
            let message = format!("node '{id}' occurs twice; give each node its own id");
            odd.odd(Severity::Error, line, message, "the first is kept");
            continue;
        }
        let place = links.node(id, line);
        let bounds = finite_range(&node.label);
        // A node gets the next place in order, so `levels` is indexed by places.
        links.nodes[place] = Given { label: node.label, bounds, line, ..Given::default() };
        levels.push(node.level);
    }
    for (line, edge) in each::<Edge>(text, &graph.edges)? {
        let (from, to) = (edge.from.into_text(), edge.to.into_text());
        match (links.find(&from), links.find(&to)) {
            // The end with the lower level is the parent, or `from` if levels are unknown.
            (Some(from), Some(to)) if levels[from].zip(levels[to]).is_some_and(|(f, t)| f > t) => {
                links.link(from, to, line);
            }
            (Some(from), Some(to)) => links.link(to, from, line),
            (found, _) => {
                let lost = if found.is_none() { from } else { to };
                let message = format!("there is no node '{lost}' for this edge");
                odd.odd(Severity::Error, line, message, "the edge is left out");
            }
        }
    }
    let draft = Draft { oddities: odd.oddities, ..links.into_draft() };
    Ok(draft.of_attribute(attribute.unwrap_or("")))
}

/// Parses the items of a list and returns each with the line on which it begins.
fn each<'a, T: Deserialize<'a>>(text: &'a str, list: &[&'a RawValue]) -> Result<Vec<(u64, T)>> {
    let mut lines = Lines::of(text);
    let mut items = Vec::with_capacity(list.len());
    for &raw in list {
        // A raw value is a slice of the text, so its address gives its offset.
        let line = lines.at(raw.get().as_ptr() as usize - text.as_ptr() as usize);
        let item = serde_json::from_str(raw.get())
            .map_err(|error| Error::syntax(line, error.to_string()))?;
        items.push((line, item));
    }
    Ok(items)
}

pub(super) fn write(tree: &Hierarchy, out: &mut dyn Write) -> Result<(), WriteError> {
    let depths = tree.depths();
    let all = tree.nodes();
    out.write_all(b"{\"nodeList\":[")?;
    for node in all.clone() {
        out.write_all(if node == Node::ROOT { b"\n" } else { b",\n" })?;
        let (id, label) = (Id::Text(node.to_string()), tree.published(node).into());
        let node = GraphNode { id, label, level: Some(depths[node.index()]) };
        serde_json::to_writer(&mut *out, &node).map_err(std::io::Error::from)?;
    }
    out.write_all(b"\n],\"edgeList\":[")?;
    for node in all.skip(1) {
        out.write_all(if node == Node::ROOT.next() { b"\n" } else { b",\n" })?;
        let parent = tree.parent(node).unwrap_or(Node::ROOT);
        let edge = Edge { from: Id::Text(parent.to_string()), to: Id::Text(node.to_string()) };
        serde_json::to_writer(&mut *out, &edge).map_err(std::io::Error::from)?;
    }
    out.write_all(b"\n]}\n")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODES: &str = r#"{"nodeList":[{"id":"1","label":"*","level":0,"color":null},
        {"id":"2","label":"A","level":1},{"id":3,"label":"a","level":2}],"#;

    #[test]
    fn edges_may_go_up_or_down() {
        for edges in [
            r#"{"from":"1","to":"2"},{"from":2,"to":"3"}"#,
            r#"{"from":"2","to":"1"},
            {"from":"3","to":"2"}"#,
        ] {
            let draft = parse(&format!("{NODES}\"edgeList\":[{edges}]}}"), None).unwrap();
            assert_eq!(draft.assemble().unwrap().outline(), "*(A(a))");
        }
    }

    #[test]
    fn faults_name_their_line() {
        let error = |edges: &str| {
            let draft = parse(&format!("{NODES}\n\"edgeList\":[{edges}]}}"), None).unwrap();
            draft.assemble().unwrap_err().to_string()
        };
        assert!(error(r#"{"from":"1","to":"9"}"#).contains("line 3: there is no node '9'"));
        assert!(error(r#"{"from":"1","to":"2"}"#).contains("line 2: 'a' is a second root"));
    }
}
