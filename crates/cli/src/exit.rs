//! The exit status of the command.

use std::process::ExitCode;

/// The outcome of a run, from which the exit status is derived. If a run has several outcomes, the
/// last of them in this list counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// `scan` found a URL, all URLs given to `parse` are valid, or `lint` reported nothing.
    Success,
    /// `scan` found no URL, a URL given to `parse` is invalid, or `lint` reported something.
    Nothing,
    /// An error occurred. Other files may have been processed.
    Trouble,
    /// The signal with this number ended the program.
    Signal(u8),
}

impl Exit {
    /// Returns the more severe of two outcomes.
    pub(crate) fn more_severe(self, other: Self) -> Self {
        self.max(other)
    }

    /// Returns the outcome of a run that was stopped by the signal `number`. If `number` is 0,
    /// there was no signal, and the outcome is `Success`.
    pub(crate) fn from_signal(number: usize) -> Self {
        match u8::try_from(number) {
            Ok(0) | Err(_) => Self::Success,
            Ok(number) => Self::Signal(number),
        }
    }

    /// Returns the exit status of the process: 0, 1, 2, or 128 plus the number of the signal, as in
    /// shells.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Nothing => 1,
            Self::Trouble => 2,
            Self::Signal(number) => 128 | number,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn more_severe_outcome_wins() {
        assert_eq!(Exit::Success.more_severe(Exit::Trouble), Exit::Trouble);
        assert_eq!(Exit::Trouble.more_severe(Exit::Nothing), Exit::Trouble);
        assert_eq!(Exit::Signal(2).more_severe(Exit::Trouble).code(), 130);
        assert_eq!(Exit::Signal(15).code(), 143);
    }
}
