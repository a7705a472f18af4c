//! Requests made from the schemas of `openapi.json`, with odd values in every place: no request
//! ends the server, and every answer is one that the document describes.

use crate::client::{Studio, raw};
use crate::schema;
use hedgerow_studio::OPENAPI;
use serde_json::{Map, Value, json};

/// Requests for each endpoint.
const TURNS: usize = 40;

/// Endpoints that do not take or give JSON.
const STREAMS: [&str; 2] = ["/api/events", "/api/table/upload"];

/// A generator of numbers that gives the same in every run (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.next(all.len())]
    }
}

/// Texts that are often right, and texts that never are.
const TEXTS: [&str; 24] = [
    "job",
    "birth",
    "zip",
    "frequency",
    "calendar",
    "mondrian",
    "hedge",
    "quasi",
    "patients.csv",
    "nurse",
    "l-diversity:l=2,column=diagnosis",
    "semantic=1",
    "",
    "none",
    "../x",
    "/etc/passwd",
    "a\u{0}b",
    "<script>",
    "\u{202e}\u{1f333}",
    "-1",
    "1e999",
    "'; --",
    "%ff",
    "auto",
];

fn odd(random: &mut Random) -> Value {
    let long = "x".repeat(5000);
    let odd = [
        Value::Null,
        json!(true),
        json!(-1),
        json!(0),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1e308),
        json!(0.5),
        json!([]),
        json!({}),
        json!([[[[]]]]),
        json!(long),
        json!({ "op": "none" }),
        json!(*random.pick(&TEXTS)),
    ];
    random.pick(&odd).clone()
}

/// A value of a schema; one in ten is something else.
fn sample(document: &Value, schema: &Value, random: &mut Random) -> Value {
    if random.next(10) == 0 {
        return odd(random);
    }
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document.pointer(reference.trim_start_matches('#')).unwrap();
        return sample(document, target, random);
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(ways) = schema[key].as_array() {
            let way = random.pick(ways).clone();
            return sample(document, &way, random);
        }
    }
    if let Some(known) = schema["enum"].as_array() {
        return random.pick(known).clone();
    }
    if !schema["const"].is_null() {
        return schema["const"].clone();
    }
    let name = match &schema["type"] {
        Value::Array(names) => random.pick(names).as_str().unwrap_or("null").to_owned(),
        name => name.as_str().unwrap_or("object").to_owned(),
    };
    match name.as_str() {
        "string" => json!(*random.pick(&TEXTS)),
        "integer" => json!(random.next(12)),
        "number" => json!(random.next(100) as f64 / 50.0),
        "boolean" => json!(random.next(2) == 0),
        "null" => Value::Null,
        "array" => {
            let n = random.next(4);
            (0..n).map(|_| sample(document, &schema["items"], random)).collect()
        }
        _ => object(document, schema, random),
    }
}

fn object(document: &Value, schema: &Value, random: &mut Random) -> Value {
    let mut made = Map::new();
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, of) in schema["properties"].as_object().into_iter().flatten() {
        if required.contains(&name.as_str()) || random.next(3) == 0 {
            made.insert(name.clone(), sample(document, of, random));
        }
    }
    if schema["additionalProperties"].is_object() {
        for _ in 0..random.next(3) {
            let of = &schema["additionalProperties"];
            made.insert((*random.pick(&TEXTS)).to_owned(), sample(document, of, random));
        }
    }
    Value::Object(made)
}

/// A part of an address, in which everything but letters and digits is written as `%XX`.
fn encoded(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let byte = |byte: u8| {
        if byte.is_ascii_alphanumeric() {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    text.bytes().take(300).map(byte).collect()
}

/// The address of a request: parameters of its path and of its query.
fn address(document: &Value, path: &str, operation: &Value, random: &mut Random) -> String {
    let mut made = path.to_owned();
    let mut query = Vec::new();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap();
        let value = match name {
            // Otherwise nearly all columns and runs would not exist.
            "column" if random.next(3) > 0 => json!(*random.pick(&["job", "birth"])),
            "candidate" if random.next(3) > 0 => json!(*random.pick(&["frequency", "calendar"])),
            "run" if random.next(3) > 0 => json!(1),
            _ => sample(document, &parameter["schema"], random),
        };
        if parameter["in"] == "path" {
            let text = encoded(&value);
            let text = if text.is_empty() { "%20".to_owned() } else { text };
            made = made.replace(&format!("{{{name}}}"), &text);
        } else if random.next(2) == 0 {
            query.push(format!("{name}={}", encoded(&value)));
        }
    }
    if query.is_empty() { made } else { format!("{made}?{}", query.join("&")) }
}

/// A studio with a small table, hierarchies and a run.
fn prepared() -> Studio {
    let studio = Studio::start();
    let whole = std::fs::read_to_string(studio.path("patients.csv")).unwrap();
    let few: Vec<&str> = whole.lines().take(61).collect();
    std::fs::write(studio.path("patients.csv"), few.join("\n")).unwrap();
    restore(&studio);
    studio
}

/// Opens the table as it was in the beginning, whatever was done to it.
fn restore(studio: &Studio) {
    let _ = std::fs::remove_file(studio.path("patients.job.toml"));
    studio.post("/api/table", json!({ "path": "patients.csv" }));
    let roles = json!({ "name": "drop", "birth": "quasi", "sex": "keep", "zip": "keep",
        "job": "quasi", "diagnosis": "sensitive" });
    studio.fine("PATCH", "/api/job", Some(json!({ "roles": roles, "k": 2 })));
    for (column, method) in [("job", "frequency"), ("birth", "calendar")] {
        let grow = json!({ "action": "grow", "method": method });
        studio.post(&format!("/api/hierarchies/{column}"), grow);
    }
}

#[test]
fn requests_made_from_the_schemas_get_described_answers() {
    let document: Value = serde_json::from_str(OPENAPI).unwrap();
    let studio = prepared();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut statuses = std::collections::BTreeMap::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        if STREAMS.contains(&path.as_str()) {
            continue;
        }
        for (method, operation) in methods.as_object().unwrap() {
            for turn in 0..TURNS {
                let status = ask(&studio, &document, (path, method, operation), &mut random);
                *statuses.entry(status).or_insert(0) += 1;
                // Requests that succeed may have closed or changed what others need.
                if turn % 10 == 9 && method != "get" {
                    studio.get("/api/runs")["runs"].as_array().unwrap().iter().for_each(|run| {
                        let _ = studio.send("DELETE", &format!("/api/runs/{}", run["id"]), None);
                    });
                    restore(&studio);
                }
            }
        }
    }
    // Both kinds of requests were made.
    assert!(statuses[&200] > 100 && statuses[&422] > 50, "{statuses:?}");
    assert_eq!(studio.get("/api/state")["table"]["rows"], 60);
}

/// Sends one request, and compares the answer with the document.
fn ask(
    studio: &Studio,
    document: &Value,
    (path, method, operation): (&str, &str, &Value),
    random: &mut Random,
) -> u16 {
    let address = address(document, path, operation, random);
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    let body =
        if schema.is_null() { String::new() } else { sample(document, schema, random).to_string() };
    let head = format!(
        "{} {address} HTTP/1.1\r\nHost: {}\r\nX-Hedgerow-Token: {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        method.to_uppercase(),
        studio.address,
        studio.token,
        body.len()
    );
    let reply = raw(studio.address, head.as_bytes());
    let said = format!("{method} {address} {body}: {}", String::from_utf8_lossy(&reply.body));
    assert!(![0, 500].contains(&reply.status), "{}: {said}", reply.status);
    let described = &operation["responses"][reply.status.to_string()];
    assert!(described.is_object(), "{} is not described: {said}", reply.status);
    let schema = if reply.status == 200 {
        described["content"]["application/json"]["schema"].clone()
    } else {
        json!({ "$ref": "#/components/schemas/Problem" })
    };
    let faults = schema::faults(document, &schema, &reply.json(), "answer");
    assert!(faults.is_empty(), "{faults:?}: {said}");
    reply.status
}
