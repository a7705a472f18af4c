//! Runs several threads over the blocks of one file.

use std::sync::{Condvar, Mutex, PoisonError};

use super::Source;
use super::block::{Blocks, Records, Wanted};
use crate::{Error, Result};

/// Distributes blocks to threads in file order, each with its own state, and returns the states.
///
/// Of several errors, the one closest to the start of the file is returned, so that messages do not
/// depend on the number of threads.
pub(super) fn for_each_block<T: Default + Send>(
    source: &Source,
    wanted: &Wanted<'_>,
    threads: usize,
    work: impl Fn(&mut T, &mut Records) -> Result<()> + Sync,
) -> Result<Vec<T>> {
    let blocks = source.blocks(wanted).map_err(|error| source.named(error))?;
    let queue = Mutex::new(Queue { blocks, next: 0, error: None });
    let run = || drain(&queue, &work);
    let states: Result<Vec<T>> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.max(1)).map(|_| scope.spawn(run)).collect();
        // The calling thread works too, so one thread needs no spawn.
        let mine = run();
        let theirs = others.into_iter().map(|thread| thread.join().map_err(|_| poisoned())?);
        std::iter::once(mine).chain(theirs).collect()
    });
    // Errors of blocks are in the queue; `states` has only those of the threads themselves.
    let error = queue.into_inner().map_err(|_| poisoned())?.error;
    error.map_or(states, |(_, error)| Err(source.named(error)))
}

/// Works on blocks until there are none left, and returns the state of this thread.
fn drain<T: Default>(
    queue: &Mutex<Queue>,
    work: &impl Fn(&mut T, &mut Records) -> Result<()>,
) -> Result<T> {
    let mut state = T::default();
    loop {
        let taken = queue.lock().map_err(|_| poisoned())?.take();
        let Some(mut records) = taken else {
            return Ok(state);
        };
        // Other threads finish their blocks, one of which may have an error closer to the start.
        if let Err(error) = work(&mut state, &mut records) {
            queue.lock().map_err(|_| poisoned())?.fail(records.number, error);
        }
    }
}

struct Queue {
    blocks: Box<dyn Blocks>,
    next: u32,
    error: Option<(u32, Error)>,
}

impl Queue {
    /// Returns the next block, or `None` at the end or after an error.
    fn take(&mut self) -> Option<Records> {
        // Blocks are taken in file order, so every block before the failed one was already taken.
        if self.error.is_some() {
            return None;
        }
        let number = self.next;
        self.next += 1;
        match self.blocks.next_block() {
            Ok(block) => block.map(|block| Records { number, block }),
            Err(error) => {
                self.fail(number, error);
                None
            }
        }
    }

    fn fail(&mut self, number: u32, error: Error) {
        if self.error.as_ref().is_none_or(|(first, _)| number < *first) {
            self.error = Some((number, error));
        }
    }
}

/// Makes threads do something in the order of their blocks.
#[derive(Default)]
pub(super) struct Turnstile<S> {
    gate: Mutex<Gate<S>>,
    moved: Condvar,
}

#[derive(Default)]
struct Gate<S> {
    /// Index of the block that passes next.
    next: u32,
    /// Whether a thread has panicked, so that its block will never pass.
    is_broken: bool,
    state: S,
}

impl<S> Turnstile<S> {
    pub(super) fn new(state: S) -> Self {
        let gate = Gate { next: 0, is_broken: false, state };
        Self { gate: Mutex::new(gate), moved: Condvar::new() }
    }

    /// Guards a thread: if it panics, other threads stop waiting for it.
    pub(super) fn watch(&self) -> Watch<'_, S> {
        Watch(self)
    }

    /// Waits until all blocks before `number` have passed, then runs `work`. A block that failed
    /// must pass too, otherwise other threads wait forever.
    pub(super) fn pass<T>(&self, number: u32, work: impl FnOnce(&mut S) -> T) -> Result<T> {
        let mut gate = self.gate.lock().map_err(|_| poisoned())?;
        while gate.is_broken || gate.next != number {
            if gate.is_broken {
                return Err(poisoned());
            }
            gate = self.moved.wait(gate).map_err(|_| poisoned())?;
        }
        let done = work(&mut gate.state);
        gate.next += 1;
        self.moved.notify_all();
        Ok(done)
    }

    pub(super) fn into_inner(self) -> Result<S> {
        Ok(self.gate.into_inner().map_err(|_| poisoned())?.state)
    }
}

/// Breaks a turnstile if its thread panics.
pub(super) struct Watch<'a, S>(&'a Turnstile<S>);

impl<S> Drop for Watch<'_, S> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // The panic may have poisoned the lock; only the flag is set, so its state does not
            // matter.
            let mut gate = self.0.gate.lock().unwrap_or_else(PoisonError::into_inner);
            gate.is_broken = true;
            self.0.moved.notify_all();
        }
    }
}

fn poisoned() -> Error {
    Error::Internal("a reading thread panicked".into())
}
