//! Tables to try methods on.

mod variations;

pub use variations::Generator;
