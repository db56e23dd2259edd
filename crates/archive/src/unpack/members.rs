//! Reads the members of archives.

use super::ar::visit_ar;
use super::compression::Compression;
use super::limits::{Limits, Refusal};
use super::unreadable::Unreadable;
use std::error::Error;
use std::fmt;
use std::io::{self, Read, Seek};
use std::ops::{ControlFlow, Range};
#[cfg(feature = "zip")]
use std::{
    io::{BufReader, SeekFrom},
    sync::atomic::AtomicU64,
};
#[cfg(feature = "zip")]
use zip::result::ZipError;

/// A seekable reader, as a trait object: `dyn ReadSeek`.
///
/// ```
/// use urlsift_archive::unpack::ReadSeek;
/// let mut bytes = std::io::Cursor::new(b"abc");
/// let any: &mut dyn ReadSeek = &mut bytes;
/// assert_eq!(any.seek(std::io::SeekFrom::End(0)).unwrap(), 3);
/// ```
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// A reader for the contents of an archive's member, or the reason why they can't be read.
///
/// ```
/// use urlsift_archive::unpack::{Contents, Trouble};
/// fn len(contents: Contents<'_>) -> Result<usize, Trouble> {
///     let mut bytes = Vec::new();
///     Ok(contents?.read_to_end(&mut bytes)?)
/// }
/// assert_eq!(len(Ok(&mut &b"abc"[..])).unwrap(), 3);
/// assert!(len(Err(Trouble::TooDeep(4))).is_err());
/// ```
pub type Contents<'m> = Result<&'m mut dyn Read, Trouble>;

/// A problem with an input: a part of it was not read, or was read as plain text. The rest of the
/// input was read.
///
/// ```
/// use urlsift_archive::unpack::{Refusal, Trouble};
/// let trouble = Trouble::from(std::io::Error::from(Refusal::TooBig(1000)));
/// assert_eq!(trouble.to_string(), "expands beyond 1000 bytes");
/// assert!(matches!(&trouble, Trouble::Read(error) if Refusal::from_error(error).is_some()));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Trouble {
    /// The stream can't be read further. For packed data the reason is a [`Refusal`].
    Read(io::Error),
    /// The header of a tar member is damaged. The data after it, up to the next header, was passed
    /// on as a member.
    TarHeader(io::Error),
    /// The header of a member of an ar archive is damaged. The rest was passed on as a member.
    ArHeader,
    /// The directory of a zip archive is damaged. Its members were read from front to end.
    ZipDirectory,
    /// A zip archive can't be read further from front to end, with the reason. The data after that
    /// was passed on as a member.
    ZipHeader(String),
    /// Some members of a zip archive can't be unpacked. Their data was passed on as it is.
    ZipMembers,
    /// This member can't be unpacked, with the reason.
    Member(String),
    /// Archives are nested more than this number of levels deep.
    TooDeep(usize),
    /// The file can't be read, or only in part.
    Unread(Unreadable),
    /// A message, record or page is too long to be parsed. It is read as raw text.
    TooLong {
        /// The byte range of the message, record or page in the file.
        range: Range<u64>,
        /// The maximum length of an item that is parsed, in bytes.
        max_len: u64,
    },
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::TarHeader(error) => {
                write!(f, "{error}; the data up to the next member was scanned as plain text")
            }
            Self::ArHeader => f.write_str(
                "a header of the ar archive is damaged; the rest was scanned as plain text",
            ),
            Self::ZipDirectory => f.write_str(
                "the zip archive's directory is damaged; its members were read from front to end",
            ),
            Self::ZipHeader(error) => write!(
                f,
                "the zip archive cannot be read further: {error}; the rest was scanned as plain text"
            ),
            Self::ZipMembers => f.write_str(
                "members of the zip archive cannot be unpacked; their data was scanned as plain text",
            ),
            Self::Member(error) => write!(f, "this member cannot be unpacked: {error}"),
            Self::TooDeep(depth) => {
                write!(f, "archives are nested more than {depth} levels deep; unpack it first")
            }
            Self::Unread(reason) => reason.fmt(f),
            Self::TooLong { max_len, .. } => {
                write!(
                    f,
                    "the message or page is longer than {} GB: it is read as plain text",
                    max_len >> 30
                )
            }
        }
    }
}

impl Error for Trouble {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Read(error) | Self::TarHeader(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

/// The name that is passed on for a member whose header can't be read.
const DAMAGED: &[u8] = b"(damaged)";

/// Calls `visit` with the name and contents of each regular file in an archive, until `visit`
/// returns `Break`.
///
/// Reads the archive from `stream`, which must be uncompressed (see [`Limits::decompress`]). If
/// `file` is given, reads the archive from `file` instead, and uses the directory of a zip archive.
///
/// If `visit` doesn't read a member to its end, the rest is skipped.
///
/// # Errors
///
/// Returns an error if some members could not be visited, and [`Refusal::NotBuilt`] if `kind` is
/// not an archive format or not supported by this build.
///
/// ```
/// # #[cfg(feature = "tar")] {
/// use std::ops::ControlFlow;
/// use urlsift_archive::unpack::{Compression, Limits, visit_members};
///
/// let mut builder = tar::Builder::new(Vec::new());
/// let mut header = tar::Header::new_ustar();
/// header.set_size(3);
/// header.set_cksum();
/// builder.append_data(&mut header, "a.txt", &b"abc"[..]).unwrap();
/// let archive = builder.into_inner().unwrap();
///
/// let mut seen = Vec::new();
/// visit_members(Compression::Tar, &mut &archive[..], None, Limits::default(), &mut |name, contents| {
///     let mut text = String::new();
///     contents.unwrap().read_to_string(&mut text).unwrap();
///     seen.push((name.to_vec(), text));
///     ControlFlow::Continue(())
/// }).unwrap();
/// assert_eq!(seen, [(b"a.txt".to_vec(), "abc".to_owned())]);
/// # }
/// ```
#[allow(unused_variables, reason = "without the features")]
pub fn visit_members(
    kind: Compression,
    stream: &mut dyn Read,
    file: Option<&mut dyn ReadSeek>,
    limits: Limits,
    visit: &mut dyn FnMut(&[u8], Contents<'_>) -> ControlFlow<()>,
) -> Result<(), Trouble> {
    match (kind, file) {
        #[cfg(feature = "zip")]
        (Compression::Zip, Some(file)) => visit_zip(file, limits, visit),
        #[cfg(feature = "zip")]
        (Compression::Zip, None) => visit_zip_stream(stream, 0, limits, visit),
        #[cfg(feature = "tar")]
        (Compression::Tar, Some(mut file)) => visit_tar(&mut file, visit),
        #[cfg(feature = "tar")]
        (Compression::Tar, None) => visit_tar(stream, visit),
        (Compression::Ar, Some(mut file)) => visit_ar_members(&mut file, visit),
        (Compression::Ar, None) => visit_ar_members(stream, visit),
        _ => Err(Trouble::Read(Refusal::NotBuilt(kind).into())),
    }
}

/// Visits the members of an ar archive. The data after a header that can't be read is passed on as
/// a member.
fn visit_ar_members(
    stream: &mut dyn Read,
    visit: &mut dyn FnMut(&[u8], Contents<'_>) -> ControlFlow<()>,
) -> Result<(), Trouble> {
    let is_whole = visit_ar(stream, &mut |name, data| visit(name.unwrap_or(DAMAGED), Ok(data)))?;
    if is_whole { Ok(()) } else { Err(Trouble::ArHeader) }
}

/// Calls `visit` with the members of a tar archive. If a header can't be read, the data up to the
/// next header is passed to `visit` as a member.
#[cfg(feature = "tar")]
fn visit_tar(
    mut stream: &mut dyn Read,
    visit: &mut dyn FnMut(&[u8], Contents<'_>) -> ControlFlow<()>,
) -> Result<(), Trouble> {
    let mut damage = Ok(());
    let mut header = Vec::new();
    loop {
        let mut archive = tar::Archive::new(header.as_slice().chain(&mut stream));
        let mut entries = archive.entries()?;
        let error = loop {
            let mut entry = match entries.next() {
                Some(Ok(entry)) => entry,
                Some(Err(error)) => break error,
                None => return damage,
            };
            if entry.header().entry_type().is_file() {
                let name = entry.path_bytes().into_owned();
                if visit(&name, Ok(&mut entry)).is_break() {
                    return damage;
                }
            }
        };
        damage = Err(Trouble::TarHeader(error));
        let mut skipped = UntilHeader { stream: &mut stream, block: Vec::new(), returned: 0 };
        if visit(DAMAGED, Ok(&mut skipped)).is_break() {
            return damage;
        }
        // Skip the data that `visit` did not read.
        io::copy(&mut skipped, &mut io::sink())?;
        header = skipped.block;
        if header.is_empty() {
            return damage;
        }
    }
}

/// A reader for the blocks of a tar archive up to the header of the next member. At the end,
/// `block` is that header, or empty if there is none.
#[cfg(feature = "tar")]
struct UntilHeader<'s, R> {
    stream: &'s mut R,
    block: Vec<u8>,
    /// The number of bytes of the block that were returned.
    returned: usize,
}

#[cfg(feature = "tar")]
impl<R: Read> Read for UntilHeader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.returned == self.block.len() {
            (self.returned, self.block) = (0, Vec::new());
            self.stream.by_ref().take(512).read_to_end(&mut self.block)?;
        }
        if is_tar_header(&self.block) {
            return Ok(0);
        }
        let read = (&self.block[self.returned..]).read(buffer)?;
        self.returned += read;
        Ok(read)
    }
}

/// True if a block of a tar archive has the checksum of a header.
#[cfg(feature = "tar")]
fn is_tar_header(block: &[u8]) -> bool {
    let Ok(block) = <&[u8; 512]>::try_from(block) else { return false };
    let mut sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
    sum -= block[148..156].iter().map(|&byte| u32::from(byte)).sum::<u32>();
    // The bytes of the checksum itself count as spaces.
    let sum = sum + 8 * u32::from(b' ');
    let header = tar::Header::from_byte_slice(block);
    block[0] != 0 && header.cksum().is_ok_and(|written| written == sum)
}

/// Calls `visit` with each member that the directory of a zip file lists. If the file has no
/// directory, reads the members one after the other, from the start of the file.
#[cfg(feature = "zip")]
fn visit_zip(
    file: &mut dyn ReadSeek,
    limits: Limits,
    visit: &mut dyn FnMut(&[u8], Contents<'_>) -> ControlFlow<()>,
) -> Result<(), Trouble> {
    let len = file.seek(SeekFrom::End(0))?;
    let Ok(mut archive) = zip::ZipArchive::new(BufReader::new(&mut *file)) else {
        // The search for the directory has moved the position that `stream` shares.
        file.rewind()?;
        visit_zip_stream(&mut BufReader::new(&mut *file), len, limits, visit)?;
        return Err(Trouble::ZipDirectory);
    };
    let spent = AtomicU64::new(0);
    // The ranges of the members that can be read.
    let mut read = Vec::new();
    let mut has_failed = false;
    for index in 0..archive.len() {
        let listed = match archive.name_for_index(index) {
            Some(Ok(name)) => name.into_owned(),
            _ => format!("member {}", index + 1),
        };
        let mut is_damaged = false;
        let flow = match archive.by_index(index) {
            Ok(member) if !member.is_file() => continue,
            Ok(member) => {
                let start = member.data_start().unwrap_or(0);
                read.push((start, start.saturating_add(member.compressed_size())));
                let name = member.name_raw().to_vec();
                visit(&name, Ok(&mut limits.member_reader(member, len, &spent)))
            }
            Err(error) => {
                is_damaged = matches!(error, ZipError::InvalidArchive(_) | ZipError::Io(_));
                visit(listed.as_bytes(), Err(Trouble::Member(error.to_string())))
            }
        };
        if flow.is_break() {
            return Ok(());
        }
        has_failed |= is_damaged;
    }
    if !has_failed {
        return Ok(());
    }
    // The data between the readable members contains the unreadable ones.
    read.sort_unstable();
    read.push((archive.central_directory_start(), len));
    drop(archive);
    let mut end = 0;
    for (start, next) in read {
        if start > end {
            file.seek(SeekFrom::Start(end))?;
            let mut gap = skip_zip_signature((&mut *file).take(start - end))?;
            if visit(DAMAGED, Ok(&mut gap)).is_break() {
                return Ok(());
            }
        }
        end = end.max(next);
    }
    Err(Trouble::ZipMembers)
}

/// Returns the stream without the signature of a zip member at its start, so that it isn't detected
/// as an archive again.
#[cfg(feature = "zip")]
fn skip_zip_signature(mut stream: impl Read) -> io::Result<impl Read> {
    let mut first = Vec::new();
    stream.by_ref().take(ZIP_MEMBER.len() as u64).read_to_end(&mut first)?;
    if first == ZIP_MEMBER {
        first.clear();
    }
    Ok(io::Cursor::new(first).chain(stream))
}

/// Calls `visit` with the members of a zip archive, reading the archive from start to end. If a
/// header can't be read, the data after it is passed to `visit` as a member.
#[cfg(feature = "zip")]
fn visit_zip_stream(
    stream: &mut dyn Read,
    len: u64,
    limits: Limits,
    visit: &mut dyn FnMut(&[u8], Contents<'_>) -> ControlFlow<()>,
) -> Result<(), Trouble> {
    let spent = AtomicU64::new(0);
    let mut stream = PrefixRecorder { stream, first: Vec::new() };
    loop {
        stream.first.clear();
        let error = match zip::read::read_zipfile_from_stream(&mut stream) {
            Ok(None) => return Ok(()),
            Ok(Some(file)) => {
                if file.is_file() {
                    let name = file.name_raw().to_vec();
                    if visit(&name, Ok(&mut limits.member_reader(file, len, &spent))).is_break() {
                        return Ok(());
                    }
                }
                continue;
            }
            Err(error) => error,
        };
        let PrefixRecorder { stream, first } = stream;
        if let Ok(mut rest) = skip_zip_signature(first.as_slice().chain(stream)) {
            let _ = visit(DAMAGED, Ok(&mut rest));
        }
        return Err(Trouble::ZipHeader(error.to_string()));
    }
}

/// The signature at the start of the header of a zip member.
#[cfg(feature = "zip")]
const ZIP_MEMBER: &[u8] = b"PK\x03\x04";

/// The maximum length of the header of a zip member, in bytes: its fixed part, the name and the
/// extra fields.
#[cfg(feature = "zip")]
const MAX_HEADER_LEN: usize = 30 + 2 * 0xFFFF;

/// A stream that records its first bytes, up to the maximum length of the header of a zip member.
#[cfg(feature = "zip")]
struct PrefixRecorder<'s> {
    stream: &'s mut dyn Read,
    first: Vec<u8>,
}

#[cfg(feature = "zip")]
impl Read for PrefixRecorder<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        let kept = read.min(MAX_HEADER_LEN - self.first.len());
        self.first.extend_from_slice(&buffer[..kept]);
        Ok(read)
    }
}

#[cfg(test)]
#[cfg(feature = "unpack")]
mod tests {
    use super::*;
    use crate::unpack::limits::Expansion;
    use std::io::Write as _;

    /// Returns the joined contents of all members that are read from an archive, and the error
    /// messages. If `from_file` is true, the archive is passed as a seekable file.
    fn read_members(kind: Compression, bytes: &[u8], from_file: bool) -> (String, Vec<String>) {
        let limits = Limits { expand: Expansion::Unlimited, window: 1 << 20 };
        let mut file = from_file.then(|| {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(bytes).unwrap();
            file.seek(SeekFrom::Start(100)).unwrap();
            file
        });
        let (mut all, mut errors) = (Vec::new(), Vec::new());
        let mut stream = bytes;
        let file = file.as_mut().map(|file| file as &mut dyn ReadSeek);
        let visited = visit_members(kind, &mut stream, file, limits, &mut |_, contents| {
            match contents.map(|contents| contents.read_to_end(&mut all)) {
                Ok(read) => errors.extend(read.err().map(|error| error.to_string())),
                Err(error) => errors.push(error.to_string()),
            }
            ControlFlow::Continue(())
        });
        errors.extend(visited.err().map(|error| error.to_string()));
        (String::from_utf8_lossy(&all).into_owned(), errors)
    }

    const MEMBERS: [&str; 3] = ["<http://h.dom/1/a>", "<http://h.dom/2/a>", "<http://h.dom/3/a>"];

    #[test]
    fn tar_is_read_after_a_damaged_header() {
        let mut builder = tar::Builder::new(Vec::new());
        for text in MEMBERS {
            let mut header = tar::Header::new_ustar();
            header.set_size(text.len() as u64);
            header.set_cksum();
            builder.append_data(&mut header, "a.txt", text.as_bytes()).unwrap();
        }
        let whole = builder.into_inner().unwrap();
        assert_eq!(read_members(Compression::Tar, &whole, false), (MEMBERS.concat(), Vec::new()));
        for damaged in [0, 1024, 2048] {
            for at in [0, 148] {
                let mut bytes = whole.clone();
                bytes[damaged + at] ^= 0x55;
                let (all, errors) = read_members(Compression::Tar, &bytes, false);
                assert!(MEMBERS.iter().all(|text| all.contains(text)), "{damaged}: {all}");
                assert_eq!(errors.len(), 1, "{errors:?}");
            }
        }
    }

    /// Returns an uncompressed member of a zip archive. If `streamed` is true, the header doesn't
    /// contain the length.
    fn stored_zip_member(text: &str, streamed: bool) -> Vec<u8> {
        let len = u32::try_from(text.len()).unwrap().to_le_bytes();
        let mut crc = flate2::Crc::new();
        crc.update(text.as_bytes());
        let crc = crc.sum().to_le_bytes();
        let flags: &[u8] = if streamed { &[8, 0] } else { &[0, 0] };
        let known = if streamed { [[0; 4]; 3] } else { [crc, len, len] };
        let head = [ZIP_MEMBER, &[20, 0], flags, &[0; 6], &known.concat(), &[1, 0, 0, 0], b"a"];
        let mut member = [&head.concat(), text.as_bytes()].concat();
        if streamed {
            member.extend([&b"PK\x07\x08"[..], &crc, &len, &len].concat());
        }
        member
    }

    #[test]
    fn truncated_zip_keeps_stored_members() {
        for streamed in [false, true] {
            let whole: Vec<u8> =
                MEMBERS.iter().flat_map(|text| stored_zip_member(text, streamed)).collect();
            for cut in 4..=whole.len() {
                let bytes = &whole[..cut];
                let shown = String::from_utf8_lossy(bytes);
                for from_file in [false, true] {
                    let (all, _) = read_members(Compression::Zip, bytes, from_file);
                    for text in MEMBERS {
                        assert_eq!(all.matches(text).count(), shown.matches(text).count(), "{cut}");
                    }
                }
            }
        }
    }

    #[test]
    fn member_with_damaged_header_is_read_raw() {
        let mut writer = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        for (name, text) in ["a", "b", "c"].into_iter().zip(MEMBERS) {
            let method = zip::CompressionMethod::Stored;
            writer.start_file(name, options.compression_method(method)).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        let whole = writer.finish().unwrap().into_inner();
        let heads: Vec<usize> = memchr::memmem::find_iter(&whole, ZIP_MEMBER).collect();
        assert_eq!(heads.len(), MEMBERS.len());
        assert_eq!(read_members(Compression::Zip, &whole, true), (MEMBERS.concat(), Vec::new()));
        for head in heads {
            for at in head..head + 31 {
                let mut bytes = whole.clone();
                bytes[at] ^= 0x55;
                let (all, errors) = read_members(Compression::Zip, &bytes, true);
                let is_all = MEMBERS.iter().all(|text| all.contains(text));
                assert!(is_all || at >= head + 4 && !errors.is_empty(), "{at}: {all} {errors:?}");
                assert!(at >= head + 4 || errors.len() == 2, "{at}: {errors:?}");
            }
        }
    }
}
