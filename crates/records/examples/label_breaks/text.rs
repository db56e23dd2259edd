//! The texts of a mailing list, and their threads.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use urlsift_archive::{DocumentKind, Head, Message, Options, Reading, detect, documents};

/// A decoded text of a message or document, without carriage returns.
#[derive(Debug)]
pub(crate) struct Text {
    /// The thread of the message, or the name of the file.
    pub(crate) thread: String,
    pub(crate) bytes: Vec<u8>,
}

/// Returns the texts of all messages in a file, or in the files of a folder.
pub(crate) fn read_texts(path: &Path) -> io::Result<Vec<Text>> {
    let mut texts = Vec::new();
    for file in files_in(path)? {
        let raw = std::fs::read(&file)?;
        let name = file.file_name().unwrap_or_default();
        let container = detect(Head::of(&raw), Some(name.as_encoded_bytes()), Reading::Auto);
        documents(&raw, container, 0, &Options::default(), &mut |document| {
            if let DocumentKind::Text(_) = document.kind {
                let message = document.origin.message;
                let thread = message.map_or_else(|| name.to_string_lossy().into_owned(), thread_of);
                let bytes = document.text.iter().copied().filter(|byte| *byte != b'\r').collect();
                texts.push(Text { thread, bytes });
            }
            ControlFlow::Continue(())
        });
    }
    Ok(texts)
}

/// Returns the subject of a message in lower case, without `Re:` and list names in square brackets.
/// Messages with the same subject are in the same thread, even if they are from different lists.
fn thread_of(message: &Message<'_>) -> String {
    let subject = String::from_utf8_lossy(&message.decoded_subject()).to_lowercase();
    let mut rest = subject.trim();
    loop {
        let shorter = ["re:", "fwd:", "fw:", "aw:"].iter().find_map(|mark| rest.strip_prefix(mark));
        let shorter = shorter.or_else(|| Some(rest.strip_prefix('[')?.split_once(']')?.1));
        match shorter {
            Some(shorter) => rest = shorter.trim_start(),
            None => break,
        }
    }
    rest.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns `path`, or all files below it if it is a folder, sorted.
fn files_in(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    entries.sort();
    let mut files = Vec::new();
    for entry in entries {
        files.extend(files_in(&entry)?);
    }
    Ok(files)
}
