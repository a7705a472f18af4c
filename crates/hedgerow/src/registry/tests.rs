//! Tests that methods do what their descriptions state.

use super::*;
use crate::attack::{Attack, Given, Scene};
use crate::method::probe::{expected, outside, plain, sample, spec_with};
use crate::method::{Method, Type};
use crate::progress::Silent;
use crate::table::Table;

/// A method that was deserialized without a check: its debug text, and whether its parameters are
/// valid.
type Unchecked = Result<(String, Result<()>)>;

/// A function of a spec.
type Reader<T> = Box<dyn Fn(&Spec) -> T>;

/// A method whose parameters are fields of a struct.
struct Subject {
    description: &'static Description,
    /// Deserializes the method without checks.
    read: Reader<Unchecked>,
    /// Creates the method as users request it.
    make: Reader<Result<()>>,
}

fn subjects() -> Vec<Subject> {
    let builders = builder::all().map(|method| Subject {
        description: &method.description,
        read: Box::new(|spec| (method.item)(spec).map(|b| (format!("{b:?}"), b.validate()))),
        make: Box::new(|spec| Method::from_spec(builder::all(), "method", spec).map(drop)),
    });
    let anonymizers = anonymize::ALL.iter().map(|method| Subject {
        description: &method.description,
        read: Box::new(|spec| (method.item)(spec).map(|a| (format!("{a:?}"), a.validate()))),
        make: Box::new(|spec| anonymize::from_spec(spec).map(drop)),
    });
    let attacks = attack::ALL.iter().map(|method| Subject {
        description: &method.description,
        read: Box::new(|spec| (method.item)(spec).map(|a| (format!("{a:?}"), a.validate()))),
        make: Box::new(|spec| attack::from_spec(spec).map(drop)),
    });
    builders.chain(anonymizers).chain(attacks).collect()
}

#[test]
fn described_defaults_are_the_defaults() {
    for Subject { description, read, .. } in subjects() {
        for parameter in description.parameters {
            let Some(default) = parameter.default else { continue };
            let given = read(&spec_with(description, parameter.name, default)).unwrap().0;
            let usual = read(&plain(description)).unwrap().0;
            assert_eq!(given, usual, "{} of {}", parameter.name, description.name);
        }
    }
}

#[test]
fn bounds_are_enforced_from_text_and_from_rust() {
    for subject in subjects() {
        for parameter in subject.description.parameters {
            let Subject { description, read, make } = &subject;
            let spec = spec_with(description, parameter.name, &sample(&parameter.kind));
            make(&spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
            assert!(read(&spec).unwrap().1.is_ok(), "{spec}");
            for value in outside(&parameter.kind) {
                assert_refused(&subject, parameter.name, &value);
            }
        }
    }
}

#[track_caller]
fn assert_refused(subject: &Subject, name: &str, value: &str) {
    let Subject { description, read, make } = subject;
    let spec = spec_with(description, name, value);
    let said = make(&spec).unwrap_err().to_string();
    assert!(said.starts_with(&format!("{}: {name} ", description.name)), "{spec}: {said}");
    // If serde accepts a value outside the range, a caller in Rust could create it too.
    if let Ok((_, valid)) = read(&spec) {
        assert_eq!(valid.unwrap_err().to_string(), said, "{spec}");
    }
}

#[test]
fn numbers_that_rust_can_make_are_refused() {
    let hedge = anonymize::Hedge { rounds: 1_000_000_000, ..anonymize::Hedge::default() };
    let said = crate::method::Validate::validate(&hedge).unwrap_err().to_string();
    assert!(said.starts_with("hedge: rounds is '1000000000'; it must be a whole number"), "{said}");
    let tail = builder::LeastLoss { tail: f64::NAN };
    assert!(crate::method::Validate::validate(&tail).is_err());
}

#[test]
fn attacks_that_rust_can_make_are_validated_when_they_run() {
    let table = Table::from_rows(&["age"], &[["20"], ["21"]]).unwrap();
    let scene = Scene::new(Given::new(table.clone(), table)).unwrap();
    let refused = attack::Similarity { share: f64::NAN }.run(&scene, &Silent).unwrap_err();
    assert!(refused.to_string().starts_with("similarity: share is 'NaN'"), "{refused}");
    assert!(attack::Similarity::default().run(&scene, &Silent).is_ok());
}

#[test]
fn the_reader_has_the_parameters_that_are_described() {
    for Subject { description, read, .. } in subjects() {
        let Description { name, parameters, .. } = description;
        if parameters.is_empty() {
            continue;
        }
        let refused = read(&spec_with(description, "no-such", "x")).unwrap_err().to_string();
        let mut found = expected(&refused);
        found.sort_unstable();
        let names = parameters.iter().flat_map(|p| [Some(p.name), p.alias]).flatten();
        let mut described: Vec<String> = names.map(str::to_owned).collect();
        described.sort_unstable();
        assert_eq!(found, described, "{name}");
    }
}

#[test]
fn the_reader_has_the_choices_that_are_described() {
    for Subject { description, read, .. } in subjects() {
        for parameter in description.parameters {
            let Type::Choice(names) = parameter.kind else { continue };
            let refused = read(&spec_with(description, parameter.name, "no such"));
            let found = expected(&refused.unwrap_err().to_string());
            for name in &found {
                assert!(names.contains(&name.as_str()), "{}: {name}", description.name);
            }
            for name in names {
                assert!(read(&spec_with(description, parameter.name, name)).is_ok(), "{name}");
            }
        }
    }
}

#[test]
fn names_are_unique_and_descriptions_are_one_line() {
    for registry in Registry::ALL {
        let mut names: Vec<&str> = registry.descriptions().iter().map(|d| d.name).collect();
        let n_names = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), n_names, "{}", registry.name());
        for method in registry.descriptions() {
            let abouts = method.parameters.iter().map(|parameter| parameter.about);
            for about in abouts.chain([method.about]) {
                assert!(!about.is_empty() && !about.contains('\n'), "{}: {about}", method.name);
                assert!(!about.ends_with('.') && about.len() <= 120, "{}: {about}", method.name);
            }
        }
    }
}

#[test]
fn json_has_every_method_with_its_parameters() {
    let all = json();
    for registry in Registry::ALL {
        let methods = all[registry.name()].as_array().unwrap();
        assert_eq!(methods.len(), registry.descriptions().len());
    }
    let hedge = all["method"].as_array().unwrap().iter().find(|m| m["name"] == "hedge").unwrap();
    let rounds = serde_json::json!({
        "name": "rounds", "type": "whole", "least": 0, "most": 1000, "required": false, "default": 2,
        "file": false, "about": "maximum number of rounds of mending; 0 merges only"
    });
    assert_eq!(hedge["parameters"][0], rounds);
}
