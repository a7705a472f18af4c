//! A quasi-identifier as searches see it: leaves, ranges of leaves, and their costs.

use std::sync::Arc;

use super::bound::Bound;
use super::costs::Costs;
use super::hiding::hiding_obstacle;
use crate::error::{Advice, Misuse};
use crate::hierarchy::{
    End, Entry, Generalization, Group, Label, Leaf, LeafOrAny, Node, Rare, Spelt, Tag,
};
use crate::table::{Code, Cohort, Table, Values};
use crate::{Error, Result};

/// A quasi-identifier of a problem.
#[derive(Debug, Clone)]
pub struct Attribute {
    name: String,
    generalization: Generalization,
    /// Spelling of missing values, if they are a value of their own for which the hierarchy has no
    /// leaf.
    missing: Option<Box<str>>,
    /// Spelling of missing values that match any value.
    unknown: Box<str>,
    /// The leaf of each code of the column.
    leaf_of_code: Arc<[LeafOrAny]>,
    /// The leaf of each cohort.
    leaves: Vec<LeafOrAny>,
    n_leaves: usize,
    /// The cost of each node of a tree, or of each group of a level.
    node_costs: Arc<[f64]>,
    costs: Arc<Costs>,
    /// The values that must not be spelt out; `None` if all values can be.
    rare: Option<Arc<Rare>>,
    /// The generalization as it was given, with labels that hide nothing; readers may know it.
    known: Generalization,
}

/// The values that a class publishes for one attribute.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Region {
    /// A node of the tree.
    Node(Node),
    /// A group of a level.
    Group(Group),
    /// The values from one leaf to another.
    Interval(Leaf, Leaf),
    /// These leaves, ascending.
    Set(Box<[Leaf]>),
    /// These leaves, ascending, and a number of others that must not be spelt out.
    PartialSet(Box<[Leaf]>, u32),
    /// One of the fixed labels.
    Label(Tag),
    /// No value is known: all are missing and match any value.
    Unknown,
}

impl Region {
    /// The region of an entry of a level function; `Unknown` if there is no hierarchy.
    pub fn of_entry(generalization: &Generalization, entry: Entry) -> Self {
        match generalization {
            Generalization::Tree(_) => Self::Node(entry.node()),
            Generalization::Levels(_) => Self::Group(entry.group()),
            Generalization::Interval(_) | Generalization::Set(_) | Generalization::Fixed(_) => {
                Self::Unknown
            }
        }
    }
}

/// The generalization in which rare values are hidden.
fn hiding(generalization: Generalization, rare: &Rare, name: &str) -> Result<Generalization> {
    if let Some(obstacle) = hiding_obstacle(rare, &generalization, name) {
        return Err(obstacle.advise([Advice::ShowRareValues]));
    }
    match &generalization {
        Generalization::Tree(tree) => Ok(rare.hide_in(tree).into()),
        _ => Ok(generalization),
    }
}

impl Attribute {
    /// Binds a generalization to a column. Values of fewer than `hidden_below` records are not
    /// spelt out.
    pub(super) fn new(
        table: &Table,
        place: usize,
        given: Generalization,
        hidden_below: Option<u64>,
    ) -> Result<Self> {
        let column = &table.columns()[place];
        let domain = &column.domain;
        // Without a tree, leaves are the codes of the column, so its values must be the same.
        if given.ground().is_none() && *given.values() != domain.values {
            let column = column.name.clone();
            let advice = Advice::words("make them from the column of this table");
            return Err(Error::misuse(Misuse::OtherValues { column }).advise([advice]));
        }
        let Bound { generalization, leaf_of_code, missing, n_leaves } =
            Bound::new(table.missing(), column, given)?;
        let cohorts = table.cohorts();
        let leaves: Vec<LeafOrAny> = cohorts
            .all()
            .map(|cohort| leaf_of_code[cohorts.tuple(cohort)[place].index()])
            .collect();
        let known = generalization.clone();
        let (generalization, rare) = match hidden_below {
            None => (generalization, None),
            Some(k) => {
                // With several records per person, a value is rare if few people have it.
                let counts = table.holders(leaves.iter().copied().map(index_of), n_leaves);
                let rare = Rare::new(generalization.values(), &counts, k);
                (hiding(generalization, &rare, &column.name)?, Some(Arc::new(rare)))
            }
        };
        // Computed after hiding, because hidden labels are wider and cost more.
        let node_costs = generalization.costs();
        let costs = Arc::new(Costs::new(&generalization, &node_costs, n_leaves, rare.as_deref()));
        let unknown = domain.missing.as_ref().map_or("".into(), |found| found.spelling.clone());
        Ok(Self {
            name: column.name.clone(),
            generalization,
            missing,
            unknown,
            leaf_of_code: leaf_of_code.into(),
            leaves,
            n_leaves,
            node_costs,
            costs,
            rare,
            known,
        })
    }

    /// The attribute restricted to some cohorts.
    pub(super) fn part(&self, cohorts: &[Cohort]) -> Self {
        let leaves = cohorts.iter().map(|&cohort| self.leaves[cohort.index()]).collect();
        Self {
            name: self.name.clone(),
            generalization: self.generalization.clone(),
            missing: self.missing.clone(),
            unknown: self.unknown.clone(),
            leaf_of_code: Arc::clone(&self.leaf_of_code),
            leaves,
            n_leaves: self.n_leaves,
            node_costs: Arc::clone(&self.node_costs),
            costs: Arc::clone(&self.costs),
            rare: self.rare.clone(),
            known: self.known.clone(),
        }
    }

    /// The column's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The ways in which its values can be generalized.
    pub fn generalization(&self) -> &Generalization {
        &self.generalization
    }

    /// The leaf of each cohort.
    pub fn leaves(&self) -> &[LeafOrAny] {
        &self.leaves
    }

    /// The leaf of a cohort. The attribute must not have missing values that match anything.
    #[inline]
    pub(crate) fn known_leaf(&self, cohort: Cohort) -> Leaf {
        let leaf = self.leaves[cohort.index()].known();
        leaf.expect("a method that needs all leaves refuses missing values that match anything")
    }

    /// The leaf of a code of the column.
    #[inline]
    pub(crate) fn leaf_of_code(&self, code: Code) -> LeafOrAny {
        self.leaf_of_code[code.index()]
    }

    /// Whether all records have the same leaf.
    pub(crate) fn is_constant(&self) -> bool {
        self.leaves.windows(2).all(|two| two[0] == two[1])
    }

    /// Number of leaves.
    pub fn n_leaves(&self) -> usize {
        self.n_leaves
    }

    /// Number of records with each leaf, given the number of records of each cohort. Missing values
    /// that match any value are not counted.
    pub(crate) fn leaf_counts(&self, counts: &[u64]) -> Vec<u64> {
        let mut of_leaf = vec![0; self.n_leaves];
        for (leaf, count) in self.leaves.iter().zip(counts) {
            let Some(leaf) = leaf.known() else { continue };
            of_leaf[leaf.index()] += count;
        }
        of_leaf
    }

    /// Number of people with each leaf, given the table of the cohorts; the number of records if
    /// every record is a person of its own.
    pub(crate) fn holders(&self, table: &Table) -> Vec<u64> {
        table.holders(self.leaves.iter().copied().map(index_of), self.n_leaves)
    }

    /// The costs of ranges and sets of leaves.
    pub fn costs(&self) -> &Costs {
        &self.costs
    }

    /// The smallest region that contains `leaves`.
    pub fn region(&self, leaves: impl Iterator<Item = LeafOrAny>) -> Region {
        let known = leaves.filter_map(LeafOrAny::known);
        if let Generalization::Fixed(labels) = &self.generalization {
            let members: Vec<Leaf> = known.collect();
            return match members.len() {
                0 => Region::Unknown,
                _ => Region::Label(labels.cheapest(&members)),
            };
        }
        if let Generalization::Set(_) = self.generalization {
            let mut members: Vec<Leaf> = known.collect();
            members.sort_unstable();
            members.dedup();
            return match members.len() {
                0 => Region::Unknown,
                _ => self.without_rare(Region::Set(members.into())),
            };
        }
        // Nodes cover contiguous ranges, so the first and the last leaf determine the region.
        let span = known.map(|leaf| (leaf, leaf)).reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
        let Some((first, last)) = span else { return Region::Unknown };
        self.without_rare(match &self.generalization {
            Generalization::Tree(tree) => Region::Node(tree.lowest_common_ancestor(first, last)),
            Generalization::Levels(levels) => {
                Region::Group(levels.lowest_common_group(first, last))
            }
            Generalization::Interval(_) | Generalization::Set(_) | Generalization::Fixed(_) => {
                Region::Interval(first, last)
            }
        })
    }

    /// The smallest region that contains `region` and spells out no rare value. Without rare
    /// values, the region itself. Regions that would look the same become equal.
    pub(crate) fn without_rare(&self, region: Region) -> Region {
        let Some(rare) = &self.rare else { return region };
        match (region, &self.generalization) {
            (Region::Node(node), Generalization::Tree(tree)) => {
                // The labels of inner nodes do not contain rare values.
                let is_rare = tree.as_leaf(node).is_some_and(|leaf| rare.is_rare(leaf));
                // A rare leaf is never published alone: its parent is the next label.
                Region::Node(tree.parent(node).filter(|_| is_rare).unwrap_or(node))
            }
            (Region::Interval(first, last), _) if last.index() >= self.values().len() => {
                // An interval that mixes values and missing values is published as `*`.
                if first == last && !rare.is_rare(last) {
                    return Region::Interval(first, last); // missing values among themselves
                }
                self.whole()
            }
            (Region::Interval(first, last), _) if first < last || rare.is_rare(first) => {
                // Intervals that show the same ends become equal, so their classes are one to a
                // reader.
                Region::Interval(rare.low(first).leaf, rare.high(last).leaf)
            }
            (Region::Set(leaves), _) if leaves.len() < self.n_leaves => {
                self.named_set(rare, &leaves, 0)
            }
            (Region::PartialSet(leaves, n_more), _) => self.named_set(rare, &leaves, n_more),
            (other, _) => other,
        }
    }

    /// The set of the leaves that are not rare, with the number of the others and of `n_more`.
    fn named_set(&self, rare: &Rare, leaves: &[Leaf], n_more: u32) -> Region {
        let named: Box<[Leaf]> =
            leaves.iter().copied().filter(|&leaf| !rare.is_rare(leaf)).collect();
        match n_more + (leaves.len() - named.len()) as u32 {
            0 => Region::Set(named),
            // A set of hidden members only would still reveal how many there are.
            _ if named.is_empty() => self.whole(),
            n_more => Region::PartialSet(named, n_more),
        }
    }

    /// Whether members of sets are hidden as `and N more`, so that readers cannot see what a set
    /// contains.
    pub(super) fn hides_members(&self) -> bool {
        let Some(rare) = &self.rare else { return false };
        let is_rare = |leaf: Leaf| rare.is_rare(leaf);
        let mut leaves = Leaf::first(self.n_leaves);
        match &self.known {
            // If all values are rare, no set names a member: all are published as `*`.
            Generalization::Set(_) => leaves.clone().any(is_rare) && !leaves.all(is_rare),
            Generalization::Tree(tree) => rare.hides_members(tree),
            Generalization::Interval(_) | Generalization::Levels(_) | Generalization::Fixed(_) => {
                false
            }
        }
    }

    /// The ends that an interval of numbers or dates shows, if rare values must not be spelt out.
    pub(crate) fn hidden_ends(&self, first: Leaf, last: Leaf) -> Option<[&End; 2]> {
        let rare = self.rare.as_ref()?;
        let is_interval = first < last || rare.is_rare(first);
        // The missing value cannot be an end of an interval.
        let has_ends = last.index() < self.values().len();
        (is_interval && has_ends).then(|| [rare.low(first), rare.high(last)])
    }

    /// Whether rare values must not be spelt out.
    pub(crate) fn hides_rare(&self) -> bool {
        self.rare.is_some()
    }

    /// The generalization as readers with the hierarchy know it, without the labels that hide rare
    /// values.
    pub(crate) fn known_generalization(&self) -> &Generalization {
        &self.known
    }

    /// The leaves whose values are spelt out where a region is shown; `spelt` is that of the
    /// attribute's tree.
    pub(crate) fn spelt_out(&self, region: &Region, spelt: Option<&Spelt<'_>>) -> Vec<Leaf> {
        match (region, &self.generalization) {
            (Region::Node(node), Generalization::Tree(_)) => {
                spelt.map_or_else(Vec::new, |spelt| spelt.leaves(*node))
            }
            (Region::Group(group), Generalization::Levels(levels)) => levels.spelt_leaves(*group),
            (Region::Interval(first, last), _) => match self.hidden_ends(*first, *last) {
                _ if self.is_anything(*first, *last) => Vec::new(),
                None => vec![*first, *last],
                Some(ends) => ends.iter().filter(|end| end.is_value).map(|end| end.leaf).collect(),
            },
            // The set of all leaves is published as `*`.
            (Region::Set(leaves), _) if leaves.len() == self.n_leaves && leaves.len() > 1 => {
                Vec::new()
            }
            (Region::Set(leaves) | Region::PartialSet(leaves, _), _) => leaves.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The widest region that can be published.
    pub fn whole(&self) -> Region {
        let leaves = Leaf::first(self.n_leaves);
        match &self.generalization {
            _ if self.n_leaves == 0 => Region::Unknown,
            Generalization::Tree(_) => Region::Node(Node::ROOT),
            Generalization::Levels(levels) => Region::Group(levels.root()),
            Generalization::Interval(_) => Region::Interval(leaves.start, leaves.greatest()),
            Generalization::Set(_) => Region::Set(leaves.collect()),
            Generalization::Fixed(labels) => Region::Label(labels.whole()),
        }
    }

    /// Whether the generalization has this region, so that the other functions accept it.
    pub(crate) fn has(&self, region: &Region) -> bool {
        match (region, &self.generalization) {
            (Region::Node(node), Generalization::Tree(tree)) => node.index() < tree.len(),
            (Region::Group(group), Generalization::Levels(levels)) => group.index() < levels.len(),
            (Region::Label(tag), Generalization::Fixed(labels)) => tag.index() < labels.len(),
            (Region::Interval(first, last), Generalization::Interval(_)) => {
                first <= last && last.index() < self.n_leaves
            }
            (Region::Set(leaves), Generalization::Set(_)) => self.are_members(leaves),
            (Region::PartialSet(leaves, n_more), Generalization::Set(_)) => {
                self.are_members(leaves) && (1..=self.n_rare()).contains(&(*n_more as usize))
            }
            (Region::Unknown, _) => true,
            _ => false,
        }
    }

    /// Whether these are the members of a set: leaves in ascending order, each once.
    fn are_members(&self, leaves: &[Leaf]) -> bool {
        let is_ascending = leaves.windows(2).all(|two| two[0] < two[1]);
        is_ascending && leaves.last().is_some_and(|last| last.index() < self.n_leaves)
    }

    /// Number of values that must not be spelt out.
    fn n_rare(&self) -> usize {
        let Some(rare) = &self.rare else { return 0 };
        Leaf::first(self.n_leaves).filter(|&leaf| rare.is_rare(leaf)).count()
    }

    /// Whether a region contains a leaf.
    pub fn covers(&self, region: &Region, leaf: LeafOrAny) -> bool {
        let Some(leaf) = leaf.known() else { return true };
        match (region, &self.generalization) {
            (Region::Node(node), Generalization::Tree(tree)) => {
                tree.leaves_of(*node).contains(leaf)
            }
            (Region::Group(group), Generalization::Levels(levels)) => {
                levels.leaves_of(*group).contains(leaf)
            }
            (Region::Label(tag), Generalization::Fixed(labels)) => labels.label(*tag).covers(leaf),
            (Region::Interval(first, last), _) => (*first..=*last).contains(&leaf),
            (Region::Set(leaves), _) => leaves.contains(&leaf),
            (Region::PartialSet(leaves, _), _) => {
                // A partial set does not name its hidden members, so any rare value could be one.
                leaves.contains(&leaf) || self.rare.as_ref().is_some_and(|rare| rare.is_rare(leaf))
            }
            _ => false,
        }
    }

    /// The cost of a region: 0 for a single value, 1 for the region of all values.
    pub fn cost(&self, region: &Region) -> f64 {
        match region {
            Region::Node(node) => self.node_costs[node.index()],
            Region::Group(group) => self.node_costs[group.index()],
            Region::Interval(first, last) => self.costs.of_range(*first, *last),
            Region::Set(leaves) => self.costs.of_set(leaves.len()),
            Region::PartialSet(leaves, n_more) => {
                // Hidden members cost as much as named ones.
                self.costs.of_set(leaves.len() + *n_more as usize)
            }
            Region::Label(tag) => self.label(*tag).map_or(0.0, |label| label.cost),
            Region::Unknown => 0.0,
        }
    }

    /// One of the fixed labels, or `None` if the attribute has none.
    pub(crate) fn label(&self, tag: Tag) -> Option<&Label> {
        match &self.generalization {
            Generalization::Fixed(labels) => Some(labels.label(tag)),
            _ => None,
        }
    }

    /// The values that intervals and sets of leaves refer to, with their spellings.
    pub fn values(&self) -> &Values {
        self.generalization.values()
    }

    /// The text of a leaf.
    pub fn spelling(&self, leaf: Leaf) -> std::borrow::Cow<'_, str> {
        match (self.generalization.ground(), &self.missing) {
            (Some(ground), _) => ground.spelling(leaf),
            (_, Some(missing)) if leaf.index() == self.values().len() => missing.as_ref().into(),
            _ => self.values().spelling(leaf.index()),
        }
    }

    /// The text of a class in which all values are missing and match any value.
    pub fn unknown(&self) -> &str {
        &self.unknown
    }

    /// Whether an interval of leaves shows nothing: it contains all leaves, or both values and the
    /// missing value.
    pub(crate) fn is_anything(&self, first: Leaf, last: Leaf) -> bool {
        let is_all = last.index() - first.index() + 1 == self.n_leaves && first < last;
        is_all || self.mixes_missing(first, last)
    }

    /// Whether a range of leaves contains both values and the missing value.
    fn mixes_missing(&self, first: Leaf, last: Leaf) -> bool {
        let n_values = self.values().len();
        self.missing.is_some() && first.index() < n_values && last.index() >= n_values
    }
}

fn index_of(leaf: LeafOrAny) -> Option<usize> {
    leaf.known().map(Leaf::index)
}
