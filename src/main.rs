//! The `amazons` command: hands over to the library, see [`amazons::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    amazons::cli::main()
}
