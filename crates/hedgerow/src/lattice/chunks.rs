//! Numbers of the combinations of groups at a node, looked up for several attributes at once.

use super::Ladder;
use crate::hierarchy::Level;

/// Bits of a packed tuple that are looked up at once.
const MOST_BITS: u32 = 13;

/// Limit on the bits of a single attribute.
const MOST_BITS_OF_ONE: u32 = 16;

/// Limit on the combinations of levels whose tables are kept for some attributes.
const MOST_COMBINATIONS: usize = 512;

/// The position of an attribute's leaf in a tuple.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    pub(super) word: usize,
    pub(super) shift: u32,
    pub(super) mask: u64,
}

impl Field {
    pub(super) fn n_bits(self) -> u32 {
        self.mask.count_ones()
    }
}

/// Tables that number the combinations of groups at any levels, for tuples of one word.
///
/// Adjacent fields of a tuple form a chunk of few bits. For each chunk and the levels of its
/// attributes, a table has the number of the combination of groups for every value of the bits.
/// Tables are made when they are needed first.
#[derive(Debug, Clone, Default)]
pub(super) struct Chunks {
    all: Vec<Chunk>,
}

#[derive(Debug, Clone)]
struct Chunk {
    shift: u32,
    n_bits: u32,
    /// The attributes, from the lowest bits to the highest, with their fields.
    parts: Vec<(usize, Field)>,
    /// The table of each combination of levels; the level of the first attribute varies fastest.
    tables: Vec<Option<Table>>,
}

/// The number of a combination for every value of some bits.
#[derive(Debug, Clone)]
struct Table {
    numbers: Vec<u16>,
    /// Number of combinations.
    n: u64,
}

impl Chunks {
    /// The chunks of tuples with these fields, or `None` if tuples have several words or an
    /// attribute has too many values or levels.
    pub(super) fn new(fields: &[Field], ladders: &[Ladder]) -> Option<Self> {
        let mut order: Vec<usize> = (0..fields.len()).collect();
        order.sort_by_key(|&place| (fields[place].shift, place));
        let mut all: Vec<Chunk> = Vec::new();
        for place in order {
            let (field, n_levels) = (fields[place], ladders[place].top().index() + 1);
            if field.word > 0 || field.n_bits() > MOST_BITS_OF_ONE || n_levels > MOST_COMBINATIONS {
                return None;
            }
            match all.last_mut() {
                Some(chunk) if chunk.has_room_for(field, n_levels) => {
                    chunk.n_bits += field.n_bits();
                    chunk.parts.push((place, field));
                    chunk.tables.resize(chunk.tables.len() * n_levels, None);
                }
                _ => all.push(Chunk {
                    shift: field.shift,
                    n_bits: field.n_bits(),
                    parts: vec![(place, field)],
                    tables: vec![None; n_levels],
                }),
            }
        }
        Some(Self { all })
    }

    /// Writes the number of the combination of groups at a node for each tuple, and returns how
    /// many combinations there can be.
    pub(super) fn number(
        &mut self,
        keys: &[u64],
        ladders: &[Ladder],
        levels: &[Level],
        into: &mut Vec<u64>,
    ) -> u64 {
        let mut stride = 1;
        let mut lookups: Vec<Lookup<'_>> = Vec::with_capacity(self.all.len());
        for chunk in &mut self.all {
            let (shift, mask) = (chunk.shift, (1_u64 << chunk.n_bits) - 1);
            let Table { numbers, n } = chunk.table(ladders, levels);
            // One combination adds nothing.
            if *n > 1 {
                lookups.push(Lookup { numbers, shift, mask, stride });
            }
            stride *= n;
        }
        into.clear();
        // The usual numbers of chunks take one pass over the tuples.
        match lookups.as_slice() {
            [] => into.resize(keys.len(), 0),
            [a] => into.extend(keys.iter().map(|&key| a.of(key))),
            [a, b] => into.extend(keys.iter().map(|&key| a.of(key) + b.of(key))),
            [a, b, c] => into.extend(keys.iter().map(|&key| a.of(key) + b.of(key) + c.of(key))),
            all => {
                let of_all = |&key: &u64| all.iter().map(|one| one.of(key)).sum::<u64>();
                into.extend(keys.iter().map(of_all));
            }
        }
        stride
    }
}

/// The table of a chunk at a node.
#[derive(Clone, Copy)]
struct Lookup<'a> {
    numbers: &'a [u16],
    shift: u32,
    mask: u64,
    /// The factor that the numbers of the chunk are multiplied by.
    stride: u64,
}

impl Lookup<'_> {
    /// Returns the part of a tuple's number that comes from the chunk.
    #[inline]
    fn of(&self, key: u64) -> u64 {
        u64::from(self.numbers[(key >> self.shift & self.mask) as usize]) * self.stride
    }
}

impl Chunk {
    fn has_room_for(&self, field: Field, n_levels: usize) -> bool {
        self.n_bits + field.n_bits() <= MOST_BITS
            && self.tables.len() * n_levels <= MOST_COMBINATIONS
    }

    fn table(&mut self, ladders: &[Ladder], levels: &[Level]) -> &Table {
        let mut place = 0;
        let mut stride = 1;
        for &(attribute, _) in &self.parts {
            place += levels[attribute].index() * stride;
            stride *= ladders[attribute].top().index() + 1;
        }
        let made = || made(&self.parts, ladders, levels);
        self.tables[place].get_or_insert_with(made)
    }
}

/// Makes the table of some attributes at their levels.
fn made(parts: &[(usize, Field)], ladders: &[Ladder], levels: &[Level]) -> Table {
    let (mut numbers, mut n) = (vec![0], 1);
    for &(attribute, field) in parts {
        let (ranks, n_groups) = ladders[attribute].ranks(levels[attribute]);
        let below = numbers;
        // Values of the field beyond the last leaf do not occur.
        let of_value = |value: usize| ranks.get(value).map_or(0, |&rank| rank as u16 * n as u16);
        let values = (0..1_usize << field.n_bits()).map(of_value);
        numbers = values.flat_map(|rank| below.iter().map(move |number| number + rank)).collect();
        n *= n_groups;
    }
    Table { numbers, n }
}
