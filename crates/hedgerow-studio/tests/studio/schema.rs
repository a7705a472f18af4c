//! Checks JSON against the schemas of `openapi.json`: types, required and additional properties,
//! enumerations and alternatives.

use serde_json::Value;

/// Returns where a value differs from a schema.
pub(crate) fn faults(document: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let schema = document.pointer(reference.trim_start_matches('#'));
        let schema = schema.unwrap_or_else(|| panic!("{reference} is in the document"));
        return faults(document, schema, value, at);
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(ways) = schema.get(key).and_then(Value::as_array) {
            let all: Vec<Vec<String>> =
                ways.iter().map(|way| faults(document, way, value, at)).collect();
            return all.into_iter().min_by_key(Vec::len).unwrap_or_default();
        }
    }
    if let Some(only) = schema.get("const") {
        return if only == value { vec![] } else { vec![format!("{at} is not {only}")] };
    }
    if let Some(known) = schema.get("enum").and_then(Value::as_array)
        && !known.contains(value)
    {
        return vec![format!("{at}: {value} is none of {known:?}")];
    }
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => return vec![],
    };
    if !types.iter().any(|name| is_a(value, name)) {
        let short: String = value.to_string().chars().take(80).collect();
        return vec![format!("{at}: {short} is not {types:?}")];
    }
    match value {
        Value::Object(_) => of_object(document, schema, value, at),
        Value::Array(items) => {
            let Some(of) = schema.get("items") else { return vec![] };
            let each = items.iter().enumerate();
            each.flat_map(|(n, item)| faults(document, of, item, &format!("{at}[{n}]"))).collect()
        }
        _ => vec![],
    }
}

fn of_object(document: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let mut found = Vec::new();
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if value.get(name).is_none() {
            found.push(format!("{at} lacks {name}"));
        }
    }
    for (name, of) in value.as_object().into_iter().flatten() {
        let at = format!("{at}.{name}");
        match (properties.and_then(|known| known.get(name)), schema.get("additionalProperties")) {
            (Some(schema), _) => found.extend(faults(document, schema, of, &at)),
            (None, Some(Value::Bool(false))) => found.push(format!("{at} is not described")),
            (None, Some(schema @ Value::Object(_))) => {
                found.extend(faults(document, schema, of, &at));
            }
            _ => {}
        }
    }
    found
}

fn is_a(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "array" => value.is_array(),
        _ => value.is_object(),
    }
}
