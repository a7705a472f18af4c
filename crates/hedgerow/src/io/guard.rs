//! Converts panics of decoders to errors.

use std::cell::Cell;
#[cfg(any(feature = "excel", feature = "parquet", test))]
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread will be caught and reported as an error, so that a panic hook
/// should print nothing.
pub fn is_guarded() -> bool {
    IS_GUARDED.get()
}

#[cfg(any(feature = "excel", feature = "parquet", test))]
/// Returns the result of `work`, or `None` if it panics. Values that it borrows must not be used
/// after a panic.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    let was_guarded = IS_GUARDED.replace(true);
    // The caller returns an error after a panic and drops what `work` borrowed.
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(was_guarded);
    done.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_caught_and_said_to_be() {
        assert_eq!(guarded(is_guarded), Some(true));
        assert_eq!(guarded(|| -> u8 { std::panic::resume_unwind(Box::new("broken")) }), None);
        assert!(!is_guarded());
    }
}
