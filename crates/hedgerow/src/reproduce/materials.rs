//! The data sets, threads and clock that experiments need.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::Advice;
use crate::io::{OpenOptions, ReadOptions, Source};
use crate::progress::{Progress, Silent, stop_if_cancelled};
use crate::table::{Columns, Table};
use crate::{Error, Result};

/// A data set that a paper uses.
#[derive(Debug, Clone, Copy)]
pub struct Dataset {
    /// Its name: lower case letters, digits and hyphens.
    pub name: &'static str,
    /// Its content, as a phrase.
    pub about: &'static str,
    /// Whether the paper cannot be run without it.
    pub is_required: bool,
}

impl Dataset {
    /// The Adult data set, as `data/adult.csv` has it.
    pub const ADULT: Self = Self {
        name: "adult",
        about: "the 45,222 complete records of UCI Adult, training part first, with a header",
        is_required: true,
    };
}

/// The data and settings that experiments are run with.
#[derive(Default)]
pub struct Materials<'a> {
    /// The files of data sets, by their names.
    pub files: BTreeMap<String, PathBuf>,
    /// Number of threads; 0 means 1. Results do not depend on it.
    pub threads: usize,
    /// Returns the seconds since some moment, if times may be measured. The library has no clock of
    /// its own.
    pub clock: Option<&'a (dyn Fn() -> f64 + Sync)>,
    /// Returns the most memory that the process has used until now, in bytes, if that may be
    /// measured and the system reports it.
    pub memory: Option<&'a (dyn Fn() -> Option<u64> + Sync)>,
    /// Whether the experiments are made small, to see whether they run: with fewer generated
    /// records, fewer values of parameters, and files of any number of records. Verdicts then say
    /// nothing about a paper.
    pub is_trial: bool,
}

impl Materials<'_> {
    /// Whether the file of a data set was given.
    pub(crate) fn has(&self, dataset: &str) -> bool {
        self.files.contains_key(dataset)
    }

    /// The file of a data set.
    pub fn file(&self, dataset: &str) -> Result<&Path> {
        self.files.get(dataset).map(PathBuf::as_path).ok_or_else(|| {
            Error::invalid(format!("the data set '{dataset}' was not given"))
                .advise([Advice::words("name its file")])
        })
    }

    /// Reads columns of a data set, with its rows.
    pub fn read(&self, dataset: &str, columns: &Columns) -> Result<Table> {
        self.read_with(dataset, columns, &OpenOptions::default())
    }

    /// Like [`read`](Self::read), for a file that has no header or another delimiter.
    pub fn read_with(
        &self,
        dataset: &str,
        columns: &Columns,
        options: &OpenOptions,
    ) -> Result<Table> {
        let path = self.file(dataset)?;
        let threads = self.threads.max(1);
        // Samples and attacks need single rows, which a table otherwise counts and forgets.
        let reading = ReadOptions { keep_rows: true, threads, ..ReadOptions::default() };
        let read = || Source::open_with(path, options)?.read(columns, &reading, &Silent);
        read().map_err(|error: Error| error.in_file(path))
    }

    /// Runs `work` and returns its result with the seconds it took, if there is a clock.
    pub fn seconds<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<(T, Option<f64>)> {
        // The library has no clock: without one given, experiments run and times stay unknown.
        let start = self.clock.map(|clock| clock());
        let done = work()?;
        Ok((done, self.clock.zip(start).map(|(clock, start)| clock() - start)))
    }

    /// Calls `work` for every item, on several threads, and returns the results in the order of the
    /// items.
    ///
    /// The first error, in the order of the items, is returned. Threads take items one by one, so
    /// expensive items should come first.
    pub(crate) fn each<T: Sync, R: Send>(
        &self,
        items: &[T],
        progress: &dyn Progress,
        work: impl Fn(&T) -> Result<R> + Sync,
    ) -> Result<Vec<R>> {
        // More threads than items would only start and end.
        let n_threads = self.threads.clamp(1, items.len().max(1));
        let (next, n_done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        // Ordered by place, so that neither results nor the error that is returned depend on which
        // thread was faster.
        let results: Mutex<BTreeMap<usize, Result<R>>> = Mutex::new(BTreeMap::new());
        let run = || {
            loop {
                // Relaxed is enough: the counter only hands out places, and results are published
                // through the mutex.
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(place) else { return };
                let result = stop_if_cancelled(progress).and_then(|()| work(item));
                let has_failed = result.is_err();
                if let Ok(mut results) = results.lock() {
                    results.insert(place, result);
                }
                if has_failed {
                    // The others take no more items; every item before this one is taken already.
                    next.store(items.len(), Ordering::Relaxed);
                }
                let done = n_done.fetch_add(1, Ordering::Relaxed) + 1;
                progress.advance(done as u64, items.len() as u64);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..n_threads {
                scope.spawn(run);
            }
            run();
        });
        // The lock is poisoned only if a thread panicked while it stored a result.
        let poisoned = |_| Error::Internal("a thread of an experiment panicked".to_owned());
        results.into_inner().map_err(poisoned)?.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..50).collect();
        let wanted: Vec<u64> = items.iter().map(|n| n * n).collect();
        for threads in [0, 1, 7, 100] {
            let materials = Materials { threads, ..Materials::default() };
            assert_eq!(materials.each(&items, &Silent, |n| Ok(n * n)).unwrap(), wanted);
        }
    }

    #[test]
    fn the_first_error_is_returned() {
        let materials = Materials { threads: 3, ..Materials::default() };
        let work = |&n: &u64| if n % 10 == 7 { Err(Error::invalid(n.to_string())) } else { Ok(n) };
        let error = materials.each(&(0..50).collect::<Vec<_>>(), &Silent, work).unwrap_err();
        assert_eq!(error.to_string(), "7");
    }

    #[test]
    fn a_data_set_that_was_not_given_is_named() {
        let error = Materials::default().file("adult").unwrap_err().to_string();
        assert_eq!(error, "the data set 'adult' was not given; name its file");
    }
}
