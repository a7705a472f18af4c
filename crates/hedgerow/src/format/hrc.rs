//! `.hrc` files: one label per line, preceded by one `@` for each level below the root.

use std::io::Write;

use super::WriteError;
use crate::format::{draft::Draft, finding::Severity};
use crate::hierarchy::Hierarchy;
use crate::noun::counted;
use crate::{Error, Result};

/// Maximum number of `@` signs in a file. A larger file would be unusable.
const MOST_SIGNS: u64 = 200_000_000;

pub(super) fn parse(text: &str, attribute: Option<&str>) -> Result<Draft> {
    let mut draft = Draft::default();
    // The path from the root to the previous node, as depths and nodes.
    let mut above: Vec<(usize, usize)> = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        if content.trim().is_empty() {
            continue;
        }
        let rest = content.trim_start_matches('@');
        let depth = content.len() - rest.len();
        // -1 before the first line, so that only depth 0 can begin the file.
        let before = above.last().map_or(-1, |&(depth, _)| depth as i64);
        if depth as i64 > before + 1 {
            let levels = counted(depth, "level");
            let message = format!("the depth is {levels}, but that of the line before is {before}");
            draft.odd(Severity::Error, line, message, "it is put below the line before");
        }
        // The ancestors of this node are the nodes of the path with less depth.
        above.truncate(above.partition_point(|&(above, _)| above < depth));
        let label = draft.trimmed(rest, line);
        let node = draft.push(above.last().map(|&(_, node)| node), label, line);
        above.push((depth, node));
    }
    if draft.nodes.is_empty() {
        return Err(Error::syntax(None, "the file is empty; it needs one line for each node"));
    }
    Ok(draft.of_attribute(attribute.unwrap_or("")))
}

pub(super) fn spell(_: &Hierarchy, label: &str) -> String {
    let label = label.trim().replace(['\n', '\r'], "_");
    let rest = label.trim_start_matches('@');
    format!("{}{rest}", "_".repeat(label.len() - rest.len()))
}

pub(super) fn write(tree: &Hierarchy, out: &mut dyn Write) -> Result<(), WriteError> {
    let depths = tree.depths();
    let n_signs: u64 = depths.iter().map(|&depth| u64::from(depth)).sum();
    if n_signs > MOST_SIGNS {
        return Err(WriteError::Unfit(format!(
            "has a sign for every level of every node, which is too many here: {n_signs}"
        )));
    }
    for node in tree.nodes() {
        let depth = depths[node.index()] as usize;
        writeln!(out, "{}{}", "@".repeat(depth), tree.published(node))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_the_number_of_signs() {
        let text = "*\n@A\n@@a\n@@b\n@c\n";
        let tree = parse(text, None).unwrap().assemble().unwrap();
        assert_eq!(tree.outline(), "*(A(a,b),c)");
        let mut written = Vec::new();
        write(&tree, &mut written).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), text);
    }

    #[test]
    fn a_level_that_is_skipped_names_its_line() {
        let error = parse("*\n@A\n@@@a\n", None).unwrap().assemble().unwrap_err().to_string();
        assert_eq!(error, "line 3: the depth is 3 levels, but that of the line before is 1");
    }
}
