//! Hashes senders' addresses, so that records can identify senders without naming them.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use std::sync::Mutex;
use urlsift_archive::Provenance;
use urlsift_core::Span;

/// The key for hashing senders if none is given. It is public, so anyone can check whether a hash
/// belongs to an address they guess.
pub const PUBLIC_KEY: &[u8] = b"urlsift from_hash 1";

/// The number of senders that each thread caches.
const CACHE_LEN: usize = 1 << CACHE_BITS;
const CACHE_BITS: u32 = 10;
/// The maximum number of bytes of a `From` field that is cached.
const MAX_CACHED_LEN: usize = 256;

/// A keyed hash function for the addresses of senders.
#[derive(Debug)]
pub(crate) struct SenderHasher {
    /// An HMAC that has processed the key. Cloning it saves half of the work for an address.
    keyed: Option<Hmac<Sha256>>,
    /// The caches of finished scans, for reuse by later scans.
    memories: Mutex<Vec<Box<[CachedSender]>>>,
}

impl SenderHasher {
    pub(crate) fn new(key: &[u8]) -> Self {
        // HMAC accepts keys of any length.
        Self { keyed: Hmac::new_from_slice(key).ok(), memories: Mutex::default() }
    }

    /// Returns the hash of the address `local@domain` in lower case: the first 16 hexadecimal
    /// digits of its HMAC-SHA-256.
    fn hash_address(&self, (local, domain): (&[u8], &[u8])) -> Hash {
        let mut hash = Hash::default();
        let Some(mut mac) = self.keyed.clone() else { return hash };
        for piece in [local, b"@", domain].into_iter().flat_map(|part| part.chunks(64)) {
            let mut lower = [0; 64];
            let lower = &mut lower[..piece.len()];
            lower.copy_from_slice(piece);
            lower.make_ascii_lowercase();
            mac.update(lower);
        }
        let digest = mac.finalize().into_bytes();
        for (digits, byte) in hash.0.as_chunks_mut().0.iter_mut().zip(digest) {
            *digits = [byte >> 4, byte & 15].map(|digit| b"0123456789abcdef"[usize::from(digit)]);
        }
        hash
    }
}

/// The hash of a sender's address, as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hash([u8; 16]);

impl Default for Hash {
    fn default() -> Self {
        Self([b'0'; 16])
    }
}

impl Hash {
    /// Returns the hash as a string of hexadecimal digits.
    pub(crate) fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// A cache of senders, by the value of the `From` field. Most archives are mailing lists with few
/// authors, so that the same fields recur.
#[derive(Debug)]
pub(crate) struct Senders<'s> {
    hasher: &'s SenderHasher,
    /// The cached senders, each in the slot computed from its `From` field. Empty until the first
    /// lookup.
    known: Box<[CachedSender]>,
}

/// An entry of the cache: a `From` field, and the sender parsed from it.
#[derive(Clone, Debug, Default)]
struct CachedSender {
    /// The `From` field as written.
    from: Vec<u8>,
    /// The span of the domain in `from`, and the sender's hash. `None` if the field contains no
    /// address.
    sender: Option<(Span, Hash)>,
}

impl<'s> Senders<'s> {
    pub(crate) fn new(hasher: &'s SenderHasher) -> Self {
        Self { hasher, known: Box::default() }
    }

    /// Returns the domain of the sender's address, and the hash of the address. Returns `None` if
    /// the header contains no address.
    pub(crate) fn domain_and_hash<'h>(
        &mut self,
        header: &Provenance<'h>,
    ) -> Option<(&'h [u8], Hash)> {
        let from = header.raw_from()?;
        if from.len() > MAX_CACHED_LEN {
            return header
                .from_address()
                .map(|address| (address.1, self.hasher.hash_address(address)));
        }
        if self.known.is_empty() {
            let memory = self.hasher.memories.lock().ok().and_then(|mut memories| memories.pop());
            self.known = memory.unwrap_or_else(|| vec![CachedSender::default(); CACHE_LEN].into());
        }
        let known = &mut self.known[cache_slot(from)];
        if known.from != from {
            from.clone_into(&mut known.from);
            known.sender = header.from_address().map(|address| {
                let start = address.1.as_ptr().addr() - from.as_ptr().addr();
                (Span::new(start, start + address.1.len()), self.hasher.hash_address(address))
            });
        }
        let (domain, hash) = known.sender?;
        Some((from.get(domain.range())?, hash))
    }
}

impl Drop for Senders<'_> {
    fn drop(&mut self) {
        if !self.known.is_empty()
            && let Ok(mut memories) = self.hasher.memories.lock()
        {
            memories.push(std::mem::take(&mut self.known));
        }
    }
}

/// Returns the index of the cache slot for a `From` field. It depends only on the first and last
/// eight bytes of the field.
fn cache_slot(from: &[u8]) -> usize {
    let word = |bytes: Option<&[u8; 8]>| bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let both = word(from.first_chunk()).rotate_left(7) ^ word(from.last_chunk());
    let hash = both.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - CACHE_BITS);
    usize::try_from(hash).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Hash, SenderHasher};
    use crate::{FileName, Options, Unit, With, collect_records};
    use std::sync::Arc;
    use urlsift_archive::Reading;

    #[test]
    fn addresses_in_any_case() {
        let hash =
            |key: &[u8], local: &[u8]| SenderHasher::new(key).hash_address((local, b"Host.dom"));
        let digits = |hash: &Hash| hash.as_str().to_owned();
        assert_eq!(digits(&hash(b"key", b"Joe")), "9733f6112abf6014");
        assert_ne!(digits(&hash(b"yek", b"joe")), "9733f6112abf6014");
        // By Python's `hmac`.
        assert_eq!(digits(&hash(&[b'k'; 64], b"joe")), "996f64550f18f326");
        assert_eq!(digits(&hash(&[b'k'; 65], b"joe")), "5090deb81318dc50");
    }

    #[test]
    fn cached_senders_are_not_confused() {
        let with = vec![With::FromDomain, With::FromHash];
        let options = Options { with, ..Options::default() };
        let senders = |froms: &[String]| {
            let message =
                |from| ["From x Thu Dec  1 10:00:00 1994\n", from, "\n\nhttp://h.dom/\n\n"];
            let text: String = froms.iter().flat_map(|from| message(from.as_str())).collect();
            let file = Arc::new(FileName::default());
            let unit = Unit::whole_file(&file, text.as_bytes(), Reading::Auto);
            let records = collect_records(text.as_bytes(), &unit, &options);
            let told = records.iter().map(|record| {
                let message = record.message.as_deref().unwrap();
                (message.from_domain.clone(), message.from_hash.clone())
            });
            told.collect::<Vec<_>>()
        };
        let long = "x".repeat(300);
        let mut all = Vec::new();
        for n in [1, 2, 1, 1, 3, 2, 9, 1] {
            // These fields start and end alike.
            all.push(format!("From: Joe Doe the {n}. <joe{n}@host{n}.dom>"));
            all.push(format!("From: {long}{n} <joe{n}@host.dom>"));
            all.push("From:".to_owned());
            all.push(format!("From: {n}"));
            all.push(format!("X: {n}"));
        }
        let alone: Vec<_> =
            all.iter().flat_map(|from| senders(std::slice::from_ref(from))).collect();
        assert_eq!(senders(&all), alone);
        assert!(alone[0].1.is_some() && alone[0] != alone[5] && alone[2] == (None, None));
    }
}
