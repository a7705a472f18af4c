//! A grid: values of k, methods, hierarchies and models, of which every combination is run.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::lists::distinct;
use super::{Cell, Ks, Models, Setting, Weights};
use crate::auto::USUAL_K;
use crate::error::Advice;
use crate::io::Inputs;
use crate::job::Job;
use crate::method::Spec;
use crate::noun::{counted, grouped_wide};
use crate::registry::Registry;
use crate::{Error, Result, anonymize, file};

/// Maximum number of cells of a grid. A larger one is nearly always a mistake in a range.
pub const MOST_CELLS: u128 = 10_000;

/// Maximum number of repetitions of a cell.
pub const MOST_REPEATS: u32 = 1_000;

/// A grid of combinations to compare.
///
/// # Examples
///
/// ```
/// use hedgerow::compare::Grid;
/// use hedgerow::job::Job;
/// let base = Job { quasi: vec!["age".into()], ..Job::default() };
/// let grid = Grid { k: "2..20".parse()?, ..Grid::new(base) };
/// assert_eq!(grid.cells()?.len(), 19 * 3);
/// # Ok::<(), hedgerow::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    /// The job that all cells have in common: the input, roles, reading, suppression, and so on.
    /// Its hierarchies are those of single columns in all cells, and its models those of all cells.
    /// Its `k`, method and outputs are ignored.
    pub base: Job,
    /// The values of k.
    pub k: Ks,
    /// The methods.
    pub methods: Vec<Spec>,
    /// The settings of hierarchies.
    pub hierarchies: Vec<Setting>,
    /// Sets of models.
    pub models: Vec<Models>,
    /// Number of times that each cell is run again with another seed, and on a sample of the
    /// records.
    pub repeat: u32,
    /// Weights that decide which cell is best.
    pub weights: Weights,
    /// The folder for the results, if the grid names one.
    pub output: Option<PathBuf>,
}

/// The keys of a grid file that a job file does not have, or that mean something else there.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Own {
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<Ks>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    methods: Vec<Spec>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hierarchies: Vec<Setting>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    models: Vec<Models>,
    repeat: u32,
    weights: Weights,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<PathBuf>,
}

/// The names of these keys.
const OWN: [&str; 7] = ["k", "methods", "hierarchies", "models", "repeat", "weights", "output"];

/// The keys that only a grid has, before the list of those of a job in a message. A job has
/// `weights` too, those of a sample.
const MORE_KEYS: &str = "expected one of `methods`, `models`, `repeat`, ";

/// The methods that are compared unless others are named: the least loss, the fastest, and the
/// least loss of full-domain recoding.
const USUAL_METHODS: [&str; 3] = ["hedge", "mondrian", "optimal"];

impl Grid {
    /// A grid with the usual `k`, methods and hierarchies.
    pub fn new(base: Job) -> Self {
        Self {
            base,
            k: Ks::of(USUAL_K),
            methods: USUAL_METHODS.map(Spec::named).to_vec(),
            hierarchies: vec![Setting::auto()],
            models: vec![Models::default()],
            repeat: 0,
            weights: Weights::default(),
            output: None,
        }
    }

    /// Reads a grid file: the keys of a job file, with `k` as a list or range, and `methods`,
    /// `hierarchies`, `models`, `repeat`, `weights` and `output` (a folder). Relative paths are
    /// relative to the folder of the file.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the file cannot be read, and [`Error::Syntax`] if it is not a grid.
    pub fn from_file(path: &Path) -> Result<Self> {
        let text = file::read_to_string(path)?;
        let mut grid = Self::from_toml(&text).map_err(|error| error.in_file(path))?;
        // As in a job file, paths start where the file is and not where the program runs.
        grid.move_to(path.parent().unwrap_or(Path::new("")));
        Ok(grid)
    }

    /// Everything that the cells read, which no result may replace.
    pub fn inputs(&self) -> Inputs {
        // A folder of hierarchies that cannot be read is an error before any cell is run.
        let settings = self.hierarchies.iter().flat_map(|way| way.files(&self.base.quasi));
        Inputs::of([&self.base.input]).and(self.files()).and(settings.flatten())
    }

    /// The files and directories that cells read besides the input and the hierarchies of settings,
    /// also through parameters of methods.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let models = self.models.iter().flat_map(Models::specs);
        let of_models = models.flat_map(|spec| Registry::Privacy.paths(spec));
        let of_methods = self.methods.iter().flat_map(|spec| Registry::Anonymizer.paths(spec));
        self.base.files().into_iter().chain(of_models).chain(of_methods).collect()
    }

    /// Makes relative paths relative to a directory.
    fn move_to(&mut self, base: &Path) {
        self.base.move_to(base);
        self.hierarchies.iter_mut().for_each(|setting| setting.move_to(base));
        self.models.iter_mut().for_each(|models| models.move_to(base));
        for method in &mut self.methods {
            *method = Registry::Anonymizer.in_directory(method, base);
        }
        self.output = self.output.take().map(|output| base.join(output));
    }

    /// The same grid with absolute paths, so that its file can be in any folder.
    pub(super) fn absolute(&self) -> Self {
        let mut grid = self.clone();
        // Without a working directory the paths stay relative, which is not worse than before.
        if let Ok(here) = std::path::absolute(".") {
            grid.move_to(&here);
        }
        grid
    }

    fn from_toml(text: &str) -> Result<Self> {
        let not_a_grid = |error: &toml::de::Error| {
            let line_of = |at: usize| text[..at.min(text.len())].matches('\n').count() as u64 + 1;
            let line = error.span().map(|span| line_of(span.start));
            // The list of keys is that of a job; a grid has more.
            let message = error.message().replacen("expected one of ", MORE_KEYS, 1);
            Error::syntax(line, format!("this is not a grid: {message}"))
        };
        let mut job: toml::Table = toml::from_str(text).map_err(|error| not_a_grid(&error))?;
        let mut own = toml::Table::new();
        // Keys of the grid are taken out first; a job rejects keys that it does not know.
        for key in OWN {
            own.extend(job.remove(key).map(|value| (key.to_owned(), value)));
        }
        // A job file has one `method`. It would be ignored, and the user would compare other ones.
        if job.contains_key("method") {
            return Err(Error::syntax(None, "this is not a grid: it names one method")
                .advise([Advice::words("write methods = [\"hedge\", \"mondrian\"]")]));
        }
        let own: Own = own.try_into().map_err(|error| not_a_grid(&error))?;
        let base: Job = job.try_into().map_err(|error| not_a_grid(&error))?;
        let mut grid = Self {
            repeat: own.repeat,
            weights: own.weights,
            output: own.output,
            ..Self::new(base)
        };
        // An empty list means that the key was not given, so the usual values stay.
        grid.k = own.k.unwrap_or(grid.k);
        replace(&mut grid.methods, own.methods);
        replace(&mut grid.hierarchies, own.hierarchies);
        replace(&mut grid.models, own.models);
        Ok(grid)
    }

    /// The grid as a grid file.
    pub fn to_toml(&self) -> String {
        let own = Own {
            k: Some(self.k.clone()),
            methods: self.methods.clone(),
            hierarchies: self.hierarchies.clone(),
            models: self.models.clone(),
            repeat: self.repeat,
            weights: self.weights,
            output: None,
        };
        // Settings for which the grid has keys of its own are reset, so that they are not written
        // twice.
        let base = Job { output: PathBuf::new(), hierarchies: None, k: 0, ..self.base.clone() };
        let job: toml::Table = toml::from_str(&base.to_toml()).unwrap_or_default();
        let own = toml::Table::try_from(own).unwrap_or_default();
        // Plain values come before tables, which end only with the file.
        let (tables, values): (toml::Table, toml::Table) =
            job.into_iter().partition(|(_, value)| value.is_table());
        let all: toml::Table =
            values.into_iter().filter(|(key, _)| !OWN.contains(&key.as_str())).chain(own).collect();
        let texts = [all, tables].map(|table| toml::to_string(&table).unwrap_or_default());
        texts.concat()
    }

    /// Number of combinations; those that are given twice count twice.
    pub fn n_cells(&self) -> u128 {
        let lists = [self.methods.len(), self.hierarchies.len(), self.models.len()];
        // Saturating, because a range such as 1..1e18 times ten methods exceeds 64 bits.
        lists.iter().fold(self.k.len(), |n, &list| n.saturating_mul(list as u128))
    }

    /// Every combination: models by models, method by method, hierarchies by hierarchies, and k
    /// ascending.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if there are more than [`MOST_CELLS`] or none, or more than
    /// [`MOST_REPEATS`], and the error of a method that does not exist or of its parameters.
    pub fn cells(&self) -> Result<Vec<Cell>> {
        // The number of cells is checked before they are made: a range can have 10^18 values.
        self.check()?;
        let ks: Vec<u64> = self.k.values().collect();
        let mut cells: Vec<Cell> = Vec::new();
        for models in distinct(&self.models) {
            for method in distinct(&self.methods) {
                for hierarchies in distinct(&self.hierarchies) {
                    cells.extend(ks.iter().map(|&k| Cell {
                        number: 0,
                        k,
                        method: method.clone(),
                        hierarchies: hierarchies.clone(),
                        models: models.clone(),
                    }));
                }
            }
        }
        // Numbered in the end, because combinations that were given twice are left out.
        for (place, cell) in cells.iter_mut().enumerate() {
            cell.number = place + 1;
        }
        Ok(cells)
    }

    fn check(&self) -> Result<()> {
        let n_cells = self.n_cells();
        if n_cells == 0 {
            return Err(Error::invalid("the grid has no cells").advise([Advice::words(
                "name at least one k, method, setting of hierarchies and set of models",
            )]));
        }
        if n_cells > MOST_CELLS {
            let n_ks = self.k.len();
            let [methods, settings, models] =
                [self.methods.len(), self.hierarchies.len(), self.models.len()];
            let problem = format!(
                "the grid has {} cells: {} values of k, {} and {} of hierarchies, and {} of models; at most {} are \
                 run",
                grouped_wide(n_cells),
                grouped_wide(n_ks),
                counted(methods, "method"),
                counted(settings, "setting"),
                counted(models, "set"),
                grouped_wide(MOST_CELLS)
            );
            return Err(Error::invalid(problem)
                .advise([Advice::words("name fewer values of k, such as 2,5,10,20,50")]));
        }
        if self.repeat > MOST_REPEATS {
            let problem = format!("{} repetitions are more than {MOST_REPEATS}", self.repeat);
            return Err(Error::invalid(problem).advise([Advice::words("5 to 20 tell enough")]));
        }
        if self.base.quasi.is_empty() {
            return Err(Error::Incomplete { missing: vec![crate::error::Missing::Quasi] });
        }
        // An unknown method is a mistake in the grid and must not end as an impossible cell.
        self.methods.iter().try_for_each(|method| anonymize::named(method).map(drop))
    }
}

fn replace<T>(list: &mut Vec<T>, given: Vec<T>) {
    if !given.is_empty() {
        *list = given;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "input = \"t.csv\"\nquasi = [\"age\", \"sex\"]\nsuppress = \"5%\"\nk = \"2..3\"\n\
        methods = [\"hedge\", \"mondrian:cut=loss\"]\nhierarchies = [\"auto\", \"iotf+frequency\"]\n\
        models = [\"none\", \"l-diversity:l=2\"]\nrepeat = 2\nweights = \"loss=1\"\n\n[hierarchy]\nsex = \"free\"\n";

    #[test]
    fn a_grid_file_comes_back() {
        let grid = Grid::from_toml(FILE).unwrap();
        assert_eq!((grid.n_cells(), grid.repeat), (16, 2));
        assert_eq!(Grid::from_toml(&grid.to_toml()).unwrap(), grid, "{}", grid.to_toml());
        let cells = grid.cells().unwrap();
        assert_eq!(cells[0].name(), "hedge, auto, k = 2");
        assert_eq!(cells[15].name(), "mondrian:cut=loss, iotf+frequency, k = 3, l-diversity:l=2");
        assert_eq!(cells[8].job(&grid.base).privacy.len(), 1);
    }

    #[test]
    fn what_is_not_a_grid_is_refused() {
        let said = |text: &str| Grid::from_toml(text).unwrap_err().to_string();
        assert!(said("quasi = [\"a\"]\ninput = \"t\"\nmethod = \"hedge\"").contains("methods = ["));
        let unknown = said("quasi = [\"a\"]\ninput = \"t\"\nks = 3");
        assert!(unknown.contains("unknown field `ks`, expected one of `methods`"), "{unknown}");
        assert!(said("quasi = [\"a\"\ninput = 3").starts_with("line 2: this is not a grid"));
        assert!(said("quasi = [\"a\"]\ninput = \"t\"\nhierarchies = [\"itof\"]").contains("iotf"));
    }

    #[test]
    fn a_grid_of_millions_says_how_many() {
        let base = Job { quasi: vec!["age".into()], ..Job::default() };
        let grid = Grid { k: "1..4000000".parse().unwrap(), ..Grid::new(base) };
        let error = grid.cells().unwrap_err().to_string();
        assert!(
            error.starts_with("the grid has 12,000,000 cells: 4,000,000 values of k"),
            "{error}"
        );
        let k = "1..18446744073709551615".parse().unwrap();
        let error = Grid { k, ..grid }.cells().unwrap_err().to_string();
        let cells =
            "the grid has 55,340,232,221,128,654,845 cells: 18,446,744,073,709,551,615 values of k";
        assert!(error.starts_with(cells), "{error}");
    }
}
