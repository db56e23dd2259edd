//! The form of a URL to compare by.

use crate::Url;
use alloc::borrow::Cow;

/// The form of a URL to compare by; never for printing.
pub fn normalize<'u>(url: &Url<'u>) -> Cow<'u, [u8]> {
    Cow::Borrowed(url.text)
}
