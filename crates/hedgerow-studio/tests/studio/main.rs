//! The running server: its interface, its security, and what a steward does.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![expect(clippy::needless_pass_by_value, reason = "bodies are written where they are sent")]
#![expect(clippy::too_many_lines, reason = "a session is told from its beginning to its end")]

mod client;
mod schema;
mod contract;
mod dropped;
mod flow;
mod kept;
mod told;
mod background;
mod bad_input;
mod security;
mod fuzz;
