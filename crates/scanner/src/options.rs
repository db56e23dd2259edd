//! The settings of a scanner.

use urlsift_core::Profile;

/// The amount of evidence that the scanner needs to join a bare URL over a line break.
///
/// White space ends a bare URL, but programs break long URLs anyway. A wrong join destroys a good
/// URL, so the scanner joins only on evidence, from at most 64 KiB of text on either side of the
/// break. It never joins over an empty line.
///
/// ```
/// use urlsift_scanner::{Rejoin, Scanner};
///
/// let text = b"The minutes of May are kept at\n\
///     http://archive.example.org/committees/standards/minutes/1996/\n\
///     may-final.html\n\
///     Look at http://archive.example.org/committees/\n\
///     before you ask.";
/// let scanner = Scanner::builder().rejoin(Rejoin::Likely).build();
/// let urls: Vec<_> = scanner.find_iter(text).map(|found| found.url()).collect();
/// assert_eq!(&*urls[0], b"http://archive.example.org/committees/standards/minutes/1996/may-final.html");
/// assert_eq!(&*urls[1], b"http://archive.example.org/committees/");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rejoin {
    /// Never joins.
    Off,
    /// Joins only where the format or the text itself proves that the URL continues: at a soft
    /// break of `format=flowed` with `DelSp` (RFC 3676), or where the joined URL occurs unbroken
    /// nearby. Real mail has few such breaks. Use this level if you must be able to justify each
    /// join.
    Certain,
    /// Also joins where the evidence for it outweighs the evidence against it.
    ///
    /// Evidence for a join:
    ///
    /// - The line ends in a byte such as `-` or `=`, or reaches the margin.
    /// - A bracket that opened before the URL closes right after the token on the next line.
    /// - The token is alone on its line, ends in a file name extension, or has the characters of a
    ///   path or a query.
    ///
    /// Evidence against it:
    ///
    /// - The next line is prose, a list item, a header, a number, a name, or the end of a comment.
    /// - The URL looks complete, or its line had space for the token.
    ///
    /// The weights are learned from labeled breaks.
    #[default]
    Likely,
}

impl Rejoin {
    /// All levels, from the fewest joins to the most.
    pub const ALL: [Self; 3] = [Self::Off, Self::Certain, Self::Likely];

    /// Returns the stable name, as used on the command line and in settings: `off`, `certain` or
    /// `likely`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Certain => "certain",
            Self::Likely => "likely",
        }
    }
}

urlsift_core::by_name!(Rejoin);

/// The implementation that scans the text; see [`Builder::engine`](crate::Builder::engine). All
/// engines find the same matches: the tests compare them.
///
/// ```
/// use urlsift_scanner::Engine;
/// assert_eq!(Engine::all()[0], Engine::Reference);
/// assert_eq!(Engine::all().last(), Some(&Engine::default()), "the fastest");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// The reference implementation: every colon of the text goes to the general readers, with no
    /// fast path and no prefilter. All other engines must give its results.
    Reference,
    /// The fast path without the vector instructions of any architecture.
    Portable,
    /// The fast path with AVX2. The same as [`Engine::Portable`] on machines without AVX2.
    Avx2,
}

impl Engine {
    /// Returns the engines that this machine supports, from the slowest to the fastest.
    pub fn all() -> &'static [Self] {
        let all = &[Self::Reference, Self::Portable, Self::Avx2];
        #[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
        if is_x86_feature_detected!("avx2") {
            return all;
        }
        &all[..2]
    }
}

impl Default for Engine {
    /// Returns the fastest engine that this machine supports.
    fn default() -> Self {
        Self::all().last().copied().unwrap_or(Self::Portable)
    }
}

/// The settings that a [`Builder`](crate::Builder) collects. The builder's methods describe them.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent setting")]
pub(crate) struct Settings {
    pub(crate) profile: Profile,
    pub(crate) rejoin: Rejoin,
    /// Additional schemes, in lower case.
    pub(crate) schemes: Vec<String>,
    /// The schemes to report, in lower case. Empty if all schemes are reported.
    pub(crate) only_schemes: Vec<String>,
    pub(crate) schemeless: bool,
    pub(crate) locators: bool,
    pub(crate) emails: bool,
    pub(crate) hosts: bool,
    pub(crate) near_misses: bool,
    pub(crate) engine: Engine,
}
