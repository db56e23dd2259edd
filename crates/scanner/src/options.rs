//! What a scanner is told, for readers of every layer.

use urlsift_core::Profile;

/// How far bare URLs are followed over line breaks.
///
/// White space ends a bare URL, but programs break long ones all the same. A wrong join destroys a
/// good URL, so nothing is joined without evidence, all of it from at most 64 KiB of text on either
/// side of the break. It never crosses an empty line.
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
    /// Never.
    Off,
    /// Where the format or the text itself says so: a soft break of `format=flowed` with `DelSp`
    /// (RFC 3676), or the joined URL stands unbroken nearby. In real mail that adds few joins: it is for those who must
    /// be able to show why each was made.
    Certain,
    /// Also where more speaks for it than against it. For it: an end such as `-` or `=`, a line that
    /// reaches the margin, a bracket that opened before the URL and closes right after the token, a
    /// token that is alone on its line, ends in a file's suffix or has the bytes of a path or a query.
    /// Against it: prose, lists, headers, comments that end, numbers and names; a URL that looks
    /// whole; a line that had room for the token. What each of these weighs is learned from judged breaks.
    #[default]
    Likely,
}

impl Rejoin {
    /// All of them, each with the joins of those before it.
    pub const ALL: [Self; 3] = [Self::Off, Self::Certain, Self::Likely];

    /// The stable name, as on the command line and in settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Certain => "certain",
            Self::Likely => "likely",
        }
    }
}

urlsift_core::by_name!(Rejoin);

/// Which code reads a text. What is found never depends on it: the tests hold all engines together.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// The rules themselves: each colon of the text is judged by the general readers, and nothing is
    /// settled beforehand. All other engines must give its results.
    Reference,
    /// The fast path without the vectors of any one architecture.
    Portable,
    /// The fast path with AVX2. Where the machine lacks it this is [`Engine::Portable`].
    Avx2,
}

impl Engine {
    /// Those that this machine has, the fastest last.
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
    /// The fastest that this machine has.
    fn default() -> Self {
        Self::all().last().copied().unwrap_or(Self::Portable)
    }
}

/// All that a scanner is told.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub(crate) struct Settings {
    pub(crate) profile: Profile,
    pub(crate) rejoin: Rejoin,
    /// Further schemes, in lower case.
    pub(crate) schemes: Vec<String>,
    pub(crate) schemeless: bool,
    pub(crate) locators: bool,
    pub(crate) emails: bool,
    pub(crate) hosts: bool,
    pub(crate) near_misses: bool,
    pub(crate) engine: Engine,
}
