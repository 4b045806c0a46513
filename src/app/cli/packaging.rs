//! `amazons completions` and `amazons man`: what a package installs beside the program, made from
//! the definitions of its commands, so that they cannot say anything else than `--help`.

use std::path::{Path, PathBuf};

use clap::Command;
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::context::{Context, Failure, OrFail};
use super::files::output;
use crate::machine::shown::Shown as _;

/// Print the completions of a shell: amazons completions bash >
/// /usr/share/bash-completion/completions/amazons
#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Write the manual pages into a directory
#[derive(Debug, clap::Args)]
pub(super) struct ManArgs {
    /// Where they go, as amazons.1 and amazons-COMMAND.1; made if it is not there
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

const NAME: &str = "amazons";

pub(super) fn completions(
    args: &CompletionsArgs,
    mut command: Command,
    context: &Context,
) -> Result<(), Failure> {
    let mut script = Vec::new();
    generate(args.shell, &mut command, NAME, &mut script);
    context.print(String::from_utf8_lossy(&script).trim_end())
}

pub(super) fn man(args: &ManArgs, command: Command, context: &Context) -> Result<(), Failure> {
    let directory = &args.directory;
    output::create_directory(directory)?;
    // `help` is no command of its own; building gives every command its full name and the common
    // options.
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    write_pages(directory, NAME, &command, &mut pages)?;
    context.remark(format_args!("wrote {} pages into {}", pages.len(), directory.shown()));
    Ok(())
}

/// Writes the page of a command and those of its subcommands.
fn write_pages(
    directory: &Path,
    name: &str,
    command: &Command,
    pages: &mut Vec<PathBuf>,
) -> Result<(), Failure> {
    pages.push(write_page(directory, name, command)?);
    let subcommands = command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set());
    for subcommand in subcommands {
        write_pages(directory, &format!("{name}-{}", subcommand.get_name()), subcommand, pages)?;
    }
    Ok(())
}

fn write_page(directory: &Path, name: &str, command: &Command) -> Result<PathBuf, Failure> {
    let path = directory.join(format!("{name}.1"));
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page).or_failed()?;
    output::write(&path, &page)?;
    Ok(path)
}
