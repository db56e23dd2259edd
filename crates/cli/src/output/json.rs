//! JSON written by hand into a byte buffer: records are the hot part of a dense scan.
//!
//! What is written is byte for byte what `serde_json` writes for the same value (the tests hold
//! the two against each other), but for texts that are not UTF-8, which come lossy with a
//! companion in base64.

use std::borrow::Cow;

/// What stands for a byte inside a JSON string: 0 for itself, `u` for a `\u00XX` escape, else the
/// letter after the backslash.
const ESCAPES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = b'u';
        byte += 1;
    }
    table[0x08] = b'b';
    table[0x09] = b't';
    table[0x0A] = b'n';
    table[0x0C] = b'f';
    table[0x0D] = b'r';
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table
};

/// Writes `text` as a JSON string, lossily where it is not UTF-8. Returns whether it is.
#[inline]
pub(crate) fn string(out: &mut Vec<u8>, text: &[u8]) -> bool {
    if is_plain(text) {
        out.reserve(text.len() + 2);
        out.push(b'"');
        out.extend_from_slice(text);
        out.push(b'"');
        return true;
    }
    odd_string(out, text)
}

/// Whether `text` is ASCII in which nothing is escaped. Looks at eight bytes at a time.
#[inline]
pub(crate) fn is_plain(text: &[u8]) -> bool {
    const fn all(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }
    // Not zero if one of the bytes is odd.
    let odd = |word: &[u8; 8]| {
        let word = u64::from_ne_bytes(*word);
        // What is subtracted or added borrows or carries only beside a byte that is odd itself.
        let below = |word: u64, least: u8| word.wrapping_sub(all(least)) & !word;
        let control = below(word, b' ');
        let quote = below(word ^ all(b'"'), 1);
        let backslash = below(word ^ all(b'\\'), 1);
        (control | quote | backslash | word.wrapping_add(all(1)) | word) & all(0x80)
    };
    // The last eight overlap those before them.
    let Some(last) = text.last_chunk::<8>() else {
        return !text.iter().any(|&byte| ESCAPES[usize::from(byte)] != 0 || byte >= 0x7F);
    };
    text.as_chunks::<8>().0.iter().fold(odd(last), |any, word| any | odd(word)) == 0
}

#[inline(never)]
fn odd_string(out: &mut Vec<u8>, text: &[u8]) -> bool {
    out.push(b'"');
    let lossless = if text.is_ascii() {
        escaped(out, text);
        true
    } else {
        let lossy = String::from_utf8_lossy(text);
        escaped(out, lossy.as_bytes());
        matches!(lossy, Cow::Borrowed(_))
    };
    out.push(b'"');
    lossless
}

fn escaped(out: &mut Vec<u8>, text: &[u8]) {
    let mut rest = text;
    while let Some(at) = rest.iter().position(|&byte| ESCAPES[usize::from(byte)] != 0) {
        let (plain, tail) = rest.split_at(at);
        out.extend_from_slice(plain);
        let byte = tail[0];
        match ESCAPES[usize::from(byte)] {
            b'u' => {
                const HEX: &[u8; 16] = b"0123456789abcdef";
                out.extend_from_slice(b"\\u00");
                out.push(HEX[usize::from(byte >> 4)]);
                out.push(HEX[usize::from(byte & 15)]);
            }
            letter => out.extend_from_slice(&[b'\\', letter]),
        }
        rest = &tail[1..];
    }
    out.extend_from_slice(rest);
}

/// Writes `,"key":"text"`, and `,"key_bytes":"..."` after it where the text is not UTF-8.
pub(crate) fn field(out: &mut Vec<u8>, key: &str, text: &[u8]) {
    name(out, key);
    if !string(out, text) {
        bytes_field(out, key, text);
    }
}

/// Writes `,"key_bytes":"..."`.
pub(crate) fn bytes_field(out: &mut Vec<u8>, key: &str, text: &[u8]) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"_bytes\":\"");
    out.extend_from_slice(base64(text).as_bytes());
    out.push(b'"');
}

/// As [`field`], and `null` where there is no text.
pub(crate) fn optional_field(out: &mut Vec<u8>, key: &str, text: Option<&[u8]>) {
    if let Some(text) = text {
        field(out, key, text);
    } else {
        name(out, key);
        out.extend_from_slice(b"null");
    }
}

/// Writes `,"key":["text",...]`, and `,"key_bytes":[...]` after it where one is not UTF-8.
pub(crate) fn list_field<'t>(
    out: &mut Vec<u8>,
    key: &str,
    texts: impl Iterator<Item = &'t [u8]> + Clone,
) {
    name(out, key);
    out.push(b'[');
    let mut lossless = true;
    for (index, text) in texts.clone().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        lossless &= string(out, text);
    }
    out.push(b']');
    if !lossless {
        out.extend_from_slice(b",\"");
        out.extend_from_slice(key.as_bytes());
        out.extend_from_slice(b"_bytes\":[");
        for (index, text) in texts.enumerate() {
            if index > 0 {
                out.push(b',');
            }
            out.push(b'"');
            out.extend_from_slice(base64(text).as_bytes());
            out.push(b'"');
        }
        out.push(b']');
    }
}

/// Writes `,"key":`.
pub(crate) fn name(out: &mut Vec<u8>, key: &str) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":");
}

/// `00` to `99`.
pub(super) const PAIRS: [[u8; 2]; 100] = {
    let mut table = [*b"00"; 100];
    let mut number = 0;
    while number < table.len() {
        table[number] = [b"0123456789"[number / 10], b"0123456789"[number % 10]];
        number += 1;
    }
    table
};

/// Writes a number in decimal.
#[inline]
pub(crate) fn number(out: &mut Vec<u8>, number: u64) {
    // Offsets are small most often, and division is cheaper then.
    match u32::try_from(number) {
        Ok(digit @ 0..10) => out.push(PAIRS[digit as usize][1]),
        Ok(small) => small_number(out, small),
        Err(_) => {
            let mut digits = [0_u8; 20];
            let mut at = digits.len();
            let mut rest = number;
            while rest > 0 {
                at -= 1;
                digits[at] = b'0' + u8::try_from(rest % 10).unwrap_or(0);
                rest /= 10;
            }
            out.extend_from_slice(&digits[at..]);
        }
    }
}

fn small_number(out: &mut Vec<u8>, number: u32) {
    let mut digits = [0_u8; 10];
    let mut at = digits.len();
    let mut rest = number as usize;
    while rest >= 10 {
        at -= 2;
        digits[at..at + 2].copy_from_slice(&PAIRS[rest % 100]);
        rest /= 100;
    }
    // What is left is a digit, or nothing behind a pair whose first digit is then no zero.
    if rest > 0 {
        at -= 1;
        digits[at] = PAIRS[rest][1];
    }
    out.extend_from_slice(&digits[at..]);
}

/// The base64 of `bytes`, as in the `_bytes` companions.
pub(crate) fn base64(bytes: &[u8]) -> String {
    data_encoding::BASE64.encode(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn strings_are_as_serde_json_writes_them(text in ".*") {
            let mut out = Vec::new();
            assert!(super::string(&mut out, text.as_bytes()));
            prop_assert_eq!(out, serde_json::to_vec(&text).unwrap());
        }

        #[test]
        fn any_bytes_come_lossy(bytes: Vec<u8>) {
            let mut out = Vec::new();
            let lossless = super::string(&mut out, &bytes);
            prop_assert_eq!(out, serde_json::to_vec(&String::from_utf8_lossy(&bytes)).unwrap());
            prop_assert_eq!(lossless, str::from_utf8(&bytes).is_ok());
        }

        #[test]
        fn numbers(number: u64, shift in 0_u32..64) {
            for number in [number >> shift, 10_u64.pow(shift % 20), number % 1000] {
                let mut out = Vec::new();
                super::number(&mut out, number);
                prop_assert_eq!(out, number.to_string().into_bytes());
            }
        }

        #[test]
        fn long_strings_too(text in "[a-z/]{0,40}[\\x00-\\x7f\"é]?[a-z/]{0,40}") {
            let mut out = Vec::new();
            assert!(super::string(&mut out, text.as_bytes()));
            prop_assert_eq!(out, serde_json::to_vec(&text).unwrap());
        }
    }
}
