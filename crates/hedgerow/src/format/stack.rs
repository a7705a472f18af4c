//! Levels that need not nest, as JSON: the leaves, and the intervals of each level.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::json::{Builder, VERSION};
use crate::error::Advice;
use crate::hierarchy::{Band, Leaf, LeafRange, Leaves, Level, Levels};
use crate::method::Spec;
use crate::noun::counted;
use crate::table::{Kind, Scale, Values};
use crate::{Error, Result};

#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object with hedgerow, attribute, kind, leaves and levels")]
struct File {
    hedgerow: u32,
    #[serde(default)]
    attribute: String,
    kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    builder: Option<Builder>,
    leaves: Vec<Value>,
    /// The levels above the values, the finest first.
    levels: Vec<Vec<Group>>,
}

#[derive(Serialize, Deserialize)]
struct Value {
    value: String,
    #[serde(default)]
    count: u64,
}

/// An interval of a level. Its leaves are those between its ends.
#[derive(Serialize, Deserialize)]
struct Group {
    #[serde(deserialize_with = "exact")]
    min: f64,
    #[serde(deserialize_with = "exact")]
    max: f64,
    #[serde(default, deserialize_with = "exact")]
    distortion: f64,
}

/// Reads a number to the last digit, which the JSON parser alone does not promise.
fn exact<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let text = Box::<RawValue>::deserialize(deserializer)?;
    let problem = || D::Error::custom(format!("{} is not a number", text.get()));
    text.get().parse().map_err(|_| problem())
}

/// Whether a text is a file of levels rather than a tree.
pub(super) fn looks_so(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Peek {
        #[serde(rename = "hedgerow")]
        _version: u32,
        #[serde(rename = "levels")]
        _levels: Vec<serde::de::IgnoredAny>,
    }
    serde_json::from_str::<Peek>(text).is_ok()
}

/// The error for a file of levels where a tree is needed.
pub(super) fn not_a_tree() -> Error {
    Error::syntax(
        None,
        "the file has levels that are not nested, which is not a tree; they can be shown, and used for a lattice \
         and for a release",
    )
    .advise([Advice::words("build the hierarchy with nested=true to get a tree")])
}

/// Writes levels. Reading them back gives the same levels.
pub fn write_levels(levels: &Levels) -> Result<String> {
    let ground = levels.ground();
    let leaf = |leaf: Leaf| Value {
        value: ground.spelling(leaf).into_owned(),
        count: ground.count(&LeafRange { start: leaf, end: leaf.next() }),
    };
    let above = levels.top().and_below().filter(|&level| level > Level::VALUES);
    let group = |group| {
        let Band { bounds: (min, max), distortion, .. } = levels.band(group);
        Group { min, max, distortion }
    };
    let builder = ground
        .builder()
        .map(|spec| Builder { method: spec.name.clone(), parameters: spec.parameters.clone() });
    let file = File {
        hedgerow: VERSION,
        attribute: ground.attribute().to_owned(),
        kind: ground.values().kind(),
        builder,
        leaves: Leaf::first(ground.len()).map(leaf).collect(),
        levels: above.map(|level| levels.level(level).map(group).collect()).collect(),
    };
    let text = serde_json::to_string_pretty(&file);
    text.map(|text| text + "\n").map_err(|error| Error::Internal(format!("levels: {error}")))
}

/// Reads levels. The attribute's name is used if the text has none.
pub(crate) fn read_levels(text: &str, attribute: Option<&str>) -> Result<Levels> {
    let file: File = serde_json::from_str(text)
        .map_err(|error| Error::syntax(None, format!("this is not a file of levels: {error}")))?;
    if file.hedgerow != VERSION {
        let found = file.hedgerow;
        let problem = format!("the file has version {found}, but hedgerow reads version {VERSION}");
        return Err(Error::syntax(None, problem));
    }
    let values = values(&file)?;
    let Some(scale) = values.scale().cloned() else {
        return Err(Error::syntax(None, "levels that are not nested are intervals of numbers"));
    };
    let mut levels = Vec::with_capacity(file.levels.len());
    for (place, groups) in file.levels.iter().enumerate() {
        levels.push(
            bands(groups, &scale).map_err(|problem| {
                Error::syntax(None, format!("level {}: {problem}", place + 1))
            })?,
        );
    }
    if levels.last().is_none_or(|last: &Vec<Band>| last.len() != 1) {
        return Err(Error::syntax(None, "the last level must be one interval of all values"));
    }
    let leaves = Leaves {
        attribute: attribute.map_or(file.attribute, str::to_owned),
        values,
        counts: file.leaves.iter().map(|leaf| leaf.count).collect(),
    };
    let levels = Levels::new(leaves, &scale, &levels);
    Ok(match file.builder {
        Some(Builder { method, parameters }) => levels.built_by(Spec { name: method, parameters }),
        None => levels,
    })
}

/// The leaves, which must be ascending numbers.
fn values(file: &File) -> Result<Values> {
    let spellings: Vec<&str> = file.leaves.iter().map(|leaf| leaf.value.as_str()).collect();
    if file.kind != Kind::Number {
        let problem = format!("the kind is {}; only numbers have such levels", file.kind.name());
        return Err(Error::syntax(None, problem));
    }
    if spellings.is_empty() {
        return Err(Error::syntax(None, "the file has no values"));
    }
    let (values, places) = Values::of_kind(Kind::Number, &spellings, None).map_err(|place| {
        Error::syntax(None, format!("the value '{}' is not a number", spellings[place]))
    })?;
    // Equal numbers share a place, so only ascending ones are numbered one by one.
    match (0u32..).zip(&places).find(|(wanted, place)| wanted != *place) {
        None => Ok(values),
        Some((place, _)) => {
            let value = spellings[place as usize];
            Err(Error::syntax(None, format!("the value '{value}' is not above the one before it")))
        }
    }
}

/// Returns the groups of a level with their leaves, or the problem with them.
fn bands(groups: &[Group], scale: &Scale) -> Result<Vec<Band>, String> {
    let mut bands = Vec::with_capacity(groups.len());
    let mut start = 0;
    for &Group { min, max, distortion } in groups {
        let told = format!("the interval from {min} to {max}");
        if !(min <= max && min.is_finite() && max.is_finite()) {
            return Err(format!("{told} is empty"));
        }
        if !(distortion >= 0.0 && distortion.is_finite()) {
            return Err(format!("{told} has the distortion {distortion}"));
        }
        let end = scale.partition_point(|value| value <= max);
        if end <= start || scale.value(start) < min {
            let problem = if end <= start {
                "has no value of its own"
            } else {
                "leaves out a value below it"
            };
            return Err(format!("{told} {problem}"));
        }
        bands.push(Band { leaves: (start as u32, end as u32), bounds: (min, max), distortion });
        start = end;
    }
    match scale.len() - start {
        0 => Ok(bands),
        n => Err(format!("{} above the last interval", counted(n, "value"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder;
    use crate::hierarchy::Generalization;
    use crate::table::Table;

    fn levels(values: &[&str], spec: &str) -> Levels {
        let rows: Vec<[&str; 1]> = values.iter().map(|&value| [value]).collect();
        let table = Table::from_rows(&["x"], &rows).unwrap();
        let built = builder::build(&spec.parse().unwrap(), &table.columns()[0], None).unwrap();
        let Generalization::Levels(levels) = built else { panic!("levels nest") };
        (*levels).clone()
    }

    #[test]
    fn levels_are_read_back_as_they_were() {
        let whole = ["1", "5", "12", "12", "30", "59", "100"];
        let broken = ["0.5", "5", "12.5", "30", "59", "100"];
        let negative = ["-20", "1", "30", "79"];
        for (values, spec) in [
            (&whole[..], "dbgh:min-width=10"),
            (&whole, "dbgh:min-width=10,distortion=cumulative"),
            (&broken, "dbgh:min-width=10"),
            (&negative, "dbgh:min-width=20"),
        ] {
            let built = levels(values, spec);
            let text = write_levels(&built).unwrap();
            assert!(looks_so(&text));
            assert_eq!(read_levels(&text, None).unwrap(), built, "{text}");
        }
    }

    #[test]
    fn damaged_files_say_what_is_wrong() {
        let built = levels(&["1", "5", "12"], "dbgh:min-width=3");
        let text = write_levels(&built).unwrap();
        let refused = |from: &str, to: &str| {
            assert!(text.contains(from), "{text}");
            read_levels(&text.replacen(from, to, 1), None).unwrap_err().to_string()
        };
        assert!(refused("\"12\"", "\"2\"").contains("is not above the one before it"));
        assert!(refused("\"12\"", "\"twelve\"").contains("'twelve' is not a number"));
        assert!(refused("\"hedgerow\": 1", "\"hedgerow\": 9").contains("version 9"));
        assert!(refused("\"min\": 4.0", "\"min\": 5.5").contains("leaves out a value"));
        assert!(refused("\"max\": 3.0", "\"max\": 0.5").contains("is empty"));
        assert!(refused("\"kind\": \"number\"", "\"kind\": \"text\"").contains("only numbers"));
        assert!(read_levels(&text[..text.len() / 2], None).is_err());
    }
}
