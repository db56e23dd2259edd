//! How the command ends: one enum, one rule for merging.

use std::process::ExitCode;

/// The end of a run. The codes are a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Something was found; for `parse`: everything is valid; for `lint`: nothing to complain of.
    Success,
    /// Nothing was found; for `parse`: something is invalid; for `lint`: something to complain of.
    Nothing,
    /// Something went wrong, though other files may have gone well.
    Trouble,
    /// Ended by a signal, which is its number.
    Signal(u8),
}

impl Exit {
    /// The exit of two runs taken together: the graver one.
    pub(crate) fn and(self, other: Self) -> Self {
        self.max(other)
    }

    /// The end of a run that a signal's number stops; 0 is none.
    pub(crate) fn by_signal(number: usize) -> Self {
        match u8::try_from(number) {
            Ok(0) | Err(_) => Self::Success,
            Ok(number) => Self::Signal(number),
        }
    }

    /// The number the shell sees: 128 and the signal's number for signals, as shells do it.
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
    fn the_graver_end_wins() {
        assert_eq!(Exit::Success.and(Exit::Trouble), Exit::Trouble);
        assert_eq!(Exit::Trouble.and(Exit::Nothing), Exit::Trouble);
        assert_eq!(Exit::Signal(2).and(Exit::Trouble).code(), 130);
        assert_eq!(Exit::Signal(15).code(), 143);
    }
}
