//! The `amazons` command: hands over to the library, see [`amazons::app::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    amazons::app::cli::main()
}
