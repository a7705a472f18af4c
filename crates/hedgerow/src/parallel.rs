//! Work that is divided among threads.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Calls `of_range` for ranges of `0..n` on several threads and joins the results in order. A
/// thread gets at least `least` items.
pub(crate) fn in_parallel<T: Send>(
    n_threads: usize,
    n: usize,
    least: usize,
    of_range: impl Fn(Range<usize>) -> Vec<T> + Sync,
) -> Vec<T> {
    // Ranges are joined in order, so results do not depend on the number of threads.
    let step = n.div_ceil(n_threads.max(1)).max(least).max(1);
    if step >= n {
        return of_range(0..n);
    }
    let ranges = (0..n).step_by(step).map(|start| start..(start + step).min(n));
    std::thread::scope(|scope| {
        let of_range = &of_range;
        let running: Vec<_> = ranges.map(|range| scope.spawn(move || of_range(range))).collect();
        let results = running
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        results.flatten().collect()
    })
}

/// Calls `of_item` for items of different size on several threads, each of which takes the next
/// item when it is free. The results are in the order of the items.
pub(crate) fn one_by_one<T: Send, R: Send>(
    n_threads: usize,
    items: Vec<T>,
    of_item: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let n_threads = n_threads.clamp(1, items.len().max(1));
    let items = Mutex::new(items.into_iter().enumerate());
    // An item is taken before it is worked on, so a panic elsewhere leaves the others intact.
    let take = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let mut found = in_parallel(n_threads, n_threads, 1, |_| {
        std::iter::from_fn(take).map(|(place, item)| (place, of_item(item))).collect()
    });
    found.sort_unstable_by_key(|&(place, _)| place);
    found.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_on_any_number_of_threads() {
        for n_threads in [0, 1, 2, 3, 50] {
            let found = in_parallel(n_threads, 17, 2, |range| range.map(|i| i * i).collect());
            assert_eq!(found, (0..17).map(|i| i * i).collect::<Vec<_>>());
        }
        assert!(in_parallel(2, 0, 1, Iterator::collect::<Vec<usize>>).is_empty());
        for n_threads in [0, 1, 2, 3, 50] {
            let found = one_by_one(n_threads, (0..17).collect(), |i: usize| i * i);
            assert_eq!(found, (0..17).map(|i| i * i).collect::<Vec<_>>());
        }
    }
}
