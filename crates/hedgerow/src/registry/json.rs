//! Registries as JSON, from which a form or a notebook can be built.

use std::ops::Bound;

use serde_json::{Map, Value, json};

use super::Registry;
use crate::anonymize;
use crate::method::{Description, Parameter, Type};

/// Returns the descriptions of all methods: an object of registries, each a list of methods.
pub fn json() -> Value {
    let of_registry = |registry: &Registry| {
        let methods =
            registry.descriptions().into_iter().map(|found| method(*registry, found)).collect();
        (registry.name().to_owned(), Value::Array(methods))
    };
    Value::Object(Registry::ALL.iter().map(of_registry).collect())
}

fn method(registry: Registry, description: &Description) -> Value {
    let Description { name, about, reference, needs, parameters } = description;
    let parameters: Vec<Value> = parameters.iter().map(parameter).collect();
    let mut method = json!({
        "name": name,
        "about": about,
        "reference": reference,
        "needs": needs,
        "parameters": parameters,
    });
    // Only anonymizers recode; a null in all other registries would ask for an explanation.
    if let (Registry::Anonymizer, Some(recoding)) = (registry, anonymize::recoding(name)) {
        method["recoding"] = json!(recoding);
    }
    method
}

fn parameter(parameter: &Parameter) -> Value {
    let Parameter { name, alias, kind, default, is_required, about } = parameter;
    let mut fields = Map::new();
    fields.insert("name".into(), json!(name));
    if alias.is_some() {
        fields.insert("alias".into(), json!(alias));
    }
    accepted(kind, &mut fields);
    fields.insert("required".into(), json!(is_required));
    // Null if there is none: the key is always there, so that a form can rely on it.
    fields.insert("default".into(), default.map_or(Value::Null, |text| typed(kind, text)));
    fields.insert("file".into(), json!(parameter.is_path()));
    fields.insert("about".into(), json!(about));
    Value::Object(fields)
}

/// Adds the type of a parameter and its range or choices.
fn accepted(kind: &Type, fields: &mut Map<String, Value>) {
    fields.insert("type".into(), json!(kind.name()));
    match kind {
        Type::Whole { least, most } => {
            fields.insert("least".into(), json!(least));
            if let Some(most) = most {
                fields.insert("most".into(), json!(most));
            }
        }
        Type::Number { least, most } => {
            // An excluded end has a key of its own, so that a form can distinguish it from an
            // included one.
            for (end, bound) in [("least", least), ("most", most)] {
                let (key, number) = match bound {
                    Bound::Included(number) => (end.to_owned(), number),
                    Bound::Excluded(number) => (format!("{end}-excluded"), number),
                    Bound::Unbounded => continue,
                };
                fields.insert(key, json!(number));
            }
        }
        Type::Choice(_) | Type::Loss(_) => {
            fields.insert("choices".into(), json!(kind.names()));
        }
        Type::List(items) => {
            let mut of_items = Map::new();
            accepted(items, &mut of_items);
            fields.insert("items".into(), Value::Object(of_items));
        }
        Type::Form { form, .. } => {
            fields.insert("form".into(), json!(form));
        }
        _ => {}
    }
}

/// Converts a default to the type of its parameter.
fn typed(kind: &Type, text: &str) -> Value {
    // Defaults are stored as users write them; a form needs a number where one is expected.
    let read = match kind {
        Type::Whole { .. } | Type::Number { .. } | Type::Flag => serde_json::from_str(text).ok(),
        _ => None,
    };
    read.unwrap_or_else(|| json!(text))
}
