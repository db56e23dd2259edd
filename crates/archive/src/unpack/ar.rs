//! Reads the members of ar archives, such as Debian packages, from front to end.

use super::limits::Refusal;
use std::io::{self, Read};
use std::ops::ControlFlow;

/// The length of the header of a member in bytes.
const HEADER_LEN: usize = 60;
/// The maximum length of a table of long names in bytes. The rest of a longer table is skipped.
const MAX_TABLE_LEN: u64 = 1 << 20;
/// The maximum length of a name in bytes, as of a path on Linux. Longer names are truncated.
/// Otherwise, many members could refer to the same name as long as the table.
const MAX_NAME_LEN: usize = 4096;

/// The header of a member.
struct Header {
    /// The name as written, without spaces at its end.
    name: Vec<u8>,
    /// The length of the data in bytes.
    len: u64,
}

/// Parses the header of a member. `None` if it is damaged.
fn parse_header(bytes: &[u8]) -> Option<Header> {
    let (name, rest) = (bytes.get(..16)?, bytes.get(48..HEADER_LEN)?);
    let len = str::from_utf8(rest.strip_suffix(b"`\n")?).ok()?.trim_ascii_end().parse().ok()?;
    Some(Header { name: name.trim_ascii_end().to_vec(), len })
}

/// Parses the decimal digits after `mark`.
fn number_after(name: &[u8], mark: &[u8]) -> Option<u64> {
    str::from_utf8(name.strip_prefix(mark)?).ok()?.parse().ok()
}

/// Returns the name of a member: in GNU's format it ends with `/`, or is an offset in the table of
/// long names.
fn member_name(name: &[u8], long_names: &[u8]) -> Vec<u8> {
    let long = number_after(name, b"/").and_then(|at| {
        let rest = long_names.get(usize::try_from(at).ok()?..)?;
        rest.get(..MAX_NAME_LEN.min(rest.len()))?.split(|&byte| byte == b'\n').next()
    });
    let name = long.unwrap_or(name);
    name.strip_suffix(b"/").unwrap_or(name).to_vec()
}

/// A function that gets the name of each member, if it is known, and its data.
type Visit<'a> = dyn FnMut(Option<&[u8]>, &mut dyn Read) -> ControlFlow<()> + 'a;

/// Calls `visit` for each member of an ar archive, in the formats of GNU and BSD. Symbol tables are
/// skipped. The data after a damaged header is passed on as a member without a name. Returns false
/// if there is such a header.
///
/// # Errors
///
/// Returns any error of the stream, and [`Refusal::EndsEarly`] if it ends within a member.
pub(super) fn visit_ar(stream: &mut dyn Read, visit: &mut Visit<'_>) -> io::Result<bool> {
    io::copy(&mut stream.take(8), &mut io::sink())?;
    let mut long_names = Vec::new();
    loop {
        let mut bytes = Vec::new();
        stream.take(HEADER_LEN as u64).read_to_end(&mut bytes)?;
        if bytes.is_empty() {
            return Ok(true);
        }
        let Some(Header { mut name, len }) = parse_header(&bytes) else {
            let _ = visit(None, &mut bytes.as_slice().chain(stream));
            return Ok(false);
        };
        let mut data = stream.take(len);
        let is_table = name == b"//";
        if is_table {
            long_names.clear();
            data.by_ref().take(MAX_TABLE_LEN).read_to_end(&mut long_names)?;
        } else if let Some(len) = number_after(&name, b"#1/") {
            name.clear();
            let mut written = data.by_ref().take(len);
            written.by_ref().take(MAX_NAME_LEN as u64).read_to_end(&mut name)?;
            io::copy(&mut written, &mut io::sink())?;
            let end = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
            name.truncate(end);
        } else {
            name = member_name(&name, &long_names);
        }
        let is_index =
            is_table || matches!(&*name, b"" | b"/SYM64") || name.starts_with(b"__.SYMDEF");
        if !is_index && visit(Some(&name), &mut data).is_break() {
            return Ok(true);
        }
        // Skip the data that `visit` did not read, and the byte that makes its length even.
        io::copy(&mut data, &mut io::sink())?;
        if data.limit() > 0 {
            return Err(Refusal::EndsEarly.into());
        }
        io::copy(&mut stream.take(len % 2), &mut io::sink())?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, data: &str) -> String {
        let pad = if data.len() % 2 == 1 { "\n" } else { "" };
        format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n{data}{pad}", 0, 0, 0, 100_644, data.len())
    }

    /// Returns the members of an archive as `name:contents`, and true if all of it was read.
    fn members(archive: &str) -> (Vec<String>, bool) {
        let mut found = Vec::new();
        let visited = visit_ar(&mut archive.as_bytes(), &mut |name, contents| {
            let mut text = String::new();
            contents.read_to_string(&mut text).unwrap();
            found.push(format!("{}:{text}", String::from_utf8_lossy(name.unwrap_or(b"?"))));
            ControlFlow::Continue(())
        });
        (found, visited.is_ok_and(|is_whole| is_whole))
    }

    #[test]
    fn members_of_both_formats_are_read() {
        let gnu = [
            "!<arch>\n",
            &member("/", "symbols"),
            &member("/SYM64/", "symbols"),
            &member("//", "a-name-of-many-letters.txt/\nanother/\n"),
            &member("debian-binary/", "2.0\n"),
            &member("/0", "odd"),
            &member("/28", "even"),
        ]
        .concat();
        let expected = ["debian-binary:2.0\n", "a-name-of-many-letters.txt:odd", "another:even"];
        assert_eq!(members(&gnu), (expected.map(str::to_owned).to_vec(), true));
        let bsd = ["!<arch>\n", &member("#1/8", "long.txtdata"), &member("short", "x")].concat();
        let expected = ["long.txt:data", "short:x"];
        assert_eq!(members(&bsd), (expected.map(str::to_owned).to_vec(), true));
    }

    #[test]
    fn long_names_are_truncated() {
        let long = "n".repeat(2 * MAX_NAME_LEN);
        let name = &long[..MAX_NAME_LEN];
        let bsd = member(&format!("#1/{}", long.len()), &format!("{long}data"));
        let archive = ["!<arch>\n", &member("//", &long), &member("/0", "x"), &bsd].concat();
        assert_eq!(members(&archive), (vec![format!("{name}:x"), format!("{name}:data")], true));
    }

    #[test]
    fn damaged_archives_are_read_as_far_as_possible() {
        let archive = ["!<arch>\n", &member("a/", "one "), &member("b/", "two ")].concat();
        for cut in 8..archive.len() {
            let (found, is_whole) = members(&archive[..cut]);
            assert_eq!(is_whole, cut == 8 || cut == 72, "{cut}");
            assert!(found.len() <= 2);
        }
        let damaged = archive.replacen("`\n", "xx", 1);
        let (found, is_whole) = members(&damaged);
        assert!(found[0].starts_with("?:a/") && found[0].ends_with("two "), "{found:?}");
        assert!(!is_whole);
    }
}
