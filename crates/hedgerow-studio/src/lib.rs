//! The studio: a local page for inspecting a table, building and correcting hierarchies, and
//! making, comparing and exporting releases.
//!
//! [`Server`] listens on the loopback interface only. `session` holds what is open; `api` has one
//! file for each endpoint of `openapi.json`, each a function over the stages of the library, which
//! knows nothing of the studio.

mod advice;
mod attainable;
mod fault;
mod session;
mod studio;
mod api;
mod server;

pub use server::Server;
pub use studio::{Limits, Options, VerifyCommand};

/// The description of the interface between page and server.
pub const OPENAPI: &str = include_str!("../openapi.json");

/// Methods and paths of every endpoint, as in [`OPENAPI`].
pub fn routes() -> Vec<(&'static str, &'static str)> {
    api::ROUTES.iter().map(|route| (route.method, route.path)).chain(server::STREAMS).collect()
}
