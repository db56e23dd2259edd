//! The name of a file, as its records have it.

use super::json;
use std::sync::OnceLock;

/// The name of the file that records come from, in the shapes that the formats want. Each is made
/// once a file, so that its records only copy.
#[derive(Debug, Default)]
pub(crate) struct FileName {
    /// The path as the system gives it.
    pub(crate) path: Vec<u8>,
    /// The member of the archive, where the file is one; several, joined by `!/`, where archives
    /// lie in archives.
    pub(crate) member: Option<Vec<u8>>,
    /// How a record starts; made when the first one is wanted.
    json: OnceLock<Head>,
}

/// The start of a record.
#[derive(Debug)]
pub(super) struct Head {
    /// With zeros behind it: see [`Brief`](super::brief::Brief).
    padded: Vec<[u8; 64]>,
    len: usize,
}

impl Head {
    fn new(mut bytes: Vec<u8>) -> Self {
        let len = bytes.len();
        bytes.resize(len.next_multiple_of(64), 0);
        Self { padded: bytes.as_chunks().0.to_vec(), len }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The same, and perhaps zeros behind it.
    #[inline]
    pub(super) fn padded(&self) -> &[[u8; 64]] {
        &self.padded
    }

    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.padded.as_flattened()[..self.len]
    }
}

/// What stands before the file's name in a record, and behind it.
pub(super) const TYPE: &[u8] = b"{\"type\":\"url\"";
const URL: &[u8] = b",\"url\":\"";

impl FileName {
    pub(crate) fn new(path: Vec<u8>, member: Option<Vec<u8>>) -> Self {
        Self { path, member, json: OnceLock::new() }
    }

    /// How the record of a URL starts: `{"type":"url","path":"...","member":"...","url":"`.
    #[inline]
    pub(super) fn json_head(&self) -> &Head {
        self.json.get_or_init(|| {
            let mut head = Vec::with_capacity(self.path.len() + 48);
            head.extend_from_slice(TYPE);
            json::field(&mut head, "path", &self.path);
            if let Some(member) = &self.member {
                json::field(&mut head, "member", member);
            }
            head.extend_from_slice(URL);
            Head::new(head)
        })
    }

    /// The keys that name the file, as `,"path":"..."`.
    pub(super) fn json(&self) -> &[u8] {
        let head = self.json_head().bytes();
        head.get(TYPE.len()..head.len() - URL.len()).unwrap_or_default()
    }
}
