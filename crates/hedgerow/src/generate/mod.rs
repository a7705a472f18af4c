//! Tables to try methods on.

mod variations;
#[cfg(feature = "wordnet")]
mod claims;

#[cfg(feature = "wordnet")]
pub use claims::Claims;
pub use variations::Generator;
