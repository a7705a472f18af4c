//! The footer that describes a file, checked before the `parquet` crate decodes it.

use parquet::errors::Result;
use parquet::file::reader::{ChunkReader, Length};

use super::thrift::Shape::{self, Any, Byte, Bytes, Double, Flag, List, Number, Struct};
use super::thrift::{Kind, Thrift};
use super::whole::Whole;
use crate::io::magic::MAGIC;

/// Maximum depth of nested groups of columns, because the crate recurses into them.
const MOST_DEPTH: usize = 64;

const EMPTY: Shape = Struct(&[]);
const TIME: Shape = Struct(&[Flag, Struct(&[EMPTY, EMPTY, EMPTY])]);
const LOGICAL_TYPE: Shape = Struct(&[
    EMPTY,
    EMPTY,
    EMPTY,
    EMPTY,
    Struct(&[Number, Number]),
    EMPTY,
    TIME,
    TIME,
    Any,
    Struct(&[Byte, Flag]),
    EMPTY,
    EMPTY,
    EMPTY,
    EMPTY,
    EMPTY,
    Struct(&[Byte]),
    Struct(&[Bytes]),
    Struct(&[Bytes, Number]),
    EMPTY,
]);
const NODE: Shape =
    Struct(&[Number, Number, Number, Bytes, Number, Number, Number, Number, Number, LOGICAL_TYPE]);
const KEY_VALUE: Shape = Struct(&[Bytes, Bytes]);
const STATISTICS: Shape = Struct(&[Bytes, Bytes, Number, Number, Bytes, Bytes, Flag, Flag, Number]);
const ENCODING: Shape = Struct(&[Number, Number, Number]);
const SIZES: Shape = Struct(&[Number, List(&Number), List(&Number)]);
const BOX: Shape = Struct(&[Double, Double, Double, Double, Double, Double, Double, Double]);
const PLACES: Shape = Struct(&[BOX, List(&Number)]);
const COLUMN: Shape = Struct(&[
    Number,
    List(&Number),
    List(&Bytes),
    Number,
    Number,
    Number,
    Number,
    List(&KEY_VALUE),
    Number,
    Number,
    Number,
    STATISTICS,
    List(&ENCODING),
    Number,
    Number,
    SIZES,
    PLACES,
]);
const CHUNK: Shape = Struct(&[Bytes, Number, COLUMN, Number, Number, Number, Number, Any, Bytes]);
const SORTING: Shape = Struct(&[Number, Flag, Flag]);
const GROUP: Shape =
    Struct(&[List(&CHUNK), Number, Number, List(&SORTING), Number, Number, Number]);
const ORDER: Shape = Struct(&[EMPTY, EMPTY, EMPTY]);
const FOOTER: Shape =
    Struct(&[Number, List(&NODE), Number, List(&GROUP), List(&KEY_VALUE), Bytes, List(&ORDER)]);

/// Whether the crate can read the footer of a file in time and memory proportional to its length. A
/// file with no footer or an encrypted one is left to the crate, which does not decode it.
pub(super) fn is_sound(file: &Whole) -> Result<bool> {
    // A file ends with the length of its footer in four bytes and the magic number in four.
    let Some(end) = file.len().checked_sub(8) else { return Ok(true) };
    let tail = file.get_bytes(end, 8)?;
    if tail[4..] != MAGIC {
        return Ok(true);
    }
    let length = u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]);
    let Some(start) = end.checked_sub(u64::from(length)) else { return Ok(true) };
    let footer = file.get_bytes(start, length as usize)?;
    Ok(check(&footer).is_some())
}

fn check(footer: &[u8]) -> Option<()> {
    Thrift::new(footer).fields(|thrift, id, kind| match (id, kind) {
        (2, Kind::LIST) => check_schema(thrift),
        _ => thrift.pass(kind, FOOTER.field(id)),
    })
}

/// Checks the nodes of the schema tree, which are in pre-order.
fn check_schema(thrift: &mut Thrift<&[u8]>) -> Option<()> {
    let (kind, n_nodes) = thrift.list()?;
    // Number of remaining children of each group that contains the next node.
    let mut groups: Vec<u64> = Vec::new();
    for _ in 0..n_nodes {
        // A group cannot have more children than there are nodes.
        let n_children = n_children(thrift, kind).filter(|n_children| *n_children <= n_nodes)?;
        // Groups whose children were all read end before this node.
        while groups.pop_if(|n_left| *n_left == 0).is_some() {}
        if let Some(n_left) = groups.last_mut() {
            *n_left -= 1;
        }
        groups.extend((n_children > 0).then_some(n_children));
        if groups.len() > MOST_DEPTH {
            return None;
        }
    }
    Some(())
}

fn n_children(thrift: &mut Thrift<&[u8]>, kind: Kind) -> Option<u64> {
    let mut n_children = 0;
    if kind != Kind::STRUCT {
        return None;
    }
    thrift.fields(|thrift, id, kind| match (id, kind) {
        // Field 5 of a schema element is `num_children`.
        (5, Kind::I32) => thrift.size().map(|size| n_children = size),
        _ => thrift.pass(kind, NODE.field(id)),
    })?;
    Some(n_children)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A footer without rows whose schema has these nodes.
    fn footer(nodes: &[Vec<u8>]) -> Vec<u8> {
        let n_nodes = nodes.len();
        let head = [0x15, 2, 0x19, 0xfc, n_nodes as u8 | 0x80, (n_nodes >> 7) as u8];
        [&head[..], &nodes.concat(), &[0x16, 0, 0x19, 0x0c, 0]].concat()
    }

    /// A node named `v` with at most 63 children.
    fn node(n_children: u8) -> Vec<u8> {
        vec![0x35, 0, 0x18, 1, b'v', 0x15, 2 * n_children, 0]
    }

    fn chain(n_groups: usize) -> Vec<Vec<u8>> {
        [vec![node(1); n_groups], vec![node(0)]].concat()
    }

    #[test]
    fn schemas_are_trees_that_are_not_too_deep() {
        assert!(check(&footer(&chain(64))).is_some());
        assert!(check(&footer(&chain(65))).is_none());
        let wide = [vec![node(2)], chain(60), chain(60)].concat();
        assert!(check(&footer(&wide)).is_some());
        assert!(check(&footer(&[node(63), node(0)])).is_none());
    }

    #[test]
    fn what_takes_no_bytes_is_not_repeated() {
        let sound = footer(&chain(1));
        let extended = |field: &[u8]| [&sound[..sound.len() - 1], field, &[0]].concat();
        assert!(check(&extended(&[0x99, 0x35, 1, 2, 3])).is_some());
        let flags = [0x99, 0xf1, 0xff, 0xff, 0xff, 0xff, 7];
        assert!(check(&extended(&flags)).is_none());
        let map_of_flags = [0x9b, 0xff, 0xff, 0xff, 0xff, 7, 0x11];
        assert!(check(&extended(&map_of_flags)).is_none());
    }

    #[test]
    fn fields_are_what_the_crate_takes_them_for() {
        let sound = footer(&chain(1));
        let number_of_rows = sound.len() - 5;
        let mut other = sound.clone();
        other[number_of_rows] = 0x18; // the number of rows as an empty text
        assert!(check(&sound).is_some());
        assert!(check(&other).is_none());
    }
}
