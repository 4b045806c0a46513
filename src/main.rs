//! The `amazons` command: hands over to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    amazons::main()
}
