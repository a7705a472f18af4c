//! Lists of column names and texts, which are quoted as in CSV if they contain commas.

use super::{Args, Command, FileArgs, HierarchyCommand, ReadArgs, RoleArgs};

impl Args {
    /// Joins the parts of quoted names again: the parser divides `"income, yearly",age` at every
    /// comma.
    pub(crate) fn with_quoted_names(mut self) -> Self {
        match &mut self.command {
            Command::Inspect(args) => of_reading(&mut args.read),
            Command::Hierarchy(args) => of_hierarchy(&mut args.command),
            Command::Anonymize(args) => of_table(&mut args.goal.roles, &mut args.read),
            Command::Plan(args) => of_table(&mut args.goal.roles, &mut args.read),
            Command::Compare(args) => of_table(&mut args.roles, &mut args.read),
            Command::Apply(args) => {
                join(&mut args.keep);
                join(&mut args.drop);
                of_reading(&mut args.read);
            }
            Command::Verify(args) => {
                join(&mut args.shown.quasi);
                join(&mut args.sensitive);
                of_reading(&mut args.shown.read);
            }
            Command::Measure(args) => {
                join(&mut args.shown.quasi);
                of_reading(&mut args.shown.read);
            }
            Command::Report(args) => {
                join(&mut args.quasi);
                join(&mut args.sensitive);
                of_reading(&mut args.read);
            }
            Command::Risk(args) => {
                join(&mut args.shown.quasi);
                join(&mut args.sensitive);
                of_reading(&mut args.shown.read);
            }
            Command::Attack(args) => {
                join(&mut args.quasi);
                join(&mut args.known);
                join(&mut args.sensitive);
                of_reading(&mut args.read);
            }
            Command::Lattice(args) => {
                join(&mut args.quasi);
                of_reading(&mut args.read);
            }
            Command::Generate(args) => {
                join(&mut args.columns);
                of_file(&mut args.file);
            }
            Command::Init(args) => of_reading(&mut args.read),
            // No lists of names here. The match is exhaustive, so a new command cannot be
            // forgotten.
            Command::Knowledge(_)
            | Command::Import(_)
            | Command::Methods(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::Reproduce(_)
            | Command::Help(_)
            | Command::Studio(_) => {}
        }
        self
    }
}

fn of_hierarchy(command: &mut HierarchyCommand) {
    match command {
        HierarchyCommand::Build { read, .. } => of_reading(read),
        HierarchyCommand::Check(args) => of_reading(&mut args.read),
        #[cfg(feature = "wordnet")]
        HierarchyCommand::Candidates(args) => of_reading(&mut args.read),
        #[cfg(feature = "wordnet")]
        HierarchyCommand::Rank(args) => {
            join(&mut args.columns);
            of_reading(&mut args.read);
        }
        _ => {}
    }
}

fn of_table(roles: &mut RoleArgs, read: &mut ReadArgs) {
    join(&mut roles.quasi);
    join(&mut roles.sensitive);
    join(&mut roles.identifier);
    join(&mut roles.keep);
    join(&mut roles.drop);
    of_reading(read);
}

fn of_reading(read: &mut ReadArgs) {
    join(&mut read.na);
    of_file(&mut read.file);
}

fn of_file(file: &mut FileArgs) {
    join(&mut file.header);
}

/// Joins parts that begin with a quote with the parts that follow, up to the closing quote, and
/// removes the quotes. A quote that is never closed belongs to its part.
fn join(parts: &mut Vec<String>) {
    let mut joined: Vec<String> = Vec::with_capacity(parts.len());
    let mut rest = parts.as_slice();
    while let [first, after @ ..] = rest {
        // The shortest run of parts that ends with its closing quote is one name.
        let text = (1..=rest.len()).map(|n| rest[..n].join(","));
        let quoted = text.enumerate().find_map(|(n, text)| Some((n, unquoted(text.trim())?)));
        match quoted.filter(|_| first.trim_start().starts_with('"')) {
            Some((n_more, name)) => {
                joined.push(name);
                rest = &after[n_more..];
            }
            None => {
                // People write a blank after a comma; a name that begins with one is quoted.
                joined.push(first.trim().to_owned());
                rest = after;
            }
        }
    }
    *parts = joined;
}

/// Returns the text between two quotes, in which doubled quotes are single ones, or `None` if the
/// second quote is not the last character.
fn unquoted(text: &str) -> Option<String> {
    let (name, rest) = split_quoted(text)?;
    rest.is_empty().then_some(name)
}

/// Splits a text into the name in quotes with which it begins, and the rest.
pub(super) fn split_quoted(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut rest = text.strip_prefix('"')?;
    loop {
        let (part, after) = rest.split_once('"')?;
        name.push_str(part);
        // Two quotes in a row are one quote of the name, as in CSV.
        match after.strip_prefix('"') {
            Some(more) => {
                name.push('"');
                rest = more;
            }
            None => return Some((name, after)),
        }
    }
}

/// Puts quotes around a name that would be divided otherwise.
pub(crate) fn quoted_name(name: &str) -> String {
    // A comma divides lists and an equals sign pairs; a leading quote would be taken for one of
    // ours, and blanks at the ends are removed.
    if name.contains([',', '=']) || name.starts_with('"') || name.trim() != name {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let mut parts: Vec<String> = text.split(',').map(str::to_owned).collect();
        join(&mut parts);
        parts
    }

    #[test]
    fn names_with_commas_are_quoted() {
        assert_eq!(read(r#""income, yearly",age"#), ["income, yearly", "age"]);
        assert_eq!(read(r#"age,"a,b,c","say ""x"", y""#), ["age", "a,b,c", r#"say "x", y"#]);
        assert_eq!(read("age,sex"), ["age", "sex"]);
        assert_eq!(read(r#"age, sex, "a, b""#), ["age", "sex", "a, b"]);
        assert_eq!(read(r#""open,age"#), ["\"open", "age"]);
        assert_eq!(read(r#"5" pipe,age"#), [r#"5" pipe"#, "age"]);
    }

    #[test]
    fn a_quoted_name_comes_back() {
        for name in ["age", "income, yearly", "a=b", "\"x\", y", " sex "] {
            assert_eq!(read(&quoted_name(name)), [name]);
        }
    }
}
