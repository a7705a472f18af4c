//! Arguments of a command that this build leaves out. It accepts any, so that it can explain why it
//! is missing.

use std::ffi::OsString;

#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct AbsentArgs {
    /// All arguments, which are ignored
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _given: Vec<OsString>,
}
