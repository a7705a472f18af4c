//! Classes of records by any set of columns: records and people that share their values.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::opened::Stored;

/// Products of numbers up to this size are looked up in an array instead of a hash table.
const MOST_DIRECT: usize = 1 << 22;

/// The class of every record.
#[derive(Clone)]
pub(crate) struct Classes {
    /// The class of each record; `None` in the last place marks a record that is left out.
    pub(crate) of_row: Vec<u32>,
    /// Number of classes.
    pub(crate) n: usize,
}

/// The class of records that are left out.
pub(crate) const OUT: u32 = u32::MAX;

impl Classes {
    /// All records together.
    pub(crate) fn whole(n_rows: usize) -> Self {
        Self { of_row: vec![0; n_rows], n: 1 }
    }

    /// The classes of several columns. With `drops_missing`, records with a missing value are left
    /// out.
    pub(crate) fn of(columns: &[&Stored], n_rows: usize, drops_missing: bool) -> Self {
        columns.iter().fold(Self::whole(n_rows), |all, column| all.and(column, drops_missing))
    }

    /// Divides classes by another column.
    pub(crate) fn and(&self, column: &Stored, drops_missing: bool) -> Self {
        let n_codes = column.n_codes();
        let missing = match &column.column {
            Some(column) if drops_missing => column.domain.len() as u32,
            _ => u32::MAX,
        };
        let mut n = 0u32;
        let mut next = || {
            n += 1;
            n - 1
        };
        let rows = self.of_row.iter().zip(&column.codes);
        let of_row = if self.n.saturating_mul(n_codes) <= MOST_DIRECT {
            let mut number = vec![OUT; self.n * n_codes];
            let of_row = rows.map(|(&class, &code)| {
                if class == OUT || code == missing {
                    return OUT;
                }
                let place = &mut number[class as usize * n_codes + code as usize];
                if *place == OUT {
                    *place = next();
                }
                *place
            });
            of_row.collect()
        } else {
            let mut number: HashMap<u64, u32, BuildHasherDefault<Mix>> = HashMap::default();
            let of_row = rows.map(|(&class, &code)| {
                if class == OUT || code == missing {
                    return OUT;
                }
                let key = u64::from(class) << 32 | u64::from(code);
                *number.entry(key).or_insert_with(&mut next)
            });
            of_row.collect()
        };
        Self { of_row, n: n as usize }
    }

    /// Number of records in each class.
    pub(crate) fn sizes(&self) -> Vec<u32> {
        let mut sizes = vec![0; self.n];
        for &class in self.of_row.iter().filter(|&&class| class != OUT) {
            sizes[class as usize] += 1;
        }
        sizes
    }

    /// Number of records, or people, that share the values of each record or person. A person
    /// counts with the most exposed of their records.
    pub(crate) fn shared_by(&self, person: Option<&Stored>) -> Vec<u32> {
        let Some(person) = person else {
            let sizes = self.sizes();
            let known = self.of_row.iter().filter(|&&class| class != OUT);
            return known.map(|&class| sizes[class as usize]).collect();
        };
        let pairs = self.and(person, false);
        let mut is_new = vec![true; pairs.n];
        let mut people = vec![0u32; self.n];
        for (&class, &pair) in self.of_row.iter().zip(&pairs.of_row) {
            if pair != OUT && std::mem::take(&mut is_new[pair as usize]) {
                people[class as usize] += 1;
            }
        }
        let mut least = vec![u32::MAX; person.n_codes()];
        for (&class, &code) in self.of_row.iter().zip(&person.codes) {
            if class != OUT {
                let found = &mut least[code as usize];
                *found = (*found).min(people[class as usize]);
            }
        }
        least.into_iter().filter(|&people| people != u32::MAX).collect()
    }

    /// Number of records or people that match only themselves.
    pub(crate) fn alone(&self, person: Option<&Stored>) -> u64 {
        match person {
            None => self.sizes().iter().filter(|&&size| size == 1).count() as u64,
            Some(_) => self.shared_by(person).iter().filter(|&&size| size == 1).count() as u64,
        }
    }
}

/// Mixes the bits of a number; keys are distinct small numbers, not an attacker's choice of many.
#[derive(Default)]
pub(crate) struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 29);
    }
}

/// Numbers of records or people that are alone without a column, or with another one.
pub(crate) struct Contribution {
    /// For each quasi-identifier, the number that is alone without it.
    pub(crate) without: Vec<u64>,
    /// For each other column, the number that is alone if it is known too.
    pub(crate) added: Vec<u64>,
}

/// The columns whose contributions are counted.
pub(crate) struct Asked<'a> {
    pub(crate) quasi: &'a [&'a Stored],
    pub(crate) others: &'a [&'a Stored],
    pub(crate) person: Option<&'a Stored>,
    pub(crate) drops_missing: bool,
    pub(crate) n_rows: usize,
}

impl Asked<'_> {
    /// Counts who is alone without each quasi-identifier, and with each other column.
    pub(crate) fn contribution(&self, all: &Classes, threads: usize) -> Contribution {
        let n_quasi = self.quasi.len();
        // Classes of the first 0, 1, 2, ... quasi-identifiers, which several questions share.
        let mut first = vec![Classes::whole(self.n_rows)];
        for column in self.quasi.iter().take(n_quasi.saturating_sub(1)) {
            first.push(first[first.len() - 1].and(column, self.drops_missing));
        }
        let first = &first;
        let ask = |place: usize| {
            if place < n_quasi {
                let rest = &self.quasi[place + 1..];
                let start = first[place].clone();
                rest.iter()
                    .fold(start, |all, column| all.and(column, self.drops_missing))
                    .alone(self.person)
            } else {
                all.and(self.others[place - n_quasi], false).alone(self.person)
            }
        };
        let n = n_quasi + self.others.len();
        let threads = threads.clamp(1, n.max(1));
        let mut alone = vec![0; n];
        std::thread::scope(|scope| {
            let run = |thread: usize| {
                (thread..n).step_by(threads).map(|place| (place, ask(place))).collect::<Vec<_>>()
            };
            let started: Vec<_> =
                (0..threads).map(|thread| scope.spawn(move || run(thread))).collect();
            for (place, count) in started.into_iter().filter_map(|one| one.join().ok()).flatten() {
                alone[place] = count;
            }
        });
        let added = alone.split_off(n_quasi);
        Contribution { without: alone, added }
    }
}
