//! The formats of Microsoft Outlook. They store a message as a list of properties, so there is no
//! text with a header and parts. An [`Item`] is such a message, converted to the fields and texts
//! of mail.

mod code_page;
mod item;
#[cfg(feature = "msg")]
pub(crate) mod msg;
mod properties;
mod rtf;
pub(crate) mod tnef;

pub(crate) use self::item::{Attached, Attachment, Item};
