//! Distinguishes host names from IP addresses.

use core::fmt;
use core::net::{Ipv4Addr, Ipv6Addr};

/// The host of a URL: a name, an IP address, or other text in brackets. See
/// [`Url::typed_host`](crate::Url::typed_host).
///
/// ```
/// use urlsift_core::Host;
/// assert_eq!(Host::classify(b"127.0.0.1"), Host::Ipv4([127, 0, 0, 1].into()));
/// assert_eq!(Host::classify(b"[::1]").to_string(), "[::1]");
/// assert_eq!(Host::classify(b"h.dom"), Host::Name(b"h.dom"));
/// // Not an address, because a number is above 255, so it is looked up as a name.
/// assert_eq!(Host::classify(b"127.0.0.256"), Host::Name(b"127.0.0.256"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Host<'u> {
    /// A host name as written; may be empty.
    Name(&'u [u8]),
    /// An IPv4 address, written as four decimal numbers.
    Ipv4(Ipv4Addr),
    /// An IPv6 address, written in brackets.
    Ipv6(Ipv6Addr),
    /// Other text in brackets, as written, including the brackets: an address of a future IP
    /// version, or an IPv6 address with a zone.
    Literal(&'u [u8]),
}

impl<'u> Host<'u> {
    /// Determines whether `host` is a name or an IP address. It must be written as in a URL, i.e.
    /// an IP literal includes its brackets.
    pub fn classify(host: &'u [u8]) -> Self {
        let text = core::str::from_utf8(host).unwrap_or_default();
        if let Some(literal) = text.strip_prefix('[') {
            let address = literal.strip_suffix(']').and_then(|address| address.parse().ok());
            return address.map_or(Self::Literal(host), Self::Ipv6);
        }
        text.parse().map_or(Self::Name(host), Self::Ipv4)
    }
}

impl fmt::Display for Host<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(text) | Self::Literal(text) => text.utf8_chunks().try_for_each(|chunk| {
                f.write_str(chunk.valid())?;
                f.write_str(if chunk.invalid().is_empty() { "" } else { "\u{fffd}" })
            }),
            Self::Ipv4(address) => address.fmt(f),
            Self::Ipv6(address) => write!(f, "[{address}]"),
        }
    }
}
