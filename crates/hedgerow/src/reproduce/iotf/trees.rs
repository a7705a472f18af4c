//! Figures 1 and 2: the five trees of each column, as trees of values and as chains of domains.

use crate::Result;
use crate::chart::{Chain, Svg};
use crate::format::draw;
use crate::hierarchy::Hierarchy;
use crate::reproduce::iotf::settings::{FREE, SETTINGS, hierarchy};
use crate::reproduce::{Exhibit, Sheet, Verdict};
use crate::table::{Column, Table};

/// Space for the name of a tree.
const NAME: f64 = 24.0;

pub(super) fn exhibits(table: &Table) -> Result<Vec<Exhibit>> {
    let heads = ["Column", "Setting", ">Values", ">Nodes", ">Height", "Children of the root"];
    let mut sheet = Sheet::new("trees", "The five trees of each column", &heads);
    let mut exhibit = Exhibit::new("Figures 1 and 2", "predefined and automatic trees of the columns")
        .says("Figure 1 shows a hierarchy as a chain of domains (DGH) and as a tree of values (VGH); figure 2 the five hierarchies of an attribute.");
    let mut widest = [0; FREE];
    for column in table.columns() {
        let trees = trees(column)?;
        for (most, (_, tree)) in widest.iter_mut().zip(&trees) {
            *most = most_children(tree).max(*most);
        }
        for (name, tree) in &trees {
            // A table of shapes can be compared with other implementations; a drawing cannot.
            sheet.row(described(column, name, tree));
        }
        exhibit = drawn(exhibit, column, &trees);
    }
    let most = SETTINGS.iter().zip(widest).map(|((name, _), most)| format!("{name} {most}"));
    let most: Vec<String> = most.collect();
    let exhibit = exhibit
        .found(format!("Most children of a node: {}.", most.join(", ")))
        .verdict(
            Verdict::NotMeasured,
            "the nodes of the printed trees are not known to us, and the paper gives \
             no rule for ties; the trees are drawn for comparison by eye",
        )
        .with_sheet(sheet);
    Ok(vec![exhibit])
}

/// Adds the drawings of the trees of a column.
fn drawn(exhibit: Exhibit, column: &Column, trees: &[(&'static str, Hierarchy)]) -> Exhibit {
    let caption =
        format!("The five trees of {}: the root on top of each, values at the bottom", column.name);
    let mut exhibit =
        exhibit.with_figure(&format!("figure-2-{}", column.name), &caption, side_by_side(trees));
    // Only this column has few enough values for its labels to be legible.
    for (name, tree) in trees.iter().filter(|_| column.name == "education-num") {
        let file = name.to_lowercase();
        exhibit = exhibit
            .with_figure(
                &format!("figure-1-vgh-{file}"),
                &format!("{name} as a tree of values (VGH)"),
                draw::svg(tree),
            )
            .with_figure(
                &format!("figure-1-dgh-{file}"),
                &format!("{name} as a chain of domains (DGH)"),
                chain(name, tree),
            );
    }
    exhibit
}

/// The trees of a column, in the order of the settings.
fn trees(column: &Column) -> Result<Vec<(&'static str, Hierarchy)>> {
    let mut trees = Vec::new();
    // The last setting has no tree.
    for (setting, (name, _)) in SETTINGS.iter().enumerate().take(FREE) {
        if let Some(tree) = hierarchy(setting, column)?.hierarchy() {
            trees.push((*name, tree.clone()));
        }
    }
    Ok(trees)
}

/// The greatest number of children of a node.
fn most_children(tree: &Hierarchy) -> usize {
    let mut counts = vec![0; tree.len()];
    tree.nodes().filter_map(|node| tree.parent(node)).for_each(|node| counts[node.index()] += 1);
    counts.into_iter().max().unwrap_or(0)
}

fn described(column: &Column, name: &str, tree: &Hierarchy) -> [String; 6] {
    // Nodes are in pre-order, so the first one is the root.
    let root = tree.nodes().next();
    let children = tree.nodes().filter(|&node| tree.parent(node) == root);
    let labels: Vec<String> = children.map(|node| tree.label(node).into_owned()).collect();
    [
        column.name.clone(),
        name.to_owned(),
        tree.n_leaves().to_string(),
        tree.len().to_string(),
        tree.height().to_string(),
        labels.join(" "),
    ]
}

/// One drawing with all trees on the same axis.
fn side_by_side(trees: &[(&str, Hierarchy)]) -> Svg {
    // One image with a common left edge shows where each tree cuts the range of values.
    let drawn: Vec<(&str, Svg)> =
        trees.iter().map(|(name, tree)| (*name, draw::icicle(tree, |_| 0.25).svg())).collect();
    let width = drawn.iter().map(|(_, svg)| svg.size()[0]).fold(0.0, f64::max);
    let height: f64 = drawn.iter().map(|(_, svg)| svg.size()[1] + NAME).sum();
    let mut all = Svg::new(width, height, "five trees of one column");
    // Trees of different heights are stacked; each begins where the last one ended.
    let mut top = 0.0;
    for (name, svg) in &drawn {
        all.text("head", [0.0, top + 16.0], name);
        all.place([0.0, top + NAME], svg);
        top += svg.size()[1] + NAME;
    }
    all
}

/// The levels of a tree, the coarsest first.
fn chain(name: &str, tree: &Hierarchy) -> Svg {
    let levels = tree.levels();
    let domain = |nodes: &Vec<_>| {
        // Nodes are listed for each leaf; those of one group are adjacent.
        let mut nodes = nodes.clone();
        nodes.dedup();
        nodes.iter().map(|&node| tree.label(node).into_owned()).collect::<Vec<_>>().join("  ")
    };
    let domains = levels.nodes.iter().enumerate().rev();
    let domains = domains.map(|(level, nodes)| (format!("D{level}"), domain(nodes))).collect();
    Chain { title: format!("{} by {name}", tree.attribute()), domains }.svg()
}
