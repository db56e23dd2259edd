//! Methods of [`Url`] that return its components and semantics by the rules of its scheme.

use crate::schemes::rules_of;
use crate::value::value_or_null;
use crate::{Fields, Profile, Url};
use alloc::borrow::Cow;

impl<'u> Url<'u> {
    /// Returns the named parts of the URL as written. Each scheme has a fixed list of parts in a
    /// fixed order, and absent parts are [`Value::Null`](crate::Value::Null). Returns `None` in
    /// [`Profile::Cern1994`].
    ///
    /// ```
    /// use urlsift_core::{Profile, Value, parse};
    /// let url = parse(b"wais://host.dom/db?word", Profile::Rfc1738).unwrap();
    /// let components = url.components().unwrap();
    /// let names: Vec<&str> = components.iter().map(|(name, _)| *name).collect();
    /// assert_eq!(names, ["host", "port", "database", "search", "wtype", "wpath"]);
    /// assert_eq!(components[1].1, Value::Null);
    /// ```
    pub fn components(&self) -> Option<Fields<'u>> {
        if self.profile == Profile::Cern1994 {
            return None;
        }
        let mut fields = (rules_of(self.parts.scheme).components)(self);
        if self.reference || self.is_modern() {
            fields.push(("fragment", value_or_null(self.fragment())));
        }
        Some(fields)
    }

    /// Returns fields that describe what the URL means in its scheme, with percent-escapes decoded
    /// once. Examples are the effective port, and the commands that an ftp client would send.
    /// Returns `None` in [`Profile::Cern1994`].
    ///
    /// If decoding would put a line break into a command, the command is
    /// [`Value::Null`](crate::Value::Null), and the field `refused` contains the reason.
    pub fn semantics(&self) -> Option<Fields<'u>> {
        (self.profile != Profile::Cern1994).then(|| (rules_of(self.parts.scheme).semantics)(self))
    }

    /// Returns the normal form: see [`normalize`](crate::normalize()).
    ///
    /// ```
    /// use urlsift_core::{Profile, parse};
    /// let url = parse(b"HTTP://Host.dom", Profile::Web)?;
    /// assert_eq!(&*url.normalized(), b"http://host.dom/");
    /// # Ok::<(), urlsift_core::Violation>(())
    /// ```
    pub fn normalized(&self) -> Cow<'u, [u8]> {
        crate::normalize(self)
    }
}
