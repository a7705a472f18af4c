//! A release as its readers will see it, before it is written.

use hashbrown::HashMap;

use super::cells::{self, Original};
use super::{is_anything, is_class};
use crate::loss::{Histogram, Partition};
use crate::privacy::Secret;
use crate::problem::add;
use crate::proposal::Class;
use crate::release::Release;

/// The partition that [`super::partition`] will find in a release once it is written, without
/// suppressed records unless `has_suppressed`.
///
/// Classes with the same text are merged, and the loss of a cell is read from its label. If a label
/// says less than the search knows, the label decides.
pub fn of_release(release: &Release, has_suppressed: bool) -> Partition {
    with_cells(release, has_suppressed).0
}

/// The same with the cells that each class publishes.
pub(super) fn with_cells(release: &Release, has_suppressed: bool) -> (Partition, Vec<Vec<String>>) {
    let recoding = release.recoding();
    let problem = recoding.problem();
    let (mut cells, mut starts, mut columns) = (Vec::new(), Vec::new(), Vec::new());
    let is_used = recoding.used_regions();
    for (place, attribute) in problem.attributes().iter().enumerate() {
        // The first cell of each attribute is that of suppressed records. A region that no class
        // publishes cannot be read by anyone, so it must not affect what can be measured.
        let of_regions = (release.texts(place).zip(&is_used[place]))
            .map(|(text, is_used)| if *is_used { text } else { "*" });
        let texts: Vec<&str> = std::iter::once("*").chain(of_regions).collect();
        let built = Some(attribute.known_generalization());
        let original = Original { table: problem.table(), place };
        let (whole, found) = cells::of_texts(&texts, original, built);
        let nothing = found[0].unwrap_or_default();
        starts.push(cells.len() as u32);
        // A label that cannot be read back says nothing to a reader.
        cells.extend(found.into_iter().map(|cell| cell.unwrap_or(nothing)));
        columns.push(whole);
    }
    let classes = Shown::new(release, has_suppressed);
    let mut shown = Vec::with_capacity(classes.shapes.len() * starts.len());
    for shape in &classes.shapes {
        let regions = shape.map(|shape| recoding.numbers(shape));
        for (place, start) in starts.iter().enumerate() {
            // Regions are shifted by one, because place 0 is the cell of suppressed records.
            shown.push(start + regions.map_or(0, |regions| regions[place] + 1));
        }
    }
    let texts = classes.shapes.iter().map(|&shape| release.texts_of(shape)).collect();
    let partition = Partition {
        k: problem.k(),
        columns,
        shown,
        shapes: (0..classes.sizes.len() as u32).collect(),
        cells,
        sizes: classes.sizes,
        labels: classes.labels,
        n_suppressed: classes.n_suppressed,
    };
    (partition, texts)
}

/// The classes of a release as readers see them.
#[derive(Default)]
struct Shown {
    /// One of the shapes of each class; `None` for suppressed records.
    shapes: Vec<Option<usize>>,
    /// Whether each class shows `*` in every cell.
    is_blank: Vec<bool>,
    sizes: Vec<u64>,
    labels: Option<Vec<Histogram>>,
    n_suppressed: u64,
}

impl Shown {
    fn new(release: &Release, has_suppressed: bool) -> Self {
        let recoding = release.recoding();
        let problem = recoding.problem();
        let label_of = problem.class().map(Secret::of_cohort);
        let mut shown = Self { labels: label_of.map(|_| Vec::new()), ..Self::default() };
        let mut groups: HashMap<&[u32], usize> = HashMap::new();
        let mut group_of_class: Vec<Option<usize>> = vec![None; recoding.n_classes() + 1];
        for take in recoding.takes() {
            let shape = take.class.map(|class| recoding.shape(class));
            if shape.is_none() && !has_suppressed {
                shown.n_suppressed += take.count;
                continue;
            }
            // Suppressed records have the index after all classes.
            let place = take.class.map_or(recoding.n_classes(), Class::index);
            // Classes whose cells have the same numbers look the same and are counted as one.
            let group = *group_of_class[place].get_or_insert_with(|| {
                let cells = release.numbers(take.class);
                *groups.entry(cells).or_insert_with(|| shown.push(shape, is_blank(release, cells)))
            });
            shown.sizes[group] += take.count;
            if let (Some(labels), Some(label_of)) = (&mut shown.labels, label_of) {
                add(&mut labels[group], label_of[take.cohort.index()], take.count);
            }
        }
        shown.suppress(problem.k())
    }

    /// Adds an empty class and returns its index.
    fn push(&mut self, shape: Option<usize>, is_blank: bool) -> usize {
        self.shapes.push(shape);
        self.is_blank.push(is_blank);
        self.sizes.push(0);
        self.labels.iter_mut().for_each(|labels| labels.push(Vec::new()));
        self.sizes.len() - 1
    }

    /// Counts classes that show nothing as suppressed, as [`is_class`] decides.
    fn suppress(mut self, k: u64) -> Self {
        let others_say = self.is_blank.contains(&false);
        let is_kept: Vec<bool> = (self.is_blank.iter().zip(&self.sizes))
            .map(|(&is_blank, &size)| is_class(is_blank, others_say, size >= k))
            .collect();
        let lost = self.sizes.iter().zip(&is_kept).filter(|(_, is_kept)| !**is_kept);
        self.n_suppressed += lost.map(|(size, _)| size).sum::<u64>();
        retain(&mut self.shapes, &is_kept);
        retain(&mut self.is_blank, &is_kept);
        retain(&mut self.sizes, &is_kept);
        self.labels.iter_mut().for_each(|labels| retain(labels, &is_kept));
        self
    }
}

/// Whether the labels with these numbers show nothing.
fn is_blank(release: &Release, labels: &[u32]) -> bool {
    labels.iter().all(|&label| is_anything(release.label(label)))
}

fn retain<T>(items: &mut Vec<T>, is_kept: &[bool]) {
    let mut is_kept = is_kept.iter();
    items.retain(|_| is_kept.next().is_none_or(|is_kept| *is_kept));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{HierarchyBuilder, Iotf};
    use crate::format::Format;
    use crate::hierarchy::{Leaf, Node, RareValues};
    use crate::loss::{Dm, Loss};
    use crate::measure::partition;
    use crate::privacy::KAnonymity;
    use crate::problem::{Limits, Problem, Region};
    use crate::progress::Silent;
    use crate::proposal::{Proposal, Take};
    use crate::recoding::Recoding;
    use crate::release::Style;
    use crate::table::{Cohort, Table};
    use std::collections::BTreeMap;

    /// Two records show `*` and a third is suppressed: in the release they are one class.
    #[test]
    fn records_that_show_nothing_are_one_class_if_all_do() {
        let table = Table::from_rows(&["x"], &[["a"], ["b"], ["c"]]).unwrap();
        let tree = Format::named("arx").unwrap().read("a;*\nb;*\nc;*\n", Some("x")).unwrap();
        let limits = Limits { most_suppressed: 3, ..Limits::default() };
        let model = Box::new(KAnonymity::new(2).unwrap());
        let problem = Problem::with_limits(&table, vec![tree.into()], vec![model], limits).unwrap();
        let take = |cohort, class| Take { cohort: Cohort::new(cohort), class, count: 1 };
        let first = Some(Class::new(0));
        let takes = vec![take(0, first), take(1, first), take(2, None)];
        let root: Box<[Region]> = [Region::Node(Node::ROOT)].into();
        let proposal = Proposal::with_regions(&problem, [root].into_iter(), takes);
        let recoding = Recoding::of(&problem, proposal, &Silent).unwrap();
        let release = Release::new(&recoding, &Style::default(), &Silent).unwrap();
        for (has_suppressed, shown, dm) in
            [(true, &[["*"]; 3][..], 9.0), (false, &[["*"]; 2][..], 7.0)]
        {
            let shown = Table::from_rows(&["x"], shown).unwrap();
            let read = partition(&table, &shown, &BTreeMap::new(), Some(2)).unwrap();
            let written = of_release(&release, has_suppressed);
            for found in [read, written] {
                assert!((Dm.of(&found).unwrap() - dm).abs() < 1e-9, "{found:?}");
            }
        }
    }

    /// 10 is rare, so `[10, 11]` gets another label that is on no level; but the only record with
    /// it is suppressed.
    #[test]
    fn what_no_class_publishes_has_no_say_in_what_can_be_measured() {
        let rows = [["10"], ["11"], ["11"], ["30"], ["30"]];
        let table = Table::from_rows(&["x"], &rows).unwrap();
        let tree = Iotf.build(&table.columns()[0]).unwrap();
        let rare_values = RareValues::Hide;
        let limits = Limits { most_suppressed: 1, rare_values, ..Limits::default() };
        let model = Box::new(KAnonymity::new(2).unwrap());
        let problem = Problem::with_limits(&table, vec![tree], vec![model], limits).unwrap();
        let attribute = &problem.attributes()[0];
        let region = |leaves: [usize; 2]| {
            attribute.region(leaves.into_iter().map(|leaf| Leaf::new(leaf).into()))
        };
        let of_leaf = [[0, 1], [1, 1], [2, 2]].map(region);
        let proposal = Proposal::global(&problem, &[of_leaf.to_vec()]).unwrap();
        let recoding = Recoding::of(&problem, proposal, &Silent).unwrap();
        let release = Release::new(&recoding, &Style::default(), &Silent).unwrap();
        assert_eq!(recoding.n_suppressed(), 1);
        let losses = of_release(&release, true).losses();
        assert!(losses.contains_key("precision"), "{losses:?}");
    }
}
