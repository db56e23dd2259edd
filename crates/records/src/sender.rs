//! Senders told apart without their names.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// The key where none is given. Everybody knows it: who guesses an address can tell that it is the one.
pub const PUBLIC_KEY: &[u8] = b"urlsift from_hash 1";

/// Hashes senders under one key.
#[derive(Clone, Debug)]
pub(crate) struct SenderHasher {
    /// It has read the key, which is half of the work for an address.
    keyed: Option<Hmac<Sha256>>,
}

impl SenderHasher {
    pub(crate) fn new(key: &[u8]) -> Self {
        // HMAC takes a key of any length.
        Self { keyed: Hmac::new_from_slice(key).ok() }
    }

    /// Makes `hash` the first 16 hexadecimal digits of the HMAC-SHA-256 of the address `local@domain` in lower case.
    pub(crate) fn hash(&self, (local, domain): (&[u8], &[u8]), hash: &mut String) {
        hash.clear();
        let Some(mut mac) = self.keyed.clone() else { return };
        // Every message has a sender: no memory is asked for.
        for piece in [local, b"@", domain].into_iter().flat_map(|part| part.chunks(64)) {
            let mut lower = [0; 64];
            let lower = &mut lower[..piece.len()];
            lower.copy_from_slice(piece);
            lower.make_ascii_lowercase();
            mac.update(lower);
        }
        let digest = mac.finalize().into_bytes();
        let digits = digest[..8].iter().flat_map(|byte| [byte >> 4, byte & 15]);
        hash.extend(digits.map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)])));
    }
}

#[cfg(test)]
mod tests {
    use super::SenderHasher;

    #[test]
    fn addresses_in_any_case() {
        let hash = |key: &[u8], local: &[u8]| {
            let mut hash = String::from("what was there");
            SenderHasher::new(key).hash((local, b"Host.dom"), &mut hash);
            hash
        };
        assert_eq!(hash(b"key", b"Joe"), "9733f6112abf6014");
        assert_ne!(hash(b"yek", b"joe"), "9733f6112abf6014");
        // By Python's `hmac`.
        assert_eq!(hash(&[b'k'; 64], b"joe"), "996f64550f18f326");
        assert_eq!(hash(&[b'k'; 65], b"joe"), "5090deb81318dc50");
    }
}
