//! Functions that several tests of the command use.

use std::io::{self, Write as _};
use std::process::{Command, Output, Stdio};

/// Runs `command` with `stdin` as its standard input, and returns what it prints.
///
/// # Errors
///
/// Fails if the command can't be started.
pub(crate) fn output_of(command: &mut Command, stdin: &[u8]) -> io::Result<Output> {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn()?;
    let mut input = child.stdin.take().expect("it is piped");
    std::thread::scope(|scope| {
        // The command may end before it has read all input, and print before it has.
        scope.spawn(move || input.write_all(stdin));
        child.wait_with_output()
    })
}
