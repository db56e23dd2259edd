//! Generates the data to search (haystacks) from a seed. The data is identical on every machine.
//!
//! The densities (bytes per colon, URL and line) are tuned to real archives.
//! `urlsift-benches densities` measures them in any file, and `benches/README.md` compares them.

mod address;
mod adversarial;
mod dense;
mod encoded;
mod html;
mod mail;
mod news;
mod prose;

pub use self::adversarial::Pattern;

use crate::random::Random;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// A kind of generated data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An mbox of mailing list mail with 7-bit bodies.
    Mail,
    /// USENET articles as an rnews batch.
    News,
    /// An mbox of mail with HTML parts.
    Html,
    /// Lists of links, with a URL on every line.
    Dense,
    /// An mbox of mail with quoted-printable and base64 parts.
    Encoded,
    /// Mailing list mail without line breaks.
    Line,
    /// News articles with one file per article, in directories of a thousand files.
    Spool,
}

/// Writes generated data of at least `bytes` bytes. It ends with a complete message.
///
/// # Errors
///
/// Returns any error from the writer.
pub fn write_data(kind: Kind, seed: u64, bytes: u64, to: &mut impl Write) -> io::Result<()> {
    let mut random = Random::new(seed);
    let mut text = Vec::with_capacity(1 << 16);
    let mut written = 0;
    while written < bytes {
        text.clear();
        push_item(kind, &mut random, &mut text);
        to.write_all(&text)?;
        written += text.len() as u64;
    }
    to.flush()
}

/// Returns generated data in memory: see [`write_data()`].
pub fn data_in_memory(kind: Kind, seed: u64, bytes: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes + (1 << 16));
    let mut random = Random::new(seed);
    while text.len() < bytes {
        push_item(kind, &mut random, &mut text);
    }
    text
}

/// A content transfer encoding of a mail body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// Quoted-printable (RFC 2045, section 6.7).
    QuotedPrintable,
    /// Base64 (RFC 2045, section 6.8).
    Base64,
}

/// Returns a text of at least `bytes` bytes that contains non-ASCII letters, and the same text
/// encoded.
pub fn text_and_encoded(coding: Coding, seed: u64, bytes: usize) -> (Vec<u8>, Vec<u8>) {
    let mut text = Vec::with_capacity(bytes + (1 << 16));
    let mut random = Random::new(seed);
    while text.len() < bytes {
        encoded::push_paragraph(&mut random, &mut text);
    }
    let mut encoded = Vec::with_capacity(2 * text.len());
    match coding {
        Coding::QuotedPrintable => encoded::push_quoted_printable(&text, &mut encoded),
        Coding::Base64 => encoded::push_base64(&text, &mut encoded),
    }
    (text, encoded)
}

/// Writes `files` articles into directories of a thousand files in `folder`. File names are
/// numbers, as on news servers.
///
/// # Errors
///
/// Returns any error from the file system.
pub fn write_spool(folder: &Path, seed: u64, files: u32) -> io::Result<()> {
    let mut random = Random::new(seed);
    let mut text = Vec::with_capacity(1 << 16);
    for number in 0..files {
        let group = folder.join(format!("misc/test/g{}", number / 1000));
        if number % 1000 == 0 {
            fs::create_dir_all(&group)?;
        }
        text.clear();
        news::push_article(&mut random, &mut text);
        fs::write(group.join((number % 1000 + 1).to_string()), &text)?;
    }
    Ok(())
}

/// Appends one message, article or entry of this kind.
fn push_item(kind: Kind, random: &mut Random, out: &mut Vec<u8>) {
    match kind {
        Kind::Mail => mail::push_message(random, out),
        Kind::News => news::push_batched_article(random, out),
        Kind::Html => html::push_message(random, out),
        Kind::Dense => dense::push_entry(random, out),
        Kind::Encoded => encoded::push_message(random, out),
        Kind::Spool => news::push_article(random, out),
        Kind::Line => {
            let start = out.len();
            mail::push_message(random, out);
            for byte in &mut out[start..] {
                if *byte == b'\n' {
                    *byte = b' ';
                }
            }
        }
    }
}
