//! The severity of violations and findings.

/// The severity of a [`Report`](crate::Report).
///
/// ```
/// use urlsift_core::Level;
/// assert!(Level::Info < Level::Error);
/// assert_eq!("warning".parse(), Ok(Level::Warning));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Worth knowing, but not a problem.
    Info,
    /// Valid, but doubtful or against a recommendation of a standard.
    Warning,
    /// A violation: the URL is invalid in the profile.
    Error,
}

impl Level {
    /// Every level, least severe first.
    pub const ALL: [Self; 3] = [Self::Info, Self::Warning, Self::Error];

    /// Returns the stable name: `info`, `warning` or `error`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

crate::named::by_name!(Level);
