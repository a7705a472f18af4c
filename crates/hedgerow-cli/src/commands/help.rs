//! `hedgerow help`: shows a registry, a method with its parameters, or the flags of a command.

use anyhow::{Result, bail};
use clap::CommandFactory;
use hedgerow::registry::{self, Registry};

use super::page;
use crate::Verdict;
use crate::args::{Args, HelpArgs};
use crate::console;

pub(crate) fn run(args: &HelpArgs) -> Result<Verdict> {
    let words: Vec<&str> = args.topic.iter().map(String::as_str).collect();
    console::print(&help(&words)?)?;
    Ok(Verdict::Fine)
}

/// Returns the help of a topic. Methods are looked up before commands: `help hierarchy iotf` is a
/// method, `help hierarchy build` a command.
fn help(words: &[&str]) -> Result<String> {
    let registry = words.first().and_then(|word| Registry::named(word).ok());
    match (registry, words) {
        (Some(registry), [_]) => Ok(listed(registry)),
        (Some(registry), [_, name]) => match registry.describe(name) {
            Ok(method) => Ok(page::page(registry, method)),
            // `hierarchy build` is a command; if it is neither, the error about methods suggests
            // names.
            Err(unknown) => flags(words).or(Err(unknown.into())),
        },
        _ => flags(words),
    }
}

fn listed(registry: Registry) -> String {
    let (name, usage, list) = (registry.name(), page::usage(registry), registry::list(registry));
    // `hierarchy`, `risk` and `attack` are registries and commands at once.
    let command = match Args::command().find_subcommand(name) {
        Some(_) => format!("hedgerow {name} --help shows the command {name}.\n"),
        None => String::new(),
    };
    format!("{usage}\n\n{list}\nhedgerow help {name} NAME shows the parameters of NAME.\n{command}")
}

/// Returns the help of a command.
fn flags(words: &[&str]) -> Result<String> {
    let mut command = Args::command();
    // Sets the full names of subcommands, which their usage lines show.
    command.build();
    let mut found = &mut command;
    for word in words {
        found = match found.find_subcommand_mut(word) {
            Some(command) => command,
            None => bail!(
                "there is no help for '{}'; hedgerow help lists the commands, hedgerow methods lists \
                 the methods",
                words.join(" ")
            ),
        };
    }
    Ok(found.render_long_help().to_string())
}
