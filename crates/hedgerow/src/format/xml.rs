//! Nested XML elements: `node` for groups, `leaf` for values.
//!
//! AIKA saves its candidate hierarchies as XML \[Ayala2016\] but its authors publish no schema, so
//! the names of elements and attributes are ours. Any depth can be read. Nothing is indented,
//! because the indentation of a million levels would exceed the rest of the file.

use std::io::Write;

use super::markup::{Element, Piece, Pieces, attribute};
use super::{WriteError, markup};
use crate::format::draft::Draft;
use crate::hierarchy::{Hierarchy, Node, Origin};
use crate::method::Spec;
use crate::{Error, Result};

pub(super) fn parse(text: &str, attribute: Option<&str>) -> Result<Draft> {
    let mut pieces = Pieces::of(text);
    let mut draft = Draft::default();
    // The node of each open element; `None` for the outermost element.
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut is_ours = false;
    while let Some(piece) = pieces.next()? {
        match piece {
            Piece::Open(element) if !is_ours => {
                head(&element, &mut draft)?;
                is_ours = true;
                open.push(None);
            }
            Piece::Open(element) => {
                let parent = open.last().copied().flatten();
                open.push(Some(node(&element, parent, &mut draft)?));
            }
            Piece::Close => drop(open.pop()),
            Piece::Text(_) => {}
        }
    }
    if draft.nodes.is_empty() {
        return Err(Error::syntax(
            None,
            "there is no <hierarchy> with nodes in it; is this another XML file?",
        ));
    }
    Ok(match attribute {
        Some(attribute) => draft.of_attribute(attribute),
        None => draft,
    })
}

fn head(element: &Element, draft: &mut Draft) -> Result<()> {
    let Element { name, line, .. } = element;
    if name != "hierarchy" {
        let problem = format!("the file begins with <{name}>, not with <hierarchy>");
        return Err(Error::syntax(*line, problem));
    }
    element.get("attribute").unwrap_or("").clone_into(&mut draft.attribute);
    let at = |error: Error| Error::syntax(*line, error.problem()).advise(error.advice());
    draft.kind = element.get("kind").map(|kind| kind.parse().map_err(at)).transpose()?;
    draft.builder =
        element.get("method").map(|spec| spec.parse::<Spec>().map_err(at)).transpose()?;
    Ok(())
}

fn node(element: &Element, parent: Option<usize>, draft: &mut Draft) -> Result<usize> {
    let line = element.line;
    let is_leaf = match element.name.as_str() {
        "leaf" => true,
        "node" => false,
        other => {
            let problem =
                format!("there is an element <{other}>; a hierarchy has <node> and <leaf>");
            return Err(Error::syntax(line, problem));
        }
    };
    let label = element.need(if is_leaf { "value" } else { "label" })?;
    let place = draft.push(parent, label, line);
    let given = &mut draft.nodes[place];
    given.is_group = !is_leaf;
    given.bounds = number(element, "min")?.zip(number(element, "max")?).or(given.bounds);
    let text = |name: &str| element.get(name).map(Into::into);
    given.origin = Origin {
        concept: text("concept"),
        source: text("source"),
        also: text("also"),
        note: text("note"),
        how: None,
    }
    .understood(element.get("how"));
    if is_leaf {
        given.count = element.get("count").and_then(|count| count.parse().ok()).unwrap_or(0);
    }
    Ok(place)
}

/// Returns the number of an attribute, or `None` if the element does not have it.
fn number(element: &Element, name: &str) -> Result<Option<f64>> {
    let Some(text) = element.get(name) else { return Ok(None) };
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(Some(number)),
        _ => {
            let problem = format!("{name} is '{text}', which is not a number");
            Err(Error::syntax(element.line, problem))
        }
    }
}

pub(super) fn write(tree: &Hierarchy, out: &mut dyn Write) -> Result<(), WriteError> {
    out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<hierarchy")?;
    attribute(out, "attribute", &markup::sayable(tree.attribute()))?;
    attribute(out, "kind", tree.kind().name())?;
    if let Some(builder) = tree.builder() {
        attribute(out, "method", &builder.to_string())?;
    }
    out.write_all(b">\n")?;
    let mut open: Vec<Node> = Vec::new();
    for node in tree.nodes() {
        // Close the groups that do not contain this node.
        while open.last().is_some_and(|&above| Some(above) != tree.parent(node)) {
            open.pop();
            out.write_all(b"</node>\n")?;
        }
        write_tag(tree, node, out)?;
        if tree.as_leaf(node).is_none() {
            open.push(node);
        }
    }
    out.write_all(&b"</node>\n".repeat(open.len()))?;
    out.write_all(b"</hierarchy>\n")?;
    Ok(())
}

/// Writes the start tag of a group, or the empty element of a leaf.
fn write_tag(tree: &Hierarchy, node: Node, out: &mut dyn Write) -> std::io::Result<()> {
    let leaf = tree.as_leaf(node);
    match leaf {
        Some(leaf) => {
            out.write_all(b"<leaf")?;
            attribute(out, "value", &tree.spelling(leaf))?;
        }
        None => {
            out.write_all(b"<node")?;
            attribute(out, "label", &tree.label(node))?;
        }
    }
    if let Some((min, max)) = tree.bounds(node).filter(|_| leaf.is_none()) {
        write!(out, " min=\"{min}\" max=\"{max}\"")?;
    }
    if let Some(Origin { concept, source, also, how, note }) = tree.origin(node) {
        let texts = [("concept", concept), ("source", source), ("also", also), ("note", note)];
        for (name, text) in texts {
            if let Some(text) = text {
                attribute(out, name, &markup::sayable(text))?;
            }
        }
        if let Some(how) = how {
            attribute(out, "how", how.name())?;
        }
    }
    if tree.count(Node::ROOT) > 0 {
        write!(out, " count=\"{}\"", tree.count(node))?;
    }
    out.write_all(if leaf.is_some() { b"/>\n" } else { b">\n" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{HierarchyBuilder, Iotf};
    use crate::hierarchy::{How, tree_of};
    use crate::table::Table;

    #[test]
    fn a_tree_comes_back_as_it_went() {
        let table = Table::from_rows(&["x"], &[["1"], ["2.5"], ["2.5"], ["9"], ["-4"]]).unwrap();
        let tree = tree_of(Iotf.build(&table.columns()[0]).unwrap()).unwrap();
        let tree = tree.built_by(Spec::named("iotf"));
        let origin = |node: usize| Origin {
            concept: (node > 0).then(|| "nurse.n.01".into()),
            source: (node > 0).then(|| "wordnet".into()),
            also: (node == 4).then(|| "a.csv, b.csv".into()),
            how: (node == 3).then_some(How::Head),
            note: (node == 2).then(|| "chosen < among & \"others\"".into()),
        };
        let origins = (0..tree.len()).map(origin).collect();
        let tree = tree.with_origins(origins);
        let mut written = Vec::new();
        write(&tree, &mut written).unwrap();
        let text = String::from_utf8(written).unwrap();
        assert_eq!(parse(&text, None).unwrap().assemble().unwrap(), tree);
    }

    #[test]
    fn faults_name_their_line() {
        let error = |text: &str| parse(text, None).unwrap_err().to_string();
        let cut_off = "<hierarchy>\n<node label='*'>\n<leaf value='a'/>\n";
        assert!(error(cut_off).starts_with("line 2: <node> is opened and never closed"));
        assert!(
            error("<hierarchy>\n<node/></hierarchy>").contains("line 2: <node> needs the attrib")
        );
        assert!(
            error("<hierarchy>\n\n<x/></hierarchy>").contains("line 3: there is an element <x>")
        );
        assert!(error("<hierarchy>\n</node>").contains("line 2: this is not XML"));
        assert!(error("<hierarchy/>").contains("no <hierarchy> with nodes"));
        assert!(error("<config/>").contains("begins with <config>"));
        assert!(error("").contains("no <hierarchy>"));
    }
}
