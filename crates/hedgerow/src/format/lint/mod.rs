//! Checks of hierarchy files: lists errors and oddities with their lines, and repairs them.

mod structure;
mod labels;
mod intervals;
mod fix;

use std::cmp::Reverse;

use hashbrown::HashMap;

use super::children::Children;
use super::draft::Draft;
use crate::hierarchy::{Excluded, Hierarchy, Leaf, Node, Notation, open_ends};
use crate::table::{Column, Decimal, Reading, read_number};

pub use super::finding::{Finding, Severity};
pub use fix::fix;
pub(crate) use structure::{Reader, structure};

/// Checks a draft and, if a column is given, whether it contains all values of that column.
/// Findings are sorted by line.
///
/// ```
/// use hedgerow::format::{Format, lint};
/// let draft = (Format::named("arx")?.item.parse)("a;A;*\nb;A;*\nc;B;*\nd;B;*\na;B;*\n", None)?;
/// let found = lint::check(&draft, None);
/// assert!(found[0].to_string().starts_with("line 5: 'a' has two parents, 'B' here and 'A'"));
/// # Ok::<(), hedgerow::Error>(())
/// ```
pub fn check(draft: &Draft, column: Option<&Column>) -> Vec<Finding> {
    let children = Children::of(&draft.nodes);
    let reader = Reader::of(draft, &children);
    let mut findings = structure(draft, &children, reader.as_ref());
    // If the draft is not a tree, its repaired version is checked instead.
    let tree = draft.assemble().or_else(|_| fix(draft, None).0.assemble()).ok();
    if let Some((tree, column)) = tree.as_ref().zip(column) {
        findings.extend(missing_values(tree, column));
    }
    findings.extend(labels::findings(draft, &children));
    findings.extend(tree.and_then(|tree| labels::numbers_as_text(&tree)));
    findings.extend(intervals::findings(draft, &children));
    // Findings without a line come last; on one line, errors come first.
    findings.sort_by_key(|f| (f.line.is_none(), f.line, Reverse(f.severity)));
    findings
}

fn missing_values(tree: &Hierarchy, column: &Column) -> Vec<Finding> {
    let domain = &column.domain;
    let mut lost: Vec<usize> = (tree.ground().leaves_for(domain).iter().enumerate())
        .filter(|(_, leaf)| leaf.is_none())
        .map(|(code, _)| code)
        .collect();
    // By first row, as a user meets them in the table.
    lost.sort_by_key(|&code| domain.first_rows[code]);
    lost.into_iter().map(|code| missing_value(column, code)).collect()
}

/// Reports a value of a column that the tree does not contain.
fn missing_value(column: &Column, code: usize) -> Finding {
    let (name, domain) = (&column.name, &column.domain);
    let (value, row) = (domain.values.spelling(code), domain.first_rows[code] + 1);
    let message = format!("column '{name}': value '{value}' (row {row}) is missing; add it");
    Finding { severity: Severity::Error, line: None, message }
}

/// Returns a message about the first group whose label is a value although it contains other
/// values. A reader would mistake the group for that value.
pub(crate) fn borrowed_name(tree: &Hierarchy) -> Option<String> {
    if !tree.has_names() {
        return None;
    }
    let spelt: HashMap<_, _> =
        Leaf::first(tree.n_leaves()).map(|leaf| (tree.spelling(leaf), leaf)).collect();
    for node in tree.nodes().filter(|&node| tree.as_leaf(node).is_none()) {
        let label = tree.label(node);
        if Notation::read(&label) == Notation::Anything {
            continue; // `*` is true of every value
        }
        let Some(&like) = spelt.get(&label) else { continue };
        if let Some(leaf) = tree.leaves_of(node).find(|&leaf| leaf != like) {
            let other = tree.spelling(leaf);
            return Some(format!(
                "the group of '{other}' is called '{label}', which is a value, so '{other}' would \
                 be published as '{label}'"
            ));
        }
    }
    None
}

/// Returns a message about the first group whose label states a range that does not contain all its
/// numbers or dates.
pub(crate) fn misplaced_value(tree: &Hierarchy) -> Option<String> {
    let is_whole = match tree.leaves().scale() {
        Some(scale) => scale.is_whole(),
        None => Leaf::first(tree.n_leaves())
            .filter_map(|leaf| number_of(tree, leaf))
            .all(|number| number.fract() == 0.0),
    };
    let ends = ends(tree);
    for node in tree.nodes() {
        let found = Stated::of(tree, node, is_whole).zip(ends[node.index()]);
        // If both ends lie within the range, so do all values between them.
        let Some((stated, values)) = found else { continue };
        if let Some((_, leaf)) = values.into_iter().find(|(value, _)| !stated.contains(*value)) {
            let (value, label) = (tree.spelling(leaf), tree.label(node));
            return Some(format!(
                "the value {value} is below '{label}', which does not contain it"
            ));
        }
    }
    None
}

/// Returns the number or date of a leaf, or `None` for a word or missing values.
fn number_of(tree: &Hierarchy, leaf: Leaf) -> Option<f64> {
    match tree.leaves().scale() {
        Some(scale) if leaf.index() < scale.len() => Some(scale.value(leaf.index())),
        Some(_) => None,
        None => read_number(&tree.spelling(leaf)).map(Reading::value),
    }
}

/// A number or date, with its leaf.
type Numbered = (f64, Leaf);

/// Returns the least and the greatest number or date below each node.
fn ends(tree: &Hierarchy) -> Vec<Option<[Numbered; 2]>> {
    let mut ends: Vec<Option<[Numbered; 2]>> = vec![None; tree.len()];
    for leaf in Leaf::first(tree.n_leaves()) {
        ends[tree.leaf_node(leaf).index()] = number_of(tree, leaf).map(|value| [(value, leaf); 2]);
    }
    // Backwards through pre-order, children come before their parents.
    for node in (1..tree.len()).rev() {
        if let (Some([least, most]), Some(parent)) = (ends[node], tree.parent(Node::new(node))) {
            let above = ends[parent.index()].get_or_insert([least, most]);
            above[0] = if least.0 < above[0].0 { least } else { above[0] };
            above[1] = if most.0 > above[1].0 { most } else { above[1] };
        }
    }
    ends
}

/// The range that the label of a group states.
struct Stated {
    lo: f64,
    hi: f64,
    /// Whether each end is excluded. Ranges of whole numbers are already closed.
    excluded: Excluded,
}

impl Stated {
    /// Parses the label of a node; returns `None` for leaves and for groups without a range.
    fn of(tree: &Hierarchy, node: Node, is_whole: bool) -> Option<Self> {
        if tree.as_leaf(node).is_some() {
            return None;
        }
        let label = tree.label(node);
        let notation = match tree.leaves().scale() {
            Some(_) => Notation::read_as(tree.leaves(), &label),
            None => Notation::read_number(&label, is_whole, Decimal::Point),
        };
        let Notation::Range(lo, hi) = notation else { return None };
        let excluded = if is_whole { Excluded::default() } else { open_ends(&label) };
        Some(Self { lo, hi, excluded })
    }

    fn contains(&self, value: f64) -> bool {
        let is_excluded = |end: f64, is_open: bool| is_open && value.total_cmp(&end).is_eq();
        (self.lo..=self.hi).contains(&value)
            && !is_excluded(self.lo, self.excluded.low)
            && !is_excluded(self.hi, self.excluded.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;
    use crate::table::Table;

    fn draft(format: &str, text: &str) -> Draft {
        (Format::named(format).unwrap().item.parse)(text, Some("x")).unwrap()
    }

    fn found(format: &str, text: &str) -> Vec<String> {
        check(&draft(format, text), None).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn a_sound_tree_has_no_findings() {
        assert_eq!(found("arx", "1;1-2;*\n2;1-2;*\n3;3-4;*\n4;3-4;*\n"), Vec::<String>::new());
    }

    #[test]
    fn each_fault_is_named_with_its_line() {
        let cases = [
            ("arx", "a;A;*\nb;B;*\nc;B;*\n", "line 1: 'a' is the only child of 'A'"),
            ("arx", "1;1-2;*\n7;1-2;*\n8;8-9;*\n9;8-9;*\n", "line 2: the value 7 is below"),
            ("arx", "1;A;*\n2;A;*\nx;B;*\ny;B;*\n3;A;*\n", "3 of 5 values are numbers, but 'x'"),
            ("arx", "1;A;*\n2;B;*\n3;A;*\n4;B;*\n", "neighbouring numbers"),
            ("arx", "a;A;X;*\nb;A;X;*\nc;X;Y;*\nd;X;Y;*\n", "line 3: two nodes are called 'X'"),
            ("arx", "a;A;*\nb;B;*\na;B;*\n", "line 3: 'a' has two parents, 'B' here and 'A'"),
            ("arx", "a;A;*\nb;A;+\n", "line 2: 'A' has two parents"),
            ("arx", "a;*\nb;+\n", "line 2: '+' is a second root besides '*' on line 1"),
            ("arx", "a;A;*\nb;;*\n", "line 2: a label is empty"),
            ("arx", "a;A;*\nb;*\nc;A;*\n", "line 2: 2 levels, but line 1 has 3"),
            ("arx", "a;A;*\nb ;A;*\n", "line 2: 'b ' has blanks around it"),
            ("arx", "a;a;A;*\nb;b;A;*\n", "line 1: levels 0 and 1 are the same on every line"),
            ("arx", "1;0-4;*\n6;3-9;*\n3;0-4;*\n", "line 2: '3-9' overlaps '0-4' (line 1)"),
            ("arx", "1;0-4;*\n9;8-9;*\n3;0-4;*\n8;8-9;*\n", "nothing covers what lies between"),
            ("arx", "1;0-4;2-9;*\n6;5-9;2-9;*\n", "line 1: '0-4' does not lie within '2-9'"),
            ("arx", "12;A;*\n13.0;A;*\n", "line 2: '13.0' is the number 13 written differently"),
            (
                "arx",
                "12;A;*\n12.0;B;*\n",
                "line 2: the value '12.0' occurs twice, below 'B' here and below 'A' on",
            ),
            (
                "xml",
                "<hierarchy>\n<node label='*'>\n<leaf value='a '/><node label='E'/>\n\
                </node></hierarchy>",
                "line 3: 'E' is an empty group",
            ),
            (
                "xml",
                "<hierarchy>\n<node label='*'>\n<leaf value='a '/><leaf value='b'/>\n\
                </node></hierarchy>",
                "line 3: 'a ' has blanks around it",
            ),
            ("codes", "code,parent\na,b\nb,a\nc,\n", "line 2: 'a' is not below the root"),
        ];
        for (format, text, expected) in cases {
            let found = found(format, text);
            assert!(found.iter().any(|line| line.contains(expected)), "{expected}: {found:#?}");
        }
    }

    #[test]
    fn every_value_that_the_tree_lacks_is_an_error() {
        let table = Table::from_rows(&["x"], &[["a"], ["z"], ["y"]]).unwrap();
        let found = check(&draft("arx", "a;A;*\nb;A;*\n"), Some(&table.columns()[0]));
        let found: Vec<String> = found.iter().map(Finding::to_string).collect();
        let [.., z, y] = &found[..] else { panic!("{found:?}") };
        assert!(z.contains("value 'z' (row 2)") && y.contains("value 'y' (row 3)"), "{found:?}");
    }

    #[test]
    fn what_can_be_repaired_is() {
        let table = Table::from_rows(&["x"], &[["2"], ["7"], ["99"], ["3"]]).unwrap();
        let column = Some(&table.columns()[0]);
        let text = "1;0-4;*\n 2.0;0-4;*\n8;5-9;*\n1;5-9;*\n5;;*\n9;9;*\n6;+\n";
        let (fixed, changes) = fix(&draft("arx", text), column);
        assert_eq!(fixed.assemble().unwrap().outline(), "*(0-4(1,2,3),5,+(6),5-9(7,8),9,99)");
        assert!(check(&fixed, column).iter().all(|f| f.severity == Severity::Warning));
        let changes = changes.join("\n");
        for said in ["'1'", "' 2.0'", "'7' is added", "'99' is added", "line 7", "line 5"] {
            assert!(changes.contains(said), "{said}: {changes}");
        }
    }

    #[test]
    fn numbers_that_doubles_cannot_tell_apart_are_two_values() {
        let text = "123456789012345678;A;*\n123456789012345679;A;*\n1;B;*\n2;B;*\n";
        assert_eq!(found("arx", text), Vec::<String>::new());
        assert_eq!(fix(&draft("arx", text), None).0.assemble().unwrap().n_leaves(), 4);
    }

    #[test]
    fn a_missing_value_survives_repair() {
        let json = r#"{"hedgerow":1,"kind":"text","nodes":[{"id":0,"parent":null,"label":"*"},
            {"id":1,"parent":0,"value":"a"},{"id":2,"parent":0,"value":""}]}"#;
        let (fixed, changes) = fix(&draft("json", json), None);
        assert_eq!(changes, Vec::<String>::new());
        assert_eq!(fixed.assemble().unwrap().outline(), "*(a,)");
    }

    #[test]
    fn a_date_finds_its_month() {
        let table = Table::from_rows(&["x"], &[["2024-01-06"], ["2024-02-01"]]).unwrap();
        let text = "2024-01-05;2024-01;*\n2024-02-01;2024-02;*\n";
        assert!(
            found("arx", text).iter().all(|f| f.contains("only child")),
            "{:?}",
            found("arx", text)
        );
        let (fixed, _) = fix(&draft("arx", text), Some(&table.columns()[0]));
        let tree = fixed.assemble().unwrap();
        assert_eq!(tree.outline(), "*(2024-01(2024-01-05,2024-01-06),2024-02(2024-02-01))");
    }

    #[test]
    fn untrue_ranges_are_found_whether_groups_are_neighbours_or_not() {
        let tree = |text| draft("arx", text).assemble().unwrap();
        let untrue = misplaced_value(&tree("1;[1, 5];*\n9;[1, 5];*\n2;[2, 3];*\n3;[2, 3];*\n"));
        assert!(untrue.unwrap().starts_with("the value 9 is below '[1, 5]'"));
        assert!(misplaced_value(&tree("1;0-4;*\n7;0-4;*\n8;8-9;*\n")).is_some());
        assert_eq!(misplaced_value(&tree("1;0-4;*\n4;0-4;*\n8;8-9;*\n")), None);
        // Excluded ends of whole numbers are moved to the adjacent number; those of decimals are
        // excluded.
        let halves = "20.5;[20, 30[;*\n30;[20, 30[;*\n30.5;[30, 40[;*\n39;[30, 40[;*\n";
        assert!(misplaced_value(&tree(halves)).unwrap().contains("30 is below '[20, 30['"));
        assert!(found("arx", halves).iter().any(|f| f.contains("the value 30 is below")));
    }

    #[test]
    fn ranges_that_only_touch_do_not_overlap() {
        for text in [
            "17.5;<18;*\n5;<18;*\n18;>=18;*\n30;>=18;*\n",
            "20;[19.5, 29.5[;*\n29;[19.5, 29.5[;*\n30;[29.5, 39.5[;*\n31;[29.5, 39.5[;*\n",
            "0.5;[0, 2);*\n1.5;[0, 2);*\n2.5;[2, 5);*\n4.5;[2, 5);*\n",
            "1.5;[1, 2[;*\n1.7;[1, 2[;*\n2.0;[2, 3[;*\n2.5;[2, 3[;*\nx;x;*\n",
        ] {
            let errors = check(&draft("arx", text), None);
            assert!(errors.iter().all(|f| f.severity == Severity::Warning), "{errors:?}");
        }
        let by_one = "0;[0, 3[;*\n1;[0, 3[;*\n2;[2, 5[;*\n3;[2, 5[;*\n";
        assert!(found("arx", by_one)[0].contains("'[2, 5[' overlaps '[0, 3['"));
    }

    #[test]
    fn dates_are_put_in_order_and_numbers_in_two_notations_are_one() {
        let text = "2024-01-05;2024;*\n2024-01-07;2024;*\n2023-02-05;2023;*\n2023-02-09;2023;*\n";
        let tree = draft("arx", text).assemble().unwrap();
        assert_eq!(
            (tree.kind().name(), tree.spelling(Leaf::new(0)).as_ref()),
            ("date", "2023-02-05")
        );
        let found = found("arx", "1e3;A;*\n1000;B;*\n5;A;*\n6;B;*\n");
        assert!(found.iter().any(|f| f.contains("'1000' occurs twice")), "{found:?}");
    }

    #[test]
    fn a_node_that_is_its_own_parent_is_not_lost() {
        let text = "code,parent\n*,\nc,*\nd,*\na,a\n";
        assert!(fix(&draft("codes", text), None).0.assemble().is_err());
    }

    #[test]
    fn a_circle_is_not_repaired() {
        let (fixed, _) = fix(&draft("codes", "code,parent\na,b\nb,a\nc,\n"), None);
        assert!(fixed.assemble().unwrap_err().to_string().contains("line 2: 'a' is not below"));
    }
}
