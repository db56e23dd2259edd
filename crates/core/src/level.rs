//! How grave a thing is that can be said against a URL.

use core::fmt;

/// How grave a [`Report`](crate::Report) is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Worth knowing; nothing is wrong.
    Info,
    /// Valid, but doubtful or against a *should*.
    Warning,
    /// A violation: the URL is invalid in the profile.
    Error,
}

impl Level {
    /// The stable name: `info`, `warning` or `error`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
