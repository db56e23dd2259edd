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

    /// The first 16 hexadecimal digits of the HMAC-SHA-256 of the address `local@domain` in lower case.
    pub(crate) fn hash(&self, (local, domain): (&[u8], &[u8])) -> String {
        let mut address = [local, b"@", domain].concat();
        address.make_ascii_lowercase();
        let Some(mut mac) = self.keyed.clone() else { return String::new() };
        mac.update(&address);
        let digit = |number: u8| char::from(b"0123456789abcdef"[usize::from(number)]);
        let mut hash = String::with_capacity(16);
        for byte in &mac.finalize().into_bytes()[..8] {
            hash.extend([digit(byte >> 4), digit(byte & 15)]);
        }
        hash
    }
}

#[cfg(test)]
mod tests {
    use super::SenderHasher;

    #[test]
    fn addresses_in_any_case() {
        let hash = |key: &[u8], local: &[u8]| SenderHasher::new(key).hash((local, b"Host.dom"));
        assert_eq!(hash(b"key", b"Joe"), "9733f6112abf6014");
        assert_ne!(hash(b"yek", b"joe"), "9733f6112abf6014");
        // By Python's `hmac`.
        assert_eq!(hash(&[b'k'; 64], b"joe"), "996f64550f18f326");
        assert_eq!(hash(&[b'k'; 65], b"joe"), "5090deb81318dc50");
    }
}
