//! Hierarchies: built, read, written, ranked, and as a table of nodes.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, BooleanArray, Int64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use hedgerow::auto::{Auto, USUAL_K};
use hedgerow::builder::{self, Wordnet};
use hedgerow::format::{self, Format, draw};
use hedgerow::hierarchy::{Generalization, Hierarchy, Node, tree_of};
use hedgerow::io::{Inputs, Output};
use hedgerow::knowledge::{Knowledge, Senses};
use hedgerow::method::{Described, Spec};
use hedgerow::progress::Progress;
use hedgerow::rank::{self, Evaluated, Question, Weights};
use hedgerow::table::{Columns, MissingPolicy, Table};
use hedgerow::{Error, Result};
use pyo3::prelude::*;
use serde::Serialize;

use crate::arguments::{job, json};
use crate::errors::raised;
use crate::opened::opened;
use crate::running::{bug, run};
use crate::table::ArrowTable;

/// A hierarchy of a column.
#[pyclass(module = "hedgerow._hedgerow", frozen)]
#[derive(Clone)]
pub(crate) struct NativeHierarchy {
    of: Generalization,
}

impl NativeHierarchy {
    /// The hierarchy of a generalization, unless it generalizes without one.
    pub(crate) fn of(generalization: &Generalization) -> Option<Self> {
        match generalization {
            Generalization::Tree(_) | Generalization::Levels(_) => {
                Some(Self { of: generalization.clone() })
            }
            _ => None,
        }
    }

    pub(crate) fn generalization(&self) -> Generalization {
        self.of.clone()
    }

    fn tree(&self, py: Python<'_>) -> PyResult<Hierarchy> {
        tree_of(self.of.clone()).map_err(|error| raised(py, &error))
    }
}

/// A column of a table, which is read as a job says.
struct Values<'a, 'py> {
    table: &'a Bound<'py, PyAny>,
    column: &'a str,
    options: &'a str,
}

/// Reads a column, and does something with it.
fn on_column<T: Send>(
    py: Python<'_>,
    of: Values<'_, '_>,
    listener: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Table, &dyn Progress) -> Result<T> + Send,
) -> PyResult<T> {
    let job = job(py, of.options)?;
    let source = opened(of.table, &job)?;
    let column = of.column;
    run(py, listener, |progress| {
        let table = source.read(&Columns::quasi(&[column]), &job.reading(false), progress)?;
        work(&table, progress)
    })
}

/// Builds the hierarchy of a column with a method; `auto` tries those that fit the column.
#[pyfunction]
#[pyo3(signature = (table, column, method, k, options, listener=None))]
pub(crate) fn build_hierarchy(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    column: &str,
    method: &str,
    k: Option<u64>,
    options: &str,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<NativeHierarchy> {
    on_column(py, Values { table, column, options }, listener, |table, progress| {
        let built = built(table, &method.parse()?, k, progress)?;
        NativeHierarchy::of(&built).ok_or_else(|| {
            Error::method(method, "generalizes without a hierarchy, so there is none to build")
        })
    })
}

fn built(
    table: &Table,
    method: &Spec,
    k: Option<u64>,
    progress: &dyn Progress,
) -> Result<Generalization> {
    let column = &table.columns()[0];
    if method.name != "auto" {
        return builder::build(method, column, k);
    }
    // `free` has no tree.
    let auto = Auto { k: k.unwrap_or(USUAL_K), seed: 0, needs_levels: true };
    let asked = BTreeMap::from([(column.name.clone(), method.clone().into())]);
    let mut choices = auto.choose(table, &asked, progress)?;
    Ok(choices.swap_remove(0).generalization)
}

/// Reads a hierarchy file.
#[pyfunction]
#[pyo3(signature = (path, column=None))]
pub(crate) fn read_hierarchy(
    py: Python<'_>,
    path: &str,
    column: Option<&str>,
) -> PyResult<NativeHierarchy> {
    let read = || format::read_any(Path::new(path), column, None);
    let of = py.detach(read).map_err(|error| raised(py, &error))?;
    NativeHierarchy::of(&of).ok_or_else(|| bug("a file has a hierarchy"))
}

/// Candidates for the hierarchy of a column of words, with their names.
#[pyfunction]
#[pyo3(signature = (table, column, method, k, options, listener=None))]
pub(crate) fn hierarchy_candidates(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    column: &str,
    method: &str,
    k: Option<u64>,
    options: &str,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<(String, NativeHierarchy)>> {
    let spec: Spec = method.parse().map_err(|error| raised(py, &error))?;
    on_column(py, Values { table, column, options }, listener, |table, _| {
        Wordnet::DESCRIPTION.check(&spec)?;
        let mut wordnet: Wordnet = spec.read()?;
        wordnet.k = k.or(wordnet.k);
        let made = wordnet.construct(&wordnet.gather()?, &table.columns()[0])?;
        let named = made.candidates.iter().enumerate().map(|(place, candidate)| {
            let of = Generalization::from(candidate.hierarchy.clone());
            (made.file_name(place), NativeHierarchy { of })
        });
        Ok(named.collect())
    })
}

#[derive(Serialize)]
struct Line {
    /// Index of the hierarchy among those that were given.
    candidate: usize,
    score: f64,
    #[serde(flatten)]
    evaluated: Evaluated,
}

/// Ranks hierarchies of a column, and returns the ranking as JSON, the best first.
#[pyfunction]
#[pyo3(signature = (table, column, hierarchies, ranking, options, listener=None))]
pub(crate) fn rank_hierarchies(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    column: &str,
    hierarchies: Vec<Py<NativeHierarchy>>,
    ranking: (u64, Option<[f64; 4]>),
    options: &str,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let job = job(py, options)?;
    let source = opened(table, &job)?;
    let (k, weights) = ranking;
    let lines = run(py, listener, |progress| {
        let mut reading = job.reading(false);
        // Records without a value have no place in a candidate.
        reading.encoding.missing = MissingPolicy::Drop;
        let table = source.read(&Columns::quasi(&[column]), &reading, progress)?;
        let column = &table.columns()[0];
        let trees: Vec<Hierarchy> = hierarchies
            .iter()
            .map(|of| tree_of(of.get().generalization()))
            .collect::<Result<_>>()?;
        for tree in &trees {
            tree.ground().bind(&column.domain)?;
        }
        let trees: Vec<&Hierarchy> = trees.iter().collect();
        let knowledge = Knowledge::wordnet();
        let senses = Senses::read(None, knowledge, &column.domain)?;
        let meanings = rank::meanings(knowledge, column, &senses, &trees)?;
        let question = Question { column, knowledge, meanings: &meanings, k };
        let evaluated = rank::evaluate(&question, &trees)?;
        let weights = weights.map_or_else(|| Ok(Weights::default()), Weights::new)?;
        let line = |ranked: rank::Ranked| Line {
            candidate: ranked.candidate,
            score: ranked.score,
            evaluated: evaluated[ranked.candidate],
        };
        Ok(rank::rank(&evaluated, &weights).into_iter().map(line).collect::<Vec<Line>>())
    })?;
    json(&lines)
}

#[pymethods]
impl NativeHierarchy {
    /// The method that built it, with its parameters.
    fn method(&self) -> String {
        self.of.method()
    }

    /// The column that it was made for.
    fn column(&self) -> Option<String> {
        Some(self.of.ground()?.attribute().to_owned())
    }

    /// Number of nodes and of levels above the leaves.
    fn size(&self) -> (usize, u32) {
        match &self.of {
            Generalization::Tree(tree) => (tree.len(), tree.height()),
            Generalization::Levels(levels) => (levels.len(), levels.n_levels() - 1),
            _ => (0, 0),
        }
    }

    /// The hierarchy as indented text.
    fn text(&self) -> String {
        match &self.of {
            Generalization::Tree(tree) => draw::text(tree, None),
            Generalization::Levels(levels) => draw::levels(levels),
            _ => String::new(),
        }
    }

    /// The hierarchy as a drawing.
    fn svg(&self) -> String {
        match &self.of {
            Generalization::Tree(tree) => {
                draw::icicle(tree, |node| tree.leaves_of(node).places().len() as f64)
                    .svg()
                    .standalone()
            }
            Generalization::Levels(levels) => draw::level_icicle(levels).svg().standalone(),
            _ => String::new(),
        }
    }

    /// Writes the hierarchy to a file, in the format of its extension.
    fn write(&self, py: Python<'_>, path: &str, force: bool, lossy: bool) -> PyResult<()> {
        py.detach(|| self.save(Path::new(path), force, lossy)).map_err(|error| raised(py, &error))
    }

    /// The nodes as a table: `node`, `parent`, `depth`, `label`, `leaf`, `values` and `records`.
    fn nodes(&self, py: Python<'_>) -> PyResult<ArrowTable> {
        let tree = self.tree(py)?;
        let depths = tree.depths();
        let numbers: Vec<Node> = tree.nodes().collect();
        let whole = |of: &dyn Fn(Node) -> i64| -> ArrayRef {
            Arc::new(numbers.iter().map(|&node| of(node)).collect::<Int64Array>())
        };
        let mut parents = Int64Builder::new();
        let mut labels = StringBuilder::new();
        for &node in &numbers {
            parents.append_option(tree.parent(node).map(|parent| parent.index() as i64));
            labels.append_value(tree.label(node));
        }
        let is_leaf: Vec<bool> = numbers.iter().map(|&node| tree.as_leaf(node).is_some()).collect();
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("node", whole(&|node| node.index() as i64)),
            ("parent", Arc::new(parents.finish())),
            ("depth", whole(&|node| i64::from(depths[node.index()]))),
            ("label", Arc::new(labels.finish())),
            ("leaf", Arc::new(BooleanArray::from(is_leaf))),
            ("values", whole(&|node| tree.leaves_of(node).places().len() as i64)),
            ("records", whole(&|node| tree.count(node) as i64)),
        ];
        let field = |(name, array): &(&str, ArrayRef)| {
            Field::new(*name, DataType::clone(array.data_type()), *name == "parent")
        };
        let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        let batch = RecordBatch::try_new(Arc::clone(&schema), arrays);
        Ok(ArrowTable::new(vec![batch.map_err(|error| bug(&error.to_string()))?], schema))
    }

    /// The labels of a value, from the leaf to the root; `None` if it is not a value of the leaves.
    fn path(&self, py: Python<'_>, value: &str) -> PyResult<Option<Vec<String>>> {
        let tree = self.tree(py)?;
        let Some(leaf) = tree.ground().leaf_spelt(value) else { return Ok(None) };
        let mut labels = Vec::new();
        let mut node = Some(tree.leaf_node(leaf));
        while let Some(at) = node {
            labels.push(tree.label(at).into_owned());
            node = tree.parent(at);
        }
        Ok(Some(labels))
    }
}

impl NativeHierarchy {
    fn save(&self, path: &Path, force: bool, lossy: bool) -> Result<()> {
        let format = Format::of_path(path)?;
        let output = Output::create(path, force, &Inputs::default())?;
        match &self.of {
            Generalization::Levels(levels) if format.name == "json" => {
                output.finish_with(format::write_levels(levels)?.as_bytes())
            }
            of => {
                let encoded = format.encode(&tree_of(of.clone())?, lossy)?;
                output.finish_with(&encoded.bytes)
            }
        }
    }
}
