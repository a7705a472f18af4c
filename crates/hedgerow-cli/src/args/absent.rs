//! The arguments of a command that this build lacks: any, so that it can say so.

use std::ffi::OsString;

#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct AbsentArgs {
    /// Whatever is given
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _given: Vec<OsString>,
}
