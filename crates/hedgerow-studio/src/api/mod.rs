//! The endpoints, one file each: functions from a request to an answer, over the stages of the
//! library.

mod state;
mod methods;
mod glossary;
mod files;
mod table;
mod job;
mod risk;
mod rows;
mod subject;
mod retry;
mod hierarchies;
mod edits;
mod tree;
mod rank;
mod senses;
mod runs;
mod run;
mod records;
mod compare;
mod export;
mod search;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::fault::{Done, Fault};
use crate::studio::Studio;

pub(crate) use table::opened_upload;

/// An endpoint.
pub(crate) struct Route {
    /// In lower case, as in `openapi.json`.
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) handle: fn(&Studio, &Call) -> Done<Answer>,
}

/// The content of an answer, as JSON.
pub(crate) struct Answer(pub(crate) Vec<u8>);

/// A request that was read.
pub(crate) struct Call {
    pub(crate) path: Vec<(String, String)>,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

macro_rules! routes {
    ($($method:ident $path:literal $handle:path,)*) => {
        &[$(Route { method: stringify!($method), path: $path, handle: $handle },)*]
    };
}

/// All endpoints whose bodies are not streams.
pub(crate) const ROUTES: &[Route] = routes![
    get "/api/state" state::get,
    get "/api/methods" methods::get,
    get "/api/glossary" glossary::get,
    get "/api/files" files::get,
    get "/api/table" table::get,
    post "/api/table" table::open,
    post "/api/table/reload" table::reload,
    patch "/api/job" job::change,
    get "/api/job/text" job::text,
    put "/api/job/text" job::replace,
    post "/api/risk" risk::assess,
    get "/api/rows" rows::get,
    get "/api/hierarchies" hierarchies::all,
    post "/api/hierarchies" hierarchies::grow_all,
    get "/api/hierarchies/{column}" hierarchies::get,
    post "/api/hierarchies/{column}" hierarchies::grow,
    put "/api/hierarchies/{column}" hierarchies::choose,
    get "/api/hierarchies/{column}/rank" rank::get,
    get "/api/hierarchies/{column}/{candidate}" tree::get,
    delete "/api/hierarchies/{column}/{candidate}" hierarchies::forget,
    post "/api/hierarchies/{column}/{candidate}/save" hierarchies::save,
    get "/api/hierarchies/{column}/{candidate}/edits" edits::get,
    post "/api/hierarchies/{column}/{candidate}/edits" edits::apply,
    post "/api/hierarchies/{column}/{candidate}/edits/preview" edits::preview,
    post "/api/hierarchies/{column}/{candidate}/edits/undo" edits::undo,
    post "/api/hierarchies/{column}/{candidate}/edits/redo" edits::redo,
    get "/api/senses/{column}" senses::get,
    put "/api/senses/{column}" senses::put,
    post "/api/senses/{column}/lookup" senses::lookup,
    get "/api/runs" runs::all,
    post "/api/runs" runs::start,
    get "/api/runs/{run}" run::get,
    put "/api/runs/{run}" runs::choose,
    delete "/api/runs/{run}" runs::cancel,
    get "/api/runs/{run}/classes" records::classes,
    get "/api/runs/{run}/classes/{class}" records::class,
    get "/api/runs/{run}/records" records::sides,
    get "/api/runs/{run}/risk" run::risk,
    post "/api/runs/{run}/attacks" run::attack,
    delete "/api/runs/{run}/attacks" run::stop,
    get "/api/runs/{run}/report" run::report,
    get "/api/compare" compare::get,
    post "/api/export" export::write,
    post "/api/search" search::find,
];

impl Call {
    /// A part of the path.
    pub(crate) fn part(&self, name: &str) -> &str {
        let found = self.path.iter().find(|(other, _)| other == name);
        found.map_or("", |(_, value)| value.as_str())
    }

    /// A part of the path that is a number.
    pub(crate) fn number(&self, name: &str) -> Done<u64> {
        let text = self.part(name);
        text.parse()
            .map_err(|_| Fault::request(format!("the {name} in the address is not a number")))
    }

    /// A parameter of the query.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        let found = self.query.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }

    /// A whole number of the query, from `least` to `most`.
    pub(crate) fn whole(&self, name: &str, usual: u64, least: u64, most: u64) -> Done<u64> {
        let Some(text) = self.query(name) else { return Ok(usual) };
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| {
            Fault::request(format!("{name} must be a whole number from {least} to {most}"))
        })
    }

    /// Whether a parameter of the query is set.
    pub(crate) fn flag(&self, name: &str) -> Done<bool> {
        match self.query(name) {
            None | Some("false" | "0") => Ok(false),
            Some("true" | "1" | "") => Ok(true),
            Some(_) => Err(Fault::request(format!("{name} must be true or false"))),
        }
    }

    /// The body as JSON.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Done<T> {
        // The texts of serde repeat parts of the request only where types differ.
        serde_json::from_slice(&self.body).map_err(|error| {
            let line = error.line();
            Fault::request(format!(
                "the request is not what this address takes: line {line}: {error}"
            ))
        })
    }
}

/// Writes an answer.
pub(crate) fn answer(content: &impl Serialize) -> Done<Answer> {
    let written = serde_json::to_vec(content);
    written.map(Answer).map_err(|error| Fault::internal(format!("the answer has no text: {error}")))
}
