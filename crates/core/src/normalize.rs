//! The form of a URL to compare by.

use crate::bytes::{self, ALPHA, DIGIT, HOSTNAME, MENDABLE, Set, UCHAR, UNRESERVED};
use crate::parts::NONE;
use crate::scheme::{NormalPath, Scheme};
use crate::schemes::ftp;
use crate::{Profile, Url, escape};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// The form of a URL to compare by; never for printing.
///
/// Two URLs with the same form mean the same. Scheme and host are in lower case, a default or empty
/// port is gone, escapes have upper-case digits, and what need not be escaped in the URL's profile
/// is not. What profile `web` takes as if it were escaped, is. Reserved characters stay as they
/// are, escaped or not, and so do empty parts and dot segments: `ftp://h/%2Fetc/motd` is another
/// file than `ftp://h/etc/motd`.
///
/// Linear; allocates only when the form differs from the URL as written.
///
/// # Example
///
/// ```
/// use urlsift_core::{Profile, normalize, parse};
/// let form = |text| normalize(&parse(text, Profile::Web).unwrap()).into_owned();
/// assert_eq!(form(b"HTTP://Host.Dom:80/%7ejoe"), b"http://host.dom/~joe");
/// assert_eq!(form(b"http://host.dom"), form(b"http://host.dom/"));
/// assert_ne!(form(b"http://host.dom/a%2Fb"), form(b"http://host.dom/a/b"));
/// ```
pub fn normalize<'u>(url: &Url<'u>) -> Cow<'u, [u8]> {
    if url.profile == Profile::Cern1994 {
        return Cow::Borrowed(url.text);
    }
    let mut form = Form {
        out: Vec::with_capacity(url.text.len() + 1),
        bare: match (url.is_modern(), url.by_rfc1738()) {
            (false, _) => UCHAR,
            (true, false) if url.parts.scheme != Scheme::Nntp => UNRESERVED,
            // Nearly all that both grammars let stand; a newsgroup's name has no more.
            (true, _) => HOSTNAME,
        },
        mend: url.profile == Profile::Web,
    };
    form.out.extend(url.text[..url.parts.colon].iter().map(u8::to_ascii_lowercase));
    form.out.push(b':');
    if url.parts.authority != NONE {
        form.authority(url);
    }
    form.tail(url);
    if let Some(fragment) = url.fragment() {
        form.out.push(b'#');
        form.part(fragment, form.bare);
    }
    if form.out == url.text { Cow::Borrowed(url.text) } else { Cow::Owned(form.out) }
}

struct Form {
    out: Vec<u8>,
    /// The characters that are not escaped in this form.
    bare: Set,
    /// Whether the repairs of profile `web` are made.
    mend: bool,
}

impl Form {
    fn authority(&mut self, url: &Url<'_>) {
        self.out.extend(b"//");
        if url.parts.at_sign != NONE {
            self.part(&url.text[url.parts.authority..url.parts.at_sign], self.bare);
            self.out.push(b'@');
        }
        let host = self.out.len();
        // An escaped hyphen or dot stays one: it is no label's end, nor between two.
        self.part(url.host().unwrap_or_default(), ALPHA | DIGIT);
        self.lower_case(host);
        let port = url.port().unwrap_or_default();
        let zeros = port.iter().take_while(|&&b| b == b'0').count();
        let port = &port[zeros.min(port.len().saturating_sub(1))..];
        if !port.is_empty() && url.effective_port() != url.parts.scheme.default_port()
            || url.parts.scheme.default_port().is_none() && !port.is_empty()
        {
            self.out.push(b':');
            self.out.extend(port);
        }
    }

    /// All letters from `start` on, but for the digits of escapes.
    fn lower_case(&mut self, start: usize) {
        let mut at = start;
        while at < self.out.len() {
            if self.out[at] == b'%' {
                at += 3;
            } else {
                self.out[at].make_ascii_lowercase();
                at += 1;
            }
        }
    }

    fn tail(&mut self, url: &Url<'_>) {
        let tail = url.tail();
        let slash = match url.parts.scheme.normal_path() {
            NormalPath::Rooted => !tail.starts_with(b"/"),
            NormalPath::SlashForNothing => tail.is_empty(),
            NormalPath::AsWritten => false,
        };
        if slash {
            self.out.push(b'/');
        }
        let Some(path) = ftp::Path::of(url).filter(|_| url.parts.scheme == Scheme::Ftp) else {
            // `//` without a login behind it must not get one.
            let opaque = url.parts.authority == NONE && tail.starts_with(b"//");
            return self.part(tail, if opaque { 0 } else { self.bare });
        };
        self.out.push(b'/');
        let start = self.out.len();
        self.part(path.whole, self.bare);
        if let Some(code) = path.typecode {
            self.out.extend(ftp::TYPE);
            self.out.extend(code.iter().map(u8::to_ascii_lowercase));
        } else if ftp::split_type(&self.out[start..], self.mend).1.is_some() {
            // What was escaped to be a part of the name must not become a type.
            self.out.truncate(start);
            self.part(path.whole, 0);
        }
    }

    fn part(&mut self, part: &[u8], bare: Set) {
        let mut at = 0;
        while let Some(&byte) = part.get(at) {
            if let Some(octet) = escape::octet(part, at) {
                if bytes::is(octet, bare) {
                    self.out.push(octet);
                } else {
                    self.escaped(octet);
                }
                at += 3;
            } else {
                if self.mend && (byte >= 0x80 || byte == b'%' || bytes::is(byte, MENDABLE)) {
                    self.escaped(byte);
                } else {
                    self.out.push(byte);
                }
                at += 1;
            }
        }
    }

    fn escaped(&mut self, octet: u8) {
        let digit = |n: u8| b"0123456789ABCDEF"[usize::from(n & 15)];
        self.out.extend([b'%', digit(octet >> 4), digit(octet)]);
    }
}
