//! Arguments of `studio`.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct StudioArgs {
    /// A table or a job file to open
    #[arg(value_name = "TABLE|JOB.toml")]
    pub(crate) table: Option<PathBuf>,

    /// Folder that tables are opened in and outputs are written to; the working directory, or that of
    /// the table if it is elsewhere
    #[arg(long, value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,

    /// Port on 127.0.0.1; 0 chooses a free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,

    /// Only prints the address instead of opening it in a browser
    #[arg(long)]
    pub(crate) no_open: bool,

    /// Number of threads; all processors by default
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,

    /// Reads the files of the page from this folder instead of the binary, while developing it
    #[arg(long, value_name = "DIR", hide = true)]
    pub(crate) assets: Option<PathBuf>,
}
