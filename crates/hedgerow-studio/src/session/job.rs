//! The job as the page sees and changes it, and as it is kept in its file.

use std::collections::BTreeMap;
use std::path::Path;

use hedgerow::builder;
use hedgerow::edit::Script;
use hedgerow::job::Job;
use hedgerow::method::Spec;
use hedgerow::registry::Registry;
use hedgerow::schema::Role;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::comments::with_comments;
use super::edits::try_replace;
use super::{Folder, Session};
use crate::fault::{Done, Fault};
use crate::studio::Studio;

/// Options that have fields of their own in [`JobView`], or that say where files are.
const SHOWN: [&str; 25] = [
    "input",
    "output",
    "quasi",
    "sensitive",
    "identifier",
    "person",
    "keep",
    "drop",
    "undecided",
    "class",
    "k",
    "privacy",
    "suppress",
    "limit",
    "method",
    "loss",
    "time",
    "hierarchy",
    "edits",
    "seed",
    "trace",
    "classes",
    "recipe",
    "report",
    "report-public",
];

/// Options that cannot be changed from the page: they name files, or say how a run is done.
const FIXED: [&str; 4] = ["hierarchies", "force", "threads", "keep-others"];

/// The job as the page shows it.
#[derive(Serialize)]
pub(crate) struct JobView {
    path: Option<String>,
    saved: bool,
    /// The reason why the job file could not be written.
    unsaved: Option<String>,
    roles: BTreeMap<String, &'static str>,
    k: u64,
    suppress: f64,
    privacy: Vec<SpecView>,
    method: SpecView,
    loss: Option<String>,
    seed: u64,
    time: Option<f64>,
    recoding: Value,
    hierarchy: BTreeMap<String, String>,
    limit: BTreeMap<String, Vec<String>>,
    others: Map<String, Value>,
    problems: Vec<String>,
}

/// A method with its parameters.
#[derive(Serialize)]
struct SpecView {
    name: String,
    parameters: toml::Table,
    text: String,
}

/// A method as the page names it.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct SpecChange {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) parameters: Map<String, Value>,
}

/// Another model instead of one of the job.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelChange {
    /// The model as on the command line.
    from: String,
    to: SpecChange,
}

/// A change of the job that the page asks for.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct JobChange {
    roles: BTreeMap<String, String>,
    k: Option<u64>,
    suppress: Option<f64>,
    privacy: Option<Vec<SpecChange>>,
    model: Option<ModelChange>,
    method: Option<SpecChange>,
    #[serde(deserialize_with = "given")]
    #[expect(clippy::option_option, reason = "null and absent differ")]
    loss: Option<Option<String>>,
    seed: Option<u64>,
    #[serde(deserialize_with = "given")]
    #[expect(clippy::option_option, reason = "null and absent differ")]
    time: Option<Option<f64>>,
    limit: Option<BTreeMap<String, Vec<String>>>,
    others: Map<String, Value>,
}

/// Distinguishes a null from a field that is absent.
fn given<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl JobView {
    pub(crate) fn of(session: &Session, folder: &Folder) -> Self {
        let job = &session.job;
        let value = serde_json::to_value(job).unwrap_or_default();
        let default = serde_json::to_value(Job::default()).unwrap_or_default();
        let mut others = value.as_object().cloned().unwrap_or_default();
        others.retain(|name, option| {
            !SHOWN.contains(&name.as_str())
                && !FIXED.contains(&name.as_str())
                && name != "recoding"
                && default.get(name) != Some(option)
        });
        let specs = job.privacy.iter().map(SpecView::of).collect();
        Self {
            path: session.job_path.as_ref().map(|path| folder.relative(path)),
            saved: session.is_saved,
            unsaved: session.unsaved.clone(),
            roles: roles(session).into_iter().map(|(name, role)| (name, role.name())).collect(),
            k: job.k.max(1),
            suppress: value["suppress"].as_f64().unwrap_or(0.0),
            privacy: specs,
            method: SpecView::of(&job.method),
            loss: job.loss.clone(),
            seed: job.seed,
            time: job.time,
            recoding: value["recoding"].clone(),
            hierarchy: job
                .hierarchy
                .iter()
                .map(|(n, spec)| (n.clone(), spec.to_string()))
                .collect(),
            limit: job.limit.clone(),
            others,
            problems: problems(session),
        }
    }
}

impl SpecView {
    fn of(spec: &Spec) -> Self {
        let (name, parameters) = (spec.name.clone(), spec.parameters.clone());
        Self { name, parameters, text: spec.to_string() }
    }
}

/// A method with parameters as the page sends them.
pub(crate) fn spec_of(change: &SpecChange) -> Done<Spec> {
    let mut spec = Spec::named(change.name.trim());
    for (name, value) in &change.parameters {
        let value = match value {
            Value::Null => continue,
            Value::Bool(flag) => toml::Value::Boolean(*flag),
            Value::String(text) if text.is_empty() => continue,
            Value::String(text) => toml::Value::String(text.clone()),
            Value::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(whole), _) => toml::Value::Integer(whole),
                (None, Some(number)) if number.is_finite() => toml::Value::Float(number),
                _ => return Err(Fault::request(format!("the parameter '{name}' is too large"))),
            },
            Value::Array(items) => {
                let text =
                    |item: &Value| item.as_str().map_or_else(|| item.to_string(), Into::into);
                toml::Value::String(items.iter().map(text).collect::<Vec<_>>().join("+"))
            }
            Value::Object(_) => {
                return Err(Fault::request(format!("the parameter '{name}' is not a value")));
            }
        };
        spec.parameters.insert(name.clone(), value);
    }
    Ok(spec)
}

/// The role of every column.
pub(crate) fn roles(session: &Session) -> Vec<(String, Role)> {
    let header = session.opened.as_ref().map_or(&[][..], |opened| &opened.header);
    header.iter().map(|name| (name.clone(), role_of(&session.job, name))).collect()
}

/// The role that a job gives to a column.
pub(crate) fn role_of(job: &Job, name: &str) -> Role {
    let has = |names: &[String]| names.iter().any(|other| other == name);
    match () {
        () if has(&job.quasi) => Role::Quasi,
        () if has(&job.sensitive) => Role::Sensitive,
        () if job.person.as_deref() == Some(name) => Role::Person,
        () if has(&job.identifier) => Role::Identifier,
        () if has(&job.keep) => Role::Insensitive,
        () if has(&job.drop) => Role::Dropped,
        () if job.class.as_deref() == Some(name) => Role::Class,
        () if job.keep_others && !has(&job.undecided) => Role::Insensitive,
        () => Role::Undecided,
    }
}

/// Reads a role as the page writes it.
fn role(text: &str) -> Done<Role> {
    let all = [
        Role::Identifier,
        Role::Person,
        Role::Quasi,
        Role::Sensitive,
        Role::Class,
        Role::Insensitive,
        Role::Dropped,
        Role::Undecided,
    ];
    let found = all.into_iter().find(|role| role.name() == text);
    found.ok_or_else(|| Fault::request(format!("there is no role '{text}'")))
}

/// The reasons why the job cannot run yet.
fn problems(session: &Session) -> Vec<String> {
    let Some(_) = &session.opened else { return vec!["no table is open".to_owned()] };
    let mut problems = Vec::new();
    if session.job.quasi.is_empty() {
        problems.push("no column is a quasi-identifier yet".to_owned());
    }
    let open = roles(session).into_iter().filter(|(_, role)| *role == Role::Undecided);
    problems.extend(open.map(|(name, _)| format!("column '{name}' has no role yet")));
    problems
}

impl JobChange {
    /// A change of roles and `k` only, to try them.
    pub(crate) fn of_roles(roles: BTreeMap<String, String>, k: Option<u64>) -> Self {
        Self { roles, k, ..Self::default() }
    }

    /// The job with this change. Nothing is stored.
    pub(crate) fn applied(&self, session: &Session, studio: &Studio) -> Done<Job> {
        let mut job = session.job.clone();
        self.change_roles(session, &mut job)?;
        if let Some(k) = self.k {
            if k == 0 {
                return Err(Fault::input(
                    "k is 0; it must be at least 1, and only 2 or more protects",
                ));
            }
            job.k = k;
        }
        let mut set = self.others.clone();
        if let Some(suppress) = self.suppress {
            set.insert("suppress".into(), suppress.into());
        }
        if let Some(models) = &self.privacy {
            job.privacy = models.iter().map(spec_of).collect::<Done<_>>()?;
        }
        if let Some(ModelChange { from, to }) = &self.model {
            let found = job.privacy.iter_mut().find(|spec| spec.to_string() == *from);
            let gone = || {
                Fault::conflict(format!("the job no longer has the model {from}"))
                    .advise("run the job again to see what it can reach now")
            };
            *found.ok_or_else(gone)? = spec_of(to)?;
        }
        if self.privacy.is_some() || self.model.is_some() {
            for spec in &job.privacy {
                Registry::Privacy.describe(&spec.name)?.check(spec)?;
                check_spec(Registry::Privacy, spec, &session.base, &studio.folder)?;
            }
        }
        if let Some(method) = &self.method {
            let spec = spec_of(method)?;
            Registry::Anonymizer.describe(&spec.name)?.check(&spec)?;
            check_spec(Registry::Anonymizer, &spec, &session.base, &studio.folder)?;
            job.method = spec;
        }
        if let Some(loss) = &self.loss {
            job.loss.clone_from(loss);
        }
        job.seed = self.seed.unwrap_or(job.seed);
        if let Some(time) = self.time {
            job.time = time;
        }
        if let Some(limit) = &self.limit {
            job.limit.clone_from(limit);
        }
        let job = with_options(&job, &set)?;
        check_paths(&job, &session.base, &studio.folder)?;
        Ok(job)
    }

    fn change_roles(&self, session: &Session, job: &mut Job) -> Done<()> {
        if self.roles.is_empty() {
            return Ok(());
        }
        let opened = session.table()?;
        let mut of: BTreeMap<&str, Role> =
            opened.header.iter().map(|name| (name.as_str(), role_of(job, name))).collect();
        for (name, text) in &self.roles {
            hedgerow::schema::find(&opened.header, name)?;
            let role = role(text)?;
            if matches!(role, Role::Person | Role::Class) {
                // Only one column can have these; the one before becomes undecided.
                for other in of.values_mut().filter(|other| **other == role) {
                    *other = Role::Undecided;
                }
            }
            of.insert(name, role);
        }
        let with = |role: Role| -> Vec<String> {
            let names = opened.header.iter().filter(|name| of.get(name.as_str()) == Some(&role));
            names.cloned().collect()
        };
        job.quasi = with(Role::Quasi);
        job.sensitive = with(Role::Sensitive);
        job.identifier = with(Role::Identifier);
        job.keep = with(Role::Insensitive);
        job.drop = with(Role::Dropped);
        job.undecided = with(Role::Undecided);
        job.person = with(Role::Person).pop();
        job.class = with(Role::Class).pop();
        job.keep_others = false;
        job.limit.retain(|name, _| job.quasi.contains(name));
        let (quasi, sensitive) = (&job.quasi, &job.sensitive);
        job.hierarchy.retain(|name, _| quasi.contains(name) || sensitive.contains(name));
        job.edits.retain(|name, _| quasi.contains(name) || sensitive.contains(name));
        // A candidate that was chosen before is used again.
        for name in &job.quasi {
            let chosen = session.families.get(name).and_then(super::Family::chosen_spec);
            if let Some((spec, edits)) = chosen.filter(|_| !job.hierarchy.contains_key(name)) {
                job.hierarchy.insert(name.clone(), spec);
                job.edits.extend(edits.map(|path| (name.clone(), path)));
            }
        }
        Ok(())
    }
}

/// Sets options by their names in a job file; null takes the default again.
fn with_options(job: &Job, set: &Map<String, Value>) -> Done<Job> {
    if set.is_empty() {
        return Ok(job.clone());
    }
    let mut value = serde_json::to_value(job).unwrap_or_default();
    let default = serde_json::to_value(Job::default()).unwrap_or_default();
    let Some(options) = value.as_object_mut() else { return Ok(job.clone()) };
    for (name, option) in set {
        let is_fixed = name != "suppress"
            && (SHOWN.contains(&name.as_str()) || FIXED.contains(&name.as_str()));
        if is_fixed || default.get(name).is_none() {
            return Err(Fault::input(format!("the option '{name}' cannot be set here"))
                .advise("edit the job file as text"));
        }
        let option = if option.is_null() { default[name].clone() } else { option.clone() };
        options.insert(name.clone(), option);
    }
    // `k` is 0 while no table is open, which a job file cannot say.
    if options.get("k") == Some(&Value::from(0)) {
        options.remove("k");
    }
    serde_json::from_value(value).map_err(|error| Fault::input(error.to_string()))
}

/// Refuses a method whose parameters name a file outside the start folder.
pub(crate) fn check_spec(
    registry: Registry,
    spec: &Spec,
    base: &Path,
    folder: &Folder,
) -> Done<()> {
    registry.paths(spec).iter().try_for_each(|path| folder.check(&base.join(path)))
}

/// Refuses a job that reads files outside the start folder.
pub(crate) fn check_paths(job: &Job, base: &Path, folder: &Folder) -> Done<()> {
    let sources = job.knowledge.iter().filter(|source| !builder::is_wordnet(source));
    for path in job.population.iter().chain([&job.input]).chain(sources) {
        if !path.as_os_str().is_empty() {
            folder.check(&base.join(path))?;
        }
    }
    for spec in job.hierarchy.values() {
        check_spec(Registry::Hierarchy, spec, base, folder)?;
    }
    for path in job.edits.values() {
        let path = base.join(path);
        folder.check(&path)?;
        // The methods of a script read files too.
        for path in Script::read(&path)?.paths() {
            folder.check(&path)?;
        }
    }
    for spec in &job.privacy {
        check_spec(Registry::Privacy, spec, base, folder)?;
    }
    check_spec(Registry::Anonymizer, &job.method, base, folder)
}

impl Session {
    /// The text of the job file, with the comments that it had.
    pub(crate) fn text(&self) -> String {
        let text = self.job.to_whole_toml();
        // A job file must name its quasi-identifiers, even if there are none yet.
        let is_empty = self.job.quasi.is_empty();
        let text = if is_empty { format!("quasi = []\n{text}") } else { text };
        with_comments(&self.written, &text)
    }

    /// Writes the job file, if there is one, and reads the edits and senses that the job names.
    pub(crate) fn save(&mut self) {
        self.texts = super::inputs::texts(&self.absolute_job());
        let Some(path) = &self.job_path else { return };
        let text = self.text();
        // Only a file that is complete replaces the one before.
        let written = try_replace(path, text.as_bytes());
        self.is_saved = written.is_ok();
        self.written = text;
        self.unsaved = written.err().map(|cause| cause.to_string());
    }
}
