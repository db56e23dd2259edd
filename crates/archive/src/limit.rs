//! The limits on the input that is unpacked, and counts of how often each was reached.

use crate::unpack::{Refusal, Trouble};
use core::ops::AddAssign;
use std::io;

/// A limit on the input. Data beyond the limit is not unpacked or not read. If there is no option
/// or setting to raise a limit, split or unpack the input first.
///
/// ```
/// use urlsift_archive::Limit;
/// assert_eq!(Limit::Nesting.name(), "nesting");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// Parts or messages nest deeper than [`Options::max_depth`](crate::Options::max_depth). The
    /// inner ones are scanned as raw text.
    Nesting,
    /// A message has more parts than [`Options::max_parts`](crate::Options::max_parts). The others
    /// are scanned as raw text.
    Parts,
    /// A message or text is longer than [`Options::max_message`](crate::Options::max_message), or
    /// too long to be read in pieces. It is scanned as raw text.
    Length,
    /// A header is longer than 1 MiB. The rest is scanned as the start of the body.
    Header,
    /// A page of a web archive is chunked or compressed, and unpacks to more than the limit. The
    /// rest is not read.
    Page,
    /// A URL is longer than 65,536 bytes. Its start is reported.
    Url,
    /// Compression or archives are nested too deep. The inner ones are not unpacked.
    Packing,
    /// A compressed file expands too far. The rest is not read.
    Expansion,
    /// A compressed file needs too large a window. It is not unpacked.
    Window,
    /// A file in a packed format, such as TNEF, is damaged or encrypted. It is scanned as it is.
    Format,
    /// The counts would take too much memory. The URLs of groups that come later are not counted.
    Groups,
    /// The URLs or messages to compare with would take too much memory. Later ones are not
    /// recognized when they occur again.
    Unique,
}

impl Limit {
    /// All limits, in the order of their declaration.
    pub const ALL: [Self; 12] = [
        Self::Nesting,
        Self::Parts,
        Self::Length,
        Self::Header,
        Self::Page,
        Self::Url,
        Self::Packing,
        Self::Expansion,
        Self::Window,
        Self::Format,
        Self::Groups,
        Self::Unique,
    ];

    /// Returns the limit's stable name, as used in the summary of a scan.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nesting => "nesting",
            Self::Parts => "parts",
            Self::Length => "length",
            Self::Header => "header",
            Self::Page => "page",
            Self::Url => "url",
            Self::Packing => "packing",
            Self::Expansion => "expansion",
            Self::Window => "window",
            Self::Format => "format",
            Self::Groups => "groups",
            Self::Unique => "unique",
        }
    }

    /// Returns the limit that caused an I/O error, or `None` if the error has another cause.
    pub fn from_error(error: &io::Error) -> Option<Self> {
        match Refusal::from_error(error)? {
            Refusal::TooBig(_) => Some(Self::Expansion),
            Refusal::TooWide(_) => Some(Self::Window),
            Refusal::TooDeep(_) => Some(Self::Packing),
            _ => None,
        }
    }

    /// Returns the limit that caused a problem with an archive, or `None` if the problem has
    /// another cause.
    pub fn from_trouble(trouble: &Trouble) -> Option<Self> {
        match trouble {
            Trouble::Read(error) => Self::from_error(error),
            Trouble::TooDeep(_) => Some(Self::Packing),
            Trouble::TooLong { .. } => Some(Self::Length),
            _ => None,
        }
    }
}

/// The number of times that each limit was reached.
///
/// ```
/// use urlsift_archive::{Limit, LimitCounts};
/// let mut counts = LimitCounts::default();
/// counts.add(Limit::Parts, 2);
/// counts += counts;
/// assert_eq!(counts.get(Limit::Parts), 4);
/// assert_eq!(counts.reached_limits().collect::<Vec<_>>(), [(Limit::Parts, 4)]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LimitCounts([u64; Limit::ALL.len()]);

impl LimitCounts {
    /// Records that a limit was reached `times` times.
    pub fn add(&mut self, limit: Limit, times: u64) {
        if let Some(count) = self.0.get_mut(limit as usize) {
            *count += times;
        }
    }

    /// Returns how often a limit was reached.
    pub fn get(&self, limit: Limit) -> u64 {
        self.0.get(limit as usize).copied().unwrap_or(0)
    }

    /// Returns the limits that were reached, each with its count.
    pub fn reached_limits(&self) -> impl Iterator<Item = (Limit, u64)> + use<> {
        let counts = *self;
        Limit::ALL.into_iter().map(move |it| (it, counts.get(it))).filter(|&(_, count)| count > 0)
    }
}

impl AddAssign for LimitCounts {
    fn add_assign(&mut self, other: Self) {
        for (sum, count) in self.0.iter_mut().zip(other.0) {
            *sum += count;
        }
    }
}
