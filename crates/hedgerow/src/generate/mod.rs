//! Tables to try methods on.

mod variations;
mod claims;

pub use claims::Claims;
pub use variations::Generator;
