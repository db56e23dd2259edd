//! Reads MSG files, the files in which Outlook saves messages (MS-OXMSG).
//!
//! A file is a file system of its own (MS-CFB). A folder is a message or an attachment. In each
//! folder, one file has the properties of a fixed length, and each other property has a file.

use super::item::{Attached, Attachment, Item, MAX_NESTED};
use super::properties::{Properties, id, kind};
use cfb::CompoundFile;
use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};

/// The name of the file with the properties of a fixed length.
const FIXED: &str = "__properties_version1.0";
/// The start of the names of the files with one property each. Its identifier and its type follow,
/// in hexadecimal.
const PROPERTY: &str = "__substg1.0_";
/// The start of the names of the folders with attachments.
const ATTACHMENT: &str = "__attach_version1.0_";

/// The maximum number of attachments of a message, and of properties of a folder, that are read.
const MAX_ENTRIES: usize = 4096;

/// Reads the message in an MSG file. Returns `None` if the file is not an MSG file, or if it is
/// damaged.
pub(crate) fn read(file: &[u8]) -> Option<Item<'static>> {
    let opened = CompoundFile::open(Cursor::new(file)).ok()?;
    // In a damaged file, several properties may have the same bytes.
    let mut reader = Reader { file: opened, budget: file.len() };
    let root = Path::new("/");
    reader.file.is_stream(root.join(FIXED)).then(|| reader.read_message(root, MAX_NESTED))
}

struct Reader<'f> {
    file: CompoundFile<Cursor<&'f [u8]>>,
    /// The number of bytes that are still read.
    budget: usize,
}

impl Reader<'_> {
    /// Reads the message in the folder `folder`, which contains messages up to `depth` levels deep.
    fn read_message(&mut self, folder: &Path, depth: usize) -> Item<'static> {
        let header_len = if folder.parent().is_none() { 32 } else { 24 };
        let (properties, folders) = self.read_properties(folder, header_len);
        let mut attachments = Vec::new();
        for attached in folders {
            let is_attachment =
                attached.file_name().and_then(|name| name.to_str()).is_some_and(|name| {
                    name.get(..ATTACHMENT.len()).is_some_and(|start| start == ATTACHMENT)
                });
            if is_attachment {
                attachments.extend(self.read_attachment(&attached, depth));
            }
        }
        properties.into_item(attachments)
    }

    /// Reads the attachment in the folder `folder`. Returns `None` if it has no contents.
    fn read_attachment(&mut self, folder: &Path, depth: usize) -> Option<Attachment<'static>> {
        let (mut properties, folders) = self.read_properties(folder, 8);
        let contents = if let Some(property) = properties.take(id::ATTACH_DATA) {
            Attached::File(property.value)
        } else {
            let object = format!("{PROPERTY}{:04X}{:04X}", id::ATTACH_DATA, kind::OBJECT);
            let message = folders.iter().find(|found| found.ends_with(&object))?;
            if !self.file.is_stream(message.join(FIXED)) {
                return None;
            }
            let depth = depth.checked_sub(1)?;
            Attached::Message(Box::new(self.read_message(message, depth)))
        };
        Some(properties.into_attachment(contents))
    }

    /// Reads the properties in `folder`, and returns them with the folders in it. The file with the
    /// properties of a fixed length starts with a header of `header_len` bytes.
    fn read_properties(
        &mut self,
        folder: &Path,
        header_len: usize,
    ) -> (Properties<'static>, Vec<PathBuf>) {
        let mut properties = Properties::default();
        let (mut folders, mut files) = (Vec::new(), Vec::new());
        if let Ok(entries) = self.file.read_storage(folder) {
            for entry in entries.take(MAX_ENTRIES) {
                if entry.is_stream() {
                    files.push(entry.name().to_owned());
                } else {
                    folders.push(entry.path().to_owned());
                }
            }
        }
        let fixed = self.read_file(&folder.join(FIXED)).unwrap_or_default();
        let entries = fixed.get(header_len..).unwrap_or_default();
        for entry in entries.as_chunks::<16>().0 {
            let [a, b, c, d, _, _, _, _, value @ ..] = *entry;
            let (kind, id) = (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]));
            // Other values are in files, and the entry has their lengths.
            match kind {
                kind::NUMBER => properties.add(id, kind, value[..4].to_vec().into()),
                kind::TIME => properties.add(id, kind, value.to_vec().into()),
                _ => {}
            }
        }
        for name in files {
            let Some(number) = name.strip_prefix(PROPERTY).filter(|number| number.len() == 8)
            else {
                continue;
            };
            let Ok(number) = u32::from_str_radix(number, 16) else { continue };
            let [a, b, c, d] = number.to_be_bytes();
            let (id, kind) = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
            if id::ALL.contains(&id)
                && let Some(value) = self.read_file(&folder.join(&name))
            {
                properties.add(id, kind, value.into());
            }
        }
        (properties, folders)
    }

    /// Reads a file. Returns `None` if there is none, or if it is damaged.
    fn read_file(&mut self, path: &Path) -> Option<Vec<u8>> {
        let stream = self.file.open_stream(path).ok()?;
        let len = usize::try_from(stream.len()).ok().filter(|len| *len <= self.budget)?;
        self.budget -= len;
        let mut bytes = Vec::with_capacity(len);
        stream.take(len as u64).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }
}
