//! Generated tables, for trying out methods.

mod variations;
#[cfg(feature = "wordnet")]
mod claims;

#[cfg(feature = "wordnet")]
pub use claims::Claims;
pub use variations::Generator;
