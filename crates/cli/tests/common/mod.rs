//! Helpers that the tests of the command share.

use std::io::{self, Write as _};
use std::process::{Command, Output, Stdio};

/// Runs `command` with these bytes on its standard input, and collects what it prints.
///
/// # Errors
///
/// It cannot be started.
pub(crate) fn output_of(command: &mut Command, stdin: &[u8]) -> io::Result<Output> {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn()?;
    let mut input = child.stdin.take().expect("it is piped");
    std::thread::scope(|scope| {
        // It may end before it has read all, and print before it has.
        scope.spawn(move || input.write_all(stdin));
        child.wait_with_output()
    })
}
