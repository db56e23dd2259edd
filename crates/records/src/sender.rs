//! Senders told apart without their names.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// The key where none is given. Everybody knows it: who guesses an address can tell that it is the one.
pub const PUBLIC_KEY: &[u8] = b"urlsift from_hash 1";

/// The first 16 hexadecimal digits of the HMAC-SHA-256, under `key`, of the address `local@domain` in lower case.
pub(crate) fn hash(key: &[u8], (local, domain): (&[u8], &[u8])) -> String {
    let address = [local, b"@", domain].concat().to_ascii_lowercase();
    // HMAC takes a key of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return String::new() };
    mac.update(&address);
    data_encoding::HEXLOWER.encode(&mac.finalize().into_bytes()[..8])
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn addresses_in_any_case() {
        assert_eq!(hash(b"key", (b"Joe", b"Host.dom")), "9733f6112abf6014");
        assert_ne!(hash(b"yek", (b"joe", b"host.dom")), "9733f6112abf6014");
    }
}
