//! The code pages of Windows.

/// Returns the charset label for a Windows code page. Unknown code pages are read as windows-1252.
pub(super) const fn charset_label(code_page: u32) -> &'static str {
    match code_page {
        874 => "windows-874",
        932 => "shift_jis",
        936 => "gbk",
        949 | 51949 => "euc-kr",
        950 => "big5",
        1200 => "utf-16le",
        1250 => "windows-1250",
        1251 => "windows-1251",
        1253 => "windows-1253",
        1254 => "windows-1254",
        1255 => "windows-1255",
        1256 => "windows-1256",
        1257 => "windows-1257",
        1258 => "windows-1258",
        20866 => "koi8-r",
        21866 => "koi8-u",
        28592 => "iso-8859-2",
        28593 => "iso-8859-3",
        28594 => "iso-8859-4",
        28595 => "iso-8859-5",
        28596 => "iso-8859-6",
        28597 => "iso-8859-7",
        28598 => "iso-8859-8",
        28599 => "iso-8859-9",
        28605 => "iso-8859-15",
        50220..=50222 => "iso-2022-jp",
        50225 => "iso-2022-kr",
        51932 => "euc-jp",
        52936 => "hz-gb-2312",
        54936 => "gb18030",
        65000 => "utf-7",
        65001 => "utf-8",
        _ => "windows-1252",
    }
}

/// Decodes UTF-16 in little-endian byte order to UTF-8. Lone surrogates become U+FFFD, and an odd
/// last byte is dropped.
pub(super) fn decode_utf16(bytes: &[u8]) -> Vec<u8> {
    let units = bytes.as_chunks().0.iter().map(|unit| u16::from_le_bytes(*unit));
    let mut text = String::with_capacity(bytes.len() / 2);
    text.extend(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
    text.into_bytes()
}

/// Decodes a text in a Windows code page to UTF-8.
pub(super) fn decode_code_page(bytes: &[u8], code_page: u32) -> Vec<u8> {
    if code_page == 1200 {
        return decode_utf16(bytes);
    }
    let encoding = encoding_rs::Encoding::for_label(charset_label(code_page).as_bytes());
    let encoding = encoding.unwrap_or(encoding_rs::WINDOWS_1252);
    encoding.decode_without_bom_handling(bytes).0.into_owned().into_bytes()
}
