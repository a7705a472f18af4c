//! Makes the recipe of a release.

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashSet;

use super::labels::Writer;
use super::secrecy::salt;
use super::{Form, Goal, Named, Reading, Recipe, Then, Unseen, Writing};
use crate::builder::Asked;
use crate::error::{Advice, HierarchySource, Misuse};
use crate::hierarchy::{Generalization, Leaf, Level};
use crate::method::Spec;
use crate::problem::{Attribute, Region};
use crate::progress::{Progress, stop_at, stop_if_cancelled};
use crate::proposal::{Class, Uses, level};
use crate::recoding::Recoding;
use crate::release::Release;
use crate::schema::Role;
use crate::study::{Demands, Study};
use crate::table::{Column, Encoding};
use crate::{Error, Result};

impl Recipe {
    /// The rules of a release of a study.
    ///
    /// If every value is published in the same way in all records, the recipe has a cut of each
    /// column, whichever method found it; otherwise it has the regions of the classes.
    ///
    /// # Errors
    ///
    /// [`Error::Misuse`] if the release was made from another study, or if its models look at a
    /// population, which a recipe does not have, and [`Error::Cancelled`] if `progress` is
    /// cancelled.
    pub fn of(study: &Study, release: &Release, progress: &dyn Progress) -> Result<Self> {
        let (problem, recoding) = (study.problem(), release.recoding());
        if !recoding.problem().is_same(problem) {
            return Err(Error::misuse(Misuse::OtherStudy));
        }
        if study.population().is_some() {
            return Err(Error::misuse(Misuse::RecipeOfSample)
                .advise([Advice::LeaveOut { key: "population", column: None }]));
        }
        problem.table().check_copies()?;
        check_hierarchies(study)?;
        stop_if_cancelled(progress)?;
        let uses = Uses::of(problem, recoding);
        if uses.is_global {
            let recipe = Self::written(study, release, &uses, progress)?;
            // Ranges of a global recoding can overlap, so that rules alone do not distinguish them.
            if recipe.gives(release, progress)? {
                return Ok(recipe);
            }
        }
        let uses = Uses { is_global: false, ..uses };
        Self::written(study, release, &uses, progress)
    }

    fn written(
        study: &Study,
        release: &Release,
        uses: &Uses,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let (problem, recoding) = (study.problem(), release.recoding());
        let mut recipe = Self {
            made_by: env!("CARGO_PKG_VERSION").to_owned(),
            form: if uses.is_global { Form::Cuts } else { Form::Regions },
            goal: goal(study),
            reading: reading(study),
            writing: Writing {
                interval_style: release.style().intervals,
                rare_values: study.demands().rare_values,
                ..Writing::default()
            },
            columns: roles(study, &study.claims().guards()?),
            salt: salt(release),
            attributes: Vec::new(),
            levels: Vec::new(),
            regions: Vec::new(),
            then: Then {
                rows: problem.table().n_rows(),
                suppressed: recoding.n_suppressed(),
                classes: recoding.n_classes() as u64,
            },
        };
        let mut numbers = Vec::new();
        for place in 0..problem.attributes().len() {
            stop_if_cancelled(progress)?;
            let mut writer = Writer::new(release, place, &recipe.salt);
            numbers.push(writer.published(&uses.counts[place]));
            if uses.is_global {
                let of_leaf = &uses.of_leaf[place];
                let level = level(writer.attribute(), writer.regions(), of_leaf);
                recipe.levels.extend(level.map(Level::get));
                cut(&mut writer, of_leaf, level);
                writer.tell_apart(of_leaf, &numbers[place]);
            }
            writer.add_above();
            recipe.attributes.push(writer.finish(uses.is_global));
        }
        if recipe.levels.len() == recipe.attributes.len() {
            recipe.form = Form::Levels;
        } else {
            recipe.levels.clear();
        }
        if !uses.is_global {
            recipe.regions = regions(recoding, &numbers);
        }
        Ok(recipe)
    }

    /// Whether the rules give every published record of a release the cells that it has.
    fn gives(&self, release: &Release, progress: &dyn Progress) -> Result<bool> {
        let recoding = release.recoding();
        let recoded = self.recode_unchecked(recoding.problem().table(), Unseen::Root, progress)?;
        for (place, take) in recoding.takes().iter().enumerate() {
            stop_at(place, progress)?;
            let then = release.cells(take.class);
            let cells = recoded.cells(take.cohort).unwrap_or_default();
            if take.class.is_some() && !then.into_iter().eq(cells) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The labels of the classes, each combination once, in the order of the classes.
fn regions(recoding: &Recoding, numbers: &[Vec<Option<u32>>]) -> Vec<Vec<u32>> {
    let mut seen = BTreeSet::new();
    let mut regions = Vec::new();
    for class in Class::first(recoding.n_classes()) {
        let own = recoding.numbers(recoding.shape(class)).iter().zip(numbers);
        let labels: Option<Vec<u32>> = own.map(|(&region, of)| of[region as usize]).collect();
        // Every region of a class is published, so it has a label.
        if let Some(labels) = labels.filter(|labels| seen.insert(labels.clone())) {
            regions.push(labels);
        }
    }
    regions
}

/// Marks the labels that publish values, and gives labels to values that were not published.
fn cut(writer: &mut Writer<'_>, of_leaf: &[Option<u32>], level: Option<Level>) {
    let attribute = writer.attribute().clone();
    let published = writer.regions().to_vec();
    let used: HashSet<Region> =
        of_leaf.iter().flatten().map(|&region| published[region as usize].clone()).collect();
    let levels = level.and_then(|level| Some((attribute.generalization().levels()?, level)));
    for leaf in Leaf::first(attribute.n_leaves()) {
        if of_leaf[leaf.index()].is_some() {
            continue;
        }
        let candidates: Vec<Region> = match &levels {
            // On the level of all others, or above it if too few records have the group there.
            Some((levels, level)) => levels.nodes[level.index()..]
                .iter()
                .map(|nodes| Region::of_entry(attribute.generalization(), nodes[leaf.index()]))
                .collect(),
            None => apart(&attribute, leaf, of_leaf, &used),
        };
        writer.publish_first(&candidates, levels.is_some());
    }
}

/// The nodes that can publish a leaf which no class publishes, the best first: a node that
/// publishes other leaves, or those without published leaves, the highest first, and then those
/// above them. Empty if there is no tree.
fn apart(
    attribute: &Attribute,
    leaf: Leaf,
    of_leaf: &[Option<u32>],
    used: &HashSet<Region>,
) -> Vec<Region> {
    let Generalization::Tree(tree) = attribute.generalization() else { return Vec::new() };
    let (mut alone, mut above) = (Vec::new(), Vec::new());
    let mut next = Some(tree.leaf_node(leaf));
    while let Some(node) = next {
        if used.contains(&Region::Node(node)) {
            return vec![Region::Node(node)];
        }
        let is_alone = tree.leaves_of(node).all(|leaf| of_leaf[leaf.index()].is_none());
        let nodes = if is_alone { &mut alone } else { &mut above };
        nodes.push(Region::Node(node));
        next = tree.parent(node);
    }
    alone.into_iter().rev().chain(above).collect()
}

/// Returns an error if models use hierarchies of sensitive columns that were given in memory, which
/// a recipe cannot name.
fn check_hierarchies(study: &Study) -> Result<()> {
    let is_quasi =
        |name: &str| study.problem().table().columns().iter().any(|column| column.name == name);
    let mut asked = study.demands().hierarchies.iter();
    match asked.find(|(name, asked)| !is_quasi(name) && !matches!(asked, Asked::Method(_))) {
        None => Ok(()),
        Some((name, _)) => {
            let (column, source) = (name.clone(), HierarchySource::Any);
            Err(Error::misuse(Misuse::HierarchyInMemory { column: name.clone() })
                .advise([Advice::GiveHierarchy { column, source }]))
        }
    }
}

fn goal(study: &Study) -> Goal {
    let Demands { k, privacy, sensitive, class, suppress, recoding, hierarchies, .. } =
        study.demands();
    let table = study.problem().table();
    let is_quasi = |name: &str| table.columns().iter().any(|column| column.name == name);
    let method = |asked: &Asked| match asked {
        Asked::Method(spec) => Some(spec.clone()),
        // `check_hierarchies` has refused these.
        Asked::Given(_) | Asked::Edited(_) => None,
    };
    let of_secrets = hierarchies.iter().filter(|(name, _)| !is_quasi(name));
    let hierarchies: BTreeMap<String, Spec> =
        of_secrets.filter_map(|(name, asked)| Some((name.clone(), method(asked)?))).collect();
    Goal {
        k: *k,
        privacy: privacy.clone(),
        sensitive: sensitive.clone(),
        class: class.clone(),
        person: table.person().map(|column| column.name.clone()),
        suppress: *suppress,
        recoding: *recoding,
        hierarchies,
    }
}

/// The options with which the table was read, as far as the table has them.
fn reading(study: &Study) -> Reading {
    let table = study.problem().table();
    let columns: Vec<&Column> = table.columns().iter().chain(table.beside()).collect();
    let Encoding { kinds, date_formats, decimals, .. } = Encoding::like(&columns, &[]);
    Reading { missing: table.missing(), kinds, date_formats, decimals, ..Reading::default() }
}

/// The roles of the columns that the study knows. A record's own demand, in one of `guards`, is
/// private unless the column is sensitive anyway.
fn roles(study: &Study, guards: &[String]) -> Vec<Named> {
    let (table, demands) = (study.problem().table(), study.demands());
    let named = |column: &Column, role| Named { name: column.name.clone(), role };
    let beside = table.beside().iter().map(|column| {
        let is_class = demands.class.as_ref() == Some(&column.name);
        let is_sensitive = demands.sensitive.contains(&column.name);
        let is_guard = guards.contains(&column.name) && !is_sensitive;
        named(
            column,
            match () {
                () if is_class => Role::Class,
                () if is_guard => Role::Identifier,
                () => Role::Sensitive,
            },
        )
    });
    let quasi = table.columns().iter().map(|column| named(column, Role::Quasi));
    let person = table.person().map(|column| named(column, Role::Person));
    quasi.chain(beside).chain(person).collect()
}
