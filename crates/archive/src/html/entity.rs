//! Decodes character references: `&amp;`, `&#38;`.

/// The named references seen in mail and old web pages, sorted: Latin-1, typographic characters,
/// and ASCII characters that occur in URLs. (HTML 5 has two thousand more, mostly for mathematics.)
const NAMES: &[(&str, char)] = &[
    ("AElig", 'Æ'),
    ("Aacute", 'Á'),
    ("Acirc", 'Â'),
    ("Agrave", 'À'),
    ("Aring", 'Å'),
    ("Atilde", 'Ã'),
    ("Auml", 'Ä'),
    ("Ccedil", 'Ç'),
    ("ETH", 'Ð'),
    ("Eacute", 'É'),
    ("Ecirc", 'Ê'),
    ("Egrave", 'È'),
    ("Euml", 'Ë'),
    ("Iacute", 'Í'),
    ("Icirc", 'Î'),
    ("Igrave", 'Ì'),
    ("Iuml", 'Ï'),
    ("NewLine", '\n'),
    ("Ntilde", 'Ñ'),
    ("Oacute", 'Ó'),
    ("Ocirc", 'Ô'),
    ("Ograve", 'Ò'),
    ("Oslash", 'Ø'),
    ("Otilde", 'Õ'),
    ("Ouml", 'Ö'),
    ("THORN", 'Þ'),
    ("Tab", '\t'),
    ("Uacute", 'Ú'),
    ("Ucirc", 'Û'),
    ("Ugrave", 'Ù'),
    ("Uuml", 'Ü'),
    ("Yacute", 'Ý'),
    ("aacute", 'á'),
    ("acirc", 'â'),
    ("acute", '´'),
    ("aelig", 'æ'),
    ("agrave", 'à'),
    ("amp", '&'),
    ("apos", '\''),
    ("aring", 'å'),
    ("ast", '*'),
    ("atilde", 'ã'),
    ("auml", 'ä'),
    ("bdquo", '„'),
    ("brvbar", '¦'),
    ("bsol", '\\'),
    ("bull", '•'),
    ("ccedil", 'ç'),
    ("cedil", '¸'),
    ("cent", '¢'),
    ("colon", ':'),
    ("comma", ','),
    ("commat", '@'),
    ("copy", '©'),
    ("curren", '¤'),
    ("dagger", '†'),
    ("deg", '°'),
    ("divide", '÷'),
    ("dollar", '$'),
    ("eacute", 'é'),
    ("ecirc", 'ê'),
    ("egrave", 'è'),
    ("emsp", '\u{2003}'),
    ("ensp", '\u{2002}'),
    ("equals", '='),
    ("eth", 'ð'),
    ("euml", 'ë'),
    ("euro", '€'),
    ("excl", '!'),
    ("frac12", '½'),
    ("frac14", '¼'),
    ("frac34", '¾'),
    ("grave", '`'),
    ("gt", '>'),
    ("hellip", '…'),
    ("hyphen", '\u{2010}'),
    ("iacute", 'í'),
    ("icirc", 'î'),
    ("iexcl", '¡'),
    ("igrave", 'ì'),
    ("iquest", '¿'),
    ("iuml", 'ï'),
    ("laquo", '«'),
    ("lbrack", '['),
    ("lcub", '{'),
    ("ldquo", '“'),
    ("lowbar", '_'),
    ("lpar", '('),
    ("lsaquo", '‹'),
    ("lsqb", '['),
    ("lsquo", '‘'),
    ("lt", '<'),
    ("macr", '¯'),
    ("mdash", '—'),
    ("micro", 'µ'),
    ("middot", '·'),
    ("nbsp", '\u{A0}'),
    ("ndash", '–'),
    ("not", '¬'),
    ("ntilde", 'ñ'),
    ("num", '#'),
    ("oacute", 'ó'),
    ("ocirc", 'ô'),
    ("oelig", 'œ'),
    ("ograve", 'ò'),
    ("ordf", 'ª'),
    ("ordm", 'º'),
    ("oslash", 'ø'),
    ("otilde", 'õ'),
    ("ouml", 'ö'),
    ("para", '¶'),
    ("percnt", '%'),
    ("period", '.'),
    ("permil", '‰'),
    ("plus", '+'),
    ("plusmn", '±'),
    ("pound", '£'),
    ("quest", '?'),
    ("quot", '"'),
    ("raquo", '»'),
    ("rbrack", ']'),
    ("rcub", '}'),
    ("rdquo", '”'),
    ("reg", '®'),
    ("rpar", ')'),
    ("rsaquo", '›'),
    ("rsqb", ']'),
    ("rsquo", '’'),
    ("sbquo", '‚'),
    ("scaron", 'š'),
    ("sect", '§'),
    ("semi", ';'),
    ("shy", '\u{AD}'),
    ("sol", '/'),
    ("sup1", '¹'),
    ("sup2", '²'),
    ("sup3", '³'),
    ("szlig", 'ß'),
    ("thinsp", '\u{2009}'),
    ("thorn", 'þ'),
    ("times", '×'),
    ("trade", '™'),
    ("uacute", 'ú'),
    ("ucirc", 'û'),
    ("ugrave", 'ù'),
    ("uml", '¨'),
    ("uuml", 'ü'),
    ("verbar", '|'),
    ("yacute", 'ý'),
    ("yen", '¥'),
    ("yuml", 'ÿ'),
    ("zwj", '\u{200D}'),
    ("zwnj", '\u{200C}'),
];

/// The references that are recognized without a semicolon, unless a letter, digit or `=` follows.
/// (In `?a=1&lt=2`, `lt` is the name of a parameter.)
const BARE: [&str; 5] = ["amp", "gt", "lt", "nbsp", "quot"];

/// Parses the character reference that `text` starts with. Returns the character that the reference
/// encodes, and the length of the reference in bytes. Returns `None` if `text` doesn't start with a
/// known reference.
pub(crate) fn parse_character_reference(text: &[u8]) -> Option<(char, usize)> {
    let rest = text.get(1..)?;
    if let Some(digits) = rest.strip_prefix(b"#") {
        let (radix, digits, skipped) = match digits {
            [b'x' | b'X', hex @ ..] => (16, hex, 3),
            _ => (10, digits, 2),
        };
        let len = digits.iter().take(10).take_while(|b| char::from(**b).is_digit(radix)).count();
        let number = core::str::from_utf8(digits.get(..len)?).ok()?;
        let code = u32::from_str_radix(number, radix).ok()?;
        let end = skipped + len + usize::from(digits.get(len) == Some(&b';'));
        return Some((char_of_code(code), end));
    }
    let len = rest.iter().take(10).take_while(|b| b.is_ascii_alphanumeric()).count();
    let name = rest.get(..len)?;
    let known = NAMES.binary_search_by(|(known, _)| known.as_bytes().cmp(name)).ok()?;
    let &(known, character) = NAMES.get(known)?;
    match rest.get(len) {
        Some(b';') => Some((character, len + 2)),
        next => (next != Some(&b'=') && BARE.contains(&known)).then_some((character, len + 1)),
    }
}

/// Returns the character with the code point `code`, or U+FFFD if there is none. As in browsers,
/// 0x80 to 0x9F are read as bytes of windows-1252.
fn char_of_code(code: u32) -> char {
    if let Ok(byte @ 0x80..=0x9F) = u8::try_from(code) {
        let bytes = [byte];
        let decoded = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes).0;
        return decoded.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
    }
    match code {
        0 => char::REPLACEMENT_CHARACTER,
        _ => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(NAMES.is_sorted_by(|a, b| a.0 < b.0));
        assert!(NAMES.iter().all(|(name, _)| name.len() <= 10));
    }

    #[test]
    fn references_are_decoded() {
        for (text, expected) in [
            ("&amp;x", Some(('&', 5))),
            ("&amp x", Some(('&', 4))),
            ("&amp=x", None),
            ("&ampx", None),
            ("&copy=2", None),
            ("&copy;", Some(('©', 6))),
            ("&#58;", Some((':', 5))),
            ("&#x2f;", Some(('/', 6))),
            ("&#150;", Some(('–', 6))),
            ("&#99999999;", Some((char::REPLACEMENT_CHARACTER, 11))),
            ("&#;", None),
            ("&", None),
            ("&nosuch;", None),
        ] {
            assert_eq!(parse_character_reference(text.as_bytes()), expected, "{text}");
        }
    }
}
