//! `hedgerow methods`: lists all registries: methods, hierarchies, privacy models, losses, formats.

use anyhow::Result;
use hedgerow::registry::{self, Registry};

use super::page;
use crate::Verdict;
use crate::args::MethodsArgs;
use crate::console;

pub(crate) fn run(args: &MethodsArgs) -> Result<Verdict> {
    if args.json {
        console::print_json(&registry::json())?;
        return Ok(Verdict::Fine);
    }
    // Every registry, so that nothing a user can name is missing from the list.
    let lists = Registry::ALL.iter().map(|&registry| {
        format!("{} ({}):\n{}", registry.noun(), page::usage(registry), registry::list(registry))
    });
    console::print(&lists.collect::<Vec<_>>().join("\n"))?;
    Ok(Verdict::Fine)
}
