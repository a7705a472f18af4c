//! `hedgerow studio`: serves a local page for the whole work.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result};
use hedgerow_studio::{Limits, Options, Server};

use super::verify_command;
use crate::args::StudioArgs;
use crate::{Verdict, console, signals};

pub(crate) fn run(args: &StudioArgs) -> Result<Verdict> {
    let (folder, open) = places(args)?;
    let threads =
        args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into));
    let options = Options {
        folder,
        open,
        port: args.port,
        assets: args.assets.clone(),
        threads,
        limits: Limits::default(),
        verify: Some(verify_command::of_run),
    };
    let server = Server::bind(options)?;
    without_values_in_panics();
    let url = server.url();
    console::print(&format!("{url}\n"))?;
    console::note("serving on this machine only; Ctrl-C ends it");
    if !args.no_open {
        show(&url);
    }
    let served = server.run(signals::interrupted);
    // A run that is in a step without a look at its progress must not leave its drafts behind.
    hedgerow::io::abandon();
    served?;
    Ok(Verdict::Fine)
}

/// The start folder, and the file to open relative to it.
fn places(args: &StudioArgs) -> Result<(PathBuf, Option<PathBuf>)> {
    let here = std::env::current_dir().context("the working directory cannot be found")?;
    let Some(table) = &args.table else {
        return Ok((args.folder.clone().unwrap_or(here), None));
    };
    let found = table.canonicalize().with_context(|| format!("cannot open {}", table.display()))?;
    let parent = found.parent().unwrap_or(Path::new("/")).to_owned();
    let folder = match &args.folder {
        Some(folder) => {
            folder.canonicalize().with_context(|| format!("cannot open {}", folder.display()))?
        }
        None => here.canonicalize().ok().filter(|here| found.starts_with(here)).unwrap_or(parent),
    };
    let relative = found.strip_prefix(&folder).map(Path::to_owned).with_context(|| {
        format!("{} is not below {}; name another --folder", table.display(), folder.display())
    })?;
    Ok((folder, Some(relative)))
}

/// Opens the address in a browser. Without one, the address was printed.
fn show(url: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let mut command = std::process::Command::new(program);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if command.spawn().is_err() {
        console::note("no browser was found; open the address yourself");
    }
}

/// Reports where a fault happened, but not its text, which can contain values of the table.
fn without_values_in_panics() {
    std::panic::set_hook(Box::new(|panic| {
        if hedgerow::io::is_guarded() {
            return;
        }
        let place = panic.location().map_or_else(String::new, |at| format!(" at {at}"));
        console::note(&format!("a fault of hedgerow{place}; the studio goes on"));
    }));
}
